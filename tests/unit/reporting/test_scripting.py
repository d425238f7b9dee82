"""The script of a run: which of its events are people's doing, and what each entry waits for."""

from __future__ import annotations

from typing import Any

import pytest
from tests.driver import Driver, edge, plan, task
from tests.unit.reporting.story import Story, proposing, steered

from starloom.constellation.edits import AddDependency, AddTask, EditBatch, RemoveDependency, RemoveTask, UpdateTask
from starloom.formats.command_forms import read_command
from starloom.formats.command_writer import command_form
from starloom.formats.script import dump_script, read_script
from starloom.formats.source import read_document
from starloom.model.status import Placement, TaskStatus
from starloom.reporting.scripting import scripted
from starloom.scheduling import commands as c
from starloom.scheduling.decide.specs import WORDS
from starloom.scheduling.reservation_commands import BreakReservation, ReleaseReservation, Reserve

EDITS = (
    AddTask(task("new", timeout=90.0, retry=2, groups=("g",), inputs={"a": [1]})),
    AddTask(task("gate", gate="Go?")),
    AddDependency(edge("a", "new", condition="value > 1")),
    UpdateTask("a", device="one", priority=80, command=("echo", "x")),
    UpdateTask("c", timeout=None, estimate=None),
    RemoveDependency("a", "b"),
    RemoveTask("b"),
)
COMMANDS: tuple[c.Command, ...] = (
    c.EditConstellation(run_id="", batch=EditBatch(edits=EDITS)),
    c.HoldTasks(run_id="", task_ids=("a", "b")),
    c.ReleaseTasks(run_id="", task_ids=("a",)),
    c.CancelTasks(run_id="", task_ids=("a",)),
    c.SkipTasks(run_id="", task_ids=("a",)),
    c.SetBreakpoints(run_id="", task_ids=("a",)),
    c.ClearBreakpoints(run_id="", task_ids=("a",)),
    c.RetryTasks(run_id="", task_ids=("a", "b")),
    c.RetryTasks(run_id="", task_ids=("a",), fields={"timeout": 5.0, "simulate": task("x", simulate=2.0).simulate}),
    c.MarkTasks(run_id="", task_ids=("a",), status=TaskStatus.FAILED, value={"b": [1, None]}),
    c.RerunFrom(run_id="", task_id="a"),
    c.RerunFrom(run_id="", task_id="a", cancel_running=True),
    c.SetPriority(run_id="", task_ids=("a",), priority=80),
    c.PinTasks(run_id="", task_ids=("a",), device_id="one"),
    c.PinTasks(run_id="", task_ids=("a",), device_id=None),
    c.AnswerGate(run_id="", task_id="a", approve=False, note="no"),
    c.AnswerQuestion(run_id="", numbers=(3,), option="once", note="well"),
    c.AnswerQuestion(run_id="", numbers=(1, 2), reject=True),
    c.PauseRun(run_id=""),
    c.ResumeRun(run_id=""),
    c.CancelRun(run_id=""),
    c.SetRunLimit(run_id="", max_concurrency=None),
    c.HoldRunOpen(run_id="", hold_open=False),
    c.RunUntil(run_id="", task_ids=("a",)),
    c.RunUntil(run_id=""),
    c.StepRun(run_id=""),
    c.DrainDevice(device_id="one"),
    c.ResumeDevice(device_id="one"),
    c.DisableDevice(device_id="one"),
    c.EnableDevice(device_id="one"),
    c.RemoveDevice(device_id="one"),
    c.TryDeviceAgain(device_id="one"),
    c.SetSlots(device_id="one", slots=0),
    c.SetLimits(max_concurrency=3, groups={"g": 2, "h": None}),
    c.SetLimits(max_queue=9, starvation_timeout=0.0, placement=Placement.ROUND_ROBIN, overdue_factor=2.5),
    c.SetLimits(modification_timeout=1.5),
    c.StartRun(run_id=""),
    c.PauseAgent(run_id="", agent="rules"),
    c.ResumeAgent(run_id="", agent="rules"),
    c.DetachAgent(run_id="", agent="rules"),
    c.TrustAgent(run_id="", agent="rules", asks=("add_task", "remove_task")),
    c.TrustAgent(run_id="", agent="rules"),
    c.SetFence(run_id="", fence=None),
    c.SetFence(run_id="", fence="none", modification_timeout=1.5, approval_timeout=None),
    c.AnswerApproval(run_id="", approval=3, accept=True, note="well", without=(0, 2)),
    c.AnswerApproval(run_id="", approval=3, accept=False),
    Reserve(device_id="one", seconds=5400.0, reason="under repair"),
    Reserve(seconds=0.5, reason="we look at it"),
    ReleaseReservation(device_id="one"),
    ReleaseReservation(),
    BreakReservation(device_id="one", reason="it is needed"),
    BreakReservation(reason="it is needed"),
)


def unread(*_: Any) -> None:
    raise AssertionError(_)


@pytest.mark.parametrize("command", COMMANDS, ids=lambda one: type(one).__name__)
def test_every_command_is_read_as_it_was_written(command: c.Command) -> None:
    read = read_command(command_form(command), unread)
    assert command_form(read) == command_form(command)
    if not isinstance(command, c.EditConstellation):
        assert read == command


def test_fields_as_somebody_has_typed_them_are_read_as_an_engine_settles_them() -> None:
    typed = UpdateTask("a", timeout="40 s", retry=2, priority="high", estimate="1m", requires=["gpu"])
    command = c.EditConstellation(run_id="", batch=EditBatch(edits=(typed,)))
    read = read_command(command_form(command), unread)
    assert isinstance(read, c.EditConstellation)
    (edit,) = read.batch.edits
    assert isinstance(edit, UpdateTask)
    assert edit.fields["timeout"] == 40.0
    assert edit.fields["retry"].attempts == 3
    assert edit.fields["priority"] == 80
    assert edit.fields["estimate"] == 60.0
    assert edit.fields["requires"] == frozenset({"gpu"})


