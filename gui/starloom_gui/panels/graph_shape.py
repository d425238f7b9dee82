"""The shape of the graph in front, for the summary: parts, longest chain, width; in a thread if it is large."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np
from PySide6.QtCore import QObject, Signal

from starloom.layout import LayoutGraph
from starloom.layout.neighbours import Neighbours
from starloom.layout.packing import components
from starloom.layout.ranks import longest_paths
from starloom_gui.event_loop.background import in_background
from starloom_gui.text.words import amount

if TYPE_CHECKING:
    from starloom.constellation.graph import Graph
    from starloom.scheduling.read.run_view import RunView

MANY: Final = 3_000
"""From so many tasks on it is computed in a thread: 10,000 take about 40 ms."""


@dataclass(frozen=True, slots=True)
class _Shape:
    """The figures of a graph's shape.

    Attributes:
        parts: how many parts there are that nothing connects.
        chain: how many tasks one of the longest chains of dependencies has.
        width: the most tasks of one level, which is their distance from the start along the longest way.
    """

    parts: int
    chain: int
    width: int


class GraphShape(QObject):
    """Computes the structure of one graph at a time, again when another graph is shown or it was edited.

    Signals:
        changed(): the shape is known now.
    """

    changed = Signal()

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._seen: tuple[Graph, int] | None = None
        self._known: _Shape | None = None
        self._task: asyncio.Task[None] | None = None

    def rows(self, run: RunView) -> list[tuple[str, str]]:
        """Names and values of the shape of a run's graph, or of a plan's; dots where it is being computed."""
        if not run.graph.place:
            return []
        found = self._of(run)
        names = (self.tr("Separate parts"), self.tr("Longest dependency chain"), self.tr("Most at one level"))
        if found is None:
            return [(name, "…") for name in names]
        figures = found.parts, found.chain, found.width
        return list(zip(names, map(amount, figures), strict=True))

    def _of(self, run: RunView) -> _Shape | None:
        graph, revision = run.graph, run.revision
        if self._seen is not None and self._seen[0] is graph and self._seen[1] == revision:
            return self._known
        self.close()
        self._seen = graph, revision
        if len(graph) < MANY:
            self._known = _shape_of(graph)
        else:
            self._task = asyncio.get_running_loop().create_task(self._look(graph.copy()), name="console: graph shape")
        return self._known

    async def _look(self, graph: Graph) -> None:
        self._known = await in_background(_shape_of, graph)
        self._task = None
        self.changed.emit()

    def close(self) -> None:
        """Cancel the computation, and drop its results."""
        if self._task is not None:
            self._task.cancel()
        self._task = self._seen = self._known = None


def _shape_of(graph: Graph) -> _Shape:
    """The shape of a graph; networkx, by which the engine tells it, takes six times as long."""
    drawn = LayoutGraph.of(graph)
    level = np.asarray(longest_paths(Neighbours(drawn)), dtype=np.int64)
    part = components(len(drawn), drawn.edges)
    return _Shape(int(part.max(initial=-1)) + 1, int(level.max(initial=-1)) + 1, int(np.bincount(level).max(initial=0)))
