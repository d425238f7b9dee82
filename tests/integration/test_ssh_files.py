"""Files of tasks over links that are cut, and files that change: each is whole in its place, or is not there."""

from __future__ import annotations

import asyncio
import hashlib
import json
import os
import random
import stat
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from tests.integration.ssh_harness import (
    BOUND,
    COMPLETED,
    FAILED,
    STOPPED,
    Attempt,
    context_of,
    device_on,
    error_of,
    outcome_of,
    shell,
)
from tests.integration.ssh_harness import mortal_server as mortal_server
from tests.integration.ssh_harness import one_server as one_server
from tests.proxies import Proxy
from tests.waiting import POLL, until

from starloom.model.task import Task

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from tests.ssh_servers import OpensshServer, SshServer

    from starloom.devices.ssh import SshDevice
    from starloom.model.result import Outcome

ROOT = Path(__file__).resolve().parents[2]
MUCH = random.Random(17).randbytes(6_000_000)
ALLOWED = 2_000_000
"""Bytes that a connection lets through before it stands still."""
OVERHEAD = 600_000
"""Bytes that logging in, and asking what becomes of a task, may take meanwhile."""


def through(server: OpensshServer, scenario: Callable[[SshDevice, Proxy], Awaitable[Any]], **link: Any) -> Any:
    """Run the scenario on a device that is connected through a proxy."""

    async def within_bound() -> Any:
        async with asyncio.timeout(2 * BOUND), Proxy(server.port, **link) as proxy:
            device = device_on(server, port=known(server, proxy), heartbeat_interval=10 * BOUND, grace=0.5)
            await device.connect()
            try:
                return await scenario(device, proxy)
            finally:
                await device.disconnect()

    return asyncio.run(within_bound())


def known(server: SshServer, proxy: Proxy) -> int:
    """The port of the proxy, once the server's key is trusted there."""
    text = server.known_hosts.read_text()
    server.known_hosts.write_text(text + text.replace(str(server.port), str(proxy.port)))
    return proxy.port


async def cut_until_done(running: asyncio.Task[Outcome], proxy: Proxy) -> int:
    """Cut each connection off that stands still; how many that were."""
    cuts = 0
    while not running.done():
        await until(lambda: proxy.standing or running.done(), every=POLL)
        cuts += proxy.standing
        await proxy.cut(standing=True)
    return cuts


def parts(server: SshServer) -> list[Path]:
    return list(server.folder.rglob("*.starloom-part"))


