"""A pane of plots beside the timeline it shares its time with, and the hands of somebody who uses them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QDeadlineTimer, QEvent, QEventLoop, QPoint, QPointF, Qt
from PySide6.QtGui import QMouseEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from tests.gui.timeline.scenes import NOW, first_sight

from starloom_gui.gateway.changes import Changes
from starloom_gui.gateway.event_log import EventLog
from starloom_gui.panels.plots.curves import RunCurves
from starloom_gui.panels.plots.frame import FIGURES
from starloom_gui.panels.plots.pane import PlotsPane
from starloom_gui.timeline.model import TimelineModel
from starloom_gui.timeline.view import TimelineView
from starloom_gui.viewmodel.selection import Selection

if TYPE_CHECKING:
    from collections.abc import Callable

    from starloom.scheduling.state.run_facts import RunFacts
    from starloom_gui.panels.plots.graphs import Graphs
    from starloom_gui.theme.appearance import Appearance

EVERYTHING = Changes(run_id="r12", everything=True, log=True)


class Room:
    """The pane with what it is made of, and a clock that stands still until it is set."""

    def __init__(
        self, appearance: Appearance, run: RunFacts | None = None, *, size: tuple[int, int] = (1144, 252)
    ) -> None:
        self.run, self.now = run if run is not None else first_sight(), NOW
        self.timeline = TimelineView(TimelineModel(self.run), Selection(), appearance, lambda: self.now)
        self.timeline.resize(*size)
        curves = RunCurves(lambda: self.run, lambda: self.now, EventLog(), lambda _: 8, lambda: self.run.fleet)
        self.pane = PlotsPane(curves, self.timeline, appearance)
        self.pane.resize(*size)

    def show(self) -> Room:
        """Have it in sight, with everything drawn."""
        self.pane.show()
        until(lambda: self.pane.is_empty or self.pane.area.frame is not None)
        until(lambda: not self.pane._soon.isActive())
        return self

    @property
    def graphs(self) -> Graphs:
        graphs = self.pane.area.graphs
        assert graphs is not None
        return graphs

    def mouse(self, kind: QEvent.Type, x: float, *, held: bool = False, y: float = 50) -> None:
        """Have the mouse do something so many pixels to the right of the figures."""
        button = Qt.MouseButton.NoButton if kind == QEvent.Type.MouseMove else Qt.MouseButton.LeftButton
        buttons = Qt.MouseButton.LeftButton if held else Qt.MouseButton.NoButton
        at = QPointF(FIGURES + x, y)
        port = self.graphs.viewport()
        there = QPointF(port.mapToGlobal(QPoint(round(at.x()), round(at.y()))))
        QApplication.sendEvent(port, QMouseEvent(kind, at, there, button, buttons, Qt.KeyboardModifier.NoModifier))


def press(room: Room, key: Qt.Key, count: int = 1) -> None:
    """Have somebody press a key in the list so many times."""
    for _ in range(count):
        QTest.keyClick(room.pane.list, key)


def until(condition: Callable[[], bool]) -> None:
    """Let Qt go on until this is so."""
    deadline = QDeadlineTimer(60_000)
    while not condition():
        assert not deadline.hasExpired(), "it did not come about within a minute"
        QApplication.processEvents(QEventLoop.ProcessEventsFlag.WaitForMoreEvents, 50)
