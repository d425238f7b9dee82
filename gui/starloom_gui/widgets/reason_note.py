"""The note at the pointer during a gesture: the target, or why it is not possible."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QFontMetricsF, QPainter, QPen

from starloom_gui.theme.fonts import Role, font
from starloom_gui.theme.metrics import HAIRLINE, RADIUS
from starloom_gui.theme.palette import colour
from starloom_gui.theme.status_form import StatusForm

if TYPE_CHECKING:
    from starloom_gui.theme.palette import Palette

_AWAY: Final = QPointF(14, 18)
_WIDEST: Final = 300.0
_INNER: Final = 8.0
_EDGE: Final = 4.0
_FLAGS: Final = int(Qt.TextFlag.TextWordWrap | Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)


def note_box(words: str, at: QPointF, room: QRectF) -> QRectF:
    """The rectangle of the note: beside the pointer and inside the viewport.

    Args:
        words: plain text, broken where it is too wide.
        at: the pointer.
        room: where the note has to lie; all in the same logical pixels.
    """
    metrics = QFontMetricsF(font(Role.SMALL))
    text = metrics.boundingRect(QRectF(0, 0, min(_WIDEST, room.width() - 4 * _INNER), 400), _FLAGS, words)
    box = QRectF(0, 0, text.width() + 2 * _INNER + 2, text.height() + _INNER)
    box.moveTopLeft(at + _AWAY)
    if box.right() > room.right() - _EDGE:
        box.moveRight(max(room.left() + box.width() + _EDGE, room.right() - _EDGE))
    if box.bottom() > room.bottom() - _EDGE:
        box.moveBottom(at.y() - _EDGE)
    return box


def paint_note(painter: QPainter, words: str, box: QRectF, palette: Palette, *, wrong: bool) -> None:
    """Paint the note; with the reason of a refusal its edge has the colour of failures.

    Args:
        painter: in the coordinates of the box.
        words: plain text.
        box: from `note_box`.
        palette: the theme's colours.
        wrong: whether it says why something is not possible.
    """
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    edge = palette.status[StatusForm.FAILED].shape if wrong else palette.outline
    painter.setPen(QPen(colour(edge), HAIRLINE))
    painter.setBrush(colour(palette.raised))
    painter.drawRoundedRect(box.adjusted(0.5, 0.5, -0.5, -0.5), RADIUS, RADIUS)
    painter.setFont(font(Role.SMALL))
    painter.setPen(colour(palette.text))
    painter.drawText(box.adjusted(_INNER, _INNER / 2, -_INNER, -_INNER / 2), _FLAGS, words)
    painter.restore()
