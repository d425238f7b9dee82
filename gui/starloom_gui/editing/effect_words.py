"""The effect of staged edits in words and figures: finish, path, devices, skips, and what was checked."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import groupby
from typing import TYPE_CHECKING, Final

from starloom.constellation.edits import AddTask, UpdateTask
from starloom.foresight.projection import Certainty
from starloom.scheduling.state.device_facts import DeviceRequirements
from starloom_gui.editing.change_words import names, title
from starloom_gui.editing.early_starts import starts_at_once
from starloom_gui.text.words import clock, fill, remaining, time_of_day, translate

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from starloom.constellation.edits import Edit
    from starloom.constellation.graph import Graph
    from starloom.errors import Problem
    from starloom.foresight.projection import Projection
    from starloom.foresight.what_if import WhatIf
    from starloom.model.task import Task
    from starloom.scheduling.state.fleet_facts import FleetFacts
    from starloom.scheduling.state.run_facts import RunFacts

_SAME: Final = 0.5
"""Seconds by which a finish may differ without being another."""
_MINUTE: Final = 60.0


@dataclass(frozen=True, slots=True)
class EffectFigure:
    """One figure before and after the edits; `before` is empty where there is nothing to compare with."""

    name: str
    before: str
    after: str


@dataclass(frozen=True, slots=True)
class FinishEffect:
    """When a run would end, with and without the edits, as times of day.

    Attributes:
        gain: how much sooner or later, in words; empty: nobody can tell.
    """

    before: str
    after: str
    gain: str = ""


@dataclass(frozen=True, slots=True)
class EffectCheck:
    """The result of one check of the edits."""

    ok: bool
    text: str


def finish_of(found: WhatIf, wall: Callable[[float], float]) -> FinishEffect:
    """When the run would end; `wall` gives seconds since 1970 of a moment on the engine's clock."""
    one, other = _end(found.before), _end(found.after)
    gain = None if one is None or other is None else other - one
    fine = gain is not None and abs(gain) < 2 * _MINUTE
    if fine and one is not None and other is not None:
        gain = float(int(wall(other)) - int(wall(one)))  # as the times that are shown differ, which are cut to seconds
    return FinishEffect(
        _hour(found.before, one, wall, fine=fine), _hour(found.after, other, wall, fine=fine), gain_words(gain)
    )


def gain_words(seconds: float | None) -> str:
    """The difference of two times in words, e.g. `6 min earlier`."""
    if seconds is None:
        return ""
    if abs(seconds) < _SAME:
        return translate("Editing", "as before")
    size = abs(seconds)
    words = remaining(size) if size < _MINUTE else fill(translate("Editing", "%1 min"), round(size / _MINUTE))
    if seconds < 0:
        return fill(translate("Editing", "%1 earlier"), words)
    return fill(translate("Editing", "%1 later"), words)


def _end(projection: Projection | None) -> float | None:
    if projection is None or projection.certainty is Certainty.UNKNOWN or _has_ended(projection):
        return None
    return projection.end  # what header and timeline say, too


def _has_ended(projection: Projection) -> bool:
    """Whether nothing is left to run, so that the projected end is the moment of the projection."""
    return not projection.tasks and projection.end is not None and projection.end <= projection.at


def _hour(projection: Projection | None, end: float | None, wall: Callable[[float], float], *, fine: bool) -> str:
    if projection is not None and _has_ended(projection):
        return translate("Editing", "ended")
    if projection is None or end is None:
        return translate("Editing", "unknown")
    hour = time_of_day(wall(end))[: 8 if fine else 5]
    return fill(translate("Editing", "%1+"), hour) if projection.certainty is Certainty.LOWER_BOUND else hour


