"""Ten jobs that the console is there for, each done with keys alone, from the window as it opens."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QWidget
from tests.driver import plan, task
from tests.gui.composition.conftest import Desktop, at_rest
from tests.gui.engines import orchestrator_of
from tests.gui.pressing import press
from tests.waiting import until

from starloom.model.device import DeviceSpec
from starloom.model.status import RunState, TaskStatus
from starloom_gui.dialogs.closing import CancelDialog
from starloom_gui.dialogs.command_palette import CommandPalette
from starloom_gui.dialogs.shortcut_sheet import ShortcutSheet
from starloom_gui.documents.document import RunTab
from starloom_gui.panels.limit_popover import LimitPopover
from starloom_gui.viewmodel.keys import Scope

if TYPE_CHECKING:
    from collections.abc import Callable

    from starloom.orchestration.run import Run
    from starloom_gui.composition.console import Console

LONG = 3600.0
CTRL, SHIFT, ALT = (
    Qt.KeyboardModifier.ControlModifier,
    Qt.KeyboardModifier.ShiftModifier,
    Qt.KeyboardModifier.AltModifier,
)
Key = Qt.Key


def chain(*names: str, fails: str = ""):
    """Tasks in a row that take long, but for one that fails at once."""
    steps = [task(name, simulate={"duration": 0.0, "outcome": "failed"} if name == fails else LONG) for name in names]
    edges = [f"{one}>{two}" for one, two in pairwise(names)]
    made = plan(steps, [] if fails else edges)
    return replace(made, name="jobs", devices=(DeviceSpec(id="d", kind="simulated", slots=2),))


class Keyboard:
    """Whoever sits in front of the console.

    Attributes:
        console: the console.
    """

    def __init__(self, console: Console) -> None:
        self.console = console

    def press(self, key: Qt.Key, modifiers: Qt.KeyboardModifier = Qt.KeyboardModifier.NoModifier) -> None:
        """Press a key wherever the keyboard is."""
        QTest.keyClick(self.where(), key, modifiers)

    def write(self, text: str) -> None:
        """Type a text."""
        QTest.keyClicks(self.where(), text)

    def where(self) -> QWidget:
        """What the keyboard goes to."""
        return (
            QApplication.activePopupWidget()
            or QApplication.focusWidget()
            or QApplication.activeWindow()
            or self.console.window
        )

    async def command(self, words: str) -> None:
        """Do what these words find among the commands."""
        self.press(Key.Key_P, CTRL | SHIFT)
        await until(lambda: isinstance(QApplication.activeModalWidget(), CommandPalette))
        palette = QApplication.activeModalWidget()
        assert isinstance(palette, CommandPalette)
        await until(palette.line.hasFocus)
        self.write(words)
        await self.choose(Key.Key_Return)

    async def choose(self, key: Qt.Key, modifiers: Qt.KeyboardModifier = Qt.KeyboardModifier.NoModifier) -> None:
        """Press a key and let everything that follows from it happen."""
        self.press(key, modifiers)
        await at_rest(self.console)


async def begun(console: Console, made) -> tuple[Keyboard, Run]:
    """A run of a plan, started by key, with the keyboard in the graph."""
    handle = console.window.windowHandle()
    await until(handle.isExposed)
    handle.requestActivate()
    await until(console.window.isActiveWindow)
    console.documents.put_plan(made)
    keyboard = Keyboard(console)
    await keyboard.choose(Key.Key_F5)
    await until(lambda: isinstance(console.documents.front, RunTab))
    await at_rest(console)
    front = console.documents.front
    assert isinstance(front, RunTab)
    run = orchestrator_of(console).run(front.run_id)
    await until(lambda: run.state is RunState.EXECUTING)
    await until(lambda: console.actions["pause"].isEnabled())
    return keyboard, run


def job(desktop: Desktop, made, doing: Callable[..., Any]) -> None:
    async def main() -> None:
        async with desktop.console() as console:
            keyboard, run = await begun(console, made)
            await doing(console, keyboard, run)

    desktop.run(main)


def test_pause_and_go_on(desktop: Desktop) -> None:
    async def doing(console, keyboard, run):
        await keyboard.choose(Key.Key_F6)
        assert run.state is RunState.PAUSED
        await until(lambda: console.actions["resume"].isEnabled())
        await keyboard.choose(Key.Key_F7)
        assert run.state is RunState.EXECUTING

    job(desktop, chain("a", "b"), doing)


def test_find_a_task_and_hold_it(desktop: Desktop) -> None:
    async def doing(console, keyboard, run):
        keyboard.press(Key.Key_F, CTRL)
        keyboard.write("c")
        keyboard.press(Key.Key_Return)
        await until(lambda: console.actions["hold"].isEnabled())
        await keyboard.choose(Key.Key_H, CTRL)
        assert run.task("c").is_held
        await until(lambda: console.actions["release"].isEnabled())
        await keyboard.choose(Key.Key_L, CTRL)
        assert not run.task("c").is_held

    job(desktop, chain("a", "b", "c"), doing)


def test_walk_along_the_graph_and_select_several(desktop: Desktop) -> None:
    async def doing(console, keyboard, run):
        view = console.views.front
        view.canvas.setFocus()
        keyboard.press(Key.Key_Home)
        keyboard.press(Key.Key_Right)
        keyboard.press(Key.Key_Right, CTRL)
        keyboard.press(Key.Key_Space, CTRL)
        assert view.target.task_ids == ("b", "c")

    job(desktop, chain("a", "b", "c"), doing)


def test_cancel_a_running_task(desktop: Desktop) -> None:
    async def doing(console, keyboard, run):
        await until(lambda: run.task("a").status is TaskStatus.RUNNING)
        console.views.front.canvas.setFocus()
        keyboard.press(Key.Key_Home)
        await until(lambda: console.actions["cancel"].isEnabled())
        await keyboard.choose(Key.Key_C, CTRL | SHIFT)
        await until(lambda: run.task("a").status is TaskStatus.CANCELLED)

    job(desktop, chain("a", "b"), doing)


def test_retry_all_that_failed(desktop: Desktop) -> None:
    async def doing(console, keyboard, run):
        await until(lambda: run.task("x").status is TaskStatus.FAILED)
        await until(lambda: console.actions["retry_failed"].isEnabled())
        await keyboard.choose(Key.Key_F8)
        await until(lambda: len(run.task("x").attempts) == 2)

    job(desktop, chain("a", "x", fails="x"), doing)


def test_change_the_limit(desktop: Desktop) -> None:
    async def doing(console, keyboard, run):
        press(keyboard.where(), Scope.WINDOW, "limit")
        await until(lambda: isinstance(QApplication.activePopupWidget(), LimitPopover))
        popover = QApplication.activePopupWidget()
        assert isinstance(popover, LimitPopover)
        await until(lambda: popover.rows[0].field.line.hasFocus())
        # Offscreen a popup becomes the active window later than that; closed before, it leaves none active.
        await until(lambda: QGuiApplication.focusWindow() is popover.windowHandle())
        QTest.keyClick(popover.rows[0].field.line, Key.Key_3)
        QTest.keyClick(popover.rows[0].field.line, Key.Key_Return)
        await until(lambda: console.bridge.run(run.id).limit == 3)
        assert console.bridge.fleet.max_concurrency is None, "it is this run's limit that is asked for"
        QTest.keyClick(popover.rows[0].field.line, Key.Key_Escape)
        await until(lambda: QApplication.activePopupWidget() is None)
        await until(console.actions["undo"].isEnabled)
        press(keyboard.where(), Scope.WINDOW, "undo")
        await until(lambda: console.bridge.run(run.id).limit is None)

    job(desktop, chain("a", "b"), doing)


def test_give_another_priority_from_the_menu_at_the_task(desktop: Desktop) -> None:
    async def doing(console, keyboard, run):
        console.views.front.canvas.setFocus()
        keyboard.press(Key.Key_Home)
        keyboard.press(Key.Key_End)
        await until(lambda: console.actions["priority_high"].isEnabled())
        await keyboard.command("priority high")
        assert run.task("b").priority == 80

    job(desktop, chain("a", "b"), doing)


def test_drain_a_device(desktop: Desktop) -> None:
    async def doing(console, keyboard, run):
        keyboard.press(Key.Key_3, ALT)
        await until(lambda: console.devices.isAncestorOf(QApplication.focusWidget()))
        keyboard.press(Key.Key_Home)
        await until(lambda: console.actions["drain"].isEnabled())
        await keyboard.command("drain")
        assert console.bridge.fleet.devices["d"].draining

    job(desktop, chain("a", "b"), doing)


def test_read_what_happened(desktop: Desktop) -> None:
    async def doing(console, keyboard, run):
        bench = console.window.workbench
        for digit, pane in ((Key.Key_7, "output"), (Key.Key_8, "events"), (Key.Key_9, "tasks")):
            keyboard.press(digit, ALT)
            assert bench.dock_of(pane).front == pane

    job(desktop, chain("a", "b"), doing)


def test_cancel_the_run_and_close_its_tab(desktop: Desktop) -> None:
    async def doing(console, keyboard, run):
        keyboard.press(Key.Key_F5, SHIFT)
        await until(lambda: isinstance(QApplication.activeWindow(), CancelDialog))
        keyboard.press(Key.Key_Tab)
        keyboard.press(Key.Key_Return)
        await until(lambda: run.state is RunState.CANCELLED)
        console.window.activateWindow()
        await until(console.window.isActiveWindow)
        keyboard.press(Key.Key_W, CTRL)
        assert not console.documents.runs

    job(desktop, chain("a", "b"), doing)


def test_see_all_keys(desktop: Desktop) -> None:
    async def doing(console, keyboard, run):
        console.views.front.canvas.setFocus()
        keyboard.press(Key.Key_Question)
        await until(lambda: isinstance(QApplication.activeModalWidget(), ShortcutSheet))
        sheet = QApplication.activeModalWidget()
        QTest.keyClick(sheet, Key.Key_Escape)
        await until(lambda: QApplication.activeModalWidget() is None)

    job(desktop, chain("a", "b"), doing)


def test_tab_goes_through_the_inspector_from_top_to_bottom(desktop: Desktop) -> None:
    async def main() -> None:
        async with desktop.console() as console:
            console.documents.put_plan(plan([task("a", shell="echo 1"), task("b", shell="echo 2")], ["a>b"]))
            await at_rest(console)
            keyboard = Keyboard(console)
            view = console.views.front
            assert view is not None
            view.selection.select(0)
            await at_rest(console)
            console.window.workbench.show_pane("inspector")
            await at_rest(console)
            page, passed = view.views["inspector"].widget.widget(), list[QWidget]()
            for _ in range(20):
                keyboard.press(Key.Key_Tab)
                focused = QApplication.focusWidget()
                if focused is None or not page.isAncestorOf(focused):
                    break
                passed.append(focused)
            tops = [one.mapTo(page, one.rect().center()).y() for one in passed]
            names = [one.accessibleName() for one in passed]
            assert {"Name", "Kind", "Shell", "Priority", "Timeout", "Fold What", "Unfold About"} <= set(names), names
            assert tops == sorted(tops), "headings stand before their fields, not all before the first field"

    desktop.run(main)
