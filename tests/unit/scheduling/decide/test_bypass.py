"""Bypassed tasks: each completes where it would start, without running, with its parents' values or a given one."""

from __future__ import annotations

import itertools
from typing import Any

import pytest
from tests.driver import RUN, Driver, edge, plan, task

from starloom import events as ev
from starloom.constellation import edits as ed
from starloom.errors import EditRefused
from starloom.foresight.projection import Certainty, project
from starloom.model.result import MAX_VALUE_BYTES, ErrorCode, Result
from starloom.model.status import RunState
from starloom.scheduling import commands as c
from starloom.scheduling.fork import Fork
from starloom.scheduling.read.critical_path import critical_path


def result_of(driver: Driver, task_id: str) -> Result:
    run = driver.run()
    found = run.results[run.graph.place[task_id]]
    assert found is not None
    return found


def chain(*tasks: Any, **fields: Any) -> Driver:
    """Tasks of which each depends on the one before, on a device with one slot."""
    driver = Driver(slots=1, **fields)
    ids = [one if isinstance(one, str) else one.id for one in tasks]
    driver.create(plan(tasks, [f"{a}>{b}" for a, b in itertools.pairwise(ids)]))
    return driver


def test_a_bypassed_task_passes_on_what_its_only_parent_has_left_and_takes_no_slot():
    driver = chain("a", task("b", bypass=True), "c")
    driver.end("a", value={"n": 1}, exit_code=0, output="tail", output_length=99, output_file="out/a.txt")
    assert driver.status("b") == "completed"
    assert result_of(driver, "b") == Result({"n": 1}, 0, "tail", 4), "its file is that of another task"
    assert driver.started() == ["a", "c"]
    assert [(event.task_id, event.bypassed) for event in driver.of(ev.TaskMarked)] == [("b", True)]
    assert driver.why("b")[0].text == (
        "It completed: it was bypassed and did not run; it has the result of its parent."
    )


def test_a_given_value_stands_for_that_of_the_parents():
    driver = chain("a", task("b", bypass={"value": [1, None]}), "c")
    driver.end("a", value="x", exit_code=0, output="tail")
    assert result_of(driver, "b") == Result([1, None])


def test_several_parents_are_passed_on_by_their_ids_and_none_as_nothing():
    tasks = ["a", task("b", severity="warning"), "c", task("d", bypass=True), task("e", bypass=True), "f"]
    driver = Driver()
    driver.create(plan(tasks, ["c>d", "a>d", edge("b", "d", "always"), "d>f"]))
    assert result_of(driver, "e").value is None
    driver.end("c", value=3)
    driver.end("a", value=1)
    driver.fail("b")
    assert result_of(driver, "d") == Result({"a": 1, "b": None, "c": 3}), "what failed has left no value"
    assert driver.status("f") == "running"


def test_a_chain_of_bypassed_tasks_ends_in_one_turn_and_with_it_the_run():
    tasks = [task(f"t{number}", bypass=True) for number in range(500)]
    driver = Driver(checked=False)
    driver.create(plan(tasks, [f"t{number}>t{number + 1}" for number in range(499)]))
    driver.check()
    assert driver.run().counts()["completed"] == 500
    assert driver.run().state is RunState.COMPLETED


def test_it_is_bypassed_although_no_device_could_run_it_and_no_limit_allows_it():
    driver = Driver(slots=1)
    impossible = task("b", bypass=True, requires=["gpu"], device="nowhere", groups=("g",))
    driver.create(plan(["a", impossible]))
    assert driver.status("b") == "completed"
    assert driver.status("a") == "running"


def test_what_waits_for_its_next_attempt_is_bypassed_at_once():
    driver = chain(task("a", retry={"attempts": 3, "delay": 60}), "b")
    driver.end("a", ok=False)
    driver.edit(ed.UpdateTask("a", bypass={"value": 7}))
    assert driver.status("a") == "completed"
    assert result_of(driver, "a").value == 7
    assert driver.status("b") == "running"
    assert len(driver.attempts("a")) == 1, "what it did before is history"


def test_what_is_held_paused_or_at_a_breakpoint_is_bypassed_once_that_is_over():
    driver = chain("a", task("b", bypass=True, breakpoint=True), task("c", bypass=True), "d")
    driver.ask(c.HoldTasks, task_ids=("c",))
    driver.end("a")
    assert driver.status("b") == "pending", "it has stopped where it would have started"
    driver.ask(c.ReleaseTasks, task_ids=("b",))
    assert (driver.status("b"), driver.status("c")) == ("completed", "pending")
    assert [reason.code for reason in driver.why("c")] == ["held", "bypassed"]
    driver.ask(c.PauseRun)
    driver.ask(c.ReleaseTasks, task_ids=("c",))
    assert driver.status("c") == "pending"
    driver.ask(c.ResumeRun)
    assert (driver.status("c"), driver.status("d")) == ("completed", "running")


