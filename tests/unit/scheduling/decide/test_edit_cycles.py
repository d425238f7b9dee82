"""Edit cycles: who is asked when, in which order answers are applied, and what becomes of those that don't come."""

from __future__ import annotations

from itertools import permutations
from typing import TYPE_CHECKING, Any

import pytest
from tests.driver import RUN, Driver, edge, plan, task

from starloom import events as ev
from starloom.constellation import edits as ed
from starloom.errors import CommandRefused
from starloom.model.status import Fence, RunState
from starloom.scheduling import commands as c
from starloom.scheduling.instructions import AskAgent, WithdrawQuestion
from starloom.scheduling.state.folded_run import FoldedRun

if TYPE_CHECKING:
    from starloom.constellation.edits import Edit
    from starloom.scheduling.state.cycle_facts import CycleFacts


def watched(plan_of: Any, *agents: str, fence: Fence = Fence.GLOBAL, **options: Any) -> Driver:
    """A driver with a run that these agents are attached to; nothing has started yet."""
    driver = Driver(**options)
    driver.create(plan_of, start=False)
    for agent in agents:
        driver.ask(c.AttachAgent, agent=agent)
    if fence is not Fence.GLOBAL:
        driver.ask(c.SetFence, fence=fence)
    driver.ask(c.StartRun)
    return driver


def answer(driver: Driver, agent: str, *edits: Edit, cycle: int | None = None, **fields: Any) -> None:
    proposal = ed.EditBatch(edits=edits, reason="as it said", **fields) if edits else None
    number = cycles(driver).cycles if cycle is None else cycle
    driver.ask(c.AnswerEditCycle, agent=agent, cycle=number, proposal=proposal)


def cycles(driver: Driver) -> CycleFacts:
    known = driver.run().cycles
    assert known is not None
    return known


def questions(driver: Driver) -> list[tuple[str, tuple[str, ...]]]:
    """What agents were asked so far: who, about which tasks."""
    orders = [order for turn in driver.turns for order in turn.instructions if isinstance(order, AskAgent)]
    return [(order.agent, order.task_ids) for order in orders]


def add(id: str, *parents: str) -> tuple[Edit, ...]:
    return (ed.AddTask(task(id)), *(ed.AddDependency(edge(parent, id)) for parent in parents))


# ---- asking


def test_d14_an_agents_edit_says_which_ends_it_answers():
    driver = watched(plan(["a", "b", "c", "d"], ["a>d"]), "x")
    driver.end("a")
    driver.end("b")
    driver.end("c")
    answer(driver, "x", *add("e"))
    answer(driver, "x", *add("f"))
    driver.ask(c.EditConstellation, batch=ed.EditBatch(edits=add("g")))
    assert [event.answers for event in driver.of(ev.ConstellationModified)] == [("a",), ("b", "c"), ()]


def test_a_task_that_completes_or_fails_for_good_is_asked_about_and_nothing_starts_meanwhile():
    driver = watched(plan(["a", task("b", retry=1), "c"], ["a>c"]), "x")
    driver.end("a")
    assert questions(driver) == [("x", ("a",))]
    assert driver.started() == ["a", "b"]
    answer(driver, "x")
    assert driver.started() == ["a", "b", "c"]
    driver.fail("b")
    assert questions(driver) == [("x", ("a",))], "it is tried again"
    driver.fail("b")
    assert questions(driver)[1:] == [("x", ("b",))]


def test_what_is_skipped_or_cancelled_is_not_asked_about():
    driver = watched(plan(["a", "b", "c"]), "x")
    driver.ask(c.CancelTasks, "a")
    driver.end("a", stopped=True)
    driver.ask(c.MarkTasks, "a", status="skipped")
    assert questions(driver) == []
    driver.ask(c.RetryTasks, "a")
    driver.fail("a")
    driver.ask(c.MarkTasks, "a", value=3)
    assert questions(driver) == [("x", ("a",))]


