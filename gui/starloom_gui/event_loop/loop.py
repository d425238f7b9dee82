"""The console's event loop: what asyncio would run in an endless loop runs whenever Qt wakes it.

A turn runs asyncio's iterations, in asyncio's order, until nothing is left or its time is up; painting and input come
between two turns. One timer of Qt wakes it, for what is left over and for the next of asyncio's own timers.

Nothing here starts a nested Qt loop, and nothing that runs on the loop may: dialogs are to be opened with `open()`,
menus with `popup()`. docs/decisions/0001 says what is qasync's, what is asyncio's and what is ours, and why.
"""

from __future__ import annotations

import asyncio
import heapq
import logging
import math
import selectors
import sys
import threading
import time
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, ClassVar, Final, TypeVar, TypeVarTuple

from PySide6.QtCore import QCoreApplication, Qt, QThread, QTimer
from typing_extensions import override

from starloom_gui.event_loop.executor import DefaultQThreadExecutor
from starloom_gui.event_loop.garbage_collection import collect_if_due
from starloom_gui.event_loop.input import LoopInput, PolledInput, PushedInput
from starloom_gui.event_loop.interrupts import interruptible
from starloom_gui.qt_bindings import qasync

if TYPE_CHECKING:
    import socket
    from collections import deque
    from collections.abc import Callable, Coroutine, Iterator
    from concurrent.futures import ThreadPoolExecutor
    from contextvars import Context

BUDGET: Final = 0.004
"""Seconds after which a turn gives way to painting and input; a callback that takes longer is not broken off."""

SWITCH_INTERVAL: Final = 0.00005
"""Seconds after which a thread that computes in Python must let another run, instead of Python's 0.005.

Qt's thread gives Python's lock away in many calls, dozens of them a frame, and waits for that long to have it back each
time: beside one busy thread a frame then takes hundreds of milliseconds.
"""

_FEW_TIMERS: Final = 100
_LAST_SECONDS: Final = 1.0
_DAY_IN_MS: Final = 24 * 3600 * 1000
_NESTED: Final = (
    "A Qt event loop was started from within a task or a callback of asyncio; everything else on the loop waits until "
    "it ends. Open dialogs with open() and menus with popup(), and let a signal tell how they ended."
)

_log = logging.getLogger(__name__)
_T = TypeVar("_T")
_Ts = TypeVarTuple("_Ts")
_Asyncio = asyncio.BaseEventLoop


def run(main: Coroutine[Any, Any, _T], *, debug: bool | None = None) -> _T:
    """Like `asyncio.run`, with Qt alive meanwhile.

    An interrupt (Ctrl+C) cancels `main`, a second one ends everything with `KeyboardInterrupt`.

    Args:
        main: what to run; meanwhile Python's threads change by `SWITCH_INTERVAL`.
        debug: whether in asyncio's debug mode; None: as the environment says.

    Raises:
        RuntimeError: there is no `QApplication`, a Qt loop runs already, or Qt quit before `main` had ended.
    """
    before = sys.getswitchinterval()
    sys.setswitchinterval(SWITCH_INTERVAL)
    try:
        with asyncio.Runner(loop_factory=QtEventLoop, debug=debug) as runner:
            return runner.run(main)
    finally:
        sys.setswitchinterval(before)


