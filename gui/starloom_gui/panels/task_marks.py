"""Painting the parts of task rows: status tiles, stacked bars, badges and backgrounds."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QPainter, QPainterPath, QPen

from starloom_gui.theme import glyphs
from starloom_gui.theme.drawings import Drawing
from starloom_gui.theme.forms import HOLLOW, hatch, paint_glyph, paint_glyph_in
from starloom_gui.theme.forms import ink_of as form_ink
from starloom_gui.theme.metrics import GLYPH, HAIRLINE, RING
from starloom_gui.theme.palette import blended, colour
from starloom_gui.theme.status_form import StatusForm

if TYPE_CHECKING:
    from collections.abc import Sequence

    from starloom_gui.theme.palette import Ink, Palette

TILE: Final = 14
BAR_HEIGHT: Final = 6
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
"""Of a bar's parts: what is over, what is to come, what went wrong."""
_ROUND: Final = 3.0
_GLYPH: Final = 11.0
_LEAST: Final = 3.0
_GAP: Final = 1.5
_CLOSED: Final = Drawing("M 6.5 5 L 9.5 8 L 6.5 11", stroke=1.5)
_OPENED: Final = Drawing("M 5 6.5 L 8 9.5 L 11 6.5", stroke=1.5)


def paint_ground(painter: QPainter, box: QRectF, palette: Palette, *, selected: bool, hovered: bool) -> None:
    """Fill a row, or the first piece of one: raised under the pointer, with a bar at the left where it is selected."""
    if selected:
        painter.fillRect(box, colour(palette.selected))
    elif hovered:
        painter.fillRect(box, colour(palette.raised))


def paint_selected(painter: QPainter, box: QRectF, palette: Palette) -> None:
    """Paint the bar at the left of a selected row."""
    painter.fillRect(QRectF(box.left(), box.top(), RING, box.height()), colour(palette.text))


def paint_focus(painter: QPainter, box: QRectF, palette: Palette) -> None:
    """Paint the dashed ring of the row that keys act on."""
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing, on=False)
    pen = QPen(colour(palette.text), HAIRLINE)
    pen.setDashPattern([3.0, 3.0])
    painter.setPen(pen)
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.drawRect(box.adjusted(0, 0, -1, -1))
    painter.restore()


def paint_tile(
    painter: QPainter, corner: QPointF, form: StatusForm, palette: Palette, size: float = TILE, done: Ink | None = None
) -> None:
    """Paint the form of a status with its glyph; nothing for a removed task.

    Args:
        painter: logical pixels; as it was afterwards.
        corner: its upper left corner.
        form: of the status.
        palette: the colours.
        size: its width and height.
        done: what a completed task is filled with, and its tick; None: the usual.
    """
    if form == StatusForm.REMOVED:
        return
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    box, outline = QRectF(corner.x(), corner.y(), size, size), QPainterPath()
    if form in HOLLOW:
        outline.addRoundedRect(box.adjusted(0.5, 0.5, -0.5, -0.5), _ROUND, _ROUND)
        pen = QPen(colour(form_ink(form, palette).shape), HAIRLINE)
        if form == StatusForm.SKIPPED:
            pen.setDashPattern([2.0, 2.0])
        painter.strokePath(outline, pen)
    else:
        outline.addRoundedRect(box, _ROUND, _ROUND)
        tint = palette.tint if done is None else done.shape
        painter.fillPath(outline, colour(tint if form == StatusForm.COMPLETED else palette.status[form].shape))
    if form == StatusForm.CANCELLED:
        painter.setClipPath(outline)
        hatch(painter, box, blended(palette.on_fill, palette.status[form].shape, 0.3), 0.75)
        painter.setClipping(False)
    glyph = min(float(GLYPH), _GLYPH / TILE * size)
    if form == StatusForm.COMPLETED and done is not None:
        paint_glyph_in(painter, box, form, glyph, done.text)
    else:
        paint_glyph(painter, box, form, glyph, palette)
    painter.restore()


