"""The event bus: everyone who subscribed is told what was committed, in order, and nobody waits for anybody else.

Publishing only puts batches into queues; callbacks run later on the loop, in slices, so that a slow one delays neither
dispatch nor the others. A subscriber that falls too far behind loses what it has not seen, is told how much that was,
and gets snapshots to fold on from.
"""

from __future__ import annotations

import asyncio
import inspect
import logging
import time
from collections import deque
from collections.abc import AsyncIterator, Callable, Collection, Coroutine, Iterable, Sequence
from reprlib import repr as shortened
from typing import TYPE_CHECKING, Any, Final, Self

from starloom.errors import CommandRefused
from starloom.events import Event, RunEnded, Snapshot

if TYPE_CHECKING:
    from types import TracebackType

_log = logging.getLogger(__name__)
_SLICE: Final = 0.004
"""Seconds that one subscriber's callbacks may take before everybody else gets a turn."""
_GATHER: Final = 0.001
"""Seconds events are gathered before they are delivered: one call of the loop for many turns."""
_LOOK_AT_CLOCK: Final = 32
"""Callbacks between two looks at the clock, once a few have shown that they are quick."""
_LOOKED_AT: Final = 4_000
"""Events between two looks at the clock, wanted or not."""
_AHEAD: Final = 1_000
"""Events a stream holds for its reader besides those in its subscription's queue."""
_PATIENCE: Final = 5.0
"""Seconds that observers get at the end to hear what they have not heard yet."""
MAX_PENDING: Final = 200_000

Callback = Callable[[Any], None] | Callable[[Any], Coroutine[Any, Any, None]]
Snapshots = Callable[[Collection[str]], Iterable[Snapshot]]
"""Makes a snapshot of each live run, and of these runs even if they have ended."""


class Subscription:
    """One subscriber's place at the bus; closing it, or leaving it as a context manager, ends it.

    Attributes:
        missed: how many events it lost in all, because it was too slow.
        errors: how many of its calls raised.
    """

    def __init__(self, bus: EventBus, callback: Callback, types: frozenset[type[Event]], max_pending: int) -> None:
        self._bus = bus
        self._callback = callback
        self._types = types
        self._max_pending = max_pending
        self._batches: deque[Sequence[Event]] = deque()
        self._position = 0
        self._pending = 0
        self._is_async = _is_async(callback)
        self._task: asyncio.Task[None] | None = None
        self.missed = 0
        self.errors = 0
        self.closed = False

    def wants(self, kind: type[Event]) -> bool:
        """Whether events of this type are delivered to it."""
        return not self._types or kind in self._types

    def close(self) -> None:
        """Deliver nothing more; closing twice, or out of its own callback, is no mistake."""
        if not self.closed:
            self.closed = True
            self._batches.clear()
            self._pending = self._position = 0
            self._bus.forget(self)
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
        """Queue a batch; what is too much is given up for snapshots."""
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
            _log.warning("an observer of events fell behind and missed %d events: %r", lost, self._callback)

    @property
    def is_busy(self) -> bool:
        """Whether something published has not been delivered yet."""
        return bool(self._batches) or self._task is not None

    @property
    def backlog(self) -> int:
        """How many published events wait to be delivered to it."""
        return self._pending - self._position

    @property
    def is_idle(self) -> bool:
        """Whether there is nothing a plain callback has to be called for."""
        return self._is_async or not self._batches

    @property
    def callback(self) -> Callback:
        """What is called."""
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
        while self._batches and not self.closed and now - began < _SLICE:
            self._deliver_some(self._batches[0], stride)
            stride = min(2 * stride, _LOOK_AT_CLOCK)
            now = time.perf_counter()
        return now - began

    def _deliver_some(self, batch: Sequence[Event], most: int) -> None:
        """So many calls with events of the oldest batch; one that raises counts as delivered."""
        callback, types = self._callback, self._types
        position = self._position
        stop = min(len(batch), position + _LOOKED_AT)
        try:
            while most and position < stop:
                event = batch[position]
                position += 1
                if not types or type(event) in types:
                    callback(event)
                    most -= 1
                    if self.closed:
                        return
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
            until = time.perf_counter() + _SLICE
            while self._batches and not self.closed:
                batch, position = self._batches[0], self._position
                wanted = position < len(batch) and self.wants(type(batch[position]))
                self._advance(batch, position + 1)
                if wanted:
                    await self._call(batch[position])
                if time.perf_counter() > until:  # one that never waits for anything must not keep the loop
                    await asyncio.sleep(0)
                    until = time.perf_counter() + _SLICE
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

    def _report(self, error: BaseException) -> None:
        self.errors += 1
        _log.error("an observer of events failed: %r", self._callback, exc_info=error)


def _is_async(callback: object) -> bool:
    return inspect.iscoroutinefunction(callback) or inspect.iscoroutinefunction(getattr(callback, "__call__", None))  # noqa: B004 - not whether it is callable, but how


def _nothing(_runs: Collection[str]) -> Iterable[Snapshot]:
    return ()


