"""Taking back what was steered, after others have steered the same to the very same state: they mean it so."""

from __future__ import annotations

import pytest
from tests.driver import RUN
from tests.gui.editing.run_editor_bench import RunEditorBench

from starloom.scheduling import commands as c
from starloom_gui.specs.action_spec import Verb


def test_a_hold_that_another_one_has_made_ones_own_is_not_taken_back() -> None:
    bench = RunEditorBench()
    bench.steer(Verb.HOLD, "b")
    bench.driver.ask(c.ReleaseTasks, "b", origin="bob")
    bench.driver.ask(c.HoldTasks, "b", origin="bob")
    bench.tell()
    bench.undo()
    [(_, why)] = bench.said
    assert "“b” has been steered otherwise since." in why
    number = bench.run().graph.place["b"]
    assert number in bench.run().held


def test_a_drain_that_another_one_has_made_ones_own_is_not_taken_back() -> None:
    bench = RunEditorBench()
    bench.editor.steer(c.DrainDevice(device_id="lab-a"), "Drain lab-a")
    bench.settle()
    for command in (c.ResumeDevice, c.DrainDevice):
        bench.driver.do(command(device_id="lab-a", origin="bob"))
    bench.tell()
    bench.undo()
    assert "“lab-a” has been steered otherwise since." in bench.said[0][1]
    assert bench.driver.scheduler.fleet.devices["lab-a"].draining


@pytest.mark.parametrize("other", ["c", "own"])
def test_what_others_do_to_another_task_and_what_one_does_oneself_is_in_nobodys_way(other: str) -> None:
    bench = RunEditorBench()
    bench.steer(Verb.HOLD, "b")
    if other == "c":
        bench.driver.do(c.HoldTasks(run_id=RUN, task_ids=("c",), origin="bob"))
    else:
        bench.driver.do(c.ReleaseTasks(run_id=RUN, task_ids=("b",), origin=c.OPERATOR))
        bench.driver.do(c.HoldTasks(run_id=RUN, task_ids=("b",), origin=c.OPERATOR))
    bench.tell()
    bench.undo()
    assert bench.said == []
    assert bench.run().graph.place["b"] not in bench.run().held
    bench.redo()
    assert bench.run().graph.place["b"] in bench.run().held
    bench.undo()
    assert bench.said == []
