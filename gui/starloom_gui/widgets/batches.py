"""Draws many lines or fragments of a pixmap in one call from numpy arrays, as one call each would cost a frame.

Qt reads the array's memory as an array of its own structs; tests/gui/canvas/test_parts.py shows that it still does.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import shiboken6
from PySide6.QtCore import QLineF
from PySide6.QtGui import QPainter

if TYPE_CHECKING:
    from PySide6.QtGui import QPixmap

    from starloom.layout.values import FloatArray


def draw_lines(painter: QPainter, lines: FloatArray) -> None:
    """Draw straight lines with the painter's pen.

    Args:
        painter: what draws.
        lines: (L, 4) x1 y1 x2 y2.
    """
    if not len(lines):
        return
    kept = np.ascontiguousarray(lines, dtype=np.float64)
    first: Any = shiboken6.wrapInstance(kept.ctypes.data, QLineF)
    painter.drawLines(first, len(kept))


def fragments(
    x: FloatArray,
    y: FloatArray,
    source: FloatArray,
    width: FloatArray | float,
    height: float,
    opacity: FloatArray | float = 1.0,
) -> FloatArray:
    """Make an array of pixmap fragments of equal height for `draw_fragments`; (N, 10).

    Args:
        x: (N,) the left of each target.
        y: (N,) the top of each.
        source: (N,) the left of each source; all begin at the top.
        width: of all, or of each.
        height: of all.
        opacity: of all, or of each.
    """
    made = np.zeros((len(x), 10))
    made[:, 0] = x + width / 2
    made[:, 1] = y + height / 2
    made[:, 2] = source
    made[:, 4] = width
    made[:, 5] = height
    made[:, 6:8] = 1.0
    made[:, 9] = opacity
    return made


def draw_fragments(painter: QPainter, pixmap: QPixmap, pieces: FloatArray) -> None:
    """Draw fragments of a pixmap, each at its target.

    Args:
        painter: what draws.
        pixmap: where the pieces are.
        pieces: as `fragments` makes them.
    """
    if not len(pieces):
        return
    kept = np.ascontiguousarray(pieces, dtype=np.float64)
    first: Any = shiboken6.wrapInstance(kept.ctypes.data, QPainter.PixmapFragment)
    painter.drawPixmapFragments(first, len(kept), pixmap)
