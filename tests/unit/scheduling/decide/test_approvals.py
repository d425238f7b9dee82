"""Approvals: agents' edits that a person accepts or rejects, each by its number."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from tests.driver import RUN, Driver, edge, plan, task

from starloom import events as ev
from starloom.constellation import edits as ed
from starloom.errors import CommandRefused, EditRefused
from starloom.model.status import Fence, RunState
from starloom.scheduling import commands as c
from starloom.scheduling.fold.apply import fold
from starloom.scheduling.state.folded_run import FoldedRun

if TYPE_CHECKING:
    from starloom.constellation.edits import Edit
    from starloom.scheduling.state.cycle_facts import CycleFacts

ASKS = ("remove_task", "update_task")


def staged(*edits: Edit, fence: Fence = Fence.GLOBAL, asks: tuple[str, ...] = ASKS) -> Driver:
    """A driver whose run has an agent that has answered to the end of `a`; `b` depends on it, `c` and `d` do not."""
    driver = Driver(slots=2)
    driver.create(plan(["a", "b", "c", "d"], ["a>b", "c>d"]), start=False)
    driver.ask(c.AttachAgent, agent="x", asks=asks)
    driver.ask(c.SetFence, fence=fence)
    driver.ask(c.StartRun)
    driver.end("a")
    answer(driver, *edits)
    return driver


def answer(driver: Driver, *edits: Edit) -> None:
    proposal = ed.EditBatch(edits=edits, reason="b is not needed")
    driver.ask(c.AnswerEditCycle, agent="x", cycle=cycles(driver).cycles, proposal=proposal if edits else None)


def cycles(driver: Driver) -> CycleFacts:
    known = driver.run().cycles
    assert known is not None
    return known


def test_edits_of_kinds_that_need_approval_wait_and_the_fence_with_them():
    driver = staged(ed.RemoveTask("b"))
    assert cycles(driver).cycle is None
    assert list(cycles(driver).approvals) == [1]
    assert driver.started() == ["a", "c"]
    assert driver.why("b")[0].text == "It waits for a person to answer approval 1, of edits by 'x'."
    driver.ask(c.AnswerApproval, approval=1, accept=True, note="fine")
    modified, answered = driver.of(ev.ConstellationModified)[0], driver.of(ev.ApprovalAnswered)[0]
    assert (modified.origin, modified.reason, modified.answers) == ("x", "b is not needed", ("a",))
    assert (answered.how, answered.origin, answered.note) == ("accepted", "operator", "fine")
    assert "b" not in driver.statuses()


def test_a_rejected_proposal_changes_nothing_and_the_fence_opens():
    driver = staged(ed.RemoveTask("b"))
    driver.ask(c.AnswerApproval, approval=1, accept=False)
    assert driver.started() == ["a", "c", "b"]
    assert driver.of(ev.ConstellationModified) == []


def test_other_kinds_are_applied_at_once():
    driver = staged(ed.AddTask(task("e")))
    assert cycles(driver).approvals == {}
    assert driver.started() == ["a", "c", "b"], "there are two slots"
    assert driver.status("e") == "pending"


def test_only_what_depends_on_the_batch_waits_for_approval_behind_a_fence_of_descendants():
    driver = staged(ed.UpdateTask("b", timeout=3), fence=Fence.DESCENDANTS)
    driver.end("c")
    answer(driver)
    assert driver.started() == ["a", "c", "d"]


def test_several_approvals_are_open_at_once_each_answered_by_its_number():
    driver = staged(ed.UpdateTask("b", timeout=3))
    driver.end("c")
    answer(driver, ed.UpdateTask("d", timeout=4))
    driver.ask(c.AnswerApproval, approval=2, accept=True)
    assert list(cycles(driver).approvals) == [1]
    assert driver.started() == ["a", "c"]
    driver.ask(c.AnswerApproval, approval=1, accept=False)
    assert sorted(driver.started()) == ["a", "b", "c", "d"]
    with pytest.raises(CommandRefused):
        driver.ask(c.AnswerApproval, approval=1, accept=True)


def test_some_of_a_proposal_can_be_left_out():
    edits = (
        ed.UpdateTask("d", timeout=4),
        ed.AddTask(task("e")),
        ed.AddDependency(edge("d", "e")),
        ed.AddTask(task("f")),
    )
    driver = staged(*edits, fence=Fence.NONE)
    driver.end("c")
    assert driver.status("d") == "running", "so that the first of them fits no more"
    with pytest.raises(EditRefused):
        driver.ask(c.AnswerApproval, approval=1, accept=True)
    driver.ask(c.AnswerApproval, approval=1, accept=True, without=(2, 0, 2))
    assert set(driver.statuses()) == {"a", "b", "c", "d", "e", "f"}
    assert driver.status("e") == driver.status("f") == "pending", "neither depends on d"
    answered, modified = driver.of(ev.ApprovalAnswered)[0], driver.of(ev.ConstellationModified)[0]
    assert (answered.how, answered.left_out, modified.origin) == ("accepted", (0, 2), "x")


@pytest.mark.parametrize(
    ("accept", "without", "reason"),
    [
        (True, (0, 1), "Nothing of approval 1 would be applied. Reject it instead."),
        (True, (2,), "There is no edit 2 in approval 1. They are counted from 0 to 1."),
        (True, (-1,), "There is no edit -1 in approval 1."),
        (False, (0,), "Of approval 1 all is rejected."),
        (True, ("0",), "without cannot be ('0',)."),
    ],
)
def test_what_is_left_out_has_to_be_there_and_something_to_be_left(accept: bool, without: tuple[int, ...], reason: str):
    driver = staged(ed.UpdateTask("b", timeout=3), ed.UpdateTask("d", timeout=4))
    with pytest.raises(CommandRefused) as refused:
        driver.ask(c.AnswerApproval, approval=1, accept=accept, without=without)
    assert str(refused.value).startswith(reason)
    assert list(cycles(driver).approvals) == [1]


def test_what_no_longer_fits_is_refused_and_still_waits():
    driver = staged(ed.UpdateTask("d", timeout=3), fence=Fence.NONE)
    driver.end("c")
    assert driver.status("d") == "running"
    with pytest.raises(EditRefused):
        driver.ask(c.AnswerApproval, approval=1, accept=True)
    assert list(cycles(driver).approvals) == [1]
    assert len(driver.of(ev.EditRejected)) == 1
    driver.ask(c.AnswerApproval, approval=1, accept=False)
    assert cycles(driver).approvals == {}


def test_what_would_be_refused_anyway_bothers_nobody():
    driver = staged(ed.RemoveTask("ghost"))
    assert cycles(driver).approvals == {}
    assert len(driver.of(ev.EditRejected)) == 1
    assert driver.started() == ["a", "c", "b"]


def test_the_timeout_of_agents_is_not_that_of_people():
    driver = staged(ed.RemoveTask("b"))
    driver.advance(10_000)
    assert "b" not in driver.started()
    driver.ask(c.SetFence, approval_timeout=20_000)
    driver.advance(10_000)
    assert driver.of(ev.ApprovalAnswered)[0].how == "expired"
    assert driver.started()[-1] == "b"


def test_a_run_that_waits_for_nothing_but_a_person_says_so_and_does_not_end():
    driver = staged(ed.RemoveTask("b"))
    driver.end("c")
    answer(driver)
    assert driver.of(ev.RunStalled)[0].reasons == ("approval 1, of edits by 'x', is not answered",)
    driver.ask(c.SkipTasks, "b", "d")
    assert driver.run().state is RunState.EXECUTING
    driver.ask(c.AnswerApproval, approval=1, accept=False)
    assert driver.run().state is RunState.COMPLETED


def test_a_cancelled_run_takes_its_approvals_with_it():
    driver = staged(ed.RemoveTask("b"))
    driver.ask(c.CancelRun)
    assert driver.of(ev.ApprovalAnswered)[0].how == "cancelled"
    driver.end("c", stopped=True)
    assert driver.run().state is RunState.CANCELLED


def test_a_late_answer_waits_for_approval_without_closing_the_fence_again():
    driver = Driver()
    driver.create(plan(["a", "b", "c"], ["a>b", "b>c"]))
    driver.ask(c.AttachAgent, agent="x", asks=ASKS)
    driver.end("a")
    driver.advance(600)
    driver.end("b")
    proposal = ed.EditBatch(edits=(ed.UpdateTask("c", timeout=9),))
    assert driver.status("c") == "running"
    with pytest.raises(CommandRefused):
        driver.ask(c.AnswerEditCycle, agent="x", cycle=2, proposal=proposal)
    driver.edit(ed.AddTask(task("d")), ed.AddDependency(edge("c", "d")))
    driver.ask(c.AnswerEditCycle, agent="x", cycle=1, proposal=ed.EditBatch(edits=(ed.UpdateTask("d", timeout=9),)))
    assert list(cycles(driver).approvals) == [1]
    answer(driver)
    driver.end("c")
    answer(driver)
    assert driver.status("d") == "running"


def test_detaching_an_agent_does_not_lift_the_approval_that_its_answer_needs():
    driver = Driver()
    driver.create(plan(["a", "b"], ["a>b"]), start=False)
    driver.ask(c.AttachAgent, agent="slow")
    driver.ask(c.AttachAgent, agent="x", asks=ASKS)
    driver.ask(c.StartRun)
    driver.end("a")
    answer(driver, ed.RemoveTask("b"))
    driver.ask(c.DetachAgent, agent="x")
    driver.ask(c.AnswerEditCycle, agent="slow", cycle=1)
    assert driver.of(ev.ConstellationModified) == []
    assert list(cycles(driver).approvals) == [1]


# ---- the program dies


def died(driver: Driver) -> Driver:
    """Another program with the same run, all of whose attempts were interrupted."""
    heir = Driver(devices=())
    heir.take_fleet(driver)
    heir.do(c.OpenFleet(wall_time=1.0))
    heir.add_device("d")
    stream = [event for event in driver.journal() if event.run_id == RUN]
    heir.inherit(stream)
    heir.now = 5000.0
    heir.do(c.RecoverRun(run_id=RUN, facts=fold(FoldedRun(RUN), stream).run, last_at=stream[-1].at))
    return heir


def test_after_the_programs_death_its_agents_are_gone_and_what_waits_for_approval_still_does():
    driver = staged(ed.RemoveTask("b"))
    driver.end("c")
    assert cycles(driver).cycle is not None
    heir = died(driver)
    assert [event.how for event in heir.of(ev.EditCycleClosed)][-1] == "interrupted"
    assert heir.of(ev.AgentDetached)[0].reason == "the program that it was part of has ended"
    assert cycles(heir).agents == {}
    assert heir.started()[2:] == []
    heir.ask(c.AnswerApproval, approval=1, accept=True)
    assert heir.started()[2:] == ["d"]


def test_a_fence_of_descendants_still_keeps_back_what_waits_for_approval():
    heir = died(staged(ed.RemoveTask("b"), fence=Fence.DESCENDANTS))
    assert heir.started()[2:] == ["c"], "it was interrupted, and b waits"
    heir.ask(c.AnswerApproval, approval=1, accept=False)
    assert heir.started()[3:] == ["b"]


def test_an_answer_that_was_there_before_the_death_counts():
    driver = Driver()
    driver.create(plan(["a", "b"], ["a>b"]), start=False)
    for agent in ("slow", "quick"):
        driver.ask(c.AttachAgent, agent=agent)
    driver.ask(c.StartRun)
    driver.end("a")
    driver.ask(c.AnswerEditCycle, agent="quick", cycle=1, proposal=ed.EditBatch(edits=(ed.RemoveTask("b"),)))
    assert driver.of(ev.ConstellationModified) == []
    heir = died(driver)
    assert heir.of(ev.ConstellationModified)[0].origin == "quick"
    assert heir.run().state is RunState.COMPLETED


def test_trust_in_an_attached_agent_can_be_changed_and_what_waits_still_does():
    driver = staged(ed.UpdateTask("b", timeout=3))
    driver.ask(c.TrustAgent, agent="x", asks=("add_task", "add_task"))
    driver.ask(c.TrustAgent, agent="x", asks=("add_task",))
    assert [(event.agent, event.asks) for event in driver.of(ev.AgentTrusted)] == [("x", ("add_task",))]
    assert list(cycles(driver).approvals) == [1]
    driver.end("c")
    answer(driver, ed.UpdateTask("d", timeout=4))
    assert list(cycles(driver).approvals) == [1], "which is applied at once"
    with pytest.raises(CommandRefused, match="no kind of edit 'everything'"):
        driver.ask(c.TrustAgent, agent="x", asks=("everything",))
    with pytest.raises(CommandRefused, match="No agent 'y'"):
        driver.ask(c.TrustAgent, agent="y", asks=())
