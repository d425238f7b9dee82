"""The structure of a plan while it is read: ids that repeat, dependencies that lead nowhere, cycles; with lines.

`starloom.model.plan` has the rules. This room feeds it what is sound so far, so that one bad task does
not hide the rest.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from starloom.errors import Problem, nearest
from starloom.model.plan import PlanIndex

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from starloom.formats.limits import Path
    from starloom.formats.report import ProblemReport
    from starloom.model.dependency import Dependency

_SUGGESTIONS: Final = 20
"""Looking for a similar id is slow in a large plan; after so many the reader has seen the pattern."""


def check_structure(
    report: ProblemReport, tasks: Sequence[tuple[str, Path]], dependencies: Sequence[tuple[Dependency, Path]]
) -> None:
    """Note repeated ids, unknown ends, repeated dependencies and one cycle.

    Args:
        report: takes the problems.
        tasks: the id of each task and where it stands; also of tasks with bad fields.
        dependencies: each dependency and where it stands.
    """
    places = _unique_tasks(report, tasks)
    sound = _sound_dependencies(report, places, dependencies)
    for problem in PlanIndex.problems_of(list(places), sound):
        _add(report, places[problem.task_id or ""], problem)


def _unique_tasks(report: ProblemReport, tasks: Sequence[tuple[str, Path]]) -> dict[str, Path]:
    places: dict[str, Path] = {}
    for task_id, path in tasks:
        if places.setdefault(task_id, path) is not path:
            first = report.document.line(places[task_id])
            report.add(
                path,
                f"the id {task_id!r} is used by more than one task; the first is on line {first}.",
                "Give each task its own id; names may repeat.",
                code="duplicate_task",
                where=f"tasks.{task_id}",
                task_id=task_id,
            )
    return places


def _sound_dependencies(
    report: ProblemReport, places: Mapping[str, Path], dependencies: Sequence[tuple[Dependency, Path]]
) -> list[Dependency]:
    sound: list[Dependency] = []
    seen: set[tuple[str, str]] = set()
    unknown = 0
    for dependency, path in dependencies:
        pair = dependency.parent, dependency.child
        if pair in seen:
            _add(report, path, _twice(dependency))
        elif dependency.parent in places and dependency.child in places:
            sound.append(dependency)
        else:
            unknown += 1
            _add(report, path, _unknown_end(dependency, places, suggest=unknown <= _SUGGESTIONS))
        seen.add(pair)
    return sound


def _add(report: ProblemReport, path: Path, problem: Problem) -> None:
    report.add(
        path,
        problem.message,
        problem.hint,
        code=problem.code,
        where=problem.where,
        task_id=problem.task_id or "",
    )


def _twice(dependency: Dependency) -> Problem:
    return Problem(
        code="duplicate_dependency",
        where=f"tasks.{dependency.child}",
        message=f"{dependency.child!r} depends on {dependency.parent!r} twice.",
        hint="Keep one of the two.",
        task_id=dependency.child,
    )


def _unknown_end(dependency: Dependency, places: Mapping[str, Path], *, suggest: bool) -> Problem:
    parent_is_unknown = dependency.parent not in places
    missing = dependency.parent if parent_is_unknown else dependency.child
    other = dependency.child if parent_is_unknown else dependency.parent
    near = nearest(missing, places) if suggest else None
    return Problem(
        code="unknown_task",
        where=f"tasks.{other}",
        message=f"the dependency {dependency.parent} → {dependency.child} names {missing!r}, which is not a task.",
        hint=f"Did you mean {near!r}?" if near else "Add the task or remove the dependency.",
        task_id=other,
    )
