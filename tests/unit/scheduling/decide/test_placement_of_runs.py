"""Runs on one fleet, each with a placement of its own, which its plan or whoever starts it says."""

from __future__ import annotations

from typing import Any

import pytest
from tests.driver import Driver, plan, task

from starloom import events as ev
from starloom.errors import CommandRefused
from starloom.model.plan import Plan
from starloom.model.status import Placement
from starloom.scheduling import commands as c
from starloom.scheduling.fork import Fork
from starloom.scheduling.read.line import in_line
from starloom.scheduling.restore import restore


def placed(tasks: Any, placement: str | None, edges: Any = ()) -> Plan:
    made = plan(tasks, edges)
    return Plan(
        name="p",
        tasks=made.tasks,
        dependencies=made.dependencies,
        placement=Placement(placement) if placement else None,
    )


def numbered(prefix: str, count: int, **fields: Any) -> list[Any]:
    return [task(f"{prefix}{number}", **fields) for number in range(count)]


def fleet(**devices: dict[str, Any]) -> Driver:
    driver = Driver(devices=())
    for name, fields in devices.items():
        driver.add_device(name, **({"slots": 1} | fields))
    return driver


def where(driver: Driver, run_id: str) -> list[str]:
    return [start.device_id for (run, _), start in driver.ordered.items() if run == run_id]


def started(driver: Driver) -> list[str]:
    return [event.task_id for event in driver.events if isinstance(event, ev.TaskStarted)]


def run_all(driver: Driver) -> None:
    """End every attempt in the order in which they started."""
    while driver.ordered:
        run_id, name = next(iter(driver.ordered))
        driver.end(name, run_id=run_id)


def test_two_runs_on_one_fleet_differ() -> None:
    driver = fleet(a={"slots": 9, "capabilities": {"x"}}, b={"slots": 90}, c={"slots": 9, "capabilities": {"x", "y"}})
    driver.create(placed(numbered("r", 4), "round_robin"), run_id="round")
    assert where(driver, "round") == ["a", "b", "c", "a"]
    driver.create(placed(numbered("m", 4), "capability_match"), run_id="match")
    assert set(where(driver, "match")) == {"b"}, "the only one that can do nothing that is not asked for"
    driver.create(placed(numbered("l", 3), None), run_id="said by nobody")
    assert "b" in where(driver, "said by nobody")


def test_whoever_starts_it_overrides_the_plan() -> None:
    driver = fleet(a={"slots": 9}, b={"slots": 9}, c={"slots": 9})
    run = driver.create(placed(numbered("t", 4), "load_balance"), run_id="r", placement="round_robin")
    assert where(driver, "r") == ["a", "b", "c", "a"]
    assert run.placement == "round_robin"


def test_another_placement_of_the_fleet_leaves_a_run_with_its_own_alone() -> None:
    driver = fleet(a={"slots": 1}, b={"slots": 1})
    driver.create(placed(numbered("own", 6, estimate=1.0), "round_robin"), run_id="own")
    driver.create(placed(numbered("follows", 6, estimate=1.0), None), run_id="follows")
    driver.do(c.SetLimits(placement=Placement.CRITICAL_PATH))
    live = driver.scheduler.live
    assert [live[name].placement for name in ("own", "follows")] == ["round_robin", "critical_path"]
    driver.do(c.SetLimits(placement=Placement.CAPABILITY_MATCH))
    assert [live[name].placement for name in ("own", "follows")] == ["round_robin", "capability_match"]
    run_all(driver)


def test_an_unknown_placement_is_refused_with_those_there_are() -> None:
    driver = fleet(a={})
    with pytest.raises(CommandRefused, match=r"no placement 'best'.*round_robin, capability_match"):
        driver.create(placed(numbered("t", 1), None), run_id="r", placement="best")


def chains(prefix: str, **fields: Any) -> tuple[list[Any], list[str]]:
    """A short chain declared first, and a long one."""
    names = [f"{prefix}{name}" for name in ("s0", "l0", "l1", "l2")]
    edges = [f"{prefix}l0>{prefix}l1", f"{prefix}l1>{prefix}l2"]
    return [task(name, estimate=1.0, **fields) for name in names], edges


def test_beside_a_run_that_goes_by_age_one_that_goes_by_critical_path_does_so_in_its_own_turns() -> None:
    """Turns between runs go by age; which of a run's tasks takes the turn is its own placement's affair."""
    driver = fleet(d={"slots": 1})
    blocker = driver.create(plan(["blocker"]), run_id="z")
    driver.advance(1.0)
    driver.create(placed(*_with("critical_path", *chains("c"))), run_id="c")
    driver.advance(1.0)
    driver.create(placed(*_with("load_balance", *chains("a"))), run_id="a")
    driver.end("blocker", run_id=blocker.run_id)
    run_all(driver)
    order = started(driver)[1:]
    assert order[0] == "cl0", "the run that has waited longest, with the task of the longest path"
    assert [name for name in order if name[0] == "c"].index("cl0") == 0
    assert order.index("cs0") < order.index("al1"), "what became ready later waits for it"
    assert [name for name in order if name[0] == "a"][:2] == ["as0", "al0"], "by place in line"


def _with(placement: str, tasks: list[Any], edges: list[str]) -> tuple[Any, str, Any]:
    return tasks, placement, edges


def test_priorities_go_before_age_between_runs_of_different_placements() -> None:
    driver = fleet(d={"slots": 1})
    driver.create(plan(["blocker"]), run_id="z")
    driver.create(placed(numbered("c", 2, estimate=1.0), "critical_path"), run_id="c")
    driver.create(placed(numbered("a", 2, priority=90), "load_balance"), run_id="a")
    driver.end("blocker", run_id="z")
    run_all(driver)
    assert started(driver)[1:] == ["a0", "a1", "c0", "c1"]


def test_a_task_that_waits_for_a_faster_device_leaves_the_slow_one_to_another_run() -> None:
    driver = fleet(fast={"speed": 10.0}, slow={})
    driver.create(placed(numbered("c", 2, estimate=10.0), "critical_path"), run_id="c")
    assert where(driver, "c") == ["fast"], "the second one ends sooner if it waits"
    driver.create(placed(numbered("a", 1), "load_balance"), run_id="a")
    assert where(driver, "a") == ["slow"]
    run_all(driver)


def test_the_line_shows_both_runs_in_the_order_in_which_they_take_turns() -> None:
    driver = fleet(d={"slots": 1})
    driver.create(plan(["blocker"]), run_id="z")
    driver.advance(1.0)
    driver.create(placed(*_with("critical_path", *chains("c"))), run_id="c")
    driver.advance(1.0)
    driver.create(placed(numbered("a", 2), "load_balance"), run_id="a")
    runs = driver.scheduler.runs
    line, total = in_line(driver.scheduler, driver.now, 10)
    assert total == 4
    assert [runs[one.run_id].run.graph.ids[one.number] for one in line] == ["cl0", "cs0", "a0", "a1"]


def test_a_fork_and_a_restored_scheduler_know_it() -> None:
    driver = fleet(a={}, b={})
    driver.create(placed(numbered("t", 4, estimate=1.0), "critical_path"), run_id="r")
    for scheduler in (Fork.of(driver.scheduler).scheduler(), restore(driver.events)):
        assert (scheduler.live["r"].placement, scheduler.live["r"].by_rank) == ("critical_path", True)
