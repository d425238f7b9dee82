"""What could not be ended as the link was down stays on record, and the next program that gets there ends it."""

from __future__ import annotations

import asyncio
import json
import logging
import os
import shutil
import signal
import stat
import subprocess
import sys
import time
from typing import TYPE_CHECKING, Any

import pytest
from tests.integration.ssh_harness import (
    BOUND,
    LOST,
    Attempt,
    alive,
    be_patient,
    context_of,
    device_on,
    folders_of,
    left_of,
    on_device,
    shell,
)
from tests.integration.ssh_harness import mortal_server as mortal_server
from tests.waiting import POLL, until

from starloom import Orchestrator, Plan, RunState, Task
from starloom.devices.family import TOKEN
from starloom.devices.kept_record import unended
from starloom.devices.ssh.record import SshRecord, write_record
from starloom.journal.library import Library
from starloom.orchestration.left_behind import may_still_run, orphans
from starloom.settings import SchedulerSettings

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable
    from pathlib import Path

    from tests.ssh_servers import OpensshServer

    from starloom.devices.ssh import SshDevice

EIGHT_DAYS = 8 * 86_400.0
HANGS = "echo $$ >>begun; exec sleep 1000"


@pytest.fixture(autouse=True)
def _patience(monkeypatch: pytest.MonkeyPatch) -> None:
    be_patient(monkeypatch)
    monkeypatch.setattr("starloom.devices.ssh.remote_steps.PATIENCE", 0.05)


def engine_on(
    server: OpensshServer, journal: Path, live: Callable[[Orchestrator], Awaitable[Any]], **options: Any
) -> None:
    """A program with this journal and a fleet of the one machine."""

    async def scenario() -> None:
        device = device_on(server, heartbeat_interval=0.2, grace=0.5, **options)
        with Library(journal) as library:
            async with (
                asyncio.timeout(2 * BOUND),
                Orchestrator([device], journal=library, settings=SchedulerSettings()) as engine,
            ):
                await live(engine)

    asyncio.run(scenario())


def begun(server: OpensshServer) -> list[int]:
    path = server.folder / "work" / "begun"
    return [int(line) for line in path.read_text().splitlines()] if path.exists() else []


async def another_run(engine: Orchestrator) -> None:
    run = await engine.start(Plan(tasks=(Task(id="another", shell="true"),)))
    assert (await run.finished()).state is RunState.COMPLETED


def cancelled_during_an_outage(server: OpensshServer, journal: Path) -> int:
    """The command of a run that its program cancelled, and could not end; the program has gone."""

    async def live(engine: Orchestrator) -> None:
        run = await engine.start(Plan(tasks=(Task(id="hangs", shell=HANGS),)), run_id="night")
        await until(lambda: len(begun(server)) == 1, every=POLL)
        server.kill()
        await until(lambda: not engine.fleet.devices["there"].connected, every=POLL)
        await run.cancel()
        assert (await run.finished()).state is RunState.CANCELLED

    engine_on(server, journal, live)
    (pid,) = begun(server)
    assert alive(pid)
    return pid


def test_what_one_program_could_not_end_is_ended_by_the_next_one_that_gets_there(
    mortal_server: OpensshServer, tmp_path: Path
) -> None:
    before = time.time()
    pid = cancelled_during_an_outage(mortal_server, tmp_path)
    (orphan,) = orphans(tmp_path)
    where = f"{mortal_server.user}@127.0.0.1:{mortal_server.port}"
    assert (orphan.device_id, orphan.run_id, orphan.task_id, orphan.attempt) == ("there", "night", "hangs", 1)
    assert orphan.is_unended
    assert before <= orphan.since <= time.time()
    assert where in orphan.known
    folder = tmp_path / "runs" / "night"
    assert may_still_run(folder) == {where: 1}
    (record,) = (folder / "attempts").iterdir()
    assert stat.S_IMODE(record.stat().st_mode) == 0o600
    mortal_server.start()
    engine_on(mortal_server, tmp_path, another_run)
    assert not alive(pid)
    assert (orphans(tmp_path), may_still_run(folder), folders_of(mortal_server)) == ([], {}, [])


def test_a_program_that_does_not_get_there_leaves_it_on_record(mortal_server: OpensshServer, tmp_path: Path) -> None:
    cancelled_during_an_outage(mortal_server, tmp_path)

    async def live(engine: Orchestrator) -> None:
        assert not engine.fleet.devices["there"].connected

    engine_on(mortal_server, tmp_path, live)
    assert len(orphans(tmp_path)) == 1
    mortal_server.start()
    engine_on(mortal_server, tmp_path, another_run)
    assert (orphans(tmp_path), left_of(mortal_server)) == ([], [])


def test_what_runs_on_without_its_program_is_listed_and_left_to_who_resumes_the_run(
    mortal_server: OpensshServer, tmp_path: Path
) -> None:
    options = mortal_server.options(grace=0.5, heartbeat_interval=0.2)
    device = {"id": "there", "kind": "ssh", "slots": 4, "options": options}
    plan = {"starloom": 1, "name": "night", "devices": [device], "tasks": {"hangs": {"shell": HANGS}}}
    (tmp_path / "plan.json").write_text(json.dumps(plan))
    journal = tmp_path / "journal"
    command = [sys.executable, "-m", "starloom.cli", "run", str(tmp_path / "plan.json"), "--journal", str(journal)]
    with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as program:
        try:
            asyncio.run(until(lambda: len(begun(mortal_server)) == 1, every=POLL))
            assert orphans(journal) == []
        finally:
            program.kill()
    (pid,) = begun(mortal_server)
    (orphan,) = orphans(journal)
    assert not orphan.is_unended
    assert "starloom resume" in orphan.known
    engine_on(mortal_server, journal, another_run)
    assert alive(pid)
    night = journal / "runs" / orphan.run_id

    async def live(engine: Orchestrator) -> None:
        run = await engine.resume(night)
        assert run.task("hangs").status == "running"
        await run.cancel()
        await run.finished()

    engine_on(mortal_server, journal, live)
    assert (orphans(journal), alive(pid), folders_of(mortal_server)) == ([], False, [])


