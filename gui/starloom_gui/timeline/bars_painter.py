"""Painting bars: those too narrow for a form as columns of pixels, the others one kind after the other."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np
from PySide6.QtCore import QLineF, QPointF, QRectF, Qt
from PySide6.QtGui import QBrush, QImage, QPainter, QPen

from starloom.scheduling.state import codes
from starloom_gui.theme import glyphs
from starloom_gui.theme.metrics import BAR, LANE, RING
from starloom_gui.theme.palette import colour
from starloom_gui.timeline.density import density
from starloom_gui.timeline.forms import BarShape, ring_form
from starloom_gui.timeline.geometry import BAR_TOP
from starloom_gui.timeline.kinds import CANCELLED, FAILED, OTHER, RETRIED, RUNNING, WARNED
from starloom_gui.timeline.sight import Sight, sight_of

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable

    from numpy.typing import NDArray

    from starloom_gui.theme.drawings import Drawing
    from starloom_gui.timeline.geometry import Geometry
    from starloom_gui.timeline.inks import Inks
    from starloom_gui.timeline.labels import LabelCache
    from starloom_gui.timeline.model import TimelineModel
    from starloom_gui.viewmodel.lane_bars import BarKey

FORM: Final = 4.0
"""Pixels from which on a bar has its form."""
LEAST_ROOM: Final = 8.0
"""Pixels from which on there is room for something in it."""
_LEAST: Final = 2.0
_PAUSE: Final = 24.0
"""Pixels from which on a pause is more than the gap in which the next attempt's number stands."""
_FOR_NUMBER: Final = 14.0
"""Pixels before a bar from which on there is room for the number of an attempt."""
_NUMBER_REACH: Final = 20.0
_GLYPH: Final = 10.0
_BADGE: Final = 14.0
"""How wide the badge of an attempt is that waits for somebody, is overdue, or prints nothing."""
_CRITICAL: Final = 1.5
"""How thick the line around an attempt that decided the finish is."""
_SMALLEST_GLYPH: Final = 6.0
_GLYPHS: Final = {
    RUNNING: glyphs.STATUS[codes.RUNNING],
    RETRIED: glyphs.STATUS[codes.FAILED],
    WARNED: glyphs.STATUS[codes.FAILED],
    FAILED: glyphs.STATUS[codes.FAILED],
    CANCELLED: glyphs.STATUS[codes.CANCELLED],
}
_BESIDE: Final = 5.0
"""Pixels between a bar's edge and what is in it."""
_Box = tuple[float, float, float]
"""Left, top and width of what is in sight of a bar."""


