"""A subscription to the event bus: its queue, and the calls that deliver it."""

from __future__ import annotations

import asyncio
import inspect
import logging
import time
import traceback
from collections import deque
from collections.abc import Callable, Coroutine, Sequence
from reprlib import repr as shortened
from typing import TYPE_CHECKING, Any, Final, Protocol, Self

from starloom.events import Snapshot
from starloom.orchestration.log_limit import LONGEST, bounded

if TYPE_CHECKING:
    from collections.abc import Collection
    from types import TracebackType

    from starloom.events import Event

_log = logging.getLogger(__name__)
SLICE: Final = 0.004
"""Seconds that one subscriber's callbacks may take before everybody else gets a turn."""
_LOOK_AT_CLOCK: Final = 32
"""Callbacks between two looks at the clock, once a few have shown that they are quick."""
_LOOKED_AT: Final = 16
"""So many events are looked at for each call that is allowed, by whoever wants few of them."""
_SILENCE: Final = 60.0
"""Seconds between two reports of a callback that keeps failing."""

Callback = Callable[[Any], None] | Callable[[Any], Coroutine[Any, Any, None]]


class Publisher(Protocol):
    """The protocol of the bus, as subscriptions use it."""

    @property
    def is_gathering(self) -> bool:
        """Whether published events are not queued for their subscribers yet."""

    def snapshots(self, subscription: Subscription, missed: int, runs: Collection[str] = ()) -> list[Event]:
        """A snapshot of each live run and of `runs`, saying how many events were missed.

        Args:
            subscription: whom they are for; it is told no older events afterwards.
            missed: how many events it has lost, which each snapshot says.
            runs: ids of ended runs that are to be among them.
        """

    def forget(self, subscription: Subscription) -> None:
        """Stop delivering to a closed subscription."""


class _Wanted(dict[type["Event"], bool]):
    """Whether events of a class are wanted, which those below a class that is named are; each is asked about once."""

    def __init__(self, kinds: tuple[type[Event], ...]) -> None:
        self._kinds = kinds

    def __missing__(self, kind: type[Event]) -> bool:
        wanted = self[kind] = issubclass(kind, self._kinds)
        return wanted


