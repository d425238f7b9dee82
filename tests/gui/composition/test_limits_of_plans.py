"""A limit that is given to a group of a plan before it is started, which its file keeps and its run goes by."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from tests.driver import plan, task
from tests.gui.composition.conftest import Desktop, at_rest
from tests.gui.composition.test_console import front
from tests.waiting import until

from starloom.formats import load_plan, save_plan
from starloom.model.device import DeviceSpec
from starloom_gui.viewmodel.limit_lines import LimitPart

if TYPE_CHECKING:
    from pathlib import Path

LAB = replace(
    plan([task(name, simulate=0.01, groups=("cards",)) for name in "abc"]),
    name="lab",
    devices=(DeviceSpec(id="d", kind="simulated", slots=3),),
)


def test_a_group_of_a_plan_is_limited_before_it_is_started(desktop: Desktop, tmp_path: Path) -> None:
    path = tmp_path / "lab.yaml"
    save_plan(LAB, path)

    async def main() -> None:
        async with desktop.console() as console:
            console.files.opening.open(path)
            await console.files.opening.settled()
            await at_rest(console)
            pane = front(console).views["queue"].widget
            console.window.workbench.show_pane("queue")
            await at_rest(console)
            pane.limits.refresh()
            field = pane.limits.row(LimitPart.PLAN_GROUP, "cards").field
            field.line.setFocus()
            field.line.selectAll()
            QTest.keyClicks(field.line, "1")
            QTest.keyClick(field.line, Qt.Key.Key_Return)
            document = console.documents.documents[0]
            assert document.plan.limits.groups == {"cards": 1}
            assert document.is_dirty
            assert not console.bridge.fleet.groups, "the fleet's own limits are as they were"
            console.actions["save"].trigger()
            await until(lambda: not console.documents.documents[0].is_dirty)
            assert load_plan(path).limits.groups == {"cards": 1}
            console.starter.start_plan(document.key)
            await until(lambda: console.bridge.fleet.groups == {"cards": 1})

    desktop.run(main)
