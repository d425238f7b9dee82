"""Edits and undo keep the pause before a retry and what commands steered; an update means the task it was made for."""

from __future__ import annotations

import pytest
from tests.driver import Driver, codes, edge, plan, refused, task

from starloom.constellation.edits import AddDependency, AddTask, RemoveDependency, RemoveTask, UpdateTask
from starloom.scheduling import commands as c

PAUSE = {"attempts": 5, "delay": 30}


@pytest.fixture
def pausing() -> Driver:
    """`b` has failed once and pauses for 30 s from now, `done` has completed, `on` runs."""
    driver = Driver()
    driver.create(plan([task("b", retry=PAUSE), "done", task("valued"), "on"]))
    driver.end("done")
    driver.end("valued", value=7)
    driver.fail("b")
    assert driver.status("b") == "pending"
    return driver


EDITS = {
    "a satisfied dependency": [AddDependency(edge("done", "b"))],
    "a satisfied condition": [AddDependency(edge("valued", "b", condition="value > 1"))],
    "a field": [UpdateTask("b", timeout=5)],
    "a dependency there and back": [AddDependency(edge("on", "b")), RemoveDependency("on", "b")],
}


@pytest.mark.parametrize("name", EDITS)
def test_an_edit_does_not_end_the_pause_before_a_retry(pausing, name):
    pausing.advance(0.1)
    pausing.edit(*EDITS[name])
    assert ("r", "b") not in pausing.ordered
    pausing.advance(29.8)
    assert ("r", "b") not in pausing.ordered
    pausing.advance(0.1)
    assert pausing.ordered["r", "b"].attempt == 2


@pytest.mark.parametrize("undo", [[RemoveTask("b")], [AddDependency(edge("on", "b"))]], ids=["removal", "dependency"])
def test_undoing_an_edit_gives_the_rest_of_the_pause_back(pausing, undo):
    pausing.advance(10)
    receipt = pausing.edit(*undo)
    pausing.advance(5)
    pausing.apply(receipt.inverse)
    assert pausing.status("b") == "pending"
    assert [reason.code for reason in pausing.why("b") if reason.blocks] == ["backing_off"]
    pausing.advance(14.9)
    assert ("r", "b") not in pausing.ordered
    pausing.advance(0.1)
    assert pausing.ordered["r", "b"].attempt == 2


@pytest.mark.parametrize("ends_after", [10, 40])
def test_a_new_parent_that_ends_during_or_after_the_pause(pausing, ends_after):
    pausing.edit(AddDependency(edge("on", "b")))
    assert pausing.status("b") == "waiting_dependency"
    pausing.advance(ends_after)
    pausing.end("on")
    assert (("r", "b") in pausing.ordered) == (ends_after == 40)
    pausing.advance(30)
    assert pausing.ordered["r", "b"].attempt == 2


def test_a_pause_survives_a_restart_of_the_engine_while_the_task_waits_for_a_new_parent(pausing):
    pausing.edit(AddDependency(edge("on", "b")))
    pausing.restart()
    pausing.advance(10)
    pausing.end("on")
    pausing.advance(19.9)
    assert ("r", "b") not in pausing.ordered
    pausing.advance(0.1)
    assert pausing.ordered["r", "b"].attempt == 2


def test_a_run_whose_only_pause_is_over_can_stall():
    driver = Driver(slots=1)
    driver.create(plan([task("b", retry=PAUSE), "held"]))
    driver.ask(c.HoldTasks, "held")
    driver.fail("b")
    driver.edit(AddDependency(edge("held", "b")))
    driver.advance(31)
    assert driver.run().stalled


def test_a_task_whose_parent_runs_again_waits_with_its_next_attempt():
    driver = Driver()
    driver.create(plan([task("a"), task("b", retry=3), task("slow", retry=PAUSE)], ["a>b>always", "a>slow>always"]))
    driver.fail("a")
    driver.ask(c.RetryTasks, "a")
    assert driver.statuses() == {"a": "running", "b": "running", "slow": "running"}
    driver.fail("b")
    driver.fail("slow")
    driver.advance(60)
    assert driver.status("b") == driver.status("slow") == "waiting_dependency"
    driver.end("a")
    assert driver.ordered["r", "b"].attempt == driver.ordered["r", "slow"].attempt == 2


def test_undo_gives_back_the_priority_and_the_pin_that_a_person_had_set():
    driver = Driver(devices=("d0", "d1"), slots=1)
    driver.create(plan(["x", "y", "b"], ["x>b"]))
    driver.ask(c.SetPriority, "b", priority=90)
    driver.ask(c.PinTasks, "b", device_id="d0")
    first = driver.edit(UpdateTask("b", priority=10))
    second = driver.edit(UpdateTask("b", device="d1", priority=20))
    number = driver.run().graph.place["b"]
    assert (driver.run().priority[number], driver.run().pin_of(number)) == (20, "d1")
    redo = driver.apply(second.inverse)
    assert (driver.run().priority[number], driver.run().pin_of(number)) == (10, "d0")
    driver.apply(first.inverse)
    assert (driver.run().priority[number], driver.run().pin_of(number)) == (90, "d0")
    assert driver.run().graph.tasks[number].priority == 50
    driver.apply(driver.apply(redo.inverse).inverse)
    assert (driver.run().priority[number], driver.run().pin_of(number)) == (90, "d0")


def test_an_update_made_on_an_old_revision_is_refused_where_another_task_has_the_id_now():
    driver = Driver(slots=1)
    driver.create(plan(["x", "b"]))
    seen = driver.run().revision
    driver.edit(RemoveTask("b"))
    driver.edit(AddTask(task("b", timeout=1)))
    problems = refused(driver, UpdateTask("b", retry=3), base_revision=seen, origin="late")
    assert codes(problems) == ["conflict"]
    assert "another task" in problems[0].message
    own = refused(driver, UpdateTask("b", retry=3), base_revision=seen)
    assert codes(own) == ["conflict"]
    driver.edit(UpdateTask("b", retry=3), base_revision=driver.run().revision)
