"""The colours of printed text in both themes, made legible whatever a task asks for."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Final

from starloom_gui.theme.palette import blended

if TYPE_CHECKING:
    from starloom_gui.models.ansi import Colour, TextStyle
    from starloom_gui.theme.palette import Palette

LEAST: Final = 4.5
"""The contrast that text has to what lies behind it."""
_STEPS: Final = 20

_ON_LIGHT: Final = (
    "#1F2328", "#B3150D", "#1A6E2E", "#7A5200", "#0B5CC0", "#8F2A7A", "#0B6A75", "#59636E",
    "#3D444D", "#C4180F", "#176F2C", "#875500", "#0B63CE", "#A8328F", "#086A77", "#1F2328",
)  # fmt: skip
_ON_DARK: Final = (
    "#9AA4B2", "#FF8A7E", "#7CCB8B", "#F0C04A", "#7CB8FF", "#E3ADDD", "#6CCBD6", "#D0D7E0",
    "#9AA4B2", "#FFA79E", "#9BE0A8", "#F7D67E", "#A3CEFF", "#F0C6EB", "#97E0E8", "#FFFFFF",
)  # fmt: skip
_BEHIND: Final = (
    "#000000", "#B3150D", "#1A6E2E", "#B97700", "#0B5CC0", "#8F2A7A", "#0B6A75", "#C9CED6",
    "#59636E", "#FF6F61", "#4FAE66", "#F0C04A", "#58A6FF", "#DB9BD4", "#4DB8C4", "#FFFFFF",
)  # fmt: skip
"""Of backgrounds: these were asked for, and stay what they are in both themes."""


@lru_cache(4096)
def inks(style: TextStyle, palette: Palette, ground: str) -> tuple[str, str | None]:
    """The colours of text and of its background; None: the pane's own background.

    Args:
        style: what was asked for.
        palette: the theme.
        ground: the colour of the row it stands in.
    """
    front = _front(style.foreground, palette)
    back = _back(style.background)
    if style.inverse:
        front, back = back or ground, front
    behind = back or ground
    if style.faint:
        front = blended(front, behind, 0.6)
    return legible(front, behind), back


def _front(asked: Colour | None, palette: Palette) -> str:
    if asked is None:
        return palette.text
    return asked if isinstance(asked, str) else (_ON_DARK if palette.dark else _ON_LIGHT)[asked]


def _back(asked: Colour | None) -> str | None:
    return _BEHIND[asked] if isinstance(asked, int) else asked


@lru_cache(4096)
def legible(front: str, behind: str) -> str:
    """The colour itself if it can be read on another one; else as little nearer to black or white as makes it so."""
    away = "#000000" if contrast("#000000", behind) > contrast("#FFFFFF", behind) else "#FFFFFF"
    for step in range(_STEPS):
        tried = blended(away, front, step / _STEPS)
        if contrast(tried, behind) >= LEAST:
            return tried
    return away


def contrast(one: str, other: str) -> float:
    """The ratio of two colours' luminances, 1 to 21."""
    low, high = sorted((_luminance(one), _luminance(other)))
    return (high + 0.05) / (low + 0.05)


@lru_cache(1024)
def _luminance(code: str) -> float:
    red, green, blue = (_linear(int(code[at : at + 2], 16) / 255) for at in (1, 3, 5))
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def _linear(share: float) -> float:
    return share / 12.92 if share <= 0.04045 else float(((share + 0.055) / 1.055) ** 2.4)
