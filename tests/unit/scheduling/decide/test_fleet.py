"""Devices as the scheduler sees them: their statuses, draining, losing, coming and going."""

from __future__ import annotations

from typing import Any

import pytest
from tests.driver import Driver, as_journalled, outcome, plan, task

from starloom import events as ev
from starloom.errors import CommandRefused
from starloom.model.task import Retry
from starloom.scheduling import commands as c
from starloom.scheduling.fold.apply import fold
from starloom.scheduling.state.folded_run import FoldedRun
from starloom.scheduling.stimuli import (
    AttemptEnded,
    AttemptStuckNoticed,
    DeviceConnectedNoticed,
    DeviceConnectingNoticed,
    DeviceLostNoticed,
)


def status(driver: Driver, device_id: str = "d") -> str:
    return driver.scheduler.fleet.devices[device_id].status.value


def stream(driver: Driver, run_id: str = "") -> list[ev.Event]:
    return [event for event in driver.events if event.run_id == run_id]


def view(driver: Driver, run_id: str) -> FoldedRun:
    """What a reader of this run's stream alone sees."""
    return fold(FoldedRun(run_id), [as_journalled(event) for event in stream(driver, run_id)])


# ---- statuses


def test_a_device_goes_from_idle_to_busy_to_idle() -> None:
    driver = Driver(slots=1)
    seen = [status(driver)]
    driver.create(plan(["a"]))
    seen.append(status(driver))
    driver.end("a")
    seen.append(status(driver))
    assert seen == ["idle", "busy", "idle"]


def test_a_device_is_disconnected_connecting_idle_failed_as_it_is_reached_and_lost() -> None:
    driver = Driver(devices=())
    driver.add_device("d", connected=False)
    seen = [status(driver)]
    for stimulus in (
        DeviceConnectingNoticed("d"),
        DeviceLostNoticed("d", "refused"),
        DeviceConnectingNoticed("d", 2),
        DeviceConnectedNoticed("d"),
        DeviceLostNoticed("d", "gone for good", will_reconnect=False),
    ):
        driver.turn(stimulus)
        seen.append(status(driver))
    assert seen == ["disconnected", "connecting", "disconnected", "connecting", "idle", "failed"]


def test_a_device_that_is_not_connected_gets_nothing_and_everything_as_soon_as_it_is() -> None:
    driver = Driver(devices=())
    driver.add_device("d", connected=False)
    driver.create(plan(["a", "b"]))
    driver.turn(DeviceConnectingNoticed("d"))
    assert driver.started() == []
    assert driver.why("a")[0].code == "device_unavailable"
    driver.turn(DeviceConnectedNoticed("d"))
    assert driver.started() == ["a", "b"]


def test_a_lost_device_gets_nothing_until_it_is_connected_again() -> None:
    """A device that had lost its connection went back to idle in the seed, and swallowed one task after the other."""
    driver = Driver(slots=1)
    driver.create(plan(["a", "b"]))
    driver.turn(DeviceLostNoticed("d", "silent"))
    driver.end("a", lost=True)
    assert (status(driver), driver.status("b")) == ("disconnected", "pending")
    driver.turn(DeviceConnectedNoticed("d"))
    assert driver.status("b") == "running"


# ---- lost while running


def test_what_ran_on_a_lost_device_fails_with_device_lost_and_others_go_on() -> None:
    driver = Driver(slots=1, devices=["d", "e"])
    driver.create(plan([task("on_d", device="d"), task("on_e", device="e"), task("next", device="d")]))
    driver.turn(DeviceLostNoticed("d", "silent"))
    driver.end("on_d", lost=True)
    assert driver.statuses() == {"on_d": "failed", "on_e": "running", "next": "pending"}
    result = driver.run().results[0]
    assert result is not None
    assert result.error is not None
    assert result.error.code == "device_lost"
    assert "'d'" in result.error.message


def test_a_lost_attempt_is_tried_again_elsewhere_if_its_retries_allow() -> None:
    driver = Driver(slots=1, devices=["d", "e"])
    driver.create(plan([task("t", retry=Retry(attempts=2))]))
    first = driver.ordered["r", "t"].device_id
    driver.turn(DeviceLostNoticed(first, "silent"))
    driver.end("t", lost=True)
    assert driver.ordered["r", "t"].device_id == ("e" if first == "d" else "d")
    assert [attempt.device_id for attempt in driver.attempts("t")] == [first, "e" if first == "d" else "d"]


def test_losing_a_device_ends_no_attempt_by_itself() -> None:
    """The slot is free when the attempt says so: two attempts of a task never overlap."""
    driver = Driver(slots=1, devices=["d", "e"])
    driver.create(plan([task("t", retry=Retry(attempts=2))]))
    driver.turn(DeviceLostNoticed(driver.ordered["r", "t"].device_id, "silent"))
    assert driver.status("t") == "running"
    assert len(driver.started()) == 1


# ---- foreign, late and repeated ends


def test_the_end_of_something_unknown_or_over_changes_nothing() -> None:
    driver = Driver(slots=1)
    driver.create(plan([task("t", retry=Retry(attempts=2)), "u"]))
    driver.fail("t")
    told = len(driver.events)
    for run_id, name, attempt in (("nobody", "t", 1), ("r", "nothing", 1), ("r", "t", 1), ("r", "t", 3), ("r", "u", 1)):
        driver.turn(AttemptEnded(run_id, name, attempt, outcome()))
    assert driver.events[told:] == []
    assert driver.status("t") == "running"


def test_an_end_told_twice_frees_one_slot() -> None:
    driver = Driver(slots=2)
    driver.create(plan(["a", "b", "c", "d"]))
    end = driver.ended("a")
    driver.turn(end, end)
    driver.turn(end)
    assert [name for name, state in driver.statuses().items() if state == "running"] == ["b", "c"]
    assert driver.scheduler.fleet.devices["d"].used == 2


