"""The button that says which attempt is shown, and the menu that offers the others."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QPoint
from PySide6.QtGui import QActionGroup
from PySide6.QtWidgets import QMenu

from starloom_gui.panels.output_buttons import ButtonRow
from starloom_gui.text.words import fill, took, translate
from starloom_gui.theme.fonts import Role, font
from starloom_gui.theme.icons import Icon

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from starloom.scheduling.state.attempts import Attempt
    from starloom_gui.theme.appearance import Appearance


def attempt_words(one: Attempt, *, is_running: bool = False) -> str:
    """An attempt in words: number, device, duration, and that it failed."""
    if is_running or one.ended is None:
        return fill(translate("AttemptButton", "Attempt %1 · %2 · running"), one.number, one.device_id)
    seconds = took(one.ended - one.started)
    if one.result is not None and one.result.has_failed:
        return fill(translate("AttemptButton", "Attempt %1 · %2 · %3 · failed"), one.number, one.device_id, seconds)
    return fill(translate("AttemptButton", "Attempt %1 · %2 · %3"), one.number, one.device_id, seconds)


class AttemptButton(ButtonRow):
    """The button that chooses an attempt, `Attempt 2 of 3`; hidden while there is one only.

    Args:
        appearance: the colours.
        choose: is told the number of the attempt that was chosen; None: always the last one.
    """

    def __init__(self, appearance: Appearance, choose: Callable[[int | None], object]) -> None:
        super().__init__(appearance)
        self._choose = choose
        self._attempts: tuple[Attempt, ...] = ()
        self._chosen: int | None = None
        self._running: int | None = None
        self.button = self.add(Icon.EXPANDED, self._open, words=True)
        self.hide()

    def show_attempts(self, attempts: Sequence[Attempt], chosen: int | None, running: int | None) -> None:
        """Offer these.

        Args:
            attempts: oldest first.
            chosen: the number of the one that is shown; None: the last one.
            running: the number of the one that runs.
        """
        self._attempts, self._chosen, self._running = tuple(attempts), chosen, running
        self.setVisible(len(attempts) > 1)
        if not attempts:
            return
        number = attempts[-1].number if chosen is None else chosen
        words = fill(self.tr("Attempt %1 of %2"), number, attempts[-1].number)
        if words != self.button.text():
            self.button.setText(words)
            self.button.setAccessibleName(words)
            self.button.setToolTip(self.tr("Show another attempt"))

    def open_menu(self, at: QPoint) -> QMenu:
        """Show all attempts at a place on the screen."""
        menu = QMenu(self)
        menu.setAccessibleName(self.tr("Attempts"))
        menu.setFont(font(Role.BODY))
        menu.aboutToHide.connect(menu.deleteLater)
        group = QActionGroup(menu)
        self._entry(menu, group, self.tr("Always the last one"), None)
        menu.addSeparator()
        for one in reversed(self._attempts):
            self._entry(menu, group, attempt_words(one, is_running=one.number == self._running), one.number)
        menu.popup(at)
        return menu

    def _entry(self, menu: QMenu, group: QActionGroup, words: str, number: int | None) -> None:
        action = menu.addAction(words.replace("&", "&&"))
        action.setCheckable(True)
        action.setChecked(number == self._chosen)
        action.setActionGroup(group)
        action.triggered.connect(partial(_call, self._choose, number))

    def _open(self) -> None:
        self.open_menu(self.button.mapToGlobal(QPoint(0, self.button.height())))


def _call(choose: Callable[[int | None], object], number: int | None, _checked: bool = False) -> None:
    choose(number)
