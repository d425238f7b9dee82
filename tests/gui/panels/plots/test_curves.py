"""Curves are folds: kept up or made anew they are the same, and they end where the facts are."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from tests.driver import Driver, edge, plan, task
from tests.gui.gateway.driven_bridge import DrivenBridge
from tests.properties.test_scheduler import Walk

from starloom import events as ev
from starloom.constellation.edits import AddDependency, AddTask
from starloom.scheduling import commands as c
from starloom.scheduling.fold.apply import fold
from starloom.scheduling.state.folded_run import FoldedRun
from starloom.scheduling.stimuli import DeviceLostNoticed
from starloom_gui.gateway.event_log import EventLog
from starloom_gui.panels.plots.curves import DEVICE, WINDOW, RunCurves
from starloom_gui.workspace.load import most_of


class Bench:
    """Curves of a run of an engine driven by hand, and whoever tells of it."""

    def __init__(self, driver: Driver, run_id: str = "r") -> None:
        self.driver, self.run_id = driver, run_id
        self.bridge = DrivenBridge(driver)
        self.curves = self.fresh()

    def fresh(self, log: EventLog | None = None) -> RunCurves:
        return RunCurves(
            lambda: self.bridge.facts(self.run_id),
            lambda: self.bridge.driver.now,
            log if log is not None else self.bridge.log,
            most_of,
            lambda: self.bridge.driver.scheduler.fleet,
        )

    def hear(self) -> None:
        for changes in self.bridge.news():
            if changes.run_id in (self.run_id, ""):
                numbers = None if changes.everything else changes.tasks if changes.run_id else ()
                while not self.curves.read(numbers):
                    numbers = ()

    def at(self, key: str, moment: float) -> float:
        return self.curves.steps(key).at(moment)


def points(curves: RunCurves, key: str) -> list[tuple[float, float]]:
    steps = curves.steps(key)
    return [*zip(steps.times.tolist(), steps.values.tolist(), strict=True)]


def small() -> Bench:
    driver = Driver(devices=(), checked=False)
    driver.add_device("d", slots=2)
    driver.now = 100.0
    driver.create(plan([task("a"), task("b"), task("x"), task("y")], ["a>y"]))
    return Bench(driver)


def test_what_ran_was_ready_and_waited_is_told_for_every_moment():
    bench = small()
    bench.driver.advance(5)
    bench.driver.end("a")
    bench.driver.advance(5)
    bench.driver.end("b")
    bench.driver.advance(5)
    bench.hear()
    told = {key: [bench.at(key, at) for at in (102.0, 107.0, 112.0)] for key in ("running", "ready", "waiting")}
    assert told == {"running": [2, 2, 2], "ready": [1, 1, 0], "waiting": [1, 0, 0]}
    assert bench.at(DEVICE + "d", 112.0) == 2
    assert bench.at("done", 112.0) == 2
    assert bench.at("done", 105.0 + WINDOW + 1) == 1
    assert math.isnan(bench.at("running", 99.0))


def test_failures_and_retries_only_grow_and_waits_are_those_of_the_last_start():
    driver = Driver(slots=1, checked=False)
    driver.create(plan([task("a", retry={"attempts": 2, "delay": 5}), task("b")]))
    driver.advance(3)
    driver.fail("a")
    driver.advance(1)
    driver.end("b")
    driver.advance(10)
    driver.fail("a")
    bench = Bench(driver)
    bench.hear()
    assert [bench.at("failures", at) for at in (2.0, 3.0, 20.0)] == [0, 1, 2], "none is a count, too"
    assert bench.at("retries", 20.0) == 1
    waits = points(bench.curves, "latency")
    assert waits[0] == (0.0, 0.0)
    assert waits[1] == (3.0, 3.0), "the second task stood in line for three seconds"


def test_of_starts_at_one_moment_the_slowest_is_shown_also_if_it_was_read_first():
    driver = Driver(devices=(), checked=False)
    driver.add_device("d", slots=1)
    driver.create(plan([task("a"), task("b"), task("c")], ["b>c"]))
    bench = Bench(driver)
    bench.hear()
    driver.advance(4)
    driver.end("a")
    bench.hear()
    assert points(bench.curves, "latency") == [(0.0, 0.0), (4.0, 4.0)]
    driver.end("b")
    bench.hear()
    assert points(bench.curves, "latency") == [(0.0, 0.0), (4.0, 4.0)]
    fresh = bench.fresh()
    while not fresh.read(None):
        pass
    assert points(fresh, "latency") == points(bench.curves, "latency")


@settings(max_examples=60)
@example(seed=136, steps=25)
@given(seed=st.integers(0, 2**32), steps=st.integers(1, 40))
def test_curves_that_were_kept_up_equal_curves_made_anew(seed, steps):
    walk = Walk(seed, checked=False)
    bench = Bench(walk.driver, "r0")
    for _ in range(steps):
        walk.step()
        if bench.bridge.driver is not walk.driver:  # another program took the journal up
            bench.bridge.driver, bench.bridge.heard = walk.driver, len(walk.driver.events)
            bench.curves.read(None)
        bench.hear()
    fresh = bench.fresh()
    while not fresh.read(None):
        pass
    assert {one.key for one in fresh.series()} == {one.key for one in bench.curves.series()}
    for one in fresh.series():
        if one.key not in ("ready", "waiting", "limit"):
            assert points(bench.curves, one.key) == points(fresh, one.key), one.key


@settings(max_examples=80)
@given(seed=st.integers(0, 2**32), steps=st.integers(1, 40))
def test_the_counts_end_where_the_facts_are_whatever_happens(seed, steps):
    walk = Walk(seed, checked=False)
    bench = Bench(walk.driver, "r0")
    for _ in range(steps):
        walk.step()
        if bench.bridge.driver is not walk.driver:
            bench.bridge.driver, bench.bridge.heard = walk.driver, len(walk.driver.events)
        bench.hear()
        run = bench.bridge.facts("r0")
        if run is None:
            continue
        bench.curves.read(())
        counts = run.counts()
        last = {key: bench.curves.steps(key).values for key in ("ready", "waiting", "running")}
        if run.seq == bench.curves._standing._seq:
            assert last["ready"][-1] == counts["queued"]
            assert last["waiting"][-1] == counts["waiting"]
        assert (last["running"][-1] if len(last["running"]) else 0) == counts["running"]


def test_a_task_that_has_to_wait_again_is_not_told_as_ready():
    """It was given another parent: no event says of the task itself that it is no longer ready."""
    driver = Driver(slots=1, checked=False)
    driver.create(plan(["a", "long", "b"], ["a>b"]))
    driver.advance(5)
    driver.end("a")
    driver.advance(5)
    driver.edit(AddTask(task("late")), AddDependency(edge("late", "b")))
    driver.advance(5)
    bench = Bench(driver)
    bench.hear()
    told = {key: [bench.at(key, at) for at in (2.0, 7.0, 12.0)] for key in ("ready", "waiting")}
    assert told == {"ready": [1, 1, 1], "waiting": [1, 0, 1]}


def test_the_limit_is_the_least_of_all_and_each_change_has_its_moment():
    bench = small()
    driver = bench.driver
    driver.advance(10)
    driver.do(c.SetLimits(max_concurrency=1))
    driver.advance(10)
    driver.do(c.SetLimits(max_concurrency=None))
    driver.advance(10)
    bench.hear()
    assert [bench.at("limit", at) for at in (105.0, 115.0, 125.0)] == [2, 1, 2]
    assert bench.curves.gaps("limit") == []


@pytest.mark.parametrize("knows", [True, False])
def test_the_limit_goes_by_the_fleet_that_there_was_before_the_log(*, knows: bool):
    driver = Driver(devices=(), checked=False)
    for device in ("d", "e"):
        driver.add_device(device, slots=2)
    log = EventLog(fleet=driver.scheduler.fleet if knows else None)
    before = len(driver.events)
    driver.now = 100.0
    driver.create(plan([task("a"), task("b")]))
    driver.advance(5)
    for event in driver.events[before:]:
        log.add(event)
    bench = Bench(driver)
    curves = bench.fresh(log)
    while not curves.read(None):
        pass
    driver.advance(5)
    assert [gap.word for gap in curves.gaps("limit")] == ([] if knows else ["not kept"])
    if knows:
        assert curves.steps("limit").at(101.0) == 4


def test_a_server_that_is_started_again_is_not_taken_for_one_without_devices():
    bench = small()
    bench.hear()
    driver = bench.driver
    driver.advance(10)
    log = bench.bridge.log
    log.add(ev.FleetOpened(driver.events[-1].seq + 1, driver.now, "", 1e9))
    while not bench.curves.read(()):
        pass
    driver.advance(10)
    driver.do(c.SetLimits(max_concurrency=1))
    bench.hear()
    assert bench.curves.gaps("limit") == []
    assert [bench.at("limit", at) for at in (105.0, 115.0, 125.0)] == [2, 2, 1]


def test_what_happened_before_a_server_was_started_again_is_drawn_where_the_run_has_it():
    bench = small()
    bench.hear()
    driver, log = bench.driver, bench.bridge.log
    driver.advance(20)
    driver.end("a")
    driver.advance(20)
    bench.hear()
    before = points(bench.curves, "waiting")
    recovered = ev.RunRecovered(driver.run().seq + 1, driver.now, "r", 1e9, 15.0)
    log.add(recovered)
    facts = fold(FoldedRun("r"), [one for one in driver.events if one.run_id == "r"])
    fold(facts, [recovered])
    fleet = driver.scheduler.fleet
    curves = RunCurves(lambda: facts.run, lambda: driver.now, log, most_of, lambda: fleet)
    while not curves.read(None):
        pass
    assert points(curves, "waiting") == [(at + 15.0, value) for at, value in before]
    assert curves.begin == bench.curves.begin + 15.0


def test_while_the_only_device_is_drained_nothing_may_run_which_is_not_no_limit():
    bench = small()
    for moment, command in ((110.0, c.DrainDevice(device_id="d")), (120.0, c.ResumeDevice(device_id="d"))):
        bench.driver.now = moment
        bench.driver.do(command)
    bench.driver.now = 130.0
    bench.hear()
    assert bench.curves.gaps("limit") == []
    assert [bench.at("limit", at) for at in (105.0, 115.0, 125.0)] == [2, 0, 2]


def test_without_a_limit_there_is_a_gap_that_says_so():
    driver = Driver(slots=None, checked=False)
    driver.create(plan(["a"]))
    driver.advance(10)
    bench = Bench(driver)
    bench.hear()
    (gap,) = bench.curves.gaps("limit")
    assert gap.word == "no limit"


def test_what_the_log_no_longer_has_is_a_gap_and_what_ran_is_whole_all_the_same():
    bench = small()
    bench.driver.advance(5)
    for _ in bench.bridge.news():
        pass
    short = EventLog()
    short.end = bench.bridge.log.end
    bench.driver.end("a")
    bench.driver.advance(5)
    before = bench.bridge.log.end
    for _ in bench.bridge.news():
        pass
    for _, event in bench.bridge.log.since(before):
        short.add(event)
    curves = bench.fresh(short)
    curves.read(None)
    assert curves.steps("running").at(101.0) == 2
    for key in ("ready", "waiting"):
        (gap,) = curves.gaps(key)
        assert (gap.begin, gap.end, gap.word) == (100.0, 105.0, "not kept")
    assert curves.steps("ready").at(107.0) == 1
    assert [gap.word for gap in curves.gaps("limit")] == ["not kept"]


def test_events_that_nobody_heard_are_a_gap_after_which_the_facts_hold():
    bench = small()
    bench.hear()
    bench.driver.advance(5)
    bench.driver.end("a")
    for _ in bench.bridge.news():
        pass
    lost = EventLog()
    lost.end = bench.bridge.log.end + 5
    lost.lost = 5
    kept = bench.curves._log
    bench.curves._log = lost
    bench.curves.read(None)
    assert kept is not lost
    assert [gap.word for gap in bench.curves.gaps("ready")] == ["not heard"]


def test_a_device_that_was_lost_has_a_gap():
    driver = Driver(devices=(), checked=False)
    driver.add_device("lab", slots=1)
    driver.add_device("local", slots=1)
    driver.create(plan(["a", "b", "z"]))
    driver.advance(5)
    driver.turn(DeviceLostNoticed("lab", "unplugged"))
    driver.advance(5)
    bench = Bench(driver)
    bench.hear()
    (gap,) = bench.curves.gaps(DEVICE + "lab")
    assert (gap.begin, gap.word) == (5.0, "away")
    assert bench.curves.gaps(DEVICE + "local") == []


def test_a_run_that_has_not_started_has_no_curves():
    driver = Driver(slots=1, checked=False)
    bench = Bench(driver)
    assert bench.curves.read(None)
    assert bench.curves.run is None


def test_curves_end_when_the_run_has_ended():
    bench = small()
    bench.driver.advance(1)
    bench.driver.end_all()
    bench.hear()
    ended = bench.curves.now()
    bench.driver.advance(50)
    assert bench.curves.now() == ended == bench.driver.run().run_ended_at


def test_interventions_are_flags():
    bench = small()
    bench.driver.advance(3)
    bench.driver.do(c.SetLimits(max_concurrency=1, origin="operator"))
    bench.hear()
    assert [flag.at for flag in bench.curves.flags if flag.at > 100] == [103.0]
    assert np.isfinite(bench.curves.begin)


def test_curves_begin_with_the_run_whatever_was_before_it():
    driver = Driver(devices=(), checked=False)
    driver.add_device("d", slots=20)
    driver.advance(50)
    driver.do(c.SetLimits(max_concurrency=4))
    driver.advance(50)
    driver.create(plan([task("a"), task("b"), task("y")], ["a>y"]))
    bench = Bench(driver)
    driver.advance(5)
    bench.hear()
    begin = bench.curves.begin
    assert begin == 100.0
    for key in ("limit", "ready", "waiting"):
        assert bench.curves.steps(key).times[0] == begin, key
    assert bench.curves.steps("limit").top == 4
