"""What a caller gets wrong is refused with a sentence, and the engine goes on with everybody's work."""

from __future__ import annotations

import ast
import asyncio
import inspect
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from tests.driver import task
from tests.virtual_time import engine, loop
from tests.virtual_time import run as run_in_virtual_time

import starloom
from starloom import (
    AddDependency,
    AddTask,
    CommandRefused,
    DeviceError,
    EditBatch,
    EditRefused,
    InProcessDevice,
    MemoryJournal,
    Plan,
    PlanError,
    QueueFull,
    RemoveDependency,
    RemoveTask,
    SettingsError,
    SimulatedDevice,
    Task,
    UpdateDependency,
    UpdateTask,
    load_plan,
    load_settings,
    save_plan,
)
from starloom.scheduling.commands import RunCommand

if TYPE_CHECKING:
    from starloom import TaskContext


async def _wait(_task: Task, context: TaskContext) -> None:
    """Ends when it is stopped."""
    context.emit("")
    await asyncio.Event().wait()


WRONG: dict[str, Any] = {
    "a number as id": lambda _, run: run.cancel_tasks(5),
    "a list of ids": lambda _, run: run.hold(["a", "b"]),
    "no id": lambda _, run: run.release(),
    "None as id": lambda _, run: run.skip(None),
    "one good id and one that is none": lambda _, run: run.hold("b", 5),
    "a status that cannot be marked": lambda _, run: run.mark("b", status="running"),
    "a list as status": lambda _, run: run.mark("b", status=[]),
    "a value that is not JSON": lambda _, run: run.mark("b", value=object()),
    "a priority that is none": lambda _, run: run.set_priority("b", priority=2.5),
    "a number as device": lambda _, run: run.pin("b", device=5),
    "a list as device": lambda _, run: run.pin("b", device=["here"]),
    "a number to rerun from": lambda _, run: run.rerun_from(5),
    "text as switch": lambda _, run: run.rerun_from("b", cancel_running="no"),
    "a reason that is no text": lambda _, run: run.pause(reason=5),
    "a reason that nobody can write down": lambda _, run: run.cancel(reason="\ud800"),
    "an edit whose reason nobody can write down": lambda _, run: run.edit(RemoveTask("b"), reason="\ud800"),
    "hold_open with text": lambda _, run: run.hold_open("yes"),
    "a limit that is text": lambda _, run: run.set_limit("3"),
    "a batch that is none": lambda _, run: run.apply(EditBatch(edits="x")),  # type: ignore[arg-type]
    "a base revision that is text": lambda _, run: run.edit(RemoveTask("b"), base_revision="1"),
    "an origin that is a number": lambda _, run: run.edit(RemoveTask("b"), origin=5),
    "a field that may not change": lambda _, run: run.edit(UpdateTask("b", id="z")),
    "retry of what runs": lambda _, run: run.retry("a", timeout=5),
    "start of what runs": lambda _, run: run.start(),
    "a drained number": lambda engine, _: engine.fleet.drain(5),
    "a drained list": lambda engine, _: engine.fleet.drain([]),
    "slots that are none": lambda engine, _: engine.fleet.set_slots("here", None),
    "an unknown device": lambda engine, _: engine.fleet.enable("there"),
    "a busy device": lambda engine, _: engine.fleet.remove("here"),
    "a group limit that is text": lambda engine, _: engine.set_limits(groups={"g": "1"}),
    "groups in a list": lambda engine, _: engine.set_limits(groups=["g"]),
    "no number of seconds": lambda engine, _: engine.set_limits(starvation_timeout=float("nan")),
    "a placement nobody knows": lambda engine, _: engine.set_limits(placement="best"),
    "a run id that is a number": lambda engine, _: engine.start(Plan(name="x"), run_id=5),
    "a run id twice": lambda engine, run: engine.start(Plan(name="x"), run_id=run.id),
}

EDITS: dict[str, Any] = {
    "text": "b",
    "a task": Task(id="z", call="wait"),
    "a list": [RemoveTask("b")],
    "adding text": AddTask("z"),  # type: ignore[arg-type]
    "a place that is text": AddTask(Task(id="z", call="wait"), place="1"),  # type: ignore[arg-type]
    "removing a number": RemoveTask(5),  # type: ignore[arg-type]
    "removing a list": RemoveTask(["b"]),  # type: ignore[arg-type]
    "updating a list": UpdateTask(["b"], timeout=5),  # type: ignore[arg-type]
    "a dependency as text": AddDependency("a>b"),  # type: ignore[arg-type]
    "a dependency of numbers": RemoveDependency(1, 2),  # type: ignore[arg-type]
    "a changed dependency as text": UpdateDependency("a>b"),  # type: ignore[arg-type]
}


async def _ask(ask: Any) -> CommandRefused:
    """Ask something of a run in which `a` runs and `b` waits; the refusal, after a look at what is left."""
    async with engine(InProcessDevice("here", slots=1, handlers={"wait": _wait})) as orchestrator:
        plan = Plan(name="p", tasks=(Task(id="a", call="wait"), Task(id="b", call="wait")))
        run = await orchestrator.start(plan)
        before = run.facts.canonical() | {"seq": 0}
        with pytest.raises(CommandRefused) as refusal:
            await ask(orchestrator, run)
        assert orchestrator.halted is None
        assert run.facts.canonical() | {"seq": 0} == before
        await run.cancel()
        assert (await run.finished()).state == "cancelled", "the engine goes on"
        return refusal.value


@pytest.mark.parametrize("what", WRONG)
def test_a_wrong_argument_is_refused_with_code_reason_and_hint_and_changes_nothing(what: str) -> None:
    refusal = run_in_virtual_time(_ask(WRONG[what]))
    assert refusal.code
    assert refusal.reason.endswith(".")
    assert refusal.hint.endswith((".", "?"))


