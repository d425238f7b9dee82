"""A key in the status bar while the fleet is reserved: by whom, until when and why."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QSize, Qt
from PySide6.QtWidgets import QToolButton, QWidget

from starloom_gui.text.words import fill, tip
from starloom_gui.theme.fonts import Role, font
from starloom_gui.theme.icons import Icon, icon
from starloom_gui.theme.metrics import STATUS_BAR

if TYPE_CHECKING:
    from starloom_gui.theme.appearance import Appearance
    from starloom_gui.theme.palette import Palette


class FleetReserved(QToolButton):
    """The reservation of the fleet; a click shows what can be done about it. Without one it is hidden.

    Args:
        appearance: the colours.
        parent: the status bar.
    """

    def __init__(self, appearance: Appearance, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setFont(font(Role.SMALL))
        self.setAutoRaise(True)
        self.setFixedHeight(STATUS_BAR - 4)
        self.setIconSize(QSize(14, 14))
        self.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        appearance.changed.connect(self._apply_theme)
        self._apply_theme(appearance.palette)
        self._words = ""
        self.hide()

    def show_reservation(self, words: str) -> None:
        """Show by whom the fleet is reserved, until when and why; empty: it is not."""
        if words != self._words:  # it is told with every change
            self._words = words
            self._say(words)

    def _say(self, words: str) -> None:
        self.setText(self.tr("Fleet"))
        told = fill(self.tr("The fleet: %1"), words) if words else ""
        self.setToolTip(tip(told))
        self.setAccessibleName(told)
        self.setVisible(bool(words))

    def _apply_theme(self, palette: Palette) -> None:
        self.setIcon(icon(Icon.KEY, palette))