def lost(server: OpensshServer, folder: Path) -> tuple[Path, int]:
    """The kept files and the process of an attempt that counts as lost and runs on, in a program that has ended."""
    task = shell("echo pid $$; exec sleep 1000")
    context = context_of(task, folder)
    assert context.kept is not None
    pids: list[int] = []

    async def scenario(device: SshDevice) -> None:
        attempt = Attempt(device, task, kept=context.kept)
        running = await attempt.started("pid")
        pids.extend(attempt.pids())
        server.kill()
        running.cancel()
        assert (await running).status is LOST

    on_device(server, scenario)
    assert alive(pids[0])
    return context.kept, pids[0]


def test_before_a_machine_is_used_again_what_was_lost_on_it_is_ended(
    mortal_server: OpensshServer, tmp_path: Path
) -> None:
    kept, pid = lost(mortal_server, tmp_path)
    assert unended(kept) is not None
    mortal_server.start()

    async def scenario(device: SshDevice) -> None:
        mortal_server.kill()
        await until(lambda: not device._linked().is_up, every=POLL)
        await device.clear(kept)
        mortal_server.start()
        await device.ping()
        assert alive(pid)
        await device.connect()
        assert not alive(pid)
        await until(lambda: not list(kept.parent.iterdir()), every=POLL)

    on_device(mortal_server, scenario)
    assert folders_of(mortal_server) == []


@pytest.mark.parametrize("state", ["left", "gone", "left, and the link down"])
def test_one_that_ended_is_let_go_of_and_what_it_started_in_the_background_goes_on(
    mortal_server: OpensshServer, tmp_path: Path, state: str
) -> None:
    task = shell("sleep 1000 </dev/null >/dev/null 2>&1 & echo pid $!")
    context = context_of(task, tmp_path)
    assert context.kept is not None

    async def first(device: SshDevice) -> int:
        attempt = Attempt(device, task, kept=context.kept)
        await attempt.run()
        return attempt.pids()[0]

    async def second(device: SshDevice) -> None:
        kept = context.kept
        assert kept is not None
        if state == "left, and the link down":
            mortal_server.kill()
            await until(lambda: not device._linked().is_up, every=POLL)
        await device.clear(kept)
        if state == "left, and the link down":
            mortal_server.start()
            await device.ping()
            await device.connect()
        await until(lambda: not list(kept.parent.iterdir()), every=POLL)

    pid = on_device(mortal_server, first)
    try:
        (name,) = folders_of(mortal_server)
        if state == "gone":
            shutil.rmtree(mortal_server.folder / "state" / "attempts" / name)
        on_device(mortal_server, second)
        assert (alive(pid), folders_of(mortal_server)) == (True, [])
    finally:
        os.kill(pid, signal.SIGKILL)
        asyncio.run(until(lambda: not left_of(mortal_server), every=POLL))


def test_folders_that_have_been_still_for_days_go_unless_somebody_lives_or_may_ask(
    mortal_server: OpensshServer, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    attempts = mortal_server.folder / "state" / "attempts"
    names = {name: name[0] * 24 for name in ("a still one", "b young", "c lives", "d on record", "e not all old")}
    for name in (*names.values(), "of somebody else"):
        (attempts / name).mkdir(parents=True)
        (attempts / name / "stdout").write_text("x")
    old = time.time() - EIGHT_DAYS
    for name in (*names.values(), "of somebody else"):
        if name != names["b young"]:
            if name != names["e not all old"]:
                os.utime(attempts / name / "stdout", (old, old))
            os.utime(attempts / name, (old, old))
    record = SshRecord(
        "127.0.0.1", mortal_server.port, mortal_server.user, str(attempts / names["d on record"]), "a-token"
    )
    spared = tmp_path / "kept"
    write_record(spared, record)

    async def scenario(device: SshDevice) -> None:
        await device.sweep_old([spared])

    caplog.set_level(logging.INFO, "starloom.devices.ssh.leftovers")
    with subprocess.Popen(["sleep", "1000"], env={**os.environ, TOKEN: names["c lives"]}) as living:
        try:
            on_device(mortal_server, scenario)
        finally:
            living.kill()
    assert sorted(folders_of(mortal_server)) == sorted([*list(names.values())[1:], "of somebody else"])
    assert names["a still one"] in caplog.text


def test_without_a_journal_the_program_still_knows_what_it_could_not_end(mortal_server: OpensshServer) -> None:
    async def scenario(device: SshDevice) -> None:
        running = await Attempt(device, shell("echo pid $$; exec sleep 1000")).started("pid")
        mortal_server.kill()
        running.cancel()
        assert (await running).status is LOST
        assert may_still_run(None, [device]) == {"there": 1}
        mortal_server.start()
        await device.ping()
        await device.connect()
        assert may_still_run(None, [device]) == {}

    on_device(mortal_server, scenario)
    assert left_of(mortal_server) == []
