"""Paints rows of output: the margin with its marks, backgrounds, and the text on its grid of cells."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QPointF, QRectF
from PySide6.QtGui import QFont, QFontMetricsF, QPainter

from starloom_gui.models.ansi import TextStyle
from starloom_gui.panels.output_cells import cells, pieces
from starloom_gui.panels.output_inks import inks
from starloom_gui.text.words import time_of_day
from starloom_gui.theme.fonts import Role, font
from starloom_gui.theme.metrics import GAPS
from starloom_gui.theme.palette import blended, colour

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from starloom_gui.models.output_lines import OutputLine
    from starloom_gui.theme.palette import Palette

MARGIN: Final = GAPS[3]
"""Before the text; the bar of stderr stands in it."""
_BAR: Final = QRectF(6, 0, 2, 0)
_TIMES: Final = 10
"""Cells that a time takes, with the gap behind it."""


@dataclass(frozen=True, slots=True)
class LineBackground:
    """A part of a line with a background of its own.

    Attributes:
        inverse: whether its text has the colour of the pane.
    """

    begin: int
    end: int
    code: str
    inverse: bool = False


class Grid:
    """The cell size of a monospaced font."""

    def __init__(self) -> None:
        self.font = font(Role.MONOSPACE)
        metrics = QFontMetricsF(self.font)
        self.width = metrics.horizontalAdvance("M" * 100) / 100
        self.height = round(metrics.height()) + 3
        self._fonts: dict[tuple[bool, bool, bool], QFont] = {}
        self.baseline = round((self.height - metrics.height()) / 2 + metrics.ascent())

    def before(self, *, times: bool) -> float:
        """The width of the margin before the text, in pixels."""
        return MARGIN + (_TIMES * self.width if times else 0)

    def styled(self, style: TextStyle) -> QFont:
        """The font of a style."""
        key = (style.bold, style.italic, style.underlined)
        if key not in self._fonts:
            made = self._fonts[key] = QFont(self.font)
            made.setBold(style.bold)
            made.setItalic(style.italic)
            made.setUnderline(style.underlined)
        return self._fonts[key]


@dataclass(frozen=True, slots=True)
class PaintedRow:
    """One row as it is painted.

    Attributes:
        line: the line that stands in it.
        begin: the first of its characters in this row, `end` the one after the last.
        from_cell: how many cells of it are out of sight at the left.
        most: how many cells are in sight.
        grounds: what lies on another ground, from left to right, without overlap.
    """

    line: OutputLine
    begin: int
    end: int
    from_cell: int
    most: int
    grounds: Sequence[LineBackground] = ()


class RowPainter:
    """Paints rows of output with one painter.

    Args:
        painter: as it comes; it is left with another font and pen.
        grid: the cells.
        palette: the theme.
        width: of the pane.
        times: whether the time stands before each line.
    """

    def __init__(self, painter: QPainter, grid: Grid, palette: Palette, width: int, *, times: bool) -> None:
        self._painter, self._grid, self._palette, self._width = painter, grid, palette, width
        self._times = times
        self._left = grid.before(times=times)

    def paint(self, row: PaintedRow, y: int) -> None:
        """Paint a row whose upper edge is at y."""
        palette, line = self._palette, row.line
        ground = palette.panel
        if line.stream == "stderr":
            ground = palette.raised
            self._painter.fillRect(QRectF(0, y, self._width, self._grid.height), colour(ground))
            bar = QRectF(_BAR.x(), y, _BAR.width(), self._grid.height)
            self._painter.fillRect(bar, colour(palette.muted))
        if self._times and line.at and row.begin == 0:
            self._painter.setFont(self._grid.font)
            self._painter.setPen(colour(palette.muted))
            self._painter.drawText(QPointF(MARGIN, y + self._grid.baseline), time_of_day(line.at))
        self._painter.save()
        self._painter.setClipRect(QRectF(self._left - 1, y, self._width - self._left + 1, self._grid.height))
        self._paint_text(row, y, ground)
        self._painter.restore()

    def x_of(self, row: PaintedRow, at: int) -> float:
        """The left edge of the character `at` of the line."""
        cell = cells(row.line.text[row.begin : at]) - row.from_cell
        return self._left + cell * self._grid.width

    def _paint_text(self, row: PaintedRow, y: int, ground: str) -> None:
        cell = -row.from_cell
        for begin, end, style, over in _parts(row):
            text = row.line.text[begin:end]
            wide = cells(text)
            if cell + wide > 0:
                front, back = inks(style, self._palette, over.code if over else ground)
                if over is not None:
                    back = over.code
                    front = self._palette.panel if over.inverse else inks(_plain(style), self._palette, over.code)[0]
                if back is not None:
                    box = QRectF(self._left + cell * self._grid.width, y, wide * self._grid.width, self._grid.height)
                    self._painter.fillRect(box, colour(back))
                self._draw(text, cell, row.most, y, front, style)
            cell += wide
            if cell > row.most:
                break

    def _draw(self, text: str, cell: int, most: int, y: int, front: str, style: TextStyle) -> None:
        painter, grid = self._painter, self._grid
        painter.setFont(grid.styled(style))
        painter.setPen(colour(front))
        for at, piece in pieces(text, -cell, most - cell + 1):
            painter.drawText(QPointF(self._left + (cell + at) * grid.width, y + grid.baseline), piece)


@lru_cache(256)
def _plain(style: TextStyle) -> TextStyle:
    """A style without its background, as another one is painted."""
    return TextStyle(foreground=None if style.inverse else style.foreground)


def _parts(row: PaintedRow) -> Iterator[tuple[int, int, TextStyle, LineBackground | None]]:
    """The row in parts of one style on one ground each."""
    begin = 0
    for span in row.line.spans:
        end = begin + len(span.text)
        if end > row.begin and begin < row.end:
            yield from _grounded(max(begin, row.begin), min(end, row.end), span.style, row.grounds)
        begin = end


def _grounded(
    begin: int, end: int, style: TextStyle, grounds: Sequence[LineBackground]
) -> Iterator[tuple[int, int, TextStyle, LineBackground | None]]:
    for one in grounds:
        if one.end <= begin or one.begin >= end:
            continue
        if one.begin > begin:
            yield begin, one.begin, style, None
        yield max(begin, one.begin), min(end, one.end), style, one
        begin = min(end, one.end)
    if begin < end:
        yield begin, end, style, None


def grounds(
    palette: Palette, found: Sequence[tuple[int, int, bool]], selected: tuple[int, int] | None
) -> tuple[LineBackground, ...]:
    """The backgrounds of parts of a line: matches, the current one, and over them the selection.

    Args:
        palette: the theme.
        found: begin, end, and whether it is the current one; from left to right.
        selected: begin and end of what is selected; None: nothing is.
    """
    made: list[LineBackground] = []
    low, high = selected or (0, 0)
    for begin, end, is_current in found:
        code = palette.text if is_current else found_ground(palette)
        for one, other in ((begin, min(end, low)), (max(begin, high), end)) if low < high else ((begin, end),):
            if one < other:
                made.append(LineBackground(one, other, code, is_current))
    if low < high:
        made.append(LineBackground(low, high, selected_ground(palette)))
    return tuple(sorted(made, key=lambda one: one.begin))


def found_ground(palette: Palette) -> str:
    """The background of a match: without a hue, as hues mean statuses."""
    return blended(palette.text, palette.panel, 0.22)


def selected_ground(palette: Palette) -> str:
    """The background of selected text: stronger than a selected row's, as text is selected in small pieces."""
    return blended(palette.text, palette.selected, 0.14)
