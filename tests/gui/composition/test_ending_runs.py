"""Cancelling a run is asked about, and closing its tab says what becomes of it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from tests.gui.composition.test_stopping import readied, steps
from tests.gui.composition.test_without_a_mouse import CTRL, LONG, SHIFT, Key
from tests.gui.documents.plans import shown
from tests.waiting import until

from starloom.model.status import RunState, TaskStatus
from starloom.scheduling import commands as c
from starloom_gui.dialogs.closing import CANCEL, CancelDialog

if TYPE_CHECKING:
    from tests.gui.composition.conftest import Desktop
    from tests.gui.composition.test_without_a_mouse import Keyboard

    from starloom.orchestration.run import Run
    from starloom_gui.composition.console import Console


async def running(console: Console) -> tuple[Run, Keyboard]:
    """A run of which one task runs and two wait for it."""
    run, keyboard = await readied(console, steps("a", "b", "c", edges=("a>b", "b>c"), lasts=LONG))
    await keyboard.choose(Key.Key_F5)
    await until(lambda: run.task("a").status is TaskStatus.RUNNING)
    await until(console.actions["cancel_run"].isEnabled)
    return run, keyboard


def test_cancelling_a_run_says_what_ends_and_escape_and_enter_keep_it(desktop: Desktop) -> None:
    async def main() -> None:
        async with desktop.console() as console:
            run, keyboard = await running(console)
            for key in (Qt.Key.Key_Escape, Qt.Key.Key_Return):
                keyboard.press(Key.Key_F5, SHIFT)
                dialog = await shown(console.window, CancelDialog)
                assert dialog.windowTitle() == "Cancel “by hand”?"
                assert dialog.choices.sentence.text().startswith("1 running, 2 not started. ")
                await until(dialog.isActiveWindow)
                QTest.keyClick(QApplication.focusWidget() or dialog, key)
                await console.window_actions.cancelling.background_tasks.settled()
                assert run.state is RunState.EXECUTING
                console.window.activateWindow()  # as window managers do when a dialog is gone
                await until(console.window.isActiveWindow)
            keyboard.press(Key.Key_F5, SHIFT)
            dialog = await shown(console.window, CancelDialog)
            dialog.choices.buttons[CANCEL].click()
            await until(lambda: run.state is RunState.CANCELLED)
            await until(
                lambda: console.gateway().can(c.RetryTasks(run_id=run.id, task_ids=("a",))).ok
            )  # as the question says

    desktop.run(main)


def test_the_question_is_over_when_the_run_has_ended(desktop: Desktop) -> None:
    async def main() -> None:
        async with desktop.console() as console:
            run, keyboard = await running(console)
            keyboard.press(Key.Key_F5, SHIFT)
            dialog = await shown(console.window, CancelDialog)
            await run.cancel_tasks("b")
            await until(lambda: dialog.choices.sentence.text().startswith("1 running. "))
            await run.cancel()
            await console.window_actions.cancelling.background_tasks.settled()

    desktop.run(main)


def test_a_run_whose_tab_is_closed_is_said_to_go_on_and_opens_again(desktop: Desktop) -> None:
    async def main() -> None:
        async with desktop.console() as console:
            run, keyboard = await running(console)
            keyboard.press(Key.Key_W, CTRL)
            assert not console.documents.runs
            strip = console.strip
            assert strip.isVisible()
            assert strip.shown is not None
            assert strip.shown.text == "“by hand” goes on without its tab. History (Ctrl+Shift+H) opens it again, too."
            act = strip.shown.act
            assert act is not None
            act()
            assert [one.run_id for one in console.documents.runs] == [run.id]
            assert not strip.isVisible()
            keyboard.press(Key.Key_W, CTRL)
            await until(lambda: strip.shown is not None)
            await run.cancel()
            await until(lambda: strip.shown is None)

    desktop.run(main)


def test_nothing_is_said_of_a_run_that_has_ended(desktop: Desktop) -> None:
    async def main() -> None:
        async with desktop.console() as console:
            run, keyboard = await running(console)
            await run.cancel()
            keyboard.press(Key.Key_W, CTRL)
            assert not console.documents.runs
            assert console.strip.shown is None

    desktop.run(main)
