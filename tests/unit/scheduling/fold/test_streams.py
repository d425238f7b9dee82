"""The fleet's stream and each run's: numbered without gaps, and each run's alone tells the whole story."""

from __future__ import annotations

from collections import defaultdict

from tests.driver import Driver, as_journalled, plan

from starloom import events as ev
from starloom.model.plan import Limits
from starloom.scheduling import commands as c
from starloom.scheduling.fold.apply import fold
from starloom.scheduling.state.folded_run import FoldedRun
from starloom.scheduling.stimuli import (
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
    seen = fold(FoldedRun("r"), [first]).fleet
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
