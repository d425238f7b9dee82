"""The YAML pane: what is selected stands there as a plan file says it, follows edits, and can be copied."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLabel
from tests.driver import Driver, edge, plan, task
from tests.gui.documents.plans import loaded

from starloom.constellation.edits import UpdateTask
from starloom.formats import parse_plan
from starloom.model.task import Task
from starloom.scheduling import commands as c
from starloom.scheduling.read.run_view import RunView
from starloom_gui.diff.plan_difference import head_of
from starloom_gui.documents.change import PlanChange
from starloom_gui.documents.open_documents import OpenDocuments
from starloom_gui.editing.base import Step
from starloom_gui.editing.plan_editor import PlanEditor
from starloom_gui.gateway.changes import Changes
from starloom_gui.panels.yaml_pane import MOST_TASKS, YamlPane
from starloom_gui.viewmodel.selection import Selection

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from PySide6.QtWidgets import QApplication

    from starloom.model.plan import Plan
    from starloom_gui.theme.appearance import Appearance


class Shown:
    """The pane of a plan that is open."""

    def __init__(self, app: QApplication, appearance: Appearance, made: Plan, file: Path) -> None:
        self.documents, self.selection = OpenDocuments(), Selection()
        self.editor = PlanEditor(self.documents, self.documents.put_loaded(loaded(made, file)).key)
        self.pane = YamlPane(appearance, self.selection, self.editor.view, lambda _run: self.editor.plan)
        self.editor.applied.connect(self.pane.on_changes)
        self.pane.resize(300, 500)
        self.pane.show()
        app.processEvents()

    @property
    def text(self) -> str:
        return self.pane.view.toPlainText()


@pytest.fixture
def shown(app: QApplication, appearance: Appearance, tmp_path: Path) -> Iterator[Shown]:
    steps = [Task(id="a", shell="make\nmake test"), task("b", retry=3), task("c")]
    edges = [edge("a", "b"), edge("b", "c", condition="exit_code == 0")]
    made = Shown(app, appearance, replace(plan(steps, edges), defaults={"retry": 2}), tmp_path / "p.yaml")
    yield made
    made.pane.close()


def test_with_nothing_selected_the_whole_plan_stands_there_as_its_file_says_it(shown: Shown):
    assert parse_plan(shown.text) == shown.editor.plan


def test_it_follows_the_selection_and_names_what_a_task_needs(shown: Shown):
    shown.selection.select(2)
    assert shown.text.startswith("tasks:\n- id: c\n")
    assert "needs:\n  - task: b\n    condition: exit_code == 0\n" in shown.text
    shown.selection.select_all((0, 1))
    assert "  shell: |-\n    make\n    make test\n" in shown.text
    assert "- id: b\n" in shown.text
    shown.selection.clear()
    assert parse_plan(shown.text) == shown.editor.plan


def test_what_is_edited_is_written_anew(shown: Shown):
    shown.editor.do(Step(label="Edit", edits=(UpdateTask("c", timeout=90.0),)))
    assert "  timeout: 1m30s\n" in shown.text
    shown.editor.apply(PlanChange(fields={"description": "Two boards"}), "Edit")
    assert "description: Two boards\n" in shown.text


def test_it_is_copied_by_its_button_and_cannot_be_typed_into(shown: Shown):
    before = shown.text
    QTest.keyClicks(shown.pane.view, "x")
    assert shown.text == before
    shown.pane.copy.click()
    assert QGuiApplication.clipboard().text() == before


def test_of_very_many_tasks_the_first_are_shown_and_it_is_said(
    app: QApplication, appearance: Appearance, tmp_path: Path
):
    made = Shown(app, appearance, plan([f"t{n}" for n in range(MOST_TASKS + 50)], []), tmp_path / "p.yaml")
    assert made.text.count("- id: ") == MOST_TASKS
    assert "200 of 250" in made.pane._said.text()
    made.pane.close()


def test_it_says_that_it_is_only_read_and_where_one_edits_and_has_no_cursor(shown: Shown):
    words = "Read-only: edit in the Inspector (Alt+4)."
    (line,) = (label for label in shown.pane.findChildren(QLabel) if label.text() == words)
    assert line.isVisible()
    assert line.height() < 2 * line.fontMetrics().height(), "one line"
    assert line.geometry().bottom() < shown.pane.view.y()
    assert shown.pane.view.accessibleDescription() == words
    assert shown.pane.view.cursorWidth() == 0


def test_a_priority_that_was_set_in_a_run_is_written_as_its_inspector_has_it(app: QApplication, appearance: Appearance):
    driver, selection = Driver(devices=()), Selection()
    driver.create(plan(["a", "b"]))
    run = RunView(driver.run())
    pane = YamlPane(appearance, selection, lambda: run, lambda one: head_of(one.facts))
    pane.show()
    app.processEvents()
    assert "priority" not in pane.view.toPlainText()
    driver.ask(c.SetPriority, "a", priority=80)
    pane.on_changes(Changes(run_id="r", tasks=frozenset({0})))
    assert "priority: " in pane.view.toPlainText()
    assert parse_plan(pane.view.toPlainText()).tasks[0].priority == 80
