"""The figures of a run's graph: at once where it is small, in a thread where that would take longer than a frame."""

from __future__ import annotations

import threading
from contextlib import suppress
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QObject, Signal

from starloom.constellation.metrics import GraphStatistics, statistics
from starloom.scheduling.read.summary import duration_of

if TYPE_CHECKING:
    from starloom.scheduling.read.run_view import RunView

SMALL: Final = 500
"""Tasks; up to here it takes at most 4 ms."""


class GraphFigures(QObject):
    """Caches the graph figures of the run that was asked about last.

    Signals:
        found: those of a large graph are known now.
    """

    found = Signal()
    _told = Signal(object, object)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._key: object = None
        self._asked: object = None
        self._figures: GraphStatistics | None = None
        self._told.connect(self._take)

    def of(self, run: RunView | None) -> GraphStatistics | None:
        """The figures; None: there is no run with tasks, or they are being computed.

        Those of a large graph are as of its last edit, or of the run's end.
        """
        if run is None or not run.graph.place:
            return None
        if len(run.graph.place) <= SMALL:
            return statistics(run.graph, lambda number: duration_of(run.facts, number))
        key = (run.run_id, run.revision, run.state.has_ended, len(run.graph.place))
        if key != self._key and key != self._asked:
            self._asked = key
            graph = run.graph.copy()
            seconds = {number: duration_of(run.facts, number) for number in run.graph.place.values()}

            def work() -> None:
                made = statistics(graph, seconds.__getitem__)
                with suppress(RuntimeError):  # whoever asked is gone
                    self._told.emit(key, made)

            threading.Thread(target=work, name="console: graph figures", daemon=True).start()
        same_run = isinstance(self._key, tuple) and self._key[0] == run.run_id
        return self._figures if same_run else None

    def _take(self, key: object, figures: GraphStatistics) -> None:
        if key == self._asked:
            self._key, self._figures = key, figures
            self.found.emit()
