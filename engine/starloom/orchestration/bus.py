"""The event bus: it tells each subscriber the committed events in order; a slow subscriber delays no other.

Publishing only puts batches into queues; callbacks run later on the loop, in slices, so that a slow one delays neither
dispatch nor the others. A subscriber that falls too far behind loses what it has not seen, is told how much that was,
and gets snapshots to fold on from. Events are gathered for a millisecond; a prompt subscriber has a delivery queue of
its own, which is told with the loop's next turn.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections import deque
from collections.abc import Callable, Collection, Iterable
from reprlib import repr as shortened
from typing import TYPE_CHECKING, Final

from starloom.errors import CommandRefused
from starloom.events import Event, RunEnded, Snapshot
from starloom.orchestration.delivery_queue import DeliveryQueue
from starloom.orchestration.subscription import Subscription

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Sequence

    from starloom.orchestration.subscription import Callback

_log = logging.getLogger(__name__)
_GATHER: Final = 0.001
"""Seconds events are gathered before they are delivered: one call of the loop for many turns."""
_AHEAD: Final = 1_000
"""Events a stream holds for its reader besides those in its subscription's queue."""
_MOMENT: Final = 0.1
"""Seconds in which whoever is not slow has heard what was published, on a busy machine too."""
_PATIENCE: Final = 5.0
"""Seconds that observers get at the end to hear what they have not heard yet."""
MAX_PENDING: Final = 200_000
_REMEMBERED: Final = 10_000
"""Ended runs of which it is known who had joined before their ends."""

Snapshots = Callable[[Collection[str]], Iterable[Snapshot]]
"""Makes a snapshot of each live run, and of these runs even if they have ended."""


def _nothing(_runs: Collection[str]) -> Iterable[Snapshot]:
    return ()


