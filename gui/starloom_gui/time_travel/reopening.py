"""A run that is only shown from its journal, and what is offered of it: to reopen it, if it has ended."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

    from starloom.journal.recording import Recording
    from starloom_gui.specs.action_spec import Verdict
    from starloom_gui.time_travel.event_marks import EventMarks


@dataclass(frozen=True, slots=True)
class Reopening:
    """How a run that is shown from its journal is reopened.

    Attributes:
        do: reopens it; returns at once.
        verdict: whether that can be done.
    """

    do: Callable[[], object]
    verdict: Verdict


@dataclass(frozen=True, slots=True)
class ReadJournal:
    """The journal of a run that is only shown from it.

    Attributes:
        recording: read to its end.
        marks: of its events.
        reopening: what is offered of the run; None: nothing.
    """

    recording: Recording
    marks: EventMarks
    reopening: Reopening | None = None
