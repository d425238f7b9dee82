"""`starloom report`: a run's journal in, one file out, the format by its ending."""

from __future__ import annotations

import errno
import json
import os
import sqlite3
from contextlib import closing
from typing import TYPE_CHECKING
from xml.etree import ElementTree

import pytest
from msgspec import structs
from tests.unit.reporting.story import WALL, steered
from typer.testing import CliRunner

from starloom.cli.app import app
from starloom.events import RunCreated, TasksDeclared
from starloom.journal.library import folder_name
from starloom.journal.names import JOURNAL
from starloom.journal.stream_file import StreamFile
from starloom.reporting.export import FORMATS

if TYPE_CHECKING:
    from pathlib import Path

    from typer.testing import Result

DRAWN = {"x.pdf", "x.png", "x.timeline.png", "x.graph.png"}
"""What the console draws: `tests/end2end/test_cli_report_drawn.py`."""
NAMED = {
    "x.html": b"<!doctype html>",
    "x.HTM": b"<!doctype html>",
    "x.json": b"{\n",
    "x.xml": b"<?xml",
    "x.junit.xml": b"<?xml",
    "x.csv": b'"task","name"',
    "x.tasks.csv": b'"task","name"',
    "x.attempts.csv": b'"task","attempt"',
    "x.events.csv": b'"number","at_s"',
    "x.trace.json": b'{"displayTimeUnit"',
    "x.script.yaml": b"# What people did",
    "x.script.yml": b"# What people did",
    "x.script.json": b'{\n  "script": 1',
    "x.svg": b"<?xml",
    "x.timeline.svg": b"<?xml",
    "x.graph.svg": b"<?xml",
}


@pytest.fixture
def journal(tmp_path: Path) -> Path:
    events = steered()
    folder = tmp_path / "journal" / "runs" / folder_name(events[0].run_id)
    folder.mkdir(parents=True)
    with StreamFile(folder / JOURNAL, events[0].run_id) as file:
        for event in events:
            file.commit([event])
    return tmp_path / "journal"


def report(journal: Path, target: Path, run: str = "r") -> Result:
    return CliRunner().invoke(app, ["report", run, "-o", str(target), "--journal", str(journal)])


@pytest.mark.parametrize("name", NAMED)
def test_the_ending_says_the_format(journal: Path, tmp_path: Path, name: str) -> None:
    done = report(journal, tmp_path / name)
    assert done.exit_code == 0, done.output
    assert (tmp_path / name).read_bytes().lstrip().startswith(NAMED[name])
    assert "partially failed. 8 of 11 tasks are done." in done.stdout
    assert sorted(path.name for path in tmp_path.iterdir()) == sorted([name, "journal"])


def test_every_format_is_tried_here() -> None:
    assert {name.removeprefix("x").lower() for name in {*NAMED, *DRAWN}} == set(FORMATS)


def test_the_report_is_told_from_the_journal_alone(journal: Path, tmp_path: Path) -> None:
    moved = journal.rename(tmp_path / "elsewhere")
    (folder,) = (moved / "runs").iterdir()
    report(tmp_path, tmp_path / "x.json", str(folder))
    told = json.loads((tmp_path / "x.json").read_bytes())
    assert told["run_id"] == "r"
    assert told["provenance"]["journal_format"] == "1"


@pytest.mark.parametrize("name", ["x.doc", "x", ".html", "x.svg.gz"])
def test_an_unknown_ending_is_refused_and_nothing_is_written(journal: Path, tmp_path: Path, name: str) -> None:
    done = report(journal, tmp_path / name)
    assert done.exit_code == 2
    assert ".graph.svg" in done.stderr
    assert not (tmp_path / name).exists()


def test_a_run_that_is_not_there_is_said(journal: Path, tmp_path: Path) -> None:
    done = report(journal, tmp_path / "x.html", "nobody")
    assert done.exit_code == 2
    assert "There is no run 'nobody'" in done.stderr


def test_a_file_that_cannot_be_written_is_said_and_leaves_nothing(journal: Path, tmp_path: Path) -> None:
    done = report(journal, tmp_path / "missing" / "x.html")
    assert done.exit_code == 2
    assert "cannot be written" in done.stderr


