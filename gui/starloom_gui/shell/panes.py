"""Docks: each holds panes as tabs, and the tab bar is its title."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QEvent, QSize, Qt, Signal
from PySide6.QtGui import QAction, QFontMetrics, QPainter
from PySide6.QtWidgets import (
    QDockWidget,
    QHBoxLayout,
    QMenu,
    QSizePolicy,
    QStackedWidget,
    QTabBar,
    QToolButton,
    QWidget,
)
from typing_extensions import override

from starloom_gui.shell.pane_tabs import PaneTabs
from starloom_gui.theme.fonts import Role, font
from starloom_gui.theme.palette import colour
from starloom_gui.viewmodel.keys import Scope, sequences
from starloom_gui.widgets.window_style import tab_style

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from PySide6.QtCore import QPoint
    from PySide6.QtGui import QMouseEvent, QPaintEvent, QResizeEvent

    from starloom_gui.theme.palette import Palette

TITLE: Final = 28
_BADGE: Final = 16
_BEHIND: Final = 8
"""Pixels between a badge and the right edge of its tab, where Qt leaves none."""


_PAD: Final = 12
_TIGHT: Final = 5
"""Pixels at each side of a tab's name, where there is room and where there is not."""
_WORDED: Final = "worded"
"""The property of buttons whose words stand beside their icons where there is room."""


class _Title(QWidget):
    """The row of tabs; where it is empty it can be dragged, and it fills itself with the window's colour."""

    def __init__(self, tabs: QTabBar, dock: Dock) -> None:
        super().__init__(dock)
        self._dock = dock
        self.setFixedHeight(TITLE)
        self.setAutoFillBackground(True)
        self.row = QHBoxLayout(self)
        self.row.setContentsMargins(0, 0, 0, 0)
        self.row.setSpacing(0)
        self.row.addWidget(tabs)
        self.row.addStretch(1)
        self._line = colour("#000000")

    def apply_theme(self, palette: Palette) -> None:
        self._line = colour(palette.border)
        self.update()

    @override
    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.fillRect(0, self.height() - 1, self.width(), 1, self._line)
        painter.end()

    @override
    def minimumSizeHint(self) -> QSize:
        return QSize(0, TITLE)

    @override
    def event(self, event: QEvent) -> bool:
        done = super().event(event)
        if event.type() == QEvent.Type.LayoutRequest:
            self._dock.fit_beside()
        return done

    @override
    def mousePressEvent(self, event: QMouseEvent) -> None:
        event.ignore()  # the dock drags itself

    @override
    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        event.setAccepted(not self._dock.isFloating())  # it goes back by that, but floats only when it is dragged


class _Body(QStackedWidget):
    """The area below the panes, which paints the panel colour itself, as style sheets override palettes.

    It has the keyboard where nothing in the pane wants it, so that a click into a pane takes it off the graph: there
    the next key would still remove tasks.
    """

    _ground = colour("#000000")

    def __init__(self, dock: Dock) -> None:
        super().__init__(dock)
        self.setFocusPolicy(Qt.FocusPolicy.ClickFocus)

    def apply_theme(self, palette: Palette) -> None:
        self._ground = colour(palette.panel)
        self.update()

    @override
    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.fillRect(self.rect(), self._ground)
        painter.end()


class _Badge(QWidget):
    """A number in a pill of the text colour."""

    def __init__(self, colours: Callable[[], Palette | None]) -> None:
        super().__init__()
        self._colours = colours
        self._words = ""
        self.setFont(font(Role.SMALL))
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)

    def show_count(self, count: int) -> None:
        """Show this number."""
        self._words = str(count)
        wide = QFontMetrics(self.font()).horizontalAdvance(self._words) + 10
        self.setFixedSize(max(_BADGE, wide) + _BEHIND, _BADGE)
        self.update()

    @override
    def paintEvent(self, event: QPaintEvent) -> None:
        palette = self._colours()
        if palette is None:
            return
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(colour(palette.text))
        pill = self.rect().adjusted(0, 0, -_BEHIND, 0)
        painter.drawRoundedRect(pill, _BADGE / 2, _BADGE / 2)
        painter.setPen(colour(palette.panel))
        painter.drawText(pill, Qt.AlignmentFlag.AlignCenter, self._words)
        painter.end()


