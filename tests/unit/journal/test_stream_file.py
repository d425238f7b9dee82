"""The journal on disk: what is committed is there, for one program at a time, and no thread outlives it."""

from __future__ import annotations

import os
import sqlite3
import subprocess
import sys
import threading
import time
from typing import TYPE_CHECKING, Any

import pytest
from tests.driver import as_journalled
from typing_extensions import override

from starloom import events as ev
from starloom.journal.base import JournalError, JournalInUse
from starloom.journal.stream_file import StreamFile
from starloom.model.result import Result
from starloom.testing import layered

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path


def turn(number: int, size: int = 0, *, after: int = 0) -> list[ev.Event]:
    """Two events; `size` characters of output with them; `after` so many events besides those of earlier turns."""
    seq, name = 2 * number - 1 + after, f"t{number}"
    return [
        ev.TaskReady(seq, number / 2, "r", name),
        ev.TaskCompleted(seq + 1, number / 2, "r", name, 1, Result(value=number, output="x" * size)),
    ]


def turns(count: int) -> list[ev.Event]:
    return [event for number in range(1, count + 1) for event in turn(number)]


def declared(seq: int = 1) -> list[ev.Event]:
    """A turn of several rows."""
    plan = layered(100, 400)
    return [ev.TasksDeclared(seq, 0.0, "r", tasks=tuple(plan.tasks), dependencies=tuple(plan.dependencies))]


def without_index(events: Iterable[ev.Event]) -> list[ev.Event]:
    return [as_journalled(event) for event in events]


def rows(path: Path) -> int:
    connection = sqlite3.connect(path)
    (count,) = connection.execute("SELECT count(*) FROM turns").fetchone()
    connection.close()
    return int(count)


def test_all_turns_come_back_oldest_first(tmp_path: Path) -> None:
    with StreamFile(tmp_path / "j.db", "r") as journal:
        for number in range(1, 1600):  # more than are fetched at once
            journal.commit(turn(number))
        assert list(journal.committed()) == turns(1599)
    assert rows(tmp_path / "j.db") == 1599


def test_a_journal_goes_on_after_its_last_turn(tmp_path: Path) -> None:
    for number in range(1, 4):
        with StreamFile(tmp_path / "j.db", "r") as journal:
            assert list(journal.committed()) == turns(number - 1)
            journal.commit(turn(number))
    with StreamFile(tmp_path / "j.db", "r") as journal:
        assert list(journal.committed()) == turns(3)


def test_a_large_plan_is_one_turn_of_several_rows(tmp_path: Path) -> None:
    with StreamFile(tmp_path / "j.db", "r") as journal:
        journal.commit(declared())
        journal.commit(turn(1, after=1))
        assert without_index(journal.committed()) == declared() + turn(1, after=1)
    assert rows(tmp_path / "j.db") > 2


def test_reading_ends_where_the_journal_ended_when_it_began(tmp_path: Path) -> None:
    with StreamFile(tmp_path / "j.db", "r") as journal:
        journal.commit(turn(1))
        begun = iter(journal.committed())
        journal.commit(turn(2))
        assert list(begun) == turns(1)


def test_a_journal_can_be_moved(tmp_path: Path) -> None:
    with StreamFile(tmp_path / "j.db", "r") as journal:
        journal.commit(turn(1))
    (tmp_path / "elsewhere? 100%#").mkdir()
    moved = (tmp_path / "j.db").rename(tmp_path / "elsewhere? 100%#" / "k.db")
    with StreamFile(moved, read_only=True) as journal:
        assert list(journal.committed()) == turns(1)


def test_an_event_that_cannot_be_kept_leaves_no_trace_and_the_next_turn_goes_on(tmp_path: Path) -> None:
    with StreamFile(tmp_path / "j.db", "r") as journal:
        journal.commit(turn(1))
        with pytest.raises(JournalError, match="Use JSON values only"):
            journal.commit([*declared(3), ev.TaskCompleted(4, 0.0, "r", "t", 1, Result(value=object()))])
        journal.commit(turn(2))
        assert list(journal.committed()) == turns(2)


# ---- durability


class Listening(sqlite3.Connection):
    """Notes what is executed."""

    said: list[str] = []  # noqa: RUF012 - emptied by the test

    @override
    def execute(self, sql: str, parameters: Any = (), /) -> sqlite3.Cursor:
        self.said.append(sql)
        return super().execute(sql, parameters)


@pytest.mark.parametrize(("full", "word"), [(False, "NORMAL"), (True, "FULL")])
def test_durability_is_what_sqlite_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, full: bool, word: str
) -> None:
    Listening.said.clear()
    connect = sqlite3.connect
    monkeypatch.setattr(sqlite3, "connect", lambda *args, **fields: connect(*args, **fields, factory=Listening))
    with StreamFile(tmp_path / "j.db", "r", full=full) as journal:
        journal.commit(turn(1))
        assert list(journal.committed()) == turns(1)
    assert [said for said in Listening.said if "synchronous" in said] == [f"PRAGMA synchronous = {word}"]


def test_a_file_of_another_stream_is_refused(tmp_path: Path) -> None:
    with StreamFile(tmp_path / "j.db", "r") as journal:
        journal.commit(turn(1))
    with pytest.raises(JournalError, match="is that of 'r', not of 's'"):
        StreamFile(tmp_path / "j.db", "s")
    with StreamFile(tmp_path / "j.db") as journal:
        assert journal.stream == "r"


