"""A timeline in a window, and the hands of somebody who uses it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QImage, QWheelEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from tests.gui.timeline.scenes import NOW, first_sight, foreseen, nightly

from starloom_gui.theme.metrics import LANE, LANE_COLUMN
from starloom_gui.timeline.geometry import AXIS
from starloom_gui.timeline.model import TimelineModel
from starloom_gui.timeline.spots import spot_of
from starloom_gui.timeline.view import TimelineView
from starloom_gui.viewmodel.selection import Selection

if TYPE_CHECKING:
    from starloom.scheduling.state.run_facts import RunFacts
    from starloom_gui.theme.appearance import Appearance


class Scene:
    """A timeline in a window, with a clock that stands still until it is set."""

    def __init__(self, appearance: Appearance, run: RunFacts | None = None, *, size: tuple[int, int] = (1144, 280)):
        self.run = run if run is not None else first_sight()
        self.now = NOW
        self.appearance = appearance
        self.selection = Selection()
        self.model = TimelineModel(self.run, [nightly()] if run is None else [])
        if run is None:
            self.model.project(foreseen(self.run))
        self.view = TimelineView(self.model, self.selection, appearance, lambda: self.now)
        self.view.resize(*size)
        self.view.show()

    def place(self, name: str) -> QPoint:
        """The middle of a task's bar in the viewport."""
        spot = spot_of(self.model, self.run.graph.place[name])
        assert spot is not None
        end = min(spot.bar.end, self.now) if not spot.is_foreseen else spot.bar.end
        x = self.view.span.x_of((spot.bar.start + end) / 2)
        return QPoint(round(LANE_COLUMN + x), self.view.geometry_now().y_of(spot.row) + LANE // 2)

    def click(self, at: QPoint, modifier: Qt.KeyboardModifier = Qt.KeyboardModifier.NoModifier) -> None:
        QTest.mouseClick(self.view.viewport(), Qt.MouseButton.LeftButton, modifier, at)

    def drag(self, start: QPoint, end: QPoint, modifier: Qt.KeyboardModifier, *, release: bool = True) -> None:
        port = self.view.viewport()
        QTest.mousePress(port, Qt.MouseButton.LeftButton, modifier, start)
        QTest.mouseMove(port, (start + end) / 2)
        QTest.mouseMove(port, end)
        if release:
            QTest.mouseRelease(port, Qt.MouseButton.LeftButton, modifier, end)

    def key(self, key: Qt.Key, modifier: Qt.KeyboardModifier = Qt.KeyboardModifier.NoModifier) -> None:
        QTest.keyClick(self.view, key, modifier)

    def wheel(self, x: float, turned: int, modifier: Qt.KeyboardModifier = Qt.KeyboardModifier.NoModifier) -> None:
        at = QPointF(x, AXIS + 30)
        event = QWheelEvent(
            at,
            self.view.viewport().mapToGlobal(at),
            QPoint(),
            QPoint(0, turned),
            Qt.MouseButton.NoButton,
            modifier,
            Qt.ScrollPhase.NoScrollPhase,
            False,
        )
        QApplication.sendEvent(self.view.viewport(), event)

    def picture(self) -> QImage:
        return self.view.viewport().grab().toImage()

    @property
    def current(self) -> str | None:
        number = self.selection.now.current
        return self.run.graph.ids[number] if number is not None else None

    @property
    def selected(self) -> set[str]:
        return {self.run.graph.ids[number] for number in self.selection.now.numbers}


PLAIN, SHIFT, CONTROL = (
    Qt.KeyboardModifier.NoModifier,
    Qt.KeyboardModifier.ShiftModifier,
    Qt.KeyboardModifier.ControlModifier,
)
