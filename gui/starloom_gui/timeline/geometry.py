"""The geometry of the timeline's viewport: the column of devices, the axis, and a row for each lane. No Qt here."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from starloom_gui.theme.metrics import BAR, LANE, LANE_COLUMN

if TYPE_CHECKING:
    from starloom_gui.viewmodel.span import Span

AXIS: Final = 28
"""How high the axis is, with the hairline below it."""
BAR_TOP: Final = (LANE - BAR) // 2
GHOST_TOP: Final = BAR_TOP + BAR + 1


@dataclass(frozen=True, slots=True)
class Geometry:
    """The positions of lanes and times at one moment, in logical pixels of the viewport.

    Attributes:
        span: which time the plot shows; its x = 0 is the plot's left edge.
        width, height: of the viewport.
        top: how far the lanes are scrolled.
        count: how many lanes there are.
        ratio: device pixels for each logical one.
        lane: how high a lane is; its bars lie in the middle of the upper `LANE` pixels.
    """

    span: Span
    width: int
    height: int
    top: int
    count: int
    ratio: float = 1.0
    lane: int = LANE

    @property
    def plot_width(self) -> int:
        """Of the part to the right of the column."""
        return max(1, self.width - LANE_COLUMN)

    @property
    def rows(self) -> range:
        """The visible rows."""
        last = (self.top + max(0, self.height - AXIS) + self.lane - 1) // self.lane
        return range(min(self.count, self.top // self.lane), min(self.count, last))

    @property
    def bottom(self) -> int:
        """The bottom of the last lane, or of the viewport."""
        return min(self.height, self.y_of(self.count))

    def y_of(self, row: int) -> int:
        """The upper edge of a lane."""
        return AXIS + row * self.lane - self.top

    def row_at(self, y: float) -> int | None:
        """The lane at that height."""
        row = int(y - AXIS + self.top) // self.lane
        return row if y >= AXIS and row < self.count else None

    def is_on_baseline(self, y: float) -> bool:
        """Whether that height is where baseline bars lie."""
        return self.lane > LANE and y >= AXIS and int(y - AXIS + self.top) % self.lane >= GHOST_TOP - 1

    def snapped(self, x: float) -> float:
        """The nearest edge of a device pixel, so that hairlines are sharp."""
        return round(x * self.ratio) / self.ratio
