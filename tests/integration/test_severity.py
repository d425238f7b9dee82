"""Handlers, functions and programs say how bad their failure is, and warn while they run."""

from __future__ import annotations

import asyncio
import sys
import threading
from typing import TYPE_CHECKING, Any

import pytest
from tests.integration.local_harness import posix_only
from tests.virtual_time import engine, run

from starloom import InProcessDevice, LocalDevice, Orchestrator, Plan, RunState, Severity, Task, TaskError
from starloom import events as ev
from starloom.agents.rules import RuleAgent
from starloom.formats.rules import read_rules
from starloom.journal.base import MemoryJournal
from starloom.settings import SchedulerSettings

if TYPE_CHECKING:
    from pathlib import Path

    from starloom.devices.base import TaskContext

BOUND = 60.0


async def _result_of(handler: Any, **fields: Any) -> tuple[Any, Any]:
    async with engine(InProcessDevice("d", handlers={"work": handler})) as orchestrator:
        handle = await orchestrator.start(Plan(tasks=[Task(id="t", call="work", **fields)]))
        await handle.finished()
        return handle.state, handle.results["t"].error


def test_a_handler_raises_an_error_with_a_severity_of_its_own() -> None:
    async def soft(_task: Task, _context: TaskContext) -> None:
        raise TaskError("the tile is empty", severity="warning")

    state, error = run(_result_of(soft, severity="critical"))
    assert state is RunState.COMPLETED
    assert (error.message, error.severity) == ("the tile is empty", Severity.WARNING)
    assert "in soft" in error.detail


def test_an_error_without_a_severity_has_that_of_its_task() -> None:
    async def plain(_task: Task, _context: TaskContext) -> None:
        raise TaskError("no")

    state, error = run(_result_of(plain, severity="warning"))
    assert (state, error.severity) == (RunState.COMPLETED, Severity.WARNING)


def test_a_wrong_severity_fails_the_task_with_a_sentence() -> None:
    async def wrong(_task: Task, _context: TaskContext) -> None:
        raise TaskError("no", severity="fatal")

    state, error = run(_result_of(wrong))
    assert state is RunState.FAILED
    assert error.message == "ValueError: severity must be warning, error or critical, not 'fatal'"
    assert error.severity is Severity.ERROR


def on_local(*tasks: Task, **options: Any) -> Any:
    async def main() -> Any:
        async with asyncio.timeout(BOUND):
            device = LocalDevice("here", slots=2, **options)
            async with Orchestrator([device], settings=SchedulerSettings()) as orchestrator:
                handle = await orchestrator.start(Plan(tasks=tasks))
                await handle.finished()
                return handle.state, dict(handle.results)

    return asyncio.run(main())


MODULE = """
import sys

class Odd(Exception):
    severity = "critical"

def soft():
    from starloom import TaskError
    raise TaskError("the tile is empty", severity="warning")

def odd():
    raise Odd("without Starloom")

def leave(code):
    sys.exit(code)
"""


@pytest.fixture(name="functions")
def _functions(tmp_path: Path) -> Path:
    (tmp_path / "severity_functions.py").write_text(MODULE, encoding="utf-8")
    return tmp_path


def test_the_function_of_a_python_task_says_it_too(functions: Path) -> None:
    task = Task(
        id="t", python="severity_functions:soft", env={"PYTHONPATH": str(functions)}, severity=Severity.CRITICAL
    )
    state, results = on_local(task)
    error = results["t"].error
    assert (state, error.message, error.severity) == (RunState.COMPLETED, "the tile is empty", Severity.WARNING)


def test_an_exception_of_its_own_may_say_it_without_starloom(functions: Path) -> None:
    task = Task(id="t", python="severity_functions:odd", env={"PYTHONPATH": str(functions)})
    state, results = on_local(task)
    error = results["t"].error
    assert (state, error.severity) == (RunState.FAILED, Severity.CRITICAL)
    assert "Odd: without Starloom" in error.message


