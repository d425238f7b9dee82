"""Agents' edits of tasks that have started, where the fence lets them: left out, or the tasks are replaced."""

from __future__ import annotations

from typing import Any

import pytest
from tests.driver import RUN, Driver, codes, edge, plan, task
from tests.unit.scheduling.decide.optimistic import (
    CHAIN,
    DROP,
    NEXT,
    REPLACE,
    SLOW,
    answer,
    cycles,
    driving,
    proposal,
    timeout_of,
    told,
)

from starloom import events as ev
from starloom.constellation import edits as ed
from starloom.model.agent_terms import EditScope, ScopeKind
from starloom.model.status import Fence
from starloom.scheduling import commands as c
from starloom.scheduling.fold.apply import fold
from starloom.scheduling.state.folded_run import FoldedRun
from starloom.scheduling.stimuli import AttemptEnded


def test_nothing_waits_while_an_agent_is_asked():
    driver = driving(CHAIN, x=REPLACE)
    assert driver.started() == ["a", "b"]
    assert cycles(driver).has_pending


def test_it_is_the_fence_that_gives_the_terms_their_meaning():
    driver = driving(CHAIN, Fence.NONE, x=REPLACE)
    answer(driver, "x", SLOW)
    assert told(driver) == ["EditRejected"]
    assert driver.stops == []


# ---- left out


@pytest.mark.parametrize("terms", [DROP, {}])
def test_an_edit_of_a_task_that_has_started_is_left_out_and_the_others_are_applied(terms):
    driver = driving(CHAIN, x=terms)
    answer(driver, "x", SLOW, ed.UpdateTask("c", timeout=5))
    assert (timeout_of(driver, "b"), timeout_of(driver, "c")) == (None, 5)
    (left_out,) = driver.of(ev.EditsLeftOut)
    assert left_out.edits == (SLOW,)
    assert [problem.message for problem in left_out.problems] == ["'b' cannot change: it is running."]
    assert driver.of(ev.ProposalSettled)[0].is_accepted


def test_what_follows_from_an_edit_that_is_left_out_is_left_out_too():
    driver = driving(CHAIN, x=DROP)
    again = (ed.RemoveTask("b"), ed.AddTask(task("b")), ed.AddDependency(edge("a", "b")))
    answer(driver, "x", *again, ed.AddTask(task("n")), ed.AddDependency(edge("b", "n")))
    left_out = driver.of(ev.EditsLeftOut)[0]
    assert [type(edit) for edit in left_out.edits] == [*(type(edit) for edit in again), ed.AddDependency]
    assert len(left_out.problems) == 4
    assert driver.status("n") == "running", "what was to wait for another b does not wait for this one"


def test_a_proposal_of_which_nothing_is_left_is_refused():
    driver = driving(CHAIN, x=DROP)
    answer(driver, "x", SLOW)
    assert told(driver) == ["EditRejected"]
    assert not driver.of(ev.ProposalSettled)[0].is_accepted


@pytest.mark.parametrize("terms", [DROP, REPLACE, NEXT])
def test_a_conflict_excuses_no_other_mistake(terms):
    driver = driving(CHAIN, x=terms)
    answer(driver, "x", SLOW, ed.UpdateTask("nobody", timeout=5), ed.UpdateTask("b", retry="bad"))
    (refused,) = driver.of(ev.EditRejected)
    assert codes(refused.problems) == ["unknown_task", "bad_field"]
    assert driver.run().revision == 0
    assert driver.stops == []


@pytest.mark.parametrize("terms", [DROP, REPLACE, NEXT])
def test_the_scope_holds_for_tasks_that_have_started(terms):
    scope = EditScope(ScopeKind.TASKS, ("c",))
    driver = driving(CHAIN, x={"scope": scope, **terms})
    answer(driver, "x", SLOW, ed.UpdateTask("c", timeout=5))
    assert codes(driver.of(ev.EditRejected)[0].problems) == ["out_of_scope"]


# ---- replaced


def test_a_task_is_stopped_and_runs_again_as_edited_in_the_turn_of_its_end_and_what_follows_is_not_skipped():
    driver = driving(CHAIN, x=REPLACE)
    answer(driver, "x", SLOW, ed.UpdateTask("c", timeout=5))
    assert [(stop.task_id, stop.cause) for stop in driver.stops] == [("b", "replaced")]
    assert (timeout_of(driver, "b"), timeout_of(driver, "c")) == (None, 5)
    turn = driver.end("b", stopped=True)
    assert [type(event).__name__ for event in turn.events] == [
        *("TaskReset", "TaskReady", "ConstellationModified", "DeferredEditsSettled", "TaskStarted")
    ]
    assert turn.starts[0].task.timeout == 60
    assert driver.of(ev.TaskCancelled, ev.TaskSkipped) == []
    driver.end_all()
    assert set(driver.statuses().values()) == {"completed"}
    assert len(driver.attempts("b")) == 2


