"""Small line drawings as data, of which glyphs and icons are made; never a character of a font.

A drawing is written as numbers after letters, on a square grid: `M x y` goes to a point, `L x y` draws a line,
`C x y x y x y` a curve, `Z` closes; `O x y r` is a circle, `A x y r from sweep` an arc in degrees counter-clockwise,
`R x y w h r` a rectangle with round corners.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QPainter, QPainterPath, QPen

if TYPE_CHECKING:
    from collections.abc import Iterator

    from PySide6.QtGui import QColor

_NUMBERS = {"M": 2, "L": 2, "C": 6, "Z": 0, "O": 3, "A": 5, "R": 5}


@dataclass(frozen=True, slots=True)
class Drawing:
    """A drawing on a square grid.

    Attributes:
        lines: what is drawn with the pen.
        fill: what is filled.
        stroke: the width of the pen, in units of the grid.
        grid: how wide and high the grid is.
    """

    lines: str = ""
    fill: str = ""
    stroke: float = 1.5
    grid: int = 16

    def paint(self, painter: QPainter, rect: QRectF, ink: QColor) -> None:
        """Draw it into a rectangle in one colour; the painter is as it was afterwards."""
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.translate(rect.topLeft())
        painter.scale(rect.width() / self.grid, rect.height() / self.grid)
        if self.fill:
            painter.fillPath(path(self.fill), ink)
        if self.lines:
            pen = QPen(ink, self.stroke, Qt.PenStyle.SolidLine, Qt.PenCapStyle.RoundCap, Qt.PenJoinStyle.RoundJoin)
            painter.strokePath(path(self.lines), pen)
        painter.restore()


@cache
def path(text: str) -> QPainterPath:
    """The path of a drawing's text; cached, so don't change it.

    Raises:
        ValueError: a letter is unknown, or has not as many numbers as it needs.
    """
    made = QPainterPath()
    for letter, numbers in _steps(text.split()):
        _add(made, letter, numbers)
    return made


def _steps(words: list[str]) -> Iterator[tuple[str, list[float]]]:
    at = 0
    while at < len(words):
        letter = words[at]
        count = _NUMBERS.get(letter)
        if count is None:
            raise ValueError(f"A drawing has {letter!r} where one of {', '.join(_NUMBERS)} has to be.")
        yield letter, [float(word) for word in words[at + 1 : at + 1 + count]]
        at += 1 + count


def _add(made: QPainterPath, letter: str, n: list[float]) -> None:
    match letter:
        case "M":
            made.moveTo(*n)
        case "L":
            made.lineTo(*n)
        case "C":
            made.cubicTo(*n)
        case "Z":
            made.closeSubpath()
        case "O":
            made.addEllipse(QPointF(n[0], n[1]), n[2], n[2])
        case "A":
            box = QRectF(n[0] - n[2], n[1] - n[2], 2 * n[2], 2 * n[2])
            made.arcMoveTo(box, n[3])
            made.arcTo(box, n[3], n[4])
        case _:
            made.addRoundedRect(QRectF(*n[:4]), n[4], n[4])
