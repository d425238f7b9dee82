"""The bridge and the models: what events cost a frame, and how long 50,000 rows take to sort, filter and change."""

from __future__ import annotations

import asyncio
import gc
import time
from dataclasses import dataclass
from itertools import pairwise
from random import Random
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import Qt, QTimer
from PySide6.QtWidgets import QApplication, QTableView, QWidget
from tests.benchmarks.collector import calmed
from tests.benchmarks.measuring import Budget, Row, interleaved, quantile, row
from tests.benchmarks.workloads import engine, here
from typing_extensions import override

from starloom import events as ev
from starloom.testing import independent
from starloom_gui.event_loop import run
from starloom_gui.gateway.bridge import Bridge
from starloom_gui.gateway.changes import Changes
from starloom_gui.gateway.local_engine import LocalEngine
from starloom_gui.gateway.output import Piece
from starloom_gui.models.event_table import EventTable
from starloom_gui.models.outline import Outline
from starloom_gui.models.output_lines import OutputLines
from starloom_gui.models.task_cells import TaskColumn
from starloom_gui.models.task_filter import TaskFilter
from starloom_gui.models.task_table import TaskTable
from starloom_gui.panels.event_grid import EventGrid
from starloom_gui.panels.outline import OutlinePanel
from starloom_gui.panels.task_grid import TaskGrid
from starloom_gui.theme.appearance import Appearance
from starloom_gui.viewmodel.selection import Selection

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from tests.benchmarks.workloads import Sizes

    from starloom.orchestration.orchestrator import Orchestrator
    from starloom.scheduling.state.run_facts import RunFacts

MILLI: Final = 1e3
FRAME: Final = 1 / 60
RATES: Final = (1_000, 100_000)
_BATCH: Final = 0.001
"""Seconds between two batches that are published, as turns come in bursts."""
_LATE: Final = 0.033
_LINES: Final = 10_000
PEER: Final = "a timer of sixty frames a second in which nothing is done"


@dataclass(frozen=True, slots=True)
class Watched:
    """What a stream of events did to the frames; seconds."""

    flushes: list[float]
    frames: list[float]
    events: float


def bridge(sizes: Sizes) -> Iterator[Row]:
    """All rows about the bridge and the models."""
    application = QApplication.instance() or QApplication(["bench"])
    assert isinstance(application, QApplication)
    application.setQuitOnLastWindowClosed(False)
    with calmed():
        yield from _rows(sizes)


def _rows(sizes: Sizes) -> Iterator[Row]:
    """With the collector as the console has it."""
    count = sizes.independent * 5
    for rate in RATES:
        yield from _stream(rate, count, sizes)
    yield from _table(count, sizes)
    yield from _output(sizes)


# ---- a stream of events


