"""Shows why an action is not possible when its key is pressed."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QObject
from PySide6.QtGui import QKeyEvent, QKeySequence
from typing_extensions import override

from starloom_gui.shell.reservation_actions import Remedy
from starloom_gui.widgets.message_bar import ErrorMessage

if TYPE_CHECKING:
    from collections.abc import Callable

    from PySide6.QtWidgets import QWidget

    from starloom.scheduling.state.reservations import ReservationTarget
    from starloom_gui.widgets.actions import Actions
    from starloom_gui.widgets.message_bar import MessageBar


class RefusedKeys(QObject):
    """Shows why a disabled action is not possible when its key is pressed; Qt ignores shortcuts of disabled actions.

    Args:
        actions: the window's.
        strip: where it is said.
        window: gets the keys that nobody in it takes; owns this.
        awaited: gives why nothing is in front yet, which is then said instead; empty: nothing is awaited.
        remedy_for: gives the button of the message where a reservation of somebody else forbids it.
    """

    def __init__(
        self,
        actions: Actions,
        strip: MessageBar,
        window: QWidget,
        awaited: Callable[[], str] = str,
        remedy_for: Callable[[ReservationTarget | None], Remedy] = lambda _: Remedy(),
    ) -> None:
        super().__init__(window)
        self._actions, self._strip, self._awaited, self._remedy_for = actions, strip, awaited, remedy_for
        self._said: tuple[str, ErrorMessage] | None = None
        window.installEventFilter(self)
        actions.refreshed.connect(self._look)

    @override
    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if isinstance(event, QKeyEvent) and event.type() == QEvent.Type.KeyPress and not event.isAutoRepeat():
            pressed = QKeySequence(event.keyCombination())
            for key in self._actions.keys:
                action = self._actions[key]
                if pressed in action.shortcuts() and not action.isEnabled():
                    self._say(key, self._awaited() or action.statusTip())
                    return True
        return False

    def _say(self, key: str, reason: str) -> None:
        self._withdraw()
        remedy = self._remedy_for(self._actions.verdict(key).reserved)
        self._said = key, ErrorMessage("", reason, remedy.label, remedy.act, is_notice=True, of_tab=True)
        self._strip.show_trouble(self._said[1])

    def _look(self) -> None:
        """Withdraw the message once its reason does not hold any more; figures in it, as of a time, may be others."""
        if self._said is not None:
            action = self._actions[self._said[0]]
            why = self._awaited() or action.statusTip()
            if action.isEnabled() or _without_figures(why) != _without_figures(self._said[1].reason):
                self._withdraw()

    def _withdraw(self) -> None:
        if self._said is not None:
            self._strip.withdraw(self._said[1])
            self._said = None


def _without_figures(reason: str) -> str:
    return re.sub(r"\d+", "", reason)
