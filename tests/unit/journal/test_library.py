"""A directory of journals: each stream in its own file, a turn in all of its files or in none."""

from __future__ import annotations

import sqlite3
import threading
from collections import ChainMap
from contextlib import closing
from typing import TYPE_CHECKING, Any

import pytest
from tests.driver import Driver, as_journalled, plan, refused
from typing_extensions import override

from starloom import events as ev
from starloom.constellation.edits import UpdateTask
from starloom.journal import disk_writer, fleet_file
from starloom.journal import library as library_room
from starloom.journal.base import Journal, JournalError, JournalInUse
from starloom.journal.library import Library, folder_name
from starloom.journal.names import JOURNAL
from starloom.journal.stream_file import StreamFile
from starloom.scheduling.restore import restore

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from pathlib import Path


def two_runs() -> list[list[ev.Event]]:
    """The turns of two runs on one fleet; some concern both of them, or a run and the fleet."""
    driver = Driver(slots=2, checked=False)
    driver.create(plan(["a", "b"], ["a>b"]), run_id="r1")
    driver.create(plan(["x", "y"]), run_id="r2")
    driver.add_device("e")
    driver.end("a", run_id="r1")
    driver.end_all("r1")
    driver.end_all("r2")
    return [[as_journalled(event) for event in turn.events] for turn in driver.turns if turn.events]


def keep(library: Library, turns: Iterable[list[ev.Event]]) -> None:
    for turn in turns:
        for event in turn:
            if isinstance(event, ev.RunCreated):
                library.prepare(event.run_id)
        commit(library, turn)


def commit(library: Library, turn: list[ev.Event]) -> None:
    done = library.commit(turn)
    if done is not None:
        done.result()


def by_stream(events: Iterable[ev.Event]) -> dict[str, list[ev.Event]]:
    streams: dict[str, list[ev.Event]] = {}
    for event in events:
        streams.setdefault(event.run_id, []).append(as_journalled(event))
    return streams


def flat(turns: Iterable[list[ev.Event]]) -> list[ev.Event]:
    return [event for turn in turns for event in turn]


@pytest.mark.parametrize("full", [False, True], ids=["default", "full"])
def test_each_stream_has_a_file_of_its_own_and_all_come_back(tmp_path: Path, full: bool) -> None:
    turns = two_runs()
    with Library(tmp_path, full=full) as library:
        journal: Journal = library
        keep(library, turns)
        assert by_stream(journal.committed()) == by_stream(flat(turns))
        assert journal.folder("r1") == tmp_path / "runs" / "r1"
    for stream, events in by_stream(flat(turns)).items():
        path = tmp_path / "runs" / stream / JOURNAL if stream else tmp_path / "fleet.db"
        with StreamFile(path, read_only=True) as file:
            assert file.stream == stream
            assert [as_journalled(event) for event in file.committed()] == events


def test_a_new_library_knows_the_fleet_of_the_last_one_and_none_of_its_runs(tmp_path: Path) -> None:
    turns = two_runs()
    with Library(tmp_path) as library:
        assert list(library.fleet() or ()) == []
        keep(library, turns)
    with Library(tmp_path) as library:
        assert list(library.fleet() or ()) == by_stream(flat(turns))[""]
        assert list(library.committed()) == list(library.fleet() or ())
        assert library.folder("r1") is None


def test_a_run_that_is_taken_counts_once_something_was_committed_to_it(tmp_path: Path) -> None:
    turns = two_runs()
    with Library(tmp_path) as library:
        keep(library, turns)
        before = by_stream(library.committed())["r1"]
    with Library(tmp_path) as library:
        stream = library.take(tmp_path / "runs" / "r1")
        assert [as_journalled(event) for event in stream.committed()] == before
        assert "r1" not in by_stream(library.committed())
        more = ev.RunHeldOpen(before[-1].seq + 1, 9.0, "r1")
        commit(library, [more])
        assert by_stream(library.committed())["r1"] == [*before, more]
        library.give_back("r1")  # too late: it was gone on with
        assert library.folder("r1") is not None


