"""The form's fields, one by one, of a task whose edits are staged and of one in a plan that is drawn."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from tests.driver import Driver, edge, task
from tests.gui.documents.plans import loaded
from tests.gui.editing.run_editor_bench import RunEditorBench
from tests.gui.panels.test_task_form import NEVER_EMPTY, TRIES, USUAL, FormBench

from starloom.formats import load_plan, save_plan
from starloom.model.plan import Plan
from starloom.scheduling.read.run_view import RunView, TaskView
from starloom_gui.documents.open_documents import OpenDocuments
from starloom_gui.editing.base import Mode
from starloom_gui.editing.plan_editor import PlanEditor
from starloom_gui.editing.plan_gateway import PlanGateway
from starloom_gui.editing.run_gateway import RunGateway
from starloom_gui.viewmodel.task_fields import change, fields_of
from starloom_gui.viewmodel.task_specs import SPEC_OF

if TYPE_CHECKING:
    from pathlib import Path

    from PySide6.QtWidgets import QApplication

    from starloom.model.task import Task
    from starloom_gui.editing.run_editor import RunEditor
    from starloom_gui.gateway.command_gateway import CommandGateway

NO_NAME = "x" * 501
"""No device has such a long name; a plan may name one that is not there yet."""
STEERED = {"priority", "device"}
"""Of a run these are commands, which are never staged."""


def form_plan(name: str) -> Plan:
    """The plan of a task that has the field."""
    return Plan(tasks=(task("first"), FormBench(name).task), dependencies=[edge("first", "t")])


class Walk:
    """A task whose fields are changed by way of an editor."""

    def __init__(self, editor: PlanEditor | RunEditor, gateway: CommandGateway) -> None:
        self.editor, self.gateway = editor, gateway

    @property
    def view(self) -> TaskView:
        facts = self.editor.facts()
        assert facts is not None
        return RunView(facts).task(facts.graph.place["t"])

    @property
    def task(self) -> Task:
        assert self.view.fields is not None
        return self.view.fields

    def change(self, name: str, text: str) -> str:
        return change(self.gateway, self.view, name, text, self.view.run.revision)

    def text(self, name: str) -> str:
        return next(one.text for one in fields_of(self.view) if one.name == name)

    def walk(self, name: str) -> None:
        """Set a field, read it back, refuse a wrong value, and clear it; each is one step that can be undone."""
        before, tried = self.task, TRIES[name]
        wrong = NO_NAME if name == "device" else tried.wrong
        assert self.change(name, wrong).endswith("."), "refused in a sentence"
        assert self.task == before
        assert self.change(name, tried.text) == ""
        made = self.task
        assert made != before
        if name == "kind":
            assert made.prompt is not None
            return
        written = self.text(name)
        assert SPEC_OF[name].parse(made, written).keys() == SPEC_OF[name].parse(made, tried.text).keys()
        self.editor.undo()
        assert self.task == before, "one step"
        self.editor.redo()
        assert (self.task, self.text(name)) == (made, written)
        if name not in NEVER_EMPTY:
            assert self.change(name, USUAL.get(name, "")) == ""
            assert self.text(name) in {USUAL.get(name, ""), "50 normal"}


@pytest.mark.parametrize("name", TRIES)
def test_each_field_of_a_drawn_plan_is_set_saved_read_back_refused_and_cleared(
    app: QApplication, tmp_path: Path, name: str
) -> None:
    documents, file = OpenDocuments(), tmp_path / "plan.yaml"
    editor = PlanEditor(documents, documents.put_loaded(loaded(form_plan(name), file)).key)
    walk = Walk(editor, PlanGateway(editor, FormBench().asks, lambda _: None))
    walk.walk(name)
    if name not in NEVER_EMPTY:
        editor.undo()
    save_plan(editor.plan, file)
    assert load_plan(file).tasks == editor.plan.tasks


@pytest.mark.parametrize("name", [name for name in TRIES if name not in STEERED])
def test_each_field_is_staged_and_only_the_commit_changes_the_run(app: QApplication, name: str) -> None:
    driver = Driver(devices=(), checked=False)
    driver.add_device("local", slots=1)
    run = driver.create(form_plan(name))
    bench = RunEditorBench(Mode.STAGED, driver=driver)
    before = run.graph.task("t")
    walk = Walk(bench.editor, RunGateway(bench.editor, bench.engine))
    walk.walk(name)
    assert driver.run().graph.task("t") == before
    if name not in NEVER_EMPTY:
        bench.editor.undo()
    staged = walk.task
    bench.editor.staging.commit()
    bench.settle()
    assert driver.run().graph.task("t") == staged != before
