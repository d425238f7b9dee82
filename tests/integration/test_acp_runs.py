"""Agents in runs of a real engine: questions that are answered, results that flow, programs that are killed."""

from __future__ import annotations

import asyncio
import json
import sys
from functools import partial
from typing import TYPE_CHECKING, Any

import psutil
import pytest
from tests.integration.acp_harness import AGENT
from tests.integration.local_harness import alive
from tests.integration.ssh_harness import be_patient
from tests.integration.ssh_harness import mortal_server as mortal_server
from tests.integration.test_reattaching import Place, end_all_in, program_dies, resumed
from tests.waiting import until

from starloom import Dependency, Orchestrator, Plan, RunState, Task
from starloom.devices.kinds import make_device
from starloom.events import TaskInterrupted, TasksHeld
from starloom.model.device import DeviceSpec
from starloom.model.task import Simulate

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from starloom.events import Event
    from starloom.orchestration.run import Run
    from starloom.scheduling.read.open_questions import OpenQuestion


def options(*manner: str, **more: Any) -> dict[str, Any]:
    return {"command": [sys.executable, "-I", "-S", "-u", str(AGENT), *manner], "grace": 0.3, **more}


def _asked(run: Run, task_id: str) -> list[OpenQuestion]:
    return [one for one in run.questions if one.task_id == task_id]


def test_a_request_for_permission_is_a_question_of_the_run_and_its_answer_reaches_the_agent(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ACP_LOG", str(tmp_path / "log"))
    tasks = (
        Task(id="a", simulate=Simulate(value={"x": [1]})),
        Task(id="b", prompt="permission"),
        Task(id="c", prompt="${b.value}"),
    )
    needs = (Dependency(parent="a", child="b"), Dependency(parent="b", child="c"))
    device = make_device(
        DeviceSpec(id="coder", kind="acp", slots=2, options=options("permission", "execute", cwd=str(tmp_path)))
    )

    async def scenario() -> Any:
        async with Orchestrator(devices=[device]) as orchestrator:
            run = await orchestrator.start(Plan(tasks=tasks, dependencies=needs))
            for task_id in ("b", "c"):
                (asked,) = await until(partial(_asked, run, task_id))
                assert asked.question.detail == f"execute something\nin {tmp_path}"
                await run.answer_question(asked.number, option="once")
            assert (await run.finished()).state is RunState.COMPLETED
            return run.results["b"].value

    chosen = asyncio.run(scenario())
    assert json.loads(chosen) == {"outcome": "selected", "optionId": "once"}
    heard = [json.loads(line) for line in (tmp_path / "log").read_bytes().splitlines()]
    first, second = (one["params"]["prompt"] for one in heard if one.get("method") == "session/prompt")
    assert [block["resource"]["text"] for block in first[1:]] == ['{"x":[1]}']
    assert [block.get("text") or block["resource"]["text"] for block in second] == [chosen, chosen]


@pytest.fixture(params=["here", "there"])
def place(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Place]:
    be_patient(monkeypatch)
    folder = tmp_path / "here"
    folder.mkdir()
    reached = {}
    if request.param == "there":
        reached = request.getfixturevalue("mortal_server").options()
        reached["cwd"] = reached.pop("working_directory")
        reached["key_agent"] = reached.pop("agent")
        del reached["files_directory"]
    device = {"id": "d", "kind": "acp", "options": options("stubborn", str(folder / "begun"), **reached)}
    try:
        yield Place(folder, device)
    finally:
        end_all_in(folder)


def test_what_a_killed_program_has_left_is_ended_and_a_person_is_asked_before_it_runs_again(place: Place) -> None:
    program_dies(place, {"a": {"prompt": "go"}})
    events: list[Event] = []

    async def scenario() -> None:
        async with resumed(place, events):
            await until(lambda: any(isinstance(event, TasksHeld) for event in events))
            assert not any(psutil.pid_exists(pid) and alive(pid) for pid in place.begun())

    asyncio.run(scenario())
    assert [event.task_id for event in events if isinstance(event, TaskInterrupted)] == ["a"]
    assert len(place.begun()) == 1


def test_one_that_hangs_is_ended_by_the_timeout_of_its_task_and_frees_its_slot() -> None:
    device = make_device(DeviceSpec(id="coder", kind="acp", slots=1, options=options()))
    tasks = (Task(id="a", prompt="stubborn", timeout=2.0), Task(id="b", prompt="hello"))

    async def scenario() -> Any:
        async with asyncio.timeout(60), Orchestrator(devices=[device]) as orchestrator:
            run = await orchestrator.start(Plan(tasks=tasks))
            await run.finished()
            return run.results

    found = asyncio.run(scenario())
    assert found["a"].error.code == "timeout"
    assert found["b"].value == "hello"
