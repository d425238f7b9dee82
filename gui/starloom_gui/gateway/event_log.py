"""The event log: the last so many events, by a number that never changes; their texts are made where they are shown."""

from __future__ import annotations

import math
from collections import deque
from itertools import islice
from typing import TYPE_CHECKING, Final, Protocol

from msgspec.structs import replace

from starloom import events as ev
from starloom.constellation.edits import UpdateTask
from starloom_gui.gateway.limits_history import LimitsHistory

if TYPE_CHECKING:
    from collections.abc import Collection, Hashable, Iterator

    from starloom.events import Event
    from starloom.scheduling.read.run_view import TaskView
    from starloom.scheduling.state.fleet_facts import FleetFacts

MOST: Final = 100_000
_AT_ONCE: Final = 1_000
"""Events that are looked through for the newest one of a run."""
_MOST_READ: Final = 2_000
"""Events that are looked at for who has set a field."""


class Log(Protocol):
    """The protocol of an event log: `EventLog`, or whatever holds events like it."""

    @property
    def serial(self) -> Hashable:
        """The generation of the log; it changes when event numbers get another meaning, or events other times."""

    @property
    def begin(self) -> int:
        """The number of the oldest that is kept."""

    @property
    def end(self) -> int:
        """The number the next one will have."""

    @property
    def lost(self) -> int:
        """The number of events that were never received."""

    @property
    def late(self) -> Collection[str]:
        """The ids of runs whose first events were before the log began."""

    def __len__(self) -> int: ...

    @property
    def began(self) -> float:
        """The moment, in seconds on the run's clock, from which on it has all that was told."""

    def opening(self) -> FleetFacts | None:
        """A copy of the fleet as it was before the first event; None: nobody knows."""

    def fleet_at(self, event: ev.RunReopened) -> FleetFacts | None:
        """The fleet as it was when a run was reopened that heard of none while it had ended; None: nobody knows."""

    def get(self, number: int) -> Event:
        """The event of a number."""

    def limits_before(self, event: Event) -> ev.LimitsChanged | None:
        """The limits that an event has changed; None: it has changed none, or nobody knows."""

    def since(self, number: int) -> Iterator[tuple[int, Event]]:
        """Numbers and events from a number on."""

    def between(self, begin: int, end: int) -> Iterator[tuple[int, Event]]:
        """Numbers and events from one number up to another one.

        Args:
            begin: the first number.
            end: the number behind the last one.
        """


