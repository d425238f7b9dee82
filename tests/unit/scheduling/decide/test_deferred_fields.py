"""Agents' edits of tasks that have started: new values for the next attempt, approvals, and what agents are shown."""

from __future__ import annotations

import pytest
from tests.driver import Driver, codes, plan, task
from tests.unit.scheduling.decide.optimistic import (
    CHAIN,
    DROP,
    NEXT,
    REPLACE,
    SLOW,
    answer,
    cycles,
    driving,
    timeout_of,
    told,
)

from starloom import events as ev
from starloom.agents.base import AgentView
from starloom.constellation import edits as ed
from starloom.errors import CommandRefused
from starloom.model.status import Fence
from starloom.scheduling import commands as c

# ---- for the next attempt


def test_new_values_hold_from_the_retry_on():
    driver = driving(plan(["a", task("b", retry=2), "c"], ["a>b", "b>c"]), x=NEXT)
    answer(driver, "x", SLOW, ed.UpdateTask("b", description="slow"))
    assert driver.stops == []
    assert timeout_of(driver, "b") is None
    driver.fail("b")
    assert (driver.status("b"), timeout_of(driver, "b")) == ("running", 60)
    assert driver.run().graph.task("b").description == "slow"
    assert cycles(driver).deferrals == {}


@pytest.mark.parametrize("kind", [c.RetryTasks, c.RerunFrom])
def test_they_outlive_the_failure_the_run_and_the_program(kind):
    driver = driving(plan(["a", "b"], ["a>b"]), x=NEXT)
    answer(driver, "x", SLOW)
    driver.ask(c.DetachAgent, agent="x")
    driver.fail("b")
    assert driver.run().state.has_ended
    assert len(cycles(driver).deferrals) == 1
    driver.restart()
    named = {"task_id": "b"} if kind is c.RerunFrom else {"task_ids": ("b",)}
    driver.ask(kind, **named)
    assert (driver.status("b"), timeout_of(driver, "b")) == ("running", 60)


def test_they_are_void_once_the_task_completes_and_that_is_told():
    driver = driving(CHAIN, x=NEXT)
    answer(driver, "x", SLOW)
    driver.end("b")
    assert told(driver) == ["EditsDeferred", "EditRejected", "DeferredEditsSettled"]
    assert driver.of(ev.EditRejected)[0].problems[0].message == "'b' cannot change: it has ended (completed)."
    driver.ask(c.RerunFrom, task_id="b", cancel_running=True)
    assert timeout_of(driver, "b") is None


def test_only_new_values_are_kept_and_each_task_gets_its_own_when_it_runs_again():
    driver = driving(plan(["a", task("b", retry=2), task("c", retry=2), "d"], ["a>b", "a>c"]), x=NEXT)
    more = (ed.RemoveDependency("a", "c"), ed.AddTask(task("n")))
    answer(driver, "x", SLOW, ed.UpdateTask("c", timeout=5), *more)
    assert driver.of(ev.EditsLeftOut)[0].edits == (ed.RemoveDependency("a", "c"),)
    assert driver.status("n") == "running"
    driver.fail("c")
    assert (timeout_of(driver, "b"), timeout_of(driver, "c")) == (None, 5)
    driver.fail("b")
    assert timeout_of(driver, "b") == 60


def test_values_for_a_task_that_takes_the_place_of_a_running_one_are_not_given_to_that():
    driver = driving(CHAIN, x=NEXT)
    answer(driver, "x", ed.RemoveTask("b"), ed.AddTask(task("b")), SLOW, ed.UpdateTask("c", timeout=5))
    assert len(driver.of(ev.EditsLeftOut)[0].edits) == 3
    assert cycles(driver).deferrals == {}


