"""The list of runs: what it says of each."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from tests.driver import Driver, as_journalled, plan, task
from tests.unit.journal.test_library import keep, two_runs

from starloom import events as ev
from starloom.journal.library import Library
from starloom.journal.names import JOURNAL
from starloom.journal.records import NoSuchRun, find_folder, record, records
from starloom.scheduling import commands as c
from starloom.scheduling.state.codes import RUNNING

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture
def directory(tmp_path: Path) -> Path:
    """Two runs: `r1` has ended, `r2` was interrupted."""
    with Library(tmp_path) as library:
        keep(library, [[event for event in turn if not _is_late(event)] for turn in two_runs()])
    return tmp_path


def _is_late(event: ev.Event) -> bool:
    return event.run_id == "r2" and isinstance(event, ev.TaskCompleted | ev.RunEnded)


def test_each_run_has_its_line(tmp_path: Path) -> None:
    turns = two_runs()
    with Library(tmp_path) as library:
        keep(library, turns)
        held = {one.run_id: one for one in records(tmp_path)}
        assert "this program itself" in str(held["r1"].held_by)
    found = {one.run_id: one for one in records(tmp_path)}
    assert set(found) == {"r1", "r2"}
    assert found["r1"].state == "completed"
    assert found["r1"].held_by is None
    assert (found["r1"].counts["submitted"], found["r1"].counts["completed"]) == (2, 2)
    assert found["r1"].updated > 0
    assert not found["r1"].can_resume


def test_a_run_that_has_not_ended_and_that_nobody_has_was_interrupted(directory: Path) -> None:
    found = {one.run_id: one for one in records(directory)}
    assert found["r2"].state == "interrupted"
    assert found["r2"].can_resume
    assert find_folder(directory, None) == directory / "runs" / "r2"


def test_an_open_gate_waits_for_a_person_until_it_is_answered(tmp_path: Path) -> None:
    driver = Driver()
    driver.create(plan([task("ask", gate="Ship it?"), "b"], ["ask>b"]))
    asked = len(driver.turns)
    driver.ask(c.AnswerGate, task_id="ask", approve=True)
    turns = [[as_journalled(event) for event in turn.events] for turn in driver.turns]
    with Library(tmp_path) as library:
        keep(library, filter(None, turns[:asked]))
        assert records(tmp_path)[0].waits == 1
        keep(library, filter(None, turns[asked:]))
        assert records(tmp_path)[0].waits == 0


def test_listing_leaves_nothing_behind(directory: Path) -> None:
    before = _files(directory)
    records(directory)
    assert _files(directory) == before


def _files(directory: Path) -> list[str]:
    """All but those that SQLite itself has beside a database that was read."""
    names = (str(path.relative_to(directory)) for path in directory.rglob("*"))
    return sorted(name for name in names if not name.endswith(("-wal", "-shm")))


def test_a_journal_that_has_grown_is_read_to_its_new_end(directory: Path) -> None:
    before = record(directory / "runs" / "r2")
    with Library(directory) as library:
        stream = library.take(directory / "runs" / "r2")
        run, at, _ = stream.view()[0].run, *stream.view()[1:]
        names = [run.graph.ids[number] for number in run.with_status(RUNNING)]
        ends: list[ev.Event] = [ev.TaskCompleted(run.seq + n, at, "r2", name, 1) for n, name in enumerate(names, 1)]
        library.commit([*ends, ev.RunEnded(run.seq + len(ends) + 1, at, "r2")])
    after = record(directory / "runs" / "r2")
    assert (before.state, after.state) == ("interrupted", "completed")


def test_a_damaged_journal_has_its_line_too(directory: Path) -> None:
    (directory / "runs" / "r1" / JOURNAL).write_bytes(b"no database")
    found = {one.run_id: one for one in records(directory)}
    assert found["r1"].state == "unreadable"
    assert "is not a journal" in found["r1"].trouble
    assert found["r2"].state == "interrupted"


def test_a_run_that_has_not_begun_cannot_be_gone_on_with(tmp_path: Path) -> None:
    with Library(tmp_path) as library:
        library.prepare("r")
    (one,) = records(tmp_path)
    assert one.state == "empty"
    with pytest.raises(NoSuchRun, match="was interrupted"):
        find_folder(tmp_path, None)


def test_a_directory_without_runs_has_none(tmp_path: Path) -> None:
    assert records(tmp_path / "nowhere") == []
    with pytest.raises(NoSuchRun, match="No run in"):
        find_folder(tmp_path / "nowhere", None)


def test_a_run_is_found_by_id_by_its_beginning_and_by_its_folder(directory: Path) -> None:
    r1 = directory / "runs" / "r1"
    assert find_folder(directory, "r1") == r1
    assert find_folder(directory, str(r1)) == r1
    with pytest.raises(NoSuchRun, match="could be any of r1, r2"):
        find_folder(directory, "r")
    with pytest.raises(NoSuchRun, match="There is no run 'x'"):
        find_folder(directory, "x")
    assert find_folder(directory, None).name == "r2"