def test_an_exit_code_of_programs_and_functions_means_what_the_plan_says(functions: Path) -> None:
    severity: Any = {75: "warning", "else": "critical"}
    leave = "severity_functions:leave"
    tasks = [
        Task(id="command", command=(sys.executable, "-c", "raise SystemExit(75)"), severity=severity),
        Task(id="python", python=leave, inputs={"code": 75}, env={"PYTHONPATH": str(functions)}, severity=severity),
    ]
    state, results = on_local(*tasks)
    assert state is RunState.COMPLETED
    assert {result.error.severity for result in results.values()} == {Severity.WARNING}


@posix_only
def test_a_signal_may_mean_something_of_its_own() -> None:
    severity: Any = {-9: "warning"}
    state, results = on_local(Task(id="t", shell="kill -KILL $$", severity=severity))
    assert (state, results["t"].error.severity) == (RunState.COMPLETED, Severity.WARNING)


# ---- warnings


def test_a_handler_warns_while_it_runs_and_from_a_thread_and_the_journal_keeps_it() -> None:
    async def work(_task: Task, context: TaskContext) -> str:
        context.warn("the disk is nearly full")
        await asyncio.to_thread(context.warn, "so is the other one \udcff")
        return "done"

    async def main() -> None:
        journal, heard = MemoryJournal(), list[Any]()
        device = InProcessDevice("d", handlers={"work": work})
        async with Orchestrator([device], settings=SchedulerSettings(), journal=journal) as orchestrator:
            orchestrator.events.subscribe(heard.append, ev.TaskWarned)
            handle = await orchestrator.start(Plan(tasks=[Task(id="t", call="work")]))
            await handle.finished()
            assert (handle.state, handle.results["t"].value) == (RunState.COMPLETED, "done")
        told = [event.message for event in heard]
        assert told == ["the disk is nearly full", "so is the other one \\udcff"]
        kept = [event for event in journal.committed() if isinstance(event, ev.TaskWarned)]
        assert kept == heard

    asyncio.run(main())


def test_a_flood_of_warnings_is_cut_off_and_says_so() -> None:
    async def work(_task: Task, context: TaskContext) -> None:
        for number in range(10_000):
            context.warn(f"warning {number} " + "x" * 5_000)

    async def main() -> None:
        heard = list[Any]()
        async with engine(InProcessDevice("d", handlers={"work": work})) as orchestrator:
            orchestrator.events.subscribe(heard.append, ev.TaskWarned)
            handle = await orchestrator.start(Plan(tasks=[Task(id=name, call="work") for name in "ab"]))
            await handle.finished()
        for name in "ab":
            own = [event.message for event in heard if event.task_id == name]
            assert len(own) == 101
            assert own[-1] == "There are more than 100 warnings; the others are not kept."
            assert max(map(len, own)) == 2_000

    run(main())


def test_a_warning_after_the_end_is_heard_by_nobody() -> None:
    contexts: list[TaskContext] = []

    async def work(_task: Task, context: TaskContext) -> None:
        contexts.append(context)

    async def main() -> None:
        heard = list[Any]()
        async with engine(InProcessDevice("d", handlers={"work": work})) as orchestrator:
            orchestrator.events.subscribe(heard.append, ev.TaskWarned)
            handle = await orchestrator.start(Plan(tasks=[Task(id="t", call="work")]))
            await handle.finished()
            contexts[0].warn("too late")
        assert heard == []

    run(main())
    late = threading.Thread(target=contexts[0].warn, args=("the loop has ended",))
    late.start()
    late.join()


# ---- agents


def test_a_rule_asks_for_the_severity() -> None:
    async def soft(_task: Task, _context: TaskContext) -> None:
        raise TaskError("empty", severity="warning")

    async def nothing(_task: Task, _context: TaskContext) -> None:
        return None

    rules = [
        {
            "on": {"status": "failed", "when": "severity == 'warning'"},
            "do": [{"add_task": {"id": "note", "call": "nothing", "name": "${task.severity}: ${task.error}"}}],
        }
    ]

    async def main() -> None:
        device = InProcessDevice("d", handlers={"soft": soft, "nothing": nothing})
        async with engine(device) as orchestrator:
            handle = await orchestrator.start(Plan(tasks=[Task(id="t", call="soft")]), paused=True)
            await handle.attach(RuleAgent(read_rules(rules)))
            await handle.start()
            await handle.finished()
            assert handle.facts.graph.task("note").name == "warning: empty"

    run(main())
