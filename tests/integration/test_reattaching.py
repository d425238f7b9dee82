"""Attempts that outlive the program that started them go on under the next one: real processes, a real sshd."""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import subprocess
import sys
import time
from typing import TYPE_CHECKING, Any, NamedTuple

import psutil
import pytest
from tests.integration.local_harness import BOUND, posix_only
from tests.integration.ssh_harness import mortal_server as mortal_server
from tests.waiting import POLL, until

from starloom import Orchestrator, RunState
from starloom.events import AttemptReattached, TaskInterrupted
from starloom.journal.library import Library
from starloom.journal.names import JOURNAL
from starloom.journal.stream_file import StreamFile
from starloom.reporting.export import folded
from starloom.settings import SchedulerSettings

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Iterator
    from pathlib import Path

    from tests.ssh_servers import OpensshServer

    from starloom.events import Event

pytestmark = posix_only
SCRIPT = "echo $$ >>{here}/begun; echo first; until [ -e {here}/go ]; do sleep 0.02; done; echo second; echo '[7]'"


class Place(NamedTuple):
    """A folder for one test, the device that its plan names, and the id of the one that tasks run on."""

    folder: Path
    device: dict[str, Any]
    name: str = "d"

    def begun(self) -> list[int]:
        """The processes of all attempts that have begun."""
        path = self.folder / "begun"
        return [int(line) for line in path.read_text().splitlines()] if path.exists() else []

    def let_go(self) -> None:
        """Let the scripts come to their ends."""
        (self.folder / "go").touch()


@pytest.fixture(params=["local", "wrapped", "ssh"])
def place(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Place]:
    folder = tmp_path / "here"
    folder.mkdir()
    device: dict[str, Any] = {"id": "d", "kind": request.param, "slots": 3}
    if request.param == "wrapped":
        device["options"] = {"wrapper": ["env"], "grace": 0.5}
    elif request.param == "ssh":
        server: OpensshServer = request.getfixturevalue("mortal_server")
        device["options"] = {**server.options(), "grace": 0.5}
    try:
        yield Place(folder, device)
    finally:
        end_all_in(folder)


def end_all_in(folder: Path) -> None:
    """End what a test has left that names its folder."""
    for process in psutil.process_iter():
        with contextlib.suppress(psutil.Error):
            if str(folder) in " ".join(process.cmdline()):
                process.kill()


def program_dies(place: Place, tasks: dict[str, Any], begun: int = 1) -> None:
    """A program runs tasks, and is killed once so many have begun."""
    plan = {"starloom": 1, "name": "p", "devices": [place.device], "tasks": tasks}
    path = place.folder / "plan.json"
    path.write_text(json.dumps(plan))
    command = (sys.executable, "-m", "starloom.cli", "run", str(path), "--journal", str(place.folder / "journal"))
    with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as program:
        try:
            asyncio.run(until(lambda: len(place.begun()) == begun, every=POLL))
        finally:
            program.kill()


@contextlib.asynccontextmanager
async def resumed(place: Place, events: list[Event] | None = None) -> AsyncIterator[Any]:
    """The run in another program, as a handle."""
    async with engine_resumed(place, events) as (_, run):
        yield run


@contextlib.asynccontextmanager
async def engine_resumed(place: Place, events: list[Event] | None = None) -> AsyncIterator[tuple[Orchestrator, Any]]:
    """Another program, and the run in it as a handle."""
    with Library(place.folder / "journal") as library:
        orchestrator = Orchestrator([], journal=library, settings=SchedulerSettings())
        async with asyncio.timeout(BOUND):
            await orchestrator.open()
            try:
                orchestrator.events.subscribe(events.append if events is not None else lambda _event: None)
                (folder,) = (place.folder / "journal" / "runs").iterdir()
                yield orchestrator, await orchestrator.resume(folder)
            finally:
                await orchestrator.shutdown("now")


def script(place: Place, **fields: Any) -> dict[str, Any]:
    return {"shell": SCRIPT.format(here=place.folder), **fields}


def test_a_running_attempt_goes_on_in_its_slot_and_ends_as_if_nothing_had_happened(place: Place) -> None:
    program_dies(place, {"a": script(place), "b": script(place), "c": {"shell": "true", "needs": ["a"]}}, begun=2)
    before = place.begun()
    events: list[Event] = []

    async def scenario() -> None:
        async with resumed(place, events) as run:
            assert all(psutil.pid_exists(pid) for pid in before)
            assert {run.task(name).status for name in "ab"} == {"running"}
            place.let_go()
            assert (await run.finished()).state is RunState.COMPLETED
            (attempt,) = run.task("a").attempts
            assert (attempt.number, attempt.status, attempt.result.value) == (1, "completed", [7])
            assert attempt.result.output == "first\nsecond\n[7]\n"

    asyncio.run(scenario())
    assert place.begun() == before
    again = {event.task_id: event for event in events if isinstance(event, AttemptReattached)}
    assert sorted(event.slot for event in again.values()) == [0, 1]
    assert {(event.attempt, event.device_id) for event in again.values()} == {(1, place.name)}
    assert not [event for event in events if isinstance(event, TaskInterrupted)]
    assert list((place.folder / "journal").glob("runs/*/attempts/*")) == []
    (folder,) = (place.folder / "journal" / "runs").iterdir()
    with StreamFile(folder / JOURNAL, read_only=True) as file:
        report = folded(file.stream, file.committed())
    assert len(report.attempts) == 3
    assert {name for name in "ab" if any(f"of {name} alive" in one.what for one in report.interventions)} == {*"ab"}


