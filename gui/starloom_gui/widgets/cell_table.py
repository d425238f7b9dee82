"""A small editable table: its last row adds a row, Tab goes to the next cell, Enter to the next row."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QEvent, QSignalBlocker, Qt, Signal
from PySide6.QtGui import QGuiApplication, QKeySequence
from PySide6.QtWidgets import (
    QAbstractItemDelegate,
    QAbstractItemView,
    QFrame,
    QHeaderView,
    QTableWidget,
    QTableWidgetItem,
)
from typing_extensions import override

from starloom_gui.text.cell_text import lines_of, pasted_rows, rows_of
from starloom_gui.theme.fonts import Role, font
from starloom_gui.theme.metrics import ROW
from starloom_gui.widgets.cell_line import CellDelegate, cells_edge, cells_sheet
from starloom_gui.widgets.controls import set_style_sheet

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Sequence

    from PySide6.QtGui import QKeyEvent
    from PySide6.QtWidgets import QWidget

    from starloom_gui.text.cell_text import Row
    from starloom_gui.theme.palette import Palette
    from starloom_gui.widgets.cell_line import Index
    from starloom_gui.widgets.template_completer import TemplateName

MOST_ROWS: Final = 8
"""Rows in sight; more of them are scrolled to."""
_FRAME: Final = 4
"""Pixels of the frame above and below, as wide as it is while something is wrong."""
_ENTER: Final = frozenset({Qt.Key.Key_Return, Qt.Key.Key_Enter})
Hint = QAbstractItemDelegate.EndEditHint


class CellTable(QTableWidget):
    """A table of texts that are edited in place; rows whose cells are all empty do not count.

    Attributes:
        known: gives the names that may stand in `${…}` in a cell; None: none are offered.
        is_locked: whether nothing can be edited.
        colours: what it is painted with; None: not known yet.
        says_hint: whether what is read while there is no value stands in a cell.

    Args:
        heads: what stands over the columns; one column has no head.

    Signals:
        changed(): its user has changed a cell, or added or removed rows.
        row_ended(): Enter was pressed in a cell, or rows were removed or pasted.
        escaped(): Escape was pressed while no cell was being typed in.
    """

    says_hint = False
    changed = Signal()
    row_ended = Signal()
    escaped = Signal()

    def __init__(self, heads: Sequence[str], known: Callable[[], Sequence[TemplateName]] | None = None) -> None:
        super().__init__(0, len(heads))
        self.known, self.is_locked = known, False
        self.colours: Palette | None = None
        self._wrong = frozenset[tuple[int, int]]()
        self.setHorizontalHeaderLabels(list(heads))
        self.setItemDelegate(_Cells(self))
        self._look(has_head=len(heads) > 1)
        self.put_rows(())
        self.itemChanged.connect(self._cell_changed)

    def _look(self, *, has_head: bool) -> None:
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setFont(font(Role.MONOSPACE))
        self.setWordWrap(False)
        self.setTextElideMode(Qt.TextElideMode.ElideMiddle)
        self.setCornerButtonEnabled(False)
        self.setTabKeyNavigation(False)
        self.setSelectionMode(QAbstractItemView.SelectionMode.ExtendedSelection)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setHorizontalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        triggers = QAbstractItemView.EditTrigger
        self.setEditTriggers(
            triggers.DoubleClicked | triggers.SelectedClicked | triggers.AnyKeyPressed | triggers.EditKeyPressed
        )
        rows, heads = self.verticalHeader(), self.horizontalHeader()
        rows.hide()
        rows.setMinimumSectionSize(ROW)
        rows.setDefaultSectionSize(ROW)
        heads.setVisible(has_head)
        heads.setFixedHeight(ROW)
        heads.setFont(font(Role.SMALL))
        heads.setHighlightSections(False)
        heads.setSectionsClickable(False)
        heads.setDefaultAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
        heads.setSectionResizeMode(QHeaderView.ResizeMode.Stretch)

    # ---- what stands there

    def rows(self) -> list[Row]:
        """The cells of each row that is not empty."""
        rows = (tuple(self._cell(at, column) for column in range(self.columnCount())) for at in range(self.rowCount()))
        return [row for row in rows if any(row)]

    def text(self) -> str:
        """The rows as lines of text."""
        return lines_of(self.rows())

    def put_text(self, words: str) -> None:
        """Set the rows from lines of text."""
        self.put_rows(rows_of(words, self.columnCount()))

    def set_hint(self, words: str) -> None:
        """Set what is read while there is no value: nothing, as it stands below the table."""

    def _cell(self, row: int, column: int) -> str:
        item = self.item(row, column)
        return item.text().strip() if item is not None else ""

    def put_rows(self, rows: Sequence[Row]) -> None:
        """Set the rows, followed by an empty one; the items of unchanged cells are kept."""
        with QSignalBlocker(self):
            self.setRowCount(len(rows) + (0 if self.is_locked else 1))
            for at, row in enumerate([*rows, ("",) * self.columnCount()][: self.rowCount()]):
                for column, words in enumerate(row):
                    self._put(at, column, words)
        self._fit()
        self.viewport().update()

    def _put(self, row: int, column: int, words: str) -> None:
        item = self.item(row, column)
        if item is None:
            self.setItem(row, column, QTableWidgetItem(words))
        elif item.text() != words:
            item.setText(words)

    def outline_row(self, row: int, columns: Collection[int]) -> None:
        """Outline cells of a row as invalid, and no others. `row`: as `rows` counts them; below 0: no cell."""
        filled = [at for at in range(self.rowCount()) if any(self._cell(at, one) for one in range(self.columnCount()))]
        self._wrong = frozenset((filled[row], one) for one in columns) if 0 <= row < len(filled) else frozenset()
        self.viewport().update()

    def is_wrong(self, index: Index) -> bool:
        """Whether a cell is outlined as invalid."""
        return (index.row(), index.column()) in self._wrong

    def lock(self, locked: bool) -> None:
        """Disable or enable editing."""
        if locked != self.is_locked:
            self.is_locked = locked
            self.put_rows(self.rows())

    def _fit(self) -> None:
        """Set the height to that of the rows, at most `MOST_ROWS`."""
        head = ROW if not self.horizontalHeader().isHidden() else 0
        self.setFixedHeight(min(MOST_ROWS, max(1, self.rowCount())) * ROW + head + _FRAME)

    def _cell_changed(self, item: QTableWidgetItem) -> None:
        if item.row() == self.rowCount() - 1 and item.text().strip():
            with QSignalBlocker(self):
                self.setRowCount(self.rowCount() + 1)
            self._fit()
        self.changed.emit()

    # ---- its user

    def is_last(self, index: Index) -> bool:
        """Whether a cell is in the empty row that adds a row."""
        return not self.is_locked and index.row() == self.rowCount() - 1

    @override
    def edit(self, index: Index, trigger: QAbstractItemView.EditTrigger, event: QEvent) -> bool:  # type: ignore[override]  # Qt has two of this name
        return not self.is_locked and super().edit(index, trigger, event)

    @override
    def closeEditor(self, editor: QWidget, hint: Hint) -> None:
        """Close the editor of a cell, and move on: after Tab to the next cell, after Enter to the next row.

        Args:
            editor: of the cell.
            hint: which key ended it.
        """
        super().closeEditor(editor, Hint.NoHint if hint in {Hint.EditNextItem, Hint.EditPreviousItem} else hint)
        if hint is Hint.EditNextItem:
            self._go(1)
        elif hint is Hint.EditPreviousItem:
            self._go(-1)
        elif hint is Hint.SubmitModelCache:
            self._end_row()

    def _go(self, step: int) -> None:
        """Edit the next or the previous cell; beyond the last and the first one the focus leaves the table."""
        at = self.currentRow() * self.columnCount() + self.currentColumn() + step
        is_beyond = not 0 <= at < self.rowCount() * self.columnCount()
        is_unused = step > 0 and self.is_last(self.currentIndex()) and not self._cell(self.currentRow(), 0)
        if is_beyond or is_unused:
            self.focusNextPrevChild(step > 0)
            return
        self._type_in(at // self.columnCount(), at % self.columnCount())

    def _type_in(self, row: int, column: int) -> None:
        self.setCurrentCell(row, column)
        item = self.item(row, column)
        if item is None:
            item = QTableWidgetItem("")
            with QSignalBlocker(self):
                self.setItem(row, column, item)
        self.editItem(item)

    def _end_row(self) -> None:
        """Go to the next row; in a new row with a name, edit its value first."""
        row, column = self.currentRow(), self.currentColumn()
        if column == 0 and self.columnCount() > 1 and self._cell(row, 0) and not self._cell(row, 1):
            self._type_in(row, 1)
            return
        self.row_ended.emit()
        below = min(row + 1, self.rowCount() - 1)
        self.setCurrentCell(below, 0 if self.is_last(self.model().index(below, 0)) else column)

    @override
    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.matches(QKeySequence.StandardKey.Paste) and self.paste():
            return
        if event.key() in {Qt.Key.Key_Delete, Qt.Key.Key_Backspace}:
            self.remove()
        elif event.key() in _ENTER and self.state() == QAbstractItemView.State.EditingState:
            event.accept()  # the cell has it, too, and ends soon
        elif event.key() in _ENTER and event.modifiers() & Qt.KeyboardModifier.ControlModifier:
            event.ignore()  # the editor around it confirms the rows
        elif event.key() in _ENTER:
            index = self.currentIndex()
            self._type_in(max(0, index.row()), max(0, index.column()))
        elif event.key() in {Qt.Key.Key_Tab, Qt.Key.Key_Backtab} and self.currentRow() >= 0:
            self._go(1 if event.key() == Qt.Key.Key_Tab else -1)
        elif event.key() == Qt.Key.Key_Escape:
            self.escaped.emit()
        else:
            super().keyPressEvent(event)

    @override
    def event(self, event: QEvent) -> bool:
        is_tab = event.type() == QEvent.Type.KeyPress and event.key() in {Qt.Key.Key_Tab, Qt.Key.Key_Backtab}  # type: ignore[attr-defined]  # it is a key
        if is_tab:  # else Qt moves the focus before a key is seen
            self.keyPressEvent(event)  # type: ignore[arg-type]  # as above
            return True
        return super().event(event)

    def remove(self) -> None:
        """Remove the selected rows."""
        rows = sorted({index.row() for index in self.selectedIndexes()}, reverse=True)
        rows = [row for row in rows if not self.is_last(self.model().index(row, 0))]
        if self.is_locked or not rows:
            return
        with QSignalBlocker(self):
            for row in rows:
                self.removeRow(row)
        self._fit()
        self.setCurrentCell(min(rows[-1], self.rowCount() - 1), 0)
        self.changed.emit()
        self.row_ended.emit()

    def paste(self) -> bool:
        """Add the rows on the clipboard, replacing those with the same name; returns whether there are any."""
        pasted = pasted_rows(QGuiApplication.clipboard().text(), self.columnCount())
        if self.is_locked or not pasted:
            return False
        rows = self.rows()
        if self.columnCount() > 1:
            values = {row[0]: row for row in rows} | {row[0]: row for row in pasted}
            rows = list(values.values())
        else:
            rows += pasted
        self.put_rows(rows)
        self.changed.emit()
        self.row_ended.emit()
        return True

    def apply_theme(self, palette: Palette, *, wrong: bool = False) -> None:
        """Set the colours.

        Args:
            palette: the colours.
            wrong: whether the table is outlined as invalid.
        """
        self.colours = palette
        edge, ink = cells_edge(palette, wrong=wrong), palette.muted if self.is_locked else palette.text
        set_style_sheet(self, cells_sheet("QTableView", palette, edge, ink))


class _Cells(CellDelegate):
    """The delegate that edits cells, and paints the placeholder of the last row."""

    def __init__(self, table: CellTable) -> None:
        super().__init__(table, table)
        self._cells = table

    @override
    def is_adding(self, index: Index) -> bool:
        return index.column() == 0 and self._cells.is_last(index) and not index.data()
