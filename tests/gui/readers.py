"""Readers of runs without an engine in this process."""

from __future__ import annotations

from typing import TYPE_CHECKING

from starloom.scheduling.read.line import in_line
from starloom.scheduling.read.why import why
from starloom.scheduling.state.fence import kept
from starloom_gui.viewmodel.run_views import run_view

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from starloom.scheduling.read.line import InLine
    from starloom.scheduling.read.run_view import RunView
    from starloom.scheduling.read.why import Reason
    from starloom.scheduling.scheduler import Scheduler
    from starloom.scheduling.state.fleet_facts import FleetFacts
    from starloom.scheduling.state.run_facts import RunFacts
    from starloom_gui.gateway.event_log import Log


class SchedulerReader:
    """Reads a run of a scheduler without an engine.

    Args:
        scheduler: gives it as it is.
        log: its events.
        run_id: of the run.
        now: gives seconds on its clock.
    """

    is_past = False

    def __init__(self, scheduler: Callable[[], Scheduler], log: Log, run_id: str, now: Callable[[], float]) -> None:
        self._scheduler, self.log, self.run_id, self.now = scheduler, log, run_id, now

    def facts(self) -> RunFacts | None:
        return self.run(self.run_id)

    def view(self) -> RunView | None:
        return run_view(self.facts())

    def fleet(self) -> FleetFacts:
        return self._scheduler().fleet

    def runs(self) -> list[RunFacts]:
        return [index.run for index in self._scheduler().runs.values()]

    def run(self, run_id: str) -> RunFacts | None:
        index = self._scheduler().runs.get(run_id)
        return index.run if index is not None else None

    def in_line(self, most: int) -> tuple[list[InLine], int]:
        return in_line(self._scheduler(), self.now(), most)

    def wall(self, at: float) -> float:
        return at

    def why(self, run_id: str, task_id: str) -> tuple[Reason, ...]:
        index = self._scheduler().runs.get(run_id)
        number = index.run.number(task_id) if index is not None else None
        return () if index is None or number is None else why(self._scheduler(), index, number)

    def fenced(self, among: Iterable[int] | None = None) -> frozenset[int]:
        return kept(self._scheduler().runs[self.run_id], among)
