"""Paints the card of a device; a painted card needs no widget, so that hidden ones cost nothing."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QPointF, QRect, QRectF, Qt
from PySide6.QtGui import QFontMetricsF, QPainter, QPen, QPolygonF

from starloom.model.status import DeviceStatus
from starloom_gui.panels.device_figures import details, is_silent, load, standings
from starloom_gui.text import words
from starloom_gui.theme import glyphs
from starloom_gui.theme.drawings import Drawing
from starloom_gui.theme.fonts import Role, elided, font
from starloom_gui.theme.icons import Icon, drawing
from starloom_gui.theme.metrics import DEVICE_CARD, GLYPH, HAIRLINE, RADIUS, RING
from starloom_gui.theme.palette import blended, colour
from starloom_gui.theme.status_form import StatusForm

if TYPE_CHECKING:
    from collections.abc import Sequence

    from starloom_gui.models.device_table import DeviceRow
    from starloom_gui.theme.palette import Palette

EDGE: Final = 12
TEXT_AT: Final = 36
MORE: Final = 24
"""Width and height of the place that opens the menu."""
_PLOT: Final = (64, 14)
_SMALL_PLOT: Final = (36, 11)
_AGE: Final = 32
_KEY: Final = 14
"""Width and height of the key behind the name of a reserved device."""
_FIRST, _SECOND = 18, 35
_DETAIL: Final = 16
_LABEL, _MOST_LABEL = 54, 84
"""Width of the labels of an opened card: as much as they need within these bounds."""
_MOST_SAMPLES: Final = 32
_STALE: Final = 0.6
"""How much is left of the card of a device that is not heard of any more."""
_SCREEN: Final = Drawing("R 4.5 4.5 7 7 1.25", stroke=1.5)
_ARROW: Final = Drawing("M 8 4 L 8 11.5 M 5 8.75 L 8 11.75 L 11 8.75", stroke=1.75)
_SLASH: Final = Drawing("M 4.5 11.5 L 11.5 4.5", stroke=1.5)


@dataclass(frozen=True, slots=True)
class DeviceCard:
    """The content of a device's card at one moment.

    Attributes:
        memory: how full its memory was, 0 to 1, oldest first.
        completed: tasks completed there within the last minute.
    """

    row: DeviceRow
    opened: bool = False
    current: bool = False
    hovered: bool = False
    focused: bool = False
    memory: Sequence[float] = ()
    completed: int = 0


def more_box(card: QRect) -> QRect:
    """The rectangle of a card in which a click opens its menu."""
    return QRect(card.right() + 1 - EDGE - MORE + 4, card.top() + _SECOND - 16, MORE, MORE)


def paint_card(painter: QPainter, box: QRect, card: DeviceCard, palette: Palette) -> None:
    """Paint a card into its place; the painter is as it was afterwards."""
    painter.save()
    painter.setClipRect(box)
    ground = palette.selected if card.current else palette.raised if card.hovered else palette.panel
    painter.fillRect(box, colour(ground))
    painter.fillRect(QRectF(box.left() + EDGE, box.bottom(), box.width() - 2 * EDGE, HAIRLINE), colour(palette.border))
    if card.current:
        painter.fillRect(QRectF(box.left(), box.top(), RING, box.height()), colour(palette.text))
    if is_silent(card.row):
        painter.setOpacity(_STALE)
    _paint_status(painter, QRectF(box.left() + EDGE, box.top() + 8, GLYPH, GLYPH), card.row, palette)
    _paint_lines(painter, box, card.row, palette, ground)
    if card.opened:
        _paint_details(painter, box, card, palette, ground)
    painter.setOpacity(1.0)
    if card.focused:
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.setPen(QPen(colour(palette.text), 1, Qt.PenStyle.DashLine))
        painter.drawRect(QRectF(box).adjusted(3.5, 2.5, -3.5, -3.5))
    painter.restore()


def _paint_lines(painter: QPainter, box: QRect, row: DeviceRow, palette: Palette, ground: str) -> None:
    left, right = box.left() + TEXT_AT, box.right() + 1 - EDGE
    figures = right - _AGE
    text = Text(painter, box.top())
    age = words.ago(row.heard) if row.heard is not None and not is_silent(row) else ""
    aged = text.put(Role.SMALL, palette.muted, right - 2 * _AGE, right, _FIRST, age, right_aligned=True)
    ends = min(figures, right - aged - 6)
    key = 0 if row.reserved is None else _KEY + 4
    named = QFontMetricsF(font(Role.BODY)).horizontalAdvance(row.id) if key else 0.0
    if len(row.samples) > 1 and (not key or left + named + key <= ends - _PLOT[0] - 6):  # a key takes no name's room
        plot = QRectF(ends - _PLOT[0], box.top() + 6, *_PLOT)
        paint_plot(painter, plot, row.samples, palette, ground)
        ends = plot.left() - 6
    away = not row.enabled or row.status is DeviceStatus.DISCONNECTED
    wide = text.put(Role.BODY, palette.muted if away else palette.text, left, ends - key, _FIRST, row.id)
    if key:
        place = QRectF(left + wide + 4, box.top() + _FIRST - _KEY + 2, _KEY, _KEY)
        drawing(Icon.KEY).paint(painter, place, colour(palette.text))
    metrics, whole = QFontMetricsF(font(Role.SMALL)), more_box(box).left() - left
    states = standings(row)  # elided only where even the shortest has no room
    state = next((one for one in states if metrics.horizontalAdvance(one) <= whole), states[-1])
    room = figures - left - metrics.horizontalAdvance(state) - 4  # beside its state, which nothing takes room from
    told = next((one for one in load(row) if metrics.horizontalAdvance(one) <= room), "")
    wide = text.put(Role.SMALL, palette.muted, left, figures, _SECOND, told, right_aligned=True)
    ends = figures - wide - 4 if told else left + whole
    text.put(Role.SMALL, _ink_of(row, palette), left, ends, _SECOND, state)
    place = QRectF(0, 0, GLYPH, GLYPH)
    place.moveCenter(QRectF(more_box(box)).center())
    drawing(Icon.MORE).paint(painter, place, colour(palette.text))


def _ink_of(row: DeviceRow, palette: Palette) -> str:
    if row.enabled and row.status in {DeviceStatus.DRAINING, DeviceStatus.TRIAL}:
        return palette.status[StatusForm.PENDING].text
    if row.enabled and row.waits is not None:
        return palette.status[StatusForm.FAILED].text
    if row.enabled and row.status in {DeviceStatus.FAILED, DeviceStatus.REFUSED, DeviceStatus.SUSPENDED}:
        return palette.status[StatusForm.FAILED].text
    return palette.muted


def _paint_details(painter: QPainter, box: QRect, card: DeviceCard, palette: Palette, ground: str) -> None:
    right = box.right() + 1 - EDGE
    text, metrics = Text(painter, box.top()), QFontMetricsF(font(Role.SMALL))
    lines = details(card.row, card.completed)
    widest = max(metrics.horizontalAdvance(label) for label, _ in lines)
    begins = box.left() + TEXT_AT + min(max(_LABEL, widest + 8), _MOST_LABEL)
    for at, (label, value) in enumerate(lines):
        baseline = DEVICE_CARD + 12 + at * _DETAIL
        text.put(Role.SMALL, palette.muted, box.left() + TEXT_AT, begins - 4, baseline, label)
        ends: float = right
        beside = right - _SMALL_PLOT[0] - 8
        if at == 1 and len(card.memory) > 1 and begins + metrics.horizontalAdvance(value) <= beside:
            ends = beside
            plot = QRectF(right - _SMALL_PLOT[0], box.top() + baseline - 10, *_SMALL_PLOT)
            paint_plot(painter, plot, card.memory, palette, ground)
        text.put(Role.SMALL, palette.text, begins, ends, baseline, value)


def _paint_status(painter: QPainter, box: QRectF, row: DeviceRow, palette: Palette) -> None:
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    filled = {
        DeviceStatus.BUSY: (StatusForm.RUNNING, _SCREEN),
        DeviceStatus.DRAINING: (StatusForm.PENDING, _ARROW),
        DeviceStatus.FAILED: (StatusForm.FAILED, glyphs.STATUS[StatusForm.FAILED]),
        DeviceStatus.REFUSED: (StatusForm.FAILED, glyphs.STATUS[StatusForm.FAILED]),
        DeviceStatus.SUSPENDED: (StatusForm.FAILED, glyphs.STATUS[StatusForm.PENDING]),
        DeviceStatus.TRIAL: (StatusForm.PENDING, _SCREEN),
    }
    if row.enabled and row.status in filled:
        code, glyph = filled[row.status]
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(colour(palette.status[code].shape))
        painter.drawRoundedRect(box, RADIUS, RADIUS)
        glyph.paint(painter, box, colour(palette.on_fill))
        return
    pen = QPen(colour(palette.outline), 1)
    idle = row.enabled and row.status is DeviceStatus.IDLE
    if not idle:
        pen.setDashPattern([3.0, 2.0])
    painter.setPen(pen)
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.drawRoundedRect(box.adjusted(0.5, 0.5, -0.5, -0.5), RADIUS, RADIUS)
    glyph = (
        _SLASH
        if not row.enabled
        else glyphs.STATUS[StatusForm.PENDING]
        if row.status is DeviceStatus.CONNECTING
        else _SCREEN
    )
    if row.status is not DeviceStatus.DISCONNECTED or not row.enabled:
        glyph.paint(painter, box, colour(palette.muted))


def paint_plot(painter: QPainter, box: QRectF, samples: Sequence[float], palette: Palette, ground: str) -> None:
    """Paint shares of 0 to 1 over time, oldest at the left; muted, as plots are never a status.

    Args:
        painter: what paints.
        box: the place; 1 is at its top.
        samples: at least two.
        palette: the colours.
        ground: what it stands on.
    """
    shown = samples[-_MOST_SAMPLES:]
    step = box.width() / (len(shown) - 1)
    points = [
        QPointF(box.left() + at * step, box.bottom() - min(1.0, max(0.0, share)) * box.height())
        for at, share in enumerate(shown)
    ]
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(colour(blended(palette.muted, ground, 0.18)))
    painter.drawPolygon(QPolygonF([QPointF(box.left(), box.bottom()), *points, QPointF(box.right(), box.bottom())]))
    painter.setPen(QPen(colour(palette.muted), 1.25))
    painter.drawPolyline(QPolygonF(points))


class Text:
    """Draws lines of text on baselines."""

    def __init__(self, painter: QPainter, top: float) -> None:
        self._painter = painter
        self._top = top

    def put(
        self,
        role: Role,
        ink: str,
        left: float,
        right: float,
        baseline: float,
        text: str,
        *,
        right_aligned: bool = False,
    ) -> float:
        """Paint a line between two edges, elided if needed; returns its width."""
        face = font(role)
        metrics = QFontMetricsF(face)
        shown = elided(text, metrics, right - left)
        wide = metrics.horizontalAdvance(shown)
        self._painter.setFont(face)
        self._painter.setPen(colour(ink))
        self._painter.drawText(QPointF(right - wide if right_aligned else left, self._top + baseline), shown)
        return wide
