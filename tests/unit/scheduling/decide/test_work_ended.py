"""A slot is free when the work has ended: other tasks begin there while what it has left is being brought here."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from tests.driver import RUN, Driver, plan, task

from starloom import events as ev
from starloom.constellation.edits import AddTask
from starloom.errors import CommandRefused
from starloom.scheduling import commands as c
from starloom.scheduling.fold.apply import fold
from starloom.scheduling.state.folded_run import FoldedRun
from starloom.scheduling.stimuli import AttemptWorkEndNoticed

if TYPE_CHECKING:
    from starloom.model.task import Task


def driver_of(*tasks: str | Task, edges: tuple[str, ...] = (), slots: int = 1) -> Driver:
    driver = Driver(slots=slots)
    driver.create(plan(tasks, edges))
    return driver


def works_no_more(driver: Driver, task_id: str, attempt: int = 1) -> None:
    driver.turn(AttemptWorkEndNoticed(RUN, task_id, attempt))


def test_another_task_begins_in_the_slot_while_the_first_one_has_not_completed() -> None:
    driver = driver_of("a", "b", "after", edges=("a>after",))
    assert set(driver.ordered) == {(RUN, "a")}
    works_no_more(driver, "a")
    run, device = driver.run(), driver.scheduler.fleet.devices["d"]
    assert set(driver.ordered) == {(RUN, "a"), (RUN, "b")}
    assert (run.slot_of[:2], device.used, run.running) == ([0, 0], 1, 2)
    assert driver.statuses()["after"] == "waiting_dependency"
    driver.end("a")
    assert driver.statuses()["after"] == "pending"  # the slot is taken, and is not given back twice
    assert device.used == 1
    driver.end("b")
    driver.end("after")
    assert driver.run().state == "completed"
    assert device.used == 0


def test_nothing_happens_when_it_is_said_twice_or_of_what_does_not_run() -> None:
    driver = driver_of("a", "b")
    works_no_more(driver, "a", attempt=2)
    works_no_more(driver, "b")
    works_no_more(driver, "absent")
    assert not driver.of(ev.AttemptWorkEnded)
    works_no_more(driver, "a")
    works_no_more(driver, "a")
    assert len(driver.of(ev.AttemptWorkEnded)) == 1


def test_its_timeout_does_not_run_any_more_and_it_is_not_overdue() -> None:
    driver = driver_of(task("a", timeout=60, estimate=5))
    driver.advance(10)
    works_no_more(driver, "a")
    driver.advance(3600)
    assert not driver.stops
    assert not driver.of(ev.TaskOverdue)
    driver.end("a")
    assert driver.run().state == "completed"


def test_cancelled_it_is_told_to_stop_as_any_other() -> None:
    driver = driver_of("a", "b")
    works_no_more(driver, "a")
    driver.ask(c.CancelTasks, "a")
    assert [stop.task_id for stop in driver.stops] == ["a"]
    driver.end("a", stopped=True)
    assert driver.statuses() == {"a": "cancelled", "b": "running"}


def test_failed_it_is_tried_again_in_a_slot_of_its_own() -> None:
    driver = driver_of(task("a", retry=1), "b")
    works_no_more(driver, "a")
    driver.fail("a")
    assert driver.scheduler.fleet.devices["d"].used == 1
    driver.end("b")
    assert set(driver.ordered) == {(RUN, "a")}
    works_no_more(driver, "a", attempt=2)
    driver.end("a")
    assert driver.run().state == "completed"


def test_a_run_whose_program_died_meanwhile_goes_on_with_a_free_slot() -> None:
    driver = driver_of("a", "b", slots=2)
    works_no_more(driver, "a")
    driver.restart()
    device = driver.scheduler.fleet.devices["d"]
    assert device.used == 1
    driver.end("a")
    driver.end("b")
    assert device.used == 0


def test_a_device_is_not_removed_while_what_ran_there_is_brought_here() -> None:
    driver = driver_of("a")
    works_no_more(driver, "a")
    with pytest.raises(CommandRefused, match="still has what 1 task left, which is being brought here"):
        driver.do(c.RemoveDevice(device_id="d"))
    driver.end("a")
    driver.do(c.RemoveDevice(device_id="d"))


def test_why_says_that_its_work_has_ended() -> None:
    driver = driver_of("a")
    works_no_more(driver, "a")
    driver.advance(3)
    (reason,) = driver.why("a")
    assert reason.code == "fetching"
    assert reason.text == "Its work on d has ended; since 3s what it has printed and made is being brought here."


def test_other_runs_are_told_that_the_slot_is_free() -> None:
    driver = driver_of("a")
    driver.create(plan(["x"]), "other")
    assert set(driver.ordered) == {(RUN, "a")}
    works_no_more(driver, "a")
    assert set(driver.ordered) == {(RUN, "a"), ("other", "x")}
    driver.end("a")
    driver.end("x", "other")
    assert driver.scheduler.fleet.devices["d"].used == 0


def test_what_goes_on_under_another_program_gets_a_slot_that_nobody_has() -> None:
    before = driver_of("a", "b", slots=2)
    works_no_more(before, "a")
    before.edit(AddTask(task("c")))
    run = before.run()
    assert run.slot_of == [0, 1, 0]
    after = Driver(slots=2)
    stream = [event for event in before.events if event.run_id]
    after.inherit(stream)
    facts = fold(FoldedRun(RUN), stream).run
    wall = facts.sessions[-1][1] + before.now - facts.sessions[-1][0]
    alive = ("a", "b", "c")
    after.do(c.RecoverRun(run_id=RUN, facts=facts, alive=alive, last_at=before.now, wall_time=wall))
    assert sorted(after.run().slot_of) == [0, 1, 2]
    assert after.scheduler.fleet.devices["d"].used == 3
    after.end_all()
    assert after.scheduler.fleet.devices["d"].used == 0
