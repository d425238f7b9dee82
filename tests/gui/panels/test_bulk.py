"""Several tasks in the inspector: what they have in common, and one step that changes all of them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from tests.driver import Driver, task
from tests.gui.editing.engine_by_hand import EditorByHand
from tests.gui.panels.fleets import ByHand

from starloom.constellation.edits import UpdateTask
from starloom.model.plan import Plan
from starloom.model.status import Placement
from starloom.scheduling import commands as c
from starloom.scheduling.read.run_view import RunView
from starloom.scheduling.state.codes import FAILED
from starloom_gui.editing.run_gateway import RunGateway
from starloom_gui.gateway.changes import Changes
from starloom_gui.panels.bulk import change_all, common_fields
from starloom_gui.panels.inspector import Inspector
from starloom_gui.panels.scope_row import about_words
from starloom_gui.viewmodel.selection import Selection

if TYPE_CHECKING:
    from PySide6.QtWidgets import QApplication

    from starloom_gui.theme.appearance import Appearance
    from starloom_gui.widgets.value_editor import Value


class BulkBench:
    """An inspector whose asking goes by way of an editor: `first` and `busy` run, `a`, `b` and `c` don't."""

    def __init__(self, appearance: Appearance, app: QApplication) -> None:
        self.app = app
        self.driver = Driver(devices=(), checked=False)
        self.driver.add_device("local", slots=1)
        self.driver.add_device("far", slots=1)
        plan = Plan(
            tasks=(
                task("first", device="local", timeout=60),
                task("a", device="local", timeout=60, groups="licences", retry={"attempts": 3, "delay": 5}),
                task("b", device="local", timeout=60, groups=("licences", "lab"), retry=2),
                task("c", device={"prefer": "far"}, timeout=90, priority="low"),
                task("busy", device="far", priority="critical"),
            )
        )
        self.run = self.driver.create(plan)
        self.engine = ByHand(self.driver)
        self.editor = EditorByHand(self.driver)
        self.asks = RunGateway(self.editor, self.engine)
        self.selection = Selection()
        self.inspector = Inspector(
            appearance,
            self.selection,
            lambda: RunView(self.driver.run()),
            lambda: 0.0,
            self.asks,
            lambda _, one: self.driver.why(one),
        )
        self.inspector.resize(296, 752)
        self.inspector.show()

    def select(self, *ids: str) -> None:
        self.selection.select_all(self.run.graph.place[one] for one in ids)
        self.app.processEvents()

    def value(self, name: str) -> Value:
        found: Value = self.inspector.fields.value(name)
        return found

    def write(self, name: str, words: str) -> None:
        field = self.inspector.fields.value(name)
        value = field.focusProxy() or field
        for _ in getattr(field, "box", field).tags if value is not field else ():
            QTest.keyClick(value, Qt.Key.Key_Backspace)
        value.selectAll()
        QTest.keyClick(value, Qt.Key.Key_Delete)
        QTest.keyClicks(value, words)
        QTest.keyClick(value, Qt.Key.Key_Return)
        self.inspector.on_changes(Changes(run_id=self.run.run_id, everything=True))

    def of(self, task_id: str, field: str) -> object:
        return getattr(self.run.graph.task(task_id), field)


@pytest.fixture
def bench(app: QApplication, appearance: Appearance) -> BulkBench:
    return BulkBench(appearance, app)


def test_what_is_equal_is_shown_and_what_differs_is_empty_and_says_so(bench: BulkBench) -> None:
    bench.select("a", "b")
    assert bench.value("timeout").text() == "1m"
    assert bench.value("device").text() == "local"
    assert bench.value("retry").text() == "2"
    assert bench.value("groups").text() == ""
    assert bench.inspector.fields.value("groups").box.line.placeholderText() == "several values"
    bench.select("a", "c")
    assert [bench.value(name).text() for name in ("priority", "device", "timeout")] == ["", "", ""]


def test_one_value_for_all_is_one_batch_and_one_step(bench: BulkBench) -> None:
    bench.select("a", "b", "c")
    bench.write("timeout", "5m")
    assert [bench.of(one, "timeout") for one in "abc"] == [300.0] * 3
    (step,) = bench.editor.steps
    assert step.label == "Change timeout of 3 task(s)"
    assert [type(edit) for edit in step.edits] == [UpdateTask] * 3
    assert bench.value("timeout").text() == "5m"


def test_retries_keep_each_tasks_own_pauses(bench: BulkBench) -> None:
    bench.select("a", "b")
    bench.write("retry", "4")
    assert (bench.run.graph.task("a").retry.attempts, bench.run.graph.task("a").retry.delay) == (5, 5.0)
    assert (bench.run.graph.task("b").retry.attempts, bench.run.graph.task("b").retry.delay) == (5, 0.0)


