"""Edit batches: performing an edit on a graph, and rehearsing a batch, which always leaves the graph as it was.

A batch of many edits is rehearsed on a copy of the graph, as that takes long and somebody may read the graph meanwhile.
The copy is what the graph is to become, so that nothing need be performed twice.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import pairwise
from typing import TYPE_CHECKING, Any

from pydantic import ValidationError

from starloom.constellation import edits as ed
from starloom.constellation import validation as rules
from starloom.constellation.topological_order import CycleError
from starloom.errors import Problem
from starloom.model.task import ACTIONS, Task
from starloom.pauses import Pause, no_pause, with_pauses

if TYPE_CHECKING:
    from collections.abc import Callable, Collection

    from starloom.constellation.graph import Graph

Key = tuple[Any, ...]


@dataclass(frozen=True, slots=True)
class AppliedEdit:
    """The result of one edit on the graph.

    Attributes:
        number: the task it is about; for a dependency the child.
        affected: the tasks whose standing may have changed.
        settled: the edit as it goes into the log: with its place in line, with checked values.
        inverse: the edits that undo it, in order.
        keys: the fields and edges it touched, for conflicts; see `rules.noted_keys`.
    """

    number: int
    affected: tuple[int, ...]
    settled: ed.Edit
    inverse: tuple[ed.Edit, ...]
    keys: tuple[Key, ...]


class Refused(Exception):  # noqa: N818 - it never leaves this module and `rehearse`
    """The edit cannot be performed.

    Attributes:
        reasons: each problem it has, with what would have to be otherwise (see `rules.undone`) for it not to arise.
    """

    def __init__(self, problem: Problem, *hinges_on: Key) -> None:
        self.reasons: list[tuple[Problem, tuple[Key, ...]]] = [(problem, hinges_on)]
        super().__init__(problem.message)


@dataclass(frozen=True, slots=True)
class Rehearsal:
    """The result of a rehearsed batch: either problems, or changes with their inverse.

    Attributes:
        performed: what each of the changes did, if it was rehearsed on a copy.
        graph: the edited copy then.
        affected, keys: all that these affected and touched.
        refused: the place of the edit that each problem is about.
    """

    problems: tuple[Problem, ...]
    changes: tuple[ed.Edit, ...]
    inverse: tuple[ed.Edit, ...]
    performed: tuple[AppliedEdit, ...] = ()
    graph: Graph | None = None
    affected: frozenset[int] = frozenset()
    keys: Collection[Key] = ()
    refused: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Rules:
    """The rules of a running graph, asked by number.

    Attributes:
        why_frozen: why a task may not change, as a half sentence, or None when it may.
        changed_since: who else changed a key since a revision: (revision, origin), or None.
        added_since: whether the task of this number was added after a revision.
        may_change: whether whoever sends the batch may remove a task, change it or give it a dependency.
        scope: what that is, in words.
        why_missing: who has removed a task that is not there, as a sentence; empty: nobody has.
    """

    why_frozen: Callable[[int], str | None]
    changed_since: Callable[[Key, int, str], tuple[int, str] | None]
    added_since: Callable[[int, int], bool] = lambda _number, _revision: False
    may_change: Callable[[int], bool] = lambda _number: True
    scope: str = ""
    why_missing: Callable[[str], str] = lambda _task_id: ""


def rehearse(graph: Graph, batch: ed.EditBatch, given: Rules) -> Rehearsal:
    """Perform a batch on the graph and take it back; returns everything that is wrong with it.

    Args:
        graph: as it was before, when this returns.
        batch: the edits, in order.
        given: what a running graph forbids.
    """
    graph.begin()
    try:
        return _rehearsed(graph, batch, given)
    finally:
        graph.roll_back()


def rehearse_on_a_copy(graph: Graph, batch: ed.EditBatch, given: Rules, pause: Pause) -> Rehearsal:
    """Perform a batch on a copy of the graph; returns everything that is wrong with it, or the edited copy.

    Args:
        graph: stays as it is, and must not change meanwhile.
        batch: the edits, in order.
        given: what a running graph forbids; asked about the graph as it is.
        pause: called between edits.
    """
    graph.positions(pause)  # which the copy then has, too
    twin = graph.copy()
    performed: list[AppliedEdit] = []
    with twin.batch():
        made = _rehearsed(twin, batch, given, performed, pause)
    if made.problems:
        return made
    affected: set[int] = set()
    keys: dict[Key, None] = {}  # with their hashes, so that to add them to others takes a quarter of the time
    for done in with_pauses(performed, pause):
        affected.update(done.affected)
        keys.update(dict.fromkeys(done.keys))
    return replace(made, performed=tuple(performed), graph=twin, affected=frozenset(affected), keys=keys)


def _rehearsed(
    graph: Graph,
    batch: ed.EditBatch,
    given: Rules,
    performed: list[AppliedEdit] | None = None,
    pause: Pause = no_pause,
) -> Rehearsal:
    problems: list[Problem] = []
    refused_at: list[int] = []
    done: list[AppliedEdit] = [] if performed is None else performed
    failed: dict[Key, int] = {}
    known = len(graph.tasks)
    for position, edit in enumerate(with_pauses(batch.edits, pause, 16)):
        malformed = rules.malformed(edit, position)
        if malformed is not None:
            problems.append(malformed)
            refused_at.append(position)
            continue
        try:
            _check(graph, edit, batch, given, known)
            done.append(perform(graph, edit))
        except Refused as refused:
            problems.append(_trace(refused, edit, position, failed))
            refused_at.append(position)
    if problems:
        own = {one.settled.task_id for one in done if isinstance(one.settled, ed.RemoveTask)}
        told = tuple(_with_remover(one, given, own) for one in problems)
        return Rehearsal(told, (), (), refused=tuple(refused_at))
    inverse = tuple(edit for one in with_pauses(reversed(done), pause) for edit in one.inverse)
    return Rehearsal((), tuple(one.settled for one in done), inverse)


def _trace(refused: Refused, edit: ed.Edit, position: int, failed: dict[Key, int]) -> Problem:
    """Add the position of the edit to a refusal, and whether it only follows from an earlier refused one."""
    causes = [next((failed[key] for key in keys if key in failed), None) for _, keys in refused.reasons]
    cause = None if None in causes else causes[0]
    problem = refused.reasons[0 if cause is not None else causes.index(None)][0]
    for key in rules.undone(edit):
        failed.setdefault(key, position if cause is None else cause)
    return Problem(
        code=problem.code,
        message=problem.message,
        hint=problem.hint,
        where=f"edits[{position}]",
        task_id=problem.task_id,
        follows_from=cause,
    )


def _with_remover(problem: Problem, given: Rules, own: Collection[str]) -> Problem:
    """The problem, with who has removed the task that it misses; `own`: the ids of those that the batch removes."""
    missing = problem.task_id
    if problem.code != "unknown_task" or problem.follows_from is not None or missing is None or missing in own:
        return problem
    sentence = given.why_missing(missing)
    return rules.removed(missing, sentence, problem.where) if sentence else problem


def _check(graph: Graph, edit: ed.Edit, batch: ed.EditBatch, given: Rules, known: int) -> None:
    """Refuse an edit that the graph would allow but the run does not."""
    if given.scope:
        changed = rules.changes(graph, edit)
        if changed is not None and not given.may_change(changed):
            raise Refused(rules.out_of_scope(graph.ids[changed], given.scope))
    for number in rules.must_not_have_started(graph, edit):
        why = given.why_frozen(number) if number < known else None
        if why is not None:
            here = [("kept", edit.task_id, graph.ids[number])] if isinstance(edit, ed.RemoveTask) else []
            raise Refused(rules.frozen(graph, edit, number, why), *here)
    if batch.base_revision is None:
        return
    for task_id in () if isinstance(edit, ed.AddTask) else rules.task_ids(edit):
        place = graph.place.get(task_id, known)
        if place < known and given.added_since(place, batch.base_revision) and graph.ids.index(task_id) != place:
            raise Refused(rules.replaced(task_id, batch.base_revision))
    for key in rules.keys(graph, edit):
        other = given.changed_since(key, batch.base_revision, batch.origin)
        if other is not None:
            raise Refused(rules.conflict(edit, batch.base_revision, *other))


def perform(graph: Graph, edit: ed.Edit) -> AppliedEdit:
    """Perform one edit on the graph.

    Args:
        graph: is changed.
        edit: one edit that is well formed.

    Raises:
        Refused: the graph cannot take it; nothing changed.
    """
    keys = rules.noted_keys(graph, edit)
    if isinstance(edit, ed.AddTask):
        return _add_task(graph, edit)
    if isinstance(edit, ed.RemoveTask):
        return _remove_task(graph, edit, keys)
    if isinstance(edit, ed.UpdateTask):
        return _update_task(graph, edit, keys)
    if isinstance(edit, ed.RemoveDependency):
        return _remove_dependency(graph, edit, keys)
    return _put_dependency(graph, edit, keys)


def _add_task(graph: Graph, edit: ed.AddTask) -> AppliedEdit:
    task, place = edit.task, edit.place
    if task.id in graph:
        raise Refused(rules.duplicate(task.id), ("kept", task.id))
    if place is not None and not _is_place_of(graph, task.id, place):
        place = None  # it is not, or no longer, the place of this task
    known = len(graph.tasks)
    number = graph.add_task(task, place)
    keys: tuple[Key, ...] = (("task", number), ("added", number)) if number == known else (("task", number),)
    return AppliedEdit(number, (number,), ed.AddTask(task, number), (ed.RemoveTask(task.id),), keys)


def _is_place_of(graph: Graph, task_id: str, place: int) -> bool:
    """Whether a task that comes back may have this place in line: its own one, or the next free one."""
    if place == len(graph.tasks):
        return True
    return 0 <= place < len(graph.tasks) and graph.tasks[place] is None and graph.ids[place] == task_id


def _remove_task(graph: Graph, edit: ed.RemoveTask, keys: tuple[Key, ...]) -> AppliedEdit:
    number = _number(graph, edit.task_id)
    task = graph.task(edit.task_id)
    children = tuple(graph.children[number])
    edges = graph.remove_task(number)
    inverse: tuple[ed.Edit, ...] = (ed.AddTask(task, number), *(ed.AddDependency(edge) for edge in edges))
    return AppliedEdit(number, children, edit, inverse, keys)


def _update_task(graph: Graph, edit: ed.UpdateTask, keys: tuple[Key, ...]) -> AppliedEdit:
    number = _number(graph, edit.task_id)
    task = graph.task(edit.task_id)
    fields = with_other_actions_cleared(edit.fields)
    problem = rules.unknown_field(edit)
    if problem is not None:
        raise Refused(problem)
    try:
        new: Task = replace(task, **fields)
    except ValidationError as error:
        raise Refused(rules.bad_fields(edit.task_id, error)) from None
    graph.set_task(number, new)
    old = {name: getattr(task, name) for name in fields}
    settled = ed.UpdateTask(edit.task_id, **{name: getattr(new, name) for name in fields}).with_steering(edit.steering)
    return AppliedEdit(number, (number,), settled, (ed.UpdateTask(edit.task_id, **old),), keys)


def with_other_actions_cleared(fields: Any) -> dict[str, Any]:
    """The fields of an update, with the task's old action cleared where they give it another one."""
    given = [name for name in fields if name in ACTIONS and fields[name] is not None]
    cleared = dict.fromkeys(ACTIONS) if given else {}
    return cleared | dict(fields)


