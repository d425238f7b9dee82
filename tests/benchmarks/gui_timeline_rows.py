"""The timeline: frames while 1,000 bars a second come to 100,000, the whole history in sight, and reading the facts."""

from __future__ import annotations

import gc
import os
import time
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

from PySide6.QtCore import QRectF
from PySide6.QtWidgets import QApplication, QGraphicsItem, QGraphicsScene, QGraphicsView
from tests.benchmarks.measuring import Budget, Row, interleaved, quantile, row
from tests.gui.timeline.scenes import many, projection, put
from typing_extensions import override

from starloom.foresight.estimates import Estimate, EstimateSource
from starloom.foresight.projection import TaskForecast
from starloom_gui.diff.baseline_run import BaselineRun
from starloom_gui.event_loop.garbage_collection import calm_collector
from starloom_gui.theme.appearance import Appearance, Theme
from starloom_gui.timeline.model import TimelineModel
from starloom_gui.timeline.view import TimelineView
from starloom_gui.viewmodel.projected import projected_bars
from starloom_gui.viewmodel.selection import Selection
from starloom_gui.viewmodel.span import Span

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from PySide6.QtGui import QPainter
    from PySide6.QtWidgets import QStyleOptionGraphicsItem, QWidget
    from tests.benchmarks.workloads import Sizes

    from starloom.scheduling.state.run_facts import RunFacts

MILLI: Final = 1e3
SIZE: Final = (1144, 540)
LANES: Final = 64
PER_SECOND: Final = 1_000
FRAMES: Final = 300
FPS: Final = 60
NOTE: Final = "inside viewport().repaint() with its changes, 1144 x 540, 26 of 64 lanes in sight, calm collector"


@dataclass(slots=True)
class Bench:
    """A timeline of many bars that get more with every frame.

    Attributes:
        count: how many there are at first.
        now: the present, in seconds on the engine's clock.
        done: how many have ended.
    """

    view: TimelineView
    run: RunFacts
    count: int
    now: float
    done: int


def timeline(sizes: Sizes) -> Iterator[Row]:
    """All rows about the timeline."""
    application = QApplication.instance() or QApplication(["bench"])
    assert isinstance(application, QApplication)
    appearance = Appearance(application, Theme.LIGHT, reduced_motion=True)
    count = sizes.independent * sizes.growth
    frames = FRAMES if sizes.independent > 1000 else 5
    yield from _live(appearance, count, frames)
    yield from _reading(count, sizes.rounds)


# ---- frames


def _live(appearance: Appearance, count: int, frames: int) -> Iterator[Row]:
    beside = ", beside an earlier run"
    windows = (
        ("60 s in sight", 60.0, True),
        ("the whole history in sight", None, True),
        ("4 s in sight", 4.0, False),
        (f"60 s in sight{beside}", 60.0, True),
        (f"4 s in sight{beside}", 4.0, False),
    )
    for text, seconds, has_budget in windows:
        bench = _stage(appearance, count, frames)
        if text.endswith(beside):
            bench.view.compare(_earlier(count))
        _show(bench, seconds)
        peer = _scene_of(bench)
        usual = gc.get_threshold()
        calm_collector()  # as the console has it
        pairs = [  # in turns, so that a noisy moment meets both
            (_frame(bench, bench.view.viewport().repaint), _frame(bench, peer.viewport().repaint))
            for _ in range(frames)
        ]
        gc.unfreeze()
        gc.set_threshold(*usual)
        ours, theirs = ([pair[which] for pair in pairs] for which in (0, 1))
        for name, share, limit in (("p50", 0.5, None), ("p99", 0.99, 16)):
            yield row(
                "timeline",
                f"frame, {count:,} bars, +1,000 a second, {text}, {name}",
                "ms",
                [quantile(ours, share)],
                [quantile(theirs, share)],
                peer="the same painted by one item of a QGraphicsView",
                budget=Budget(limit, absolute=True) if limit is not None and has_budget else None,
                note=NOTE,
            )
        peer.close()
        bench.view.close()