class QtEventLoop(qasync.QEventLoop, asyncio.BaseEventLoop):  # type: ignore[misc]  # qasync has no types
    """qasync's event loop with asyncio's scheduling.

    Timers are never early, not by a microsecond, and late by up to a millisecond and by what else runs then.

    Args:
        app: the application; None: the one there is.
        budget: seconds after which a turn gives way to Qt.

    Attributes:
        turns: how often Qt has woken the loop.
        is_behind: whether the time of the last turn was up before all that was ready had run.

    Raises:
        RuntimeError: there is no application.
    """

    polls_selector: ClassVar[bool] = sys.platform != "win32"
    """Whether descriptors are watched by asyncio's own selector; else qasync brings input."""

    # asyncio's and qasync's own, which have no types; tests/gui/event_loop/test_private_names.py knows them all
    _before_run_forever: Callable[[], None]
    _after_run_forever: Callable[[], None]
    _asyncgen_finalizer_hook: Callable[[Any], None]
    _asyncgen_firstiter_hook: Callable[[Any], None]
    _check_closed: Callable[[], None]
    _check_running: Callable[[], None]
    _closed: bool
    _csock: socket.socket
    _debug: bool
    _default_executor: ThreadPoolExecutor | DefaultQThreadExecutor | None
    _process_events: Callable[[Any], None]
    _ready: deque[asyncio.Handle]
    _scheduled: list[asyncio.TimerHandle]
    _selector: Any
    _set_coroutine_origin_tracking: Callable[[bool], None]
    _ssock: socket.socket
    _stopping: bool
    _thread_id: int | None
    _timer_cancelled_count: int

    # qasync's own promise less: timers that are early and cannot be asked when they are due, calls from threads without
    # a handle, descriptors without context. The decision record goes through them one by one.
    _add_callback = _Asyncio._add_callback  # type: ignore[attr-defined]  # not in the stubs
    call_exception_handler = _Asyncio.call_exception_handler
    call_later = _Asyncio.call_later
    call_soon_threadsafe = _Asyncio.call_soon_threadsafe
    default_exception_handler = _Asyncio.default_exception_handler
    is_running = _Asyncio.is_running
    run_in_executor = _Asyncio.run_in_executor
    run_until_complete = _Asyncio.run_until_complete
    set_exception_handler = _Asyncio.set_exception_handler
    if sys.platform != "win32":
        _add_reader = asyncio.SelectorEventLoop._add_reader  # type: ignore[attr-defined]  # not in the stubs
        _add_writer = asyncio.SelectorEventLoop._add_writer  # type: ignore[attr-defined]  # not in the stubs
        _remove_reader = asyncio.SelectorEventLoop._remove_reader  # type: ignore[attr-defined]  # not in the stubs
        _remove_writer = asyncio.SelectorEventLoop._remove_writer  # type: ignore[attr-defined]  # not in the stubs

    def __init__(self, app: QCoreApplication | None = None, *, budget: float = BUDGET) -> None:
        app = app or QCoreApplication.instance()
        if app is None:
            self._closed = True  # what is not made needs no closing
            raise RuntimeError("There is no QApplication to run the event loop in. Make one first.")
        self.turns = 0
        self.is_behind = False
        self._budget = budget
        self._app = app
        self._raised: BaseException | None = None
        self._rest = 0  # how many of those in `_ready` belong to an iteration that has begun
        self._is_turning = False
        self._is_leaving = False
        self._is_awake = True  # whether what is put into `_ready` now will be seen without waking anybody
        self._alarm = QTimer()
        self._alarm.setSingleShot(True)
        self._alarm.setTimerType(Qt.TimerType.PreciseTimer)
        self._alarm.timeout.connect(self._turn)
        super().__init__(app)
        self._input = self._make_input()

    def _make_self_pipe(self) -> None:
        """Called by asyncio's constructor as soon as there is a selector, before any descriptor is watched."""
        if self.polls_selector:
            self._selector.close()
            self._selector = selectors.DefaultSelector()
        super()._make_self_pipe()

    def _make_input(self) -> LoopInput:
        if self.polls_selector:
            return PolledInput(self._selector, self._process_events, self._turn)
        return PushedInput(self._before_run_forever, self._after_run_forever, self._ssock, self._turn)

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
            if not self._is_leaving:
                self._work(_LAST_SECONDS)  # what waits for `aboutToQuit`, as programs with qasync do, may end
        if self._raised is not None:
            raised, self._raised = self._raised, None
            raise raised

    @override
    def set_default_executor(self, executor: ThreadPoolExecutor | qasync.QThreadExecutor) -> None:
        """As in asyncio; a `QThreadExecutor` will do, too."""
        if isinstance(executor, qasync.QThreadExecutor):
            self._default_executor = DefaultQThreadExecutor(executor)
        else:
            _Asyncio.set_default_executor(self, executor)

    @contextmanager
    def _running(self) -> Iterator[None]:
        """While Qt runs this is the thread's loop and hears of asynchronous generators."""
        hooks = sys.get_asyncgen_hooks()
        self._thread_id = threading.get_ident()
        self._set_coroutine_origin_tracking(self._debug)
        sys.set_asyncgen_hooks(firstiter=self._asyncgen_firstiter_hook, finalizer=self._asyncgen_finalizer_hook)
        asyncio._set_running_loop(self)
        self._is_leaving = False
        self._input.start()
        self._wake()
        try:
            yield
        finally:
            self._alarm.stop()
            self._input.stop()
            self._is_awake = True
            self._stopping = False
            self._thread_id = None
            asyncio._set_running_loop(None)
            self._set_coroutine_origin_tracking(False)
            sys.set_asyncgen_hooks(*hooks)

    # ---- being woken

    def _wake(self) -> None:
        self._is_awake = True
        self._alarm.start(0)

    def _set_alarm(self) -> None:
        """Schedule the next iteration: at once if callbacks are ready, else when the next timer is due."""
        self._drop_cancelled_timers()
        if self._ready or self._input.is_pending or self._stopping:
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
        """Run the due callbacks, as far as time allows."""
        self.turns += 1
        if self._is_leaving:
            self._app.exit()  # an interrupt may have come before Qt could be left
            return
        if self._is_turning:
            self.call_exception_handler({"message": _NESTED})
            return
        self._work(self._budget)
        self.is_behind = bool(self._ready)
        collect_if_due()
        if not self._is_leaving:
            self._set_alarm()

    def _work(self, seconds: float) -> None:
        """Run iterations until nothing is left to do or time is up."""
        self._is_awake = self._is_turning = True
        try:
            self._iterate(time.monotonic() + seconds)
        except BaseException as error:  # noqa: BLE001 - Qt would print and forget it; `run_forever` raises it
            self._leave(error)
        finally:
            self._is_turning = False

    def _iterate(self, deadline: float) -> None:
        """Run the ready callbacks; those that become ready meanwhile belong to the next iteration, after its timers."""
        while True:
            if not self._rest:
                self._input.poll()
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
        """Run the remaining callbacks of an iteration; False if time is up."""
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
