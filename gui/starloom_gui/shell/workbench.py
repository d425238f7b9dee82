"""The workbench: toolbar and run header on top, the canvas in the middle, docks around it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtWidgets import QMainWindow, QToolBar, QWidget
from typing_extensions import override

from starloom_gui.shell.panes import Dock
from starloom_gui.shell.perspectives import ARRANGEMENTS, ORDER, PANES, DockKey, Perspective, pane_name
from starloom_gui.shell.rail import Rail
from starloom_gui.theme.metrics import (
    BOTTOM_HEIGHT,
    INSPECTOR_WIDTH,
    LOW_BOTTOM_HEIGHT,
    LOW_WINDOW,
    NARROW_INSPECTOR_WIDTH,
    NARROW_SIDE_WIDTH,
    NARROW_WINDOW,
    RUN_HEADER,
    SIDE_WIDTH,
    TOOL_BAR,
    VERY_NARROW_WINDOW,
)
from starloom_gui.widgets.window_style import dock_style

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from PySide6.QtGui import QResizeEvent

    from starloom_gui.theme.appearance import Appearance
    from starloom_gui.theme.palette import Palette

_AREAS: Final = {
    DockKey.OUTLINE: (Qt.DockWidgetArea.LeftDockWidgetArea, QSize(SIDE_WIDTH, 250)),
    DockKey.DEVICES: (Qt.DockWidgetArea.LeftDockWidgetArea, QSize(SIDE_WIDTH, 250)),
    DockKey.INSPECTOR: (Qt.DockWidgetArea.RightDockWidgetArea, QSize(INSPECTOR_WIDTH, 500)),
    DockKey.BOTTOM: (Qt.DockWidgetArea.BottomDockWidgetArea, QSize(600, BOTTOM_HEIGHT)),
    DockKey.BESIDE: (Qt.DockWidgetArea.BottomDockWidgetArea, QSize(400, BOTTOM_HEIGHT)),
}


class Room(NamedTuple):
    """The sizes of the docks that fit into a window.

    Attributes:
        side, inspector: the widths of the columns beside the canvas, in pixels.
        bottom: the height of the bottom pane.
        is_rail: whether of the left column only a rail of icons is there until one asks for more.
    """

    side: int
    inspector: int
    bottom: int
    is_rail: bool

    @classmethod
    def of(cls, width: int, height: int) -> Room:
        """The sizes in a window of so many pixels."""
        is_narrow = width < NARROW_WINDOW
        return cls(
            NARROW_SIDE_WIDTH if is_narrow else SIDE_WIDTH,
            NARROW_INSPECTOR_WIDTH if is_narrow else INSPECTOR_WIDTH,
            LOW_BOTTOM_HEIGHT if height < LOW_WINDOW else BOTTOM_HEIGHT,
            width < VERY_NARROW_WINDOW,
        )


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
        area, size = _AREAS[key]
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
            self.addDockWidget(_AREAS[key][0], dock)
            dock.setVisible(bool(dock.keys))
        outline, devices = self.docks[DockKey.OUTLINE], self.docks[DockKey.DEVICES]
        bottom, beside = self.docks[DockKey.BOTTOM], self.docks[DockKey.BESIDE]
        self.splitDockWidget(outline, devices, Qt.Orientation.Vertical)
        self.splitDockWidget(bottom, beside, Qt.Orientation.Horizontal)
        for key, pane in wanted.fronts:
            self.docks[key].bring(pane)
        if self._room.is_rail and perspective is not Perspective.EDIT:  # which is for what the palette has
            self._show_left(shown=False)
        self._size(wanted.bottom)
        self.arranged.emit(perspective)

    def _gather(self, beside: tuple[str, ...]) -> None:
        """Move every pane to its default dock, or these beside the bottom; others in place are unchanged."""
        left = {key: tuple(pane for pane in keys if pane not in beside) for key, keys in PANES.items()}
        self.place_panes({**left, DockKey.BESIDE: beside})

    def _size(self, bottom: float) -> None:
        room = max(1, self.height() - TOOL_BAR - RUN_HEADER)
        high = round(bottom * room) if bottom <= 1 else round(min(bottom, self._room.bottom))
        across, down = Qt.Orientation.Horizontal, Qt.Orientation.Vertical
        docks = self.docks
        self.resizeDocks([docks[DockKey.OUTLINE], docks[DockKey.INSPECTOR]], self._sides(), across)
        half = max(1, (room - high) // 2)
        self.resizeDocks([docks[DockKey.OUTLINE], docks[DockKey.DEVICES]], [half, half], down)
        self.resizeDocks([docks[DockKey.BOTTOM]], [high], down)
        if docks[DockKey.BESIDE].keys:
            self.resizeDocks([docks[DockKey.BOTTOM], docks[DockKey.BESIDE]], [600, 500], across)

    # ---- as much as the window has room for

    @override
    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.adapt()

    def adapt(self, *, is_restored: bool = False, saved_in: Sequence[int] | None = None) -> None:
        """Resize docks of default size to the default of a window of this size.

        Args:
            is_restored: whether they have the sizes that were saved, which stay.
            saved_in: the width and height of the window they were saved in, if that is known; in one of another size
                those of default size are resized.
        """
        window = self.window()  # behind the welcome page this widget has another size
        before, room = self._room, Room.of(window.width(), window.height())
        if is_restored and saved_in is not None and Room.of(*saved_in) != room:
            before, is_restored = Room.of(*saved_in), False
        if room == before and not is_restored:
            return
        self._room = room
        self.rail.setVisible(room.is_rail)
        if room.is_rail is not before.is_rail or (is_restored and not room.is_rail):
            self._show_left(shown=not room.is_rail)
        if is_restored:
            return
        outline, inspector, bottom = (self.docks[key] for key in (DockKey.OUTLINE, DockKey.INSPECTOR, DockKey.BOTTOM))
        across, down = Qt.Orientation.Horizontal, Qt.Orientation.Vertical
        if _is_about(outline.width(), before.side) or before.is_rail:
            self.resizeDocks([outline], [room.side], across)
        if before.is_rail:
            self.resizeDocks(list(self._left_docks()), [1, 1], down)  # halves
        if _is_about(inspector.width(), before.inspector):
            self.resizeDocks([inspector], [room.inspector], across)
        if _is_about(bottom.height(), before.bottom):
            self.resizeDocks([bottom], [room.bottom], down)

    def _sides(self) -> list[int]:
        return [self._room.side, self._room.inspector]

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
            self.resizeDocks([dock], [self._room.side], Qt.Orientation.Horizontal)
        self._show_open()

    def _show_open(self, *_: object) -> None:
        self.rail.show_open({dock.front for dock in self._left_docks() if not dock.isHidden()})


def _is_about(size: int, meant: int) -> bool:
    """Whether a dock is as large as it was meant to be, so that nobody has chosen another size."""
    return abs(size - meant) <= 2


def _give_keyboard(pane: QWidget) -> None:
    """Focus a pane: the widget it names, or else the first one that takes the focus."""
    parts = [pane, *pane.findChildren(QWidget)] if pane.focusProxy() is None else [pane]
    for part in parts:
        takes = part.focusProxy() is not None or part.focusPolicy() & Qt.FocusPolicy.TabFocus
        if takes and part.isVisibleTo(pane) and part.isEnabled():
            part.setFocus(Qt.FocusReason.ShortcutFocusReason)
            return