def test_groups_are_written_with_commas_and_none_clears_them(bench: BulkBench) -> None:
    bench.select("a", "b")
    bench.write("groups", "lab, bench")
    assert [bench.of(one, "groups") for one in "ab"] == [("lab", "bench")] * 2
    bench.driver.edit(UpdateTask("a", groups=("other",)))
    bench.inspector.on_changes(Changes(run_id="r", everything=True))
    bench.write("groups", "None")
    assert [bench.of(one, "groups") for one in "ab"] == [(), ()]


def test_a_priority_is_one_command_for_all(bench: BulkBench) -> None:
    bench.select("a", "c")
    bench.write("priority", "80 high")
    ((label, command),) = bench.editor.steered
    assert label == "Set priority: 2 task(s)"
    assert isinstance(command, c.SetPriority)
    assert command.task_ids == ("a", "c")
    assert {bench.run.priority[bench.run.graph.place[one]] for one in "ac"} == {80}


def test_a_device_pins_all_at_once_and_any_lets_all_go(bench: BulkBench) -> None:
    bench.select("a", "b", "c")
    bench.write("device", "far")
    assert len(bench.editor.steered) == 1
    assert {bench.run.pin_of(bench.run.graph.place[one]) for one in "abc"} == {"far"}
    bench.write("device", "any")
    assert not bench.run.pins or set(bench.run.pins.values()) == {None}


def test_what_binds_some_by_field_and_some_by_pin_is_taken_from_all(bench: BulkBench) -> None:
    bench.driver.ask(c.PinTasks, "c", device_id="far")
    bench.select("a", "c")
    bench.write("device", "any")
    assert bench.of("a", "device") is None
    assert bench.run.pins.get(bench.run.graph.place["c"]) is None
    assert bench.run.graph.task("b").device == "local"


def test_what_has_started_is_left_alone_and_the_heading_says_how_many_remain(bench: BulkBench) -> None:
    bench.select("first", "a", "b")
    assert bench.inspector.fields.aside.text() == "For 2 not started"
    bench.write("timeout", "5m")
    assert [bench.of(one, "timeout") for one in ("first", "a", "b")] == [60.0, 300.0, 300.0]


def test_when_all_have_started_nothing_can_be_written_and_that_is_said(bench: BulkBench) -> None:
    bench.select("first", "busy")
    value = bench.value("timeout")
    assert value.isReadOnly()
    assert value.toolTip() == "All of them have started"


@pytest.mark.parametrize(
    ("name", "words", "said"),
    [
        ("timeout", "soon", "soon"),
        ("retry", "many", "how many more attempts"),
        ("priority", "urgentest", "urgentest"),
        ("device", "nowhere", "There is no device 'nowhere'"),
    ],
)
def test_a_bad_value_changes_nothing_and_the_reason_stands_under_its_field(
    bench: BulkBench, name: str, words: str, said: str
) -> None:
    before = bench.run.graph.canonical_bytes()
    bench.select("a", "b")
    bench.write(name, words)
    assert said in bench.inspector.fields.reason(name)
    assert bench.inspector.fields.reason(name).endswith("Nothing was changed.")
    assert bench.run.graph.canonical_bytes() == before
    assert not bench.editor.steps
    assert not bench.editor.steered


def test_what_somebody_else_has_changed_of_one_is_overwritten_in_none(bench: BulkBench) -> None:
    seen = bench.run.revision
    bench.driver.edit(UpdateTask("b", timeout=70), origin="agent")
    numbers = [bench.run.graph.place[one] for one in "ab"]
    assert "b" in change_all(bench.engine, RunView(bench.run), numbers, "timeout", "5m", seen)
    assert [bench.of(one, "timeout") for one in "ab"] == [60.0, 70.0]
    assert bench.engine.sent == []


def test_what_is_being_written_for_some_is_not_sent_to_others(bench: BulkBench) -> None:
    bench.select("a", "b")
    QTest.keyClicks(bench.value("timeout"), "0")
    bench.select("b", "c")
    assert bench.of("c", "timeout") == 90.0


def test_a_single_task_is_edited_by_way_of_the_editor_too(bench: BulkBench) -> None:
    bench.select("a")
    bench.write("timeout", "5m")
    assert bench.editor.steps[0].label == "Change timeout of a"
    bench.write("priority", "high")
    assert bench.editor.steered[0][0] == "Set priority: a"


