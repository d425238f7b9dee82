"""A plan without tasks is not started: its run would have ended before anything had begun."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.driver import task
from tests.gui.editing.test_plan_editor import Engine

from starloom.constellation.edits import AddTask
from starloom.scheduling.commands import StartRun
from starloom_gui.documents.open_documents import OpenDocuments
from starloom_gui.editing.base import Step
from starloom_gui.editing.plan_editor import PlanEditor
from starloom_gui.editing.plan_gateway import PlanGateway

if TYPE_CHECKING:
    from PySide6.QtWidgets import QApplication


def test_a_plan_without_tasks_is_not_started_and_it_is_said_why(app: QApplication) -> None:
    documents, started, said = OpenDocuments(), list[str](), list[str]()
    editor = PlanEditor(documents, documents.put_new().key)
    editor.refused.connect(lambda _what, why: said.append(why))
    asks, start = PlanGateway(editor, Engine(), started.append), StartRun(run_id=editor.key)
    assert not asks.can(start).ok
    asks.do(start)
    assert said == ["The plan has no tasks. Add one before you start it."]
    assert started == []
    editor.do(Step(label="Add a", edits=(AddTask(task("a")),)))
    assert asks.can(start).ok
    asks.do(start)
    assert started == [editor.key]
    editor.undo()
    assert not asks.can(start).ok
