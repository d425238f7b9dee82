"""A run that cannot go on by itself says so, once, with what would have to change; one that can says nothing."""

from __future__ import annotations

from tests.driver import Driver, plan, task

from starloom import events as ev
from starloom.constellation.edits import AddTask
from starloom.model.task import Retry
from starloom.scheduling import commands as c
from starloom.scheduling.stimuli import (
    DeviceConnectedNoticed,
    DeviceConnectingNoticed,
    DeviceLostNoticed,
    TasksUnattended,
)


def stalls(driver: Driver) -> list[tuple[str, ...]]:
    return [event.reasons for event in driver.of(ev.RunStalled)]


def test_a_run_on_a_fleet_without_devices_says_what_is_missing() -> None:
    driver = Driver(devices=())
    driver.create(plan(["a"]))
    assert stalls(driver) == [("'a' needs a device, and there is none",)]


def test_a_missing_device_or_capability_is_named() -> None:
    driver = Driver(devices=["d"])
    driver.create(plan([task("a", device="gone"), task("b", requires=("gpu", "big"))]))
    assert stalls(driver) == [
        (
            "'a' needs device 'gone', and there is none",
            "'b' needs a device that offers big, gpu, and there is none",
        )
    ]


def test_a_held_task_stalls_the_run_when_nothing_else_is_left() -> None:
    driver = Driver(slots=1)
    driver.create(plan(["a", "held"]))
    driver.ask(c.HoldTasks, "held")
    assert stalls(driver) == [], "a still runs"
    driver.end("a")
    assert stalls(driver) == [("'held' is held",)]
    driver.ask(c.ReleaseTasks, "held")
    assert driver.status("held") == "running"
    assert driver.run().stalled == ()


def test_a_run_whose_slots_are_kept_for_tasks_that_no_program_looks_after_goes_on_by_itself() -> None:
    driver = Driver(slots=1)
    driver.turn(TasksUnattended("d", 1))
    driver.create(plan(["a"]))
    assert stalls(driver) == []
    driver.turn(TasksUnattended("d", 0))
    assert driver.status("a") == "running"


def test_a_device_of_no_slots_is_told_as_such_although_some_still_run_there() -> None:
    driver = Driver(slots=1)
    driver.turn(TasksUnattended("d", 1))
    driver.do(c.SetSlots(device_id="d", slots=0))
    driver.create(plan(["a"]))
    assert stalls(driver) == [("no device takes 'a': d has 0 slots",)]


def test_it_is_said_once_however_often_somebody_looks() -> None:
    driver = Driver(devices=())
    driver.create(plan(["a"]))
    for _ in range(5):
        driver.advance(100)
        driver.do(c.HoldRunOpen(run_id="r"))
    assert len(stalls(driver)) == 1


def test_it_is_said_again_when_the_run_has_moved_in_between() -> None:
    driver = Driver(slots=1)
    driver.create(plan(["a", "b"]))
    driver.do(c.DrainDevice(device_id="d"))
    driver.end("a")
    driver.do(c.ResumeDevice(device_id="d"))
    driver.edit(AddTask(task("c")))
    driver.do(c.DrainDevice(device_id="d"))
    driver.end("b")
    assert stalls(driver) == [("no device takes 'b': d is draining",), ("no device takes 'c': d is draining",)]


def test_a_run_that_waits_for_other_runs_has_not_stalled() -> None:
    driver = Driver(slots=1)
    driver.create(plan(["a"]), run_id="busy")
    driver.create(plan(["b"]))
    driver.advance(1000)
    assert stalls(driver) == []
    driver.end("a", "busy")
    assert driver.status("b") == "running"


def test_a_run_that_backs_off_has_not_stalled() -> None:
    driver = Driver()
    driver.create(plan([task("a", retry=Retry(attempts=2, delay=60))]))
    driver.fail("a")
    assert stalls(driver) == []


def test_a_run_with_one_task_that_can_start_later_has_not_stalled() -> None:
    driver = Driver(slots=1)
    driver.create(plan(["x"]), run_id="busy")
    driver.create(plan(["b", task("never", device="gone")]))
    assert stalls(driver) == []