class Dock(QDockWidget):
    """A dock with panes behind tabs; with a single pane its tab is the title.

    Args:
        key: its name in saved layouts.
        size: how large it is at first.

    Signals:
        turned(str): the pane of this key is in front now.
        window_asked(str): the pane of this key shall have a window of its own, or leave it.
    """

    turned = Signal(str)
    window_asked = Signal(str)

    def __init__(self, key: str, size: QSize, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName(key)
        self._size = size
        self._colours: Palette | None = None
        self._is_tight = False
        self._beside = 0
        self._keys: list[str] = []
        self._corners: dict[str, QWidget] = {}
        self.tabs = PaneTabs(self)
        self.tabs.setDrawBase(False)
        self.tabs.setExpanding(False)
        self.tabs.setElideMode(Qt.TextElideMode.ElideRight)
        self.tabs.setUsesScrollButtons(False)  # behind arrows nobody finds them
        self.tabs.setFixedHeight(TITLE)
        self.tabs.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Fixed)
        self.tabs.currentChanged.connect(self._turn)
        self.tabs.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        self.tabs.customContextMenuRequested.connect(self._show_menu)
        self._title = _Title(self.tabs, self)
        self._stack = _Body(self)
        self._stack.setMinimumSize(0, 0)
        self.setTitleBarWidget(self._title)
        self.setWidget(self._stack)

    @property
    def keys(self) -> tuple[str, ...]:
        """The keys of its panes, from left to right."""
        return tuple(self._keys)

    @property
    def front(self) -> str:
        """The key of the pane in front; empty: it has none."""
        index = self.tabs.currentIndex()
        return self._keys[index] if 0 <= index < len(self._keys) else ""

    def pane(self, key: str) -> QWidget:
        """The pane of a key.

        Raises:
            KeyError: it has no such pane.
        """
        if key not in self._keys:
            raise KeyError(f"The dock {self.objectName()!r} has no pane {key!r}; it has {', '.join(self._keys)}.")
        found = self._stack.widget(self._keys.index(key))
        assert found is not None, "there are as many keys as panes"
        return found

    def add(self, key: str, name: str, pane: QWidget, corner: QWidget | None = None, at: int | None = None) -> None:
        """Add a pane.

        Args:
            key: of the pane.
            name: on its tab.
            pane: the widget.
            corner: the widget at the right while the pane is in front.
            at: its place among the tabs; None: the last.
        """
        at = min(len(self._keys), at) if at is not None else len(self._keys)
        self._keys.insert(at, key)
        self._stack.insertWidget(at, pane)
        if corner is not None:
            self._corners[key] = corner
            corner.setSizePolicy(QSizePolicy.Policy.Minimum, corner.sizePolicy().verticalPolicy())  # names give way
            self._title.row.addWidget(corner)
            corner.hide()
        self.tabs.setTabToolTip(
            self.tabs.insertTab(at, _escaped(name)), name
        )  # where there is little room it is elided
        self._retitle()
        self._turn(self.tabs.currentIndex())

    def take(self, key: str) -> tuple[str, QWidget, QWidget | None]:
        """Remove a pane, to add it elsewhere; returns its name, itself and its corner.

        Raises:
            KeyError: it has no such pane.
        """
        pane, index, corner = self.pane(key), self._keys.index(key), self._corners.pop(key, None)
        name = _plain(self.tabs.tabText(index))
        del self._keys[index]
        self._stack.removeWidget(pane)
        if corner is not None:
            self._title.row.removeWidget(corner)
        self.tabs.removeTab(index)
        self._retitle()
        return name, pane, corner

    def bring(self, key: str) -> None:
        """Raise a pane.

        Raises:
            KeyError: it has no such pane.
        """
        self.pane(key)
        self.tabs.setCurrentIndex(self._keys.index(key))

    def take_keyboard(self) -> None:
        """Have the keyboard, where nothing in the pane in front wants it: then no other pane has it."""
        self._stack.setFocus(Qt.FocusReason.ShortcutFocusReason)

    def rename(self, key: str, name: str) -> None:
        """Rename a pane."""
        self.pane(key)
        self.tabs.setTabText(self._keys.index(key), _escaped(name))
        self.tabs.setTabToolTip(self._keys.index(key), name)
        self._retitle()

    def badge(self, key: str, count: int, said: str) -> None:
        """Show a number at the right of a pane's tab, and say what it is of; 0: none."""
        self.pane(key)
        at = self._keys.index(key)
        side = QTabBar.ButtonPosition.RightSide
        badge = self.tabs.tabButton(at, side)
        if not count:
            self.tabs.setTabButton(at, side, None)
            if badge is not None:
                badge.deleteLater()
        elif isinstance(badge, _Badge):
            badge.show_count(count)
        else:
            made = _Badge(self._palette)
            made.show_count(count)
            self.tabs.setTabButton(at, side, made)
        self.tabs.setTabToolTip(at, said or _plain(self.tabs.tabText(at)))
        self.tabs.setAccessibleTabName(at, f"{_plain(self.tabs.tabText(at))}, {said}" if said else "")

    def _show_menu(self, at: QPoint) -> None:
        index = self.tabs.tabAt(at)
        key = self._keys[index] if index >= 0 else self.front
        if not key:
            return
        menu = QMenu(self.tabs)
        is_apart = not self.features() & self.DockWidgetFeature.DockWidgetMovable
        said = self.tr("Put back into the main window") if is_apart else self.tr("Move to a window of its own")
        action = QAction(said, menu)
        action.setShortcuts(sequences(Scope.WINDOW, "pane_window"))
        action.triggered.connect(lambda: self.window_asked.emit(key))
        menu.addAction(action)
        menu.aboutToHide.connect(menu.deleteLater)
        menu.popup(self.tabs.mapToGlobal(at))

    def _palette(self) -> Palette | None:
        return self._colours

    def apply_theme(self, palette: Palette) -> None:
        """Apply the colours of a theme."""
        self._colours = palette
        self._apply_theme_to_tabs()
        self._stack.apply_theme(palette)
        self._title.apply_theme(palette)

    def _retitle(self) -> None:
        names = [_plain(self.tabs.tabText(index)) for index in range(self.tabs.count())]
        self.setWindowTitle(", ".join(names))
        self.tabs.setAccessibleName(self.windowTitle())

    def _turn(self, index: int) -> None:
        if index != self.tabs.currentIndex() or not 0 <= index < len(self._keys) or self._stack.count() <= index:
            return
        self._stack.setCurrentIndex(index)
        for key, corner in self._corners.items():
            corner.setVisible(key == self._keys[index])
        self._fit()
        self.turned.emit(self._keys[index])

    def fit_beside(self) -> None:
        """Fit the tabs again, if the buttons beside them want another width than before."""
        corner = self._corners.get(self.front)
        if corner is not None and corner.sizeHint().width() != self._beside:
            self._fit()

    def _fit(self) -> None:
        """Without room for tabs and the buttons beside them, have these give up their words, then tabs stand closer.

        Then the names of tabs are shortened, as their tooltips are not.
        """
        corner, beside = self._corners.get(self.front), Qt.ToolButtonStyle.ToolButtonTextBesideIcon
        found = corner.findChildren(QToolButton) if corner is not None else []
        worded = [
            one
            for one in found
            if one.property(_WORDED) or (one.toolButtonStyle() == beside and not one.icon().isNull())
        ]
        for button in worded:
            button.setProperty(_WORDED, True)
            button.setToolButtonStyle(beside)
        room = self.width() - self.tabs.sizeHint().width() - (2 * (_PAD - _TIGHT) * len(self._keys) * self._is_tight)
        if corner is not None and _wanted(corner, worded) > room:
            for button in worded:
                button.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonIconOnly)
        self._beside = _wanted(corner, worded) if corner is not None else 0
        is_tight = self._beside > room
        if is_tight is not self._is_tight:
            self._is_tight = is_tight
            self._apply_theme_to_tabs()

    def _apply_theme_to_tabs(self) -> None:
        if self._colours is not None:
            pad = _TIGHT if self._is_tight else _PAD
            self.tabs.setStyleSheet(tab_style(self._colours, TITLE, "transparent", pad, pad))

    @override
    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    @override
    def sizeHint(self) -> QSize:
        return self._size


def _wanted(corner: QWidget, changed: Iterable[QWidget]) -> int:
    """The width that a corner needs after a change of its buttons, of which layouts only hear later."""
    for one in changed:
        around = one.parentWidget()
        while around is not None and around is not corner.parentWidget():
            layout = around.layout()
            if layout is not None:
                layout.invalidate()
            around = around.parentWidget()
    return corner.sizeHint().width()


def _escaped(name: str) -> str:
    """A name as a tab wants it, where a single & would underline what follows."""
    return name.replace("&", "&&")


def _plain(text: str) -> str:
    return text.replace("&&", "&")
