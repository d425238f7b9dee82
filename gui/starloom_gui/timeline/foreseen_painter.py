"""Painting what is foreseen: outlines right of the present, those on the critical path in the text colour."""

from __future__ import annotations

from dataclasses import replace
from itertools import product
from typing import TYPE_CHECKING, Final

import numpy as np
from PySide6.QtCore import QPointF, QRectF
from PySide6.QtGui import QPainter, QPen

from starloom_gui.theme.metrics import BAR, BAR_RADIUS, LANE
from starloom_gui.timeline.bars_painter import ROUND, chosen_of, draw_density, rects_of, rings
from starloom_gui.timeline.inks import rgb_of
from starloom_gui.timeline.lane_bars import NEVER
from starloom_gui.timeline.projected import CRITICAL, REST, UNESTIMATED
from starloom_gui.timeline.sight import Sight, sight_of
from starloom_gui.timeline.staged_bars import MOVED

if TYPE_CHECKING:
    from collections.abc import Collection

    from numpy.typing import NDArray

    from starloom_gui.timeline.bars_painter import BarsPainter
    from starloom_gui.timeline.geometry import Geometry
    from starloom_gui.timeline.inks import Inks
    from starloom_gui.timeline.labels import Labels
    from starloom_gui.timeline.model import TimelineModel

REPLACED: Final = 0.4
"""How opaque what is foreseen remains while staged edits would replace it."""
_OUTLINED: Final = 4.0
"""Pixels from which on an outline can be told from a line."""


class ForeseenPainter:
    """Paints what is foreseen; the painter's origin is the plot's upper left corner.

    Args:
        inks: pens and brushes.
        labels: the font of names.
        bars: paints the numbers of attempts.
        unestimated: the words for what nobody can tell.
    """

    def __init__(self, inks: Inks, labels: Labels, bars: BarsPainter, unestimated: str) -> None:
        self._inks = inks
        self._labels = labels
        self._bars = bars
        self._unestimated = unestimated

    def paint(
        self, painter: QPainter, geometry: Geometry, model: TimelineModel, now: float, selected: Collection[int]
    ) -> None:
        """Paint all projected bars in sight; what staged edits would move is dashed, over where it would else be."""
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
            rings(painter, geometry, np.intersect1d(begin_later, chosen_of(sight, selected)), sight, self._inks)

    @staticmethod
    def _sight(geometry: Geometry, model: TimelineModel, present: float, *, staged: bool) -> Sight | None:
        """What is foreseen begins at the present: what is late is late from now on."""
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
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, len(chosen) <= ROUND)
        painter.setBrush(self._inks.panel)
        forms = ((False, self._inks.outline, 1.0), (True, self._inks.name, 1.5))
        for (critical, ink, wide), dashed in product(forms, (False, True)):
            pen = QPen(ink, wide)
            if dashed:
                pen.setDashPattern([4.0, 2.5])
            painter.setPen(pen)
            half = wide / 2
            for rect in rects_of(geometry, sight, chosen[(is_critical == critical) & (is_dashed == dashed)]):
                painter.drawRoundedRect(rect.adjusted(half, half, -half, -half), BAR_RADIUS, BAR_RADIUS)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)

    def _names(
        self, painter: QPainter, geometry: Geometry, model: TimelineModel, sight: Sight, chosen: NDArray[np.intp]
    ) -> None:
        painter.setFont(self._labels.font)
        for index, rect in zip(chosen, rects_of(geometry, sight, chosen), strict=True):
            flags = int(sight.kind[index])
            if flags & REST:
                if flags & UNESTIMATED:
                    self._no_estimate(painter, rect, float(sight.following[index]))
                continue
            bar = sight.bar(int(index))
            if bar.attempt > 1:
                self._bars.number(painter, bar.attempt, rect.left(), rect.top() - (LANE - BAR) / 2)
            left = max(rect.left(), 0.0) + 5
            name = self._labels.fitting(model.name_of(bar.key), rect.right() - left - 4, rect.width())
            if name is not None:
                painter.setPen(self._inks.name if flags & CRITICAL else self._inks.muted)
                painter.drawStaticText(QPointF(left, rect.top() + (BAR - self._labels.height) / 2), name)

    def _no_estimate(self, painter: QPainter, rect: QRectF, following: float) -> None:
        if following - rect.left() > self._labels.width(self._unestimated) + 16:
            self._labels.draw(painter, self._unestimated, rect.left() + 8, rect.center().y(), self._inks.muted)
