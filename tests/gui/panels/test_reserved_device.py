"""A reserved device: its card has a key behind its name, which no curve takes room from, and says by whom."""

from __future__ import annotations

from dataclasses import replace

import pytest
from PySide6.QtGui import QImage, QPainter

from starloom.model.status import DeviceStatus
from starloom_gui.models.device_table import DeviceRow, ReservedDevice
from starloom_gui.panels.device_card import DeviceCard, paint_card
from starloom_gui.panels.device_figures import description, standing
from starloom_gui.theme.metrics import DEVICE_CARD
from starloom_gui.theme.palette import LIGHT

pytestmark = pytest.mark.usefixtures("app")
FREE = DeviceRow(
    id="build-1",
    kind="ssh",
    status=DeviceStatus.IDLE,
    enabled=True,
    used=0,
    slots=4,
    running=(),
    failures=0,
    heard=None,
    capabilities=(),
)
RESERVED = replace(FREE, reserved=ReservedDevice("Ada", 7200.0, "new firmware", ends=4e9))


def painted(row: DeviceRow, width: int) -> QImage:
    image = QImage(width, DEVICE_CARD, QImage.Format.Format_RGB32)
    painter = QPainter(image)
    paint_card(painter, image.rect(), DeviceCard(row), LIGHT)
    painter.end()
    return image


def first_line(row: DeviceRow, width: int = 240) -> QImage:
    """The name and what stands behind it, without the status before and the second line below."""
    return painted(row, width).copy(32, 0, width - 32, 24)


def test_a_card_has_a_key_while_its_device_is_reserved():
    assert first_line(RESERVED) != first_line(FREE)


def test_a_curve_goes_from_a_narrow_card_before_a_name_is_cut():
    told = replace(RESERVED, samples=(0.1, 0.9, 0.5))
    assert first_line(told, 200) == first_line(RESERVED, 200), "there is no room for both"
    assert first_line(told, 280) != first_line(RESERVED, 280)


def test_a_card_says_by_whom_for_how_long_and_its_tip_until_when_and_why():
    assert standing(RESERVED) == "Reserved by Ada · 2 h"
    assert description(RESERVED).endswith(": new firmware")
    assert ", reserved by Ada until " in description(RESERVED)
    mine = replace(FREE, reserved=ReservedDevice("me", 90.0, "new firmware", ends=4e9, is_mine=True))
    assert standing(mine) == "Reserved by you · 1 min"
    busy = replace(RESERVED, status=DeviceStatus.BUSY, used=1)
    assert standing(busy) == "Busy · 1 of 4", "what runs there goes on"
