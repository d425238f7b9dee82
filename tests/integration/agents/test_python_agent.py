"""Agents that are Python functions: asked in a child process, which may do whatever it likes and harms nobody."""

from __future__ import annotations

import asyncio
import sys
from typing import TYPE_CHECKING

import psutil
import pytest

from starloom import Orchestrator, Plan, RunState, SimulatedDevice
from starloom import events as ev
from starloom.agents.allowance import Caps
from starloom.agents.python import PythonAgent
from starloom.errors import AgentError
from starloom.testing import chain

if TYPE_CHECKING:
    from pathlib import Path

    from starloom.scheduling.state.run_facts import RunFacts

FUNCTIONS = """
import os, subprocess, sys, time

def adds(view, finished):
    print("looking at", len(view["tasks"]))
    subprocess.run(["echo", "not an answer"])
    if finished[0]["id"] != "t0":
        return None
    assert view["dependencies"] == [{"parent": "t0", "child": "t1"}], view
    assert finished[0]["status"] == "completed" and "result" in finished[0]
    new = {"id": "new", "simulate": 0, "needs": ["t0"], "before": ["t1"]}
    return {"edits": [{"add_task": new}], "reason": "one more"}

def nothing(view, finished):
    return None

def raises(view, finished):
    raise ValueError("no idea\\nat all")

def garbage(view, finished):
    return [{"add_task": {"id": "x"}}]

def wrong_key(view, finished):
    return {"edit": []}

def not_json(view, finished):
    return {1, 2}

def huge(view, finished):
    return "x" * 9_000_000

def dies(view, finished):
    os._exit(7)

def hangs(view, finished):
    child = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(600)"])
    with open("pids.tmp", "w") as file:
        file.write(f"{os.getpid()} {child.pid}")
    os.rename("pids.tmp", "pids")
    print("thinking hard")
    time.sleep(600)
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "functions.py").write_text(FUNCTIONS, encoding="utf-8")
    return tmp_path


async def under(agent: PythonAgent, plan: Plan) -> tuple[RunFacts, list[str]]:
    """What a run came to with this agent, and what was told of its errors."""
    errors: list[str] = []
    async with Orchestrator([SimulatedDevice("s", slots=2)]) as orchestrator:
        orchestrator.events.subscribe(lambda event: errors.append(event.error), ev.AgentAnswered)
        handle = await orchestrator.start(plan, paused=True)
        await handle.attach(agent)
        await handle.start()
        await handle.finished()
        return handle.facts, [error for error in errors if error]


def test_a_function_is_shown_the_run_and_its_edits_are_applied(folder: Path):
    agent = PythonAgent("functions:adds", cwd=folder)
    facts, errors = asyncio.run(under(agent, chain(2, simulate=0)))
    assert errors == []
    assert {task.id for _, task in facts.graph.present()} == {"t0", "t1", "new"}
    assert facts.state is RunState.COMPLETED
    assert facts.counts()["completed"] == 3


@pytest.mark.parametrize(
    ("function", "said"),
    [
        ("raises", ("failed with exit code 1", "ValueError: no idea\nat all")),
        ("garbage", ("edits[0].add_task", "the task has no action")),
        ("wrong_key", ("answered with 'edit'", "known are edits and reason")),
        ("not_json", ("exit code 1", "TypeError", "set is not JSON serializable")),
        ("huge", ("more than 8 MiB",)),
        ("dies", ("failed with exit code 7",)),
        ("absent", ("AttributeError", "absent")),
    ],
)
def test_a_function_that_fails_is_told_and_the_run_goes_on(folder: Path, function: str, said: tuple[str, ...]):
    facts, errors = asyncio.run(under(PythonAgent(f"functions:{function}", cwd=folder), chain(1, simulate=0)))
    assert facts.state is RunState.COMPLETED
    (error,) = errors
    assert all(part in error for part in said), error


@pytest.mark.parametrize(
    ("function", "told"),
    [
        (
            "raises",
            "functions:raises failed with exit code 1: ValueError: no idea\nat all\nIt printed before: Traceback",
        ),
        ("absent", "functions:absent failed with exit code 1: AttributeError: module 'functions' has no attribute"),
        ("dies", "functions:dies failed with exit code 7."),
    ],
)
def test_what_was_wrong_is_told_before_the_traceback(folder: Path, function: str, told: str):
    _, (error,) = asyncio.run(under(PythonAgent(f"functions:{function}", cwd=folder), chain(1, simulate=0)))
    assert error.removeprefix("AgentError: ").startswith(told)


def test_a_function_that_answers_nothing_changes_nothing(folder: Path):
    facts, errors = asyncio.run(under(PythonAgent("functions:nothing", cwd=folder), chain(1, simulate=0)))
    assert (errors, facts.revision) == ([], 0)


def gone(folder: Path) -> bool:
    pids = [int(pid) for pid in (folder / "pids").read_text().split()]
    return not any(psutil.pid_exists(pid) and psutil.Process(pid).status() != "zombie" for pid in pids)


@pytest.mark.skipif(sys.platform == "win32", reason="the kin of a process are known otherwise there")
def test_a_function_that_takes_too_long_is_ended_with_all_it_has_started(folder: Path):
    agent = PythonAgent("functions:hangs", cwd=folder, time_limit=2)
    facts, errors = asyncio.run(under(agent, chain(1, simulate=0)))
    assert facts.state is RunState.COMPLETED
    assert "has not answered within 2 s and was ended." in errors[0]
    assert not (folder / "pids").exists() or gone(folder)  # on a busy machine it may not have come so far


@pytest.mark.skipif(sys.platform == "win32", reason="the kin of a process are known otherwise there")
def test_a_function_nobody_waits_for_any_more_is_ended_with_all_it_has_started(folder: Path):
    async def main() -> None:
        async with Orchestrator([SimulatedDevice("s")]) as orchestrator:
            handle = await orchestrator.start(chain(1, simulate=0), paused=True)
            await handle.attach(PythonAgent("functions:hangs", cwd=folder))
            await handle.start()
            async with asyncio.timeout(60):
                while not (folder / "pids").exists():  # noqa: ASYNC110 - a file tells no event
                    await asyncio.sleep(0.01)
            await handle.cancel()
            await handle.finished()

    asyncio.run(main())
    assert gone(folder)


def test_a_folder_that_is_not_there_is_said():
    _, errors = asyncio.run(under(PythonAgent("a:b", cwd="nowhere-at-all"), chain(1, simulate=0)))
    assert "a:b cannot be asked" in errors[0]
    assert "nowhere-at-all" in errors[0]


def test_an_agent_at_its_caps_says_so_once_and_is_not_asked_again(folder: Path):
    agent = PythonAgent("functions:adds", cwd=folder, caps=Caps(edits=1))
    facts, errors = asyncio.run(under(agent, chain(2, simulate=0)))
    assert facts.revision == 0
    assert [("1 are allowed" in error) for error in errors] == [True]


@pytest.mark.parametrize("target", ["", "module", "a:b:c", "a: b", "os.system('x')"])
def test_a_target_that_is_no_function_is_refused_at_once(target: str):
    with pytest.raises(AgentError, match="write module:function"):
        PythonAgent(target)
