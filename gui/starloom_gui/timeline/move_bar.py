"""Moving a bar that has not started: to another device, which pins it, or beside another bar of its own."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QFontMetricsF, QPainter, QPen

from starloom.constellation.edits import UpdateTask
from starloom_gui.editing.base import Step
from starloom_gui.text.words import fill, translate
from starloom_gui.theme.fonts import Role, elided, font
from starloom_gui.theme.metrics import BAR, BAR_RADIUS, LANE_COLUMN
from starloom_gui.theme.palette import colour
from starloom_gui.timeline.bar_order import BarOrder
from starloom_gui.timeline.geometry import AXIS, BAR_TOP
from starloom_gui.widgets.reason_note import note_box, paint_note

if TYPE_CHECKING:
    from starloom_gui.editing.ordering import Ordering, Putting
    from starloom_gui.editing.trial import Trial
    from starloom_gui.specs.action_spec import Verdict
    from starloom_gui.theme.palette import Palette
    from starloom_gui.timeline.board import TimelineScene
    from starloom_gui.timeline.geometry import Geometry
    from starloom_gui.timeline.pins import DevicePinning
    from starloom_gui.timeline.spots import Spot

_DIM: Final = 0.7
_REPLACED: Final = 0.6
"""What is left out of the bar's old place, so that 40 % of it can be seen."""
_LEAST: Final = 8.0
_FOR_NAME: Final = 62.0


