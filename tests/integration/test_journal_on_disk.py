"""The orchestrator on a journal on disk: a disk that is really full, and a program that is really killed."""

from __future__ import annotations

import asyncio
import os
import random
import signal
import subprocess
import sys
import time
from collections import Counter
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import pytest
from tests.driver import as_journalled
from tests.virtual_time import engine, run

from starloom import InProcessDevice, JournalError, RunState, Task, TaskContext
from starloom.events import RunHeldOpen, TaskCompleted, TaskStarted
from starloom.journal.library import Library
from starloom.journal.stream_file import StreamFile
from starloom.scheduling.restore import restore
from starloom.testing import invariants, layered

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from starloom.events import Event
    from starloom.journal.base import Journal

    Room = Any


class Counting:
    """A device that notes each execution and gives some output, so that the journal grows."""

    def __init__(self) -> None:
        self.executions: Counter[str] = Counter()
        self.device = InProcessDevice("here", slots=4, handlers={"noop": self.work})

    async def work(self, task: Task, _context: TaskContext) -> Any:
        self.executions[task.id] += 1
        await asyncio.sleep(0.01)
        return task.id * 100


# ---- disk full


class FileSizeLimit:
    """Files of this process cannot grow beyond some bytes: what a full disk or a used-up quota is like."""

    def __init__(self, size: int) -> None:
        import resource

        self._set = resource.setrlimit
        self._kind = resource.RLIMIT_FSIZE
        self._before = resource.getrlimit(self._kind)
        self._set(self._kind, (size, self._before[1]))

    def make_room(self) -> None:
        self._set(self._kind, self._before)


class SmallDisk:
    """A file system of its own of so many bytes, as good as full."""

    def __init__(self, folder: Path, size: int) -> None:
        self.folder = folder
        mount = ["mount", "-t", "tmpfs", "-o", f"size={size}", "starloom-test", str(folder)]
        if subprocess.run(mount, capture_output=True, check=False).returncode:
            pytest.skip("only root may mount a small file system")

    def make_room(self) -> None:
        subprocess.run(["mount", "-o", "remount,size=64m", str(self.folder)], check=True)

    def close(self) -> None:
        subprocess.run(["umount", str(self.folder)], check=True)


@contextmanager
def little_room(kind: str, folder: Path) -> Iterator[SmallDisk | FileSizeLimit]:
    if sys.platform == "win32":
        pytest.skip("there are neither file-size limits nor small file systems to mount there")
    if kind == "file-size limit":
        limit = FileSizeLimit(150_000)
        try:
            yield limit
        finally:
            limit.make_room()
        return
    disk = SmallDisk(folder, 250_000)
    try:
        yield disk
    finally:
        disk.close()


@pytest.mark.expects_log
@pytest.mark.parametrize("kind", ["file-size limit", "small disk"])
def test_a_run_on_a_full_disk_halts_and_goes_on_when_there_is_room(tmp_path: Path, kind: str) -> None:
    counting, plan = Counting(), layered(10, 10)

    async def main(journal: Journal, room: SmallDisk | FileSizeLimit) -> None:
        async with engine(counting.device, journal=journal) as orchestrator:
            handle = await orchestrator.start(plan)
            with pytest.raises(JournalError, match=r"disk is full.*(retry the commit|try again)"):
                await handle.finished()
            executed = sum(counting.executions.values())
            assert 0 < executed < len(plan.tasks)
            kept = list(journal.committed())
            assert restore(kept).run(handle.id).canonical() == orchestrator.pump.scheduler.run(handle.id).canonical()
            with pytest.raises(JournalError, match="full"):
                orchestrator.retry_commit()
            room.make_room()
            orchestrator.retry_commit()
            assert orchestrator.halted is None
            await handle.finished()
            assert handle.state is RunState.COMPLETED

    with little_room(kind, tmp_path) as room, Library(tmp_path / "kept") as journal:
        run(main(journal, room))
        events = list(journal.committed())
    ids = [task.id for task in plan.tasks]
    assert counting.executions == Counter(ids)
    for ended in (TaskStarted, TaskCompleted):
        assert Counter(event.task_id for event in events if isinstance(event, ended)) == Counter(ids)
    invariants.check(restore(events))


