"""The graph of a constellation: tasks by number, adjacency by number, and an order that stays topological under edits.

A task's number is its place in line; it is never given to another task, so a removed one leaves a gap and can come back
to it. The inner lists are never changed, only replaced, but for those that a batch has made itself, until it ends: so a
copy of the graph is shallow, and undoing a change is putting the old list back.
"""

from __future__ import annotations

from dataclasses import fields
from typing import TYPE_CHECKING, Any

import msgspec

from starloom.constellation.kept_paths import KeptPaths
from starloom.constellation.task_names import TaskNames
from starloom.constellation.topological_order import TopologicalOrder
from starloom.constellation.undoable_changes import UndoableChanges
from starloom.model.dependency import Dependency
from starloom.model.expected import JsonSchema
from starloom.model.severity import ExitSeverity
from starloom.model.task import TASK_FIELDS, Task
from starloom.pauses import Pause, no_pause, with_pauses

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from contextlib import AbstractContextManager

    from starloom.model.plan import PlanIndex

_DEPENDENCY_FIELDS = tuple(f.name for f in fields(Dependency))


class Graph:
    """Tasks and dependencies of one constellation.

    Attributes:
        tasks: the task of each number; None where it was removed.
        ids: the id of each number, also of removed ones.
        place: the number of each present task id.
        children: for each number the numbers that depend on it.
        parents: for each number the numbers it depends on.
        special: the dependencies that are not plain `success`, by (parent, child).
        names: what its tasks are called.
        kept_paths: what is kept of its longest paths.
    """

    __slots__ = (
        "_changes",
        "_order",
        "_size",
        "children",
        "ids",
        "kept_paths",
        "names",
        "parents",
        "place",
        "special",
        "tasks",
    )

    def __init__(self) -> None:
        self.tasks: list[Task | None] = []
        self.ids: list[str] = []
        self.place: dict[str, int] = {}
        self.children: list[Sequence[int]] = []
        self.parents: list[Sequence[int]] = []
        self.special: dict[tuple[int, int], Dependency] = {}
        self._order: TopologicalOrder | None = None
        self._changes = UndoableChanges()
        self._size = 0
        self.names = TaskNames(self.tasks, self.ids, self.place)
        self.kept_paths = KeptPaths()

    # ---- making

    def extend(self, tasks: Sequence[Task]) -> None:
        """Append tasks without dependencies, as a plan declares them."""
        for number, task in enumerate(tasks, len(self.tasks)):
            self.place[task.id] = number
        self.tasks.extend(tasks)
        self.ids.extend(task.id for task in tasks)
        self.children.extend(() for _ in tasks)
        self.parents.extend(() for _ in tasks)
        self._order = None
        self.names.forget_counts()
        self.kept_paths.forget()

    def connect(self, dependencies: Sequence[Dependency]) -> None:
        """Append dependencies that are known to be legal, as a plan declares them."""
        place = self.place
        children: dict[int, list[int]] = {}
        parents: dict[int, list[int]] = {}
        for dependency in dependencies:
            parent, child = place[dependency.parent], place[dependency.child]
            children.setdefault(parent, []).append(child)
            parents.setdefault(child, []).append(parent)
            self._note_kind(parent, child, dependency)
        for kept, added in ((self.children, children), (self.parents, parents)):
            for number, more in added.items():
                kept[number] = [*kept[number], *more]
        self._order = None
        self.kept_paths.forget()

    def adopt(self, tasks: Sequence[Task], index: PlanIndex) -> None:
        """Take over a plan's tasks and the index its validation built; the graph must be empty.

        Args:
            tasks: of the plan; their positions become their numbers.
            index: of the same tasks.
        """
        self.tasks = list(tasks)
        self.ids = list(index.ids)
        self.place = dict(index.place)
        self.children = list(index.children)
        self.parents = list(index.parents)
        self.special = dict(index.special)
        self._order = None
        self.names = TaskNames(self.tasks, self.ids, self.place)
        self.kept_paths.forget()

    def copy(self) -> Graph:
        """An equal graph; changing one does not change the other."""
        twin = Graph()
        twin.tasks, twin.ids, twin.place = list(self.tasks), list(self.ids), dict(self.place)
        twin.children, twin.parents, twin.special = list(self.children), list(self.parents), dict(self.special)
        twin.names = TaskNames(twin.tasks, twin.ids, twin.place, self.names)
        twin._order = None if self._order is None else self._order.copy()
        return twin

    # ---- reading

    def __len__(self) -> int:
        """The number of present tasks."""
        return len(self.place)

    def __contains__(self, task_id: object) -> bool:
        return task_id in self.place

    def task(self, task_id: str) -> Task:
        """The task of this id.

        Raises:
            KeyError: there is none.
        """
        task = self.tasks[self.place[task_id]]
        assert task is not None
        return task

    def present(self) -> Iterator[tuple[int, Task]]:
        """Number and task of all that are present, by place in line."""
        return ((number, task) for number, task in enumerate(self.tasks) if task is not None)

    def dependency(self, parent: int, child: int) -> Dependency:
        """The dependency between two numbers that are connected.

        Args:
            parent: number of the task that is waited for.
            child: number of the task that waits.
        """
        found = self.special.get((parent, child))
        return found if found is not None else Dependency.plain(self.ids[parent], self.ids[child])

    def dependencies(self) -> Iterator[Dependency]:
        """All dependencies, by place of child, then of parent."""
        for child, parents in enumerate(self.parents):
            for parent in sorted(parents):
                yield self.dependency(parent, child)

    def topological_order(self) -> list[int]:
        """The numbers of all present tasks, each after its parents."""
        return sorted(self.place.values(), key=self.positions().__getitem__)

    def descendants(self, number: int, pause: Pause = no_pause) -> list[int]:
        """The numbers of all tasks that depend on a task, directly or not, in topological order."""
        seen = {number}
        found = [number]
        for one in with_pauses(found, pause):
            for child in self.children[one]:
                if child not in seen:
                    seen.add(child)
                    found.append(child)
        return sorted(found[1:], key=self.positions(pause).__getitem__)

    def canonical_bytes(self) -> bytes:
        """The same bytes for equal graphs, whatever was done and undone on the way."""
        tasks = [(number, {f: _plain(getattr(task, f)) for f in TASK_FIELDS}) for number, task in self.present()]
        edges = [{f: _plain(getattr(d, f)) for f in _DEPENDENCY_FIELDS} for d in self.dependencies()]
        return msgspec.json.encode([tasks, edges], order="deterministic")

    # ---- changing, each step undoable while a rehearsal is on

    def begin(self) -> None:
        """Start noting old values, for `roll_back`."""
        self._in_order()
        self._changes.begin()
        self._size = len(self.tasks)

    def roll_back(self) -> None:
        """Restore everything as it was at `begin`, the order of neighbours included."""
        self._changes.undo()
        self.names.forget_counts()
        for grown in (self.tasks, self.ids, self.children, self.parents):
            del grown[self._size :]
        self._in_order().truncate(self._size)

    def batch(self) -> AbstractContextManager[None]:
        """Make many changes of one task's edges cheap; neighbours must not be read meanwhile."""
        return self._changes.batch()

    def add_task(self, task: Task, place: int | None = None) -> int:
        """Add a task at the end of the line or at the place it once had; returns its number.

        Args:
            task: its id must be new.
            place: the number a removed task had; None: the next free one.
        """
        number = len(self.tasks)
        self.names.forget_counts()
        if place is not None and place < number:
            self._changes.set(self.tasks, place, task)
            self._changes.set(self.ids, place, task.id)
            number = place
        else:
            self._append(task, number if place is None else place)
            number = len(self.tasks) - 1
        self.kept_paths.note(number)
        self._changes.set(self.place, task.id, number)
        return number

    def _append(self, task: Task, place: int) -> None:
        order = self._in_order()
        while len(self.tasks) <= place:  # a place beyond the end leaves gaps, as removed tasks do
            last = len(self.tasks) == place
            self.tasks.append(task if last else None)
            self.ids.append(task.id if last else "")
            self.children.append(())
            self.parents.append(())
            order.append(self._changes.set)

    def remove_task(self, number: int) -> list[Dependency]:
        """Remove a task with its dependencies; returns those, to restore them."""
        removed = [self.dependency(parent, number) for parent in self.parents[number]]
        removed += [self.dependency(number, child) for child in self.children[number]]
        for dependency in removed:
            self.remove_edge(self.place[dependency.parent], self.place[dependency.child])
        self.kept_paths.note(number)
        self.names.note_removed(self.task(self.ids[number]), self._changes)
        self._changes.delete(self.place, self.ids[number])
        self._changes.set(self.tasks, number, None)
        return removed

    def set_task(self, number: int, task: Task) -> None:
        """Replace the task of a number by one with the same id."""
        self.names.forget_counts()
        self.kept_paths.note(number)
        self._changes.set(self.tasks, number, task)

    def add_edge(self, parent: int, child: int, dependency: Dependency) -> None:
        """Connect two tasks.

        Args:
            parent: number of the task that is waited for.
            child: number of the task that waits.
            dependency: its kind, condition and metadata.

        Raises:
            CycleError: it would close a cycle; nothing changed.
        """
        # With `set`, as an edge that was taken out before may come back with roll_back.
        self._in_order().make_room(self.children, self.parents, parent, child, self._changes.set)
        self._changes.own(self.children, parent).append(child)
        self._changes.own(self.parents, child).append(parent)
        self.kept_paths.note(child)
        self._note_kind(parent, child, dependency)

    def remove_edge(self, parent: int, child: int) -> Dependency:
        """Disconnect two connected tasks; returns what stood between them.

        Args:
            parent: number of the task that is waited for.
            child: number of the task that waits.
        """
        dependency = self.dependency(parent, child)
        self._changes.own(self.children, parent).remove(child)
        self._changes.own(self.parents, child).remove(parent)
        self.kept_paths.note(child)
        self._changes.delete(self.special, (parent, child))
        return dependency

    def set_edge(self, parent: int, child: int, dependency: Dependency) -> None:
        """Replace kind, condition and metadata of an existing edge.

        Args:
            parent: number of the task that is waited for.
            child: number of the task that waits.
            dependency: what stands between them from now on.
        """
        self._changes.delete(self.special, (parent, child))
        self._note_kind(parent, child, dependency)

    def has_edge(self, parent: int, child: int) -> bool:
        """Whether the child depends on the parent directly.

        Args:
            parent: number of a task.
            child: number of another one.
        """
        few, other = self.children[parent], self.parents[child]
        return child in few if len(few) < len(other) else parent in other

    def _note_kind(self, parent: int, child: int, dependency: Dependency) -> None:
        if dependency.kind != "success" or dependency.metadata:
            self._changes.set(self.special, (parent, child), dependency)

    # ---- the topological order

    def positions(self, pause: Pause = no_pause) -> Sequence[int]:
        """By number, a figure that grows in today's topological order: a parent's is below its child's."""
        return self._in_order(pause).labels

    def _in_order(self, pause: Pause = no_pause) -> TopologicalOrder:
        """A topological order of all numbers; made when an edit first needs it."""
        if self._order is None:
            self._order = TopologicalOrder(self.children, self.parents, pause)
        return self._order


def take_over(graph: Graph, edited: Graph) -> None:
    """Make a graph what a copy of it has become; its lists stay the same objects, and the copy is used up."""
    for name in ("tasks", "ids", "children", "parents"):
        getattr(graph, name)[:] = getattr(edited, name)
    for name in ("place", "special"):
        kept = getattr(graph, name)
        kept.clear()
        kept.update(getattr(edited, name))
    graph._order = edited._order
    graph.names.take_over(edited.names)


def _plain(value: Any) -> Any:
    """A field's value in a form whose encoding does not depend on chance."""
    if isinstance(value, frozenset):
        return sorted(value)
    return value.to_plain() if isinstance(value, ExitSeverity | JsonSchema) else value
