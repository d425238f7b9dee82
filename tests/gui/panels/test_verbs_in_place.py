"""The buttons of the inspector's head while the state of the selection changes: none comes where another one stood."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from tests.gui.panels.test_inspector import InspectorBench

from starloom.scheduling import commands as c
from starloom_gui.widgets import click_guard

if TYPE_CHECKING:
    import pytest
    from PySide6.QtWidgets import QApplication

    from starloom_gui.theme.appearance import Appearance


def begun(bench: InspectorBench) -> None:
    """Have what waited for its group start."""
    bench.driver.do(c.SetLimits(groups={"licences": None}))
    bench.told()
    assert bench.driver.status("coverage") == "running"


def test_cancel_comes_where_no_harmless_button_was(app: QApplication, appearance: Appearance) -> None:
    bench = InspectorBench(appearance, app, "coverage")
    bench.inspector.resize(296, 700)
    head = bench.inspector.head
    safe = [bench.buttons(head)[label].geometry() for label in ("Prioritise", "Hold")]
    begun(bench)
    app.processEvents()
    cancel = bench.buttons(head)["Cancel"].geometry()
    assert not any(cancel.contains(one.center()) for one in safe)
    assert cancel.right() < bench.buttons(head)[""].geometry().left()


def test_a_button_that_comes_takes_no_click_at_first_also_from_a_hand_that_was_elsewhere(
    app: QApplication, appearance: Appearance, monkeypatch: pytest.MonkeyPatch
) -> None:
    bench = InspectorBench(appearance, app, "coverage")
    begun(bench)
    cancel = bench.buttons(bench.inspector.head)["Cancel"]
    QTest.mouseClick(cancel, Qt.MouseButton.LeftButton, pos=QPoint(5, 5))
    assert bench.asks.sent == []
    monkeypatch.setattr(click_guard, "MILLISECONDS", 0)
    QTest.qWait(5)
    QTest.mouseClick(cancel, Qt.MouseButton.LeftButton, pos=QPoint(5, 5))
    assert [type(one) for one in bench.asks.sent] == [c.CancelTasks]


def test_what_is_selected_anew_can_be_clicked_at_once(app: QApplication, appearance: Appearance) -> None:
    bench = InspectorBench(appearance, app, "coverage")
    bench.select("fuzz")
    cancel = bench.buttons(bench.inspector.head)["Cancel"]
    QTest.mouseClick(cancel, Qt.MouseButton.LeftButton, pos=QPoint(5, 5))
    assert [type(one) for one in bench.asks.sent] == [c.CancelTasks]