def mode_of(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


def part_of(path: Path, data: bytes) -> Path:
    """Where a copy of this content grows that is to lie at the path."""
    return path.with_name(f"{path.name}.{hashlib.sha256(data).hexdigest()[:16]}.starloom-part")


def test_a_file_that_is_sent_goes_on_where_it_was_when_the_link_is_cut(mortal_server: OpensshServer):
    (mortal_server.folder / "here" / "data").write_bytes(MUCH)

    async def scenario(device: SshDevice, proxy: Proxy) -> Any:
        task = shell("cmp data ../here/data && echo same", files={"send": ["data"]})
        running = asyncio.ensure_future(Attempt(device, task).run())
        return await cut_until_done(running, proxy), await running, proxy.up

    cuts, outcome, sent = through(mortal_server, scenario, most_up=ALLOWED)
    assert (outcome.status, outcome.result.output) == (COMPLETED, "same\n")
    assert cuts > 1
    assert len(MUCH) < sent < 2 * len(MUCH)
    assert parts(mortal_server) == []


def test_a_file_that_is_fetched_goes_on_where_it_was_when_the_link_is_cut(mortal_server: OpensshServer):
    (mortal_server.folder / "work" / "made").write_bytes(MUCH)

    async def scenario(device: SshDevice, proxy: Proxy) -> Any:
        task = shell("true", files={"fetch": [{"from": "made", "to": "results/made"}]})
        running = asyncio.ensure_future(Attempt(device, task).run())
        return await cut_until_done(running, proxy), await running, proxy.down

    cuts, outcome, got = through(mortal_server, scenario, most=ALLOWED)
    assert outcome.status is COMPLETED
    assert (mortal_server.folder / "here" / "results" / "made").read_bytes() == MUCH
    assert cuts > 1
    assert len(MUCH) < got < 2 * len(MUCH)
    assert parts(mortal_server) == []


CONSOLE = """
import asyncio, json, sys
from pathlib import Path
from tests.integration.ssh_harness import context_of
from starloom.devices.ssh import SshDevice
from starloom.model.task import Task

async def main(options, task, folder):
    device, task = SshDevice("there", slots=1, **options), Task(**task)
    await device.connect()
    await device.run(task, context_of(task, Path(folder)))

asyncio.run(main(*json.loads(sys.argv[1])))
"""


def test_the_next_program_goes_on_with_a_file_that_was_being_fetched(mortal_server: OpensshServer, tmp_path: Path):
    (mortal_server.folder / "work" / "made").write_bytes(MUCH)
    fields: dict[str, Any] = {"id": "t", "shell": "echo x >>ran", "files": {"fetch": ["made"]}}

    async def scenario() -> tuple[Outcome | None, int]:
        async with asyncio.timeout(2 * BOUND), Proxy(mortal_server.port, most=ALLOWED) as proxy:
            options = mortal_server.options(port=known(mortal_server, proxy))
            env = {**os.environ, "PYTHONPATH": str(ROOT)}
            console = await asyncio.create_subprocess_exec(
                *(sys.executable, "-c", CONSOLE, json.dumps([options, fields, str(tmp_path)])), env=env
            )
            try:
                await until(lambda: proxy.standing, every=POLL)
            finally:
                console.kill()
                await console.wait()
            proxy.release()
            task = Task(**fields)
            device = device_on(mortal_server, port=proxy.port)
            await device.connect()
            try:
                return await device.recover(task, context_of(task, tmp_path)), proxy.down
            finally:
                await device.disconnect()

    outcome, got = asyncio.run(scenario())
    assert outcome is not None
    assert outcome.status is COMPLETED
    assert (mortal_server.folder / "here" / "made").read_bytes() == MUCH
    assert (mortal_server.folder / "work" / "ran").read_text() == "x\n"
    assert got < len(MUCH) + ALLOWED
    assert parts(mortal_server) == []


def test_an_attempt_goes_on_with_what_another_one_has_sent_already(mortal_server: OpensshServer):
    (mortal_server.folder / "here" / "data").write_bytes(MUCH)
    part_of(mortal_server.folder / "work" / "data", MUCH).write_bytes(MUCH[:-1000])

    async def scenario(device: SshDevice, proxy: Proxy) -> Any:
        outcome = await Attempt(device, shell("cmp data ../here/data", files={"send": ["data"]})).run()
        return outcome, proxy.up

    outcome, sent = through(mortal_server, scenario)
    assert outcome.status is COMPLETED
    assert sent < len(MUCH)  # four megabytes at its end are not trusted, as later ones may have come before them


def test_what_is_damaged_is_noticed_and_copied_from_the_beginning(one_server: SshServer):
    (one_server.folder / "here" / "data").write_bytes(MUCH)
    part_of(one_server.folder / "work" / "data", MUCH).write_bytes(b"x" * 5_000_000)
    outcome = outcome_of(one_server, shell("cmp data ../here/data", files={"send": ["data"]}))
    assert outcome.status is COMPLETED, outcome
    (one_server.folder / "work" / "made").write_bytes(MUCH)
    part_of(one_server.folder / "here" / "made", MUCH).write_bytes(b"x" * 5_000_000)
    outcome = outcome_of(one_server, shell("true", files={"fetch": ["made"]}))
    assert outcome.status is COMPLETED, outcome
    assert (one_server.folder / "here" / "made").read_bytes() == MUCH


@pytest.mark.parametrize("direction", ["send", "fetch"])
def test_a_file_that_is_changed_while_it_is_copied_is_not_put_in_its_place(
    mortal_server: OpensshServer, direction: str
):
    here, there = mortal_server.folder / "here" / "data", mortal_server.folder / "work" / "data"
    source, target = (here, there) if direction == "send" else (there, here)
    source.write_bytes(MUCH)

    async def scenario(device: SshDevice, proxy: Proxy) -> Any:
        running = asyncio.ensure_future(Attempt(device, shell("true", files={direction: ["data"]})).run())
        await until(lambda: proxy.standing, every=POLL)
        source.write_bytes(MUCH[::-1])
        proxy.release()
        return await running

    limit = {"most_up": ALLOWED} if direction == "send" else {"most": ALLOWED}
    outcome = through(mortal_server, scenario, **limit)
    error = error_of(outcome)
    assert (outcome.status, error.code) == (FAILED, "start_failed" if direction == "send" else "fetch_failed")
    assert "was changed while it was copied" in error.message
    assert repr(str(here)) in error.message
    assert repr(str(there)) in error.message
    assert not target.exists()
    assert parts(mortal_server) == []


@pytest.mark.parametrize("direction", ["send", "fetch"])
def test_a_task_that_is_cancelled_is_not_kept_by_its_files(mortal_server: OpensshServer, direction: str):
    here, there = mortal_server.folder / "here" / "data", mortal_server.folder / "work" / "data"
    source, target = (here, there) if direction == "send" else (there, here)
    source.write_bytes(MUCH)

    async def scenario(device: SshDevice, proxy: Proxy) -> Any:
        task = shell("touch begun", files={direction: ["data"]})
        running = asyncio.ensure_future(Attempt(device, task).run())
        await until(lambda: proxy.standing, every=POLL)
        running.cancel()
        await asyncio.sleep(0)
        proxy.release()
        return await running

    limit = {"most_up": ALLOWED} if direction == "send" else {"most": ALLOWED}
    assert through(mortal_server, scenario, **limit).status is STOPPED
    assert (mortal_server.folder / "work" / "begun").exists() == (direction == "fetch")
    assert not target.exists()
    assert parts(mortal_server) == []


def test_what_many_tasks_want_is_sent_once(mortal_server: OpensshServer):
    (mortal_server.folder / "here" / "data").write_bytes(MUCH[:1_000_000])

    async def scenario(device: SshDevice, proxy: Proxy) -> Any:
        tasks = [shell("cmp data ../here/data", files={"send": ["data"]}) for _ in range(4)]
        outcomes = await asyncio.gather(*(Attempt(device, task).run() for task in tasks))
        return [outcome.status for outcome in outcomes], proxy.up

    statuses, sent = through(mortal_server, scenario)
    assert statuses == [COMPLETED] * 4
    assert sent < 1_000_000 + OVERHEAD


def test_copies_are_for_the_user_alone_and_programs_stay_programs(one_server: SshServer):
    (one_server.folder / "here" / "tool").write_text("#!/bin/sh\necho '[7]'\n")
    (one_server.folder / "here" / "tool").chmod(0o755)
    files = {"send": [{"from": "tool", "to": str(one_server.folder / "bin" / "tool")}], "fetch": ["made"]}
    task = shell("echo secret >made; chmod 664 made; ../bin/tool", files=files)
    outcome = outcome_of(one_server, task)
    assert outcome.result.value == [7], outcome
    assert mode_of(one_server.folder / "bin" / "tool") == 0o700
    assert mode_of(one_server.folder / "here" / "made") == 0o600


def test_an_empty_file_is_a_file_too(one_server: SshServer):
    (one_server.folder / "here" / "none").touch()
    outcome = outcome_of(one_server, shell("cp none made", files={"send": ["none"], "fetch": ["made"]}))
    assert outcome.status is COMPLETED, outcome
    assert (one_server.folder / "here" / "made").read_bytes() == b""


def test_progress_is_told_of_all_files_together(one_server: SshServer):
    for name in ("one", "two"):
        (one_server.folder / "here" / name).write_bytes(MUCH[:300_000])
    told: list[tuple[float, str]] = []
    task = shell("true", files={"send": ["one", "two"]})
    outcome_of(one_server, task, progress=lambda share, note: told.append((share, note)))
    shares = [share for share, _ in told]
    assert shares == sorted(shares)
    assert (0.5, "send one") in told
    assert told[-1] == (1.0, "send two")
    assert len(told) > 4
