"""The figures of a run's graph; what is kept of a large one for them is made in a thread, as it takes some frames."""

from __future__ import annotations

import threading
from contextlib import suppress
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QObject, Signal

from starloom.constellation.metrics import GraphStatistics, statistics
from starloom.scheduling.read.durations import durations

if TYPE_CHECKING:
    from starloom.constellation.graph import Graph
    from starloom.constellation.longest_paths import LongestPaths
    from starloom.scheduling.read.run_view import RunView

SMALL: Final = 500
"""Tasks; up to here all of it takes at most 4 ms."""


class GraphFigures(QObject):
    """Caches the graph figures of the run that was asked about last.

    Signals:
        found: those of a large graph can be asked for now.
    """

    found = Signal()
    _made = Signal(object, object)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._key: object = None
        self._asked: object = None
        self._run: RunView | None = None
        self._figures: GraphStatistics | None = None
        self._made.connect(self._take)

    def of(self, run: RunView | None) -> GraphStatistics | None:
        """The figures; None: there is no run with tasks, or they are being computed.

        Those of a large graph are as of its last edit, or of the run's end.
        """
        if run is None or not run.graph.place:
            return None
        if len(run.graph.place) <= SMALL:
            return statistics(run.graph, durations(run.facts))
        key = _key(run)
        if key != self._key and run.graph.kept_paths.follow(run.graph):
            self._key, self._figures = key, statistics(run.graph, durations(run.facts))
        elif key not in (self._key, self._asked):
            self._asked, self._run = key, run
            self._make(key, run.graph.copy())
        same_run = isinstance(self._key, tuple) and self._key[0] == run.run_id
        return self._figures if same_run else None

    def _make(self, key: object, graph: Graph) -> None:
        def work() -> None:
            paths = graph.kept_paths.of(graph)
            with suppress(RuntimeError):  # whoever asked is gone
                self._made.emit(key, paths)

        threading.Thread(target=work, name="console: graph figures", daemon=True).start()

    def _take(self, key: object, paths: LongestPaths) -> None:
        run = self._run
        if key != self._asked or run is None:
            return
        self._asked = self._run = None
        if key == _key(run):  # the graph was not edited meanwhile
            run.graph.kept_paths.keep(paths)
        self.found.emit()


def _key(run: RunView) -> tuple[str, int, bool, int]:
    return run.run_id, run.revision, run.state.has_ended, len(run.graph.place)
