"""The list of runs in a dialog: rows that can be searched, or a sentence where there are none."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtWidgets import QStackedLayout, QWidget

from starloom_gui.history.grid import RunGrid
from starloom_gui.history.run_search import RunSearch
from starloom_gui.text.words import amount, fill
from starloom_gui.widgets.controls import text

if TYPE_CHECKING:
    from starloom_gui.models.run_table import RunTable
    from starloom_gui.theme.appearance import Appearance


class RunPlurals(QObject):
    """Counts of runs."""

    def runs(self, count: int) -> str:
        """A number of runs, as text."""
        return self.tr("%n run(s)", "", count)

    def of(self, count: int, whole: int) -> str:
        """The number of shown runs among all, as text."""
        return fill(self.tr("%1 of %n run(s)", "", whole), amount(count))

    def in_trash(self, count: int) -> str:
        """A number of runs in the trash, as text."""
        return self.tr("%n run(s) in the trash", "", count)


class RunList(QWidget):
    """The rows of runs, or a sentence in their stead.

    Args:
        table: the runs.
        appearance: the colours.
        height: of the list, in pixels.

    Attributes:
        grid: the rows.
        search: what is looked for among them; stands where the dialog puts it.
        sentence: says why no run is listed.

    Signals:
        changed: other rows are listed or selected.
    """

    changed = Signal()

    def __init__(self, table: RunTable, appearance: Appearance, height: int) -> None:
        super().__init__()
        self.grid, self.sentence = RunGrid(table, appearance), text(look="muted")
        self.search = RunSearch(self.grid)
        self.setFixedHeight(height)
        self.sentence.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self._stack = QStackedLayout(self)
        self._stack.addWidget(self.grid)
        self._stack.addWidget(self.sentence)
        self.search.textChanged.connect(self._search)
        self.grid.selected.connect(self.changed)

    @property
    def count(self) -> int:
        """The number of listed runs."""
        return self.grid.shown.rowCount()

    def explain(self, sentence: str) -> None:
        """Show the rows or, if there are none, this sentence."""
        self._stack.setCurrentIndex(0 if self.count else 1)
        self.sentence.setText(sentence)

    def _search(self, words: str) -> None:
        self.grid.shown.search(words)
        self.grid.begin()
        self.changed.emit()
