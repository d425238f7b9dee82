"""Reading a large plan from its file, beside decoding the same JSON without a check."""

from __future__ import annotations

import gc
import json
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tests.benchmarks.measuring import Budget, Row, interleaved, row
from tests.montage import montage

from starloom.formats import load_plan, save_plan
from starloom.testing import layered

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from tests.benchmarks.workloads import Sizes


def loading(sizes: Sizes) -> Iterator[Row]:
    """A plan of layers, and one of a mosaic as its workflow is recorded."""
    layers = sizes.layers * sizes.growth
    count = layers * sizes.width
    plans = {"layers": layered(layers, sizes.width), "a mosaic": montage(max(count, 1_000))}
    with tempfile.TemporaryDirectory() as folder:
        for name, plan in plans.items():
            path = Path(folder) / "plan.json"
            save_plan(plan, path)
            ours, floor = interleaved(sizes.rounds, lambda: _seconds(load_plan, path), lambda: _seconds(_decode, path))  # noqa: B023 - called within the round
            budget = Budget(1.0, absolute=True)
            yield row("loading", f"{name}, {count:,} tasks", "s", ours, floor, peer="json.loads", budget=budget)


def _decode(path: Path) -> Any:
    return json.loads(path.read_bytes())


def _seconds(read: Callable[[Path], Any], path: Path) -> float:
    gc.collect()
    begun = time.perf_counter()
    _kept = read(path)  # to free it is no part of reading
    return time.perf_counter() - begun
