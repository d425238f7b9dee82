"""Many tabs: the names of those in sight can be read, and a button lists all of them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import QRect, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QMenu

from starloom_gui.shell.run_header import RunHeader
from starloom_gui.shell.tab_bar import Tab

if TYPE_CHECKING:
    from pytestqt.qtbot import QtBot

    from starloom_gui.theme.appearance import Appearance


def tabs(count: int) -> list[Tab]:
    return [Tab(str(n), f"nightly build of the firmware & docs {n}", is_run=n % 2 == 0) for n in range(count)]


@pytest.fixture
def header(appearance: Appearance, qtbot: QtBot) -> RunHeader:
    made = RunHeader(appearance)
    made.resize(1000, made.height())
    qtbot.addWidget(made)
    made.show()
    qtbot.waitExposed(made)
    return made


def test_the_list_is_there_while_some_tab_is_not_whole_or_out_of_sight(header: RunHeader, qtbot: QtBot) -> None:
    header.tabs.show_tabs(tabs(2), "0")
    qtbot.waitUntil(lambda: not header.list.isVisible())
    header.tabs.show_tabs(tabs(12), "0")
    qtbot.waitUntil(header.list.isVisible)
    header.tabs.show_tabs(tabs(1), "0")
    qtbot.waitUntil(lambda: not header.list.isVisible())


def test_it_lists_whole_names_and_turns_to_the_chosen_one(header: RunHeader, qtbot: QtBot) -> None:
    header.tabs.show_tabs(tabs(12), "3")
    qtbot.waitUntil(header.list.isVisible)
    chosen: list[str] = []
    header.tabs.chosen.connect(chosen.append)
    QTest.mouseClick(header.list, Qt.MouseButton.LeftButton)
    (menu,) = (one for one in header.list.findChildren(QMenu) if one.isVisible())
    actions = menu.actions()
    assert [one.text() for one in actions] == [f"nightly build of the firmware && docs {n}" for n in range(12)]
    assert [one.isChecked() for one in actions].index(True) == 3
    actions[11].trigger()
    assert chosen == ["11"]
    menu.close()


@pytest.mark.parametrize("front", [0, 11])
def test_a_bar_that_has_grown_is_full_of_tabs(header: RunHeader, qtbot: QtBot, front: int) -> None:
    header.resize(560, header.height())
    header.tabs.show_tabs(tabs(12), str(front))
    qtbot.waitUntil(header.list.isVisible)
    narrow = header.tabs.width()
    header.resize(1200, header.height())
    qtbot.waitUntil(lambda: header.tabs.width() > narrow + 200)
    inside = QRect(0, 0, header.tabs.width(), header.tabs.height())
    shown = [header.tabs.tabRect(at) for at in range(12) if inside.contains(header.tabs.tabRect(at))]
    assert sum(one.width() for one in shown) > header.tabs.width() - 3 * 132
    assert header.tabs.tabRect(front) in shown
    assert all(one.width() >= 132 for one in shown), "its name can be read"


def test_an_ampersand_in_a_name_is_one_on_its_tab(header: RunHeader) -> None:
    header.tabs.show_tabs([Tab("0", "odd & even")], "0")
    assert header.tabs.tabText(0) == "odd && even", "a single one is Qt's mark of a letter"
    assert header.tabs.listed()[0].title == "odd & even"
