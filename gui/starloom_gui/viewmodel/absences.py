"""When devices could not be used: lost, removed, or suspended after failures; bands in their lanes. No Qt here."""

from __future__ import annotations

from bisect import bisect_right
from itertools import islice, takewhile
from typing import TYPE_CHECKING, ClassVar, NamedTuple

from starloom import events as ev
from starloom.model.status import Breaker
from starloom.scheduling.fold.fleet import apply_fleet
from starloom.scheduling.state.fleet_facts import FleetFacts
from starloom_gui.viewmodel.lane_bars import NEVER

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from starloom.events import Event
    from starloom.scheduling.state.device_facts import DeviceFacts


class Absence(NamedTuple):
    """A time in which a device could not be used.

    Attributes:
        start, end: seconds on the engine's clock; `NEVER`: it goes on.
        text: what happened, a sentence.
    """

    start: float
    end: float
    text: str


class Absences:
    """The absences of all devices, folded from events.

    Attributes:
        KINDS: the events that matter to `take`.
        of: by the id of the device, oldest first.

    Args:
        tell: gives the sentence that stands for an event in the console.
    """

    KINDS: ClassVar = frozenset(
        {
            ev.DeviceLost,
            ev.BreakerOpened,
            ev.DeviceConnected,
            ev.BreakerHalfOpened,
            ev.BreakerClosed,
            ev.DeviceAdded,
            ev.DeviceRemoved,
            ev.FleetSnapshot,
        }
    )

    def __init__(self, tell: Callable[[Event], str]) -> None:
        self.of: dict[str, list[Absence]] = {}
        self._tell = tell
        self._lost: set[str] = set()
        self._suspended: set[str] = set()

    def copy(self) -> Absences:
        """One that goes on from what is known."""
        other = Absences(self._tell)
        other.of = {device_id: list(known) for device_id, known in self.of.items()}
        other._lost, other._suspended = set(self._lost), set(self._suspended)
        return other

    def take(self, event: Event, at: float | None = None) -> bool:
        """Fold an event of a device; returns whether any absence has changed.

        Args:
            event: what happened.
            at: when, if it is not as the event has it.
        """
        when = event.at if at is None else at
        if isinstance(event, ev.FleetSnapshot):
            return self._find_again(event, when)
        if isinstance(event, ev.DeviceLost):
            self._lost.add(event.device_id)
            return self._begin(event.device_id, event, when)
        if isinstance(event, ev.BreakerOpened):
            self._suspended.add(event.device_id)
            return self._begin(event.device_id, event, when)
        if isinstance(event, ev.DeviceConnected):
            self._lost.discard(event.device_id)
        elif isinstance(event, ev.BreakerHalfOpened | ev.BreakerClosed):
            self._suspended.discard(event.device_id)
        elif isinstance(event, ev.DeviceRemoved):
            self._lost.discard(event.device_id)
            self._suspended.discard(event.device_id)
            self._end(event.device_id, when)
            self._lost.add(event.device_id)
            return self._begin(event.device_id, event, when)
        elif isinstance(event, ev.DeviceAdded) and event.connected:
            self._lost.discard(event.device_id)
        else:
            return False
        return self._end(event.device_id, when)

    def _find_again(self, event: ev.FleetSnapshot, at: float) -> bool:
        """Begin and end absences by a picture of the fleet: before a run, or while it had ended, it heard of none."""
        fleet = FleetFacts()
        apply_fleet(fleet, event)
        begun = [self._begin_before(event, at, one) for one in fleet.devices.values()]
        there = {one.id for one in fleet.devices.values() if one.connected and one.breaker is not Breaker.OPEN}
        back = [id for id, known in self.of.items() if known and known[-1].end == NEVER and id in there]
        self._lost -= {*back}
        self._suspended -= {*back}
        ended = [self._end(id, at) for id in back]
        return any(ended) or any(begun)

    def _begin_before(self, event: ev.FleetSnapshot, at: float, device: DeviceFacts) -> bool:
        """Begin the absence of a device that could not be used already; one that was never reached yet is not away."""
        what = event.seq, at, event.run_id, device.id
        changed = False
        if not device.connected and (device.refusal or device.trouble or device.silent_since):
            self._lost.add(device.id)
            why = device.refusal or device.trouble
            changed = self._begin(device.id, ev.DeviceLost(*what, why, refused=bool(device.refusal)), at)
        if device.breaker is Breaker.OPEN:
            self._suspended.add(device.id)
            opened = ev.BreakerOpened(*what, until=device.until, failures=device.failures, reason=device.trouble)
            changed = self._begin(device.id, opened, at) or changed
        return changed

    def _begin(self, device_id: str, event: Event, at: float) -> bool:
        known = self.of.setdefault(device_id, [])
        if known and known[-1].end == NEVER:
            worse = isinstance(event, ev.BreakerOpened)  # it says until when; a further loss says nothing new
            known[-1] = known[-1]._replace(text=self._tell(event)) if worse else known[-1]
            return worse
        known.append(Absence(at, NEVER, self._tell(event)))
        return True

    def _end(self, device_id: str, at: float) -> bool:
        known = self.of.get(device_id)
        if not known or known[-1].end != NEVER or device_id in self._lost or device_id in self._suspended:
            return False
        known[-1] = known[-1]._replace(end=at)
        return True


def within(known: Sequence[Absence], begin: float, end: float) -> Iterator[Absence]:
    """The absences of a device in a range of time, oldest first.

    Args:
        known: of one device, oldest first.
        begin: seconds on the engine's clock.
        end: seconds on the engine's clock.
    """
    first = bisect_right(known, begin, key=lambda one: one.end)
    return takewhile(lambda one: one.start < end, islice(known, first, None))
