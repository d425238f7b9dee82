"""History: how long many runs take until all of them are listed, and for how long the window stood meanwhile."""

from __future__ import annotations

import asyncio
import os
import tempfile
import time
from contextlib import contextmanager
from functools import partial
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final
from unittest.mock import patch

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

from msgspec.structs import replace
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication
from tests.benchmarks.measuring import Budget, Row, row
from tests.benchmarks.workloads import LIMIT, engine, here

from starloom.events import RunCreated
from starloom.journal.base import MemoryJournal
from starloom.journal.names import JOURNAL
from starloom.journal.stream_file import StreamFile
from starloom.testing import layered, noop
from starloom_gui import event_loop
from starloom_gui.app import opened
from starloom_gui.models.run_table import RunColumn
from starloom_gui.settings import Settings
from starloom_gui.shell.frame import WindowFrame

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from tests.benchmarks.workloads import Sizes

    from starloom.events import Event
    from starloom_gui.history.dialog import HistoryDialog

TYPED: Final = "run 17 done"
BLOCKED: Final = Budget(33, absolute=True)
"""Two frames."""


def history(sizes: Sizes) -> Iterator[Row]:
    """All rows about the dialog of all runs."""
    application = QApplication.instance() or QApplication(["bench"])
    assert isinstance(application, QApplication)
    with tempfile.TemporaryDirectory() as name, patch.dict(os.environ, {"STARLOOM_JOURNAL": name}):
        record_many(Path(name), sizes.edits, asyncio.run(_events()))
        figures = event_loop.run(_measured(application, Path(name), sizes.rounds))
    about = f"{sizes.edits:,} runs of {_TASKS} tasks"
    yield row("history", f"all are listed, {about}", "ms", figures["listed"], note="first sights come after 25 of them")
    yield row("history", f"listing: the longest time the loop stood, {about}", "ms", figures["stood"], budget=BLOCKED)
    yield row("history", f"search: the slowest key, {about}", "ms", figures["key"], budget=BLOCKED)
    yield row("history", f"sorting: the slowest column, {about}", "ms", figures["sort"], budget=BLOCKED)


_TASKS: Final = 40


async def _events() -> list[Event]:
    """What one run tells of."""
    journal = MemoryJournal()
    async with engine(LIMIT, here(noop), journal=journal) as orchestrator:
        run = await orchestrator.start(layered(_TASKS // 10, 10), run_id="run")
        await run.finished()
    return [event for event in journal.committed() if event.run_id]


def record_many(directory: Path, count: int, events: Sequence[Event]) -> None:
    """Have so many runs in a directory of journals, an hour after one another."""
    for number in range(count):
        run_id = f"run-{number}"
        folder = directory / "runs" / run_id
        folder.mkdir(parents=True)
        with StreamFile(folder / JOURNAL, run_id) as file:
            for _, turn in groupby(events, lambda event: event.at):
                file.commit([_moved(event, run_id, number) for event in turn])


def _moved(event: Event, run_id: str, number: int) -> Event:
    more: dict[str, Any] = {}
    if isinstance(event, RunCreated):
        more = {"name": f"run {number}", "wall_time": 1_795_000_000.0 + 3600 * number}
    return replace(event, run_id=run_id, **more)


async def _measured(application: QApplication, directory: Path, rounds: int) -> dict[str, list[float]]:
    """Milliseconds of each round, by what took them."""
    figures: dict[str, list[float]] = {"listed": [], "stood": [], "key": [], "sort": []}
    async with opened(WindowFrame(application, Settings(directory / "console.ini"))) as console:
        console.window.show()
        for _ in range(rounds):
            with _watched() as stood:
                begun = time.perf_counter()
                dialog = console.history.show()
                await console.history.settled()
                figures["listed"].append((time.perf_counter() - begun) * 1000)
            figures["stood"].append(stood[0])
            figures["key"].append(max(await _typed(dialog)))
            figures["sort"].append(max(await _sorted(dialog)))
            dialog.reject()
            QApplication.processEvents()
        console.window.close()
    return figures


async def _typed(dialog: HistoryDialog) -> list[float]:
    keys = [TYPED[:length] for length in range(1, len(TYPED) + 1)]
    keys += reversed(keys[:-1])
    return [await _timed(partial(dialog.search.setText, words)) for words in [*keys, ""]]


async def _sorted(dialog: HistoryDialog) -> list[float]:
    ascending = Qt.SortOrder.AscendingOrder
    return [await _timed(partial(dialog.grid.sortByColumn, column, ascending)) for column in RunColumn]


async def _timed(do: Callable[[], object]) -> float:
    """Milliseconds until it is done and shown."""
    await asyncio.sleep(0.02)
    begun = time.perf_counter()
    do()
    QApplication.processEvents()
    return (time.perf_counter() - begun) * 1000


@contextmanager
def _watched() -> Iterator[list[float]]:
    """The longest time between two turns of a loop that has something to do every 2 ms, in milliseconds."""
    loop = asyncio.get_running_loop()
    stood, before = [0.0], time.perf_counter()
    handles: list[asyncio.TimerHandle] = []

    def look() -> None:
        nonlocal before
        now = time.perf_counter()
        stood[0] = max(stood[0], (now - before) * 1000)
        before = now
        handles[:] = [loop.call_later(0.002, look)]

    handles.append(loop.call_later(0.002, look))
    try:
        yield stood
    finally:
        look()
        handles[0].cancel()
