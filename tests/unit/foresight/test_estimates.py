"""Estimates: what is declared, else the mean of earlier tasks of the name or kind, else none, always saying which."""

from __future__ import annotations

import math
from random import Random
from typing import TYPE_CHECKING

import pytest
from tests.driver import RUN, Driver, plan, task

from starloom.foresight.estimates import Estimates, EstimateSource
from starloom.foresight.spread import (
    KNOWN,
    drawn_rest,
    expected_rest,
    of_durations,
    of_ratios,
)
from starloom.model.plan import Plan
from starloom.scheduling.commands import DrainDevice, RerunFrom
from starloom.scheduling.state.fleet_facts import FleetFacts
from starloom.scheduling.state.run_facts import RunFacts

if TYPE_CHECKING:
    from starloom.model.task import Task


def run_of(plan_name: str = "plan", run_id: str = RUN) -> RunFacts:
    """A run that has only a plan's name; what is asked about is a task of it."""
    run = RunFacts(run_id, FleetFacts())
    run.name = plan_name
    return run


HERE = run_of()


def after(durations: dict[str, float], tasks: list[Task], *, speed: float = 1.0) -> Estimates:
    """What is estimated after these tasks have taken so long and completed; others still run."""
    driver = Driver(devices=())
    driver.add_device("d", speed=speed)
    driver.create(plan(tasks))
    for name, seconds in sorted(durations.items(), key=lambda item: item[1]):
        driver.advance(seconds - driver.now)
        driver.end(name)
    return Estimates([driver.run()], driver.now)


def test_a_declared_estimate_goes_before_everything_that_was_seen() -> None:
    found = after({"a1": 8.0}, [task("a1"), task("a2", estimate=3.0)]).of(task("a2", estimate=3.0), HERE)
    assert (found.seconds, found.source) == (3.0, EstimateSource.DECLARED)


def test_what_is_simulated_is_declared_and_known() -> None:
    found = Estimates([]).of(task("a", simulate=5.0), HERE)
    assert (found.seconds, found.source, found.spread) == (5.0, EstimateSource.DECLARED, KNOWN)
    assert found.deviation == 0.0


def test_the_mean_of_the_same_name_goes_before_that_of_the_kind() -> None:
    tasks = [task("a1", name="align"), task("a2", name="align"), task("b1", name="sort")]
    known = after({"a1": 2.0, "a2": 4.0, "b1": 10.0}, tasks)
    found = known.of(task("x", name="align"), HERE)
    assert (found.seconds, found.source, found.samples) == (3.0, EstimateSource.NAME, 2)


def test_names_that_differ_in_a_number_at_the_end_are_of_one_kind() -> None:
    found = after({"row-1": 2.0, "row-2": 4.0}, [task("row-1"), task("row-2")]).of(task("row-17"), HERE)
    assert (found.seconds, found.source, found.samples) == (3.0, EstimateSource.KIND, 2)


def test_tasks_that_run_the_same_program_are_of_one_kind() -> None:
    known = after({"x": 6.0}, [task("x", command=["/usr/bin/gzip", "x"])])
    assert known.of(task("other", command=["gzip", "-9", "y"]), HERE).source is EstimateSource.KIND
    assert known.of(task("other", command=["bzip2", "y"]), HERE).source is EstimateSource.NONE
    assert known.of(task("x", shell="something else"), HERE).source is EstimateSource.NONE


def test_of_one_name_are_tasks_that_do_exactly_the_same() -> None:
    known = after({"x": 6.0}, [task("x", command=["gzip", "x"])])
    assert known.of(task("x", command=["gzip", "x"]), HERE).source is EstimateSource.NAME
    assert known.of(task("x", command=["gzip", "-9", "x"]), HERE).source is EstimateSource.KIND


@pytest.mark.parametrize("first", ["nightly", "plan"])
def test_a_plan_tells_nothing_of_another_ones_tasks_whatever_they_are_called(first: str) -> None:
    """`plan` is what plans without a name are called; two runs of such may be of quite different ones."""
    known = _after_a_run_of(first, [task("a", shell="sleep 5"), task("b", estimate=1.0), task("c1", call="c")])
    for other in (task("a", shell="make all"), task("b", estimate=1.0), task("c2", call="c")):
        run = run_of("weekly" if first != "plan" else "plan", "r2")
        found, alone = known.of(other, run), Estimates([]).of(other, run)
        assert (found.seconds, found.source, found.spread) == (alone.seconds, alone.source, alone.spread)


