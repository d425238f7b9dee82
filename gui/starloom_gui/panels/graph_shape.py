"""The shape of the graph in front, for the summary: parts, longest chain, width; in a thread if it is large."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QObject, Signal

from starloom.constellation.structure import Structure, graph_of, structure
from starloom_gui.event_loop.background import in_background
from starloom_gui.text.words import amount

if TYPE_CHECKING:
    from starloom.constellation.graph import Graph
    from starloom.scheduling.read.run_view import RunView

MANY: Final = 3_000
"""From so many tasks on it is computed in a thread: 10,000 take about 100 ms."""


class GraphShape(QObject):
    """Computes the structure of one graph at a time, again when another graph is shown or it was edited.

    Signals:
        changed(): the shape is known now.
    """

    changed = Signal()

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._seen: tuple[Graph, int] | None = None
        self._known: Structure | None = None
        self._task: asyncio.Task[None] | None = None

    def rows(self, run: RunView) -> list[tuple[str, str]]:
        """Names and values of the shape of a run's graph, or of a plan's; dots where it is being computed."""
        if not run.graph.place:
            return []
        found = self._of(run)
        names = (self.tr("Separate parts"), self.tr("Longest chain"), self.tr("Most at one level"))
        if found is None:
            return [(name, "…") for name in names]
        figures = len(found.components), len(found.longest_chain), found.width
        return list(zip(names, map(amount, figures), strict=True))

    def _of(self, run: RunView) -> Structure | None:
        graph, revision = run.graph, run.revision
        if self._seen is not None and self._seen[0] is graph and self._seen[1] == revision:
            return self._known
        self.close()
        self._seen = graph, revision
        if len(graph) < MANY:
            self._known = _structure(graph)
        else:
            self._task = asyncio.get_running_loop().create_task(self._look(graph.copy()), name="console: graph shape")
        return self._known

    async def _look(self, graph: Graph) -> None:
        self._known = await in_background(_structure, graph)
        self._task = None
        self.changed.emit()

    def close(self) -> None:
        """Cancel the computation, and drop its results."""
        if self._task is not None:
            self._task.cancel()
        self._task = self._seen = self._known = None


def _structure(graph: Graph) -> Structure:
    return structure(graph_of(graph))
