"""Tasks that live on after their program was killed keep their slots: a device of one slot never gets a second task."""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal
import subprocess
import sys
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING

import pytest
from tests.waiting import until

from starloom.devices.local import LocalDevice
from starloom.journal.library import Library
from starloom.model.plan import Plan
from starloom.model.task import Task
from starloom.orchestration import unattended
from starloom.orchestration.left_behind import orphans_of
from starloom.orchestration.orchestrator import Orchestrator
from starloom.scheduling.state.codes import RUNNING

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Iterator
    from pathlib import Path

    from starloom.orchestration.left_behind import Orphan

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="there tasks end with their program")
PLAN = """
starloom: 1
name: night
devices: [{id: bench, kind: local, slots: 1}]
tasks:
  long: {shell: 'echo $$ > %s; exec sleep 3600'}
"""


@pytest.fixture
def left(tmp_path: Path) -> Iterator[int]:
    """The process of a task whose program was killed."""
    path, told = tmp_path / "night.yaml", tmp_path / "pid"
    path.write_text(PLAN % told, encoding="utf-8")
    command = [sys.executable, "-m", "starloom.cli", "run", str(path), "--journal", str(tmp_path / "journal")]
    program = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        asyncio.run(until(lambda: told.exists() and told.read_text().endswith("\n")))
    finally:
        program.kill()
        program.wait()
    process = int(told.read_text())
    yield process
    with contextlib.suppress(ProcessLookupError):
        os.kill(process, signal.SIGKILL)


@asynccontextmanager
async def program(folder: Path, *devices: LocalDevice) -> AsyncIterator[Orchestrator]:
    """Another program on the same journals."""
    with Library(folder / "journal") as library:
        async with Orchestrator(devices, journal=library) as engine:
            yield engine


MORE = Plan(name="more", tasks=[Task(id="next", shell="true")])


def test_what_may_still_run_keeps_its_slot_until_it_has_ended(tmp_path: Path, left: int) -> None:
    async def main() -> None:
        async with program(tmp_path, LocalDevice("bench", slots=1)) as engine:
            run = await engine.start(MORE)
            await engine.pump.at_rest()
            assert run.state == "executing"
            (reason,) = run.why("next")
            assert reason.code == "devices_busy"
            assert "1 is kept for tasks of an earlier program that may still run." in reason.text
            os.kill(left, signal.SIGKILL)
            await run.finished()
            assert run.state == "completed"
            assert engine.fleet.devices["bench"].unattended == 0

    asyncio.run(main())


def test_a_journal_is_read_once_as_long_as_it_says_nothing_else(
    tmp_path: Path, left: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    read: list[Path] = []

    def note(folder: Path) -> Iterator[Orphan]:
        read.append(folder)
        return orphans_of(folder)

    monkeypatch.setattr(unattended, "orphans_of", note)

    async def main() -> None:
        async with program(tmp_path, LocalDevice("bench", slots=1)) as engine:
            device = engine.fleet.devices["bench"]
            await until(lambda: device.unattended == 1)
            for _ in range(3):
                await engine.supervisor.unattended.look_again()
            assert (device.unattended, len(read)) == (1, 1)
            os.kill(left, signal.SIGKILL)
            await until(lambda: device.unattended == 0)
            assert len(read) == 1

    asyncio.run(main())


def test_a_run_that_is_resumed_has_the_slot_itself(tmp_path: Path, left: int) -> None:
    async def main() -> None:
        async with program(tmp_path, LocalDevice("bench", slots=1)) as engine:
            waiting = await engine.start(MORE)
            (folder,) = (one for one in (tmp_path / "journal" / "runs").iterdir() if one.name != waiting.id)
            resumed = await engine.resume(folder)
            device = engine.fleet.devices["bench"]
            await until(lambda: device.unattended == 0)
            assert (device.used, device.slots) == (1, 1)
            assert resumed.facts.status[0] == RUNNING
            await resumed.cancel()
            await resumed.finished()
            await waiting.finished()
            assert waiting.state == "completed"

    asyncio.run(main())


def test_a_device_that_joins_later_keeps_its_slots_too(tmp_path: Path, left: int) -> None:
    async def main() -> None:
        async with program(tmp_path) as engine:
            await engine.fleet.add(LocalDevice("bench", slots=2))
            await engine.pump.at_rest()
            assert engine.fleet.devices["bench"].unattended == 1
            run = await engine.start(MORE)
            await run.finished()
            assert run.state == "completed", "the other slot is free"

    asyncio.run(main())


@pytest.mark.expects_log
def test_journals_that_cannot_be_looked_into_tell_of_nothing(tmp_path: Path) -> None:
    async def main() -> None:
        async with program(tmp_path) as engine:
            runs = tmp_path / "journal" / "runs"
            runs.rmdir()
            runs.symlink_to(tmp_path / "nowhere")
            await engine.fleet.add(LocalDevice("bench", slots=1))
            assert engine.fleet.devices["bench"].unattended == 0

    asyncio.run(main())
