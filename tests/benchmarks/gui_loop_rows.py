"""The console's event loop beside stock qasync, from which it is derived: the same work on both, in turns."""

from __future__ import annotations

import asyncio
import os
import socket
import time
from contextlib import ExitStack
from functools import partial
from typing import TYPE_CHECKING, Any, Final

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

from PySide6.QtWidgets import QApplication
from tests.benchmarks.measuring import Budget, Row, interleaved, row
from tests.benchmarks.workloads import LIMIT, Sizes, plans, time_engine

from starloom_gui.event_loop import QtEventLoop
from starloom_gui.qt_bindings import qasync

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Coroutine, Iterator

    Work = Callable[[int], Coroutine[Any, Any, float]]

STOCK: Final = "stock qasync, its QEventLoop as it is"
A_THIRD: Final = Budget(0.33)
"""What makes scheduling of our own worth its while."""
A_HALF: Final = Budget(0.5)
NEVER: Final = Budget(0, absolute=True)
WATCHED: Final = 500
LONGEST: Final = 0.05


def event_loop(sizes: Sizes) -> Iterator[Row]:
    """Callbacks, tasks, timers, descriptors and a whole plan on either loop."""
    application = QApplication.instance() or QApplication(["bench"])
    many = sizes.independent
    cases: list[tuple[str, Work, int, Budget]] = [
        (f"{many:,} callbacks that are ready at once", _callbacks, many, A_THIRD),
        (f"a task that awaits sleep(0) {many // 4:,} times", _switches, max(1, many // 4), A_THIRD),
        (f"{many // 4:,} calls from a thread", _calls_from_a_thread, max(1, many // 4), A_HALF),
        (f"{many // 4:,} timers", _timers, max(1, many // 4), A_HALF),
        (f"a timer of 2 ms, {WATCHED} descriptors watched", _watching, max(1, many // 50), A_HALF),
    ]
    for name, work, count, budget in cases:
        ours, stock = interleaved(
            sizes.rounds, partial(_each, QtEventLoop, work, count), partial(_each, _stock(application), work, count)
        )
        yield row("event_loop", f"CPU time each: {name}", "µs", ours, stock, peer=STOCK, budget=budget)
    yield from _early(sizes, application)
    yield _plan(sizes, application)


def _stock(application: Any) -> Callable[[], asyncio.AbstractEventLoop]:
    return partial(qasync.QEventLoop, application)


def _run(factory: Callable[[], asyncio.AbstractEventLoop], main: Coroutine[Any, Any, Any]) -> Any:
    with asyncio.Runner(loop_factory=factory) as runner:
        return runner.run(main)


def _each(factory: Callable[[], asyncio.AbstractEventLoop], work: Work, count: int) -> float:
    """Microseconds of CPU time for one of so many."""
    return float(_run(factory, work(count)) / count * 1e6)


async def _cpu(work: Awaitable[object]) -> float:
    begun = time.process_time()
    await work
    return time.process_time() - begun


async def _callbacks(count: int) -> float:
    loop, done = asyncio.get_running_loop(), asyncio.Event()
    begun = time.process_time()
    for _ in range(count):
        loop.call_soon(int)
    loop.call_soon(done.set)
    await done.wait()
    return time.process_time() - begun


async def _switches(count: int) -> float:
    async def switch() -> None:
        for _ in range(count):
            await asyncio.sleep(0)

    return await _cpu(switch())


async def _calls_from_a_thread(count: int) -> float:
    loop, done = asyncio.get_running_loop(), asyncio.Event()

    def call() -> None:
        for _ in range(count):
            loop.call_soon_threadsafe(int)
        loop.call_soon_threadsafe(done.set)

    async def called() -> None:
        await asyncio.to_thread(call)
        await done.wait()

    return await _cpu(called())


async def _timers(count: int) -> float:
    delays = [0.001 + number % 100 / 100 * LONGEST for number in range(count)]
    return await _cpu(asyncio.gather(*map(asyncio.sleep, delays)))


async def _watching(count: int) -> float:
    loop = asyncio.get_running_loop()

    async def sleep() -> None:
        for _ in range(count):
            await asyncio.sleep(0.002)

    with ExitStack() as stack:
        for _ in range(WATCHED // 2):
            for end in socket.socketpair():
                stack.enter_context(end)
                loop.add_reader(end.fileno(), int)
                stack.callback(loop.remove_reader, end.fileno())
        return await _cpu(sleep())


def _early(sizes: Sizes, application: Any) -> Iterator[Row]:
    count = sizes.commands
    ours, stock = interleaved(
        sizes.rounds, partial(_run_early, QtEventLoop, count), partial(_run_early, _stock(application), count)
    )
    name = f"timers that fire before they are due, of {count}"
    yield row("event_loop", name, "timers", ours, stock, peer=STOCK, budget=NEVER)


def _run_early(factory: Callable[[], asyncio.AbstractEventLoop], count: int) -> float:
    return float(_run(factory, _count_early(count)))


async def _count_early(count: int) -> int:
    loop, early, left = asyncio.get_running_loop(), 0, count
    done = asyncio.Event()

    def note(due: float) -> None:
        nonlocal early, left
        early += time.monotonic() < due
        left -= 1
        if not left:
            done.set()

    for number in range(count):
        due = time.monotonic() + 0.0005 + number / count * LONGEST
        loop.call_at(due, note, due)
    await done.wait()
    return early


def _plan(sizes: Sizes, application: Any) -> Row:
    plan = plans(sizes)["B"]
    count = len(plan.tasks)
    ours, stock = interleaved(
        sizes.rounds,
        lambda: count / time_engine(plan, LIMIT, run=partial(_run, QtEventLoop)).finished,
        lambda: count / time_engine(plan, LIMIT, run=partial(_run, _stock(application))).finished,
    )
    name = f"the engine: B, {count:,} tasks, limit {LIMIT}"
    return row("event_loop", name, "tasks/s", ours, stock, peer=STOCK, more_is_better=True)