def test_it_outlives_as_many_programs_as_die_in_between(place: Place) -> None:
    program_dies(place, {"a": script(place)})
    before = place.begun()

    async def looked_at() -> None:
        with Library(place.folder / "journal") as library:
            orchestrator = Orchestrator([], journal=library, settings=SchedulerSettings())
            await orchestrator.open()
            (folder,) = (place.folder / "journal" / "runs").iterdir()
            await orchestrator.resume(folder)
            os._exit(9)  # as SIGKILL would end it

    for _ in range(2):
        pid = os.fork()
        if not pid:
            try:
                asyncio.run(looked_at())
            finally:
                os._exit(1)
        _, status = os.waitpid(pid, 0)
        assert os.waitstatus_to_exitcode(status) == 9

    async def scenario() -> None:
        async with resumed(place) as run:
            place.let_go()
            assert (await run.finished()).state is RunState.COMPLETED
            assert len(run.facts.sessions) == 4

    asyncio.run(scenario())
    assert place.begun() == before


def test_cancelled_after_that_it_is_ended_for_real(place: Place) -> None:
    program_dies(place, {"a": script(place)})
    (pid,) = place.begun()

    async def scenario() -> None:
        async with resumed(place) as run:
            await run.cancel()
            assert (await run.finished()).state is RunState.CANCELLED

    asyncio.run(scenario())
    assert not psutil.pid_exists(pid) or psutil.Process(pid).status() == psutil.STATUS_ZOMBIE


def test_its_timeout_has_run_while_no_program_did(place: Place) -> None:
    program_dies(place, {"a": script(place, timeout=1)})
    began = (place.folder / "begun").stat().st_mtime
    asyncio.run(until(lambda: time.time() - began > 1.0, every=POLL))

    async def scenario() -> None:
        async with resumed(place) as run:
            await run.finished()
            assert run.results["a"].error.code == "timeout"

    asyncio.run(scenario())
    assert len(place.begun()) == 1


def test_one_whose_timeout_ran_out_meanwhile_is_ended_before_it_is_tried_again(place: Place) -> None:
    program_dies(place, {"a": script(place, timeout=1, retry=1)})
    (first,) = place.begun()
    began = (place.folder / "begun").stat().st_mtime
    asyncio.run(until(lambda: time.time() - began > 1.0, every=POLL))

    async def scenario() -> None:
        async with resumed(place) as run:
            await until(lambda: len(place.begun()) == 2, every=POLL)
            assert not psutil.pid_exists(first) or psutil.Process(first).status() == psutil.STATUS_ZOMBIE
            await run.cancel()
            await run.finished()

    asyncio.run(scenario())


def test_one_that_ends_while_it_is_taken_up_again_is_not_lost(place: Place) -> None:
    program_dies(place, {"a": script(place)})
    place.let_go()

    async def scenario() -> None:
        async with resumed(place) as run:
            assert (await run.finished()).state is RunState.COMPLETED

    asyncio.run(scenario())
    assert len(place.begun()) == 1


def test_whoever_wants_it_begun_anew_gets_that(place: Place) -> None:
    program_dies(place, {"a": script(place, on_interrupt="rerun")})
    (first,) = place.begun()

    async def scenario() -> None:
        async with resumed(place) as run:
            await until(lambda: len(place.begun()) == 2, every=POLL)
            assert not psutil.pid_exists(first) or psutil.Process(first).status() == psutil.STATUS_ZOMBIE
            place.let_go()
            assert (await run.finished()).state is RunState.COMPLETED
            assert [attempt.status for attempt in run.task("a").attempts] == ["interrupted", "completed"]

    asyncio.run(scenario())


def test_what_ran_in_a_cluster_that_ended_with_its_program_is_begun_anew_in_the_next_one(tmp_path: Path) -> None:
    place = Place(tmp_path, {"id": "d", "kind": "dask", "options": {"workers": 1}})
    program_dies(place, {"a": script(place)})
    (first,) = place.begun()

    async def scenario() -> None:
        async with resumed(place) as run:
            await until(lambda: len(place.begun()) == 2, every=POLL)
            assert not psutil.pid_exists(first) or psutil.Process(first).status() == psutil.STATUS_ZOMBIE
            place.let_go()
            assert (await run.finished()).state is RunState.COMPLETED
            assert [attempt.status for attempt in run.task("a").attempts] == ["interrupted", "completed"]

    asyncio.run(scenario())
