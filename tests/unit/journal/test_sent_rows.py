"""What follows a run from elsewhere has the run as its journal has it, from whichever row or checkpoint it begins."""

from __future__ import annotations

from contextlib import closing
from typing import TYPE_CHECKING

import pytest
from tests.driver import RUN
from tests.properties.test_checkpoints import assert_same_run, change
from tests.unit.journal.test_facts import Kept, eager, keep, seen

from starloom.journal import codec, sent_rows
from starloom.journal.base import JournalError
from starloom.journal.sent_rows import KeptCheckpoint, RowReader, RunReplica
from starloom.journal.stream_file import StreamFile
from starloom.testing import layered

if TYPE_CHECKING:
    from pathlib import Path

    from starloom.events import Event

__all__ = ["eager"]


def last_row(path: Path) -> int:
    with StreamFile(path, read_only=True) as file:
        return file.last


def begun(reader: RowReader, found: KeptCheckpoint) -> RunReplica:
    """A replica that begins at a checkpoint."""
    replica = RunReplica(RUN)
    links = [reader.link(row, whole=row == found.row) for row in found.links]
    replica.begin(found.row, links, [reader.turn(*span) for span in found.graph])
    return replica


def catch_up(reader: RowReader, replica: RunReplica, last: int) -> list[Event]:
    events: list[Event] = []
    while rows := reader.rows_after(replica.row, last):
        events += replica.take(rows)
    return events


def test_rows_fold_to_what_the_journal_says_each_event_once(tmp_path: Path) -> None:
    path = keep(tmp_path / "j.db")
    replica = RunReplica(RUN)
    with closing(RowReader(path, RUN)) as reader:
        events = catch_up(reader, replica, last_row(path))
    assert [event.seq for event in events] == list(range(1, len(events) + 1))
    assert_same_run(replica.view, seen(path), "the replica")


def test_from_every_checkpoint_it_comes_to_the_same(tmp_path: Path) -> None:
    path = keep(tmp_path / "j.db")
    last = last_row(path)
    with closing(RowReader(path, RUN)) as reader:
        for row in range(1, last + 1):
            found = reader.latest_checkpoint(row)
            assert found is not None
            assert found.row == row
            replica = begun(reader, found)
            with StreamFile(path, read_only=True) as file:
                assert_same_run(replica.view, file.view(row).view, f"the checkpoint of row {row}")
            catch_up(reader, replica, last)
            assert_same_run(replica.view, seen(path), f"what follows from row {row}")


def test_a_batch_ends_where_it_is_large_and_a_turn_may_be_cut_there(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(codec, "PART_BYTES", 1_000)
    monkeypatch.setattr(sent_rows, "BATCH_BYTES", 1)
    driver = Kept(tmp_path / "j.db")
    driver.create(layered(10, 100))
    driver.close()
    last = last_row(tmp_path / "j.db")
    assert last > 1
    replica = RunReplica(RUN)
    with closing(RowReader(tmp_path / "j.db", RUN)) as reader:
        for row in range(last):
            assert not replica.view.run.graph.ids
            (data,) = reader.rows_after(row, last)
            replica.take([data])
    assert_same_run(replica.view, seen(tmp_path / "j.db"), "a plan in parts")


def test_rows_beyond_the_last_one_wanted_are_not_read(tmp_path: Path) -> None:
    path = keep(tmp_path / "j.db")
    with closing(RowReader(path, RUN)) as reader:
        assert len(reader.rows_after(0, 2)) == 2
        assert reader.rows_after(2, 2) == []
        last = last_row(path)
        with pytest.raises(JournalError, match=rf"Row {last + 1} .* is missing"):
            reader.rows_after(last, last + 1)


def test_a_gap_in_the_file_and_one_in_what_comes_are_told(tmp_path: Path) -> None:
    path = keep(tmp_path / "j.db")
    with closing(RowReader(path, RUN)) as reader:
        first, _, third, *_ = reader.rows_after(0, last_row(path))
        replica = RunReplica(RUN)
        replica.take([first])
        with pytest.raises(JournalError, match="is missing"):
            replica.take([third])
        change(path, "DELETE FROM turns WHERE number = 2")
        with pytest.raises(JournalError, match=r"Row 2 .* is missing"):
            reader.rows_after(0, 3)
        with pytest.raises(JournalError, match=r"Row 2 .* is missing"):
            reader.turn(1, 2)


def test_a_checkpoint_behind_a_lost_row_is_not_used(tmp_path: Path) -> None:
    path = keep(tmp_path / "j.db")
    change(path, "DELETE FROM turns WHERE number = 2")
    with closing(RowReader(path, RUN)) as reader:
        assert reader.latest_checkpoint(5) is None


def test_a_checkpoint_that_was_damaged_on_its_way_is_told(tmp_path: Path) -> None:
    path = keep(tmp_path / "j.db")
    with closing(RowReader(path, RUN)) as reader:
        found = reader.latest_checkpoint(last_row(path))
        assert found is not None
        links = [reader.link(row, whole=row == found.row) for row in found.links]
        graph = [reader.turn(*span) for span in found.graph]
        damaged = [[*links[:-1], links[-1][:-1] + b"\xff"], links[:-1], [b""], []]
        for some in damaged:
            with pytest.raises(JournalError, match="cannot be read"):
                RunReplica(RUN).begin(found.row, some, graph)
        with pytest.raises(JournalError, match="cannot be read"):
            RunReplica(RUN).begin(found.row, links, graph[:-1])
