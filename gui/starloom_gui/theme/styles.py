"""Pieces of style sheets that several widgets share."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from starloom_gui.theme.palette import Palette


def scroll_bars(palette: Palette) -> str:
    """Narrow scroll bars without arrows."""
    return "".join(
        f"QScrollBar:{way} {{ background: {palette.panel}; {across}: 8px; margin: 0; border: none; }}"
        f"QScrollBar::handle:{way} {{ background: {palette.border}; border-radius: 3px; min-{along}: 24px;"
        " margin: 1px; }"
        f"QScrollBar::handle:{way}:hover {{ background: {palette.outline}; }}"
        f"QScrollBar::add-line:{way}, QScrollBar::sub-line:{way} {{ {along}: 0; }}"
        f"QScrollBar::add-page:{way}, QScrollBar::sub-page:{way} {{ background: none; }}"
        for way, across, along in (("vertical", "width", "height"), ("horizontal", "height", "width"))
    )


def table(palette: Palette) -> str:
    """A table and the background of its header, without borders."""
    return (
        f"QTableView {{ background: {palette.panel}; border: none; outline: none; }}"
        f"QHeaderView {{ background: {palette.panel}; border: none; }}"
    )


def header_cells(palette: Palette, pad: float) -> str:
    """Muted column titles over a hairline.

    Args:
        palette: the colours.
        pad: logical pixels at both sides of each title.
    """
    return (
        f"QHeaderView::section {{ background: {palette.panel}; color: {palette.muted}; border: none;"
        f" border-bottom: 1px solid {palette.border}; padding: 0 {pad}px; }}"
    )
