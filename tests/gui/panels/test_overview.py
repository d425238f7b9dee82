"""The inspector of a run or of many tasks: what failed, throughput, what decides the finish, the slowest groups."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

import pytest
from msgspec import structs
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLabel
from tests.driver import Driver, task
from tests.gui.panels.fleets import ByHand
from tests.gui.timeline.scenes import projection

from starloom.constellation.edits import AddTask
from starloom.foresight.projection import Certainty
from starloom.foresight.speedups import speedups
from starloom.model.plan import Plan
from starloom.scheduling import commands as c
from starloom.scheduling.fork import Fork
from starloom.scheduling.read.run_view import RunView
from starloom_gui.gateway.changes import Changes
from starloom_gui.panels.figure_rows import FigureRow
from starloom_gui.panels.inspector import Inspector
from starloom_gui.text.words import tasks
from starloom_gui.viewmodel.figures import figures_of, finish_words
from starloom_gui.viewmodel.selection import Selection

if TYPE_CHECKING:
    from PySide6.QtWidgets import QApplication, QWidget
    from pytestqt.qtbot import QtBot

    from starloom_gui.theme.appearance import Appearance


class OverviewBench:
    """An inspector of a run with twelve tasks of two groups on four slots."""

    def __init__(self, qtbot: QtBot, app: QApplication, appearance: Appearance) -> None:
        self.app, self.driver = app, Driver(slots=4)
        units = [task(f"unit {n}", simulate=60.0, retry={"attempts": 2}) for n in range(6)]
        self.driver.create(Plan(name="night", tasks=(*units, *(task(f"corner {n}", simulate=60.0) for n in range(6)))))
        self.selection, self.asks = Selection(), ByHand(self.driver)
        self.inspector = Inspector(
            appearance,
            self.selection,
            lambda: RunView(self.driver.run()),
            lambda: self.driver.now,
            self.asks,
            lambda *_: (),
        )
        qtbot.addWidget(self.inspector)
        self.inspector.resize(296, 752)
        self.inspector.show()
        self.overview = self.inspector.overview

    def end(self, id: str, after: float = 0.0, *, fails: bool = False) -> None:
        if after:
            self.driver.advance(after)
        (self.driver.fail if fails else self.driver.end)(id)

    def told(self) -> None:
        self.overview._rests_until = 0.0  # it is not waited until the figures are due
        self.inspector.on_changes(Changes(run_id="r", everything=True))
        self.app.processEvents()

    def rows(self, section: QWidget) -> list[FigureRow]:
        return [row for row in section.findChildren(FigureRow) if row.isVisible()]

    def number(self, id: str) -> int:
        return self.driver.run().graph.place[id]


@pytest.fixture
def bench(qtbot: QtBot, app: QApplication, appearance: Appearance) -> OverviewBench:
    return OverviewBench(qtbot, app, appearance)


def failing(bench: OverviewBench) -> None:
    """Two tasks have failed, one of them after a retry."""
    bench.end("unit 0", 5, fails=True)
    bench.end("unit 1", 5)
    bench.driver.advance(60)
    while "unit 0" not in {task_id for _, task_id in bench.driver.ordered}:
        bench.end(next(iter(bench.driver.ordered))[1], 5)
    bench.end("unit 0", 5, fails=True)
    corner = next(task_id for _, task_id in bench.driver.ordered if task_id.startswith("corner"))
    bench.end(corner, 5, fails=True)
    bench.told()


def test_what_failed_stands_with_its_attempts_and_error_and_a_click_selects_it(bench: OverviewBench) -> None:
    assert not bench.overview.failures.isVisible()
    failing(bench)
    rows = bench.rows(bench.overview.failures)
    assert [(row.figure.name.split()[0], row.figure.value) for row in rows] == [
        ("corner", "1 of 1"),
        ("unit", "2 of 2"),
    ]
    assert all(row.figure.detail.split(" · ")[1] for row in rows), "the first line of the error"
    QTest.mouseClick(rows[1], Qt.MouseButton.LeftButton)
    assert bench.selection.now.numbers == {bench.number("unit 0")}


def test_a_button_that_does_not_fit_beside_its_heading_is_an_icon(bench: OverviewBench) -> None:
    failing(bench)
    failures = bench.overview.failures
    for width, words in ((400, "Copy as text"), (150, "")):
        failures.resize(width, failures.height())
        assert failures.copy.text() == words
        assert failures.copy.icon().isNull() == bool(words)
        assert failures.copy.accessibleName() == "Copy as text"


def test_all_that_failed_is_retried_copied_or_shown_at_once(bench: OverviewBench) -> None:
    failing(bench)
    failures, asked = bench.overview.failures, []
    bench.inspector.tasks_requested.connect(lambda: asked.append(True))
    assert failures.retry.text() == "Retry 2 failed"
    failures.copy.click()
    copied = QGuiApplication.clipboard().text()
    assert "unit 0 (on d, attempt 2)" in copied
    assert "corner" in copied
    failures.show_all.click()
    assert asked
    failures.retry.click()
    (sent,) = bench.asks.sent
    assert isinstance(sent, c.RetryTasks)
    assert len(sent.task_ids) == 2
    bench.told()
    assert not failures.isVisible()


def test_of_many_selected_tasks_only_theirs_are_told(bench: OverviewBench) -> None:
    failing(bench)
    bench.selection.select_all([bench.number("unit 0"), bench.number("unit 1"), bench.number("unit 2")])
    bench.app.processEvents()
    assert [row.figure.name for row in bench.rows(bench.overview.failures)] == ["unit 0"]
    assert bench.overview.failures.retry.text() == "Retry 1 failed"
    assert [row.figure.name for row in bench.rows(bench.overview.slowest)] == ["unit"]
    assert not bench.overview.facts.isVisible()
    done = next(row for row in bench.rows(bench.overview.counts) if row.figure.name == "Done")
    done.click()
    assert bench.selection.now.numbers == {bench.number("unit 1"), bench.number("unit 2")}


def test_throughput_is_that_of_the_last_minute_and_of_an_ended_run_all_of_it(bench: OverviewBench) -> None:
    for n in range(4):
        bench.end(f"unit {n}", 15)
    bench.driver.advance(60)
    for n in (4, 5):
        bench.end(f"unit {n}", 1)
    bench.told()
    assert bench.overview.throughput.aside.text() == "2.0 tasks/min"
    while bench.driver.ordered:
        bench.end(next(iter(bench.driver.ordered))[1], 3)
    bench.told()
    assert RunView(bench.driver.run()).state.has_ended
    assert bench.overview.throughput.aside.text() == "5.1 tasks/min on average"
    assert max(bench.overview.throughput.curve._samples) == 1.0


def test_what_was_stopped_is_neither_done_nor_slow(bench: OverviewBench) -> None:
    bench.end("unit 0", 10)
    bench.driver.advance(50)
    bench.driver.ask(c.CancelRun)
    while bench.driver.ordered:
        bench.driver.end(next(iter(bench.driver.ordered))[1], stopped=True)
    bench.told()
    assert RunView(bench.driver.run()).state.has_ended
    assert bench.overview.throughput.aside.text() == "1.0 tasks/min on average"
    assert [row.figure.value for row in bench.rows(bench.overview.slowest)] == ["0:10"]


def test_tasks_of_which_none_is_like_another_are_not_called_groups(bench: OverviewBench) -> None:
    bench.end("unit 0", 5)
    bench.told()
    assert [row.figure.name for row in bench.rows(bench.overview.slowest)] == ["unit 0"]
    assert (bench.overview.slowest.heading.text(), bench.overview.slowest.aside.text()) == ("Slowest tasks", "")
    bench.end("unit 1", 1)
    bench.told()
    assert bench.overview.slowest.heading.text() == "Slowest by group"
    assert bench.overview.slowest.aside.text() == "on average"


def test_the_group_that_takes_longest_comes_first_with_its_longest_task(bench: OverviewBench) -> None:
    for n in range(4):
        bench.end(f"unit {n}", 5)
    bench.end("unit 4", 40)
    bench.end("unit 5", 1)
    bench.end("corner 0", 200)
    bench.told()
    corner, unit = bench.rows(bench.overview.slowest)
    assert (corner.figure.name, corner.figure.value) == ("corner 0", "4:06"), "a group of one may be called as others"
    assert unit.figure.detail == f"{tasks(6)} · longest 0:55: unit 4"
    unit.click()
    assert bench.selection.now.numbers == {bench.number("unit 4")}


def test_only_what_helps_is_named_and_a_click_does_it(bench: OverviewBench) -> None:
    overview, driver = bench.overview, bench.driver
    driver.edit(AddTask(task("report", simulate=60.0)))
    driver.do(c.SetRunLimit(run_id="r", max_concurrency=4))
    overview._finder.now = speedups(Fork.of(driver.scheduler, driver.now), "r")
    bench.inspector.set_projection(projection(driver.run(), {}, end=180.0))
    assert [row.figure.name for row in bench.rows(overview.speedups)] == []
    assert "No limit, slot or device alone" in overview.speedups.none.text()
    driver.do(c.SetRunLimit(run_id="r", max_concurrency=None))
    overview._finder.now = speedups(Fork.of(driver.scheduler, driver.now), "r")
    bench.inspector.refresh()
    (row,) = bench.rows(overview.speedups)
    assert (row.figure.name, row.figure.value) == ("Slots of d: 4 to 5", "1 min earlier")
    row.click()
    assert bench.asks.sent == [c.SetSlots(device_id="d", slots=5)]
    bench.inspector.set_projection(None)
    assert not overview.speedups.isVisible(), "of the past, or of a run that has ended, nothing is foreseen"


def test_nothing_is_offered_on_a_limit_or_a_device_that_is_another_one_by_now(bench: OverviewBench) -> None:
    overview, driver = bench.overview, bench.driver
    overview._finder.now = speedups(Fork.of(driver.scheduler, driver.now), "r")
    bench.inspector.set_projection(projection(driver.run(), {}, end=180.0))
    assert [row.figure.name for row in bench.rows(overview.speedups)] == ["Slots of d: 4 to 6"]
    driver.do(c.SetSlots(device_id="d", slots=6))
    bench.inspector.refresh()
    assert bench.rows(overview.speedups) == []
    assert overview.speedups.none.text() == "Being looked for: a limit or a device has changed."
    driver.do(c.SetSlots(device_id="d", slots=4))
    bench.inspector.refresh()
    assert [row.figure.name for row in bench.rows(overview.speedups)] == ["Slots of d: 4 to 6"]
    driver.do(c.SetRunLimit(run_id="r", max_concurrency=2))
    bench.inspector.refresh()
    assert bench.rows(overview.speedups) == []


@pytest.mark.parametrize("beside", [0, 3])
def test_what_decides_the_finish_is_as_certain_as_the_finish_itself(bench: OverviewBench, beside: int) -> None:
    overview, run = bench.overview, bench.driver.run()
    found = speedups(Fork.of(bench.driver.scheduler, bench.driver.now), "r")
    overview._finder.now = structs.replace(found, is_certain=False, found=())  # by then nothing had an estimate
    known = projection(run, {}, end=180.0)
    bench.inspector.set_projection(known)
    assert finish_words(figures_of(RunView(run), 0.0, 0.0, known))[0] == "Finish"
    assert "Not known" not in overview.speedups.none.text()
    overview._finder.now = found
    least = structs.replace(known, certainty=Certainty.LOWER_BOUND, unestimated_beside=beside)
    unknown = structs.replace(least, unestimated=1)
    bench.inspector.set_projection(unknown)
    assert finish_words(figures_of(RunView(run), 0.0, 0.0, unknown))[::2] == ("Finish about", "or later")
    assert overview.speedups.none.text().startswith("Not known: some of what is left")
    bench.inspector.set_projection(least)
    assert ("a run beside" in overview.speedups.none.text()) is (beside > 0)
    assert bench.rows(overview.speedups) == []


def test_figures_follow_a_busy_run_seldom_but_miss_nothing(bench: OverviewBench) -> None:
    failing(bench)
    overview = bench.overview
    overview._rests_until = time.perf_counter() + 1000
    bench.driver.do(c.RetryTasks(run_id="r", task_ids=("unit 0",)))
    bench.inspector.on_changes(Changes(run_id="r", everything=True))
    assert overview.failures.retry.text() == "Retry 2 failed", "every task would be looked at with each frame"
    overview._again.stop()
    overview._rests_until = 0.0
    overview._again.timeout.emit()
    assert overview.failures.retry.text() == "Retry 1 failed"


@pytest.mark.parametrize("certainty", Certainty)
def test_the_end_is_called_what_the_header_calls_it(bench: OverviewBench, certainty: Certainty) -> None:
    run, now = bench.driver.run(), bench.driver.now
    made = structs.replace(projection(run, {}, end=now + 300), certainty=certainty, p50=now + 330, p90=now + 450)
    bench.inspector.set_projection(made)
    bench.app.processEvents()
    name, hour, spread = finish_words(figures_of(RunView(run), now, RunView(run).wall(now), made))
    words = [label.text() for label in bench.overview.facts.findChildren(QLabel)]
    if certainty is Certainty.UNKNOWN:
        assert "Finish" not in words
    else:
        assert words[words.index(name) + 1] == f"{hour} {spread}".rstrip()
