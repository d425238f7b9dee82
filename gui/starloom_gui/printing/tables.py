"""Printed tables: columns of given widths, rows that are never cut, a head that is repeated on each page."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QPen

from starloom.reporting.marks import MUTED, TEXT
from starloom_gui.printing.structure import content, decoration, group
from starloom_gui.printing.words import BAD, Face, Words, note, wide

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from PySide6.QtGui import QPainter

    from starloom_gui.printing.paper import Block, Paper

RULE: Final = QColor("#D5D9DF")
_TRACK: Final = QColor("#ECEEF1")
_FILLED: Final = QColor("#59636E")
PAD: Final = 3.0
DENSE: Final = 1.5
"""Units above and below the text of a row where room is scarce."""
LEAST_ROWS: Final = 3
"""Rows of a table that no page has less of, unless the table has no more."""
_BAR: Final = 7.0


class PaperColumn(NamedTuple):
    """A column of a printed table.

    Attributes:
        title: above it.
        width: in units, with the gap to the next one.
        is_right: whether its text ends at its right edge.
        is_quiet: whether its text is grey.
        most: lines of a text; the last of more ends in an ellipsis.
    """

    title: str
    width: float
    is_right: bool = False
    is_quiet: bool = False
    most: int = 6


class Share(NamedTuple):
    """A cell with a bar of 0 to 1."""

    share: float


class Bad(NamedTuple):
    """A cell whose text is printed in the colour of failures."""

    text: str


class RemarkedCell(NamedTuple):
    """A cell with a remark on lines of its own below its text."""

    text: str
    remark: str


Cell = str | Share | Bad | RemarkedCell
_GAP: Final = 10.0


class TableRow:
    """One row; a block. A rule below it where the table has rules.

    Args:
        columns: of its table.
        cells: as many as there are columns.
        is_ruled: whether a line is drawn below it.
        is_head: whether it names the columns.
        pad: units above and below its text.
    """

    def __init__(
        self, columns: Sequence[PaperColumn], cells: Sequence[Cell], *, is_ruled: bool, is_head: bool, pad: float = PAD
    ) -> None:
        self._parts: list[tuple[float, float, Block]] = []
        self._is_ruled, self._pad, self._is_head = is_ruled, pad, is_head
        self._has_heads = any(column.title for column in columns)
        self._width = sum(column.width for column in columns)
        left, tallest = 0.0, 0.0
        for place, (column, cell) in enumerate(zip(columns, cells, strict=True)):
            room = column.width - (0.0 if place == len(columns) - 1 else _GAP)
            tallest = max(tallest, self._add(column, cell, left, room, is_head=is_head))
            left += column.width
        self.height = tallest + 2 * pad

    def _add(self, column: PaperColumn, cell: Cell, left: float, room: float, *, is_head: bool) -> float:
        align = Qt.AlignmentFlag.AlignRight if column.is_right else Qt.AlignmentFlag.AlignLeft
        match cell:
            case Share(share):
                bar = _Bar(share, room)
                self._parts.append((left, self._pad + 5.5, bar))
                return bar.height
            case Bad(text):
                said = Words(text, room, colour=BAD, align=align, most=column.most)
            case RemarkedCell(text, remark):
                below = [(0.0, Words(remark, room, colour=MUTED, align=align, most=column.most))] if remark else []
                both = Stack([(0, Words(text, room, align=align, most=column.most)), *below])
                self._parts.append((left, self._pad, both))
                return both.height
            case text:
                colour = MUTED if column.is_quiet or is_head else TEXT
                said = Words(text, room, colour=colour, align=align, most=column.most)
        self._parts.append((left, self._pad, said))
        return said.height

    def paint(self, painter: QPainter) -> None:
        """Paint it from its upper left corner."""
        with group(painter, "TR"):
            for place, (x, y, part) in enumerate(self._parts):
                scope = "Column" if self._is_head else "" if self._has_heads or place else "Row"
                painter.save()
                painter.translate(x, y)
                with content(painter, "TH" if scope else "TD", scope=scope):
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


class Tabled:
    """A table that is never broken over pages; a block."""

    def __init__(self, rows: Iterable[TableRow]) -> None:
        self._rows = Stack((0, row) for row in rows)
        self.height = self._rows.height

    def paint(self, painter: QPainter) -> None:
        """Paint them from the upper left corner."""
        with group(painter, "Table"):
            self._rows.paint(painter)


class Decoration:
    """A block outside of the document's structure, as its content is repeated elsewhere; a block."""

    def __init__(self, block: Block) -> None:
        self._block = block
        self.height = block.height

    def paint(self, painter: QPainter) -> None:
        """Paint it from its upper left corner."""
        with decoration(painter):
            self._block.paint(painter)


