"""The event log as a table with rows of 22 pixels, of which only visible ones are read and painted."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QPoint, QRectF, Qt, Signal
from PySide6.QtGui import QContextMenuEvent, QFontMetricsF, QGuiApplication, QKeySequence, QPainter, QPen
from PySide6.QtWidgets import QStyle, QStyledItemDelegate
from typing_extensions import override

from starloom_gui.models.event_table import EventColumn
from starloom_gui.theme.fonts import Role, font
from starloom_gui.theme.forms import glyph_of, ink_of
from starloom_gui.theme.metrics import GAPS, ROW
from starloom_gui.theme.palette import colour
from starloom_gui.theme.status_form import StatusForm
from starloom_gui.viewmodel.event_words import LOUD, form_of_event, tasks_in
from starloom_gui.viewmodel.roles import ItemRole
from starloom_gui.widgets.table_view import TableView, paint_text
from starloom_gui.widgets.typed_find import TypedFind, find_rows

if TYPE_CHECKING:
    from PySide6.QtCore import QModelIndex, QPersistentModelIndex
    from PySide6.QtGui import QKeyEvent, QMouseEvent
    from PySide6.QtWidgets import QStyleOptionViewItem, QWidget

    from starloom.events import Event
    from starloom_gui.models.event_table import EventTable
    from starloom_gui.theme.appearance import Appearance
    from starloom_gui.viewmodel.roles import Index

MOST_COPIED: Final = 10_000
"""Rows; more would keep the window from painting while their sentences are made."""
_GLYPH: Final = 14


class EventGrid(TableView):
    """The table of the events. It follows the newest one until the user scrolls away from it.

    Attributes:
        marked: the task whose rows are raised; empty: none.

    Signals:
        chosen(object): the user has gone to the row of this event.
        live_changed(bool): it follows the newest now, or does not any more.
        menu_asked(QPoint): for the current row, at a place on the screen.

    Args:
        table: the rows.
        appearance: the colours.
        parent: the widget it lies in.
    """

    chosen = Signal(object)
    live_changed = Signal(bool)
    menu_asked = Signal(QPoint)

    def __init__(self, table: EventTable, appearance: Appearance, parent: QWidget | None = None) -> None:
        super().__init__(table, EventColumn, parent=parent)
        self._table, self._appearance = table, appearance
        self.marked = ""
        self._is_live = True
        TypedFind(self, find_rows(self, EventColumn.TASK, EventColumn.TEXT), appearance)
        self.setItemDelegate(_Painter(self, appearance))
        self._arrange()
        bar = self.verticalScrollBar()
        bar.valueChanged.connect(self._scrolled)
        bar.rangeChanged.connect(self._stay)
        table.rowsInserted.connect(self._inserted)
        table.rowsRemoved.connect(self._removed)
        table.modelReset.connect(self.go_live)
        appearance.changed.connect(self._repaint)

    def _arrange(self) -> None:
        self.setMouseTracking(True)
        self.setAutoScroll(False)
        heads = self.horizontalHeader()
        heads.setDefaultAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
        heads.setMinimumSectionSize(48)

    # ---- following

    @property
    def is_live(self) -> bool:
        """Whether it follows the newest."""
        return self._is_live

    def go_live(self) -> None:
        """Show the newest, and follow it."""
        self.scrollToBottom()
        self._note(is_live=True)

    def _scrolled(self, value: int) -> None:
        self._note(is_live=value >= self.verticalScrollBar().maximum())

    def _note(self, *, is_live: bool) -> None:
        if is_live != self._is_live:
            self._is_live = is_live
            self.live_changed.emit(is_live)

    def _stay(self, _least: int, most: int) -> None:
        """Keep the end visible, as rows or the height of the pane have changed."""
        if self._is_live:
            self.verticalScrollBar().setValue(most)

    def _inserted(self, _parent: Index, first: int, last: int) -> None:
        """Keep the visible rows in place, as older rows were inserted above."""
        if not self._is_live and first == 0:
            self._move(last + 1)

    def _removed(self, _parent: Index, _first: int, last: int) -> None:
        if not self._is_live:
            self._move(-last - 1)

    def _move(self, rows: int) -> None:
        bar = self.verticalScrollBar()
        wanted = bar.value() + rows * ROW
        self.updateGeometries()  # which gives the scroll bar its new range
        bar.setValue(max(0, wanted))

    def _repaint(self) -> None:
        self.viewport().update()

    # ---- copying

    def copy(self) -> None:
        """Copy the selected rows as text, or all rows if none is selected."""
        rows = sorted({index.row() for index in self.selectionModel().selectedRows()})
        wanted = rows or range(self._table.rowCount())
        QGuiApplication.clipboard().setText("\n".join(self._line(row) for row in wanted[-MOST_COPIED:]))

    def _line(self, row: int) -> str:
        cells = (self._table.index(row, column).data() for column in EventColumn)
        return "\t".join(str(cell or "") for cell in cells)

    # ---- input

    def _choose(self) -> None:
        index = self.currentIndex()
        event = self._table.event_at(index.row()) if index.isValid() else None
        if event is not None:
            self.chosen.emit(event)

    @override
    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        super().mouseReleaseEvent(event)
        if event.button() == Qt.MouseButton.LeftButton and self.indexAt(event.position().toPoint()).isValid():
            self._choose()

    @override
    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.matches(QKeySequence.StandardKey.Copy):
            self.copy()
            return
        before = self.currentIndex()
        super().keyPressEvent(event)
        if self.currentIndex() != before:
            self.scrollTo(self.currentIndex())
            self._choose()

    @override
    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        if event.reason() == QContextMenuEvent.Reason.Keyboard:
            index = self.currentIndex()
            at = self.viewport().mapToGlobal(self.visualRect(index).bottomLeft())
        else:
            index, at = self.indexAt(event.pos()), event.globalPos()
        if index.isValid():
            if not self.selectionModel().isSelected(index):
                self.setCurrentIndex(index)
            self._choose()
            self.menu_asked.emit(at)


class _Painter(QStyledItemDelegate):
    """Paints the cells by themselves, so that status is the only hue and a selected row has its bar."""

    def __init__(self, grid: EventGrid, appearance: Appearance) -> None:
        super().__init__(grid)
        self._grid, self._appearance = grid, appearance
        self._font = font(Role.BODY)
        self._metrics = QFontMetricsF(self._font)

    @override
    def paint(
        self, painter: QPainter, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> None:
        palette, box = self._appearance.palette, QRectF(option.rect)
        event = index.data(ItemRole.VALUE)
        state: QStyle.StateFlag = option.state
        is_selected = bool(state & QStyle.StateFlag.State_Selected)
        is_raised = event is not None and bool(self._grid.marked) and self._grid.marked in tasks_in(event)
        ground = palette.selected if is_selected else palette.raised if is_raised else palette.panel
        painter.fillRect(box, colour(ground))
        if is_selected and index.column() == EventColumn.TIME:
            painter.fillRect(QRectF(box.x(), box.y(), 2, box.height()), colour(palette.text))
        if event is not None:
            self._paint_cell(painter, box, index, event)
        if self._grid.hasFocus() and index.row() == self._grid.currentIndex().row():
            self._paint_focus(painter, box, index.column())

    def _paint_cell(
        self, painter: QPainter, box: QRectF, index: QModelIndex | QPersistentModelIndex, event: Event
    ) -> None:
        palette, column = self._appearance.palette, EventColumn.at(index.column())
        form = form_of_event(event)
        inner = box.adjusted(GAPS[1], 0, -GAPS[1], 0)
        ink = palette.muted if column.column.is_muted else palette.text
        if column == EventColumn.TEXT:
            if form is not None:
                top = box.y() + (box.height() - _GLYPH) / 2
                shape = QRectF(inner.x(), top, _GLYPH, _GLYPH)
                glyph_of(form).paint(painter, shape, colour(ink_of(form, palette).text))
                ink = palette.status[StatusForm.FAILED].text if form in LOUD else ink
            inner.setLeft(inner.x() + _GLYPH + GAPS[0])
        painter.setFont(self._font)
        painter.setPen(colour(ink))
        paint_text(painter, inner, str(index.data() or ""), column.column, self._metrics)

    def _paint_focus(self, painter: QPainter, box: QRectF, column: int) -> None:
        painter.setPen(QPen(colour(self._appearance.palette.text), 1.0, Qt.PenStyle.DashLine))
        inner = box.adjusted(0.5, 0.5, -0.5, -0.5)
        painter.drawLine(inner.topLeft(), inner.topRight())
        painter.drawLine(inner.bottomLeft(), inner.bottomRight())
        if column == EventColumn.TIME:
            painter.drawLine(inner.topLeft(), inner.bottomLeft())
        if column == EventColumn.CAUSE:
            painter.drawLine(inner.topRight(), inner.bottomRight())
