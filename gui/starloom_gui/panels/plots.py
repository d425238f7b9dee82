"""Values over the last minutes, painted by ourselves: muted, as a plot is never a status."""

from __future__ import annotations

from dataclasses import dataclass
from math import ceil, log10
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QFontMetricsF, QPainter, QPen, QPolygonF
from PySide6.QtWidgets import QWidget
from typing_extensions import override

from starloom_gui.theme.fonts import Role, font
from starloom_gui.theme.metrics import HAIRLINE
from starloom_gui.theme.palette import blended, colour
from starloom_gui.words import fill, translate

if TYPE_CHECKING:
    from collections.abc import Callable

    from PySide6.QtGui import QPaintEvent

    from starloom_gui.theme.palette import Palette

_FIGURES: Final = 32
"""Width of the figures of the value axis."""
_TITLE: Final = 20
_TIMES: Final = 16
_MINUTE: Final = 60.0
_GAP: Final = 16
_NICE: Final = (1.0, 2.0, 4.0, 6.0, 10.0)


@dataclass(frozen=True, slots=True, kw_only=True)
class Curve:
    """What a plot shows.

    Attributes:
        title: what it is of, with its unit.
        figure: how it stands now, in words.
        values: one for each equally long part of the time, oldest first.
        top: the value at the upper end of the axis; more is cut off.
        seconds: how long all parts together are.
        bound: a value that is marked with a line, and what it is; None: none is.
    """

    title: str
    figure: str = ""
    values: tuple[float, ...] = ()
    top: float = 1.0
    seconds: float = 600.0
    bound: float | None = None


def nice_top(most: float, least: float = 1.0) -> float:
    """The upper end of an axis on which `most` fits: 1, 2, 4 or 6 times a power of ten."""
    most = max(most, least)
    power = 10.0 ** ceil(log10(most) - 1 - 1e-9)
    return next(power * one for one in _NICE if power * one >= most - 1e-9)


class Plot(QWidget):
    """One curve with its axes; what is new is painted only if it looks different.

    Args:
        colours: gives the palette.
    """

    def __init__(self, colours: Callable[[], Palette], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._colours = colours
        self._curve = Curve(title="")
        self.setMinimumHeight(72)

    @property
    def curve(self) -> Curve:
        """What is shown."""
        return self._curve

    def show_curve(self, curve: Curve) -> None:
        """Show this."""
        if curve != self._curve:
            self._curve = curve
            self.setAccessibleName(curve.title)
            self.setAccessibleDescription(curve.figure)
            self.setToolTip(fill(translate("Plots", "%1: %2"), curve.title, curve.figure))
            self.update()

    @override
    def sizeHint(self) -> QSize:
        return QSize(240, 108)

    @override
    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        palette, curve = self._colours(), self._curve
        metrics = QFontMetricsF(font(Role.SMALL))
        box = QRectF(_FIGURES, _TITLE + 4, self.width() - _FIGURES, self.height() - _TITLE - 4 - _TIMES)
        self._paint_title(painter, palette, metrics)
        self._paint_axes(painter, box, palette)
        if len(curve.values) > 1 and curve.top > 0:
            _paint_values(painter, box, curve, palette)
        if curve.bound is not None:
            painter.setPen(QPen(colour(palette.muted), HAIRLINE, Qt.PenStyle.DashLine))
            height = round(_height(box, curve.bound, curve.top)) + 0.5
            painter.drawLine(QPointF(box.left(), height), QPointF(box.right(), height))
        painter.end()

    def _paint_title(self, painter: QPainter, palette: Palette, metrics: QFontMetricsF) -> None:
        painter.setFont(font(Role.SMALL))
        painter.setPen(colour(palette.text))
        wide = metrics.horizontalAdvance(self._curve.figure)
        line = QRectF(0, 0, self.width(), _TITLE)
        painter.drawText(line, Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignRight, self._curve.figure)
        painter.setPen(colour(palette.muted))
        title = metrics.elidedText(self._curve.title, Qt.TextElideMode.ElideRight, self.width() - wide - 8)
        painter.drawText(line, Qt.AlignmentFlag.AlignVCenter, title)

    def _paint_axes(self, painter: QPainter, box: QRectF, palette: Palette) -> None:
        curve = self._curve
        right = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
        for value in (0.0, curve.top / 2, curve.top):
            height = round(_height(box, value, curve.top))
            painter.fillRect(QRectF(box.left(), height, box.width(), HAIRLINE), colour(palette.border))
            painter.setPen(colour(palette.muted))
            place = QRectF(0, height - 8, _FIGURES - 6, 16)
            painter.drawText(place, right, f"{value:g}")
        _paint_times(painter, QRectF(box.left(), box.bottom() + 2, box.width(), _TIMES - 2), curve.seconds / _MINUTE)


def _paint_times(painter: QPainter, line: QRectF, minutes: float) -> None:
    """The ends of the time axis and, where there is room, its middle."""
    metrics, free = QFontMetricsF(painter.font()), line.width()
    for share in (0.0, 1.0, 0.5):
        words = translate("Plots", "now") if share == 1 else _ago_words(minutes * (1 - share))
        wide = metrics.horizontalAdvance(words)
        free -= wide + _GAP
        if free >= 0:
            left = line.left() + share * (line.width() - wide)
            painter.drawText(QRectF(left, line.top(), wide + 1, line.height()), Qt.AlignmentFlag.AlignVCenter, words)


def _ago_words(minutes: float) -> str:
    return fill(translate("Plots", "%1 min ago"), f"{minutes:g}")


def _height(box: QRectF, value: float, top: float) -> float:
    return box.bottom() - min(1.0, max(0.0, value / top)) * box.height()


def _paint_values(painter: QPainter, box: QRectF, curve: Curve, palette: Palette) -> None:
    points = _points(box, curve)
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(colour(blended(palette.muted, palette.panel, 0.18)))
    painter.drawPolygon(
        QPolygonF([QPointF(points[0].x(), box.bottom()), *points, QPointF(points[-1].x(), box.bottom())])
    )
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.setPen(QPen(colour(palette.muted), 1.25))
    painter.drawPolyline(QPolygonF(points))


def _points(box: QRectF, curve: Curve) -> list[QPointF]:
    step = box.width() / (len(curve.values) - 1)
    return [QPointF(box.left() + at * step, _height(box, value, curve.top)) for at, value in enumerate(curve.values)]
