"""The inspector's section of a comparison: figures of the earlier run, of this one, and the difference."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QGridLayout, QLabel

from starloom_gui.panels.sections import Section
from starloom_gui.text.words import fill, translate
from starloom_gui.theme.fonts import Role
from starloom_gui.theme.metrics import ROW
from starloom_gui.widgets.controls import Elided, text

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from starloom_gui.diff.run_difference_words import RunDifferenceRow
    from starloom_gui.theme.palette import Palette

WIDE: Final = 7
"""Characters of a value from which on both values of a row stand below its name, as no column has room for them."""
_RIGHT = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter


class ComparedSection(Section):
    """The figures of a run beside those of its baseline; the rows are updated in place."""

    def __init__(self, colours: Callable[[], Palette]) -> None:
        super().__init__(colours)
        self._cells: list[tuple[QLabel, ...]] = []

    def show_rows(self, title: str, rows: Sequence[RunDifferenceRow], note: str = "") -> None:
        """Show these rows, or why there are none.

        Args:
            title: what the earlier run is called.
            rows: what can differ.
            note: instead of rows.
        """
        self.title(self.tr("Compared"))
        if self.has_new(title, tuple((row.label, _is_wide(row)) for row in rows), note):
            self._build(title, rows, note)
        for cells, row in zip(self._cells, rows, strict=True):
            said = (_both(row),) if len(cells) == 1 else row[1:]
            for label, words in zip(cells, said, strict=True):
                label.setText(words)

    def _build(self, title: str, rows: Sequence[RunDifferenceRow], note: str) -> None:
        self._cells = []
        self.rows.addWidget(Elided(title, Role.SMALL, "muted"))
        self.rows.addSpacing(4)
        if note:
            self.rows.addWidget(text(note, Role.SMALL, "muted"))
            return
        grid = QGridLayout()
        grid.setHorizontalSpacing(2)
        grid.setVerticalSpacing(0)
        for column, share in ((0, 9), (1, 7), (2, 7), (3, 10)):
            grid.setColumnStretch(column, share)
        for column, words in enumerate((self.tr("Before"), self.tr("Now"), self.tr("Difference")), 1):
            head = Elided(words, Role.SMALL, "muted")
            head.setAlignment(_RIGHT)
            grid.addWidget(head, 0, column)
        for row in rows:
            at = grid.rowCount()
            grid.setRowMinimumHeight(at, ROW)
            if _is_wide(row):
                grid.addWidget(Elided(row.label, Role.SMALL, "muted"), at, 0, 1, 4)
                both = text()
                grid.addWidget(both, at + 1, 0, 1, 4)
                self._cells.append((both,))
                continue
            grid.addWidget(Elided(row.label, Role.SMALL, "muted"), at, 0)
            cells = Elided(), Elided(), Elided()
            for column, label in enumerate(cells, 1):
                label.setAlignment(_RIGHT)
                grid.addWidget(label, at, column)
            self._cells.append(cells)
        self.rows.addLayout(grid)


def _is_wide(row: RunDifferenceRow) -> bool:
    return max(len(row.then), len(row.now)) > WIDE and not row.difference


def _both(row: RunDifferenceRow) -> str:
    return fill(translate("Compare", "%1 → %2"), row.then, row.now) if row.then and row.now else row.then or row.now
