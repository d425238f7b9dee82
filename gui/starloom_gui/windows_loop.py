"""The console's event loop where completion ports, and not file descriptors, tell of input: on Windows.

They have to be waited for in a thread; qasync's loop does that. Elsewhere qasync's loop has a Qt notifier for each file
descriptor, so that this one can be tested there as well.
"""

from __future__ import annotations

import asyncio
import contextlib
import sys
from typing import TYPE_CHECKING

import qasync
from PySide6.QtCore import QSocketNotifier
from typing_extensions import override

from starloom_gui.turns import BUDGET, QtTurns

if TYPE_CHECKING:
    import socket
    from collections.abc import Callable

_asyncios = asyncio.BaseEventLoop


class WindowsEventLoop(QtTurns, qasync.QEventLoop):  # type: ignore[misc]  # qasync has no types
    """Input and output from qasync, all else from asyncio.

    Args:
        budget: seconds after which a turn gives way to Qt.

    Raises:
        RuntimeError: there is no `QApplication`.
    """

    # qasync has versions of its own of these, which promise less: timers that are early and cannot be asked when they
    # are due, calls from threads without a handle, an executor of other threads.
    call_later = _asyncios.call_later
    call_soon_threadsafe = _asyncios.call_soon_threadsafe
    run_in_executor = _asyncios.run_in_executor
    set_default_executor = _asyncios.set_default_executor  # type: ignore[assignment]  # asyncio's stubs differ
    is_running = _asyncios.is_running
    run_until_complete = _asyncios.run_until_complete
    set_exception_handler = _asyncios.set_exception_handler
    default_exception_handler = _asyncios.default_exception_handler
    call_exception_handler = _asyncios.call_exception_handler

    # asyncio's and qasync's own
    _ssock: socket.socket
    _before_run_forever: Callable[[], None]
    _after_run_forever: Callable[[], None]

    def __init__(self, budget: float = BUDGET) -> None:
        super().__init__(budget)
        self._notifier: QSocketNotifier | None = None
        if sys.platform == "win32":
            # Threads and signals leave a byte in asyncio's pipe to itself, which nobody reads in qasync's loop here.
            self._notifier = QSocketNotifier(self._ssock.fileno(), QSocketNotifier.Type.Read)
            self._notifier.setEnabled(False)
            self._notifier.activated.connect(self._take_bytes)

    def _take_bytes(self) -> None:
        with contextlib.suppress(BlockingIOError):
            self._ssock.recv(4096)
        self._turn()

    @override
    def _listen(self) -> None:
        self._before_run_forever()
        if self._notifier is not None:
            self._notifier.setEnabled(True)

    @override
    def _listen_no_more(self) -> None:
        if self._notifier is not None:
            self._notifier.setEnabled(False)
        self._after_run_forever()
