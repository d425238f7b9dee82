"""The title of a menu at the pointer: what the menu is about stands above its entries."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtWidgets import QWidgetAction

from starloom_gui.theme.fonts import Role
from starloom_gui.theme.metrics import GAPS
from starloom_gui.widgets.controls import text

if TYPE_CHECKING:
    from PySide6.QtWidgets import QMenu


def put_heading(menu: QMenu, title: str) -> None:
    """Put a title at the end of a menu; it cannot be chosen. Of Qt's own sections the style shows no words.

    Args:
        menu: where it goes.
        title: plain text.
    """
    words = text(title, Role.SECTION, wraps=False)
    words.setContentsMargins(GAPS[1], GAPS[0], GAPS[3], GAPS[0])
    heading = QWidgetAction(menu)
    heading.setText(title)
    heading.setSeparator(True)
    heading.setDefaultWidget(words)
    menu.addAction(heading)
