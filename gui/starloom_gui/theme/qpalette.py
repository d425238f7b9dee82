"""Our colours for Qt's own widgets, which the Fusion style paints."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtGui import QPalette

from starloom_gui.theme.palette import blended, colour

if TYPE_CHECKING:
    from starloom_gui.theme.palette import Palette


def qpalette(palette: Palette) -> QPalette:
    """The colours of Qt's roles; a disabled text is faint, and nothing that is selected is a hue."""
    made = QPalette()
    role = QPalette.ColorRole
    for roles, code in (
        ((role.Window, role.Button), palette.window),
        ((role.Base, role.ToolTipBase), palette.panel),
        ((role.AlternateBase,), blended(palette.raised, palette.panel, 0.4)),
        ((role.WindowText, role.Text, role.ButtonText, role.ToolTipText, role.BrightText), palette.text),
        ((role.Highlight,), palette.selected),
        ((role.HighlightedText, role.Accent), palette.text),
        ((role.PlaceholderText,), palette.muted),
        ((role.Light, role.Midlight), palette.raised),
        ((role.Mid, role.Dark), palette.border),
        ((role.Shadow,), palette.outline),
        ((role.Link, role.LinkVisited), palette.status[2].text),
    ):
        for each in roles:
            made.setColor(each, colour(code))
    faint = colour(blended(palette.text, palette.window, 0.4))
    for each in (role.WindowText, role.Text, role.ButtonText, role.HighlightedText):
        made.setColor(QPalette.ColorGroup.Disabled, each, faint)
    return made
