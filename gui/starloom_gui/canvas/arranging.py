"""The input of a layout: tasks, with folded groups as one node each, and the direction of dependencies.

`LayoutInput.of` reads the facts, so it belongs on the loop; `LayoutInput.laid_out` knows only arrays and may run in a
thread.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Final

import numpy as np

from starloom.layout import Direction, LayoutGraph, Routes, layout
from starloom_gui.viewmodel.grouping import Group, groups

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from starloom.layout import Layout, Point
    from starloom.layout.values import BoolArray, IntArray
    from starloom.scheduling.state.run_facts import RunFacts

FOLDED_NODE: Final = (208.0, 72.0)


@dataclass(frozen=True, slots=True)
class LayoutOptions:
    """The options of the layout that the user has chosen; they belong to the view and are no fact of the run.

    Attributes:
        direction: where dependencies point.
        folded: the names of groups that are shown as one node.
        sections: what is folded instead of the groups of the outline; tasks that came later are in none; (): nothing.
        pinned: by number, where the user has put nodes.
    """

    direction: Direction = Direction.RIGHT
    folded: frozenset[str] = frozenset()
    sections: tuple[Group, ...] = ()
    pinned: Mapping[int, Point] = field(default_factory=dict)


UNFOLDED: Final = LayoutOptions()


def foldable(run: RunFacts, wanted: LayoutOptions = UNFOLDED) -> list[Group]:
    """The groups that can be folded: sections, or groups of the outline, with a name and more than one task."""
    if not wanted.sections:
        return with_several(groups(run.graph))
    known = set(run.graph.place.values())
    there = (tuple(number for number in one.numbers if number in known) for one in wanted.sections)
    return with_several(one._replace(numbers=left) for one, left in zip(wanted.sections, there, strict=True))


def with_several(those: Iterable[Group]) -> list[Group]:
    """The groups that have a name and more than one task."""
    return [group for group in those if group.name and len(group.numbers) > 1]


@dataclass(frozen=True, slots=True)
class Extra:
    """Dependencies that staged edits would remove, which are still drawn.

    Attributes:
        pairs: numbers of parents and children, all of them in the graph.
        order: by number, where each task stands in an order that all other dependencies keep.
    """

    pairs: tuple[tuple[int, int], ...] = ()
    order: Sequence[int] = ()

    def added_to(self, graph: LayoutGraph) -> LayoutGraph:
        """Return a graph with these dependencies."""
        if not self.pairs:
            return graph
        edges = np.searchsorted(graph.numbers, np.array(self.pairs, dtype=np.int64))
        return LayoutGraph(graph.numbers, graph.ids, np.vstack([graph.edges, edges]))


NOTHING_ELSE: Final = Extra()


@dataclass(frozen=True, slots=True, eq=False)
class LayoutInput:
    """The input of a layout.

    A folded group takes the place of its first task: it has the number of that one, so that a layout goes on from
    where the task was, and back. Its edges are bundled: one from or to each node outside.

    Attributes:
        direction: where dependencies point.
        graph: the nodes that are shown and the edges between them; with groups, and with dependencies that would be
            removed, there may be cycles.
        folded: the groups that are one node, by their first task.
        order: (N,) where each node stands in a topological order of the tasks; of a group, its tasks' mean; () if there
            can be no cycle.
        pinned: by number, where the user has put nodes.
        bundled: (E,) how many dependencies of the run each edge stands for, where nodes are folded; None: not counted.
    """

    direction: Direction
    graph: LayoutGraph
    folded: tuple[Group, ...] = ()
    order: tuple[float, ...] = ()
    pinned: Mapping[int, Point] = field(default_factory=dict)
    bundled: IntArray | None = None

    @classmethod
    def of(cls, run: RunFacts, wanted: LayoutOptions = UNFOLDED, also: Extra = NOTHING_ELSE) -> LayoutInput:
        """The input of a layout of a run's present graph; unknown names of groups are ignored."""
        graph = also.added_to(LayoutGraph.of(run.graph))
        folded = [each for each in foldable(run, wanted) if each.name in wanted.folded] if wanted.folded else []
        place = also.order or (run.graph.positions() if folded else ())
        made = cls.folding(graph, folded, place, wanted)
        return replace(made, bundled=None) if also.pairs else made

    @classmethod
    def folding(
        cls, graph: LayoutGraph, groups: Iterable[Group], place: Sequence[int], wanted: LayoutOptions
    ) -> LayoutInput:
        """The input of a layout of a graph with these groups as one node each.

        Args:
            graph: of all tasks.
            groups: by their first task; each task is in one at most.
            place: by number, where each task stands in a topological order; () if nothing is folded and no edge leads
                backwards.
            wanted: how it is laid out; what it says of folding is passed over.
        """
        folded = tuple(groups)
        if not folded:
            known = tuple(place[number] for number in graph.numbers.tolist()) if place else ()
            return cls(wanted.direction, graph, order=known, pinned=wanted.pinned)
        node = np.arange(len(graph))
        order = np.array([place[number] for number in graph.numbers.tolist()], dtype=np.float64)
        for group in folded:
            rows = np.searchsorted(graph.numbers, group.numbers)
            node[rows] = rows[0]
            order[rows[0]] = order[rows].mean()
        kept = np.unique(node)
        nodes, counts = _bundled(graph, node, kept)
        return cls(wanted.direction, nodes, folded, tuple(order[kept].tolist()), wanted.pinned, counts)

    def stands_as(self, other: LayoutInput | None) -> bool:
        """Whether another input has the same layout: no node or edge was added, removed or moved."""
        return (
            other is not None
            and (self.direction, self.pinned, self.order) == (other.direction, other.pinned, other.order)
            and [(group.name, group.numbers) for group in self.folded]
            == [(group.name, group.numbers) for group in other.folded]
            and np.array_equal(self.graph.numbers, other.graph.numbers)
            and np.array_equal(self.graph.edges, other.graph.edges)
        )

    def laid_out(self, previous: Layout | None = None, should_stop: Callable[[], bool] = lambda: False) -> Layout:
        """Compute the layout.

        Args:
            previous: the layout to go on from, of this run and whatever was folded then.
            should_stop: asked many times a second.

        Raises:
            LayoutStopped: `should_stop` said yes.
        """
        sizes = {group.numbers[0]: FOLDED_NODE for group in self.folded}
        back = self._back()
        pairs = np.where(back[:, None], self.graph.edges[:, ::-1], self.graph.edges)
        forward, which = _distinct(pairs) if back.any() else (self.graph.edges, np.arange(len(pairs)))
        made = layout(
            LayoutGraph(self.graph.numbers, self.graph.ids, forward),
            direction=self.direction,
            sizes=sizes,
            previous=previous,
            pinned=self.pinned,
            should_stop=should_stop,
        )
        return replace(made, graph=self.graph, routes=_turned(made.routes, which, back)) if back.any() else made

    def _back(self) -> BoolArray:
        """The edges to reverse, as folding has made cycles; (E,)."""
        edges = self.graph.edges
        back = np.zeros(len(edges), dtype=np.bool_)
        if not self.order:
            return back
        order = np.lexsort((np.arange(len(self.graph)), np.asarray(self.order)))
        place = np.empty(len(order), dtype=np.int64)
        place[order] = np.arange(len(order))
        back[:] = place[edges[:, 0]] > place[edges[:, 1]]
        if not back.any():
            return back
        import networkx as nx  # here, as it takes 0.2 s to import and few graphs have a cycle once they are folded

        ring = np.arange(len(self.graph))
        for number, nodes in enumerate(nx.strongly_connected_components(nx.DiGraph(edges.tolist()))):
            if len(nodes) > 1:
                ring[list(nodes)] = -1 - number
        back &= ring[edges[:, 0]] == ring[edges[:, 1]]
        return back