@pytest.mark.parametrize("name", ["nightly", "plan"])
def test_the_same_plan_run_again_learns_from_its_earlier_run(name: str) -> None:
    tasks = [task("a", shell="sleep 5"), task("b", estimate=1.0)]
    known = _after_a_run_of(name, tasks)
    found = known.of(tasks[0], run_of(name, "r2"))
    assert (found.seconds, found.source) == (5.0, EstimateSource.NAME)


def test_a_named_plan_run_again_learns_of_kinds_and_of_what_was_declared() -> None:
    known = _after_a_run_of("nightly", [task("b", estimate=1.0), task("c1", call="c")])
    again = run_of("nightly", "r2")
    assert known.of(task("c2", call="c"), again).source is EstimateSource.KIND
    assert known.of(task("b", estimate=1.0), again).samples == 1


def _after_a_run_of(name: str, tasks: list[Task]) -> Estimates:
    """Estimates after a run of a plan of this name whose tasks took 5 s each."""
    driver = Driver()
    driver.create(Plan(name=name, tasks=tuple(tasks)))
    driver.advance(5.0)
    for each in tasks:
        driver.end(each.id)
    return Estimates([driver.run()], driver.now)


def test_without_anything_to_go_by_there_is_no_estimate_and_it_says_so() -> None:
    found = after({"x": 6.0}, [task("x", shell="true")]).of(task("y", shell="false"), HERE)
    assert (found.seconds, found.source, found.deviation) == (None, EstimateSource.NONE, None)


def test_what_a_fast_device_took_counts_as_on_one_of_speed_one() -> None:
    assert after({"a": 2.0}, [task("a")], speed=3.0).of(task("a"), HERE).seconds == 6.0


def test_failed_and_marked_tasks_tell_nothing() -> None:
    driver = Driver()
    driver.create(plan(["a1", "a2"]))
    driver.advance(5)
    driver.fail("a1")
    driver.advance(5)
    assert Estimates([driver.run()], driver.now).of(task("a3"), HERE).source is EstimateSource.NONE


def test_the_attempt_before_a_rerun_still_tells() -> None:
    driver = Driver()
    driver.create(plan(["a"]))
    driver.advance(5)
    driver.end("a")
    driver.do(RerunFrom(run_id="r", task_id="a"))
    assert Estimates([driver.run()], driver.now).of(task("a"), HERE).seconds == 5.0


def test_declared_estimates_that_were_too_low_so_far_are_taken_for_too_low() -> None:
    tasks = [task(f"t{n}", estimate=1.0) for n in range(6)]
    found = after({f"t{n}": 3.0 for n in range(5)}, tasks).of(task("t9", estimate=1.0), HERE)
    assert found.seconds == 1.0
    assert 2.0 < math.exp(found.spread.mean) <= 3.0
    assert found.samples == 5


def test_those_that_run_on_keep_the_early_ones_from_telling_too_little() -> None:
    tasks = [task(f"t{n}", estimate=10.0) for n in range(6)]
    early = after({"t0": 5.0}, tasks[:1]).of(tasks[0], HERE).spread
    censored = after({"t0": 5.0}, tasks).of(tasks[0], HERE).spread
    assert censored.mean > early.mean


def test_the_spread_grows_with_what_was_seen() -> None:
    assert of_durations([5.0] * 20).sigma < of_durations([5.0]).sigma < of_durations([1.0, 30.0, 2.0, 60.0]).sigma
    assert of_durations([0.0, 0.0]).sigma > 0
    assert abs(of_ratios([50.0]).mean) < 2.4  # a slip, not a factor of e^50


