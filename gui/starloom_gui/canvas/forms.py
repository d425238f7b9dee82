"""Paints one node without its text: the form of its status in a box of whole pixels."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QRectF
from PySide6.QtGui import QPainter, QPainterPath, QPen

from starloom.scheduling.state.codes import CANCELLED, COMPLETED, FAILED, SKIPPED, WAITING
from starloom_gui.canvas.camera import Level
from starloom_gui.theme.forms import HOLLOW, hatch, ink_of, paint_glyph, paint_glyph_in
from starloom_gui.theme.metrics import GLYPH, NODE_RADIUS
from starloom_gui.theme.palette import blended, colour
from starloom_gui.theme.status_form import StatusForm
from starloom_gui.viewmodel.stage import Stage

if TYPE_CHECKING:
    from starloom_gui.canvas.camera import Camera
    from starloom_gui.theme.palette import Palette

SMALLEST_GLYPH: Final = 11
FAR_FAILED: Final = 14
"""Width and height of a failed node that is far away."""


@dataclass(frozen=True, slots=True)
class Tone:
    """The colours of a form instead of those of its status.

    Attributes:
        fill: of the block; empty: it is hollow.
        ink: of the glyph on it.
    """

    fill: str = ""
    ink: str = ""


def paint_form(
    painter: QPainter,
    box: QRectF,
    status: int,
    stage: int,
    camera: Camera,
    palette: Palette,
    tone: Tone | None = None,
) -> None:
    """Paint the form of a status.

    Args:
        painter: device pixels.
        box: where the node is, in whole pixels.
        status: a `StatusForm`.
        stage: a code of `Stage`.
        camera: how large everything is.
        palette: the colours.
        tone: what the block is filled with; None: with the colours of the status.
    """
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    if camera.level is not Level.FAR:
        _paint_near(painter, box, status, stage, camera, palette, tone)
    elif tone is not None and tone.fill:
        painter.fillRect(box, colour(tone.fill))
    else:
        _paint_far(painter, box, status if tone is None or status in HOLLOW else WAITING, camera.ratio, palette)


def _paint_near(
    painter: QPainter,
    box: QRectF,
    status: int,
    stage: int,
    camera: Camera,
    palette: Palette,
    tone: Tone | None,
) -> None:
    ink, ratio = ink_of(status, palette), camera.ratio
    width = (2.0 if status in (FAILED, StatusForm.WARNED) else 1.0) * ratio
    radius = max(NODE_RADIUS * camera.total, 3 * ratio)
    outline = QPainterPath()
    inset = width / 2
    outline.addRoundedRect(box.adjusted(inset, inset, -inset, -inset), radius, radius)
    painter.fillPath(outline, colour(palette.panel))
    block = QRectF(box.left(), box.top(), camera.block, box.height())
    painter.save()
    painter.setClipPath(outline)
    _paint_block(painter, block, status, ratio, palette, tone)
    painter.restore()
    pen = QPen(colour(ink.shape if tone is None or status == FAILED else palette.outline), width)
    if status == SKIPPED or stage == Stage.ADDED:
        pen.setDashPattern([3.0, 2.0])
    if stage == Stage.ADDED:
        pen.setColor(colour(palette.text))
        pen.setWidthF(1.5 * ratio)
    painter.strokePath(outline, pen)
    size = max(GLYPH * camera.total, SMALLEST_GLYPH * ratio)
    if tone is None:
        paint_glyph(painter, block, status, size, palette)
    else:
        paint_glyph_in(painter, block, status, size, tone.ink or ink.text)


def _paint_block(
    painter: QPainter, block: QRectF, status: int, ratio: float, palette: Palette, tone: Tone | None
) -> None:
    if tone is not None and tone.fill:
        painter.fillRect(block, colour(tone.fill))
        return
    if status in HOLLOW or tone is not None:
        painter.fillRect(QRectF(block.right(), block.top(), ratio, block.height()), colour(palette.border))
        return
    painter.fillRect(block, colour(palette.tint if status == COMPLETED else palette.status[status].shape))
    if status == CANCELLED:
        hatch(painter, block, blended(palette.on_fill, palette.status[status].shape, 0.3), ratio)


def _paint_far(painter: QPainter, box: QRectF, status: int, ratio: float, palette: Palette) -> None:
    ink = ink_of(status, palette).shape
    if status not in HOLLOW:
        painter.fillRect(box, colour(ink))
        return
    thin = min(box.height() / 3, ratio)
    painter.fillRect(box, colour(palette.panel if status == WAITING else palette.canvas))
    if status == SKIPPED:
        hatch(painter, box, ink, ratio, 3.0)
    painter.setPen(QPen(colour(ink), thin))
    painter.drawRect(box.adjusted(thin / 2, thin / 2, -thin / 2, -thin / 2))
    if status == StatusForm.WARNED:
        painter.drawLine(box.topLeft(), box.bottomRight())
        painter.drawLine(box.bottomLeft(), box.topRight())


def paint_far_failed(painter: QPainter, box: QRectF, ratio: float, palette: Palette) -> None:
    """Paint a failed node at the lowest level of detail, where it has to be found among thousands.

    Args:
        painter: in device pixels.
        box: the node, in device pixels.
        ratio: device pixels a logical pixel.
        palette: the theme's colours.
    """
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    ground = QPainterPath()
    ground.addRoundedRect(box, 2 * ratio, 2 * ratio)
    painter.fillPath(ground, colour(palette.status[FAILED].shape))
    paint_glyph(painter, box, FAILED, box.width() - 2 * ratio, palette)
