"""The main window: menus, the welcome page or the workbench, and the status bar."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final

from PySide6.QtCore import QEvent, QSize, Qt, Signal
from PySide6.QtWidgets import QMainWindow, QMenu, QStackedWidget, QVBoxLayout, QWidget
from typing_extensions import override

from starloom_gui.dialogs.command_palette import verbs_of
from starloom_gui.shell.dock_layouts import DockLayouts
from starloom_gui.shell.field_undo import FieldUndo
from starloom_gui.shell.look_choices import LookChoices
from starloom_gui.shell.menus import Menus
from starloom_gui.shell.pane_windows import PaneWindows
from starloom_gui.shell.run_header import RunHeader
from starloom_gui.shell.status_bar import ConsoleStatusBar
from starloom_gui.shell.status_tips import StatusTips
from starloom_gui.shell.tab_order import focus_fallback, turn_to_next
from starloom_gui.shell.tool_bar import ToolBar
from starloom_gui.shell.welcome import WelcomePage
from starloom_gui.shell.workbench import Workbench
from starloom_gui.specs.action_spec import Verdict
from starloom_gui.text.words import fill
from starloom_gui.theme.fonts import Role, font
from starloom_gui.theme.metrics import MENU_BAR
from starloom_gui.time_travel.time_bar import TimeBar
from starloom_gui.widgets.theme_changes import Recolouring
from starloom_gui.widgets.view_stack import one_after_another
from starloom_gui.widgets.window_style import WINDOW_STYLE

if TYPE_CHECKING:
    from collections.abc import Mapping

    from PySide6.QtGui import QAction, QCloseEvent, QResizeEvent

    from starloom_gui.settings import Settings
    from starloom_gui.shell.perspectives import Perspective
    from starloom_gui.theme.appearance import Appearance
    from starloom_gui.widgets.actions import Actions

FIRST: Final = (1440, 900)
LEAST: Final = QSize(720, 420)
"""Fits a screen of 1440 by 900 with its frame where everything is shown twice as large; a smaller one is filled."""
_ENGINE_TURNS: Final = {"next_engine": 1, "previous_engine": -1}


@dataclass(frozen=True, slots=True)
class Rooms:
    """The widgets that the main window is built from.

    Attributes:
        canvas: the middle.
        panes: by key of `perspectives.ORDER`.
        corners: what stands at the right of a pane's tabs while it is in front, by the same keys.
    """

    canvas: QWidget
    panes: Mapping[str, QWidget] = field(default_factory=dict)
    corners: Mapping[str, QWidget] = field(default_factory=dict)


class MainWindow(QMainWindow):
    """The console of one engine. It starts with the welcome page and does not depend on that engine.

    It is a window by itself, or a page of the program's (`shell.program_window`).

    Args:
        actions: all verbs.
        appearance: theme and motion.
        settings: what is remembered.
        rooms: what it is furnished with.

    Attributes:
        tool_bar, header, status, welcome, workbench, time_bar, menus: its parts.
        layouts: of the docks.
        look: what the user chooses for all windows.
        pane_windows: the windows of panes that are not in the docks.
        ground: the room of the graph.

    Signals:
        file_asked(str): the user wants this file opened.
        close_asked(): the user wants to close the window, and whoever set `asks_before_closing` has to decide.
        closed(): it is closed, and what it remembers is on disk.
        page_turned(): the welcome page is shown now, or is no more.
        engine_turned(int): the engine this many places further in the window is wanted; 0: this one.
        disconnect_asked(): this engine is to be shown no more.
        agreed(): it may be closed now, as a page of the program's window.
    """

    file_asked = Signal(str)
    close_asked = Signal()
    closed = Signal()
    page_turned = Signal()
    engine_turned = Signal(int)
    disconnect_asked = Signal()
    agreed = Signal()

    def __init__(self, actions: Actions, appearance: Appearance, settings: Settings, rooms: Rooms) -> None:
        super().__init__()
        self.asks_before_closing = False
        self._title, self._engine, self._waits = "", "", False
        self._actions, self._appearance, self._settings = actions, appearance, settings
        self.setObjectName("console")
        self.setFont(font(Role.BODY))
        self.setMinimumSize(LEAST.boundedTo(self.screen().availableSize()))
        self.resize(*FIRST)
        self.tool_bar, self.header = ToolBar(actions, appearance), RunHeader(appearance)
        self.workbench = Workbench(
            appearance, self.tool_bar, self.header, rooms.canvas, rooms.panes, rooms.corners, parent=self
        )
        self.pane_windows = PaneWindows(self.workbench, self, settings, appearance, self._verbs)
        self.pane_windows.drops.watch_documents(self.header.tabs)
        self.layouts = DockLayouts(self.workbench, settings, self.fit_workbench)
        self.welcome = WelcomePage(actions, appearance)
        self.status = ConsoleStatusBar(appearance, self)
        self.ground = rooms.canvas
        self._graph_menu: QMenu | None = None
        self.time_bar = TimeBar(actions, appearance)
        self.time_bar.hide()  # until somebody wants to look back
        self._bench = _stacked(self.workbench, self.time_bar)
        self._pages = QStackedWidget(self)
        for page in (self.welcome, self._bench):
            self._pages.addWidget(page)
        self._pages.currentChanged.connect(self.page_turned)
        self.page_turned.connect(self._show_pane_windows)
        self.setCentralWidget(self._pages)
        self.setStatusBar(self.status)
        bar = self.menuBar()
        bar.setNativeMenuBar(False)
        bar.setFixedHeight(MENU_BAR)
        bar.setFont(font(Role.BODY))
        actions["live"].setChecked(True)
        actions["critical_path"].setChecked(True)
        self.allow_engines(1, is_closable=False)
        self.look = LookChoices(actions, appearance, settings, self.status)
        self.look.clock_chosen.connect(self.show_recent)
        self.menus = self._new_menus()
        self._connect()
        self.show_recent()
        self.show_title("")
        self.setStyleSheet(WINDOW_STYLE)
        Recolouring(self, appearance)

    def _new_menus(self) -> Menus:
        """Menus in the language that holds now, in place of those that hang there."""
        bar = self.menuBar()
        for old in bar.findChildren(QMenu, options=Qt.FindChildOption.FindDirectChildrenOnly):
            old.deleteLater()
        bar.clear()
        menus = Menus(
            bar,
            self._actions,
            self.show_pane,
            self.show_perspective,
            self.look,
            self.welcome.examples.asked.emit,
        )
        _offer(menus, self._graph_menu)
        self.look.show(menus)
        return menus

    def _verbs(self) -> list[QAction]:
        return [entry.action for entry in verbs_of(self.menuBar()) if entry.shortcut]

    def _connect(self) -> None:
        FieldUndo(self)
        StatusTips(self._actions, self.status)
        self._actions.wanted.connect(self._do)
        self.welcome.file_asked.connect(self.file_asked)
        self.welcome.clear_asked.connect(self._forget_recent)

    # ---- what is shown

    @property
    def is_welcoming(self) -> bool:
        """Whether the welcome page is shown."""
        return self._pages.currentWidget() is self.welcome

    def show_welcome(self) -> None:
        """Show the welcome page; the docks stay as they are."""
        self._pages.setCurrentWidget(self.welcome)
        self.status.show_health(None)
        self.welcome.choose_default(knows_plans=self._settings.has_saved)
        self.welcome.focus_default()

    def show_workbench(self) -> None:
        """Show toolbar, canvas and docks."""
        self.fit_workbench()
        with one_after_another():
            self._pages.setCurrentWidget(self._bench)
        self.ground.setFocus(Qt.FocusReason.OtherFocusReason)

    def _show_pane_windows(self) -> None:
        """Show the windows of panes with the docks, unless another engine's page is in front."""
        is_behind = self.isHidden() and not self.isWindow()
        self.pane_windows.show_all(shown=not self.is_welcoming and not is_behind)

    def show_title(self, name: str) -> None:
        """Show the name of the document in front in the window's title; empty: there is none."""
        self._title = name
        self._say_title()

    def show_waiting(self, waits: bool) -> None:
        """Show in the window's title whether an item of the run in front waits for the user."""
        if waits != self._waits:
            self._waits = waits
            self._say_title()

    def show_engine(self, where: str, *, watches: bool = False) -> None:
        """Show in the window's title that the engine is on another machine, and whether it is only watched."""
        self._engine = fill(self.tr("%1, only watched"), where) if watches else where
        self._say_title()

    def _say_title(self) -> None:
        name = fill(self.tr("%1, waits for you"), self._title) if self._waits else self._title
        parts = [name, self._engine, "Starloom"]
        self.setWindowTitle(" — ".join(filter(None, parts)))

    def show_graph_menu(self, menu: QMenu | None) -> None:
        """Show the menu of the graph in front in the menu bar; None: there is none. The one before is deleted."""
        before, self._graph_menu = self._graph_menu, menu
        _offer(self.menus, menu)
        if before is not None:
            before.deleteLater()

    def show_recent(self) -> None:
        """Show the recent files as they are remembered now, on the welcome page and in the menu."""
        files = self._settings.recent
        self.welcome.show_recent(files)
        menu = self.menus.recent
        menu.clear()
        for file in files:
            menu.addAction(file.path).triggered.connect(lambda _=False, path=file.path: self.file_asked.emit(path))
        menu.setEnabled(bool(files))

    # ---- layout

    def restore_layout(self) -> bool:
        """Restore window and docks; False: no usable layout was saved, and the default one is shown."""
        if self.isWindow() or not self.window().isVisible():  # else another engine is shown in it already
            self.window().restoreGeometry(self._settings.blob("window"))
        self.fit_workbench()
        self.pane_windows.restore()
        return self.layouts.restore()

    def save_layout(self) -> None:
        """Save where window and docks are."""
        self.layouts.save()
        self.pane_windows.save()
        self._settings.write_blob("window", self.window().saveGeometry())

    def show_perspective(self, perspective: Perspective) -> None:
        """Arrange the docks for a purpose."""
        self.layouts.show(perspective)

    def show_pane(self, pane: str) -> None:
        """Show a pane and give it the keyboard focus.

        Raises:
            KeyError: there is no such pane.
        """
        self.workbench.show_pane(pane)

    def fit_workbench(self) -> None:
        """Resize the hidden workbench to its final size, as Qt does not while the welcome page covers it."""
        if self.is_welcoming:
            self._activate(self)
            self._bench.resize(self._pages.size())
            self._activate(self._bench)
            self._activate(self.workbench)

    def _activate(self, window: QWidget) -> None:
        layout = window.layout()
        if layout is not None:
            layout.activate()

    # ---- what the user asks for

    def _do(self, key: str) -> None:
        if key == "reset_layout":
            self.pane_windows.put_all_back()
            self.layouts.reset()
        elif key == "pane_window":
            self.pane_windows.toggle(self.pane_windows.in_use)
        elif key == "full_screen":
            self.window().setWindowState(self.window().windowState() ^ Qt.WindowState.WindowFullScreen)
        elif key == "quit":
            self.window().close()
        elif key in _ENGINE_TURNS:
            self.engine_turned.emit(_ENGINE_TURNS[key])
        elif key == "disconnect":
            self.disconnect_asked.emit()

    def note_window_state(self) -> None:
        """Show in the menu whether the window takes the whole screen."""
        self._actions["full_screen"].setChecked(self.window().isFullScreen())

    def allow_engines(self, count: int, *, is_closable: bool) -> None:
        """Enable what turns from one engine to another, and what ends that one is shown.

        Args:
            count: of the engines in the window.
            is_closable: whether this one can be shown no more while the window stays.
        """
        alone = Verdict(count > 1, self.tr("The window shows one engine."), self.tr("Connect it to a server."))
        for key in _ENGINE_TURNS:
            self._actions.allow(key, alone)
        own = self.tr("This engine is the window's own.") if count > 1 else alone.reason
        self._actions.allow("disconnect", Verdict(is_closable, own))

    def come_to_front(self) -> None:
        """Show this in front of all other windows."""
        self.engine_turned.emit(0)
        window = self.window()
        window.show()
        window.raise_()
        window.activateWindow()

    def _forget_recent(self) -> None:
        self._settings.forget_recent()
        self.show_recent()
        self.welcome.focus_default()

    @override
    def focusNextPrevChild(self, following: bool) -> bool:
        now: Any = self.focusWidget()  # None where nothing has the keyboard, which the stubs don't know
        fallback = focus_fallback(now, self.ground) if now is not None else None
        if fallback is not None:
            fallback.setFocus(Qt.FocusReason.OtherFocusReason)
            return True
        return turn_to_next(self, (*self.workbench.rooms, self.time_bar, self.status), forward=following)

    @override
    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if self.is_welcoming:  # laid out in the little room of what was never seen, docks would stay that narrow
            self._bench.resize(self._pages.size())

    @override
    def closeEvent(self, event: QCloseEvent) -> None:
        if self.asks_before_closing:
            self.close_asked.emit()
            event.ignore()
            return
        if self.isWindow():  # else the program's window has the page in front save where docks are
            self.save_layout()
        self._settings.sync()
        self.pane_windows.show_all(shown=False)
        super().closeEvent(event)
        self.closed.emit()

    @override
    def changeEvent(self, event: QEvent) -> None:
        if event.type() == QEvent.Type.LanguageChange:
            self._actions.rename()
            self.workbench.rename_panes()
            self.menus = self._new_menus()
            self.pane_windows.retranslate()
            self.show_recent()
        elif event.type() == QEvent.Type.WindowStateChange:
            self.note_window_state()
        super().changeEvent(event)


def _stacked(*parts: QWidget) -> QWidget:
    """A widget with these widgets below each other, without gaps."""
    made = QWidget()
    column = QVBoxLayout(made)
    column.setContentsMargins(0, 0, 0, 0)
    column.setSpacing(0)
    for part in parts:
        column.addWidget(part)
    return made


def _offer(menus: Menus, graph: QMenu | None) -> None:
    menus.graph.setMenu(graph)  # type: ignore[arg-type]  # None takes the menu away, which the stubs don't know
    menus.graph.setEnabled(graph is not None)
