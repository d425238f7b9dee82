"""A run and its tasks as whoever shows them reads them: what the arrays say, as values with names."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from tests.driver import Driver, plan, task

from starloom.constellation.edits import RemoveTask
from starloom.model.plan import Limits
from starloom.model.status import RunState, Severity, TaskStatus
from starloom.scheduling import commands as c
from starloom.scheduling.read.run_view import RunView, TaskView
from starloom.scheduling.state.codes import STATUS_OF

if TYPE_CHECKING:
    from collections.abc import Callable


def view(driver: Driver) -> RunView:
    return RunView(driver.run())


def named(driver: Driver, name: str) -> TaskView:
    number = view(driver).number(name)
    assert number is not None
    return view(driver).task(number)


def test_a_status_is_a_member_and_of_a_removed_task_none():
    driver = Driver(slots=1)
    driver.create(plan("abcd", ["a>b"]))
    one, other = named(driver, "a"), named(driver, "d")
    assert [each.status for each in view(driver).tasks(range(4))] == [
        TaskStatus.RUNNING,
        TaskStatus.WAITING_DEPENDENCY,
        TaskStatus.PENDING,
        TaskStatus.PENDING,
    ]
    driver.edit(RemoveTask("d"))
    assert (other.status, other.fields, other.title, other.id) == (None, None, "d", "d")
    assert not other.has_ended
    assert not other.is_to_start
    assert not view(driver).has(other.number)
    assert not view(driver).has(17), "what is only staged has a number to come"
    driver.end("a")
    assert one.status is TaskStatus.COMPLETED, "a view that was made before is not behind"
    assert one.has_ended


def test_every_code_of_the_arrays_has_its_member():
    driver = Driver()
    driver.create(plan("a"))
    for code, status in enumerate(STATUS_OF):
        driver.run().status[0] = code
        read = named(driver, "a")
        assert read.status is status
        assert read.is_to_start == (status in {TaskStatus.WAITING_DEPENDENCY, TaskStatus.PENDING})
        assert read.is_running == (status is TaskStatus.RUNNING)
        assert read.has_ended == status.is_terminal
        assert view(driver).count(status) == 1
        assert [each.id for each in view(driver).with_status(status)] == ["a"]
        assert view(driver).statuses() == {status}


def test_the_last_attempt_is_told_and_all_before_it():
    driver = Driver()
    driver.create(plan([task("a", retry={"attempts": 2, "delay": 5.0})]))
    a = named(driver, "a")
    driver.now = 3.0
    assert (a.device, a.ran_for(3.0)) == ("d", 3.0)
    driver.fail("a")
    assert (a.status, a.attempt, a.has_last_attempt, a.device) == (TaskStatus.PENDING, 1, False, None)
    assert (a.backs_off, a.retry_at) == (True, 8.0)
    assert a.ran_for(100.0) == 0.0, "nothing of it runs, and that is no end"
    driver.advance(5.0)
    assert (a.attempt, a.backs_off, a.ran_for(10.0)) == (2, False, 2.0)
    assert [one.number for one in a.attempts] == [1, 2]


def test_a_task_that_never_ran_has_no_attempt():
    driver = Driver(slots=0)
    driver.create(plan("a"))
    a = named(driver, "a")
    assert (a.attempt, a.has_last_attempt, a.device, a.attempts, a.ran_for(9.0)) == (0, False, None, [], 0.0)
    assert (a.result, a.gate, a.gate_due, a.overdue, a.retry_at, a.reason) == (None, None, None, None, None, "")


def test_what_a_task_waits_for_is_counted_and_named():
    driver = Driver(slots=1)
    driver.create(plan("abc", ["a>c", "b>c"]))
    c_ = named(driver, "c")
    assert ([one.id for one in c_.unanswered], c_.answered) == (["a", "b"], 0)
    driver.end("a")
    assert ([one.id for one in c_.unanswered], c_.answered) == (["b"], 1)
    assert ([*c_.parents], [*named(driver, "a").children]) == ([0, 1], [2])


def test_steering_is_told_apart_from_what_the_plan_says():
    driver = Driver(slots=0, devices=("d", "e"))
    driver.create(plan([task("a", device="d", groups=("g",), priority=80), task("b")], limits=Limits(groups={"g": 3})))
    a, b = named(driver, "a"), named(driver, "b")
    assert (a.pin, a.steered_to, a.priority, a.groups) == ("d", None, 80, ("g",))
    driver.ask(c.PinTasks, "b", device_id="e")
    driver.ask(c.HoldTasks, "b")
    driver.ask(c.SetBreakpoints, "a")
    assert (b.pin, b.steered_to, b.is_held, b.is_stopped) == ("e", "e", True, False)
    assert (a.has_breakpoint, b.has_breakpoint) == (True, False)


def test_a_skipped_task_names_the_parent_that_made_it_so():
    driver = Driver()
    driver.create(plan([task("a", severity="warning"), task("b")], ["a>b>failure"]))
    driver.end("a")
    b = named(driver, "b")
    assert b.status is TaskStatus.SKIPPED
    assert b.skipped_because is not None
    assert (b.skipped_because.id, b.skipped_because.status) == ("a", TaskStatus.COMPLETED)
    assert b.verdict(b.skipped_because) is None
    assert named(driver, "a").skipped_because is None


def test_a_failure_that_is_a_warning_is_one():
    driver = Driver()
    driver.create(plan([task("a", severity="warning"), task("b")]))
    driver.fail("a")
    driver.fail("b")
    assert (named(driver, "a").is_warning, named(driver, "b").is_warning) == (True, False)
    assert Severity.WARNING in {
        one.fields.severity for one in view(driver).with_status(TaskStatus.FAILED) if one.fields
    }


def test_a_run_tells_how_it_stands():
    driver = Driver(slots=1)
    driver.create(plan("ab"))
    run = view(driver)
    assert (run.run_id, run.state, run.open, run.running, run.ended_at) == ("r", RunState.EXECUTING, 2, 1, None)
    assert (run.devices_used(), run.counts()["submitted"], run.is_overdue) == ({"d"}, 2, False)
    driver.now = 4.0
    driver.end("a")
    driver.end("b")
    assert (run.state, run.open, run.ended_at) == (RunState.COMPLETED, 0, 4.0)


def test_open_gates_are_listed_as_they_were_asked():
    driver = Driver()
    driver.create(
        plan([task("a", command=None, gate={"message": "go?"}), task("b", command=None, gate={"message": "b?"})])
    )
    assert [(one.id, gate.is_open) for one, gate in view(driver).open_gates()] == [("a", True), ("b", True)]
    driver.do(c.AnswerGate(run_id="r", task_id="a", approve=True))
    assert [one.id for one, _ in view(driver).open_gates()] == ["b"]


@pytest.mark.parametrize("name", ["run_id", "state", "running"])
def test_a_run_cannot_be_changed_by_its_view(name: str):
    driver = Driver()
    driver.create(plan("a"))
    with pytest.raises(AttributeError):
        setattr(view(driver), name, getattr(view(driver), name))


@pytest.mark.parametrize(
    "change", [lambda one: setattr(one, "status", TaskStatus.FAILED), lambda one: setattr(one, "x", 1)]
)
def test_a_task_cannot_be_changed_by_its_view(change: Callable[[TaskView], None]):
    driver = Driver()
    driver.create(plan("a"))
    with pytest.raises(AttributeError):
        change(named(driver, "a"))
