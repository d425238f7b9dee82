"""A change of device or priority in Staged mode is an edit like any other: nothing is sent before the commit."""

from __future__ import annotations

import pytest
from tests.driver import RUN, task
from tests.gui.editing.run_editor_bench import RunEditorBench

from starloom.constellation.edits import AddTask, UpdateTask
from starloom.scheduling import commands as c
from starloom.scheduling.read.run_view import TaskView
from starloom_gui.editing.base import Mode
from starloom_gui.editing.run_gateway import RunGateway
from starloom_gui.timeline.pins import EditorPins
from starloom_gui.viewmodel.task_fields import change


def staged(bench: RunEditorBench) -> dict[str, object]:
    """The fields of `b` that are staged."""
    edits = [edit for one in bench.editor.steps for edit in one.step.edits]
    assert all(isinstance(edit, UpdateTask) for edit in edits)
    return {name: value for edit in edits if isinstance(edit, UpdateTask) for name, value in edit.fields.items()}


@pytest.fixture
def bench() -> RunEditorBench:
    return RunEditorBench(Mode.STAGED)


@pytest.fixture
def device(bench: RunEditorBench) -> str:
    return next(iter(bench.driver.scheduler.fleet.devices))


def test_device_and_priority_of_the_form_are_staged_and_discarded(bench: RunEditorBench, device: str) -> None:
    gateway, run = RunGateway(bench.editor, bench.engine), bench.run()
    b = TaskView(run, run.graph.place["b"])
    assert change(gateway, b, "device", device, run.revision) == ""
    assert change(gateway, b, "priority", "95", run.revision) == ""
    assert not bench.engine.sent, "it acted before the commit"
    assert staged(bench) == {"device": device, "priority": "95"}
    shown = bench.editor.view()
    assert shown is not None
    assert (shown.task(b.number).priority, shown.task(b.number).pin) == (95, device)
    bench.editor.staging.discard()
    shown = bench.editor.view()
    assert shown is not None
    assert (shown.task(b.number).priority, shown.task(b.number).pin) == (b.priority, b.pin)


def test_a_task_that_is_only_staged_is_pinned_as_one_of_the_run(bench: RunEditorBench, device: str) -> None:
    bench.do(AddTask(task("new")))
    gateway = RunGateway(bench.editor, bench.engine)
    pins, facts = EditorPins(bench.editor, gateway, bench.editor.facts), bench.editor.facts()
    assert facts is not None
    number = facts.graph.place["new"]
    assert pins.verdict(number, device).ok
    pins.pin(number, device)
    assert not bench.engine.sent
    assert pins.device_of(number) == device


def test_a_device_that_is_not_there_is_refused_before_it_is_staged(bench: RunEditorBench) -> None:
    gateway = RunGateway(bench.editor, bench.engine)
    verdict = gateway.can(c.PinTasks(run_id=RUN, task_ids=("b",), device_id="nowhere"))
    assert not verdict.ok
    assert "nowhere" in verdict.reason


def test_a_hold_acts_at_once_as_no_edit_can_say_it(bench: RunEditorBench) -> None:
    RunGateway(bench.editor, bench.engine).do(c.HoldTasks(run_id=RUN, task_ids=("b",)))
    assert [type(command) for _, command in bench.engine.sent] == [c.HoldTasks]
    assert not bench.editor.steps


def test_what_is_unpinned_goes_back_to_the_device_of_its_plan(bench: RunEditorBench, device: str) -> None:
    bench.driver.add_device("other")
    bench.driver.edit(UpdateTask("b", device=device))
    bench.driver.ask(c.PinTasks, "b", device_id="other")
    bench.tell()
    RunGateway(bench.editor, bench.engine).do(c.PinTasks(run_id=RUN, task_ids=("b",), device_id=None))
    facts = bench.editor.facts()
    assert facts is not None
    assert facts.pin_of(facts.graph.place["b"]) == device
