"""The window without a mouse: Tab goes around all of it, and a plan is drawn, run, stopped and exported by keys."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication, QFileDialog, QWidget
from tests.gui.composition.conftest import Desktop, at_rest
from tests.gui.composition.test_without_a_mouse import ALT, CTRL, SHIFT, Keyboard, begun, chain
from tests.gui.engines import orchestrator_of
from tests.waiting import until

from starloom.model.status import RunState, TaskStatus
from starloom_gui.dialogs.command_palette import CommandPalette, meant, verbs_of
from starloom_gui.documents.document import Document, RunTab
from starloom_gui.shell.tab_order import stops

if TYPE_CHECKING:
    from pathlib import Path

    from starloom.model.plan import Plan
    from starloom_gui.canvas.draft_field import DraftField
    from starloom_gui.composition.console import Console

Key = Qt.Key
MOST = 300
"""More stops than the window has."""


async def active(console: Console) -> Keyboard:
    """The keyboard of a console whose window is the active one."""
    handle = console.window.windowHandle()
    await until(handle.isExposed)
    handle.requestActivate()
    await until(console.window.isActiveWindow)
    return Keyboard(console)


async def opened_with(console: Console, what: str) -> Keyboard:
    """A console with something in front: an empty plan, a plan, a task of it, or a run."""
    if what == "run":
        return (await begun(console, chain("a", "b")))[0]
    keyboard = await active(console)
    if what == "empty plan":
        await keyboard.choose(Key.Key_N, CTRL)
    else:
        console.documents.put_plan(chain("a", "b"))
        await at_rest(console)
        if what == "task":
            front = console.views.front
            assert front is not None
            front.canvas.setFocus()
            keyboard.press(Key.Key_Home)
    await at_rest(console)
    return keyboard


def around(one: QWidget) -> list[QWidget]:
    """What a widget lies in, from the inside to the outside."""
    inside = one.parentWidget()
    return [inside, *around(inside)] if inside is not None else []


def takes_tab(console: Console) -> set[QWidget]:
    """Everything in sight that says it is a stop of Tab, wherever it is."""
    window = console.window
    return {
        one
        for one in window.findChildren(QWidget)
        if one.focusPolicy() & Qt.FocusPolicy.TabFocus
        and one.focusProxy() is None
        and one.window() is window
        and one.isVisibleTo(window)
        and one.isEnabled()
    }


@pytest.mark.parametrize("what", ["empty plan", "plan", "task", "run"])
def test_tab_goes_around_the_whole_window_both_ways(desktop: Desktop, what: str) -> None:
    async def main() -> None:
        async with desktop.console() as console:
            keyboard = await opened_with(console, what)
            walked = []
            for key in (Key.Key_Tab, Key.Key_Backtab):
                seen = [keyboard.where()]
                while len(seen) < MOST:
                    keyboard.press(key)
                    if keyboard.where() is seen[0]:
                        break
                    assert keyboard.where() not in seen, f"{key} is stuck at {keyboard.where()}"
                    seen.append(keyboard.where())
                walked.append(seen)
            forth, back = walked
            assert set(forth) == takes_tab(console)
            assert [back[0], *reversed(back[1:])] == forth

    desktop.run(main)


def test_tab_goes_through_the_rooms_as_they_are_read(desktop: Desktop) -> None:
    async def main() -> None:
        async with desktop.console() as console:
            await opened_with(console, "plan")
            bench, window = console.window.workbench, console.window
            rooms = (*bench.rooms, window.status)
            found = stops(window, rooms)
            order = [next(at for at, room in enumerate(rooms) if room in (one, *around(one))) for one in found]
            assert order == sorted(order)
            assert len(set(order)) >= 8, "it has been to all of them"

    desktop.run(main)


def draft(console: Console) -> DraftField | None:
    """The form of a new task in the graph in front."""
    front = console.views.front
    assert front is not None
    verbs = front.canvas.gestures.verbs
    assert verbs is not None
    return verbs.drafting.field


def test_a_new_plan_has_the_keyboard_in_its_graph_and_insert_writes_a_task_there(desktop: Desktop) -> None:
    async def main() -> None:
        async with desktop.console() as console:
            keyboard = await opened_with(console, "plan")
            keyboard.press(Key.Key_1, ALT)
            await keyboard.choose(Key.Key_N, CTRL)
            front = console.views.front
            assert front is not None
            assert QApplication.focusWidget() is front.canvas
            assert not front.selection.now.numbers
            keyboard.press(Key.Key_Insert)
            field = draft(console)
            assert field is not None
            assert field.name.hasFocus()

    desktop.run(main)


@pytest.mark.parametrize("words", ["add task", "new task", "create", "insert node"])
def test_the_palette_adds_a_task_by_whatever_it_is_called(desktop: Desktop, words: str) -> None:
    async def main() -> None:
        async with desktop.console() as console:
            keyboard = await opened_with(console, "empty plan")
            keyboard.press(Key.Key_1, ALT)
            await keyboard.command(words)
            field = draft(console)
            assert field is not None
            assert console.window.focusWidget() is field.name, "who goes on typing writes its name"

    desktop.run(main)


def test_the_palette_says_that_nothing_is_found_and_has_no_nameless_verb(desktop: Desktop) -> None:
    async def main() -> None:
        async with desktop.console() as console:
            keyboard = await opened_with(console, "empty plan")
            verbs = verbs_of(console.window.menuBar())
            assert all(verb.name.strip() and "\t" not in verb.path for verb in verbs)
            assert not meant(verbs, "no such verb")
            keyboard.press(Key.Key_P, CTRL | SHIFT)
            await until(lambda: isinstance(QApplication.activeModalWidget(), CommandPalette))
            palette = QApplication.activeModalWidget()
            assert isinstance(palette, CommandPalette)
            await until(palette.line.hasFocus)
            assert not palette.line.accessibleDescription()
            keyboard.write("no such verb")
            assert palette.nothing.isVisible()
            assert palette.line.accessibleDescription() == palette.nothing.text() == "Nothing found"
            keyboard.press(Key.Key_Escape)

    desktop.run(main)


def test_the_graph_has_a_key_as_the_panes_have(desktop: Desktop) -> None:
    async def main() -> None:
        async with desktop.console() as console:
            keyboard = await opened_with(console, "plan")
            keyboard.press(Key.Key_1, ALT)
            front = console.views.front
            assert front is not None
            assert QApplication.focusWidget() is not front.canvas
            keyboard.press(Key.Key_C, ALT)
            assert QApplication.focusWidget() is front.canvas

    desktop.run(main)


async def write_task(console: Console, keyboard: Keyboard, name: str, command: str) -> None:
    """Have a task with a command written in the graph in front."""
    keyboard.press(Key.Key_Insert)
    keyboard.write(name)
    keyboard.press(Key.Key_Tab)
    keyboard.write(command)
    await keyboard.choose(Key.Key_Return)
    await active(console)  # offscreen, no window is for a moment
    assert draft(console) is None
    keyboard.press(Key.Key_Escape)  # nothing is selected any more, so the next one does not come behind it


def test_from_an_empty_plan_to_an_exported_run(desktop: Desktop, tmp_path: Path) -> None:
    async def main() -> None:
        async with desktop.console() as console:
            keyboard = await opened_with(console, "empty plan")
            await write_task(console, keyboard, "one", "sleep 3600")
            await write_task(console, keyboard, "two", "true")
            plan = front_plan(console)
            assert [(task.id, task.command) for task in plan.tasks] == [("one", ("sleep", "3600")), ("two", ("true",))]
            assert not plan.dependencies
            keyboard.press(Key.Key_F, CTRL)
            keyboard.write("one")
            keyboard.press(Key.Key_Return)
            keyboard.press(Key.Key_K, CTRL)
            await keyboard.choose(Key.Key_Return)
            assert [(edge.parent, edge.child) for edge in front_plan(console).dependencies] == [("one", "two")]
            await active(console)
            await keyboard.choose(Key.Key_F5)
            await until(lambda: isinstance(console.documents.front, RunTab))
            tab = console.documents.front
            assert isinstance(tab, RunTab)
            run = orchestrator_of(console).run(tab.run_id)
            await until(lambda: run.task("one").status is TaskStatus.RUNNING)
            await at_rest(console)
            await active(console)
            keyboard.press(Key.Key_C, ALT)
            keyboard.press(Key.Key_Home)
            await until(lambda: console.actions["cancel"].isEnabled())
            await keyboard.choose(Key.Key_C, CTRL | SHIFT)
            await until(lambda: run.state.has_ended)
            assert run.task("one").status is TaskStatus.CANCELLED
            await until(lambda: console.actions["rerun"].isEnabled())
            await keyboard.command("rerun")
            await active(console)
            await until(lambda: run.task("one").status is TaskStatus.RUNNING and len(run.task("one").attempts) == 2)
            await until(lambda: console.actions["export"].isEnabled())
            keyboard.press(Key.Key_R, CTRL | SHIFT)
            await until(lambda: console.window.findChildren(QFileDialog))
            (dialog,) = console.window.findChildren(QFileDialog)
            await until(dialog.isActiveWindow)
            keyboard.write(str(tmp_path / "told.json"))
            keyboard.press(Key.Key_Return)
            await console.files.exporting.settled()
            assert (tmp_path / "told.json").exists()
            assert run.state is RunState.EXECUTING

    desktop.run(main)


def front_plan(console: Console) -> Plan:
    """The plan in front."""
    front = console.documents.front
    assert isinstance(front, Document)
    return front.plan
