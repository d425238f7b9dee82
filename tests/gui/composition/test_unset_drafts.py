"""What is typed for a task of a run and left by a click elsewhere: field and node say so until it is set."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from tests.driver import plan, task
from tests.gui.composition.conftest import Desktop, at_rest
from tests.gui.composition.test_agents import badge_of
from tests.gui.composition.test_console import LONG, front, started
from tests.waiting import until

from starloom.model.device import DeviceSpec
from starloom_gui.canvas.badges import Badge

if TYPE_CHECKING:
    from PySide6.QtCore import QRectF

    from starloom_gui.composition.console import Console

pytestmark = pytest.mark.usefixtures("app")
LEFT = Qt.MouseButton.LeftButton


def node(console: Console, name: str) -> QRectF:
    canvas = front(console).canvas
    assert canvas.graph.picture is not None
    row = canvas.graph.picture.row(console.bridge.all_runs()[0].graph.place[name])
    assert row is not None
    return canvas.graph.node_rect(row)


def simulated(console: Console, name: str) -> float | None:
    run = console.bridge.all_runs()[0]
    made = run.graph.tasks[run.graph.place[name]]
    assert made is not None
    assert made.simulate is not None
    return made.simulate.duration


@pytest.mark.parametrize("end", ["enter", "escape"])
def test_what_is_typed_and_not_set_is_marked_at_its_node_until_it_is_set_or_taken_back(
    desktop: Desktop, end: str
) -> None:
    steps = [task("first", simulate=LONG), task("publish", simulate=20), task("other", simulate=20)]
    edges = ["first>publish", "first>other"]
    wanted = replace(plan(steps, edges), devices=(DeviceSpec(id="d", kind="simulated", slots=1),))

    async def main() -> None:
        async with desktop.console() as console:
            await started(console, wanted)
            await at_rest(console)
            canvas, inspector = front(console).canvas, front(console).views["inspector"].widget
            QTest.mouseClick(canvas.viewport(), LEFT, pos=node(console, "publish").center().toPoint())
            value = inspector.fields.value("simulate")
            QTest.mouseClick(value, LEFT)
            value.selectAll()
            QTest.keyClicks(value, "90s")
            QTest.mouseClick(canvas.viewport(), LEFT, pos=node(console, "other").center().toPoint())
            await at_rest(console)
            assert badge_of(console, "publish") == Badge.UNSET
            assert badge_of(console, "other") == Badge.NONE
            assert simulated(console, "publish") == 20
            console.window.workbench.show_pane("changes")
            spot = node(console, "publish").topRight().toPoint() + QPoint(-3, -1)
            QTest.mouseClick(canvas.viewport(), LEFT, pos=spot)
            await until(inspector.isVisible)
            value = inspector.fields.value("simulate")
            assert value.text() == "90s"
            assert inspector.fields.told("simulate") == "Not set yet: Enter sets it, Esc takes it back"
            value.setFocus()
            QTest.keyClick(value, Qt.Key.Key_Return if end == "enter" else Qt.Key.Key_Escape)
            await until(lambda: badge_of(console, "publish") == Badge.NONE)
            await until(lambda: simulated(console, "publish") == (90 if end == "enter" else 20))
            await at_rest(console)
            QTest.mouseClick(canvas.viewport(), LEFT, pos=node(console, "other").center().toPoint())
            assert badge_of(console, "publish") == Badge.NONE

    desktop.run(main)
