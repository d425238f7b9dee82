"""Marks staged edits on edges: the round badges that nodes have on their corners, in the middle of a curve."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from PySide6.QtCore import QRectF, Qt

from starloom_gui.theme.palette import colour
from starloom_gui.viewmodel.stage import STAGE_GLYPHS, Stage

if TYPE_CHECKING:
    import numpy.typing as npt
    from PySide6.QtGui import QPainter

    from starloom.layout.values import FloatArray
    from starloom_gui.canvas.camera import Camera
    from starloom_gui.theme.palette import Palette

STAGED_WIDTH: Final = 2.0
BADGES_FROM: Final = 0.6
"""The scale from which on edges have badges."""
_BADGE: Final = 14.0


def paint_badges(
    painter: QPainter,
    middles: FloatArray,
    stages: npt.NDArray[Any],
    camera: Camera,
    palette: Palette,
) -> None:
    """Paint the badges of staged edges.

    Args:
        painter: device pixels.
        middles: of the edges, in device pixels.
        stages: what would become of each, codes of `Stage`.
        camera: how large everything is; from afar there are none.
        palette: the colours.
    """
    if camera.scale < BADGES_FROM:
        return
    size = _BADGE * camera.ratio
    for (x, y), stage in zip(middles.tolist(), stages.tolist(), strict=True):
        box = QRectF(x - size / 2, y - size / 2, size, size)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(colour(palette.canvas))
        painter.drawEllipse(box.adjusted(-2 * camera.ratio, -2 * camera.ratio, 2 * camera.ratio, 2 * camera.ratio))
        painter.setBrush(colour(palette.text))
        painter.drawEllipse(box)
        STAGE_GLYPHS[Stage(stage)].paint(painter, box, colour(palette.canvas))