def _stage(appearance: Appearance, count: int, frames: int) -> Bench:
    extra = 2 * frames * PER_SECOND // FPS + PER_SECOND
    run = many(count + extra, lanes=LANES, per_second=PER_SECOND)
    for number in range(count, count + extra):
        run.device_of[number] = None
    bench = Bench.__new__(Bench)
    bench.run, bench.count, bench.done = run, count, count
    bench.now = count / PER_SECOND
    bench.view = TimelineView(TimelineModel(run), Selection(), appearance, lambda: bench.now)
    bench.view.resize(*SIZE)
    bench.view.show()
    QApplication.processEvents()  # what has not been exposed is not painted
    return bench


def _earlier(count: int) -> BaselineRun:
    """A run that went as this one does, and yet otherwise."""
    run = many(count, lanes=LANES, per_second=PER_SECOND, seed=2)
    return BaselineRun(run, max(run.ended_at), "earlier")


def _show(bench: Bench, seconds: float | None) -> None:
    if seconds is None:
        bench.view.fit()
    else:
        width = bench.view.plot_width()
        bench.view.zoom_to(Span(bench.now - seconds * 0.75, seconds / width))


def _frame(bench: Bench, repaint: Callable[[], None]) -> float:
    """Milliseconds of one frame: what has changed is read, all is painted."""
    bench.now += 1 / FPS
    fresh = range(bench.done, bench.done + PER_SECOND // FPS)
    for number in fresh:
        put(bench.run, number, number % LANES, bench.now - 1 / FPS, bench.now)
    bench.done = fresh.stop
    begun = time.perf_counter()
    bench.view.refresh(fresh)
    repaint()
    return (time.perf_counter() - begun) * MILLI


class _Item(QGraphicsItem):
    """The timeline as one item of a scene."""

    def __init__(self, view: TimelineView) -> None:
        super().__init__()
        self._view = view

    @override
    def boundingRect(self) -> QRectF:
        return QRectF(0, 0, *SIZE)

    @override
    def paint(self, painter: QPainter, option: QStyleOptionGraphicsItem, widget: QWidget | None = None) -> None:
        self._view.render_frame(painter)


def _scene_of(bench: Bench) -> QGraphicsView:
    scene = QGraphicsScene(0, 0, *SIZE)
    scene.addItem(_Item(bench.view))
    peer = QGraphicsView(scene)
    scene.setParent(peer)
    peer.setFrameShape(QGraphicsView.Shape.NoFrame)
    peer.resize(*SIZE)
    peer.show()
    QApplication.processEvents()
    return peer


# ---- reading


def _reading(count: int, rounds: int) -> Iterator[Row]:
    run = many(count, lanes=LANES, per_second=PER_SECOND)
    model = TimelineModel(run)
    (anew,) = interleaved(rounds, lambda: _timed(model.rebuild))
    yield row("timeline", f"{count:,} bars read anew from the facts", "ms", anew)
    changed = range(min(count, PER_SECOND))
    (updated,) = interleaved(rounds, lambda: _timed(lambda: model.update(changed)))
    yield row("timeline", f"{len(changed):,} changes read", "ms", updated)
    tasks = _coming(run, min(count, 10_000))
    ahead = projection(run, tasks, end=1e6)
    (dealt,) = interleaved(rounds, lambda: _timed(lambda: projected_bars(ahead, run)))
    yield row("timeline", f"a projection of {len(tasks):,} tasks dealt out to lanes", "ms", dealt)


def _coming(run: RunFacts, count: int) -> dict[str, TaskForecast]:
    """What is foreseen of as many tasks, which are set back to waiting."""
    sure = Estimate(1.0, EstimateSource.DECLARED)
    found = {}
    for number in range(count):
        run.status[number], run.device_of[number] = 0, None
        start = number // LANES * 1.0
        device = f"node-{number % LANES // 8}"
        found[run.graph.ids[number]] = TaskForecast(run.graph.ids[number], start, start + 1.0, device, sure, 0.0)
    return found


def _timed(work: Callable[[], object]) -> float:
    gc.collect()
    begun = time.perf_counter()
    work()
    return (time.perf_counter() - begun) * MILLI