class BarsPainter:
    """Paints the bars of attempts that run or have ended; the painter's origin is the plot's upper left corner.

    Attributes:
        ring: the ring around what is selected.

    Args:
        inks: pens and brushes.
        labels: the font of names.
    """

    def __init__(self, inks: Inks, labels: LabelCache) -> None:
        self._inks = inks
        self._labels = labels
        self._forms = [BarShape(pen, fill, inks.ratio) for pen, fill in zip(inks.pen, inks.fill, strict=True)]
        self.ring = ring_form(QPen(inks.name, RING), inks.ratio)
        self._critical = BarShape(QPen(inks.name, _CRITICAL), QBrush(Qt.BrushStyle.NoBrush), inks.ratio)

    def paint(
        self, painter: QPainter, geometry: Geometry, model: TimelineModel, now: float, selected: Collection[int]
    ) -> None:
        """Paint all visible bars, and a ring around those of the selected tasks.

        Args:
            painter: in logical pixels of the plot.
            geometry: where lanes and times are.
            model: the bars.
            now: seconds on the engine's clock.
            selected: numbers of tasks of the run that is shown.
        """
        rows, width = geometry.rows, geometry.plot_width
        sight = sight_of(model.bars, rows, geometry.span, width, now)
        if sight is None:
            return
        self._lines(painter, geometry, sight)
        has_form = sight.x1 - sight.x0 >= FORM
        in_sight = (sight.x1 >= -_LEAST) & (sight.x0 <= width)
        narrow = in_sight & ~has_form
        if narrow.any():
            draw_density(painter, geometry, sight, narrow, self._inks.rgb)
        self._paint_forms(painter, geometry, model, sight, np.flatnonzero(has_form & in_sight))
        self._decided(painter, geometry, sight, model.decided)
        self._attempts(painter, geometry, sight)
        asks = model.run.awaiting.keys()
        self._mark(painter, geometry, sight, model.quiet.keys() - model.run.overdue - asks, glyphs.QUIET)
        self._mark(painter, geometry, sight, model.run.overdue - asks, glyphs.OVERDUE)
        self._mark(painter, geometry, sight, asks, glyphs.GATE)
        if selected:
            self.ring.draw(painter, *places_of(geometry, sight, chosen_of(sight, selected)))

    # ---- lines before and after bars

    def _lines(self, painter: QPainter, geometry: Geometry, sight: Sight) -> None:
        """Paint the times in the queue and the pauses before further attempts, below the bars."""
        width = geometry.plot_width
        top = geometry.y_of(geometry.rows.start)
        is_own = sight.kind != OTHER
        ready = np.maximum(np.maximum(sight.x_column("ready"), sight.before), -8.0)
        waits = np.flatnonzero(is_own & (sight.x0 - ready >= _LEAST) & (sight.x0 > 0) & (ready < width))
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(self._inks.wait)
        painter.drawRects(
            [QRectF(ready[i], top + sight.row[i] * geometry.lane + 9, sight.x0[i] - ready[i], 3) for i in waits]
        )
        until = np.minimum(np.minimum(sight.x_column("until"), sight.following), width + 8.0)
        pauses = np.flatnonzero(is_own & (until - sight.x1 >= _PAUSE) & (until > 0) & (sight.x1 < width))
        painter.setPen(dotted(self._inks))
        painter.drawLines([_middle(sight.x1[i] + 3, until[i] - 2, top + sight.row[i] * geometry.lane) for i in pauses])

    def _attempts(self, painter: QPainter, geometry: Geometry, sight: Sight) -> None:
        """Paint the number of each further attempt, where it fits."""
        attempt = sight.column("attempt")
        shown = np.flatnonzero(are_numbered(sight) & (sight.kind != OTHER) & (sight.x0 < geometry.plot_width))
        for index in shown:
            top = geometry.y_of(geometry.rows.start + int(sight.row[index]))
            self.number(painter, int(attempt[index]), float(sight.x0[index]), top)

    def number(self, painter: QPainter, attempt: int, x: float, top: float) -> None:
        """The number of an attempt, to the left of x."""
        text = str(attempt)
        width = self._labels.width(text)
        painter.fillRect(QRectF(x - width - 7, top + BAR_TOP, width + 5, BAR), self._inks.panel)
        self._labels.draw(painter, text, x - width - 4, top + LANE / 2, self._inks.muted)

    def _decided(
        self, painter: QPainter, geometry: Geometry, sight: Sight, decided: Collection[tuple[int, int]]
    ) -> None:
        """A line in the text colour around each attempt that decided the finish, as around those foreseen to."""
        if not decided:
            return
        chosen, attempt, number = (
            chosen_of(sight, {number for number, _ in decided}),
            sight.column("attempt"),
            sight.column("number"),
        )
        those = [at for at in chosen.tolist() if (int(number[at]), int(attempt[at])) in decided]
        if those:
            self._critical.draw(painter, *places_of(geometry, sight, np.array(those, dtype=np.intp)))

    def _mark(
        self, painter: QPainter, geometry: Geometry, sight: Sight, marked: Collection[int], glyph: Drawing
    ) -> None:
        """Paint a badge at the end of each running attempt of some tasks, however narrow its bar is."""
        if not marked:
            return
        top, reach = geometry.y_of(geometry.rows.start) + BAR_TOP + BAR / 2, _BADGE / 2 + 2
        for index in chosen_of(sight, marked):
            if sight.kind[index] == RUNNING and sight.x1[index] >= 0 and sight.x0[index] <= geometry.plot_width:
                right = min(float(sight.x1[index]), geometry.plot_width) - reach
                centre = QPointF(max(right, float(sight.x0[index])), top + int(sight.row[index]) * geometry.lane)
                self._badge(painter, centre, glyph)

    def _badge(self, painter: QPainter, centre: QPointF, glyph: Drawing) -> None:
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(QPen(self._inks.panel, 1.5))
        painter.setBrush(self._inks.wait)
        painter.drawEllipse(centre, _BADGE / 2, _BADGE / 2)
        box = QRectF(centre.x() - _BADGE / 2, centre.y() - _BADGE / 2, _BADGE, _BADGE)
        glyph.paint(painter, box.adjusted(1, 1, -1, -1), colour(self._inks.palette.on_fill))
        painter.restore()

    # ---- forms

    def _paint_forms(
        self, painter: QPainter, geometry: Geometry, model: TimelineModel, sight: Sight, chosen: NDArray[np.intp]
    ) -> None:
        kinds = sight.kind[chosen]
        for kind in np.unique(kinds).tolist():
            of_kind = chosen[kinds == kind]
            left, top, width = places_of(geometry, sight, of_kind)
            if kind == RUNNING:
                width -= 1.0  # the line of the present stands free
            self._forms[kind].draw(painter, left, top, width)
            seen = np.maximum(left, 0.0)  # a bar that begins out of sight bears its name at the edge
            least = LEAST_ROOM if kind in _GLYPHS else LEAST_ROOM + 2 * _BESIDE
            roomy = np.flatnonzero(left + width - seen >= least)
            if len(roomy):
                boxes = zip(*(each[roomy].tolist() for each in (seen, top, left + width - seen)), strict=True)
                self._contents(painter, model, kind, zip(sight.keys(of_kind[roomy]), boxes, strict=True))

    def _contents(
        self, painter: QPainter, model: TimelineModel, kind: int, bars: Iterable[tuple[BarKey, _Box]]
    ) -> None:
        """Glyph and name, as far as there is room."""
        glyph, ink = _GLYPHS.get(kind), self._inks.text[kind]
        fitting, name_of, before = (
            self._labels.fitting,
            model.name_of,
            _BESIDE + (_GLYPH + 2 if glyph is not None else 0),
        )
        painter.setFont(self._labels.font)
        painter.setPen(ink)
        for key, (left, top, wide) in bars:
            room = wide - before - _BESIDE
            name = fitting(name_of(key), room, wide) if room >= LEAST_ROOM else None
            if glyph is not None:
                size = min(_GLYPH, max(_SMALLEST_GLYPH, wide - 2))
                at = left + (_BESIDE - 1 if name is not None else (wide - size) / 2)
                glyph.paint(painter, QRectF(at, top + (BAR - size) / 2, size, size), ink)
            if name is not None:
                if kind in (OTHER, CANCELLED):
                    self._clear(painter, QRectF(left + before - 2, top + 1, name.size().width() + 4, BAR - 2), kind)
                painter.drawStaticText(QPointF(left + before, top + (BAR - self._labels.height) / 2), name)

    def _clear(self, painter: QPainter, rect: QRectF, kind: int) -> None:
        """A quiet ground for a name on a hatching."""
        ground = self._inks.palette.raised if kind == OTHER else self._inks.palette.status[codes.CANCELLED].shape
        painter.fillRect(rect, ground)


