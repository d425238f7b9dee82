"""The event log at a past moment, and a log for panes that switches between that and the present."""

from __future__ import annotations

import math
from bisect import bisect_left
from itertools import islice
from typing import TYPE_CHECKING, Final

from msgspec.structs import replace

from starloom.events import FleetSnapshot, RunReopened
from starloom.scheduling.fold.fleet import apply_fleet
from starloom.scheduling.state.fleet_facts import FleetFacts
from starloom_gui.gateway.event_log import EventLog
from starloom_gui.gateway.limits_history import LimitsHistory
from starloom_gui.specs.event_list import EVENTS

if TYPE_CHECKING:
    from collections.abc import Collection, Hashable, Iterator

    from starloom.events import Event, LimitsChanged
    from starloom.journal.recording import Recording
    from starloom_gui.gateway.event_log import Log


_OPENING: Final = 16
"""Events among which the first snapshot of the fleet is found."""
_UNREAD: Final = frozenset(kind for kind, spec in EVENTS.items() if spec.name is None)


class PastLog:
    """The events of a recording up to a moment, without those that nobody wants to read; their times are moved.

    Args:
        recording: whose events.

    Attributes:
        lost: none ever is.
        late: no run begins before it.
        began: it has all there is.
    """

    lost = 0
    late: Collection[str] = ()
    serial = 0
    begin = 0
    began = -math.inf

    def __init__(self, recording: Recording) -> None:
        self._recording = recording
        self._places: list[int] = []
        self._read = 0
        self._limits = LimitsHistory()
        self._snapshot: FleetSnapshot | None = None
        self._reopened: dict[int, FleetSnapshot] = {}
        """The fleet as it was when the run was reopened, by the numbers of these events in its stream."""
        self.end = 0

    def __len__(self) -> int:
        return self.end

    def opening(self) -> FleetFacts | None:
        """The fleet as the first snapshot in the recording has it; None: there is none."""
        for event in islice(self._recording.events, _OPENING):
            if isinstance(event, FleetSnapshot):
                fleet = FleetFacts()
                apply_fleet(fleet, event)
                return fleet
        return None

    def fleet_at(self, event: RunReopened) -> FleetFacts | None:
        """The fleet as it was when the run was reopened; None: nobody knows."""
        snapshot = self._reopened.get(event.seq)
        if snapshot is None:
            return None
        fleet = FleetFacts()
        apply_fleet(fleet, snapshot)
        return fleet

    def go_to(self, position: int) -> None:
        """Hold the events until a position."""
        events = self._recording.events
        for event in islice(events, self._read, None):
            if type(event) in LimitsHistory.KINDS:
                self._limits.take(event)
            if isinstance(event, FleetSnapshot):
                self._snapshot = event
            elif isinstance(event, RunReopened) and self._snapshot is not None:
                self._reopened[event.seq] = self._snapshot
        read = range(self._read, len(events))
        self._places += [place for place in read if type(events[place]) not in _UNREAD]
        self._read = len(events)
        self.end = bisect_left(self._places, position)

    def get(self, number: int) -> Event:
        """The event of a number.

        Raises:
            IndexError: it had not happened yet.
        """
        if not 0 <= number < self.end:
            raise IndexError(f"Event {number} had not happened; those before {self.end} had.")
        place = self._places[number]
        event, at = self._recording.events[place], self._recording.times[place]
        return event if event.at == at else replace(event, at=at)

    def limits_before(self, event: Event) -> LimitsChanged | None:
        """The limits that an event has changed; None: it has changed none, or nobody knows."""
        return self._limits.before(event)

    def since(self, number: int) -> Iterator[tuple[int, Event]]:
        """Numbers and events from a number on."""
        return self.between(number, self.end)

    def between(self, begin: int, end: int) -> Iterator[tuple[int, Event]]:
        """Numbers and events from one number up to another one.

        Args:
            begin: the first number.
            end: the number behind the last one.
        """
        return ((number, self.get(number)) for number in range(max(begin, 0), min(end, self.end)))


class ShownLog:
    """The log that is shown now; numbers of one `serial` go on, those of another one mean other events.

    Args:
        log: the first one.
    """

    def __init__(self, log: Log | None = None) -> None:
        self._log: Log = log if log is not None else EventLog()
        self._shown = 0

    def show(self, log: Log, *, is_back: bool = False) -> None:
        """Show another log, or one that has gone back."""
        if log is not self._log or is_back:
            self._shown += 1
        self._log = log

    @property
    def serial(self) -> Hashable:
        """The generation of what is shown."""
        return self._shown, self._log.serial

    def __len__(self) -> int:
        return len(self._log)

    @property
    def begin(self) -> int:
        """The number of the oldest that is kept."""
        return self._log.begin

    @property
    def end(self) -> int:
        """The number the next one will have."""
        return self._log.end

    @property
    def lost(self) -> int:
        """The number of events that were never received."""
        return self._log.lost

    @property
    def late(self) -> Collection[str]:
        """The ids of runs whose first events were before the log began."""
        return self._log.late

    @property
    def began(self) -> float:
        """The moment, in seconds on the run's clock, from which on it has all that was told."""
        return self._log.began

    def opening(self) -> FleetFacts | None:
        """A copy of the fleet as it was before the first event; None: nobody knows."""
        return self._log.opening()

    def fleet_at(self, event: RunReopened) -> FleetFacts | None:
        """The fleet as it was when a run was reopened; None: nobody knows."""
        return self._log.fleet_at(event)

    def get(self, number: int) -> Event:
        """The event of a number.

        Raises:
            IndexError: it is not kept any more, or not there yet.
        """
        return self._log.get(number)

    def limits_before(self, event: Event) -> LimitsChanged | None:
        """The limits that an event has changed; None: it has changed none, or nobody knows."""
        return self._log.limits_before(event)

    def since(self, number: int) -> Iterator[tuple[int, Event]]:
        """Numbers and events from a number on."""
        return self._log.since(number)

    def between(self, begin: int, end: int) -> Iterator[tuple[int, Event]]:
        """Numbers and events from one number up to another one.

        Args:
            begin: the first number.
            end: the number behind the last one.
        """
        return self._log.between(begin, end)
