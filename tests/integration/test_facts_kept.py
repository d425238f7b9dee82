"""The engine has checkpoints of the facts written, and goes on from them as from the whole journal."""

from __future__ import annotations

import asyncio
import shutil
from typing import TYPE_CHECKING, Any

import pytest
from tests.integration.test_resume import RUN, Gated, abc, engine, folder
from tests.properties.test_checkpoints import assert_same_run, change, checkpoints
from tests.waiting import until

from starloom import Orchestrator, RunState
from starloom.journal import facts as facts_room
from starloom.journal.library import Library
from starloom.journal.names import JOURNAL
from starloom.journal.stream_file import StreamFile
from starloom.scheduling.fold.apply import fold
from starloom.scheduling.state.folded_run import FoldedRun

if TYPE_CHECKING:
    from pathlib import Path

    from starloom.scheduling.state.run_facts import RunFacts


def check_last(path: Path) -> None:
    """There is a checkpoint, and what it says is what the whole stream says."""
    with StreamFile(path, read_only=True) as file:
        view = file.view().view
        assert_same_run(view, fold(FoldedRun(file.stream), file.committed()), str(path))


@pytest.mark.parametrize("full", [False, True], ids=["default", "full"])
def test_a_pause_and_an_end_leave_a_checkpoint(tmp_path: Path, full: bool) -> None:
    counts: list[int] = []

    async def main() -> None:
        device = Gated()
        with Library(tmp_path, full=full) as library:
            async with Orchestrator([device], journal=library) as orchestrator:
                handle = await orchestrator.start(abc(), run_id=RUN)
                await until(lambda: device.began == ["a"])
                await handle.pause()
                device.open("a", "b", "c")
                await until(lambda: handle.task("a").status == "completed")
                await until(lambda: checkpoints(folder(tmp_path) / JOURNAL))
                counts.append(len(checkpoints(folder(tmp_path) / JOURNAL)))
                await handle.resume()
                await handle.finished()
        counts.append(len(checkpoints(folder(tmp_path) / JOURNAL)))

    asyncio.run(main())
    assert counts == [1, 2]
    check_last(folder(tmp_path) / JOURNAL)


def test_a_run_goes_on_from_its_checkpoint_as_from_its_whole_journal(tmp_path: Path) -> None:
    async def first() -> None:
        device = Gated()
        async with engine(tmp_path / "first", device) as orchestrator:
            handle = await orchestrator.start(abc(), run_id=RUN)
            device.open("a")
            await until(lambda: len(device.began) == 3)
            await handle.pause()
            device.open("b")
            await until(lambda: handle.task("b").status == "completed")
            for name in ("with", "without"):
                shutil.copytree(tmp_path / "first", tmp_path / name)

    async def second(directory: Path) -> dict[str, Any]:
        device = Gated()
        device.open("c")
        async with engine(directory, device) as orchestrator:
            handle = await orchestrator.resume(folder(directory))
            assert handle.state is RunState.PAUSED
            await handle.resume()
            assert (await handle.finished()).state is RunState.COMPLETED
            assert device.began == ["c"]
            return {name: result.value for name, result in handle.results.items()}

    asyncio.run(first())
    path = folder(tmp_path / "with") / JOURNAL
    assert len(checkpoints(path)) == 1
    change(folder(tmp_path / "without") / JOURNAL, "DELETE FROM checkpoints")
    results = [asyncio.run(second(tmp_path / name)) for name in ("with", "without")]
    assert results == [{"a": "a", "b": "b", "c": "c"}] * 2
    for name in ("with", "without"):
        check_last(folder(tmp_path / name) / JOURNAL)


def test_a_defect_in_keeping_facts_is_told_once_and_stops_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def defect(_run: RunFacts, *_more: Any, **_fields: Any) -> Any:
        raise ValueError("a defect")

    monkeypatch.setattr(facts_room, "link_of", defect)
    caplog.set_level("INFO")

    async def main() -> None:
        device = Gated()
        device.open("a", "b", "c")
        async with engine(tmp_path, device) as orchestrator:
            handle = await orchestrator.start(abc(), run_id=RUN)
            assert (await handle.finished()).state is RunState.COMPLETED

    asyncio.run(main())
    assert [record.getMessage() for record in caplog.records if "a defect" in record.getMessage()]
    assert checkpoints(folder(tmp_path) / JOURNAL) == []
    check_last(folder(tmp_path) / JOURNAL)
