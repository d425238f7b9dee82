"""The elements of status forms, wherever they are painted: hollow or filled, glyphs, hatching."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QLineF, QRectF, Qt
from PySide6.QtGui import QPainter, QPen

from starloom_gui.theme import glyphs
from starloom_gui.theme.palette import colour
from starloom_gui.theme.status_form import StatusForm

if TYPE_CHECKING:
    from starloom_gui.theme.drawings import Drawing
    from starloom_gui.theme.palette import Ink, Palette

HOLLOW: Final = (StatusForm.WAITING, StatusForm.SKIPPED, StatusForm.WARNED)


def ink_of(form: int, palette: Palette) -> Ink:
    """The colours of a form: those of its status; a warning has those of what is ready."""
    return palette.status[StatusForm.PENDING if form == StatusForm.WARNED else form]


def glyph_of(form: int) -> Drawing:
    """The glyph of a form: that of its status; a warning has the cross of a failure."""
    return glyphs.STATUS[StatusForm.FAILED if form == StatusForm.WARNED else form]


def paint_glyph(painter: QPainter, box: QRectF, status: int, size: float, palette: Palette) -> None:
    """Paint the glyph of a status into the middle of a box, in the colour that its form asks for.

    Args:
        painter: in the coordinates of the box.
        box: the form that is painted already.
        status: the form of a status.
        size: the glyph's width and height, in pixels of the box.
        palette: the theme's colours.
    """
    plain = status in HOLLOW or status == StatusForm.COMPLETED
    paint_glyph_in(painter, box, status, size, ink_of(status, palette).text if plain else palette.on_fill)


def paint_glyph_in(painter: QPainter, box: QRectF, status: int, size: float, ink: str) -> None:
    """Paint the glyph of a status into the middle of a box, in any colour.

    Args:
        painter: in the coordinates of the box.
        box: where the glyph is in the middle of.
        status: the form of a status.
        size: the glyph's width and height, in pixels of the box.
        ink: the colour as `#rrggbb`.
    """
    place = QRectF(0, 0, size, size)
    place.moveCenter(box.center())
    glyph_of(status).paint(painter, place, colour(ink))


def hatch(painter: QPainter, box: QRectF, ink: str, ratio: float, distance: float = 5.0) -> None:
    """Paint diagonal lines over a box; the painter's clip is as it was afterwards.

    Args:
        painter: in the coordinates of the box.
        box: device pixels.
        ink: the colour as `#rrggbb`.
        ratio: device pixels a logical pixel.
        distance: logical pixels between two lines.
    """
    painter.save()
    painter.setClipRect(box, Qt.ClipOperation.IntersectClip)
    painter.setPen(QPen(colour(ink), 1.5 * ratio))
    step, x = distance * ratio, box.left() - box.height()
    while x < box.right():
        painter.drawLine(QLineF(x, box.bottom(), x + box.height(), box.top()))
        x += step
    painter.restore()
