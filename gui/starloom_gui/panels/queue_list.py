"""The ready queue as a list: painted rows, the selection shared with all other views, and a place for a menu."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QPoint, QRect, QRectF, Qt, Signal
from PySide6.QtGui import QContextMenuEvent, QFontMetricsF, QPainter, QPen
from PySide6.QtWidgets import QAbstractItemView, QFrame, QHeaderView, QStyle, QStyledItemDelegate, QTableView
from typing_extensions import override

from starloom_gui.models.plain_table import index_at
from starloom_gui.models.queue_table import Column
from starloom_gui.models.roles import Role
from starloom_gui.theme.fonts import Role as FontRole
from starloom_gui.theme.fonts import elided, font
from starloom_gui.theme.metrics import RING, ROW
from starloom_gui.theme.palette import colour
from starloom_gui.theme.styles import header_cells, table

if TYPE_CHECKING:
    from collections.abc import Callable

    from PySide6.QtCore import QModelIndex, QPersistentModelIndex
    from PySide6.QtGui import QKeyEvent, QMouseEvent, QResizeEvent
    from PySide6.QtWidgets import QStyleOptionViewItem, QWidget

    from starloom_gui.models.queue_table import QueueRow, QueueTable
    from starloom_gui.models.roles import Facts
    from starloom_gui.selection import Selection
    from starloom_gui.theme.appearance import Appearance
    from starloom_gui.theme.palette import Palette

_PAD: Final = 8
_WIDTHS: Final = {Column.PLACE: 46, Column.BASE: 48, Column.EFFECTIVE: 68, Column.WAITED: 62, Column.RUN: 96}
_BLOCKED: Final = (120, 148)
"""Width of what it waits for, where there is little room and where there is enough."""
_NARROW: Final = 440
"""Below this width the base priority is left out: the effective one is what counts."""
_NARROWEST: Final = 380
"""Below this one the wait is, too."""
_MUTED: Final = frozenset({Column.PLACE, Column.BASE, Column.WAITED, Column.RUN})


@dataclass(frozen=True, slots=True)
class MenuAt:
    """A menu is wanted for a task in line, at a place on the screen."""

    row: QueueRow
    at: QPoint


class QueueList(QTableView):
    """The rows. A click or an arrow key selects a task of the run that is shown; of another run it only tells.

    Args:
        table: the queue.
        appearance: the colours.
        selection: of the run that is shown.
        facts: gives the facts of that run.
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
        facts: Facts,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self._table, self._selection, self._facts = table, selection, facts
        self._at: tuple[str, int] | None = None
        self._painter = _Painter(self, lambda: appearance.palette)
        self.setModel(table)
        self.setItemDelegate(self._painter)
        self._arrange()
        selection.changed.connect(lambda _: self.viewport().update())
        table.modelReset.connect(self._stay)
        self.setAccessibleName(self.tr("Ready queue"))

    def _arrange(self) -> None:
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setShowGrid(False)
        self.setWordWrap(False)
        self.setMouseTracking(True)
        self.setCornerButtonEnabled(False)
        self.setTabKeyNavigation(False)
        self.setSelectionMode(QAbstractItemView.SelectionMode.NoSelection)
        self.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        rows = self.verticalHeader()
        rows.hide()
        rows.setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        rows.setMinimumSectionSize(ROW)
        rows.setDefaultSectionSize(ROW)
        heads = self.horizontalHeader()
        heads.setFont(font(FontRole.SMALL))
        heads.setFixedHeight(ROW)
        heads.setSectionsClickable(False)
        heads.setHighlightSections(False)
        heads.setMinimumSectionSize(36)
        for column, width in _WIDTHS.items():
            heads.setSectionResizeMode(column, QHeaderView.ResizeMode.Fixed)
            self.setColumnWidth(column, width)
        heads.setSectionResizeMode(Column.TASK, QHeaderView.ResizeMode.Stretch)
        heads.setSectionResizeMode(Column.BLOCKED, QHeaderView.ResizeMode.Fixed)
        self.show_runs(False)

    def show_runs(self, shown: bool) -> None:
        """Show or hide the column that says of which run a task is."""
        self.setColumnHidden(Column.RUN, not shown)

    # ---- what is selected

    def is_selected(self, row: QueueRow) -> bool:
        """Whether a task in line is selected."""
        return row.run_id == self._run_id() and row.number in self._selection.now.numbers

    def _run_id(self) -> str:
        run = self._facts()
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
        found: QueueRow | None = index.data(Role.VALUE) if index.isValid() else None
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

    # ---- hands

    @override
    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        is_narrow = self.width() < _NARROW
        self.setColumnHidden(Column.BASE, is_narrow)
        self.setColumnHidden(Column.WAITED, self.width() < _NARROWEST)
        self.setColumnWidth(Column.BLOCKED, _BLOCKED[not is_narrow])

    @override
    def mousePressEvent(self, event: QMouseEvent) -> None:
        super().mousePressEvent(event)
        index = self.indexAt(event.position().toPoint())
        row = self._note()
        if event.button() == Qt.MouseButton.LeftButton and index.isValid() and row is not None:
            self.choose(row, adds=bool(event.modifiers() & Qt.KeyboardModifier.ControlModifier))

    @override
    def keyPressEvent(self, event: QKeyEvent) -> None:
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
        self._face = font(FontRole.BODY)
        self._metrics = QFontMetricsF(self._face)

    @override
    def paint(
        self, painter: QPainter, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> None:
        row, box, palette = index.data(Role.VALUE), QRect(option.rect), self._colours()
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
        column = index.column()
        room = QRectF(box).adjusted(_PAD, 0, -_PAD, 0)
        painter.setFont(self._face)
        painter.setPen(colour(palette.muted if column in _MUTED else palette.text))
        words = elided(index.data(Qt.ItemDataRole.DisplayRole), self._metrics, room.width())
        painter.drawText(room, int(index.data(Qt.ItemDataRole.TextAlignmentRole)), words)


def list_sheet(palette: Palette) -> str:
    """What a pane's style sheet has to say of the list besides."""
    return table(palette) + header_cells(palette, _PAD)
