"""Whatever is read, the answer is a result or a sentence: no traceback, no hang, no gigabytes, nothing outside, no lie.

A small slice runs with all tests; `make test-hostile` runs all of it (`STARLOOM_HOSTILE=1`, or another share). Each
case has a seed of its own, which a failure names; `STARLOOM_HOSTILE_SEED` begins with others.
"""

from __future__ import annotations

import json
import shutil
import sqlite3
from collections import Counter
from contextlib import closing, suppress
from random import Random
from typing import TYPE_CHECKING, Any, Final

import pytest
from tests.hostile.cases import BATCH, batches, posix, starloom, watched
from tests.hostile.forging import BASES, bundle, damaged, forged, keep

from starloom import events as ev
from starloom.journal.base import JournalError
from starloom.journal.names import JOURNAL
from starloom.journal.stream_file import StreamFile

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

ENDINGS: Final = (
    "json",
    "html",
    "xml",
    "csv",
    "attempts.csv",
    "events.csv",
    "trace.json",
    "svg",
    "graph.svg",
    "script.yaml",
)

ENDS: Final = {
    ev.TaskReady: "pending",
    ev.TaskStarted: "running",
    ev.TaskCompleted: "completed",
    ev.TaskFailed: "failed",
    ev.TaskCancelled: "cancelled",
    ev.TaskSkipped: "skipped",
}


def every_command(seed: int, directory: Path, named: str, random: Random) -> None:
    """Run what reads a run on it; what a report says has to be so."""
    _, listed = starloom(seed, "runs", "--json", "--journal", directory)
    rows = {row["id"]: row for row in json.loads(listed.splitlines()[-1])}
    assert rows["good"]["state"] == "partially_failed", f"seed {seed}: the good run is hidden"
    target = directory / "report.json"
    code, _ = starloom(seed, "report", named, "-o", target, "--journal", directory)
    if target.exists():
        check_told(seed, json.loads(target.read_bytes()), directory / "runs" / named / JOURNAL, is_damaged=code == 1)
    for ending in random.sample(ENDINGS, 2):
        starloom(seed, "report", named, "-o", directory / f"x.{ending}", "--journal", directory)
    starloom(seed, "diff", named, "good", "--journal", directory)
    starloom(seed, "export", named, "-o", directory / "x.starloom", "--journal", directory)
    starloom(seed, "salvage", named, "--journal", directory)
    starloom(seed, "report", named, "-o", directory / "x.xml", "--journal", directory)


def check_told(seed: int, told: dict[str, Any], journal: Path, *, is_damaged: bool) -> None:
    """Hold a report against a fold that knows nothing of the engine's own."""
    status: dict[str, str] = {}
    attempts = 0
    state = "created"
    with StreamFile(journal, read_only=True) as file:
        try:
            for event in file.committed():
                attempts += isinstance(event, ev.TaskStarted)
                state = str(event.state) if isinstance(event, ev.RunEnded) else state
                state = "goes on" if isinstance(event, ev.RunReopened) else state
                if type(event) in ENDS:
                    status[event.task_id] = ENDS[type(event)]  # type: ignore[attr-defined]  # these have one
                elif isinstance(event, ev.TaskMarked):
                    status[event.task_id] = str(event.status)
                elif isinstance(event, ev.TaskReset):
                    status.pop(event.task_id, None)
        except JournalError:
            assert is_damaged, f"seed {seed}: nobody is told of the damage"
            assert told["damage"]
    assert len(told["attempts"]) <= attempts, f"seed {seed}: attempts that nobody started"
    present = {one["id"] for one in told["tasks"]}
    counted = Counter(one for name, one in status.items() if name in present)
    for name in ("completed", "failed", "cancelled", "skipped"):
        assert told["counts"][name] == counted[name], f"seed {seed}: {name}"
    if told["has_ended"]:
        assert told["state"] == state, f"seed {seed}: it ended {state}"
    else:
        assert told["state"] in {"interrupted", "unknown"}, f"seed {seed}: nobody runs it"


def outside(tmp_path: Path) -> set[str]:
    """What lies beside the folder that was given."""
    return {path.name for path in tmp_path.parent.iterdir()} | {path.name for path in tmp_path.iterdir()}


@pytest.fixture
def directory(tmp_path: Path) -> Iterator[Path]:
    """Journals with a good run among them; nothing but what was asked for is written beside them."""
    made = tmp_path / "journal"
    assert keep(made, "good", BASES[0]()) is not None
    before = outside(tmp_path)
    yield made
    assert outside(tmp_path) == before


