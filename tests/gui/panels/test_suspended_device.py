"""A device that failed too often: its card says so and until when, its menu tries it again, and so does the reason."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import QPoint
from tests.driver import Driver, plan, task
from tests.gui.panels.fleets import ByHand, table_of

from starloom.model.task import Retry
from starloom.scheduling import commands as c
from starloom.scheduling.read.run_view import TaskView
from starloom.scheduling.read.why import why
from starloom.scheduling.stimuli import DeviceHeldNoticed, DeviceLostNoticed, TimePassed
from starloom_gui.panels.device_figures import description, details, standing
from starloom_gui.panels.devices import DevicesPanel
from starloom_gui.panels.why_question import WhyQuestion, WhyRow
from starloom_gui.panels.why_rows import why_rows

if TYPE_CHECKING:
    from PySide6.QtWidgets import QApplication

    from starloom_gui.models.device_table import DeviceRow
    from starloom_gui.theme.appearance import Appearance


def suspended() -> Driver:
    """A connected device of three slots that could not begin two attempts; two tasks wait for it."""
    driver = Driver(devices=())
    driver.add_device("lab-a", slots=3, trip_after=2)
    driver.create(plan([task(name, retry=Retry(attempts=5)) for name in ("a", "b")]))
    driver.turn(driver.ended("a", faulted=True), driver.ended("b", faulted=True))
    return driver


def row(driver: Driver) -> DeviceRow:
    return table_of(driver).rows[0]


def reason(driver: Driver, name: str) -> WhyRow:
    index = driver.scheduler.runs["r"]
    number = index.run.graph.place[name]
    asked = WhyQuestion(TaskView(index.run, number), driver.now, ByHand(driver))
    return why_rows(asked, why(driver.scheduler, index, number))[0]


def test_its_card_says_that_it_is_suspended_until_when_and_why() -> None:
    driver = suspended()
    driver.now = 17.5
    driver.turn(TimePassed())
    assert standing(row(driver)) == "Suspended · again in 43 s"
    assert dict(details(row(driver), 0))["Failures"] == "2 · device: 2 in a row"
    assert "There is not enough memory" in description(row(driver))


def test_on_trial_its_card_shows_the_one_slot_and_setting_slots_begins_with_all() -> None:
    driver = suspended()
    driver.now = 60.0
    driver.turn(TimePassed())
    assert standing(row(driver)) == "On trial · 1 of 1"
    assert row(driver).offered == 3
    assert "on trial" in reason(driver, next(n for n, s in driver.statuses().items() if s == "pending")).text


def test_one_that_cannot_be_reached_says_the_same(appearance: Appearance) -> None:
    driver = Driver(devices=())
    driver.add_device("lab-a", connected=False)
    for _ in range(5):
        driver.turn(DeviceLostNoticed("lab-a", "The host lab-a refused the connection."))
    assert standing(row(driver)) == "Suspended · again in 1:00"


def test_one_that_works_and_wants_nothing_for_a_while_says_until_when() -> None:
    driver = Driver(devices=())
    driver.add_device("lab-a", slots=1)
    driver.create(plan([task(name) for name in ("a", "b")]))
    driver.turn(DeviceHeldNoticed("lab-a", 42.0, "rate limited until 12:04:10"))
    assert standing(row(driver)) == "Rate limited until 12:04:10"
    found = reason(driver, "b")
    assert found.text == "lab-a is rate limited until 12:04:10"


def test_a_waiting_task_says_so_and_offers_to_try_it_again() -> None:
    driver = suspended()
    found = reason(driver, "a")
    assert found.text.startswith("lab-a is suspended after 2 failure")
    assert found.text.endswith("in a row, and tried again in 1:00")
    assert found.detail == "There is not enough memory."
    (offered,) = found.remedies
    assert offered.offer.label == "Try again now"  # type: ignore[union-attr]  # a verb's remedy
    assert offered.verdict.ok  # type: ignore[union-attr]


def test_its_menu_tries_it_again(app: QApplication, appearance: Appearance) -> None:
    driver = suspended()
    asks = ByHand(driver)
    panel = DevicesPanel(table_of(driver), appearance, lambda: asks)
    menu = panel.cards.open_menu(panel.cards.model().index(0, 0), QPoint(0, 0))
    again = next(action for action in menu.actions() if action.text() == "Try again now")
    again.trigger()
    assert asks.sent == [c.TryDeviceAgain(device_id="lab-a")]
    assert driver.scheduler.fleet.devices["lab-a"].status.value == "busy"
    menu.close()


@pytest.mark.parametrize("moment", [0.0, 60.0])
def test_its_card_looks_like_no_other(app: QApplication, appearance: Appearance, moment: float) -> None:
    driver = suspended()
    driver.add_device("lab-b", slots=3, connected=False)
    driver.now = moment
    driver.turn(TimePassed())
    panel = DevicesPanel(table_of(driver), appearance, lambda: ByHand(driver))
    panel.resize(240, 120)
    panel.show()
    app.processEvents()
    panel.cards.clearFocus()
    image = panel.grab().toImage()
    assert image.copy(0, 0, 240, 40) != image.copy(0, 44, 240, 40)
