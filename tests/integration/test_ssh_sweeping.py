"""Folders of attempts go from the other machine, whoever is interrupted as they do."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import subprocess
import sys
from typing import TYPE_CHECKING, Any

import pytest
from tests.integration.ssh_harness import BOUND, be_patient, context_of, folders_of, on_device, shell
from tests.integration.ssh_harness import mortal_server as mortal_server
from tests.integration.ssh_harness import one_server as one_server
from tests.integration.ssh_harness import server as server
from tests.waiting import POLL, until

from starloom import Orchestrator, RunState
from starloom.devices.ssh import scripts
from starloom.devices.ssh.sweeping import Sweeper
from starloom.journal.library import Library
from starloom.settings import SchedulerSettings

if TYPE_CHECKING:
    from pathlib import Path

    from tests.ssh_servers import OpensshServer, SshServer

    from starloom.devices.ssh import SshDevice

# Its devices forget to let go of what ended, as if it had been killed after every commit just before that.
FORGETFUL = """
import sys
from starloom.cli.__main__ import main
from starloom.orchestration.dispatcher import Dispatcher
Dispatcher.release = lambda self, ended: None
sys.exit(main())
"""


@pytest.fixture(autouse=True)
def _patience(monkeypatch: pytest.MonkeyPatch) -> None:
    be_patient(monkeypatch)


def released_during_an_outage(server: SshServer, folder: Path) -> Path:
    """An attempt that ended and was let go of by a program that ended before it could log in again."""
    task = shell("echo done")
    kept = context_of(task, folder).kept
    assert kept is not None

    async def scenario(device: SshDevice) -> None:
        await device.run(task, context_of(task, folder))
        server.stop()
        device.release(kept)

    on_device(server, scenario)
    return kept


def test_a_folder_that_one_program_cannot_remove_any_more_is_removed_by_the_next(server: SshServer, tmp_path: Path):
    kept = released_during_an_outage(server, tmp_path)
    server.start()
    assert len(folders_of(server)) == 1

    async def scenario(device: SshDevice) -> None:
        device.release(kept)
        await until(lambda: not folders_of(server), every=POLL)
        await until(lambda: not list(kept.parent.iterdir()), every=POLL)

    on_device(server, scenario)


def test_a_folder_on_another_machine_is_left_alone_and_stays_on_record(one_server: SshServer, tmp_path: Path):
    kept = released_during_an_outage(one_server, tmp_path)
    one_server.start()

    async def scenario(device: SshDevice) -> None:
        device.release(kept)

    on_device(one_server, scenario, host="localhost", known_hosts=str(known_as_localhost(one_server)))
    assert len(folders_of(one_server)) == 1
    assert len(list(kept.parent.iterdir())) == 1


def known_as_localhost(server: SshServer) -> Path:
    path = server.folder / "also_known"
    path.write_text(server.known_hosts.read_text().replace("127.0.0.1", "localhost"))
    return path


def test_what_is_to_be_removed_is_removed_before_the_device_is_let_go(server: SshServer, tmp_path: Path):
    async def scenario(device: SshDevice) -> None:
        for _ in range(5):
            task = shell("echo done")
            context = context_of(task, tmp_path)
            await device.run(task, context)
            assert context.kept is not None
            device.release(context.kept)

    on_device(server, scenario)
    assert folders_of(server) == []
    assert list((tmp_path / "attempts").iterdir()) == []


def test_removing_goes_on_over_the_next_login(server: SshServer, tmp_path: Path):
    async def scenario(device: SshDevice) -> None:
        task = shell("echo done")
        context = context_of(task, tmp_path)
        await device.run(task, context)
        assert context.kept is not None
        server.stop()
        device.release(context.kept)
        server.start()
        await until(lambda: not folders_of(server), every=POLL)

    on_device(server, scenario)


def test_a_folder_that_comes_just_as_the_last_one_is_gone_is_removed_too():
    """The link is one that answers everything at once, so that nothing else gets a turn in between."""

    class Answering:
        def __init__(self) -> None:
            self.is_up = True
            self.asked: list[bytes] = []

        async def session(self) -> Answering:
            return self

        async def ask(self, text: bytes) -> list[list[str]]:
            self.asked.append(text)
            name = "a" if b"set -- a" in text else "b"
            if name == "a":
                # The sweeper is told of another folder in the very iteration in which it has nothing left to do.
                asyncio.get_running_loop().call_soon(sweeper.add, "/there/b", None)
            return [["removed", name]]

    async def scenario() -> None:
        link: Any = Answering()
        sweeper.begin(link)
        sweeper.add("/there/a", None)
        await until(lambda: len(link.asked) == 2, every=POLL)
        await sweeper.end()

    sweeper = Sweeper()
    asyncio.run(scenario())


def test_a_late_wrapper_of_an_attempt_whose_folder_was_removed_runs_nothing(server: SshServer):
    folder = str(server.folder / "state" / "attempts" / "a")
    place = scripts.AttemptPlace(folder, "a-token")
    text = scripts.start(place, ("/bin/sh", "-c", ": >began"), str(server.folder / "work"), {}, "python3")

    async def scenario(device: SshDevice) -> Any:
        session = await device._linked().session()
        assert await session.take_back(folder)
        assert await session.ask(scripts.remove([folder])) == [["removed", "a"]]
        return await session.ask(text)

    assert on_device(server, scenario) == [["refused", "folder"]]
    assert folders_of(server) == []
    assert not (server.folder / "work" / "began").exists()


def test_what_another_sweeper_left_aside_is_removed_unless_it_is_still_at_it(one_server: SshServer):
    attempts = one_server.folder / "state" / "attempts"
    with subprocess.Popen(["true"]) as gone:
        gone.wait()
    for name in ("a", "b", f"gone.{gone.pid}/c", f"gone.{os.getpid()}/d"):
        (attempts / name).mkdir(parents=True)

    async def scenario(device: SshDevice) -> Any:
        session = await device._linked().session()
        return await session.ask(scripts.remove([f"{attempts}/a", f"{attempts}/never"]))

    assert on_device(one_server, scenario) == [["removed", "a"], ["removed", "never"]]
    assert sorted(folders_of(one_server)) == ["b", f"gone.{os.getpid()}"]


def test_what_a_killed_program_had_no_time_to_let_go_of_is_removed_as_its_run_is_resumed(
    mortal_server: OpensshServer, tmp_path: Path
):
    device = {"id": "there", "kind": "ssh", "slots": 2, "options": mortal_server.options()}
    tasks = {f"t{n}": {"shell": "true"} for n in range(4)} | {"last": {"shell": "echo $$ >pid; exec sleep 1000"}}
    (tmp_path / "plan.json").write_text(json.dumps({"starloom": 1, "devices": [device], "tasks": tasks}))
    command = [sys.executable, "-c", FORGETFUL, "run", str(tmp_path / "plan.json"), "--journal", str(tmp_path / "runs")]
    records = tmp_path / "runs" / "runs"
    with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as program:
        try:
            pid = mortal_server.folder / "work" / "pid"
            asyncio.run(until(lambda: len(folders_of(mortal_server)) == 5 and pid.exists(), every=POLL))
            asyncio.run(until(lambda: pid.read_text().endswith("\n"), every=POLL))
            asyncio.run(until(lambda: _ended(mortal_server) == 4, every=POLL))
        finally:
            program.kill()

    async def scenario() -> None:
        with Library(tmp_path / "runs") as library:
            async with (
                asyncio.timeout(BOUND),
                Orchestrator([], journal=library, settings=SchedulerSettings()) as engine,
            ):
                (folder,) = records.iterdir()
                run = await engine.resume(folder)
                await until(lambda: len(folders_of(mortal_server)) == 1, every=POLL)
                os.kill(int(pid.read_text()), signal.SIGTERM)
                assert (await run.finished()).state is RunState.PARTIALLY_FAILED

    asyncio.run(scenario())
    assert folders_of(mortal_server) == []
    assert list(records.glob("*/attempts/*")) == []


def _ended(server: SshServer) -> int:
    attempts = server.folder / "state" / "attempts"
    return sum("\nend " in path.read_text() for path in attempts.glob("*/marker"))
