"""Where no single task is selected: how many stand how, of the whole run or of what is selected."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QPainter
from PySide6.QtWidgets import QGridLayout, QWidget
from typing_extensions import override

from starloom.scheduling.codes import REMOVED, STATUS_OF
from starloom_gui.panels.dress import text
from starloom_gui.panels.sections import Section
from starloom_gui.task_words import wall_seconds
from starloom_gui.theme.metrics import ROW
from starloom_gui.theme.palette import colour
from starloom_gui.words import amount, clock, fill, moment, run_word, status_word, translate

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Sequence

    from PySide6.QtGui import QPaintEvent

    from starloom.foresight.projection import Projection
    from starloom.scheduling.run_facts import RunFacts
    from starloom_gui.theme.palette import Palette

_ORDER = (3, 4, 5, 6, 2, 1, 0)
"""Codes as a stacked bar has them: what has ended at the left."""


def counts_of(run: RunFacts, numbers: Collection[int] | None = None) -> tuple[int, ...]:
    """How many tasks have each code: of these numbers, else of the whole run."""
    if numbers is None:
        return tuple(run.status.count(code) for code in range(REMOVED))
    counted = Counter(run.status[number] for number in numbers)
    return tuple(counted[code] for code in range(REMOVED))


def run_standing(run: RunFacts, now: float) -> str:
    """The run's state and how long it has been going on: `Executing · 3:36`."""
    word = run_word(run.state)
    if run.run_started_at is None:
        return word
    end = run.run_ended_at if run.run_ended_at is not None and run.state.has_ended else now
    return fill(translate("Inspector", "%1 · %2"), word, clock(end - run.run_started_at))


def finish_of(run: RunFacts, projection: Projection | None) -> str:
    """When the run is foreseen to end, on the clock on the wall; empty: nobody can tell."""
    if projection is None or projection.end is None or run.state.has_ended:
        return ""
    return moment(wall_seconds(run, projection.end))


class StackedBar(QWidget):
    """Counts by status side by side; each status that occurs is at least two pixels wide."""

    def __init__(self, counts: Sequence[int], colours: Callable[[], Palette]) -> None:
        super().__init__()
        self._counts, self._colours = tuple(counts), colours
        self.setFixedHeight(6)

    @override
    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        palette, total = self._colours(), sum(self._counts)
        painter.fillRect(self.rect(), colour(palette.raised))
        left, room = 0.0, self.width() - 2.0 * sum(count > 0 for count in self._counts)
        for code in _ORDER:
            count = self._counts[code]
            if not count:
                continue
            wide = 2 + room * count / total
            ink = palette.raised if STATUS_OF[code].value == "waiting_dependency" else palette.status[code].shape
            painter.fillRect(QRectF(left, 0, wide, self.height()), colour(ink))
            left += wide
        painter.end()


class CountsSection(Section):
    """Counts by status, and what else there is to say in label and value."""

    def show_counts(self, title: str, counts: Sequence[int], facts: Sequence[tuple[str, str]] = ()) -> None:
        """Show how many stand how; statuses that do not occur are left out."""
        self.title(title)
        if not self.has_new(tuple(counts), tuple(facts)):
            return
        if sum(counts):
            self.rows.addSpacing(2)
            self.rows.addWidget(StackedBar(counts, self.colours))
            self.rows.addSpacing(6)
        grid = QGridLayout()
        grid.setHorizontalSpacing(8)
        grid.setVerticalSpacing(0)
        grid.setColumnStretch(1, 1)
        for code in _ORDER:
            if counts[code]:
                self._row(grid, code, counts[code])
        for label, value in facts:
            at = grid.rowCount()
            grid.setRowMinimumHeight(at, ROW)
            grid.addWidget(text(label, look="muted", wraps=False), at, 0, 1, 2)
            grid.addWidget(text(value, wraps=False), at, 2, Qt.AlignmentFlag.AlignRight)
        self.rows.addLayout(grid)

    def _row(self, grid: QGridLayout, code: int, count: int) -> None:
        at = grid.rowCount()
        grid.setRowMinimumHeight(at, ROW)
        grid.addWidget(self.status_mark(code), at, 0)
        grid.addWidget(text(status_word(STATUS_OF[code]), wraps=False), at, 1)
        grid.addWidget(text(amount(count), wraps=False), at, 2, Qt.AlignmentFlag.AlignRight)
