"""Lining tasks up in the console, in a plan and in a run that goes on: by verb, key and menu, and back."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from tests.gui.canvas.editing import let_go
from tests.gui.composition.conftest import Desktop, at_rest
from tests.gui.composition.test_console import LONG, front, small, started
from tests.gui.engines import orchestrator_of
from tests.waiting import until

from starloom_gui.dialogs.command_palette import verbs_of
from starloom_gui.documents.document import Document
from starloom_gui.shell.menus import NODES, context_menu
from starloom_gui.text.words import tasks
from starloom_gui.viewmodel.aligning import Align

if TYPE_CHECKING:
    from starloom_gui.composition.console import Console

ALT, SHIFT = Qt.KeyboardModifier.AltModifier, Qt.KeyboardModifier.ShiftModifier


def places(console: Console) -> dict[str, tuple[float, float]]:
    picture = front(console).canvas.graph.picture
    assert picture is not None
    layout = picture.layout
    return {id: (x, y) for id, (x, y) in zip(layout.graph.ids, layout.positions.tolist(), strict=True)}


async def select(console: Console, *ids: str) -> None:
    """Select tasks, and wait until the window knows."""
    view = front(console)
    facts = view.source.editor.facts()
    assert facts is not None
    view.selection.select_all(facts.graph.place[id] for id in ids)
    await until(lambda: console.actions["align_left"].isEnabled() is (len(ids) > 1))


async def align_and_go_back(console: Console) -> None:
    """Have all tasks on one line by a verb, take it back and do it again."""
    before = places(console)
    await select(console, "a", "b", "c")
    console.actions["align_left"].trigger()
    await until(lambda: len({x for x, _ in places(console).values()}) == 1)
    done = places(console)
    await until(console.actions["undo"].isEnabled)
    assert console.actions["undo"].text() == f"Undo “Align {tasks(3)} left”"
    console.actions["undo"].trigger()
    await until(lambda: places(console) == before)
    await until(console.actions["redo"].isEnabled)
    console.actions["redo"].trigger()
    await until(lambda: places(console) == done)


def test_tasks_of_a_plan_are_lined_up_and_nothing_but_its_layout_is_other(desktop: Desktop) -> None:
    async def main() -> None:
        async with desktop.console() as console:
            console.documents.put_plan(small())
            await at_rest(console)
            was = console.documents.front
            assert isinstance(was, Document)
            await align_and_go_back(console)
            now = console.documents.front
            assert isinstance(now, Document)
            assert set(now.plan.layout) == {"a", "b", "c"}
            assert now.plan.laid_out({}) == was.plan

    desktop.run(main)


def test_tasks_of_a_run_are_lined_up_while_it_goes_on_and_nothing_of_it_is_edited(desktop: Desktop) -> None:
    async def main() -> None:
        async with desktop.console() as console:
            tab = await started(console, small(seconds=LONG))
            await at_rest(console)
            await align_and_go_back(console)
            assert orchestrator_of(console).run(tab.run_id).revision == 0

    desktop.run(main)


def test_the_keys_of_the_verbs_work_on_the_canvas_and_say_why_not(desktop: Desktop) -> None:
    async def main() -> None:
        async with desktop.console() as console:
            console.documents.put_plan(small())
            await at_rest(console)
            canvas = front(console).canvas
            console.window.activateWindow()
            await until(console.window.isActiveWindow)
            canvas.setFocus()
            await select(console, "a", "c")
            QTest.keyClick(canvas, Qt.Key.Key_Right, ALT | SHIFT)
            let_go(canvas)
            await until(lambda: places(console)["a"][0] == places(console)["c"][0])
            await select(console, "a")
            assert not console.actions["distribute_across"].isEnabled()
            assert "three selected tasks" in console.actions["distribute_across"].toolTip()
            QTest.keyClick(canvas, Qt.Key.Key_Right, ALT | SHIFT)
            let_go(canvas)
            assert "two selected tasks" in canvas.overlay.note

    desktop.run(main)


def test_whether_nodes_snap_is_kept_and_holds_for_every_view(desktop: Desktop) -> None:
    async def main() -> None:
        async with desktop.console() as console:
            console.documents.put_plan(small())
            await at_rest(console)
            assert console.actions["snap"].isChecked()
            assert front(console).canvas.layout_controller.wants_snap
            console.actions["snap"].trigger()
            assert not front(console).canvas.layout_controller.wants_snap
            console.documents.put_plan(small())
            await at_rest(console)
            assert not front(console).canvas.layout_controller.wants_snap
        async with desktop.console() as console:
            console.documents.put_plan(small())
            await at_rest(console)
            assert not console.actions["snap"].isChecked()
            assert not front(console).canvas.layout_controller.wants_snap

    desktop.run(main)


def test_the_verbs_are_in_the_menus_and_in_the_palette_of_commands(desktop: Desktop) -> None:
    async def main() -> None:
        async with desktop.console() as console:
            console.documents.put_plan(small())
            await at_rest(console)
            known = {named.path: named for named in verbs_of(console.window.menuBar())}
            for how in Align:
                action = console.actions[how]
                assert f"View: Arrange: {action.text()}" in known
                assert action.shortcut().toString().startswith("Alt+Shift+")
            menu = context_menu(console.actions, NODES, console.window)
            arrange: Any = next(each for each in menu.actions() if each.text() == "Arrange")
            assert [each.text() for each in arrange.menu().actions() if not each.isSeparator()] == [
                *(console.actions[how].text() for how in Align),
                *("Snap", "Tidy", "Group selection…", "Ungroup"),
            ]
            menu.deleteLater()

    desktop.run(main)
