"""Views of runs, as panes read them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from starloom.model.status import TaskStatus
from starloom.scheduling.read.run_view import RunView

if TYPE_CHECKING:
    from starloom.scheduling.state.run_facts import RunFacts


def run_view(facts: RunFacts | None) -> RunView | None:
    """The run of these facts; None: there is none."""
    return None if facts is None else RunView(facts)


def failed_tasks(run: RunView | None) -> tuple[str, ...]:
    """The ids of the tasks that have failed; of no run: none."""
    return () if run is None else tuple(task.id for task in run.with_status(TaskStatus.FAILED))
