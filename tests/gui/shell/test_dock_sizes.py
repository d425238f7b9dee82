"""Docks keep the sizes that fit the window, and those that somebody has chosen come back."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import QByteArray, QPoint
from tests.gui.shell.borders import drag_border
from tests.gui.shell.test_layout import SMALL, arrange, dock, resize

from starloom_gui.shell.main_window import FIRST
from starloom_gui.shell.perspectives import DockKey, Perspective

if TYPE_CHECKING:
    from starloom_gui.shell.main_window import MainWindow


@pytest.mark.parametrize(
    ("key", "by"),
    [
        (DockKey.OUTLINE, QPoint(60, 0)),
        (DockKey.DEVICES, QPoint(0, -100)),
        (DockKey.INSPECTOR, QPoint(-84, 0)),
        (DockKey.BOTTOM, QPoint(0, -140)),
    ],
)
def test_a_size_that_somebody_has_chosen_comes_back_with_a_window_that_has_room_for_it(
    window: MainWindow, key: DockKey, by: QPoint
):
    resize(window, FIRST)
    before = dock(window, key)
    drag_border(window, key, by)
    chosen = {one: dock(window, one) for one in (DockKey.OUTLINE, DockKey.DEVICES, DockKey.INSPECTOR, DockKey.BOTTOM)}
    assert chosen[key] != before
    for way in (((1100, 700), (1000, 600), (1100, 700)), [(wide, wide * 5 // 8) for wide in range(1430, 1000, -40)]):
        for size in (*way, FIRST):
            resize(window, size)
            assert window.ground.height() >= 150, "however high the bottom was made, the canvas can be seen"
        for one, place_before in chosen.items():
            gap = dock(window, one).topLeft() - place_before.topLeft()
            assert gap.manhattanLength() <= 1, one
            assert (dock(window, one).size() - place_before.size()).width() == 0, one


def test_a_share_of_the_height_that_a_perspective_gives_to_the_bottom_is_one_of_every_window(window: MainWindow):
    arrange(window, Perspective.TIMELINE)
    for size in (FIRST, (1100, 700), SMALL, (1100, 700), FIRST):
        resize(window, size)
        room = window.workbench.height() - 72
        assert abs(dock(window, DockKey.BOTTOM).height() - 0.6 * room) <= 1


@pytest.mark.parametrize("sizes", [None, [], {"side": "wide", "inspector": -3, "bottom": True}, {"upper": 1e9}])
def test_saved_sizes_that_are_none_leave_those_that_fit(window: MainWindow, sizes: object):
    resize(window, SMALL)
    window.save_layout()
    saved = json.loads(bytes(window._settings.blob("panes").data()))
    window._settings.write_blob("panes", QByteArray(json.dumps({**saved, "sizes": sizes}).encode()))
    assert window.restore_layout()
    resize(window, SMALL)
    assert (dock(window, DockKey.INSPECTOR).width(), dock(window, DockKey.BOTTOM).height()) == (240, 180)
