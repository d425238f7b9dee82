"""The sizes of the docks: those that fit the window, but where the user has dragged a border."""

from __future__ import annotations

from dataclasses import asdict, dataclass, fields, replace
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from PySide6.QtCore import QEvent, QObject, QSize, Qt
from typing_extensions import override

from starloom_gui.shell.perspectives import DockKey
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

if TYPE_CHECKING:
    from collections.abc import Mapping

    from PySide6.QtWidgets import QMainWindow

    from starloom_gui.shell.panes import Dock

AREAS: Final = {
    DockKey.OUTLINE: (Qt.DockWidgetArea.LeftDockWidgetArea, QSize(SIDE_WIDTH, 250)),
    DockKey.DEVICES: (Qt.DockWidgetArea.LeftDockWidgetArea, QSize(SIDE_WIDTH, 250)),
    DockKey.INSPECTOR: (Qt.DockWidgetArea.RightDockWidgetArea, QSize(INSPECTOR_WIDTH, 500)),
    DockKey.BOTTOM: (Qt.DockWidgetArea.BottomDockWidgetArea, QSize(600, BOTTOM_HEIGHT)),
    DockKey.BESIDE: (Qt.DockWidgetArea.BottomDockWidgetArea, QSize(400, BOTTOM_HEIGHT)),
}
"""Where each dock is at first, and how large before any window is."""
_CANVAS: Final = 160
"""Pixels in height that the bottom leaves to the canvas, whoever has chosen its height in a higher window."""


_LARGEST: Final = 16_384
"""What Qt has for the largest pixmap; nobody's dock is that wide."""


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


@dataclass(frozen=True, slots=True)
class OwnSizes:
    """The sizes that the user has chosen; None: whatever fits the window.

    Attributes:
        side, inspector: the widths of the columns beside the canvas, in pixels.
        bottom: the height of the bottom: pixels, or up to 1 a share of what canvas and bottom have together.
        upper: the share of the left column that its upper dock has.
    """

    side: float | None = None
    inspector: float | None = None
    bottom: float | None = None
    upper: float | None = None

    @classmethod
    def read(cls, saved: object) -> OwnSizes:
        """The sizes that `write` gave; what is none is ignored."""
        known = saved if isinstance(saved, dict) else {}
        return cls(**{one.name: _size(known.get(one.name)) for one in fields(cls)})

    def write(self) -> dict[str, float | None]:
        """The sizes as values of JSON."""
        return asdict(self)


def _size(value: Any) -> float | None:
    is_number = isinstance(value, int | float) and not isinstance(value, bool)
    return value if is_number and 0 < value < _LARGEST else None


class DockSizes(QObject):
    """Keeps docks at the sizes of the window's room, or at the user's own, however the window is resized.

    What has not the place for an own size gets less for as long, and what lies elsewhere than at first is left alone.

    Args:
        bench: has the docks, and owns this.
        docks: by key.

    Attributes:
        own: what the user has chosen.
    """

    def __init__(self, bench: QMainWindow, docks: Mapping[DockKey, Dock]) -> None:
        super().__init__(bench)
        self._bench, self._docks = bench, docks
        self.own = OwnSizes()
        self._pressed: dict[str, float] = {}
        bench.installEventFilter(self)  # it has the borders, which Qt lets the user drag

    def apply(self, room: Room) -> None:
        """Resize the docks to what is wanted."""
        for name, size in self._wanted(room).items():
            layout = self._bench.layout()
            if layout is not None:
                layout.activate()  # docks that have just been shown or resized lie elsewhere only now
            now = self._now().get(name)
            if now is not None and self._differs(name, now, size):
                self._resize(name, size)

    def _wanted(self, room: Room) -> dict[str, float]:
        own, high = self.own, max(1, self._bench.height() - TOOL_BAR - RUN_HEADER)
        bottom = own.bottom if own.bottom is not None else room.bottom
        if bottom <= 1:
            bottom = round(bottom * high)
        return {
            "side": own.side if own.side is not None else room.side,
            "inspector": own.inspector if own.inspector is not None else room.inspector,
            "bottom": min(bottom, max(high - _CANVAS, LOW_BOTTOM_HEIGHT)),
            "upper": own.upper if own.upper is not None else 0.5,
        }

    def _now(self) -> dict[str, float]:
        """The sizes of what stands where it stands at first."""
        shown = {key: dock for key, dock in self._docks.items() if self._is_in_place(key, dock)}
        found: dict[str, float] = {}
        left = [shown[key] for key in (DockKey.OUTLINE, DockKey.DEVICES) if key in shown]
        if len({dock.x() for dock in left}) == 1:
            found["side"] = left[0].width()
            if len(left) > 1:
                found["upper"] = left[0].height() / max(1, self._column())
        if DockKey.INSPECTOR in shown:
            found["inspector"] = shown[DockKey.INSPECTOR].width()
        if DockKey.BOTTOM in shown:
            found["bottom"] = shown[DockKey.BOTTOM].height()
        return found

    def _is_in_place(self, key: DockKey, dock: Dock) -> bool:
        return not dock.isHidden() and not dock.isFloating() and self._bench.dockWidgetArea(dock) == AREAS[key][0]

    def _differs(self, name: str, size: float, other: float) -> bool:
        pixels = self._column() if name == "upper" else 1
        return abs(size - other) * pixels > 0.6  # half a pixel is rounded

    def _column(self) -> int:
        """The height that both docks of the left column have."""
        return self._docks[DockKey.OUTLINE].height() + self._docks[DockKey.DEVICES].height()

    def _resize(self, name: str, size: float) -> None:
        docks, across, down = self._docks, Qt.Orientation.Horizontal, Qt.Orientation.Vertical
        if name == "upper":
            upper = round(size * self._column())
            left = [docks[DockKey.OUTLINE], docks[DockKey.DEVICES]]
            self._bench.resizeDocks(left, [upper, self._column() - upper], down)
        elif name == "bottom":
            self._bench.resizeDocks([docks[DockKey.BOTTOM]], [round(size)], down)
        elif name == "inspector":
            self._bench.resizeDocks([docks[DockKey.INSPECTOR]], [round(size)], across)
        else:
            left = [docks[key] for key in (DockKey.OUTLINE, DockKey.DEVICES) if not docks[key].isHidden()]
            self._bench.resizeDocks(left[:1], [round(size)], across)

    @override
    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.MouseButtonPress:
            self._pressed = self._now()
        elif event.type() == QEvent.Type.MouseButtonRelease:
            before, now = self._pressed, self._now()
            changed = {name: size for name, size in now.items() if self._differs(name, size, before.get(name, size))}
            self.own = replace(self.own, **changed)
        return False
