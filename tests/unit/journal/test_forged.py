"""Journals with valid checksums that no scheduler has written: in bundles, and among the runs of a directory."""

from __future__ import annotations

import io
import json
import os
import sqlite3
import zipfile
from contextlib import closing
from hashlib import sha256
from math import isnan
from typing import TYPE_CHECKING, Any, Final

import msgspec
import pytest
from msgspec.structs import replace
from tests.driver import RUN, Driver, task
from tests.unit.reporting.story import steered
from typer.testing import CliRunner

from starloom import events as ev
from starloom.cli.app import app
from starloom.constellation.edits import AddTask
from starloom.journal import codec, facts, foreign_child
from starloom.journal.base import JournalDamaged
from starloom.journal.bundle import MANIFEST, BundleError, pack, unpack
from starloom.journal.facts import Known
from starloom.journal.foreign import trouble_with
from starloom.journal.names import JOURNAL
from starloom.journal.records import NoSuchRun, find_folder, record, records
from starloom.journal.stream_file import StreamFile
from starloom.journal.taking_in import take_in
from starloom.testing import independent

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from typer.testing import Result

    from starloom.events import Event


def starloom(*arguments: str | Path) -> Result:
    return CliRunner().invoke(app, list(map(str, arguments)))


def kept(directory: Path, run_id: str, events: list[Event]) -> Path:
    """The journal of a stream, each event in a turn of its own, whatever it says: all checksums are right."""
    folder = directory / "runs" / run_id
    folder.mkdir(parents=True)
    with StreamFile(folder / JOURNAL, run_id) as stream:
        for number, event in enumerate(events, 1):
            timely = 0.0 if isnan(event.at) else event.at
            stream.commit([replace(event, run_id=run_id, seq=number, at=timely)])
    if times := {number: event.at for number, event in enumerate(events, 1) if isnan(event.at)}:
        with closing(sqlite3.connect(folder / JOURNAL)) as file, file:
            for number, at in times.items():
                (data,) = file.execute("SELECT data FROM turns WHERE number = ?", (number,)).fetchone()
                _, _, *rest = msgspec.msgpack.decode(data[8:])
                payload = msgspec.msgpack.encode([number, at, *rest])
                file.execute(
                    "UPDATE turns SET data = ? WHERE number = ?", (codec._part(payload, codec._ONLY_PART), number)
                )
    return folder


def changed(kind: type[Any], **fields: Any) -> list[Event]:
    """The story with other fields in the last event of a kind."""
    events = steered()
    place = max(number for number, event in enumerate(events) if type(event) is kind)
    return [replace(event, **fields) if number == place else event for number, event in enumerate(events)]


def twice_added() -> list[Event]:
    events = steered()
    last = next(event for event in reversed(events) if isinstance(event, ev.ConstellationModified))
    one = task("twice")
    extra = [
        ev.ConstellationModified(0, last.at, "r", last.revision + 1, (AddTask(one, 90),)),
        ev.ConstellationModified(0, last.at, "r", last.revision + 2, (AddTask(one, 91),)),
    ]
    place = events.index(last) + 1
    return [*events[:place], *extra, *events[place:]]


FORGED: Final[dict[str, Callable[[], list[Event]]]] = {
    "slot": lambda: changed(ev.TaskStarted, slot=2**31),
    "year": lambda: changed(ev.RunCreated, wall_time=1e20),
    "no year": lambda: changed(ev.RunCreated, wall_time=float("nan")),
    "clock": lambda: changed(ev.TaskCompleted, at=1e20),
    "no clock": lambda: changed(ev.TaskCompleted, at=float("nan")),
    "twice": twice_added,
}


def as_bundle(folder: Path, path: Path) -> Path:
    """The run as a bundle that is whole by all that it says of itself; the packer would find it out."""
    with closing(sqlite3.connect(folder / JOURNAL)) as source:
        source.execute("PRAGMA journal_mode = DELETE")
    data = (folder / JOURNAL).read_bytes()
    parts = {JOURNAL: {"size": len(data), "sha256": sha256(data).hexdigest()}}
    manifest = {"format": "starloom-run", "version": 1, "run_id": folder.name, "made": "", "engine": "", "parts": parts}
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as file:
        file.writestr(MANIFEST, json.dumps(manifest))
        file.writestr(JOURNAL, data)
    return path


# ---- bundles


@pytest.mark.parametrize("name", FORGED)
def test_a_forged_bundle_is_neither_taken_in_nor_reported(name: str, tmp_path: Path) -> None:
    bundle = as_bundle(kept(tmp_path / "made", "r", FORGED[name]()), tmp_path / "x.starloom")
    for arguments in (("runs", "--import", bundle), ("report", bundle, "-o", tmp_path / "x.json")):
        done = starloom(*arguments, "--journal", tmp_path / "there")
        assert done.exit_code == 2, done.output
        assert "is no whole run" in done.stderr
        assert not isinstance(done.exception, Exception) or isinstance(done.exception, SystemExit)
    assert not (tmp_path / "x.json").exists()
    assert list((tmp_path / "there" / "runs").iterdir()) == []


