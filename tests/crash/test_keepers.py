"""What starts and awaits commands for programs is killed at any moment, with its program or without it.

Where an end is lost the attempt counts as interrupted, and there may be another, but never while its process lives.
"""

from __future__ import annotations

import contextlib
import json
import os
import subprocess
import sys
import threading
import time
from random import Random
from typing import TYPE_CHECKING

import psutil
import pytest
from tests.crash.harness import PATIENCE, SCRIPT, Disturbed, effects_of, events_of, journal_of, note_what_is_settled
from typing_extensions import override

from starloom.scheduling.fold.apply import fold
from starloom.scheduling.state.folded_run import FoldedRun

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

FEW = 6
RUNS = int(os.environ.get("STARLOOM_CRASH_RUNS", FEW))
MOST_ATTEMPTS = 50
MOST_BLOWS = 12
pytestmark = [
    pytest.mark.skipif(sys.platform != "linux", reason="there are keepers on Linux alone"),
    pytest.mark.timeout(300),
]


def plan(seed: int, folder: Path) -> None:
    """Write a plan of scripts, all of which complete in the end: what is interrupted is tried again."""
    dice = Random(seed)
    script = folder / "script.sh"
    script.write_text(SCRIPT)
    tasks = []
    for number in range(dice.randint(6, 16)):
        seconds = f"{dice.uniform(0.0, dice.choice([0.02, 0.5])):.3f}"
        command = ["/bin/sh", str(script), str(folder / "effects"), f"t{number}", seconds, "0"]
        retry = {"attempts": MOST_ATTEMPTS, "delay": 0.01}
        tasks.append({"id": f"t{number}", "command": command, "retry": retry})
    devices = [{"id": "here", "slots": 3}]
    (folder / "plan.json").write_text(
        json.dumps({"starloom": 1, "name": "keepers", "devices": devices, "tasks": tasks})
    )
    (folder / "effects").touch()


@contextlib.contextmanager
def program(folder: Path) -> Iterator[subprocess.Popen[bytes]]:
    """A program that runs the plan, or takes it up again, and works in the folder."""
    what = ["run", str(folder / "plan.json")] if journal_of(folder) is None else ["resume"]
    running = subprocess.Popen(
        [sys.executable, "-m", "starloom.cli", *what, "--journal", str(folder / "journal"), "--quiet"],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        env={**os.environ, "STARLOOM_SETTINGS": os.devnull},
        cwd=folder,
    )
    try:
        yield running
    finally:
        running.kill()
        running.communicate()


def keepers_in(folder: Path) -> list[psutil.Process]:
    """The keepers of all programs that worked in the folder, also of those that are dead."""
    found = []
    for process in psutil.process_iter():
        with contextlib.suppress(psutil.Error):
            if any(word.endswith("keeper_child.py") for word in process.cmdline()) and process.cwd() == str(folder):
                found.append(process)
    return found


class Blows(threading.Thread):
    """Kills keepers at random moments, until there have been enough or it is stopped."""

    def __init__(self, seed: int, folder: Path) -> None:
        super().__init__()
        self.dice = Random(f"{seed} blows")
        self.folder = folder
        self.killed = 0
        self.stopped = threading.Event()

    @override
    def run(self) -> None:
        for _ in range(self.dice.randint(1, MOST_BLOWS)):
            if self.stopped.wait(self.dice.uniform(0.0, 0.3)):
                return
            for keeper in keepers_in(self.folder):
                with contextlib.suppress(psutil.Error):
                    keeper.kill()
                    self.killed += 1


@pytest.mark.parametrize("seed", range(RUNS))
def test_nothing_overlaps_and_nothing_that_has_ended_runs_again(tmp_path: Path, seed: int) -> None:
    plan(seed, tmp_path)
    dice = Random(f"{seed} programs")
    result = Disturbed(final=FoldedRun(""), events=[], effects=[])
    blows = Blows(seed, tmp_path)
    blows.start()
    try:
        for _ in range(dice.choice([0, 1, 2])):  # programs that are killed as well, some at the same moment
            with program(tmp_path) as running:
                with contextlib.suppress(subprocess.TimeoutExpired):
                    running.wait(dice.uniform(0.3, 2.0))
                if dice.random() < 0.5:
                    for keeper in keepers_in(tmp_path):
                        keeper.kill()
            note_what_is_settled(tmp_path, result)
        with program(tmp_path) as running:
            _, err = running.communicate(timeout=PATIENCE)
            assert running.returncode in (0, 2), (running.returncode, err)
    finally:
        blows.stopped.set()
        blows.join()
    check(tmp_path, result)


def check(folder: Path, result: Disturbed) -> None:
    """Fail if two attempts overlapped, something known to have ended began again, or something is missing or left."""
    effects, events = effects_of(folder), events_of(folder)
    assert not [line for line in effects if line.startswith("overlap")]
    for task_id, lines in result.settled.items():
        again = [line for line in effects[lines:] if line.startswith(f"begin {task_id} ")]
        assert not again, f"{task_id} had ended, and began again: {again}"
    run = fold(FoldedRun(events[0].run_id), events).run
    for number, task in run.graph.present():
        assert run.status_of(number).value == "completed", task.id
        begun = sum(line.startswith(f"begin {task.id} ") for line in effects)
        ended = sum(line.startswith(f"end {task.id} ") for line in effects)
        assert 1 <= ended <= begun <= len(run.attempts(number))
    deadline = time.monotonic() + PATIENCE
    while keepers_in(folder):
        assert time.monotonic() < deadline, "a keeper is left without its program and without commands"
        time.sleep(0.02)
