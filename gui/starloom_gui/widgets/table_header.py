"""The header of a table: names of columns, sort order, and a menu for both."""

from __future__ import annotations

from math import ceil
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QByteArray, QPoint, QRect, QRectF, QSize, Qt
from PySide6.QtGui import QAction, QActionGroup, QContextMenuEvent, QFontMetricsF, QPainter
from PySide6.QtWidgets import QHeaderView, QMenu
from typing_extensions import override

from starloom_gui.theme.drawings import Drawing
from starloom_gui.theme.fonts import Role, elided, font
from starloom_gui.theme.metrics import GLYPH, HAIRLINE
from starloom_gui.theme.palette import colour
from starloom_gui.viewmodel.roles import RIGHT

if TYPE_CHECKING:
    from collections.abc import Callable

    from PySide6.QtGui import QPaintEvent

    from starloom_gui.theme.appearance import Appearance
    from starloom_gui.viewmodel.columns import Columns

PAD: Final = 8
"""Between the edge of a cell and what is in it."""
HEADER: Final = 24
_DOWN: Final = Drawing("M 5 6.5 L 8 9.5 L 11 6.5", stroke=1.5)
_UP: Final = Drawing("M 5 9.5 L 8 6.5 L 11 9.5", stroke=1.5)


class TableHeader(QHeaderView):
    """The header of a table: a click sorts, a third one ends sorting; columns can be moved, resized and hidden.

    Args:
        columns: of the table.
        always: the one that cannot be left out, as rows could not be told apart without it.
        unsorted: gives what the order is called that rows have without being sorted.
        appearance: the colours.
    """

    def __init__(
        self, columns: type[Columns], always: Columns, unsorted: Callable[[], str], appearance: Appearance
    ) -> None:
        super().__init__(Qt.Orientation.Horizontal)
        self._columns, self._always, self._unsorted = columns, always, unsorted
        self._extra = [each for each in columns if each.column.is_extra]
        self._appearance = appearance
        self._face = font(Role.SMALL)
        self.setFont(self._face)
        self.setFixedHeight(HEADER)
        self.setSectionsMovable(True)
        self.setSectionsClickable(True)
        self.setStretchLastSection(False)
        self.setMinimumSectionSize(40)
        self.setHighlightSections(False)
        self.setSortIndicatorClearable(True)
        self.setSortIndicator(-1, Qt.SortOrder.AscendingOrder)
        self._has_extra = False

    def show_extra(self, *, on: bool) -> None:
        """Show the extra columns right after the one that is always shown, or hide them."""
        self._has_extra = on
        place = self.visualIndex(self._always)
        for column in self._extra:
            self.setSectionHidden(column, not on)
            if on:
                old = self.visualIndex(column)
                place += old > place
                self.moveSection(old, place)
        if not on and self.sortIndicatorSection() in self._extra:
            self.setSortIndicator(-1, Qt.SortOrder.AscendingOrder)

    def _offered(self) -> list[Columns]:
        """The columns that can be shown at present."""
        return [each for each in self._columns if self._has_extra or not each.column.is_extra]

    def first(self) -> int:
        """The leftmost visible column."""
        shown = (self.logicalIndex(place) for place in range(self.count()))
        return next((column for column in shown if not self.isSectionHidden(column)), int(self._always))

    def shown(self) -> list[Columns]:
        """The visible columns, from left to right."""
        places = (self.logicalIndex(place) for place in range(self.count()))
        return [self._columns.at(column) for column in places if not self.isSectionHidden(column)]

    def columns_state(self) -> bytes:
        """The visibility, positions, widths and sort order of the columns, to be stored."""
        return bytes(self.saveState().data())

    def restore_columns(self, state: bytes) -> bool:
        """Restore a state of `columns_state`; False: it is unusable, and nothing has changed."""
        before = self.saveState()
        is_usable = self.restoreState(QByteArray(state)) and self.count() == len(self._columns)
        if is_usable and not self.isSectionHidden(self._always):
            for column in self._extra:
                self.setSectionHidden(column, not self._has_extra)
            return True
        self.restoreState(before)
        return False

    # ---- the menu

    def open_menu(self, at: QPoint) -> QMenu:
        """Show the menu of columns and sort orders at a screen position."""
        menu = QMenu(self)
        menu.setAccessibleName(self.tr("Columns"))
        menu.setFont(font())
        menu.aboutToHide.connect(menu.deleteLater)
        for column in self._offered():
            action = self._toggled(menu.addAction(column.column.heading()), checked=not self.isSectionHidden(column))
            action.setEnabled(column != self._always)
            action.triggered.connect(lambda on, column=column: self.setSectionHidden(column, not on))
        menu.addSeparator()
        self._add_orders(menu.addMenu(self.tr("Sort by")))
        menu.popup(at)
        return menu

    def _add_orders(self, menu: QMenu) -> None:
        menu.setFont(font())
        group = QActionGroup(menu)
        sorted_by, order = self.sortIndicatorSection(), self.sortIndicatorOrder()
        orders = [(-1, self._unsorted()), *((int(each), each.column.heading()) for each in self._offered())]
        for column, words in orders:
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
    def sectionSizeFromContents(self, logicalIndex: int) -> QSize:
        """The size at which a heading is whole, also with its arrow."""
        wide = QFontMetricsF(self._face).horizontalAdvance(self._columns.at(logicalIndex).column.heading())
        return QSize(ceil(wide) + 2 * PAD + GLYPH, HEADER)

    @override
    def paintSection(self, painter: QPainter, rect: QRect, logicalIndex: int) -> None:
        palette, box = self._appearance.palette, QRectF(rect)
        painter.save()
        painter.fillRect(box, colour(palette.panel))
        inner = box.adjusted(PAD, 0, -PAD, 0)
        column, sorts = self._columns.at(logicalIndex).column, logicalIndex == self.sortIndicatorSection()
        metrics = QFontMetricsF(self._face)
        words = elided(column.heading(), metrics, inner.width() - (GLYPH if sorts else 0))
        painter.setFont(self._face)
        painter.setPen(colour(palette.text if sorts else palette.muted))
        painter.drawText(inner, column.align, words)
        if sorts:
            wide = metrics.horizontalAdvance(words)
            left = inner.right() - wide - GLYPH if column.align == RIGHT else inner.left() + wide
            drawing = _DOWN if self.sortIndicatorOrder() == Qt.SortOrder.DescendingOrder else _UP
            place = QRectF(left, box.center().y() - GLYPH / 2, GLYPH, GLYPH)
            drawing.paint(painter, place, colour(palette.text))
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
