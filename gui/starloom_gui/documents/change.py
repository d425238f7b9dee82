"""What is done to a plan as one value: edits of its graph, and fields of its own; and the plan after that. Pure."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from starloom.constellation import edits as ed
from starloom.model.frozen import EMPTY

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from starloom.constellation.edits import Edit
    from starloom.constellation.graph import Graph
    from starloom.model.dependency import Dependency
    from starloom.model.plan import Plan
    from starloom_gui.documents.difference import Difference, Pair


@dataclass(frozen=True, slots=True)
class Change:
    """Something that is done to a plan, or that takes it back.

    Attributes:
        edits: of its graph, in order.
        fields: of the plan itself, with their new values.
    """

    edits: tuple[Edit, ...] = ()
    fields: Mapping[str, Any] = EMPTY

    def __bool__(self) -> bool:
        return bool(self.edits or self.fields)


def joined(earlier: Change, later: Change) -> Change:
    """What takes two changes back, of what takes each of them back."""
    return Change((*later.edits, *earlier.edits), {**later.fields, **earlier.fields})


def change_of(found: Difference) -> Change:
    """What has to be done to the first plan of a difference to have the second."""
    return Change(tuple(_edits_of(found)), {field.name: field.after for field in found.fields})


def _edits_of(found: Difference) -> Iterator[Edit]:
    """What goes away comes first, so that nothing closes a cycle with it."""
    yield from (ed.RemoveDependency(one.parent, one.child) for one in found.disconnected)
    yield from (ed.RemoveTask(task.id) for task in found.removed)
    yield from (ed.AddTask(task) for task in found.added)
    for change in found.changed:
        yield ed.UpdateTask(change.before.id, **{field.name: field.after for field in change.fields})
    yield from (ed.UpdateDependency(one.after) for one in found.altered)
    yield from (ed.AddDependency(one) for one in found.connected)


def plan_after(plan: Plan, graph: Graph, change: Change) -> Plan:
    """The plan that a change has made; what stays, stays in its order.

    Args:
        plan: as it was before.
        graph: its graph, with the edits in it already.
        change: what was done, as it was settled.
    """
    tasks = tuple(task for _, task in graph.present())
    return replace(plan, tasks=tasks, dependencies=_after(plan.dependencies, change.edits), **change.fields)


def _after(before: Sequence[Dependency], edits: Sequence[Edit]) -> Sequence[Dependency]:
    if all(isinstance(edit, ed.UpdateTask | ed.AddTask) for edit in edits):
        return before
    links = {(one.parent, one.child): one for one in before}
    gone: set[str] = set()
    for edit in edits:
        if isinstance(edit, ed.RemoveTask):
            gone.add(edit.task_id)
        elif isinstance(edit, ed.AddTask) and edit.task.id in gone:
            links = _without(links, gone)  # it comes back, and its old dependencies do not
            gone.clear()
        elif isinstance(edit, ed.RemoveDependency):
            links.pop((edit.parent, edit.child), None)
        elif isinstance(edit, ed.AddDependency | ed.UpdateDependency):
            links[edit.dependency.parent, edit.dependency.child] = edit.dependency
    return tuple(_without(links, gone).values())


def _without(links: dict[Pair, Dependency], gone: set[str]) -> dict[Pair, Dependency]:
    if not gone:
        return links
    return {(parent, child): one for (parent, child), one in links.items() if parent not in gone and child not in gone}
