"""A delivery queue of the event bus: its subscriptions get events at the same pace, which one timer sets."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from starloom.orchestration.subscription import SLICE

if TYPE_CHECKING:
    from collections.abc import Sequence

    from starloom.events import Event
    from starloom.orchestration.subscription import Subscription


class DeliveryQueue:
    """Collects published events for some time, then calls its subscriptions in slices of time.

    Attributes:
        subscriptions: those that are told.

    Args:
        gather: seconds events are gathered before they are delivered; 0: they are delivered with the loop's next turn.
    """

    def __init__(self, gather: float) -> None:
        self.subscriptions: list[Subscription] = []
        self._gather = gather
        self._published: list[Event] = []
        self._timer: asyncio.Handle | None = None

    def publish(self, events: Sequence[Event]) -> None:
        """Queue committed events for its subscriptions; returns at once."""
        self._published += events
        if self._timer is None:
            self.wake()

    def wake(self) -> None:
        """Schedule the delivery of queued events, unless it is scheduled."""
        if self._timer is None and (self._published or self.waits_for_calls):
            loop = asyncio.get_running_loop()
            self._timer = (
                loop.call_later(self._gather, self._deliver) if self._gather else loop.call_soon(self._deliver)
            )

    def flush(self) -> None:
        """Start to deliver in the next turn of the loop, rather than a moment later."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = asyncio.get_running_loop().call_soon(self._deliver)

    def distribute(self) -> None:
        """Queue the published events with each subscription."""
        batch, self._published = self._published, []
        if batch:
            for subscription in tuple(self.subscriptions):
                subscription.offer(batch)

    def close(self) -> None:
        """Stop delivering."""
        self._published = []
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    @property
    def is_gathering(self) -> bool:
        """Whether published events are not queued for their subscriptions yet."""
        return bool(self._published)

    @property
    def waits_for_calls(self) -> bool:
        """Whether a plain callback has queued events."""
        return any(not subscription.is_idle for subscription in self.subscriptions)

    def _deliver(self) -> None:
        self._timer = None
        self.distribute()
        rest = 0.0
        for subscription in tuple(self.subscriptions):
            if not subscription.is_idle:
                taken = subscription.deliver()
                rest += taken if taken > 2 * SLICE else 0.0
        if self.waits_for_calls:
            self._go_on_after(rest)  # where a single call takes long, the loop has as much time for everything else

    def _go_on_after(self, seconds: float) -> None:
        if self._timer is None:  # else a callback has had something delivered by itself
            self._timer = asyncio.get_running_loop().call_later(seconds, self._deliver)
