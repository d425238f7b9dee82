"""Every measure of the console in logical pixels at 100 %."""

from __future__ import annotations

from typing import Final

UNIT: Final = 4
GAPS: Final = (4, 8, 12, 16, 24)
ROW: Final = 22
CONTROL: Final = 28
DEVICE_CARD: Final = 44
DEVICE_CARD_OPENED: Final = 132
RADIUS: Final = 4
NODE_RADIUS: Final = 6
DIALOG_RADIUS: Final = 8
HAIRLINE: Final = 1.0

MENU_BAR: Final = 24
TOOL_BAR: Final = 40
RUN_HEADER: Final = 32
STATUS_BAR: Final = 24
SIDE_WIDTH: Final = 240
INSPECTOR_WIDTH: Final = 296
BOTTOM_HEIGHT: Final = 280
NARROW_WINDOW: Final = 1200
"""Below this width the columns beside the canvas are narrower; below `VERY_NARROW_WINDOW` the left one is a rail."""
VERY_NARROW_WINDOW: Final = 1040
LOW_WINDOW: Final = 700
"""Below this height the bottom pane is lower."""
NARROW_SIDE_WIDTH: Final = 200
NARROW_INSPECTOR_WIDTH: Final = 240
LOW_BOTTOM_HEIGHT: Final = 180
RAIL_WIDTH: Final = 40
MINIMAP: Final = (160, 100)
CANVAS_FOOT: Final = CONTROL + 8
"""Below the canvas: zoom and legend."""
STRIP: Final = 44
"""What lies over the top of the canvas while changes are staged."""

ICON_SIZES: Final = (16, 20)
ICON_GRID: Final = 20
ICON_STROKE: Final = 1.5
GLYPH: Final = 16
RING: Final = 2
"""Thickness of the ring around what is selected, and its distance from it."""

BASE_FONT: Final = 12
SMALLEST_FONT: Final = 11

LANE: Final = 20
BAR: Final = 14
GHOST: Final = 6
"""The height of an earlier run's bar, which lies below that of the same task."""
GHOST_LANE: Final = LANE + GHOST
BAR_RADIUS: Final = 2
LANE_COLUMN: Final = 124
FLAG: Final = 8

FADE_MS: Final = 120
MOVE_MS: Final = 180
LOADING_MS: Final = 300
MOST_FADES: Final = 200