def test_there_is_a_test_of_every_word() -> None:
    forms = [command_form(one) for one in COMMANDS]
    assert {form if isinstance(form, str) else next(iter(form)) for form in forms} == set(WORDS)


@pytest.mark.parametrize(
    "form",
    [
        *(
            3,
            {},
            {"hold": []},
            {"hold": [1]},
            {"retry": {"tasks": "a", "fields": 3}},
            {"mark": {"tasks": "a", "status": 3}},
        ),
        *({"pin": "a"}, {"set_limit": -1}, {"set_limit": True}, {"hold_open": 1}, {"answer_gate": {"task": "a"}}),
        *(
            {"set_slots": {"device": "a"}},
            {"set_limits": {"groups": 3}},
            {"set_priority": {"tasks": "a", "priority": []}},
        ),
        *({"reserve": "a"}, {"reserve": {"for": "never", "reason": "a"}}, {"reserve": {"for": 3, "device": 3}}),
        *({"release_reservation": 3}, {"break_reservation": {"reason": 3}}),
        *({"retry": {"tasks": "a", "fields": {"timeout": "never"}}}, {"step": 3}, {"edit": 3}, {"edit": ["remove"]}),
    ],
    ids=str,
)
def test_what_is_no_command_is_said(form: Any) -> None:
    said: list[tuple[Any, ...]] = []
    assert read_command(form, lambda *problem: said.append(problem)) is None
    assert said
    assert all(message.endswith(".") for _, message, _ in said)


def test_a_steered_run_as_a_script() -> None:
    text = dump_script(scripted("r", steered()))
    assert text.startswith("# What people did to a run")
    entries = read_script(read_document(text)).entries
    assert [(one.by, one.why, one.after, one.started, one.wait) for one in entries] == [
        ("operator", "", ("configure",), (), 0.0),
        ("agent:rules", "not needed any more", ("compile hal",), (), 0.0),
        ("operator", "", ("compile ble",), (), 0.0),
        ("ada", "half the soak is enough", (), (), 0.0),
    ]


def test_what_agents_did_is_left_out_and_said() -> None:
    script = scripted("r", proposing().events)
    assert script.entries == ()
    assert script.left_out == (
        "3 commands about agents left out. Attach the agents anew.",
        "2 edits by agents left out. Attach the agents anew.",
    )


def story(edges: tuple[str, ...] = ("a>b", "b>c", "a>d")) -> Story:
    return Story({"one": 4}, plan(["a", "b", "c", "d"], list(edges)))


def done(made: Story) -> list[Any]:
    return [(one.command, one.after, one.started, one.wait) for one in scripted("r", made.events).entries]


def test_one_command_about_many_tasks_is_one_entry() -> None:
    made = story(edges=())
    made.after(1, "a")
    made.ask(c.CancelTasks, "b", "c", reason="enough")
    made.after(1)
    (cancel,) = done(made)
    assert cancel == (c.CancelTasks(run_id="", task_ids=("b", "c")), ("a",), ("b", "c"), 0.0)


def test_what_follows_from_a_cancelled_run_or_an_answered_gate_is_no_entry_of_its_own() -> None:
    made = Story({"one": 4}, plan([task("ship", gate="Go?"), "a", "b"], ["ship>b"]))
    made.after(2)
    made.ask(c.AnswerGate, task_id="ship", approve=True)
    made.after(1)
    made.ask(c.CancelRun, reason="enough")
    answer, cancel = done(made)
    assert answer == (c.AnswerGate(run_id="", task_id="ship", approve=True), (), ("ship",), 2.0)
    assert cancel == (c.CancelRun(run_id=""), ("ship",), (), 1.0)


def test_a_rerun_is_told_by_the_task_it_began_with() -> None:
    made = story()
    made.after(1, "a")
    made.after(1, "b", "d")
    made.ask(c.RerunFrom, task_id="b", cancel_running=True)
    made.ask(c.RerunFrom, task_id="d")
    rerun, other = done(made)
    assert rerun[:3] == (c.RerunFrom(run_id="", task_id="b", cancel_running=True), ("d", "b"), ("c",))
    assert other[0] == c.RerunFrom(run_id="", task_id="d")


def test_a_retry_with_other_fields_is_one_entry() -> None:
    made = story()
    made.after(1)
    made.fail("a")
    made.after(3)
    made.ask(c.RetryTasks, "a", fields={"timeout": 60})
    ((command, after, started, wait),) = done(made)
    assert command == c.RetryTasks(run_id="", task_ids=("a",), fields={"timeout": 60.0})
    assert (after, started, wait) == (("a",), (), 3.0)


def test_an_entry_waits_since_the_one_above_where_nothing_ended_between_them() -> None:
    made = story()
    made.after(5)
    made.ask(c.HoldTasks, "b")
    made.after(2)
    made.ask(c.ReleaseTasks, "b")
    made.after(1, "a")
    made.after(4)
    made.ask(c.PauseRun)
    assert [(after, wait) for _, after, _, wait in done(made)] == [((), 5.0), ((), 2.0), (("a",), 4.0)]


def test_what_was_said_before_the_start_is_said_at_once() -> None:
    driver = Driver(devices=("one",))
    driver.create(plan(["a", "b"]), start=False)
    driver.advance(7)
    driver.ask(c.HoldTasks, "b")
    driver.advance(3)
    driver.ask(c.StartRun)
    (entry,) = scripted("r", [event for event in driver.journal() if event.run_id == "r"]).entries
    assert entry.is_at_once
