"""The table of the grid: cells as forms of statuses, keys, and the menu of a cell."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from PySide6.QtCore import QEvent, QModelIndex, QPoint, QPointF, QRectF, Qt, Signal
from PySide6.QtGui import QContextMenuEvent, QKeySequence, QPainter, QPen, QPixmap, QPolygonF
from PySide6.QtWidgets import QAbstractItemView, QFrame, QStyledItemDelegate, QTableView
from typing_extensions import override

from starloom_gui.panels.grid.heads import TOP, RunHead, ShadeLegend, TaskHead
from starloom_gui.panels.grid.shades import shade_ink, shade_of
from starloom_gui.panels.task_marks import paint_tile
from starloom_gui.theme import glyphs
from starloom_gui.theme.metrics import RING
from starloom_gui.theme.palette import colour
from starloom_gui.theme.status_form import StatusForm
from starloom_gui.viewmodel.roles import ItemRole
from starloom_gui.widgets.typed_find import TypedFind

if TYPE_CHECKING:
    from PySide6.QtCore import QPersistentModelIndex
    from PySide6.QtGui import QKeyEvent, QMouseEvent, QResizeEvent
    from PySide6.QtWidgets import QStyleOptionViewItem

    from starloom_gui.panels.grid.rows import GridRows
    from starloom_gui.theme.appearance import Appearance
    from starloom_gui.theme.palette import Palette

_FORM: Final = 18
_CORNER: Final = 6.0
"""The mark of a task with several attempts."""


class GridSpot(NamedTuple):
    """A task of a run.

    Attributes:
        plan: the name of the plan; empty: nobody knows.
        folder: of the run's journal; empty: it keeps none, or the engine has the run.
        task_id: empty: no task of it.
    """

    run_id: str
    plan: str
    folder: str
    task_id: str


class GridView(QTableView):
    """The tasks by the runs; the cursor is one cell.

    Args:
        rows: the model.
        appearance: the colours.

    Attributes:
        names, runs: its heads.
        wanted: the run and the task to go to once they are shown; None: none.

    Signals:
        opened(GridSpot): the user wants to see this task of this run.
        menu_asked(QPoint): the user wants the menu of the cursor's cell, at this place on the screen.
        moved(): the cursor is on another cell.
    """

    opened = Signal(object)
    menu_asked = Signal(QPoint)
    moved = Signal()

    def __init__(self, rows: GridRows, appearance: Appearance) -> None:
        super().__init__()
        self._rows, self._appearance = rows, appearance
        self._kept: tuple[str, str] | None = None
        self._scrolled = 0
        self._is_used = False
        self.wanted: tuple[str, str] | None = None
        self._pressed = QModelIndex()
        self.names, self.runs = TaskHead(rows, appearance), RunHead(rows, appearance)
        self.setVerticalHeader(self.names)
        self.setHorizontalHeader(self.runs)
        self.legend = ShadeLegend(appearance, self)
        self.setModel(rows)
        self.setItemDelegate(_Cells(self, appearance))
        self._behave()
        TypedFind(self, self._find, appearance)
        rows.modelAboutToBeReset.connect(self._keep)
        rows.modelReset.connect(self._restore)
        self.names.sectionClicked.connect(lambda row: self._go(row, max(0, self.currentIndex().column())))
        self.names.sectionDoubleClicked.connect(lambda row: self._open(rows.index(row, rows.columnCount() - 1)))
        self.runs.sectionClicked.connect(lambda at: self._go(max(0, self.currentIndex().row()), at))
        self.runs.sectionDoubleClicked.connect(self._open_run)

    def _behave(self) -> None:
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setShowGrid(False)
        self.setWordWrap(False)
        self.setCornerButtonEnabled(False)
        self.setTabKeyNavigation(False)
        self.setSelectionMode(QAbstractItemView.SelectionMode.NoSelection)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setHorizontalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        for head in (self.names, self.runs):
            head.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        self.names.customContextMenuRequested.connect(
            lambda at: self._ask_menu_at(self.names.logicalIndexAt(at), None, self.names.mapToGlobal(at))
        )
        self.runs.customContextMenuRequested.connect(
            lambda at: self._ask_menu_at(None, self.runs.logicalIndexAt(at), self.runs.mapToGlobal(at))
        )

    # ---- the cursor

    def spot(self, index: QModelIndex | None = None) -> GridSpot | None:
        """The task and the run of a cell, by default the cursor's; None: there is none."""
        index = self.currentIndex() if index is None else index
        if not index.isValid():
            return None
        column = self._rows.column(index.column())
        form = index.data(ItemRole.CODE)
        has_task = form is not None and form is not StatusForm.REMOVED
        return GridSpot(column.run_id, column.plan, column.folder, index.data(ItemRole.ID) if has_task else "")

    def go_to(self, run_id: str, task_id: str) -> None:
        """Move the cursor to a task of a run, as far as they are shown, and scroll there."""
        self._is_used = True
        self._go_near(run_id, task_id)

    def _go_near(self, run_id: str, task_id: str) -> None:
        row, column = self._rows.place_of(run_id, task_id)
        self._go(
            row if row >= 0 else self.currentIndex().row(), column if column >= 0 else self._rows.columnCount() - 1
        )

    @override
    def event(self, event: QEvent) -> bool:
        if event.type() in (QEvent.Type.KeyPress, QEvent.Type.ContextMenu):
            self._is_used = True  # from now on the cursor stays where it is put
        return super().event(event)

    def _go(self, row: int, column: int) -> None:
        index = self._rows.index(max(0, row), column)
        if index.isValid():
            self.setCurrentIndex(index)
            self.scrollTo(index)

    @override
    def currentChanged(self, current: QModelIndex, previous: QModelIndex) -> None:  # type: ignore[override]
        super().currentChanged(current, previous)
        self.names.current = current.row()
        self.names.viewport().update()
        self.viewport().update()
        self.moved.emit()

    def _keep(self) -> None:
        index = self.currentIndex()
        self._scrolled = self.verticalScrollBar().value()
        if index.isValid():
            self._kept = self._rows.column(index.column()).run_id, str(index.data(ItemRole.ID))

    def _restore(self) -> None:
        """Return to the cell and the scroll position of before, as far as they are still there."""
        self.fit()
        if self.wanted is not None and min(self._rows.place_of(*self.wanted)) >= 0:
            self.go_to(*self.wanted)
            self.wanted = None
            return
        if not self._is_used:
            self._go_near(self.runs.own, "")
        elif self._kept is not None:
            row, column = self._rows.place_of(*self._kept)
            if row >= 0 and column >= 0:
                self.setCurrentIndex(self._rows.index(row, column))
        self.verticalScrollBar().setValue(self._scrolled)

    def _find(self, text: str, step: int) -> bool:
        """Find a task by its name or id, as `TypedFind` wants it."""
        rows, history = self._rows.rows, self._rows.history
        wanted, here = text.casefold(), self.currentIndex()
        begin = (here.row() if here.isValid() else 0) + step
        for away in range(len(rows)):
            at = (begin + (away if step >= 0 else -away)) % len(rows)
            if wanted in history.title(rows[at]).casefold() or wanted in history.ids[rows[at]].casefold():
                self._go(at, here.column() if here.isValid() else self._rows.columnCount() - 1)
                return True
        return False

    # ---- opening

    def _open(self, index: QModelIndex) -> None:
        spot = self.spot(index)
        if spot is not None and spot.task_id:
            self.opened.emit(spot)

    def _open_run(self, at: int) -> None:
        spot = self.spot(self._rows.index(0, at))
        if spot is not None:
            self.opened.emit(spot._replace(task_id=""))

    @override
    def mousePressEvent(self, event: QMouseEvent) -> None:
        self._is_used = True
        super().mousePressEvent(event)
        is_plain = event.button() == Qt.MouseButton.LeftButton and not event.modifiers()
        self._pressed = self.indexAt(event.position().toPoint()) if is_plain else QModelIndex()

    @override
    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        super().mouseReleaseEvent(event)
        index = self.indexAt(event.position().toPoint())
        if index.isValid() and index == self._pressed and event.button() == Qt.MouseButton.LeftButton:
            self._open(index)
        self._pressed = QModelIndex()

    @override
    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self._open(self.currentIndex())
        elif event.matches(QKeySequence.StandardKey.Copy):
            event.ignore()  # the pane copies all of it
        else:
            super().keyPressEvent(event)

    @override
    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        by_key = event.reason() == QContextMenuEvent.Reason.Keyboard
        index = self.currentIndex() if by_key else self.indexAt(event.pos())
        if index.isValid():
            below = self.viewport().mapToGlobal(self.visualRect(index).bottomLeft())
            self._ask_menu_at(index.row(), index.column(), below if by_key else event.globalPos())

    def _ask_menu_at(self, row: int | None, column: int | None, at: QPoint) -> None:
        here = self.currentIndex()
        self._go(here.row() if row is None else row, max(0, here.column()) if column is None else column)
        self.menu_asked.emit(at)

    # ---- how it looks

    def fit(self) -> None:
        """Give the names the width they need and the runs the rest."""
        self.names.fit(self.width(), self.legend.least)
        self.updateGeometries()

    @override
    def updateGeometries(self) -> None:
        super().updateGeometries()
        self.legend.setGeometry(0, 0, self.names.width(), TOP)

    @override
    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.names.fit(self.width(), self.legend.least)


