"""The difference between a run and an earlier one: task by task, and as a whole."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from starloom.foresight.projection import Certainty
from starloom.model.status import RunState, TaskStatus
from starloom.scheduling.read.run_view import RunView
from starloom.scheduling.read.simulated import simulations
from starloom.scheduling.read.summary import elapsed, gone_on_at
from starloom_gui.diff.baseline_run import told
from starloom_gui.diff.plan_difference import TASK_FIELDS, field_changes

if TYPE_CHECKING:
    from starloom.foresight.projection import Projection
    from starloom.scheduling.state.run_facts import RunFacts
    from starloom_gui.diff.baseline_run import BaselineRun, Told
    from starloom_gui.diff.plan_difference import FieldChange


@dataclass(frozen=True, slots=True)
class TaskPair:
    """One task in both runs.

    Attributes:
        then: None: the earlier run had no such task.
        now: None: this one has none.
        fields: what is another in its definition: the name of each field, its value then and now.
    """

    then: Told | None
    now: Told | None
    fields: tuple[FieldChange, ...] = ()

    @property
    def later(self) -> float | None:
        """The seconds by which it started later, counted from the starts of both runs; None: unknown."""
        return more(self.then.start, self.now.start) if self.then is not None and self.now is not None else None

    @property
    def longer(self) -> float | None:
        """The seconds by which it ran longer; of one that still runs only once it has; None: not known yet.

        One that was only simulated did not run.
        """
        if self.then is None or self.now is None or self.then.is_simulated is not self.now.is_simulated:
            return None
        by = more(self.then.ran, self.now.ran)
        goes_on = self.now.status is TaskStatus.RUNNING and not self.now.is_foreseen
        return None if goes_on and by is not None and by <= 0 else by


def pair_of(
    earlier: BaselineRun, run: RunFacts, number: int, at: float, projection: Projection | None = None
) -> TaskPair:
    """A task of a run and the task of the same id in the earlier one.

    Args:
        earlier: the run it is compared with.
        run: the facts.
        number: of the task in this run.
        at: seconds on the engine's clock.
        projection: what is foreseen of this run; None: nothing.
    """
    name = run.graph.ids[number]
    before, after = earlier.task(name), run.graph.tasks[number]
    fields = field_changes(before, after, TASK_FIELDS) if before is not None and after is not None else ()
    return TaskPair(earlier.told(name), told(run, number, at, projection), fields)


def more(before: float | None, after: float | None) -> float | None:
    """The second number less the first; None: one of them is not known."""
    return None if before is None or after is None else after - before


@dataclass(frozen=True, slots=True)
class Whole:
    """Two runs as a whole. The idle time between an end and a reopening counts for neither.

    Attributes:
        took: for how many seconds the earlier one went on.
        had_ended: whether it was over then.
        takes: for how many seconds this one went on, or is foreseen to; None: it has not started, or nobody can tell.
        is_least: whether it may well take longer than `takes`, as something before its end has no estimate.
        has_ended: whether it is over.
        done: how many tasks are done, now and so many seconds after the earlier one's start; None: it is over, or has
            not started.
        states: how both stand.
        added, removed: how many tasks only this one has, and only the earlier one.
        simulated: how many tasks of the earlier one, and of this one, count as done though they were only simulated.
    """

    took: float
    had_ended: bool
    takes: float | None
    is_least: bool
    has_ended: bool
    done: tuple[int, int] | None
    states: tuple[RunState, RunState]
    added: int
    removed: int
    simulated: tuple[int, int] = (0, 0)

    @property
    def is_alike(self) -> bool:
        """Whether tasks of both have run, or of both were only simulated: else neither is faster than the other."""
        return bool(self.simulated[0]) is bool(self.simulated[1])

    @property
    def behind(self) -> float | None:
        """The seconds by which this one ends, or is projected to end, later; None: unknown.

        One that was cancelled is not faster for that, nor one that was only simulated.
        """
        is_known = self.is_alike and self.had_ended and not self.is_least and RunState.CANCELLED not in self.states
        return self.takes - self.took if self.takes is not None and is_known else None


def whole(earlier: BaselineRun, run: RunFacts, at: float, projection: Projection | None = None) -> Whole:
    """A run and the earlier one as a whole, at a moment and by the projection.

    Args:
        earlier: the run it is compared with.
        run: the facts.
        at: seconds on the engine's clock.
        projection: what is foreseen of this run; None: nothing.
    """
    has_begun = run.run_started_at is not None
    has_ended = run.state.has_ended and run.run_ended_at is not None
    takes, is_least, done = None, False, None
    if has_begun and has_ended:
        takes = elapsed(run, at)
    elif has_begun:
        done = RunView(run).count(TaskStatus.COMPLETED), earlier.done_by(gone_on_at(run, at))
        if projection is not None and projection.end is not None:
            takes = elapsed(run, max(at, projection.end))
            is_least = projection.certainty is not Certainty.EXPECTED or RunView(run).is_overdue
    place, old = run.graph.place, earlier.run.graph.place
    both = len(place.keys() & old.keys())
    return Whole(
        took=earlier.took,
        had_ended=earlier.has_ended,
        takes=takes,
        is_least=is_least,
        has_ended=has_ended,
        done=done,
        states=(earlier.run.state, run.state),
        added=len(place) - both,
        removed=len(old) - both,
        simulated=(simulations(earlier.run), simulations(run)),
    )


def is_there(run: RunFacts, number: int) -> bool:
    """Whether a number is that of a task of the run, and not of one that is only staged or was removed."""
    return RunView(run).has(number)
