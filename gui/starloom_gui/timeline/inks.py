"""Pens, brushes and colours of the timeline, made once for a palette and a device pixel ratio."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np
from PySide6.QtCore import Qt
from PySide6.QtGui import QBrush, QColor, QPainter, QPen, QPixmap, QTransform

from starloom.scheduling.state import codes
from starloom_gui.theme.palette import blended, colour
from starloom_gui.timeline.kinds import (
    CANCELLED,
    DONE,
    FAILED,
    INTERRUPTED,
    KINDS,
    OTHER,
    RETRIED,
    RUNNING,
    SKIPPED,
    WARNED,
)

if TYPE_CHECKING:
    from starloom_gui.theme.palette import Palette

_CODES: Final = {
    DONE: codes.COMPLETED,
    INTERRUPTED: codes.SKIPPED,
    SKIPPED: codes.SKIPPED,
    CANCELLED: codes.CANCELLED,
    RUNNING: codes.RUNNING,
    RETRIED: codes.WAITING,
    WARNED: codes.PENDING,
    FAILED: codes.FAILED,
}
_HATCH: Final = 5
"""Logical pixels between two lines of a hatching."""


class Inks:
    """The colours and pens of the timeline.

    Attributes:
        palette, ratio: what all of it was made for.
        fill, pen: the form of each kind of bar.
        text: the colour of a name inside each kind of bar.
        rgb: the colour of each kind in a density column.
        wait: the line before a bar.
        ghost: what an earlier run's bars are filled with.
        lost: the colour of words about a device that cannot be reached.
        away: what lies in the lanes of a device that could not be used.
    """

    def __init__(self, palette: Palette, ratio: float) -> None:
        self.palette, self.ratio = palette, ratio
        self.panel = colour(palette.panel)
        self.future = colour(blended(palette.raised, palette.panel, 0.35))
        self.border = colour(palette.border)
        self.divider = colour(blended(palette.border, palette.panel, 0.6))
        self.grid = colour(blended(palette.border, palette.panel, 0.4))
        self.name = colour(palette.text)
        self.muted = colour(palette.muted)
        self.lost = colour(palette.status[codes.FAILED].text)
        self.outline = colour(palette.outline)
        self.away = _hatched(palette.panel, blended(palette.outline, palette.panel, 0.5), ratio)
        self.ghost = _hatched(palette.panel, blended(palette.outline, palette.panel, 0.7), ratio)
        self.wait = colour(palette.status[codes.PENDING].shape)
        shapes = {kind: palette.status[code].shape for kind, code in _CODES.items()}
        shapes[OTHER] = blended(palette.outline, palette.raised, 0.55)
        self.rgb = np.array([rgb_of(colour(shapes[kind])) for kind in range(KINDS)], np.uint8)
        self.fill = self._fills(shapes, ratio)
        self.pen = self._pens(shapes)
        on_fill = colour(palette.on_fill)
        warned = colour(palette.status[codes.PENDING].text)
        filled = {WARNED: warned, RUNNING: on_fill, FAILED: on_fill, CANCELLED: on_fill, DONE: self.name}
        self.text = [filled.get(kind, self.muted) for kind in range(KINDS)]

    def _fills(self, shapes: dict[int, str], ratio: float) -> list[QBrush]:
        palette = self.palette
        cancelled = shapes[CANCELLED]
        fills = {
            DONE: QBrush(colour(palette.tint)),
            RUNNING: QBrush(colour(shapes[RUNNING])),
            FAILED: QBrush(colour(shapes[FAILED])),
            CANCELLED: _hatched(cancelled, blended(palette.on_fill, cancelled, 0.4), ratio),
            OTHER: _hatched(palette.raised, shapes[OTHER], ratio),
        }
        return [fills.get(kind, QBrush(self.panel)) for kind in range(KINDS)]

    def _pens(self, shapes: dict[int, str]) -> list[QPen]:
        pens = {kind: QPen(colour(shapes[kind]), 1.0) for kind in (DONE, SKIPPED, INTERRUPTED)}
        pens[WARNED] = QPen(colour(shapes[WARNED]), 2.0)
        pens[RETRIED] = QPen(colour(shapes[RETRIED]), 1.0)
        for kind in (SKIPPED, INTERRUPTED):
            pens[kind].setDashPattern([3.0, 2.0])
        return [pens.get(kind, QPen(Qt.PenStyle.NoPen)) for kind in range(KINDS)]


def rgb_of(ink: QColor) -> tuple[int, int, int]:
    """Red, green and blue, 0 to 255."""
    return ink.red(), ink.green(), ink.blue()


def _hatched(ground: str, line: str, ratio: float) -> QBrush:
    """A ground with diagonal lines, equally wide at every device pixel ratio."""
    size = round(_HATCH * ratio)
    tile = QPixmap(size, size)
    tile.fill(QColor(ground))
    painter = QPainter(tile)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(QPen(colour(line), 1.6 * ratio))
    for shift in (-size, 0, size):
        painter.drawLine(shift - 1, size + 1, shift + size + 1, -1)
    painter.end()
    brush = QBrush(tile)
    brush.setTransform(QTransform.fromScale(_HATCH / size, _HATCH / size))
    return brush
