"""The title of a context menu, above its entries."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtWidgets import QWidgetAction

from starloom_gui.theme.fonts import Role
from starloom_gui.theme.metrics import GAPS
from starloom_gui.widgets.controls import text

if TYPE_CHECKING:
    from PySide6.QtWidgets import QMenu


def put_heading(menu: QMenu, title: str) -> None:
    """Append a title to a menu, which cannot be chosen; the style shows no texts of Qt's own sections.

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
