"""Painting the frame of the bars: the column of devices, the axis with its marks, and the present."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QLineF, QPointF, QRectF, Qt
from PySide6.QtGui import QPainter, QPen, QPolygonF

from starloom.scheduling.read.run_view import RunView
from starloom_gui.text.wall_clock import marked
from starloom_gui.text.words import hour_of
from starloom_gui.theme.metrics import FLAG, LANE, LANE_COLUMN, RADIUS
from starloom_gui.timeline.geometry import AXIS
from starloom_gui.viewmodel.absences import within
from starloom_gui.viewmodel.outage_words import outage_text, seconds_left
from starloom_gui.viewmodel.task_words import silent_since
from starloom_gui.viewmodel.ticks import MINUTE, clock_text, step_of
from starloom_gui.viewmodel.wall_time import elapsed_text

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from PySide6.QtGui import QColor

    from starloom_gui.timeline.geometry import Geometry
    from starloom_gui.timeline.inks import Inks
    from starloom_gui.timeline.labels import LabelCache
    from starloom_gui.timeline.model import TimelineModel
    from starloom_gui.viewmodel.absences import Absence
    from starloom_gui.viewmodel.flags import Flag
    from starloom_gui.viewmodel.lanes import Lane
    from starloom_gui.viewmodel.ticks import Tick
    from starloom_gui.viewmodel.wall_time import WallTime

_HARDLY: Final = 1.0
"""Pixels between two absences that nobody sees."""
_LABEL: Final = 10.0
"""Pixels from the top of the axis to the middle of its labels."""
_PILL: Final = 16.0
_PAD: Final = 4.0
_DOT: Final = 3.0


class TimelineFramePainter:
    """Paints column, axis and lines; the painter's origin is the viewport's upper left corner.

    Args:
        inks: pens and colours.
        small: the font of devices, slots and times.
    """

    def __init__(self, inks: Inks, small: LabelCache) -> None:
        self._inks = inks
        self._small = small

    # ---- under the bars

    def ground(self, painter: QPainter, geometry: Geometry, present: float | None, marks: Sequence[Tick]) -> None:
        """The panel, what is to come a little lighter, and a line at each tick."""
        painter.fillRect(QRectF(0, 0, geometry.width, geometry.height), self._inks.panel)
        left = LANE_COLUMN if present is None else max(LANE_COLUMN, LANE_COLUMN + present)
        if present is not None and left < geometry.width:
            painter.fillRect(QRectF(left, AXIS, geometry.width - left, geometry.height - AXIS), self._inks.future)
        painter.setPen(QPen(self._inks.grid, 1))
        lines = []
        for tick in marks:
            x = self._line_x(geometry, tick.at)
            lines.append(QLineF(x, AXIS - 5, x, geometry.height))
        painter.drawLines(lines)

    def dividers(self, painter: QPainter, geometry: Geometry, lanes: Sequence[Lane]) -> None:
        """A line between two devices, and one below the last."""
        painter.setPen(QPen(self._inks.divider, 1))
        tops = [geometry.y_of(row) for row in geometry.rows if lanes[row].is_first and row]
        if geometry.rows.stop == geometry.count:
            tops.append(geometry.y_of(geometry.count))
        painter.drawLines([QLineF(0, top - 0.5, geometry.width, top - 0.5) for top in tops])

    def absences(
        self,
        painter: QPainter,
        geometry: Geometry,
        lanes: Sequence[Lane],
        absences: Mapping[str, Sequence[Absence]],
        now: float,
    ) -> None:
        """Hatch the lanes of a device where it was unavailable. The painter's origin is the plot's left edge.

        Args:
            painter: its origin is the plot's left edge.
            geometry: where lanes and times are.
            lanes: of the timeline, by row.
            absences: by device id, oldest first.
            now: seconds on the engine's clock; an absence that goes on ends there.
        """
        places: dict[str, list[tuple[float, float]]] = {}
        for row in geometry.rows:
            device_id = lanes[row].device_id
            if device_id not in places:  # its lanes look alike, and one that comes and goes is away a thousand times
                places[device_id] = _stretches(geometry, absences.get(device_id, ()), now)
            for left, right in places[device_id]:
                painter.fillRect(QRectF(left, geometry.y_of(row), right - left, geometry.lane), self._inks.away)

    def outages(self, painter: QPainter, geometry: Geometry, model: TimelineModel, now: float) -> None:
        """Since when devices are unreachable, and how long they are waited for, at the present in their first lanes.

        The painter's origin is the plot's left edge.
        """
        run = model.run
        if model.is_planned:  # its axis begins with its start, whenever that is
            return
        for row in geometry.rows:
            device = run.fleet.devices.get(model.lanes[row].device_id)
            left = seconds_left(device, now) if model.lanes[row].is_first else None
            if device is None or left is None:
                continue
            text = outage_text(silent_since(RunView(run), device, now), left)
            wide = self._small.width(text) + 2 * _PAD
            present = min(max(0.0, geometry.span.x_of(now)), geometry.plot_width)
            at = present - wide - _PAD if present >= wide + _PAD else present + _PAD
            box = QRectF(at, geometry.y_of(row) + (LANE - _PILL) / 2, wide, _PILL)
            painter.fillRect(box, self._inks.panel)
            painter.setFont(self._small.font)
            self._small.draw(painter, text, at + _PAD, box.center().y(), self._inks.lost)

    # ---- beside and above the bars

    def column(self, painter: QPainter, geometry: Geometry, lanes: Sequence[Lane]) -> None:
        """Devices at their first lane, or at the top while that is scrolled away, and the numbers of their slots."""
        painter.save()
        painter.setClipRect(QRectF(0, AXIS, LANE_COLUMN, geometry.height - AXIS))
        for row in geometry.rows:
            lane, middle = lanes[row], geometry.y_of(row) + LANE / 2
            if lane.is_first or row == geometry.rows.start:
                name = self._small.fitting(lane.device_id, LANE_COLUMN - 44)
                if name is not None:
                    painter.setFont(self._small.font)
                    painter.setPen(self._inks.name)
                    painter.drawStaticText(QPointF(12, middle - self._small.height / 2), name)
            if not lane.is_only:
                text = str(lane.slot + 1)
                painter.setFont(self._small.font)
                left = LANE_COLUMN - 12 - self._small.width(text)
                self._small.draw(painter, text, left, middle, self._inks.muted)
        painter.restore()
        painter.setPen(QPen(self._inks.border, 1))
        painter.drawLine(QLineF(LANE_COLUMN - 0.5, AXIS, LANE_COLUMN - 0.5, geometry.height))

    def axis(
        self, painter: QPainter, geometry: Geometry, wall: WallTime, marks: Sequence[Tick], taken: Sequence[QRectF]
    ) -> None:
        """Times along the top; see `labels_of`."""
        painter.fillRect(QRectF(0, 0, geometry.width, AXIS), self._inks.panel)
        painter.setPen(QPen(self._inks.border, 1))
        painter.drawLine(QLineF(0, AXIS - 0.5, geometry.width, AXIS - 0.5))
        painter.save()
        painter.setClipRect(QRectF(LANE_COLUMN, 0, geometry.plot_width, AXIS))
        painter.setFont(self._small.font)
        painter.setPen(QPen(self._inks.border, 1))
        feet = [self._line_x(geometry, tick.at) for tick in marks]
        painter.drawLines([QLineF(x, AXIS - 5, x, AXIS - 1) for x in feet])
        for text, left in self.labels_of(geometry, marks, taken):
            self._small.draw(painter, text, left, _LABEL, self._inks.muted)
        self._jumps(painter, geometry, wall)
        painter.restore()

    def labels_of(
        self, geometry: Geometry, marks: Sequence[Tick], taken: Sequence[QRectF]
    ) -> Iterator[tuple[str, float]]:
        """The time labels that fit, each with its left edge, without overlapping each other or `taken`."""
        free_from, end = LANE_COLUMN - _PAD, geometry.width + _PAD
        for tick in marks:
            box = self._box(tick.text, self._line_x(geometry, tick.at))
            if free_from <= box.left() and box.right() <= end and not any(box.intersects(other) for other in taken):
                yield tick.text, box.left() + _PAD
                free_from = box.right()

    def _jumps(self, painter: QPainter, geometry: Geometry, wall: WallTime) -> None:
        """Two strokes across the axis where nobody ran the run and wall time went on."""
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(QPen(self._inks.outline, 1.25))
        for at in wall.jumps:
            x = self._line_x(geometry, at)
            painter.drawLines([QLineF(x + by - 2, AXIS + 1, x + by + 2, AXIS - 8) for by in (-2, 2)])
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)

    def flags(self, painter: QPainter, geometry: Geometry, flags: Sequence[Flag]) -> None:
        """Paint the interventions: flags 8 high on the axis, those of agents with a dot."""
        painter.save()
        painter.setClipRect(QRectF(LANE_COLUMN, 0, geometry.plot_width, AXIS))
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        ink = self._inks.name
        for flag in flags:
            x = self._line_x(geometry, flag.at)
            if not LANE_COLUMN - FLAG <= x <= geometry.width:
                continue
            foot, head = AXIS - 1.0, AXIS - 1.0 - FLAG
            painter.setPen(QPen(ink, 1))
            painter.drawLine(QLineF(x, head, x, foot))
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(ink)
            painter.drawPolygon(QPolygonF([QPointF(x, head), QPointF(x + 6, head + 2.5), QPointF(x, head + 5)]))
            if flag.by_agent:
                painter.drawEllipse(QRectF(x + 8, head + 1, _DOT, _DOT))
        painter.restore()

    # ---- the present and the end

    def pill_of(
        self, geometry: Geometry, at: float, wall: WallTime, *, fine: bool = False, now: float | None = None
    ) -> tuple[QRectF, str] | None:
        """Box and text of a moment's time on the axis; None: out of sight.

        Args:
            geometry: where times are.
            at: the moment, on the engine's clock.
            wall: what time that is.
            fine: whether seconds are told, however coarse the axis is.
            now: the present; a moment of another day is told with its day. None: days are not told.
        """
        x = LANE_COLUMN + geometry.snapped(geometry.span.x_of(at))
        if not LANE_COLUMN <= x <= geometry.width:
            return None
        step = step_of(geometry.span.per_px)
        if wall.is_relative:
            return self._pill_at(geometry, x, elapsed_text(at, min(step, 1.0) if fine else step))
        step = min(step, 1.0) if fine or step < MINUTE else MINUTE  # its line stands at the second
        then = wall.at(at)
        is_today = now is None or wall.at(now).date() == then.date()
        text = marked(clock_text(then, step)) if is_today or now is None else hour_of(then, wall.at(now))
        return self._pill_at(geometry, x, text)

    def _pill_at(self, geometry: Geometry, x: float, text: str) -> tuple[QRectF, str]:
        wide = self._small.width(text) + 10
        left = min(max(x - wide / 2, LANE_COLUMN + 1.0), geometry.width - wide - 1.0)
        return QRectF(round(left), 2, round(wide), _PILL), text

    def present(self, painter: QPainter, geometry: Geometry, at: float, pill: tuple[QRectF, str] | None) -> None:
        """A line from the axis down, and its time in the text colour's negative."""
        x = self._line_x(geometry, at)
        if not LANE_COLUMN <= x <= geometry.width:
            return
        painter.setPen(QPen(self._inks.name, 1))
        painter.drawLine(QLineF(x, AXIS - 9, x, geometry.height))
        if pill is not None:
            self._pill(painter, pill, self._inks.name, self._inks.name, self._inks.panel)

    def hairline(self, painter: QPainter, geometry: Geometry, at: float, pill: tuple[QRectF, str] | None) -> None:
        """A muted line from the axis down, its time outlined."""
        x = self._line_x(geometry, at)
        if LANE_COLUMN <= x <= geometry.width:
            painter.setPen(QPen(self._inks.muted, 1))
            painter.drawLine(QLineF(x, AXIS - 9, x, geometry.height))
            if pill is not None:
                self._pill(painter, pill, self._inks.name, self._inks.panel, self._inks.name)

    def finish(self, painter: QPainter, geometry: Geometry, at: float, pill: tuple[QRectF, str] | None) -> None:
        """Paint the projected end of the run: a dashed line with its time outlined."""
        x = self._line_x(geometry, at)
        if not LANE_COLUMN <= x <= geometry.width:
            return
        pen = QPen(self._inks.name, 1)
        pen.setDashPattern([3.0, 3.0])
        painter.setPen(pen)
        painter.drawLine(QLineF(x, AXIS - 4, x, geometry.height))
        if pill is not None:
            self._pill(painter, pill, self._inks.name, self._inks.panel, self._inks.name)

    def finish_then(self, painter: QPainter, geometry: Geometry, at: float) -> None:
        """Paint the end of the baseline run: a muted dotted line."""
        x = self._line_x(geometry, at)
        if LANE_COLUMN <= x <= geometry.width:
            pen = QPen(self._inks.muted, 1)
            pen.setDashPattern([1.0, 3.0])
            painter.setPen(pen)
            painter.drawLine(QLineF(x, AXIS, x, geometry.height))

    def remark_pill(self, geometry: Geometry, text: str) -> tuple[QRectF, str]:
        """The box of a muted sentence at the right end of the axis, and the sentence."""
        wide = self._small.width(text) + 2 * _PAD
        return QRectF(geometry.width - wide - _PAD, 2, wide, _PILL), text

    def remark(self, painter: QPainter, pill: tuple[QRectF, str]) -> None:
        """Paint a muted sentence; see `remark_pill`."""
        box, text = pill
        painter.fillRect(box, self._inks.panel)
        painter.setFont(self._small.font)
        self._small.draw(painter, text, box.left() + _PAD, _LABEL, self._inks.muted)

    def _pill(self, painter: QPainter, pill: tuple[QRectF, str], edge: QColor, fill: QColor, ink: QColor) -> None:
        box, text = pill
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(QPen(edge, 1))
        painter.setBrush(fill)
        painter.drawRoundedRect(box.adjusted(0.5, 0.5, -0.5, -0.5), RADIUS, RADIUS)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)
        painter.setFont(self._small.font)
        self._small.draw(painter, text, box.left() + 5, box.center().y(), ink)

    def _box(self, text: str, x: float) -> QRectF:
        wide = self._small.width(text) + 2 * _PAD
        return QRectF(round(x - wide / 2), 2, wide, _PILL)

    @staticmethod
    def _line_x(geometry: Geometry, at: float) -> float:
        """The middle of the device pixel a hairline lies on."""
        return LANE_COLUMN + geometry.snapped(geometry.span.x_of(at)) + 0.5 / geometry.ratio


def _stretches(geometry: Geometry, known: Sequence[Absence], now: float) -> list[tuple[float, float]]:
    """From and to which pixel of the plot a device was away; what is hardly apart is one."""
    span, found = geometry.span, list[tuple[float, float]]()
    last = min(now, span.time_at(geometry.plot_width))
    for one in within(known, span.left, last):
        left = geometry.snapped(span.x_of(max(one.start, span.left)))
        right = geometry.snapped(span.x_of(min(one.end, last)))
        if found and left - found[-1][1] <= _HARDLY:
            found[-1] = found[-1][0], right
        elif right > left:
            found.append((left, right))
    return found
