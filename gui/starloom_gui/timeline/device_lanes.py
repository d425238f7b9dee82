"""Finds the device at a screen position, where the timeline has its lanes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QPoint, QRect

from starloom_gui.timeline.geometry import AXIS
from starloom_gui.viewmodel.device_spot import DeviceSpot

if TYPE_CHECKING:
    from starloom_gui.timeline.area import LaneArea


def device_at(timeline: LaneArea, screen: QPoint) -> DeviceSpot | None:
    """The device whose lane is at a screen position; None: there is no lane, or it is hidden.

    Args:
        timeline: whose lanes.
        screen: a place of the screen, in logical pixels.
    """
    port, geometry, lanes = timeline.viewport(), timeline.geometry_now(), timeline.model.lanes
    at = port.mapFromGlobal(screen)
    row = geometry.row_at(at.y()) if timeline.isVisible() and port.rect().contains(at) else None
    if row is None or row >= len(lanes):
        return None
    rows = [each for each, lane in enumerate(lanes) if lane.device_id == lanes[row].device_id]
    top, end = geometry.y_of(rows[0]), geometry.y_of(rows[-1] + 1)
    box = QRect(0, top, port.width(), end - top) & port.rect().adjusted(0, AXIS, 0, 0)
    return DeviceSpot(lanes[row].device_id, QRect(port.mapToGlobal(box.topLeft()), box.size()))
