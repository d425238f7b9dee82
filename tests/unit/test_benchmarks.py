"""The benchmarks run: each group on tiny workloads, so that a change of the engine cannot break them unnoticed."""

from __future__ import annotations

import asyncio
import json
import math
import platform
from typing import TYPE_CHECKING, Any

import pytest
from tests.benchmarks import bench_engine, child_rows, edit_rows
from tests.benchmarks.floor import FloorGraph, bounded, time_floor, unbounded
from tests.benchmarks.hot_functions import hot_functions
from tests.benchmarks.measuring import Budget, interleaved, number, quantile, row, table
from tests.benchmarks.workloads import EVENTS_OF_A_TASK, TINY, Observer, time_engine

from starloom.testing import chain, diamond, independent, layered

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from tests.benchmarks.measuring import Row
    from tests.benchmarks.workloads import Sizes

    from starloom.model.plan import Plan


# ---- each group


@pytest.mark.parametrize("name", bench_engine.GROUPS)
def test_a_group_measures_something(name: str) -> None:
    rows = list(bench_engine.GROUPS[name](TINY))
    assert rows
    for entry in rows:
        assert entry.group == name
        assert len(entry.samples) == (TINY.core_rounds if name in ("core", "latency") else TINY.rounds)
        assert math.isfinite(entry.ours)
        assert entry.ratio is None or math.isfinite(entry.ratio)
        assert (entry.holds is not None) == bool(entry.budget)
    assert len({entry.name for entry in rows}) == len(rows)


def test_the_profile_shows_functions_of_each_workload() -> None:
    texts = list(hot_functions(TINY))
    assert [text[3] for text in texts] == ["A", "B", "C"]
    assert all("scheduler.py" in text for text in texts)


# ---- the floor does the work it is timed for


async def _started(graph: FloorGraph, limit: int | None) -> tuple[int, int]:
    """How many handlers ran, and how many at once at most."""
    ran, running, most = 0, 0, 0

    async def handler() -> None:
        nonlocal ran, running, most
        ran += 1
        running += 1
        most = max(most, running)
        await asyncio.sleep(0)
        running -= 1

    unmet = list(graph.unmet)
    await (unbounded(graph, unmet, handler) if limit is None else bounded(graph, unmet, handler, limit))
    return ran, most


@pytest.mark.parametrize("limit", [3, None])
@pytest.mark.parametrize("plan", [independent(20), chain(20), diamond(), layered(5, 4)], ids=lambda plan: plan.name)
def test_the_floor_runs_every_task_once_and_keeps_its_limit(plan: Plan, limit: int | None) -> None:
    ran, most = asyncio.run(_started(FloorGraph.of(plan), limit))
    assert ran == len(plan.tasks)
    assert most <= (limit or len(plan.tasks))


def test_the_floor_keeps_the_order_of_a_chain() -> None:
    assert asyncio.run(_started(FloorGraph.of(chain(20)), None)) == (20, 1)


def test_a_graph_of_the_floor_can_be_timed_again() -> None:
    graph = FloorGraph.of(layered(5, 4))
    assert time_floor(graph, 2) > 0
    assert time_floor(graph, 2) > 0


def test_the_layered_graph_without_a_plan_is_that_of_the_plan() -> None:
    assert FloorGraph.layered(6, 5) == FloorGraph.of(layered(6, 5))


# ---- a figure of work that was not done is refused


async def _fail(_task: Any, _context: Any) -> None:
    raise ValueError("on purpose")


def test_a_run_that_failed_is_not_timed() -> None:
    with pytest.raises(AssertionError, match="failed"):
        time_engine(independent(3), None, _fail)


def test_an_observer_that_missed_events_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Observer, "note", lambda _self, _event: None)
    with pytest.raises(AssertionError, match="saw only 0 events"):
        time_engine(independent(3), None, observers=1)


def test_observers_are_told_of_every_task() -> None:
    timing = time_engine(independent(20), 16, observers=2)
    assert 0 < timing.finished <= timing.told
    assert EVENTS_OF_A_TASK == 3


def test_refused_edits_are_not_timed() -> None:
    plan = layered(5, 4)
    legal = edit_rows.legal_dependencies(plan, TINY, 3)
    with pytest.raises(AssertionError, match="refused"):
        edit_rows.by_handle(plan, [*legal, legal[0]])


def test_a_measuring_process_that_fails_is_noticed(capfd: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(RuntimeError, match="exit code"):
        child_rows.figures(child_rows.start("memory_child.py", "engine", "many", "wide"))
    assert "ValueError" in capfd.readouterr().err


# ---- what becomes of the figures


def _row(**fields: Any) -> Row:
    return row("group", "name", "µs", [2.0, 3.0, 9.0], [1.0, 2.0, 3.0], **fields)


def test_the_ratio_is_the_median_of_the_rounds_and_the_best_that_of_the_best_rounds() -> None:
    entry = _row()
    assert (entry.ours, entry.floor, entry.ratio, entry.best) == (3.0, 2.0, 2.0, 2.0)
    assert _row(more_is_better=True).best == 3.0


@pytest.mark.parametrize(
    ("budget", "holds"),
    [
        (Budget(2.0), True),
        (Budget(1.9), False),
        (Budget(2.0, at_least=True), True),
        (Budget(2.1, at_least=True), False),
        (Budget(3.0, absolute=True), True),
        (Budget(2.9, absolute=True), False),
        (None, None),
    ],
)
def test_a_budget_is_of_the_ratio_or_of_the_figure_itself(budget: Budget | None, holds: bool | None) -> None:
    assert _row(budget=budget).holds is holds


def test_a_quantile_is_one_of_the_values() -> None:
    values = [float(value) for value in range(100, 0, -1)]
    assert [quantile(values, share) for share in (0.0, 0.5, 0.99, 1.0)] == [1.0, 50.0, 99.0, 100.0]
    assert quantile([7.0], 0.99) == 7.0


def test_measures_take_turns() -> None:
    order: list[str] = []

    def measure(name: str) -> int:
        order.append(name)
        return len(order)

    assert interleaved(2, lambda: measure("a"), lambda: measure("b")) == [[3, 5], [4, 6]]
    assert "".join(order) == "ababab"


def test_the_table_says_what_a_row_is_compared_with() -> None:
    text = table([_row(), _row(peer="a peer", note="a note", budget=Budget(1.0))])
    assert "name [1]" in text
    assert "[1] floor: a peer; a note" in text
    assert "NO" in text


def test_figures_are_shown_in_few_digits() -> None:
    assert [number(value) for value in (None, 0.0, 0.0123, 1.234, 12.34, 1234.5)] == [
        "-",
        "0.00",
        "0.0123",
        "1.23",
        "12.3",
        "1,234",
    ]


def test_the_results_are_written(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "results" / "engine.json"
    bench_engine.main(["--tiny", "--only", "fold", "--output", str(path)])
    written = json.loads(path.read_text(encoding="utf-8"))
    assert [entry["group"] for entry in written["rows"]] == ["fold"]
    assert written["python"] == platform.python_version()
    assert "holds?" in capsys.readouterr().out


def test_what_was_measured_before_a_crash_is_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def crash(_sizes: Sizes) -> Iterator[Row]:
        yield _row()
        raise RuntimeError("on purpose")

    monkeypatch.setitem(bench_engine.GROUPS, "core", crash)
    path = tmp_path / "engine.json"
    with pytest.raises(RuntimeError, match="on purpose"):
        bench_engine.main(["--only", "core", "--output", str(path)])
    assert len(json.loads(path.read_text(encoding="utf-8"))["rows"]) == 1