# ---- what projected bars need too


def draw_density(
    painter: QPainter,
    geometry: Geometry,
    sight: Sight,
    chosen: NDArray[np.bool_],
    rgb: NDArray[np.uint8],
    box: tuple[float, float] = (BAR_TOP, BAR),
) -> None:
    """Paint bars as columns of pixels; `box` is where they lie in a lane: from its top, and how high.

    Args:
        painter: in logical pixels of the plot.
        geometry: where lanes and times are.
        sight: the bars in sight, N of them.
        chosen: (N,) which of them.
        rgb: (K, 3) red, green and blue of each kind of bar.
        box: where they lie in a lane, in logical pixels: from its top, and how high.
    """
    ratio, least = geometry.ratio, _LEAST * geometry.ratio
    narrow = sight.narrow(chosen, ratio)
    columns, rows = narrow.columns(round(geometry.plot_width * ratio), least), narrow.rows()
    if not columns:
        return
    width = len(columns)
    pixels = density(narrow.within(columns, rows), len(rows), width, least, rgb)
    image = QImage(pixels.data, width, len(rows), width * 4, QImage.Format.Format_ARGB32_Premultiplied)
    for place, row in enumerate(rows.tolist()):
        top = geometry.y_of(geometry.rows.start + row) + box[0]
        target = QRectF(columns.start / ratio, top, width / ratio, box[1])
        painter.drawImage(target, image, QRectF(0, place, width, 1))


