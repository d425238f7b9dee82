"""Agents on another machine: over a real SSH server on loopback, whose links break and whose machine goes away."""

from __future__ import annotations

import asyncio
import json
import os
import sys
from typing import TYPE_CHECKING, Any

import psutil
import pytest
from tests.integration.acp_harness import AGENT, YES, Context, error_of, on
from tests.integration.local_harness import COMPLETED, STOPPED
from tests.integration.ssh_harness import BOUND, LOST, be_patient, folders_of
from tests.integration.ssh_harness import mortal_server as mortal_server
from tests.waiting import until

from starloom.devices.acp import AcpDevice
from starloom.errors import DeviceError
from starloom.model.result import Outcome, Result
from starloom.model.task import Task

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from tests.ssh_servers import OpensshServer


@pytest.fixture(autouse=True)
def _patience(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[None]:
    be_patient(monkeypatch)
    monkeypatch.setattr("starloom.devices.acp.attempt.GOODBYE", 0.3)
    monkeypatch.setattr("starloom.devices.ssh.remote_steps.PATIENCE", BOUND)
    yield
    for process in agents(tmp_path):  # a test that failed
        process.kill()


def agents(folder: Path) -> list[psutil.Process]:
    """The agents of this test that live."""
    found = []
    for process in psutil.process_iter():
        try:
            words, where = process.cmdline(), process.cwd()
            if str(AGENT) in words and "-c" not in words and where.startswith(str(folder)):
                found.append(process)
        except psutil.Error:
            continue
    return [process for process in found if process.status() != psutil.STATUS_ZOMBIE]


def device(server: OpensshServer, *manner: str, **options: Any) -> AcpDevice:
    reached = {name: value for name, value in server.options().items() if name not in ("agent", "files_directory")}
    reached["cwd"] = reached.pop("working_directory")
    command = {"command": [sys.executable, "-I", "-S", "-u", str(AGENT), *manner]}
    fast = {"grace": 0.3, "heartbeat_interval": 0.2, "timeout": BOUND, "key_agent": False}
    return AcpDevice("dev", **{**reached, **fast, **command, "slots": 4, **options})


def outcome_of(there: AcpDevice, prompt: str, context: Context, **fields: Any) -> Outcome:
    async def run() -> Outcome:
        return await there.run(Task(id="t", prompt=prompt, **fields), context)

    return on(there, run)  # type: ignore[no-any-return]


def test_an_agent_there_works_like_one_here(mortal_server: OpensshServer, tmp_path: Path) -> None:
    sub = mortal_server.folder / "work" / "sub dir"
    sub.mkdir()
    found = {"a": Result("x" * (5 * 2**20))}
    seen: list[bytes] = []

    def look(_: Any) -> Any:
        (path,) = mortal_server.folder.glob("state/attempts/*/1-value")
        seen.append(path.read_bytes())
        return YES

    context = Context(look, upstream=lambda: found)
    there = device(mortal_server, "permission", "execute")
    outcome = outcome_of(there, "permission", context, cwd="sub dir", env={"A": "it's"})
    assert outcome.status is COMPLETED, outcome
    assert json.loads(outcome.result.value) == {"outcome": "selected", "optionId": "once"}
    assert context.asked[0].detail.endswith(f"in {sub}")
    assert seen == [b"x" * (5 * 2**20)]
    assert folders_of(mortal_server) == []
    assert agents(tmp_path) == []


def test_places_are_resolved_on_the_agents_machine(mortal_server: OpensshServer, tmp_path: Path) -> None:
    work = mortal_server.folder / "work"
    (work / "inside").touch()
    (work / "out").symlink_to(tmp_path)
    (work / "dangling").symlink_to(tmp_path / "nothing")
    host = device(mortal_server)._host

    async def scenario() -> Any:
        await host.connect()
        try:
            seat = host.seat(Task(id="t", prompt="p"), Context())
            return await seat.resolve((seat.cwd, "inside", "new/file", "out/x", "dangling", "nowhere/../x", "/etc/."))
        finally:
            await host.disconnect()

    real = os.path.realpath(work)
    assert asyncio.run(scenario()) == {
        str(work): real,
        "inside": f"{real}/inside",
        "new/file": f"{real}/new/file",
        "out/x": f"{os.path.realpath(tmp_path)}/x",
        "dangling": None,
        "nowhere/../x": None,
        "/etc/.": "/etc",
    }


def test_a_cancelled_agent_there_is_asked_to_stop_and_has_ended(mortal_server: OpensshServer, tmp_path: Path) -> None:
    for manner in ("echo", "stubborn"):
        context, there = Context(), device(mortal_server, manner)

        async def scenario(context: Context = context, there: AcpDevice = there) -> Outcome:
            running = asyncio.ensure_future(there.run(Task(id="t", prompt="wait"), context))
            await asyncio.wait_for(context.spoke.wait(), BOUND)
            assert len(agents(tmp_path)) == 1
            running.cancel()
            return await running

        assert on(there, scenario).status is STOPPED
        assert agents(tmp_path) == []


def test_an_agent_whose_link_broke_is_ended_over_the_next_one(mortal_server: OpensshServer, tmp_path: Path) -> None:
    context, there = Context(), device(mortal_server, "stubborn")

    async def scenario() -> Outcome:
        running = asyncio.ensure_future(there.run(Task(id="t", prompt="go"), context))
        await asyncio.wait_for(context.spoke.wait(), BOUND)
        await asyncio.to_thread(mortal_server.cut)
        outcome = await running
        assert agents(tmp_path) == []
        return outcome

    outcome = on(there, scenario)
    assert outcome.status is LOST
    assert error_of(outcome).message == "The link to the agent broke while it worked. It was ended there."


def test_an_agent_whose_machine_is_gone_may_still_work_and_is_ended_when_it_is_back(
    mortal_server: OpensshServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("starloom.devices.ssh.remote_steps.PATIENCE", 0.1)
    context, there = Context(), device(mortal_server, "stubborn")

    async def scenario() -> Outcome:
        running = asyncio.ensure_future(there.run(Task(id="t", prompt="go"), context))
        await asyncio.wait_for(context.spoke.wait(), BOUND)
        await asyncio.to_thread(mortal_server.kill)
        outcome = await running
        assert there.unended == 1
        assert len(agents(tmp_path)) == 1
        await asyncio.to_thread(mortal_server.start)
        await there.ping()
        await there.connect()
        assert there.unended == 0
        assert agents(tmp_path) == []
        return outcome

    outcome = on(there, scenario)
    assert outcome.status is LOST
    assert "may still work there" in error_of(outcome).message


def test_what_an_earlier_program_left_there_is_ended(mortal_server: OpensshServer, tmp_path: Path) -> None:
    kept = tmp_path / "attempts" / "t-1"
    task, context = Task(id="t", prompt="go"), Context(kept=kept)
    first, second = (device(mortal_server, "stubborn") for _ in range(2))

    async def scenario() -> None:
        assert await second.recover(task, context) is None  # it never began
        running = asyncio.ensure_future(first.run(task, context))
        await asyncio.wait_for(context.spoke.wait(), BOUND)
        assert await second.recover(task, context) is None
        assert agents(tmp_path) == []
        await running
        second.release(kept)
        await until(lambda: not folders_of(mortal_server) and not os.listdir(kept.parent))

    async def both() -> None:
        await second.connect()
        try:
            await scenario()
        finally:
            await second.disconnect()

    on(first, both)


def test_what_cannot_be_started_there_is_said(mortal_server: OpensshServer, tmp_path: Path) -> None:
    with pytest.raises(DeviceError, match=r"'no-such-agent' was not found on the other machine"):
        asyncio.run(device(mortal_server, command="no-such-agent").connect())
    context = Context()
    outcome = outcome_of(device(mortal_server), "hello", context, cwd="nowhere")
    assert "nowhere' does not exist on the other machine" in error_of(outcome).message
    outcome = outcome_of(device(mortal_server), "hello", context, env={"a-b": "c"})
    assert "'a-b'" in error_of(outcome).message
    assert folders_of(mortal_server) == []


def test_another_machines_options_without_a_machine_are_refused() -> None:
    with pytest.raises(DeviceError, match="user, port mean another machine"):
        AcpDevice("dev", command="x", user="u", port=22)
