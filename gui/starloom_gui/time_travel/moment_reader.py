"""Reading a run as it was at one moment, from its journal."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

from starloom.scheduling.read.line import in_line
from starloom.scheduling.read.run_view import RunView
from starloom.scheduling.read.why import why
from starloom.scheduling.restore import beside
from starloom.scheduling.state.fence import kept
from starloom_gui.viewmodel.wall_time import WallTime

if TYPE_CHECKING:
    from collections.abc import Iterable

    from starloom.journal.base import Moment
    from starloom.scheduling.read.line import InLine
    from starloom.scheduling.read.why import Reason
    from starloom.scheduling.scheduler import Scheduler
    from starloom.scheduling.state.fleet_facts import FleetFacts
    from starloom.scheduling.state.folded_run import FoldedRun
    from starloom.scheduling.state.run_facts import RunFacts


class MomentReader:
    """Reads a run at a past moment, with the fleet of the run's journal. Its log is that of the moment's owner.

    Args:
        position: how many of its events had happened.
        at: the moment, in seconds; not before the last of these events.
        moment: the run as they make it.
    """

    def __init__(self, position: int, at: float, moment: Moment) -> None:
        self.position, self.at = position, at
        self.folded: FoldedRun = moment.view
        self._wall = moment.wall - moment.at

    @cached_property
    def _scheduler(self) -> Scheduler:
        return beside(self.folded, self.at)

    def facts(self) -> RunFacts:
        """The facts of the run."""
        return self.folded.run

    def view(self) -> RunView:
        """The run."""
        return RunView(self.folded.run)

    def now(self) -> float:
        """The moment, in seconds on the run's clock."""
        return self.at

    def fleet(self) -> FleetFacts:
        """The facts of the fleet."""
        return self.folded.fleet

    def runs(self) -> list[RunFacts]:
        """The facts of this run alone."""
        return [self.folded.run]

    def run(self, run_id: str) -> RunFacts | None:
        """The facts of the run, if it is this one."""
        return self.folded.run if run_id == self.folded.run.run_id else None

    def in_line(self, most: int) -> tuple[list[InLine], int]:
        """The first so many of the run's ready queue, and how many stood in it."""
        return in_line(self._scheduler, self.at, most)

    def wall(self, at: float) -> float:
        """Seconds since 1970 of a time."""
        sessions = self.folded.run.sessions
        return at + (WallTime(sessions).ahead(at) if sessions else self._wall)

    def why(self, run_id: str, task_id: str) -> tuple[Reason, ...]:
        """The reasons why a task did not run."""
        run = self.run(run_id)
        number = run.number(task_id) if run is not None else None
        return () if number is None else why(self._scheduler, self._scheduler.runs[run_id], number)

    def fenced(self, among: Iterable[int] | None = None) -> frozenset[int]:
        """The ready tasks of the run, or those among some, that did not start because agents, or people, were asked."""
        if self.folded.run.cycles is None:  # so that no scheduler has to be made for most moments
            return frozenset()
        return kept(self._scheduler.runs[self.folded.run.run_id], among)