def test_ends_that_come_while_an_agent_thinks_are_its_next_batch_and_the_fence_stays():
    driver = watched(plan(["a", "b", "c", "d"], ["a>d"]), "x")
    driver.end("a")
    driver.end("b")
    driver.end("c")
    assert questions(driver) == [("x", ("a",))]
    answer(driver, "x")
    assert questions(driver)[1:] == [("x", ("b", "c"))]
    assert "d" not in driver.started()
    answer(driver, "x")
    assert driver.started()[-1] == "d"


def test_ends_of_one_turn_are_one_batch():
    driver = watched(plan(["a", "b"]), "x")
    driver.turn(driver.ended("b"), driver.ended("a"))
    assert questions(driver) == [("x", ("b", "a"))]


def test_the_run_ends_only_once_everybody_has_answered_and_an_answer_may_go_on_with_it():
    driver = watched(plan(["a"]), "x")
    driver.end("a")
    assert driver.run().state is RunState.EXECUTING
    assert driver.of(ev.RunStalled) == [], "it goes on by itself, once there is an answer"
    answer(driver, "x", *add("b", "a"))
    assert driver.started() == ["a", "b"]
    driver.end("b")
    answer(driver, "x")
    assert driver.run().state is RunState.COMPLETED


def test_without_agents_nothing_of_this_is_known():
    driver = Driver()
    driver.create(plan(["a", "b"], ["a>b"]))
    driver.end("a")
    assert driver.run().cycles is None
    assert driver.started() == ["a", "b"]


def test_a_picture_of_the_run_stays_as_it_was_while_agents_are_asked():
    driver = watched(plan(["a", "b", "c"]), "x")
    driver.end("a")
    driver.end("b")
    picture = FoldedRun.of(driver.run()).run.cycles
    assert picture is not None
    driver.end("c")
    answer(driver, "x")
    assert (picture.agents["x"].next, picture.cycles) == ([1], 1)


# ---- the fence


def test_behind_a_fence_of_descendants_only_what_depends_on_the_batch_waits():
    driver = watched(plan(["a", "b", "a1", "a2", "b1"], ["a>a1", "a1>a2", "b>b1"]), "x", fence=Fence.DESCENDANTS)
    driver.end("a")
    driver.edit(*add("free"), *add("new", "a"))
    assert driver.started() == ["a", "b", "free"]
    assert [reason.code for reason in driver.why("a1")] == ["fence"]
    assert [reason.code for reason in driver.why("a2")] == ["waiting_for", "fence"]
    driver.end("b")
    assert "b1" not in driver.started()
    answer(driver, "x")
    assert driver.started()[3:] == ["a1", "new"], "a is answered to, b is not"
    answer(driver, "x")
    assert driver.started()[5:] == ["b1"]


def test_descendants_are_told_from_todays_graph():
    driver = watched(plan(["a", "b", "c"], ["a>b", "b>c"]), "x", fence=Fence.DESCENDANTS)
    driver.end("a")
    driver.edit(ed.RemoveDependency("a", "b"))
    assert driver.started() == ["a", "b"]
    driver.end("b")
    assert driver.started() == ["a", "b"]


def test_without_a_fence_nothing_waits_and_the_run_still_does_not_end_before_the_answer():
    driver = watched(plan(["a", "b"], ["a>b"]), "x", fence=Fence.NONE)
    driver.end("a")
    assert driver.started() == ["a", "b"]
    answer(driver, "x")
    driver.end("b")
    assert driver.run().state is RunState.EXECUTING
    answer(driver, "x")
    assert driver.run().state is RunState.COMPLETED


def test_the_fence_changes_while_it_is_closed():
    driver = watched(plan(["a", "b", "c"], ["a>b", "c>b>always"]), "x", slots=1)
    driver.end("a")
    assert driver.started() == ["a"]
    driver.ask(c.SetFence, fence=Fence.DESCENDANTS)
    assert driver.started() == ["a", "c"]
    driver.end("c")
    assert driver.started() == ["a", "c"]
    driver.ask(c.SetFence, fence=Fence.NONE)
    assert driver.started() == ["a", "c", "b"]


