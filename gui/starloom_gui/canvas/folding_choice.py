"""Chooses what is folded in a large graph so that it can be read: its groups, or sections by level and name."""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import StrEnum
from functools import cached_property
from typing import TYPE_CHECKING, Final

from starloom.layout import LayoutGraph, LayoutStopped, Spacing
from starloom_gui.canvas.arranging import FOLDED_NODE, LayoutInput, LayoutOptions, with_several
from starloom_gui.canvas.camera import FULL_FROM
from starloom_gui.viewmodel.grouping import groups_of
from starloom_gui.viewmodel.sections import Cut, Sections

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from starloom.constellation.graph import Graph
    from starloom.layout import Layout
    from starloom.scheduling.state.run_facts import RunFacts
    from starloom_gui.viewmodel.grouping import Group

MOST_NODES: Final = 60
"""A graph of more nodes is folded when it is first shown."""
ROOM: Final = (860.0, 390.0)
"""Logical pixels of a canvas of usual size: the same graph is folded in the same way in all windows."""
_FILLED: Final = 0.6
_NEARLY_ALL: Final = 0.9
_MOST_OF_IT: Final = 0.6
_MOST_WORDS: Final = 4
_PIECES: Final = (48, 36, 24, 16, 12, 8, 6, 4, 3, 2)


class FoldBy(StrEnum):
    """The property that the tasks of one node share."""

    GROUP = "group"
    LEVEL = "level"
    NOTHING = "nothing"
    """Every task is a node."""


def folded_by(options: LayoutOptions) -> FoldBy:
    """The property a graph is folded by; groups that were unfolded one by one count as folded."""
    if not options.folded:
        return FoldBy.NOTHING
    return FoldBy.LEVEL if options.sections else FoldBy.GROUP


@dataclass(frozen=True, slots=True, eq=False)
class Folded:
    """A folded graph with its layout.

    Attributes:
        options: what is folded.
        shape: what was laid out.
        layout: where everything stands.
    """

    options: LayoutOptions
    shape: LayoutInput
    layout: Layout

    @property
    def scale(self) -> float:
        """The scale at which the whole graph is visible; at most 1."""
        left, top, right, bottom = self.layout.bounds()
        return min(1.0, ROOM[0] / max(1.0, right - left), ROOM[1] / max(1.0, bottom - top))

    @property
    def is_filling(self) -> bool:
        """Whether the graph fills enough of the viewport's width or height."""
        left, top, right, bottom = self.layout.bounds()
        return max((right - left) / ROOM[0], (bottom - top) / ROOM[1]) * self.scale >= _FILLED


@dataclass(frozen=True, eq=False)
class FoldingInput:
    """The input of folding: the facts that a thread needs to choose, which also reads them, as that takes a while.

    Attributes:
        copied: the graph of all tasks; nobody edits it.
        options: how it is laid out; nothing is folded, and nothing is pinned.
    """

    copied: Graph
    options: LayoutOptions

    @classmethod
    def of(cls, run: RunFacts, options: LayoutOptions) -> FoldingInput:
        """Copy a run's present graph."""
        return cls(run.graph.copy(), replace(options, folded=frozenset(), sections=(), pinned={}))

    @cached_property
    def graph(self) -> LayoutGraph:
        """The structure of the graph of all tasks."""
        return LayoutGraph.of(self.copied)

    def by(self, way: FoldBy | None, should_stop: Callable[[], bool] = lambda: False) -> Folded:
        """Fold the graph.

        Args:
            way: by what; None: by its groups, if these make a picture that has neither too many nodes nor too few.
            should_stop: asked many times a second.

        Raises:
            LayoutStopped: `should_stop` said yes.
        """
        if way is FoldBy.NOTHING:
            return self._laid_out((), self.options, should_stop)
        if way is not FoldBy.LEVEL:
            groups = with_several(groups_of(self.copied.present()))
            nodes = len(self.graph) - sum(len(group.numbers) - 1 for group in groups)
            if way is FoldBy.GROUP or (groups and nodes <= MOST_NODES):
                made = self._laid_out(groups, self.options, should_stop)
                if way is FoldBy.GROUP or made.is_filling:
                    return made
        return self._by_level(should_stop)

    def _laid_out(self, groups: Sequence[Group], options: LayoutOptions, should_stop: Callable[[], bool]) -> Folded:
        if should_stop():
            raise LayoutStopped
        wanted = replace(options, folded=frozenset(group.name for group in groups))
        place = self.copied.positions() if groups else ()
        shape = LayoutInput.folding(self.graph, groups, place, wanted)
        return Folded(wanted, shape, shape.laid_out(should_stop=should_stop))

    def _by_level(self, should_stop: Callable[[], bool]) -> Folded:
        """The first cut that meets its condition, else the one of which the largest share is visible."""
        sections = Sections(self.graph, [task.title for _, task in self.copied.present()])
        tried: dict[bytes, Folded] = {}
        for cuts, share in _cuts(sections.depth):
            for cut in cuts:
                label = sections.labels(cut)
                key = label.tobytes()
                if key not in tried and int(label.max(initial=-1)) < MOST_NODES:
                    made = sections.groups(cut)
                    tried[key] = self._laid_out(made, replace(self.options, sections=made), should_stop)
                if key in tried and tried[key].is_filling and tried[key].scale >= share * FULL_FROM:
                    return tried[key]
        return max(tried.values(), key=lambda found: (found.is_filling, found.scale))


def _cuts(depth: int) -> Iterator[tuple[list[Cut], float]]:
    """The possible cuts of a graph with so many levels, best first, each with the share of it that must be visible."""
    for share in (_NEARLY_ALL, _MOST_OF_IT):
        yield [Cut(band, words) for band in _bands(depth, share) for words in range(_MOST_WORDS, 0, -1)], share
    yield [Cut(band) for band in _bands(depth, _NEARLY_ALL)], _NEARLY_ALL
    yield [Cut(band, pieces=pieces) for pieces in _PIECES for band in (min(depth, 3), 1)], 1.0


def _bands(depth: int, share: float) -> range:
    """The possible numbers of bands of levels of which a share is visible side by side."""
    most = (ROOM[0] / (share * FULL_FROM) + Spacing().rank_gap) / (FOLDED_NODE[0] + Spacing().rank_gap)
    return range(min(depth, int(most)), 0, -1)
