"""Painting around the curves: grid, titles, figures, gaps, names at the ends, the hairline and its values."""

from __future__ import annotations

from dataclasses import dataclass
from math import isnan
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QLineF, QPointF, QRectF, Qt
from PySide6.QtGui import QFontMetricsF, QPainter, QPen

from starloom_gui.panels.plots.frame import BOX, FIGURES, TITLE, named_value, plot_name, row_boxes
from starloom_gui.panels.plots.look import ink_of
from starloom_gui.text.words import figure
from starloom_gui.theme.fonts import Role, font
from starloom_gui.theme.metrics import RADIUS
from starloom_gui.theme.palette import blended, colour
from starloom_gui.viewmodel.ticks import ticks

if TYPE_CHECKING:
    from collections.abc import Callable

    from PySide6.QtCore import QRect

    from starloom_gui.panels.plots.frame import PlotCurve, PlotFrame, PlotRow
    from starloom_gui.panels.plots.steps import Gap
    from starloom_gui.theme.palette import Palette

_NAME: Final = 15
"""Height of a line of names."""
_CHIP: Final = 18
_DOT: Final = 5.0
_AWAY: Final = 6
"""Pixels between a curve's end, or the hairline, and what is written there."""


@dataclass(slots=True)
class _Label:
    """Words at a height, with the colour of their curve."""

    y: float
    words: str
    ink: str