def test_retries_and_reruns_wait_behind_it_too():
    driver = watched(plan(["a", "b", task("c", retry={"attempts": 2, "delay": 5})]), "x")
    driver.fail("c")
    driver.fail("a")
    driver.advance(10)
    driver.ask(c.RetryTasks, "a")
    assert driver.started() == ["a", "b", "c"]
    answer(driver, "x")
    assert driver.started()[3:] == ["a", "c"]


def test_another_run_goes_on_behind_no_fence_but_its_own():
    driver = watched(plan(["a", "b"], ["a>b"]), "x")
    driver.create(plan(["a", "b"], ["a>b"]), "other")
    driver.end("a")
    driver.end("a", "other")
    assert driver.started() == ["a"]
    assert driver.started("other") == ["a", "b"]


def test_why_says_whom_a_task_waits_for_since_when_and_about_how_much():
    driver = watched(plan(["a", "b", "c"], ["a>c"]), "x")
    driver.turn(driver.ended("a"), driver.ended("b"))
    driver.advance(12)
    (reason,) = driver.why("c")
    assert reason.blocks
    assert reason.text == "It waits for agent 'x' to answer to a batch of 2 tasks, since 12s."


# ---- order


def test_answers_are_applied_in_order_of_attachment_each_against_the_result():
    driver = watched(plan(["a", "b"], ["a>b"]), "first", "second")
    driver.end("a")
    answer(driver, "second", ed.RemoveTask("b"))
    assert driver.status("b") == "pending"
    answer(driver, "first", ed.RemoveTask("b"), *add("b1", "a"))
    assert [(e.origin, len(e.changes)) for e in driver.of(ev.ConstellationModified)] == [("first", 3)]
    (rejected,) = driver.of(ev.EditRejected)
    assert rejected.origin == "second"
    assert [(e.agent, e.is_accepted) for e in driver.of(ev.ProposalSettled)] == [("first", True), ("second", False)]
    assert driver.started() == ["a", "b1"]


def test_the_seeds_race_in_every_order_of_arrival():
    """A ends, an agent replaces C, B ends meanwhile: C never starts, and that B completed survives."""
    for order in permutations(["agent", "b", "pause", "time"]):
        driver = watched(plan(["a", "b", "c", "d"], ["a>c", "b>d"]), "x")
        driver.end("a")
        for what in order:
            if what == "agent":
                answer(driver, "x", ed.RemoveTask("c"), *add("c2", "a"))
            elif what == "b":
                driver.end("b", value="done")
            elif what == "time":
                driver.advance(30)
            else:
                driver.ask(c.PauseRun)
        driver.ask(c.ResumeRun)
        while driver.run().state is RunState.EXECUTING:
            driver.end_all()
            if cycles(driver).cycle is not None:
                answer(driver, "x")
        assert sorted(driver.started()) == ["a", "b", "c2", "d"], order
        assert driver.run().results[driver.run().graph.place["b"]].value == "done"
        assert set(driver.statuses().values()) == {"completed"}


# ---- answers that don't come, or come late


def test_when_the_time_is_over_the_fence_opens_and_the_late_answer_is_validated_like_any_other():
    driver = watched(plan(["a", "b", "c"], ["a>b", "b>c"]), "x")
    driver.end("a")
    driver.advance(599)
    assert driver.started() == ["a"]
    driver.advance(1)
    (closed,) = driver.of(ev.EditCycleClosed)
    assert (closed.how, closed.late) == ("timed_out", ("x",))
    assert driver.started() == ["a", "b"]
    answer(driver, "x", ed.RemoveTask("b"), cycle=1)
    assert driver.status("b") == "running"
    assert [problem.code for problem in driver.of(ev.EditRejected)[0].problems] == ["immutable"]
    assert cycles(driver).agents["x"].lates == 1


def test_a_late_answer_that_fits_is_applied_and_the_agent_is_asked_about_what_it_missed():
    driver = watched(plan(["a", "b", "c"], ["a>b", "b>c"]), "x")
    driver.end("a")
    driver.advance(600)
    driver.end("b")
    assert questions(driver) == [("x", ("a",))], "it still thinks"
    assert driver.started() == ["a", "b", "c"]
    answer(driver, "x", *add("d", "c"), cycle=1)
    assert driver.of(ev.ConstellationModified)[0].origin == "x"
    assert questions(driver)[1:] == [("x", ("b",))]


