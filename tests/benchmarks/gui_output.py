"""The output pane at ten thousand lines a second, and the event log with a hundred thousand events."""

from __future__ import annotations

import os
import time
from typing import TYPE_CHECKING, Final

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

from PySide6.QtWidgets import QApplication
from tests.benchmarks.measuring import Budget, Row, interleaved, quantile, row
from tests.gui.panels.fleets import coverage

from starloom import events as ev
from starloom.orchestration.channel import Channel, OutputChunk
from starloom_gui.gateway.changes import Changes
from starloom_gui.gateway.event_log import EventLog
from starloom_gui.gateway.output import OutputHub
from starloom_gui.models.event_table import EventFilter, EventTable
from starloom_gui.models.output_lines import MOST_LINES
from starloom_gui.panels.events import EventsPane
from starloom_gui.panels.output import OutputPane
from starloom_gui.theme.appearance import Appearance, Theme
from starloom_gui.viewmodel.run_views import run_view
from starloom_gui.viewmodel.selection import Selection

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from tests.benchmarks.workloads import Sizes

LINES: Final = 10_000
"""A second."""
FPS: Final = 30
EVENTS: Final = 100_000
MILLI: Final = 1e3
FRAME_MS: Final = 16


def output(sizes: Sizes) -> Iterator[Row]:
    """All rows about output and events."""
    application = QApplication.instance() or QApplication(["bench"])
    assert isinstance(application, QApplication)
    appearance = Appearance(application, Theme.LIGHT, reduced_motion=True)
    yield from _printing(appearance, sizes)
    yield from _events(appearance, sizes)


def _printing(appearance: Appearance, sizes: Sizes) -> Iterator[Row]:
    driver, run = coverage()
    channel, selection = Channel(), Selection()
    hub = OutputHub(channel)
    pane = OutputPane(appearance, selection, lambda: run_view(driver.run()), lambda: driver.scheduler.now, hub)
    pane.resize(1144, 252)
    pane.show()
    selection.select(run.graph.place["fuzz"])
    QApplication.processEvents()  # before that, nothing is painted

    def say(count: int) -> None:
        for number in range(count):
            text = f"\x1b[32m[{number:6}]\x1b[0m compiling src/module_{number % 100}.cpp with \x1b[1mclang\x1b[0m -O2\n"
            channel.send(OutputChunk(run.run_id, "fuzz", 1, text))

    def frames() -> float:
        """The 99th percentile of a second of frames; what is kept is full, so that lines go as fast as they come."""
        taken = []
        for _ in range(FPS):
            begun = time.perf_counter()
            say(LINES // FPS)
            hub.flush()
            pane.view.viewport().repaint()
            taken.append((time.perf_counter() - begun) * MILLI)
        return quantile(taken, 0.99)

    say(2 * MOST_LINES)
    hub.flush()
    for wraps in (False, True):
        pane.view.set_wraps(wraps)
        (taken,) = interleaved(sizes.rounds, frames)
        name = f"output, frame at {LINES:,} lines/s and {FPS} fps{', wrapped' if wraps else ''}: p99"
        note = "heard, parsed, kept and painted; 1144 x 252, raster"
        yield row("output", name, "ms", taken, budget=Budget(1e3 / FPS, absolute=True), note=note)
    pane.view.set_wraps(False)
    (taken,) = interleaved(sizes.rounds, lambda: _timed(lambda: pane.view.search.seek(r"module_\d+", is_pattern=True)))
    yield row("output", f"output, pattern sought in {len(pane.lines):,} lines", "ms", taken)
    pane.close()
    hub.close()


def _events(appearance: Appearance, sizes: Sizes) -> Iterator[Row]:
    driver, run = coverage()
    log = EventLog(EVENTS)
    for number in range(EVENTS):
        log.add(ev.TaskReady(number, 0.0, run.run_id, f"task {number % 5_000}"))
    table = EventTable(log, lambda at: at)
    pane = EventsPane(appearance, Selection(), driver.run, table, run.run_id)
    pane.resize(1144, 252)
    pane.show()
    while table.is_reading:
        QApplication.processEvents()

    def frame() -> None:
        for number in range(50):
            log.add(ev.TaskStarted(number, 1.0, run.run_id, "task 7", 1, "local", 0))
        pane.on_changes(Changes(run_id=run.run_id, log=True))
        QApplication.processEvents()

    (taken,) = interleaved(sizes.rounds * 10, lambda: _timed(frame))
    note = "50 events more; 1144 x 252, raster"
    yield row(
        "output", f"events, frame with {EVENTS:,} rows", "ms", taken, budget=Budget(FRAME_MS, absolute=True), note=note
    )

    def typed() -> float:
        """The longest time without a turn of the window's while a filter is applied."""
        table.set_filter(EventFilter())
        longest = _timed(lambda: table.set_filter(EventFilter(text="task 4999")))
        while table.is_reading:
            longest = max(longest, _timed(QApplication.processEvents))
        return longest

    (taken,) = interleaved(sizes.rounds, typed)
    yield row(
        "output", f"events, text sought in {EVENTS:,}: longest step", "ms", taken, budget=Budget(33, absolute=True)
    )
    pane.close()


def _timed(work: Callable[[], object]) -> float:
    begun = time.perf_counter()
    work()
    return (time.perf_counter() - begun) * MILLI