def test_a_paused_run_takes_a_step_past_it():
    driver = Driver(slots=1)
    driver.create(plan(["z", task("a", bypass=True), "b"], ["z>a", "a>b"]))
    driver.ask(c.PauseRun)
    driver.end("z")
    assert driver.ask(c.StepRun) == "a"
    assert driver.status("a") == "completed"
    assert driver.ask(c.StepRun) == "b"


def test_it_is_an_edit_that_is_undone_until_the_task_has_ended():
    driver = chain("a", "b", "c")
    receipt = driver.edit(ed.UpdateTask("b", bypass=True))
    assert [reason.code for reason in driver.why("b")] == ["waiting_for", "bypassed"]
    driver.ask(c.EditConstellation, batch=receipt.inverse)
    driver.end("a")
    assert driver.status("b") == "running", "it was taken back"
    driver.edit(ed.UpdateTask("c", bypass=True))
    driver.end("b")
    assert driver.status("c") == "completed"
    with pytest.raises(EditRefused, match="has ended"):
        driver.edit(ed.UpdateTask("c", bypass=False))
    with pytest.raises(EditRefused, match="has ended"):
        driver.edit(ed.UpdateTask("a", bypass=True))


def test_a_ready_task_that_waits_for_a_slot_is_bypassed_by_the_edit_itself():
    driver = Driver(slots=1)
    driver.create(plan(["a", "b"]))
    driver.edit(ed.UpdateTask("b", bypass=True))
    assert driver.status("b") == "completed"
    assert driver.started() == ["a"]


def test_an_open_gate_that_is_bypassed_asks_nobody_any_more():
    driver = Driver()
    driver.create(plan([task("ask", gate="Ship it?"), "b"], ["ask>b"]))
    driver.edit(ed.UpdateTask("ask", bypass=True))
    run = driver.run()
    assert run.gates[run.graph.place["ask"]].how == "withdrawn"
    assert (driver.status("ask"), driver.status("b")) == ("completed", "running")


def test_rerun_it_is_bypassed_again_with_what_its_parent_has_then():
    driver = chain("a", task("b", bypass=True), "c")
    driver.end("a", value=1)
    driver.end("c")
    driver.ask(c.RerunFrom, task_id="a")
    driver.end("a", value=2)
    assert result_of(driver, "b").value == 2


def test_values_that_are_too_much_together_fail_it_and_say_what_to_do():
    driver = Driver()
    half = "x" * (MAX_VALUE_BYTES - 10)
    driver.create(plan(["a", "b", task("c", bypass=True)], ["a>c", "b>c"]))
    driver.end("a", value=half)
    driver.end("b", value=half)
    assert driver.status("c") == "failed"
    error = result_of(driver, "c").error
    assert error is not None
    assert error.code == ErrorCode.RESULT_TOO_LARGE
    assert error.message.endswith("are kept. Give it another one: bypass: {value: …}.")
    assert driver.run().state is RunState.PARTIALLY_FAILED


def test_values_that_are_nested_ever_deeper_fail_before_no_journal_could_keep_them():
    tasks = ["a", "z", *(task(f"b{number}", bypass=True) for number in range(120))]
    steps = ["a", *(f"b{number}" for number in range(120))]
    edges = [f"{one}>{other}" for one, other in itertools.pairwise(steps)] + [f"z>{one}" for one in steps[1:]]
    driver = Driver(checked=False)
    driver.create(plan(tasks, edges))
    driver.end("z", value=1)
    driver.end("a", value=1)
    driver.check()
    failed = [one for one in steps if driver.status(one) == "failed"]
    assert len(failed) == 1
    error = result_of(driver, failed[0]).error
    assert error is not None
    assert error.code == ErrorCode.RESULT_NOT_JSON


def test_an_edit_cycle_is_opened_about_it_in_the_same_turn():
    driver = chain("a", task("b", bypass=True), "c")
    driver.ask(c.AttachAgent, agent="x")
    driver.end("a")
    assert driver.status("b") == "pending", "the fence is closed"
    driver.ask(c.AnswerEditCycle, cycle=1, agent="x")
    assert driver.status("b") == "completed"
    assert [event.task_ids for event in driver.of(ev.EditCycleOpened)] == [("a",), ("b",)]


def test_it_takes_no_time_in_what_is_foreseen_and_on_the_critical_path():
    tasks = [task("a", estimate=10), task("b", estimate=1000, bypass=True), task("c", estimate=5)]
    driver = chain(*tasks)
    foreseen = project(Fork.of(driver.scheduler, driver.now), RUN)
    assert (foreseen.certainty, foreseen.end) == (Certainty.EXPECTED, 15.0)
    assert [step.task_id for step in foreseen.path] == ["a", "c"]
    assert "b" not in foreseen.tasks
    driver.advance(10)
    driver.end("a")
    driver.advance(5)
    driver.end("c")
    assert critical_path(driver.run(), driver.now).seconds == 15.0
