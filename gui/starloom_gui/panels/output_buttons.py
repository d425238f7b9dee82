"""Rows of small flat buttons, for a pane's upper edge and for the corner of its tab."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QSize, Qt
from PySide6.QtWidgets import QHBoxLayout, QToolButton, QWidget
from typing_extensions import override

from starloom_gui.theme.fonts import Role, font
from starloom_gui.theme.icons import icon
from starloom_gui.theme.metrics import GAPS, RADIUS
from starloom_gui.widgets.theme_changes import Restyling

if TYPE_CHECKING:
    from collections.abc import Callable

    from PySide6.QtCore import QEvent

    from starloom_gui.theme.appearance import Appearance
    from starloom_gui.theme.icons import Icon
    from starloom_gui.theme.palette import Palette

_ICON: Final = 16
_HEIGHT: Final = 20


class ButtonRow(QWidget):
    """A row of buttons; a checked one is outlined.

    Args:
        appearance: the colours.
        margins: left and right of the buttons.
        parent: the widget it lies in.
    """

    def __init__(
        self, appearance: Appearance, margins: tuple[int, int] = (0, 0), parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self._appearance = appearance
        self.row = QHBoxLayout(self)
        self.row.setContentsMargins(margins[0], 0, margins[1], 0)
        self.row.setSpacing(GAPS[0])
        self._icons: list[tuple[QToolButton, Icon]] = []
        Restyling(self, appearance, self._apply_theme)

    def add(
        self, shape: Icon | None, act: Callable[[], object], *, checkable: bool = False, words: bool = False
    ) -> QToolButton:
        """Append a button; `name_button` gives it a name.

        Args:
            shape: its icon; None: it has none.
            act: what a click does.
            checkable: whether it stays pressed.
            words: whether its name stands on it.
        """
        made = QToolButton(self)
        made.setFont(font(Role.SMALL))
        made.setIconSize(QSize(_ICON, _ICON))
        made.setFixedHeight(_HEIGHT)
        made.setAutoRaise(True)
        made.setCheckable(checkable)
        made.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        style = Qt.ToolButtonStyle
        beside = style.ToolButtonTextOnly if shape is None else style.ToolButtonTextBesideIcon
        made.setToolButtonStyle(beside if words or shape is None else style.ToolButtonIconOnly)
        made.clicked.connect(lambda *_: act())
        self.row.addWidget(made)
        if shape is not None:
            made.setIcon(icon(shape, self._appearance.palette))
            self._icons.append((made, shape))
        return made

    def _say(self) -> None:
        """Name the buttons in the language that holds now."""

    @override
    def changeEvent(self, event: QEvent) -> None:
        if event.type() == event.Type.LanguageChange:
            self._say()
        super().changeEvent(event)

    def _apply_theme(self, palette: Palette) -> None:
        for made, shape in self._icons:
            made.setIcon(icon(shape, palette))
        self.setStyleSheet(
            f"QToolButton {{ border: 1px solid transparent; border-radius: {RADIUS}px; color: {palette.text};"
            " padding: 0 3px; }"
            f"QToolButton:hover {{ background: {palette.raised}; }}"
            f"QToolButton:checked {{ background: {palette.selected}; border-color: {palette.outline}; }}"
            f"QToolButton:pressed {{ background: {palette.selected}; }}"
            f"QToolButton:disabled {{ color: {palette.muted}; }}"
            f"QToolButton:focus {{ border: 1px dashed {palette.text}; }}"
        )


def name_button(made: QToolButton, name: str, hint: str = "") -> None:
    """Set the name and the tooltip of a button; without one, the name is the tooltip."""
    made.setText(name)
    made.setAccessibleName(name)
    made.setToolTip(hint or name)
