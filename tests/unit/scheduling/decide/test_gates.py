"""Gates: tasks that ask a person, answered by their own id, with a countdown if they have one."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest
from tests.driver import RUN, Driver, edge, plan, task

from starloom import events as ev
from starloom.constellation import edits as ed
from starloom.errors import CommandRefused
from starloom.model.plan import Limits
from starloom.model.result import ErrorCode
from starloom.model.status import Fence, RunState
from starloom.scheduling import commands as c
from starloom.scheduling.fold.apply import fold
from starloom.scheduling.state.folded_run import FoldedRun
from starloom.scheduling.state.timers import TimerPurpose

if TYPE_CHECKING:
    from starloom.model.task import Task
    from starloom.scheduling.state.gate_facts import GateFacts


def gated(gate: Any = "Ship it?", **fields: Any) -> Driver:
    """`ask` waits for `a`, which runs; `b` waits for `ask`, `sorry` for its failure; `c` is ready besides."""
    driver = Driver(slots=1)
    tasks: list[str | Task] = ["a", task("ask", gate=gate, **fields), "b", "sorry", "c"]
    driver.create(plan(tasks, ["a>ask", "ask>b", "ask>sorry>failure"]))
    driver.end("a")
    return driver


def answer(driver: Driver, *, approve: bool = True, **fields: Any) -> None:
    driver.ask(c.AnswerGate, task_id="ask", approve=approve, **fields)


def gate_of(driver: Driver) -> GateFacts:
    run = driver.run()
    return run.gates[run.graph.place["ask"]]


def result_of(driver: Driver) -> Any:
    run = driver.run()
    return run.results[run.graph.place["ask"]]


def test_a_gate_asks_when_it_would_start_and_takes_neither_slot_nor_device():
    driver = gated()
    assert driver.status("ask") == "pending"
    assert [(event.task_id, event.attempt) for event in driver.of(ev.GateOpened)] == [("ask", 1)]
    assert driver.started() == ["a", "c"], "the only slot is free for others"
    assert gate_of(driver).is_open
    assert driver.run().running == 1


def test_a_gate_asks_although_every_place_is_taken():
    driver = Driver(slots=1)
    driver.do(c.SetLimits(max_concurrency=1, groups={"g": 0}))
    driver.create(plan(["a", task("ask", gate="?", groups=["g"], requires=["gpu"])], limits=Limits(max_concurrency=1)))
    assert driver.started() == ["a"]
    assert len(driver.of(ev.GateOpened)) == 1


def test_an_approved_gate_completes_with_the_note_as_its_value():
    driver = gated()
    answer(driver, note="looks good", origin="ana")
    assert driver.status("ask") == "completed"
    assert result_of(driver).value == "looks good"
    (answered,) = driver.of(ev.GateAnswered)
    assert (answered.how, answered.note, answered.origin) == ("approved", "looks good", "ana")
    assert (gate_of(driver).how, gate_of(driver).origin) == ("approved", "ana")
    driver.end("c")
    assert driver.started() == ["a", "c", "b"]
    assert driver.status("sorry") == "skipped"


def test_a_rejected_gate_fails_with_the_note_and_its_dependents_follow_their_kinds():
    driver = gated()
    answer(driver, approve=False, note="not on a Friday", origin="ana")
    assert driver.status("ask") == "failed"
    result = result_of(driver)
    assert (result.value, result.error.code) == ("not on a Friday", ErrorCode.REJECTED)
    assert result.error.message == "It was rejected by ana: not on a Friday"
    assert driver.status("b") == "skipped"
    driver.end("c")
    assert driver.status("sorry") == "running"


def test_conditions_read_the_answer():
    driver = Driver()
    edges = [edge("ask", "b", condition="value == 'go' && attempts == 1 && duration == 3.0")]
    driver.create(plan([task("ask", gate="?"), "b"], edges))
    driver.advance(3)
    answer(driver, note="go")
    assert driver.status("b") == "running"


def test_a_rejected_critical_gate_takes_the_run_with_it():
    driver = gated(severity="critical")
    answer(driver, approve=False)
    driver.end("c", stopped=True)
    assert driver.run().state is RunState.FAILED


def test_several_open_gates_are_answered_each_by_its_id():
    driver = Driver()
    driver.create(plan([task("one", gate="1?"), task("ask", gate="2?"), "b"], ["one>b", "ask>b"]))
    answer(driver)
    assert driver.statuses() == {"one": "pending", "ask": "completed", "b": "waiting_dependency"}
    driver.ask(c.AnswerGate, task_id="one", approve=True)
    assert driver.status("b") == "running"


# ---- answers that are refused


@pytest.mark.parametrize(
    ("fields", "code", "words"),
    [
        ({"task_id": "ask"}, "gate_answered", "'ask' is answered already: it was approved by ana."),
        ({"task_id": "c"}, "not_a_gate", "'c' asks nobody: it is no gate."),
        ({"task_id": "later"}, "gate_not_open", "'later' asks nobody now: it is waiting dependency."),
        ({"task_id": "asc"}, "unknown_task", "There is no task 'asc' in this run."),
        ({"task_id": "ask", "attempt": 2}, "gate_not_open", "'ask' asks nobody now: it is completed."),
        ({"task_id": "ask", "approve": "yes"}, "bad_argument", "approve cannot be 'yes'."),
        ({"task_id": "ask", "attempt": "1"}, "bad_argument", "attempt cannot be '1'."),
    ],
)
def test_an_answer_to_what_does_not_ask_is_refused_with_a_sentence(fields: Any, code: str, words: str):
    driver = gated()
    driver.edit(ed.AddTask(task("later", gate="?")), ed.AddDependency(edge("c", "later")))
    answer(driver, origin="ana")
    with pytest.raises(CommandRefused) as refused:
        driver.ask(c.AnswerGate, **({"approve": True} | fields))
    assert (refused.value.code, refused.value.reason) == (code, words)
    assert refused.value.hint


def test_an_answer_to_an_earlier_asking_is_refused():
    driver = gated()
    answer(driver, attempt=1)
    driver.ask(c.RerunFrom, task_id="ask")
    assert gate_of(driver).attempt == 2
    with pytest.raises(CommandRefused, match="was over before it asked again"):
        answer(driver, attempt=1)
    answer(driver, attempt=2)
    assert driver.status("ask") == "completed"


# ---- countdowns


@pytest.mark.parametrize(
    ("then", "status", "how"), [("proceed", "completed", "proceeded"), ("skip", "skipped", "skipped")]
)
def test_nobody_answers_in_time_and_what_is_configured_happens(then: str, status: str, how: str):
    driver = gated({"message": "?", "after": 60, "then": then})
    driver.advance(59)
    assert driver.status("ask") == "pending"
    driver.advance(1)
    assert driver.status("ask") == status
    (answered,) = driver.of(ev.GateAnswered)
    assert (answered.how, answered.note, answered.origin) == (how, "nobody answered within 1m", "engine")
    with pytest.raises(CommandRefused, match="when its time was over"):
        answer(driver)


def test_nobody_answers_in_time_and_the_run_is_aborted():
    driver = gated({"after": 60, "then": "abort"})
    driver.advance(60)
    assert driver.status("ask") == "failed"
    assert result_of(driver).error.message == "Nobody answered within 1m."
    driver.end("c", stopped=True)
    assert driver.run().state is RunState.FAILED
    assert driver.run().aborted_by == "ask"


def test_a_countdown_goes_on_while_the_run_is_paused_like_a_timeout():
    driver = gated({"after": 60, "then": "proceed"})
    driver.ask(c.PauseRun)
    driver.advance(60)
    assert driver.status("ask") == "completed"
    assert driver.started() == ["a", "c"], "nothing starts"


def test_an_edited_countdown_counts_from_the_asking():
    driver = gated({"after": 60, "then": "proceed"})
    driver.advance(30)
    driver.edit(ed.UpdateTask("ask", gate={"after": 100, "then": "skip"}))
    driver.advance(69)
    assert gate_of(driver).is_open
    driver.advance(1)
    assert driver.status("ask") == "skipped"


def test_edits_of_other_tasks_add_no_timers():
    driver = gated({"after": 60, "then": "proceed"})
    for round_ in range(20):
        driver.edit(ed.UpdateTask("b", name=f"b{round_}"))
    assert [timer[1] for timer in driver.scheduler.timers].count(TimerPurpose.GATE) == 1


def test_a_countdown_without_a_default_makes_no_gate():
    for gate in ({"after": 3}, {"then": "skip"}, {"after": -1, "then": "skip"}, {"after": 3, "then": "maybe"}):
        with pytest.raises(ValueError, match="gate"):
            task("ask", gate=gate)


def died(driver: Driver, now: float) -> Driver:
    """Another program that takes the run up, with a clock of its own."""
    heir = Driver(devices=())
    heir.take_fleet(driver)
    heir.do(c.OpenFleet(wall_time=1.0))
    heir.add_device("d")
    stream = [event for event in driver.journal() if event.run_id == RUN]
    heir.inherit(stream)
    heir.now = now
    heir.do(c.RecoverRun(run_id=RUN, facts=fold(FoldedRun(RUN), stream).run, last_at=stream[-1].at))
    return heir


def test_a_run_that_goes_on_finds_its_gate_open_and_the_time_between_does_not_count():
    driver = gated({"after": 60, "then": "proceed"})
    driver.advance(20)
    driver.end("c")
    heir = died(driver, 9_000)
    assert gate_of(heir).is_open
    assert len(heir.of(ev.GateOpened)) == 1, "it is not asked again"
    heir.advance(39)
    assert gate_of(heir).is_open
    heir.advance(1)
    assert gate_of(heir).how == "proceeded"


# ---- as any task


def test_a_paused_run_asks_nobody_before_it_goes_on():
    driver = Driver()
    driver.create(plan([task("ask", gate="?")]), start=False)
    assert not driver.of(ev.GateOpened)
    driver.ask(c.StartRun)
    assert len(driver.of(ev.GateOpened)) == 1


def test_a_held_gate_is_withdrawn_and_asked_anew_when_it_is_released():
    driver = gated({"after": 60, "then": "proceed"})
    driver.advance(50)
    driver.ask(c.HoldTasks, "ask")
    assert gate_of(driver).how == "withdrawn"
    with pytest.raises(CommandRefused, match="asks nobody now"):
        answer(driver)
    driver.advance(100)
    driver.ask(c.ReleaseTasks, "ask")
    assert (gate_of(driver).attempt, gate_of(driver).is_open) == (2, True)
    driver.advance(59)
    assert gate_of(driver).is_open


def test_what_ends_or_changes_a_gate_withdraws_it():
    for command in (
        c.CancelTasks(run_id=RUN, task_ids=("ask",)),
        c.SkipTasks(run_id=RUN, task_ids=("ask",)),
        c.MarkTasks(run_id=RUN, task_ids=("ask",), value=3),
        c.CancelRun(run_id=RUN),
    ):
        driver = gated()
        driver.do(command)
        assert gate_of(driver).how == "withdrawn"
        assert driver.status("ask") in {"cancelled", "skipped", "completed"}


def test_a_retried_gate_asks_again():
    driver = gated()
    answer(driver, approve=False)
    driver.ask(c.RetryTasks, "ask")
    assert gate_of(driver).attempt == 2
    answer(driver)
    driver.end("c")
    assert driver.status("b") == "running"


def test_a_gate_that_becomes_another_task_stands_in_line_and_the_other_way_round():
    driver = gated()
    driver.edit(ed.UpdateTask("ask", command=["true"]))
    assert gate_of(driver).how == "withdrawn"
    receipt = driver.edit(ed.UpdateTask("b", gate="Really?"))
    driver.end("c")
    driver.end("ask")
    assert [event.task_id for event in driver.of(ev.GateOpened)] == ["ask", "b"]
    driver.apply(receipt.inverse)
    assert driver.status("b") == "running"


def test_a_dependency_into_an_open_gate_has_it_wait_and_ask_again():
    driver = gated()
    driver.edit(ed.AddDependency(edge("c", "ask")))
    assert (driver.status("ask"), gate_of(driver).how) == ("waiting_dependency", "withdrawn")
    driver.end("c")
    assert gate_of(driver).attempt == 2


def test_a_removed_gate_asks_nobody_and_its_return_asks_anew():
    driver = gated()
    receipt = driver.edit(ed.RemoveTask("ask"))
    driver.apply(receipt.inverse)
    assert (gate_of(driver).attempt, gate_of(driver).is_open) == (2, True)


def test_behind_a_fence_nobody_is_asked_until_the_agents_have_answered():
    driver = Driver()
    driver.create(plan(["a", task("ask", gate="?")], ["a>ask"]), start=False)
    driver.ask(c.AttachAgent, agent="x")
    driver.ask(c.SetFence, fence=Fence.GLOBAL)
    driver.ask(c.StartRun)
    driver.end("a")
    assert not driver.of(ev.GateOpened)
    driver.ask(c.AnswerEditCycle, agent="x", cycle=1)
    assert len(driver.of(ev.GateOpened)) == 1
    answer(driver)
    assert driver.of(ev.EditCycleOpened)[-1].task_ids == ("ask",), "agents hear of a gate's end like of any"


# ---- telling


def test_why_says_what_is_asked_and_until_when():
    driver = gated({"message": "Ship it?", "after": 60, "then": "skip"})
    driver.advance(15)
    (reason,) = driver.why("ask")
    assert (reason.code, reason.blocks, reason.remedy) == ("gate", True, "Approve or reject it.")
    assert reason.text == "It waits for a person to answer 'Ship it?'. In 45s it is skipped."


def test_a_run_that_waits_for_an_answer_only_says_so_and_does_not_end():
    driver = gated()
    driver.end("c")
    assert driver.run().stalled == ("the gate 'ask' is not answered",)
    assert driver.run().state is RunState.EXECUTING
    answer(driver)
    assert not driver.run().stalled
    driver.end_all()
    assert driver.run().state is RunState.COMPLETED


def test_a_run_that_waits_for_a_countdown_goes_on_by_itself():
    driver = gated({"after": 60, "then": "proceed"})
    driver.end("c")
    assert not driver.of(ev.RunStalled)


def test_a_run_without_gates_notes_nothing_of_them():
    driver = Driver()
    driver.create(plan(["a", "b"], ["a>b"]))
    assert not driver.run().steered
    assert not driver.scheduler.asking
    assert not driver.scheduler.runs[RUN].constrained


def test_the_fence_and_the_rules_of_a_plan_are_facts_of_its_run_and_of_who_takes_it_up():
    rules = ({"on": {"task": "a"}, "do": [{"remove_task": "b"}]},)
    driver = Driver()
    driver.create(replace(plan(["a", "b"], ["a>b"]), fence=Fence.DESCENDANTS, rules=rules))
    heir = died(driver, 50)
    for run in (driver.run(), heir.run()):
        assert run.rules == rules
        assert run.cycles is not None
        assert run.cycles.fence is Fence.DESCENDANTS
    driver.ask(c.AttachAgent, agent="x")
    driver.end("a")
    assert driver.of(ev.EditCycleOpened)
    assert driver.status("b") == "pending"


def test_no_two_kinds_of_timers_have_the_same_number() -> None:
    assert len(TimerPurpose.__members__) == len(set(TimerPurpose))


def test_a_gate_is_pinned_to_no_device_as_it_runs_on_none():
    driver = gated()
    with pytest.raises(CommandRefused, match="'ask' is a gate and runs on no device") as refused:
        driver.ask(c.PinTasks, task_ids=("b", "ask"), device_id="d")
    assert refused.value.code == "needs_no_device"
    driver.ask(c.PinTasks, task_ids=("ask",), device_id=None)  # what an earlier version has pinned can be let go
