"""Going through a run's time: to any moment, step by step, played; and of many moments asked for, the last."""

from __future__ import annotations

import asyncio
import threading
from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import QPointF, Qt
from PySide6.QtTest import QSignalSpy, QTest
from PySide6.QtWidgets import QWidget
from tests.driver import RUN, plan
from tests.gui.event_loop.loops import run_on
from tests.gui.looks import looks
from tests.gui.time_travel.recordings import eventful, named, trip
from tests.gui.time_travel.test_moments import Panes
from tests.unit.journal.test_facts import Kept
from tests.unit.scheduling.decide.test_recovery import died
from tests.waiting import until

from starloom.events import RunRecovered
from starloom.journal.base import JournalError, ReadingStopped
from starloom.model.result import Outcome, OutcomeStatus
from starloom.scheduling import commands as c
from starloom.scheduling.state.codes import RUNNING
from starloom_gui.event_loop import QtEventLoop
from starloom_gui.gateway.run_reader import Availability
from starloom_gui.theme.appearance import Theme
from starloom_gui.time_travel.banner import PastBanner, last_told
from starloom_gui.time_travel.event_marks import EventMarks
from starloom_gui.time_travel.moment_loader import MomentLoader
from starloom_gui.time_travel.run_past import RunPast
from starloom_gui.time_travel.scrubber import Scrubber
from starloom_gui.time_travel.time_travel_reader import TimeTravelReader
from starloom_gui.time_travel.travel import Travel

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from PySide6.QtWidgets import QApplication

    from starloom.journal.base import Moment
    from starloom.journal.recording import Recording

pytestmark = pytest.mark.usefixtures("app")


def test_steps_go_event_by_event_and_end_at_both_ends(tmp_path: Path) -> None:
    async def main() -> None:
        with trip(tmp_path) as made:
            travel, recording = made.travel, made.recording
            assert travel.position == len(recording)
            for step in (-1, -1, 1, -2):
                before = travel.position
                travel.step(step)
                await travel.settled()
                assert made.reader.past is not None
                assert made.reader.past.position == before + step if before + step <= len(recording) else before
                assert made.reader.now() == recording.time(made.reader.past.position)
            travel.go_to_begin()
            travel.step(-1)
            await travel.settled()
            assert travel.position == recording.first
            travel.go_to_end()
            travel.step(1)
            await travel.settled()
            assert travel.position == len(recording)

    run_on(QtEventLoop, main)


def test_a_time_between_two_events_is_shown_as_such(tmp_path: Path) -> None:
    async def main() -> None:
        with trip(tmp_path) as made:
            panes = Panes(made)
            made.travel.go_to(2.0)
            await made.travel.settled()
            run = made.reader.facts()
            assert run is not None
            position = made.travel.position
            passed = QSignalSpy(made.reader.passed)
            made.travel.go_to(2.25)
            await made.travel.settled()
            assert made.reader.facts() is run
            assert made.reader.now() == 2.25
            assert (made.travel.position, passed.count()) == (position, 1)
            assert panes.models["tasks"].rowCount() == 4

    run_on(QtEventLoop, main)


def test_what_lies_outside_of_the_run_is_its_nearest_moment(tmp_path: Path) -> None:
    async def main() -> None:
        with trip(tmp_path) as made:
            for at, expected in ((-50.0, made.travel.begin), (1e6, made.travel.end)):
                made.travel.go_to(at)
                await made.travel.settled()
                assert made.reader.now() == expected

    run_on(QtEventLoop, main)


class Held:
    """Holds readings back until they are let go, as a large file would."""

    def __init__(self, recording: Recording) -> None:
        self.read, self.go, self.positions, self.stopped = recording.moment, threading.Event(), list[int](), list[int]()

    def moment(self, position: int, should_stop: Callable[[], bool]) -> Moment:
        self.positions.append(position)
        while not self.go.wait(0.001):
            if should_stop():
                self.stopped.append(position)
                raise ReadingStopped
        return self.read(position)


