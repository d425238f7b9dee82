"""A run whose program is killed goes on with the time that has passed for it, also if nothing happened in that time."""

from __future__ import annotations

import asyncio
import shutil
import time
from typing import TYPE_CHECKING

import pytest
from tests.integration.test_resume import Gated, engine
from tests.waiting import until

from starloom import Plan, Task
from starloom.events import RunRecovered
from starloom.journal import alive_file
from starloom.journal.alive_file import read_alive, write_alive
from starloom.journal.stream_file import StreamFile

if TYPE_CHECKING:
    from pathlib import Path

    from starloom.journal.base import Moment

PLAN = Plan(tasks=(Task(id="a", call="noop"),))
LONG = 1.0


@pytest.fixture(autouse=True)
def _often(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(alive_file, "SECONDS", 0.02)


def left_alone(folder: Path, other: Path) -> tuple[Path, Moment]:
    """A run as a killed program leaves it of which nothing was heard for `LONG` seconds; and its last moment."""

    async def main() -> Moment:
        async with engine(folder, Gated()) as orchestrator:
            run = await orchestrator.start(PLAN, run_id="r")
            await until(lambda: run.facts.running == 1)
            await run.pause()
            with StreamFile(folder / "runs" / "r" / "journal.db", read_only=True) as file:
                last = file.view()
            await until(lambda: (read_alive(folder / "runs" / "r") or 0.0) > last.wall + LONG + 0.1)
            shutil.copytree(folder / "runs", other / "runs")
            return last

    return other / "runs" / "r", asyncio.run(main())


def time_of_death(left: Path) -> float:
    """Go on with a run; how far its clock had come by then, in seconds by the clock of its first program."""

    async def main() -> None:
        async with engine(left.parent.parent, Gated()) as orchestrator:
            await orchestrator.resume(left)

    asyncio.run(main())
    with StreamFile(left / "journal.db", read_only=True) as file:
        (recovered,) = [event for event in file.committed() if isinstance(event, RunRecovered)]
    return recovered.at - recovered.shift


def test_the_time_without_events_before_a_program_was_killed_has_passed_for_the_run(tmp_path: Path) -> None:
    left, last = left_alone(tmp_path / "dead", tmp_path / "next")
    assert time_of_death(left) >= last.at + LONG


@pytest.mark.parametrize("hours_ahead", [-1.0, 1.0])
def test_a_sign_from_before_the_last_event_or_from_the_future_is_not_believed(
    tmp_path: Path, hours_ahead: float
) -> None:
    left, last = left_alone(tmp_path / "dead", tmp_path / "next")
    write_alive(left, time.time() + 3600 * hours_ahead)
    assert time_of_death(left) == pytest.approx(last.at, abs=1e-5)


def test_a_run_that_has_ended_leaves_no_sign(tmp_path: Path) -> None:
    async def main() -> None:
        device = Gated()
        async with engine(tmp_path, device, runs_in_memory=0) as orchestrator:
            run = await orchestrator.start(PLAN, run_id="r")
            await until(lambda: read_alive(tmp_path / "runs" / "r"))
            device.open("a")
            await run.finished()

    asyncio.run(main())
    assert not (tmp_path / "runs" / "r" / "alive").exists()


@pytest.mark.parametrize("text", ["", "soon", "nan", "1e999"])
def test_what_is_no_time_is_no_sign(tmp_path: Path, text: str) -> None:
    (tmp_path / "alive").write_text(text)
    assert read_alive(tmp_path) is None
