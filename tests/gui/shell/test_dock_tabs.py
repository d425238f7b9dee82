"""Names of panes are read whole as long as the buttons beside them can give up their words."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLabel, QMainWindow, QWidget

from starloom_gui.panels.output_buttons import ButtonRow, name_button
from starloom_gui.shell.pane_tabs import PaneTabs, longest
from starloom_gui.shell.panes import Dock
from starloom_gui.shell.perspectives import DockKey
from starloom_gui.theme.icons import Icon

if TYPE_CHECKING:
    from pytestqt.qtbot import QtBot

    from starloom_gui.theme.appearance import Appearance

NAMES = ("Zeitleiste", "Ausgabe", "Ereignisse", "Aufgaben", "Warteschlange", "Diagramme", "Agenten")


def test_buttons_give_up_their_words_before_tabs_are_shortened(qtbot: QtBot, appearance: Appearance):
    window = QMainWindow()
    qtbot.addWidget(window)
    dock = Dock(DockKey.BOTTOM.value, window.size(), window)
    window.addDockWidget(Qt.DockWidgetArea.BottomDockWidgetArea, dock)
    dock.apply_theme(appearance.palette)
    corner = ButtonRow(appearance)
    worded = corner.add(Icon.AGENT, lambda: None, words=True)
    name_button(worded, "Einen Agenten hinzuziehen …")
    for at, name in enumerate(NAMES):
        dock.add(name, name, QWidget(), corner if not at else None)
    window.resize(1600, 400)
    window.show()
    style = Qt.ToolButtonStyle
    assert worded.toolButtonStyle() == style.ToolButtonTextBesideIcon
    window.resize(dock.tabs.sizeHint().width() + 60, 400)
    assert worded.toolButtonStyle() == style.ToolButtonIconOnly
    wide = dock.tabs.sizeHint().width()
    qtbot.waitUntil(lambda: dock.tabs.width() >= wide)
    window.resize(wide - 20, 400)
    assert dock.tabs.sizeHint().width() < wide, "then they stand closer"
    window.resize(1600, 400)
    assert worded.toolButtonStyle() == style.ToolButtonTextBesideIcon
    assert dock.tabs.sizeHint().width() == wide


def test_tabs_stand_closer_once_the_buttons_beside_them_need_more_room(qtbot: QtBot, appearance: Appearance) -> None:
    window, corner = QMainWindow(), QLabel("Live")
    qtbot.addWidget(window)
    dock = Dock(DockKey.BOTTOM.value, window.size(), window)
    window.addDockWidget(Qt.DockWidgetArea.BottomDockWidgetArea, dock)
    dock.apply_theme(appearance.palette)
    for at, name in enumerate(NAMES):
        dock.add(name, name, QWidget(), corner if not at else None)
    window.resize(1600, 400)
    window.show()
    window.resize(dock.tabs.sizeHint().width() + corner.sizeHint().width() + 20, 400)
    wide = dock.tabs.sizeHint().width()
    corner.setText("Ended, and not as planned")
    qtbot.waitUntil(lambda: dock.tabs.sizeHint().width() < wide)


def test_a_double_click_beside_the_tabs_floats_nothing_but_brings_back_what_floats(
    qtbot: QtBot, appearance: Appearance
) -> None:
    window = QMainWindow()
    qtbot.addWidget(window)
    dock = Dock(DockKey.BOTTOM.value, window.size(), window)
    window.addDockWidget(Qt.DockWidgetArea.BottomDockWidgetArea, dock)
    dock.add("timeline", "Timeline", QWidget())
    window.resize(800, 400)
    window.show()
    title = dock.titleBarWidget()
    beside = title.rect().center()
    assert title.childAt(beside) is None
    QTest.mouseDClick(title, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier, beside)
    assert not dock.isFloating()
    dock.setFloating(True)
    QTest.mouseDClick(title, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier, beside)
    assert not dock.isFloating()


def test_long_names_give_up_their_ends_before_short_ones(qtbot: QtBot) -> None:
    tabs = PaneTabs()
    qtbot.addWidget(tabs)
    tabs.setElideMode(Qt.TextElideMode.ElideRight)
    tabs.setUsesScrollButtons(False)
    for name in NAMES:
        tabs.addTab(name)
    wide = tabs.sizeHint().width()
    tabs.resize(wide - 30, 28)
    tabs.show()
    whole = [name for at, name in enumerate(NAMES) if tabs.tabRect(at).width() >= tabs.tabSizeHint(at).width()]
    assert len(whole) >= len(NAMES) - 2
    assert "Warteschlange" not in whole
    assert tabs.tabRect(len(NAMES) - 1).right() < tabs.width()


def test_the_longest_width_is_what_all_have_together() -> None:
    assert longest([10, 20, 90, 100], 150) == 60
    assert longest([10, 20], 100) == 20
    assert longest([], 100) == 0
