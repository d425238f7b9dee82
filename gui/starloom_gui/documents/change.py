"""A change of a plan as one value: edits of its graph and of its own fields; and the plan after it. Pure."""

from __future__ import annotations

from dataclasses import dataclass, fields, replace
from typing import TYPE_CHECKING, Any, Final

from starloom.constellation import edits as ed
from starloom.formats.native import task_of_defaults
from starloom.formats.native_writer import usual_fields
from starloom.model.frozen import EMPTY
from starloom.model.plan import Plan
from starloom_gui.diff.plan_difference import difference

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from starloom.constellation.edits import Edit
    from starloom.constellation.graph import Graph
    from starloom.model.dependency import Dependency
    from starloom.model.task import Task
    from starloom_gui.diff.plan_difference import Difference, Pair

OWN_FIELDS: Final = tuple(f.name for f in fields(Plan) if f.name not in {"tasks", "dependencies", "built"})
PROPERTIES: Final = tuple(name for name in OWN_FIELDS if name != "layout")
"""All that a plan holds besides tasks and dependencies, without the layout, which is the canvas's."""


@dataclass(frozen=True, slots=True)
class PlanChange:
    """A change of a plan, or its inverse.

    Attributes:
        edits: of its graph, in order.
        fields: of the plan itself, with their new values.
    """

    edits: tuple[Edit, ...] = ()
    fields: Mapping[str, Any] = EMPTY

    def __bool__(self) -> bool:
        return bool(self.edits or self.fields)


def joined(earlier: PlanChange, later: PlanChange) -> PlanChange:
    """The inverse of two changes, composed of the inverses of both."""
    return PlanChange((*later.edits, *earlier.edits), {**later.fields, **earlier.fields})


def change_between(before: Plan, after: Plan) -> PlanChange:
    """The change that turns the first plan into the second."""
    return PlanChange(tuple(_edits_of(difference(before, after))), _fields_between(before, after, OWN_FIELDS))


def change_of_properties(before: Plan, after: Plan) -> PlanChange:
    """The change that gives a plan the properties of another one; its tasks follow its defaults.

    A task that has the value of a default has it from there, as far as anybody can tell, so it takes the new one.

    Args:
        before: the plan.
        after: says what is to hold; its tasks, dependencies and layout mean nothing.
    """
    fields = _fields_between(before, after, PROPERTIES)
    edits = _following(before.tasks, before.defaults, after.defaults) if "defaults" in fields else ()
    return PlanChange(tuple(edits), fields)


def _fields_between(before: Plan, after: Plan, names: Iterable[str]) -> dict[str, Any]:
    return {name: getattr(after, name) for name in names if getattr(after, name) != getattr(before, name)}


def _following(tasks: Iterable[Task], before: Mapping[str, Any], after: Mapping[str, Any]) -> Iterator[Edit]:
    old, new = task_of_defaults(before), task_of_defaults(after)
    given = {name: getattr(new, name) for name in before.keys() | after.keys()}
    for task in tasks:
        values = {name: value for name, value in given.items() if getattr(task, name) == getattr(old, name) != value}
        if values:
            yield ed.UpdateTask(task.id, **values)


def with_defaults(edits: Sequence[Edit], defaults: Mapping[str, Any]) -> tuple[Edit, ...]:
    """The edits with the plan's defaults in the fields that the tasks they add do not set."""
    if not defaults:
        return tuple(edits)
    unset, own = task_of_defaults(EMPTY), usual_fields(defaults)

    def filled(task: Task) -> Task:
        return replace(task, **{name: own[name] for name in own if getattr(task, name) == getattr(unset, name)})

    return tuple(replace(one, task=filled(one.task)) if isinstance(one, ed.AddTask) else one for one in edits)


def _edits_of(found: Difference) -> Iterator[Edit]:
    """The edits of these changes, with removals first, so that no addition closes a cycle."""
    yield from (ed.RemoveDependency(one.parent, one.child) for one in found.disconnected)
    yield from (ed.RemoveTask(task.id) for task in found.removed)
    yield from (ed.AddTask(task) for task in found.added)
    for change in found.changed:
        yield ed.UpdateTask(change.before.id, **{field.name: field.after for field in change.fields})
    yield from (ed.UpdateDependency(one.after) for one in found.altered)
    yield from (ed.AddDependency(one) for one in found.connected)


def plan_after(plan: Plan, graph: Graph, change: PlanChange) -> Plan:
    """The plan after a change; what stays keeps its order.

    Args:
        plan: as it was before.
        graph: its graph, with the edits in it already.
        change: what was done, as it was settled.
    """
    others = {name: value for name, value in change.fields.items() if name not in {"notes", "layout"}}
    kept = replace(plan, **others) if others else plan
    kept = kept.noted(change.fields["notes"]) if "notes" in change.fields else kept
    kept = kept.laid_out(change.fields["layout"]) if "layout" in change.fields else kept
    if not change.edits:
        return kept
    tasks = tuple(task for task in graph.tasks if task is not None)
    return kept.edited(tasks, _after(plan.dependencies, change.edits))


def _after(before: Sequence[Dependency], edits: Sequence[Edit]) -> tuple[Dependency, ...]:
    if all(isinstance(edit, ed.UpdateTask | ed.AddTask) for edit in edits):
        return tuple(before)
    links = _Links()
    for edit in edits:
        links.perform(edit)
    return links.after(before)


class _Links:
    """The dependencies after some edits, recorded edit by edit and then applied at once."""

    def __init__(self) -> None:
        self._gone: set[str] = set()
        self._cut: set[Pair] = set()
        self._other: dict[Pair, Dependency] = {}
        self._new: dict[Pair, Dependency] = {}

    def perform(self, edit: Edit) -> None:
        """Record an edit that was performed."""
        if isinstance(edit, ed.RemoveTask):
            self._gone.add(edit.task_id)  # it may come back, but its old dependencies do not
            self._new = {pair: one for pair, one in self._new.items() if edit.task_id not in pair}
        elif isinstance(edit, ed.RemoveDependency):
            pair = edit.parent, edit.child
            if self._new.pop(pair, None) is None:
                self._cut.add(pair)
        elif isinstance(edit, ed.AddDependency):
            self._new[edit.dependency.parent, edit.dependency.child] = edit.dependency
        elif isinstance(edit, ed.UpdateDependency):
            pair = edit.dependency.parent, edit.dependency.child
            (self._new if pair in self._new else self._other)[pair] = edit.dependency

    def after(self, before: Sequence[Dependency]) -> tuple[Dependency, ...]:
        """The remaining dependencies in their order, and then the new ones."""
        if not (self._gone or self._cut or self._other):
            return (*before, *self._new.values())
        gone, cut, other = self._gone, self._cut, self._other
        kept = [
            other.get((one.parent, one.child), one)
            for one in before
            if one.parent not in gone and one.child not in gone and (one.parent, one.child) not in cut
        ]
        return (*kept, *self._new.values())
