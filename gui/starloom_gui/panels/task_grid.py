"""The table of tasks itself: painted rows, and keys."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QEvent, QModelIndex, QPoint, QPointF, QRect, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QContextMenuEvent, QFontMetricsF, QPainter
from PySide6.QtWidgets import QStyledItemDelegate
from typing_extensions import override

from starloom_gui.models.task_cells import TaskColumn
from starloom_gui.panels.task_marks import (
    TILE,
    ink_of,
    paint_focus,
    paint_ground,
    paint_held,
    paint_quiet,
    paint_selected,
    paint_tile,
)
from starloom_gui.panels.task_selecting import TaskSelecting, still
from starloom_gui.theme.fonts import Role, font
from starloom_gui.theme.forms import ink_of as form_ink
from starloom_gui.theme.metrics import ROW
from starloom_gui.theme.palette import colour
from starloom_gui.theme.status_form import StatusForm
from starloom_gui.viewmodel.roles import ItemRole
from starloom_gui.widgets.table_header import PAD, TableHeader
from starloom_gui.widgets.table_view import TableView, paint_text
from starloom_gui.widgets.typed_find import TypedFind, find_rows

if TYPE_CHECKING:
    from collections.abc import Callable

    from PySide6.QtCore import QPersistentModelIndex
    from PySide6.QtGui import QFocusEvent, QKeyEvent, QMouseEvent, QPaintEvent, QShowEvent
    from PySide6.QtWidgets import QStyleOptionViewItem

    from starloom_gui.models.task_table import TaskTable
    from starloom_gui.theme.appearance import Appearance
    from starloom_gui.theme.palette import Palette
    from starloom_gui.viewmodel.selection import Selection

    _Badge = Callable[[QPainter, QPointF, Palette], None]

_FIRST: Final = (TaskColumn.STATUS, TaskColumn.NAME, TaskColumn.WHY)
"""Columns that stand before the others at first: why comes before what may be out of sight in a narrow pane."""
_SAID: Final = frozenset({TaskColumn.STATUS, TaskColumn.WHY})
"""Columns in the colour of what is said of a task."""


class TaskGrid(TableView):
    """The table view of the tasks, with rows of 22 pixels. Return and a double click activate a task.

    Attributes:
        head: its header.
        selecting: what stands between it and the run's selection.

    Signals:
        menu_asked(QPoint): the user wants the menu of what is selected, at this place on the screen.

    Args:
        table: the model.
        appearance: the colours.
        shared: the run's selection.
    """

    menu_asked = Signal(QPoint)

    def __init__(self, table: TaskTable, appearance: Appearance, shared: Selection) -> None:
        head = TableHeader(TaskColumn, TaskColumn.NAME, lambda: self.tr("Place in line"), appearance)
        super().__init__(table, TaskColumn, head)
        self._table, self._appearance, self.head = table, appearance, head
        self.hovered = -1
        self.selecting = TaskSelecting(table, table, shared, self)
        self.setSelectionModel(self.selecting)
        TypedFind(self, find_rows(self, TaskColumn.NAME), appearance)
        self.setItemDelegate(_Cells(self, appearance))
        self.setMouseTracking(True)
        self.setSortingEnabled(True)
        for place, column in enumerate(_FIRST):
            self.head.moveSection(self.head.visualIndex(column), place)
        self.head.show_extra(on=False)
        self.entered.connect(lambda index: self._hover(index.row()))
        table.modelReset.connect(self.show_quietly)
        table.rowsInserted.connect(self.show_quietly)

    # ---- the run's selection

    def show_quietly(self) -> None:
        """Show the selection without scrolling to it."""
        if self.isVisible():
            with still(self):
                self.selecting.show()

    @override
    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self.show_quietly()

    # ---- input

    def _hover(self, row: int) -> None:
        if row != self.hovered:
            self.hovered = row
            self.viewport().update()

    @override
    def focusInEvent(self, event: QFocusEvent) -> None:
        self.selecting.begin_at(self._table.index(0, self.head.first()))
        super().focusInEvent(event)

    @override
    def leaveEvent(self, event: QEvent) -> None:
        self._hover(-1)
        super().leaveEvent(event)

    @override
    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        if not self.indexAt(event.position().toPoint()).isValid():
            self._hover(-1)
        super().mouseMoveEvent(event)

    @override
    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in {Qt.Key.Key_Return, Qt.Key.Key_Enter} and self.currentIndex().isValid():
            self.activated.emit(self.currentIndex())
        else:
            super().keyPressEvent(event)

    @override
    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        by_key = event.reason() == QContextMenuEvent.Reason.Keyboard
        index = self.currentIndex() if by_key else self.indexAt(event.pos())
        if index.isValid():
            below = self.visualRect(index.siblingAtColumn(self.head.first())).bottomLeft()
            self.menu_asked.emit(self.viewport().mapToGlobal(below) if by_key else event.globalPos())

    @override
    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        index = self.currentIndex()
        if self.hasFocus() and index.isValid():
            row = self.visualRect(index)
            painter = QPainter(self.viewport())
            paint_focus(painter, self._whole(row), self._appearance.palette)
            painter.end()

    def _whole(self, row: QRect) -> QRectF:
        wide = min(self.viewport().width(), self.head.length() - self.head.offset())
        return QRectF(0, row.top(), wide, row.height())


class _Cells(QStyledItemDelegate):
    """Paints the cells; a row is raised or selected as a whole."""

    def __init__(self, grid: TaskGrid, appearance: Appearance) -> None:
        super().__init__(grid)
        self._grid, self._appearance = grid, appearance
        self._faces = {column: font(Role.BODY if column in _PLAIN else Role.SMALL) for column in TaskColumn}
        self._metrics = {column: QFontMetricsF(face) for column, face in self._faces.items()}

    @override
    def paint(
        self, painter: QPainter, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> None:
        palette, box = self._appearance.palette, QRectF(option.rect)
        selected = self._grid.selecting.is_selected(index)
        paint_ground(painter, box, palette, selected=selected, hovered=index.row() == self._grid.hovered)
        column = TaskColumn.at(index.column())
        if selected and column == self._grid.head.first():
            paint_selected(painter, box, palette)
        form = index.data(ItemRole.CODE)
        inner = box.adjusted(PAD, 0, -PAD, 0)
        if column == TaskColumn.STATUS:
            inner = self._paint_marks(painter, inner, form, palette, _badge_of(index))
        words: str = index.data()
        if not words:
            return
        painter.setFont(self._faces[column])
        painter.setPen(colour(_ink(column, form, palette, selected=selected)))
        paint_text(painter, inner, words, column.column, self._metrics[column])

    def _paint_marks(
        self, painter: QPainter, inner: QRectF, form: StatusForm, palette: Palette, badge: _Badge | None
    ) -> QRectF:
        """Paint tile and badge; returns the rectangle that is left for the text."""
        top = inner.top() + (ROW - TILE) / 2
        paint_tile(painter, QPointF(inner.left(), top), form, palette)
        if badge is not None:
            badge(painter, QPointF(inner.left() + TILE + 4, top), palette)
        return inner.adjusted(TILE + 6 + (TILE + 4 if badge is not None else 0), 0, 0, 0)

    @override
    def sizeHint(self, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex) -> QSize:
        """The width that a column gets when its edge is double-clicked."""
        column = TaskColumn.at(index.column())
        marks = TILE + 6 + (TILE + 4 if _badge_of(index) is not None else 0) if column == TaskColumn.STATUS else 0
        return QSize(round(self._metrics[column].horizontalAdvance(index.data() or "")) + 2 * PAD + marks + 1, ROW)


def _badge_of(index: QModelIndex | QPersistentModelIndex) -> _Badge | None:
    """What paints the badge behind the tile of a row's status; None: it has none."""
    if index.data(ItemRole.HELD):
        return paint_held
    return paint_quiet if index.data(ItemRole.QUIET) else None


_PLAIN: Final = frozenset({TaskColumn.STATUS, TaskColumn.NAME})


def _ink(column: TaskColumn, form: StatusForm, palette: Palette, *, selected: bool) -> str:
    if column == TaskColumn.NAME or form == StatusForm.REMOVED:
        return palette.text
    if column == TaskColumn.STATUS:
        return form_ink(form, palette).text
    return ink_of(form, palette, selected=selected) if column in _SAID else palette.text if selected else palette.muted
