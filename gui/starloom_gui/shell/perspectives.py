"""The docks, the panes in them, and the four perspectives: arrangements for a purpose."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from starloom_gui.text.words import translate
from starloom_gui.theme.metrics import BOTTOM_HEIGHT


class Perspective(StrEnum):
    """A predefined arrangement of the docks."""

    OPERATE = "operate"
    EDIT = "edit"
    TIMELINE = "timeline"
    FAILURES = "failures"


class DockKey(StrEnum):
    """The docks; `BESIDE` exists only while a pane is beside those at the bottom."""

    OUTLINE = "outline_dock"
    DEVICES = "devices_dock"
    INSPECTOR = "inspector_dock"
    BOTTOM = "bottom_dock"
    BESIDE = "beside_dock"


PANES: Final[dict[DockKey, tuple[str, ...]]] = {
    DockKey.OUTLINE: ("outline", "palette"),
    DockKey.DEVICES: ("devices",),
    DockKey.INSPECTOR: ("inspector", "changes", "yaml"),
    DockKey.BOTTOM: ("timeline", "output", "events", "tasks", "queue", "plots", "grid", "agents"),
    DockKey.BESIDE: (),
}
"""Where each pane is at first, from left to right."""


ADDED: Final = frozenset({"agents", "grid", "plots", "yaml"})
"""Panes that layouts of this version may lack, as they came later: they then stand where they are at first."""


ORDER: Final = tuple(key for keys in PANES.values() for key in keys)


GRAPH: Final = "graph"
"""The middle, which is no pane of a dock."""


@dataclass(frozen=True, slots=True)
class PerspectiveLayout:
    """The arrangement that a perspective asks for.

    Attributes:
        fronts: the pane in front of each dock.
        bottom: how high the bottom is: pixels, or up to 1 a share of what canvas and bottom have together.
        upper: the share of the left column that its upper dock has; None: as usual.
        beside: the panes that stand beside the bottom.
    """

    fronts: tuple[tuple[DockKey, str], ...]
    bottom: float
    upper: float | None = None
    beside: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class PanePosition:
    """The place of a pane that is in a window of its own.

    Attributes:
        dock: in which it was; None: the middle, where the graph is.
        at: its place among the tabs.
    """

    dock: DockKey | None
    at: int = 0


ARRANGEMENTS: Final[dict[Perspective, PerspectiveLayout]] = {
    Perspective.OPERATE: PerspectiveLayout(
        (
            (DockKey.OUTLINE, "outline"),
            (DockKey.DEVICES, "devices"),
            (DockKey.INSPECTOR, "inspector"),
            (DockKey.BOTTOM, "timeline"),
        ),
        BOTTOM_HEIGHT,
    ),
    Perspective.EDIT: PerspectiveLayout(
        ((DockKey.OUTLINE, "palette"), (DockKey.INSPECTOR, "inspector")), 160, upper=2 / 3
    ),
    Perspective.TIMELINE: PerspectiveLayout(((DockKey.OUTLINE, "outline"), (DockKey.BOTTOM, "timeline")), 0.6),
    Perspective.FAILURES: PerspectiveLayout(
        ((DockKey.OUTLINE, "outline"), (DockKey.INSPECTOR, "inspector"), (DockKey.BOTTOM, "tasks")),
        0.45,
        beside=("output",),
    ),
}


def pane_name(key: str) -> str:
    """The text of a pane's tab."""
    names = {
        GRAPH: translate("Panes", "Graph"),
        "outline": translate("Panes", "Outline"),
        "palette": translate("Panes", "Palette"),
        "devices": translate("Panes", "Devices"),
        "inspector": translate("Panes", "Inspector"),
        "changes": translate("Panes", "Changes"),
        "yaml": translate("Panes", "YAML"),
        "timeline": translate("Panes", "Timeline"),
        "output": translate("Panes", "Output"),
        "events": translate("Panes", "Events"),
        "tasks": translate("Panes", "Tasks"),
        "queue": translate("Panes", "Queue & limits"),
        "plots": translate("Panes", "Plots"),
        "grid": translate("Panes", "Grid"),
        "agents": translate("Panes", "Waits for you"),
    }
    return names.get(key, key)


def perspective_name(perspective: Perspective) -> str:
    """The name of a perspective."""
    return {
        Perspective.OPERATE: translate("Perspectives", "Operate"),
        Perspective.EDIT: translate("Perspectives", "Edit"),
        Perspective.TIMELINE: translate("Perspectives", "Timeline"),
        Perspective.FAILURES: translate("Perspectives", "Failures"),
    }[perspective]
