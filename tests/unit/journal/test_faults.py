"""An error at every single write of a short run: the journal always ends with a whole turn, and goes on from there."""

from __future__ import annotations

import sqlite3
from typing import TYPE_CHECKING, Any

import pytest
from tests.driver import RUN, Driver, as_journalled
from tests.unit.scheduling.test_restore import story
from typing_extensions import override

from starloom.journal import codec
from starloom.journal.base import JournalError
from starloom.journal.stream_file import StreamFile

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from starloom import events as ev

WRITES = ("INSERT", "BEGIN", "COMMIT", "ROLLBACK", "DELETE")


class Faulty(sqlite3.Connection):
    """Fails at one statement that writes: before it is carried out, or after, as when only its sync fails."""

    count = 0
    fail_at = -1
    after = False

    @override
    def execute(self, sql: str, parameters: Any = (), /) -> sqlite3.Cursor:
        if not sql.startswith(WRITES):
            return super().execute(sql, parameters)
        number = Faulty.count
        Faulty.count += 1
        if number == Faulty.fail_at and not Faulty.after:
            raise sqlite3.OperationalError("disk I/O error")
        cursor = super().execute(sql, parameters)
        if number == Faulty.fail_at:
            raise sqlite3.OperationalError("disk I/O error")
        return cursor


def run() -> list[list[ev.Event]]:
    """The turns of a short run with a bit of everything, one of them in several rows."""
    driver = Driver(slots=2, checked=False)
    story(driver)
    turns = ([as_journalled(event) for event in turn.events if event.run_id == RUN] for turn in driver.turns)
    return [turn for turn in turns if turn]


def commit_all(path: Path, turns: Sequence[Sequence[ev.Event]]) -> int | None:
    """Commit turn after turn, one that failed a second time; returns the number of the one that failed."""
    failures: list[int] = []
    with StreamFile(path, RUN) as journal:
        for number, turn in enumerate(turns):
            if failure := refusal(journal, turn):
                failures.append(number)
                assert "disk I/O error" in failure
                assert kept_in(journal) == flat(turns[:number])
                assert read(path, turns)[:number] == list(turns[:number])
                journal.commit(turn)
        assert kept_in(journal) == flat(turns)
    assert len(failures) <= 1
    return failures[0] if failures else None


def refusal(journal: StreamFile, turn: Sequence[ev.Event]) -> str:
    """Why a turn could not be committed; empty if it was."""
    try:
        journal.commit(turn)
    except JournalError as error:
        return str(error)
    return ""


def kept_in(journal: StreamFile) -> list[ev.Event]:
    return [as_journalled(event) for event in journal.committed()]


def flat(turns: Sequence[Sequence[ev.Event]]) -> list[ev.Event]:
    return [event for turn in turns for event in turn]


def read(path: Path, turns: Sequence[Sequence[ev.Event]]) -> list[list[ev.Event]]:
    """What another program reads, which must be the first so many turns."""
    with StreamFile(path, read_only=True) as journal:
        events = kept_in(journal)
    whole = next(count for count in range(len(turns) + 1) if len(flat(turns[:count])) >= len(events))
    assert events == flat(turns[:whole])
    return [list(turn) for turn in turns[:whole]]


@pytest.fixture
def writes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> int:
    """How many writes an undisturbed run takes; from now on all connections are faulty."""
    monkeypatch.setattr(codec, "PART_BYTES", 1500)
    connect = sqlite3.connect
    monkeypatch.setattr(sqlite3, "connect", lambda *args, **fields: connect(*args, **fields, factory=Faulty))
    monkeypatch.setattr(Faulty, "fail_at", -1)
    monkeypatch.setattr(Faulty, "count", 0)
    assert commit_all(tmp_path / "undisturbed.db", run()) is None
    return Faulty.count


@pytest.mark.parametrize("after", [False, True])
def test_after_a_fault_at_any_write_the_journal_is_whole_and_goes_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, writes: int, after: bool
) -> None:
    turns = run()
    monkeypatch.setattr(Faulty, "after", after)
    failed = set()
    for place in range(writes):
        Faulty.count, Faulty.fail_at = 0, place
        path = tmp_path / f"{place}.db"
        try:
            failed.add(commit_all(path, turns))
        except JournalError:
            assert Faulty.count <= 4  # it could not even be made
        Faulty.fail_at = -1
        with StreamFile(path, RUN) as journal:
            assert kept_in(journal) in ([], flat(turns))
    assert failed >= set(range(len(turns)))


@pytest.mark.parametrize("after", [False, True])
def test_a_program_that_dies_after_a_fault_leaves_a_whole_journal(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, writes: int, after: bool
) -> None:
    turns = run()
    monkeypatch.setattr(Faulty, "after", after)
    for place in range(4, writes):
        Faulty.count, Faulty.fail_at = 0, place
        journal = StreamFile(tmp_path / f"{place}.db", RUN)
        assert any(refusal(journal, turn) for turn in turns)  # the first failure is the end
        journal.close()
        Faulty.fail_at = -1
        read(tmp_path / f"{place}.db", turns)
