"""Dragging the borders of docks, as users do."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QPoint, QRect, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from starloom_gui.shell.perspectives import DockKey

if TYPE_CHECKING:
    from starloom_gui.shell.main_window import MainWindow


def drag_border(window: MainWindow, key: DockKey, by: QPoint) -> None:
    """Drag the border between a dock and what is further inside; of `DEVICES` the one to `OUTLINE`."""
    bench, dock = window.workbench, window.workbench.docks[key]
    box = QRect(dock.mapTo(bench, QPoint()), dock.size())
    start = {
        DockKey.OUTLINE: QPoint(box.right() + 1, box.center().y()),
        DockKey.INSPECTOR: QPoint(box.left() - 1, box.center().y()),
    }.get(key, QPoint(box.center().x(), box.top() - 1))
    left, none = Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier
    QTest.mouseMove(bench, start)
    QTest.mousePress(bench, left, none, start)
    QTest.mouseMove(bench, start + by)
    QApplication.processEvents()  # Qt moves the border with the next turn of its loop
    QTest.mouseRelease(bench, left, none, start + by)
    QApplication.processEvents()