def _stream(rate: int, count: int, sizes: Sizes) -> Iterator[Row]:
    seconds = min(2.0, sizes.idle)
    seen, idle = interleaved(
        max(1, sizes.rounds // 2),
        lambda: run(_watched(rate, count, seconds)),
        lambda: run(_unwatched(seconds)),
        warm_up=False,
    )
    title = f"{rate:,} events/s, {count:,} rows, table, outline and log shown"
    told = [one.events for one in seen]
    yield row("bridge", f"{title}: events told", "1/s", told, more_is_better=True)
    for text, share in (("p50", 0.5), ("p99", 0.99)):
        flushes = [quantile(one.flushes, share) * MILLI for one in seen]
        yield row("bridge", f"{title}: flush {text}", "ms", flushes)
    budget = Budget(33, absolute=True)
    yield row(
        "bridge",
        f"{title}: interval between frames p99",
        "ms",
        [quantile(one.frames, 0.99) * MILLI for one in seen],
        [quantile(one.frames, 0.99) * MILLI for one in idle],
        peer=PEER,
        budget=budget,
    )
    late, late_idle = ([float(sum(frame > _LATE for frame in one.frames)) for one in some] for some in (seen, idle))
    note = f"within {seconds:g} s"
    yield row("bridge", f"{title}: frames later than 33 ms", "frames", late, late_idle, peer=PEER, note=note)


class TimedBridge(Bridge):
    """Notes when each flush begins, and how long it takes; in seconds. Not every flush has time for every view."""

    def __init__(self, orchestrator: Orchestrator) -> None:
        super().__init__(LocalEngine(orchestrator))
        self.begun: list[float] = []
        self.taken: list[float] = []

    @override
    def _flush(self) -> None:
        begun = time.perf_counter()
        super()._flush()
        self.begun.append(begun)
        self.taken.append(time.perf_counter() - begun)


async def _unwatched(seconds: float) -> Watched:
    """What this machine makes of sixty frames a second in which nothing is done."""
    ticks: list[float] = []
    timer = QTimer()
    timer.setTimerType(Qt.TimerType.PreciseTimer)
    timer.setInterval(round(FRAME * MILLI))
    timer.timeout.connect(lambda: ticks.append(time.perf_counter()))
    timer.start()
    await asyncio.sleep(seconds)
    timer.stop()
    return Watched([0.0], [b - a for a, b in pairwise(ticks)] or [0.0], 0.0)


async def _watched(rate: int, count: int, seconds: float) -> Watched:
    async with engine(None, here()) as orchestrator:
        held = await orchestrator.start(independent(count), run_id="r", paused=True)
        source = TimedBridge(orchestrator)
        views = _views(source)
        await _quiet(source)
        source.begun.clear()
        source.taken.clear()
        gc.collect()
        published, begun = await _publish(orchestrator, rate, count, seconds), time.perf_counter()
        await _quiet(source)
        elapsed = seconds + time.perf_counter() - begun
        intervals = [b - a for a, b in pairwise(source.begun)]
        for view in views:
            view.close()
            view.deleteLater()
        source.close()
        await held.cancel()
        return Watched(source.taken or [0.0], intervals or [0.0], published / elapsed)


def _views(source: Bridge) -> list[QWidget]:
    """The panes' own views: a plain `QTreeView` would measure every row that it is told of."""
    application = QApplication.instance()
    assert isinstance(application, QApplication)
    appearance, selection = Appearance(application), Selection()
    table = TaskTable(lambda: source.run("r"), source.now)
    outline = Outline(lambda: source.run("r"), source.now)
    log = EventTable(source.log, source.wall, source.run)
    tree = OutlinePanel(outline, appearance, selection)
    tasks, events = TaskGrid(table, appearance, selection), EventGrid(log, appearance)
    views: tuple[tuple[QWidget, TaskTable | OutlinePanel | EventTable], ...] = (
        (tasks, table),
        (tree, tree),
        (events, log),
    )
    for view, told in views:
        view.resize(1100, 280)
        view.show()
        source.feed(parent=view).changed.connect(told.on_changes)
    for owner in (table, outline, log, appearance, selection):
        owner.setParent(tree)
    return [view for view, _ in views]


async def _publish(orchestrator: Orchestrator, rate: int, count: int, seconds: float) -> int:
    """Publish as many events as are due, every millisecond."""
    dice, published = Random(0), 0
    ids = [f"t{dice.randrange(count)}" for _ in range(10_000)]
    begun = time.perf_counter()
    while (now := time.perf_counter() - begun) < seconds:
        due = int(now * rate)
        batch = [ev.TaskReady(0, 0.0, "r", ids[number % len(ids)]) for number in range(published, due)]
        published = due
        orchestrator.events.publish(batch)
        await asyncio.sleep(_BATCH)
    return published


async def _quiet(source: Bridge) -> None:
    while not (source.is_resting and source.health.backlog == 0):  # noqa: ASYNC110 - frames come by Qt's timers
        await asyncio.sleep(FRAME)
    await asyncio.sleep(2 * FRAME)


# ---- the table


def _seconds(make: Callable[[], object]) -> float:
    gc.collect()
    begun = time.perf_counter()
    make()
    return time.perf_counter() - begun


def _facts(count: int) -> RunFacts:
    async def made() -> RunFacts:
        async with engine(None, here()) as orchestrator:
            held = await orchestrator.start(independent(count), run_id="r", paused=True)
            facts = held.facts.copy(orchestrator.pump.scheduler.fleet.copy())
            await held.cancel()
            return facts

    return run(made())


def _table(count: int, sizes: Sizes) -> Iterator[Row]:
    facts = _facts(count)
    view = QTableView()
    view.verticalHeader().hide()
    table = TaskTable(lambda: facts, lambda: 0.0)
    view.setModel(table)
    view.resize(1100, 280)
    view.show()

    def seconds_of(make: Callable[[], object]) -> Callable[[], float]:
        return lambda: _seconds(make) * MILLI

    def show_and_filter() -> None:
        table.set_filter(TaskFilter(text="99"))
        table.set_filter(TaskFilter())

    doing: dict[str, Callable[[], object]] = {
        "made anew": table.rebuild,
        "sorted by name": lambda: table.sort(TaskColumn.NAME),
        "sorted by place": lambda: table.sort(-1),
        "filtered by text and shown again": show_and_filter,
        "1,000 changes told": lambda: _change(facts, table, count),
    }
    for text, make in doing.items():
        (taken,) = interleaved(sizes.rounds, seconds_of(make))
        yield row("bridge", f"table of {count:,} tasks: {text}", "ms", taken)
    table.sort(TaskColumn.PRIORITY)
    (taken,) = interleaved(sizes.rounds, lambda: _resorted(facts, table, count) * MILLI)
    yield row("bridge", f"table of {count:,} tasks: sorted anew after 1,000 changes", "ms", taken)
    view.close()
    view.deleteLater()


def _change(facts: RunFacts, table: TaskTable, count: int) -> None:
    step = max(1, count // 1_000)
    numbers = range(0, count, step)
    for number in numbers:
        facts.priority[number] = (facts.priority[number] + 7) % 101
    table.on_changes(Changes(run_id="r", tasks=frozenset(numbers)))


def _resorted(facts: RunFacts, table: TaskTable, count: int) -> float:
    _change(facts, table, count)
    return _seconds(table.settle)


# ---- output


def _output(sizes: Sizes) -> Iterator[Row]:
    """A second of output in sixty frames."""
    frames = 60
    text = "".join(
        f"\x1b[32mok\x1b[0m {number:05} a line of some length that a test prints\n"
        for number in range(_LINES // frames)
    )
    model = OutputLines()

    def second() -> float:
        model.show("r", "t")
        return sum(_seconds(lambda: model.append([Piece(1, text)])) for _ in range(frames)) * MILLI

    (taken,) = interleaved(sizes.rounds, second)
    note = "of a second, in sixty frames"
    yield row("bridge", f"output of {_LINES:,} coloured lines taken in", "ms", taken, note=note)
