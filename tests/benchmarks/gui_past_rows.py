"""A long run opened from its journal, and time travel in it: until a moment is read, and every pane shows it."""

from __future__ import annotations

import asyncio
import os
import random
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final
from unittest.mock import patch

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

from PySide6.QtWidgets import QApplication
from tests.benchmarks.collector import calmed
from tests.benchmarks.console_child import StopWatch
from tests.benchmarks.measuring import Budget, Row, row
from tests.benchmarks.workloads import LIMIT, engine, here

from starloom.journal import facts_chain
from starloom.journal.library import Library
from starloom.journal.recording import Recording
from starloom.testing import layered, noop
from starloom_gui import event_loop
from starloom_gui.app import opened
from starloom_gui.settings import Settings
from starloom_gui.shell.frame import WindowFrame

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tests.benchmarks.workloads import Sizes

    from starloom.journal.base import Moment
    from starloom.model.plan import Plan
    from starloom_gui.composition.console import Console

RUN: Final = "run"
JUMPS: Final = 5
MILLI: Final = 1e3
BUDGET: Final = Budget(100, absolute=True)
STOP: Final = Budget(33, absolute=True)
SETTLED: Final = 2.0
"""Seconds after its graph is drawn in which panes are made that wait until there is time."""
_OPENED: Final = "until its graph is drawn and all panes in front are made"


def past(sizes: Sizes) -> Iterator[Row]:
    """All rows about looking back."""
    application = QApplication.instance() or QApplication(["bench"])
    assert isinstance(application, QApplication)
    plan = layered(sizes.layers * sizes.growth, sizes.width)
    with tempfile.TemporaryDirectory() as name, patch.dict(os.environ, {"STARLOOM_JOURNAL": name}):
        asyncio.run(_run(plan, Path(name)))
        with calmed():
            stops = [event_loop.run(_opened(application, Path(name))) * MILLI for _ in range(min(2, sizes.rounds))]
            events, read, shown = event_loop.run(_measured(application, Path(name), sizes.rounds))
    of = f"{events:,} events of {len(plan.tasks):,} tasks"
    yield row("past", f"a run is opened, {of}: longest stop of the window", "ms", stops, budget=STOP, note=_OPENED)
    about = f"{of}, the slowest of {JUMPS}"
    yield row(
        "past",
        f"scrub latency: a moment is read, {about}",
        "ms",
        read,
        budget=BUDGET,
        note="in a thread, with the checkpoints of a run whose tasks take time; meanwhile the window goes on",
    )
    yield row("past", f"scrub latency: every pane in sight shows it, {about}", "ms", shown, note="at first sight")


async def _run(plan: Plan, directory: Path) -> None:
    with Library(directory) as library, patch.object(facts_chain, "PATIENCE", 0.0):
        async with engine(LIMIT, here(noop), journal=library) as orchestrator:
            run = await orchestrator.start(plan, run_id=RUN)
            await run.finished()


async def _opened(application: QApplication, directory: Path) -> float:
    """The longest stop of the window in seconds while the run is opened."""
    async with opened(WindowFrame(application, Settings(directory / "console.ini"))) as console:
        console.window.show()
        await asyncio.sleep(SETTLED)
        watch = StopWatch()
        console.recorded.open(directory / "runs" / RUN, RUN)
        await console.recorded.settled()
        await _drawn(console)
        await asyncio.sleep(SETTLED)
        watch.deleteLater()
        console.window.close()
        return watch.longest


async def _measured(application: QApplication, directory: Path, rounds: int) -> tuple[int, list[float], list[float]]:
    """How many events there are; milliseconds until moments are read, and until they are shown."""
    settings, dice = Settings(directory / "console.ini"), random.Random(1)
    async with opened(WindowFrame(application, settings)) as console:
        console.window.show()
        console.recorded.open(directory / "runs" / RUN, RUN)
        await console.recorded.settled()
        await _drawn(console)
        taken = [[await _jump(console, dice.random()) for _ in range(JUMPS)] for _ in range(rounds + 1)][1:]
        travel = console.views.front.source.travel if console.views.front is not None else None
        assert travel is not None
        console.window.close()
        slowest = [[max(jump[which] for jump in jumps) * MILLI for jumps in taken] for which in (0, 1)]
        return travel.count, slowest[0], slowest[1]


async def _jump(console: Console, share: float) -> tuple[float, float]:
    """Seconds until a moment is read, and until the graph shows it, which is the last to do so."""
    view = console.views.front
    assert view is not None
    travel = view.source.travel
    assert travel is not None
    recording = travel.recording
    assert recording is not None
    drawn, read = asyncio.Event(), list[float]()
    position = max(recording.first, round(travel.count * share))
    if position == travel.position:
        position += 1 if position < travel.count else -1

    def moment(*given: Any) -> Moment:
        made = Recording.moment(recording, *given)
        read.append(time.perf_counter())  # what is told of it is told behind the panes
        return made

    done = view.drawing.drawn.connect(drawn.set)
    with patch.object(recording, "moment", moment):
        begun = time.perf_counter()
        travel.go_to_position(position)
        await drawn.wait()
        console.window.repaint()
        shown = time.perf_counter()
    view.drawing.drawn.disconnect(done)
    return read[0] - begun, shown - begun


async def _drawn(console: Console) -> None:
    """Return once the graph is drawn for the first time."""
    view = console.views.front
    assert view is not None
    drawn = asyncio.Event()
    view.drawing.drawn.connect(drawn.set)
    if view.canvas.graph.picture is None:
        await drawn.wait()
