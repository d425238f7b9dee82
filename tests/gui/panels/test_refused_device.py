"""A device that refuses us: its card says so with the reason, and what waits for it says what mends it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.driver import Driver, plan, task
from tests.gui.panels.fleets import ByHand, table_of

from starloom import events as ev
from starloom.model.status import DeviceStatus
from starloom.scheduling.read.run_view import TaskView
from starloom.scheduling.read.why import why
from starloom.scheduling.stimuli import DeviceConnectedNoticed, DeviceLostNoticed
from starloom_gui.panels.device_figures import description, standing
from starloom_gui.panels.why_question import WhyQuestion
from starloom_gui.panels.why_rows import why_rows

if TYPE_CHECKING:
    from starloom_gui.models.device_table import DeviceRow

REASON = "The machine box is met for the first time. Have it trusted: starloom trust box --fingerprint SHA256:x."


def refused() -> Driver:
    driver = Driver(devices=())
    driver.add_device("lab-a", connected=False)
    driver.create(plan([task("a", device="lab-a")]))
    driver.turn(DeviceLostNoticed("lab-a", REASON, refused=True, retry_at=60.0))
    return driver


def row(driver: Driver) -> DeviceRow:
    return table_of(driver).rows[0]


def test_its_card_and_tooltip_say_what_mends_it() -> None:
    driver = refused()
    assert row(driver).status is DeviceStatus.REFUSED
    assert standing(row(driver)) == "Refused"
    assert "starloom trust box" in description(row(driver))


def test_what_waits_for_it_says_so_and_offers_to_try_it_again() -> None:
    driver = refused()
    index = driver.scheduler.runs["r"]
    asked = WhyQuestion(TaskView(index.run, 0), driver.now, ByHand(driver))
    found = why_rows(asked, why(driver.scheduler, index, 0))[0]
    assert found.text == "lab-a is refused until somebody does something"
    assert "starloom trust box" in found.detail
    assert [one.offer.label for one in found.remedies] == ["Try again now"]  # type: ignore[union-attr]  # a verb's


def test_it_is_not_suspended_however_often_and_forgotten_once_it_works() -> None:
    driver = refused()
    for _ in range(20):
        driver.turn(DeviceLostNoticed("lab-a", REASON, refused=True))
    assert not driver.of(ev.BreakerOpened)
    driver.turn(DeviceConnectedNoticed("lab-a"))
    facts = driver.scheduler.fleet.devices["lab-a"]
    assert (facts.refusal, facts.retry_at, facts.failures) == ("", None, 0)
