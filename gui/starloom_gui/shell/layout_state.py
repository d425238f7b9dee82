"""Saving and restoring the geometry of the window and its docks, or else the default layout."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, Final

from PySide6.QtCore import QByteArray, QMargins, QRect

from starloom_gui.shell.dock_sizes import OwnSizes
from starloom_gui.shell.perspectives import ADDED, ORDER, PANES, DockKey, Perspective

if TYPE_CHECKING:
    from collections.abc import Mapping

    from PySide6.QtWidgets import QWidget

    from starloom_gui.settings import Settings
    from starloom_gui.shell.workbench import Workbench

VERSION: Final = 1
"""Another number whenever docks come, go or are named otherwise: older layouts are then not taken up."""


# ---- on disk


def save(bench: Workbench, settings: Settings, name: str = "") -> None:
    """Save where the docks are, as the layout of a name."""
    known = {"version": VERSION, "panes": {key.value: panes for key, panes in bench.places().items()}}
    known["fronts"] = {key.value: dock.front for key, dock in bench.docks.items()}
    known["window"] = [bench.window().width(), bench.window().height()]
    known["sizes"] = bench.sizes.own.write()
    settings.write_blob(f"{name}docks", bench.saveState(VERSION))
    settings.write_blob(f"{name}panes", QByteArray(json.dumps(known).encode()))


def restore(bench: Workbench, settings: Settings, name: str = "", default: Perspective = Perspective.OPERATE) -> bool:
    """Restore the docks; False: no usable layout of that name was saved, and the default one is shown."""
    known = _read(settings.blob(f"{name}panes"))
    if known is None:
        bench.show_perspective(default)
        return False
    places = {DockKey(key): list(panes) for key, panes in known["panes"].items()}
    placed = {pane for panes in places.values() for pane in panes}
    for key, panes in PANES.items():
        for at, pane in enumerate(panes):
            if pane not in placed:
                before = [one for one in panes[:at] if one in places[key]]
                places[key].insert(places[key].index(before[-1]) + 1 if before else 0, pane)
    bench.place_panes({key: tuple(panes) for key, panes in places.items()})
    if not bench.restoreState(settings.blob(f"{name}docks"), VERSION):
        bench.show_perspective(default)
        return False
    bench.sizes.own = OwnSizes.read(known.get("sizes"))
    window = bench.window()
    bench.adapt(saved_in=known.get("window", (window.width(), window.height())))  # older layouts do not say
    for front in known["fronts"].values():
        if front:
            bench.turn_to(front)
    return True


def fit_on_screen(window: QWidget) -> None:
    """Move a window onto its screen with its frame, which is known once the window has been shown."""
    if window.isMaximized() or window.isFullScreen():
        return
    own, framed = window.geometry(), window.frameGeometry()
    frame = QMargins(
        own.left() - framed.left(),
        own.top() - framed.top(),
        framed.right() - own.right(),
        framed.bottom() - own.bottom(),
    )
    wanted = fitted(own, frame, window.screen().availableGeometry())
    if wanted != own:
        window.setGeometry(wanted)


def fitted(window: QRect, frame: QMargins, available: QRect) -> QRect:
    """A window's geometry, resized and moved only as far as needed for its frame to lie within a screen.

    Args:
        window: without its frame.
        frame: what its frame adds at each side.
        available: what the system leaves of the screen.
    """
    room = available.marginsRemoved(frame)
    made = QRect(window.topLeft(), window.size().boundedTo(room.size()))
    x = max(room.left(), min(made.left(), room.left() + room.width() - made.width()))
    y = max(room.top(), min(made.top(), room.top() + room.height() - made.height()))
    made.moveTo(x, y)
    return made


def _read(blob: QByteArray) -> Mapping[str, Any] | None:
    """The saved places of the panes; None: they are not there, of another version, or not of all panes."""
    try:
        known = json.loads(bytes(blob.data()))
    except ValueError:
        return None
    if not isinstance(known, dict) or known.get("version") != VERSION:
        return None
    panes, fronts = known.get("panes"), known.get("fronts")
    if not isinstance(panes, dict) or not isinstance(fronts, dict) or set(panes) != {key.value for key in DockKey}:
        return None
    if not all(isinstance(keys, list) for keys in panes.values()):
        return None
    placed = [key for keys in panes.values() for key in keys]
    if not all(isinstance(key, str) for key in placed) or len(set(placed)) != len(placed):
        return None
    if not set(ORDER) - ADDED <= set(placed) <= set(ORDER):
        return None
    window = known.get("window", [0, 0])
    if not isinstance(window, list) or [type(side) for side in window] != [int, int]:
        return None
    return known if all(front in (*ORDER, "") for front in fronts.values()) else None


def reset(bench: Workbench, settings: Settings) -> None:
    """Drop the saved layout and show the default one."""
    settings.forget_blobs()
    bench.show_perspective(Perspective.OPERATE)
