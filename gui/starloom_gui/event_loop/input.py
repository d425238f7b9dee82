"""The input and output of the loop: polled from a selector, or pushed by qasync."""

from __future__ import annotations

import contextlib
import sys
from typing import TYPE_CHECKING, Any, Protocol

from PySide6.QtCore import QSocketNotifier

if TYPE_CHECKING:
    import socket
    from collections.abc import Callable
    from selectors import DefaultSelector


class LoopInput(Protocol):
    """The input of a loop: what watches its file descriptors.

    Attributes:
        is_pending: whether there may be input that `poll` has not seen.
    """

    is_pending: bool

    def start(self) -> None:
        """Connect input to the loop, as Qt is about to run."""

    def stop(self) -> None:
        """Qt has ended."""

    def poll(self) -> None:
        """An iteration begins: make the callbacks of input that has arrived ready."""


class PolledInput:
    """Watches asyncio's own selector with one notifier of Qt.

    A notifier for each descriptor, as qasync has it, makes every single turn of Qt cost in proportion to their number:
    0.45 ms with 500 local processes, where epoll's or kqueue's own descriptor costs 4 µs.

    Args:
        selector: the loop's, one of asyncio's.
        process: makes the callbacks of what the selector has found ready.
        turn: does what is due.
    """

    def __init__(self, selector: DefaultSelector, process: Callable[[Any], None], turn: Callable[[], None]) -> None:
        self.is_pending = False
        self._process = process
        self._turn = turn
        self._selector = selector
        self._notifier = _disabled_notifier(selector.fileno(), self._notice)

    def start(self) -> None:
        """Qt is about to run. Nobody has looked since the last run, so there may be input."""
        self.is_pending = True
        self._notifier.setEnabled(True)

    def stop(self) -> None:
        """Qt has ended."""
        self._notifier.setEnabled(False)

    def poll(self) -> None:
        """Ask the selector, if Qt has said that there is something."""
        if self.is_pending:
            self.is_pending = False
            self._process(self._selector.select(0))
            self._notifier.setEnabled(True)

    def _notice(self) -> None:
        self.is_pending = True
        self._turn()
        if self.is_pending:  # it has to wait for the rest of an iteration, and Qt would tell us again and again
            self._notifier.setEnabled(False)


class PushedInput:
    """Receives input from qasync's own thread, which on Windows waits for completion ports.

    On other systems qasync has a notifier for each descriptor, so that this class can be tested there.

    Args:
        begin: has qasync's proactor or selector wait for input.
        end: has it wait no longer.
        wakeups: the reading end of asyncio's pipe to itself.
        turn: does what is due.
    """

    def __init__(
        self, begin: Callable[[], None], end: Callable[[], None], wakeups: socket.socket, turn: Callable[[], None]
    ) -> None:
        self.is_pending = False
        self._begin = begin
        self._end = end
        self._wakeups = wakeups
        self._turn = turn
        self._notifier: QSocketNotifier | None = None
        if sys.platform == "win32":
            # Threads and signals leave a byte in asyncio's pipe to itself, which nobody reads in qasync's loop there.
            self._notifier = _disabled_notifier(wakeups.fileno(), self._read_bytes)

    def start(self) -> None:
        """Qt is about to run."""
        self._begin()
        if self._notifier is not None:
            self._notifier.setEnabled(True)

    def stop(self) -> None:
        """Qt has ended."""
        if self._notifier is not None:
            self._notifier.setEnabled(False)
        self._end()

    def poll(self) -> None:
        """Do nothing, as pushed input is ready already."""

    def _read_bytes(self) -> None:
        with contextlib.suppress(BlockingIOError):
            self._wakeups.recv(4096)
        self._turn()


def _disabled_notifier(descriptor: int, notice: Callable[[], None]) -> QSocketNotifier:
    notifier = QSocketNotifier(descriptor, QSocketNotifier.Type.Read)
    notifier.setEnabled(False)
    notifier.activated.connect(notice)
    return notifier