# ---- kill -9

KILLED = """
import asyncio, sys
from starloom import InProcessDevice, Orchestrator
from pathlib import Path
from starloom.journal.library import Library
from starloom.testing import layered

async def work(task, context):
    await asyncio.sleep(0)
    with open(sys.argv[2], "a") as done:
        done.write(task.id + "\\n")
    return task.id * 10

async def main():
    journal = Library(Path(sys.argv[1]))
    device = InProcessDevice("here", slots=8, handlers={"noop": work})
    async with Orchestrator([device], journal=journal) as orchestrator:
        print("begun", flush=True)
        while True:
            run = await orchestrator.start(layered(30, 30))
            await run.finished()

asyncio.run(main())
"""


def killed_after(seconds: float, path: Path, done: Path, *, busy: bool = False) -> None:
    """Have a program run plans until it is killed.

    Args:
        seconds: how long after it began.
        path: where it keeps its journals.
        done: the file in which it notes each task that it has carried out.
        busy: whether it has to have carried out a task before.
    """
    child = subprocess.Popen([sys.executable, "-c", KILLED, str(path), str(done)], stdout=subprocess.PIPE, text=True)
    try:
        assert child.stdout is not None
        assert child.stdout.readline() == "begun\n"
        deadline = time.monotonic() + seconds
        while time.monotonic() < deadline or (busy and not done.exists()):
            assert child.poll() is None
            time.sleep(0.001)
    finally:
        child.kill()
        child.communicate()
    if sys.platform != "win32":
        assert child.returncode == -signal.SIGKILL


@pytest.mark.parametrize("seed", range(10))
def test_what_was_committed_when_the_program_was_killed_is_whole(tmp_path: Path, seed: int) -> None:
    path, done = tmp_path / "kept", tmp_path / "done"
    killed_after(random.Random(seed).uniform(0.01, 0.4), path, done)
    events = all_events(path)
    invariants.check(restore(events))
    streams: dict[str, int] = {}
    for event in events:
        assert event.seq == streams.get(event.run_id, 0) + 1
        streams[event.run_id] = event.seq
    started = Counter(event.task_id for event in events if isinstance(event, TaskStarted))
    executed = Counter(done.read_text().split()) if done.exists() else Counter()
    assert executed <= started, "a task was started before its start was committed"
    completed = Counter(event.task_id for event in events if isinstance(event, TaskCompleted))
    assert completed <= executed, "a task counts as completed that was not carried out"


def all_events(directory: Path) -> list[Event]:
    """What stands in all journals of a directory: the fleet's first."""
    files = [directory / "fleet.db", *sorted(directory.glob("runs/*/journal.db"))]
    events: list[Event] = []
    for file in files:
        with StreamFile(file) as stream:
            events.extend(stream.committed())
    return events


def rows_of(path: Path) -> list[Event]:
    """What stands in a journal; nothing of a run that was only prepared, or whose log had moved to the file."""
    try:
        with StreamFile(path, read_only=True) as reader:
            return [as_journalled(event) for event in reader.committed()]
    except JournalError as error:
        if "is empty" in str(error):
            return []
        raise


def test_a_killed_journal_is_read_without_being_changed_and_goes_on(tmp_path: Path) -> None:
    killed_after(0.2, tmp_path, tmp_path / "done", busy=True)
    logs = [log for log in sorted(tmp_path.glob("runs/*/journal.db-wal")) if os.path.getsize(log) > 0]
    assert logs
    found = {log.with_name("journal.db"): rows_of(log.with_name("journal.db")) for log in logs}
    path, read = next((path, rows) for path, rows in found.items() if rows)
    with StreamFile(path) as journal:
        assert [as_journalled(event) for event in journal.committed()] == read
        last = read[-1]
        more = RunHeldOpen(last.seq + 1, last.at, last.run_id)
        journal.commit([more])
        assert [as_journalled(event) for event in journal.committed()] == [*read, more]
