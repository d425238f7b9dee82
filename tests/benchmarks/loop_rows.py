"""The engine inside the console's event loop, with a widget painted sixty times a second, over asyncio's own loop."""

from __future__ import annotations

import asyncio
import os
import time
from functools import partial
from typing import TYPE_CHECKING, Any, Final, TypeVar

from PySide6.QtCore import QCoreApplication, QRect, Qt, QTimer
from PySide6.QtGui import QColor, QPainter
from PySide6.QtWidgets import QApplication, QWidget
from tests.benchmarks.core_rows import hops
from tests.benchmarks.measuring import Budget, Row, interleaved, quantile, row
from tests.benchmarks.workloads import LIMIT, Sizes, Timing, plans, time_engine
from typing_extensions import override

from starloom.testing import independent, noop
from starloom_gui.event_loop import QtEventLoop

if TYPE_CHECKING:
    from collections.abc import Callable, Coroutine, Iterator

    from starloom.devices.inprocess import Handler
    from starloom.model.plan import Plan

T = TypeVar("T")

FRAME_MS: Final = 16
WORK_SECONDS: Final = 0.01
THROUGHPUT_BUDGET: Final = Budget(0.5, at_least=True)
LONG_TASKS_BUDGET: Final = Budget(0.98, at_least=True)
FRAME_BUDGET: Final = Budget(33, absolute=True)
HEADLESS: Final = "the engine on asyncio's own loop, nothing painted"


class Window(QWidget):
    """A small widget that is painted anew sixty times a second and notes when it was.

    Attributes:
        painted: seconds of `time.perf_counter`.
    """

    def __init__(self) -> None:
        super().__init__()
        self.painted: list[float] = []
        self.resize(320, 80)
        self._timer = QTimer(self)
        self._timer.setTimerType(Qt.TimerType.PreciseTimer)
        self._timer.timeout.connect(self.update)
        self._timer.start(FRAME_MS)

    @override
    def paintEvent(self, event: Any) -> None:
        self.painted.append(time.perf_counter())
        painter = QPainter(self)
        for number in range(200):
            colour = QColor.fromHsv((number * 7 + len(self.painted)) % 360, 160, 200)
            painter.fillRect(QRect(number % 40 * 8, number // 40 * 16, 7, 15), colour)
        painter.end()

    def intervals(self) -> list[float]:
        """Milliseconds between two paintings."""
        return [(b - a) * 1000 for a, b in zip(self.painted, self.painted[1:], strict=False)]


class Console:
    """Runs coroutines in the console's loop beside a window that is being painted.

    Attributes:
        frames: milliseconds between frames, by run.
    """

    def __init__(self) -> None:
        os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
        self._app = QCoreApplication.instance() or QApplication(["benchmark"])
        QApplication.setQuitOnLastWindowClosed(False)
        self.frames: list[list[float]] = []

    def run(self, main: Coroutine[Any, Any, T]) -> T:
        """Like `asyncio.run`."""
        window = Window()
        window.show()
        with asyncio.Runner(loop_factory=QtEventLoop) as runner:
            result = runner.run(main)
        self.frames.append(window.intervals())
        window.deleteLater()
        return result


def loop(sizes: Sizes) -> Iterator[Row]:
    """Throughput, hops and frames of the engine in the console's loop."""
    console = Console()
    rounds: list[list[float]] = [[] for _ in range(sizes.rounds)]
    working = independent(sizes.commands)
    cases: list[tuple[str, Plan, Budget, Handler]] = [
        (f"{letter}, {len(plan.tasks):,} tasks", plan, THROUGHPUT_BUDGET, noop) for letter, plan in plans(sizes).items()
    ]
    cases.append((f"{sizes.commands} tasks of {WORK_SECONDS * 1000:g} ms", working, LONG_TASKS_BUDGET, _work))
    for title, plan, budget, handler in cases:
        console.frames.clear()
        yield _throughput(console, title, plan, sizes.rounds, budget, handler)
        for frames, of_a_run in zip(rounds, console.frames[-sizes.rounds :], strict=True):
            frames += of_a_run
    if all(rounds):
        yield _frames(rounds)
    yield from _hops(console, plans(sizes)["B"], sizes.rounds)


async def _work(_task: Any, _context: Any) -> None:
    await asyncio.sleep(WORK_SECONDS)


def _throughput(console: Console, title: str, plan: Plan, rounds: int, budget: Budget, handler: Handler) -> Row:
    count = len(plan.tasks)
    ours, floor = interleaved(
        rounds,
        lambda: count / time_engine(plan, LIMIT, handler, run=console.run).finished,
        lambda: count / time_engine(plan, LIMIT, handler).finished,
    )
    name = f"console: {title}, limit {LIMIT}"
    return row("loop", name, "tasks/s", ours, floor, peer=HEADLESS, budget=budget, more_is_better=True)


def _frames(rounds: list[list[float]]) -> Row:
    """Of each round all frames together, as the short workloads have but a few."""
    pooled = [interval for frames in rounds for interval in frames]
    return row(
        "loop",
        "console: interval between frames while these ran, p99",
        "ms",
        [quantile(frames, 0.99) for frames in rounds],
        budget=FRAME_BUDGET,
        note=f"{len(pooled)} frames, p50 {quantile(pooled, 0.5):.1f} ms, longest {max(pooled):.1f} ms",
    )


def _hops(console: Console, plan: Plan, rounds: int) -> Iterator[Row]:
    ours, floor = interleaved(rounds, partial(_hops_of, plan, console.run), partial(_hops_of, plan, asyncio.run))
    for share in (0.5, 0.99):
        yield row(
            "loop",
            f"console: B, parent's end → child's start, limit {LIMIT}, p{share * 100:.0f}",
            "µs",
            [quantile(taken, share) for taken in ours],
            [quantile(taken, share) for taken in floor],
            peer=HEADLESS,
        )


def _hops_of(plan: Plan, run: Callable[[Coroutine[Any, Any, Timing]], Timing]) -> list[float]:
    begun: list[int] = []
    ended: list[int] = []
    now = time.perf_counter_ns

    async def stamp(_task: Any, _context: Any) -> None:
        begun.append(now())
        ended.append(now())

    time_engine(plan, LIMIT, stamp, run=run)
    return hops(begun, ended)
