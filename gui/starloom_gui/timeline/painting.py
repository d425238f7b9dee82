"""Painting one frame of the timeline: each painter does its part, in order."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication, QRectF, Qt
from PySide6.QtGui import QPainter, QPen

from starloom.foresight.projection import Certainty
from starloom_gui.theme.fonts import Role, font
from starloom_gui.theme.metrics import BAR, BAR_RADIUS, LANE_COLUMN, RING
from starloom_gui.timeline.bars_painter import BarsPainter, ring_of
from starloom_gui.timeline.baseline_painter import BaselinePainter
from starloom_gui.timeline.foreseen_painter import ForeseenPainter
from starloom_gui.timeline.frame_painter import TimelineFramePainter
from starloom_gui.timeline.geometry import AXIS, BAR_TOP
from starloom_gui.timeline.inks import Inks
from starloom_gui.timeline.labels import LabelCache
from starloom_gui.viewmodel.ticks import ticks

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence

    from starloom_gui.theme.palette import Palette
    from starloom_gui.timeline.geometry import Geometry
    from starloom_gui.timeline.model import TimelineModel
    from starloom_gui.timeline.spots import Spot
    from starloom_gui.viewmodel.absences import Absence
    from starloom_gui.viewmodel.flags import Flag
    from starloom_gui.viewmodel.ticks import Tick
    from starloom_gui.viewmodel.wall_time import WallTime


@dataclass(frozen=True, slots=True)
class TimelineFrame:
    """The input of one frame of the timeline.

    Attributes:
        now: the present, in seconds on the engine's clock.
        is_live: the run goes on, so that there is a present to be shown.
        selected: numbers of tasks.
        focus: the bar the keys act on, where they act; it gets a dashed ring.
        absences: when devices could not be used, by their ids.
    """

    model: TimelineModel
    geometry: Geometry
    now: float
    is_live: bool
    flags: Sequence[Flag] = ()
    selected: Collection[int] = field(default_factory=frozenset)
    focus: Spot | None = None
    absences: Mapping[str, Sequence[Absence]] = field(default_factory=dict)


class TimelinePainter:
    """Paints frames in one palette at one device pixel ratio; it has no cache.

    Args:
        palette: the colours.
        ratio: device pixels for each logical one.
    """

    def __init__(self, palette: Palette, ratio: float) -> None:
        self.inks = Inks(palette, ratio)
        small = LabelCache(font(Role.SMALL))
        no_estimate = QCoreApplication.translate("Timeline", "no estimate")
        self._frame = TimelineFramePainter(self.inks, small)
        self._bars = BarsPainter(self.inks, small)
        self._ghosts = BaselinePainter(self.inks)
        self._foreseen = ForeseenPainter(self.inks, small, self._bars, no_estimate)

    def paint(self, painter: QPainter, frame: TimelineFrame) -> None:
        """Paint everything."""
        geometry, model = frame.geometry, frame.model
        present = geometry.snapped(geometry.span.x_of(frame.now)) if frame.is_live else None
        marks = ticks(geometry.span, geometry.plot_width, model.wall)
        self._frame.ground(painter, geometry, present, marks)
        self._frame.dividers(painter, geometry, model.lanes)
        painter.save()
        painter.setClipRect(QRectF(LANE_COLUMN, AXIS, geometry.plot_width, geometry.height - AXIS))
        painter.translate(LANE_COLUMN, 0)
        if frame.absences:
            self._frame.absences(painter, geometry, model.lanes, frame.absences, frame.now)
        if model.earlier is not None:
            self._ghosts.paint(painter, geometry, model, frame.selected)
        self._bars.paint(painter, geometry, model, frame.now, frame.selected)
        if frame.is_live:
            self._foreseen.paint(painter, geometry, model, frame.now, frame.selected)
            self._frame.outages(painter, geometry, model, frame.now)
        if frame.focus is not None and (frame.is_live or not frame.focus.is_foreseen):
            self._focus(painter, frame, frame.focus)
        painter.restore()
        self._frame.column(painter, geometry, model.lanes)
        self._axis(painter, frame, marks)

    def point(self, painter: QPainter, geometry: Geometry, at: float, wall: WallTime) -> None:
        """The moment that is pointed at, here or in another view: a muted line and its time."""
        self._frame.hairline(painter, geometry, at, self._frame.pill_of(geometry, at, wall, fine=True))

    def _axis(self, painter: QPainter, frame: TimelineFrame, marks: Sequence[Tick]) -> None:
        """Paint the axis with its labels; those of the present, of the end and of an unknown end have precedence."""
        part, geometry, wall = self._frame, frame.geometry, frame.model.wall
        end = _end(frame)
        now_pill = part.pill_of(geometry, frame.now, wall, fine=True) if frame.is_live else None
        end_pill = part.pill_of(geometry, end, wall, now=frame.now) if end is not None else None
        if now_pill is not None and end_pill is not None and now_pill[0].intersects(end_pill[0]):
            end_pill = None
        remark = None
        if _is_unknown(frame):
            remark = part.remark_pill(geometry, QCoreApplication.translate("Timeline", "No estimate of the finish"))
        if remark is not None and now_pill is not None and remark[0].intersects(now_pill[0]):
            remark = None  # the header says so, too
        taken = [pill[0] for pill in (now_pill, end_pill, remark) if pill is not None]
        part.axis(painter, geometry, wall, marks, taken)
        if remark is not None:
            part.remark(painter, remark)
        part.flags(painter, geometry, frame.flags)
        if (then := frame.model.finish_then) is not None:
            part.finish_then(painter, geometry, then)
        if end is not None:
            part.finish(painter, geometry, end, end_pill)
        if frame.is_live:
            part.present(painter, geometry, frame.now, now_pill)

    def _focus(self, painter: QPainter, frame: TimelineFrame, spot: Spot) -> None:
        span, geometry = frame.geometry.span, frame.geometry
        start = max(spot.bar.start, frame.now) if spot.is_foreseen else spot.bar.start
        end = spot.bar.end if spot.is_foreseen else min(spot.bar.end, max(frame.now, start))
        left, right = max(-16.0, span.x_of(start)), min(geometry.plot_width + 16.0, span.x_of(end))
        rect = QRectF(left, geometry.y_of(spot.row) + BAR_TOP, max(2.0, right - left), BAR)
        pen = QPen(self.inks.name, RING)
        pen.setDashPattern([2.0, 1.5])
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(pen)
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.drawRoundedRect(ring_of(rect), BAR_RADIUS + RING, BAR_RADIUS + RING)


def _end(frame: TimelineFrame) -> float | None:
    """When the run is foreseen to end; None too when that has passed and the next projection is not there yet."""
    projection = frame.model.outlook
    end = projection.end if projection is not None and frame.is_live else None
    return end if end is not None and end > frame.now else None


def _is_unknown(frame: TimelineFrame) -> bool:
    projection = frame.model.outlook
    return frame.is_live and projection is not None and projection.certainty is Certainty.UNKNOWN
