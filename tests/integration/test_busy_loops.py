"""How long tasks take while the program's loop is busy, as that of a window is: by their clock, not by the loop's."""

from __future__ import annotations

import asyncio
import json
import time
from typing import TYPE_CHECKING, Any, NamedTuple

import pytest
from tests.integration.local_harness import posix_only
from tests.waiting import POLL, until

from starloom import Orchestrator
from starloom.devices import local
from starloom.formats import parse_plan
from starloom.journal.library import Library
from starloom.settings import SchedulerSettings

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = posix_only
BUSY = 2.0
"""Seconds for which the loop hears nothing."""
NEAR = 0.6
"""Seconds that a slow machine may take to start a process, or to write down its end."""
DEVICES = [
    {"id": "d", "kind": "local", "slots": 1},
    {"id": "d", "kind": "wrapped", "slots": 1, "options": {"wrapper": ["env"]}},
]


class Times(NamedTuple):
    """When a task began and ended, in seconds of the epoch, as its run has it and by its own clock."""

    started: float
    ended: float
    own_start: float
    own_end: float


def times_when(folder: Path, device: dict[str, Any], *, busy: bool) -> Times:
    """The times of a task of 0.2 s; busy: the loop is, from when its command has begun."""
    shell = f"date +%s.%N >{folder}/begun; sleep 0.2; date +%s.%N >{folder}/ended"
    tasks = {"a": {"shell": shell, **({"timeout": BUSY / 2} if busy else {})}}
    plan = {"starloom": 1, "name": "p", "devices": [device], "tasks": tasks}

    async def main() -> Times:
        with Library(folder / "journal") as library:
            orchestrator = Orchestrator([], journal=library, settings=SchedulerSettings())
            await orchestrator.open()
            try:
                run = await orchestrator.start(parse_plan(json.dumps(plan)))
                await until((folder / "begun").exists, every=POLL)
                time.sleep(BUSY if busy else 0.0)  # noqa: ASYNC251 - the loop is to be busy
                await run.finished()
                (attempt,), (at, wall) = run.task("a").attempts, run.facts.sessions[-1]
                assert attempt.ended is not None
                assert run.task("a").status == "completed", "its timeout has not passed"
                own = (float((folder / name).read_text()) for name in ("begun", "ended"))
                return Times(attempt.started + wall - at, attempt.ended + wall - at, *own)
            finally:
                await orchestrator.shutdown("now")

    return asyncio.run(main())


def check(times: Times) -> None:
    assert times.ended - times.started == pytest.approx(0.2, abs=NEAR)
    assert times.started == pytest.approx(times.own_start, abs=NEAR)
    assert times.ended == pytest.approx(times.own_end, abs=NEAR)


@pytest.mark.parametrize("device", DEVICES, ids=lambda device: device["kind"])
def test_a_task_whose_end_is_heard_late_took_as_long_as_by_its_own_clock(
    device: dict[str, Any], tmp_path: Path
) -> None:
    check(times_when(tmp_path, device, busy=True))


@pytest.mark.parametrize("device", DEVICES, ids=lambda device: device["kind"])
def test_a_task_whose_process_starts_late_began_then(
    device: dict[str, Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    prepare = local._write_files

    def slowly(*given: Any) -> None:
        time.sleep(BUSY)
        prepare(*given)

    monkeypatch.setattr(local, "_write_files", slowly)
    check(times_when(tmp_path, device, busy=False))
