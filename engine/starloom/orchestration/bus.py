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
from collections.abc import AsyncIterator, Callable, Coroutine, Iterable, Sequence
from typing import TYPE_CHECKING, Any, Final, Self

from starloom.events import Event, RunEnded, Snapshot

if TYPE_CHECKING:
    from types import TracebackType

_log = logging.getLogger(__name__)
_SLICE: Final = 0.004
"""Seconds that callbacks may take before the loop gets its turn."""
_GATHER: Final = 0.001
"""Seconds events are gathered before they are delivered: one call of the loop for many turns."""
_LOOK_AT_CLOCK: Final = 32
"""Callbacks between two looks at the clock."""
MAX_PENDING: Final = 200_000

Callback = Callable[[Any], None] | Callable[[Any], Coroutine[Any, Any, None]]
Snapshots = Callable[[], Iterable[Snapshot]]


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
        self._is_async = inspect.iscoroutinefunction(callback)
        self._task: asyncio.Task[None] | None = None
        self.missed = 0
        self.errors = 0
        self.closed = False

    def wants(self, kind: type[Event]) -> bool:
        """Whether events of this type are delivered to it."""
        return not self._types or kind in self._types

    def close(self) -> None:
        """Deliver nothing more; closing twice is no mistake."""
        if not self.closed:
            self.closed = True
            self._batches.clear()
            self._pending = 0
            self._bus.forget(self)
            if self._task is not None:
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
        self._batches.append(batch)
        self._pending += len(batch)
        if self._pending > self._max_pending:
            self._give_up()
        if self._is_async and self._task is None:
            self._task = asyncio.get_running_loop().create_task(self._deliver_async(), name="starloom observer")

    def _give_up(self) -> None:
        lost = self._pending
        self.missed += lost
        self._batches.clear()
        self._position = 0
        snapshots = self._bus.snapshots(lost)
        self._batches.append(snapshots)
        self._pending = len(snapshots)

    @property
    def is_busy(self) -> bool:
        """Whether something published has not been delivered yet."""
        return bool(self._batches) or self._task is not None

    @property
    def is_idle(self) -> bool:
        """Whether there is nothing a plain callback has to be called for."""
        return self._is_async or not self._batches

    def deliver(self, until: float) -> None:
        """Call a plain callback with what is queued, until the time is up."""
        while self._batches and not self.closed:
            self._deliver_some(self._batches[0])
            if time.perf_counter() > until:
                return

    def _deliver_some(self, batch: Sequence[Event]) -> None:
        """A few events of the oldest batch; one whose call raises counts as delivered."""
        callback, types = self._callback, self._types
        position, size = self._position, len(batch)
        stop = min(size, position + _LOOK_AT_CLOCK)
        try:
            while position < stop:
                event = batch[position]
                position += 1
                if not types or type(event) in types:
                    callback(event)
        except Exception as error:  # noqa: BLE001 - an observer's mistake is its own; it is reported
            self._report(error)
        if not self._batches or self._batches[0] is not batch:
            return  # the callback closed the subscription, or was itself the reason to give up
        if position < size:
            self._position = position
        else:
            self._batches.popleft()
            self._pending -= size
            self._position = 0

    async def _deliver_async(self) -> None:
        try:
            while self._batches and not self.closed:
                batch = self._batches.popleft()
                for event in batch:
                    self._pending -= 1
                    if self.wants(type(event)):
                        await self._call(event)
                    if not self._batches and self._pending <= 0:
                        self._pending = 0
        finally:
            self._task = None
            if self._batches and not self.closed:
                self.offer(())

    async def _call(self, event: Event) -> None:
        try:
            result = self._callback(event)
            if result is not None:
                await result
        except Exception as error:  # noqa: BLE001 - as above
            self._report(error)

    def _report(self, error: Exception) -> None:
        self.errors += 1
        _log.error("an observer of events failed: %r", self._callback, exc_info=error)


class EventBus:
    """Tells subscribers what was committed.

    Args:
        snapshot: makes a snapshot of each live run, for those that join late or fell behind.
    """

    def __init__(self, snapshot: Snapshots = tuple) -> None:
        self._snapshot = snapshot
        self._subscriptions: list[Subscription] = []
        self._published: list[Event] = []
        self._timer: asyncio.Handle | None = None

    def subscribe(self, callback: Callback, *types: type[Event], max_pending: int = MAX_PENDING) -> Subscription:
        """Have a plain or async callback told of events of these types, of all types when none is named.

        A subscriber to all types, or to `Snapshot`, is told the state of each live run first.
        """
        self._distribute()  # what was published before is not for the newcomer
        subscription = Subscription(self, callback, frozenset(types), max_pending)
        self._subscriptions.append(subscription)
        if subscription.wants(Snapshot):
            subscription.offer(self.snapshots(0))
            self._wake()
        return subscription

    def snapshots(self, missed: int) -> list[Event]:
        """A snapshot of each live run, saying how many events were missed."""
        return [Snapshot(s.seq, s.at, s.run_id, missed, s.state) for s in self._snapshot()]

    def publish(self, events: Sequence[Event]) -> None:
        """Queue committed events for everyone; returns at once."""
        if self._subscriptions:
            self._published += events
            if self._timer is None:
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
        until = time.perf_counter() + _SLICE
        for subscription in tuple(self._subscriptions):
            subscription.deliver(until) if not subscription.is_idle else None
        if any(not subscription.is_idle for subscription in self._subscriptions):
            self._timer = asyncio.get_running_loop().call_soon(self._deliver)

    def forget(self, subscription: Subscription) -> None:
        """Deliver nothing more to a closed subscription."""
        if subscription in self._subscriptions:
            self._subscriptions.remove(subscription)

    async def drained(self) -> None:
        """Return once everything published so far has been delivered."""
        while self._published or any(subscription.is_busy for subscription in self._subscriptions):
            await self.caught_up()

    async def caught_up(self) -> None:
        """Let plain callbacks that are not slow hear everything that was published so far."""
        self.flush()
        await asyncio.sleep(0)

    def close(self) -> None:
        """End all subscriptions."""
        for subscription in tuple(self._subscriptions):
            subscription.close()
        if self._timer is not None:
            self._timer.cancel()

    async def stream(self, run_id: str) -> AsyncIterator[Event]:
        """A run's events as they are committed, after a snapshot of it; ends with the run's end."""
        arrived: deque[Event] = deque()
        news = asyncio.Event()

        def note(event: Event) -> None:
            if event.run_id == run_id:
                arrived.append(event)
                news.set()

        with self.subscribe(note):
            while True:
                while arrived:
                    event = arrived.popleft()
                    yield event
                    if isinstance(event, RunEnded):
                        return
                news.clear()
                await news.wait()
