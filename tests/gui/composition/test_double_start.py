"""Two clicks on Start, or two presses of its key, start one run and are no error."""

from __future__ import annotations

import asyncio
from functools import partial
from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import QEvent, QPointF, Qt
from PySide6.QtGui import QCursor, QMouseEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from tests.gui.composition.conftest import Desktop, at_rest
from tests.gui.composition.test_console import LONG, small
from tests.gui.engines import orchestrator_of
from tests.waiting import until

from starloom.model.status import RunState
from starloom_gui.documents.document import RunTab

if TYPE_CHECKING:
    from collections.abc import Collection

    from starloom.model.plan import Plan
    from starloom_gui.composition.console import Console

pytestmark = pytest.mark.usefixtures("app")


async def opened(console: Console) -> None:
    console.documents.put_plan(small(seconds=LONG))
    await at_rest(console)
    main = console.window.tool_bar.main
    QCursor.setPos(main.mapToGlobal(main.rect().center()))


async def is_executing(console: Console) -> None:
    await until(lambda: isinstance(console.documents.front, RunTab))
    await console.starter.background_tasks.settled()
    await at_rest(console)
    assert [run.state for run in console.bridge.all_runs()] == [RunState.EXECUTING]


def test_a_key_that_is_pressed_twice_starts_one_run(desktop: Desktop) -> None:
    async def main() -> None:
        async with desktop.console() as console:
            await opened(console)
            QTest.keyClick(console.window, Qt.Key.Key_F5)
            QTest.keyClick(console.window, Qt.Key.Key_F5)
            await is_executing(console)
            assert console.strip.shown is None

    desktop.run(main)


@pytest.mark.parametrize("milliseconds", [0, 5, 40])
def test_a_double_click_starts_one_run_and_is_no_error(desktop: Desktop, milliseconds: int) -> None:
    async def main() -> None:
        async with desktop.console() as console:
            await opened(console)
            QTest.mouseClick(console.window.tool_bar.main, Qt.MouseButton.LeftButton)
            await asyncio.sleep(milliseconds / 1000)
            QTest.mouseClick(console.window.tool_bar.main, Qt.MouseButton.LeftButton)
            await is_executing(console)
            assert console.strip.shown is None

    desktop.run(main)


def test_a_click_just_before_the_run_is_in_front_starts_no_second_run(
    desktop: Desktop, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def main() -> None:
        async with desktop.console() as console:
            await opened(console)
            click = partial(QTest.mouseClick, console.window.tool_bar.main, Qt.MouseButton.LeftButton)
            begin, is_second = console.engine.start, False

            async def begin_and_click(plan: Plan, run_id: str, rules: Collection[str] | None, **how: bool) -> None:
                nonlocal is_second
                await begin(plan, run_id, rules, **how)
                if not is_second:
                    is_second = True
                    click()  # what it asks for comes to its turn when this start is over

            monkeypatch.setattr(console.engine, "start", begin_and_click)
            click()
            await is_executing(console)
            assert is_second
            assert console.strip.shown is None

    desktop.run(main)


def test_the_second_click_of_a_double_click_does_nothing_whenever_it_comes(desktop: Desktop) -> None:
    async def main() -> None:
        async with desktop.console() as console:
            await opened(console)
            button, asked = console.window.tool_bar.main, []
            console.actions["start"].triggered.connect(lambda: asked.append("start"))
            QTest.mouseClick(button, Qt.MouseButton.LeftButton)
            at, none, left = QPointF(button.rect().center()), Qt.KeyboardModifier.NoModifier, Qt.MouseButton.LeftButton
            for kind in (QEvent.Type.MouseButtonDblClick, QEvent.Type.MouseButtonRelease):
                QApplication.sendEvent(button, QMouseEvent(kind, at, button.mapToGlobal(at), left, left, none))
            assert asked == ["start"]
            await is_executing(console)

    desktop.run(main)


def test_a_start_that_the_closing_console_interrupts_is_no_error(
    desktop: Desktop, monkeypatch: pytest.MonkeyPatch
) -> None:
    began, tabs = asyncio.Event(), []

    async def main() -> None:
        async with desktop.console() as console:
            await opened(console)

            async def begin(plan: Plan, run_id: str, _rules: Collection[str] | None, **_: bool) -> None:
                await orchestrator_of(console).start(plan, run_id=run_id, paused=True)
                began.set()
                await asyncio.Event().wait()

            monkeypatch.setattr(console.engine, "start", begin)
            monkeypatch.setattr(console.documents, "put_run", lambda *asked: tabs.append(asked))
            console.actions["start"].trigger()
            await began.wait()
        assert not tabs, "there is no window that could show it"

    desktop.run(main)
