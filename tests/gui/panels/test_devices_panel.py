"""The devices: cards to open, menus with reasons, and what stands there when there are none."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QMenu, QPushButton
from tests.driver import Driver, plan
from tests.gui.panels.fleets import ByHand, coverage, table_of

from starloom.scheduling import commands as c
from starloom_gui.gateway.changes import FLEET, Changes
from starloom_gui.models.throughput import throughput
from starloom_gui.panels.device_card import DeviceCard, more_box
from starloom_gui.panels.device_figures import details
from starloom_gui.panels.devices import DevicesPanel
from starloom_gui.theme.appearance import Theme
from starloom_gui.theme.metrics import DEVICE_CARD, DEVICE_CARD_OPENED

if TYPE_CHECKING:
    from PySide6.QtGui import QImage
    from PySide6.QtWidgets import QApplication

    from starloom_gui.theme.appearance import Appearance


def shown(driver: Driver, appearance: Appearance, app: QApplication) -> tuple[DevicesPanel, ByHand]:
    asks = ByHand(driver)
    scheduler = driver.scheduler
    panel = DevicesPanel(table_of(driver), appearance, lambda: asks, now=lambda: scheduler.now)
    panel.resize(240, 320)
    panel.show()
    app.processEvents()
    return panel, asks


def picture(panel: DevicesPanel) -> QImage:
    panel.cards.clearFocus()  # only one window can have it, and it is to be seen
    return panel.grab().toImage()


def height(panel: DevicesPanel, row: int) -> int:
    return panel.cards.visualRect(panel.cards.model().index(row, 0)).height()


def entries(menu: QMenu) -> dict[str, Any]:
    return {action.text(): action for action in menu.actions()}


def test_a_card_is_opened_and_closed_by_click_and_by_key(app, appearance):
    panel, _ = shown(coverage()[0], appearance, app)
    cards = panel.cards
    assert height(panel, 0) == DEVICE_CARD
    QTest.mouseClick(cards.viewport(), Qt.MouseButton.LeftButton, pos=QPoint(60, 20))
    app.processEvents()
    assert (height(panel, 0), height(panel, 1)) == (DEVICE_CARD_OPENED, DEVICE_CARD)
    for key, opened in ((Qt.Key.Key_Left, False), (Qt.Key.Key_Right, True), (Qt.Key.Key_Space, False)):
        QTest.keyClick(cards, key)
        app.processEvents()
        assert ("local" in cards.opened) is opened
    QTest.keyClick(cards, Qt.Key.Key_Down)
    QTest.keyClick(cards, Qt.Key.Key_Return)
    assert cards.opened == {"build-1"}


def test_a_double_click_opens_a_card_and_leaves_it_open(app, appearance):
    panel, _ = shown(coverage()[0], appearance, app)
    port, at = panel.cards.viewport(), QPoint(60, 20)
    QTest.mouseClick(port, Qt.MouseButton.LeftButton, pos=at)
    QTest.mouseDClick(port, Qt.MouseButton.LeftButton, pos=at)
    assert panel.cards.opened == {"local"}


def test_the_menu_offers_every_verb_and_says_why_not(app, appearance):
    panel, asks = shown(coverage()[0], appearance, app)
    menu = panel.cards.open_menu(panel.cards.model().index(0, 0), QPoint(0, 0))
    found = entries(menu)
    devices = [
        "Enable",
        "Disable",
        "Drain",
        "Stop draining",
        "Try again now",
        "Set slots…",
        "Change…",
        "Remove device",
        "Reserve…",
    ]
    assert list(found) == devices
    assert {text for text, action in found.items() if not action.isEnabled()} == {
        "Enable",
        "Stop draining",
        "Try again now",
        "Change…",
        "Remove device",
    }
    assert found["Enable"].toolTip() == "The device is enabled already."
    assert found["Remove device"].toolTip()
    assert "still runs" in found["Change…"].toolTip(), "it would leave the fleet for a moment"
    found["Drain"].trigger()
    assert asks.sent == [c.DrainDevice(device_id="local")]
    menu.close()


def test_the_dots_open_the_menu_and_no_card(app, appearance):
    panel, _ = shown(coverage()[0], appearance, app)
    cards = panel.cards
    place = more_box(cards.visualRect(cards.model().index(0, 0))).center()
    QTest.mouseClick(cards.viewport(), Qt.MouseButton.LeftButton, pos=place)
    menus = [one for one in cards.findChildren(QMenu) if one.isVisible()]
    assert len(menus) == 1
    assert not cards.opened
    menus[0].close()


def test_whoever_has_the_window_is_asked_for_the_dialog_of_the_slots(app, appearance):
    panel, asks = shown(coverage()[0], appearance, app)
    wanted: list[str] = []
    panel.slots_requested.connect(wanted.append)
    menu = panel.cards.open_menu(panel.cards.model().index(0, 0), QPoint(0, 0))
    entries(menu)["Set slots…"].trigger()
    menu.close()
    assert wanted == ["local"]
    assert not asks.sent


def test_without_devices_a_sentence_and_one_button_take_their_place(app, appearance):
    driver = Driver(devices=(), checked=False)
    panel, _ = shown(driver, appearance, app)
    asked = []
    panel.add_requested.connect(lambda: asked.append(True))
    assert not panel.cards.isVisible()
    (button,) = [one for one in panel.findChildren(QPushButton) if one.isVisible()]
    button.click()
    panel.add_button.click()
    assert len(asked) == 2
    driver.add_device("new", slots=1)
    panel._table.on_changes(Changes(run_id=FLEET, devices=frozenset({"new"})))
    app.processEvents()
    assert panel.cards.isVisible()


def test_screen_readers_hear_the_whole_card(app, appearance):
    driver, _ = coverage()
    panel, _ = shown(driver, appearance, app)
    said = panel.cards.model().index(0, 0).data(Qt.ItemDataRole.AccessibleTextRole)
    assert said.startswith("local, Busy · 1 of 4, CPU ")
    assert panel.cards.accessibleName()


def test_an_opened_card_tells_what_runs_and_what_was_done_lately():
    driver, run = coverage()
    row = table_of(driver).rows[0]
    assert throughput([run], driver.scheduler.now) == {}
    before = driver.scheduler.now - 62
    assert sum(throughput([run], before).values()) == 3
    texts = [value for _, value in details(row, 3)]
    assert texts == ["fuzz ui", "61 % of 16 GB", "3 in the last minute", "0", "none"]


def test_what_failed_or_was_cancelled_there_is_not_done():
    driver = Driver(slots=3)
    run = driver.create(plan(["a", "b", "c"]))
    driver.ask(c.CancelTasks, "b")
    driver.end("b", stopped=True)
    driver.fail("c")
    assert throughput([run], driver.now) == {}
    driver.end("a")
    assert throughput([run], driver.now) == {"d": 1}


@pytest.mark.parametrize("theme", [Theme.LIGHT, Theme.DARK])
def test_a_panel_made_anew_shows_the_same(app, appearance, theme):
    appearance.choose(theme)
    driver, _ = coverage()
    one, asks = shown(driver, appearance, app)
    asks.do(c.DrainDevice(device_id="build-1"))
    one._table.on_changes(Changes(run_id=FLEET, devices=frozenset({"build-1"})))
    one.cards.set_opened("local", True)
    app.processEvents()
    other, _ = shown(driver, appearance, app)
    other.cards.set_opened("local", True)
    app.processEvents()
    assert picture(one) == picture(other)
    driver.create(plan(["x"]), run_id="other")
    one._table.rebuild()
    app.processEvents()
    assert picture(one) != picture(other)


def test_of_200_devices_only_those_in_sight_are_painted(app, appearance, monkeypatch):
    driver = Driver(devices=(), checked=False)
    for number in range(200):
        driver.add_device(f"node-{number}", slots=8)
    panel, _ = shown(driver, appearance, app)
    painted: list[DeviceCard] = []
    monkeypatch.setattr(
        "starloom_gui.panels.devices.paint_card", lambda _painter, _box, card, _palette: painted.append(card)
    )
    panel.cards.viewport().repaint()
    assert 1 <= len(painted) <= 320 // DEVICE_CARD + 2
    assert len(panel.cards.viewport().children()) < 10