def test_of_many_moments_that_are_asked_for_the_last_is_shown(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async def main() -> None:
        with trip(tmp_path) as made:
            held = Held(made.recording)
            monkeypatch.setattr(made.recording, "moment", held.moment)
            reader = MomentLoader(made.recording)
            shown: list[int] = []
            reader.read.connect(lambda past: shown.append(past.position))
            reader.ask(5, 0.0)
            await until(lambda: held.positions == [5])
            for position in range(6, 15):
                reader.ask(position, 0.0)
            await until(lambda: held.stopped == [5] and held.positions == [5, 14])
            reader.ask(15, 0.0)  # the one that is read is not broken off again: something is to be seen
            held.go.set()
            await reader.settled()
            assert shown == [14, 15]
            assert held.stopped == [5]

    run_on(QtEventLoop, main)


def test_what_is_cancelled_is_not_shown(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async def main() -> None:
        with trip(tmp_path) as made:
            held = Held(made.recording)
            monkeypatch.setattr(made.recording, "moment", held.moment)
            reader = MomentLoader(made.recording)
            read = QSignalSpy(reader.read)
            reader.ask(5, 0.0)
            await until(lambda: held.positions == [5])
            reader.cancel()
            await reader.settled()
            assert read.count() == 0

    run_on(QtEventLoop, main)


def test_a_journal_that_breaks_meanwhile_says_so_and_the_moment_stays(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*_: object) -> Moment:
        raise JournalError("Row 3 is damaged.")

    async def main() -> None:
        with trip(tmp_path) as made:
            before = made.reader.past
            monkeypatch.setattr(made.recording, "moment", broken)
            failed = QSignalSpy(made.travel.failed)
            made.travel.go_to_begin()
            await made.travel.settled()
            assert failed.at(0) == ["Row 3 is damaged."]
            assert made.reader.past is before
            assert made.travel.position == len(made.recording)

    run_on(QtEventLoop, main)


def test_played_it_goes_from_the_beginning_to_the_end_and_stands(tmp_path: Path) -> None:
    async def main() -> None:
        with trip(tmp_path) as made:
            seen: list[float] = []
            made.reader.moved.connect(lambda _: seen.append(made.reader.now()))
            made.travel.playback.set_speed(50)
            made.travel.playback.toggle()
            assert made.travel.playback.is_on
            await until(lambda: not made.travel.playback.is_on)
            await made.travel.settled()
            assert seen == sorted(seen)
            assert seen[0] == made.travel.begin
            assert made.reader.now() == made.travel.end

    run_on(QtEventLoop, main)


def test_playing_is_paused_by_a_step_and_by_a_second_press(tmp_path: Path) -> None:
    async def main() -> None:
        with trip(tmp_path) as made:
            made.travel.playback.toggle()
            made.travel.step(1)
            assert not made.travel.playback.is_on
            made.travel.playback.toggle()
            made.travel.playback.toggle()
            assert not made.travel.playback.is_on
            await asyncio.sleep(0)
            await made.travel.settled()

    run_on(QtEventLoop, main)


def test_without_a_journal_there_is_nothing_to_go_through(app: QApplication, tmp_path: Path) -> None:
    async def main() -> None:
        for path in (None, tmp_path / "nowhere.db"):
            travel = Travel(TimeTravelReader("r"), RunPast(lambda path=path: path))  # type: ignore[misc]  # a path that is kept
            failed = QSignalSpy(travel.failed)
            travel.open()
            await travel.settled()
            assert failed.count() == 1
            assert not travel.verdict().ok
            assert travel.verdict().reason == travel.trouble
            travel.go_to(1.0)
            travel.playback.toggle()
            assert not travel.playback.is_on

    run_on(QtEventLoop, main)


def test_a_journal_that_could_not_be_read_at_first_can_be_gone_through_once_it_is_read(tmp_path: Path) -> None:
    async def main() -> None:
        path = tmp_path / "journal.db"
        travel = Travel(TimeTravelReader(RUN), RunPast(lambda: path))
        found = [travel.availability]
        travel.open()
        await travel.settled()
        assert travel.trouble
        found.append(travel.availability)
        assert not travel.verdict().ok
        eventful(path)
        travel.open()
        await travel.settled()
        assert travel.recording is not None
        assert [*found, travel.availability] == [Availability.LOADING, Availability.UNAVAILABLE, Availability.READY]
        assert travel.verdict().ok, travel.verdict().reason
        travel.close()
        travel.recording.close()

    run_on(QtEventLoop, main)


def test_interventions_are_marked_and_named(app: QApplication, tmp_path: Path) -> None:
    with trip(tmp_path) as made, looks(app, Theme.LIGHT) as appearance:
        scrubber = Scrubber(appearance)
        scrubber.resize(600, 28)
        scrubber.show_travel(made.travel)
        texts = [flag.text for flag in made.travel.marks.flags]
        assert len(texts) >= 3
        tip = scrubber.tip_at(scrubber.x_of(made.travel.marks.flags[0].at))
        assert texts[0] in tip
        assert texts[0] not in scrubber.tip_at(scrubber.x_of(made.travel.end))


def test_interventions_are_told_by_the_names_of_their_time(tmp_path: Path) -> None:
    with trip(tmp_path, named) as made:
        texts = [flag.text for flag in made.travel.marks.flags]
        assert texts[0] == "fetch (t1) is held"
        assert "unpack" in texts[2]
        assert not any("t1" in text for text in texts[2:])


def test_the_line_is_gone_along_by_pointer_and_keys(app: QApplication, tmp_path: Path) -> None:
    with trip(tmp_path) as made, looks(app, Theme.DARK) as appearance:
        scrubber = Scrubber(appearance)
        scrubber.resize(600, 28)
        scrubber.show_travel(made.travel)
        scrubber.show()
        asked: list[float] = []
        stepped: list[int] = []
        toggled = QSignalSpy(scrubber.toggled)
        scrubber.asked.connect(asked.append)
        scrubber.stepped.connect(stepped.append)
        QTest.mouseClick(scrubber, Qt.MouseButton.LeftButton, pos=QPointF(scrubber.x_of(4.0), 14).toPoint())
        assert asked[0] == pytest.approx(4.0, abs=0.05)
        for key in (Qt.Key.Key_Left, Qt.Key.Key_Right, Qt.Key.Key_Home, Qt.Key.Key_End, Qt.Key.Key_Space):
            QTest.keyClick(scrubber, key)
        assert stepped == [-1, 1, -len(made.recording), len(made.recording)]
        assert toggled.count() == 1
        QTest.keyClick(scrubber, Qt.Key.Key_PageDown)
        assert asked[-1] == pytest.approx(made.travel.end - 0.05 * (made.travel.end - made.travel.begin))


@pytest.mark.parametrize("goes_back", [False, True])
def test_the_times_of_a_run_that_is_taken_up_meanwhile_are_moved_as_a_whole(tmp_path: Path, goes_back: bool) -> None:
    async def main() -> None:
        driver = Kept(tmp_path / "journal.db")
        driver.create(plan(["a", "b"], ["a>b"]))
        driver.now = 1.0
        driver.do(c.HoldTasks(run_id=RUN, task_ids=("b",), origin="operator"))
        driver.now = 5.0
        driver.end("a")
        with trip(tmp_path, lambda path: path) as made:
            travel = made.travel
            if goes_back:
                travel.go_to(1.0)
                await travel.settled()
            assert travel.marks.elapsed.at(travel.at) == pytest.approx(1.0 if goes_back else 5.0)
            position = travel.position
            heir = died(driver, now=1000.0)
            assert driver.file is not None
            last = driver.run().seq
            driver.file.commit([event for event in heir.journal() if event.run_id == RUN and event.seq > last])
            travel.open()
            await until(lambda: travel.count > position)
            await travel.settled()
            anew = EventMarks()
            anew.take(made.recording)
            assert travel.marks.elapsed.at(travel.end) == anew.elapsed.at(travel.end) == pytest.approx(5.0)
            assert travel.marks.flags == anew.flags
            assert not goes_back or travel.position == position, "who looks back is left there"
            assert travel.marks.elapsed.at(travel.at) == pytest.approx(1.0 if goes_back else 5.0)
            travel.rest()
        driver.close()

    run_on(QtEventLoop, main)


def test_a_moment_after_the_last_word_of_a_program_that_died_is_told_as_such(app: QApplication, tmp_path: Path) -> None:
    def died_at_five(path: Path) -> Path:
        driver = Kept(path)
        driver.create(plan(["a", "b"]))
        driver.now = 5.0
        driver.end("a")
        heir = died(driver, now=1000.0, b=Outcome(OutcomeStatus.COMPLETED, ended_ago=8.0))
        assert driver.file is not None
        last = driver.run().seq
        driver.file.commit([event for event in heir.journal() if event.run_id == RUN and event.seq > last])
        driver.close()
        return path

    async def main() -> None:
        with trip(tmp_path, died_at_five) as made, looks(app, Theme.LIGHT) as appearance:
            over = QWidget()
            banner = PastBanner(over, made.travel, appearance)
            taken = next(place for place, event in enumerate(made.recording.events) if type(event) is RunRecovered)
            last = made.recording.times[taken - 1]
            made.travel.go_to(last)
            await made.travel.settled()
            assert last_told(made.travel) is None
            assert "told nothing" not in banner._sentence.text()
            made.travel.go_to((last + made.recording.times[taken]) / 2)
            await made.travel.settled()
            assert last_told(made.travel) == last
            assert "Its program told nothing after" in banner._sentence.text()
            over.close()

    run_on(QtEventLoop, main)


def test_a_run_that_another_program_goes_on_with_is_shown_as_it_stands_by_now(tmp_path: Path) -> None:
    async def main() -> None:
        driver = Kept(tmp_path / "journal.db")
        driver.create(plan(["a", "b"], ["a>b"]))
        with trip(tmp_path, lambda path: path) as made:

            def runs() -> str:
                facts = made.reader.facts()
                assert facts is not None
                return facts.graph.ids[facts.status.index(RUNNING)]

            assert runs() == "a"
            made.travel.open()
            driver.end("a")
            await until(lambda: runs() == "b")
            made.travel.go_to_begin()
            await made.travel.settled()
            known, begin = made.travel.count, made.travel.position
            assert begin < known
            driver.end("b")
            await until(lambda: made.travel.count > known)
            await made.travel.settled()
            assert made.travel.position == begin, "who looks back is left there"
            made.travel.rest()
        driver.close()

    run_on(QtEventLoop, main)
