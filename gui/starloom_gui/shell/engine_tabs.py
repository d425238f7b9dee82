"""The tabs of the engines that a window shows, above its menu; with one engine there are none."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from PySide6.QtCore import QSignalBlocker, QSize, Qt, Signal
from PySide6.QtWidgets import QTabBar, QToolButton
from typing_extensions import override

from starloom_gui.text.words import fill
from starloom_gui.theme.fonts import Role, font
from starloom_gui.theme.icons import Icon, icon
from starloom_gui.theme.metrics import CONTROL
from starloom_gui.viewmodel.keys import Scope, shown
from starloom_gui.widgets.window_style import tab_style

if TYPE_CHECKING:
    from PySide6.QtWidgets import QWidget

    from starloom_gui.theme.appearance import Appearance
    from starloom_gui.theme.palette import Palette

_WIDEST_TAB: Final = 320
_RIGHT: Final = QTabBar.ButtonPosition.RightSide


@dataclass(slots=True)
class _Tab:
    """What a tab says: the name of its engine, more in its tooltip, and the number of its unread notifications."""

    name: str = ""
    tip: str = ""
    unread: int = 0


class EngineTabs(QTabBar):
    """One tab for each engine: its name, and how many of its notifications are unread.

    Args:
        appearance: the colours.
        parent: of the widget.

    Signals:
        close_asked(int): the user wants the engine of this tab shown no more.
    """

    close_asked = Signal(int)

    def __init__(self, appearance: Appearance, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._appearance = appearance
        self._tabs: list[_Tab] = []
        self.setFont(font(Role.BODY))
        self.setDrawBase(False)
        self.setExpanding(False)
        self.setElideMode(Qt.TextElideMode.ElideMiddle)
        self.setUsesScrollButtons(True)
        self.setFixedHeight(CONTROL)
        self.setAccessibleName(self.tr("Engines"))
        self.hide()
        appearance.changed.connect(self._apply_theme)
        self._apply_theme(appearance.palette)

    def add(self, *, closable: bool) -> None:
        """Append the tab of an engine; `closable`: whether it can be closed by itself."""
        self._tabs.append(_Tab())
        with QSignalBlocker(self):  # a first tab is the one in front at once
            index = self.addTab("")
        if closable:
            self.setTabButton(index, _RIGHT, self._close_button())
        self.setVisible(self.count() > 1)

    def say(self, index: int, name: str, tip: str) -> None:
        """Say which engine it is: its name, and more in the tooltip."""
        self._tabs[index].name, self._tabs[index].tip = name, tip
        self._show(index)

    def drop(self, index: int) -> None:
        """Remove a tab."""
        del self._tabs[index]
        with QSignalBlocker(self):
            self.removeTab(index)
        self.setVisible(self.count() > 1)

    def show_unread(self, index: int, count: int) -> None:
        """Show how many notifications of an engine are unread."""
        self._tabs[index].unread = count
        self._show(index)

    def _show(self, index: int) -> None:
        tab = self._tabs[index]
        name, count = tab.name, tab.unread
        text = fill(self.tr("%1 (%2)"), name, count) if count else name
        self.setTabText(index, text.replace("&", "&&"))
        unread = self.tr("%n unread notification(s)", "", count) if count else ""
        self.setAccessibleTabName(index, fill(self.tr("%1, %2"), name, unread) if unread else name)
        keys = fill(self.tr("%1 shows the next engine."), shown(Scope.WINDOW, "next_engine"))
        self.setTabToolTip(index, "\n".join(filter(None, (tab.tip, unread, keys))))

    def _close_button(self) -> QToolButton:
        button = QToolButton(self)
        button.setFixedSize(18, 18)
        button.setAutoRaise(True)
        button.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        button.setIcon(icon(Icon.CLOSE, self._appearance.palette))
        button.setAccessibleName(self.tr("Disconnect"))
        button.setToolTip(self.tr("Disconnect: its runs go on"))
        button.clicked.connect(lambda: self._ask_close(button))
        return button

    def _ask_close(self, button: QToolButton) -> None:
        for index in range(self.count()):
            if self.tabButton(index, _RIGHT) is button:
                self.close_asked.emit(index)
                return

    def _apply_theme(self, palette: Palette) -> None:
        self.setStyleSheet(tab_style(palette, CONTROL, palette.window, 12, 8))
        for index in range(self.count()):
            button: Any = self.tabButton(index, _RIGHT)
            if button is not None:
                button.setIcon(icon(Icon.CLOSE, palette))

    @override
    def tabSizeHint(self, index: int) -> QSize:
        return super().tabSizeHint(index).boundedTo(QSize(_WIDEST_TAB, CONTROL))
