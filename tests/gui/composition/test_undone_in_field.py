"""A value that its author has undone stands in its field, though that has the keyboard."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from tests.driver import plan, task
from tests.gui.composition.conftest import Desktop, at_rest
from tests.gui.composition.test_console import LONG, front
from tests.waiting import until

from starloom.model.device import DeviceSpec
from starloom.model.plan import Limits
from starloom.model.status import RunState
from starloom.scheduling.commands import PauseRun
from starloom.scheduling.read.run_view import RunView
from starloom_gui.panels.limits import LimitRow

if TYPE_CHECKING:
    from starloom_gui.composition.console import Console

pytestmark = pytest.mark.usefixtures("app")


@pytest.mark.parametrize("is_paused", [True, False])
def test_what_was_set_and_undone_is_gone_from_its_field(desktop: Desktop, is_paused: bool) -> None:
    steps = [task("first", simulate=LONG), task("ship", shell="echo one")]
    wanted = replace(plan(steps, ["first>ship"]), devices=(DeviceSpec(id="lab", kind="simulated", slots=1),))

    async def main() -> None:
        async with desktop.attached("r", wanted) as console:
            await at_rest(console)
            view = front(console)
            if is_paused:
                view.source.gateway.do(PauseRun(run_id="r"))
                await until(lambda: run_of(console).state is RunState.PAUSED)
            view.selection.select(run_of(console).graph.place["ship"])
            inspector = view.views["inspector"].widget
            await at_rest(console)
            field = inspector.fields.value("shell")
            field.setFocus()
            keys = field.focusProxy() or field
            QTest.keyClicks(keys, "; echo two")
            QTest.keyClick(keys, Qt.Key.Key_Return, Qt.KeyboardModifier.ControlModifier)
            await until(lambda: shell_of(console) != "echo one")
            await at_rest(console)
            await until(console.actions["undo"].isEnabled)
            console.actions["undo"].trigger()
            await until(lambda: shell_of(console) == "echo one")
            await at_rest(console)
            assert field.text() == "echo one"
            assert inspector.fields.told("shell") == ""

    desktop.run(main)


def test_a_limit_that_was_set_and_undone_is_gone_from_its_field(desktop: Desktop) -> None:
    wanted = replace(plan([task("first", simulate=LONG)]), devices=(DeviceSpec(id="lab", kind="simulated", slots=1),))

    async def main() -> None:
        async with desktop.attached("r", replace(wanted, limits=Limits(max_concurrency=2))) as console:
            console.window.workbench.show_pane("queue")
            await at_rest(console)
            (row,) = [one for one in console.window.findChildren(LimitRow) if one.label.text() == "This run"]
            line = row.field.line
            line.setFocus()
            line.selectAll()
            QTest.keyClicks(line, "4")
            QTest.keyClick(line, Qt.Key.Key_Return)
            await until(lambda: run_of(console).limit == 4)
            await until(console.actions["undo"].isEnabled)
            console.actions["undo"].trigger()
            await until(lambda: run_of(console).limit == 2)
            await at_rest(console)
            assert line.hasFocus()
            assert line.text() == "2"
            assert row.beside.isHidden()

    desktop.run(main)


def run_of(console: Console) -> RunView:
    return RunView(console.bridge.all_runs()[0])


def shell_of(console: Console) -> str | None:
    return run_of(console).graph.task("ship").shell