def places_of(
    geometry: Geometry, sight: Sight, chosen: NDArray[np.intp], below: float = BAR_TOP
) -> tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.float64]]:
    """Left, top and width of bars in logical pixels, at edges of device pixels; none reaches far out of sight.

    Args:
        geometry: where everything is.
        sight: the bars.
        chosen: which of them.
        below: how far below the top of their lane they lie.
    """
    ratio = geometry.ratio
    left = np.round(np.clip(sight.x0[chosen], -16, geometry.plot_width + 16) * ratio) / ratio
    right = np.round(np.clip(sight.x1[chosen], -16, geometry.plot_width + 16) * ratio) / ratio
    top = (geometry.y_of(geometry.rows.start) + below + sight.row[chosen] * geometry.lane).astype(np.float64)
    return left, top, np.maximum(_LEAST, right - left)


def rects_of(left: NDArray[np.float64], top: NDArray[np.float64], width: NDArray[np.float64]) -> list[QRectF]:
    """Bars as rectangles.

    Args:
        left: (N,) logical pixels, as are the others.
        top: (N,) their upper sides.
        width: (N,) how wide they are.
    """
    return [QRectF(x, y, wide, BAR) for x, y, wide in zip(left.tolist(), top.tolist(), width.tolist(), strict=True)]


def are_numbered(sight: Sight) -> NDArray[np.bool_]:
    """Whether each bar is of a further attempt and has room for its number."""
    room = sight.x0 - np.maximum(sight.before, -_NUMBER_REACH)
    return (sight.column("attempt") > 1) & (room >= _FOR_NUMBER)


def chosen_of(sight: Sight, selected: Collection[int]) -> NDArray[np.intp]:
    """Whether each bar belongs to a selected task of the shown run.

    Args:
        sight: the bars in sight.
        selected: numbers of tasks.
    """
    is_chosen = np.isin(sight.column("number"), list(selected)) & (sight.column("run") == 0)
    return np.flatnonzero(is_chosen)


def ring_of(rect: QRectF) -> QRectF:
    """The middle of the ring around a bar."""
    by = 1.5 * RING
    return rect.adjusted(-by, -by, by, by)


def dotted(inks: Inks) -> QPen:
    """The line of a pause."""
    pen = QPen(inks.muted, 1.5, Qt.PenStyle.CustomDashLine, Qt.PenCapStyle.FlatCap)
    pen.setDashPattern([1.0, 3.0])
    return pen


def _middle(x0: float, x1: float, top: float) -> QLineF:
    return QLineF(x0, top + LANE / 2, max(x0, x1), top + LANE / 2)
