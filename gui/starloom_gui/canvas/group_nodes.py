"""Paints folded groups: name, count, a stacked bar, and the number of failures."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QPointF, QRectF
from PySide6.QtGui import QPainter, QPainterPath, QPen

from starloom.scheduling.state.codes import FAILED
from starloom_gui.canvas.camera import Level
from starloom_gui.canvas.labels import LINE_BASELINE, LINE_HEIGHT, NAME_BASELINE
from starloom_gui.canvas.words import group_lines
from starloom_gui.text.words import amount
from starloom_gui.theme.chips import paint_bar
from starloom_gui.theme.icons import Icon, drawing
from starloom_gui.theme.metrics import NODE_RADIUS
from starloom_gui.theme.palette import colour

if TYPE_CHECKING:
    from starloom_gui.canvas.bundles import StatusTally
    from starloom_gui.canvas.camera import Camera
    from starloom_gui.canvas.labels import NodeLabels
    from starloom_gui.theme.palette import Palette

BAR: Final = 6.0
LEAST_BAR: Final = 3.0
PAD: Final = 12.0
LEAST_PAD: Final = 4.0
ARROW: Final = 16.0
LEAST_ARROW: Final = 11.0


class _Room:
    """The measures inside the box of a group, in device pixels."""

    def __init__(self, box: QRectF, camera: Camera) -> None:
        k, ratio = camera.total, camera.ratio
        self.pad = round(max(PAD * k, LEAST_PAD * ratio))
        self.arrow = round(max(ARROW * k, LEAST_ARROW * ratio))
        self.left = box.left() + max(round(6 * k), 2 * ratio) + self.arrow + round(2 * ratio)
        self.right = box.right() - self.pad
        self.name = box.top() + max(NAME_BASELINE * k, LINE_HEIGHT * ratio)
        self.line = box.top() + max(LINE_BASELINE * k, NAME_BASELINE * k + LINE_HEIGHT * ratio)
        high = round(max(BAR * k, LEAST_BAR * ratio))
        low = box.bottom() - round(max(11 * k, LEAST_BAR * ratio))
        self.bar = QRectF(box.left() + self.pad, low - high, box.width() - 2 * self.pad, high)


class GroupNodes:
    """Paints folded groups, one after the other: there are never many visible at a scale that shows text."""

    def __init__(self, labels: NodeLabels) -> None:
        self._labels = labels

    def paint(self, painter: QPainter, tally: StatusTally, box: QRectF, camera: Camera, palette: Palette) -> None:
        """Paint one group.

        Args:
            painter: device pixels; opaque, or as faint as the group is to be.
            tally: what is in it.
            box: where it is, in whole pixels.
            camera: how large everything is.
            palette: the colours.
        """
        if camera.level is Level.FAR:
            paint_bar(painter, box, tally.counts, palette)
            return
        self._paint_card(painter, tally, box, camera, palette)
        room = _Room(box, camera)
        if camera.level is Level.FULL:
            self._paint_words(painter, tally, room, palette)
        else:
            self._paint_name(painter, tally, box, camera, palette)
        paint_bar(painter, room.bar, tally.counts, palette)

    def _paint_card(self, painter: QPainter, tally: StatusTally, box: QRectF, camera: Camera, palette: Palette) -> None:
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        wrong = bool(tally.counts[FAILED])
        width = (2.0 if wrong else 1.0) * camera.ratio
        radius = max(NODE_RADIUS * camera.total, 3 * camera.ratio)
        outline = QPainterPath()
        outline.addRoundedRect(box.adjusted(width / 2, width / 2, -width / 2, -width / 2), radius, radius)
        painter.fillPath(outline, colour(palette.panel))
        painter.strokePath(outline, QPen(colour(palette.status[FAILED].shape if wrong else palette.outline), width))
        if camera.level is Level.FULL:
            room = _Room(box, camera)
            middle = room.name - LINE_HEIGHT * camera.ratio / 3  # that of small letters, at every scale
            arrow = QRectF(room.left - room.arrow - 2 * camera.ratio, middle - room.arrow / 2, room.arrow, room.arrow)
            drawing(Icon.COLLAPSED).paint(painter, arrow, colour(palette.muted))

    def _paint_words(self, painter: QPainter, tally: StatusTally, room: _Room, palette: Palette) -> None:
        labels = self._labels
        wrong, rests = group_lines(tally.counts)
        left = room.bar.left()
        if wrong:
            labels.draw(painter, wrong, QPointF(left, room.line), palette.status[FAILED].text, small=True)
            left += labels.width(wrong, small=True)
        fitting = [rest for rest in rests if left + labels.width(rest, small=True) <= room.right]
        if fitting:
            labels.draw(painter, fitting[0], QPointF(left, room.line), palette.muted, small=True)
        says_count = bool(fitting) and fitting[0] != rests[-1]
        self._paint_first_line(painter, tally, room, palette, says_count=says_count)

    def _paint_first_line(
        self, painter: QPainter, tally: StatusTally, room: _Room, palette: Palette, *, says_count: bool
    ) -> None:
        """Paint the name, and the count; this goes where the name needs its room and the line below says it, too."""
        labels, count, short = self._labels, amount(tally.total), self._labels.short(tally.name)
        wide = labels.width(count, small=True)
        name_room = round(room.right - wide - room.pad - room.left)
        if says_count and labels.width(short) > name_room:
            name_room = round(room.right - room.left)
        else:
            labels.draw(painter, count, QPointF(room.right - wide, room.name), palette.muted, small=True)
        labels.draw(painter, tally.name, QPointF(room.left, room.name), palette.text, name_room, short=short)

    def _paint_name(self, painter: QPainter, tally: StatusTally, box: QRectF, camera: Camera, palette: Palette) -> None:
        if camera.has_names:
            gap = round(LEAST_PAD * camera.ratio)
            at = QPointF(box.left() + gap, box.top() + LINE_HEIGHT * camera.ratio)
            name_room, short = round(box.width()) - 2 * gap, self._labels.short(tally.name)
            self._labels.draw(painter, tally.name, at, palette.text, name_room, short=short)
