"""A change of device or priority in Staged mode is an edit like any other: nothing is sent before the commit."""

from __future__ import annotations

import pytest
from tests.driver import RUN, task
from tests.gui.editing.run_editor_bench import RunEditorBench

from starloom.constellation.edits import AddTask, UpdateTask
from starloom.scheduling import commands as c
from starloom.scheduling.read.run_view import TaskView
from starloom_gui.editing.base import Mode
from starloom_gui.editing.ordering import Ordering
from starloom_gui.editing.run_gateway import RunGateway
from starloom_gui.specs.action_spec import Verb
from starloom_gui.timeline.pins import EditorPins
from starloom_gui.viewmodel.task_fields import change
from starloom_gui.widgets.offers import offer_of, offered

AT_ONCE = "It acts at once: only edits are staged."


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


def test_of_a_task_that_is_only_staged_too_the_device_has_to_be_there(bench: RunEditorBench, device: str) -> None:
    bench.do(AddTask(task("new")))
    gateway = RunGateway(bench.editor, bench.engine)
    verdict = gateway.can(c.PinTasks(run_id=RUN, task_ids=("new",), device_id="nowhere"))
    assert (verdict.ok, verdict.reason) == (False, "There is no device nowhere.")
    assert gateway.can(c.PinTasks(run_id=RUN, task_ids=("new",), device_id=device)).ok


@pytest.mark.parametrize("mode", list(Mode))
def test_what_acts_at_once_while_edits_are_staged_says_so(mode: Mode) -> None:
    gateway = RunGateway((bench := RunEditorBench(mode)).editor, bench.engine)
    hold = gateway.can(c.HoldTasks(run_id=RUN, task_ids=("b",)))
    assert (hold.ok, hold.caution) == (True, AT_ONCE if mode is Mode.STAGED else "")
    assert not gateway.can(c.SetPriority(run_id=RUN, task_ids=("b",), priority=95)).caution, "it is staged"
    assert not gateway.can(c.PauseRun(run_id=RUN)).caution
    (offer,) = offered(gateway, [offer_of(c.SkipTasks(run_id=RUN, task_ids=("b",)))])
    assert AT_ONCE in offer.verdict.caution or mode is Mode.LIVE


def test_breakpoints_are_staged_like_other_fields_but_not_those_for_a_next_start(bench: RunEditorBench) -> None:
    bench.steer(Verb.SET_BREAKPOINT, "b")
    assert staged(bench) == {"breakpoint": True}
    assert not bench.run().breakpoints, "nothing is sent before the commit"
    bench.steer(Verb.SET_BREAKPOINT, "a")
    run = bench.run()
    assert set(run.breakpoints) == {run.graph.place["a"]}, "it runs, and no edit may change it"


def test_a_priority_is_offered_by_what_is_staged(bench: RunEditorBench) -> None:
    run, b = bench.run(), bench.run().graph.place["b"]
    gateway = RunGateway(bench.editor, bench.engine)
    ordering = Ordering(bench.editor, gateway, bench.editor.run_facts, lambda _: None, lambda _: run)
    before = ordering.now(b)
    ordering.give(b, 95, "Run b before c")
    assert (before, ordering.now(b)) == (50, 95)
    ordering.give(b, 50, "Run b after c")
    shown = bench.editor.view()
    assert shown is not None
    assert shown.task(b).priority == 50


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


def test_the_first_command_that_overtakes_staged_edits_is_told(bench: RunEditorBench) -> None:
    told: list[str] = []
    bench.editor.overtook.connect(told.append)
    bench.editor.steer(c.HoldTasks(run_id=RUN, task_ids=("b",)), "Hold b")
    assert not told, "nothing is staged"
    bench.do(AddTask(task("new")))
    for label in ("Release b", "Hold b"):
        bench.editor.steer(c.ReleaseTasks(run_id=RUN, task_ids=("b",)), label)
    assert told == ["Release b"]
    bench.editor.staging.discard()
    bench.editor.steer(c.HoldTasks(run_id=RUN, task_ids=("b",)), "Hold b")
    bench.do(AddTask(task("new")))
    bench.editor.steer(c.HoldTasks(run_id=RUN, task_ids=("b",)), "Hold b again")
    assert told == ["Release b", "Hold b again"]
