"""Gestures on a large graph: what a press takes, and what each step of a drag takes until it is painted."""

from __future__ import annotations

import gc
import os
import time
from typing import TYPE_CHECKING, Final

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

from PySide6.QtCore import QObject, QPoint, Signal
from PySide6.QtWidgets import QApplication
from tests.benchmarks.measuring import Budget, Row, quantile, row
from tests.driver import Driver

from starloom.constellation.edits import EditBatch
from starloom.scheduling.commands import Command, EditConstellation
from starloom.scheduling.decide.questions import refusal
from starloom.scheduling.read.run_view import RunView
from starloom.testing import layered
from starloom_gui.canvas.arranging import LayoutInput
from starloom_gui.canvas.camera import Level
from starloom_gui.canvas.motion import ViewPosition
from starloom_gui.canvas.render_model import GraphRenderModel
from starloom_gui.canvas.tools.band import Band
from starloom_gui.canvas.tools.connect import Connect
from starloom_gui.canvas.tools.connecting import Loose
from starloom_gui.canvas.tools.move_nodes import MoveNodes
from starloom_gui.canvas.view import CanvasView
from starloom_gui.editing.base import Mode
from starloom_gui.editing.legality import Targets
from starloom_gui.editing.templates import kinds
from starloom_gui.specs.action_spec import Verdict
from starloom_gui.theme.appearance import Appearance, Theme
from starloom_gui.viewmodel.selection import Selection

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from tests.benchmarks.workloads import Sizes

    from starloom.constellation.edits import Edit
    from starloom.scheduling.state.run_facts import RunFacts
    from starloom_gui.canvas.tools.gesture import Gesture
    from starloom_gui.editing.base import Rearranged, Step

MILLI: Final = 1e3
SIZE: Final = (1440, 900)
STEPS: Final = 60
STARTS: Final = 9
AWAY: Final = QPoint(12, 12)
FRAME: Final = Budget(16, absolute=True)
FAR: Final = 0.0
SCALES: Final = {"all in sight": FAR, "at 30 %": 0.3, "at 100 %": 1.0}


class _Editor(QObject):
    """Judges by the engine's rules and does nothing."""

    changed = Signal()

    def __init__(self, driver: Driver) -> None:
        super().__init__()
        self._driver = driver

    @property
    def mode(self) -> Mode:
        return Mode.LIVE

    def facts(self) -> RunFacts:
        return self._driver.run()

    def view(self) -> RunView:
        return RunView(self.facts())

    def verdict(self, edits: Sequence[Edit]) -> Verdict:
        command = EditConstellation(run_id="r", batch=EditBatch(edits=tuple(edits)))
        return Verdict(refusal(self._driver.scheduler, command) is None)

    def do(self, step: Step) -> None:
        """Nothing: a gesture is measured, not an edit."""

    def steer(self, command: Command, label: str) -> None:
        """Nothing likewise."""

    def note(self, label: str, back: Rearranged, merges: str = "") -> None:
        """Nothing likewise."""


def gestures(sizes: Sizes) -> Iterator[Row]:
    """All rows about gestures."""
    application = QApplication.instance() or QApplication(["bench"])
    assert isinstance(application, QApplication)
    driver = Driver(checked=False)
    facts: RunFacts = driver.create(layered(sizes.layers, sizes.width))
    count = len(facts.graph)
    yield from _sets(facts, count)
    editor = _Editor(driver)
    view = CanvasView(Appearance(application, Theme.LIGHT, reduced_motion=True), Selection(), lambda: 100.0)
    view.resize(*SIZE)
    view.show_run(GraphRenderModel(facts, LayoutInput.of(facts).laid_out()))
    view.set_editor(editor, kinds)
    view.show()
    QApplication.processEvents()
    for where, scale in SCALES.items():
        _look(view, scale)
        yield from _drags(view, editor, f"{count:,} tasks {where}")
    view.close()


def _look(view: CanvasView, scale: float) -> None:
    picture = view.graph.picture
    assert picture is not None
    if scale == FAR:
        view.pan_zoom.fit_all()
    else:
        view.pan_zoom.look(ViewPosition(scale, *picture.layout.positions.mean(axis=0).tolist()), at_once=True)
    view.viewport().repaint()


def _sets(facts: RunFacts, count: int) -> Iterator[Row]:
    """Finding what may be connected, from the task with the most before it."""
    last = count - 1
    taken = [_timed(lambda: Targets(facts, last, forward=True)) for _ in range(10)]
    yield row("gestures", f"what a dependency may lead to, {count:,} tasks", "ms", taken, budget=FRAME)


def _drags(view: CanvasView, editor: _Editor, what: str) -> Iterator[Row]:
    picture = view.graph.picture
    assert picture is not None
    at = view.viewport().rect().center()
    middle = view.hit_tester.row_at(at) or len(picture) // 2
    number = int(picture.numbers[middle])
    made: dict[str, Callable[[], Gesture]] = {
        "leading a dependency": lambda: Connect(
            view.surface, editor, Loose(number, forward=True), at, lambda: None, lambda _loose, _at: None
        ),
        "drawing a band": lambda: Band(view.surface, at, lambda _numbers: None, lambda: None),
    }
    if view.pan_zoom.level is not Level.FAR:  # there nodes are too small to be taken hold of
        made["moving 50 nodes"] = lambda: MoveNodes(view.surface, picture.numbers[:50].tolist(), at, lambda: None)
    for name, make in made.items():
        first = [_first_frame(view, make, at) for _ in range(STARTS)]
        yield row("gestures", f"{name}, {what}, its first frame, p50", "ms", [quantile(first, 0.5)], budget=FRAME)
        frames = _frames(view, make, at)
        yield row("gestures", f"{name}, {what}, a frame, p99", "ms", [quantile(frames, 0.99)], budget=FRAME)


def _first_frame(view: CanvasView, make: Callable[[], Gesture], at: QPoint) -> float:
    """What it takes from the press until it is seen what may be done."""
    gc.collect()
    begun = time.perf_counter()
    gesture = make()
    _step(gesture, at + AWAY)
    taken = (time.perf_counter() - begun) * MILLI
    gesture.cancel()
    view.viewport().repaint()
    return taken


def _frames(view: CanvasView, make: Callable[[], Gesture], at: QPoint) -> list[float]:
    """What each step of a drag takes."""
    gesture, taken = make(), []
    for step in range(STEPS):
        begun = time.perf_counter()
        _step(gesture, at + AWAY + QPoint(3, 2) * step)
        taken.append((time.perf_counter() - begun) * MILLI)
    gesture.cancel()
    view.viewport().repaint()
    return taken[1:]


def _step(gesture: Gesture, at: QPoint) -> None:
    """Follow the pointer, and paint what that has changed."""
    gesture.move(at)
    QApplication.processEvents()


def _timed(do: Callable[[], object]) -> float:
    begun = time.perf_counter()
    do()
    return (time.perf_counter() - begun) * MILLI
