"""The step that each user action on a graph makes, with its label. Pure; legality is checked elsewhere.

All are about numbers of tasks that are in the graph. New tasks, copies and what is put on a dependency are made in
`adding` and `clipboard`.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from starloom.constellation.edits import (
    AddDependency,
    RemoveDependency,
    RemoveTask,
    UpdateDependency,
    UpdateTask,
)
from starloom.model.dependency import Dependency
from starloom.model.status import DependencyKind
from starloom_gui.editing.base import Step
from starloom_gui.text.words import fill, tasks, translate
from starloom_gui.viewmodel.grouping import GROUP

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from starloom.scheduling.state.run_facts import RunFacts


def kind_word(kind: DependencyKind) -> str:
    """A kind of dependency as people read it, e.g. `on failure`."""
    return {
        DependencyKind.SUCCESS: translate("Steps", "on success"),
        DependencyKind.ALWAYS: translate("Steps", "always"),
        DependencyKind.FAILURE: translate("Steps", "on failure"),
        DependencyKind.CONDITION: translate("Steps", "on a condition"),
    }[kind]


def name_of(run: RunFacts, number: int) -> str:
    """The name of a task, present or not."""
    return run.graph.names.title(number)


def arrow(run: RunFacts, parent: int, child: int) -> str:
    """A dependency as people read it: `compile → test`."""
    return fill(translate("Steps", "%1 → %2"), run.graph.names.label(parent), run.graph.names.label(child))


# ---- dependencies


def connect(run: RunFacts, parent: int, child: int) -> Step:
    """Add a dependency on the success of another task.

    Args:
        run: the facts.
        parent: number of the task that is waited for.
        child: number of the task that waits.
    """
    ids = run.graph.ids
    return Step(
        label=fill(translate("Steps", "Add dependency %1"), arrow(run, parent, child)),
        edits=(AddDependency(Dependency(parent=ids[parent], child=ids[child])),),
    )


def reconnect(run: RunFacts, parent: int, child: int, to: int, *, forward: bool) -> Step:
    """Move one end of a dependency to another task; kind and condition stay.

    Args:
        run: the facts.
        parent: of the dependency that is there.
        child: likewise.
        to: the task that one of them is replaced by.
        forward: whether that is the child.
    """
    old, ids = run.graph.dependency(parent, child), run.graph.ids
    new = replace(old, child=ids[to]) if forward else replace(old, parent=ids[to])
    ends = (parent, to) if forward else (to, child)
    return Step(
        label=fill(translate("Steps", "Move dependency %1 to %2"), arrow(run, parent, child), arrow(run, *ends)),
        edits=(RemoveDependency(old.parent, old.child), AddDependency(new)),
    )


def disconnect(run: RunFacts, parent: int, child: int) -> Step:
    """Remove a dependency."""
    ids = run.graph.ids
    return Step(
        label=fill(translate("Steps", "Remove dependency %1"), arrow(run, parent, child)),
        edits=(RemoveDependency(ids[parent], ids[child]),),
    )


def change(run: RunFacts, parent: int, child: int, kind: DependencyKind, condition: str = "") -> Step:
    """Change the kind or the condition of a dependency.

    Args:
        run: the facts.
        parent: number of the task that is waited for.
        child: number of the task that waits.
        kind: what stands between them from now on.
        condition: of a conditional dependency; else it is left out.

    Raises:
        ValueError: a condition is missing, or too long.
    """
    old = run.graph.dependency(parent, child)
    wanted = condition.strip() if kind is DependencyKind.CONDITION else None
    new = replace(old, kind=kind, condition=wanted)
    label = fill(translate("Steps", "Make %1 run %2"), arrow(run, parent, child), kind_word(kind))
    if wanted:
        label = fill(translate("Steps", "Let %1 depend on %2"), arrow(run, parent, child), wanted)
    return Step(label=label, edits=(UpdateDependency(new),))


# ---- tasks


def remove(run: RunFacts, numbers: Iterable[int]) -> Step:
    """Remove tasks, with their dependencies."""
    chosen = sorted(set(numbers))
    return Step(label=fill(translate("Steps", "Remove %1"), named(run, chosen)), edits=_removals(run, chosen))


def remove_and_reconnect(run: RunFacts, numbers: Iterable[int]) -> Step:
    """Remove tasks and connect their children to their parents.

    A new dependency asks of the parent what the removed task asked of it, unless that was its success: then what was
    asked of the removed task holds, but for a condition on its result, which is gone with it.
    """
    chosen = sorted(set(numbers))
    bridges = (AddDependency(each) for each in _bridges(run, frozenset(chosen)))
    label = fill(translate("Steps", "Remove %1 and reconnect"), named(run, chosen))
    return Step(label=label, edits=(*_removals(run, chosen), *bridges))


def rename(run: RunFacts, number: int, name: str) -> Step:
    """Rename a task; its id as a name means none."""
    ident = run.graph.ids[number]
    wanted = " ".join(name.split())
    label = fill(translate("Steps", "Rename %1 to %2"), name_of(run, number), wanted or ident)
    return Step(label=label, edits=(UpdateTask(ident, name="" if wanted == ident else wanted),))


def bypass(run: RunFacts, numbers: Iterable[int], *, is_on: bool) -> Step:
    """Let tasks complete without running, with what their parents have; or let them run."""
    chosen = sorted(set(numbers))
    text = translate("Steps", "Bypass %1") if is_on else translate("Steps", "Do not bypass %1")
    edits = tuple(UpdateTask(run.graph.ids[number], bypass=is_on) for number in chosen)
    return Step(label=fill(text, named(run, chosen)), edits=edits)


def group(run: RunFacts, numbers: Iterable[int], name: str) -> Step:
    """Put tasks into a group of outline and canvas, which exists or is created."""
    chosen = sorted(set(numbers))
    label = fill(translate("Steps", "Put %1 into group %2"), named(run, chosen), name)
    return Step(label=label, edits=_grouped(run, chosen, name))


def ungroup(run: RunFacts, numbers: Iterable[int]) -> Step:
    """Remove tasks from their groups; a task that was never put into one is unchanged."""
    chosen = [number for number in sorted(set(numbers)) if is_grouped(run, number)]
    label = fill(translate("Steps", "Take %1 out of its group"), named(run, chosen))
    if len(chosen) > 1:
        label = fill(translate("Steps", "Take %1 out of their groups"), named(run, chosen))
    return Step(label=label, edits=_grouped(run, chosen, ""))


def is_grouped(run: RunFacts, number: int) -> bool:
    """Whether a task was put into a group."""
    task = run.graph.tasks[number]
    return task is not None and GROUP in task.metadata


def _grouped(run: RunFacts, numbers: list[int], name: str) -> tuple[UpdateTask, ...]:
    """Tasks with another group; empty: with none."""
    edits = []
    for number in numbers:
        task = run.graph.tasks[number]
        if task is not None:
            others = {key: value for key, value in task.metadata.items() if key != GROUP}
            edits.append(UpdateTask(task.id, metadata={**others, GROUP: name} if name else others))
    return tuple(edits)


def named(run: RunFacts, numbers: Sequence[int]) -> str:
    """The words for tasks in a step's label: one by its name, more by their number."""
    return name_of(run, numbers[0]) if len(numbers) == 1 else tasks(len(numbers))


