"""Lookup of the run and the tasks that a command or a report names."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from starloom.constellation.validation import REMOVED_HINT
from starloom.errors import CommandRefused, nearest
from starloom.pauses import with_pauses
from starloom.scheduling.state.codes import RUNNING
from starloom.scheduling.state.removals import removals

FEW: Final = 2_048
"""Tasks that are looked up in a fraction of a millisecond."""

if TYPE_CHECKING:
    from typing import Protocol

    from starloom.scheduling import commands
    from starloom.scheduling.state.run_index import RunIndex
    from starloom.scheduling.state.scheduler_state import SchedulerState


def find(scheduler: SchedulerState, run_id: str) -> RunIndex:
    """The run of a command.

    Raises:
        CommandRefused: there is no such run.
    """
    index = scheduler.runs.get(run_id)
    if index is None:
        raise CommandRefused("unknown_run", f"There is no run {run_id!r}.", "List the runs to see their ids.")
    return index


def tasks_of(scheduler: SchedulerState, command: commands.TasksCommand) -> tuple[RunIndex, list[int]]:
    """The run and the task numbers of a command.

    Raises:
        CommandRefused: no task was named, or one that is not there.
    """
    index = find(scheduler, command.run_id)
    place = index.run.graph.place
    if not command.task_ids:
        raise CommandRefused("no_tasks", "No task was named.", "Name at least one task id.")
    pause = scheduler.turn.pause
    for task_id in with_pauses(command.task_ids, pause, FEW):
        if task_id not in place:
            removal = removals(index.run).get(task_id)
            if removal is not None:
                raise CommandRefused("unknown_task", removal.sentence(task_id), REMOVED_HINT)
            near = nearest(task_id, place)
            hint = f"Did you mean {near!r}?" if near else "List the run's tasks to see their ids."
            raise CommandRefused("unknown_task", f"There is no task {task_id!r} in this run.", hint)
    return index, [place[task_id] for task_id in with_pauses(dict.fromkeys(command.task_ids), pause, FEW)]


if TYPE_CHECKING:

    class AttemptReport(Protocol):
        """The protocol of stimuli about an attempt."""

        @property
        def run_id(self) -> str:
            """The id of its run."""

        @property
        def task_id(self) -> str:
            """The id of its task."""

        @property
        def attempt(self) -> int:
            """Its number."""


def running_attempt(scheduler: SchedulerState, report: AttemptReport) -> tuple[RunIndex, int] | None:
    """The run and the number of the task whose running attempt a report is about; None: it runs no more."""
    index = scheduler.runs.get(report.run_id)
    number = None if index is None else index.run.number(report.task_id)
    if index is None or number is None:
        return None
    is_running = index.run.status[number] == RUNNING and index.run.tries[number] == report.attempt
    return (index, number) if is_running else None
