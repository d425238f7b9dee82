"""An error at every single write of a short run of the whole engine: it halts at its last commit, or cannot begin; and
once the disk is well again it goes on, with every task carried out exactly once.
"""

from __future__ import annotations

import asyncio
import sqlite3
from collections import Counter
from typing import TYPE_CHECKING, Any

import pytest
from tests.driver import task as make
from tests.unit.journal.test_faults import Faulty
from tests.virtual_time import run

from starloom import InProcessDevice, JournalError, Orchestrator, Plan, RunState, Task, TaskContext
from starloom.journal.library import Library
from starloom.scheduling.restore import restore
from starloom.settings import SchedulerSettings

if TYPE_CHECKING:
    from pathlib import Path

PLAN = Plan(
    tasks=(make("a"), make("b"), make("c"), make("d")),
    dependencies=(  # type: ignore[arg-type]
        {"parent": "a", "child": "b"},
        {"parent": "a", "child": "c"},
        {"parent": "b", "child": "d"},
        {"parent": "c", "child": "d"},
    ),
)


class Disturbed:
    """One engine on a journal that fails once.

    Attributes:
        executed: how often each task was carried out.
        halts: how often the engine halted, or could not begin.
    """

    def __init__(self, directory: Path) -> None:
        self.directory = directory
        self.executed: Counter[str] = Counter()
        self.halts = 0

    async def work(self, task: Task, _context: TaskContext) -> Any:
        self.executed[task.id] += 1
        await asyncio.sleep(1.0 if task.id == "b" else 2.0)
        return task.id

    async def main(self) -> None:
        library = self.library()
        try:
            await self.drive(library)
        finally:
            library.close()

    def library(self) -> Library:
        try:
            return Library(self.directory)
        except JournalError:
            self.halts += 1
            return Library(self.directory)

    async def drive(self, library: Library) -> None:
        orchestrator = await self.opened(library)
        try:
            handle = await orchestrator.start(PLAN, run_id="r")
        except JournalError:  # nothing of it has happened
            self.halts += 1
            orchestrator.retry_commit()
            handle = await orchestrator.start(PLAN, run_id="r")
        while not handle.state.has_ended:
            try:
                await handle.finished()
            except JournalError:
                self.halts += 1
                orchestrator.retry_commit()
        await orchestrator.shutdown()
        assert handle.state is RunState.COMPLETED
        twin = restore(library.committed())
        assert twin.run("r").canonical() == orchestrator.pump.scheduler.run("r").canonical()

    async def opened(self, library: Library) -> Orchestrator:
        for _ in range(2):
            device = InProcessDevice("here", slots=2, handlers={"noop": self.work})
            orchestrator = Orchestrator([device], journal=library, settings=SchedulerSettings())
            try:
                await orchestrator.open()
            except JournalError:
                self.halts += 1
            else:
                return orchestrator
        raise AssertionError("it fails twice")


def disturbed(directory: Path, place: int) -> Disturbed:
    Faulty.count, Faulty.fail_at = 0, place
    try:
        one = Disturbed(directory)
        run(one.main())
        return one
    finally:
        Faulty.fail_at = -1


@pytest.mark.expects_log
@pytest.mark.parametrize("after", [False, True], ids=["before", "after"])
def test_after_a_fault_at_any_write_everything_is_done_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, after: bool
) -> None:
    connect = sqlite3.connect
    monkeypatch.setattr(sqlite3, "connect", lambda *args, **fields: connect(*args, **fields, factory=Faulty))
    monkeypatch.setattr(Faulty, "after", after)
    peaceful = disturbed(tmp_path / "undisturbed", -1)
    writes = Faulty.count
    assert (peaceful.halts, peaceful.executed) == (0, Counter("abcd"))
    assert writes > 12
    halts = 0
    for place in range(writes):
        one = disturbed(tmp_path / str(place), place)
        assert one.executed == Counter("abcd"), f"a fault at write {place}"
        halts += one.halts
    assert halts >= writes - 6  # one at the last moments may concern nobody any more
