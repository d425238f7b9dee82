"""What is typed in a field of a plan is in what is started, saved and closed; a text that is refused halts that."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from tests.driver import plan, task
from tests.gui.composition.conftest import Desktop, at_rest
from tests.gui.composition.test_console import front
from tests.gui.documents.plans import written
from tests.waiting import until

from starloom.formats import load_plan
from starloom_gui.dialogs.closing import UnsavedDialog
from starloom_gui.documents.document import Document, RunTab
from starloom_gui.panels.inspector import Inspector

if TYPE_CHECKING:
    from pathlib import Path

    from starloom_gui.composition.console import Console
    from starloom_gui.widgets.value_editor import Value


CONTROL_SHIFT = Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.ShiftModifier


async def opened(console: Console, file: Path) -> None:
    """Open a plan, with the keyboard in the window."""
    console.files.opening.open(file)
    await until(lambda: isinstance(console.documents.front, Document))
    await at_rest(console)
    console.window.activateWindow()
    await until(console.window.isActiveWindow)


async def typed(console: Console, words: str, field: str = "timeout") -> Value:
    """The field of the plan's task in which these words were typed, and which has the keyboard still."""
    view = front(console)
    view.selection.select(0)
    await at_rest(console)
    editor: Value = view.views["inspector"].widget.fields.value(field)
    editor.setFocus()
    editor.selectAll()
    QTest.keyClicks(editor, words)
    return editor


def timeout_of(console: Console) -> float | None:
    document = console.documents.documents[0]
    return document.plan.tasks[0].timeout


def test_save_and_start_take_it_over_and_wait_for_what_is_refused(desktop: Desktop, tmp_path: Path) -> None:
    file = written(plan([task("a", command=("true",))]), tmp_path / "p.yaml")

    async def main() -> None:
        async with desktop.console() as console:
            await opened(console, file)
            editor = await typed(console, "soon")
            fields = front(console).views["inspector"].widget.fields
            for verb in ("save", "save_as", "start", "close_tab", "quit"):
                editor.clearFocus()  # as by a click on a button
                console.actions[verb].trigger()
                await until(editor.hasFocus)
                assert "soon" in fields.reason("timeout")
                assert not console.files.saving.background_tasks
                assert not console.files.leaving.background_tasks
            assert (editor.text(), timeout_of(console), console.documents.runs) == ("soon", None, ())

            await typed(console, "5m")
            console.actions["save"].trigger()
            await console.files.saving.settled()
            assert load_plan(file).tasks[0].timeout == 300

            await typed(console, "6m")
            console.actions["close_tab"].trigger()
            await until(lambda: bool(console.window.findChildren(UnsavedDialog)))
            assert timeout_of(console) == 360
            console.files.leaving.cancel()
            await console.files.leaving.settled()

            console.documents.put_new(plan([task("b", command=("true",))]))
            await at_rest(console)
            await until(console.actions["start"].isEnabled)
            await typed(console, "7m")
            console.actions["start"].trigger()
            await until(lambda: isinstance(console.documents.front, RunTab))
            facts = console.bridge.run(console.documents.runs[0].run_id)
            assert facts is not None
            assert facts.graph.task("b").timeout == 420

    desktop.run(main)


def test_undo_in_a_field_takes_back_what_was_set_and_not_only_what_was_typed(desktop: Desktop, tmp_path: Path) -> None:
    file = written(plan([task("a", command=("true",))]), tmp_path / "p.yaml")

    async def main() -> None:
        async with desktop.console() as console:
            await opened(console, file)
            editor = await typed(console, "abc")
            fields = front(console).views["inspector"].widget.fields
            QTest.keyClick(editor, Qt.Key.Key_Return)
            assert "abc" in fields.reason("timeout")
            editor.selectAll()
            QTest.keyClicks(editor, "10 min")
            QTest.keyClick(editor, Qt.Key.Key_Return)
            await at_rest(console)
            assert (editor.text(), timeout_of(console), fields.reason("timeout")) == ("10m", 600, "")
            await until(console.actions["undo"].isEnabled)
            QTest.keyClick(editor, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
            await until(lambda: timeout_of(console) is None)
            await at_rest(console)
            assert editor.hasFocus()
            assert (editor.text(), fields.reason("timeout")) == ("", "")
            await until(console.actions["redo"].isEnabled)
            QTest.keyClick(editor, Qt.Key.Key_Z, CONTROL_SHIFT)
            await until(lambda: timeout_of(console) == 600)
            await at_rest(console)
            assert editor.text() == "10m"

    desktop.run(main)


@pytest.mark.parametrize("act", ["start", "create_run", "save", "save_as", "close_tab"])
def test_what_was_refused_for_a_task_that_is_shown_no_more_is_shown_and_said(
    desktop: Desktop, tmp_path: Path, act: str
) -> None:
    file = written(plan([task("a", command=("true",)), task("b", command=("true",))]), tmp_path / "p.yaml")

    async def main() -> None:
        async with desktop.console() as console:
            await opened(console, file)
            editor = await typed(console, "999", "priority")
            QTest.keyClick(editor, Qt.Key.Key_Return)
            view = front(console)
            inspector = view.pane("inspector")
            assert isinstance(inspector, Inspector)
            assert inspector.fields.reason("priority")
            view.selection.clear()
            view.canvas.setFocus()
            await at_rest(console)
            assert not inspector.fields.isVisible()
            console.actions[act].trigger()
            await until(lambda: console.strip.shown is not None)
            said = console.strip.shown
            assert said is not None
            assert said.text.startswith("What is typed in “Priority” of a is not set.")
            assert set(view.selection.now.numbers) == {0}
            field = inspector.fields.value("priority")
            assert (field.isVisible(), field.hasFocus(), field.text()) == (True, True, "999")
            assert [type(item) for item in console.documents] == [Document], "nothing was started or closed"
            QTest.keyClick(field, Qt.Key.Key_Escape)
            assert field.text() != "999"
            assert front(console).pane("inspector").fields.drafts.all == ()  # type: ignore[attr-defined]  # an inspector

    desktop.run(main)


@pytest.mark.parametrize("act", ["start", "create_run"])
@pytest.mark.parametrize("words", ["value.score >", "value.score > 1"])
def test_a_condition_that_is_not_set_is_shown_and_said_before_a_start(
    desktop: Desktop, tmp_path: Path, act: str, words: str
) -> None:
    tasks = [task("a", command=("true",)), task("b", command=("true",))]
    file = written(plan(tasks, ["a>b"]), tmp_path / "p.yaml")

    async def main() -> None:
        async with desktop.console() as console:
            await opened(console, file)
            view = front(console)
            verbs = view.canvas.gestures.verbs
            assert verbs is not None
            card = verbs.card
            verbs.edit_edge((0, 1), view.canvas.viewport().rect().center())
            QTest.keyClicks(card.condition, words)
            view.selection.select(0)
            view.canvas.setFocus()
            assert not card.isVisible()
            console.actions[act].trigger()
            await until(lambda: console.strip.shown is not None)
            said = console.strip.shown
            assert said is not None
            assert said.text == (
                "The condition of a → b is typed and not set. Set it with Enter, or take it back with Esc, first."
            )
            assert (card.condition.text(), card.condition.hasFocus()) == (words, True)
            assert bool(card.problem) == words.endswith(">"), "it says again why it was refused"
            assert [type(item) for item in console.documents] == [Document], "nothing was started"
            QTest.keyClick(card.condition, Qt.Key.Key_Escape)
            assert not card.unset
            front_document = console.documents.front
            assert front_document is not None
            assert console.views.settle_to_start(front_document.key)

    desktop.run(main)
