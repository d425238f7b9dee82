"""The glyphs of statuses, badges and marks, on a grid of 16: one shape each, at every size from 8 pixels on."""

from __future__ import annotations

from typing import Final

from starloom_gui.theme.drawings import Drawing

STATUS: Final = (
    Drawing("O 8 8 4.75", stroke=1.75),
    Drawing("O 8 8 5.75 M 8 4.5 L 8 8.25 L 10.25 9.75", stroke=1.75),
    Drawing(fill="M 5 3.5 L 13 8 L 5 12.5 Z"),
    Drawing("M 3.25 8.5 L 6.5 11.75 L 12.75 4.75", stroke=2.0),
    Drawing("M 4 4 L 12 12 M 12 4 L 4 12", stroke=2.25),
    Drawing(fill="R 4 4 8 8 0.5"),
    Drawing("M 3.5 4.25 L 7.25 8 L 3.5 11.75 M 8.75 4.25 L 12.5 8 L 8.75 11.75", stroke=1.75),
)
"""By `StatusForm`: hollow circle, clock hands, triangle, tick, cross, square, double chevron."""

HELD: Final = Drawing(fill="R 4.5 4 2.5 8 0.5 R 9 4 2.5 8 0.5")
BREAKPOINT: Final = Drawing(
    fill="M 6.2 3.75 L 9.8 3.75 L 12.25 6.2 L 12.25 9.8 L 9.8 12.25 L 6.2 12.25 L 3.75 9.8 L 3.75 6.2 Z"
)
BYPASS: Final = Drawing("M 3 11 C 3 3 13 3 13 10.5 M 10.5 8.5 L 13 11 L 15.25 8.5", "O 8 11 1.75", 1.5)
OVERDUE: Final = Drawing("A 8 8 5 0 360 M 8 5 L 8 8.25 L 10.25 9.5", stroke=1.5)
SIMULATED: Final = Drawing("M 4.5 4 L 11.5 4 M 4.5 12 L 11.5 12 M 5.5 4 L 10.5 12 M 10.5 4 L 5.5 12", stroke=1.5)
QUIET: Final = Drawing("M 4 5.5 L 12 5.5 M 4 8.25 L 9 8.25", "O 5 11.5 0.9 O 8 11.5 0.9 O 11 11.5 0.9", 1.5)
PINNED: Final = Drawing(
    "M 5.5 3.5 L 10.5 3.5 M 6.25 3.5 L 6.25 7 L 4.5 9.5 L 11.5 9.5 L 9.75 7 L 9.75 3.5 M 8 9.5 L 8 13", stroke=1.5
)
TYPED: Final = Drawing("M 4.25 11.75 L 4.75 9.25 L 10 4 L 12 6 L 6.75 11.25 Z", stroke=1.5)
RETRY: Final = Drawing("A 8 8.5 4 35 -280", fill="M 7.25 1.5 L 12.25 4.25 L 8 7.5 Z", stroke=1.75)
FENCE: Final = Drawing("M 5.25 4 L 5.25 12 M 10.75 4 L 10.75 12 M 3 6.5 L 13 6.5 M 3 9.75 L 13 9.75", stroke=1.5)
GATE: Final = Drawing("A 8 6.25 2.75 200 -230 C 9.75 8 8 8 8 9.75 M 8 12.25 L 8 12.35", stroke=1.75)
COMMAND: Final = Drawing("M 3.5 4.5 L 7 8 L 3.5 11.5 M 8.5 12 L 13 12", stroke=1.75)
DIFF: Final = Drawing("M 8 2.5 L 8 8.5 M 5 5.5 L 11 5.5 M 5 12.5 L 11 12.5", stroke=1.75)
ADDED: Final = Drawing("M 8 4.5 L 8 11.5 M 4.5 8 L 11.5 8", stroke=1.75)
REMOVED: Final = Drawing("M 4.5 8 L 11.5 8", stroke=1.75)
CHANGED: Final = Drawing("M 8 4.5 L 11.75 11 L 4.25 11 Z", stroke=1.5)

HIGH: Final = Drawing("M 4.75 9.75 L 8 6.5 L 11.25 9.75", stroke=1.75)
CRITICAL: Final = Drawing("M 4.75 7.5 L 8 4.25 L 11.25 7.5 M 4.75 12 L 8 8.75 L 11.25 12", stroke=1.75)
LOW: Final = Drawing("M 4.75 6.5 L 8 9.75 L 11.25 6.5", stroke=1.75)
BACKGROUND: Final = Drawing("M 4.75 4 L 8 7.25 L 11.25 4 M 4.75 8.5 L 8 11.75 L 11.25 8.5", stroke=1.75)
LOCK_HALF: Final = Drawing(
    "M 5.5 7.5 L 5.5 5.5 C 5.5 2 10.5 2 10.5 5.5 L 10.5 7.5 R 4 7.5 8 6 1",
    "M 4 10.5 L 12 10.5 L 12 13.5 L 4 13.5 Z",
    1.25,
)
LOCK_FULL: Final = Drawing("M 5.5 7.5 L 5.5 5.5 C 5.5 2 10.5 2 10.5 5.5 L 10.5 7.5", "R 3.5 7 9 7 1", 1.5)

BELL: Final = Drawing(
    "M 3.25 11.5 C 4.75 10 4.5 8.5 4.5 6.75 C 4.5 2 11.5 2 11.5 6.75 C 11.5 8.5 11.25 10 12.75 11.5 Z"
    " M 6.75 13.75 C 7.25 14.5 8.75 14.5 9.25 13.75",
    stroke=1.5,
)