def test_news_of_a_device_nobody_knows_changes_nothing() -> None:
    driver = Driver()
    told = len(driver.events)
    driver.turn(DeviceConnectingNoticed("x"), DeviceConnectedNoticed("x"), DeviceLostNoticed("x", "?"))
    assert driver.events[told:] == []


# ---- draining and switching off


def test_a_drained_device_finishes_what_runs_and_takes_nothing_new() -> None:
    driver = Driver(slots=2)
    driver.create(plan(["a", "b", "c"]))
    driver.do(c.DrainDevice(device_id="d"))
    assert (status(driver), driver.stops) == ("draining", [])
    driver.end("a")
    driver.end("b")
    assert driver.status("c") == "pending"
    assert driver.of(ev.RunStalled)[0].reasons == ("no device takes 'c': d is draining",)
    driver.do(c.ResumeDevice(device_id="d"))
    assert driver.status("c") == "running"


def test_draining_survives_losing_the_device_and_reaching_it_again() -> None:
    driver = Driver(slots=1)
    driver.do(c.DrainDevice(device_id="d"))
    for stimulus in (DeviceLostNoticed("d", "silent"), DeviceConnectingNoticed("d"), DeviceConnectedNoticed("d")):
        driver.turn(stimulus)
    assert status(driver) == "draining"
    driver.create(plan(["a"]))
    assert driver.started() == []


def test_a_disabled_device_stays_off_when_it_connects_again() -> None:
    driver = Driver(slots=1)
    driver.do(c.DisableDevice(device_id="d"))
    driver.turn(DeviceLostNoticed("d", "silent"))
    driver.turn(DeviceConnectedNoticed("d"))
    driver.create(plan(["a"]))
    assert driver.started() == []
    assert "disabled" in driver.why("a")[0].text
    driver.do(c.EnableDevice(device_id="d"))
    assert driver.started() == ["a"]


@pytest.mark.parametrize(
    ("command", "event"),
    [
        (c.DrainDevice, ev.DeviceDrained),
        (c.ResumeDevice, ev.DeviceResumed),
        (c.DisableDevice, ev.DeviceDisabled),
        (c.EnableDevice, ev.DeviceEnabled),
    ],
)
def test_telling_a_device_twice_is_no_mistake_and_one_event_at_most(command: Any, event: Any) -> None:
    driver = Driver()
    driver.do(command(device_id="d"))
    driver.do(command(device_id="d"))
    assert len(driver.of(event)) <= 1


def test_a_command_to_an_unknown_device_is_refused_with_the_nearest_name() -> None:
    driver = Driver(devices=["worker"])
    for command in (c.DrainDevice, c.ResumeDevice, c.RemoveDevice, c.EnableDevice, c.DisableDevice):
        with pytest.raises(CommandRefused, match="Did you mean 'worker'"):
            driver.do(command(device_id="wroker"))


# ---- coming and going


def test_a_device_that_runs_something_cannot_be_removed() -> None:
    driver = Driver(slots=1)
    driver.create(plan(["a"]))
    with pytest.raises(CommandRefused, match="still runs 1 task\\."):
        driver.do(c.RemoveDevice(device_id="d"))
    driver.end("a")
    driver.do(c.RemoveDevice(device_id="d"))
    assert driver.scheduler.fleet.devices == {}


def test_a_task_whose_device_leaves_says_so_and_waits() -> None:
    """A device that was removed during a run ended the seed's whole run."""
    driver = Driver(slots=1, devices=["d", "e"])
    driver.create(plan([task("x", device="d"), task("y", device="d"), "z"]))
    driver.end("x")
    driver.end("y")
    driver.create(plan([task("x", device="d")]), run_id="q", start=False)
    driver.do(c.RemoveDevice(device_id="d"))
    driver.do(c.StartRun(run_id="q"))
    assert driver.status("x", "q") == "pending"
    assert driver.why("x", "q")[0].code == "no_device"


def test_an_equal_device_is_shared_and_another_one_of_the_same_id_refused() -> None:
    driver = Driver(devices=())
    driver.add_device("d", slots=2, capabilities={"gpu"})
    driver.add_device("d", slots=2, capabilities={"gpu"})
    assert len(driver.of(ev.DeviceAdded)) == 1
    for unequal in ({"kind": "ssh"}, {"speed": 2.0}, {"capabilities": {"other"}}):
        with pytest.raises(CommandRefused, match="another device 'd'"):
            driver.add_device("d", slots=2, **unequal)


def test_an_attempt_that_will_not_stop_is_reported_and_keeps_its_slot() -> None:
    driver = Driver(slots=1)
    driver.create(plan(["a", "b"]))
    driver.ask(c.CancelTasks, "a")
    driver.turn(AttemptStuckNoticed("r", "a", 1))
    (stuck,) = driver.of(ev.TaskStuck)
    assert (stuck.task_id, stuck.attempt, stuck.device_id) == ("a", 1, "d")
    assert driver.statuses() == {"a": "running", "b": "pending"}
    driver.end("a", stopped=True)
    assert driver.statuses() == {"a": "cancelled", "b": "running"}


def test_a_stuck_report_that_comes_too_late_is_not_told() -> None:
    driver = Driver()
    driver.create(plan(["a"]))
    driver.ask(c.CancelTasks, "a")
    driver.end("a", stopped=True)
    driver.turn(AttemptStuckNoticed("r", "a", 1), AttemptStuckNoticed("r", "x", 1), AttemptStuckNoticed("x", "a", 1))
    assert driver.of(ev.TaskStuck) == []
