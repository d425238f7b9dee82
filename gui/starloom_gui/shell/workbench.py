"""The workbench: toolbar and run header on top, the canvas in the middle, docks around it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QMainWindow, QToolBar, QWidget
from typing_extensions import override

from starloom_gui.shell.dock_sizes import AREAS, DockSizes, OwnSizes, Room
from starloom_gui.shell.panes import Dock
from starloom_gui.shell.perspectives import ARRANGEMENTS, ORDER, PANES, DockKey, Perspective, pane_name
from starloom_gui.shell.rail import Rail
from starloom_gui.theme.metrics import BOTTOM_HEIGHT, RUN_HEADER, TOOL_BAR
from starloom_gui.widgets.window_style import dock_style

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from PySide6.QtGui import QResizeEvent

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
        rail: what there is of the left column in a very small window.
        rooms: all its parts in the order in which they are read.

    Signals:
        arranged(Perspective): a perspective has been asked for, and the docks are so now.
    """

    arranged = Signal(object)

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
        self.setCentralWidget(canvas)
        self.setCorner(Qt.Corner.BottomLeftCorner, Qt.DockWidgetArea.BottomDockWidgetArea)
        self.setCorner(Qt.Corner.BottomRightCorner, Qt.DockWidgetArea.RightDockWidgetArea)
        self._room = Room.of(10_000, 10_000)
        self.rail = Rail(self._toggle, self)
        self.addToolBar(Qt.ToolBarArea.LeftToolBarArea, self.rail)
        self.rail.hide()
        self.docks = {key: self._new_dock(key) for key in DockKey}
        self.sizes = DockSizes(self, self.docks)
        inspector, bottom, beside = (self.docks[key] for key in (DockKey.INSPECTOR, DockKey.BOTTOM, DockKey.BESIDE))
        self.rooms = (tool_bar, header, self.rail, *self._left_docks(), canvas, inspector, bottom, beside)
        for dock in self._left_docks():
            dock.visibilityChanged.connect(self._show_open)
            dock.turned.connect(self._show_open)
        self._fill(panes, corners or {})
        appearance.changed.connect(self._apply_theme)
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
        return dock

    def _fill(self, panes: Mapping[str, QWidget], corners: Mapping[str, QWidget]) -> None:
        for key, keys in PANES.items():
            for pane in keys:
                self.docks[key].add(pane, pane_name(pane), panes.get(pane) or QWidget(), corners.get(pane))
            self.docks[key].tabs.setCurrentIndex(0)

    def _apply_theme(self, palette: Palette) -> None:
        self.setStyleSheet(dock_style(palette))
        self.rail.apply_theme(palette)
        for dock in self.docks.values():
            dock.apply_theme(palette)

    # ---- panes

    def dock_of(self, pane: str) -> Dock:
        """The dock a pane is in.

        Raises:
            KeyError: there is no such pane.
        """
        for dock in self.docks.values():
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
        """Bring a pane to the front of its dock, show the dock, and focus the pane.

        Raises:
            KeyError: there is no such pane.
        """
        dock = self.dock_of(pane)
        dock.show()
        dock.raise_()
        dock.bring(pane)
        _give_keyboard(dock.pane(pane))

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
        for pane in ORDER:
            self.dock_of(pane).rename(pane, pane_name(pane))

    def place_panes(self, wanted: Mapping[DockKey, tuple[str, ...]]) -> None:
        """Move all panes to these docks, in this order; a dock that has its panes already is unchanged."""
        for key, panes in wanted.items():
            if self.docks[key].keys != panes:
                for pane in panes:
                    name, widget, corner = self.dock_of(pane).take(pane)
                    self.docks[key].add(pane, name, widget, corner)
        for dock in self.docks.values():
            dock.setVisible(bool(dock.keys) and not dock.isHidden())

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
            self.docks[key].bring(pane)
        if self._room.is_rail and perspective is not Perspective.EDIT:  # which is for what the palette has
            self._show_left(shown=False)
        self._size(None if wanted.bottom == BOTTOM_HEIGHT else wanted.bottom)
        self.arranged.emit(perspective)

    def _gather(self, beside: tuple[str, ...]) -> None:
        """Move every pane to its default dock, or these beside the bottom; others in place are unchanged."""
        left = {key: tuple(pane for pane in keys if pane not in beside) for key, keys in PANES.items()}
        self.place_panes({**left, DockKey.BESIDE: beside})

    def _size(self, bottom: float | None) -> None:
        self.sizes.own = OwnSizes(bottom=bottom)
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
        if dock.isVisible() and dock.front == pane:
            dock.hide()
        else:
            self.show_pane(pane)
            self.sizes.apply(self._room)
        self._show_open()

    def _show_open(self, *_: object) -> None:
        self.rail.show_open({dock.front for dock in self._left_docks() if not dock.isHidden()})


def _give_keyboard(pane: QWidget) -> None:
    """Focus a pane: the widget it names, or else the first one that takes the focus."""
    parts = [pane, *pane.findChildren(QWidget)] if pane.focusProxy() is None else [pane]
    for part in parts:
        takes = part.focusProxy() is not None or part.focusPolicy() & Qt.FocusPolicy.TabFocus
        if takes and part.isVisibleTo(pane) and part.isEnabled():
            part.setFocus(Qt.FocusReason.ShortcutFocusReason)
            return