def paint_held(painter: QPainter, corner: QPointF, palette: Palette) -> None:
    """Paint the badge of a held task, as large as a tile."""
    _paint_badge(painter, corner, glyphs.HELD, palette.held.shape, palette)


def paint_quiet(painter: QPainter, corner: QPointF, palette: Palette) -> None:
    """Paint the badge of a task that has printed nothing for long, as large as a tile."""
    _paint_badge(painter, corner, glyphs.QUIET, palette.status[StatusForm.PENDING].shape, palette)


def _paint_badge(painter: QPainter, corner: QPointF, glyph: Drawing, fill: str, palette: Palette) -> None:
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    box = QRectF(corner.x(), corner.y(), TILE, TILE)
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(colour(fill))
    painter.drawEllipse(box)
    glyph.paint(painter, box.adjusted(1.5, 1.5, -1.5, -1.5), colour(palette.on_fill))
    painter.restore()


def paint_chevron(painter: QPainter, centre: QPointF, palette: Palette, *, opened: bool) -> None:
    """Paint the sign that opens and closes what is below a row."""
    box = QRectF(0, 0, GLYPH, GLYPH)
    box.moveCenter(centre)
    (_OPENED if opened else _CLOSED).paint(painter, box, colour(palette.muted))


def shares(counts: Sequence[int], width: float) -> list[tuple[StatusForm, float, float]]:
    """Form, left edge and width of each part of a stacked bar; the smallest part can still be seen.

    Args:
        counts: how many tasks have each form.
        width: of the whole bar.
    """
    total = sum(counts)
    wide = {form: max(_LEAST, width * counts[form] / total) for form in ORDER if form < len(counts) and counts[form]}
    spare = sum(wide.values()) - width
    above = sum(one - _LEAST for one in wide.values())
    parts, left = [], 0.0
    for form, one in wide.items():
        shrunk = one - (spare * (one - _LEAST) / above if above else 0.0)
        parts.append((form, left, shrunk))
        left += shrunk
    return parts


def paint_bar(painter: QPainter, box: QRectF, counts: Sequence[int], palette: Palette) -> None:
    """Paint how many tasks have each status as one stacked bar; what waits is hollow, what was skipped hatched.

    Args:
        painter: logical pixels; as it was afterwards.
        box: where the bar is.
        counts: how many tasks have each form.
        palette: the colours.
    """
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    outline = QPainterPath()
    outline.addRoundedRect(box, 2.0, 2.0)
    painter.setClipPath(outline)
    painter.fillRect(box, colour(palette.raised))
    for form, left, wide in shares(counts, box.width()):
        _paint_part(painter, QRectF(box.left() + left, box.top(), wide, box.height()), form, palette)
    painter.setClipping(False)
    edge = QPainterPath()
    edge.addRoundedRect(box.adjusted(0.5, 0.5, -0.5, -0.5), 2.0, 2.0)
    painter.strokePath(edge, QPen(colour(palette.outline, 0.6), HAIRLINE))
    painter.restore()


def _paint_part(painter: QPainter, part: QRectF, form: StatusForm, palette: Palette) -> None:
    shape = form_ink(form, palette).shape
    if form in (StatusForm.SKIPPED, StatusForm.WARNED):
        hatch(painter, part, shape, 0.7, 7.0 if form == StatusForm.SKIPPED else 4.0)
    elif form != StatusForm.WAITING:
        painter.fillRect(part, colour(shape))
        if form == StatusForm.CANCELLED:
            hatch(painter, part, blended(palette.on_fill, shape, 0.55), 0.8, 6.0)
        gap = QRectF(part.right() - _GAP / 2, part.top(), _GAP, part.height())
        painter.fillRect(gap, colour(palette.panel, 0.8))


def ink_of(form: StatusForm, palette: Palette, *, selected: bool) -> str:
    """The colour of the text at the end of a task's row: of a failure strong, else muted."""
    if form == StatusForm.FAILED:
        return palette.status[StatusForm.FAILED].text
    return palette.text if selected else palette.muted
