"""The turns of the console's event loop: what asyncio would run in an endless loop runs whenever Qt wakes it.

A turn runs asyncio's iterations, in asyncio's order, until nothing is left or its time is up; painting and input come
between two turns. One timer of Qt wakes it, for what is left over and for the next of asyncio's own timers.

How input and output reach the loop does not belong here: see `event_loop` and `windows_loop`.
"""

from __future__ import annotations

import asyncio
import heapq
import logging
import math
import sys
import threading
import time
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, Final, TypeVarTuple

from PySide6.QtCore import QCoreApplication, Qt, QThread, QTimer
from typing_extensions import override

from starloom_gui.interrupts import interruptible

if TYPE_CHECKING:
    import socket
    from collections import deque
    from collections.abc import Callable, Iterator
    from contextvars import Context

BUDGET: Final = 0.004
"""Seconds after which a turn gives way to painting and input; a callback that takes longer is not broken off."""

_FEW_TIMERS: Final = 100
_DAY_IN_MS: Final = 24 * 3600 * 1000
_NESTED: Final = (
    "A Qt event loop was started from within a task or a callback of asyncio; everything else on the loop waits until "
    "it ends. Open dialogs with open() and menus with popup(), and let a signal tell how they ended."
)

_log = logging.getLogger(__name__)
_Ts = TypeVarTuple("_Ts")


