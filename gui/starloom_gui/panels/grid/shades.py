"""The shades of tasks that are done: the longer one took, measured by what it usually takes, the darker it is."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Final

from starloom_gui.theme.palette import Ink, blended
from starloom_gui.theme.status_form import StatusForm

if TYPE_CHECKING:
    from starloom_gui.theme.palette import Palette

BOUNDS: Final = (0.5, 0.8, 1.25, 2.0)
"""How many times its usual duration a task takes at most in each shade but the last."""
USUAL: Final = 2
_SHARES: Final = (0.06, 0.14, 0.28, 0.52, 1.0)
"""Of the colour of what is done, over that of the panel."""


def shade_of(ratio: float | None) -> int:
    """The shade of a duration, from the fastest to the slowest.

    Args:
        ratio: how many times its usual duration a task took; None: nobody knows.
    """
    return USUAL if ratio is None else sum(ratio > bound for bound in BOUNDS)


@cache
def shade_ink(shade: int, palette: Palette) -> Ink:
    """The fill of a shade, and the colour of the tick on it."""
    done = palette.status[StatusForm.COMPLETED]
    fill = blended(done.shape, palette.panel, _SHARES[shade])
    if shade == len(BOUNDS):
        return Ink(fill, palette.on_fill)
    return Ink(fill, palette.text if shade == len(BOUNDS) - 1 else done.text)
