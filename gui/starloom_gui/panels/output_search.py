"""The search row of output: a text or a pattern, the number of matches, and buttons to go between them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtWidgets import QLineEdit, QSizePolicy
from typing_extensions import override

from starloom_gui.panels.output_buttons import ButtonRow, name_button
from starloom_gui.panels.output_find import MOST_FOUND
from starloom_gui.text.words import amount, fill
from starloom_gui.theme.fonts import Role, font
from starloom_gui.theme.icons import Icon
from starloom_gui.widgets.controls import mark, text

if TYPE_CHECKING:
    from PySide6.QtGui import QKeyEvent
    from PySide6.QtWidgets import QWidget

    from starloom_gui.panels.output_find import Finder
    from starloom_gui.theme.appearance import Appearance

_FIELD: Final = 24
_WIDE: Final = 200
_LEAST: Final = 72
"""How wide the field is, and how much of that is left of it in a narrow pane."""


class _Field(QLineEdit):
    """Escape empties it; Return and Shift+Return go on and back.

    Signals:
        step_asked(bool): forward or back.
        left(): Escape in the empty field.
    """

    step_asked = Signal(bool)
    left = Signal()

    @override
    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in {Qt.Key.Key_Return, Qt.Key.Key_Enter}:
            self.step_asked.emit(not event.modifiers() & Qt.KeyboardModifier.ShiftModifier)
        elif event.key() == Qt.Key.Key_Escape and self.text():
            self.clear()
        elif event.key() == Qt.Key.Key_Escape:
            self.left.emit()
        else:
            super().keyPressEvent(event)

    @override
    def sizeHint(self) -> QSize:
        return QSize(_WIDE, _FIELD)


class SearchRow(ButtonRow):
    """The search row of the Output pane, with the position among the matches.

    Attributes:
        field: the text or pattern.

    Signals:
        sought(str, bool): this is sought now; whether it is a pattern.
        step_asked(bool): forward or back.
        left(): the user is done with it.
    """

    sought = Signal(str, bool)
    step_asked = Signal(bool)
    left = Signal()

    def __init__(self, appearance: Appearance, parent: QWidget | None = None) -> None:
        super().__init__(appearance, parent=parent)
        self.field = _Field()
        self.field.setFont(font(Role.BODY))
        self.field.setFixedHeight(_FIELD)
        self.field.setMinimumWidth(_LEAST)
        self.field.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
        self.field.setMaximumWidth(_WIDE)
        self.field.textChanged.connect(self._tell)
        self.field.step_asked.connect(self.step_asked)
        self.field.left.connect(self.left)
        self.count = text(role=Role.SMALL, look="muted", wraps=False)
        self.row.addWidget(self.count)
        self.row.addWidget(self.field)
        self.pattern = self.add(None, self._tell, checkable=True)
        self.back = self.add(Icon.PREVIOUS, lambda: self.step_asked.emit(False))
        self.forth = self.add(Icon.NEXT, lambda: self.step_asked.emit(True))
        self.back.hide()
        self.forth.hide()
        self._say()

    def begin(self) -> None:
        """Take the keyboard focus, with the present text selected."""
        self.field.setFocus(Qt.FocusReason.ShortcutFocusReason)
        self.field.selectAll()

    def begin_with(self, text: str) -> None:
        """Take the keyboard focus, with a text entered."""
        self.field.setFocus(Qt.FocusReason.ShortcutFocusReason)
        self.field.setText(text)

    def show_found(self, finder: Finder, *, is_all: bool = True) -> None:
        """Show the number of matches and the position of the current one.

        Args:
            finder: what is sought, and where it is.
            is_all: whether the finder has looked through all that was printed.
        """
        mark(self.field, "wrong" if finder.trouble else "")
        for way in (self.back, self.forth):
            way.setVisible(finder.is_seeking)
            way.setEnabled(bool(finder.found))
        words = self._count_of(finder, is_all=is_all) if finder.is_seeking else ""
        if words != self.count.text():
            self.count.setText(words)

    def _count_of(self, finder: Finder, *, is_all: bool) -> str:
        if not finder.found:
            return self.tr("Nothing found") if is_all else self.tr("Not in these lines")
        if finder.is_full:
            return fill(self.tr("More than %1"), amount(MOST_FOUND))
        found = self.tr("%1 of %2") if is_all else self.tr("%1 of %2 in these lines")
        return fill(found, amount(finder.place), amount(len(finder.found)))

    def _tell(self) -> None:
        self.sought.emit(self.field.text(), self.pattern.isChecked())

    @override
    def _say(self) -> None:
        self.field.setPlaceholderText(self.tr("Search output"))
        self.field.setAccessibleName(self.tr("Search output"))
        self.field.setToolTip(self.tr("Return: next place, Shift+Return: the one before, Escape: done"))
        name_button(self.pattern, self.tr("Regular expression"))
        self.pattern.setText(".*")
        name_button(self.back, self.tr("Previous place"), self.tr("Previous place (Shift+F3)"))
        name_button(self.forth, self.tr("Next place"), self.tr("Next place (F3)"))