@posix
@pytest.mark.timeout(3600)
@pytest.mark.parametrize("first", batches(2_000))
def test_forged_journals(first: int, directory: Path) -> None:
    for seed in range(first, first + BATCH):
        random = Random(seed)
        with watched(seed):
            folder = keep(directory, "bad", forged(random))
            if folder is not None:
                every_command(seed, directory, "bad", random)
        clear(directory)


@posix
@pytest.mark.timeout(3600)
@pytest.mark.parametrize("first", batches(2_000))
def test_damaged_journals(first: int, directory: Path) -> None:
    for seed in range(first, first + BATCH):
        random = Random(seed)
        with watched(seed):
            folder = keep(directory, "bad", random.choice(BASES)())
            assert folder is not None
            path = folder / random.choice((JOURNAL, JOURNAL, JOURNAL, f"{JOURNAL}.lock"))
            path.write_bytes(damaged(path.read_bytes(), random))
            every_command(seed, directory, "bad", random)
        clear(directory)


def clear(directory: Path) -> None:
    shutil.rmtree(directory / "runs" / "bad", ignore_errors=True)
    for path in directory.iterdir():
        if path.is_file():
            path.unlink()


@posix
@pytest.mark.timeout(3600)
@pytest.mark.parametrize("first", batches(500))
def test_bundles(first: int, directory: Path, tmp_path: Path) -> None:
    for seed in range(first, first + BATCH):
        random = Random(seed)
        with watched(seed):
            folder = keep(
                directory / "made", "bad", forged(random) if random.random() < 0.7 else random.choice(BASES)()
            )
            if folder is not None:
                with closing(sqlite3.connect(folder / JOURNAL)) as file:
                    file.execute("PRAGMA journal_mode = DELETE")
                made = bundle(folder, directory / "x.starloom", random)
                code, _ = starloom(seed, "runs", "--import", made, "--journal", directory)
                starloom(seed, "runs", "--journal", directory)
                if not code:
                    starloom(seed, "report", made, "-o", directory / "x.json", "--journal", directory)
        shutil.rmtree(directory / "made", ignore_errors=True)
        for there in (directory / "runs").iterdir():
            if there.name != "good":
                shutil.rmtree(there)
        clear(directory)


# ---- time travel


@posix
@pytest.mark.timeout(3600)
@pytest.mark.parametrize("first", batches(500))
def test_time_travel(first: int, directory: Path) -> None:
    """Any moment of a forged or damaged run is as its events made it, or a sentence."""
    for seed in range(first, first + BATCH):
        random = Random(seed)
        with watched(seed):
            is_forged = random.random() < 0.5
            folder = keep(directory, "bad", forged(random) if is_forged else random.choice(BASES)())
            if folder is not None:
                if not is_forged:
                    path = folder / JOURNAL
                    path.write_bytes(damaged(path.read_bytes(), random))
                travel(seed, folder / JOURNAL, random)
        clear(directory)


def travel(seed: int, path: Path, random: Random) -> None:
    """Look at moments of a journal, forwards, backwards and again."""
    with suppress(JournalError), StreamFile(path, read_only=True) as file:
        rows = [*range(file.last + 2)] if 0 < file.last < 200 else [1, 2, 2**31, file.last]
        for row in [*rows, *random.sample(rows, min(8, len(rows)))]:
            try:
                view, _, _ = file.view(row)
            except JournalError:
                continue
            status = statuses(file, view.run.seq)
            counts = view.run.counts()
            for name in ("completed", "failed", "cancelled", "skipped"):
                numbers = view.run.graph.place.values()
                there = Counter(status.get(view.run.graph.ids[number]) for number in numbers)
                assert counts[name] == there[name], f"seed {seed}: {name} after row {row}"


def statuses(file: StreamFile, last: int) -> dict[str, str]:
    """How tasks stand after an event, by a fold that knows nothing of the engine's own."""
    status: dict[str, str] = {}
    with suppress(JournalError):
        for event in file.committed():
            if event.seq > last:
                break
            if type(event) in ENDS:
                status[event.task_id] = ENDS[type(event)]  # type: ignore[attr-defined]  # these have one
            elif isinstance(event, ev.TaskMarked):
                status[event.task_id] = str(event.status)
            elif isinstance(event, ev.TaskReset):
                status.pop(event.task_id, None)
    return status
