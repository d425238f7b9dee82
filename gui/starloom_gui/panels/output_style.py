"""The style sheet of the panes for output and events: the panes' own, with strips."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

from starloom_gui.widgets.controls import sheet

if TYPE_CHECKING:
    from starloom_gui.theme.palette import Palette


@cache
def output_sheet(palette: Palette) -> str:
    """The style sheet of these panes."""
    return sheet(palette) + (
        f"QFrame#strip {{ background: {palette.raised}; border: none; border-bottom: 1px solid {palette.border}; }}"
    )
