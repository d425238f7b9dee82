"""Panes in windows of their own, for a second screen. They show what the docked ones would: the tab in front."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, Final

from PySide6.QtCore import QByteArray, QObject, QRect, Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QApplication

from starloom_gui.shell.pane_drops import PaneDrops
from starloom_gui.shell.pane_window import PaneWindow
from starloom_gui.shell.perspectives import GRAPH, ORDER

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from PySide6.QtGui import QAction
    from PySide6.QtWidgets import QWidget

    from starloom_gui.settings import Settings
    from starloom_gui.shell.workbench import Workbench
    from starloom_gui.theme.appearance import Appearance
    from starloom_gui.theme.palette import Palette

_BLOB: Final = "windows"


class PaneWindows(QObject):
    """Moves panes into windows of their own and back, and restores these windows in the next session.

    Args:
        bench: has the panes.
        main: the console that it is part of.
        settings: keep where the windows are.
        appearance: the colours.
        actions: gives all actions of the main window: their keys hold in the windows too.

    Attributes:
        drops: has panes dragged there and back.
    """

    def __init__(
        self,
        bench: Workbench,
        main: QWidget,
        settings: Settings,
        appearance: Appearance,
        actions: Callable[[], Iterable[QAction]],
    ) -> None:
        super().__init__(bench)
        self._main = main
        self._bench, self._settings, self._appearance, self._actions = bench, settings, appearance, actions
        self._in_use = GRAPH
        self._are_hidden = True
        self.drops = PaneDrops(bench, self)
        bench.window_asked.connect(self.toggle)
        appearance.changed.connect(self._apply_theme)
        application = QApplication.instance()
        assert isinstance(application, QApplication), "there is a window"
        application.focusChanged.connect(self._note_focus)

    @property
    def in_use(self) -> str:
        """The pane that had the keyboard last."""
        return self._in_use

    def toggle(self, pane: str) -> None:
        """Move a pane into a window of its own, or back to where it was."""
        if pane in self._bench.windows:
            self.put_back(pane)
        else:
            self.open(pane)

    def open(self, pane: str, place: QRect | None = None, *, is_maximized: bool = False) -> None:
        """Move a pane into a window of its own.

        Args:
            pane: its key.
            place: of the window on the desktop, without its frame; None: the system chooses.
            is_maximized: whether it fills its screen.
        """
        window = PaneWindow(pane, self._bench, self._main)
        window.left.connect(self.put_back)
        if place is not None:
            window.setGeometry(place)
        self._bench.give(pane, window)
        window.dock.window_asked.connect(self.toggle)
        self.drops.watch(window.dock)
        window.dock.apply_theme(self._appearance.palette)
        self._main.windowTitleChanged.connect(window.show_title)
        window.show_title(self._main.windowTitle())
        window.addActions(list(self._actions()))
        if is_maximized:
            window.setWindowState(Qt.WindowState.WindowMaximized)
        if not self._are_hidden:
            window.show()
            self._bench.show_pane(pane)

    def put_back(self, pane: str) -> None:
        """Move a pane from its window back to where it was, and close the window."""
        window = self._bench.take_back(pane)
        if window is not None:
            window.hide()
            window.deleteLater()
            self._bench.show_pane(pane)

    def put_all_back(self) -> None:
        """Move all panes back, and close all windows."""
        for pane in list(self._bench.windows):
            self.put_back(pane)

    def show_all(self, *, shown: bool) -> None:
        """Show or hide the windows, as they come and go with the docks."""
        self._are_hidden = not shown
        for window in self._bench.windows.values():
            window.setAttribute(Qt.WidgetAttribute.WA_ShowWithoutActivating)
            window.setVisible(shown)
            window.setAttribute(Qt.WidgetAttribute.WA_ShowWithoutActivating, on=False)
        if (question := QApplication.activeModalWidget()) is not None:
            question.raise_()  # which was asked before, and would lie below the windows that cannot be used until then

    def retranslate(self) -> None:
        """Take up texts and menus in the language that holds now."""
        for window in self._bench.windows.values():
            window.show_title(self._main.windowTitle())
            window.addActions(list(self._actions()))

    # ---- from one session to the next

    def save(self) -> None:
        """Save which panes are in windows, and where these are."""
        known = {
            pane: [*window.normalGeometry().getRect(), window.isMaximized()]  # type: ignore[misc]  # it is a tuple
            for pane, window in self._bench.windows.items()
        }
        self._settings.write_blob(_BLOB, QByteArray(json.dumps(known).encode()))

    def restore(self) -> None:
        """Open the windows that were saved, but those whose screen is not there: their panes stay where they are."""
        try:
            known = json.loads(bytes(self._settings.blob(_BLOB).data()))
        except ValueError:
            return
        for pane, saved in known.items() if isinstance(known, dict) else ():
            place = _place(saved)
            is_known = pane in (GRAPH, *ORDER) and pane not in self._bench.windows
            if is_known and place is not None and QGuiApplication.screenAt(place.center()) is not None:
                self.open(pane, place, is_maximized=saved[4])

    # ---- what happens

    def _note_focus(self, _old: QWidget | None, new: QWidget | None) -> None:
        if new is not None:
            self._in_use = self._bench.pane_with(new) or self._in_use

    def _apply_theme(self, palette: Palette) -> None:
        for window in self._bench.windows.values():
            window.dock.apply_theme(palette)


def _place(saved: Any) -> QRect | None:
    """A saved place; None: it is none."""
    if not isinstance(saved, list) or [type(part) for part in saved] != [int] * 4 + [bool]:
        return None
    return QRect(*saved[:4])