@pytest.mark.parametrize("what", EDITS)
def test_what_is_no_edit_is_refused_by_its_place_in_the_batch_together_with_the_other_bad_ones(what: str) -> None:
    refusal = run_in_virtual_time(_ask(lambda _, run: run.edit(RemoveTask("b"), EDITS[what], RemoveTask("nobody"))))
    assert isinstance(refusal, EditRefused)
    assert [(problem.where, problem.code) for problem in refusal.problems] == [
        ("edits[1]", "malformed_edit"),
        ("edits[2]", "unknown_task"),
    ]
    assert all(problem.message and problem.hint for problem in refusal.problems)


class Odd(RunCommand, frozen=True, kw_only=True):
    """A command that no scheduler knows, as a defect would have it."""


@pytest.mark.expects_log
def test_whoever_asks_what_halts_the_engine_is_told_and_it_goes_on_without_that_after_a_retry() -> None:
    async def main() -> None:
        loop().set_exception_handler(lambda *_: None)
        device = SimulatedDevice("here")
        async with engine(device, journal=MemoryJournal()) as orchestrator:
            run = await orchestrator.start(Plan(name="p", tasks=(task("a", simulate=5),)))
            with pytest.raises(CommandRefused, match="This is a defect") as refusal:
                await orchestrator.pump.ask(Odd(run_id=run.id))
            assert refusal.value.code == "halted"
            assert orchestrator.halted is not None
            orchestrator.retry_commit()
            assert (await run.finished()).state == "completed"

    run_in_virtual_time(main())


class Panic(BaseException):
    """What libraries of other languages raise: no Exception."""


def test_a_handler_that_raises_what_is_no_exception_fails_its_task_and_the_run_ends() -> None:
    async def panic(_task: Task, _context: TaskContext) -> None:
        raise Panic("at the edge")

    async def main() -> None:
        async with engine(InProcessDevice("here", handlers={"panic": panic})) as orchestrator:
            run = await orchestrator.start(Plan(name="p", tasks=(Task(id="a", call="panic"),)))
            assert (await run.finished()).state == "failed"
            error = run.results["a"].error
            assert error is not None
            assert error.message == "Panic: at the edge"

    run_in_virtual_time(main())


LEAVING = """
import asyncio
from starloom import InProcessDevice, Orchestrator, Plan, Task

async def leave(task, context):
    raise SystemExit(3)

async def main():
    async with Orchestrator(devices=[InProcessDevice("here", handlers={"leave": leave})]) as orchestrator:
        run = await orchestrator.start(Plan(name="p", tasks=[Task(id="a", call="leave")]))
        await run.finished()

asyncio.run(main())
"""


def test_a_handler_that_ends_the_program_ends_it() -> None:
    """Leaving the engine waits for every attempt, and so would for this one for ever if its end were lost."""
    done = subprocess.run([sys.executable, "-c", LEAVING], capture_output=True, timeout=30, check=False)
    assert done.returncode == 3


def test_every_refusal_in_the_engine_is_made_with_a_code_a_reason_and_a_hint() -> None:
    bare = []
    for path in Path(starloom.__file__).parent.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            is_refusal = isinstance(node, ast.Call) and getattr(node.func, "id", "") == "CommandRefused"
            if isinstance(node, ast.Call) and is_refusal and len(node.args) < 3:
                bare.append(f"{path.name}:{node.lineno}")
    assert not bare


def test_every_public_name_and_what_can_be_called_on_it_has_a_docstring_of_its_own() -> None:
    silent = []
    for name in starloom.__all__:
        thing = getattr(starloom, name)
        made_up = f"{name}("  # what dataclasses write themselves
        if not (thing.__doc__ or "").strip() or thing.__doc__.startswith(made_up):
            silent.append(name)
        if isinstance(thing, type):
            members = {member: value for member, value in vars(thing).items() if not member.startswith("_")}
            for member, value in members.items():
                is_told = isinstance(value, property | classmethod | staticmethod) or inspect.isfunction(value)
                if is_told and not inspect.getdoc(getattr(thing, member)):
                    silent.append(f"{name}.{member}")
    assert not silent


def test_the_errors_that_docstrings_promise_are_raised(tmp_path: Path) -> None:
    async def main() -> None:
        async with engine(SimulatedDevice("here", slots=1)) as orchestrator:
            run = await orchestrator.start(Plan(name="p", tasks=(task("a", simulate=1),)))
            for ask in (run.task, run.why):
                with pytest.raises(CommandRefused) as unknown:
                    ask("b")
                assert unknown.value.code == "unknown_task"
            for look in (orchestrator.run, orchestrator.fleet.device):
                with pytest.raises(KeyError):
                    look("nobody")
            with pytest.raises(KeyError):
                run.results["a"]
            with pytest.raises(DeviceError):
                await orchestrator.fleet.add(SimulatedDevice("here", slots=2))
            await orchestrator.set_limits(max_concurrency=0, max_queue=1)
            await run.edit(AddTask(task("b", simulate=1)))
            with pytest.raises(QueueFull):
                await orchestrator.submit(task("c", simulate=1))
            await orchestrator.set_limits(max_concurrency=None)
        with pytest.raises(CommandRefused):
            await orchestrator.start(Plan(name="late"))
        with pytest.raises(CommandRefused):
            await run.pause()

    run_in_virtual_time(main())
    with pytest.raises(PlanError):
        load_plan(tmp_path / "nothing.yaml")
    with pytest.raises(PlanError):
        save_plan(Plan(name="p"), tmp_path / "p.unknown")
    with pytest.raises(SettingsError):
        load_settings(tmp_path / "nothing.toml")
