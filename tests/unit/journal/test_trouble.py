"""What can befall a journal's file: each is told in a sentence, and nothing is ever misread."""

from __future__ import annotations

import os
import shutil
import sqlite3
import sys
import tempfile
from contextlib import contextmanager
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING

import pytest
from tests.unit.journal.test_stream_file import declared, turn, turns

from starloom.events import FORMAT_VERSION, DeviceLost, RunCreated, TaskReady, TasksPinned, TaskStarted
from starloom.journal.base import JournalError
from starloom.journal.reader import seal_of_meta
from starloom.journal.salvage import Salvaged, salvage
from starloom.journal.stream_file import StreamFile

if TYPE_CHECKING:
    from collections.abc import Iterator

    from starloom.events import Event

COUNT = 60
NOBODY = 65534


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """A journal of some pages, closed."""
    with StreamFile(tmp_path / "j.db", "r") as journal:
        for number in range(1, COUNT + 1):
            journal.commit(turn(number, 300))
    return tmp_path / "j.db"


def kept() -> list[Event]:
    return [event for number in range(1, COUNT + 1) for event in turn(number, 300)]


def read(path: Path) -> list[Event]:
    with StreamFile(path, read_only=True) as journal:
        return list(journal.committed())


@contextmanager
def unprivileged() -> Iterator[None]:
    """Root may write everywhere; nobody may not."""
    if sys.platform == "win32" or os.geteuid() != 0:
        yield
        return
    os.seteuid(NOBODY)
    try:
        yield
    finally:
        os.seteuid(0)


# ---- not to be written


@pytest.fixture
def read_only_folder() -> Iterator[Path]:
    """A folder with a journal that can be read by all and written by nobody, reachable for all users."""
    folder = Path(tempfile.mkdtemp(prefix="starloom-test-"))
    try:
        with StreamFile(folder / "j.db", "r") as journal:
            journal.commit(turn(1))
        folder.chmod(0o555)
        (folder / "j.db").chmod(0o444)
        yield folder
    finally:
        folder.chmod(0o755)
        shutil.rmtree(folder)


@pytest.mark.skipif(sys.platform == "win32", reason="a folder's read-only mark means nothing there")
def test_in_a_read_only_folder_a_journal_can_be_read_and_not_written(read_only_folder: Path) -> None:
    with unprivileged():
        with pytest.raises(JournalError, match=r"cannot be written.*Name a folder that you can write to"):
            StreamFile(read_only_folder / "new.db", "r")
        with pytest.raises(JournalError, match="it can still be read"):
            StreamFile(read_only_folder / "j.db", "r")
        assert read(read_only_folder / "j.db") == turns(1)


@pytest.mark.skipif(sys.platform == "win32", reason="there are no such users there")
def test_a_read_only_file_in_a_folder_that_can_be_written_is_told_at_once(read_only_folder: Path) -> None:
    read_only_folder.chmod(0o777)
    (read_only_folder / "j.db.lock").chmod(0o666)
    with unprivileged():
        with pytest.raises(JournalError, match=r"is read-only .*Make file and folder writable"):
            StreamFile(read_only_folder / "j.db", "r")
        assert read(read_only_folder / "j.db") == turns(1)


def test_a_folder_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(JournalError, match="No such file or directory"):
        StreamFile(tmp_path / "missing" / "j.db", "r")
    with pytest.raises(JournalError, match="There is no journal"):
        StreamFile(tmp_path / "j.db", read_only=True)


def test_a_folder_is_no_journal(tmp_path: Path) -> None:
    (tmp_path / "j.db").mkdir()
    with pytest.raises(JournalError, match="cannot be opened"):
        StreamFile(tmp_path / "j.db", "r")


