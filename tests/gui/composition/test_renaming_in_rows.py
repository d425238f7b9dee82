"""F2 renames the current task in the Outline and in Tasks, as on the canvas."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractItemView
from tests.driver import plan, task
from tests.gui.composition.conftest import at_rest
from tests.gui.composition.test_console import front
from tests.gui.composition.test_stopping import readied, steps
from tests.gui.composition.test_without_a_mouse import LONG, Key
from tests.waiting import until

from starloom.model.status import TaskStatus
from starloom_gui.canvas.rename_field import RenameField

if TYPE_CHECKING:
    from tests.gui.composition.conftest import Desktop

    from starloom_gui.composition.console import Console

PANES = ["outline", "tasks"]


async def rows(console: Console, pane: str, task_id: str) -> QAbstractItemView:
    """The rows of a pane, in front, with the keyboard and a task that is current."""
    console.window.workbench.show_pane(pane)
    document_view = front(console)
    view = document_view.pane(pane).focusProxy()
    assert isinstance(view, QAbstractItemView)
    await until(view.isVisible)
    facts = document_view.source.editor.facts()
    assert facts is not None
    document_view.selection.select(facts.graph.place[task_id])
    view.setFocus()
    await until(lambda: view.currentIndex().isValid())
    return view


def field_in(view: QAbstractItemView) -> RenameField | None:
    return next((one for one in view.viewport().findChildren(RenameField) if one.isVisible()), None)


def name_of(console: Console, task_id: str) -> str:
    facts = front(console).source.editor.facts()
    assert facts is not None
    return facts.graph.task(task_id).title


@pytest.mark.parametrize("pane", PANES)
def test_f2_renames_the_current_task_where_it_is_listed_and_undo_takes_it_back(desktop: Desktop, pane: str) -> None:
    async def main() -> None:
        async with desktop.console() as console:
            console.documents.put_plan(plan([task("compile"), task("link")], ["compile>link"]))
            await at_rest(console)
            view = await rows(console, pane, "link")
            QTest.keyClick(view, Qt.Key.Key_F2)
            field = field_in(view)
            assert field is not None
            assert (field.text(), field.selectedText()) == ("link", "link")
            assert view.viewport().rect().contains(field.geometry().topLeft())
            field.insert("Link all")
            QTest.keyClick(field, Qt.Key.Key_Return)
            await until(lambda: name_of(console, "link") == "Link all")
            assert field_in(view) is None
            await until(lambda: "Rename" in console.actions["undo"].text() and console.actions["undo"].isEnabled())
            console.actions["undo"].trigger()
            await until(lambda: name_of(console, "link") == "link")

    desktop.run(main)


@pytest.mark.parametrize("pane", PANES)
def test_escape_keeps_the_name(desktop: Desktop, pane: str) -> None:
    async def main() -> None:
        async with desktop.console() as console:
            console.documents.put_plan(plan([task("compile"), task("link")], ["compile>link"]))
            await at_rest(console)
            view = await rows(console, pane, "link")
            QTest.keyClick(view, Qt.Key.Key_F2)
            field = field_in(view)
            assert field is not None
            field.insert("Other")
            QTest.keyClick(field, Qt.Key.Key_Escape)
            await at_rest(console)
            assert field_in(view) is None
            assert name_of(console, "link") == "link"

    desktop.run(main)


@pytest.mark.parametrize("pane", PANES)
def test_a_task_that_has_started_is_not_renamed_and_it_is_said_why(desktop: Desktop, pane: str) -> None:
    async def main() -> None:
        async with desktop.console() as console:
            run, keyboard = await readied(console, steps("a", "b", edges=("a>b",), lasts=LONG))
            await keyboard.choose(Key.Key_F5)
            await until(lambda: run.task("a").status is TaskStatus.RUNNING)
            await at_rest(console)
            said: list[tuple[str, str]] = []
            front(console).refused.connect(lambda what, why: said.append((what, why)))
            view = await rows(console, pane, "a")
            QTest.keyClick(view, Qt.Key.Key_F2)
            assert field_in(view) is None
            [(what, why)] = said
            assert what == "Rename"
            assert why
            view = await rows(console, pane, "b")
            QTest.keyClick(view, Qt.Key.Key_F2)
            field = field_in(view)
            assert field is not None
            field.insert("Second")
            QTest.keyClick(field, Qt.Key.Key_Return)
            await until(lambda: name_of(console, "b") == "Second")

    desktop.run(main)
