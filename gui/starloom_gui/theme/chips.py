"""Small pictures of statuses: the tile with its glyph, and the stacked bar of a run."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QPainter, QPainterPath, QPen

from starloom_gui.theme.forms import HOLLOW, hatch, ink_of, paint_glyph
from starloom_gui.theme.palette import blended, colour
from starloom_gui.theme.status_form import StatusForm

if TYPE_CHECKING:
    from collections.abc import Sequence

    from starloom_gui.theme.palette import Palette

CHIP: Final = 16
ORDER: Final = (
    StatusForm.COMPLETED,
    StatusForm.RUNNING,
    StatusForm.PENDING,
    StatusForm.WAITING,
    StatusForm.FAILED,
    StatusForm.WARNED,
    StatusForm.CANCELLED,
    StatusForm.SKIPPED,
)
"""From what is over to what is to come, then what went wrong: the order of bars and counts."""
_LEAST: Final = 3.0
"""Pixels of the bar that even a single task gets."""


def paint_chip(painter: QPainter, box: QRectF, status: int, palette: Palette) -> None:
    """Paint a status as a tile with its glyph.

    Args:
        painter: logical pixels; as it was afterwards.
        box: a square, best 16 wide.
        status: a `StatusForm`.
        palette: the colours.
    """
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    outline = QPainterPath()
    outline.addRoundedRect(box.adjusted(0.5, 0.5, -0.5, -0.5), 3, 3)
    shape = ink_of(status, palette).shape
    painter.fillPath(outline, colour(_ground(status, palette)))
    if status == StatusForm.CANCELLED:
        painter.setClipPath(outline)
        hatch(painter, box, blended(palette.on_fill, shape, 0.18), 1.0)
        painter.setClipping(False)
    if status in HOLLOW:
        pen = QPen(colour(shape), 1.0)
        if status == StatusForm.SKIPPED:
            pen.setDashPattern([2.0, 2.0])
        painter.strokePath(outline, pen)
    paint_glyph(painter, box, status, box.width() - 4, palette)
    painter.restore()


def _ground(status: int, palette: Palette) -> str:
    if status in HOLLOW:
        return palette.panel
    return palette.tint if status == StatusForm.COMPLETED else palette.status[status].shape


def segments(counts: Sequence[int], width: float) -> list[tuple[StatusForm, float, float]]:
    """The form, left edge and width of each part of a stacked bar; a part that is not empty is at least visible.

    Args:
        counts: how many tasks have each form, by `StatusForm`.
        width: of the whole bar, in pixels.
    """
    present = [form for form in ORDER if form < len(counts) and counts[form]]
    total = sum(counts[form] for form in present)
    free = width - _LEAST * len(present)
    if not total or free <= 0:
        return []
    parts, left = [], 0.0
    for form in present:
        wide = _LEAST + free * counts[form] / total
        parts.append((form, left, wide))
        left += wide
    return parts


def paint_bar(painter: QPainter, box: QRectF, counts: Sequence[int], palette: Palette) -> None:
    """Paint the number of tasks in each status as a stacked bar; waiting is hollow, skipped and warnings are hatched.

    Args:
        painter: logical pixels; as it was afterwards.
        box: where the bar is.
        counts: how many tasks have each form, by `StatusForm`.
        palette: the colours.
    """
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing, on=False)
    painter.fillRect(box, colour(palette.panel))
    for form, left, wide in segments(counts, box.width()):
        _paint_part(painter, QRectF(box.left() + left, box.top(), wide, box.height()), form, palette)
    painter.setPen(QPen(colour(palette.outline), 1.0))
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.drawRect(box.adjusted(0, 0, -1, -1))
    painter.restore()


def _paint_part(painter: QPainter, part: QRectF, form: int, palette: Palette) -> None:
    shape = ink_of(form, palette).shape
    if form == StatusForm.WAITING:
        painter.fillRect(part, colour(palette.raised))
    elif form in HOLLOW:
        hatch(painter, part, shape, 1.0, 4.0)
    else:
        painter.fillRect(part, colour(shape))
        if form == StatusForm.CANCELLED:
            hatch(painter, part, blended(palette.on_fill, shape, 0.4), 1.0, 4.0)
    gap = QRectF(part.right() - 1, part.top(), 1, part.height())
    painter.fillRect(gap, colour(palette.panel))