def test_what_a_person_says_at_the_retry_is_not_overwritten():
    driver = driving(plan(["a", "b"], ["a>b"]), x=NEXT)
    answer(driver, "x", SLOW)
    driver.fail("b")
    driver.ask(c.RetryTasks, "b", fields={"timeout": 9})
    assert timeout_of(driver, "b") == 9
    assert codes(driver.of(ev.EditRejected)[-1].problems) == ["conflict"]


def test_a_task_in_backoff_gets_them_at_once():
    driver = driving(plan(["a", task("b", retry={"attempts": 2, "delay": 10})], ["a>b"]), x=NEXT)
    answer(driver, "x", SLOW)
    driver.fail("b")
    assert (driver.status("b"), timeout_of(driver, "b")) == ("pending", 60)
    driver.advance(10)
    assert driver.status("b") == "running"


def test_what_was_skipped_gets_them_when_it_is_revived():
    driver = driving(plan(["a", "b", "c"], ["b>c"]), x=NEXT)
    driver.fail("b")
    assert driver.status("c") == "skipped"
    answer(driver, "x")
    answer(driver, "x", ed.UpdateTask("c", timeout=5))
    driver.ask(c.RetryTasks, "b")
    assert (driver.status("c"), timeout_of(driver, "c")) == ("waiting_dependency", 5)


# ---- approvals and late answers


@pytest.mark.parametrize("terms", [REPLACE, NEXT])
def test_approved_edits_keep_the_terms_they_were_proposed_on(terms):
    driver = driving(plan(["a", task("b", retry=2)], ["a>b"]), x={"asks": ("update_task",), **terms})
    answer(driver, "x", SLOW)
    driver.ask(c.DetachAgent, agent="x")
    driver.ask(c.SetFence, fence=Fence.NONE)
    driver.restart()
    assert driver.ask(c.AnswerApproval, approval=1, accept=True) is None, "nothing is applied yet"
    driver.end("b", ok=False, stopped=terms is REPLACE)
    assert (driver.status("b"), timeout_of(driver, "b")) == ("running", 60)


def test_an_approval_of_which_nothing_would_be_left_is_refused_and_stays():
    driver = driving(CHAIN, x={"asks": ("update_task",), **DROP})
    answer(driver, "x", SLOW)
    with pytest.raises(CommandRefused, match="it is running"):
        driver.ask(c.AnswerApproval, approval=1, accept=True)
    assert list(cycles(driver).approvals) == [1]


def test_an_approval_can_leave_out_what_would_stop_a_task():
    driver = driving(CHAIN, x={"asks": ("update_task",), **REPLACE})
    answer(driver, "x", SLOW, ed.UpdateTask("c", timeout=5))
    receipt = driver.ask(c.AnswerApproval, approval=1, accept=True, without=(0,))
    assert [change.task_id for change in receipt.changes] == ["c"]
    assert driver.stops == []


def test_a_late_answer_is_on_the_same_terms():
    driver = driving(CHAIN, x=REPLACE)
    driver.advance(700)
    answer(driver, "x", SLOW)
    driver.end("b", stopped=True)
    assert timeout_of(driver, "b") == 60


# ---- what the agent is shown


@pytest.mark.parametrize(("terms", "may"), [(DROP, False), (REPLACE, True), (NEXT, True)])
def test_a_view_says_whether_a_running_task_may_be_changed(terms, may):
    driver = driving(CHAIN, x=terms)
    view = AgentView(driver.run(), "x")
    assert view.may_change("b") is may
    assert codes(view.problems([SLOW])) == ([] if may else ["immutable"])
    assert codes(view.problems([ed.RemoveTask("b")])) == ([] if terms is REPLACE else ["immutable"])
    assert not view.may_change("a")
    assert codes(view.problems([ed.UpdateTask("a", timeout=5)])) == ["immutable"]


def test_terms_of_another_type_are_refused():
    driver = Driver()
    driver.create(CHAIN)
    with pytest.raises(CommandRefused) as caught:
        driver.ask(c.AttachAgent, agent="x", on_conflict="replace")
    assert caught.value.code == "bad_argument"
