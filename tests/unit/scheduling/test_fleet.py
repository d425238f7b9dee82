"""Devices as the scheduler sees them: their statuses, draining, losing, numbering of the fleet's stream and of each run's."""

from __future__ import annotations

from collections import defaultdict
from typing import Any

import pytest

from starloom import events as ev
from starloom.errors import CommandRefused
from starloom.model.plan import Limits
from starloom.model.task import Retry
from starloom.scheduling import commands as c
from starloom.scheduling.apply import fold
from starloom.scheduling.run_facts import RunView
from starloom.scheduling.stimuli import (
    AttemptEnded,
    AttemptStuckNoticed,
    DeviceConnectedNoticed,
    DeviceConnectingNoticed,
    DeviceLostNoticed,
)
from tests.driver import Driver, as_journalled, outcome, plan, task


def status(driver: Driver, device_id: str = "d") -> str:
    return driver.scheduler.fleet.devices[device_id].status.value


def stream(driver: Driver, run_id: str = "") -> list[ev.Event]:
    return [event for event in driver.events if event.run_id == run_id]


def view(driver: Driver, run_id: str) -> RunView:
    """What a reader of this run's stream alone sees."""
    return fold(RunView(run_id), [as_journalled(event) for event in stream(driver, run_id)])


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
    for unequal in ({"kind": "local"}, {"speed": 2.0}, {"capabilities": {"other"}}):
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


# ---- the streams


def busy_fleet() -> Driver:
    """Three runs that overlap, with everything a fleet can do meanwhile."""
    driver = Driver(slots=2, devices=["d", "e"])
    driver.create(plan(["a", "b", "c"]), run_id="one")
    driver.do(c.SetLimits(max_concurrency=3))
    driver.create(plan(["a", "b"], limits=Limits(groups={"g": 2})), run_id="two")
    driver.advance(1)
    driver.end("a", "one")
    driver.turn(DeviceLostNoticed("e", "silent"), DeviceConnectingNoticed("e"), DeviceConnectedNoticed("e"))
    driver.do(c.DrainDevice(device_id="e"))
    driver.create(plan(["a"]), run_id="three")
    driver.do(c.ResumeDevice(device_id="e"))
    driver.end_all("one")
    driver.do(c.SetSlots(device_id="d", slots=5))
    driver.end_all("two")
    driver.end_all("three")
    return driver


def test_every_stream_is_numbered_from_1_without_gaps() -> None:
    driver = busy_fleet()
    streams: dict[str, list[int]] = defaultdict(list)
    for event in driver.events:
        streams[event.run_id].append(event.seq)
    assert set(streams) == {"", "one", "two", "three"}
    for numbers in streams.values():
        assert numbers == list(range(1, len(numbers) + 1))


def test_times_never_go_back_in_a_stream() -> None:
    driver = busy_fleet()
    driver.now = 0.5  # a clock that is late
    driver.do(c.DrainDevice(device_id="d"))
    for run_id in ("", "one", "two", "three"):
        times = [event.at for event in stream(driver, run_id)]
        assert times == sorted(times)


def test_a_runs_stream_opens_with_the_fleet_as_it_is() -> None:
    driver = Driver(slots=3, devices=["d", "e"])
    driver.do(c.SetLimits(max_concurrency=7, groups={"g": 2}))
    driver.do(c.DrainDevice(device_id="e"))
    driver.create(plan(["x"]), run_id="other")
    driver.create(plan([]), run_id="r", hold_open=True)
    first = stream(driver, "r")[0]
    assert isinstance(first, ev.FleetSnapshot)
    seen = fold(RunView("r"), [first]).fleet
    assert (seen.max_concurrency, seen.groups) == (7, {"g": 2})
    assert [(d.id, d.slots, d.draining, d.others) for d in seen.devices.values()] == [
        ("d", 3, False, 1),
        ("e", 3, True, 0),
    ]


def test_the_fleets_events_stand_in_the_stream_of_each_live_run_and_of_no_ended_one() -> None:
    driver = Driver()
    driver.create(plan(["a"]), run_id="over")
    driver.end("a", "over")
    driver.create(plan(["a"]), run_id="one")
    driver.create(plan(["a"]), run_id="two")
    driver.do(c.DrainDevice(device_id="d"))
    assert [event.run_id for event in driver.of(ev.DeviceDrained)] == ["", "one", "two"]


def test_a_run_is_told_what_other_runs_hold_whenever_that_changes_once_a_turn() -> None:
    driver = Driver(slots=4)
    driver.create(plan(["a", "b"]), run_id="one")
    driver.create(plan(["x"]), run_id="two")
    assert view(driver, "two").fleet.devices["d"].others == 2
    assert view(driver, "one").fleet.devices["d"].others == 1
    driver.end("a", "one")
    assert view(driver, "two").fleet.devices["d"].others == 1
    for turn in driver.turns:
        loads = [event.run_id for event in turn.events if isinstance(event, ev.FleetLoad)]
        assert len(loads) == len(set(loads)), "more than one in a turn"


def test_a_run_that_holds_nothing_itself_is_told_what_others_hold() -> None:
    driver = Driver(slots=4)
    driver.create(plan(["a", "b"]), run_id="busy")
    driver.create(plan(["x"]), run_id="idle", start=False)
    assert view(driver, "idle").fleet.devices["d"].others == 2
    driver.end("a", "busy")
    assert view(driver, "idle").fleet.devices["d"].others == 1
    driver.end("b", "busy")
    assert view(driver, "idle").fleet.devices["d"].others == 0


def test_a_run_alone_is_told_nothing_of_others() -> None:
    driver = Driver(slots=1)
    driver.create(plan(["a", "b", "c"]))
    driver.end_all()
    assert driver.of(ev.FleetLoad) == []


def test_a_run_is_not_told_of_its_own_slots() -> None:
    driver = Driver(slots=9)
    driver.create(plan(["a", "b", "c"], ["a>b", "b>c"]), run_id="busy")
    driver.create(plan(["x"]), run_id="other")
    before = len([event for event in stream(driver, "busy") if isinstance(event, ev.FleetLoad)])
    driver.end("a", "busy")
    driver.end("b", "busy")
    after = len([event for event in stream(driver, "busy") if isinstance(event, ev.FleetLoad)])
    assert after == before


def test_a_reopened_run_knows_the_fleet_as_it_has_become() -> None:
    """While it was over nobody told it of the fleet."""
    driver = Driver(slots=1)
    driver.create(plan(["a"]))
    driver.fail("a")
    driver.add_device("new", slots=1)
    driver.do(c.RemoveDevice(device_id="d"))
    driver.do(c.SetLimits(max_concurrency=5))
    driver.ask(c.RetryTasks, "a")
    seen = view(driver, "r").fleet
    assert (list(seen.devices), seen.max_concurrency) == (["new"], 5)


def test_one_runs_stream_alone_draws_the_whole_fleet() -> None:
    """Folded from any run's stream, a device's taken slots are the same as they really are."""
    driver = Driver(slots=3, devices=["d", "e"])
    for number in range(3):
        driver.create(plan([f"{name}{number}" for name in "abc"]), run_id=f"run{number}")
    while len(driver.scheduler.live) > 1:
        run_id, name = next(iter(driver.ordered))
        driver.end(name, run_id)
        real = {id: device.used for id, device in driver.scheduler.fleet.devices.items()}
        for live in driver.scheduler.live:
            devices = view(driver, live).fleet.devices
            assert {id: device.used + device.others for id, device in devices.items()} == real
