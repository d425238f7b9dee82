"""The plots: a frame of six curves of 100,000 tasks while time moves, beside what pyqtgraph draws of them by itself."""

from __future__ import annotations

import os
import time
from typing import TYPE_CHECKING, Final

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

import numpy as np
from PySide6.QtCore import QDeadlineTimer, QEventLoop
from PySide6.QtWidgets import QApplication
from tests.benchmarks.measuring import Budget, Row, interleaved, row
from tests.gui.timeline.scenes import many

from starloom_gui.gateway.event_log import EventLog
from starloom_gui.panels.plots.curves import RunCurves
from starloom_gui.panels.plots.pane import PlotsPane
from starloom_gui.qt_bindings import pyqtgraph as pg
from starloom_gui.theme.appearance import Appearance, Theme
from starloom_gui.timeline.model import TimelineModel
from starloom_gui.timeline.view import TimelineView
from starloom_gui.viewmodel.selection import Selection

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from tests.benchmarks.workloads import Sizes

    from starloom.scheduling.state.run_facts import RunFacts

TASKS: Final = 100_000
SHOWN: Final = ("running", "done", "failed", "latency", "failures", "device:node-0")
SIZE: Final = (1144, 700)
MILLI: Final = 1e3
FRAME_MS: Final = 16
UPDATE_MS: Final = 10
"""A tenth of the time between two updates."""


def plots(sizes: Sizes) -> Iterator[Row]:
    """All rows about the plots."""
    application = QApplication.instance() or QApplication(["bench"])
    assert isinstance(application, QApplication)
    appearance = Appearance(application, Theme.LIGHT, reduced_motion=True)
    run = many(TASKS)
    run.run_started_at = 0.0
    pane, timeline = _pane(run, appearance)
    peer = _peer(pane)
    ours, theirs = interleaved(sizes.rounds, lambda: _moved(pane), lambda: _peer_moved(peer))
    note = f"six curves, {SIZE[0]} x {SIZE[1]}, raster, CPU time; floor: pyqtgraph's own peak downsampling and clipping"
    name = f"frame while time is moved, {TASKS:,} tasks x {len(SHOWN)} curves"
    yield row(
        "plots", name, "ms", ours, floor=theirs, peer="pyqtgraph", budget=Budget(FRAME_MS, absolute=True), note=note
    )
    numbers = list(range(TASKS - 100, TASKS))
    (update,) = interleaved(sizes.rounds, lambda: _cpu(lambda: _ended_again(pane.curves, run, numbers)))
    note = "CPU time of what happens ten times a second at 1,000 ends a second, without painting"
    yield row(
        "plots", "a tenth of a second's ends taken in", "ms", update, budget=Budget(UPDATE_MS, absolute=True), note=note
    )
    (anew,) = interleaved(sizes.rounds, lambda: _cpu(lambda: pane.curves.read(None)))
    yield row("plots", f"all curves read anew, {TASKS:,} tasks", "ms", anew, note="as when the pane comes into sight")
    for widget in (peer, pane, timeline):
        widget.hide()
        widget.deleteLater()


def _pane(run: RunFacts, appearance: Appearance) -> tuple[PlotsPane, TimelineView]:
    timeline = TimelineView(TimelineModel(run), Selection(), appearance, lambda: 100.0)
    curves = RunCurves(lambda: run, lambda: 100.0, EventLog(), lambda _: 64, lambda: run.fleet)
    pane = PlotsPane(curves, timeline, appearance)
    pane.resize(*SIZE)
    pane.show()
    deadline = QDeadlineTimer(60_000)
    while pane.area.frame is None and not deadline.hasExpired():
        QApplication.processEvents(QEventLoop.ProcessEventsFlag.WaitForMoreEvents, 50)
    for key in pane.chosen - set(SHOWN):
        pane._switch(key, False)
    pane.fit()
    return pane, timeline


def _moved(pane: PlotsPane) -> float:
    """CPU milliseconds of a frame in which time has been moved by a few pixels and back."""
    graphs = pane.area.graphs
    assert graphs is not None
    pane.area.time.push(-3)

    def frame() -> None:
        pane.area.time.push(3)
        graphs.viewport().repaint()

    return _cpu(frame)


def _peer(pane: PlotsPane) -> pg.GraphicsLayoutWidget:
    """The same steps as pyqtgraph draws them by itself."""
    shown = pg.GraphicsLayoutWidget(size=SIZE)
    for at, key in enumerate(SHOWN):
        steps = pane.curves.steps(key)
        plot = shown.addPlot(row=at, col=0)
        x, y = np.repeat(steps.times, 2)[1:], np.repeat(steps.values, 2)[:-1]
        plot.plot(x, y, pen="k")
        plot.setXRange(0, 100, padding=0)
        plot.setDownsampling(auto=True, mode="peak")
        plot.setClipToView(True)
    shown.show()
    QApplication.processEvents()
    return shown


def _peer_moved(peer: pg.GraphicsLayoutWidget) -> float:
    plots = [item for item in peer.ci.items if isinstance(item, pg.PlotItem)]

    def frame() -> None:
        for plot in plots:
            plot.setXRange(0.3, 100.3, padding=0)
        peer.viewport().repaint()

    for plot in plots:
        plot.setXRange(0, 100, padding=0)
    return _cpu(frame)


def _ended_again(curves: RunCurves, run: RunFacts, numbers: list[int]) -> None:
    """Take in the ends of these tasks, which are the last ones, as if they had just come."""
    for number in numbers:
        curves._begun[number] = curves._ended[number] = 0
    curves.read(numbers)


def _cpu(call: Callable[[], object]) -> float:
    begun = time.process_time()
    call()
    return (time.process_time() - begun) * MILLI
