"""Painting projected bars: outlines right of the present, those on the critical path in the text colour."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final

import numpy as np
from PySide6.QtCore import QPointF, QRectF
from PySide6.QtGui import QBrush, QPainter, QPen

from starloom_gui.theme.metrics import BAR, LANE
from starloom_gui.timeline.bars_painter import (
    LEAST_ROOM,
    are_numbered,
    chosen_of,
    draw_density,
    places_of,
    rects_of,
)
from starloom_gui.timeline.forms import BarShape
from starloom_gui.timeline.inks import rgb_of
from starloom_gui.timeline.sight import Sight, sight_of
from starloom_gui.timeline.staged_bars import MOVED
from starloom_gui.viewmodel.lane_bars import NEVER
from starloom_gui.viewmodel.projected import CRITICAL, REST, UNESTIMATED

if TYPE_CHECKING:
    from collections.abc import Collection

    from numpy.typing import NDArray
    from PySide6.QtGui import QColor

    from starloom_gui.timeline.bars_painter import BarsPainter
    from starloom_gui.timeline.geometry import Geometry
    from starloom_gui.timeline.inks import Inks
    from starloom_gui.timeline.labels import LabelCache
    from starloom_gui.timeline.model import TimelineModel

REPLACED: Final = 0.4
"""How opaque what is foreseen remains while staged edits would replace it."""
_OUTLINED: Final = 4.0
"""Pixels from which on an outline can be told from a line."""
_BESIDE: Final = 9.0
"""Pixels beside a name, on both sides together."""


class ForeseenPainter:
    """Paints projected bars; the painter's origin is the plot's upper left corner.

    Args:
        inks: pens and brushes.
        labels: the font of names.
        bars: paints the numbers of attempts.
        unestimated: the words for what nobody can tell.
    """

    def __init__(self, inks: Inks, labels: LabelCache, bars: BarsPainter, unestimated: str) -> None:
        self._inks = inks
        self._labels = labels
        self._bars = bars
        self._unestimated = unestimated
        self._forms = {
            (critical, dashed): BarShape(_line(ink, wide, dashed=dashed), QBrush(inks.panel), inks.ratio)
            for critical, ink, wide in ((False, inks.outline, 1.0), (True, inks.name, 1.5))
            for dashed in (False, True)
        }

    def paint(
        self, painter: QPainter, geometry: Geometry, model: TimelineModel, now: float, selected: Collection[int]
    ) -> None:
        """Paint all visible projected bars; those that staged edits would move are dashed, over their unmoved ones."""
        present = geometry.snapped(geometry.span.x_of(now)) + 1.0
        if model.staged is not None:
            painter.setOpacity(REPLACED)
            self._layer(painter, geometry, model, present, (), staged=False)
            painter.setOpacity(1.0)
        self._layer(painter, geometry, model, present, selected, staged=model.staged is not None)

    def _layer(
        self,
        painter: QPainter,
        geometry: Geometry,
        model: TimelineModel,
        present: float,
        selected: Collection[int],
        *,
        staged: bool,
    ) -> None:
        sight = self._sight(geometry, model, present, staged=staged)
        if sight is None:
            return
        is_wanted = (sight.kind & MOVED) > 0 if model.staged is not None and not staged else np.True_
        in_sight = is_wanted & (sight.x1 >= present) & (sight.x0 <= geometry.plot_width) & (sight.x1 >= 0)
        has_form = sight.x1 - sight.x0 >= _OUTLINED
        is_rest = (sight.kind & REST) > 0
        narrow = in_sight & ~has_form & ~is_rest
        if narrow.any():
            self._narrow(painter, geometry, sight, narrow)
        chosen = np.flatnonzero(in_sight & (has_form | is_rest))
        self._outlines(painter, geometry, sight, chosen, staged=staged)
        self._names(painter, geometry, model, sight, chosen)
        if selected:
            begin_later = chosen[~is_rest[chosen]]
            some = np.intersect1d(begin_later, chosen_of(sight, selected))
            self._bars.ring.draw(painter, *places_of(geometry, sight, some))

    @staticmethod
    def _sight(geometry: Geometry, model: TimelineModel, present: float, *, staged: bool) -> Sight | None:
        """The visible projected bars, which begin at the present at the earliest."""
        lanes = (lambda row: model.foreseen(row, staged=True)) if staged else model.foreseen
        sight = sight_of(lanes, geometry.rows, geometry.span, geometry.plot_width, NEVER)
        if sight is None:
            return None
        is_open = (sight.kind & (REST | UNESTIMATED)) == (REST | UNESTIMATED)
        return replace(sight, x0=np.maximum(sight.x0, present), x1=np.where(is_open, present, sight.x1))

    def _narrow(self, painter: QPainter, geometry: Geometry, sight: Sight, narrow: NDArray[np.bool_]) -> None:
        """Too many or too short for outlines: the critical ones in the text colour, the others muted."""
        plain = replace(sight, kind=(sight.kind & CRITICAL).astype(np.uint8))
        rgb = np.array([rgb_of(self._inks.outline), rgb_of(self._inks.name)], np.uint8)
        draw_density(painter, geometry, plain, narrow, rgb)

    def _outlines(
        self, painter: QPainter, geometry: Geometry, sight: Sight, chosen: NDArray[np.intp], *, staged: bool
    ) -> None:
        is_critical, is_dashed = (sight.kind[chosen] & CRITICAL) > 0, staged & ((sight.kind[chosen] & MOVED) > 0)
        for (critical, dashed), form in self._forms.items():
            some = chosen[(is_critical == critical) & (is_dashed == dashed)]
            form.draw(painter, *places_of(geometry, sight, some))

    def _names(
        self, painter: QPainter, geometry: Geometry, model: TimelineModel, sight: Sight, chosen: NDArray[np.intp]
    ) -> None:
        """Names, numbers of attempts, and what nobody can tell, where there is room for them."""
        left, top, width = places_of(geometry, sight, chosen)
        is_numbered = are_numbered(sight)[chosen]
        has_room = width + np.minimum(left, 0.0) - _BESIDE >= LEAST_ROOM
        said = np.flatnonzero(has_room | is_numbered | ((sight.kind[chosen] & REST) > 0))
        painter.setFont(self._labels.font)
        columns = (each[said].tolist() for each in (sight.kind[chosen], sight.following[chosen], is_numbered))
        rects = rects_of(left[said], top[said], width[said])
        for flags, following, numbered, key, rect in zip(*columns, sight.keys(chosen[said]), rects, strict=True):
            if flags & REST:
                if flags & UNESTIMATED:
                    self._no_estimate(painter, rect, following)
                continue
            if numbered:
                self._bars.number(painter, key.attempt, rect.left(), rect.top() - (LANE - BAR) / 2)
            self._name(painter, model.name_of(key), rect, self._inks.name if flags & CRITICAL else self._inks.muted)

    def _name(self, painter: QPainter, text: str, rect: QRectF, ink: QColor) -> None:
        left = max(rect.left(), 0.0) + 5
        room = rect.right() - left - 4
        name = self._labels.fitting(text, room, rect.width()) if room >= LEAST_ROOM else None
        if name is not None:
            painter.setPen(ink)
            painter.drawStaticText(QPointF(left, rect.top() + (BAR - self._labels.height) / 2), name)

    def _no_estimate(self, painter: QPainter, rect: QRectF, following: float) -> None:
        if following - rect.left() > self._labels.width(self._unestimated) + 16:
            self._labels.draw(painter, self._unestimated, rect.left() + 8, rect.center().y(), self._inks.muted)


def _line(ink: QColor, wide: float, *, dashed: bool) -> QPen:
    pen = QPen(ink, wide)
    if dashed:
        pen.setDashPattern([4.0, 2.5])
    return pen
