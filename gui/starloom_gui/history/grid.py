"""The runs as rows one can search, sort and choose from."""

from __future__ import annotations

from math import ceil
from typing import TYPE_CHECKING, Any, Final

from PySide6.QtCore import QModelIndex, QObject, QRectF, QSortFilterProxyModel, Qt, Signal
from PySide6.QtGui import QFontMetricsF, QPainter, QPen
from PySide6.QtWidgets import QAbstractItemView, QFrame, QHeaderView, QStyle, QStyledItemDelegate, QTableView
from typing_extensions import override

from starloom.scheduling.codes import CANCELLED, COMPLETED, FAILED, PENDING, RUNNING
from starloom_gui.models.run_table import FIGURES, Column, RunTable
from starloom_gui.theme.fonts import Role, elided, font
from starloom_gui.theme.glyphs import STATUS
from starloom_gui.theme.metrics import GAPS, ROW
from starloom_gui.theme.palette import colour
from starloom_gui.viewmodel.roles import Role as Ask
from starloom_gui.widgets.typed_find import TypedFind, find_rows

if TYPE_CHECKING:
    from PySide6.QtCore import QPersistentModelIndex
    from PySide6.QtGui import QKeyEvent, QResizeEvent
    from PySide6.QtWidgets import QStyleOptionViewItem

    from starloom.journal.records import RunRecord
    from starloom_gui.theme.appearance import Appearance
    from starloom_gui.theme.palette import Palette
    from starloom_gui.viewmodel.roles import Index

_WIDTHS: Final = {
    Column.STATE: 124,
    Column.MADE: 140,
    Column.TOOK: 76,
    Column.TASKS: 112,
    Column.FAILED: 76,
    Column.SIZE: 84,
    Column.REMARK: 190,
}
_LEAST_NAME: Final = 120
_ARROW: Final = 18
"""Pixels at the right of a column in which its head shows how it is sorted."""
_GLYPH: Final = 14
_CODE_OF: Final = {
    "completed": COMPLETED,
    "failed": FAILED,
    "partially_failed": FAILED,
    "unreadable": FAILED,
    "cancelled": CANCELLED,
    "executing": RUNNING,
    "paused": PENDING,
    "interrupted": PENDING,
}


