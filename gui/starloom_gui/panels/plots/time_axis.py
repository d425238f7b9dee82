"""The time axis over the plots: times, interventions, the present and the hairline."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QEvent, QLineF, QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QFontMetricsF, QHelpEvent, QPainter, QPen, QPolygonF
from PySide6.QtWidgets import QToolTip, QWidget
from typing_extensions import override

from starloom_gui.panels.plots.frame import FIGURES
from starloom_gui.text.wall_clock import marked
from starloom_gui.text.words import tip
from starloom_gui.theme.fonts import Role, font
from starloom_gui.theme.metrics import FLAG, RADIUS
from starloom_gui.theme.palette import colour
from starloom_gui.viewmodel.ticks import clock_text, step_of, ticks

if TYPE_CHECKING:
    from collections.abc import Callable

    from PySide6.QtGui import QPaintEvent

    from starloom_gui.panels.plots.frame import PlotFrame
    from starloom_gui.theme.palette import Palette

HEIGHT: Final = 28
_PILL: Final = 18
_FLAG_REACH: Final = 12
"""Pixels to the right of a flag's foot up to which the pointer is at it."""


class TimeAxis(QWidget):
    """Paints the axis of a frame.

    Args:
        palette: gives the colours.
        frame: gives what is shown; None: nothing yet.
        parent: the widget it lies in.
    """

    def __init__(
        self, palette: Callable[[], Palette], frame: Callable[[], PlotFrame | None], parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self._palette, self._frame = palette, frame
        self._font = font(Role.SMALL)
        self._metrics = QFontMetricsF(self._font)
        self.setFixedHeight(HEIGHT)
        self.setAttribute(Qt.WidgetAttribute.WA_OpaquePaintEvent)

    @override
    def sizeHint(self) -> QSize:
        return QSize(240, HEIGHT)

    def said_at(self, x: float) -> str:
        """The intervention whose flag stands at that pixel, in words; empty: there is none."""
        frame = self._frame()
        flags = frame.flags if frame is not None else ()
        near = [flag for flag in flags if frame and -4 <= x - FIGURES - frame.span.x_of(flag.at) <= _FLAG_REACH]
        return "\n".join(flag.text for flag in near)

    @override
    def event(self, event: QEvent) -> bool:
        if isinstance(event, QHelpEvent) and event.type() == QEvent.Type.ToolTip:
            QToolTip.showText(event.globalPos(), tip(self.said_at(event.pos().x())), self)
            return True
        return super().event(event)

    @override
    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        self.render_axis(painter, self.width())
        painter.end()

    def render_axis(self, painter: QPainter, width: int) -> None:
        """Paint the axis at the upper left of a paint device, so many pixels wide."""
        palette, frame = self._palette(), self._frame()
        painter.fillRect(QRectF(0, 0, width, HEIGHT), colour(palette.panel))
        painter.setPen(QPen(colour(palette.border), 1))
        painter.drawLine(QLineF(0, HEIGHT - 0.5, width, HEIGHT - 0.5))
        if frame is None:
            return
        painter.setFont(self._font)
        present = self._pill(frame, frame.now, width) if frame.is_live else None
        hairline = self._pill(frame, frame.hairline, width) if frame.hairline is not None else None
        pills = [one for one in (present, hairline) if one is not None]
        self._times(painter, frame, width, [box for box, _ in pills], palette)
        self._flags(painter, frame, width, palette)
        if present is not None:
            self._paint_pill(painter, present, palette, is_filled=True)
        if hairline is not None:
            self._paint_pill(painter, hairline, palette, is_filled=False)

    def _times(self, painter: QPainter, frame: PlotFrame, width: int, taken: list[QRectF], palette: Palette) -> None:
        free_from = 0.0
        for tick in ticks(frame.span, width - FIGURES, frame.wall):
            x = FIGURES + round(frame.span.x_of(tick.at)) + 0.5
            painter.setPen(QPen(colour(palette.border), 1))
            painter.drawLine(QLineF(x, HEIGHT - 5, x, HEIGHT - 1))
            wide = self._metrics.horizontalAdvance(tick.text) + 8
            box = QRectF(round(x - wide / 2), 2, wide, _PILL)
            if box.left() >= free_from and box.right() <= width and not any(box.intersects(other) for other in taken):
                painter.setPen(colour(palette.muted))
                painter.drawText(box, Qt.AlignmentFlag.AlignCenter, tick.text)
                free_from = box.right()

    def _flags(self, painter: QPainter, frame: PlotFrame, width: int, palette: Palette) -> None:
        """Paint the flags of interventions, as on the Timeline."""
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        for flag in frame.flags:
            x = FIGURES + round(frame.span.x_of(flag.at)) + 0.5
            if not FIGURES <= x <= width:
                continue
            head = HEIGHT - 1.0 - FLAG
            painter.setPen(QPen(colour(palette.text), 1))
            painter.drawLine(QLineF(x, head, x, HEIGHT - 1))
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(colour(palette.text))
            painter.drawPolygon(QPolygonF([QPointF(x, head), QPointF(x + 6, head + 2.5), QPointF(x, head + 5)]))
            if flag.by_agent:
                painter.drawEllipse(QRectF(x + 8, head + 1, 3, 3))
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)

    def _pill(self, frame: PlotFrame, at: float, width: int) -> tuple[QRectF, str] | None:
        x = FIGURES + frame.span.x_of(at)
        if not FIGURES <= x <= width:
            return None
        step = min(1.0, step_of(frame.span.per_px))
        text = marked(clock_text(frame.wall.at(at), step))
        wide = self._metrics.horizontalAdvance(text) + 10
        return QRectF(round(min(max(x - wide / 2, 1.0), width - wide - 1.0)), 2, round(wide), _PILL), text

    def _paint_pill(self, painter: QPainter, pill: tuple[QRectF, str], palette: Palette, *, is_filled: bool) -> None:
        box, text = pill
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(QPen(colour(palette.text), 1))
        painter.setBrush(colour(palette.text if is_filled else palette.panel))
        painter.drawRoundedRect(box.adjusted(0.5, 0.5, -0.5, -0.5), RADIUS, RADIUS)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)
        painter.setPen(colour(palette.panel if is_filled else palette.text))
        painter.drawText(box, Qt.AlignmentFlag.AlignCenter, text)