class EventBus:
    """Publishes committed events to subscribers.

    Args:
        snapshot: makes the snapshots for those that join late or fell behind.
        is_ahead: whether such a snapshot shows what will only be published next.
    """

    def __init__(self, snapshot: Snapshots = _nothing, is_ahead: Callable[[], bool] = lambda: False) -> None:
        self._snapshot = snapshot
        self._is_ahead = is_ahead
        self._ahead: set[Subscription] = set()
        self._batched = DeliveryQueue(_GATHER)
        self._queues: list[DeliveryQueue] = []
        """Those that have subscriptions."""
        self._joined = 0
        self._ended: dict[str, int] = {}

    def subscribe(
        self, callback: Callback, *types: type[Event], max_pending: int = MAX_PENDING, prompt: bool = False
    ) -> Subscription:
        """Subscribe a plain or async callback to events of these types, of all types when none is named.

        A subscriber to all types, or to `Snapshot`, is told the state of each live run first.

        Args:
            callback: called with each event.
            types: classes of events; a base class stands for all classes below it.
            max_pending: how many events may wait for the callback before they are given up for a snapshot.
            prompt: call it with the loop's next turn rather than gather events for a millisecond. That costs the loop
                a call for each turn of the engine; other subscribers are told in the same batches as without it.

        Raises:
            CommandRefused: the callback cannot be called, or a type is no type of event, so nothing would ever be told.
        """
        _check_subscriber(callback, types)
        self._distribute()  # what was published before is not for the newcomer
        subscription = Subscription(self, callback, types, max_pending)
        self._joined += 1
        subscription.number = self._joined
        queue = DeliveryQueue(0.0) if prompt else self._batched
        queue.subscriptions.append(subscription)
        if queue not in self._queues:
            self._queues.append(queue)
        if subscription.wants(Snapshot):
            subscription.offer(self.snapshots(subscription, 0))
            queue.wake()
        return subscription

    def snapshots(self, subscription: Subscription, missed: int, runs: Collection[str] = ()) -> list[Event]:
        """A snapshot of each live run and of `runs`, saying how many events were missed.

        Args:
            subscription: whom they are for; it is told no older events afterwards.
            missed: how many events it has lost, which each snapshot says.
            runs: ids of ended runs that are to be among them.
        """
        if self._is_ahead():
            self._ahead.add(subscription)
        return [Snapshot(s.seq, s.at, s.run_id, missed, s.state) for s in self._snapshot(runs)]

    def note_ended(self, run_ids: Iterable[str]) -> None:
        """Record that runs have ended; a later subscriber gets them only if they are reopened."""
        for run_id in run_ids:
            self._ended.pop(run_id, None)
            self._ended[run_id] = self._joined
        while len(self._ended) > _REMEMBERED:
            del self._ended[next(iter(self._ended))]
        self.flush()

    def publish(self, events: Sequence[Event], reopened: Sequence[str] = ()) -> None:
        """Queue committed events for everyone; returns at once.

        Args:
            events: in order.
            reopened: the runs among theirs that had ended and go on: whoever has joined meanwhile knows nothing of
                them, and gets a snapshot of each instead of its events.
        """
        if self._ahead or reopened:
            self._publish_around(events, reopened)
        else:
            for queue in self._queues:
                queue.publish(events)

    def _publish_around(self, events: Sequence[Event], reopened: Sequence[str]) -> None:
        """Publish to the subscribers that have not received it in a snapshot."""
        self._distribute()
        ahead, self._ahead = self._ahead, set()
        for queue in tuple(self._queues):
            for subscription in tuple(queue.subscriptions):
                if subscription not in ahead:
                    subscription.offer(self._events_for(subscription, events, reopened))
            queue.wake()

    def _events_for(self, subscription: Subscription, events: Sequence[Event], reopened: Sequence[str]) -> list[Event]:
        """The events, with a snapshot in the place of those of runs that had ended when it joined."""
        unknown = {run_id for run_id in reopened if self._ended.get(run_id, subscription.number) < subscription.number}
        if not unknown or not subscription.wants(Snapshot):
            return list(events)
        made = self.snapshots(subscription, 0, unknown)
        return [*(snapshot for snapshot in made if snapshot.run_id in unknown), *_of_others(events, unknown)]

    @property
    def _subscriptions(self) -> list[Subscription]:
        return [subscription for queue in self._queues for subscription in queue.subscriptions]

    def _distribute(self) -> None:
        for queue in tuple(self._queues):
            queue.distribute()

    def flush(self) -> None:
        """Start to deliver in the next turn of the loop, rather than a moment later."""
        for queue in self._queues:
            queue.flush()

    def forget(self, subscription: Subscription) -> None:
        """Stop delivering to a closed subscription."""
        for queue in tuple(self._queues):
            if subscription in queue.subscriptions:
                queue.subscriptions.remove(subscription)
                if not queue.subscriptions:
                    queue.close()
                    self._queues.remove(queue)

    async def drained(self, patience: float = _PATIENCE) -> None:
        """Return once everything published so far has been delivered, or after a number of seconds."""
        loop = asyncio.get_running_loop()
        deadline = loop.time() + patience
        while self.is_busy and loop.time() < deadline:
            await self.caught_up()
            tasks = self._tasks()
            if tasks:
                await asyncio.wait(tasks, timeout=max(0.0, deadline - loop.time()))

    @property
    def is_gathering(self) -> bool:
        """Whether published events are not queued for their subscribers yet."""
        return any(queue.is_gathering for queue in self._queues)

    @property
    def is_busy(self) -> bool:
        """Whether published events are not delivered yet."""
        return self.is_gathering or any(subscription.is_busy for subscription in self._subscriptions)

    def _tasks(self) -> list[asyncio.Task[None]]:
        return [subscription.task for subscription in self._subscriptions if subscription.task is not None]

    async def caught_up(self) -> None:
        """Return once plain callbacks that are not slow have received everything published so far.

        Where the machine is busy a quick one, too, may need several turns; a slow one is not waited for.
        """
        until = time.perf_counter() + _MOMENT
        while True:
            self.flush()
            await asyncio.sleep(0)
            is_waiting = self.is_gathering or any(queue.waits_for_calls for queue in self._queues)
            if not is_waiting or time.perf_counter() > until:
                return

    async def close(self) -> None:
        """End all subscriptions; undelivered events are dropped."""
        tasks = self._tasks()
        for subscription in self._subscriptions:
            if subscription.is_busy:
                _log.warning("an observer of events was too slow to hear all of them: %r", subscription.callback)
            subscription.close()
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


def _of_others(events: Iterable[Event], run_ids: Collection[str]) -> list[Event]:
    return [event for event in events if event.run_id not in run_ids]


def _check_subscriber(callback: object, types: tuple[object, ...]) -> None:
    if not callable(callback):
        hint = "Give a function or an async function that takes an event."
        if hasattr(callback, "on_event"):
            hint = "Subscribe its on_event, or the object itself by starloom.observers.Observers."
        raise CommandRefused("not_callable", f"{shortened(callback)} cannot be called with events.", hint)
    for kind in types:
        if not (isinstance(kind, type) and issubclass(kind, Event)):
            hint = "Give the class itself, e.g. TaskCompleted, not its name."
            raise CommandRefused("not_an_event_type", f"{shortened(kind)} is no type of event.", hint)


def _is_of_an_ended_run(event: Event) -> bool:
    return isinstance(event, Snapshot) and event.state is not None and event.state.run.state.has_ended