def test_a_paused_or_not_yet_started_run_has_not_stalled() -> None:
    driver = Driver(devices=())
    driver.create(plan(["a"]), run_id="ready", start=False)
    driver.create(plan([]), run_id="paused", hold_open=True)
    driver.do(c.PauseRun(run_id="paused"))
    driver.edit(AddTask(task("a")), run_id="paused")
    assert stalls(driver) == []
    driver.do(c.ResumeRun(run_id="paused"))
    assert len(stalls(driver)) == 1


def test_a_run_that_waits_for_a_device_that_is_being_reached_has_not_stalled() -> None:
    driver = Driver(devices=())
    driver.add_device("d", connected=False)
    driver.turn(DeviceConnectingNoticed("d"))
    driver.create(plan(["a"]))
    assert stalls(driver) == []
    driver.turn(DeviceLostNoticed("d", "refused", will_reconnect=False))
    assert stalls(driver) == [("no device takes 'a': d is failed",)]
    driver.turn(DeviceConnectedNoticed("d"))
    assert driver.status("a") == "running"


def test_a_device_that_is_being_reached_but_switched_off_is_no_hope() -> None:
    driver = Driver(devices=())
    driver.add_device("d", connected=False)
    driver.do(c.DisableDevice(device_id="d"))
    driver.turn(DeviceConnectingNoticed("d"))
    driver.create(plan(["a"]))
    assert stalls(driver) == [("no device takes 'a': d is disabled",)]


def test_a_group_without_places_stalls_its_tasks() -> None:
    driver = Driver()
    driver.do(c.SetLimits(groups={"g": 0}))
    driver.create(plan([task("a", groups=("g",))]))
    assert stalls(driver) == [("limit group 'g' allows 0 at once",)]
    driver.do(c.SetLimits(groups={"g": 1}))
    assert driver.status("a") == "running"


def test_an_empty_run_that_is_held_open_has_not_stalled() -> None:
    driver = Driver(devices=())
    driver.create(plan([]), hold_open=True)
    driver.advance(1000)
    assert stalls(driver) == []
    assert driver.run().state == "executing"


def test_a_stall_with_a_thousand_tasks_lists_a_few_reasons() -> None:
    driver = Driver(devices=(), checked=False)
    driver.create(plan(task(f"t{n}", device=f"gone{n}") for n in range(1000)))
    (reasons,) = stalls(driver)
    assert len(reasons) == 20


def test_why_a_run_has_stalled_is_told_anew_once_it_is_something_else_and_only_then() -> None:
    driver = Driver(slots=1)
    driver.turn(DeviceLostNoticed("d", "its key is not known", refused=True))
    driver.create(plan(["a"]))
    refused = ("no device takes 'a': d is refused: its key is not known",)
    assert stalls(driver) == [refused]
    driver.turn(DeviceConnectingNoticed("d"))
    driver.turn(DeviceLostNoticed("d", "its key is not known", refused=True))
    assert stalls(driver) == [refused], "still the same"
    driver.turn(DeviceConnectingNoticed("d"))
    driver.turn(DeviceLostNoticed("d", "it serves no files"))
    assert stalls(driver) == [refused, ("no device takes 'a': d is disconnected",)]
    driver.turn(DeviceConnectingNoticed("d"))
    driver.turn(DeviceConnectedNoticed("d"))
    assert driver.status("a") == "running"
    assert driver.run().stalled == ()


def test_a_run_whose_device_has_come_and_is_full_of_others_has_not_stalled_any_more() -> None:
    driver = Driver(devices=())
    for name in ("first", "second"):
        driver.create(plan([task("a", device="d"), task("b", device="d")]), run_id=name)
    assert driver.run("first").stalled == driver.run("second").stalled != ()
    driver.add_device("d", slots=2)
    assert driver.status("a", "first") == "running"
    assert driver.status("a", "second") == "pending"
    assert driver.run("second").stalled == ()
    assert stalls(driver)[-1] == ()
    driver.restart()
    assert driver.run("second").stalled == ()
