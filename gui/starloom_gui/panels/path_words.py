"""A task's place on the critical path in words, also where it follows another one for want of a slot only."""

from __future__ import annotations

from typing import TYPE_CHECKING

from starloom.scheduling.read.waiting_causes import WaitedFor
from starloom_gui.text.words import fill, translate

if TYPE_CHECKING:
    from starloom.foresight.projection import Projection
    from starloom.scheduling.read.critical_path import CriticalPath
    from starloom.scheduling.read.run_view import RunView, TaskView

    Steps = list[tuple[str, str, WaitedFor]]


def on_path(task: TaskView, projection: Projection | None, made: CriticalPath | None) -> str:
    """The sentence on a task's place on the critical path; empty: it is not on it, or the path is unknown.

    Args:
        task: any.
        projection: what is foreseen of the run, if anything is.
        made: what decided the finish of a run that has ended, or when it goes on what has so far, if that is known.
    """
    steps, id = _steps(task.run, projection, made), task.id
    place = next((place for place, (own, _, _) in enumerate(steps) if own == id), None)
    if place is None:
        return ""
    waited_for, before = steps[place][2], steps[place - 1][1] if place else ""
    if before and waited_for is WaitedFor.SLOT:
        return fill(translate("Inspector", "on the critical path, after %1 in its slot"), before)
    if before and waited_for is WaitedFor.LIMIT:
        return fill(translate("Inspector", "on the critical path, after %1 because of a limit"), before)
    if before and waited_for is WaitedFor.HEARD_LATE:
        return fill(translate("Inspector", "on the critical path, after %1, of whose end was heard late"), before)
    return translate("Inspector", "on the critical path")


def _steps(run: RunView, projection: Projection | None, made: CriticalPath | None) -> Steps:
    """The id, empty for a task of another run, the name, and what was waited for, of each step."""
    if made is not None:
        known = len(run.graph.ids)  # the facts may be of a moment before some of the tasks were added
        steps = [(one, one.number < known) for one in made.steps]
        return [
            (
                run.graph.ids[one.number] if is_there else "",
                run.task(one.number).title if is_there else "",
                one.waited_for,
            )
            for one, is_there in steps
        ]
    found: Steps = []
    for one in projection.path if projection is not None else ():
        number = run.graph.place.get(one.task_id) if one.run_id == run.run_id else None
        id, name = (one.task_id, run.task(number).title) if number is not None else ("", one.task_id)
        found.append((id, name, one.waited_for))
    return found
