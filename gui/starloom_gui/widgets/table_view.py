"""A table whose rows are painted by a delegate: rows have the height of a text, and only visible ones are read."""

from __future__ import annotations

from math import ceil
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QFontMetricsF
from PySide6.QtWidgets import QAbstractItemView, QFrame, QHeaderView, QTableView
from typing_extensions import override

from starloom_gui.theme.fonts import Role, elided, font
from starloom_gui.theme.metrics import ROW

if TYPE_CHECKING:
    from PySide6.QtCore import QAbstractItemModel
    from PySide6.QtGui import QPainter, QResizeEvent
    from PySide6.QtWidgets import QWidget

    from starloom_gui.viewmodel.columns import Column, Columns

HEADING_PAD: Final = 8
"""Pixels that the style sheet of Qt's own heads leaves on either side of a heading."""


class TableView(QTableView):
    """A table whose rows have one height and are selected as a whole; cells are not edited in place.

    Args:
        model: the rows.
        columns: of the model.
        header: what stands over the columns; None: Qt's own.
        parent: the widget it lies in.
    """

    def __init__(
        self,
        model: QAbstractItemModel,
        columns: type[Columns],
        header: QHeaderView | None = None,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self._columns = columns
        if header is not None:
            self.setHorizontalHeader(header)
        self.setModel(model)
        self._look()
        self._behave()
        if header is None:
            heads = self.horizontalHeader()
            heads.setFixedHeight(ROW)
            heads.setFont(font(Role.SMALL))
            heads.setHighlightSections(False)
        words = QFontMetricsF(font(Role.SMALL))  # a header knows no style sheet before it is shown
        for each in columns:
            whole = ceil(words.horizontalAdvance(each.column.heading())) + 2 * HEADING_PAD
            self.setColumnWidth(each, max(each.column.width, whole, self.horizontalHeader().sectionSizeHint(each)))

    def _look(self) -> None:
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setFont(font(Role.BODY))
        self.setShowGrid(False)
        self.setWordWrap(False)
        self.setCornerButtonEnabled(False)
        rows = self.verticalHeader()
        rows.hide()
        rows.setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        rows.setMinimumSectionSize(ROW)
        rows.setDefaultSectionSize(ROW)

    def _behave(self) -> None:
        self.setTabKeyNavigation(False)
        self.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.setSelectionMode(QAbstractItemView.SelectionMode.ExtendedSelection)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setHorizontalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)

    @override
    def resizeEvent(self, event: QResizeEvent) -> None:
        """Give the stretching column the remaining width."""
        super().resizeEvent(event)
        heads = self.horizontalHeader()
        for each in self._columns:
            if each.column.takes_rest:
                others = sum(heads.sectionSize(one) for one in self._columns if one != each)
                heads.resizeSection(each, max(each.column.width, self.viewport().width() - others))


def paint_text(
    painter: QPainter, room: QRectF, words: str, column: Column[object, object], metrics: QFontMetricsF
) -> None:
    """Paint the text of a cell with the painter's font and pen, elided where it does not fit.

    Args:
        painter: of the view.
        room: where.
        words: the text.
        column: of the cell.
        metrics: of the painter's font.
    """
    flags = column.align | Qt.TextFlag.TextSingleLine.value
    painter.drawText(room, flags, elided(words, metrics, room.width(), column.elide))
