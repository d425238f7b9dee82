"""A task goes only to a device that does what it asks for."""

from __future__ import annotations

from typing import Any

import pytest
from tests.driver import RUN, Driver, plan, task

from starloom import events as ev
from starloom.constellation.edits import AddTask, UpdateTask
from starloom.errors import CommandRefused
from starloom.model.result import ErrorCode, ErrorInfo, Outcome, OutcomeStatus, Result
from starloom.model.status import Placement, TaskStatus
from starloom.model.task import Retry
from starloom.scheduling import commands as c
from starloom.scheduling.stimuli import AttemptEnded, DeviceActionsNoticed, DeviceConnectedNoticed

SHELL: Any = frozenset({"shell"})
PYTHON: Any = frozenset({"python"})


def fleet(**actions: frozenset[str] | None) -> Driver:
    """A driver with a device of two slots for each name."""
    driver = Driver(devices=())
    for name, can in actions.items():
        driver.add_device(name, slots=2, actions=can)
    return driver


def failed(code: str, message: str = "no", *, by_device: bool = False) -> Outcome:
    error = ErrorInfo(code=code, message=message)
    return Outcome(OutcomeStatus.FAILED, Result(error=error), device_failed=by_device)


def end(driver: Driver, id: str, outcome: Outcome) -> None:
    order = driver.ordered.pop((RUN, id))
    driver.turn(AttemptEnded(RUN, id, order.attempt, outcome))


def where(driver: Driver) -> dict[str, str]:
    return {event.task_id: event.device_id for event in driver.of(ev.TaskStarted)}


@pytest.mark.parametrize("placement", list(Placement))
def test_each_goes_where_its_action_runs(placement: Placement) -> None:
    driver = fleet(a=SHELL, b=PYTHON)
    driver.do(c.SetLimits(placement=placement))
    tasks = [task(f"s{n}", shell="x") for n in range(2)] + [task(f"p{n}", python="m:f") for n in range(2)]
    driver.create(plan(tasks))
    assert where(driver) == {"s0": "a", "s1": "a", "p0": "b", "p1": "b"}


def test_a_task_that_no_device_can_do_waits_and_says_so_until_one_joins() -> None:
    driver = fleet(a=SHELL)
    driver.create(plan([task("p", python="m:f"), task("c", call="greet"), task("q", python="m:f", device="a")]))
    assert where(driver) == {}
    assert driver.why("p")[0].text == "It needs a device that runs `python` tasks, and the fleet has no such device."
    assert "runs the handler 'greet'" in driver.why("c")[0].text
    assert "device 'a' that runs `python` tasks" in driver.why("q")[0].text
    assert driver.run().stalled
    driver.add_device("b", slots=1, actions=PYTHON)
    assert where(driver) == {"p": "b"}


def test_what_is_edited_in_goes_by_its_own_action() -> None:
    driver = fleet(a=SHELL, b=PYTHON)
    driver.create(plan([task("s", shell="x"), task("t", shell="x")]), start=False)
    driver.edit(AddTask(task=task("p", python="m:f")), UpdateTask("t", shell=None, python="m:f"))
    driver.do(c.StartRun(run_id=RUN))
    assert where(driver) == {"s": "a", "p": "b", "t": "b"}


def test_a_task_is_not_moved_to_a_device_that_cannot_do_it() -> None:
    driver = fleet(a=SHELL, b=PYTHON)
    driver.create(plan([task("s", shell="x")]), start=False)
    with pytest.raises(CommandRefused, match="runs `shell` tasks, and 'b' does not"):
        driver.do(c.PinTasks(run_id=RUN, task_ids=("s",), device_id="b"))


def test_unsupported_costs_no_attempt_and_the_device_gets_no_more_of_it_until_it_is_connected_again() -> None:
    driver = fleet(a=None)
    driver.create(plan([task("p", python="m:f"), task("s", shell="x")]))
    end(driver, "p", failed(ErrorCode.UNSUPPORTED, "no python here"))
    assert driver.status("p") == TaskStatus.PENDING
    assert driver.of(ev.DeviceActionsChanged)[-1].unsupported == ("python",)
    assert "runs `python` tasks" in driver.why("p")[0].text
    driver.turn(DeviceConnectedNoticed("a"))
    end(driver, "p", failed(ErrorCode.EXCEPTION))
    assert driver.status("p") == TaskStatus.FAILED
    assert [event.reason for event in driver.of(ev.TaskInterrupted)] == ["no python here"]


def test_a_device_that_says_anew_what_it_can_do_gets_such_tasks_again() -> None:
    driver = fleet(a=SHELL)
    driver.create(plan([task("p", python="m:f")]))
    driver.turn(DeviceActionsNoticed("a", SHELL | PYTHON))
    assert where(driver) == {"p": "a"}


def test_attempts_that_could_not_begin_are_free_while_another_device_works_until_the_breaker_trips() -> None:
    driver = fleet(a=None)
    driver.create(plan([task(f"t{n}", retry=Retry(2)) for n in range(2)]))
    driver.add_device("b", slots=1)
    for _ in range(5):
        broken = next(id for (_, id), order in driver.ordered.items() if order.device_id == "a")
        end(driver, broken, failed(ErrorCode.START_FAILED, "no disk", by_device=True))
    assert {event.failures for event in driver.of(ev.BreakerOpened)} == {5}
    assert not driver.of(ev.TaskRetryScheduled, ev.TaskFailed)
    assert len(driver.of(ev.TaskInterrupted)) == 5


def test_without_another_device_that_works_they_cost_an_attempt() -> None:
    driver = fleet(a=None)
    driver.create(plan([task("t")]))
    end(driver, "t", failed(ErrorCode.START_FAILED, "no disk", by_device=True))
    assert driver.status("t") == TaskStatus.FAILED
