"""Checkpoints of the facts: when they are taken, and that nothing but speed hangs on them."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import msgspec
import pytest
from tests.driver import RUN, Driver, plan, task
from tests.properties.test_checkpoints import assert_same_run, change, checkpoints
from typing_extensions import override

from starloom import events as ev
from starloom.constellation.edits import AddTask
from starloom.journal import codec, facts_chain
from starloom.journal.base import JournalError
from starloom.journal.facts import HEADER, CheckpointLink, decode_link, length_of_link
from starloom.journal.library import Library
from starloom.journal.names import JOURNAL
from starloom.journal.stream_file import StreamFile
from starloom.model.result import EMPTY_RESULT, ErrorInfo, Outcome, OutcomeStatus, Result
from starloom.scheduling import commands as c
from starloom.scheduling import stimuli
from starloom.scheduling.fold.apply import fold
from starloom.scheduling.state.folded_run import FoldedRun
from starloom.testing import layered

if TYPE_CHECKING:
    from pathlib import Path

    from starloom.scheduling.turn import Turn


@pytest.fixture(autouse=True)
def eager(monkeypatch: pytest.MonkeyPatch) -> pytest.MonkeyPatch:
    """One is due after each turn, and none takes long."""
    monkeypatch.setattr(facts_chain, "EVERY", 1)
    monkeypatch.setattr(facts_chain, "SHARE_OF_TASKS", 10**6)
    monkeypatch.setattr(facts_chain, "PATIENCE", 0.0)
    return monkeypatch


class Kept(Driver):
    """Commits one run to a file, and writes checkpoints when they are due."""

    def __init__(self, path: Path) -> None:
        self.file: StreamFile | None = None
        super().__init__(slots=2)
        self.file = StreamFile(path, RUN)

    @override
    def turn(self, *stimuli: Any) -> Turn:
        turn = super().turn(*stimuli)
        events = [event for event in turn.events if event.run_id == RUN]
        if events and self.file is not None:
            self.file.commit(events)
            self.checkpoint()
        return turn

    def checkpoint(self) -> None:
        assert self.file is not None
        if self.file.facts.is_due and (taken := self.file.take(self.run())):
            self.file.keep(taken)

    def close(self) -> None:
        assert self.file is not None
        self.file.close()


def keep(path: Path) -> Path:
    """The journal of a short run with a retry, an edit and a value; four turns at least."""
    driver = Kept(path)
    driver.create(plan([task("a", retry=1), "b", "c"], ["a>b"]))
    driver.fail("a")
    driver.end("c", value=[1, {"x": None}])
    driver.edit(AddTask(task("d")))
    driver.end("a")
    driver.close()
    return path


def whole(path: Path) -> FoldedRun:
    with StreamFile(path, read_only=True) as file:
        return fold(FoldedRun(file.stream), file.committed())


def seen(path: Path) -> FoldedRun:
    with StreamFile(path, read_only=True) as file:
        return file.view().view


def links(path: Path) -> list[CheckpointLink]:
    with closing(sqlite3.connect(path)) as connection:
        datas = [data for (data,) in connection.execute("SELECT data FROM checkpoints ORDER BY row")]
    size = HEADER.size
    return [decode_link(data[:size], data[size : size + length_of_link(data[:size])]) for data in datas]


def test_a_moment_within_the_rows_of_the_first_turn_is_the_run_before_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(codec, "PART_BYTES", 1_000)
    driver = Kept(tmp_path / "j.db")
    driver.create(layered(10, 100))
    driver.close()
    with StreamFile(tmp_path / "j.db", read_only=True) as file:
        assert file.last > 1
        for row in range(1, file.last):
            assert not file.view(row).view.run.graph.ids
        assert len(file.view().view.run.graph.ids) == 1_000


# ---- what is in one


def test_rows_before_a_checkpoint_are_not_read_but_for_those_that_shape_the_graph(tmp_path: Path) -> None:
    path = keep(tmp_path / "j.db")
    before = whole(path)
    assert [row for row, _ in links(path)[-1].graph] == [1, 4]
    change(path, "UPDATE turns SET data = x'00' WHERE number IN (2, 3, 5)")
    assert_same_run(seen(path), before, "what the checkpoint says")


def test_a_result_is_kept_once_as_the_last_and_once_as_history(tmp_path: Path) -> None:
    path = keep(tmp_path / "j.db")
    found = links(path)
    assert len(found) == 5
    assert [link.before for link in found] == [0, 1, 2, 3, 4]
    assert sorted(number for link in found for number in link.tasks) == [0, 0, 2]  # `a` failed, then completed
    assert [link.past.tasks for link in found] == [[], [0], [], [], []]


ODD: list[Any] = [
    Result(value=(1, (2,))),
    Result(value={1: 2**70}),
    Result(output="\udcff"),
    Result(error=ErrorInfo(code="x", message="\udcff")),
    Result(value=1.5, exit_code=3, output="ä", output_length=2, output_file="a/b"),
    EMPTY_RESULT,
]


def test_results_come_back_exactly_whatever_they_are(tmp_path: Path) -> None:
    driver = Kept(tmp_path / "j.db")
    driver.create(plan([task(f"t{number}", retry=1) for number in range(len(ODD))]))
    while driver.ordered:
        (_, name), start = next(iter(driver.ordered.items()))
        del driver.ordered[RUN, name]
        status = OutcomeStatus.FAILED if start.attempt == 1 else OutcomeStatus.COMPLETED
        driver.turn(stimuli.AttemptEnded(RUN, name, start.attempt, Outcome(status, ODD[int(name[1:])])))
        driver.advance(1)
    driver.close()
    path = tmp_path / "j.db"
    change(path, "UPDATE turns SET data = x'00' WHERE number > 1 AND number < (SELECT max(row) FROM checkpoints)")
    run = seen(path).run
    assert repr(run.results) == repr(ODD)
    assert run.results[-1] is EMPTY_RESULT
    assert len(run.history) == len(ODD)
    assert run.history == driver.run().history


# ---- those that cannot be used


def test_a_flipped_byte_anywhere_in_one_changes_nothing(tmp_path: Path) -> None:
    path = keep(tmp_path / "j.db")
    before = whole(path).run.canonical()
    row = checkpoints(path)[-2]
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        connection.execute("DELETE FROM checkpoints WHERE row > ?", (row,))
        (data,) = connection.execute("SELECT data FROM checkpoints WHERE row = ?", (row,)).fetchone()
        with StreamFile(path, read_only=True) as file:
            for place in range(len(data)):
                damaged = bytearray(data)
                damaged[place] ^= 0x41
                connection.execute("UPDATE checkpoints SET data = ? WHERE row = ?", (damaged, row))
                assert file.view().view.run.canonical() == before, f"byte {place}"


@pytest.mark.parametrize(
    "damage",
    [
        "UPDATE checkpoints SET data = x''",
        "UPDATE checkpoints SET data = 'text'",
        "UPDATE checkpoints SET data = 7",
        "UPDATE checkpoints SET data = substr(data, 1, 9)",
        "UPDATE checkpoints SET data = substr(data, 1, 40)",
        "UPDATE checkpoints SET data = data || x'00'",
        "UPDATE checkpoints SET data = x'7f' || substr(data, 2)",
        "UPDATE checkpoints SET row = row + 1 WHERE row = (SELECT max(row) FROM checkpoints)",
        "UPDATE checkpoints SET row = -row",
        "DELETE FROM checkpoints WHERE row = 1",
        "DELETE FROM checkpoints",
        "DROP TABLE checkpoints",
    ],
)
def test_checkpoints_that_cannot_be_used_are_passed_over(tmp_path: Path, damage: str) -> None:
    path = keep(tmp_path / "j.db")
    before = whole(path)
    change(path, damage)
    assert_same_run(seen(path), before, damage)
    with StreamFile(path) as file:  # and whoever writes goes on
        last = list(file.committed())[-1]
        file.commit([ev.TasksHeld(last.seq + 1, last.at, RUN, ("b",))])
        assert file.view().view.run.held == {1}


def test_a_missing_link_takes_all_that_hang_on_it_along(tmp_path: Path) -> None:
    path = keep(tmp_path / "j.db")
    before = whole(path)
    change(path, "UPDATE turns SET data = x'00' WHERE number = 2")
    assert_same_run(seen(path), before, "whole")
    change(path, "DELETE FROM checkpoints WHERE row = 3")
    change(path, "UPDATE turns SET data = x'00' WHERE number = 3")  # the checkpoints after it don't help
    with pytest.raises(JournalError, match="Row 3"):
        seen(path)


def test_one_of_another_run_is_passed_over(tmp_path: Path) -> None:
    path, other = keep(tmp_path / "j.db"), tmp_path / "k.db"
    with StreamFile(path, read_only=True) as source, StreamFile(other, "other") as target:
        for turn in source.turns():
            target.commit([msgspec.structs.replace(event, run_id="other") for event in turn.events])
    with closing(sqlite3.connect(path)) as connection:
        rows = connection.execute("SELECT row, data FROM checkpoints").fetchall()
    for row in rows:
        change(other, "INSERT INTO checkpoints VALUES (?, ?)", *row)
    assert seen(other).run.run_id == "other"


# ---- turns that are taken back


def test_those_of_turns_that_were_taken_back_are_gone(tmp_path: Path) -> None:
    path = keep(tmp_path / "j.db")
    with StreamFile(path) as file:
        file.view()
        (*_, fourth, _) = file.turns()
        file.take_back(3)
        file.commit([ev.TasksHeld(fourth.events[0].seq, fourth.events[0].at, RUN, ("b",))])
    assert checkpoints(path) == [1, 2, 3]
    assert_same_run(seen(path), whole(path), "the new end")
    assert seen(path).run.held == {1}


def test_those_beyond_the_end_of_a_file_are_gone_when_it_is_opened(tmp_path: Path) -> None:
    path = keep(tmp_path / "j.db")
    change(path, "DELETE FROM turns WHERE number > 3")
    StreamFile(path).close()
    assert checkpoints(path) == [1, 2, 3]


def test_facts_that_are_ahead_of_the_last_commit_are_not_kept(tmp_path: Path) -> None:
    driver = Kept(tmp_path / "j.db")
    driver.create(plan("ab"))
    file, driver.file = driver.file, None
    assert file is not None
    driver.end("a")
    assert file.take(driver.run()) is None
    file.close()


# ---- when one is due


def test_a_pause_and_an_end_want_one_and_else_so_many_events(tmp_path: Path, eager: pytest.MonkeyPatch) -> None:
    eager.setattr(facts_chain, "EVERY", 20)
    driver = Kept(tmp_path / "j.db")
    rows: list[list[int]] = []

    def note() -> None:
        rows.append(checkpoints(tmp_path / "j.db"))

    driver.create(plan("abcdefghijkl"))  # 19 events: five of the run, twelve tasks are ready and two of them start
    note()
    driver.ask(c.PauseRun)
    note()
    driver.ask(c.ResumeRun)
    note()
    driver.end_all()
    note()
    driver.close()
    assert rows == [[], [2], [2], [2, 13, len(driver.turns) - 1]]


def test_of_a_large_run_one_is_due_less_often(tmp_path: Path, eager: pytest.MonkeyPatch) -> None:
    eager.setattr(facts_chain, "SHARE_OF_TASKS", 1)
    driver = Kept(tmp_path / "j.db")
    driver.create(plan([f"t{number}" for number in range(40)]))  # 47 events in the first turn
    driver.end_all()
    driver.close()
    found = links(tmp_path / "j.db")
    assert all(later.seq - link.seq >= 40 for link, later in pairwise(found[:-1]))
    assert 2 < len(found) < 6


def test_one_that_took_long_is_followed_by_none_for_long(tmp_path: Path, eager: pytest.MonkeyPatch) -> None:
    eager.setattr(facts_chain, "PATIENCE", 1e9)
    driver = Kept(tmp_path / "j.db")
    driver.create(plan("abcdef"))
    driver.end_all()
    driver.close()
    assert checkpoints(tmp_path / "j.db") == [1, len(driver.turns) - 1]  # the first, and the end


def test_results_that_pile_up_want_one(tmp_path: Path, eager: pytest.MonkeyPatch) -> None:
    eager.setattr(facts_chain, "EVERY", 10**6)
    driver = Kept(tmp_path / "j.db")
    driver.create(plan([f"t{number}" for number in range(60)]))
    for number in range(20):
        driver.end(f"t{number}", value="x" * 1_000_000)
    driver.close()
    found = links(tmp_path / "j.db")
    assert len(found) == 1
    assert len(found[0].tasks) >= 17  # 16 MB


def test_whoever_goes_on_adds_to_the_chain(tmp_path: Path) -> None:
    path = keep(tmp_path / "j.db")
    with StreamFile(path) as file:
        moment = file.view()
        run = moment.view.run
        events = [ev.TasksHeld(run.seq + 1, moment.at, RUN, ("b",))]
        fold(moment.view, events)
        file.commit(events)
        taken = file.take(run)
        assert taken is not None
        file.keep(taken)
    assert (links(path)[-1].before, links(path)[-1].tasks) == (5, [])
    assert_same_run(seen(path), whole(path), "the longer chain")


# ---- when they cannot be written


class NoRoom(sqlite3.Connection):
    """Has no room for checkpoints."""

    @override
    def execute(self, sql: str, parameters: Any = (), /) -> sqlite3.Cursor:
        if "INTO checkpoints" in sql:
            raise sqlite3.OperationalError("database or disk is full")
        return super().execute(sql, parameters)


def test_one_that_cannot_be_written_is_told_once_and_changes_nothing(
    tmp_path: Path, eager: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level("INFO")
    connect = sqlite3.connect
    with eager.context() as patch:
        patch.setattr(sqlite3, "connect", lambda *args, **fields: connect(*args, **fields, factory=NoRoom))
        path = keep(tmp_path / "j.db")
    assert [record.getMessage().split(" (")[1] for record in caplog.records] == [
        "database or disk is full). Nothing is lost; reading it takes longer."
    ]
    assert checkpoints(path) == []
    assert whole(path).run.seq == seen(path).run.seq > 0


# ---- in a library


@pytest.mark.parametrize("full", [False, True], ids=["default", "full"])
def test_a_library_says_which_runs_are_due_and_keeps_their_facts(tmp_path: Path, full: bool) -> None:
    driver = Driver(slots=2)
    driver.create(plan("ab"))
    driver.create(plan("xy"), "two")
    with Library(tmp_path, full=full) as library:
        library.prepare(RUN)
        library.prepare("two")
        for turn in driver.turns:
            done = library.commit(turn.events)
            if done is not None:
                done.result()
        assert library.due == {RUN, "two"}
        for run_id in (RUN, "two"):
            library.checkpoint(driver.run(run_id))
        assert not library.due
    for run_id in (RUN, "two"):
        path = tmp_path / "runs" / run_id / JOURNAL
        assert checkpoints(path) == [len([1 for turn in driver.turns if any(e.run_id == run_id for e in turn.events)])]
        assert_same_run(seen(path), whole(path), run_id)
