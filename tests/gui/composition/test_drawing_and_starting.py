"""What was drawn here starts without a question; what was pasted from elsewhere is shown first."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest
from tests.driver import plan, task
from tests.gui.composition.conftest import Desktop, at_rest
from tests.gui.composition.test_console import front
from tests.gui.engines import orchestrator_of
from tests.waiting import until

from starloom.model.status import RunState
from starloom_gui.dialogs.closing import DISCARD, UnsetDialog
from starloom_gui.dialogs.first_look import FirstLookDialog
from starloom_gui.documents.document import Document, RunTab
from starloom_gui.editing.clipboard import mime_of
from starloom_gui.editing.snippets import Snippet

if TYPE_CHECKING:
    from starloom_gui.canvas.draft_field import DraftField
    from starloom_gui.composition.console import Console

LEFT = Qt.MouseButton.LeftButton


def begin(console: Console) -> DraftField:
    """Begin a task as users do, on empty canvas."""
    view = front(console).canvas
    at = view.viewport().rect().center()
    QTest.mouseClick(view.viewport(), LEFT, Qt.KeyboardModifier.NoModifier, at)
    QTest.mouseDClick(view.viewport(), LEFT, Qt.KeyboardModifier.NoModifier, at)
    verbs = view.gestures.verbs
    assert verbs is not None
    field = verbs.drafting.field
    assert field is not None
    return field


def draw(console: Console, name: str, command: str) -> None:
    """Draw a task with its name and command."""
    field = begin(console)
    QTest.keyClicks(field.name, name)
    QTest.keyClick(field.name, Qt.Key.Key_Tab)
    QTest.keyClicks(field.work, command)
    QTest.keyClick(field.work, Qt.Key.Key_Return)


def asked(console: Console) -> list[FirstLookDialog]:
    return console.window.findChildren(FirstLookDialog)


def test_what_was_drawn_here_starts_at_once(desktop: Desktop) -> None:
    async def main() -> None:
        async with desktop.console() as console:
            console.documents.put_new()
            await at_rest(console)
            draw(console, "Say hello", "true")
            await at_rest(console)
            document = console.documents.front
            assert isinstance(document, Document)
            assert [(one.id, one.name, one.command) for one in document.plan.tasks] == [
                ("say-hello", "Say hello", ("true",))
            ]
            await until(console.actions["start"].isEnabled)  # a moment ago there was nothing to start
            console.actions["start"].trigger()
            await until(lambda: isinstance(console.documents.front, RunTab))
            assert asked(console) == []
            run = orchestrator_of(console).run(console.documents.runs[0].run_id)
            async with asyncio.timeout(60):
                await run.finished()
            assert run.state is RunState.COMPLETED

    desktop.run(main)


def test_closing_the_tab_while_a_task_is_being_named_closes_it_once_that_may_be_lost(desktop: Desktop) -> None:
    async def main() -> None:
        async with desktop.console() as console:
            console.documents.put_new()
            await at_rest(console)
            console.window.activateWindow()
            await until(console.window.isActiveWindow)
            QTest.keyClicks(begin(console).name, "half")
            console.actions["close_tab"].trigger()
            await until(lambda: bool(console.window.findChildren(UnsetDialog)))
            (question,) = console.window.findChildren(UnsetDialog)
            question.choices.choose(DISCARD)
            await until(lambda: console.documents.front is None)
            assert console.views.front is None

    desktop.run(main)


def test_turning_to_another_tab_keeps_what_was_written_and_adds_nothing(desktop: Desktop) -> None:
    async def main() -> None:
        async with desktop.console() as console:
            first = console.documents.put_new()
            await at_rest(console)
            console.window.activateWindow()
            await until(console.window.isActiveWindow)
            field = begin(console)
            QTest.keyClicks(field.name, "half")
            console.documents.put_new()
            await at_rest(console)
            document = console.documents.document(first.key)
            assert document is not None
            assert document.plan.tasks == ()
            console.documents.turn_to(first.key)
            await at_rest(console)
            assert field.isVisible()
            QTest.keyClick(field.name, Qt.Key.Key_Return)
            document = console.documents.document(first.key)
            assert document is not None
            assert [one.id for one in document.plan.tasks] == ["half"]

    desktop.run(main)


def test_what_was_pasted_from_elsewhere_is_shown_first_and_copies_of_what_is_there_are_not(desktop: Desktop) -> None:
    async def main() -> None:
        async with desktop.console() as console:
            console.documents.put_new()
            await at_rest(console)
            draw(console, "mine", "true")
            await at_rest(console)
            document_view = front(console)
            QGuiApplication.clipboard().setMimeData(mime_of(Snippet(tasks=(task("copy", command=("true",)),))))
            document_view.edit_wiring.pasting[0].trigger()
            document = console.documents.front
            assert isinstance(document, Document)
            assert len(document.plan.tasks) == 2
            assert document.is_seen
            QGuiApplication.clipboard().setMimeData(mime_of(Snippet(tasks=(task("other", command=("false",)),))))
            document_view.edit_wiring.pasting[0].trigger()
            await until(console.actions["start"].isEnabled)
            console.actions["start"].trigger()
            await until(lambda: bool(asked(console)))
            asked(console)[0].reject()
            await until(lambda: not asked(console) or not asked(console)[0].isVisible())
            assert console.documents.runs == ()

    desktop.run(main)


def test_the_key_of_what_is_not_possible_says_why_until_it_is(desktop: Desktop) -> None:
    async def main() -> None:
        async with desktop.console() as console:
            key = console.documents.put_new().key
            await at_rest(console)
            console.window.activateWindow()
            canvas = front(console).canvas
            QTest.keyClick(canvas, Qt.Key.Key_F5)
            said = console.strip.shown
            assert said is not None
            assert said.text == "The plan has no tasks. Add one before you start it."
            assert said.is_notice
            console.documents.change(key, plan(["a"]), is_typed=True)
            await until(console.actions["start"].isEnabled)
            assert console.strip.shown is None
            assert not console.documents.runs

    desktop.run(main)