def test_a_run_that_was_given_back_can_be_taken_by_another_program(tmp_path: Path) -> None:
    with Library(tmp_path) as library:
        keep(library, two_runs())
    with Library(tmp_path / "other") as library, Library(tmp_path) as second:
        library.take(tmp_path / "runs" / "r1")
        with pytest.raises(JournalInUse, match="in use by this program itself"):
            second.take(tmp_path / "runs" / "r1")
        library.give_back("r1")
        assert second.take(tmp_path / "runs" / "r1").stream == "r1"


def test_a_folder_can_be_moved_and_gone_on_with_elsewhere(tmp_path: Path) -> None:
    turns = two_runs()
    with Library(tmp_path / "here") as library:
        keep(library, turns)
    (tmp_path / "here" / "runs" / "r1").rename(tmp_path / "some run? 100%#")
    with Library(tmp_path / "there") as library:
        stream = library.take(tmp_path / "some run? 100%#")
        assert [as_journalled(event) for event in stream.committed()] == by_stream(flat(turns))["r1"]
        assert library.folder("r1") == tmp_path / "some run? 100%#"


def test_there_is_one_run_of_an_id(tmp_path: Path) -> None:
    with Library(tmp_path) as library:
        library.prepare("r1")
        with pytest.raises(JournalError, match=r"There was a run .r1..*another id, or resume that one"):
            library.prepare("r1")


def test_a_refused_run_leaves_nothing(tmp_path: Path) -> None:
    with Library(tmp_path) as library:
        library.prepare("r1")
        library.discard("r1")
        library.discard("r1")
        assert list((tmp_path / "runs").iterdir()) == []
        keep(library, two_runs())
        library.discard("r1")  # it was committed to
        assert (tmp_path / "runs" / "r1" / JOURNAL).exists()


@pytest.mark.parametrize("run_id", ["r", "..", ".", "../../x", "a/b", "a\\b", "ü ☃", "x" * 300, "CON:", "a\ud800"])
def test_a_folder_is_inside_whatever_the_run_is_called(tmp_path: Path, run_id: str) -> None:
    folder = (tmp_path / "runs" / folder_name(run_id)).resolve()
    assert folder.parent == (tmp_path / "runs").resolve()
    assert len(folder.name) < 150
    assert folder_name(run_id + "x") != folder_name(run_id)


