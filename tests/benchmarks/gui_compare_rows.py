"""A run beside an earlier one: how long the table of its tasks takes to be sorted by what has changed."""

from __future__ import annotations

import asyncio
import gc
import os
import time
from functools import partial
from typing import TYPE_CHECKING

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication
from tests.benchmarks.measuring import Budget, Row, interleaved, row
from tests.benchmarks.workloads import LIMIT, engine, here

from starloom.testing import layered, noop
from starloom_gui.diff.baseline_run import BaselineRun
from starloom_gui.models.task_cells import COMPARED, TaskColumn
from starloom_gui.models.task_table import TaskTable
from starloom_gui.panels.task_grid import TaskGrid
from starloom_gui.theme.appearance import Appearance
from starloom_gui.viewmodel.selection import Selection

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tests.benchmarks.workloads import Sizes

    from starloom.model.plan import Plan
    from starloom.scheduling.state.run_facts import RunFacts


def compare(sizes: Sizes) -> Iterator[Row]:
    """All rows about a run beside an earlier one."""
    application = QApplication.instance() or QApplication(["bench"])
    assert isinstance(application, QApplication)
    plan = layered(sizes.layers * sizes.growth, sizes.width)
    (then, at), (run, now) = asyncio.run(_ended(plan)), asyncio.run(_ended(plan))
    appearance, table = Appearance(application), TaskTable(lambda: run, lambda: now)
    grid = TaskGrid(table, appearance, Selection())
    grid.resize(1100, 280)
    grid.show()
    table.compare(BaselineRun(then, at, "earlier"))
    for column in sorted(COMPARED):
        (taken,) = interleaved(sizes.rounds, partial(_sorted, grid, table, column))
        name = f"table of {len(plan.tasks):,} tasks: sorted by {column.name.lower()}"
        yield row("compare", name, "ms", taken, budget=Budget(100, absolute=True), note="and painted, 1100 x 280")
    grid.close()
    for owner in (table, appearance):
        owner.deleteLater()


async def _ended(plan: Plan) -> tuple[RunFacts, float]:
    """The facts of a run of the plan, and when it ended, in seconds on its clock."""
    async with engine(LIMIT, here(noop)) as orchestrator:
        run = await orchestrator.start(plan)
        await run.finished()
        return run.facts.copy(orchestrator.pump.scheduler.fleet.copy()), orchestrator.pump.clock()


def _sorted(grid: TaskGrid, table: TaskTable, column: TaskColumn) -> float:
    """Milliseconds until the rows are in another order and painted."""
    table.sort(-1)
    gc.collect()
    begun = time.perf_counter()
    table.sort(column, Qt.SortOrder.DescendingOrder)
    grid.viewport().repaint()
    return (time.perf_counter() - begun) * 1000