class MoveBar:
    """Drags a bar to another lane. A command is sent at the end only, and only if the lane has changed.

    Lanes of devices where it cannot go are dimmed, and the reason is said; who could take it is asked once, at the
    beginning.

    Args:
        board: the timeline.
        spot: the bar, which belongs to the run that is shown and has not started.
        pins: may it, and do it.
        trial: says what it would change once the bar rests; None: nothing is foreseen.
        ordering: has tasks of one device start in another order; None: only other devices are asked for.
    """

    cursor = Qt.CursorShape.ClosedHandCursor
    scrolls = True

    def __init__(
        self,
        board: TimelineScene,
        spot: Spot,
        pins: DevicePinning,
        trial: Trial | None = None,
        ordering: Ordering | None = None,
    ) -> None:
        assert spot.number is not None, "the bar belongs to the run that is shown"
        self._board, self._spot, self._pins = board, spot, pins
        self._number, self._trial = spot.number, trial
        lanes = board.model.lanes
        self._from = pins.device_of(self._number) or lanes[spot.row].device_id
        self._verdicts: dict[str, Verdict] = {
            device_id: pins.verdict(self._number, device_id)
            for device_id in dict.fromkeys(lane.device_id for lane in lanes)
            if device_id != self._from
        }
        self._row: int | None = spot.row
        self._at: QPointF | None = None
        self._order = BarOrder(board, spot, self._from, ordering) if ordering is not None else None

    # ---- by pointer

    def move(self, at: QPointF) -> None:
        """Move the bar into the lane below the pointer."""
        self._at, self._row = at, self._board.geometry_now().row_at(at.y())
        if self._order is not None:
            self._order.point(at, self._row if self.device == self._from else None)
        self._try()

    # ---- by keys

    def step(self, by: int) -> None:
        """Move the bar to the next device below (1) or above (-1); at the last one it stays."""
        lanes = self._board.model.lanes
        devices = list(dict.fromkeys(lane.device_id for lane in lanes))
        now = self.device or self._from
        place = min(max(devices.index(now) + by, 0), len(devices) - 1) if now in devices else 0
        wanted = devices[place]
        rows = [row for row, lane in enumerate(lanes) if lane.device_id == wanted]
        self._row = self._spot.row if self._spot.row in rows else rows[0]
        self._at = None
        if self._order is not None:
            self._order.leave()
        self._try()

    def shift(self, by: int) -> None:
        """Move before the bar to the left (-1), or after the one to the right (1), on its projected device."""
        if self._order is not None:
            self._row, self._at = self._order.shift(by), None
            self._try()

    # ---- what it comes to

    def _try(self) -> None:
        """Request a projection of the move, in time or to another device."""
        if self._trial is None:
            return
        device, run = self.device, self._board.model.run
        if self._putting is not None and self._putting.words:
            self._trial.ask(self._putting.step)
        elif device is None or device == self._from or self._is_dim(device):
            self._trial.ask(None)
        else:
            edit = UpdateTask(run.graph.ids[self._number], device=device)
            self._trial.ask(Step(label=self._plain_words(device), edits=(edit,)))

    def _end(self) -> None:
        if self._trial is not None:
            self._trial.ask(None)

    @property
    def _putting(self) -> Putting | None:
        """The task on its way to another place in line."""
        return self._order.putting if self._order is not None else None

    @property
    def is_wrong(self) -> bool:
        """Whether it cannot go where it is held."""
        is_late = self._putting is not None and self._putting.is_wrong
        return is_late or (self.device is not None and self._is_dim(self.device))

    @property
    def device(self) -> str | None:
        """The device whose lane it is in now; None: it is in none."""
        lanes = self._board.model.lanes
        return lanes[self._row].device_id if self._row is not None and self._row < len(lanes) else None

    @property
    def row(self) -> int | None:
        """The lane it is in now."""
        return self._row

    @property
    def words(self) -> str:
        """The effect of the move in words, or why it is not possible."""
        device, more = self.device, self._trial.words if self._trial is not None else ""
        if self._putting is not None and (words := self._putting.words):
            return "\n".join(filter(None, (words, "" if self.is_wrong else more)))
        if device is None or device == self._from:
            return fill(translate("Timeline", "Stays on %1"), self._from)
        verdict = self._verdicts.get(device)
        if verdict is not None and not verdict.ok:
            return f"{verdict.reason} {verdict.hint}".strip()
        return "\n".join(filter(None, (self._plain_words(device), more)))

    def _plain_words(self, device: str) -> str:
        return fill(translate("Timeline", "Only on %1"), device)

    def _is_dim(self, device_id: str) -> bool:
        verdict = self._verdicts.get(device_id)
        return verdict is not None and not verdict.ok

    def commit(self) -> None:
        """Set the priority for the new place, or pin the task to the new device, if that is allowed."""
        self._end()
        if self._putting is not None and self._putting.words:
            self._putting.commit()
            return
        device = self.device
        if device is not None and device != self._from and not self._is_dim(device):
            self._pins.pin(self._number, device)

    def cancel(self) -> None:
        """End the move without a change."""
        self._end()

    # ---- what is seen

    def paint(self, painter: QPainter, height: int, palette: Palette) -> None:
        """Paint impossible lanes dimmed, the bar in its present lane, and the projected effect."""
        geometry, model = self._board.geometry_now(), self._board.model
        painter.save()
        painter.setClipRect(QRectF(0, AXIS, geometry.width, height - AXIS))
        for row in geometry.rows:
            if self._is_dim(model.lanes[row].device_id):
                painter.fillRect(
                    QRectF(0, geometry.y_of(row), geometry.width, geometry.lane), colour(palette.panel, _DIM)
                )
        old = self._box(geometry, self._spot.row)
        if self._row != self._spot.row:
            painter.fillRect(old, colour(palette.panel, _REPLACED))
        box = self._box(geometry, self._row) if self._row is not None else old
        self._paint_bar(painter, box, palette)
        if self._order is not None:
            self._order.paint(painter, geometry, palette)
        painter.restore()
        at = self._at if self._at is not None else box.bottomLeft() - QPointF(10, 14)
        room = QRectF(0, AXIS, geometry.width, height - AXIS)
        paint_note(painter, self.words, note_box(self.words, at, room), palette, wrong=self.is_wrong)

    def _box(self, geometry: Geometry, row: int) -> QRectF:
        span, bar = geometry.span, self._spot.bar
        start = max(bar.start, self._board.present())  # what is late is late from now on
        left = LANE_COLUMN + max(0.0, span.x_of(start))
        right = LANE_COLUMN + min(float(geometry.plot_width), span.x_of(bar.end))
        return QRectF(left, geometry.y_of(row) + BAR_TOP, max(_LEAST, right - left), BAR)

    def _paint_bar(self, painter: QPainter, box: QRectF, palette: Palette) -> None:
        painter.setOpacity(0.3 if self.is_wrong else 1.0)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        pen = QPen(colour(palette.text), 1.5)
        pen.setDashPattern([3.0, 2.0])
        painter.setPen(pen)
        painter.setBrush(colour(palette.panel))
        painter.drawRoundedRect(box.adjusted(0.5, 0.5, -0.5, -0.5), BAR_RADIUS, BAR_RADIUS)
        if box.width() >= _FOR_NAME:
            painter.setFont(font(Role.SMALL))
            metrics = QFontMetricsF(font(Role.SMALL))
            name = self._board.model.name_of(self._spot.bar.key)
            shown = elided(name, metrics, box.width() - 8)
            painter.drawText(box.adjusted(4, 0, -4, 0), Qt.AlignmentFlag.AlignVCenter, shown)
        painter.setOpacity(1.0)
