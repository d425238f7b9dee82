"""A fork goes on as the original does, also where that depends on the past and not on what is true now alone."""

from __future__ import annotations

from tests.driver import Driver, edge, plan, task
from tests.properties.test_foresight import Twinned

from starloom.constellation.edits import AddDependency, AddTask
from starloom.model.status import Placement
from starloom.scheduling import commands as c
from starloom.scheduling.fork import Fork
from starloom.testing import chain


def test_whose_turn_it_is_under_round_robin_goes_on() -> None:
    driver = Twinned(slots=5, devices=("a", "b", "c"))
    driver.do(c.SetLimits(placement=Placement.ROUND_ROBIN))
    driver.create(plan(["t0", "t1", "t2"], ["t0>t1", "t1>t2"]))
    driver.part()
    driver.end("t0")
    driver.end("t1")
    assert [driver.attempts(name)[-1].device_id for name in ("t0", "t1", "t2")] == ["a", "b", "c"]


def test_ranks_that_edits_have_left_go_on() -> None:
    driver = Twinned(slots=1)
    driver.do(c.SetLimits(placement=Placement.CRITICAL_PATH))
    known = [task("busy", estimate=10.0), task("x", estimate=8.0), task("y", estimate=2.0)]
    driver.create(plan(known))
    tail = [AddTask(task(f"n{n}")) for n in range(4)]
    driver.edit(*tail, *(AddDependency(edge(a, f"n{n}")) for n, a in enumerate(["y", "n0", "n1", "n2"])))
    driver.part()
    live = driver.scheduler.runs["r"].ranks
    assert driver.twin is not None
    assert driver.twin.runs["r"].ranks == live
    assert live is not driver.twin.runs["r"].ranks
    driver.end_all()


def test_who_has_waited_longest_goes_on() -> None:
    driver = Twinned(slots=1)
    driver.do(c.SetLimits(placement=Placement.CRITICAL_PATH, starvation_timeout=10.0))
    tasks = [task("later", estimate=1.0), task("root", estimate=50.0), task("soon", estimate=1.0)]
    driver.create(plan(tasks, ["root>later"]))
    driver.advance(5)
    driver.do(c.SetLimits(max_concurrency=0))
    driver.end("root")
    driver.part()
    live = driver.scheduler.runs["r"].waiting
    assert [number for _, number in live if driver.run().status[number] == 1] == [2, 0]  # not in the order of the plan
    assert driver.twin is not None
    assert list(driver.twin.runs["r"].waiting) == list(live)
    driver.advance(100)
    driver.do(c.SetLimits(max_concurrency=1))
    driver.end_all()


def test_an_ended_run_is_left_out_unless_it_is_asked_for() -> None:
    driver = Driver()
    driver.create(plan(["a"]))
    driver.end("a")
    assert "r" not in Fork.of(driver.scheduler).copies
    assert Fork.of(driver.scheduler, also=["r", "nobody"]).run("r").state == "completed"


def test_a_new_run_can_be_made_in_a_fork_and_the_original_does_not_know_it() -> None:
    driver = Driver(slots=2)
    driver.create(plan(["a"]))
    twin = Fork.of(driver.scheduler, driver.now).scheduler()
    turn = twin.handle([c.CreateRun(run_id="new", plan=chain(2, simulate=1.0))], 1.0)
    assert [start.task_id for start in turn.starts] == ["t0"]
    assert list(driver.scheduler.runs) == ["r"]
    assert driver.scheduler.fleet.running == 1
    driver.check()


def test_a_fork_is_never_behind_the_time_of_the_last_turn() -> None:
    driver = Driver()
    driver.advance(7)
    assert Fork.of(driver.scheduler, 3.0).now == 7.0
    assert Fork.of(driver.scheduler).now == 7.0
    assert Fork.of(driver.scheduler, 9.0).scheduler().now == 9.0