class PlotFramePainter:
    """Paints the axes, titles and values of a frame of plots.

    Args:
        palette: gives the colours.
        frame: gives what is shown; None: nothing yet.
    """

    def __init__(self, palette: Callable[[], Palette], frame: Callable[[], PlotFrame | None]) -> None:
        self._palette, self._frame = palette, frame
        self._font = font(Role.SMALL)
        self._metrics = QFontMetricsF(self._font)

    def background(self, painter: QPainter, port: QRect) -> None:
        """The ground, the grid and the figures of the axes."""
        palette, frame = self._palette(), self._frame()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)
        painter.fillRect(port, colour(palette.panel))
        if frame is None:
            return
        painter.setFont(self._font)
        width = port.width() - FIGURES
        grid = colour(blended(palette.border, palette.panel, 0.4))
        marks = [FIGURES + round(frame.span.x_of(tick.at)) for tick in ticks(frame.span, width, frame.wall)]
        painter.setPen(QPen(grid, 1))
        for row, rect in zip(frame.rows, row_boxes(len(frame.rows), port.height()), strict=True):
            box = _box_of(rect, port)
            painter.drawLines([QLineF(x + 0.5, box.top(), x + 0.5, box.bottom()) for x in marks])
            self._axis(painter, row, box, palette)
            painter.setPen(QPen(colour(palette.border), 1))
            if rect.bottom() < port.height():
                painter.drawLine(QLineF(0, rect.bottom() - 0.5, port.width(), rect.bottom() - 0.5))
            painter.setPen(QPen(grid, 1))

    def _axis(self, painter: QPainter, row: PlotRow, box: QRectF, palette: Palette) -> None:
        right = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
        for value in (0.0, row.top / 2, row.top):
            y = round(_y_of(row, box, value)) + 0.5
            painter.setPen(QPen(colour(blended(palette.border, palette.panel, 0.4)), 1))
            painter.drawLine(QLineF(box.left(), y, box.right(), y))
            painter.setPen(colour(palette.muted))
            low = min(y, box.bottom() - 4)
            painter.drawText(QRectF(0, low - 8, FIGURES - 8, 16), right, _figure(value))

    def foreground(self, painter: QPainter, port: QRect) -> None:
        """Titles, gaps, the present, the names at the ends, the hairline and its values."""
        palette, frame = self._palette(), self._frame()
        if frame is None:
            return
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)
        painter.setFont(self._font)
        boxes = [_box_of(rect, port) for rect in row_boxes(len(frame.rows), port.height())]
        x_now = FIGURES + frame.span.x_of(frame.now)
        if frame.is_live and FIGURES <= x_now <= port.width():
            painter.setPen(QPen(colour(palette.text), 1))
            painter.drawLine(QLineF(round(x_now) + 0.5, 0, round(x_now) + 0.5, port.height()))
        for row, box in zip(frame.rows, boxes, strict=True):
            self._title(painter, row, box, palette)
            self._gaps(painter, frame, row, box, palette)
            self._ends(painter, frame, row, box, palette)
        if frame.hairline is not None:
            self._hairline(painter, frame, boxes, port, palette)

    def _title(self, painter: QPainter, row: PlotRow, box: QRectF, palette: Palette) -> None:
        name, unit = plot_name(row.plot)
        wide = self._metrics.horizontalAdvance(name)
        whole = QRectF(box.left() + 3, box.top() - TITLE + 2, wide + 10 + self._metrics.horizontalAdvance(unit), 16)
        painter.fillRect(whole, colour(palette.panel))
        painter.setPen(colour(palette.text))
        painter.drawText(whole, Qt.AlignmentFlag.AlignVCenter, name)
        painter.setPen(colour(palette.muted))
        painter.drawText(whole.adjusted(wide + 8, 0, 0, 0), Qt.AlignmentFlag.AlignVCenter, unit)

    def _gaps(self, painter: QPainter, frame: PlotFrame, row: PlotRow, box: QRectF, palette: Palette) -> None:
        """Paint the label of each gap in its middle if it fits; a gap of some curves only has their names."""
        of: dict[Gap, list[str]] = {}
        for shown in row.shown:
            for gap in shown.gaps:
                of.setdefault(gap, []).append(shown.series.name)
        taken: list[QRectF] = []
        for gap, names in of.items():
            left = max(box.left(), FIGURES + frame.span.x_of(gap.begin))
            right = min(box.right(), FIGURES + frame.span.x_of(min(gap.end, frame.now)))
            is_all = len(names) == len(row.shown)
            words = gap.word if is_all else f"{', '.join(names)}: {gap.word}"
            wide = self._metrics.horizontalAdvance(words) + 8
            if right - left < wide:
                continue
            top = box.center().y() - 8 if is_all else box.top()
            place = QRectF((left + right - wide) / 2, top, wide, 16)
            while any(place.intersects(other) for other in taken):
                place.translate(0, 16)
            taken.append(place)
            painter.fillRect(place, colour(palette.panel, 0.85))
            painter.setPen(colour(palette.muted))
            painter.drawText(place, Qt.AlignmentFlag.AlignCenter, words)

    def _ends(self, painter: QPainter, frame: PlotFrame, row: PlotRow, box: QRectF, palette: Palette) -> None:
        """Paint name and value of each curve at the end of its visible line."""
        last = min(frame.now, frame.span.time_at(box.width()))
        if last < frame.span.left:
            return
        labels = self._labels(row, box, last, palette)
        x = FIGURES + frame.span.x_of(last) + _AWAY
        for label in labels:
            if x + self._metrics.horizontalAdvance(label.words) > box.right():  # it lies on its line: then above it
                label.y -= _NAME / 2 + 2
        _spread(labels, _NAME, box)
        for label in labels:
            wide = self._metrics.horizontalAdvance(label.words)
            left = min(x, box.right() - wide - 4)
            place = QRectF(left, label.y - _NAME / 2, wide + 4, _NAME)
            painter.fillRect(place, colour(palette.panel, 0.85))
            painter.setPen(colour(label.ink))
            painter.drawText(place, Qt.AlignmentFlag.AlignVCenter, label.words)

    def _hairline(
        self, painter: QPainter, frame: PlotFrame, boxes: list[QRectF], port: QRect, palette: Palette
    ) -> None:
        at = frame.hairline
        assert at is not None, "whoever calls has looked"
        x = FIGURES + frame.span.x_of(at)
        if not FIGURES <= x <= port.width():
            return
        painter.setPen(QPen(colour(palette.text, 0.7), 1))
        painter.drawLine(QLineF(round(x) + 0.5, 0, round(x) + 0.5, port.height()))
        if at > frame.now:
            return
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        for row, box in zip(frame.rows, boxes, strict=True):
            labels = self._labels(row, box, at, palette)
            for label in labels:
                painter.setPen(Qt.PenStyle.NoPen)
                painter.setBrush(colour(label.ink))
                painter.drawEllipse(QPointF(round(x) + 0.5, label.y), _DOT / 2, _DOT / 2)
            _spread(labels, _CHIP + 2, box)
            self._chips(painter, labels, x, box, palette)

    def _chips(self, painter: QPainter, labels: list[_Label], x: float, box: QRectF, palette: Palette) -> None:
        for label in labels:
            wide = self._metrics.horizontalAdvance(label.words) + 8
            left = x + _AWAY if x + _AWAY + wide <= box.right() else x - _AWAY - wide
            place = QRectF(round(left) + 0.5, round(label.y - _CHIP / 2) + 0.5, round(wide), _CHIP)
            painter.setPen(QPen(colour(palette.border), 1))
            painter.setBrush(colour(palette.raised))
            painter.drawRoundedRect(place, RADIUS, RADIUS)
            painter.setPen(colour(label.ink))
            painter.drawText(place, Qt.AlignmentFlag.AlignCenter, label.words)

    def _labels(self, row: PlotRow, box: QRectF, at: float, palette: Palette) -> list[_Label]:
        found = [(shown, shown.value(at)) for shown in row.shown]
        return [
            _Label(_y_of(row, box, value), named_value(shown, at), ink_of(shown.series.style, palette))
            for shown, value in found
            if not isnan(value)
        ]


def _box_of(rect: QRectF, port: QRect) -> QRectF:
    """The rectangle of the curves within that of the plot."""
    return QRectF(FIGURES, rect.top() + TITLE, port.width() - FIGURES, rect.height() - TITLE - BOX)


def _y_of(row: PlotRow, box: QRectF, value: float) -> float:
    return box.bottom() - value / (row.top * 1.04) * box.height()


def _spread(labels: list[_Label], apart: float, box: QRectF) -> None:
    """Move labels as little as is needed for none to lie over another one, or outside."""
    labels.sort(key=lambda label: label.y)
    low = box.top() + apart / 2 - 4
    for label in labels:
        label.y = max(label.y, low)
        low = label.y + apart
    high = box.bottom() + 2 - apart / 2 + 4
    for label in reversed(labels):
        label.y = min(label.y, high)
        high = label.y - apart


def _figure(value: float) -> str:
    return figure(f"{value / 1000:g}k" if value >= 1000 else f"{value:g}")


def values_at(shown: list[PlotCurve], at: float) -> str:
    """The names and values of curves at a moment, for screen readers."""
    return ", ".join(words for one in shown if (words := named_value(one, at)))
