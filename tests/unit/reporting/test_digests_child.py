"""The process that reads the runs of a plan: newest first, as far as wanted, and what cannot be read says so."""

from __future__ import annotations

import os
import sqlite3
import subprocess
from contextlib import closing
from typing import TYPE_CHECKING

import msgspec
import pytest
from tests.unit.reporting.plan_runs import kept, ran

from starloom.journal.names import JOURNAL
from starloom.journal.reader import seal_of_meta
from starloom.reporting.digests_child import GOOD, REFUSED, DigestsRequest, command_line, digests, main
from starloom.reporting.run_digest import RunDigest, digest_of

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture(name="directory", scope="module")
def _directory(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Journals of four runs of one plan, and of one of another plan between them."""
    directory = tmp_path_factory.mktemp("journal")
    drivers = [ran(number, {"a": 1.0, "b": 2.0}, name="other" if number == 2 else "nightly") for number in range(5)]
    kept(directory, drivers)
    for number in range(5):
        os.utime(directory / "runs" / f"r{number}" / JOURNAL, (number, number))
    return directory


def read(directory: Path, **fields: object) -> list[RunDigest]:
    return list(digests(DigestsRequest(str(directory), "nightly", **fields), lambda *_: None))  # type: ignore[arg-type]


def test_runs_of_the_plan_come_newest_first_as_their_facts_are(directory: Path) -> None:
    found = read(directory)
    assert [one.run_id for one in found] == ["r4", "r3", "r1", "r0"]
    live = digest_of(ran(4, {"a": 1.0, "b": 2.0}).run("r4"), folder=str(directory / "runs" / "r4"))
    assert msgspec.to_builtins(found[0]) == msgspec.to_builtins(live)


def test_no_more_are_read_than_wanted(directory: Path) -> None:
    assert [one.run_id for one in read(directory, most=2)] == ["r4", "r3"]


def test_the_process_says_a_column_a_line_and_how_far_it_is(directory: Path) -> None:
    command = command_line(DigestsRequest(str(directory), "nightly", most=2))
    done = subprocess.run(command, capture_output=True, timeout=120, check=False)
    lines = [msgspec.json.decode(line, type=RunDigest) for line in done.stdout.splitlines()]
    assert (done.returncode, [one.run_id for one in lines]) == (GOOD, ["r4", "r3"])
    assert done.stderr.decode().splitlines() == ["stage: 0 0", "stage: 1 50", "stage: 2 100"]


def test_what_is_asked_for_must_be_readable(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "runs").symlink_to("nowhere")
    for request in ("{}", msgspec.json.encode(DigestsRequest(str(tmp_path), "nightly")).decode()):
        assert main([request]) == REFUSED
    assert "leads nowhere" in capsys.readouterr().err


def test_a_damaged_journal_is_shown_up_to_where_it_is(tmp_path: Path) -> None:
    kept(tmp_path, [ran(1, {"a": 1.0, "b": 2.0})])
    path = tmp_path / "runs" / "r1" / JOURNAL
    with closing(sqlite3.connect(path)) as connection, connection:
        (last,) = connection.execute("SELECT max(number) FROM turns").fetchone()
        connection.execute("DELETE FROM checkpoints")
        connection.execute("UPDATE turns SET data = X'00' WHERE number = ?", (last,))
    (found,) = read(tmp_path)
    assert (found.plan, found.state) == ("nightly", "unreadable")
    assert "damaged" in found.trouble or "Row" in found.trouble
    assert list(found.status) == [3, 2], "the end of the last task is lost"


def test_a_journal_of_a_newer_version_says_so_though_nobody_knows_its_plan(tmp_path: Path) -> None:
    kept(tmp_path, [ran(1, {"a": 1.0})])
    with closing(sqlite3.connect(tmp_path / "runs" / "r1" / JOURNAL)) as connection, connection:
        meta = dict(connection.execute("SELECT name, value FROM meta").fetchall()) | {"format": "999"}
        meta["seal"] = seal_of_meta({name: value for name, value in meta.items() if name != "seal"})
        connection.executemany("UPDATE meta SET value = ? WHERE name = ?", [(meta[one], one) for one in meta])
    (found,) = read(tmp_path)
    assert (found.run_id, found.plan, found.state) == ("r1", "", "unreadable")
    assert "in format 999" in found.trouble
