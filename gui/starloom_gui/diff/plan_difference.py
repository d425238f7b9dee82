"""The difference between two plans as a value, and applying it to a third one. Pure."""

from __future__ import annotations

from dataclasses import dataclass, fields, replace
from typing import TYPE_CHECKING, Any, Final

from starloom.errors import PlanError, Problem
from starloom.formats.checks import check_plan
from starloom.model.frozen import EMPTY
from starloom.model.plan import Plan
from starloom.model.status import DependencyKind, Placement
from starloom.model.task import UPDATABLE_FIELDS, Task
from starloom.scheduling.read.as_steered import as_steered

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from starloom.constellation.graph import Graph
    from starloom.model.dependency import Dependency
    from starloom.model.note import Note
    from starloom.model.positions import Positions
    from starloom.scheduling.state.run_facts import RunFacts

PLAN_FIELDS: Final = ("name", "description", "devices", "limits", "metadata", "notes", "layout")
TASK_FIELDS: Final = tuple(field.name for field in fields(Task) if field.name in UPDATABLE_FIELDS)
Pair = tuple[str, str]


@dataclass(frozen=True, slots=True)
class FieldChange:
    """A field that has another value."""

    name: str
    before: Any
    after: Any


@dataclass(frozen=True, slots=True)
class TaskChange:
    """A task that is in both plans with other fields, in the order in which a task has them."""

    before: Task
    after: Task
    fields: tuple[FieldChange, ...]


@dataclass(frozen=True, slots=True)
class DependencyChange:
    """A dependency between the same two tasks with another kind, condition or note."""

    before: Dependency
    after: Dependency


@dataclass(frozen=True, slots=True, kw_only=True)
class Difference:
    """The changes that turn one plan into another. The order of tasks and dependencies counts for nothing.

    Attributes:
        fields: of the plan itself.
        added, removed, changed: tasks.
        connected, disconnected, altered: dependencies, those of added and removed tasks among them.
        titles: of the tasks that these are between, by id.
    """

    fields: tuple[FieldChange, ...] = ()
    added: tuple[Task, ...] = ()
    removed: tuple[Task, ...] = ()
    changed: tuple[TaskChange, ...] = ()
    connected: tuple[Dependency, ...] = ()
    disconnected: tuple[Dependency, ...] = ()
    altered: tuple[DependencyChange, ...] = ()
    titles: Mapping[str, str] = EMPTY

    def __len__(self) -> int:
        """The number of tasks, dependencies and fields of the plan that differ; 0: the plans are equal."""
        return sum(len(getattr(self, field.name)) for field in fields(self) if field.name != "titles")


def difference(before: Plan, after: Plan) -> Difference:
    """The changes that turn the first plan into the second."""
    old, new = _tasks(before), _tasks(after)
    linked, relinked = _links(before), _links(after)
    connected = tuple(one for pair, one in relinked.items() if pair not in linked)
    disconnected = tuple(one for pair, one in linked.items() if pair not in relinked)
    altered = tuple(
        DependencyChange(linked[pair], one)
        for pair, one in relinked.items()
        if pair in linked and linked[pair] is not one and linked[pair] != one
    )
    between = (*connected, *disconnected, *(change.after for change in altered))
    ends = {id for one in between for id in (one.parent, one.child)}
    return Difference(
        fields=field_changes(before, after, PLAN_FIELDS),
        added=tuple(task for id, task in new.items() if id not in old),
        removed=tuple(task for id, task in old.items() if id not in new),
        changed=_task_changes(old, new),
        connected=connected,
        disconnected=disconnected,
        altered=altered,
        titles={id: task.title for tasks in (old, new) for id in ends if (task := tasks.get(id)) is not None},
    )


def _tasks(plan: Plan) -> dict[str, Task]:
    return {task.id: task for task in plan.tasks}


def _links(plan: Plan) -> dict[Pair, Dependency]:
    return {(one.parent, one.child): one for one in plan.dependencies}


def field_changes(before: Any, after: Any, names: Iterable[str]) -> tuple[FieldChange, ...]:
    """The fields of these names in which two values of a class differ."""
    pairs = ((name, getattr(before, name), getattr(after, name)) for name in names)
    return tuple(FieldChange(name, old, new) for name, old, new in pairs if old != new)


def _task_changes(old: Mapping[str, Task], new: Mapping[str, Task]) -> tuple[TaskChange, ...]:
    both = ((old[id], task) for id, task in new.items() if id in old and old[id] is not task)
    found = (TaskChange(one, other, field_changes(one, other, TASK_FIELDS)) for one, other in both)
    return tuple(change for change in found if change.fields)


def plan_of(
    run: RunFacts,
    like: Plan | None = None,
    notes: tuple[Note, ...] | None = None,
    layout: Positions | None = None,
) -> Plan:
    """The plan a run follows now: its graph with all edits and priorities, and its limit. Pins and holds are left out.

    Args:
        run: the facts.
        like: a plan whose values are used again where the run says the same: they need not be made, nor compared.
        notes: what is written beside its tasks by now; None: what was at its start.
        layout: where its nodes were placed, which its facts do not say; None: as in `like`.
    """
    if layout is None:
        layout = like.layout if like is not None else EMPTY
    own = replace(head_of(run, like), notes=run.notes if notes is None else notes, layout=layout)
    tasks = tuple(as_steered(run, number) for number, _ in run.graph.present())
    return own.edited(tasks, tuple(_dependencies(run.graph, like) if like is not None else run.graph.dependencies()))


