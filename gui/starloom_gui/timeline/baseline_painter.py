"""Painting an earlier run's bars: thin and hatched, below the lanes' own; selected ones in the text colour."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np
from PySide6.QtGui import QPainter, QPen

from starloom_gui.theme.metrics import GHOST
from starloom_gui.timeline.bars_painter import chosen_of, draw_density, places_of
from starloom_gui.timeline.forms import BarShape
from starloom_gui.timeline.geometry import GHOST_TOP
from starloom_gui.timeline.inks import rgb_of
from starloom_gui.timeline.sight import sight_of
from starloom_gui.viewmodel.lane_bars import NEVER

if TYPE_CHECKING:
    from collections.abc import Collection

    from starloom_gui.timeline.geometry import Geometry
    from starloom_gui.timeline.inks import Inks
    from starloom_gui.timeline.model import TimelineModel

_FORM: Final = 4.0
"""Pixels from which on a ghost has an outline."""
_LEAST: Final = 2.0


class BaselinePainter:
    """Paints the bars of an earlier run; the painter's origin is the plot's upper left corner.

    Args:
        inks: pens and brushes.
    """

    def __init__(self, inks: Inks) -> None:
        self._form = BarShape(QPen(inks.outline, 1.0), inks.ghost, inks.ratio, radius=1.0, height=GHOST)
        self._chosen = BarShape(QPen(inks.name, 1.5), inks.ghost, inks.ratio, radius=1.0, height=GHOST)
        self._rgb = np.array([rgb_of(inks.outline)], np.uint8)

    def paint(self, painter: QPainter, geometry: Geometry, model: TimelineModel, selected: Collection[int]) -> None:
        """Paint all visible baseline bars, those of the selected tasks last."""
        width = geometry.plot_width
        sight = sight_of(model.ghosts, geometry.rows, geometry.span, width, NEVER)
        if sight is None:
            return
        has_form = sight.x1 - sight.x0 >= _FORM
        in_sight = (sight.x1 >= -_LEAST) & (sight.x0 <= width)
        narrow = in_sight & ~has_form
        if narrow.any():
            sight.kind[:] = 0  # which it was does not show: what failed then is no news
            draw_density(painter, geometry, sight, narrow, self._rgb, (GHOST_TOP + 1, GHOST - 2))
        self._form.draw(painter, *places_of(geometry, sight, np.flatnonzero(has_form & in_sight), GHOST_TOP))
        if selected:
            chosen = np.intersect1d(chosen_of(sight, selected), np.flatnonzero(in_sight))
            self._chosen.draw(painter, *places_of(geometry, sight, chosen, GHOST_TOP))
