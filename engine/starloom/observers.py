"""Observers as objects with an `on_event` method, plain or async, which receive events until unsubscribed.

`orchestrator.events.subscribe` takes functions. This is for programs whose observers are classes, as in the seeds:

    observers = Observers(orchestrator.events)
    observers.subscribe(tracker, {TaskCompleted, TaskFailed})
    observers.unsubscribe(tracker)
"""

from __future__ import annotations

from reprlib import repr as shortened
from typing import TYPE_CHECKING, Any, Protocol

from starloom.errors import CommandRefused
from starloom.orchestration.bus import MAX_PENDING

if TYPE_CHECKING:
    from collections.abc import Collection

    from starloom.events import Event
    from starloom.orchestration.bus import EventBus
    from starloom.orchestration.subscription import Subscription


class Observer(Protocol):
    """The protocol of an object that receives events."""

    def on_event(self, event: Any, /) -> Any:
        """Handle an event; may be an async method."""


class Observers:
    """Subscribes objects to an event bus, and knows which are subscribed.

    Args:
        events: the bus, e.g. `orchestrator.events`.
    """

    def __init__(self, events: EventBus) -> None:
        self._events = events
        self._subscribed: dict[int, tuple[Observer, Subscription]] = {}

    def subscribe(
        self,
        observer: Observer,
        event_types: Collection[type[Event]] | None = None,
        *,
        max_pending: int = MAX_PENDING,
    ) -> Subscription:
        """Call an object's `on_event` with events from now on.

        Args:
            observer: the object; calls do not overlap, and an error in one reaches nobody else.
            event_types: the classes of events it is told of; None: all.
            max_pending: how many events may wait for it before it gets snapshots instead.

        Returns:
            The subscription; closing it is the same as unsubscribing.

        Raises:
            CommandRefused: it has no such method, is subscribed already, or `event_types` names no type of event.
        """
        on_event = getattr(observer, "on_event", None)
        if isinstance(observer, type) or not callable(on_event):
            hint = "Give an object with a method on_event(event), or subscribe a function at orchestrator.events."
            raise CommandRefused("not_an_observer", f"{shortened(observer)} is no observer.", hint)
        if self.is_subscribed(observer):
            hint = "Unsubscribe it first, and name all types it is to hear."
            raise CommandRefused("subscribed_already", f"{shortened(observer)} is subscribed already.", hint)
        if event_types is not None and not event_types:
            raise CommandRefused("no_event_types", "No type of event is named.", "Name one, or None for all events.")
        subscription = self._events.subscribe(on_event, *(event_types or ()), max_pending=max_pending)
        self._subscribed[id(observer)] = (observer, subscription)
        return subscription

    def is_subscribed(self, observer: Observer) -> bool:
        """Whether an object receives events."""
        known = self._subscribed.get(id(observer))
        return known is not None and not known[1].closed

    def unsubscribe(self, observer: Observer) -> None:
        """Stop sending events to an object, also those that are queued for it.

        Raises:
            CommandRefused: it is not subscribed.
        """
        if not self.is_subscribed(observer):
            hint = "Unsubscribe the very object that was subscribed here."
            raise CommandRefused("not_subscribed", f"{shortened(observer)} is not subscribed.", hint)
        _, subscription = self._subscribed.pop(id(observer))
        subscription.close()