def test_what_needs_too_much_memory_is_given_up_in_a_sentence(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("resource")
    driver = Driver(checked=False)
    driver.create(independent(30_000))
    bundle = as_bundle(kept(tmp_path / "made", RUN, driver.journal()[:4]), tmp_path / "x.starloom")
    monkeypatch.setattr(foreign_child, "MEMORY_PER_BYTE", 0)
    for megabytes in (24, 36, 44):  # too little to begin with; for a page; for the events
        monkeypatch.setattr(foreign_child, "MEMORY", megabytes * 1024**2)
        done = starloom("runs", "--import", bundle, "--journal", tmp_path / "there")
        assert done.exit_code == 2
        assert f"takes more than {megabytes} MB of memory, and was given up" in done.stderr


def test_memory_refused_for_a_page_is_not_told_as_damage(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    journal = kept(tmp_path / "made", "r", steered()) / JOURNAL
    said = "*** in database main *** On tree page 90 cell 0: failed to get page 69"
    monkeypatch.setattr("starloom.journal.foreign.trouble_within", lambda _: said)
    assert trouble_with(journal, "r") == "its journal cannot be read (MemoryError)"


def test_memory_refused_for_a_page_when_the_journal_is_opened_is_not_told_as_damage(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    journal = kept(tmp_path / "made", "r", steered()) / JOURNAL

    def opened(*_arguments: object, **_fields: object) -> None:
        raise JournalDamaged("The journal is damaged: Tree 4 page 89 cell 3: failed to get page 48")

    monkeypatch.setattr("starloom.journal.foreign.StreamFile", opened)
    assert trouble_with(journal, "r") == "its journal cannot be read (MemoryError)"


def test_what_takes_too_long_is_given_up_in_a_sentence(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    bundle = as_bundle(kept(tmp_path / "made", "r", steered()), tmp_path / "x.starloom")
    monkeypatch.setattr(foreign_child, "SECONDS", 0.001)
    done = starloom("report", bundle, "-o", tmp_path / "x.json", "--journal", tmp_path / "there")
    assert done.exit_code == 2
    assert "takes longer than" in done.stderr


def test_checkpoints_of_a_bundle_are_not_believed(tmp_path: Path) -> None:
    folder = kept(tmp_path / "made", "r", steered())
    with closing(sqlite3.connect(folder / JOURNAL)) as file, file:
        file.execute("INSERT INTO checkpoints VALUES (3, x'00')")
    there = take_in(as_bundle(folder, tmp_path / "x.starloom"), tmp_path / "there")
    with closing(sqlite3.connect(there / JOURNAL)) as file:
        assert file.execute("SELECT count(*) FROM checkpoints").fetchone() == (0,)
    assert record(there).state == "partially_failed"


def test_a_manifest_that_is_larger_than_its_parts_can_need_is_not_read(tmp_path: Path) -> None:
    bundle = as_bundle(kept(tmp_path / "made", "r", steered()), tmp_path / "x.starloom")
    with zipfile.ZipFile(bundle) as file:
        journal = file.read(JOURNAL)
    with zipfile.ZipFile(bundle, "w", zipfile.ZIP_DEFLATED) as file:
        file.writestr(MANIFEST, '{"x": [' + "[]," * 1_000_000 + "0]}")
        file.writestr(JOURNAL, journal)
    with pytest.raises(BundleError, match="cannot be read"):
        unpack(bundle, tmp_path)


# ---- among other runs


@pytest.mark.parametrize("name", FORGED)
def test_a_forged_journal_is_a_row_with_a_sentence_and_hides_no_other(name: str, tmp_path: Path) -> None:
    kept(tmp_path, "good", steered())
    kept(tmp_path, "bad", FORGED[name]())
    found = {one.run_id: one for one in records(tmp_path)}
    assert found["good"].state == "partially_failed"
    assert (found["bad"].state, found["bad"].can_resume) == ("unreadable", False)
    assert "cannot have happened" in found["bad"].trouble or "no clock shows" in found["bad"].trouble
    done = starloom("runs", "--journal", tmp_path)
    assert done.exit_code == 0
    assert len(done.stdout.splitlines()) == 2


def _with_byte(folder: Path) -> None:
    """A byte in the text of the schema that no text has."""
    path = folder / JOURNAL
    data = bytearray(path.read_bytes())
    data[data.index(b"CREATE TABLE turns") + 2] = 0xB0
    path.write_bytes(data)


def _instead(make: Callable[[Path], object]) -> Callable[[Path], None]:
    """Something else in the journal's stead."""

    def spoil(folder: Path) -> None:
        (folder / JOURNAL).unlink()
        make(folder / JOURNAL)

    return spoil


SPOILT: Final[dict[str, Callable[[Path], object]]] = {
    "a byte of the schema": _with_byte,
    "a pipe": _instead(lambda path: os.mkfifo(path)),
    "a link that leads nowhere": _instead(lambda path: path.symlink_to("nowhere")),
    "a link to itself": _instead(lambda path: path.symlink_to(path)),
    "a folder": _instead(lambda path: path.mkdir()),
    "nothing in it": _instead(lambda path: path.write_bytes(b"")),
    "another program's": _instead(lambda path: path.write_bytes(b"no database")),
}


@pytest.mark.parametrize("name", SPOILT)
@pytest.mark.skipif(os.name == "nt", reason="there are no pipes in folders")
def test_whatever_lies_in_a_runs_folder_is_a_row_with_a_sentence(name: str, tmp_path: Path) -> None:
    kept(tmp_path, "good", steered())
    SPOILT[name](kept(tmp_path, "bad", steered()))
    done = starloom("runs", "--json", "--journal", tmp_path)
    assert done.exit_code == 0, done.output
    found = {one["id"]: one for one in json.loads(done.stdout)}
    assert found["good"]["state"] == "partially_failed"
    assert found["bad"]["state"] == "unreadable"
    assert str(tmp_path) in found["bad"]["trouble"]


def test_an_error_that_nobody_has_thought_of_hides_no_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    kept(tmp_path, "r", steered())

    def fail(*_arguments: object) -> None:
        raise RuntimeError("what now")

    monkeypatch.setattr(StreamFile, "view_without_graph", fail)
    (one,) = records(tmp_path)
    assert (one.state, "RuntimeError: what now" in one.trouble) == ("unreadable", True)


def test_folders_that_cannot_be_looked_into_are_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = kept(tmp_path, "locked", steered())
    is_locked, stat, lstat = str(folder), os.stat, os.lstat

    def refuse(look: Callable[..., Any]) -> Callable[..., Any]:
        def looked(path: Any, *arguments: Any, **named: Any) -> Any:
            if str(path).startswith(f"{is_locked}{os.sep}"):
                raise PermissionError(13, "Permission denied", str(path))
            return look(path, *arguments, **named)

        return looked

    monkeypatch.setattr(os, "stat", refuse(stat))
    monkeypatch.setattr(os, "lstat", refuse(lstat))
    (one,) = records(tmp_path)
    assert (one.state, "Permission denied" in one.trouble) == ("unreadable", True)
    with pytest.raises(NoSuchRun):
        find_folder(tmp_path, "other")


@pytest.mark.parametrize("kind", ["file", "link"])
def test_runs_that_cannot_be_listed_are_not_said_to_be_none(kind: str, tmp_path: Path) -> None:
    if kind == "file":
        (tmp_path / "runs").write_text("no folder")
    else:
        (tmp_path / "runs").symlink_to(tmp_path / "gone")
    done = starloom("runs", "--journal", tmp_path)
    assert done.exit_code == 2
    assert str(tmp_path / "runs") in done.stderr
    assert "There are no runs" not in done.output


# ---- missing rows


def test_an_end_checkpoint_is_not_believed_over_missing_turns(tmp_path: Path) -> None:
    folder = kept(tmp_path, "r", steered())
    checkpointed(folder)
    assert record(folder).state == "partially_failed"
    with closing(sqlite3.connect(folder / JOURNAL)) as file, file:
        file.execute("DELETE FROM turns WHERE number = 5")
    known = record(folder)
    assert (known.state, "Row 5" in known.trouble) == ("unreadable", True)


def checkpointed(folder: Path) -> None:
    """Keep a checkpoint of the end of a run's journal."""
    with StreamFile(folder / JOURNAL, read_only=True) as stream:
        (view, at, wall), last = stream.view(), stream.last
    link = facts.link_of(view.run, Known(archived={}), row=last, at=at, wall=wall, graph=[], shifts=[])
    data = bytes(facts.encode(link, view.run))
    with closing(sqlite3.connect(folder / JOURNAL)) as file, file:
        file.execute("INSERT INTO checkpoints VALUES (?, ?)", (last, data))


def test_rows_lost_at_the_end_are_found_out_by_what_a_checkpoint_tells(tmp_path: Path) -> None:
    folder = kept(tmp_path, "r", steered())
    checkpointed(folder)
    with closing(sqlite3.connect(folder / JOURNAL)) as file, file:
        file.execute("DELETE FROM turns WHERE number > 20")
    done = starloom("report", "r", "-o", tmp_path / "x.json", "--journal", tmp_path)
    assert done.exit_code == 1, done.output
    with pytest.raises(BundleError, match="damaged"):
        pack(folder, io.BytesIO())
