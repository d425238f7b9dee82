"""A device that works and wants no tasks for a while: none starts there, nothing has failed, and it is tried then."""

from __future__ import annotations

from tests.driver import Driver, plan, task

from starloom import events as ev
from starloom.scheduling.read.why import why
from starloom.scheduling.stimuli import DeviceHeldNoticed, TimePassed

WHY = "rate limited until 12:04:10"


def held(slots: int = 3, tasks: int = 4) -> Driver:
    driver = Driver(devices=())
    driver.add_device("m", slots=slots)
    driver.create(plan([task(f"t{number}") for number in range(tasks)]))
    driver.turn(DeviceHeldNoticed("m", 40.0, WHY))
    return driver


def test_nothing_starts_there_until_then_and_no_attempt_has_failed() -> None:
    driver = held()
    driver.turn(driver.ended("t0"))
    assert driver.statuses()["t3"] == "pending"
    assert driver.of(ev.DeviceFaulted) == []
    index = driver.scheduler.runs["r"]
    (reason,) = [one for one in why(driver.scheduler, index, index.run.graph.place["t3"]) if one.blocks]
    assert reason.text == f"No device takes it now: m is suspended for another 40s ({WHY})."


def test_after_that_it_has_one_task_at_a_time_until_one_works_and_then_all_its_slots() -> None:
    driver = held(slots=2)
    driver.turn(driver.ended("t0"), driver.ended("t1"))
    driver.now = 40.0
    driver.turn(TimePassed())
    assert [driver.statuses()[name] for name in ("t2", "t3")] == ["running", "pending"]
    driver.turn(driver.ended("t2"))
    device = driver.scheduler.fleet.devices["m"]
    assert (driver.statuses()["t3"], device.slots, str(device.status)) == ("running", 2, "busy")


def test_only_a_later_end_says_anything_new() -> None:
    driver = held()
    driver.turn(DeviceHeldNoticed("m", 39.0, "rate limited until 12:04:09"))
    assert {event.until for event in driver.of(ev.BreakerOpened)} == {40.0}
    driver.turn(DeviceHeldNoticed("m", 50.0, "rate limited until 12:04:20"))
    assert {event.until for event in driver.of(ev.BreakerOpened)} == {40.0, 50.0}
    driver.now = 40.0
    driver.turn(TimePassed())
    assert str(driver.scheduler.fleet.devices["m"].status) == "suspended"


def test_being_held_makes_no_later_suspension_longer() -> None:
    driver = held()
    driver.now = 40.0
    driver.turn(TimePassed())
    assert driver.scheduler.fleet.devices["m"].openings == 0


def test_a_device_that_is_gone_is_not_missed() -> None:
    driver = held()
    before = len(driver.events)
    driver.turn(DeviceHeldNoticed("gone", 1.0, WHY))
    assert len(driver.events) == before