def test_a_directory_that_cannot_be_made_is_named(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(JournalError, match=r"cannot be kept in .*Name another directory"):
        Library(tmp_path / "file" / "journal")


def test_an_unprepared_run_is_a_defect(tmp_path: Path) -> None:
    with Library(tmp_path) as library, pytest.raises(JournalError, match="not prepared for"):
        library.commit([ev.RunReadied(1, 0.0, "r")])


# ---- two programs


def test_the_second_program_is_told_and_keeps_its_runs_but_not_what_is_said_of_the_fleet(tmp_path: Path) -> None:
    turns = two_runs()
    with Library(tmp_path) as first:
        commit(first, turns[0])
        assert first.notice == ""
        with Library(tmp_path) as second:
            assert second.notice.startswith(
                f"Another Starloom is open with the same folder {tmp_path}: this program it"
            )
            assert "holds until this program ends" in second.notice
            assert "fleet.db" not in second.notice
            assert list(second.fleet() or ()) == turns[0]
            keep(second, turns)
            streams = by_stream(second.committed())
            assert set(streams) == {"r1", "r2"}
        assert list(first.committed()) == turns[0]


# ---- all files or none


class FailsOnce(StreamFile):
    """Has no room for one turn."""

    doomed = "nothing"

    @override
    def commit(self, events: Sequence[ev.Event], *given: Any) -> None:
        if self.stream == FailsOnce.doomed:
            FailsOnce.doomed = "nothing"
            raise JournalError("The disk is full.")
        super().commit(events, *given)


@pytest.mark.parametrize("doomed", ["", "r1", "r2"], ids=["fleet", "r1", "r2"])
@pytest.mark.parametrize("full", [False, True], ids=["default", "full"])
def test_a_turn_that_one_file_cannot_take_is_in_none(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, doomed: str, full: bool
) -> None:
    monkeypatch.setattr(library_room, "StreamFile", FailsOnce)
    monkeypatch.setattr(fleet_file, "StreamFile", FailsOnce)
    monkeypatch.setattr(FailsOnce, "doomed", "nothing")
    turns = two_runs()
    number = next(n for n, turn in enumerate(turns) if {event.run_id for event in turn} == {"", "r1", "r2"})
    with Library(tmp_path, full=full) as library:
        keep(library, turns[:number])
        before = by_stream(library.committed())
        FailsOnce.doomed = doomed
        with pytest.raises(JournalError, match="disk is full"):
            commit(library, turns[number])
        assert by_stream(library.committed()) == before
        restore(library.committed())
        commit(library, turns[number])
        keep(library, turns[number + 1 :])
        assert by_stream(library.committed()) == by_stream(flat(turns))


def stopped_in_a_turn(directory: Path, monkeypatch: pytest.MonkeyPatch, doomed: str) -> dict[str, list[ev.Event]]:
    """Have a program die after a turn of all streams could not be kept by one of them; returns what was committed."""
    monkeypatch.setattr(library_room, "StreamFile", FailsOnce)
    monkeypatch.setattr(fleet_file, "StreamFile", FailsOnce)
    monkeypatch.setattr(FailsOnce, "doomed", "nothing")
    turns = two_runs()
    number = next(n for n, turn in enumerate(turns) if {event.run_id for event in turn} == {"", "r1", "r2"})
    with Library(directory) as library:
        keep(library, turns[:number])
        before = by_stream(library.committed())
        FailsOnce.doomed = doomed
        with pytest.raises(JournalError, match="disk is full"):
            commit(library, turns[number])
    return before


def found(directory: Path, **how: Any) -> dict[str, list[ev.Event]]:
    """What the files in a directory of journals have."""
    paths = {"": directory / "fleet.db", **{run: directory / "runs" / run / JOURNAL for run in ("r1", "r2")}}
    streams = {}
    for stream, path in paths.items():
        with StreamFile(path, stream, **how) as file:
            streams[stream] = [as_journalled(event) for event in file.committed()]
    return streams


@pytest.mark.parametrize("doomed", ["", "r1", "r2"], ids=["fleet", "r1", "r2"])
def test_a_turn_in_which_the_program_died_is_in_none(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, doomed: str
) -> None:
    before = stopped_in_a_turn(tmp_path, monkeypatch, doomed)
    assert found(tmp_path, read_only=True) == before
    with Library(tmp_path) as library:  # another turn of the fleet comes where its part of that one would have been
        commit(library, [ev.FleetOpened(before[""][-1].seq + 1, before[""][-1].at, "")])
    before[""] = found(tmp_path)[""]
    assert found(tmp_path) == before
    with Library(tmp_path) as library:
        library.take(tmp_path / "runs" / "r1")
        commit(library, [ev.RunStarted(before["r1"][-1].seq + 1, before["r1"][-1].at, "r1")])
    assert len(found(tmp_path)["r1"]) == len(before["r1"]) + 1, "what was noted of the turn before holds for it alone"


@pytest.mark.parametrize("other", [False, True], ids=["none", "another"])
def test_where_the_file_that_decides_is_gone_the_last_turn_stays(tmp_path: Path, other: bool) -> None:
    turns = two_runs()
    number = next(n for n, turn in enumerate(turns) if {event.run_id for event in turn} == {"", "r1", "r2"})
    with Library(tmp_path / "here") as library:
        keep(library, turns[: number + 1])
        before = by_stream(library.committed())
    for path in (tmp_path / "here").glob("fleet.db*"):
        path.unlink()
    if other:
        with Library(tmp_path / "here") as library:
            for seq in range(1, 10):
                commit(library, [ev.FleetOpened(seq, 0.0, "")])
    for run in ("r1", "r2"):
        with StreamFile(tmp_path / "here" / "runs" / run / JOURNAL) as file:
            assert [as_journalled(event) for event in file.committed()] == before[run]


@pytest.mark.parametrize(
    "forged",
    [
        {"after": "none"},
        {"after": -1},
        {"after": 2**40},
        {"path": 5},
        {"path": "fleet.db\0"},
        {"path": "/etc/passwd"},
        {"deciding": "x"},
        {"digest": "x"},
        {"deciding": -(2**60)},
    ],
    ids=str,
)
def test_a_forged_note_of_what_decides_takes_no_turn_away(tmp_path: Path, forged: dict[str, Any]) -> None:
    turns = two_runs()
    number = next(n for n, turn in enumerate(turns) if {event.run_id for event in turn} == {"", "r1", "r2"})
    with Library(tmp_path) as library:
        keep(library, turns[: number + 1])
        before = by_stream(library.committed())
    ((name, value),) = forged.items()
    with closing(sqlite3.connect(tmp_path / "runs" / "r1" / JOURNAL)) as connection, connection:
        connection.execute(f"UPDATE joint SET {name} = ?", (value,))
    assert found(tmp_path, read_only=True) == before
    assert found(tmp_path) == before


@pytest.mark.parametrize("full", [False, True], ids=["default", "full"])
def test_who_follows_hears_of_a_turn_once_all_its_files_have_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, full: bool
) -> None:
    monkeypatch.setattr(library_room, "StreamFile", FailsOnce)
    monkeypatch.setattr(fleet_file, "StreamFile", FailsOnce)
    monkeypatch.setattr(FailsOnce, "doomed", "nothing")
    turns = two_runs()
    number = next(n for n, turn in enumerate(turns) if {event.run_id for event in turn} == {"", "r1", "r2"})
    heard: list[Mapping[str, int]] = []
    with Library(tmp_path, full=full) as library:
        library.follow(heard.append)
        keep(library, turns[:number])
        rows = dict(ChainMap(*map(dict, reversed(heard))))
        heard.clear()
        FailsOnce.doomed = ""  # the last of its files
        with pytest.raises(JournalError, match="disk is full"):
            commit(library, turns[number])
        assert not heard
        commit(library, turns[number])
        assert heard == [{stream: rows[stream] + 1 for stream in ("", "r1", "r2")}], "at once"


