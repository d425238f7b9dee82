"""The inspector: why a task waits and what helps, fields that can be changed, values, attempts, and the run."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QCursor, QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLabel, QPlainTextEdit, QPushButton
from tests.gui.panels.fleets import ByHand, coverage
from tests.gui.timeline.scenes import NOW, projection

from starloom.constellation.edits import RemoveTask
from starloom.foresight.estimates import Estimate, EstimateSource
from starloom.foresight.projection import TaskForecast
from starloom.model.result import Result
from starloom.scheduling import commands as c
from starloom.scheduling.read.run_view import RunView, TaskView
from starloom_gui.gateway.changes import Changes
from starloom_gui.panels.figure_rows import FigureRow
from starloom_gui.panels.inspector import Inspector
from starloom_gui.panels.task_facts import result_text
from starloom_gui.text.words import moment
from starloom_gui.theme.appearance import Theme
from starloom_gui.viewmodel.selection import Selection
from starloom_gui.viewmodel.task_fields import change

if TYPE_CHECKING:
    from PySide6.QtWidgets import QApplication, QWidget
    from tests.driver import Driver

    from starloom_gui.theme.appearance import Appearance


class InspectorBench:
    """An inspector on a run that is driven by hand."""

    def __init__(self, appearance: Appearance, app: QApplication, *selected: str) -> None:
        self.app = app
        self.driver, self.run = coverage()
        self.asks = ByHand(self.driver)
        self.selection = Selection()
        self.inspector = inspector(self.driver, self.asks, self.selection, appearance)
        self.select(*selected)

    def select(self, *ids: str) -> None:
        self.selection.select_all(self.number(id) for id in ids)
        self.app.processEvents()

    def number(self, id: str) -> int:
        return self.run.graph.place[id]

    def told(self) -> None:
        self.inspector.on_changes(Changes(run_id=self.run.run_id, everything=True))
        self.app.processEvents()

    def texts(self, part: QWidget) -> list[str]:
        return [one.text() for one in part.findChildren(QLabel) if one.isVisible() and one.text()]

    def figures(self, part: QWidget) -> list[tuple[str, str]]:
        shown = [row for row in part.findChildren(FigureRow) if row.isVisible()]
        return [(row.figure.name, row.figure.value) for row in shown]

    def buttons(self, part: QWidget) -> dict[str, QPushButton]:
        return {one.text(): one for one in part.findChildren(QPushButton) if one.isVisible()}


def without_focus(app: QApplication) -> None:
    """Only one window can have it, and it is to be seen."""
    holder = app.focusWidget()
    if holder is not None:
        holder.clearFocus()


def inspector(driver: Driver, asks: ByHand, selection: Selection, appearance: Appearance) -> Inspector:
    made = Inspector(
        appearance,
        selection,
        lambda: RunView(driver.run()),
        lambda: driver.scheduler.now,
        asks,
        lambda _, task_id: driver.why(task_id),
    )
    made.resize(296, 752)
    QCursor.setPos(790, 790)  # it holds still under a pointer
    made.show()
    return made


def foreseen(bench: InspectorBench) -> None:
    now, sure = bench.driver.scheduler.now, Estimate(10.0, EstimateSource.DECLARED)
    tasks = {
        "coverage": TaskForecast("coverage", now + 48, now + 110, "local", sure, 370.0),
        "fuzz": TaskForecast("fuzz", 0.0, now + 48, "local", sure, 0.0),
    }
    bench.inspector.set_projection(projection(bench.run, tasks, end=now + 300))
    bench.app.processEvents()


# ---- why


def test_behind_a_task_without_an_estimate_no_time_is_made_up(app, appearance):
    bench = InspectorBench(appearance, app, "coverage")
    sure = Estimate(10.0, EstimateSource.DECLARED)
    later = moment(RunView(bench.run).wall(NOW + 48))
    for start, is_after_gate, said in (
        (NOW, False, "unknown"),
        (NOW + 48, False, f"about {later} or later"),
        (NOW + 48, True, "unknown"),
    ):
        behind = TaskForecast("coverage", start, start + 10, "local", sure, None, True, is_after_gate)
        bench.inspector.set_projection(projection(bench.run, {"coverage": behind}, end=NOW + 300))
        bench.app.processEvents()
        assert bench.texts(bench.inspector.why)[-6:] == ["Starts", said, "Ends", "unknown", "Slack", "unknown"]


def test_no_field_slides_up_under_who_is_at_the_inspector(app, appearance):
    bench = InspectorBench(appearance, app, "coverage")
    fields = bench.inspector.fields
    fields.value("timeout").setFocus()
    place = fields.y()
    bench.driver.end("fuzz")  # and what it waited for is there
    bench.told()
    assert bench.driver.status("coverage") == "running"
    assert fields.y() == place
    without_focus(app)
    bench.told()
    assert fields.y() < place


def test_what_blocks_comes_first_with_who_has_it_and_what_would_help(app, appearance):
    bench = InspectorBench(appearance, app, "coverage")
    foreseen(bench)
    why = bench.inspector.why
    words = bench.texts(why)
    assert words[:3] == [
        "Why is it not running?",
        "Limit group “licences” is full: 1 of 1",
        "Taken by fuzz ui · ends in about 48 s",
    ]
    assert words[-3:] == ["about 00:02:17", "00:03:19", "6:10"] or "6:10" in words
    assert "Limit of the run: 1 of 8" in words
    bench.buttons(why)["Raise to 2"].click()
    assert bench.asks.sent == [c.SetLimits(groups={"licences": 2})]
    bench.told()
    assert bench.driver.status("coverage") == "running"
    assert not why.isVisible() or "Group" not in " ".join(bench.texts(why))


def test_a_task_that_prints_nothing_says_for_how_long(app, appearance):
    bench = InspectorBench(appearance, app, "fuzz")
    quiet = RunView(bench.run).wall(bench.driver.scheduler.now) - 660
    bench.inspector._quiet_since = lambda task: quiet if task.id == "fuzz" else None
    bench.told()
    assert "no output for 11:00" in " ".join(bench.texts(bench.inspector.head))


def test_the_one_that_is_waited_for_is_one_click_away(app, appearance):
    bench = InspectorBench(appearance, app, "merge cov")
    bench.buttons(bench.inspector.why)["Show coverage"].click()
    assert bench.selection.now.numbers == {bench.number("coverage")}
    assert bench.inspector.head.name.text() == "coverage"


@pytest.mark.parametrize(
    ("prepare", "button", "sent"),
    [
        (c.HoldTasks(run_id="r", task_ids=("coverage",)), "Release", c.ReleaseTasks),
        (c.PauseRun(run_id="r"), "Resume run", c.ResumeRun),
        (c.SetRunLimit(run_id="r", max_concurrency=1), "Raise to 2", c.SetRunLimit),
        (c.SetLimits(max_concurrency=1), "Raise to 2", c.SetLimits),
    ],
)
def test_each_thing_that_blocks_has_a_button_that_takes_it_away(app, appearance, prepare, button, sent):
    bench = InspectorBench(appearance, app, "coverage")
    bench.driver.do(prepare)
    if button == "Raise to 2":
        bench.driver.do(c.SetLimits(groups={"licences": None}))  # which has a button of that name, too
    bench.told()
    bench.buttons(bench.inspector.why)[button].click()
    assert isinstance(bench.asks.sent[0], sent)
    blocking = {reason.code for reason in bench.driver.why("coverage") if reason.blocks}
    assert blocking <= {"group_full"}


def test_a_device_that_is_disabled_can_be_had_back(app, appearance):
    bench = InspectorBench(appearance, app, "coverage")
    for device in ("local", "build-1"):
        bench.driver.do(c.DisableDevice(device_id=device))
    bench.driver.do(c.SetLimits(groups={"licences": None}))
    bench.told()
    assert "local is disabled" in bench.texts(bench.inspector.why)
    bench.buttons(bench.inspector.why)["Enable"].click()
    assert bench.driver.status("coverage") == "running"


# ---- verbs


def test_the_verbs_are_those_that_fit_and_all_others_are_in_the_menu(app, appearance):
    bench = InspectorBench(appearance, app, "coverage")
    head = bench.inspector.head
    assert list(bench.buttons(head)) == ["Prioritise", "Hold", "Skip", ""]
    menu = head.open_menu(QPoint(0, 0))
    found = {action.text(): action for action in menu.actions()}
    assert not found["Release"].isEnabled()
    assert found["Release"].toolTip() == "Not held."
    assert found["Only on local"].isEnabled()
    found["Only on local"].trigger()
    menu.close()
    bench.buttons(head)["Hold"].click()
    assert [type(one) for one in bench.asks.sent] == [c.PinTasks, c.HoldTasks]
    bench.told()
    assert "Release" in bench.buttons(head)


def test_several_tasks_are_counted_and_what_they_have_in_common_is_offered(app, appearance):
    bench = InspectorBench(appearance, app, "coverage", "merge cov")
    assert bench.figures(bench.inspector.overview.counts) == [("Ready", "1"), ("Waiting", "1")]
    bench.buttons(bench.inspector.head)["Hold"].click()
    assert bench.asks.sent == [c.HoldTasks(run_id="r", task_ids=("coverage", "merge cov"))]
    assert bench.inspector.fields.isVisible()
    assert not bench.inspector.parents.isVisible()


def test_without_a_selection_it_tells_of_the_run(app, appearance):
    bench = InspectorBench(appearance, app)
    foreseen(bench)
    assert bench.inspector.head.name.text() == "firmware"
    assert ("Done", "3") in bench.figures(bench.inspector.overview.counts)
    assert "Finish" in bench.texts(bench.inspector.overview.facts)


def test_without_a_run_there_is_a_sentence_and_one_button(app, appearance):
    driver, _ = coverage()
    made = Inspector(appearance, Selection(), lambda: None, lambda: 0.0, ByHand(driver), lambda _r, _t: ())
    made.show()
    asked = []
    made.open_requested.connect(lambda: asked.append(True))
    (button,) = [one for one in made.findChildren(QPushButton) if one.isVisible()]
    button.click()
    assert asked


# ---- fields


def test_a_changed_field_is_sent_as_an_edit_of_the_revision_that_was_seen(app, appearance):
    bench = InspectorBench(appearance, app, "coverage")
    value = bench.inspector.fields.value("timeout")
    assert value.text() == "2m"
    value.setFocus()
    value.selectAll()
    QTest.keyClicks(value, "90s")
    QTest.keyClick(value, Qt.Key.Key_Return)
    (sent,) = bench.asks.sent
    assert isinstance(sent, c.EditConstellation)
    assert sent.batch.base_revision == 0
    assert bench.run.graph.tasks[bench.number("coverage")].timeout == 90
    bench.told()
    assert value.text() == "1m30s"


def test_what_is_wrong_stands_under_its_field_and_nothing_is_sent(app, appearance):
    bench = InspectorBench(appearance, app, "coverage")
    fields = bench.inspector.fields
    value = fields.value("timeout")
    value.selectAll()
    QTest.keyClicks(value, "soon")
    value.finish()
    assert "'soon' is not a duration" in fields.reason("timeout")
    assert not bench.asks.sent
    bench.told()
    assert value.text() == "soon"
    QTest.keyClick(value, Qt.Key.Key_Escape)
    assert (value.text(), fields.reason("timeout")) == ("2m", "")


def test_what_was_typed_for_one_task_is_never_sent_to_another(app, appearance):
    bench = InspectorBench(appearance, app, "coverage")
    value = bench.inspector.fields.value("timeout")
    value.setFocus()
    value.selectAll()
    QTest.keyClicks(value, "7s")
    bench.select("merge cov")
    assert bench.run.graph.tasks[bench.number("merge cov")].timeout is None
    assert all(one.batch.edits[0].task_id == "coverage" for one in bench.asks.sent)


@pytest.mark.parametrize(
    ("name", "text", "reads"),
    [
        ("groups", "licences, gpu", ("licences", "gpu")),
        ("groups", "", ()),
        ("requires", "gpu", frozenset({"gpu"})),
        ("command", "echo 'a b'", ("echo", "a b")),
        ("timeout", "", None),
    ],
)
def test_texts_are_read_as_fields(name, text, reads):
    driver, run = coverage()
    number = run.graph.place["coverage"]
    assert change(ByHand(driver), TaskView(run, number), name, text, run.revision) == ""
    assert getattr(run.graph.tasks[number], name) == reads


def test_retries_keep_their_pauses_and_nonsense_is_refused():
    driver, run = coverage()
    number, asks = run.graph.place["coverage"], ByHand(driver)
    assert change(asks, TaskView(run, number), "retry", "4", 0) == ""
    retry = run.graph.tasks[number].retry
    assert (retry.attempts, retry.delay) == (5, 5)
    assert "0 or more" in change(asks, TaskView(run, number), "retry", "often", 1)
    assert "“'a” cannot be read" in change(asks, TaskView(run, number), "command", "'a", 1)


def test_priority_and_device_are_commands_that_leave_the_revision_alone():
    driver, run = coverage()
    number, asks = run.graph.place["coverage"], ByHand(driver)
    assert change(asks, TaskView(run, number), "priority", "80 high", 0) == ""
    assert change(asks, TaskView(run, number), "device", "build-1", 0) == ""
    assert (run.priority[number], run.pin_of(number), run.revision) == (80, "build-1", 0)
    assert change(asks, TaskView(run, number), "device", "", 0) == ""
    assert run.pin_of(number) is None
    assert change(asks, TaskView(run, number), "device", "nowhere", 0)


def test_a_task_that_runs_says_why_its_fields_are_fixed(app, appearance):
    bench = InspectorBench(appearance, app, "fuzz")
    fields = bench.inspector.fields
    assert fields.value("timeout").isReadOnly()
    assert fields.value("timeout").toolTip() == fields.aside.text() == "Not while it runs"


# ---- values and attempts


def test_values_of_parents_and_attempts_with_what_they_left_behind(app, appearance):
    bench = InspectorBench(appearance, app, "coverage")
    assert [text for text in bench.texts(bench.inspector.parents) if text.startswith("lines")] == [
        "lines 0.912",
        "lines 0.874",
        "lines 0.79",
    ]
    bench.driver.fail("fuzz")
    bench.select("fuzz")
    attempts = bench.inspector.attempts
    (left,) = attempts.findChildren(QPlainTextEdit)
    assert left.isReadOnly()
    assert left.toPlainText()
    (copy,) = [one for one in attempts.findChildren(QPushButton) if one.isVisible()]
    copy.click()
    assert QGuiApplication.clipboard().text() == left.toPlainText()


def test_what_an_attempt_left_behind_is_told_without_what_steers_a_terminal():
    assert result_text(Result(output="\x1b[32mCC\x1b[0m a.c\r\n\x1b[2Kdone\n")).splitlines() == ["CC a.c", "done"]


@pytest.mark.parametrize("theme", [Theme.LIGHT, Theme.DARK])
def test_an_inspector_made_anew_shows_the_same(app, appearance, theme):
    appearance.choose(theme)
    bench = InspectorBench(appearance, app, "fuzz")
    bench.select("coverage")
    bench.driver.do(c.HoldTasks(run_id="r", task_ids=("coverage",)))
    bench.told()
    other = inspector(bench.driver, bench.asks, bench.selection, appearance)
    app.processEvents()
    without_focus(app)
    for each in (bench.inspector, other):
        each.refresh()  # nobody is at them, for whom they would hold still
    app.processEvents()
    assert bench.inspector.grab().toImage() == other.grab().toImage()


def test_a_removed_task_leaves_the_run_to_be_told_of(app, appearance):
    bench = InspectorBench(appearance, app, "merge cov")
    bench.driver.edit(RemoveTask("merge cov"))
    bench.told()
    assert bench.inspector.head.name.text() == "firmware"


def test_parts_that_come_out_the_same_are_left_alone(app, appearance):
    bench = InspectorBench(appearance, app, "coverage")
    before = bench.inspector.parents.findChildren(QLabel)
    bench.told()
    assert bench.inspector.parents.findChildren(QLabel) == before


def test_a_countdown_leaves_the_buttons_where_they_are(app, appearance):
    bench = InspectorBench(appearance, app, "coverage")
    foreseen(bench)
    before, words = bench.buttons(bench.inspector.why), bench.texts(bench.inspector.why)
    bench.driver.advance(10)
    bench.inspector.on_changes(Changes(run_id="r", second=True))
    assert bench.buttons(bench.inspector.why) == before
    assert words[2].replace("48", "38") == bench.texts(bench.inspector.why)[2]
