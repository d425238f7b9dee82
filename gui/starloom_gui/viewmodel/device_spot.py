"""Devices as drop targets: their cards, or their lanes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from PySide6.QtCore import QRect


@dataclass(frozen=True, slots=True)
class DeviceSpot:
    """A device as a drop target.

    Attributes:
        device_id: of the device.
        box: its card or lanes, on the screen.
    """

    device_id: str
    box: QRect
