"""The tasks that an edit of a run lets start at once, because it takes away what they wait for."""

from __future__ import annotations

from typing import TYPE_CHECKING

from starloom import events as ev
from starloom.constellation.edits import EditBatch, RemoveDependency, RemoveTask, UpdateDependency
from starloom.errors import CommandRefused
from starloom.model.status import RunState, TaskStatus
from starloom.scheduling.decide.editing import rehearsed
from starloom.scheduling.fold.apply import apply
from starloom.scheduling.read.run_view import TaskView
from starloom.scheduling.state.run_facts import NOT_YET, READY

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from starloom.constellation.edits import Edit
    from starloom.scheduling.state.run_facts import RunFacts


def starts_at_once(run: RunFacts, edits: Sequence[Edit]) -> tuple[int, ...]:
    """The tasks that wait now and that nothing keeps from starting after the edits, by number.

    None of a run that starts nothing at present, and none if the edits would be refused.

    Args:
        run: as it is; only read.
        edits: what would be applied, as one batch.
    """
    if run.state is not RunState.EXECUTING:
        return ()
    waiting = {child for child in _freed(run, edits) if _waits(run, child)}
    if not waiting:
        return ()
    batch = EditBatch(edits=tuple(edits))
    try:
        rehearsal = rehearsed(run, batch)
    except CommandRefused:
        return ()
    if rehearsal.problems:
        return ()
    after = run.copy(run.fleet)
    event = ev.ConstellationModified(
        run.seq,
        0.0,
        run.run_id,
        revision=run.revision,
        changes=rehearsal.changes,
        inverse=rehearsal.inverse,
        origin=batch.origin,
    )
    apply(after, event)
    return tuple(
        child for child in sorted(waiting) if TaskView(after, child).is_to_start and after.standing(child) == READY
    )


def _waits(run: RunFacts, number: int) -> bool:
    task = TaskView(run, number)
    waits = task.status is TaskStatus.WAITING_DEPENDENCY and not task.is_held
    return waits and run.standing(number) == NOT_YET


def _freed(run: RunFacts, edits: Sequence[Edit]) -> Iterator[int]:
    """The tasks that would wait for less."""
    place, children = run.graph.place, run.graph.children
    for edit in edits:
        if isinstance(edit, RemoveTask) and edit.task_id in place:
            yield from children[place[edit.task_id]]
        elif isinstance(edit, RemoveDependency | UpdateDependency):
            child = edit.child if isinstance(edit, RemoveDependency) else edit.dependency.child
            if child in place:
                yield place[child]