def _put_dependency(graph: Graph, edit: ed.AddDependency | ed.UpdateDependency, keys: tuple[Key, ...]) -> AppliedEdit:
    dependency = edit.dependency
    parent, child = _numbers(graph, dependency.parent, dependency.child)
    problem = rules.bad_condition(dependency)
    if problem is not None:
        raise Refused(problem)
    exists = graph.has_edge(parent, child)
    if isinstance(edit, ed.UpdateDependency):
        if not exists:
            raise _not_connected(dependency.parent, dependency.child)
        old = graph.dependency(parent, child)
        graph.set_edge(parent, child, dependency)
        return AppliedEdit(child, (child,), edit, (ed.UpdateDependency(old),), keys)
    if exists:
        ends = (dependency.parent, dependency.child)
        raise Refused(rules.dependency_exists(dependency), ("kept", *ends), *(("kept", end) for end in ends))
    try:
        graph.add_edge(parent, child, dependency)
    except CycleError as error:
        path = [graph.ids[number] for number in error.path]
        kept = [*(("kept", *edge) for edge in pairwise(path[1:])), *(("kept", task_id) for task_id in path[2:-1])]
        raise Refused(rules.cycle(path), *kept) from None
    undo = ed.RemoveDependency(dependency.parent, dependency.child)
    return AppliedEdit(child, (child,), edit, (undo,), keys)


def _remove_dependency(graph: Graph, edit: ed.RemoveDependency, keys: tuple[Key, ...]) -> AppliedEdit:
    parent, child = _numbers(graph, edit.parent, edit.child)
    if not graph.has_edge(parent, child):
        raise _not_connected(edit.parent, edit.child)
    old = graph.remove_edge(parent, child)
    return AppliedEdit(child, (child,), edit, (ed.AddDependency(old),), keys)


def _number(graph: Graph, task_id: str) -> int:
    return _numbers(graph, task_id)[0]


def _numbers(graph: Graph, *task_ids: str) -> list[int]:
    unknown = [Refused(rules.unknown_task(id, graph.place), ("missing", id)) for id in task_ids if id not in graph]
    if unknown:
        unknown[0].reasons = [reason for each in unknown for reason in each.reasons]
        raise unknown[0]
    return [graph.place[id] for id in task_ids]


def _not_connected(parent: str, child: str) -> Refused:
    return Refused(rules.no_such_dependency(parent, child), ("missing", parent, child))
