"""Projections of a run's end at moments of its past, for its report.

The engine also takes estimates from earlier runs of the plan, which a journal does not hold: it tells of one run and
travels alone. So an end is only told where the plan estimates every task that is left; any other end could be one
that nobody was shown then.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from starloom.foresight.estimates import EstimateSource
from starloom.foresight.projection import Certainty, project
from starloom.reporting.finish import Foreseen
from starloom.scheduling.fork import Fork
from starloom.scheduling.restore import beside

if TYPE_CHECKING:
    from starloom.foresight.projection import TaskForecast
    from starloom.scheduling.state.folded_run import FoldedRun
    from starloom.scheduling.state.run_facts import RunFacts

MOST_TASKS: Final = 200_000
"""So many tasks are looked ahead over for one report, those of all moments together: some seconds."""
MOST_PAUSES: Final = 8_000
"""So often a look ahead may say that it could give way; one that goes on, as of a task that fails for ever, is left."""


class _TooLong(Exception):  # noqa: N818 - it never leaves this module
    """A look ahead takes longer than it is worth."""


class Hindsight:
    """Makes projections at moments of a run's past, up to a total cost; deterministic."""

    def __init__(self) -> None:
        self._left = MOST_TASKS

    def __call__(self, folded: FoldedRun, at: float) -> Foreseen | None:
        """See `reporting.finish.Foresee`."""
        self._left -= folded.run.open
        if self._left < 0 or folded.run.run_started_at is None:
            return None
        pauses = 0

        def pause() -> None:
            nonlocal pauses
            pauses += 1
            if pauses > MOST_PAUSES:
                raise _TooLong

        fork = Fork.of(beside(folded.copy(), at), at, also=[folded.run.run_id])
        try:
            found = project(fork, folded.run.run_id, samples=0, pause=pause)
        except _TooLong:
            return None
        if found.end is None or any(_may_be_learnt(folded.run, task) for task in found.tasks.values()):
            return None
        return Foreseen(found.end, is_least=found.certainty is Certainty.LOWER_BOUND)


def _may_be_learnt(run: RunFacts, task: TaskForecast) -> bool:
    """Whether earlier runs may have said how long it takes; of gates they don't."""
    return task.estimate.source is not EstimateSource.DECLARED and run.graph.task(task.task_id).gate is None
