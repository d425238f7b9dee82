"""The dialog of the ways in which each kind of notice is told: on the desktop, and by a sound."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QApplication, QGridLayout, QHBoxLayout
from typing_extensions import override

from starloom_gui.shell.notice import NoticeKind
from starloom_gui.shell.notice_words import kind_word
from starloom_gui.text.words import fill
from starloom_gui.theme.fonts import Role, font
from starloom_gui.theme.metrics import GAPS
from starloom_gui.widgets.controls import button, text
from starloom_gui.widgets.dialog import Dialog
from starloom_gui.widgets.editors import CheckBox
from starloom_gui.widgets.number_field import NumberField

if TYPE_CHECKING:
    from PySide6.QtWidgets import QWidget

    from starloom_gui.settings import Settings
    from starloom_gui.theme.appearance import Appearance
    from starloom_gui.theme.palette import Palette


class NoticeChannels(Dialog):
    """A table of the kinds of notices with two ticks each, which count at once.

    Args:
        settings: where the ticks are kept.
        appearance: the colours.
        parent: the window.

    Attributes:
        desktop, sound: the ticks by kind.
        minutes: without output, until a task is marked.

    Signals:
        changed(): the settings have others.
    """

    changed = Signal()

    def __init__(self, settings: Settings, appearance: Appearance, parent: QWidget | None = None) -> None:
        super().__init__(appearance, "", "", parent=parent)
        self.retitle(self.tr("Desktop and sound"), "")
        self._settings = settings
        self.desktop: dict[NoticeKind, CheckBox] = {}
        self.sound: dict[NoticeKind, CheckBox] = {}
        self.minutes = NumberField(optional=True, least=1)
        words = self.tr(
            "Of the kinds that are ticked under “Tell me of…”. On the desktop they are shown while this window is not "
            "in front. A sound is that of the system, at most one every two seconds."
        )
        self.body.addWidget(text(words, Role.SMALL, "muted"))
        self.body.addLayout(self._table())
        self.body.addLayout(self._quiet_row())
        self._try = button(self.tr("Try the sound"))
        self._try.clicked.connect(QApplication.beep)
        self.aside.addWidget(self._try)
        self.apply_theme(appearance.palette)

    def _table(self) -> QGridLayout:
        grid = QGridLayout()
        grid.setHorizontalSpacing(GAPS[3])
        grid.setVerticalSpacing(GAPS[1])
        grid.setColumnStretch(0, 1)
        settings = self._settings
        for row, kind in enumerate(NoticeKind):
            grid.addWidget(text(kind_word(kind)), row, 0)
            self.desktop[kind] = self._tick(kind, self.tr("Desktop"))
            self.desktop[kind].setChecked(settings.tells_desktop and kind.value not in settings.quiet_notices)
            self.sound[kind] = self._tick(kind, self.tr("Sound"))
            self.sound[kind].setChecked(kind.value in settings.sounding_notices)
            for column, ticks in enumerate((self.desktop, self.sound), 1):
                ticks[kind].toggled.connect(self._keep)
                grid.addWidget(ticks[kind], row, column)
        return grid

    def _quiet_row(self) -> QHBoxLayout:
        row = QHBoxLayout()
        words = self.tr("Minutes without output until a running task is marked")
        row.addWidget(text(words), 1)
        field = self.minutes
        field.line.setAccessibleName(words)
        field.set_none(self.tr("Never"))
        field.setToolTip(self.tr("Empty: never. Only on devices that tell what tasks print."))
        field.setFixedWidth(96)
        field.show_value(self._settings.quiet_minutes or None)
        field.wanted.connect(self._keep_minutes)
        row.addWidget(field)
        return row

    def _keep_minutes(self, minutes: float | None) -> None:
        self._settings.quiet_minutes = int(minutes or 0)
        self.changed.emit()

    def _tick(self, kind: NoticeKind, way: str) -> CheckBox:
        made = CheckBox(way)
        made.setFont(font(Role.BODY))
        made.setMinimumWidth(made.sizeHint().width() + GAPS[2])  # its ring goes round its word
        made.setAccessibleName(fill(self.tr("%1: %2"), kind_word(kind), way))
        made.setToolTip(made.accessibleName())
        return made

    def _keep(self) -> None:
        """Keep the ticks; without any of the desktop it is switched off, which the menu of the list does, too."""
        is_on = any(tick.isChecked() for tick in self.desktop.values())
        quiet = [kind.value for kind, tick in self.desktop.items() if is_on and not tick.isChecked()]
        self._settings.tells_desktop, self._settings.quiet_notices = is_on, tuple(quiet)
        self._settings.sounding_notices = tuple(kind.value for kind, tick in self.sound.items() if tick.isChecked())
        self.changed.emit()

    @override
    def apply_theme(self, palette: Palette) -> None:
        for tick in (*self.desktop.values(), *self.sound.values()):
            tick.colours = palette
        self.minutes.apply_theme(palette)
        super().apply_theme(palette)