def test_a_file_another_program_has_locked_is_told(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("starloom.journal.opening._PATIENCE_MS", 1)
    with StreamFile(path, "r") as journal:
        other = sqlite3.connect(path, isolation_level=None)
        other.execute("BEGIN IMMEDIATE")
        with pytest.raises(JournalError, match="locked by another program"):
            journal.commit(turn(COUNT + 1, 300))
        other.execute("ROLLBACK")
        other.close()
        assert list(journal.committed()) == kept()
        journal.commit(turn(COUNT + 1, 300))
        assert list(journal.committed()) == kept() + turn(COUNT + 1, 300)


# ---- not a journal


@pytest.mark.parametrize("text", [b"tasks: []\n", b"\0" * 9000, b"SQLite format 3\0" + b"\1" * 9000])
@pytest.mark.parametrize("read_only", [False, True])
def test_what_is_no_database_is_told_and_left_as_it_is(tmp_path: Path, text: bytes, read_only: bool) -> None:
    (tmp_path / "j.db").write_bytes(text)
    with pytest.raises(JournalError, match=r"is not a journal|is damaged"):
        StreamFile(tmp_path / "j.db", read_only=read_only)
    assert (tmp_path / "j.db").read_bytes() == text
    with pytest.raises(JournalError, match=r"not a journal|is damaged|Nothing can be salvaged"):
        salvage(tmp_path / "j.db", tmp_path / "k.db")
    assert not (tmp_path / "k.db").exists()


@pytest.mark.parametrize("read_only", [False, True])
def test_another_programs_database_is_left_as_it_is(tmp_path: Path, read_only: bool) -> None:
    other = sqlite3.connect(tmp_path / "j.db")
    other.execute("CREATE TABLE turns (x)")
    other.commit()
    other.close()
    before = (tmp_path / "j.db").read_bytes()
    with pytest.raises(JournalError, match="database of another program"):
        StreamFile(tmp_path / "j.db", read_only=read_only)
    assert (tmp_path / "j.db").read_bytes() == before
    with pytest.raises(JournalError, match="Nothing can be salvaged"):
        salvage(tmp_path / "j.db", tmp_path / "k.db")


def test_an_empty_file_is_a_new_journal_and_nothing_to_read(tmp_path: Path) -> None:
    (tmp_path / "j.db").touch()
    with pytest.raises(JournalError, match="is empty"):
        StreamFile(tmp_path / "j.db", read_only=True)
    with StreamFile(tmp_path / "j.db", "r") as journal:
        journal.commit(turn(1))
        assert list(journal.committed()) == turns(1)


def change_meta(path: Path, name: str, value: str, *, reseal: bool = True) -> None:
    connection = sqlite3.connect(path)
    connection.execute("UPDATE meta SET value = ? WHERE name = ?", (value, name))
    if reseal:
        meta = dict(connection.execute("SELECT name, value FROM meta").fetchall())
        connection.execute("UPDATE meta SET value = ? WHERE name = 'seal'", (seal_of_meta(meta),))
    connection.commit()
    connection.close()


@pytest.mark.parametrize("read_only", [False, True])
def test_a_journal_of_a_newer_version_is_named(path: Path, read_only: bool) -> None:
    change_meta(path, "engine", "9.9.9")
    change_meta(path, "format", str(FORMAT_VERSION + 1))
    with pytest.raises(JournalError, match=r"by Starloom 9\.9\.9 in format 2; this version reads up to 1"):
        StreamFile(path, read_only=read_only)


def test_what_a_journal_says_of_itself_is_not_misread(path: Path) -> None:
    change_meta(path, "format", "0", reseal=False)
    with pytest.raises(JournalError, match="what it says about itself has a wrong checksum"):
        read(path)


# ---- damage


def test_a_truncated_file_is_told_and_its_beginning_salvaged(path: Path, tmp_path: Path) -> None:
    os.truncate(path, path.stat().st_size * 2 // 3)
    for read_only in (False, True):
        with pytest.raises(JournalError, match=r"is damaged .*Salvage"):
            StreamFile(path, read_only=read_only)
    saved = salvage(path, tmp_path / "k.db")
    assert 10 < saved.turns < COUNT
    assert saved.damage is not None
    assert read(tmp_path / "k.db") == kept()[: 2 * saved.turns]


def test_a_changed_byte_in_a_row_is_noticed_when_it_is_read(path: Path, tmp_path: Path) -> None:
    data = path.read_bytes()
    assert data.count(b"t33") == 2
    path.write_bytes(data.replace(b"t33", b"t34"))
    with StreamFile(path, "r") as journal:
        events = journal.committed()
        assert [next(events) for _ in range(64)] == kept()[:64]
        with pytest.raises(JournalError, match=r"Row 33 of the journal .*its checksum is wrong"):
            next(events)
    saved = salvage(path, tmp_path / "k.db")
    assert saved.turns == 32
    assert "Row 33" in (saved.damage or "")
    with StreamFile(tmp_path / "k.db", "r") as journal:  # and it can be gone on with
        journal.commit(turn(33, 300))
        assert list(journal.committed()) == kept()[:66]


def change_rows(path: Path, statement: str) -> None:
    connection = sqlite3.connect(path)
    connection.execute(statement)
    connection.commit()
    connection.close()


@pytest.mark.parametrize(
    ("statement", "left"),
    [
        ("DELETE FROM turns WHERE number = 20", 19),
        ("DELETE FROM turns WHERE number = 1", 0),
        ("UPDATE turns SET number = 100 WHERE number = 60", 59),
        ("UPDATE turns SET data = 'text' WHERE number = 7", 6),
        ("UPDATE turns SET data = (SELECT data FROM turns WHERE number = 8) WHERE number = 7", 6),
    ],
)
def test_rows_that_are_missing_or_changed_are_noticed(path: Path, tmp_path: Path, statement: str, left: int) -> None:
    change_rows(path, statement)
    with StreamFile(path, read_only=True) as journal:
        given: list[Event] = []
        with pytest.raises(JournalError, match=rf"Row {left + 1} of the journal"):
            given.extend(journal.committed())
    assert not given or given == kept()[: 2 * left]
    assert salvage(path, tmp_path / "k.db").turns == left


def test_a_turn_of_several_rows_is_salvaged_whole_or_not_at_all(tmp_path: Path) -> None:
    with StreamFile(tmp_path / "j.db", "r") as journal:
        journal.commit(turn(1))
        journal.commit(declared(3))
    change_rows(tmp_path / "j.db", "DELETE FROM turns WHERE number = (SELECT max(number) FROM turns)")
    with pytest.raises(JournalError, match="turn is not complete"):
        read(tmp_path / "j.db")
    assert salvage(tmp_path / "j.db", tmp_path / "k.db").turns == 1
    assert read(tmp_path / "k.db") == turns(1)


def test_a_changed_byte_anywhere_is_never_a_misreading(path: Path, tmp_path: Path) -> None:
    data = path.read_bytes()
    dice = Random(5)
    places = [*range(100), *(dice.randrange(100, len(data)) for _ in range(300))]
    noticed = 0
    for turn_number, place in enumerate(places):
        damaged = bytearray(data)
        damaged[place] ^= 1 << dice.randrange(8)
        path.write_bytes(damaged)
        try:
            assert read(path) == kept(), f"misread with byte {place} changed"
        except JournalError:
            noticed += 1
        _check_salvage(path, tmp_path / f"k{turn_number}.db")
    assert noticed > 100


def _check_salvage(path: Path, to: Path) -> None:
    try:
        saved = salvage(path, to)
    except JournalError:
        return
    assert read(to) == kept()[: 2 * saved.turns]
    assert saved.turns == COUNT or saved.damage is not None


def test_a_log_that_is_cut_off_is_read_up_to_its_last_whole_turn(tmp_path: Path) -> None:
    journal = StreamFile(tmp_path / "j.db", "r")
    for number in range(1, 11):
        journal.commit(turn(number))
    log = tmp_path / "j.db-wal"
    for share in (0.2, 0.5, 0.9):
        folder = tmp_path / f"cut at {share}"
        folder.mkdir()
        shutil.copy(tmp_path / "j.db", folder)
        shutil.copy(log, folder)
        os.truncate(folder / "j.db-wal", int(log.stat().st_size * share))
        with StreamFile(folder / "j.db", "r") as cut:
            events = list(cut.committed())
        assert events == turns(10)[: len(events)]
        assert len(events) < 20
    journal.close()


# ---- salvage


def test_what_is_whole_is_salvaged_whole(path: Path, tmp_path: Path) -> None:
    before = path.read_bytes()
    assert salvage(path, tmp_path / "k.db") == Salvaged(COUNT, None)
    assert read(tmp_path / "k.db") == kept()
    assert path.read_bytes() == before


def test_salvage_overwrites_nothing(path: Path, tmp_path: Path) -> None:
    (tmp_path / "k.db").write_text("dear to me")
    with pytest.raises(JournalError, match="exists already"):
        salvage(path, tmp_path / "k.db")
    assert (tmp_path / "k.db").read_text() == "dear to me"


# ---- what cannot have happened


@pytest.mark.parametrize(
    "events",
    [
        [TaskReady(1, 0.0, "r", "nobody")],
        [TaskStarted(1, 0.0, "r", "nobody", 1, "nowhere", 0)],
        [RunCreated(1, 0.0, "r"), TasksPinned(2, 0.0, "r", ("nobody",), "d")],
        [DeviceLost(1, 0.0, "r", "nowhere")],
    ],
    ids=["task", "device", "pin", "loss"],
)
def test_a_journal_that_tells_of_what_cannot_be_is_refused_in_a_sentence(tmp_path: Path, events: list[Event]) -> None:
    with StreamFile(tmp_path / "j.db", "r") as journal:
        journal.commit(events)
        with pytest.raises(JournalError, match=r"cannot have happened at event .*changed by something else"):
            journal.view()
