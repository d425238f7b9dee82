"""A plan as a value. It validates its own structure once and keeps the index it built for that."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import field, fields
from operator import lt
from typing import TYPE_CHECKING, Annotated, Any, Final, Self

from pydantic import BeforeValidator, ConfigDict, Field
from pydantic.dataclasses import dataclass

from starloom.errors import PlanError, Problem, nearest
from starloom.model.dependency import SUCCESS, Dependency
from starloom.model.device import DeviceSpec
from starloom.model.frozen import EMPTY
from starloom.model.json_values import JsonChecked
from starloom.model.note import MOST_NOTES, Note
from starloom.model.positions import Positions
from starloom.model.quantities import OverdueFactor, Patience
from starloom.model.status import Fence, Join, Placement
from starloom.model.task import CONFIG, Identifier, Task

if TYPE_CHECKING:
    import networkx as nx

LimitCount = Annotated[int, Field(ge=0, le=1_000_000)]


@dataclass(frozen=True, slots=True, kw_only=True, config=CONFIG)
class Limits:
    """The limits on what runs at once; None and an absent limit group mean no limit."""

    max_concurrency: LimitCount | None = None
    """Tasks of this run at once."""
    groups: Mapping[Identifier, LimitCount] = EMPTY
    """Tasks of each limit group at once, by its name. A fleet that already limits it keeps its own number."""


NO_LIMITS: Final = Limits()
UNNAMED: Final = "plan"
"""The name of a plan to which nobody has given one."""


def is_constrained(task: Task) -> bool:
    """Whether more than dependencies decides where and whether it starts."""
    is_stopped = task.breakpoint or task.bypass is not False or task.gate is not None
    return is_stopped or bool(task.requires) or task.device is not None


class PlanIndex:
    """Integer adjacency of a plan: the place of a task in the plan is its number.

    Args:
        tasks: their positions in it are their numbers.
        dependencies: by ids.

    Attributes:
        place: the number of each task id.
        children: the children of each task, by number, in the order of the dependencies.
        parents: the parents of each task, likewise.
        order: one topological order of the numbers.
        special: the dependencies whose kind is not `success`, by (parent, child).
        ids: the id of each number.
        unmet: how many parents each task has.
        priorities: the base priority of each task.
        any_joins: how many tasks need only one of their parents.
        grouped: whether any task counts against a group.
        constrained: whether any task asks for a device, a capability or a group, is a gate, has a breakpoint or is
            bypassed, or some need another action of a device than others.
    """

    __slots__ = (
        "any_joins",
        "children",
        "constrained",
        "grouped",
        "ids",
        "order",
        "parents",
        "place",
        "priorities",
        "special",
        "unmet",
    )

    def __init__(self, tasks: Sequence[Task], dependencies: Iterable[Dependency]) -> None:
        if problems := self._link([task.id for task in tasks], dependencies):
            raise PlanError(problems)
        self._sum_up(tasks)

    @classmethod
    def problems_of(cls, ids: Sequence[str], dependencies: Iterable[Dependency]) -> list[Problem]:
        """What is wrong with the structure of tasks of which only the ids are known; empty: nothing.

        Args:
            ids: of all tasks.
            dependencies: by ids.
        """
        return cls.__new__(cls)._link(ids, dependencies)

    @classmethod
    def of_legal(cls, tasks: Sequence[Task], dependencies: Sequence[Dependency]) -> Self | None:
        """The index of what most likely is a legal plan, in half the time; None if it is none."""
        place = {task.id: number for number, task in enumerate(tasks)}
        try:
            parents = [place[one.parent] for one in dependencies]
            children = [place[one.child] for one in dependencies]
        except KeyError:
            return None
        special = {
            (parent, child): one
            for parent, child, one in zip(parents, children, dependencies, strict=True)
            if one.kind is not SUCCESS or one.metadata
        }
        return cls.of_numbers(tasks, parents, children, special)

    @classmethod
    def of_numbers(
        cls,
        tasks: Sequence[Task],
        parents: Sequence[int],
        children: Sequence[int],
        special: Mapping[tuple[int, int], Dependency],
    ) -> Self | None:
        """The index of tasks and dependencies that are known by number; None if they are no legal plan.

        Args:
            tasks: all tasks of the plan.
            parents: the number, below that of the tasks and not negative, of each dependency's parent.
            children: likewise of its child.
            special: the dependencies that are not plain `success`, by (parent, child).
        """
        count = len(tasks)
        index = cls.__new__(cls)
        index.place = {task.id: number for number, task in enumerate(tasks)}
        index.special = dict(special)
        index.children, index.parents = [[] for _ in tasks], [[] for _ in tasks]
        children_of, parents_of = index.children, index.parents
        for parent, child in zip(parents, children, strict=True):
            children_of[parent].append(child)
            parents_of[child].append(parent)
        in_order = all(map(lt, parents, children))  # then the plan's own order is a topological one
        index.order = list(range(count)) if in_order else index._sort()
        is_repeated = any(len(set(ends)) < len(ends) for ends in parents_of)
        if is_repeated or len(index.place) < count or len(index.order) < count:
            return None
        index._sum_up(tasks)
        return index

    def _link(self, ids: Sequence[str], dependencies: Iterable[Dependency]) -> list[Problem]:
        """Number the tasks and connect them; the problems met."""
        problems: list[Problem] = []
        self.place: dict[str, int] = {}
        for number, task_id in enumerate(ids):
            if self.place.setdefault(task_id, number) != number:
                problems.append(_duplicate_task(task_id))
        self.children: list[list[int]] = [[] for _ in ids]
        self.parents: list[list[int]] = [[] for _ in ids]
        self.special: dict[tuple[int, int], Dependency] = {}
        self._connect(dependencies, problems)
        self.order = self._sort()
        if len(self.order) < len(ids) and not problems:
            problems.append(_cycle_problem([ids[i] for i in find_cycle(self.parents, set(self.order))]))
        return problems

    def _sum_up(self, tasks: Sequence[Task]) -> None:
        self.ids = [task.id for task in tasks]
        self.unmet = list(map(len, self.parents))
        self.priorities = bytes(task.priority for task in tasks)
        self.any_joins = [task.join for task in tasks].count(Join.ANY)
        self.grouped = any(task.groups for task in tasks)
        self.constrained = (
            self.grouped or any(map(is_constrained, tasks)) or len({task.needs_action for task in tasks}) > 1
        )

    def _connect(self, dependencies: Iterable[Dependency], problems: list[Problem]) -> None:
        place, children, parents = self.place, self.children, self.parents
        seen: set[int] = set()
        for dependency in dependencies:
            parent, child = place.get(dependency.parent), place.get(dependency.child)
            if parent is None or child is None:
                problems.append(_unknown_end(dependency, parent is None, place))
                continue
            pair = parent << 32 | child
            if pair in seen:
                problems.append(_duplicate_dependency(dependency))
                continue
            seen.add(pair)
            children[parent].append(child)
            parents[child].append(parent)
            if dependency.kind != "success" or dependency.metadata:
                self.special[parent, child] = dependency

    def _sort(self) -> list[int]:
        children = self.children
        unmet = [len(parents) for parents in self.parents]
        order = [number for number, count in enumerate(unmet) if not count]
        for number in order:  # the list grows while it is walked: Kahn's algorithm without recursion
            for child in children[number]:
                unmet[child] -= 1
                if not unmet[child]:
                    order.append(child)
        return order


def find_cycle(parents: Sequence[Sequence[int]], outside: set[int]) -> list[int]:
    """One cycle as a closed path `[a, b, a]`, walking parents among the numbers not in `outside`.

    Every number that is not in `outside` must have a parent that is not in it either, as after Kahn's algorithm.

    Args:
        parents: for each number those of its parents.
        outside: numbers that are on no cycle.
    """
    current = next(number for number in range(len(parents)) if number not in outside)
    seen: dict[int, int] = {}
    path: list[int] = []
    while current not in seen:
        seen[current] = len(path)
        path.append(current)
        current = next(parent for parent in parents[current] if parent not in outside)
    return [current, *reversed(path[seen[current] :])]


def show_path(ids: Sequence[str], limit: int = 12) -> str:
    """A path as `a → b → a`, its middle left out when it is long.

    Args:
        ids: in the order of the path.
        limit: how many ids are shown at most.
    """
    if len(ids) > limit + 1:  # leaving out one would save nothing
        head, tail = ids[: limit // 2], ids[-limit // 2 :]
        return " → ".join([*head, f"… {len(ids) - limit} more …", *tail])
    return " → ".join(ids)


def _cycle_problem(ids: Sequence[str]) -> Problem:
    return Problem(
        code="cycle",
        where="dependencies",
        message=f"the dependencies form a cycle: {show_path(ids)}.",
        hint="Remove one dependency of it.",
        task_id=ids[0],
    )


def _duplicate_task(task_id: str) -> Problem:
    return Problem(
        code="duplicate_task",
        where=f"tasks.{task_id}",
        message=f"the id {task_id!r} is used by more than one task.",
        hint="Give each task its own id; names may repeat.",
        task_id=task_id,
    )


def _duplicate_dependency(dependency: Dependency) -> Problem:
    return Problem(
        code="duplicate_dependency",
        where=f"tasks.{dependency.child}",
        message=f"{dependency.child!r} depends on {dependency.parent!r} twice.",
        hint="Keep one of the two.",
        task_id=dependency.child,
    )


def _unknown_end(dependency: Dependency, parent_is_unknown: bool, known: Iterable[str]) -> Problem:
    missing, other = (
        (dependency.parent, dependency.child) if parent_is_unknown else (dependency.child, dependency.parent)
    )
    near = nearest(missing, known)
    return Problem(
        code="unknown_task",
        where=f"tasks.{other}",
        message=f"the dependency {dependency.parent} → {dependency.child} names {missing!r}, which is not a task.",
        hint=f"Did you mean {near!r}?" if near else "Add the task or remove the dependency.",
        task_id=other,
    )


def _tuple(value: Any) -> Any:
    """A list may be given; what is kept is a tuple."""
    return tuple(value) if isinstance(value, list) else value


@dataclass(frozen=True, slots=True, kw_only=True, config=ConfigDict(extra="forbid", arbitrary_types_allowed=True))
class Plan:
    """Tasks, the dependencies between them, and what they want: devices and limits.

    Raises:
        PlanError: ids repeat, a dependency names no task or repeats, or there is a cycle; lists all of them.
        pydantic.ValidationError: a field has the wrong type.
    """

    name: Identifier = UNNAMED
    description: str = ""
    tasks: Annotated[Sequence[Task], BeforeValidator(_tuple)] = ()
    dependencies: Annotated[Sequence[Dependency], BeforeValidator(_tuple)] = ()
    devices: Annotated[Sequence[DeviceSpec], BeforeValidator(_tuple)] = ()
    limits: Limits = NO_LIMITS
    metadata: Annotated[Mapping[str, Any], JsonChecked] = EMPTY
    rules: Annotated[tuple[Any, ...], JsonChecked] = ()
    """What to change as tasks end, as `starloom.formats.rules` reads it; done by an agent, if one is attached."""
    agents: Annotated[tuple[Any, ...], JsonChecked] = ()
    """On which terms agents of these names are attached, as `starloom.formats.agent_terms` reads it; starts none."""
    fence: Fence | None = None
    """What waits while agents are asked; None: as it is by default."""
    placement: Placement | None = None
    """How devices are chosen for its tasks; None: as the fleet says."""
    modification_timeout: Patience | None = None
    """Seconds agents are waited for; None: as the settings say, 600 by default."""
    overdue_factor: OverdueFactor | None = None
    """How many times its estimate a task may run before it is said to be overdue; 0 or none: for ever."""
    notes: Annotated[tuple[Note, ...], Field(max_length=MOST_NOTES)] = ()
    """What is written beside the tasks, lowest first where they cover each other."""
    layout: Positions = EMPTY
    """Where nodes were placed by hand, by task id; an id that is no task's means nothing."""
    defaults: Annotated[Mapping[str, Any], JsonChecked] = EMPTY
    """Fields that its file gives once for all tasks, as the file writes them; each task has its own values here."""
    built: PlanIndex | None = field(init=False, default=None, repr=False, compare=False)
    """What `index` keeps."""

    def __post_init__(self) -> None:
        """Check the structure and keep the index built for it."""
        object.__setattr__(self, "built", PlanIndex(self.tasks, self.dependencies))

    @property
    def index(self) -> PlanIndex:
        """Built once: when the plan is made and checked; of one that `edited` has made, when somebody first asks."""
        if self.built is None:
            object.__setattr__(self, "built", PlanIndex(self.tasks, self.dependencies))
        assert self.built is not None
        return self.built

    def edited(
        self, tasks: tuple[Task, ...], dependencies: tuple[Dependency, ...], index: PlanIndex | None = None
    ) -> Self:
        """This plan with other tasks and dependencies, of which it is known that they are legal together.

        The one door past the checks, for what was checked part by part, as a graph edit by edit and a file line by
        line: of a large plan it would take longer than a frame. What it makes equals the plan that checks itself, and
        its index is built when it is needed.

        Args:
            tasks: all of them, as a graph has them.
            dependencies: all between these.
            index: of these; None: nobody has made it.
        """
        return self._with({"tasks": tasks, "dependencies": dependencies, "built": index})

    def to_networkx(self) -> nx.DiGraph:
        """The plan as a networkx graph of its own, for networkx's algorithms.

        Nodes are task ids, edges lead from parent to child; their attributes are the fields that are not at their
        defaults, as `starloom.model.networkx_graphs` says. `Plan.from_networkx` makes an equal plan of it.
        """
        from starloom.model.networkx_graphs import to_networkx

        return to_networkx(self)

    @classmethod
    def from_networkx(cls, graph: nx.DiGraph) -> Plan:
        """The plan that a networkx graph says: tasks by its nodes, dependencies by its edges.

        Args:
            graph: a `networkx.DiGraph` whose nodes are texts with fields of `Task` as attributes, at least an action
                such as `shell`; edges may have `kind` and `condition`, the graph other fields of `Plan`.

        Raises:
            PlanError: it says no plan; lists everything that is wrong with it.
        """
        from starloom.model.networkx_graphs import from_networkx

        plan: Plan = from_networkx(graph, cls)
        return plan

    def noted(self, notes: tuple[Note, ...]) -> Self:
        """This plan with other notes, of which it is known that they are not too many; nothing else is checked."""
        return self._with({"notes": notes})

    def laid_out(self, layout: Positions) -> Self:
        """This plan with nodes placed elsewhere, at positions that were checked."""
        return self._with({"layout": layout})

    def named(self, name: Identifier) -> Self:
        """This plan under another name, which is not checked."""
        return self._with({"name": name})

    def with_devices(self, devices: tuple[DeviceSpec, ...]) -> Self:
        """This plan with other devices, which are not checked."""
        return self._with({"devices": devices})

    def _with(self, given: Mapping[str, Any]) -> Self:
        made = object.__new__(type(self))
        for each in fields(self):
            value = given[each.name] if each.name in given else getattr(self, each.name)
            object.__setattr__(made, each.name, value)
        return made