def test_a_turn_that_was_taken_back_is_not_there_and_the_next_one_takes_its_place(tmp_path: Path) -> None:
    with StreamFile(tmp_path / "j.db", "r") as journal:
        journal.commit(turn(1))
        journal.commit(turn(2))
        journal.take_back(1)
        assert list(journal.committed()) == turns(1)
        journal.commit(turn(2, 10))
        assert list(journal.committed()) == turns(1) + turn(2, 10)


def test_each_turn_says_when_it_was_committed(tmp_path: Path) -> None:
    before = time.time()
    with StreamFile(tmp_path / "j.db", "r") as journal:
        journal.commit(turn(1))
        journal.commit(turn(2))
        first, second = journal.turns()
    assert before <= first.wall <= second.wall <= time.time()


# ---- checkpoints


def test_the_log_is_moved_into_the_file_by_a_thread_that_ends_with_the_journal(tmp_path: Path) -> None:
    path = tmp_path / "j.db"
    with StreamFile(path, "r") as journal:
        journal.commit(turn(1))
        assert not [thread for thread in threading.enumerate() if thread.name == "starloom-checkpoints"]
        before = path.stat().st_size
        number = 1
        while path.stat().st_size == before and number < 200_000:  # the deadline is pytest's as well
            number += 1
            journal.commit(turn(number, 2000))
        assert path.stat().st_size > before
        assert [thread for thread in threading.enumerate() if thread.name == "starloom-checkpoints"]
    assert not [thread for thread in threading.enumerate() if thread.name == "starloom-checkpoints"]
    assert not path.with_name("j.db-wal").exists()


class NoCheckpoint(sqlite3.Connection):
    """Has no room for a checkpoint."""

    @override
    def execute(self, sql: str, parameters: Any = (), /) -> sqlite3.Cursor:
        if "wal_checkpoint" in sql:
            raise sqlite3.OperationalError("database or disk is full")
        return super().execute(sql, parameters)


@pytest.mark.expects_log
def test_a_checkpoint_that_fails_is_told_once_and_loses_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    connect = sqlite3.connect
    monkeypatch.setattr(sqlite3, "connect", lambda *args, **fields: connect(*args, **fields, factory=NoCheckpoint))
    with StreamFile(tmp_path / "j.db", "r") as journal:
        for number in range(1, 4000):
            journal.commit(turn(number))
        while not caplog.records:
            threading.Event().wait(0.001)
        assert sum(1 for _ in journal.committed()) == 2 * 3999
    assert [record.getMessage().split(" (")[1] for record in caplog.records] == [
        "database or disk is full). Nothing is lost, but the log grows."
    ]


# ---- one program at a time

HOLDER = """
import sys
from pathlib import Path
from starloom.journal.stream_file import StreamFile
journal = StreamFile(Path(sys.argv[1]), 'r')
print("open", flush=True)
sys.stdin.read()
"""


def test_a_second_program_is_told_who_has_it_and_may_read(tmp_path: Path) -> None:
    path = tmp_path / "j.db"
    with StreamFile(path, "r") as journal:
        journal.commit(turn(1))
    holder = subprocess.Popen(
        [sys.executable, "-c", HOLDER, str(path)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    try:
        assert holder.stdout is not None
        assert holder.stdout.readline() == "open\n"
        with pytest.raises(JournalInUse, match=rf"in use by process {holder.pid} on .*, since 20\d\d-.*it can be read"):
            StreamFile(path, "r")
        with StreamFile(path, read_only=True) as reader:
            assert list(reader.committed()) == turns(1)
    finally:
        holder.kill()
        holder.communicate()
    with StreamFile(path, "r") as journal:  # killed, and the lock is free
        journal.commit(turn(2))
        assert list(journal.committed()) == turns(2)


def test_the_same_program_is_told_that_it_has_it_itself(tmp_path: Path) -> None:
    with StreamFile(tmp_path / "j.db", "r"):
        for _ in range(2):
            with pytest.raises(JournalError, match=r"in use by this program itself, since \d{4}-\d\d-\d\d \d\d:\d\d\."):
                StreamFile(tmp_path / "j.db", "r")


def test_a_lock_that_says_nothing_still_holds(tmp_path: Path) -> None:
    with StreamFile(tmp_path / "j.db", "r"):
        os.truncate(tmp_path / "j.db.lock", 0)
        with pytest.raises(JournalError, match="in use by another program"):
            StreamFile(tmp_path / "j.db", "r")


def test_a_reader_sees_what_is_committed_meanwhile_and_cannot_write(tmp_path: Path) -> None:
    with StreamFile(tmp_path / "j.db", "r") as journal:
        with StreamFile(tmp_path / "j.db", read_only=True) as reader:
            assert list(reader.committed()) == []
            journal.commit(turn(1))
            assert list(reader.committed()) == turns(1)
            with pytest.raises(JournalError, match="for reading only"):
                reader.commit(turn(2))
        assert list(journal.committed()) == turns(1)


def test_a_closed_journal_says_so(tmp_path: Path) -> None:
    journal = StreamFile(tmp_path / "j.db", "r")
    journal.close()
    journal.close()
    for use in (lambda: journal.commit(turn(1)), journal.committed):
        with pytest.raises(JournalError, match="is closed"):
            use()
