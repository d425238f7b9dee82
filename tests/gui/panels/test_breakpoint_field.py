"""The field of the breakpoint says what the run does, whoever set it: the plan, an edit or a command."""

from __future__ import annotations

import pytest
from tests.driver import Driver, plan, task
from tests.gui.panels.fleets import ByHand

from starloom.scheduling import commands as c
from starloom.scheduling.read.run_view import RunView
from starloom_gui.panels.bulk import change_all, common_fields
from starloom_gui.viewmodel.task_fields import BREAKPOINT, change, fields_of


def driven() -> Driver:
    driver = Driver(slots=1)
    driver.create(plan([task("a"), task("b"), task("c", breakpoint=True)], ["a>b", "a>c"]))
    driver.do(c.SetBreakpoints(run_id="r", task_ids=("b",)))
    return driver


def shown(driver: Driver, task_id: str) -> str:
    run = RunView(driver.run())
    (field,) = (one for one in fields_of(run.task(run.graph.place[task_id])) if one.name == BREAKPOINT)
    return field.text


@pytest.mark.parametrize("task_id", ["b", "c"])
def test_a_breakpoint_is_shown_and_cleared_whoever_set_it(app, task_id):
    driver = driven()
    run = RunView(driver.run())
    assert shown(driver, task_id) == "true"
    assert change(ByHand(driver), run.task(run.graph.place[task_id]), BREAKPOINT, "false", run.revision) == ""
    assert run.graph.place[task_id] not in driver.run().breakpoints
    assert shown(driver, task_id) == "false"


def test_what_a_command_cleared_is_set_again_by_the_field(app):
    driver = driven()
    driver.do(c.ClearBreakpoints(run_id="r", task_ids=("c",)))
    run = RunView(driver.run())
    assert shown(driver, "c") == "false"
    assert change(ByHand(driver), run.task(run.graph.place["c"]), BREAKPOINT, "true", run.revision) == ""
    assert run.graph.place["c"] in driver.run().breakpoints


def test_breakpoints_of_several_tasks_are_cleared_at_once(app):
    driver = driven()
    run = RunView(driver.run())
    numbers = {run.graph.place["b"], run.graph.place["c"]}
    (field,) = (one for one in common_fields(run, numbers) if one.name == BREAKPOINT)
    assert field.text == "true"
    assert change_all(ByHand(driver), run, numbers, BREAKPOINT, "false", run.revision) == ""
    assert not driver.run().breakpoints