class EventBus:
    """Tells subscribers what was committed.

    Args:
        snapshot: makes the snapshots for those that join late or fell behind.
        is_ahead: whether such a snapshot shows what will only be published next.
    """

    def __init__(self, snapshot: Snapshots = _nothing, is_ahead: Callable[[], bool] = lambda: False) -> None:
        self._snapshot = snapshot
        self._is_ahead = is_ahead
        self._ahead: set[Subscription] = set()
        self._subscriptions: list[Subscription] = []
        self._published: list[Event] = []
        self._timer: asyncio.Handle | None = None

    def subscribe(self, callback: Callback, *types: type[Event], max_pending: int = MAX_PENDING) -> Subscription:
        """Have a plain or async callback told of events of these types, of all types when none is named.

        A subscriber to all types, or to `Snapshot`, is told the state of each live run first.

        Raises:
            CommandRefused: the callback cannot be called, or a type is no type of event, so nothing would ever be told.
        """
        _check_subscriber(callback, types)
        self._distribute()  # what was published before is not for the newcomer
        subscription = Subscription(self, callback, frozenset(types), max_pending)
        self._subscriptions.append(subscription)
        if subscription.wants(Snapshot):
            subscription.offer(self.snapshots(subscription, 0))
            self._wake()
        return subscription

    def snapshots(self, subscription: Subscription, missed: int, runs: Collection[str] = ()) -> list[Event]:
        """A snapshot of each live run and of `runs`, saying how many events were missed."""
        if self._is_ahead():
            self._ahead.add(subscription)
        return [Snapshot(s.seq, s.at, s.run_id, missed, s.state) for s in self._snapshot(runs)]

    def publish(self, events: Sequence[Event]) -> None:
        """Queue committed events for everyone; returns at once."""
        if self._ahead:
            self._publish_around(events)
        elif self._subscriptions:
            self._published += events
            if self._timer is None:
                self._wake()

    def _publish_around(self, events: Sequence[Event]) -> None:
        """Tell only those who have not seen it in a snapshot."""
        self._distribute()
        ahead, self._ahead = self._ahead, set()
        for subscription in tuple(self._subscriptions):
            if subscription not in ahead:
                subscription.offer(events)
        self._wake()

    def _wake(self) -> None:
        if self._timer is None and (self._published or any(not s.is_idle for s in self._subscriptions)):
            self._timer = asyncio.get_running_loop().call_later(_GATHER, self._deliver)

    def _distribute(self) -> None:
        batch, self._published = self._published, []
        if batch:
            for subscription in tuple(self._subscriptions):
                subscription.offer(batch)

    def flush(self) -> None:
        """Begin to deliver with the next turn of the loop, rather than a moment later."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = asyncio.get_running_loop().call_soon(self._deliver)

    def _deliver(self) -> None:
        self._timer = None
        self._distribute()
        rest = 0.0
        for subscription in tuple(self._subscriptions):
            if not subscription.is_idle:
                taken = subscription.deliver()
                rest += taken if taken > 2 * _SLICE else 0.0
        if any(not subscription.is_idle for subscription in self._subscriptions):
            # Where a single call takes long, the loop has as much time for everything else.
            self._timer = asyncio.get_running_loop().call_later(rest, self._deliver)

    def forget(self, subscription: Subscription) -> None:
        """Deliver nothing more to a closed subscription."""
        if subscription in self._subscriptions:
            self._subscriptions.remove(subscription)

    async def drained(self, patience: float = _PATIENCE) -> None:
        """Return once everything published so far has been delivered, or after so many seconds."""
        loop = asyncio.get_running_loop()
        deadline = loop.time() + patience
        while self.is_busy and loop.time() < deadline:
            await self.caught_up()
            tasks = self._tasks()
            if tasks:
                await asyncio.wait(tasks, timeout=max(0.0, deadline - loop.time()))

    @property
    def is_busy(self) -> bool:
        """Whether something published has not been delivered yet."""
        return bool(self._published) or any(subscription.is_busy for subscription in self._subscriptions)

    def _tasks(self) -> list[asyncio.Task[None]]:
        return [subscription.task for subscription in self._subscriptions if subscription.task is not None]

    async def caught_up(self) -> None:
        """Let plain callbacks that are not slow hear everything that was published so far."""
        self.flush()
        await asyncio.sleep(0)

    async def close(self) -> None:
        """End all subscriptions; what they have not heard by now they never will."""
        tasks = self._tasks()
        for subscription in tuple(self._subscriptions):
            if subscription.is_busy:
                _log.warning("an observer of events was too slow to hear all of them: %r", subscription.callback)
            subscription.close()
        if self._timer is not None:
            self._timer.cancel()
        if tasks:
            await asyncio.wait(tasks, timeout=1.0)

    async def stream(self, run_id: str) -> AsyncIterator[Event]:
        """A run's events as they are committed, after a snapshot of it; ends with the run's end."""
        arrived: deque[Event] = deque()
        news, room = asyncio.Event(), asyncio.Event()

        async def note(event: Event) -> None:
            if event.run_id == run_id:
                arrived.append(event)
                news.set()
                while len(arrived) > _AHEAD:
                    room.clear()
                    await room.wait()

        with self.subscribe(note):
            while True:
                while arrived:
                    event = arrived.popleft()
                    room.set()
                    yield event
                    if isinstance(event, RunEnded) or _is_of_an_ended_run(event):
                        return
                news.clear()
                await news.wait()


def _check_subscriber(callback: object, types: tuple[object, ...]) -> None:
    if not callable(callback):
        hint = "Give a function or an async function that takes an event."
        raise CommandRefused("not_callable", f"{shortened(callback)} cannot be called with events.", hint)
    for kind in types:
        if not (isinstance(kind, type) and issubclass(kind, Event)):
            hint = "Give the class itself, e.g. TaskCompleted, not its name."
            raise CommandRefused("not_an_event_type", f"{shortened(kind)} is no type of event.", hint)


def _is_of_an_ended_run(event: Event) -> bool:
    return isinstance(event, Snapshot) and event.state is not None and event.state.run.state.has_ended
