"""Panes that are dragged by their tabs: into a window of their own, to other tabs, or back into the main window."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, Protocol

from PySide6.QtCore import QObject, QPoint, QRect

from starloom_gui.shell.layout_state import fit_on_screen
from starloom_gui.shell.pane_window import FIRST
from starloom_gui.shell.perspectives import GRAPH, DockKey, pane_name
from starloom_gui.shell.tab_drag import TabDrag, on_desktop
from starloom_gui.text.words import fill

if TYPE_CHECKING:
    from PySide6.QtWidgets import QTabBar

    from starloom_gui.shell.panes import Dock
    from starloom_gui.shell.workbench import Workbench

_APART: Final = "apart"
_BACK: Final = "back"
_HELD: Final = QPoint(60, 14)
"""Where in its new window the pointer holds a pane: at its tab."""


class PaneMover(Protocol):
    """The protocol of what moves panes into windows and back."""

    def open(self, pane: str, place: QRect | None = None) -> None:
        """Move a pane into a window of its own, at this place."""

    def put_back(self, pane: str) -> None:
        """Move a pane from its window back to where it was."""


class PaneDrops(QObject):
    """Decides what becomes of a pane that is dropped, and says so while it is dragged.

    Dropped on the tabs of a dock it stands with these; elsewhere a docked pane gets a window of its own. The graph
    leaves by the tab of its document, and comes back by being dropped on such tabs, or where it was.

    Args:
        bench: has the panes.
        mover: moves them, and owns this.
    """

    def __init__(self, bench: Workbench, mover: PaneMover) -> None:
        super().__init__(bench)
        self._bench, self._mover = bench, mover
        self._documents: QTabBar | None = None
        for dock in bench.docks.values():
            self.watch(dock)

    def watch(self, dock: Dock) -> None:
        """Have the panes of a dock dragged by their tabs."""
        TabDrag(dock.tabs, lambda at: dock.keys[at], self._said).dropped.connect(self._drop)

    def watch_documents(self, tabs: QTabBar) -> None:
        """Have the graph dragged by the tabs of documents, of which the pressed one is in front."""
        self._documents = tabs
        TabDrag(tabs, lambda _: GRAPH, self._said).dropped.connect(self._drop)

    def _target(self, pane: str, place: QPoint) -> DockKey | str:
        """Where a pane comes to that is dropped at a place: a dock, `_APART`, `_BACK`; empty: it stays."""
        window = self._bench.windows.get(pane)
        if window is not None and window.frameGeometry().contains(place):
            return ""
        if pane == GRAPH:
            is_over = any(area.contains(place) for area in self._of_graph()) if window is not None else False
            return _BACK if is_over else _APART if window is None else ""
        for key, dock in self._bench.docks.items():
            row = dock.titleBarWidget()
            if row.isVisible() and on_desktop(row).contains(place):
                return "" if pane in dock.keys else key
        return _APART if window is None else ""

    def _of_graph(self) -> list[QRect]:
        """The places that bring the graph back: the row of its documents, and where it was."""
        middle = self._bench.centralWidget()
        row = self._documents.parentWidget() if self._documents is not None else None
        return [on_desktop(area) for area in (middle, row) if area is not None and area.isVisible()]

    def _said(self, pane: str, place: QPoint) -> str:
        target, name = self._target(pane, place), pane_name(pane)
        if not target:
            return fill(self.tr("%1 stays where it is."), name)
        if target == _APART:
            return fill(self.tr("%1 moves to a window of its own. Esc: it stays."), name)
        if target == _BACK or pane in self._bench.windows:
            return fill(self.tr("%1 moves back into the main window. Esc: it stays."), name)
        return fill(self.tr("%1 moves to these tabs. Esc: it stays."), name)

    def _drop(self, pane: str, place: QPoint) -> None:
        target = self._target(pane, place)
        if target == _APART:
            self._mover.open(pane, QRect(place - _HELD, FIRST))
            fit_on_screen(self._bench.windows[pane])
        elif target:
            self._mover.put_back(pane)
        if isinstance(target, DockKey):
            self._bench.move_pane(pane, target)
            self._bench.show_pane(pane)