@pytest.mark.parametrize("number", [errno.ENOSPC, errno.EACCES])
def test_a_full_disk_or_lacking_rights_are_said_and_what_was_there_stays(
    journal: Path, tmp_path: Path, number: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    target = tmp_path / "x.html"
    target.write_bytes(b"before")

    def fail(path: Path, data: bytes) -> int:
        with path.open("wb") as file:
            file.write(data[:10])
        raise OSError(number, os.strerror(number))

    monkeypatch.setattr(type(target), "write_bytes", fail)
    done = report(journal, target)
    assert done.exit_code == 2
    assert f"cannot be written: {os.strerror(number)}. Name another file." in done.stderr
    assert target.read_bytes() == b"before"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["journal", "x.html"]


MISSING = "DELETE FROM turns WHERE number = 12"
ALTERED = "UPDATE turns SET data = substr(data, 1, length(data) - 1) || x'00' WHERE number = 12"


@pytest.mark.parametrize("spoil", [MISSING, ALTERED], ids=["missing", "altered"])
def test_damage_is_told_in_every_document_and_by_the_exit_code(spoil: str, journal: Path, tmp_path: Path) -> None:
    (path,) = journal.glob(f"runs/*/{JOURNAL}")
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute(spoil)
    for ending in ("json", "xml", "html"):
        done = report(journal, tmp_path / f"x.{ending}")
        assert done.exit_code == 1
        assert "The report ends before the damage" in done.stderr
    told = json.loads((tmp_path / "x.json").read_bytes())
    assert (told["events"], told["state"]) == (11, "unknown")
    assert "Row 12" in told["damage"]
    assert told["verdict"].startswith("A part of this run is lost. Row 12")
    (suite,) = ElementTree.parse(tmp_path / "x.xml").getroot()
    first = suite.findall("testcase")[0]
    assert "Row 12" in first[0].get("message", "")
    assert (first.get("name"), first[0].tag) == ("the journal", "error")
    assert int(suite.get("errors", "0")) > 0
    head, _, _ = (tmp_path / "x.html").read_text(encoding="utf-8").partition("<h2")
    assert "A part of this run is lost. Row 12" in head


@pytest.mark.parametrize("name", [name for name in NAMED if name != "x.HTM"])
def test_damage_is_told_in_the_file_itself_whatever_its_format(name: str, journal: Path, tmp_path: Path) -> None:
    (folder,) = (journal / "runs").iterdir()
    with closing(sqlite3.connect(folder / JOURNAL)) as connection, connection:
        connection.execute(ALTERED)
    assert report(journal, tmp_path / name).exit_code == 1
    assert "Row 12 of" in (tmp_path / name).read_text("utf-8")


def cut(tmp_path: Path, number: int) -> Path:
    """The journals of a program that was killed after so many events."""
    folder = tmp_path / "killed" / "runs" / "r"
    folder.mkdir(parents=True)
    with StreamFile(folder / JOURNAL, "r") as file:
        for event in steered()[:number]:
            file.commit([event])
    return tmp_path / "killed"


@pytest.mark.parametrize("number", [5, 15, 30])
def test_a_killed_run_is_interrupted_in_every_document_and_no_build_is_good_by_it(number: int, tmp_path: Path) -> None:
    journal = cut(tmp_path, number)
    for ending in ("json", "xml", "html"):
        done = report(journal, tmp_path / f"x.{ending}")
        assert done.exit_code == 0
        assert "interrupted" in done.stdout
    told = json.loads((tmp_path / "x.json").read_bytes())
    assert told["state"] == "interrupted"
    assert "it was last heard of" in told["verdict"]
    assert told["last_heard"] >= WALL
    assert {one["status"] for one in (*told["tasks"], *told["attempts"])}.isdisjoint({"running"})
    (suite,) = ElementTree.parse(tmp_path / "x.xml").getroot()
    not_ended = [one for one in told["tasks"] if one["status"] in {"interrupted", "pending", "waiting_dependency"}]
    assert int(suite.get("errors", "")) == len(suite.findall("testcase/error")) == len(not_ended) > 0
    assert "Interrupted" in (tmp_path / "x.html").read_text(encoding="utf-8")


def test_a_run_that_a_program_has_goes_on(tmp_path: Path) -> None:
    journal = cut(tmp_path, 15)
    with StreamFile(journal / "runs" / "r" / JOURNAL):
        assert report(journal, tmp_path / "x.json").exit_code == 0
    assert json.loads((tmp_path / "x.json").read_bytes())["state"] == "executing"


def test_a_file_that_is_there_is_replaced(journal: Path, tmp_path: Path) -> None:
    target = tmp_path / "x.json"
    target.write_text("old", encoding="utf-8")
    assert report(journal, target).exit_code == 0
    assert json.loads(target.read_bytes())["format"] == "starloom-report"


def test_events_that_no_run_could_have_had_are_said(tmp_path: Path) -> None:
    events = [event for event in steered() if not isinstance(event, TasksDeclared | RunCreated)]
    folder = tmp_path / "journal" / "runs" / "r"
    folder.mkdir(parents=True)
    with StreamFile(folder / JOURNAL, "r") as file:
        for number, event in enumerate(events, 1):
            file.commit([structs.replace(event, seq=number)])
    done = report(tmp_path / "journal", tmp_path / "x.html")
    assert done.exit_code == 2
    assert "The journal tells what no run could have done" in done.stderr