def figures_of(found: WhatIf, after: Graph, wall: Callable[[float], float]) -> list[EffectFigure]:
    """A line for each figure that changes, and for the finish.

    Args:
        found: before and after the edits.
        after: the graph with the edits, for the names of tasks.
        wall: gives seconds since 1970 of a moment on the engine's clock.
    """
    finish, then = finish_of(found, wall), found.after
    figures = [EffectFigure(translate("Editing", "Finish"), finish.before, finish.after)]
    if then is None:
        return figures
    now = found.before
    figures += _differing(translate("Editing", "Time left"), _left(now), _left(then))
    figures += _differing(translate("Editing", "Devices in use"), str(len(now.devices)), str(len(then.devices)))
    figures += _differing(translate("Editing", "Failures expected"), str(len(now.failing)), str(len(then.failing)))
    moved = [move.task_id for move in found.moves if move.device_id != move.new_device_id]
    figures += _named(translate("Editing", "Move device"), moved, after)
    return figures + _named(translate("Editing", "Would be skipped"), found.skipped, after)


def _left(projection: Projection) -> str:
    end = _end(projection)
    return clock(end - projection.at) if end is not None else ""


def _differing(name: str, before: str, after: str) -> list[EffectFigure]:
    return [EffectFigure(name, before, after)] if before != after and before and after else []


def _named(name: str, ids: Sequence[str], graph: Graph) -> list[EffectFigure]:
    return [EffectFigure(name, "", names(title(graph, id) for id in ids))] if ids else []


def path_names(projection: Projection | None, run_id: str, graph: Graph) -> tuple[str, ...]:
    """The tasks that decide the finish, first to last; one that is tried several times in a row is named once.

    Args:
        projection: what is foreseen; None: nothing is.
        run_id: of the run that is shown; a task of another one is named by its id.
        graph: with all tasks of the run in it, also those that would come and go.
    """
    if projection is None:
        return ()
    steps = groupby((step.run_id, step.task_id) for step in projection.path)
    return tuple(title(graph, id) if whose == run_id else id for (whose, id), _ in steps)


# ---- checks


def checks_of(run: RunFacts, edits: Sequence[Edit], after: RunFacts, problems: Iterable[Problem]) -> list[EffectCheck]:
    """The checks of staged edits.

    Args:
        run: as it is.
        edits: those that fit.
        after: the facts with them applied.
        problems: of those that do not.
    """
    codes = {problem.code for problem in problems}
    checks = [
        EffectCheck("cycle" not in codes, _either(codes, "cycle")),
        EffectCheck("immutable" not in codes, _either(codes, "immutable")),
    ]
    if "conflict" in codes:
        checks.append(EffectCheck(False, translate("Editing", "Somebody else has changed the same")))
    if early := starts_at_once(run, edits):
        starting = names(map(run.graph.names.label, early))
        checks.append(EffectCheck(False, fill(translate("Editing", "Would start at once: %1"), starting)))
    return checks + _fitting(edits, after)


def _either(codes: set[str], code: str) -> str:
    fine, wrong = {
        "cycle": (translate("Editing", "No cycle"), translate("Editing", "A cycle would be closed")),
        "immutable": (
            translate("Editing", "No running task touched"),
            translate("Editing", "A task that has started would be touched"),
        ),
    }[code]
    return wrong if code in codes else fine


def _fitting(edits: Sequence[Edit], after: RunFacts) -> list[EffectCheck]:
    """Whether there are devices for what is new or placed otherwise."""
    placed = [task for edit in edits if (task := _placed(edit, after)) is not None]
    if not placed:
        return []
    found = {task.id: _devices_for(task, after.fleet) for task in placed}
    without = [task.title for task in placed if not found[task.id]]
    checks = [EffectCheck(False, fill(translate("Editing", "No device fits %1"), names(without)))] if without else []
    fit = sorted({id for ids in found.values() for id in ids})
    return [*checks, EffectCheck(True, fill(translate("Editing", "Devices fit: %1"), names(fit)))] if fit else checks


def _placed(edit: Edit, after: RunFacts) -> Task | None:
    id = ""
    if isinstance(edit, AddTask):
        id = edit.task.id
    elif isinstance(edit, UpdateTask) and {"device", "requires"} & set(edit.fields):
        id = edit.task_id
    return after.graph.task(id) if id in after.graph else None


def _devices_for(task: Task, fleet: FleetFacts) -> list[str]:
    return [device.id for device in fleet.devices.values() if DeviceRequirements.of(task).fits(device)]
