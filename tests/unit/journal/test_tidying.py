"""Doing without old runs: which go, that nobody's is taken away, and that they come back."""

from __future__ import annotations

from pathlib import Path

import pytest
from msgspec.structs import replace
from tests.unit.journal.test_library import keep, two_runs

from starloom.devices.kept_record import SUFFIXES
from starloom.journal.base import JournalInUse
from starloom.journal.library import Library
from starloom.journal.lock import Holder
from starloom.journal.names import JOURNAL, REMAINS
from starloom.journal.records import RunRecord, record, records, run_folders, size_of
from starloom.journal.tidying import NotTidied, beyond, discard, empty, put_back, trashed


@pytest.fixture
def directory(tmp_path: Path) -> Path:
    """Two runs that have ended."""
    with Library(tmp_path) as library:
        keep(library, two_runs())
    return tmp_path


def made(
    name: str, created: float, size: int = 10, state: str = "completed", held_by: Holder | None = None
) -> RunRecord:
    return RunRecord(run_id=name, folder=Path(name), state=state, created=created, size=size, held_by=held_by)


def names(found: list[RunRecord]) -> list[str]:
    return [one.run_id for one in found]


RUNS = [
    made("old", 1),
    made("stopped", 2, state="interrupted"),
    made("middle", 3, size=30),
    made("running", 4, held_by=Holder(7, "lab", "now")),
    made("damaged", 5, state="unreadable"),
    made("new", 6),
]


@pytest.mark.parametrize(
    ("last", "size", "going"),
    [
        (None, None, []),
        (10, None, []),
        (2, None, ["old"]),
        (0, None, ["new", "middle", "old"]),
        (None, 1000, []),
        (None, 70, ["old"]),
        (None, 45, ["middle", "old"]),
        (None, 0, ["new", "middle", "old"]),
        (1, 45, ["middle", "old"]),
    ],
)
def test_the_oldest_go_but_for_what_runs_can_go_on_or_cannot_be_read(
    last: int | None, size: int | None, going: list[str]
):
    assert names(beyond(RUNS, last, size)) == going


def test_a_run_of_which_something_is_left_on_another_machine_stays(directory: Path):
    attempts = directory / "runs" / "r1" / "attempts"
    attempts.mkdir()
    (attempts / "a-0a1b2c3d-1.stdout").touch()
    assert names(beyond(records(directory), last=0)) == ["r2", "r1"]
    assert set(REMAINS) <= set(SUFFIXES)
    for suffix in REMAINS:
        (attempts / f"a-0a1b2c3d-1{suffix}").touch()
        assert names(beyond(records(directory), last=0)) == ["r2"]
        (attempts / f"a-0a1b2c3d-1{suffix}").unlink()


def test_a_run_goes_to_the_trash_and_comes_back_as_it_was(directory: Path):
    folder = directory / "runs" / "r1"
    (folder / "output").mkdir()
    (folder / "output" / "a.log").write_text("printed")
    before = record(folder)
    gone = discard(folder)
    assert [one.run_id for one in records(directory)] == ["r2"]
    assert trashed(directory) == [gone]
    assert put_back(gone) == folder
    assert replace(record(folder), as_of=before.as_of) == before
    assert (folder / "output" / "a.log").read_text() == "printed"
    assert trashed(directory) == []


def test_a_run_that_somebody_has_stays(directory: Path):
    with Library(directory) as library:
        library.take(directory / "runs" / "r1")
        with pytest.raises(JournalInUse, match="this program itself"):
            discard(directory / "runs" / "r1")
    assert {one.run_id for one in records(directory)} == {"r1", "r2"}


def test_two_of_one_name_lie_in_the_trash_side_by_side(directory: Path):
    first = discard(directory / "runs" / "r1")
    (directory / "runs" / "r2").rename(directory / "runs" / "r1")
    second = discard(directory / "runs" / "r1")
    assert first != second
    assert set(trashed(directory)) == {first, second}


def test_what_would_take_anothers_place_stays_in_the_trash(directory: Path):
    gone = discard(directory / "runs" / "r1")
    (directory / "runs" / "r2").rename(directory / "runs" / "r1")
    with pytest.raises(NotTidied, match="another run"):
        put_back(gone)
    assert trashed(directory) == [gone]


def test_an_emptied_trash_is_gone_for_good(directory: Path):
    discard(directory / "runs" / "r1")
    empty(trashed(directory))
    assert trashed(directory) == []
    assert [folder.name for folder in run_folders(directory)] == ["r2"]


def test_what_comes_into_the_trash_after_somebody_was_asked_about_it_stays(directory: Path):
    gone = discard(directory / "runs" / "r1")
    asked_about = trashed(directory)
    later = discard(directory / "runs" / "r2")
    empty(asked_about)
    assert trashed(directory) == [later]
    empty([gone])
    assert trashed(directory) == [later]


def test_the_size_of_a_run_is_that_of_all_its_files(directory: Path):
    folder = directory / "runs" / "r1"
    before = size_of(folder)
    assert before >= (folder / JOURNAL).stat().st_size
    (folder / "output").mkdir()
    (folder / "output" / "a.log").write_bytes(bytes(1000))
    assert size_of(folder) == before + 1000
    assert size_of(directory / "nowhere") == 0


def test_how_long_a_run_took_is_told(directory: Path):
    found = record(directory / "runs" / "r1")
    assert found.took is not None
    assert found.took >= 0
