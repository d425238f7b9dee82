"""Where the docks are: the four perspectives, and a layout that is saved and comes back, or else the first sight."""

from __future__ import annotations

import json
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, Any, Final

from PySide6.QtCore import QByteArray, QMargins, QRect

from starloom_gui.text.words import translate
from starloom_gui.theme.metrics import BOTTOM_HEIGHT

if TYPE_CHECKING:
    from collections.abc import Mapping

    from PySide6.QtWidgets import QWidget

    from starloom_gui.settings import Settings
    from starloom_gui.shell.main_window import MainWindow
    from starloom_gui.shell.workbench import Workbench

VERSION: Final = 1
"""Another number whenever docks come, go or are named otherwise: older layouts are then not taken up."""


class Perspective(StrEnum):
    """An arrangement for a purpose."""

    OPERATE = "operate"
    EDIT = "edit"
    TIMELINE = "timeline"
    FAILURES = "failures"


class DockKey(StrEnum):
    """The docks; `BESIDE` is there only while something stands beside what is at the bottom."""

    OUTLINE = "outline_dock"
    DEVICES = "devices_dock"
    INSPECTOR = "inspector_dock"
    BOTTOM = "bottom_dock"
    BESIDE = "beside_dock"


PANES: Final[dict[DockKey, tuple[str, ...]]] = {
    DockKey.OUTLINE: ("outline", "palette"),
    DockKey.DEVICES: ("devices",),
    DockKey.INSPECTOR: ("inspector", "changes"),
    DockKey.BOTTOM: ("timeline", "output", "events", "tasks", "queue", "plots", "agents"),
    DockKey.BESIDE: (),
}
"""Where each pane is at first, from left to right."""
ADDED: Final = frozenset({"agents", "plots"})
"""Panes that layouts of this version may lack, as they came later: they then stand where they are at first."""
ORDER: Final = tuple(key for keys in PANES.values() for key in keys)
GRAPH: Final = "graph"
"""The middle, which is no pane of a dock."""


@dataclass(frozen=True, slots=True)
class Arrangement:
    """What a perspective asks for.

    Attributes:
        fronts: the pane in front of each dock.
        bottom: how high the bottom is: pixels, or up to 1 a share of what canvas and bottom have together.
        beside: the panes that stand beside the bottom.
    """

    fronts: tuple[tuple[DockKey, str], ...]
    bottom: float
    beside: tuple[str, ...] = ()


ARRANGEMENTS: Final[dict[Perspective, Arrangement]] = {
    Perspective.OPERATE: Arrangement(
        (
            (DockKey.OUTLINE, "outline"),
            (DockKey.DEVICES, "devices"),
            (DockKey.INSPECTOR, "inspector"),
            (DockKey.BOTTOM, "timeline"),
        ),
        BOTTOM_HEIGHT,
    ),
    Perspective.EDIT: Arrangement(((DockKey.OUTLINE, "palette"), (DockKey.INSPECTOR, "inspector")), 160),
    Perspective.TIMELINE: Arrangement(((DockKey.OUTLINE, "outline"), (DockKey.BOTTOM, "timeline")), 0.6),
    Perspective.FAILURES: Arrangement(
        ((DockKey.OUTLINE, "outline"), (DockKey.INSPECTOR, "inspector"), (DockKey.BOTTOM, "tasks")), 0.45, ("output",)
    ),
}


def pane_name(key: str) -> str:
    """What a pane's tab says."""
    names = {
        GRAPH: translate("Panes", "Graph"),
        "outline": translate("Panes", "Outline"),
        "palette": translate("Panes", "Palette"),
        "devices": translate("Panes", "Devices"),
        "inspector": translate("Panes", "Inspector"),
        "changes": translate("Panes", "Changes"),
        "timeline": translate("Panes", "Timeline"),
        "output": translate("Panes", "Output"),
        "events": translate("Panes", "Events"),
        "tasks": translate("Panes", "Tasks"),
        "queue": translate("Panes", "Queue & limits"),
        "plots": translate("Panes", "Plots"),
        "agents": translate("Panes", "Agents"),
    }
    return names.get(key, key)


def perspective_name(perspective: Perspective) -> str:
    """What a perspective is called."""
    return {
        Perspective.OPERATE: translate("Perspectives", "Operate"),
        Perspective.EDIT: translate("Perspectives", "Edit"),
        Perspective.TIMELINE: translate("Perspectives", "Timeline"),
        Perspective.FAILURES: translate("Perspectives", "Failures"),
    }[perspective]


# ---- on disk


def save(window: MainWindow, settings: Settings) -> None:
    """Write where the window and its docks are."""
    bench = window.workbench
    known = {"version": VERSION, "panes": {key.value: list(dock.keys) for key, dock in bench.docks.items()}}
    known["fronts"] = {key.value: dock.front for key, dock in bench.docks.items()}
    settings.write_blob("docks", bench.saveState(VERSION))
    settings.write_blob("panes", QByteArray(json.dumps(known).encode()))
    settings.write_blob("window", window.saveGeometry())


def restore(window: MainWindow, settings: Settings) -> bool:
    """Put window and docks where they were; False: nothing was saved that can be used, and the first sight is shown."""
    window.restoreGeometry(settings.blob("window"))
    window.fit_workbench()
    bench = window.workbench
    known = _read(settings.blob("panes"))
    if known is None:
        bench.show_perspective(Perspective.OPERATE)
        return False
    places = {pane: DockKey(key) for key, panes in known["panes"].items() for pane in panes}
    places |= {pane: key for key, panes in PANES.items() for pane in panes if pane not in places}
    for pane, key in places.items():
        bench.move_pane(pane, key)
    if not bench.restoreState(settings.blob("docks"), VERSION):
        bench.show_perspective(Perspective.OPERATE)
        return False
    bench.adapt(is_restored=True)
    for front in known["fronts"].values():
        if front:
            bench.turn_to(front)
    return True


def fit_on_screen(window: QWidget) -> None:
    """Have a window lie on its screen with its frame; the frame is known once the window has been shown."""
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
    """A window's own place, smaller and elsewhere only as far as it has to be to lie within a screen with its frame.

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
    return known if all(front in (*ORDER, "") for front in fronts.values()) else None


def reset(bench: Workbench, settings: Settings) -> None:
    """Forget what was saved and show the first sight."""
    settings.forget_blobs()
    bench.show_perspective(Perspective.OPERATE)
