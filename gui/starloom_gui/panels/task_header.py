"""What stands over the table of tasks: the names of the columns, what it is sorted by, and the menu of both."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QByteArray, QPoint, QPointF, QRect, QRectF, Qt
from PySide6.QtGui import QAction, QActionGroup, QContextMenuEvent, QFontMetricsF, QPainter
from PySide6.QtWidgets import QHeaderView, QMenu
from typing_extensions import override

from starloom_gui.models.task_cells import COMPARED, ON_THE_RIGHT, Column, heading
from starloom_gui.panels.task_marks import paint_order
from starloom_gui.theme.fonts import Role as FontRole
from starloom_gui.theme.fonts import elided, font
from starloom_gui.theme.metrics import GLYPH, HAIRLINE
from starloom_gui.theme.palette import colour

if TYPE_CHECKING:
    from PySide6.QtGui import QPaintEvent
    from PySide6.QtWidgets import QWidget

    from starloom_gui.theme.appearance import Appearance

PAD: Final = 8
"""Between the edge of a cell and what is in it."""
HEADER: Final = 24
_ALWAYS: Final = Column.NAME
"""A row without a name could not be told from another."""


class TaskHeader(QHeaderView):
    """What stands over the columns: a click sorts, a third one ends that; they can be moved, resized and left out.

    Args:
        appearance: the colours.
        parent: the table.
    """

    def __init__(self, appearance: Appearance, parent: QWidget) -> None:
        super().__init__(Qt.Orientation.Horizontal, parent)
        self._appearance = appearance
        self._face = font(FontRole.SMALL)
        self.setFont(self._face)
        self.setFixedHeight(HEADER)
        self.setSectionsMovable(True)
        self.setSectionsClickable(True)
        self.setStretchLastSection(False)
        self.setMinimumSectionSize(40)
        self.setHighlightSections(False)
        self.setSortIndicatorClearable(True)
        self.setSortIndicator(-1, Qt.SortOrder.AscendingOrder)
        self._compares = False

    def compare(self, *, on: bool) -> None:
        """Have the columns that tell of an earlier run, right behind the name, or have them no more."""
        self._compares = on
        place = self.visualIndex(_ALWAYS)
        for column in sorted(COMPARED):
            self.setSectionHidden(column, not on)
            if on:
                old = self.visualIndex(column)
                place += old > place
                self.moveSection(old, place)
        if not on and self.sortIndicatorSection() in COMPARED:
            self.setSortIndicator(-1, Qt.SortOrder.AscendingOrder)

    def _offered(self) -> list[Column]:
        """The columns one can have now."""
        return [column for column in Column if self._compares or column not in COMPARED]

    def first(self) -> int:
        """The column at the left among those that are shown."""
        shown = (self.logicalIndex(place) for place in range(self.count()))
        return next((column for column in shown if not self.isSectionHidden(column)), int(_ALWAYS))

    def shown(self) -> list[Column]:
        """The columns that are shown, from left to right."""
        places = (self.logicalIndex(place) for place in range(self.count()))
        return [Column(column) for column in places if not self.isSectionHidden(column)]

    def columns_state(self) -> bytes:
        """Which columns there are, their places, widths and order, to be kept."""
        return bytes(self.saveState().data())

    def restore_columns(self, state: bytes) -> bool:
        """Take up what `columns_state` gave; False: it is not usable, and nothing has changed."""
        before = self.saveState()
        if self.restoreState(QByteArray(state)) and not self.isSectionHidden(_ALWAYS) and self.count() == len(Column):
            for column in COMPARED:
                self.setSectionHidden(column, not self._compares)
            return True
        self.restoreState(before)
        return False

    # ---- the menu

    def open_menu(self, at: QPoint) -> QMenu:
        """Show which columns there are and what they are sorted by, at a place on the screen."""
        menu = QMenu(self)
        menu.setAccessibleName(self.tr("Columns"))
        menu.setFont(font())
        menu.aboutToHide.connect(menu.deleteLater)
        for column in self._offered():
            action = self._toggled(menu.addAction(heading(column)), checked=not self.isSectionHidden(column))
            action.setEnabled(column != _ALWAYS)
            action.triggered.connect(lambda on, column=column: self.setSectionHidden(column, not on))
        menu.addSeparator()
        self._add_orders(menu.addMenu(self.tr("Sort by")))
        menu.popup(at)
        return menu

    def _add_orders(self, menu: QMenu) -> None:
        menu.setFont(font())
        group = QActionGroup(menu)
        sorted_by, order = self.sortIndicatorSection(), self.sortIndicatorOrder()
        for column in (-1, *self._offered()):
            words = heading(column) if column >= 0 else self.tr("Place in line")
            action = self._toggled(menu.addAction(words), checked=column == sorted_by)
            group.addAction(action)
            action.triggered.connect(lambda _, column=column: self.setSortIndicator(column, self.sortIndicatorOrder()))
        menu.addSeparator()
        down = self._toggled(menu.addAction(self.tr("Descending")), checked=order == Qt.SortOrder.DescendingOrder)
        down.triggered.connect(
            lambda on: self.setSortIndicator(
                self.sortIndicatorSection(), Qt.SortOrder.DescendingOrder if on else Qt.SortOrder.AscendingOrder
            )
        )

    def _toggled(self, action: QAction, *, checked: bool) -> QAction:
        action.setCheckable(True)
        action.setChecked(checked)
        return action

    @override
    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        self.open_menu(event.globalPos())

    # ---- painting

    @override
    def paintSection(self, painter: QPainter, rect: QRect, logicalIndex: int) -> None:
        palette, box = self._appearance.palette, QRectF(rect)
        painter.save()
        painter.fillRect(box, colour(palette.panel))
        inner = box.adjusted(PAD, 0, -PAD, 0)
        right, sorts = logicalIndex in ON_THE_RIGHT, logicalIndex == self.sortIndicatorSection()
        metrics = QFontMetricsF(self._face)
        words = elided(heading(logicalIndex), metrics, inner.width() - (GLYPH if sorts else 0))
        painter.setFont(self._face)
        painter.setPen(colour(palette.text if sorts else palette.muted))
        side = Qt.AlignmentFlag.AlignRight if right else Qt.AlignmentFlag.AlignLeft
        painter.drawText(inner, side | Qt.AlignmentFlag.AlignVCenter, words)
        if sorts:
            wide = metrics.horizontalAdvance(words)
            left = inner.right() - wide - GLYPH if right else inner.left() + wide
            descending = self.sortIndicatorOrder() == Qt.SortOrder.DescendingOrder
            paint_order(painter, QPointF(left, box.center().y() - GLYPH / 2), palette, descending=descending)
        painter.restore()

    @override
    def paintEvent(self, event: QPaintEvent) -> None:
        palette = self._appearance.palette
        painter = QPainter(self.viewport())
        painter.fillRect(self.viewport().rect(), colour(palette.panel))
        painter.end()
        super().paintEvent(event)
        painter = QPainter(self.viewport())
        line = QRectF(0, self.viewport().height() - HAIRLINE, self.viewport().width(), HAIRLINE)
        painter.fillRect(line, colour(palette.border))
        painter.end()
