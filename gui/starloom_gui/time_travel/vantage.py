"""From where a run is seen: now, or from a moment of its journal. Panes read through it and need not know which."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from starloom.errors import CommandRefused
from starloom.scheduling.fence import kept
from starloom.scheduling.line import in_line
from starloom.scheduling.restore import beside
from starloom.scheduling.why import why
from starloom_gui.gateway.changes import Changes
from starloom_gui.time_travel.log import PastLog, SeenLog
from starloom_gui.viewmodel.wall_time import WallTime

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from starloom.journal.base import Moment
    from starloom.journal.recording import Recording
    from starloom.scheduling.fleet_facts import FleetFacts
    from starloom.scheduling.line import InLine
    from starloom.scheduling.run_facts import RunFacts
    from starloom.scheduling.run_view import RunView
    from starloom.scheduling.scheduler import Scheduler
    from starloom.scheduling.why import Reason
    from starloom_gui.gateway.event_log import Log
    from starloom_gui.viewmodel.roles import Clock, Facts


@dataclass(frozen=True, slots=True, kw_only=True)
class Present:
    """What can be read of a run as it is now; see `sheets.source.Surroundings` for what each gives."""

    facts: Facts
    clock: Clock
    fleet: Callable[[], FleetFacts]
    runs: Callable[[], Sequence[RunFacts]]
    run: Callable[[str], RunFacts | None]
    line: Callable[[int], tuple[list[InLine], int]]
    wall: Callable[[float], float]
    why: Callable[[str, str], tuple[Reason, ...]]
    fenced: Callable[[Iterable[int] | None], frozenset[int]]
    log: Log


class Past:
    """A run as it was at one moment; only read.

    Args:
        position: how many of its events had happened.
        at: the moment, in seconds; not before the last of these events.
        moment: the run as they make it.
    """

    def __init__(self, position: int, at: float, moment: Moment) -> None:
        self.position, self.at = position, at
        self.view: RunView = moment.view
        self._wall = moment.wall - moment.at

    @cached_property
    def _scheduler(self) -> Scheduler:
        return beside(self.view, self.at)

    def line(self, most: int) -> tuple[list[InLine], int]:
        """The first so many of the run's ready queue, and how many stood in it."""
        return in_line(self._scheduler, self.at, most)

    def why(self, task_id: str) -> tuple[Reason, ...]:
        """Why a task did not run."""
        number = self.view.run.number(task_id)
        index = self._scheduler.runs[self.view.run.run_id]
        return () if number is None else why(self._scheduler, index, number)

    def fenced(self, among: Iterable[int] | None = None) -> frozenset[int]:
        """The ready tasks of the run, or those among some, that did not start because agents, or people, were asked."""
        if self.view.run.cycles is None:  # so that no scheduler has to be made for most moments
            return frozenset()
        return kept(self._scheduler.runs[self.view.run.run_id], among)

    def wall(self, at: float) -> float:
        """Seconds since 1970 of a time."""
        sessions = self.view.run.sessions
        return at + (WallTime(sessions).ahead(at) if sessions else self._wall)


class Vantage(QObject):
    """What panes read of one run, now or at the moment that is shown of it.

    Args:
        run_id: of the run.
        present: how it is read as it is now; None: only its journal tells of it.
        parent: of the object.

    Attributes:
        run_id: of the run.
        past: the moment that is shown; None: the present is.
        log: the events up to then.

    Signals:
        moved(Changes): another moment is shown, or the present again; everything is to be read anew.
        passed(Changes): time has passed at which nothing happened.
    """

    moved = Signal(object)
    passed = Signal(object)

    def __init__(self, run_id: str, present: Present | None = None, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.run_id, self._present = run_id, present
        self.past: Past | None = None
        self.log = SeenLog(present.log if present is not None else None)
        self._past_log: PastLog | None = None

    # ---- where from

    @property
    def is_past(self) -> bool:
        """Whether nothing can be done about what is shown."""
        return self.past is not None or self._present is None

    @property
    def has_present(self) -> bool:
        """Whether there is a present to go back to."""
        return self._present is not None

    def show_past(self, recording: Recording, past: Past) -> None:
        """Show a moment."""
        if self._past_log is None:
            self._past_log = PastLog(recording)
        before = self._past_log.end
        self._past_log.go_to(past.position)
        self.log.show(self._past_log, is_back=self._past_log.end < before)
        self.past = past
        self.moved.emit(Changes(run_id=self.run_id, everything=True, log=True))

    def pass_time(self, at: float) -> None:
        """Show the same facts at a later or earlier time."""
        if self.past is not None:
            self.past.at = at
            self.passed.emit(Changes(run_id=self.run_id, second=True))

    def show_present(self) -> None:
        """Show the run as it is now."""
        if self._present is not None and self.past is not None:
            self.past = None
            self.log.show(self._present.log)
            self.moved.emit(Changes(run_id=self.run_id, everything=True, log=True))

    # ---- reading

    def facts(self) -> RunFacts | None:
        """The facts of the run."""
        if self.past is not None:
            return self.past.view.run
        return self._present.facts() if self._present is not None else None

    def now(self) -> float:
        """The time that is shown, on the run's clock."""
        if self.past is not None:
            return self.past.at
        return self._present.clock() if self._present is not None else 0.0

    def present_time(self) -> float | None:
        """The time it is really; None: there is no present, or the run has ended in it."""
        run = self._present.facts() if self._present is not None else None
        if self._present is None or run is None or run.state.has_ended:
            return None
        return self._present.clock()

    def fleet(self) -> FleetFacts:
        """The facts of the fleet; at a moment, as the run's own journal tells of it."""
        return self._seen().fleet if self.past is not None else self._now().fleet()

    def runs(self) -> Sequence[RunFacts]:
        """The facts of all runs; at a moment, of this one alone."""
        return [self._seen().run] if self.past is not None else self._now().runs()

    def run(self, run_id: str) -> RunFacts | None:
        """The facts of a run; None: there is none."""
        if self.past is not None:
            return self._seen().run if run_id == self.run_id else None
        return self._now().run(run_id)

    def line(self, most: int) -> tuple[list[InLine], int]:
        """The first so many of the ready queue, and how many stand in it."""
        return self.past.line(most) if self.past is not None else self._now().line(most)

    def wall(self, at: float) -> float:
        """Seconds since 1970 of a time on the run's clock."""
        return self.past.wall(at) if self.past is not None else self._now().wall(at)

    def why(self, run_id: str, task_id: str) -> tuple[Reason, ...]:
        """Why a task does not run; nothing is known of one that is only staged."""
        if self.past is not None:
            return self.past.why(task_id) if run_id == self.run_id else ()
        try:
            return self._now().why(run_id, task_id)
        except CommandRefused:
            return ()

    def fenced(self, among: Iterable[int] | None = None) -> frozenset[int]:
        """The ready tasks, or those among some, that do not start because agents, or people, are asked."""
        return self.past.fenced(among) if self.past is not None else self._now().fenced(among)

    def _seen(self) -> RunView:
        assert self.past is not None, "a moment is shown"
        return self.past.view

    def _now(self) -> Present:
        assert self._present is not None, "a recording is shown at a moment before anything reads it"
        return self._present
