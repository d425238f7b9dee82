"""The folder of a run is moved away or removed while the run goes on: that is told, and nothing more is begun until
somebody has put it back, or goes on without it.
"""

from __future__ import annotations

import asyncio
import shutil
from typing import TYPE_CHECKING

import pytest
from tests.integration.local_harness import posix_only
from tests.waiting import until

from starloom import Dependency, JournalError, LocalDevice, Orchestrator, Plan, RunState, Task
from starloom.journal import alive_file
from starloom.journal.library import Library
from starloom.journal.stream_file import StreamFile
from starloom.scheduling.restore import restore

if TYPE_CHECKING:
    from pathlib import Path

    from starloom.orchestration.run import Run

pytestmark = [posix_only, pytest.mark.expects_log]


@pytest.fixture(autouse=True)
def _often(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(alive_file, "SECONDS", 0.02)


def gated(name: str, folder: Path) -> Task:
    """A task that notes that it has begun, and ends once a file says so."""
    return Task(id=name, shell=f"touch {folder}/{name}.began; while [ ! -e {folder}/go ]; do sleep 0.02; done; echo 7")


def remove(folder: Path) -> None:
    """Remove a folder in one step, as somebody may write into it at this moment."""
    shutil.rmtree(folder.rename(folder.parent.parent / "removed"))


class Trial:
    """A run of two tasks, one after the other, the first of which has begun.

    Attributes:
        folder: of the run.
    """

    def __init__(self, base: Path, library: Library, engine: Orchestrator) -> None:
        self.base, self.library, self.engine = base, library, engine
        self.folder = base / "journal" / "runs" / "r"
        self.run: Run

    async def begin(self) -> None:
        plan = Plan(
            tasks=(gated("a", self.base), Task(id="b", shell=f"touch {self.base}/b.began")),
            dependencies=(Dependency(parent="a", child="b"),),
        )
        self.run = await self.engine.start(plan, run_id="r")
        await until((self.base / "a.began").exists)

    async def let_go_on(self) -> None:
        """The first task ends, and the engine has heard of it."""
        (self.base / "go").touch()
        await until(lambda: not self.engine.dispatcher.alive)

    async def ends_well(self) -> None:
        summary = await self.run.finished()
        assert (summary.state, summary.tasks.completed) == (RunState.COMPLETED, 2)
        assert self.run.results["a"].value == 7
        twin = restore(self.library.committed())
        assert twin.run("r").canonical() == self.run.facts.canonical()
        with StreamFile(self.folder / "journal.db", read_only=True) as file:
            assert [event.seq for event in file.committed()] == list(range(1, self.run.facts.seq + 1))


async def tried(base: Path) -> Trial:
    library = Library(base / "journal")
    trial = Trial(base, library, Orchestrator([LocalDevice("here", slots=2)], journal=library))
    await trial.engine.open()
    await trial.begin()
    return trial


async def close(trial: Trial) -> None:
    await trial.engine.shutdown("now")
    trial.library.close()


def test_that_the_folder_has_gone_is_told_while_nothing_else_happens(tmp_path: Path) -> None:
    async def main() -> None:
        trial = await tried(tmp_path)
        try:
            trial.folder.rename(tmp_path / "elsewhere")
            await until(lambda: trial.engine.halted)
            assert str(trial.folder) in str(trial.engine.halted)
            assert "Put it back and try again" in str(trial.engine.halted)
            await trial.let_go_on()
            assert not (tmp_path / "b.began").exists()
            assert not trial.folder.exists()
            (tmp_path / "elsewhere").rename(trial.folder)
            trial.engine.retry_commit()
            await trial.ends_well()
        finally:
            await close(trial)

    asyncio.run(main())


def test_a_removed_folder_is_made_anew_with_the_whole_journal(tmp_path: Path) -> None:
    async def main() -> None:
        trial = await tried(tmp_path)
        try:
            remove(trial.folder)
            await until(lambda: trial.engine.halted)
            trial.engine.retry_commit()
            assert trial.engine.halted is None
            await trial.let_go_on()
            await trial.ends_well()
        finally:
            await close(trial)
        assert sorted(path.name for path in trial.folder.glob("journal*")) == ["journal.db", "journal.db.lock"]

    asyncio.run(main())


def test_a_commit_that_comes_before_the_next_sign_of_life_finds_out_too(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(alive_file, "SECONDS", 3600.0)

    async def main() -> None:
        trial = await tried(tmp_path)
        try:
            remove(trial.folder)
            await trial.let_go_on()
            await until(lambda: trial.engine.halted)
            assert not (tmp_path / "b.began").exists()
            assert trial.run.task("a").status == "running"
            trial.engine.retry_commit()
            await trial.ends_well()
        finally:
            await close(trial)

    asyncio.run(main())


def test_another_file_in_its_place_is_not_overwritten(tmp_path: Path) -> None:
    async def main() -> None:
        trial = await tried(tmp_path)
        try:
            shutil.copytree(trial.folder, tmp_path / "copy")
            remove(trial.folder)
            (tmp_path / "copy").rename(trial.folder)
            await until(lambda: trial.engine.halted)
            for _ in range(2):
                with pytest.raises(JournalError, match="move this file away"):
                    trial.engine.retry_commit()
            assert "move this file away" in str(trial.engine.halted)
            await asyncio.wait_for(trial.engine.until_halted(), 60)
            trial.folder.rename(tmp_path / "copy")
            trial.engine.retry_commit()
            await trial.let_go_on()
            await trial.ends_well()
        finally:
            await close(trial)

    asyncio.run(main())


def test_a_run_that_has_ended_may_lose_its_folder(tmp_path: Path) -> None:
    async def main() -> None:
        trial = await tried(tmp_path)
        try:
            (tmp_path / "go").touch()
            await trial.run.finished()
            remove(trial.folder)
            other = await trial.engine.start(Plan(tasks=(gated("c", tmp_path),)), run_id="other")
            await other.finished()
            assert trial.engine.halted is None
            assert not trial.folder.exists()
        finally:
            await close(trial)

    asyncio.run(main())