def test_an_attempt_that_completes_while_it_is_being_stopped_is_replaced_all_the_same():
    driver = driving(CHAIN, x=REPLACE)
    answer(driver, "x", SLOW)
    driver.end("b", value=7)
    assert (driver.status("b"), timeout_of(driver, "b")) == ("running", 60)
    assert driver.status("c") == "waiting_dependency"


def test_a_task_that_has_ended_is_not_replaced():
    driver = driving(CHAIN, x=REPLACE)
    driver.end("b")
    answer(driver, "x", SLOW, ed.UpdateTask("c", timeout=5), ed.AddTask(task("n")))
    left_out = driver.of(ev.EditsLeftOut)[0]
    assert [problem.message for problem in left_out.problems] == ["'b' cannot change: it has ended (completed)."]
    assert [stop.task_id for stop in driver.stops] == ["c"]


def test_a_running_task_can_be_removed_and_another_one_take_its_place():
    driver = driving(CHAIN, x=REPLACE)
    answer(driver, "x", ed.RemoveTask("b"), ed.AddTask(task("n")), ed.AddDependency(edge("n", "c")))
    assert driver.started() == ["a", "b", "n"]
    assert driver.status("c") == "waiting_dependency"
    driver.end("b", stopped=True)
    assert sorted(driver.statuses()) == ["a", "c", "n"]


def test_of_several_tasks_none_starts_again_before_all_have_been_stopped():
    driver = driving(plan(["a", "b", "c", "d"], ["a>b", "a>c", "b>d", "c>d"]), x=REPLACE)
    answer(driver, "x", SLOW, ed.UpdateTask("c", timeout=5), ed.AddDependency(edge("b", "c")))
    driver.end("b", stopped=True)
    assert driver.status("b") == "pending"
    assert [reason.code for reason in driver.why("b")] == ["deferral"]
    assert "'c'" in driver.why("b")[0].text
    driver.restart()
    driver.advance(1)
    assert "b" not in {name for _, name in driver.ordered}
    driver.end("c", stopped=True)
    assert (driver.status("b"), timeout_of(driver, "b")) == ("running", 60)
    assert (driver.status("c"), timeout_of(driver, "c")) == ("waiting_dependency", 5)


def test_what_a_task_that_has_not_started_is_to_wait_for_keeps_it_back_until_the_others_are_stopped():
    driver = driving(plan(["a", "b", "d", "e"], ["a>b", "e>d"]), x=REPLACE)
    again = (ed.RemoveTask("b"), ed.AddTask(task("b")), ed.AddDependency(edge("b", "d")))
    answer(driver, "x", *again)
    driver.end("e")
    assert driver.status("d") == "pending"
    driver.end("b", stopped=True)
    assert driver.status("d") == "waiting_dependency"
    driver.end_all()
    assert driver.started() == ["a", "e", "b", "b", "d"]


def test_whoever_cancels_the_task_meanwhile_is_obeyed_and_the_edit_left_out():
    driver = driving(plan(["a", "b", "c"], ["a>b", "b>c>always"]), x=REPLACE)
    answer(driver, "x", SLOW)
    driver.ask(c.CancelTasks, "b")
    driver.end("b", stopped=True)
    assert driver.status("b") == "cancelled"
    assert told(driver) == ["EditsDeferred", "EditRejected", "DeferredEditsSettled"]
    assert not driver.of(ev.DeferredEditsSettled)[0].is_applied
    assert driver.started()[-1] == "c"


def test_a_task_that_was_being_cancelled_already_is_not_brought_back():
    driver = driving(CHAIN, x=REPLACE)
    driver.ask(c.CancelTasks, "b")
    answer(driver, "x", SLOW)
    driver.end("b", stopped=True)
    assert driver.status("b") == "cancelled"


def test_a_timeout_that_has_stopped_the_task_leads_to_its_retry_as_edited():
    driver = driving(plan(["a", task("b", timeout=5, retry=2)], ["a>b"]), x=REPLACE)
    driver.advance(5)
    answer(driver, "x", SLOW)
    driver.end("b", stopped=True)
    assert (driver.status("b"), timeout_of(driver, "b")) == ("running", 60)


def test_what_somebody_else_changes_while_the_task_stops_is_a_conflict_and_the_task_runs_as_it_was():
    driver = driving(plan(["a", "b", "c", "d"], ["a>b", "a>c"]), x=REPLACE)
    answer(driver, "x", SLOW, ed.UpdateTask("c", timeout=5), ed.UpdateTask("b", description="x"))
    driver.end("b", stopped=True)
    driver.edit(ed.UpdateTask("b", timeout=9))
    driver.end("c", stopped=True)
    assert codes(driver.of(ev.EditRejected)[0].problems) == ["conflict"]
    assert (driver.status("b"), timeout_of(driver, "b"), timeout_of(driver, "c")) == ("running", 9, None)