def _removals(run: RunFacts, numbers: list[int]) -> tuple[RemoveTask, ...]:
    return tuple(RemoveTask(run.graph.ids[number]) for number in numbers)


def _bridges(run: RunFacts, gone: frozenset[int]) -> list[Dependency]:
    """The dependencies that stand for ways through what is taken out, each once."""
    graph, found = run.graph, dict[tuple[int, int], Dependency]()
    for first in sorted(gone):
        for parent in graph.parents[first]:
            if parent in gone:
                continue
            kind = graph.dependency(parent, first)
            for child, last in _ways_out(run, first, gone):
                if not graph.has_edge(parent, child):
                    found.setdefault((parent, child), _bridge(kind, last))
    return list(found.values())


def _ways_out(run: RunFacts, first: int, gone: frozenset[int]) -> list[tuple[int, Dependency]]:
    """The tasks that stay and wait for `first`, through others that go; and the last dependency on the way to each."""
    graph = run.graph
    seen, waiting, found = {first}, [first], list[tuple[int, Dependency]]()
    for number in waiting:
        for child in graph.children[number]:
            if child not in gone:
                found.append((child, graph.dependency(number, child)))
            elif child not in seen:
                seen.add(child)
                waiting.append(child)
    return found


def _bridge(into: Dependency, out: Dependency) -> Dependency:
    """The dependency that replaces two successive ones."""
    if into.kind is not DependencyKind.SUCCESS:
        return replace(into, child=out.child)
    kind = DependencyKind.SUCCESS if out.kind is DependencyKind.CONDITION else out.kind
    return Dependency(parent=into.parent, child=out.child, kind=kind)
