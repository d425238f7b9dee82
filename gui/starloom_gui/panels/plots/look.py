"""The line styles of curves: two greys and dashes, without hues. No pyqtgraph here."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from PySide6.QtCore import Qt
from PySide6.QtGui import QPen

from starloom_gui.theme.palette import colour

if TYPE_CHECKING:
    from starloom_gui.theme.palette import Palette


class LineStyle(NamedTuple):
    """The style of a line.

    Attributes:
        is_strong: in the text colour; else muted.
        dashes: lengths on and off, in widths of the line; empty: it is solid.
    """

    is_strong: bool
    dashes: tuple[float, ...] = ()


STYLES: Final = (
    LineStyle(True),
    LineStyle(False, (5.0, 3.0)),
    LineStyle(False, (1.0, 2.5)),
    LineStyle(False, (6.0, 2.5, 1.0, 2.5)),
    LineStyle(False),
    LineStyle(True, (5.0, 3.0)),
    LineStyle(True, (1.0, 2.5)),
    LineStyle(True, (6.0, 2.5, 1.0, 2.5)),
)
WIDTH: Final = 1.5


def pen_of(style: int, palette: Palette, width: float = WIDTH) -> QPen:
    """The pen of a line; more lines than styles begin again with the first.

    Args:
        style: the how many-th line of a plot it is, from 0.
        palette: the theme's colours.
        width: logical pixels.
    """
    one = STYLES[style % len(STYLES)]
    pen = QPen(colour(palette.text if one.is_strong else palette.muted), width)
    pen.setCosmetic(True)
    pen.setCapStyle(Qt.PenCapStyle.FlatCap)
    pen.setJoinStyle(Qt.PenJoinStyle.MiterJoin)
    if one.dashes:
        pen.setDashPattern(list(one.dashes))
    return pen


def ink_of(style: int, palette: Palette) -> str:
    """The colour of the text at a line."""
    return palette.text if STYLES[style % len(STYLES)].is_strong else palette.muted