# ---- threads


def test_full_durability_commits_in_a_thread_that_ends_with_the_library(tmp_path: Path) -> None:
    with Library(tmp_path, full=True) as library:
        assert library.is_threaded
        done = library.commit(two_runs()[0])
        assert done is not None
        done.result()
        assert [one for one in threading.enumerate() if one.name.startswith("starloom-journal")]
    assert not [one for one in threading.enumerate() if one.name.startswith("starloom-journal")]


def test_on_a_slow_disk_the_writer_moves_to_a_thread_and_says_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level("INFO")
    turns = two_runs()
    with Library(tmp_path) as library:
        keep(library, turns[:2])
        before = library.is_threaded
        monkeypatch.setattr(disk_writer, "SLOW_SECONDS", 0.0)
        monkeypatch.setattr(disk_writer, "SLOW_COMMITS", 2)
        keep(library, turns[2:])
        assert (before, library.is_threaded) == (False, True)
        assert by_stream(library.committed()) == by_stream(flat(turns))
    assert "is slow: its journals are written in a thread" in caplog.text


def test_a_large_batch_of_edits_is_written_in_a_thread_though_it_is_one_event(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(disk_writer, "_LARGE_BATCH", 4)
    driver = Driver(checked=False)
    driver.create(plan(["a", "b", "c"]), start=False)
    driver.edit(UpdateTask("a", timeout=1))
    driver.edit(*(UpdateTask(name, timeout=2) for name in ("a", "b", "c")))
    refused(driver, *(UpdateTask(f"unknown {number}", timeout=2) for number in range(5)))
    *before, large, rejected = [list(turn.events) for turn in driver.turns if turn.events]
    with Library(tmp_path) as library:
        keep(library, before[:-1])
        assert library.commit(before[-1]) is None
        for turn in (large, rejected):
            done = library.commit(turn)
            assert done is not None
            done.result()
        assert not library.is_threaded
        assert by_stream(library.committed()) == by_stream(driver.events)


def test_closing_twice_is_no_mistake_and_leaves_whole_files(tmp_path: Path) -> None:
    library = Library(tmp_path)
    keep(library, two_runs())
    library.close()
    library.close()
    for path in (tmp_path / "fleet.db", tmp_path / "runs" / "r1" / JOURNAL):
        connection = sqlite3.connect(path)
        assert connection.execute("PRAGMA integrity_check").fetchone() == ("ok",)
        connection.close()
        assert not path.with_name(path.name + "-wal").exists()
