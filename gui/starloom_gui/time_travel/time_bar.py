"""The time bar under the panes: buttons, the scrubber, and the moment that is shown."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QEvent, Qt
from PySide6.QtGui import QActionGroup
from PySide6.QtWidgets import QFrame, QHBoxLayout, QMenu, QWidget
from typing_extensions import override

from starloom_gui.gateway.run_reader import Availability
from starloom_gui.specs.action_list import icon_of
from starloom_gui.text.words import amount, fill, took
from starloom_gui.theme.fonts import Role
from starloom_gui.theme.icons import Icon
from starloom_gui.theme.metrics import GAPS
from starloom_gui.time_travel.scrubber import Scrubber
from starloom_gui.widgets.buttons import VerbButton
from starloom_gui.widgets.controls import text
from starloom_gui.widgets.theme_changes import Restyling

if TYPE_CHECKING:
    from starloom_gui.theme.appearance import Appearance
    from starloom_gui.theme.palette import Palette
    from starloom_gui.time_travel.travel import Travel
    from starloom_gui.widgets.actions import Actions

HEIGHT: Final = 36
SPEEDS: Final = (1, 2, 5, 10, 20, 50, 100)
"""How many seconds of the run can pass in one."""
_BUTTONS: Final = ("to_begin", "step_back", "play_past", "step_forth", "to_end")


class TimeBar(QFrame):
    """The bar with the scrubber and the buttons of time travel.

    Args:
        actions: those of the window.
        appearance: the colours.

    Attributes:
        scrubber: the line.
        speed: opens the menu of speeds.
    """

    def __init__(self, actions: Actions, appearance: Appearance, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._travel: Travel | None = None
        self.setObjectName("time_bar")
        self.setFixedHeight(HEIGHT)
        self.scrubber = Scrubber(appearance, self)
        self._buttons = [VerbButton(appearance, actions[key], icon_of(key), words=False) for key in _BUTTONS]
        self._play = self._buttons[2]
        self._actions = actions
        self.speed = VerbButton(appearance, outlined=True, parent=self)
        self.speed.clicked.connect(self.choose_speed)
        self._at, self._end = text(wraps=False), text(look="muted", wraps=False)
        self._place = text(role=Role.SMALL, look="muted", wraps=False)
        row = QHBoxLayout(self)
        row.setContentsMargins(GAPS[1], 0, GAPS[1], 0)
        row.setSpacing(GAPS[0])
        for button in self._buttons:
            row.addWidget(button)
        for part in (self.speed, self._at):
            row.addSpacing(GAPS[1])
            row.addWidget(part)
        self._at.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        self._at.setMinimumWidth(self._at.fontMetrics().horizontalAdvance("00:00:00"))
        row.addWidget(self.scrubber, 1)
        row.addWidget(self._end)
        row.addSpacing(GAPS[2])
        row.addWidget(self._place)
        Restyling(self, appearance, self._apply_theme)
        self._say()
        self.refresh()

    def take_room(self) -> None:
        """Have the bar, or its absence, laid out at once, and not with the next event."""
        parent = self.parentWidget()
        if parent is not None and (layout := parent.layout()) is not None:
            layout.activate()

    def show_travel(self, travel: Travel | None) -> None:
        """Show another run's time; None: there is none."""
        if self._travel is not None:
            self._travel.changed.disconnect(self.refresh)
            self._travel.reader.moved.disconnect(self.refresh)
            self._travel.reader.passed.disconnect(self.refresh)
        self._travel = travel
        if travel is not None:
            travel.changed.connect(self.refresh)
            travel.reader.moved.connect(self.refresh)
            travel.reader.passed.connect(self.refresh)
        self.scrubber.show_travel(travel)
        self.refresh()

    def refresh(self, *_: object) -> None:
        """Update the whole bar."""
        travel = self._travel
        if travel is None:
            return
        self.scrubber.refresh()
        elapsed, is_ready = travel.marks.elapsed, travel.availability is Availability.READY
        self._at.setText(took(elapsed.at(travel.at)) if is_ready else "")
        self._end.setText(took(elapsed.at(travel.end)) if is_ready else "")
        words = fill(self.tr("event %1 of %2"), amount(travel.position), amount(travel.count))
        states = {
            Availability.READY: words,
            Availability.LOADING: self.tr("Reading the journal…"),
            Availability.UNAVAILABLE: self.tr("No journal to go through"),
        }
        self._place.setText(states[travel.availability])
        self._place.setToolTip(travel.trouble)
        self.speed.setText(speed_word(travel.playback.speed))
        self.speed.setAccessibleName(fill(self.tr("Speed: %1 times"), travel.playback.speed))
        self.speed.updateGeometry()
        self._play.show_action(self._actions["play_past"], Icon.PAUSE if travel.playback.is_on else Icon.RUN)
        self._play.update()

    def choose_speed(self) -> QMenu:
        """Show the menu of speeds; the chosen one holds at once."""
        menu = QMenu(self)
        menu.aboutToHide.connect(menu.deleteLater)
        group = QActionGroup(menu)
        for speed in SPEEDS:
            action = menu.addAction(speed_word(speed))
            action.setCheckable(True)
            action.setChecked(self._travel is not None and self._travel.playback.speed == speed)
            action.triggered.connect(lambda _=False, chosen=speed: self._set_speed(chosen))
            group.addAction(action)
        menu.popup(self.speed.mapToGlobal(self.speed.rect().topLeft()))
        return menu

    def _set_speed(self, speed: int) -> None:
        if self._travel is not None:
            self._travel.playback.set_speed(speed)

    def _say(self) -> None:
        self.setAccessibleName(self.tr("Time travel"))
        self._at.setToolTip(self.tr("Elapsed at this moment, since the start of the run and with its pauses"))
        self._end.setToolTip(self.tr("Elapsed in all, as in the header: since the start of the run, with its pauses"))
        self.speed.setToolTip(self.tr("How many seconds of the run pass in one when it is played"))

    def _apply_theme(self, palette: Palette) -> None:
        self.setStyleSheet(
            f"QFrame#time_bar {{ background: {palette.window}; border: none;"
            f" border-top: 1px solid {palette.border}; }}"
            f"QLabel {{ color: {palette.text}; background: transparent; }}"
            f"QLabel[look='muted'] {{ color: {palette.muted}; }}"
        )

    @override
    def changeEvent(self, event: QEvent) -> None:
        if event.type() == QEvent.Type.LanguageChange:
            self._say()
            self.refresh()
        super().changeEvent(event)


def speed_word(speed: int) -> str:
    """A playback speed as text, as a multiple of the run's."""
    return f"{speed}\u00d7"
