"""The button behind the tabs that lists all of them, where not all can be read."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, NamedTuple

from PySide6.QtCore import QEvent, QPoint, QSize, Signal
from PySide6.QtGui import QActionGroup
from PySide6.QtWidgets import QMenu, QToolButton, QWidget
from typing_extensions import override

from starloom_gui.theme.fonts import Role, font
from starloom_gui.theme.icons import Icon, icon
from starloom_gui.theme.metrics import CONTROL

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from PySide6.QtGui import QIcon

    from starloom_gui.theme.appearance import Appearance


class ListedTab(NamedTuple):
    """One tab in the list: its key, its icon, its whole title, and whether it is in front."""

    key: str
    icon: QIcon
    title: str
    is_front: bool


class TabList(QToolButton):
    """Opens a menu of all tabs with their whole titles; hidden while each tab is whole and in sight.

    Args:
        listed: gives what it lists, from left to right.
        appearance: the colours.
        parent: the widget it lies in.

    Signals:
        chosen(str): the user wants the tab of this key in front.
    """

    chosen = Signal(str)

    def __init__(
        self, listed: Callable[[], Iterable[ListedTab]], appearance: Appearance, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self._listed, self._appearance = listed, appearance
        self.setFixedSize(CONTROL, CONTROL)
        self.setIconSize(QSize(16, 16))
        self.setAutoRaise(True)
        self.clicked.connect(self.open_menu)
        appearance.changed.connect(self._apply_theme)
        self._say()
        self._apply_theme()
        self.hide()

    def open_menu(self) -> QMenu:
        """Show the menu below the button; the tab in front is checked."""
        menu = QMenu(self)
        menu.setAccessibleName(self.accessibleName())
        menu.setFont(font(Role.BODY))
        menu.aboutToHide.connect(menu.deleteLater)
        group = QActionGroup(menu)
        for tab in self._listed():
            action = menu.addAction(tab.icon, tab.title.replace("&", "&&"))
            action.setCheckable(True)
            action.setChecked(tab.is_front)
            group.addAction(action)
            action.triggered.connect(partial(self._choose, tab.key))
        menu.popup(self.mapToGlobal(QPoint(0, self.height())))
        return menu

    def _choose(self, key: str, _checked: bool = False) -> None:
        self.chosen.emit(key)

    def _say(self) -> None:
        self.setToolTip(self.tr("All tabs"))
        self.setAccessibleName(self.tr("All tabs"))

    def _apply_theme(self, *_: object) -> None:
        self.setIcon(icon(Icon.EXPANDED, self._appearance.palette))

    @override
    def changeEvent(self, event: QEvent) -> None:
        if event.type() == QEvent.Type.LanguageChange:
            self._say()
        super().changeEvent(event)
