"""Panes are dragged by their tabs: into a window of their own, to other tabs, and back."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLabel, QToolTip

from starloom_gui.shell.perspectives import GRAPH, PANES, DockKey
from starloom_gui.shell.tab_bar import Tab

if TYPE_CHECKING:
    from PySide6.QtWidgets import QTabBar, QWidget
    from pytestqt.qtbot import QtBot

    from starloom_gui.shell.main_window import MainWindow

LEFT, NONE = Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier
BOTTOM = PANES[DockKey.BOTTOM]


class Drag:
    """A tab that is pressed, and dragged with the button held."""

    def __init__(self, tabs: QTabBar, index: int) -> None:
        self.tabs = tabs
        self.at = tabs.tabRect(index).center()
        QTest.mousePress(tabs, LEFT, NONE, self.at)

    def to(self, place: QPoint) -> str:
        """Drag it to a point of the desktop; returns what is told there."""
        for at in ((self.at + self.tabs.mapFromGlobal(place)) / 2, self.tabs.mapFromGlobal(place)):
            QTest.mouseMove(self.tabs, at)
        self.at = at
        return QToolTip.text()

    def drop(self) -> None:
        QTest.mouseRelease(self.tabs, LEFT, NONE, self.at)
        QApplication.processEvents()


def is_silent() -> bool:
    """Whether nothing is told at the pointer."""
    return not QToolTip.isVisible()


def pane_drag(window: MainWindow, pane: str) -> Drag:
    dock = window.workbench.dock_of(pane)
    return Drag(dock.tabs, dock.keys.index(pane))


def middle_of(widget: QWidget) -> QPoint:
    return widget.mapToGlobal(widget.rect().center())


def beside(window: MainWindow, by: int = 60) -> QPoint:
    """A point of the desktop beside the main window."""
    return window.frameGeometry().topRight() + QPoint(by, 80)


@pytest.fixture
def small(window: MainWindow) -> MainWindow:
    """A window that leaves some of the desktop free."""
    window.setGeometry(0, 40, 640, 600)
    QApplication.processEvents()
    return window


def test_a_pane_dragged_out_stands_where_it_was_dropped_and_goes_back_by_its_tab(
    small: MainWindow, qtbot: QtBot
) -> None:
    bench, bottom = small.workbench, small.workbench.docks[DockKey.BOTTOM]
    drag = pane_drag(small, "events")
    assert drag.to(beside(small)) == "Events moves to a window of its own. Esc: it stays."
    assert not bench.windows, "not before it is dropped"
    drag.drop()
    apart = bench.windows["events"]
    assert apart.isVisible()
    assert apart.screen().availableGeometry().contains(apart.geometry())
    apart.setGeometry(100, 120, 300, 200)
    back = pane_drag(small, "events")
    assert back.to(apart.geometry().center()) == "Events stays where it is."
    assert back.to(middle_of(bottom.titleBarWidget())) == "Events moves back into the main window. Esc: it stays."
    back.drop()
    assert (bottom.keys, bottom.front) == (BOTTOM, "events")
    assert not bench.windows
    qtbot.waitUntil(is_silent)


def test_a_pane_dropped_on_other_tabs_stands_with_these(small: MainWindow) -> None:
    bench = small.workbench
    inspector = bench.docks[DockKey.INSPECTOR]
    drag = pane_drag(small, "output")
    assert drag.to(middle_of(inspector.titleBarWidget())) == "Output moves to these tabs. Esc: it stays."
    drag.drop()
    assert (inspector.keys, inspector.front) == ((*PANES[DockKey.INSPECTOR], "output"), "output")
    assert "output" not in bench.docks[DockKey.BOTTOM].keys


def test_a_slip_a_drop_on_its_own_tabs_and_escape_move_nothing(small: MainWindow, qtbot: QtBot) -> None:
    bench, bottom = small.workbench, small.workbench.docks[DockKey.BOTTOM]
    row = bottom.titleBarWidget()
    slip = pane_drag(small, "tasks")
    slip.to(middle_of(row) + QPoint(0, row.height() // 2 + 10))
    qtbot.waitUntil(is_silent)
    slip.drop()
    home = pane_drag(small, "tasks")
    home.to(beside(small))
    home.to(middle_of(row))
    qtbot.waitUntil(is_silent)
    home.drop()
    given_up = pane_drag(small, "tasks")
    given_up.to(beside(small))
    QTest.keyClick(small, Qt.Key.Key_Escape)
    given_up.to(beside(small, 90))
    qtbot.waitUntil(is_silent)
    given_up.drop()
    assert not bench.windows
    assert (bottom.keys, bottom.front) == (BOTTOM, "tasks")


def test_the_tab_of_a_document_takes_its_graph_to_another_window_and_brings_it_back(small: MainWindow) -> None:
    bench, tabs = small.workbench, small.header.tabs
    chosen = list[str]()
    tabs.chosen.connect(chosen.append)
    tabs.show_tabs([Tab("a", "nightly"), Tab("b", "weekly")], "a")
    QApplication.processEvents()
    drag = Drag(tabs, 1)
    assert chosen == ["b"], "the graph shows what is in front"
    assert drag.to(beside(small)) == "Graph moves to a window of its own. Esc: it stays."
    drag.drop()
    apart = bench.windows[GRAPH]
    assert small.ground.window() is apart
    again = Drag(tabs, 1)
    assert again.to(beside(small, 100)) == "Graph stays where it is."
    again.drop()
    assert list(bench.windows) == [GRAPH]
    apart.setGeometry(small.frameGeometry().right() + 5, 300, 120, 160)
    back = pane_drag(small, GRAPH)
    assert back.to(middle_of(small.header)) == "Graph moves back into the main window. Esc: it stays."
    middle = bench.centralWidget()
    assert middle is not None
    assert back.to(middle_of(middle)) == "Graph moves back into the main window. Esc: it stays."
    back.drop()
    assert small.ground.window() is small
    assert not bench.windows


def test_what_stands_beside_a_tab_moves_with_it(small: MainWindow) -> None:
    drag = pane_drag(small, "timeline")
    drag.to(beside(small))
    drag.drop()
    dock = small.workbench.windows["timeline"].dock
    assert {one.text() for one in dock.findChildren(QLabel) if one.isVisible()} == {"timeline", "corner"}
