"""A journal opened for looking: the run after each of its events, its times, and what is written meanwhile."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from tests.driver import RUN, plan, task
from tests.properties.test_checkpoints import assert_same_run, change, fleet_of
from tests.unit.journal.test_facts import Kept, keep
from tests.unit.scheduling.decide.test_recovery import died

from starloom import events as ev
from starloom.journal.base import ReadingStopped
from starloom.journal.recording import Recording
from starloom.journal.stream_file import StreamFile
from starloom.scheduling.fold.apply import fold
from starloom.scheduling.fold.runs import shift
from starloom.scheduling.read.line import in_line
from starloom.scheduling.restore import beside
from starloom.scheduling.state.codes import PENDING
from starloom.scheduling.state.folded_run import FoldedRun

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


def opened(path: Path) -> Recording:
    """A recording that has taken all there is."""
    recording = Recording(path)
    take_all(recording)
    return recording


def take_all(recording: Recording) -> None:
    while True:
        part = recording.read()
        recording.take(part)
        if part.is_last:
            return


@pytest.fixture
def recording(tmp_path: Path) -> Iterator[Recording]:
    made = opened(keep(tmp_path / "journal.db"))
    yield made
    made.close()


def test_the_run_after_each_event_is_the_fold_of_the_events_up_to_it(recording: Recording):
    assert len(recording) > 10
    for position in (*range(len(recording) + 1), *reversed(range(len(recording)))):
        seen = recording.moment(position)
        assert_same_run(seen.view, fold(FoldedRun(RUN), recording.events[:position]), f"after {position} events")
        assert not position or seen.at == recording.time(position)


def test_parts_come_to_the_same_as_all_at_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    path = keep(tmp_path / "journal.db")
    with StreamFile(path, read_only=True) as file:
        whole = list(file.committed())
    monkeypatch.setattr("starloom.journal.recording.PART", 1)
    recording = opened(path)
    assert [(event.seq, type(event)) for event in recording.events] == [(one.seq, type(one)) for one in whole]
    assert_same_run(recording.moment(7).view, fold(FoldedRun(RUN), whole[:7]), "after 7 events")
    recording.close()


def test_the_times_of_a_resumed_run_are_those_of_its_last_program(tmp_path: Path):
    path = tmp_path / "journal.db"
    driver = Kept(path)
    driver.create(plan(["a", "b"], ["a>b"]))
    driver.now = 5.0
    driver.end("a")
    heir = died(driver, now=1000.0)
    assert driver.file is not None
    driver.file.commit([event for event in heir.journal() if event.run_id == RUN and event.seq > driver.run().seq])
    driver.close()
    recording = opened(path)
    assert list(recording.times) == sorted(recording.times)
    assert recording.times[0] == pytest.approx(995.0)
    taken = next(number for number, event in enumerate(recording.events) if type(event) is ev.RunRecovered)
    assert recording.times[taken - 1] == pytest.approx(recording.times[taken])
    assert recording.times[taken - 1] < recording.times[taken], "it was told by the earlier program's clock"
    before = recording.position(996.0)
    expected = fold(FoldedRun(RUN), recording.events[:before])
    shift(expected.run, recording.times[0])
    assert_same_run(recording.moment(before).view, expected, "before the resumption")
    end = len(recording)
    assert_same_run(recording.moment(end).view, fold(FoldedRun(RUN), recording.events), "in the end")
    recording.close()


def test_what_is_written_meanwhile_is_there_once_it_was_read(tmp_path: Path):
    path = tmp_path / "journal.db"
    driver = Kept(path)
    driver.create(plan(["a", "b"], ["a>b"]))
    recording = opened(path)
    known = len(recording)
    driver.end("a")
    assert recording.read().events
    take_all(recording)
    assert len(recording) > known
    assert_same_run(recording.moment(len(recording)).view, FoldedRun.of(driver.run()), "now")
    driver.close()
    recording.close()


def test_a_position_is_never_before_the_graph(recording: Recording):
    assert recording.position(-1e9) == recording.first > 0
    assert recording.position(1e9) == len(recording)
    assert recording.moment(recording.first).view.run.graph.ids


def test_a_reading_that_nobody_wants_any_more_stops(tmp_path: Path):
    path = tmp_path / "journal.db"
    driver = Kept(path)
    driver.create(plan(["a", task("b")], ["a>b"]))
    driver.end("a")
    driver.close()
    change(path, "DELETE FROM checkpoints")
    recording = opened(path)
    with pytest.raises(ReadingStopped):
        recording.moment(len(recording), lambda: True)
    assert_same_run(recording.moment(len(recording)).view, fold(FoldedRun(RUN), recording.events), "afterwards")
    recording.close()


def test_asking_about_a_moment_leaves_its_facts_as_they_are(recording: Recording):
    for position in range(recording.first, len(recording) + 1):
        view, at, _ = recording.moment(position)
        before, fleet = view.run.canonical(), fleet_of(view)
        line, _ = in_line(beside(view, at), at, 10)
        assert {one.number for one in line} <= set(view.run.with_status(PENDING))
        assert view.run.canonical() == before
        assert fleet_of(view) == fleet
