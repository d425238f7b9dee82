"""The ready queue as a list: painted rows, the shared selection, a context menu, and rows that can be moved."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QPointF, QRect, QRectF, Qt, Signal
from PySide6.QtGui import QAccessible, QAccessibleEvent, QContextMenuEvent, QFontMetricsF, QPainter, QPen
from PySide6.QtWidgets import QAbstractItemView, QHeaderView, QStyle, QStyledItemDelegate
from typing_extensions import override

from starloom_gui.models.plain_table import index_at
from starloom_gui.models.queue_table import QueueColumn
from starloom_gui.panels.queue_drag import MenuAt, MoveRow
from starloom_gui.theme.fonts import Role, font
from starloom_gui.theme.metrics import RING, ROW
from starloom_gui.theme.palette import colour
from starloom_gui.theme.styles import header_cells, table
from starloom_gui.viewmodel.keys import Scope, pressed
from starloom_gui.viewmodel.roles import ItemRole
from starloom_gui.widgets.border_scroll import BorderScroll
from starloom_gui.widgets.table_view import HEADING_PAD, TableView, paint_text
from starloom_gui.widgets.typed_find import TypedFind, find_rows

if TYPE_CHECKING:
    from collections.abc import Callable

    from PySide6.QtCore import QModelIndex, QPersistentModelIndex
    from PySide6.QtGui import QFocusEvent, QHideEvent, QKeyEvent, QMouseEvent, QPaintEvent, QResizeEvent
    from PySide6.QtWidgets import QStyleOptionViewItem, QWidget

    from starloom_gui.editing.ordering import Ordering
    from starloom_gui.editing.trial import Trial
    from starloom_gui.models.queue_table import QueueRow, QueueTable
    from starloom_gui.theme.appearance import Appearance
    from starloom_gui.theme.palette import Palette
    from starloom_gui.viewmodel.roles import ShownRun
    from starloom_gui.viewmodel.selection import Selected, Selection

_PAD: Final = HEADING_PAD
_BLOCKED: Final = 120
"""Width of what it waits for, where there is little room."""
_NARROW: Final = 440
"""Below this width the base priority is left out: the effective one is what counts."""
_NARROWEST: Final = 380
"""Below this one the wait is, too."""
_SLIP: Final = 4.0
"""Pixels the pointer may move within a click."""
_CARRIES: Final = {"earlier": -1, "later": 1}
"""Where keys take a row along, with Alt."""


class QueueList(TableView):
    """The list view of the queue. A click or an arrow key selects a task of the run that is shown.

    A row is dragged up or down to have its task start before or behind another one. By keys: Alt+Up and Alt+Down take
    it along, Return leaves it there, Escape puts it back.

    Args:
        table: the queue.
        appearance: the colours.
        selection: of the run that is shown.
        run: gives that run.
        parent: the widget it lies in.

    Signals:
        elsewhere_chosen: with the `QueueRow` of another run that was clicked.
        menu_wanted: with a `MenuAt`.
    """

    elsewhere_chosen = Signal(object)
    menu_wanted = Signal(object)

    def __init__(
        self,
        table: QueueTable,
        appearance: Appearance,
        selection: Selection,
        run: ShownRun,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(table, QueueColumn, parent=parent)
        self._table, self._selection, self._run = table, selection, run
        self._at: tuple[str, int] | None = None
        self._ordering: Ordering | None = None
        self._trial: Trial | None = None
        self._pressed: QPointF | None = None
        self._pressed_on: tuple[str, int] | None = None
        self._moving: MoveRow | None = None
        self._held_at = QPointF()
        self._border = BorderScroll(self._scroll_rows, self)
        self._colours: Callable[[], Palette] = lambda: appearance.palette
        self._painter = _Painter(self, self._colours)
        self.setItemDelegate(self._painter)
        TypedFind(self, find_rows(self, QueueColumn.TASK), appearance, lambda: self._moving is not None)
        self._arrange()
        selection.changed.connect(self._selected)
        table.modelReset.connect(self._stay)
        self.setAccessibleName(self.tr("Ready queue"))
        hint = self.tr("Alt+Up and Alt+Down take a task along, Return leaves it there, Escape puts it back")
        self.setAccessibleDescription(hint)

    def _selected(self, _now: Selected) -> None:
        self.viewport().update()

    def _arrange(self) -> None:
        self.setMouseTracking(True)
        self.setSelectionMode(QAbstractItemView.SelectionMode.NoSelection)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        heads = self.horizontalHeader()
        heads.setSectionsClickable(False)
        heads.setMinimumSectionSize(36)
        heads.setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        heads.setSectionResizeMode(QueueColumn.TASK, QHeaderView.ResizeMode.Stretch)
        self.show_runs(False)

    def set_ordering(self, ordering: Ordering, trial: Trial | None = None) -> None:
        """Enable moving rows; to be called once.

        Args:
            ordering: may they, and do it.
            trial: says what a move would change once the row rests; None: nothing is foreseen.
        """
        self._ordering, self._trial = ordering, trial
        if trial is not None:
            trial.changed.connect(self.viewport().update)

    def show_runs(self, shown: bool) -> None:
        """Show or hide the column that says of which run a task is."""
        self.setColumnHidden(QueueColumn.RUN, not shown)
        self._fit()

    # ---- what is selected

    def is_selected(self, row: QueueRow) -> bool:
        """Whether a task in line is selected."""
        return row.run_id == self._run_id() and row.number in self._selection.now.numbers

    def _run_id(self) -> str:
        run = self._run()
        return "" if run is None else run.run_id

    def choose(self, row: QueueRow, *, adds: bool = False) -> None:
        """Select the task of a row; if it is of another run, only tell that it was chosen."""
        if row.run_id != self._run_id():
            self.elsewhere_chosen.emit(row)
        elif adds:
            self._selection.toggle(row.number)
        else:
            self._selection.select(row.number)

    def _row(self, index: QModelIndex) -> QueueRow | None:
        found: QueueRow | None = index.data(ItemRole.VALUE) if index.isValid() else None
        return found

    def _note(self) -> QueueRow | None:
        """Remember which task the keys are at: the rows come and go."""
        row = self._row(self.currentIndex())
        self._at = None if row is None else (row.run_id, row.number)
        return row

    def _stay(self) -> None:
        """After the rows were replaced, have the keys at the same task again, without scrolling."""
        if self._at is None:
            return
        self.setAutoScroll(False)
        self.setCurrentIndex(index_at(self._table, self._table.row_of(self._at)))
        self.setAutoScroll(True)

    # ---- a row that is moved

    @property
    def moving(self) -> MoveRow | None:
        """The row that is being moved; None: there is none."""
        return self._moving

    def top_of(self, row: int) -> int:
        """The upper edge of a row in the viewport; of the row behind the last one, where that ends."""
        return row * ROW - self.verticalScrollBar().value()

    def row_below(self, y: float) -> int:
        """The row whose upper edge is nearest to that height."""
        return round((y + self.verticalScrollBar().value()) / ROW)

    def _row_of_pressed(self) -> int:
        """The present row of the task that was pressed; -1: it is no longer in the queue."""
        key = self._pressed_on
        return next((at for at, row in enumerate(self._table.rows) if (row.run_id, row.number) == key), -1)

    def _take_up(self, row: int) -> None:
        rows = self._table.rows
        if self._ordering is not None and 0 <= row < len(rows):
            self._table.hold(True)
            self._moving = MoveRow(self, rows, row, self._ordering, self._trial)

    def cancel_move(self) -> bool:
        """Cancel the move of a row; returns whether there was one."""
        return self._let_go(commits=False)

    def end_move(self) -> bool:
        """Drop the row that is being moved; returns whether there was one."""
        return self._let_go(commits=True)

    def _let_go(self, *, commits: bool) -> bool:
        was, self._moving, self._pressed = self._moving, None, None
        if was is None:
            return False
        self._border.stop()
        if commits:
            was.commit()
        else:
            was.cancel()
        self._table.hold(False)
        hint = self.tr("Alt+Up and Alt+Down take a task along, Return leaves it there, Escape puts it back")
        self.setAccessibleDescription(hint)
        self.viewport().unsetCursor()
        self.viewport().update()
        return True

    def _carry(self, by: int) -> None:
        """Move the current row by keys; no command is sent before Return."""
        if self._moving is None:
            self._take_up(self.currentIndex().row())
        if self._moving is not None:
            self._moving.step(by)
            self.scrollTo(self._table.index(min(self._moving.gap, self._table.rowCount() - 1), QueueColumn.TASK))
            self.setAccessibleDescription(self._moving.words)
            QAccessible.updateAccessibility(QAccessibleEvent(self, QAccessible.Event.DescriptionChanged))
            self.viewport().update()

    def _scroll_rows(self, _dx: int, dy: int) -> None:
        """Update the move of a row after scrolling at the upper or lower end."""
        bar = self.verticalScrollBar()
        bar.setValue(bar.value() + dy)
        if self._moving is not None:
            self._moving.move(self._held_at)
            self.viewport().update()

    @override
    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        at = event.position()
        if self._moving is None and self._pressed is not None and abs((at - self._pressed).y()) > _SLIP:
            self._take_up(self._row_of_pressed())
        if self._moving is None:
            super().mouseMoveEvent(event)
            return
        self.viewport().setCursor(Qt.CursorShape.ClosedHandCursor)
        self._held_at = at
        self._moving.move(at)
        self._border.follow(at, QRectF(self.viewport().rect()))
        self.viewport().update()

    @override
    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        self._pressed = None
        if not self._let_go(commits=event.button() == Qt.MouseButton.LeftButton):
            super().mouseReleaseEvent(event)

    @override
    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        self.cancel_move()

    @override
    def hideEvent(self, event: QHideEvent) -> None:
        self.cancel_move()
        super().hideEvent(event)

    @override
    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        if self._moving is not None:
            painter = QPainter(self.viewport())
            self._moving.paint(painter, QRectF(self.viewport().rect()), self._colours())
            painter.end()

    # ---- input

    @override
    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    def _fit(self) -> None:
        """Hide the least important columns where the names have little room."""
        room = self.width() - (0 if self.isColumnHidden(QueueColumn.RUN) else QueueColumn.RUN.column.width)
        is_narrow = room < _NARROW
        self.setColumnHidden(QueueColumn.BASE, is_narrow)
        self.setColumnHidden(QueueColumn.WAITED, room < _NARROWEST)
        self.setColumnWidth(QueueColumn.BLOCKED, _BLOCKED if is_narrow else QueueColumn.BLOCKED.column.width)

    @override
    def mousePressEvent(self, event: QMouseEvent) -> None:
        self.cancel_move()
        super().mousePressEvent(event)
        is_plain = event.button() == Qt.MouseButton.LeftButton and not event.modifiers()
        self._pressed = event.position() if is_plain else None
        index = self.indexAt(event.position().toPoint())
        row = self._note()
        rows = self._table.rows
        pressed = rows[index.row()] if index.isValid() and index.row() < len(rows) else None
        self._pressed_on = (pressed.run_id, pressed.number) if pressed is not None else None
        if event.button() == Qt.MouseButton.LeftButton and index.isValid() and row is not None:
            self.choose(row, adds=bool(event.modifiers() & Qt.KeyboardModifier.ControlModifier))

    @override
    def keyPressEvent(self, event: QKeyEvent) -> None:
        carried = _CARRIES.get(pressed(Scope.QUEUE, Qt.Key(event.key()), event.modifiers()))
        if carried is not None:
            self._carry(carried)
            return
        if self._moving is not None:
            if event.key() in {Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Escape}:
                self._let_go(commits=event.key() != Qt.Key.Key_Escape)
            return
        before = self.currentIndex().row()
        super().keyPressEvent(event)
        row = self._note()
        is_chosen = event.key() in {Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Space}
        if row is not None and (self.currentIndex().row() != before or is_chosen):
            self.choose(row)

    @override
    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        by_key = event.reason() == QContextMenuEvent.Reason.Keyboard
        index = self.currentIndex() if by_key else self.indexAt(event.pos())
        row = self._row(index)
        if row is None:
            return
        if not self.is_selected(row):
            self.choose(row)
        corner = self.viewport().mapToGlobal(self.visualRect(index).bottomLeft())
        self.menu_wanted.emit(MenuAt(row, corner if by_key else event.globalPos()))


class _Painter(QStyledItemDelegate):
    """Paints the cells; what is selected is read from the shared selection, so there is no second one to keep."""

    def __init__(self, view: QueueList, colours: Callable[[], Palette]) -> None:
        super().__init__(view)
        self._view, self._colours = view, colours
        self._face = font(Role.BODY)
        self._metrics = QFontMetricsF(self._face)

    @override
    def paint(
        self, painter: QPainter, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> None:
        row, box, palette = index.data(ItemRole.VALUE), QRect(option.rect), self._colours()
        selected = self._view.is_selected(row)
        hovered = bool(option.state & QStyle.StateFlag.State_MouseOver)
        ground = palette.selected if selected else palette.raised if hovered else palette.panel
        painter.fillRect(box, colour(ground))
        if selected and index.column() == 0:
            painter.fillRect(QRectF(box.left(), box.top(), RING, box.height()), colour(palette.text))
        self._paint_text(painter, box, index, palette)
        if self._view.hasFocus() and index.row() == self._view.currentIndex().row():
            painter.setPen(QPen(colour(palette.text), 1, Qt.PenStyle.DashLine))
            painter.drawLine(box.left(), box.bottom(), box.right(), box.bottom())
            painter.drawLine(box.left(), box.top(), box.right(), box.top())

    def _paint_text(
        self, painter: QPainter, box: QRect, index: QModelIndex | QPersistentModelIndex, palette: Palette
    ) -> None:
        column = QueueColumn.at(index.column()).column
        room = QRectF(box).adjusted(_PAD, 0, -_PAD, 0)
        painter.setFont(self._face)
        painter.setPen(colour(palette.muted if column.is_muted else palette.text))
        paint_text(painter, room, index.data(Qt.ItemDataRole.DisplayRole), column, self._metrics)


def list_sheet(palette: Palette) -> str:
    """The part of a pane's style sheet for the list."""
    return table(palette) + header_cells(palette, _PAD)
