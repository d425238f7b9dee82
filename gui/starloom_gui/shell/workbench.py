"""The workbench: toolbar and run header on top, the canvas in the middle, docks around it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QApplication, QMainWindow, QToolBar, QWidget
from typing_extensions import override

from starloom_gui.panels.note import PanePlaceholder
from starloom_gui.shell.dock_sizes import AREAS, DockSizes, OwnSizes, Room
from starloom_gui.shell.panes import Dock
from starloom_gui.shell.perspectives import (
    ARRANGEMENTS,
    GRAPH,
    ORDER,
    PANES,
    DockKey,
    PanePosition,
    Perspective,
    pane_name,
)
from starloom_gui.shell.rail import Rail
from starloom_gui.theme.metrics import BOTTOM_HEIGHT, RUN_HEADER, TOOL_BAR
from starloom_gui.widgets.controls import button
from starloom_gui.widgets.view_stack import ViewStack
from starloom_gui.widgets.window_style import DOCK_STYLE

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from PySide6.QtGui import QResizeEvent

    from starloom_gui.shell.pane_window import PaneWindow
    from starloom_gui.theme.appearance import Appearance
    from starloom_gui.theme.palette import Palette


class Workbench(QMainWindow):
    """The inner main window with the docks, which stay as they are while the welcome page is shown.

    Args:
        appearance: the colours.
        tool_bar: what lies in the toolbar.
        header: what lies in the row under it.
        canvas: the middle.
        panes: by key of `perspectives.ORDER`; one that is missing is an empty widget.
        corners: what stands at the right of a pane's tabs while it is in front, by the same keys.
        parent: of the widget.

    Attributes:
        docks: by key.
        sizes: of the docks.
        windows: the windows of panes that are in none of the docks, by their keys; the graph may be one.
        rail: what there is of the left column in a very small window.
        rooms: all its parts in the order in which they are read.

    Signals:
        arranged(Perspective): a perspective has been asked for, and the docks are so now.
        window_asked(str): the pane of this key shall have a window of its own, or leave it.
    """

    arranged = Signal(object)
    window_asked = Signal(str)

    def __init__(
        self,
        appearance: Appearance,
        tool_bar: QWidget,
        header: QWidget,
        canvas: QWidget,
        panes: Mapping[str, QWidget],
        corners: Mapping[str, QWidget] | None = None,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self.setWindowFlags(Qt.WindowType.Widget)
        self.setDockOptions(QMainWindow.DockOption.AllowNestedDocks)
        self.setContextMenuPolicy(Qt.ContextMenuPolicy.NoContextMenu)
        self._add_row("tool_bar", self.tr("Toolbar"), tool_bar, TOOL_BAR)
        self.addToolBarBreak()
        self._add_row("header", self.tr("Runs"), header, RUN_HEADER)
        self._canvas, self._appearance = canvas, appearance
        self._middle = ViewStack()
        self._middle.addWidget(canvas)
        self.setCentralWidget(self._middle)
        self.setCorner(Qt.Corner.BottomLeftCorner, Qt.DockWidgetArea.BottomDockWidgetArea)
        self.setCorner(Qt.Corner.BottomRightCorner, Qt.DockWidgetArea.RightDockWidgetArea)
        self._room = Room.of(10_000, 10_000)
        self.rail = Rail(self._toggle, self)
        self.addToolBar(Qt.ToolBarArea.LeftToolBarArea, self.rail)
        self.rail.hide()
        self.docks = {key: self._new_dock(key) for key in DockKey}
        self.sizes = DockSizes(self, self.docks)
        self.windows: dict[str, PaneWindow] = {}
        self._positions: dict[str, PanePosition] = {}
        inspector, bottom, beside = (self.docks[key] for key in (DockKey.INSPECTOR, DockKey.BOTTOM, DockKey.BESIDE))
        self.rooms = (tool_bar, header, self.rail, *self._left_docks(), canvas, inspector, bottom, beside)
        for dock in self._left_docks():
            dock.visibilityChanged.connect(self._show_open)
            dock.turned.connect(self._show_open)
        self._fill(panes, corners or {})
        appearance.changed.connect(self._apply_theme)
        self.setStyleSheet(DOCK_STYLE)
        self._apply_theme(appearance.palette)
        self.show_perspective(Perspective.OPERATE)

    def _add_row(self, name: str, title: str, content: QWidget, height: int) -> None:
        bar = QToolBar(title, self)
        bar.setObjectName(name)
        bar.setMovable(False)
        bar.setFixedHeight(height)
        bar.layout().setContentsMargins(0, 0, 0, 0)  # type: ignore[union-attr]
        bar.addWidget(content)
        self.addToolBar(bar)

    def _new_dock(self, key: DockKey) -> Dock:
        area, size = AREAS[key]
        dock = Dock(key.value, size, self)
        dock.setFeatures(dock.features() & ~Dock.DockWidgetFeature.DockWidgetClosable)
        self.addDockWidget(area, dock)
        dock.window_asked.connect(self.window_asked)
        return dock

    def _fill(self, panes: Mapping[str, QWidget], corners: Mapping[str, QWidget]) -> None:
        for key, keys in PANES.items():
            for pane in keys:
                self.docks[key].add(pane, pane_name(pane), panes.get(pane) or QWidget(), corners.get(pane))
            self.docks[key].tabs.setCurrentIndex(0)

    def _apply_theme(self, palette: Palette) -> None:
        self.rail.apply_theme(palette)
        for dock in self.docks.values():
            dock.apply_theme(palette)

    # ---- panes

    def dock_of(self, pane: str) -> Dock:
        """The dock a pane is in.

        Raises:
            KeyError: there is no such pane.
        """
        for dock in (*self.docks.values(), *(window.dock for window in self.windows.values())):
            if pane in dock.keys:
                return dock
        raise KeyError(f"There is no pane {pane!r}; there are {', '.join(ORDER)}.")

    def turn_to(self, pane: str) -> None:
        """Bring a pane to the front of its dock, without moving the focus.

        Raises:
            KeyError: there is no such pane.
        """
        self.dock_of(pane).bring(pane)

    def show_pane(self, pane: str) -> None:
        """Bring a pane to the front of its dock, show the dock, and focus the pane; or focus the graph.

        Raises:
            KeyError: there is no such pane.
        """
        if pane == GRAPH:
            bring_up(self._canvas.window())
            self._canvas.setFocus(Qt.FocusReason.ShortcutFocusReason)
            return
        dock = self.dock_of(pane)
        if pane not in self.windows:
            dock.show()
            dock.raise_()
        bring_up(dock.window())
        dock.bring(pane)
        if not _give_keyboard(dock.pane(pane)):
            dock.take_keyboard()

    def move_pane(self, pane: str, where: DockKey) -> None:
        """Move a pane to another dock, behind its panes; an emptied dock hides.

        Raises:
            KeyError: there is no such pane.
        """
        source, target = self.dock_of(pane), self.docks[where]
        if source is target:
            return
        name, widget, corner = source.take(pane)
        target.add(pane, name, widget, corner)
        source.setVisible(bool(source.keys))
        target.show()

    def rename_panes(self) -> None:
        """Translate the names of the panes into the current language."""
        for pane in (*ORDER, *(GRAPH for _ in self.windows.keys() & {GRAPH})):
            self.dock_of(pane).rename(pane, pane_name(pane))

    def place_panes(self, wanted: Mapping[DockKey, tuple[str, ...]]) -> None:
        """Move all panes but those in windows to these docks, in this order; a dock that has them is unchanged."""
        for key, places in wanted.items():
            panes = tuple(pane for pane in places if pane not in self.windows)
            if self.docks[key].keys != panes:
                for pane in panes:
                    name, widget, corner = self.dock_of(pane).take(pane)
                    self.docks[key].add(pane, name, widget, corner)
        for dock in self.docks.values():
            dock.setVisible(bool(dock.keys) and not dock.isHidden())

    # ---- windows of panes

    def give(self, pane: str, window: PaneWindow) -> None:
        """Move a pane into a window; the graph leaves a note in the middle.

        Raises:
            KeyError: there is no such pane.
        """
        if pane == GRAPH:
            self._middle.removeWidget(self._canvas)
            self._middle.addWidget(self._new_note())
            window.dock.add(pane, pane_name(pane), self._canvas)
            self._positions[pane] = PanePosition(None)
        else:
            source = self.dock_of(pane)
            self._positions[pane] = PanePosition(DockKey(source.objectName()), source.keys.index(pane))
            window.dock.add(pane, *source.take(pane))
            source.setVisible(bool(source.keys) and not source.isHidden())
        self.windows[pane] = window

    def take_back(self, pane: str) -> PaneWindow | None:
        """Move a pane from its window back to where it was; returns the window, None: it was in none."""
        window, position = self.windows.pop(pane, None), self._positions.pop(pane, None)
        if window is None or position is None:
            return None
        name, widget, corner = window.dock.take(pane)
        if position.dock is None:
            for note in self._middle.findChildren(PanePlaceholder):
                note.deleteLater()
            self._middle.insertWidget(0, widget)
            self._middle.setCurrentWidget(widget)
        else:
            self.docks[position.dock].add(pane, name, widget, corner, position.at)
        return window

    def places(self) -> dict[DockKey, list[str]]:
        """The panes of each dock, with those in windows where they go back to."""
        found = {key: list(dock.keys) for key, dock in self.docks.items()}
        for pane, position in reversed(self._positions.items()):
            if position.dock is not None:
                found[position.dock].insert(position.at, pane)
        return found

    def pane_with(self, widget: QWidget) -> str:
        """The key of the pane in which a widget lies, or of whose tab it is; empty: of none."""
        if self._canvas.isAncestorOf(widget) or widget is self._canvas:
            return GRAPH
        around: QWidget | None = widget
        while around is not None and not isinstance(around, Dock):
            around = around.parentWidget()
        return around.front if around is not None else ""

    def _new_note(self) -> QWidget:
        back = button(self.tr("Put it back"))
        back.clicked.connect(lambda: self.window_asked.emit(GRAPH))
        return PanePlaceholder(self._appearance, self.tr("The graph is in a window of its own."), back)

    # ---- perspectives

    def show_perspective(self, perspective: Perspective) -> None:
        """Arrange the docks for a purpose: all of them docked, at their sizes, with the right panes in front."""
        wanted = ARRANGEMENTS[perspective]
        self._gather(wanted.beside)
        for key, dock in self.docks.items():
            dock.setFloating(False)
            self.addDockWidget(AREAS[key][0], dock)
            dock.setVisible(bool(dock.keys))
        outline, devices = self.docks[DockKey.OUTLINE], self.docks[DockKey.DEVICES]
        bottom, beside = self.docks[DockKey.BOTTOM], self.docks[DockKey.BESIDE]
        self.splitDockWidget(outline, devices, Qt.Orientation.Vertical)
        self.splitDockWidget(bottom, beside, Qt.Orientation.Horizontal)
        for key, pane in wanted.fronts:
            if pane in self.docks[key].keys:
                self.docks[key].bring(pane)
        if self._room.is_rail and perspective is not Perspective.EDIT:  # which is for what the palette has
            self._show_left(shown=False)
        self._size(None if wanted.bottom == BOTTOM_HEIGHT else wanted.bottom, wanted.upper)
        self.arranged.emit(perspective)

    def _gather(self, beside: tuple[str, ...]) -> None:
        """Move every pane to its default dock, or these beside the bottom; others in place are unchanged."""
        left = {key: tuple(pane for pane in keys if pane not in beside) for key, keys in PANES.items()}
        self.place_panes({**left, DockKey.BESIDE: beside})

    def _size(self, bottom: float | None, upper: float | None) -> None:
        self.sizes.own = OwnSizes(bottom=bottom, upper=upper)
        self.sizes.apply(self._room)
        if self.docks[DockKey.BESIDE].keys:
            both = [self.docks[DockKey.BOTTOM], self.docks[DockKey.BESIDE]]
            self.resizeDocks(both, [600, 500], Qt.Orientation.Horizontal)

    # ---- as much as the window has room for

    @override
    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.adapt()

    def adapt(self, saved_in: Sequence[int] | None = None) -> None:
        """Give the docks what a window of this size has room for.

        Args:
            saved_in: the width and height of the window in which they were saved as they are now; None: they were not.
        """
        window = self.window()  # behind the welcome page this widget has another size
        before = self._room if saved_in is None else Room.of(*saved_in)
        self._room = Room.of(window.width(), window.height())
        is_rail = self._room.is_rail
        self.rail.setVisible(is_rail)
        if is_rail is not before.is_rail or (saved_in is not None and not is_rail):
            self._show_left(shown=not is_rail)
        self.sizes.apply(self._room)

    def _left_docks(self) -> tuple[Dock, Dock]:
        return self.docks[DockKey.OUTLINE], self.docks[DockKey.DEVICES]

    def _show_left(self, *, shown: bool) -> None:
        """Show or hide the left column; floating docks are not part of it."""
        for dock in self._left_docks():
            if not dock.isFloating():
                dock.setVisible(shown and bool(dock.keys))

    def _toggle(self, pane: str) -> None:
        """Show a pane of the left column, or hide its dock if it is in front there."""
        dock = self.dock_of(pane)
        if pane not in self.windows and dock.isVisible() and dock.front == pane:
            dock.hide()
        else:
            self.show_pane(pane)
            self.sizes.apply(self._room)
        self._show_open()

    def _show_open(self, *_: object) -> None:
        self.rail.show_open({dock.front for dock in self._left_docks() if not dock.isHidden()})


def bring_up(window: QWidget) -> None:
    """Bring a window to the front, if another one of the console has the keyboard now."""
    active: QWidget | None = QApplication.activeWindow()
    if active is not None and active is not window:
        if window.isMinimized():
            window.showNormal()
        window.raise_()
        window.activateWindow()


def _give_keyboard(pane: QWidget) -> bool:
    """Focus a pane: the widget it names, or else the first that takes the focus; returns whether there is one."""
    for part in (pane, *pane.findChildren(QWidget)):
        taker = part
        while (proxy := taker.focusProxy()) is not None:
            taker = proxy
        takes = taker is not part or part.focusPolicy() & Qt.FocusPolicy.TabFocus
        if takes and taker.isVisibleTo(pane) and taker.isEnabled():
            part.setFocus(Qt.FocusReason.ShortcutFocusReason)
            return True
    return False
