"""Panes in windows of their own: there and back, with keys, theme and titles, and in the next session."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import QByteArray, QPoint, QRect, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLabel, QLineEdit, QMenu, QPushButton, QTabBar
from tests.gui.shell.conftest import furnished
from tests.gui.shell.test_layout import arrange

from starloom_gui.panels.note import PanePlaceholder
from starloom_gui.settings import Settings
from starloom_gui.shell.main_window import MainWindow
from starloom_gui.shell.perspectives import GRAPH, PANES, DockKey, Perspective
from starloom_gui.theme.appearance import Theme
from starloom_gui.widgets.question import Choice, ChoiceDialog

if TYPE_CHECKING:
    from pathlib import Path

    from pytestqt.qtbot import QtBot

    from starloom_gui.theme.appearance import Appearance
    from starloom_gui.widgets.actions import Actions

BOTTOM = PANES[DockKey.BOTTOM]


def test_a_pane_moves_into_a_window_with_what_stands_beside_its_tab_and_back_to_its_place(window: MainWindow):
    bench, bottom = window.workbench, window.workbench.docks[DockKey.BOTTOM]
    window.show_title("nightly")
    pane = bottom.pane("timeline")
    for at, moved in enumerate(("output", "timeline")):
        window.pane_windows.toggle(moved)
        assert len(bench.windows) == at + 1
    assert bottom.keys == BOTTOM[2:]
    apart = bench.windows["timeline"]
    assert apart.isVisible()
    assert apart.windowTitle() == "Timeline — nightly — Starloom"
    assert bench.dock_of("timeline") is apart.dock
    assert pane.isVisible()
    assert pane.window() is apart
    assert {one.text() for one in apart.dock.findChildren(QLabel) if one.isVisible()} == {"timeline", "corner"}
    assert apart.close()
    assert bottom.keys == ("timeline", *BOTTOM[2:])
    assert bottom.front == "timeline", "it is seen where it has gone"
    window.pane_windows.toggle("output")
    assert bottom.keys == BOTTOM
    assert not bench.windows


def test_windows_that_come_with_the_docks_do_not_lie_over_a_question(
    window: MainWindow, appearance: Appearance, monkeypatch: pytest.MonkeyPatch
):
    window.pane_windows.toggle("output")
    window.pane_windows.show_all(shown=False)
    question = ChoiceDialog(appearance, "Go on?", "", [Choice("yes", "Yes")], parent=window)
    raised: list[bool] = []
    monkeypatch.setattr(question, "raise_", lambda: raised.append(window.workbench.windows["output"].isVisible()))
    question.open()
    raised.clear()
    window.pane_windows.show_all(shown=True)
    assert raised == [True], "above the window that has just been shown"
    question.choices.answer("")


def test_the_only_pane_of_a_dock_takes_it_out_of_sight_and_brings_it_back(window: MainWindow):
    devices = window.workbench.docks[DockKey.DEVICES]
    window.pane_windows.toggle("devices")
    assert not devices.isVisible()
    arrange(window, Perspective.OPERATE)
    assert not devices.isVisible()
    window.pane_windows.toggle("devices")
    assert devices.isVisible()


def test_the_graph_leaves_a_note_with_the_way_back(window: MainWindow):
    bench, size = window.workbench, window.ground.size()
    window.pane_windows.toggle(GRAPH)
    assert window.ground.window() is bench.windows[GRAPH]
    assert window.ground.isVisible()
    (note,) = bench.findChildren(PanePlaceholder)
    QApplication.processEvents()
    assert note.size() == size, "the docks stay as they are"
    assert note.accessibleName() == "The graph is in a window of its own."
    (back,) = note.findChildren(QPushButton)
    back.click()
    QApplication.processEvents()
    assert window.ground.window() is window
    assert window.ground.size() == size
    assert window.ground.isVisible()
    assert not bench.windows


def test_the_verb_moves_the_pane_that_has_the_keyboard(window: MainWindow, actions: Actions, qtbot: QtBot):
    bench = window.workbench
    qtbot.waitUntil(window.isActiveWindow)
    bench.dock_of("events").pane("events").setFocusPolicy(Qt.FocusPolicy.StrongFocus)
    bench.show_pane("events")
    actions["pane_window"].trigger()
    assert list(bench.windows) == ["events"]
    qtbot.waitUntil(lambda: QApplication.focusWidget() is bench.dock_of("events").pane("events"))
    actions["pane_window"].trigger()
    assert not bench.windows


def test_keys_of_the_main_window_hold_in_the_others(window: MainWindow, actions: Actions, qtbot: QtBot):
    field = QLineEdit()
    bottom = window.workbench.docks[DockKey.BOTTOM]
    name, _, _ = bottom.take("plots")
    bottom.add("plots", name, field)
    window.pane_windows.toggle("plots")
    apart = window.workbench.windows["plots"]
    qtbot.waitUntil(apart.isActiveWindow)
    field.setFocus()
    with qtbot.waitSignal(actions.wanted) as asked:
        QTest.keyClick(field, Qt.Key.Key_P, Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.ShiftModifier)
    assert asked.args == ["commands"]
    QTest.keyClick(field, Qt.Key.Key_8, Qt.KeyboardModifier.AltModifier)
    assert window.workbench.dock_of("events").front == "events"
    qtbot.waitUntil(window.isActiveWindow)
    window.show_pane("plots")
    qtbot.waitUntil(apart.isActiveWindow)


def test_a_window_follows_theme_and_title(window: MainWindow, appearance: Appearance):
    window.pane_windows.toggle("events")
    apart = window.workbench.windows["events"]
    before = apart.dock.tabs.styleSheet()
    appearance.choose(Theme.DARK)
    assert apart.dock.tabs.styleSheet() == window.workbench.docks[DockKey.BOTTOM].tabs.styleSheet() != before
    window.show_title("other")
    assert apart.windowTitle() == "Events — other — Starloom"
    assert apart.font() == window.font()


def test_perspectives_leave_windows_alone_and_a_reset_puts_all_back(window: MainWindow, actions: Actions):
    window.pane_windows.toggle("output")
    window.pane_windows.toggle(GRAPH)
    for perspective in Perspective:
        arrange(window, perspective)
        assert set(window.workbench.windows) == {"output", GRAPH}
    window.layouts.begin_drawing("new")
    window.layouts.follow("a run")
    assert set(window.workbench.windows) == {"output", GRAPH}
    actions["reset_layout"].trigger()
    assert not window.workbench.windows
    assert window.workbench.docks[DockKey.BOTTOM].keys == BOTTOM


def test_windows_come_and_go_with_the_docks(window: MainWindow):
    window.pane_windows.toggle("events")
    apart = window.workbench.windows["events"]
    window.show_welcome()
    assert not apart.isVisible()
    window.show_workbench()
    assert apart.isVisible()
    window.close()
    assert not apart.isVisible()


def test_windows_are_where_they_were_in_the_next_session(
    app: QApplication, window: MainWindow, actions: Actions, appearance: Appearance, store: Path
):
    place = QRect(120, 90, 500, 300)
    for pane in ("events", GRAPH, "devices"):
        window.pane_windows.toggle(pane)
    window.workbench.windows["events"].setGeometry(place)
    window.workbench.windows["devices"].setGeometry(QRect(90_000, 90, 500, 300))
    window.close()
    again = MainWindow(actions, appearance, Settings(store), furnished())
    assert again.restore_layout()
    bench = again.workbench
    assert set(bench.windows) == {"events", GRAPH}, "the screen on which the devices were is not there"
    assert not bench.windows["events"].isVisible(), "nothing is seen before the main window"
    again.show()
    again.show_workbench()
    app.processEvents()
    assert bench.windows["events"].isVisible()
    assert bench.windows["events"].geometry() == place
    assert bench.docks[DockKey.DEVICES].keys == ("devices",)
    for pane in ("events", GRAPH):
        again.pane_windows.toggle(pane)
    assert bench.docks[DockKey.BOTTOM].keys == BOTTOM
    again.close()


@pytest.mark.parametrize(
    "saved", [b"", b"[", b"[1]", b'{"x": [1, 2, 3, 4, true]}', b'{"events": [1, 2, "3", 4, true]}']
)
def test_saved_windows_that_are_none_open_none(window: MainWindow, saved: bytes):
    window._settings.write_blob("windows", QByteArray(saved))
    window.pane_windows.restore()
    assert not window.workbench.windows


def test_the_menu_of_a_tab_moves_it_there_and_back(window: MainWindow):
    bottom = window.workbench.docks[DockKey.BOTTOM]
    at = bottom.tabs.tabRect(bottom.keys.index("queue")).center()

    def choose(tabs: QTabBar, at: QPoint) -> str:
        tabs.customContextMenuRequested.emit(at)
        menu = tabs.findChildren(QMenu)[-1]
        (action,) = menu.actions()
        action.trigger()
        menu.close()
        return action.text()

    assert choose(bottom.tabs, at) == "Move to a window of its own"
    apart = window.workbench.windows["queue"]
    assert choose(apart.dock.tabs, QPoint(5, 5)) == "Put back into the main window"
    assert not window.workbench.windows
