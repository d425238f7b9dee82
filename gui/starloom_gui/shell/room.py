"""How large the columns and the bottom are meant to be in a window of some size."""

from __future__ import annotations

from typing import NamedTuple

from starloom_gui.theme import metrics


class Room(NamedTuple):
    """The sizes of the docks that fit into a window.

    Attributes:
        side, inspector: the widths of the columns beside the canvas, in pixels.
        bottom: the height of the bottom pane.
        is_rail: whether of the left column only a rail of icons is there until one asks for more.
    """

    side: int
    inspector: int
    bottom: int
    is_rail: bool

    @classmethod
    def of(cls, width: int, height: int) -> Room:
        """That in a window of so many pixels."""
        is_narrow = width < metrics.NARROW_WINDOW
        return cls(
            metrics.NARROW_SIDE_WIDTH if is_narrow else metrics.SIDE_WIDTH,
            metrics.NARROW_INSPECTOR_WIDTH if is_narrow else metrics.INSPECTOR_WIDTH,
            metrics.LOW_BOTTOM_HEIGHT if height < metrics.LOW_WINDOW else metrics.BOTTOM_HEIGHT,
            width < metrics.VERY_NARROW_WINDOW,
        )
