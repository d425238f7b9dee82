"""The tree of the outline: groups with a stacked bar, tasks with their glyph; painted row by row."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QEvent, QModelIndex, QPoint, QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QContextMenuEvent, QFontMetricsF, QPainter
from PySide6.QtWidgets import (
    QAbstractItemView,
    QFrame,
    QStyledItemDelegate,
    QTreeView,
)
from typing_extensions import override

from starloom_gui.panels.task_marks import (
    BAR_HEIGHT,
    TILE,
    ink_of,
    paint_bar,
    paint_chevron,
    paint_focus,
    paint_ground,
    paint_held,
    paint_selected,
    paint_tile,
)
from starloom_gui.panels.task_selecting import TaskSelecting, still
from starloom_gui.text.words import straight
from starloom_gui.theme.fonts import Role, elided, font
from starloom_gui.theme.metrics import ROW, SIDE_WIDTH
from starloom_gui.theme.palette import colour
from starloom_gui.viewmodel.roles import ItemRole
from starloom_gui.widgets.typed_find import TypedFind, find_rows

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from PySide6.QtCore import QPersistentModelIndex
    from PySide6.QtGui import QFocusEvent, QKeyEvent, QMouseEvent, QShowEvent
    from PySide6.QtWidgets import QStyleOptionViewItem

    from starloom_gui.models.outline import Outline
    from starloom_gui.theme.appearance import Appearance
    from starloom_gui.theme.status_form import StatusForm
    from starloom_gui.viewmodel.selection import Selection

EDGE: Final = 12
INDENT: Final = 22
"""Where the name of a group begins, and the width of what opens it."""
_BAR: Final = 100
_LEAST_BAR: Final = 36
_BAR_END: Final = 44
"""Pixels from the end of a group's bar to the edge of the pane, unless the count needs more."""
_BETWEEN: Final = 8
_FEW: Final = 30
"""Tasks up to which groups that nobody has made are open at first."""


