"""The larger blocks of a report: the six numbers, the card of a failed task."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QPointF, QRectF
from PySide6.QtGui import QColor, QPainterPath, QPen

from starloom.reporting.marks import MUTED, TEXT
from starloom.reporting.text import clean
from starloom_gui.printing.drawn import badge
from starloom_gui.printing.tables import RULE, SideBySide, Stack, Together
from starloom_gui.printing.words import BAD, Face, Words, note, shortened, wide

if TYPE_CHECKING:
    from collections.abc import Sequence

    from PySide6.QtGui import QPainter

    from starloom.reporting.rows import FailureRow, Number
    from starloom_gui.printing.paper import Block

_MOST_OUTPUT: Final = 40
_MOST_SENTENCES: Final = 8
"""Lines."""
_RED: Final = QColor("#C4180F")
_GREY: Final = QColor("#F4F5F7")


class Lowered:
    """A block with some room above another block."""

    def __init__(self, block: Block, by: float) -> None:
        self._block, self._by = block, by
        self.height = block.height + by

    def paint(self, painter: QPainter) -> None:
        """Paint it from its upper left corner."""
        painter.translate(0, self._by)
        self._block.paint(painter)


class Numbers:
    """The six numbers beside each other, between two rules; a block."""

    def __init__(self, numbers: Sequence[Number], width: float) -> None:
        self._width, each = width, width / len(numbers)
        self._row = SideBySide((each * place, _number(one, each - 8)) for place, one in enumerate(numbers))
        self.height = self._row.height + 20

    def paint(self, painter: QPainter) -> None:
        """Paint them from the upper left corner."""
        painter.setPen(QPen(RULE, 1))
        for y in (0.0, self.height):
            painter.drawLine(QPointF(0, y), QPointF(self._width, y))
        painter.translate(0, 10)
        self._row.paint(painter)


def _number(one: Number, width: float) -> Block:
    value = Words(one.value, width, Face.VALUE, colour=BAD if one.is_bad else TEXT, most=1)
    parts = [(0, Words(one.name, width, colour=MUTED, most=1)), (0, value), (0, note(one.note, width, most=2))]
    return Together(Stack(parts))


class FailureCard:
    """The card of a failed task; a block.

    Args:
        card: what it says.
        width: of the whole, in units.
        lines: how many of the last lines of its output it has, each on one line, its middle left out where it is too
            long, and its sentences short likewise; None: all there is, broken where it has to be.

    Attributes:
        is_cut: whether it has less than it would have with all lines.
    """

    _EDGE: Final = 16.0
    _INSIDE: Final = 12.0

    def __init__(self, card: FailureRow, width: float, lines: int | None = None) -> None:
        self._width, inner = width, width - 2 * self._EDGE
        about = wide(card.about, Face.SMALL)
        is_beside = wide(card.name, Face.NAME) + 26 + 16 + about <= inner
        name = Words(card.name, inner - 26 - (about + 16 if is_beside else 0), Face.NAME, most=3)
        facts = note(card.about, about + 2 if is_beside else inner - 26, most=3)
        head: list[tuple[float, Block]] = [(0, Lowered(badge("failed"), 1.5)), (26, name)]
        blocks: list[tuple[float, Block]] = []
        if is_beside:
            blocks.append((0, SideBySide([*head, (inner - about, Lowered(facts, 1.5))])))
        else:
            blocks += [(0, SideBySide(head)), (2, SideBySide([(26, facts)]))]
        most = _MOST_SENTENCES if lines is None else 2
        said = Words(card.message, inner, most=most)
        output = _Output(card.output, inner, lines)
        because = Words(card.consequences, inner, most=most)
        has_output = bool(card.output) and lines != 0
        is_cut = said.is_cut or because.is_cut or output.is_cut or has_output != bool(card.output)
        self.is_cut = lines is not None and is_cut
        blocks += [(6, said)] if card.message else []
        blocks += [(8, output)] if has_output else []
        blocks += [(6, because)] if card.consequences else []
        self._inside = Stack(blocks)
        self.height = self._inside.height + 2 * self._INSIDE

    def paint(self, painter: QPainter) -> None:
        """Paint it from its upper left corner."""
        outline = QPainterPath()
        outline.addRoundedRect(QRectF(0.5, 0.5, self._width - 1, self.height - 1), 4, 4)
        painter.setPen(QPen(RULE, 1))
        painter.drawPath(outline)
        painter.fillRect(QRectF(0, 0, 4, self.height), _RED)
        painter.translate(self._EDGE, self._INSIDE)
        self._inside.paint(painter)


class _Output:
    """The end of what a task printed, on grey; a block."""

    def __init__(self, text: str, width: float, lines: int | None) -> None:
        self._width = width
        there = text.splitlines()
        brief = [shortened(line, width - 22, Face.OUTPUT) for line in there[-lines:]] if lines else there
        self._text = Words("\n".join(brief), width - 20, Face.OUTPUT, most=_MOST_OUTPUT)
        self.is_cut = brief != [clean(line) for line in there]
        self.height = self._text.height + 12

    def paint(self, painter: QPainter) -> None:
        """Paint it from its upper left corner."""
        painter.fillRect(QRectF(0, 0, self._width, self.height), _GREY)
        painter.translate(10, 6)
        self._text.paint(painter)
