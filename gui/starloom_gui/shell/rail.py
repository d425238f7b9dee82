"""The left column of a very small window: an icon for each of its panes, which come and go with a click."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QEvent, QSize, Qt
from PySide6.QtWidgets import QToolBar, QToolButton
from typing_extensions import override

from starloom_gui.shell.perspectives import PANES, DockKey, pane_name
from starloom_gui.theme.icons import Icon, icon
from starloom_gui.theme.metrics import CONTROL, RADIUS, RAIL_WIDTH

if TYPE_CHECKING:
    from collections.abc import Callable

    from PySide6.QtWidgets import QWidget

    from starloom_gui.theme.palette import Palette

_SHAPES: Final = {"outline": Icon.OUTLINE, "palette": Icon.TEMPLATE, "devices": Icon.DEVICE}
_ICON: Final = 20


class Rail(QToolBar):
    """Buttons for the panes of the left column.

    Args:
        toggle: shows a pane, by its key, or hides it if it is in sight.
        parent: of the widget.

    Attributes:
        buttons: by the keys of the panes.
    """

    def __init__(self, toggle: Callable[[str], object], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("rail")
        self.setMovable(False)
        self.setOrientation(Qt.Orientation.Vertical)
        self.setFixedWidth(RAIL_WIDTH)
        self.buttons: dict[str, QToolButton] = {}
        for pane in (*PANES[DockKey.OUTLINE], *PANES[DockKey.DEVICES]):
            button = self.buttons[pane] = QToolButton(self)
            button.setIconSize(QSize(_ICON, _ICON))
            button.setFixedSize(CONTROL, CONTROL)
            button.setCheckable(True)
            button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
            button.clicked.connect(lambda _=False, pane=pane: toggle(pane))
            self.addWidget(button)
        self._say()

    def _say(self) -> None:
        self.setWindowTitle(self.tr("Left column"))
        for pane, button in self.buttons.items():
            button.setToolTip(pane_name(pane))
            button.setAccessibleName(pane_name(pane))

    def show_open(self, panes: set[str]) -> None:
        """Check the buttons of the visible panes."""
        for pane, button in self.buttons.items():
            button.setChecked(pane in panes)

    def apply_theme(self, palette: Palette) -> None:
        """Apply the colours of a theme."""
        self.setStyleSheet(
            f"QToolBar {{ background: {palette.panel}; border: none; border-right: 1px solid {palette.border};"
            f" padding: 4px 5px; spacing: 4px; }}"
            f"QToolButton {{ border: none; border-radius: {RADIUS}px; background: transparent; }}"
            f"QToolButton:hover {{ background: {palette.raised}; }}"
            f"QToolButton:checked {{ background: {palette.selected}; }}"
            f"QToolButton:focus {{ border: 1px dashed {palette.text}; }}"
        )
        for pane, button in self.buttons.items():
            button.setIcon(icon(_SHAPES[pane], palette))

    @override
    def changeEvent(self, event: QEvent) -> None:
        if event.type() == QEvent.Type.LanguageChange:
            self._say()
        super().changeEvent(event)
