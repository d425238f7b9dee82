"""Find and replace as a dialog: what is listed, ticked and dimmed, and the one step it comes to."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from tests.driver import Driver, plan, task
from tests.gui.editing.engine_by_hand import EditorByHand
from tests.gui.panels.fleets import ByHand
from typing_extensions import override

from starloom.constellation.edits import UpdateTask
from starloom.constellation.validation import task_ids
from starloom.scheduling.state.codes import FAILED
from starloom_gui.dialogs.find_replace import FindReplaceDialog
from starloom_gui.editing.run_gateway import RunGateway
from starloom_gui.editing.seeking import ReplaceQuery
from starloom_gui.gateway.changes import Changes
from starloom_gui.specs.action_spec import Verdict

if TYPE_CHECKING:
    from collections.abc import Sequence

    from PySide6.QtWidgets import QApplication
    from pytestqt.qtbot import QtBot

    from starloom.constellation.edits import Edit
    from starloom_gui.theme.appearance import Appearance


class Editor(EditorByHand):
    """One that may be told to refuse."""

    why_not = ""

    @override
    def verdict(self, edits: Sequence[Edit]) -> Verdict:
        return Verdict(False, self.why_not) if self.why_not else super().verdict(edits)


class Bench:
    """A dialog over a run of which `first` runs; `chosen` are selected."""

    def __init__(self, qtbot: QtBot, app: QApplication, appearance: Appearance) -> None:
        self.qtbot, self.app, self.appearance = qtbot, app, appearance
        self.driver = Driver(slots=1, checked=False)
        tasks = [task("first", command=("cc", "old"))]
        tasks += [task("a", command=("cc", "old", "old.c")), task("b", shell="cd old"), task("c", python="old:f")]
        self.run = self.driver.create(plan(tasks))
        self.editor = Editor(self.driver)

    def open(self, wanted: ReplaceQuery | None = None, *chosen: str) -> FindReplaceDialog:
        asks = RunGateway(self.editor, ByHand(self.driver))
        numbers = {self.run.graph.place[id] for id in chosen}
        made = FindReplaceDialog(self.appearance, self.driver.run, numbers, asks, wanted or ReplaceQuery())
        made.open()
        self.settle(made)
        return made

    def changed(self) -> list[str]:
        """The tasks that the only step was about."""
        (step,) = self.editor.steps
        return [id for edit in step.edits for id in task_ids(edit)]

    def settle(self, dialog: FindReplaceDialog) -> None:
        self.qtbot.waitUntil(lambda: not dialog.is_looking)

    def told(self, dialog: FindReplaceDialog, changes: Changes) -> None:
        """Have the dialog hear of changes, and what follows from that happen."""
        before = dialog.default.text()
        dialog.on_changes(changes)
        self.qtbot.waitUntil(lambda: dialog.default.text() != before)


@pytest.fixture
def bench(qtbot: QtBot, app: QApplication, appearance: Appearance) -> Bench:
    return Bench(qtbot, app, appearance)


def test_what_is_typed_is_listed_at_once_and_replaced_in_one_step(bench: Bench) -> None:
    dialog = bench.open()
    assert dialog.reason == "Nothing is sought yet"
    QTest.keyClicks(dialog.sought, "old")
    QTest.keyClick(dialog.sought, Qt.Key.Key_Return)
    assert dialog.isVisible(), "Return in the first field only goes on"
    QTest.keyClicks(dialog.by, "new")
    bench.settle(dialog)
    assert [hit.task_id for hit in dialog.table.hits] == ["first", "a", "a", "b", "c"]
    assert dialog.default.text() == "Replace in 3 task(s)"
    QTest.keyClick(dialog.by, Qt.Key.Key_Return)
    (step,) = bench.editor.steps
    assert step.label == "Replace “old” by “new” in 3 task(s)"
    assert [type(edit) for edit in step.edits] == [UpdateTask] * 3
    assert bench.run.graph.task("a").command == ("cc", "new", "new.c")
    assert bench.run.graph.task("first").command == ("cc", "old")
    assert not dialog.isVisible()


def test_every_place_of_a_text_is_counted(bench: Bench) -> None:
    dialog = bench.open(ReplaceQuery("c", "k"))
    assert [hit.task_id for hit in dialog.table.hits] == ["first", "a", "a", "b"]
    assert dialog._counts.text() == "6 place(s) in 3 task(s) · 2 cannot be changed"


def test_ticks_are_taken_away_by_space_and_by_a_click_at_the_left(bench: Bench) -> None:
    dialog = bench.open(ReplaceQuery("old", "new"))
    dialog.list.setCurrentIndex(dialog.table.index(1))
    QTest.keyClick(dialog.list, Qt.Key.Key_Space)
    row = dialog.list.visualRect(dialog.table.index(3))
    QTest.mouseClick(dialog.list.viewport(), Qt.MouseButton.LeftButton, pos=row.topLeft() + QPoint(18, 20))
    assert dialog.default.text() == "Replace in 2 task(s)"
    dialog.do()
    assert bench.changed() == ["a", "c"]
    assert bench.run.graph.task("a").command == ("cc", "old", "new.c")


def test_what_cannot_be_changed_has_no_tick_and_says_why(bench: Bench) -> None:
    dialog = bench.open(ReplaceQuery("old", ""))
    first, last = dialog.table.hits[0], dialog.table.hits[-1]
    dialog.list.tick(on=True)
    assert dialog.table.reason(first) == "first is running."
    assert dialog.table.reason(last)
    assert not dialog.table.is_ticked(first)
    assert dialog.table.index(0).data(Qt.ItemDataRole.CheckStateRole) == Qt.CheckState.Unchecked
    assert "first is running." in dialog.table.index(0).data(Qt.ItemDataRole.AccessibleTextRole)
    dialog.list.setCurrentIndex(dialog.table.index(0))
    QTest.keyClick(dialog.list, Qt.Key.Key_Space)
    assert dialog.default.text() == "Replace in 2 task(s)"
    dialog.list.tick(on=False)
    assert dialog.reason == "Nothing is ticked that can be changed"
    assert not dialog.default.isEnabled()


def test_a_task_that_starts_meanwhile_is_left_out(bench: Bench) -> None:
    dialog = bench.open(ReplaceQuery("old", "new"))
    assert dialog.default.text() == "Replace in 3 task(s)"
    bench.driver.end("first")
    number = bench.run.graph.place["a"]
    bench.told(dialog, Changes(run_id="r", tasks=frozenset({number})))
    assert dialog.default.text() == "Replace in 2 task(s)"
    dialog.do()
    assert bench.changed() == ["b", "c"]


def test_what_others_edit_is_looked_at_again_and_ticks_stay(bench: Bench) -> None:
    dialog = bench.open(ReplaceQuery("old", "new"))
    dialog.table.tick([3], on=False)
    bench.driver.edit(UpdateTask("c", python="m:f"))
    dialog.on_changes(Changes(run_id="r", everything=True))
    bench.settle(dialog)
    assert [hit.task_id for hit in dialog.table.hits] == ["first", "a", "a", "b"]
    assert [hit.task_id for hit in dialog.table.chosen()] == ["a", "a"]


def test_the_selection_is_looked_at_alone_if_there_is_one(bench: Bench) -> None:
    dialog = bench.open(ReplaceQuery("old", "new"), "b", "c")
    assert [hit.task_id for hit in dialog.table.hits] == ["b", "c"]
    dialog.scope.button(1).click()
    bench.settle(dialog)
    assert len(dialog.table.hits) == 5
    dialog.close()
    without = bench.open(ReplaceQuery("old", "new"))
    assert not without.scope.button(0).isEnabled()
    assert without.scope.button(0).toolTip() == "No task is selected."


def test_what_is_no_pattern_is_said_under_the_field_and_nothing_can_be_replaced(bench: Bench) -> None:
    dialog = bench.open(ReplaceQuery("o(", "x", is_pattern=True))
    assert "This is no pattern" in dialog.trouble.words.text()
    assert dialog.trouble.isVisible()
    assert not dialog.default.isEnabled()
    QTest.keyClicks(dialog.sought, "old")
    bench.settle(dialog)
    assert not dialog.trouble.isVisible()
    assert dialog.default.isEnabled()


def test_what_the_run_refuses_is_said_and_loses_nothing(bench: Bench) -> None:
    dialog = bench.open(ReplaceQuery("old", "new"))
    bench.editor.why_not = "The run takes no edits now."
    dialog.do()
    assert dialog.isVisible()
    assert dialog.reason == "The run takes no edits now."
    assert bench.editor.steps == []
    assert dialog.sought.text() == "old"


@pytest.mark.parametrize(
    ("wanted", "sentence"),
    [
        (ReplaceQuery(), "What would be replaced is listed here, before and after."),
        (ReplaceQuery("nowhere"), "None of 4 task(s) has this."),
        (ReplaceQuery("old", "old"), "That would change nothing."),
    ],
)
def test_an_empty_list_says_why(bench: Bench, wanted: ReplaceQuery, sentence: str) -> None:
    dialog = bench.open(wanted)
    assert not dialog.table.hits
    assert dialog._empty.isVisible()
    assert dialog._empty.text() == sentence


def test_rows_are_painted_also_of_long_texts(bench: Bench) -> None:
    long = "x" * 5_000 + "\nold " + "y" * 5_000
    bench.driver.edit(UpdateTask("b", shell=long))
    dialog = bench.open(ReplaceQuery("old", "new"))
    before = dialog.list.viewport().grab().toImage()
    dialog.list.tick(on=False)
    assert dialog.list.viewport().grab().toImage() != before


def test_failed_tasks_can_be_ticked_and_are_changed_and_tried_again(bench: Bench) -> None:
    bench.driver.fail("first")
    bench.driver.fail("a")
    dialog = bench.open(ReplaceQuery("old", "new"))
    assert dialog.default.text() == "Replace in 1 task(s)", "what is tried again by that is not ticked unasked"
    assert "is tried again" in dialog.table.said(dialog.table.hits[0])
    dialog.all.click()
    assert dialog.default.text() == "Replace in 3 task(s)"
    assert dialog._counts.text().endswith("2 failed or cancelled task(s) are changed and tried again")
    dialog.none.click()
    assert not dialog.default.isEnabled()
    dialog.all.click()
    dialog.do()
    assert bench.changed() == ["c"]
    assert [label for label, _ in bench.editor.steered] == ["Change and retry first", "Change and retry a"]
    graph = bench.run.graph
    assert [graph.task(id).command for id in ("first", "a")] == [("cc", "new"), ("cc", "new", "new.c")]
    assert not bench.run.with_status(FAILED)


def test_failed_tasks_that_come_to_the_same_are_tried_again_in_one_step(bench: Bench) -> None:
    bench.driver.edit(UpdateTask("a", command=("cc", "old")))
    bench.driver.fail("first")
    bench.driver.fail("a")
    dialog = bench.open(ReplaceQuery("old", "new"))
    dialog.table.tick([0, 1], on=True)
    dialog.do()
    assert [label for label, _ in bench.editor.steered] == ["Change and retry 2 task(s)"]