class SearchedRuns(QSortFilterProxyModel):
    """Those runs whose name, id, state, day or remark holds all words of a search."""

    def __init__(self, table: RunTable, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._table = table
        self._words: tuple[str, ...] = ()
        self.setSourceModel(table)

    def search(self, text: str) -> None:
        """Show what holds these words, however large their letters are."""
        self._words = tuple(text.casefold().split())
        self.invalidate()

    @override
    def sort(self, column: int, order: Qt.SortOrder = Qt.SortOrder.AscendingOrder) -> None:
        self._table.sort(column, order)

    @override
    def filterAcceptsRow(self, source_row: int, source_parent: QModelIndex | QPersistentModelIndex) -> bool:
        if not self._words:
            return True
        held = self._table.held(source_row)
        return all(word in held for word in self._words)


class RunGrid(QTableView):
    """The rows.

    Args:
        table: all runs.
        appearance: the colours.

    Attributes:
        table: all runs.
        shown: those that are shown.

    Signals:
        opened(): the user wants to open the current one.
        selected(): other rows are selected.
        delete_asked(): the user wants to do without the selected ones.
    """

    opened = Signal()
    selected = Signal()
    delete_asked = Signal()

    def __init__(self, table: RunTable, appearance: Appearance) -> None:
        super().__init__()
        self._appearance, self.table = appearance, table
        self.shown = SearchedRuns(table, self)
        self.setModel(self.shown)
        TypedFind(self, find_rows(self, Column.NAME), appearance)
        self.setItemDelegate(_Painter(self, appearance))
        self.setAccessibleName(self.tr("Runs"))
        self._arrange()
        self.selectionModel().selectionChanged.connect(lambda *_: self.selected.emit())
        self.doubleClicked.connect(lambda _: self.opened.emit())
        appearance.changed.connect(self._dress)

    def _dress(self, _palette: Palette) -> None:
        self.viewport().update()

    def _arrange(self) -> None:
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setFont(font(Role.BODY))
        self.setShowGrid(False)
        self.setWordWrap(False)
        self.setTabKeyNavigation(False)
        self.setCornerButtonEnabled(False)
        self.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.setSelectionMode(QAbstractItemView.SelectionMode.ExtendedSelection)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        rows, columns = self.verticalHeader(), self.horizontalHeader()
        rows.hide()
        rows.setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        rows.setMinimumSectionSize(ROW)
        rows.setDefaultSectionSize(ROW)
        columns.setFixedHeight(ROW + 2)
        columns.setFont(font(Role.SMALL))
        columns.setHighlightSections(False)
        columns.setMinimumSectionSize(48)
        columns.setSectionsClickable(True)
        columns.setSortIndicatorShown(True)
        columns.setSortIndicator(Column.MADE, Qt.SortOrder.DescendingOrder)
        self.setSortingEnabled(True)
        words = QFontMetricsF(columns.font())
        for column, width in _WIDTHS.items():
            head = str(self.shown.headerData(column, Qt.Orientation.Horizontal))
            columns.resizeSection(column, max(width, ceil(words.horizontalAdvance(head)) + _ARROW + _GLYPH))

    def hide_columns(self, *columns: Column) -> None:
        """Leave columns out; the name has their room."""
        for column in columns:
            self.horizontalHeader().hideSection(column)

    # ---- what is chosen

    def chosen(self) -> list[RunRecord]:
        """The selected runs, from top to bottom."""
        rows = sorted(index.row() for index in self.selectionModel().selectedRows())
        return [self.record(row) for row in rows]

    def current(self) -> RunRecord | None:
        """The run the keyboard is on; None: there is none."""
        index = self.currentIndex()
        return self.record(index.row()) if index.isValid() else None

    def record(self, row: int) -> RunRecord:
        """The run of a row that is shown."""
        found: RunRecord = self.shown.index(row, 0).data(Ask.VALUE)
        return found

    def begin(self) -> None:
        """Choose the first row, if none is chosen."""
        if not self.currentIndex().isValid() and self.shown.rowCount():
            self.selectRow(0)

    # ---- hands

    @override
    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.opened.emit()
        elif event.key() == Qt.Key.Key_Delete:
            self.delete_asked.emit()
        elif event.key() == Qt.Key.Key_Escape:
            event.ignore()  # the dialog closes
        else:
            super().keyPressEvent(event)

    @override
    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        columns = self.horizontalHeader()
        others = sum(columns.sectionSize(column) for column in Column if column != Column.NAME)
        columns.resizeSection(Column.NAME, max(_LEAST_NAME, self.viewport().width() - others))


class _Painter(QStyledItemDelegate):
    """Paints the cells: status is the only hue, and a selected row has its bar."""

    def __init__(self, grid: RunGrid, appearance: Appearance) -> None:
        super().__init__(grid)
        self._grid, self._appearance = grid, appearance
        self._font = font(Role.BODY)
        self._metrics = QFontMetricsF(self._font)

    @override
    def paint(
        self, painter: QPainter, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> None:
        palette, box = self._appearance.palette, QRectF(option.rect)
        state: QStyle.StateFlag = option.state
        is_selected = bool(state & QStyle.StateFlag.State_Selected)
        painter.fillRect(box, colour(palette.selected if is_selected else palette.panel))
        if is_selected and index.column() == Column.NAME:
            painter.fillRect(QRectF(box.x(), box.y(), 2, box.height()), colour(palette.text))
        self._paint_cell(painter, box, index)
        if self._grid.hasFocus() and index.row() == self._grid.currentIndex().row():
            painter.setPen(QPen(colour(palette.text), 1.0, Qt.PenStyle.DashLine))
            inner = box.adjusted(0, 0.5, 0, -0.5)
            painter.drawLine(inner.topLeft(), inner.topRight())
            painter.drawLine(inner.bottomLeft(), inner.bottomRight())

    def _paint_cell(self, painter: QPainter, box: QRectF, index: Index) -> None:
        palette, column = self._appearance.palette, index.column()
        record: Any = index.data(Ask.VALUE)
        inner = box.adjusted(GAPS[1], 0, -GAPS[1], 0)
        ink = palette.text if column in {Column.NAME, Column.STATE} else palette.muted
        if column == Column.STATE:
            code = _CODE_OF.get(record.state)
            if code is not None:
                place = QRectF(inner.x(), box.y() + (box.height() - _GLYPH) / 2, _GLYPH, _GLYPH)
                STATUS[code].paint(painter, place, colour(palette.status[code].text))
            inner.setLeft(inner.x() + _GLYPH + GAPS[0] + 2)
        elif (column == Column.FAILED and record.state != "completed") or (column == Column.REMARK and record.trouble):
            ink = palette.status[FAILED].text
        elide = Qt.TextElideMode.ElideMiddle if column == Column.NAME else Qt.TextElideMode.ElideRight
        side = column in FIGURES
        inner.setRight(inner.right() - (_ARROW - GAPS[1] if side else 0))
        words = elided(self._grid.table.text(record, column), self._metrics, inner.width(), elide)
        painter.setFont(self._font)
        painter.setPen(colour(ink))
        way = Qt.AlignmentFlag.AlignRight if side else Qt.AlignmentFlag.AlignLeft
        painter.drawText(inner, way | Qt.AlignmentFlag.AlignVCenter, words)
