"""The style of Qt's own widgets in the window: menus, tabs and the separators between docks."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from starloom_gui.theme.metrics import DIALOG_RADIUS, RADIUS

if TYPE_CHECKING:
    from starloom_gui.theme.palette import Palette


WINDOW_STYLE: Final = f"""
    QMenuBar {{ background: palette(window); color: palette(window-text); border: none; padding: 0; spacing: 0; }}
    QMenuBar::item {{ padding: 4px 8px; margin: 0 1px; background: transparent; border-radius: {RADIUS}px; }}
    QMenuBar::item:selected {{ background: palette(midlight); }}
    QMenu {{ background: palette(base); border: 1px solid palette(mid); padding: 4px;
        border-radius: {DIALOG_RADIUS}px; }}
    QMenu::item {{ padding: 4px 24px 4px 8px; border-radius: {RADIUS}px; }}
    QMenu::item:selected {{ background: palette(highlight); }}
    QMenu::separator {{ height: 1px; background: palette(mid); margin: 4px 8px; }}
    QMenu::icon {{ padding-left: 8px; }}
    QMenu QLabel {{ background: transparent; color: palette(placeholder-text); }}
    QStatusBar {{ background: palette(window); border-top: 1px solid palette(mid); color: palette(window-text); }}
    QStatusBar::item {{ border: none; }}
"""
"""The style sheet of the window: menu bar, menus and status bar.

It is the same in all themes, and set once: see `Recolouring`.
"""

DOCK_STYLE: Final = """
    QMainWindow::separator { background: palette(mid); width: 1px; height: 1px; }
    QToolBar { background: palette(window); border: none; padding: 0; spacing: 0; }
"""
"""The style sheet of the area of docks: one line between them, and no frame around toolbars. Set once, too."""


def tab_style(palette: Palette, height: int, ground: str, left: int, right: int) -> str:
    """The style sheet of a tab bar: the front tab has a line on top, the focused one a dashed edge.

    Args:
        palette: the colours.
        height: of a tab, in pixels.
        ground: the colour of those behind.
        left: pixels before what is in a tab.
        right: pixels behind it.
    """
    inner = height - 2
    return f"""
        QTabBar {{ background: transparent; border: none; }}
        QTabBar::tab {{ height: {inner}px; padding: 0 {right}px 0 {left}px; margin: 0; color: {palette.muted};
            background: {ground}; border: none; border-top: 2px solid transparent;
            border-right: 1px solid transparent; }}
        QTabBar::tab:hover {{ color: {palette.text}; }}
        QTabBar::tab:selected {{ color: {palette.text}; background: {palette.panel};
            border-top: 2px solid {palette.text}; border-right: 1px solid {palette.border}; }}
        QTabBar::tab:selected:focus {{ border-bottom: 1px dashed {palette.text}; }}
        QTabBar QToolButton {{ background: transparent; border: none; border-radius: {RADIUS}px; }}
        QTabBar QToolButton#ScrollLeftButton, QTabBar QToolButton#ScrollRightButton {{ background: {palette.panel}; }}
        QTabBar QToolButton:hover {{ background: {palette.selected}; }}
    """
