"""Tables on paper: columns of given widths, rows that are never cut, a head that comes again on each page."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QPen

from starloom.reporting.marks import MUTED, TEXT
from starloom_gui.printing.words import BAD, Face, Words, wide

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from PySide6.QtGui import QPainter

    from starloom_gui.printing.paper import Block, Paper

RULE: Final = QColor("#D5D9DF")
_TRACK: Final = QColor("#ECEEF1")
_FILLED: Final = QColor("#59636E")
_PAD: Final = 4.0
_BAR: Final = 7.0
_MOST_LINES: Final = 6


class Column(NamedTuple):
    """A column.

    Attributes:
        title: above it.
        width: in units, with the gap to the next one.
        is_right: whether its text ends at its right edge.
        is_quiet: whether its text is grey.
    """

    title: str
    width: float
    is_right: bool = False
    is_quiet: bool = False


class Share(NamedTuple):
    """A cell that is a bar of 0 to 1."""

    share: float


class Bad(NamedTuple):
    """A cell whose text is bad news."""

    text: str


class Pair(NamedTuple):
    """A cell with a remark on lines of its own below its text."""

    text: str
    remark: str


Cell = str | Share | Bad | Pair
_GAP: Final = 10.0


class Row:
    """One row; a block. A rule below it where the table has rules."""

    def __init__(self, columns: Sequence[Column], cells: Sequence[Cell], *, is_ruled: bool, is_head: bool) -> None:
        self._parts: list[tuple[float, float, Block]] = []
        self._is_ruled = is_ruled
        self._width = sum(column.width for column in columns)
        left, tallest = 0.0, 0.0
        for place, (column, cell) in enumerate(zip(columns, cells, strict=True)):
            room = column.width - (0.0 if place == len(columns) - 1 else _GAP)
            tallest = max(tallest, self._add(column, cell, left, room, is_head=is_head))
            left += column.width
        self.height = tallest + 2 * _PAD

    def _add(self, column: Column, cell: Cell, left: float, room: float, *, is_head: bool) -> float:
        align = Qt.AlignmentFlag.AlignRight if column.is_right else Qt.AlignmentFlag.AlignLeft
        match cell:
            case Share(share):
                bar = _Bar(share, room)
                self._parts.append((left, _PAD + 5.5, bar))
                return bar.height
            case Bad(text):
                said = Words(text, room, colour=BAD, align=align, most=_MOST_LINES)
            case Pair(text, remark):
                said = Words(text, room, align=align, most=_MOST_LINES)
                if remark:
                    below = Words(remark, room, colour=MUTED, align=align, most=_MOST_LINES)
                    self._parts += [(left, _PAD, said), (left, _PAD + said.height, below)]
                    return said.height + below.height
            case text:
                colour = MUTED if column.is_quiet or is_head else TEXT
                said = Words(text, room, colour=colour, align=align, most=_MOST_LINES)
        self._parts.append((left, _PAD, said))
        return said.height

    def paint(self, painter: QPainter) -> None:
        """Paint it from its upper left corner."""
        for x, y, part in self._parts:
            painter.save()
            painter.translate(x, y)
            part.paint(painter)
            painter.restore()
        if self._is_ruled:
            painter.setPen(QPen(RULE, 0.8))
            painter.drawLine(QPointF(0, self.height), QPointF(self._width, self.height))


class _Bar:
    """A share as a bar; a block."""

    height = _BAR

    def __init__(self, share: float, width: float) -> None:
        self._share, self._width = min(1.0, max(0.0, share)), width

    def paint(self, painter: QPainter) -> None:
        """Paint it from its upper left corner."""
        painter.fillRect(QRectF(0, 0, self._width, _BAR), _TRACK)
        painter.fillRect(QRectF(0, 0, self._width * self._share, _BAR), _FILLED)


class Stack:
    """Blocks one below the other that stay together; a block."""

    def __init__(self, blocks: Iterable[tuple[float, Block]]) -> None:
        self._placed: list[tuple[float, Block]] = []
        self.height = 0.0
        for gap, block in blocks:
            top = self.height + (gap if self._placed else 0.0)
            self._placed.append((top, block))
            self.height = top + block.height

    def paint(self, painter: QPainter) -> None:
        """Paint them from the upper left corner."""
        for top, block in self._placed:
            painter.save()
            painter.translate(0, top)
            block.paint(painter)
            painter.restore()


class Beside:
    """Blocks beside each other that stay together; a block."""

    def __init__(self, blocks: Iterable[tuple[float, Block]]) -> None:
        self._placed = list(blocks)
        self.height = max((block.height for _, block in self._placed), default=0.0)

    def paint(self, painter: QPainter) -> None:
        """Paint each from the upper edge, as far from the left as it is placed."""
        for left, block in self._placed:
            painter.save()
            painter.translate(left, 0)
            block.paint(painter)
            painter.restore()


def rows_of(columns: Sequence[Column], rows: Iterable[Sequence[Cell]], *, is_ruled: bool = True) -> list[Row]:
    """The rows of a table; the first one is its head if any column has a title."""
    head = [Row(columns, [column.title for column in columns], is_ruled=is_ruled, is_head=True)]
    made = head if any(column.title for column in columns) else []
    return [*made, *(Row(columns, row, is_ruled=is_ruled, is_head=False) for row in rows)]


def put_table(paper: Paper, columns: Sequence[Column], rows: Iterable[Sequence[Cell]]) -> None:
    """Put a table below what stands there, over as many pages as it takes, its head on each."""
    head, *body = rows_of(columns, rows)
    paper.need(head.height + (body[0].height if body else 0.0))
    paper.put(head)
    for row in body:
        if paper.need(row.height):
            paper.put(head)
        paper.put(row)


def fitting(texts: Iterable[str], most: float) -> float:
    """The width of a column that holds these on one line each, up to so many units."""
    return min(most, max((wide(text, Face.BODY) for text in texts), default=0.0) + _GAP + 1)
