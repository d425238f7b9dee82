"""What the axis of time shows of a recorded run's events: interventions, and when devices could not be used."""

from __future__ import annotations

from typing import TYPE_CHECKING

from starloom_gui.gateway.limits_history import LimitsHistory
from starloom_gui.time_travel.names import JournalNames
from starloom_gui.viewmodel.absences import Absences
from starloom_gui.viewmodel.event_words import event_text
from starloom_gui.viewmodel.flags import flag_of, planted

if TYPE_CHECKING:
    from starloom.events import Event
    from starloom.journal.recording import Recording
    from starloom_gui.viewmodel.flags import Flag


class EventMarks:
    """The marks of the events that were read so far.

    Attributes:
        flags: of the interventions, oldest first.
        absences: when devices could not be used.
    """

    def __init__(self) -> None:
        self.flags: list[Flag] = []
        self.absences = Absences(event_text)
        self._known, self._limits, self._names = 0, LimitsHistory(), JournalNames()

    def take(self, recording: Recording) -> None:
        """Mark what was read since the last time."""
        for place in range(self._known, len(recording)):
            event, at = recording.events[place], recording.times[place]
            self._limits.take(event)
            self._names.take(event)
            self.absences.take(event, at)
            flag = flag_of(event, self._tell)
            if flag is not None:
                planted(self.flags, flag._replace(at=at))
        self._known = len(recording)

    def _tell(self, event: Event) -> str:
        return event_text(event, self._names, before=self._limits.before(event))