class Subscription:
    """A subscription to the bus; closing it, or leaving it as a context manager, ends it.

    Args:
        bus: gives the snapshots.
        callback: a plain or async function of one event.
        types: which events it is told; none: all.
        max_pending: how many events may wait for the callback before they are given up for a snapshot.

    Attributes:
        missed: how many events it lost in all, because it was too slow.
        errors: how many of its calls raised.
        number: the how many-th subscription of its bus it is.
    """

    def __init__(self, bus: Publisher, callback: Callback, types: tuple[type[Event], ...], max_pending: int) -> None:
        self._bus = bus
        self._callback = callback
        self._wanted = _Wanted(types) if types else None
        self._max_pending = max_pending
        self._batches: deque[Sequence[Event]] = deque()
        self._position = 0
        self._pending = 0
        self._is_async = _is_async(callback)
        self._task: asyncio.Task[None] | None = None
        self._last_error: BaseException | None = None
        self._told_missed = -_SILENCE
        self._told_errors = 0
        self._silence: asyncio.TimerHandle | None = None
        self.missed = 0
        self.errors = 0
        self.number = 0
        self.closed = False

    def wants(self, kind: type[Event]) -> bool:
        """Whether events of this type are delivered to it."""
        return self._wanted is None or self._wanted[kind]

    def close(self) -> None:
        """Stop delivering; closing twice, or in its own callback, is allowed."""
        if not self.closed:
            self.closed = True
            self._batches.clear()
            self._pending = self._position = 0
            self._bus.forget(self)
            self._count_errors()
            if self._task is not None and self._task is not asyncio.current_task():
                self._task.cancel()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    # ---- used by the bus

    def offer(self, batch: Sequence[Event]) -> None:
        """Queue a batch; beyond the limit, events are dropped for snapshots."""
        if not batch:
            return
        self._batches.append(batch)
        self._pending += len(batch)
        if self._pending - self._position > self._max_pending:
            self._give_up()
        if self._is_async and self._task is None:
            self._task = asyncio.get_running_loop().create_task(self._deliver_async(), name="starloom observer")

    def _give_up(self) -> None:
        lost = self._pending - self._position
        self.missed += lost
        runs = {event.run_id for batch in self._batches for event in batch}
        self._batches.clear()
        self._position = 0
        snapshots = self._bus.snapshots(self, lost, runs)
        self._batches.append(snapshots)
        self._pending = len(snapshots)
        if not self.wants(Snapshot):
            self._tell_missed(lost)

    def _tell_missed(self, lost: int) -> None:
        """Log that events were missed: the first time, and then once a minute."""
        now = time.perf_counter()
        if now - self._told_missed >= _SILENCE:
            self._told_missed = now
            text = "an observer of events fell behind and missed %d events, %d in all: %s"
            _log.warning(text, lost, self.missed, bounded(repr(self._callback), 300))

    @property
    def is_busy(self) -> bool:
        """Whether published events are not delivered yet."""
        return bool(self._batches) or self._task is not None

    @property
    def has_heard_all(self) -> bool:
        """Whether everything published so far has been delivered to it."""
        return not self.is_busy and not self._bus.is_gathering

    @property
    def backlog(self) -> int:
        """The number of published events that wait for delivery."""
        return self._pending - self._position

    @property
    def is_idle(self) -> bool:
        """Whether a plain callback has no queued events."""
        return self._is_async or not self._batches

    @property
    def callback(self) -> Callback:
        """The callback."""
        return self._callback

    @property
    def task(self) -> asyncio.Task[None] | None:
        """The task in which an async callback is being called."""
        return self._task

    def deliver(self) -> float:
        """Call a plain callback with what is queued, for a slice of time; returns the seconds that took.

        It begins with one call, and looks at the clock less often only as long as the calls prove quick.
        """
        now = began = time.perf_counter()
        stride = 1
        while self._batches and not self.closed and now - began < SLICE:
            self._deliver_some(self._batches[0], stride)
            stride = min(2 * stride, _LOOK_AT_CLOCK)
            now = time.perf_counter()
        return now - began

    def _deliver_some(self, batch: Sequence[Event], most: int) -> None:
        """Call back with at most so many events of the oldest batch; one that raises counts as delivered."""
        callback, wanted = self._callback, self._wanted
        position = self._position
        until = position + (most if wanted is None else most * _LOOKED_AT)
        try:
            for event in batch[position:until]:
                position += 1
                if wanted is not None:
                    if not wanted[type(event)]:
                        continue
                    most -= 1
                callback(event)
                if self.closed:
                    return
                if not most:
                    break
        except (Exception, asyncio.CancelledError) as error:  # noqa: BLE001 - an observer's mistake is its own; it is reported
            self._report(error)
        self._advance(batch, position)

    def _advance(self, batch: Sequence[Event], position: int) -> None:
        """This much of the oldest batch has been delivered, unless it was given up meanwhile."""
        if not self._batches or self._batches[0] is not batch:
            return
        if position < len(batch):
            self._position = position
        else:
            self._batches.popleft()
            self._pending -= len(batch)
            self._position = 0

    async def _deliver_async(self) -> None:
        try:
            until = time.perf_counter() + SLICE
            while self._batches and not self.closed:
                batch, position = self._batches[0], self._position
                wanted = position < len(batch) and self.wants(type(batch[position]))
                self._advance(batch, position + 1)
                if wanted:
                    await self._call(batch[position])
                if time.perf_counter() > until:  # one that never waits for anything must not keep the loop
                    await asyncio.sleep(0)
                    until = time.perf_counter() + SLICE
        finally:
            self._task = None

    async def _call(self, event: Event) -> None:
        try:
            result = self._callback(event)
            if result is not None:
                await result
        except asyncio.CancelledError as error:
            current = asyncio.current_task()
            if current is not None and current.cancelling():
                raise
            self._report(error)
        except Exception as error:  # noqa: BLE001 - as above
            self._report(error)

    # ---- errors of the callback

    def _report(self, error: BaseException) -> None:
        """Log the first error whole, and from then on at most once a minute how many there were."""
        self.errors += 1
        self._last_error = error
        if self.errors == 1:
            told = "".join(traceback.format_exception(error)).rstrip()
            if len(told) > LONGEST:  # a text of any length is somebody else's
                _log.error("an observer of events failed: %s\n%s", bounded(repr(self._callback), 300), bounded(told))
            else:
                _log.error("an observer of events failed: %s", bounded(repr(self._callback), 300), exc_info=error)
            self._told_errors = 1
        if self.closed:
            self._count_errors()
        elif self._silence is None:
            self._silence = asyncio.get_running_loop().call_later(_SILENCE, self._count_errors)

    def _count_errors(self) -> None:
        """Log how many errors there were since the last report, if any, and go on counting for another minute."""
        if self._silence is not None:
            self._silence.cancel()
            self._silence = None
        more, self._told_errors = self.errors - self._told_errors, self.errors
        last, self._last_error = self._last_error, None
        if more:
            times = "once more" if more == 1 else f"{more:,} more times"
            text = "an observer of events failed %s, the last time with %s: %s"
            _log.error(text, times, _in_short(last), bounded(repr(self._callback), 300))
            if not self.closed:
                self._silence = asyncio.get_running_loop().call_later(_SILENCE, self._count_errors)


def _in_short(error: BaseException | None) -> str:
    return shortened(error)[:200]


def _is_async(callback: object) -> bool:
    return inspect.iscoroutinefunction(callback) or inspect.iscoroutinefunction(getattr(callback, "__call__", None))  # noqa: B004 - not whether it is callable, but how
