"""Putting back what was refused in a field of the inspector, with the mouse."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QPushButton
from tests.gui.panels.test_inspector import InspectorBench

if TYPE_CHECKING:
    from PySide6.QtWidgets import QApplication

    from starloom_gui.theme.appearance import Appearance


def test_put_back_takes_the_first_click_from_a_field_with_the_keyboard(
    app: QApplication, appearance: Appearance
) -> None:
    bench = InspectorBench(appearance, app, "coverage")
    bench.inspector.activateWindow()
    fields = bench.inspector.fields
    value = fields.value("timeout")
    value.setFocus()
    value.selectAll()
    QTest.keyClicks(value, "soon")
    QTest.keyClick(value, Qt.Key.Key_Return)
    assert "'soon' is not a duration" in fields.reason("timeout")
    app.processEvents()
    put_back = next(one for one in fields.findChildren(QPushButton) if one.text() == "Put back" and one.isVisible())
    assert value.hasFocus()
    QTest.mousePress(put_back, Qt.MouseButton.LeftButton)
    QTest.qWait(30)  # the press takes the keyboard from the field, whose text is judged anew
    QTest.mouseRelease(put_back, Qt.MouseButton.LeftButton)
    assert (value.text(), fields.reason("timeout")) == ("2m", "")
    assert not bench.asks.sent
