"""The console's event loop: asyncio in everything but the waiting, which is Qt's.

Callbacks, tasks, timers, file descriptors, transports, signals, executors and debug mode are asyncio's own code.
Nothing here starts a nested Qt loop, and nothing that runs on the loop may: dialogs are to be opened with `open()`,
menus with `popup()`.
"""

from __future__ import annotations

import asyncio
import sys
from typing import TYPE_CHECKING, Any, TypeVar

from PySide6.QtCore import QSocketNotifier
from typing_extensions import override

from starloom_gui.turns import BUDGET, QtTurns

if TYPE_CHECKING:
    from collections.abc import Callable, Coroutine

_T = TypeVar("_T")


def run(main: Coroutine[Any, Any, _T], *, debug: bool | None = None) -> _T:
    """Like `asyncio.run`, with Qt alive meanwhile.

    An interrupt (Ctrl+C) cancels `main`, a second one ends everything with `KeyboardInterrupt`.

    Raises:
        RuntimeError: there is no `QApplication`, a Qt loop runs already, or Qt quit before `main` had ended.
    """
    with asyncio.Runner(loop_factory=new_event_loop, debug=debug) as runner:
        return runner.run(main)


def new_event_loop() -> QtTurns:
    """The console's loop as this system needs it.

    Raises:
        RuntimeError: there is no `QApplication`.
    """
    if sys.platform == "win32":
        from starloom_gui.windows_loop import WindowsEventLoop  # what it builds on is there only to be imported there

        return WindowsEventLoop()
    return QtEventLoop()


class QtEventLoop(QtTurns, asyncio.SelectorEventLoop):
    """The loop where file descriptors can be watched: a single notifier of Qt watches asyncio's own selector.

    Args:
        budget: seconds after which a turn gives way to Qt.

    Raises:
        RuntimeError: there is no `QApplication`.
    """

    # asyncio's own, which its stubs do not mention
    _selector: Any
    _process_events: Callable[[Any], None]

    def __init__(self, budget: float = BUDGET) -> None:
        super().__init__(budget)
        # A notifier for each descriptor, as qasync has it, makes every single turn of Qt cost in proportion to their
        # number: 0.45 ms with 500 local processes, where epoll's or kqueue's own descriptor costs 4 µs.
        self._notifier = QSocketNotifier(self._selector.fileno(), QSocketNotifier.Type.Read)
        self._notifier.setEnabled(False)
        self._notifier.activated.connect(self._notice)

    @override
    def close(self) -> None:
        """As in asyncio."""
        if not self.is_running():
            self._notifier.setEnabled(False)
        super().close()

    def _notice(self) -> None:
        self._has_input = True
        self._turn()
        if self._has_input:  # it has to wait for the rest of an iteration, and Qt would tell us again and again
            self._notifier.setEnabled(False)

    @override
    def _listen(self) -> None:
        self._has_input = True  # perhaps; nobody has looked since the last run
        self._notifier.setEnabled(True)

    @override
    def _listen_no_more(self) -> None:
        self._notifier.setEnabled(False)

    @override
    def _poll(self) -> None:
        if self._has_input:
            self._has_input = False
            self._process_events(self._selector.select(0))
            self._notifier.setEnabled(True)
