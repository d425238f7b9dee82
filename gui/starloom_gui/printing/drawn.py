"""The engine's drawings on paper: SVG painted as vectors."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QByteArray, QRectF
from PySide6.QtSvg import QSvgRenderer

from starloom.reporting import marks
from starloom_gui.printing.structure import content, decoration

if TYPE_CHECKING:
    from PySide6.QtGui import QPainter

    from starloom.reporting.marks import SvgDrawing


class Picture:
    """A drawing of the engine, scaled to a width; a block.

    Args:
        drawing: what it is; it holds no pictures and no links, so nothing is loaded.
        width: the most it may take, in units; it is never enlarged.
        alt: what it shows, in words, for who cannot see it; empty: what stands beside it says that.
    """

    def __init__(self, drawing: SvgDrawing, width: float, alt: str = "") -> None:
        self._alt = alt
        scale = min(1.0, width / max(1.0, drawing.width))
        self.width, self.height = drawing.width * scale, drawing.height * scale
        self._renderer = QSvgRenderer(QByteArray(marks.document(drawing, "", is_clear=True).encode()))

    def paint(self, painter: QPainter) -> None:
        """Paint it from its upper left corner."""
        with content(painter, "Figure", alt=self._alt) if self._alt else decoration(painter):
            self._renderer.render(painter, QRectF(0, 0, self.width, self.height))


def badge(status: str, size: float = 16.0) -> Picture:
    """The small picture of a status."""
    made = Picture(marks.badge_drawing(status), 16)
    made.width = made.height = size
    return made
