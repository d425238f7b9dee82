"""A run that changes hands at random moments between consoles and servers, some killed: nothing is lost or repeated."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import time
from contextlib import suppress
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING

import psutil
import pytest
from tests.crash.harness import (
    HERE,
    PATIENCE,
    Disturbed,
    check,
    effects_of,
    events_of,
    journal_of,
    note_what_is_settled,
    plan_of,
    undisturbed,
)

from starloom.events import TaskInterrupted
from starloom.journal.lock import holder_of
from starloom.scheduling.fold.apply import fold
from starloom.scheduling.state.folded_run import FoldedRun
from starloom.server.server_lock import can_serve

if TYPE_CHECKING:
    from collections.abc import Iterator

FEW = 3
RUNS = max(FEW, int(os.environ.get("STARLOOM_CRASH_RUNS", FEW)) // 4)
PROGRAM = Path(__file__).with_name("handing_program.py")
HANDED_OVER = 3
pytestmark = [
    pytest.mark.skipif(not can_serve(), reason="no Unix sockets that tell who connects"),
    pytest.mark.timeout(600),
]


@pytest.fixture
def environment() -> Iterator[dict[str, str]]:
    """One in which sockets have room, and in which whatever is left running is ended."""
    with tempfile.TemporaryDirectory(prefix="sl") as short:
        paths = {"PYTHONPATH": str(Path(__file__).parents[2]), "XDG_RUNTIME_DIR": short}
        yield {**os.environ, "STARLOOM_SETTINGS": os.devnull, **paths}


@pytest.mark.parametrize("seed", range(2000, 2000 + RUNS))
@pytest.mark.parametrize("is_killed", [False, True])
def test_nothing_is_lost_and_nothing_runs_twice(
    tmp_path: Path, environment: dict[str, str], seed: int, is_killed: bool
) -> None:
    result = handed_around(seed, tmp_path / "handed", environment, is_killed=is_killed)
    check(result, undisturbed(seed, tmp_path / "peaceful"))
    if not is_killed:
        assert not [event for event in result.events if isinstance(event, TaskInterrupted)]


def handed_around(seed: int, folder: Path, environment: dict[str, str], *, is_killed: bool) -> Disturbed:
    """The plan run by programs that hand it to servers, which hand it back, until it has ended."""
    dice = Random(f"{seed} hands {is_killed}")
    folder.mkdir()
    (folder / "effects").touch()
    (folder / "plan.json").write_text(json.dumps(plan_of(seed, folder, HERE)))
    result = Disturbed(final=FoldedRun(""), events=[], effects=[])
    for moves in range(100):
        is_last = moves > dice.randint(2, 4)
        if is_killed and not is_last and dice.random() < 0.5:
            result.kills += _kill(folder, environment, dice)
            note_what_is_settled(folder, result)
        code = _run(folder, environment, 600.0 if is_last else dice.uniform(0.0, 0.4))
        assert code in (0, HANDED_OVER)
        if code == 0:
            break
        time.sleep(dice.uniform(0.0, 1.5))
    result.effects, result.events = effects_of(folder), events_of(folder)
    result.final = fold(FoldedRun(result.events[0].run_id), result.events)
    return result


def _arguments(folder: Path, seconds: float) -> list[str]:
    return [sys.executable, str(PROGRAM), str(folder / "journal"), str(folder / "plan.json"), str(seconds)]


def _run(folder: Path, environment: dict[str, str], seconds: float) -> int:
    done = subprocess.run(
        _arguments(folder, seconds), cwd=folder, env=environment, capture_output=True, timeout=PATIENCE, check=False
    )
    assert done.returncode in (0, HANDED_OVER), done.stderr.decode()
    return done.returncode


def _kill(folder: Path, environment: dict[str, str], dice: Random) -> bool:
    """Kill whoever has the run: a program as it works, takes over or hands over, or else a server; whether one was."""
    if dice.random() < 0.5:
        program = subprocess.Popen(
            _arguments(folder, dice.uniform(0.0, 0.3)),
            cwd=folder,
            env=environment,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        with suppress(subprocess.TimeoutExpired):
            program.wait(dice.uniform(0.3, 2.0))
        program.kill()
        return program.wait() < 0
    journal = journal_of(folder)
    holder = None if journal is None else holder_of(journal)
    if holder is None or holder.pid is None:
        return False
    with suppress(psutil.NoSuchProcess):
        psutil.Process(holder.pid).kill()
        psutil.Process(holder.pid).wait(PATIENCE)
    return True
