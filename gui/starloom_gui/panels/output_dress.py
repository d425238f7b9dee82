"""The style sheet of the panes for output and events: the panes' own, with scroll bars below and strips."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

from starloom_gui.panels.dress import sheet

if TYPE_CHECKING:
    from starloom_gui.theme.palette import Palette


@cache
def output_sheet(palette: Palette) -> str:
    """The style sheet of these panes."""
    return sheet(palette) + (
        f"QFrame#strip {{ background: {palette.raised}; border: none; border-bottom: 1px solid {palette.border}; }}"
        f"QScrollBar:horizontal {{ background: {palette.panel}; height: 8px; margin: 0; border: none; }}"
        f"QScrollBar::handle:horizontal {{ background: {palette.border}; border-radius: 3px; min-width: 24px;"
        " margin: 1px; }"
        f"QScrollBar::handle:horizontal:hover {{ background: {palette.outline}; }}"
        "QScrollBar::add-line:horizontal, QScrollBar::sub-line:horizontal { width: 0; }"
        "QScrollBar::add-page:horizontal, QScrollBar::sub-page:horizontal { background: none; }"
    )