def _bundled(graph: LayoutGraph, node: IntArray, kept: IntArray) -> tuple[LayoutGraph, IntArray]:
    """A graph in which all rows of a node are merged, and for each of its edges how many it stands for.

    Args:
        graph: of all tasks.
        node: (N,) the row that stands for each.
        kept: the rows that stand for themselves, ascending.
    """
    ends = np.searchsorted(kept, node[graph.edges])
    edges, which = _distinct(ends[ends[:, 0] != ends[:, 1]])
    counts: IntArray = np.bincount(which, minlength=len(edges))
    return LayoutGraph(graph.numbers[kept], tuple(graph.ids[row] for row in kept.tolist()), edges), counts


def _distinct(pairs: IntArray) -> tuple[IntArray, IntArray]:
    """The unique pairs in the order of their first occurrence, and the index of each pair among them."""
    key = pairs[:, 0] << 32 | pairs[:, 1]  # as one number: sorting rows is ten times as slow
    _, first, which = np.unique(key, return_index=True, return_inverse=True)
    order = np.argsort(first)
    place = np.empty(len(order), dtype=np.int64)
    place[order] = np.arange(len(order))
    return pairs[first[order]], place[which]


def _turned(routes: Routes, which: IntArray, back: BoolArray) -> Routes:
    """The routes of edges, each taken from another edge, and reversed for reversed edges."""
    points = [routes.of(edge)[::-1] if turn else routes.of(edge) for edge, turn in zip(which, back, strict=True)]
    starts = np.concatenate(([0], np.cumsum([len(each) for each in points])))
    return Routes(np.vstack(points), np.asarray(starts, dtype=np.int64))