class Together:
    """A block whose texts are one paragraph; a block."""

    def __init__(self, block: Block) -> None:
        self._block = block
        self.height = block.height

    def paint(self, painter: QPainter) -> None:
        """Paint it from its upper left corner."""
        with content(painter, "P"):
            self._block.paint(painter)


class SideBySide:
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


def rows_of(
    columns: Sequence[PaperColumn], rows: Iterable[Sequence[Cell]], *, is_ruled: bool = True, pad: float = PAD
) -> list[TableRow]:
    """The rows of a table; the first one is its head if any column has a title.

    Args:
        columns: its columns.
        rows: the cells of each row.
        is_ruled: whether a line is drawn below each row.
        pad: units above and below the text of a row.
    """
    head = [TableRow(columns, [column.title for column in columns], is_ruled=is_ruled, is_head=True, pad=pad)]
    made = head if any(column.title for column in columns) else []
    return [*made, *(TableRow(columns, row, is_ruled=is_ruled, is_head=False, pad=pad) for row in rows)]


class Table:
    """A table that may go on over several pages, its head on each; no page has only a row or two of it.

    Args:
        columns: its columns; without titles it has no head.
        rows: the cells of each row.
        remark: what is said below the last row, in full on the same page; empty: nothing.
    """

    def __init__(self, columns: Sequence[PaperColumn], rows: Iterable[Sequence[Cell]], remark: str = "") -> None:
        made = rows_of(columns, rows)
        self._head = made[:1] if any(column.title for column in columns) else []
        self._rows: list[Block] = [*made[len(self._head) :]]
        if remark:
            last = [(0.0, self._rows.pop())] if self._rows else []
            self._rows.append(Stack([*last, (4, note(remark, sum(column.width for column in columns)))]))

    @property
    def least(self) -> float:
        """The height of its beginning, in units: it is not begun on a page with less."""
        begin = self._rows if len(self._rows) < 2 * LEAST_ROWS else self._rows[:LEAST_ROWS]
        return sum(block.height for block in [*self._head, *begin])

    def put_on(self, paper: Paper) -> None:
        """Put the table below the last block."""
        paper.need(self.least)
        paper.begin("Table")
        head: list[Block] = [*self._head]
        rows = self._rows
        while True:
            many = self._fitting(rows, paper.room - sum(block.height for block in self._head))
            for block in [*head, *rows[:many]]:
                paper.put(block)
            rows = rows[many:]
            if not rows:
                break
            paper.turn()
            head = [Decoration(one) for one in self._head]
        paper.end()

    @staticmethod
    def _fitting(rows: Sequence[Block], room: float) -> int:
        """The number of rows to put on a page with so much room: at least one, and not only a few for the next page."""
        many, bottom = 0, 0.0
        while many < len(rows) and bottom + rows[many].height <= room + 0.01:
            bottom += rows[many].height
            many += 1
        left = len(rows) - many
        if 0 < left < LEAST_ROWS and many > LEAST_ROWS:
            many = max(LEAST_ROWS, len(rows) - LEAST_ROWS)
        return max(1, many)


def fitting(texts: Iterable[str], most: float) -> float:
    """The width of a column that holds each text on one line, at most so many units.

    Args:
        texts: of the cells.
        most: units of the paper.
    """
    return min(most, max((wide(text, Face.BODY) for text in texts), default=0.0) + _GAP + 1)
