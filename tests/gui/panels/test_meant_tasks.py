"""A field of several tasks after what was typed has changed which of them it is about."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from tests.driver import Driver, plan, task
from tests.gui.editing.engine_by_hand import EditorByHand
from tests.gui.panels.fleets import ByHand

from starloom.scheduling.read.run_view import RunView
from starloom_gui.editing.run_gateway import RunGateway
from starloom_gui.gateway.changes import Changes
from starloom_gui.panels.inspector import Inspector
from starloom_gui.viewmodel.reach import TaskScope
from starloom_gui.viewmodel.selection import Selection

if TYPE_CHECKING:
    from PySide6.QtWidgets import QApplication

    from starloom_gui.theme.appearance import Appearance


def test_the_value_for_those_that_were_meant_is_not_shown_for_others_that_have_kept_theirs(
    app: QApplication, appearance: Appearance
) -> None:
    driver = Driver(slots=1)
    steps = [task(name, timeout=4) for name in ("x", "y", "z")]
    run = driver.create(plan(steps, ["x>y", "y>z"]))
    driver.fail("x")
    asks, selection = RunGateway(EditorByHand(driver), ByHand(driver)), Selection()
    shown = lambda: RunView(driver.run())  # noqa: E731
    inspector = Inspector(appearance, selection, shown, lambda: 0.0, asks, lambda _, one: driver.why(one))
    inspector.resize(296, 752)
    inspector.show()
    inspector.activateWindow()
    selection.select(run.graph.place["x"])
    inspector.mean(TaskScope.DOWNSTREAM)
    app.processEvents()
    value = inspector.fields.value("timeout")
    assert value.text() == "4s"
    value.setFocus()
    value.selectAll()
    QTest.keyClick(value, Qt.Key.Key_Delete)
    QTest.keyClick(value, Qt.Key.Key_Return)
    inspector.on_changes(Changes(run_id=run.run_id, everything=True))
    timeouts = {name: run.graph.task(name).timeout for name in ("x", "y", "z")}
    assert driver.status("x") == "running"
    assert timeouts == {"x": None, "y": 4, "z": 4}
    assert value.text() == "4s", "which is what those that can still be changed have"