def test_what_is_left_is_the_difference_until_the_time_is_up_and_then_the_conditional_expectation() -> None:
    assert expected_rest(10.0, 0.5, 4.0) == 6.0
    mean = math.log(10.0) - 0.5**2 / 2
    dice = Random(1)
    longer = [value - 12.0 for _ in range(200_000) if (value := dice.lognormvariate(mean, 0.5)) > 12.0]
    assert expected_rest(10.0, 0.5, 12.0) == pytest.approx(sum(longer) / len(longer), rel=0.02)


def test_what_is_off_the_charts_still_ends() -> None:
    assert 0 < expected_rest(1.0, 0.1, 1000.0) <= 100.0
    assert 0 <= drawn_rest(0.0, 0.1, 1000.0, Random(1)) < 10_000
    assert expected_rest(1.0, 0.0, 5.0) == 0.0
    assert drawn_rest(0.0, 0.0, 5.0, Random(1)) == 0.0


def test_a_drawn_rest_has_the_expected_mean() -> None:
    dice = Random(2)
    mean = math.log(10.0) - 0.5**2 / 2
    drawn = [drawn_rest(mean, 0.5, 12.0, dice) for _ in range(50_000)]
    assert sum(drawn) / len(drawn) == pytest.approx(expected_rest(10.0, 0.5, 12.0), rel=0.03)


def test_texts_for_the_shell_that_differ_in_numbers_only_are_of_one_kind_whatever_they_are_called() -> None:
    tasks = [task("first", shell="sleep 2; echo 17"), task("other", shell="sleep 0.5; echo 4")]
    known = after({"first": 4.0, "other": 2.0}, tasks)
    found = known.of(task("Row 3 of 800", shell="sleep 3; echo 800"), HERE)
    assert (found.seconds, found.source, found.samples) == (3.0, EstimateSource.KIND, 2)
    assert known.of(task("elsewhere", shell="sleep 3; print 800"), HERE).source is EstimateSource.NONE


def test_an_equal_text_for_the_shell_tells_more_than_a_name_that_differs_in_a_number() -> None:
    tasks = [task("t1", shell="make -j8"), task("t2", shell="echo 5"), task("t3", shell="make -j4")]
    known = after({"t1": 60.0, "t2": 1.0, "t3": 70.0}, tasks)
    assert known.of(task("t4", shell="echo 17"), HERE).seconds == 1.0
    assert known.of(task("t5", shell="make -j2"), HERE).seconds == 65.0
    assert known.of(task("t6", shell="ls"), HERE).samples == 3, "a name that differs in a number is better than nothing"


def test_a_long_script_is_compared_to_its_end() -> None:
    script = "x" * 5_000
    known = after({"a": 4.0}, [task("a", shell=f"seq 1; {script} one")])
    assert known.of(task("b", shell=f"seq 2; {script} one"), HERE).source is EstimateSource.KIND
    assert known.of(task("b", shell=f"seq 2; {script} other"), HERE).source is EstimateSource.NONE


def test_what_a_device_only_simulated_tells_nothing_of_the_real_task() -> None:
    work = task("calib", shell="sleep 20")
    driver = Driver(devices=())
    driver.add_device("sim", kind="simulated", slots=1)
    driver.create(plan([work]))
    driver.advance(0.02)
    driver.end("calib")
    assert Estimates([driver.run()], driver.now).of(work, HERE).source is EstimateSource.NONE
    driver.do(RerunFrom(run_id=RUN, task_id="calib"))
    driver.add_device("real", slots=1)
    driver.do(DrainDevice(device_id="sim"))
    driver.advance(0.02)
    driver.end("calib")
    driver.do(RerunFrom(run_id=RUN, task_id="calib"))
    driver.advance(20.0)
    driver.end("calib")
    assert Estimates([driver.run()], driver.now).of(work, HERE).seconds == 20.0


def test_tasks_that_are_meant_to_be_simulated_tell_what_they_took() -> None:
    meant = task("step", simulate=5.0)
    driver = Driver(devices=())
    driver.add_device("sim", kind="simulated", slots=1)
    driver.create(plan([meant]))
    driver.advance(7.0)
    driver.end("step")
    found = Estimates([driver.run()], driver.now).durations([RUN])
    assert 7.0 in [seconds for _, all_seen in found.observed for seconds in all_seen]