def test_verbs_of_runs_go_to_the_engine_and_those_of_devices_are_steps(bench: BulkBench) -> None:
    bench.asks.do(c.PauseRun(run_id="r"))
    assert bench.engine.sent == [c.PauseRun(run_id="r")]
    assert bench.editor.steered == []
    bench.asks.do(c.DrainDevice(device_id="far"))
    bench.asks.do(c.SetLimits(placement=Placement.ROUND_ROBIN))
    bench.asks.do(c.SetLimits(groups={"db": None}, max_queue=9))
    labels = [label for label, _ in bench.editor.steered]
    assert labels == ["Drain: far", "Placement: Round robin", "Longest queue: 9; Limit of group db: none"]
    assert len(bench.engine.sent) == 1


def test_what_fifty_thousand_tasks_have_in_common_is_read_without_formatting_each() -> None:
    driver = Driver(checked=False)
    run = driver.create(Plan(tasks=[task(f"t{at}", timeout=60) for at in range(50_000)]))
    driver_numbers = frozenset(range(50_000))
    fields = {one.name: one for one in common_fields(RunView(run), driver_numbers)}
    assert fields["timeout"].locked == "All of them have started"
    assert fields["timeout"].text == "1m"


@pytest.fixture
def failed(bench: BulkBench) -> BulkBench:
    """`a` and `b` have failed, each for its own retries; `first` is done, and `c` cannot start."""
    bench.driver.ask(c.HoldTasks, "c")
    bench.driver.end("first")
    while any(run_id == "r" and task_id in "ab" for run_id, task_id in bench.driver.ordered):
        (task_id,) = [one for _, one in bench.driver.ordered if one in "ab"]
        bench.driver.fail(task_id)
        bench.driver.advance(30)
    bench.inspector.on_changes(Changes(run_id=bench.run.run_id, everything=True))
    assert [bench.run.status[bench.run.graph.place[one]] for one in "ab"] == [FAILED] * 2
    bench.inspector.activateWindow()
    assert QTest.qWaitForWindowActive(bench.inspector)
    return bench


@pytest.mark.parametrize("others", [(), ("first",)])
@pytest.mark.parametrize("how", ["enter", "button", "retry"])
def test_several_that_failed_are_changed_and_retried_together(failed: BulkBench, others: tuple[str, ...], how: str):
    fields = failed.inspector.fields
    failed.select("a", "b", *others)
    assert fields.aside.text() == "Enter: change and retry"
    assert fields.again.text() == "Change and retry 2 task(s)"
    assert fields.scope.about.text() == about_words(2 + len(others), len(others))
    assert not fields.again.isEnabled()
    value = failed.value("timeout")
    value.selectAll()
    QTest.keyClicks(value, "5m")
    assert fields.again.isEnabled()
    assert failed.editor.steered == [], "typing alone retries nothing"
    if how == "enter":
        QTest.keyClick(value, Qt.Key.Key_Return)
    elif how == "button":
        fields.again.click()
    else:
        assert not fields.retry_typed({"a"}), "it is typed for both"
        assert fields.retry_typed({"a", "b"})
    ((label, command),) = failed.editor.steered
    assert label == "Change and retry 2 task(s)"
    assert isinstance(command, c.RetryTasks)
    assert command.task_ids == ("a", "b")
    assert [failed.of(one, "timeout") for one in ("a", "b", "first")] == [300.0, 300.0, 60.0]
    assert FAILED not in {failed.run.status[failed.run.graph.place[one]] for one in "ab"}
    failed.inspector.on_changes(Changes(run_id=failed.run.run_id, everything=True))
    assert not fields.again.isVisible()


def test_retries_of_several_that_failed_keep_each_tasks_own_pauses(failed: BulkBench) -> None:
    failed.select("a", "b")
    failed.write("retry", "4")
    assert [type(command) for _, command in failed.editor.steered] == [c.RetryTasks] * 2
    assert (failed.run.graph.task("a").retry.attempts, failed.run.graph.task("a").retry.delay) == (5, 5.0)
    assert (failed.run.graph.task("b").retry.attempts, failed.run.graph.task("b").retry.delay) == (5, 0.0)


def test_what_is_wrong_for_several_that_failed_retries_none(failed: BulkBench) -> None:
    failed.select("a", "b")
    failed.write("timeout", "soon")
    assert "soon" in failed.inspector.fields.reason("timeout")
    failed.write("timeout", "5m")
    assert [failed.of(one, "timeout") for one in "ab"] == [300.0, 300.0]


def test_with_one_that_has_not_started_only_that_one_is_changed(failed: BulkBench) -> None:
    failed.select("a", "c")
    assert failed.inspector.fields.aside.text() == "For 1 not started"
    assert not failed.inspector.fields.again.isVisible()
    failed.write("timeout", "5m")
    assert [failed.of(one, "timeout") for one in "ac"] == [60.0, 300.0]
    assert failed.run.status[failed.run.graph.place["a"]] == FAILED