def head_of(run: RunFacts, like: Plan | None = None) -> Plan:
    """The properties of a run's plan, without tasks; see `plan_of`."""
    has_none = like is not None and not like.devices  # its run was given those of the fleet, which are none of its own
    cycles, usual = run.cycles, run.fleet.modification_timeout
    is_fenced = cycles is not None and (cycles.fence is not None or cycles.modification_timeout != usual)
    return Plan(
        name=run.name or "plan",
        description=run.description,
        devices=() if has_none else run.devices,
        limits=run.limits
        if run.limit == run.limits.max_concurrency
        else replace(run.limits, max_concurrency=run.limit),
        metadata=run.metadata,
        rules=run.rules,
        agents=run.agents,
        fence=cycles.fence if is_fenced and cycles is not None else None,
        modification_timeout=cycles.modification_timeout if is_fenced and cycles is not None else None,
        placement=None if run.placement is None else Placement(run.placement),
        overdue_factor=run.overdue_factor,
        notes=run.notes,
        defaults=like.defaults if like is not None else EMPTY,
    )


def _dependencies(graph: Graph, like: Plan) -> Iterator[Dependency]:
    """All dependencies of a graph, in its order; those of a plan that say no more than that there are."""
    is_plain = ((one.kind is DependencyKind.SUCCESS and not one.metadata, one) for one in like.dependencies)
    known = {(one.parent, one.child): one for plain, one in is_plain if plain}
    ids, special = graph.ids, graph.special
    for child, parents in enumerate(graph.parents):
        for parent in sorted(parents):
            one = known.get((ids[parent], ids[child])) if (parent, child) not in special else None
            yield one if one is not None else graph.dependency(parent, child)


# ---- carrying over


def carried(changes: Difference, plan: Plan) -> Plan:
    """The plan with these changes applied; its other parts stay in their order, and new ones come last.

    Args:
        changes: between two plans, of which this need not be the first.
        plan: what is to be changed.

    Raises:
        PlanError: it says something else by now where there is a change, or it would be no good plan; lists everything.
    """
    problems: list[Problem] = []
    tasks = _carried_tasks(changes, plan, problems)
    dependencies = _carried_links(changes, plan, problems)
    others = [change for change in changes.fields if change.name != "layout"]
    own = _carried_fields(plan, others, plan.name, "", problems)
    if len(others) < len(changes.fields):
        own["layout"] = _carried_layout(plan.layout, changes)
    if problems:
        raise PlanError(problems)
    made = replace(plan, tasks=tuple(tasks.values()), dependencies=tuple(dependencies.values()), **own)
    found = check_plan(made)
    if found:
        raise PlanError(found)
    return made


def _carried_tasks(changes: Difference, plan: Plan, problems: list[Problem]) -> dict[str, Task]:
    tasks = _tasks(plan)
    twice = [task for task in changes.added if tasks.setdefault(task.id, task) != task]
    problems += [_conflict(task.id, "the plan has another task of this id by now.") for task in twice]
    others = [task for task in changes.removed if tasks.pop(task.id, task) != task]
    said = "it was removed in the run, and the plan has changed it since."
    problems += [_conflict(task.id, said) for task in others]
    for change in changes.changed:
        id = change.before.id
        if id not in tasks:
            problems.append(_conflict(id, "it was changed in the run, and the plan does not have it any more."))
            continue
        new = _carried_fields(tasks[id], change.fields, id, id, problems)
        if new:
            tasks[id] = replace(tasks[id], **new)
    return tasks


def _carried_fields(
    owner: Any, changes: Iterable[FieldChange], where: str, task_id: str, problems: list[Problem]
) -> dict[str, Any]:
    """The fields to be set; one that says neither the old nor the new value is a problem."""
    new: dict[str, Any] = {}
    for change in changes:
        now = getattr(owner, change.name)
        if now == change.before:
            new[change.name] = change.after
        elif now != change.after:
            message = f"its field {change.name!r} was changed in the run, and to something else in the plan."
            problems.append(_conflict(where, message, task_id))
    return new


def _carried_layout(layout: Positions, changes: Difference) -> Positions:
    """The positions in the plan with the moves of another one; two layouts never conflict."""
    before, after = next((change.before, change.after) for change in changes.fields if change.name == "layout")
    moved = {task_id for task_id in (*before, *after) if before.get(task_id) != after.get(task_id)}
    kept = {task_id: at for task_id, at in layout.items() if task_id not in moved}
    return {**kept, **{task_id: at for task_id, at in after.items() if task_id in moved}}


def _carried_links(changes: Difference, plan: Plan, problems: list[Problem]) -> dict[Pair, Dependency]:
    links = _links(plan)
    clashes = [one for one in changes.connected if links.setdefault((one.parent, one.child), one) != one]
    clashes += [one for one in changes.disconnected if links.pop((one.parent, one.child), one) != one]
    for change in changes.altered:
        pair = (change.after.parent, change.after.child)
        if links.get(pair) not in (change.before, change.after):
            clashes.append(change.after)
        else:
            links[pair] = change.after
    problems += map(_link_conflict, clashes)
    return links


def _link_conflict(one: Dependency) -> Problem:
    message = "the run and the plan have both changed this dependency, each in its own way."
    return _conflict(f"{one.parent} → {one.child}", message, one.child)


def _conflict(where: str, message: str, task_id: str = "") -> Problem:
    return Problem(
        code="conflict",
        where=where,
        message=message,
        hint="Save the run's graph as a plan of its own instead.",
        task_id=task_id or where,
    )
