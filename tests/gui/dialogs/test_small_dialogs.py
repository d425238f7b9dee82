"""Limits, slots, pins and the page about the program: what can be done, why not, and what is sent."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QWidget
from tests.driver import Driver, plan, task
from tests.gui.panels.fleets import ByHand
from typing_extensions import override

from starloom.scheduling import commands as c
from starloom.scheduling.commands import PinTasks
from starloom.scheduling.read.run_view import RunView
from starloom_gui.dialogs.about import AboutDialog, facts
from starloom_gui.dialogs.pin import PinDialog, places_of
from starloom_gui.dialogs.set_number import SlotsDialog


@pytest.fixture
def driver() -> Driver:
    made = Driver(devices=(), checked=False)
    made.add_device("local", slots=4)
    made.add_device("lab", slots=1, capabilities=("jtag",))
    made.create(plan([task("flash", requires=frozenset({"jtag"})), task("soak", requires=frozenset({"jtag"})), "x"]))
    made.do(c.SetRunLimit(run_id="r", max_concurrency=8))
    return made


def enter(dialog, words):
    dialog.field.line.setText(words)
    dialog.field.edited.emit()


# ---- slots


def test_only_another_number_of_slots_is_sent(driver, app, appearance):
    asks = ByHand(driver)
    dialog = SlotsDialog(appearance, lambda: driver.scheduler.fleet.devices.get("local"), asks)
    dialog.open()
    assert dialog.reason == "Nothing is changed yet"
    assert not dialog.default.isEnabled()
    enter(dialog, "5")
    assert dialog.default.isEnabled()
    dialog.default.click()
    assert asks.sent == [c.SetSlots(device_id="local", slots=5)]
    assert not dialog.isVisible()


def test_return_in_the_field_sends_and_escape_sends_nothing(driver, app, appearance):
    asks = ByHand(driver)
    for key, sent in ((Qt.Key.Key_Escape, []), (Qt.Key.Key_Return, [c.SetSlots(device_id="local", slots=3)])):
        dialog = SlotsDialog(appearance, lambda: driver.scheduler.fleet.devices.get("local"), asks)
        dialog.open()
        enter(dialog, "3")
        QTest.keyClick(dialog.field.line, key)
        if key == Qt.Key.Key_Escape:  # the first one takes back what was typed
            assert dialog.isVisible()
            QTest.keyClick(dialog.field.line, key)
        assert not dialog.isVisible()
        assert asks.sent == sent


def test_while_a_dialog_is_made_no_part_of_it_is_shown_as_a_window(driver, app, appearance):
    class Shown(QObject):
        @override
        def eventFilter(self, watched, event):
            if event.type() == QEvent.Type.Show and isinstance(watched, QWidget) and watched.isWindow():
                windows.append(watched)
            return False

    windows: list[QWidget] = []
    shown = Shown()
    app.installEventFilter(shown)
    try:
        dialog = SlotsDialog(appearance, lambda: driver.scheduler.fleet.devices.get("local"), ByHand(driver))
        assert windows == []
        dialog.open()
        assert windows == [dialog]
        assert dialog.field.isVisible()
    finally:
        app.removeEventFilter(shown)


def test_a_number_that_cannot_be_used_is_explained_under_its_field(driver, app, appearance):
    dialog = SlotsDialog(appearance, lambda: driver.scheduler.fleet.devices.get("local"), ByHand(driver))
    for words in ("", "lots", "9999999"):
        enter(dialog, words)
        assert dialog.trouble
        assert dialog.reason == "This number cannot be used"
        assert not dialog.default.isEnabled()
    enter(dialog, "6")
    assert not dialog.trouble
    dialog.default.click()
    assert driver.scheduler.fleet.devices["local"].slots == 6


def test_what_others_set_meanwhile_is_told_and_the_number_that_is_typed_can_be_sent(driver, app, appearance):
    asks = ByHand(driver)
    devices = driver.scheduler.fleet.devices
    dialog = SlotsDialog(appearance, lambda: devices.get("local"), asks)
    dialog.open()
    assert "1 of 4" in dialog._now.text()
    enter(dialog, "4")
    driver.do(c.SetSlots(device_id="local", slots=3))
    dialog.on_changes()
    assert "1 of 3" in dialog._now.text()
    enter(dialog, "4")
    assert dialog.default.isEnabled()
    enter(dialog, "3")
    assert dialog.reason == "Nothing is changed yet"
    del devices["local"]
    dialog.on_changes()
    assert dialog.trouble == "local is in the fleet no more."
    assert not dialog.default.isEnabled()


# ---- pins


def numbers(driver: Driver, *names: str) -> list[int]:
    return [driver.run().graph.place[name] for name in names]


def test_each_device_that_cannot_run_a_task_says_why(driver):
    places = places_of(driver.scheduler.fleet, PinTasks(run_id="r", task_ids=("soak",), device_id=None), ByHand(driver))
    assert [(place.device_id, place.reason) for place in places] == [
        (None, ""),
        ("local", "'soak' needs jtag, which 'local' does not offer."),
        ("lab", ""),
    ]
    assert places[2].note == "Busy · 1 of 1"


def test_a_task_is_pinned_to_the_chosen_device_and_let_go_again(driver, app, appearance):
    asks = ByHand(driver)
    dialog = PinDialog(appearance, RunView(driver.run()), numbers(driver, "soak"), driver.scheduler.fleet, asks)
    dialog.open()
    assert dialog.reason == "Nothing is changed yet"
    QTest.keyClick(dialog.list, Qt.Key.Key_Down)
    place = dialog.place()
    assert place is not None
    assert place.device_id == "lab"  # what cannot run it is stepped over
    QTest.keyClick(dialog.list, Qt.Key.Key_Return)
    assert asks.sent == [c.PinTasks(run_id="r", task_ids=("soak",), device_id="lab")]
    again = PinDialog(appearance, RunView(driver.run()), numbers(driver, "soak"), driver.scheduler.fleet, asks)
    assert again.place() == place
    assert not again.default.isEnabled()
    again.list.setCurrentRow(0)
    again.default.click()
    assert asks.sent[1:] == [c.PinTasks(run_id="r", task_ids=("soak",), device_id=None)]


def test_a_running_task_cannot_be_pinned_and_the_button_says_why(driver, app, appearance):
    dialog = PinDialog(
        appearance, RunView(driver.run()), numbers(driver, "flash"), driver.scheduler.fleet, ByHand(driver)
    )
    assert all(place.reason for place in (dialog.list.item(row).data(257) for row in (1, 2)))
    dialog.list.setCurrentRow(2)
    assert "flash" in dialog.reason
    assert not dialog.default.isEnabled()


def test_devices_are_listed_as_they_stand_now_and_what_is_chosen_stays(driver, app, appearance):
    dialog = PinDialog(
        appearance, RunView(driver.run()), numbers(driver, "soak"), driver.scheduler.fleet, ByHand(driver)
    )
    dialog.list.setCurrentRow(2)
    driver.add_device("spare", slots=2)
    driver.do(c.DisableDevice(device_id="local"))
    dialog.on_changes()
    places = [dialog.list.item(row).data(257) for row in range(dialog.list.count())]
    assert [place.device_id for place in places] == [None, "local", "lab", "spare"]
    soak = PinTasks(run_id="r", task_ids=("soak",), device_id=None)
    assert places == places_of(driver.scheduler.fleet, soak, ByHand(driver))
    chosen = dialog.place()
    assert chosen is not None
    assert (chosen.device_id, dialog.default.isEnabled()) == ("lab", True)


def test_that_a_task_has_started_meanwhile_is_said_whatever_is_chosen(driver, app, appearance):
    dialog = PinDialog(
        appearance, RunView(driver.run()), numbers(driver, "soak"), driver.scheduler.fleet, ByHand(driver)
    )
    assert dialog.reason == "Nothing is changed yet"
    driver.end("flash")
    assert driver.status("soak") == "running"
    dialog.on_changes()
    assert "soak" in dialog.reason
    dialog.list.setCurrentRow(2)
    assert "soak" in dialog.reason


def test_of_very_many_tasks_only_the_chosen_device_is_asked_about(driver, app, appearance, monkeypatch):
    monkeypatch.setattr("starloom_gui.dialogs.pin._MOST_ASKED", 0)
    dialog = PinDialog(
        appearance, RunView(driver.run()), numbers(driver, "soak"), driver.scheduler.fleet, ByHand(driver)
    )
    assert not any(dialog.list.item(row).data(257).reason for row in range(3))
    dialog.list.setCurrentRow(1)
    assert "jtag" in dialog.reason


# ---- about


def test_the_version_is_told_and_copied_as_text(app, appearance):
    dialog = AboutDialog(appearance)
    dialog.open()
    dialog.copy.click()
    words = QGuiApplication.clipboard().text()
    assert all(value in words for _, value in facts())
    assert words.startswith("Starloom ")
    QTest.keyClick(dialog, Qt.Key.Key_Escape)
    assert not dialog.isVisible()