def test_a_run_that_is_cancelled_meanwhile_ends_and_adds_nothing():
    driver = driving(CHAIN, x=REPLACE)
    answer(driver, "x", ed.RemoveTask("b"), ed.AddTask(task("b")))
    driver.ask(c.CancelRun)
    driver.end("b", stopped=True)
    assert driver.run().state == "cancelled"
    assert codes(driver.of(ev.EditRejected)[0].problems) == ["run_cancelled"]
    assert cycles(driver).deferrals == {}


@pytest.mark.parametrize("is_first", [True, False])
def test_the_end_of_an_attempt_that_nobody_has_stopped_yet_counts(is_first):
    driver = driving(CHAIN, x=REPLACE)
    command = c.AnswerEditCycle(run_id=RUN, agent="x", cycle=1, proposal=proposal(SLOW))
    end = driver.ended("b")
    driver.turn(*((end, command) if is_first else (command, end)))
    assert (driver.status("b"), timeout_of(driver, "b")) == ("completed", None)
    assert driver.of(ev.EditRejected)[0].problems[0].message == "'b' cannot change: it has ended (completed)."
    assert driver.stops == []


def test_a_program_that_dies_between_the_stop_and_the_reset_is_followed_by_one_that_replaces_the_task():
    driver = driving(CHAIN, x=REPLACE)
    answer(driver, "x", SLOW)
    heir = _heir(driver)
    assert (heir.status("b"), timeout_of(heir, "b")) == ("running", 60)
    assert heir.attempts("b")[0].status == "cancelled"
    heir.end_all()
    assert heir.run().state == "completed"


def test_an_answer_whose_turn_had_not_come_when_the_program_died_stops_the_attempt_that_goes_on():
    driver = driving(CHAIN, w={}, x=REPLACE)
    answer(driver, "x", SLOW)
    assert driver.stops == [], "w has not answered"
    heir = _heir(driver, alive=("b",))
    assert [(stop.task_id, stop.cause) for stop in heir.stops] == [("b", "replaced")]
    heir.end("b", stopped=True)
    assert (heir.status("b"), timeout_of(heir, "b")) == ("running", 60)


def _heir(dead: Driver, **known: Any) -> Driver:
    """Another program that resumes the run."""
    heir = Driver(devices=())
    heir.take_fleet(dead)
    heir.do(c.OpenFleet(wall_time=1.0))
    heir.add_device("d")
    stream = [event for event in dead.journal() if event.run_id == RUN]
    heir.inherit(stream)
    facts = fold(FoldedRun(RUN), stream).run
    heir.do(c.RecoverRun(run_id=RUN, facts=facts, last_at=stream[-1].at, **known))
    return heir


# ---- while other things happen


def test_a_run_that_is_let_in_at_the_same_time_starts_nothing_that_waits_for_its_edit():
    """Whether there is room for another run is looked at after what is ready has started, in the midst of a turn."""
    driver = driving(plan(["a", "b", "c"], ["a>b", "a>c"]), x=REPLACE)
    driver.ask(c.DetachAgent, agent="x")
    driver.do(c.SetLimits(max_queue=5))
    driver.ask(c.AttachAgent, agent="x", **REPLACE)
    driver.end("c")
    answer(driver, "x", SLOW)
    driver.turn(driver.ended("b", stopped=True), c.CreateRun(run_id="other", plan=plan(["z"])))
    assert driver.ordered[RUN, "b"].task.timeout == 60


@pytest.mark.parametrize("fence", list(Fence))
def test_what_is_deferred_is_kept_back_whatever_the_fence_has_become(fence):
    driver = driving(plan(["a", "b", "c", "d"], ["a>b", "a>c", "b>d"]), x=REPLACE)
    answer(driver, "x", SLOW, ed.UpdateTask("c", timeout=5))
    driver.end("b", stopped=True)
    driver.ask(c.SetFence, fence=fence)
    assert driver.status("b") == "pending"
    driver.end("c", stopped=True)
    if cycles(driver).has_pending:
        answer(driver, "x")
    assert (driver.status("b"), driver.status("c")) == ("running", "running")


def test_a_stuck_attempt_is_waited_for():
    driver = driving(CHAIN, x=REPLACE)
    answer(driver, "x", SLOW)
    driver.advance(100)
    assert len(cycles(driver).deferrals) == 1
    attempt = driver.ordered[RUN, "b"].attempt
    assert not driver.turn(AttemptEnded(RUN, "b", attempt + 1, driver.ended("b", stopped=True).outcome)).events
