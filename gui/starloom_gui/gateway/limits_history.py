"""The fleet's limits before each change of them, as an event tells only the limits after it."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from starloom.events import FleetSnapshot, LimitsChanged

if TYPE_CHECKING:
    from starloom.events import Event
    from starloom.scheduling.state.fleet_facts import FleetFacts


class LimitsHistory:
    """Stores for each change of limits in one stream the limits before it.

    Args:
        fleet: the fleet as it is before the first event; None: nothing is known of it.

    Attributes:
        KINDS: the events that matter to `take`.
    """

    __slots__ = ("_before", "_now")
    KINDS: ClassVar = frozenset({LimitsChanged, FleetSnapshot})

    def __init__(self, fleet: FleetFacts | None = None) -> None:
        self._now: LimitsChanged | None = None
        self._before: dict[int, LimitsChanged | None] = {}
        if fleet is not None:
            self.restart(fleet)

    def take(self, event: Event) -> None:
        """Record an event, in the order of the stream; only changes of limits and snapshots of the fleet count."""
        if isinstance(event, LimitsChanged):
            self._before[event.seq] = self._now
            self._now = event
        elif isinstance(event, FleetSnapshot) and "limits" in event.fleet:
            self._now = LimitsChanged(event.seq, event.at, event.run_id, **event.fleet["limits"])

    def restart(self, fleet: FleetFacts | None) -> None:
        """Continue from the present fleet, as earlier events were lost; None: nothing is known of it."""
        self._now = fleet.limits_event(0, 0.0, "", "") if fleet is not None else None

    def before(self, event: Event) -> LimitsChanged | None:
        """The limits that an event has changed; None: it has changed none, or nobody knows."""
        return self._before.get(event.seq) if isinstance(event, LimitsChanged) else None
