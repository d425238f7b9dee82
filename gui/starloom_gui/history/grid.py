"""The table of runs, which can be searched and sorted."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from PySide6.QtCore import QModelIndex, QObject, QRectF, QSortFilterProxyModel, Qt, Signal
from PySide6.QtGui import QFontMetricsF, QPainter, QPen
from PySide6.QtWidgets import QStyle, QStyledItemDelegate
from typing_extensions import override

from starloom_gui.models.run_table import RunColumn, RunTable, form_of_record
from starloom_gui.theme.fonts import Role, font
from starloom_gui.theme.glyphs import STATUS
from starloom_gui.theme.metrics import GAPS
from starloom_gui.theme.palette import colour
from starloom_gui.theme.status_form import StatusForm
from starloom_gui.viewmodel.roles import ItemRole
from starloom_gui.widgets.table_header import TableHeader
from starloom_gui.widgets.table_view import TableView, paint_text
from starloom_gui.widgets.typed_find import TypedFind, find_rows

if TYPE_CHECKING:
    from PySide6.QtCore import QPersistentModelIndex
    from PySide6.QtGui import QKeyEvent, QResizeEvent
    from PySide6.QtWidgets import QStyleOptionViewItem

    from starloom.journal.records import RunRecord
    from starloom_gui.theme.appearance import Appearance
    from starloom_gui.theme.palette import Palette
    from starloom_gui.viewmodel.roles import Index

_GLYPH: Final = 14
_SHORT_REMARK: Final = 90
"""Pixels of a remark at least, which the dialog tells of the current run anyway."""


class SearchedRuns(QSortFilterProxyModel):
    """The runs whose name, id, state, day or remark contains all words of a search."""

    def __init__(self, table: RunTable, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._table = table
        self._words: tuple[str, ...] = ()
        self.setSourceModel(table)

    def search(self, text: str) -> None:
        """Show the runs that contain these words, ignoring case."""
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


class RunGrid(TableView):
    """The table of the runs.

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
        shown = SearchedRuns(table)
        head = TableHeader(RunColumn, RunColumn.NAME, lambda: self.tr("Newest first"), appearance)
        super().__init__(shown, RunColumn, head)
        shown.setParent(self)
        self._appearance, self.table, self.shown = appearance, table, shown
        TypedFind(self, find_rows(self, RunColumn.NAME), appearance)
        self.setItemDelegate(_Painter(self, appearance))
        self.setAccessibleName(self.tr("Runs"))
        self._arrange()
        self.selectionModel().selectionChanged.connect(lambda *_: self.selected.emit())
        self.doubleClicked.connect(lambda _: self.opened.emit())
        appearance.changed.connect(self._apply_theme)

    def _apply_theme(self, _palette: Palette) -> None:
        self.viewport().update()

    def _arrange(self) -> None:
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.horizontalHeader().setSortIndicator(RunColumn.MADE, Qt.SortOrder.DescendingOrder)
        self.setSortingEnabled(True)

    @override
    def resizeEvent(self, event: QResizeEvent) -> None:
        """Shorten the remarks before columns go beyond the edge."""
        heads, names = self.horizontalHeader(), RunColumn.NAME.column.width
        others = sum(heads.sectionSize(one) for one in RunColumn if one not in (RunColumn.NAME, RunColumn.REMARK))
        room = max(_SHORT_REMARK, self.viewport().width() - others - names)
        if heads.sectionSize(RunColumn.REMARK) > room:
            heads.resizeSection(RunColumn.REMARK, room)
        super().resizeEvent(event)

    def hide_columns(self, *columns: RunColumn) -> None:
        """Hide columns; the column of names gets their width."""
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
        found: RunRecord = self.shown.index(row, 0).data(ItemRole.VALUE)
        return found

    def begin(self) -> None:
        """Select the first row, if none is selected."""
        if not self.currentIndex().isValid() and self.shown.rowCount():
            self.selectRow(0)

    # ---- input

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
        if is_selected and index.column() == RunColumn.NAME:
            painter.fillRect(QRectF(box.x(), box.y(), 2, box.height()), colour(palette.text))
        self._paint_cell(painter, box, index)
        if self._grid.hasFocus() and index.row() == self._grid.currentIndex().row():
            painter.setPen(QPen(colour(palette.text), 1.0, Qt.PenStyle.DashLine))
            inner = box.adjusted(0, 0.5, 0, -0.5)
            painter.drawLine(inner.topLeft(), inner.topRight())
            painter.drawLine(inner.bottomLeft(), inner.bottomRight())

    def _paint_cell(self, painter: QPainter, box: QRectF, index: Index) -> None:
        palette, column = self._appearance.palette, RunColumn.at(index.column())
        record: Any = index.data(ItemRole.VALUE)
        inner = box.adjusted(GAPS[1], 0, -GAPS[1], 0)
        ink = palette.muted if column.column.is_muted else palette.text
        if column == RunColumn.STATE:
            code = form_of_record(record)
            if code is not None:
                place = QRectF(inner.x(), box.y() + (box.height() - _GLYPH) / 2, _GLYPH, _GLYPH)
                STATUS[code].paint(painter, place, colour(palette.status[code].text))
            inner.setLeft(inner.x() + _GLYPH + GAPS[0] + 2)
        elif (column == RunColumn.FAILED and record.state != "completed") or (
            column == RunColumn.REMARK and record.trouble
        ):
            ink = palette.status[StatusForm.FAILED].text
        painter.setFont(self._font)
        painter.setPen(colour(ink))
        paint_text(painter, inner, self._grid.table.text(record, column), column.column, self._metrics)