class QtTurns(asyncio.BaseEventLoop):
    """asyncio's scheduling, woken by Qt. To stand before a class that brings input and output.

    Timers are never early, not by a microsecond, and late by up to a millisecond and by what else runs then.

    Args:
        budget: seconds after which a turn gives way to Qt.

    Attributes:
        turns: how often Qt has woken the loop.

    Raises:
        RuntimeError: there is no application.
    """

    # asyncio's own, which its stubs do not mention; its versions 3.11 to 3.13 agree about them.
    _closed: bool
    _csock: socket.socket
    _debug: bool
    _ready: deque[asyncio.Handle]
    _scheduled: list[asyncio.TimerHandle]
    _timer_cancelled_count: int
    _stopping: bool
    _thread_id: int | None
    _check_closed: Callable[[], None]
    _check_running: Callable[[], None]
    _asyncgen_firstiter_hook: Callable[[Any], None]
    _asyncgen_finalizer_hook: Callable[[Any], None]
    _set_coroutine_origin_tracking: Callable[[bool], None]

    def __init__(self, budget: float = BUDGET) -> None:
        app = QCoreApplication.instance()
        if app is None:
            self._closed = True  # what is not made needs no closing
            raise RuntimeError("There is no QApplication to run the event loop in. Make one first.")
        self.turns = 0
        self._budget = budget
        self._app = app
        self._raised: BaseException | None = None
        self._rest = 0  # how many of those in `_ready` belong to an iteration that has begun
        self._has_input = False  # whether there may be input that `_poll` has not seen
        self._is_turning = False
        self._is_leaving = False
        self._is_awake = True  # whether what is put into `_ready` now will be seen without waking anybody
        self._alarm = QTimer()
        self._alarm.setSingleShot(True)
        self._alarm.setTimerType(Qt.TimerType.PreciseTimer)
        self._alarm.timeout.connect(self._turn)
        super().__init__()

    # ---- what is asked of the loop

    @override
    def call_soon(
        self, callback: Callable[[*_Ts], object], *args: *_Ts, context: Context | None = None
    ) -> asyncio.Handle:
        """As in asyncio."""
        if self._debug or self._closed:
            handle = asyncio.BaseEventLoop.call_soon(self, callback, *args, context=context)
        else:  # a third faster than by way of asyncio's, and everything comes by here
            handle = asyncio.Handle(callback, args, self, context)
            self._ready.append(handle)
        if not self._is_awake:
            self._wake()
        return handle

    @override
    def call_at(
        self, when: float, callback: Callable[[*_Ts], object], *args: *_Ts, context: Context | None = None
    ) -> asyncio.TimerHandle:
        """As in asyncio."""
        timer = asyncio.BaseEventLoop.call_at(self, when, callback, *args, context=context)
        if not self._is_awake and self._scheduled[0] is timer:
            self._set_alarm()
        return timer

    def _timer_handle_cancelled(self, handle: asyncio.TimerHandle) -> None:
        """Called by a timer before it is cancelled; the next one shall not wake us for nothing."""
        if not self._is_awake and self._scheduled and self._scheduled[0] is handle:
            self._pop_timer()
            self._set_alarm()
        else:
            asyncio.BaseEventLoop._timer_handle_cancelled(self, handle)  # type: ignore[attr-defined]  # not in the stubs

    @override
    def stop(self) -> None:
        """As in asyncio: what is due at this moment still runs."""
        self._stopping = True
        if not self._is_awake:
            self._wake()

    @override
    def run_forever(self) -> None:
        """Run Qt and asyncio until `stop` is called or Qt is told to quit.

        Each time it ends, Qt sends `aboutToQuit`; asyncio's `Runner` calls it several times.

        Raises:
            RuntimeError: the loop is closed, or another one, of asyncio or of Qt, runs in this thread.
        """
        self._check_closed()
        self._check_running()
        if QThread.currentThread().loopLevel():
            raise RuntimeError("Qt's event loop runs already. Start the console's loop instead of it, not within it.")
        with self._running(), interruptible(self._csock.fileno(), lambda: self._is_turning, self._leave):
            self._app.exec()
        if self._raised is not None:
            raised, self._raised = self._raised, None
            raise raised

    @override
    def close(self) -> None:
        """As in asyncio."""
        super().close()
        self._alarm.stop()

    @contextmanager
    def _running(self) -> Iterator[None]:
        """While Qt runs this is the thread's loop and hears of asynchronous generators."""
        hooks = sys.get_asyncgen_hooks()
        self._thread_id = threading.get_ident()
        self._set_coroutine_origin_tracking(self._debug)
        sys.set_asyncgen_hooks(firstiter=self._asyncgen_firstiter_hook, finalizer=self._asyncgen_finalizer_hook)
        asyncio._set_running_loop(self)
        self._is_leaving = False
        self._listen()
        self._wake()
        try:
            yield
        finally:
            self._alarm.stop()
            self._listen_no_more()
            self._is_awake = True
            self._stopping = False
            self._thread_id = None
            asyncio._set_running_loop(None)
            self._set_coroutine_origin_tracking(False)
            sys.set_asyncgen_hooks(*hooks)

    # ---- input and output, which differ from system to system

    def _listen(self) -> None:
        """Qt is about to run: have it wake the loop when input has arrived."""

    def _listen_no_more(self) -> None:
        """Qt has ended."""

    def _poll(self) -> None:
        """An iteration begins: put what has to do with input that has arrived into `_ready`."""

    # ---- being woken

    def _wake(self) -> None:
        self._is_awake = True
        self._alarm.start(0)

    def _set_alarm(self) -> None:
        """Have Qt wake us at once if something is left to do, else when the next timer is due."""
        self._drop_cancelled_timers()
        if self._ready or self._has_input or self._stopping:
            self._wake()
            return
        self._is_awake = False
        if self._scheduled:
            wait = (self._scheduled[0].when() - time.monotonic()) * 1000
            self._alarm.start(math.ceil(min(max(wait, 0), _DAY_IN_MS)))
        else:
            self._alarm.stop()

    def _drop_cancelled_timers(self) -> None:
        """They would wake us for nothing, and stay in memory until then."""
        timers = self._scheduled
        if len(timers) > _FEW_TIMERS and self._timer_cancelled_count * 2 > len(timers):
            for timer in timers:
                timer._scheduled = not timer.cancelled()  # type: ignore[attr-defined]  # asyncio's own
            timers[:] = [timer for timer in timers if not timer.cancelled()]
            heapq.heapify(timers)
            self._timer_cancelled_count = 0
        while timers and timers[0].cancelled():
            self._pop_timer()
            self._timer_cancelled_count -= 1

    def _pop_timer(self) -> asyncio.TimerHandle:
        timer = heapq.heappop(self._scheduled)
        timer._scheduled = False  # type: ignore[attr-defined]  # asyncio's own
        return timer

    # ---- a turn

    def _turn(self) -> None:
        """Do what is due, as far as time allows."""
        self.turns += 1
        if self._is_leaving:
            self._app.exit()  # an interrupt may have come before Qt could be left
            return
        if self._is_turning:
            self.call_exception_handler({"message": _NESTED})
            return
        self._is_awake = self._is_turning = True
        try:
            self._iterate(time.monotonic() + self._budget)
        except BaseException as error:  # noqa: BLE001 - Qt would print and forget it; `run_forever` raises it
            self._leave(error)
        finally:
            self._is_turning = False
        if not self._is_leaving:
            self._set_alarm()

    def _iterate(self, deadline: float) -> None:
        """What becomes ready during an iteration belongs to the next one, behind the timers that are due by then."""
        while True:
            if not self._rest:
                self._poll()
                self._collect_due_timers()
                self._rest = len(self._ready)
            is_in_time = self._run_rest(deadline)
            if self._stopping and not self._rest:
                self._leave()
                return
            if not is_in_time or not self._ready:
                return

    def _collect_due_timers(self) -> None:
        timers = self._scheduled
        if timers:
            now = time.monotonic()
            while timers and timers[0]._when <= now:  # type: ignore[attr-defined]  # half the time of when()
                self._ready.append(self._pop_timer())

    def _run_rest(self, deadline: float) -> bool:
        """Run what is left of an iteration; False if time is up."""
        ready, now = self._ready, time.monotonic
        run = self._run_watched if self._debug else asyncio.Handle._run
        left = self._rest
        try:
            while left:
                left -= 1
                handle = ready.popleft()
                if not handle._cancelled:  # half the time of cancelled()
                    run(handle)
                    if now() >= deadline:
                        return False
        finally:
            self._rest = left
        return True

    def _run_watched(self, handle: asyncio.Handle) -> None:
        begun = time.monotonic()
        handle._run()
        seconds = time.monotonic() - begun
        if seconds >= self.slow_callback_duration:
            _log.warning("Executing %r took %.3f seconds; painting and input had to wait for it.", handle, seconds)

    def _leave(self, error: BaseException | None = None) -> None:
        """End Qt's loop, and have `run_forever` raise the error."""
        self._raised = self._raised or error
        self._is_leaving = True
        self._app.exit()
