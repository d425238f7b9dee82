"""A run with edits applied: a copy of its facts that follows the run, and the overlay that is drawn of it.

The copy is made anew when the run's structure has changed, in place, so that whoever holds its facts goes on reading
them. In between only the tasks that have changed are copied: what 10,000 others do costs nothing. Other edits take
another preview: what is on the screen still reads the one before.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from starloom import events as ev
from starloom.constellation import edits as ed
from starloom.constellation.validation import task_ids
from starloom.scheduling.decide.editing import rehearsed
from starloom.scheduling.fold.apply import apply
from starloom.scheduling.state.codes import REMOVED
from starloom.scheduling.state.run_facts import RunFacts
from starloom_gui.viewmodel.stage import Stage
from starloom_gui.viewmodel.staged_overlay import Pair, StagedOverlay, follow_tasks

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from starloom.constellation.graph import Graph


class Preview:
    """The state of a run with its staged edits applied.

    Args:
        run: as it is; only read.
        edits: what would be applied, as one batch that fits.

    Attributes:
        edits: those.
        after: the facts with the edits applied; nothing that follows from them, such as starts, has happened there.
        ghosts: what is drawn; its facts are the same object for as long as the preview is.

    Raises:
        CommandRefused: the run takes no edits at all.
        ValueError: the edits do not fit.
    """

    def __init__(self, run: RunFacts, edits: tuple[ed.Edit, ...]) -> None:
        self.after: RunFacts = RunFacts.__new__(RunFacts)
        self._drawn: RunFacts = RunFacts.__new__(RunFacts)
        self.edits = edits
        self.make(run)

    def make(self, run: RunFacts) -> None:
        """Rebuild the preview; see the class."""
        batch = ed.EditBatch(edits=self.edits)
        rehearsal = rehearsed(run, batch)
        if rehearsal.problems:
            raise ValueError(f"These edits do not fit: {rehearsal.problems[0]}. Show only what fits.")
        fresh = run.copy(run.fleet)
        event = ev.ConstellationModified(
            seq=run.seq,
            at=0.0,
            run_id=run.run_id,
            revision=run.revision,
            changes=rehearsal.changes,
            inverse=rehearsal.inverse,
            origin=batch.origin,
        )
        apply(fresh, event)
        _take_over(self.after, fresh)
        self._revision, self._size = run.revision, len(run.status)
        self._more = fresh.open - run.open
        self._near = _near(run, self.after, rehearsal.changes)
        self.ghosts = self._ghosts(run, rehearsal.changes)

    def follow(self, run: RunFacts, numbers: Collection[int]) -> bool:
        """Update these tasks from the run; calling it twice is allowed.

        Returns:
            Whether that was possible: else `make` it anew, for something the edits are about has changed.
        """
        if (run.revision, len(run.status)) != (self._revision, self._size) or not self._near.isdisjoint(numbers):
            return False
        after, drawn = self.after, self._drawn
        follow_tasks(run, after, numbers)
        for number in numbers:
            drawn.status[number] = run.status[number]
        after.open = run.open + self._more
        self._mirror(drawn)
        return True

    # ---- what is drawn

    def _ghosts(self, run: RunFacts, changes: tuple[ed.Edit, ...]) -> StagedOverlay:
        after, drawn = self.after, self._drawn
        named = (change.task_id for change in changes if isinstance(change, ed.RemoveTask))
        there = (run.graph.place[id] for id in dict.fromkeys(named) if id in run.graph)
        removed = [number for number in there if after.status[number] == REMOVED]
        drawn.graph = _with_removed(run.graph, after.graph, removed)
        drawn.status = bytearray(after.status)
        drawn.status[: len(run.status)] = run.status
        self._mirror(drawn)
        stages = _stages(run, after, changes, removed)
        edge_stages = _edge_stages(run.graph, after.graph, stages, changes)
        gone = [pair for pair, stage in edge_stages.items() if stage is Stage.REMOVED]
        extra = tuple(pair for pair in gone if pair[0] not in drawn.graph.parents[pair[1]])
        for pair in gone:
            if pair in run.graph.special:
                drawn.graph.special[pair] = run.graph.special[pair]
        order = _order(run.graph, after.graph, removed) if extra else ()
        return StagedOverlay(drawn, stages, edge_stages, extra, order)

    def _mirror(self, drawn: RunFacts) -> None:
        """Let the drawn facts share everything with the projected ones, except graph and statuses."""
        for name in RunFacts.__slots__:
            if name not in {"graph", "status"}:
                setattr(drawn, name, getattr(self.after, name))


def _take_over(here: RunFacts, fresh: RunFacts) -> None:
    for name in RunFacts.__slots__:
        setattr(here, name, getattr(fresh, name))


def _near(run: RunFacts, after: RunFacts, changes: tuple[ed.Edit, ...]) -> frozenset[int]:
    """The tasks that edits speak of, with what depends on those that would be removed: there the copy is not a copy."""
    near: set[int] = set()
    for change in changes:
        for graph in (run.graph, after.graph):
            near.update(graph.place[id] for id in task_ids(change) if id in graph)
        if isinstance(change, ed.RemoveTask) and change.task_id in run.graph:
            near.update(run.graph.children[run.graph.place[change.task_id]])
    return frozenset(near)


def _with_removed(before: Graph, after: Graph, removed: Sequence[int]) -> Graph:
    """The graph there would be, with the tasks that would go still in it; they have their parents, but no children."""
    graph = after.copy()
    for number in removed:
        graph.tasks[number] = before.tasks[number]
        graph.place.setdefault(before.ids[number], number)
        graph.parents[number] = before.parents[number]
    return graph


def _stages(run: RunFacts, after: RunFacts, changes: tuple[ed.Edit, ...], removed: Sequence[int]) -> dict[int, Stage]:
    stages = dict.fromkeys(removed, Stage.REMOVED)
    known = len(run.status)
    for change in changes:
        number = after.graph.place.get(task_ids(change)[0])
        if number is None:
            continue
        if isinstance(change, ed.AddTask) and (number >= known or run.status[number] == REMOVED):
            stages[number] = Stage.ADDED
        elif isinstance(change, ed.AddTask | ed.UpdateTask) and number not in stages:
            stages[number] = Stage.CHANGED
    return stages


def _edge_stages(
    before: Graph, after: Graph, stages: dict[int, Stage], changes: tuple[ed.Edit, ...]
) -> dict[Pair, Stage]:
    """The stages of dependencies of added or removed tasks, and of those that edits name."""
    named = [change for change in changes if not isinstance(change, ed.AddTask | ed.RemoveTask | ed.UpdateTask)]
    pairs: dict[Pair, None] = {}
    for number, stage in stages.items():
        if stage is Stage.REMOVED:
            pairs.update(dict.fromkeys((parent, number) for parent in before.parents[number]))
            pairs.update(dict.fromkeys((number, child) for child in before.children[number]))
    for change in named:
        for graph in (before, after):
            ends = [graph.place.get(id) for id in task_ids(change)]
            if None not in ends:
                pairs[ends[0], ends[1]] = None  # type: ignore[index]  # neither is None
    found = ((pair, _edge_stage(before, after, *pair)) for pair in pairs)
    return {pair: stage for pair, stage in found if stage is not Stage.NONE}


def _edge_stage(before: Graph, after: Graph, parent: int, child: int) -> Stage:
    was, is_now = _has(before, parent, child), _has(after, parent, child)
    if was and is_now:
        is_same = before.special.get((parent, child)) == after.special.get((parent, child))
        return Stage.NONE if is_same else Stage.CHANGED
    return Stage.REMOVED if was else Stage.ADDED if is_now else Stage.NONE


def _has(graph: Graph, parent: int, child: int) -> bool:
    return max(parent, child) < len(graph.tasks) and graph.has_edge(parent, child)


def _order(before: Graph, after: Graph, removed: Sequence[int]) -> Sequence[int]:
    order = list(after.positions())
    was = before.positions()
    for number in removed:
        order[number] = was[number]
    return order
