"""The use of devices by a run: how many slots took tasks at each time, what of them was busy, and what has gone."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, NamedTuple

import numpy as np

from starloom import events as ev
from starloom.reporting.interventions import LOST, REMOVED
from starloom.reporting.report import ReportedDevice
from starloom.reporting.text import sound
from starloom.scheduling.fold.fleet import FLEET_EVENTS

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from starloom.reporting.report import ReportedAttempt
    from starloom.scheduling.state.device_facts import DeviceFacts
    from starloom.scheduling.state.folded_run import FoldedRun

_SILENT: Final = frozenset({ev.FleetLoad, ev.LimitsChanged})
"""Events of the fleet that say nothing of any device."""


_ANY: Final = -1
"""The slots of a device that has as many as are asked for: as many count as were used at once."""


class SlotStep(NamedTuple):
    """So many slots from a time on, until the next step."""

    at: float
    slots: int


class _Known(NamedTuple):
    """A device as it was last."""

    kind: str
    slots: int | None
    speed: float
    capabilities: tuple[str, ...]


class DeviceWatch:
    """Notes from the events of a run what its devices were like, also those that are gone by its end.

    Args:
        folded: the run as the events before have made it.
    """

    def __init__(self, folded: FoldedRun) -> None:
        self._folded = folded
        self._pending: Any = None
        self._known: dict[str, _Known] = {}
        self._offered: dict[str, list[SlotStep]] = {}

    def see(self, event: ev.Event) -> None:
        """Record one event that is about to be folded."""
        self.settle()
        if type(event) is ev.RunRecovered and event.shift:
            for steps in self._offered.values():
                steps[:] = [SlotStep(step.at + event.shift, step.slots) for step in steps]
        if type(event) in FLEET_EVENTS and type(event) not in _SILENT:
            self._pending = event

    def settle(self) -> None:
        """Record what the last event has made of the devices it was about."""
        event, self._pending = self._pending, None
        if event is None:
            return
        devices = self._folded.fleet.devices
        device_id = getattr(event, "device_id", None)
        for id in {*devices, *self._offered} if device_id is None else {device_id}:
            self._note(id, devices.get(id), event.at)

    def _note(self, id: str, device: DeviceFacts | None, at: float) -> None:
        if device is not None:
            capabilities = tuple(sorted(map(sound, device.capabilities)))
            self._known[id] = _Known(sound(device.kind), device.offered, device.speed, capabilities)
        offered = 0
        if device is not None and device.accepts:
            offered = _ANY if device.slots is None else device.slots
        steps = self._offered.setdefault(id, [])
        if (steps[-1].slots if steps else 0) != offered:
            steps.append(SlotStep(at, offered))

    def known(self, id: str) -> _Known | None:
        """What a device was like when it was last known; None: nothing tells of it."""
        return self._known.get(id)

    def offered(self, id: str, start: float) -> list[SlotStep]:
        """How many slots of a device took tasks from which time on, in seconds since `start`; below 0: any number."""
        return [SlotStep(step.at - start, step.slots) for step in self._offered.get(id, ())]


class DeviceUsage:
    """What a run has used of its devices.

    Args:
        watch: that has seen all events.
        fleet: the devices that there are at the end.
        notes: what was done to each device.
        start: of the run, on the clock of its events.
        until: the last moment that is told, in seconds since the start.
        gone_on: gives for how long the run had gone on at a moment, in seconds since the start.
        attempts: all of the run.
    """

    def __init__(
        self,
        watch: DeviceWatch,
        fleet: Mapping[str, DeviceFacts],
        notes: Mapping[str, Sequence[str]],
        start: float,
        until: float,
        gone_on: Callable[[float], float],
        attempts: Iterable[ReportedAttempt],
    ) -> None:
        watch.settle()
        self._watch, self._fleet, self._notes = watch, fleet, notes
        self._until, self._gone_on = until, gone_on
        own: dict[str, list[ReportedAttempt]] = {sound(id): [] for id in fleet}
        for attempt in attempts:
            own.setdefault(attempt.device, []).append(attempt)
        self._usable = {id: _usable(watch.offered(id, start), those) for id, those in own.items()}
        self.devices = tuple(self._device(id, those) for id, those in own.items())
        seconds = sum(self._seconds(steps) for steps in self._usable.values())
        self.busy_s = sum(device.busy_s for device in self.devices)
        self.usable = _ratio(seconds, gone_on(until))
        """Slots that took tasks or were busy, on average while the run went on."""
        self.utilisation = min(1.0, _ratio(self.busy_s, seconds))

    def _seconds(self, steps: Sequence[SlotStep]) -> float:
        """Slots times seconds, from the start to the end of the run, while that went on."""
        times = [self._gone_on(min(max(step.at, 0.0), self._until)) for step in steps] + [self._gone_on(self._until)]
        return sum(step.slots * (end - at) for step, at, end in zip(steps, times[:-1], times[1:], strict=True))

    def slots_between(self, edges: Sequence[float]) -> list[float]:
        """The usable slots of all devices together, on average between each two of these moments."""
        total = np.zeros(len(edges) - 1)
        for steps in self._usable.values():
            if steps:
                at = np.array([step.at for step in steps])
                slots = np.array([step.slots for step in steps], dtype=np.float64)
                until = np.concatenate((np.cumsum(slots[:-1] * np.diff(at)), [0.0]))
                until = np.concatenate(([0.0], until[:-1]))
                place = np.searchsorted(at, edges, side="right") - 1
                inside = place >= 0
                place = np.maximum(place, 0)
                reached = np.where(inside, until[place] + slots[place] * (np.asarray(edges) - at[place]), 0.0)
                total += np.diff(reached) / np.diff(edges)
        averages: list[float] = total.tolist()
        return averages

    def _device(self, id: str, attempts: Sequence[ReportedAttempt]) -> ReportedDevice:
        there, known = self._fleet.get(id), self._watch.known(id)
        slots = None if known is None else known.slots
        lanes = max(slots or 0, _lanes(attempts))
        busy = sum(attempt.seconds for attempt in attempts)
        notes = list(dict.fromkeys(reversed(self._notes.get(id, ()))))[::-1]  # the last of each: so it was at the end
        if there is not None:
            over = _over(there, notes)
            notes = [over.get(note, note) for note in notes]
        return ReportedDevice(
            id=id,
            kind="" if known is None else known.kind,
            slots=slots,
            lanes=lanes,
            speed=1.0 if known is None else known.speed,
            capabilities=() if known is None else known.capabilities,
            busy_s=busy,
            utilisation=min(1.0, _ratio(busy, self._seconds(self._usable[id]))),
            attempts=len(attempts),
            failed=sum(attempt.status == "failed" for attempt in attempts),
            longest_wait=max((attempt.waited for attempt in attempts), default=0.0),
            notes=tuple(notes),
        )


def _over(there: DeviceFacts, notes: Sequence[str]) -> dict[str, str]:
    """What is said of states that a device is not in any more; a run that has ended for a while hears of no change."""
    over = {REMOVED: "removed for a while"}
    if there.connected:
        over[LOST] = "unreachable for a while"
    if not there.draining and "resumed" not in notes:
        over["drained"] = "drained for a while"
    if there.enabled and "enabled" not in notes:
        over["disabled"] = "disabled for a while"
    return over


def _usable(offered: Sequence[SlotStep], attempts: Sequence[ReportedAttempt]) -> list[SlotStep]:
    """How many slots took tasks or were busy: what runs on when a device is drained or out of reach uses its slot."""
    lanes = _lanes(attempts)
    steps = [step if step.slots != _ANY else SlotStep(step.at, lanes) for step in offered]
    if len(steps) == 1 and lanes <= steps[0].slots and all(one.started >= steps[0].at for one in attempts):
        return steps
    changes: list[tuple[float, int, int | None]] = [(step.at, 0, step.slots) for step in steps]
    changes += [(one.started, 1, None) for one in attempts]
    changes += [(one.ended, -1, None) for one in attempts]
    changes.sort(key=lambda change: change[:2])  # what ends gives its slot to what starts then
    found: list[SlotStep] = []
    takes = busy = 0
    for at, more, slots in changes:
        takes, busy = takes if slots is None else slots, busy + more
        if found and found[-1].at == at:
            found.pop()
        if not found or found[-1].slots != max(takes, busy):
            found.append(SlotStep(at, max(takes, busy)))
    return found


def _lanes(attempts: Sequence[ReportedAttempt]) -> int:
    return max((attempt.slot + 1 for attempt in attempts), default=0)


def _ratio(part: float, whole: float) -> float:
    return part / whole if whole > 0 else 0.0
