"""The tab bar of plans and runs: what its tabs say, and what a click on a cross does."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QTabBar

from starloom_gui.shell.tab_bar import Tab, Tabs
from starloom_gui.widgets.click_guard import MILLISECONDS

if TYPE_CHECKING:
    from pytestqt.qtbot import QtBot

    from starloom_gui.theme.appearance import Appearance


def test_tabs_say_which_runs_wait_for_the_user(appearance: Appearance) -> None:
    tabs = Tabs(appearance)
    tabs.show()
    tabs.show_tabs([Tab("p", "plan"), Tab("r", "Run 1", is_run=True)], "p")
    tabs.show_waiting(frozenset({"r"}))
    for width, text in ((600, "Run 1: waits for you"), (200, "Run 1"), (600, "Run 1: waits for you")):
        tabs.resize(width, 32)
        assert tabs.tabText(1) == text, "where there is room for one of them, it is the name"
        assert tabs.listed()[1].title == "Run 1: waits for you"
    marked = tabs.tabIcon(1).pixmap(16).toImage()
    tabs.show_waiting(frozenset())
    assert tabs.tabIcon(1).pixmap(16).toImage() != marked, "the glyph says so where the name has all the room"
    assert tabs.tabText(1) == "Run 1"
    tabs.close()


def test_a_click_on_a_cross_that_tabs_were_just_shifted_to_closes_none(appearance: Appearance, qtbot: QtBot) -> None:
    tabs = Tabs(appearance)
    tabs.show()
    tabs.show_tabs([Tab("p", "plan"), Tab("r", "Run 1", is_run=True)], "p")
    tabs.resize(300, 32)
    closed: list[str] = []
    tabs.close_asked.connect(closed.append)
    cross = tabs.tabButton(0, QTabBar.ButtonPosition.RightSide)
    qtbot.wait(MILLISECONDS + 50)
    tabs.resize(260, 32)
    QTest.mouseClick(cross, Qt.MouseButton.LeftButton)
    assert not closed
    qtbot.wait(MILLISECONDS + 50)
    QTest.mouseClick(cross, Qt.MouseButton.LeftButton)
    assert closed == ["p"]
    tabs.close()