class OutlineTree(QTreeView):
    """The tree view of the outline; rows are painted whole, and it keeps only which groups are open.

    Signals:
        menu_asked(QPoint): the user wants a menu, at this place on the screen.

    Args:
        outline: the model.
        appearance: the colours.
        shared: the run's selection.
    """

    menu_asked = Signal(QPoint)

    def __init__(self, outline: Outline, appearance: Appearance, shared: Selection) -> None:
        super().__init__()
        self._outline, self._appearance = outline, appearance
        self._opened: set[str] = set()
        self._met: set[str] = set()
        self._is_layout_due = False
        self._hovered = QModelIndex()
        self._faces = font(Role.BODY), font(Role.SMALL)
        self.setModel(outline)
        self.selecting = TaskSelecting(outline, outline, shared, self)
        self.setSelectionModel(self.selecting)
        TypedFind(self, find_rows(self, 0), appearance)
        self.setItemDelegate(_Heights(self))
        self._arrange()
        self.expanded.connect(lambda index: self._opened.add(index.data(ItemRole.ID)))
        self.collapsed.connect(lambda index: self._opened.discard(index.data(ItemRole.ID)))
        self.entered.connect(self._hover)
        outline.attend(self._in_sight)
        outline.modelReset.connect(self._open_again)
        outline.rowsInserted.connect(self._open_new)
        self._open_again()

    def _arrange(self) -> None:
        self.setHeaderHidden(True)
        self.setColumnHidden(1, True)
        self.setIndentation(INDENT)
        self.setUniformRowHeights(True)
        self.setAnimated(False)
        self.setExpandsOnDoubleClick(False)  # Return and a double click come as `activated`, which does it
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setMouseTracking(True)
        self.setFont(font())
        self.setSelectionMode(QAbstractItemView.SelectionMode.ExtendedSelection)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.verticalScrollBar().setSingleStep(ROW)

    # ---- what is open

    def set_opened(self, group: str, opened: bool) -> None:
        """Show or hide the tasks of a group."""
        self._opened = self._opened | {group} if opened else self._opened - {group}
        self._met.add(group)
        for row, one in enumerate(self._outline.groups):
            if one.name == group:
                self.setExpanded(self._outline.index(row, 0), opened)

    def _meet(self) -> None:
        """In a small plan, have the groups be open that are new and only a likeness of names."""
        found = self._outline.groups
        if sum(len(group.numbers) for group in found) <= _FEW:
            self._opened |= {one.name for one in found if one.name and not one.is_declared} - self._met
        self._met |= {group.name for group in found}

    def _open_again(self) -> None:
        """Restore open branches, selection and scroll position after the model was rebuilt."""
        place = self.verticalScrollBar().value()
        self._hovered = QModelIndex()
        self._meet()
        for row, group in enumerate(self._outline.groups):
            if group.name in self._opened:
                self.setExpanded(self._outline.index(row, 0), True)
        self._show_quietly()
        self.verticalScrollBar().setValue(place)

    def _open_new(self, parent: QModelIndex, first: int, last: int) -> None:
        if not parent.isValid():
            self._meet()
            for row in range(first, last + 1):
                if self._outline.groups[row].name in self._opened:
                    self.setExpanded(self._outline.index(row, 0), True)
        self._show_quietly()

    def _show_quietly(self) -> None:
        """Update the selection without scrolling, as the user has not asked for it here."""
        if self.isVisible():
            with still(self):
                self.selecting.show()

    def _in_sight(self) -> dict[int, tuple[int, int]]:
        """The groups that are visible, with their first and last visible task."""
        index, bottom = self.indexAt(QPoint(EDGE, 0)), self.viewport().height()
        found: dict[int, tuple[int, int]] = {}
        while index.isValid() and self.visualRect(index).top() < bottom:
            group = index.parent()
            if group.isValid():
                first, last = found.get(group.row(), (0, -1))
                found[group.row()] = (first if first <= last else index.row()), index.row()
            else:
                found[index.row()] = (0, -1)
            index = self.indexBelow(index)
        return found

    # ---- input

    def _hover(self, index: QModelIndex) -> None:
        self._hovered = index
        self.viewport().update()

    @override
    def focusInEvent(self, event: QFocusEvent) -> None:
        self.selecting.begin_at(self._outline.index(0, 0))
        super().focusInEvent(event)

    @override
    def leaveEvent(self, event: QEvent) -> None:
        self._hover(QModelIndex())
        super().leaveEvent(event)

    @override
    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        if not self.indexAt(event.position().toPoint()).isValid() and self._hovered.isValid():
            self._hover(QModelIndex())
        super().mouseMoveEvent(event)

    @override
    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in {Qt.Key.Key_Return, Qt.Key.Key_Enter} and self.currentIndex().isValid():
            self.activated.emit(self.currentIndex())
            return
        super().keyPressEvent(event)

    @override
    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        by_key = event.reason() == QContextMenuEvent.Reason.Keyboard
        index = self.currentIndex() if by_key else self.indexAt(event.pos())
        if index.isValid():
            below = self.visualRect(index).bottomLeft()
            self.menu_asked.emit(self.viewport().mapToGlobal(below) if by_key else event.globalPos())

    @override
    def showEvent(self, event: QShowEvent) -> None:
        if self._is_layout_due:
            self.doItemsLayout()
        super().showEvent(event)
        self._show_quietly()

    @override
    def doItemsLayout(self) -> None:
        """Lay out all rows once they can be seen: each font and style before that would go over 100,000 of them."""
        self._is_layout_due = not self.isVisible()
        if not self._is_layout_due:
            super().doItemsLayout()

    # ---- painting

    @override
    def dataChanged(
        self,
        topLeft: QModelIndex | QPersistentModelIndex,
        bottomRight: QModelIndex | QPersistentModelIndex,
        roles: Sequence[int] = (),
    ) -> None:
        super().dataChanged(topLeft, bottomRight, roles)
        self.viewport().update()  # Qt's own update leaves out the indentation, where rows have their marks

    @override
    def drawRow(
        self, painter: QPainter, options: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> None:
        palette = self._appearance.palette
        box = QRectF(0, options.rect.top(), self.viewport().width(), options.rect.height())
        selected = self.selecting.is_selected(index)
        paint_ground(painter, box, palette, selected=selected, hovered=index == self._hovered)
        if selected:
            paint_selected(painter, box, palette)
        form = index.data(ItemRole.CODE)
        if form is None:
            self._paint_group(painter, box, index, selected=selected)
        else:
            self._paint_task(painter, box, index, form, selected=selected)
        if self.hasFocus() and index == self.currentIndex():
            paint_focus(painter, box, palette)

    def _paint_group(
        self, painter: QPainter, box: QRectF, index: QModelIndex | QPersistentModelIndex, *, selected: bool
    ) -> None:
        palette = self._appearance.palette
        centre = QPointF(EDGE, box.top() + ROW / 2 + 1)
        paint_chevron(painter, centre, palette, opened=self.isExpanded(index))
        count = self._end_of(index)
        room = self._paint_end(painter, box, count, palette.text if selected else palette.muted)
        wide = min(_BAR, (box.width() - INDENT - _BAR_END) * 0.575)
        end = min(box.right() - _BAR_END, room)
        name = QFontMetricsF(font(Role.BODY)).horizontalAdvance(index.data())
        wide = min(wide, max(_LEAST_BAR, end - INDENT - _BETWEEN - name))  # which group it is tells more than its bar
        bar = QRectF(round(end - wide), box.top() + (ROW - BAR_HEIGHT) // 2, round(wide), BAR_HEIGHT)
        paint_bar(painter, bar, index.data(ItemRole.COUNTS), palette)
        self._paint_name(painter, QRectF(INDENT, box.top(), bar.left() - _BETWEEN - INDENT, ROW), index.data())

    def _paint_task(
        self,
        painter: QPainter,
        box: QRectF,
        index: QModelIndex | QPersistentModelIndex,
        form: StatusForm,
        *,
        selected: bool,
    ) -> None:
        palette = self._appearance.palette
        left = (INDENT + 2) if index.parent().isValid() else 5
        top = box.top() + (ROW - TILE) / 2
        paint_tile(painter, QPointF(left, top), form, palette)
        room = self._paint_end(painter, box, self._end_of(index), ink_of(form, palette, selected=selected))
        if index.data(ItemRole.HELD):
            room -= TILE
            paint_held(painter, QPointF(room, top), palette)
            room -= _BETWEEN
        begin = left + TILE + _BETWEEN
        self._paint_name(painter, QRectF(begin, box.top(), room - begin, ROW), index.data(), self._outline.short)

    def _end_of(self, index: QModelIndex | QPersistentModelIndex) -> str:
        words: str = self._outline.sibling(index.row(), 1, index).data()
        return words

    def _paint_end(self, painter: QPainter, box: QRectF, words: str, ink: str) -> float:
        """Paint the text at the end of a row; returns the rectangle before it."""
        face = self._faces[1]
        metrics = QFontMetricsF(face)
        shown = elided(words, metrics, box.width() * 0.45)
        wide = metrics.horizontalAdvance(shown)
        painter.setFont(face)
        painter.setPen(colour(ink))
        place = QRectF(box.right() - EDGE - wide, box.top(), wide + 1, box.height())
        painter.drawText(place, Qt.AlignmentFlag.AlignVCenter, shown)
        return place.left() - _BETWEEN

    def _paint_name(
        self, painter: QPainter, place: QRectF, name: str, short: Callable[[str], str] = lambda name: name
    ) -> None:
        """Paint a name, elided in its short form where it has no room."""
        face = self._faces[0]
        painter.setFont(face)
        painter.setPen(colour(self._appearance.palette.text))
        metrics = QFontMetricsF(face)
        if metrics.horizontalAdvance(name) > place.width():
            name = elided(short(name), metrics, place.width())
        painter.drawText(place, Qt.AlignmentFlag.AlignVCenter | Qt.TextFlag.TextSingleLine, straight(name))

    @override
    def sizeHint(self) -> QSize:
        return QSize(SIDE_WIDTH, 11 * ROW)


class _Heights(QStyledItemDelegate):
    """The delegate that has the height of rows; the tree paints them."""

    @override
    def sizeHint(self, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex) -> QSize:
        return QSize(1, ROW)
