"""A device that is not heard of any more: its card is greyed and says since when."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import QRect
from PySide6.QtGui import QImage, QPainter

from starloom.model.status import DeviceStatus
from starloom_gui.models.device_table import DeviceRow
from starloom_gui.panels.device_card import DeviceCard, paint_card
from starloom_gui.panels.device_figures import description, details, is_silent, standing
from starloom_gui.theme.metrics import DEVICE_CARD
from starloom_gui.theme.palette import DARK, LIGHT

if TYPE_CHECKING:
    from starloom_gui.theme.palette import Palette

pytestmark = pytest.mark.usefixtures("app")


def row(status: DeviceStatus, heard: float | None, *, enabled: bool = True) -> DeviceRow:
    return DeviceRow(
        id="build-1",
        kind="ssh",
        status=status,
        enabled=enabled,
        used=0,
        slots=4,
        running=(),
        failures=0,
        heard=heard,
        capabilities=(),
        metrics=None,
        samples=(0.1, 0.9, 0.5),
    )


def painted(shown: DeviceRow, palette: Palette) -> QImage:
    image = QImage(240, DEVICE_CARD, QImage.Format.Format_RGB32)
    painter = QPainter(image)
    paint_card(painter, image.rect(), DeviceCard(shown), palette)
    painter.end()
    return image


def contrast(image: QImage, palette: Palette) -> int:
    """How far the loudest pixel of the plot is from the panel."""
    panel = QImage(1, 1, QImage.Format.Format_RGB32)
    panel.fill(palette.panel)
    ground = panel.pixelColor(0, 0)
    plot = QRect(130, 4, 70, 20)
    colours = (
        image.pixelColor(x, y) for x in range(plot.left(), plot.right()) for y in range(plot.top(), plot.bottom())
    )
    return max(abs(one.red() - ground.red()) for one in colours)


@pytest.mark.parametrize("status", [DeviceStatus.DISCONNECTED, DeviceStatus.CONNECTING, DeviceStatus.FAILED])
def test_a_device_that_was_lost_says_when_it_was_last_heard(status: DeviceStatus):
    lost = row(status, 14.0)
    assert is_silent(lost)
    assert standing(lost) == "Last heard 14 s ago"
    assert description(lost).count("14 s") == 1


def test_a_device_that_is_heard_or_never_has_to_be_is_not_silent():
    for one in (row(DeviceStatus.IDLE, 14.0), row(DeviceStatus.CONNECTING, None), row(DeviceStatus.BUSY, 0.0)):
        assert not is_silent(one)
        assert "Last heard" not in standing(one)


def test_one_on_which_a_task_may_still_run_that_counts_as_ended_says_that():
    left = replace(row(DeviceStatus.DISCONNECTED, 14.0), unattended=1)
    for silent in (left, replace(left, waits=597.0, silent_since="15:27")):
        assert standing(silent) == "Disconnected · 1 may still run"
    assert standing(replace(left, used=1)) == "Last heard 14 s ago"
    assert description(left) == "build-1, Disconnected, Last heard 14 s ago, 1 task(s) may still run"


def test_one_that_was_switched_off_says_that_first():
    assert standing(row(DeviceStatus.DISCONNECTED, 14.0, enabled=False)).startswith("Disabled")


@pytest.mark.parametrize("palette", [LIGHT, DARK])
def test_its_card_is_greyed(palette: Palette):
    heard = contrast(painted(row(DeviceStatus.IDLE, 1.0), palette), palette)
    silent = contrast(painted(row(DeviceStatus.FAILED, 14.0), palette), palette)
    assert 0 < silent < 0.75 * heard


@pytest.mark.parametrize("status", [DeviceStatus.IDLE, DeviceStatus.BUSY])
def test_one_that_misses_a_heartbeat_says_so_before_it_is_given_up(status: DeviceStatus):
    late = replace(row(status, 12.0), is_late=True)
    word = status.value.capitalize()
    assert standing(late) == f"{word} · last heard 12 s ago"
    assert standing(replace(late, enabled=False)).startswith("Disabled")


def test_what_occupies_it_and_is_not_known_are_tasks_of_other_runs_as_in_the_past_of_one():
    busy = replace(row(DeviceStatus.BUSY, 1.0), used=2)
    assert dict(details(busy, 0))["Runs"] == "tasks of other runs"
    assert dict(details(replace(busy, running=("a", "b")), 0))["Runs"] == "a, b"
    assert dict(details(row(DeviceStatus.IDLE, 1.0), 0))["Runs"] == "nothing"