class _Cells(QStyledItemDelegate):
    """Paints the cells; each look is painted once and kept as a picture."""

    def __init__(self, view: GridView, appearance: Appearance) -> None:
        super().__init__(view)
        self._view, self._appearance = view, appearance
        self._looks: dict[tuple[object, ...], QPixmap] = {}

    @override
    def paint(
        self, painter: QPainter, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> None:
        palette, box = self._appearance.palette, QRectF(option.rect)
        rows = self._view.model()
        row, at = rows.rows[index.row()], index.column()  # type: ignore[attr-defined]  # it is the grid's own model
        history, here = rows.history, self._view.currentIndex()  # type: ignore[attr-defined]
        is_marked = history.ids[row] in self._view.names.marked
        is_row = index.row() == here.row()
        painter.fillRect(box, colour(palette.selected if is_marked else palette.raised if is_row else palette.panel))
        form: StatusForm | None = index.data(ItemRole.CODE)
        if form is not None:
            place, column = int(history.place[row, at]), history.columns[at]
            marks = place in column.attempts, place in column.simulated
            shade, ratio = shade_of(history.ratio(row, at)), painter.device().devicePixelRatioF()
            look = self._look(form, shade, marks, palette, ratio)
            painter.drawPixmap(QPointF(box.x() + (box.width() - _FORM) / 2, box.y() + (box.height() - _FORM) / 2), look)
        if index == here:
            self._paint_cursor(painter, box, palette)

    def _paint_cursor(self, painter: QPainter, box: QRectF, palette: Palette) -> None:
        pen = QPen(colour(palette.text), RING)
        if self._view.hasFocus():
            pen.setDashPattern([2.0, 1.5])
        painter.setPen(pen)
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.drawRect(box.adjusted(1, 1, -1, -1))

    def _look(self, form: StatusForm, shade: int, marks: tuple[bool, bool], palette: Palette, ratio: float) -> QPixmap:
        """The picture of a cell; `marks`: whether it had several attempts, and whether it was only simulated."""
        is_retried, is_acted = marks
        key = (form, shade if form is StatusForm.COMPLETED else 0, marks, palette.name, ratio)
        look = self._looks.get(key)
        if look is None:
            look = self._looks[key] = QPixmap(round(_FORM * ratio), round(_FORM * ratio))
            look.setDevicePixelRatio(ratio)
            look.fill(Qt.GlobalColor.transparent)
            painter = QPainter(look)
            done = shade_ink(shade, palette)
            if form is StatusForm.REMOVED:
                glyphs.REMOVED.paint(painter, QRectF(1, 1, _FORM - 2, _FORM - 2), colour(palette.muted))
            if is_acted and form is StatusForm.COMPLETED:  # it is not done
                glyphs.SIMULATED.paint(painter, QRectF(1, 1, _FORM - 2, _FORM - 2), colour(palette.muted))
            else:
                paint_tile(painter, QPointF(0, 0), form, palette, _FORM, done)
            if is_retried:
                corner = [QPointF(_FORM - _CORNER, 0), QPointF(_FORM, 0), QPointF(_FORM, _CORNER)]
                painter.setPen(Qt.PenStyle.NoPen)
                painter.setBrush(colour(palette.text))
                painter.drawPolygon(QPolygonF(corner))
            painter.end()
        return look
