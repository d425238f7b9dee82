"""The marks of a recorded run on the time axis: interventions, and absences of devices."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import TYPE_CHECKING, ClassVar, Final

from starloom.constellation.edits import AddTask, UpdateTask
from starloom.constellation.graph import Graph
from starloom.events import ConstellationModified, RunRecovered, TasksDeclared
from starloom_gui.gateway.limits_history import LimitsHistory
from starloom_gui.specs.event_list import EVENTS
from starloom_gui.time_travel.elapsed_time import ElapsedTime
from starloom_gui.viewmodel.absences import Absences
from starloom_gui.viewmodel.event_words import event_text
from starloom_gui.viewmodel.flags import flag_of, planted

if TYPE_CHECKING:
    from starloom.events import Event
    from starloom.journal.recording import Recording
    from starloom_gui.viewmodel.flags import Flag


class JournalNames:
    """The tasks of a run by what its events say of them, for `scheduling.read.naming`; removed ones stay known.

    Attributes:
        KINDS: the events that matter to `take`.
        run_id: of the run; empty until it is known.
        graph: its tasks, without dependencies.
    """

    KINDS: ClassVar = frozenset({TasksDeclared, ConstellationModified})

    def __init__(self) -> None:
        self.run_id = ""
        self.graph = Graph()

    def take(self, event: Event) -> None:
        """Record an event, in the order of the stream; only those that declare or edit tasks matter."""
        if isinstance(event, TasksDeclared):
            self.graph.extend(event.tasks)
        elif isinstance(event, ConstellationModified):
            for edit in event.changes:
                if isinstance(edit, AddTask) and edit.task.id not in self.graph:
                    self.graph.add_task(edit.task)
                elif isinstance(edit, UpdateTask) and "name" in edit.fields and edit.task_id in self.graph:
                    number = self.graph.place[edit.task_id]
                    self.graph.set_task(number, replace(self.graph.task(edit.task_id), name=edit.fields["name"]))


_MARKED: Final = (
    frozenset(kind for kind, spec in EVENTS.items() if spec.is_flagged)
    | LimitsHistory.KINDS
    | JournalNames.KINDS
    | Absences.KINDS
    | ElapsedTime.KINDS
)
"""The kinds of events that are looked at: few of a long run's are of these."""


class EventMarks:
    """The marks of the events that were read so far.

    Attributes:
        flags: of the interventions, oldest first.
        absences: when devices could not be used.
        elapsed: for how long the run had gone on at each moment.
        until: when the last of the events happened, in seconds on the run's clock.
    """

    def __init__(self) -> None:
        self._begin()

    @classmethod
    def of(cls, recording: Recording) -> EventMarks:
        """The marks of all events read so far. Reads only, and may do so in a thread while nothing is added."""
        made = cls()
        made.take(recording)
        return made

    def _begin(self) -> None:
        self.flags: list[Flag] = []
        self.absences, self.elapsed = Absences(event_text), ElapsedTime()
        self.until = -math.inf
        self._known, self._limits, self._names = 0, LimitsHistory(), JournalNames()

    def take(self, recording: Recording) -> None:
        """Add the marks of events read since the last call."""
        if self._known and any(isinstance(event, RunRecovered) for event in recording.events[self._known :]):
            self._begin()  # it has moved the times of all earlier events
        events = recording.events
        if events:
            self._names.run_id = events[0].run_id
        for place in [place for place in range(self._known, len(events)) if type(events[place]) in _MARKED]:
            event, at = events[place], recording.times[place]
            self._limits.take(event)
            self._names.take(event)
            self.absences.take(event, at)
            self.elapsed.take(event, at)
            flag = flag_of(event, self._tell)
            if flag is not None:
                planted(self.flags, flag._replace(at=at))
        self._known = len(events)
        self.until = recording.times[-1] if events else -math.inf

    def _tell(self, event: Event) -> str:
        return event_text(event, self._names, before=self._limits.before(event))
