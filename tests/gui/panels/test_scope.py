"""New values for what is selected with all before or behind it: which tasks are meant, told and changed."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from tests.driver import Driver, edge, task
from tests.gui.editing.engine_by_hand import EditorByHand
from tests.gui.panels.fleets import ByHand

from starloom.constellation.edits import AddDependency, AddTask
from starloom.constellation.validation import task_ids
from starloom.model.plan import Plan
from starloom.scheduling.read.run_view import RunView
from starloom_gui.editing.run_gateway import RunGateway
from starloom_gui.gateway.changes import Changes
from starloom_gui.panels.inspector import Inspector
from starloom_gui.viewmodel.reach import TaskScope
from starloom_gui.viewmodel.selection import Selection

if TYPE_CHECKING:
    from PySide6.QtWidgets import QApplication, QLineEdit
    from pytestqt.qtbot import QtBot

    from starloom_gui.theme.appearance import Appearance


class Bench:
    """An inspector over `first`, which runs, `a`, `b`, `c` in a row behind it, and `d` by itself."""

    def __init__(self, appearance: Appearance, app: QApplication) -> None:
        self.app = app
        self.driver = Driver(slots=1, checked=False)
        plan = Plan(
            tasks=tuple(task(id, timeout=60) for id in ("first", "a", "b", "c", "d")),
            dependencies=(edge("first", "a"), edge("a", "b"), edge("b", "c")),
        )
        self.run = self.driver.create(plan)
        self.editor, self.selection = EditorByHand(self.driver), Selection()
        asks = RunGateway(self.editor, ByHand(self.driver))
        self.inspector = Inspector(
            appearance,
            self.selection,
            lambda: RunView(self.driver.run()),
            lambda: 0.0,
            asks,
            lambda _, one: self.driver.why(one),
        )
        self.inspector.resize(296, 752)
        self.inspector.show()
        self.scope = self.inspector.fields.scope

    def select(self, *ids: str) -> None:
        self.selection.select_all(self.run.graph.place[one] for one in ids)
        self.app.processEvents()

    def choose(self, scope: TaskScope) -> None:
        """As a click on an entry of the menu does."""
        self.scope.menu.aboutToShow.emit()
        list(self.scope.menu.actions())[list(TaskScope).index(scope)].trigger()

    def write(self, name: str, words: str) -> None:
        field = self.field(name)
        field.selectAll()
        QTest.keyClicks(field, words)
        QTest.keyClick(field, Qt.Key.Key_Return)

    def field(self, name: str) -> QLineEdit:
        found: QLineEdit = self.inspector.fields.value(name)
        return found

    def changed(self) -> set[str]:
        (step,) = self.editor.steps
        return {id for edit in step.edits for id in task_ids(edit)}


@pytest.fixture
def bench(app: QApplication, appearance: Appearance) -> Bench:
    return Bench(appearance, app)


def test_it_says_how_many_tasks_are_meant_and_how_many_of_them_stay_as_they_are(bench: Bench) -> None:
    bench.select("b")
    assert bench.scope.button.text() == "Selection"
    assert not bench.scope.about.isVisible()
    bench.choose(TaskScope.UPSTREAM)
    assert bench.scope.button.text() == "With all upstream"
    assert bench.scope.about.text() == "3 task(s), 1 can no longer be changed"
    bench.choose(TaskScope.DOWNSTREAM)
    assert bench.scope.about.text() == "2 task(s)"


def test_one_step_changes_all_that_are_meant_and_have_not_started(bench: Bench) -> None:
    bench.select("b")
    bench.choose(TaskScope.UPSTREAM)
    bench.write("timeout", "5m")
    assert bench.changed() == {"a", "b"}
    assert [bench.run.graph.task(id).timeout for id in ("first", "a", "b", "c")] == [60.0, 300.0, 300.0, 60.0]
    assert bench.editor.steps[0].label == "Change timeout of 2 task(s)"


def test_of_several_all_that_is_behind_any_of_them_is_meant(bench: Bench) -> None:
    bench.select("a", "d")
    bench.choose(TaskScope.DOWNSTREAM)
    bench.write("retry", "2")
    assert bench.changed() == {"a", "b", "c", "d"}


def test_priority_is_one_command_for_all_that_are_meant(bench: Bench) -> None:
    bench.select("c")
    bench.choose(TaskScope.UPSTREAM)
    bench.write("priority", "high")
    ((label, _command),) = bench.editor.steered
    assert label == "Set priority: 3 task(s)"
    assert [bench.run.priority[bench.run.graph.place[id]] for id in ("first", "a", "b", "c", "d")] == [
        *(50, 80, 80, 80, 50)
    ]


def test_what_is_selected_next_is_meant_alone(bench: Bench) -> None:
    bench.select("b")
    bench.choose(TaskScope.DOWNSTREAM)
    bench.select("a")
    assert bench.scope.button.text() == "Selection"
    bench.write("timeout", "5m")
    assert bench.changed() == {"a"}


def test_a_scope_that_adds_nothing_is_not_offered_and_says_why(bench: Bench) -> None:
    bench.select("d")
    bench.scope.menu.aboutToShow.emit()
    these, up, down = bench.scope.menu.actions()
    assert [action.isEnabled() for action in (these, up, down)] == [True, False, False]
    assert these.isChecked()
    assert up.toolTip() == "Nothing else is upstream."
    assert down.toolTip() == "Nothing else is downstream."


def test_what_is_being_typed_stays_when_others_come_to_be_meant_and_is_for_them_too(bench: Bench) -> None:
    bench.select("b")
    bench.choose(TaskScope.DOWNSTREAM)
    field = bench.field("timeout")
    field.selectAll()
    QTest.keyClicks(field, "7m")
    bench.driver.edit(AddTask(task("new", timeout=60)), AddDependency(edge("c", "new")))
    bench.inspector.on_changes(Changes(run_id="r", everything=True))
    assert bench.field("timeout") is field
    assert field.text() == "7m"
    assert bench.scope.about.text() == "3 task(s)"
    QTest.keyClick(field, Qt.Key.Key_Return)
    assert bench.changed() == {"b", "c", "new"}


def test_what_was_typed_for_one_scope_is_not_done_to_another(bench: Bench, qtbot: QtBot) -> None:
    bench.select("b")
    bench.choose(TaskScope.DOWNSTREAM)
    field = bench.field("timeout")
    bench.inspector.activateWindow()
    assert QTest.qWaitForWindowActive(bench.inspector, 30_000)
    qtbot.waitUntil(field.isVisible)
    field.setFocus()
    qtbot.waitUntil(field.hasFocus)
    field.selectAll()
    QTest.keyClicks(field, "7m")
    bench.choose(TaskScope.THESE)
    assert bench.changed() == {"b", "c"}, "it was sent when it went out of sight"


def test_the_button_is_reached_and_opened_by_keys(bench: Bench) -> None:
    bench.select("b")
    assert bench.scope.button.focusPolicy() & Qt.FocusPolicy.TabFocus
    assert bench.scope.button.toolTip()
    assert bench.scope.button.accessibleName() == "Apply to"
    assert bench.scope.button.menu() is bench.scope.menu


def test_where_nothing_can_be_changed_nothing_is_asked(bench: Bench) -> None:
    bench.inspector.fields.fixed = lambda _: "Not in the past"
    bench.select("b")
    assert not bench.scope.isVisible()


def test_its_word_stands_at_the_left_like_the_choices_among_the_fields(bench: Bench) -> None:
    bench.select("a")
    button = bench.scope.button
    image = button.grab().toImage()
    middle, ground = range(4, button.height() - 4), image.pixel(button.width() // 2, 4)
    inked = [x for x in range(4, button.width() - 4) if any(image.pixel(x, y) != ground for y in middle)]
    assert 7 <= inked[0] < 12
    assert inked[-1] > button.width() - 14, "their arrow"
    assert image.pixel(button.width() // 2 + 20, button.height() // 2) == ground
