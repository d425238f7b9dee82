"""The critical path through limit groups: what made room there, where slots were free and several ended at once."""

from __future__ import annotations

import pytest
from tests.driver import Driver, plan, task

from starloom.model.plan import Limits
from starloom.scheduling.read.critical_path import critical_path
from starloom.scheduling.read.waiting_causes import WaitedFor


def tied(slots: int) -> Driver:
    """`a` ends at 1, `b` and `c` at 3, and `d`, which needs the group of `c`, from 3 to 5; then `e`."""
    driver = Driver(slots=slots)
    tasks = [task("a"), task("b"), *(task(name, groups="db") for name in "cd"), task("e")]
    edges = [f"a>{name}" for name in "bcd"] + [f"{name}>e" for name in "bcd"]
    driver.create(plan(tasks, edges, limits=Limits(groups={"db": 1})))
    driver.advance(1)
    driver.end("a")
    assert driver.status("d") == "pending"
    driver.advance(2)
    driver.turn(driver.ended("b"), driver.ended("c"))
    driver.advance(2)
    driver.end("d")
    driver.advance(1)
    driver.end("e")
    return driver


@pytest.mark.parametrize("slots", [3, 8])
def test_of_those_that_ended_at_once_the_one_that_had_the_place_in_the_group_is_on_the_path(slots: int) -> None:
    driver = tied(slots)
    run = driver.run()
    path = critical_path(run, driver.now)
    assert [run.graph.ids[step.number] for step in path.steps] == ["a", "c", "d", "e"]
    assert [step.waited_for for step in path.steps][2:] == [WaitedFor.LIMIT, WaitedFor.DEPENDENCY]
    assert path.seconds == 6


def test_where_all_slots_were_taken_it_waited_for_a_slot() -> None:
    driver = Driver(slots=1)
    driver.create(plan([task("c", groups="db"), task("d", groups="db")], limits=Limits(groups={"db": 1})))
    for name in "cd":
        driver.advance(2)
        driver.end(name)
    path = critical_path(driver.run(), driver.now)
    assert [step.waited_for for step in path.steps] == [WaitedFor.NOTHING, WaitedFor.SLOT]
