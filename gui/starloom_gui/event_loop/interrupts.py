"""Interrupts while Qt waits: Python runs a signal's handler only when it runs anything, so Qt has to be woken."""

from __future__ import annotations

import signal
import threading
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator


@contextmanager
def interruptible(wakeup: int, may_raise: Callable[[], bool], leave: Callable[[BaseException], None]) -> Iterator[None]:
    """Run signal handlers at once while Qt waits, and raise their exceptions. Only the main thread has signals.

    Args:
        wakeup: the socket that a byte is written to for each signal; to be watched by Qt.
        may_raise: whether what runs is within asyncio, which passes on what a handler raises.
        leave: is given what it raises elsewhere, where Qt would print it and go on.
    """
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    handler = signal.getsignal(signal.SIGINT)

    def interrupt(number: int, frame: Any) -> None:
        assert callable(handler)
        if may_raise():
            handler(number, frame)
            return
        try:
            handler(number, frame)
        except BaseException as error:  # noqa: BLE001 - it is raised where Qt's loop was started
            leave(error)

    before = signal.set_wakeup_fd(wakeup, warn_on_full_buffer=False)
    if callable(handler):
        signal.signal(signal.SIGINT, interrupt)
    try:
        yield
    finally:
        if signal.getsignal(signal.SIGINT) is interrupt:
            signal.signal(signal.SIGINT, handler)
        signal.set_wakeup_fd(before)
