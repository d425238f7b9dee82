"""The panes beside the canvas: a frame of 200 devices, and the inspector read anew while time passes."""

from __future__ import annotations

import os
import time
from typing import TYPE_CHECKING, Final

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

from PySide6.QtWidgets import QApplication
from tests.benchmarks.measuring import Budget, Row, interleaved, row
from tests.driver import Driver
from tests.gui.panels.fleets import ByHand, coverage, table_of

from starloom.scheduling.read.run_view import RunView
from starloom_gui.gateway.changes import FLEET, Changes
from starloom_gui.panels.devices import DevicesPanel
from starloom_gui.panels.inspector import Inspector
from starloom_gui.theme.appearance import Appearance, Theme
from starloom_gui.viewmodel.selection import Selection

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from tests.benchmarks.workloads import Sizes

DEVICES: Final = 200
MILLI: Final = 1e3
FRAME_MS: Final = 16


def panels(sizes: Sizes) -> Iterator[Row]:
    """All rows about the panes."""
    application = QApplication.instance() or QApplication(["bench"])
    assert isinstance(application, QApplication)
    appearance = Appearance(application, Theme.LIGHT, reduced_motion=True)
    yield from _devices(appearance, sizes.rounds)
    yield from _inspector(appearance, sizes.rounds)


def _devices(appearance: Appearance, rounds: int) -> Iterator[Row]:
    driver = Driver(devices=(), checked=False)
    for number in range(DEVICES):
        driver.add_device(f"node-{number}", slots=8)
    table = table_of(driver)
    panel = DevicesPanel(table, appearance, lambda: ByHand(driver))
    panel.resize(240, 600)
    panel.show()
    QApplication.processEvents()

    def frame() -> None:
        table.on_changes(Changes(run_id=FLEET, second=True))
        panel.cards.viewport().repaint()

    (taken,) = interleaved(rounds, lambda: _timed(frame))
    panel.close()
    note = "the table is read anew and the cards in sight are painted, 240 x 600, raster"
    name = f"frame, {DEVICES} devices, another second"
    yield row("panels", name, "ms", taken, budget=Budget(FRAME_MS, absolute=True), note=note)


def _inspector(appearance: Appearance, rounds: int) -> Iterator[Row]:
    driver, run = coverage()
    selection = Selection()
    inspector = Inspector(
        appearance,
        selection,
        lambda: RunView(driver.run()),
        lambda: driver.scheduler.now,
        ByHand(driver),
        lambda _, task_id: driver.why(task_id),
    )
    inspector.resize(296, 752)
    inspector.show()
    chosen = [run.graph.place[name] for name in ("coverage", "fuzz")]
    selection.select(chosen[0])
    (same,) = interleaved(rounds, lambda: _timed(inspector.refresh))
    yield row("panels", "inspector read anew, nothing has changed", "ms", same)

    def other() -> None:
        selection.select(chosen[selection.now.current == chosen[0]])
        QApplication.processEvents()  # lays out and paints

    (moved,) = interleaved(rounds, lambda: _timed(other))
    inspector.close()
    yield row("panels", "inspector shows another task", "ms", moved, budget=Budget(2 * FRAME_MS, absolute=True))


def _timed(work: Callable[[], object]) -> float:
    begun = time.perf_counter()
    work()
    return (time.perf_counter() - begun) * MILLI
