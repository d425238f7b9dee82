"""Journals that earlier versions wrote are read as they were meant; a format that changes needs a migration."""

from __future__ import annotations

import json
import shutil
from typing import TYPE_CHECKING

import pytest
from tests.driver import RUN
from tests.replay.golden import FOLDER, PICTURES, STORIES, picture, stream_of

from starloom.events import FORMAT_VERSION, AttemptWorkEnded, RunHeldOpen, TaskOverdue, TaskWarned
from starloom.journal.stream_file import StreamFile
from starloom.model.files import FileCopy
from starloom.scheduling.fold.apply import fold
from starloom.scheduling.read.summary import elapsed
from starloom.scheduling.state.attempts import LateEnd
from starloom.scheduling.state.folded_run import FoldedRun
from starloom.scheduling.state.late_facts import is_timed

if TYPE_CHECKING:
    from pathlib import Path

FORMATS = range(1, FORMAT_VERSION + 1)
JOURNALS = sorted(FOLDER.glob("format-*/*.db"))


@pytest.mark.parametrize("number", FORMATS)
def test_every_format_has_golden_journals(number: int) -> None:
    folder = FOLDER / f"format-{number}"
    assert {path.stem for path in folder.glob("*.db")} >= set(STORIES)
    assert (folder / PICTURES).exists()


@pytest.mark.parametrize("path", JOURNALS, ids=lambda path: f"{path.parent.name}-{path.stem}")
def test_a_golden_journal_folds_to_what_it_always_did(path: Path, tmp_path: Path) -> None:
    expected = json.loads((path.parent / PICTURES).read_text(encoding="utf-8"))[path.stem]
    shutil.copy(path, tmp_path / "journal.db")  # a reader may leave files beside it
    with StreamFile(tmp_path / "journal.db", read_only=True) as file:
        found = picture(fold(FoldedRun(RUN), file.committed()))
    assert json.loads(json.dumps(found)) == expected


def test_ends_that_were_found_out_late_are_read_as_they_were_meant(tmp_path: Path) -> None:
    shutil.copy(FOLDER / "format-1" / "late.db", tmp_path / "journal.db")
    with StreamFile(tmp_path / "journal.db", read_only=True) as file:
        run = fold(FoldedRun(RUN), file.committed()).run
    place = run.graph.place
    assert run.late_ends == {place["given_up"]: (LateEnd(1, 0, 16.0),)}
    assert [attempt.ended for attempt in run.attempts(place["given_up"])] == [10.0, 20.0]
    assert run.last_attempt(place["timed"]).ended == 5.0
    assert [number for number in place.values() if not is_timed(run, number, 1)] == [place["untimed"]]
    assert (run.idle_s, elapsed(run, 0.0)) == (500.0, 21.0)


def test_work_that_ended_before_all_was_here_is_read_as_it_was_meant(tmp_path: Path) -> None:
    shutil.copy(FOLDER / "format-1" / "brought.db", tmp_path / "journal.db")
    with StreamFile(tmp_path / "journal.db", read_only=True) as file:
        events = list(file.committed())
    run = fold(FoldedRun(RUN), events).run
    ids, device = run.graph.ids, run.fleet.devices["d"]
    assert [(event.task_id, event.at) for event in events if isinstance(event, AttemptWorkEnded)] == [
        ("first", 5.0),
        ("second", 20.0),
    ]
    assert [ids[number] for number in run.fetching] == ["second"]
    assert ([run.ended_at[number] for number in (0, 1)], run.running, device.used) == ([5.0, 20.0], 2, 1)
    assert run.graph.task("first").files.fetch == (FileCopy("out", "results/out"),)


def test_severity_warnings_and_what_is_overdue_are_read_as_they_were_meant(tmp_path: Path) -> None:
    shutil.copy(FOLDER / "format-1" / "noticed.db", tmp_path / "journal.db")
    with StreamFile(tmp_path / "journal.db", read_only=True) as file:
        events = list(file.committed())
    run = fold(FoldedRun(RUN), events).run
    ids = run.graph.ids
    assert {ids[number]: seconds for number, seconds in run.overdue.items()} == {"late": 5.0}
    assert {name: str(run.severity_of(run.graph.place[name])) for name in ("soft", "hard")} == {
        "soft": "warning",
        "hard": "error",
    }
    assert [event.message for event in events if isinstance(event, TaskWarned)] == ["the disk is nearly full"]
    overdue = [(event.task_id, event.at, event.expected) for event in events if isinstance(event, TaskOverdue)]
    assert overdue == [("late", 32.0, 5.0), ("slow", 32.0, 10.0)]
    assert run.overdue_factor == 2.0
    assert run.cycles is not None
    assert run.cycles.modification_timeout == 1200.0
    assert (run.fleet.modification_timeout, run.fleet.overdue_factor) == (90.0, 4.0)


@pytest.mark.parametrize("path", JOURNALS, ids=lambda path: f"{path.parent.name}-{path.stem}")
def test_a_golden_journal_can_be_gone_on_with(path: Path, tmp_path: Path) -> None:
    shutil.copy(path, tmp_path / "journal.db")
    with StreamFile(tmp_path / "journal.db") as file:
        before = list(file.committed())
        file.commit([RunHeldOpen(before[-1].seq + 1, before[-1].at, RUN)])
        assert len(list(file.committed())) == len(before) + 1


@pytest.mark.parametrize("name", STORIES)
def test_the_stories_of_today_still_end_as_they_did(name: str) -> None:
    """Not a law: if the scheduler is to decide otherwise one day, new golden journals are made beside the old ones."""
    expected = json.loads((FOLDER / f"format-{FORMAT_VERSION}" / PICTURES).read_text(encoding="utf-8"))[name]
    assert json.loads(json.dumps(picture(fold(FoldedRun(RUN), stream_of(STORIES[name]()))))) == expected