def test_those_who_answered_in_time_are_heard_though_an_earlier_one_never_answers():
    driver = watched(plan(["a", "b"], ["a>b"]), "slow", "quick")
    driver.end("a")
    answer(driver, "quick", ed.RemoveTask("b"))
    driver.advance(600)
    assert driver.of(ev.ConstellationModified)[0].origin == "quick"
    assert driver.started() == ["a"]
    assert driver.run().state is RunState.COMPLETED


def test_the_timeout_changes_for_what_is_being_asked_too():
    driver = watched(plan(["a", "b"], ["a>b"]), "x")
    driver.end("a")
    driver.ask(c.SetFence, modification_timeout=5)
    driver.advance(5)
    assert driver.started() == ["a", "b"]


@pytest.mark.parametrize("kind", [c.PauseAgent, c.DetachAgent])
def test_nobody_waits_for_an_agent_that_was_paused_or_detached(kind):
    driver = watched(plan(["a", "b"], ["a>b"]), "x")
    driver.end("a")
    driver.ask(kind, agent="x")
    assert driver.started() == ["a", "b"]
    assert WithdrawQuestion(RUN, "x") in driver.turns[-1].instructions
    with pytest.raises(CommandRefused) as refusal:
        answer(driver, "x", ed.RemoveTask("b"), cycle=1)
    assert refusal.value.code == "not_asked"
    driver.end("b")
    assert driver.run().state is RunState.COMPLETED


def test_a_resumed_agent_is_asked_about_what_ends_from_then_on():
    driver = watched(plan(["a", "b"]), "x")
    driver.ask(c.PauseAgent, agent="x")
    driver.end("a")
    driver.ask(c.ResumeAgent, agent="x")
    driver.end("b")
    assert questions(driver) == [("x", ("b",))]


def test_a_cancelled_run_waits_for_no_agent():
    driver = watched(plan(["a", "b", "c"], ["a>c"]), "x")
    driver.end("a")
    driver.ask(c.CancelRun)
    driver.end("b", stopped=True)
    assert driver.run().state is RunState.CANCELLED
    assert driver.of(ev.EditCycleClosed)[0].how == "cancelled"


def test_an_agents_garbage_is_refused_and_hurts_nobody():
    driver = watched(plan(["a", "b"], ["a>b"]), "x")
    driver.end("a")
    answer(driver, "x", "no edit", ed.UpdateTask("b", timeout=object()), ed.RemoveTask("ghost"))
    assert len(driver.of(ev.EditRejected)[0].problems) == 3
    assert driver.of(ev.AgentAnswered)[0].edits == ()
    assert driver.started() == ["a", "b"]


# ---- who may


@pytest.mark.parametrize(
    ("command", "code"),
    [
        (c.AttachAgent(run_id=RUN, agent="operator"), "bad_agent_name"),
        (c.AttachAgent(run_id=RUN, agent="x"), "bad_agent_name"),
        (c.AttachAgent(run_id=RUN, agent="y", asks=("remove_everything",)), "bad_kind_of_edit"),
        (c.AttachAgent(run_id=RUN, agent=7), "bad_argument"),  # type: ignore[arg-type]
        (c.DetachAgent(run_id=RUN, agent="y"), "unknown_agent"),
        (c.SetFence(run_id=RUN, fence="wall"), "bad_fence"),
        (c.SetFence(run_id=RUN, modification_timeout=0), "bad_timeout"),
        (c.SetFence(run_id=RUN, approval_timeout=float("nan")), "bad_timeout"),
        (c.AnswerEditCycle(run_id=RUN, agent="x", cycle=1), "not_asked"),
        (c.AnswerApproval(run_id=RUN, approval=1, accept=True), "unknown_approval"),
    ],
)
def test_what_makes_no_sense_is_refused_and_leaves_no_trace(command, code):
    driver = watched(plan(["a"]), "x")
    with pytest.raises(CommandRefused) as refusal:
        driver.do(command)
    assert refusal.value.code == code
    assert driver.turns[-1].events == []
