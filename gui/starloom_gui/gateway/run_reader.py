"""The protocol by which every pane reads a run: at present, at a past moment, or from its journal."""

from __future__ import annotations

from enum import Enum
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from starloom.scheduling.read.line import InLine
    from starloom.scheduling.read.run_view import RunView
    from starloom.scheduling.read.why import Reason
    from starloom.scheduling.state.fleet_facts import FleetFacts
    from starloom.scheduling.state.run_facts import RunFacts
    from starloom_gui.gateway.event_log import Log


class Availability(Enum):
    """Whether what is asked for can be read at once."""

    READY = "ready"
    LOADING = "loading"
    UNAVAILABLE = "unavailable"


class RunReader(Protocol):
    """The protocol of reading a run or a plan without waiting.

    Nothing here is sent to an engine: the present is facts that this process has, and a moment of the past has been
    read from the journal before it is shown. So the engine itself may be in another process.
    """

    @property
    def run_id(self) -> str:
        """The id of the run; empty: it is a plan."""

    @property
    def is_past(self) -> bool:
        """Whether the shown moment is read-only."""

    @property
    def log(self) -> Log:
        """The events up to what is shown."""

    def facts(self) -> RunFacts | None:
        """The facts of the run; None: there is no such run."""

    def view(self) -> RunView | None:
        """The run; None: there is no such run."""

    def now(self) -> float:
        """The time that is shown, in seconds on the run's clock."""

    def fleet(self) -> FleetFacts:
        """The facts of the fleet."""

    def runs(self) -> Sequence[RunFacts]:
        """The facts of all runs, oldest first; of the past, of this one alone."""

    def run(self, run_id: str) -> RunFacts | None:
        """The facts of a run; None: there is no such run."""

    def in_line(self, most: int) -> tuple[list[InLine], int]:
        """The first so many of the ready queue, and how many stand in it."""

    def wall(self, at: float) -> float:
        """Seconds since 1970 of a time on the run's clock."""

    def why(self, run_id: str, task_id: str) -> tuple[Reason, ...]:
        """The reasons why a task does not run, the blocking ones first; none of an unknown task or run."""

    def fenced(self, among: Iterable[int] | None = None) -> frozenset[int]:
        """The ready tasks, or those among some, that do not start because agents, or people, are asked."""


def others(reader: RunReader, run_id: str) -> list[RunFacts]:
    """The facts of all runs but one; none beside a plan, whose times count from its start."""
    if reader.run(run_id) is None:
        return []
    return [run for run in reader.runs() if run.run_id != run_id]