class EventLog:
    """The events of all runs, in the order in which they arrived.

    Args:
        most: how many are kept at least; the oldest go first, a tenth of that many together, so that views need not
            count their rows anew with every event.
        fleet: as it is before the first of them; None: nothing is known of it.
        began: when that was, in seconds on the engine's clock.

    Attributes:
        began: likewise; the beginning of time once it has told of the beginning of the program that has the fleet.
        end: the number the next one will have; the first of all had 0.
        lost: how many were never told, because the console was too slow.
        late: the ids of runs whose first events were before it began.
        limits: of the fleet, before each change of them.
    """

    __slots__ = (
        *("_begun", "_earlier_end", "_events", "_most", "_opening"),
        *("began", "end", "late", "limits", "lost", "serial"),
    )

    def __init__(self, most: int = MOST, fleet: FleetFacts | None = None, began: float = -math.inf) -> None:
        self._events: deque[Event] = deque()
        self._most = most
        self.end = 0
        self.lost = self.serial = 0
        self.began = began
        self._earlier_end = 0
        """The number behind the last event of the fleet that is on the clock of an earlier program; 0: none is."""
        self.late: set[str] = set()
        self._begun: set[str] = set()
        """The ids of runs whose first events were told."""
        self.limits = LimitsHistory(fleet)
        self._opening = fleet.copy() if fleet is not None else None

    def opening(self) -> FleetFacts | None:
        """A copy of the fleet as it was before the first event; None: nobody knows, or that is not kept any more."""
        return self._opening.copy() if self._opening is not None and self.begin == 0 else None

    @staticmethod
    def fleet_at(_event: ev.RunReopened) -> FleetFacts | None:
        """None: it has the fleet's own events, also those while a run had ended."""
        return None

    def __len__(self) -> int:
        return len(self._events)

    @property
    def begin(self) -> int:
        """The number of the oldest that is kept."""
        return self.end - len(self._events)

    def add(self, event: Event) -> None:
        """Keep one more."""
        self.limits.take(event)
        if type(event) is ev.FleetOpened:
            self.began, self._earlier_end = -math.inf, self.end
        elif type(event) is ev.RunCreated:
            self._begun.add(event.run_id)
        elif type(event) is ev.RunRecovered:
            self.note_state(event.run_id)
            self._move(event)
        self._events.append(event)
        self.end += 1
        surplus = self._most // 10 + 1
        if len(self._events) >= self._most + surplus:
            for _ in range(surplus):
                self._events.popleft()

    def _move(self, event: ev.RunRecovered) -> None:
        """Have what happened before a run was taken up be on its clock from then on, as its facts are.

        What the program before told of the fleet was on the clock of the runs that it ran.
        """
        run_id, shift = event.run_id, event.shift
        if not shift or all(one.run_id != run_id for one in self._events):
            return
        self._events = deque(
            replace(one, at=one.at + shift)
            if one.run_id == run_id or (not one.run_id and number < self._earlier_end)
            else one
            for number, one in enumerate(self._events, self.begin)
        )
        self._earlier_end = 0
        self.serial += 1

    def note_state(self, run_id: str) -> None:
        """Note that a state of a run was told rather than all that led to it."""
        if run_id not in self._begun:
            self.late.add(run_id)

    def get(self, number: int) -> Event:
        """The event of a number.

        Raises:
            IndexError: it is not kept any more, or not there yet.
        """
        if not self.begin <= number < self.end:
            raise IndexError(f"Event {number} is not kept; those from {self.begin} to {self.end - 1} are.")
        return self._events[number - self.end]

    def limits_before(self, event: Event) -> ev.LimitsChanged | None:
        """The limits that an event has changed; None: it has changed none, or nobody knows."""
        return self.limits.before(event)

    def since(self, number: int) -> Iterator[tuple[int, Event]]:
        """Numbers and events from a number on, as far as they are kept."""
        return self.between(number, self.end)

    def between(self, begin: int, end: int) -> Iterator[tuple[int, Event]]:
        """Numbers and events from one number up to another one, as far as they are kept.

        What lies near either end of the log is found as fast as it can be listed.

        Args:
            begin: the first number.
            end: the number behind the last one.
        """
        first, last = max(begin, self.begin), min(end, self.end)
        if first >= last:
            return iter(())
        if self.end - last <= first - self.begin:
            backwards = islice(reversed(self._events), self.end - last, self.end - first)
            return zip(range(first, last), reversed(list(backwards)), strict=True)
        return zip(range(first, last), islice(self._events, first - self.begin, last - self.begin), strict=True)


class NewestEvent:
    """The newest event of one run, found among what came since the last time; all of a log is read for another run."""

    def __init__(self) -> None:
        self._of: tuple[Log, Hashable, str] | None = None
        self._read = 0
        self._found: Event | None = None

    def find(self, log: Log, run_id: str) -> Event | None:
        """The newest event of a run that a log holds; None: there is none.

        Args:
            log: of the events of all runs.
            run_id: of the run; empty: of any.
        """
        of = (log, log.serial, run_id)
        if self._of is None or self._of[0] is not log or self._of[1:] != of[1:] or log.end < self._read:
            self._of, self._read, self._found = of, log.begin, None
        for end in range(log.end, self._read, -_AT_ONCE):  # from behind: the newest is near the end, nearly always
            events = [event for _, event in log.between(max(self._read, end - _AT_ONCE), end)]
            found = next((event for event in reversed(events) if not run_id or event.run_id == run_id), None)
            if found is not None:
                self._found = found
                break
        self._read = log.end
        return self._found


def author_of(log: Log, task: TaskView, name: str) -> str:
    """The author of the last change of a task's field, as far as the newest events show; empty: unknown.

    Args:
        log: of the events of all runs.
        task: any.
        name: of the field in the task.
    """
    task_id, run_id = task.id, task.run.run_id
    events = list(log.between(max(log.begin, log.end - _MOST_READ), log.end))
    for _, event in reversed(events):
        if event.run_id == run_id and _sets(event, task_id, name):
            return str(getattr(event, "origin", ""))
    return ""


def _sets(event: Event, task_id: str, name: str) -> bool:
    """Whether an event has given a field of a task its value."""
    if isinstance(event, ev.ConstellationModified):
        return any(
            isinstance(one, UpdateTask) and one.task_id == task_id and (name in one.fields or name in one.steering)
            for one in event.changes
        )
    if isinstance(event, ev.TasksPrioritised):
        return name == "priority" and task_id in event.task_ids
    return isinstance(event, ev.TasksPinned) and name == "device" and task_id in event.task_ids
