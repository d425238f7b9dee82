"""Where the time of the workloads goes, function by function. The profiler itself slows small functions the most."""

from __future__ import annotations

import cProfile
import io
import pstats
from typing import TYPE_CHECKING, Final

from tests.benchmarks.workloads import LIMIT, Sizes, plans, time_engine

if TYPE_CHECKING:
    from collections.abc import Iterator

SHOWN: Final = 30


def hot_functions(sizes: Sizes) -> Iterator[str]:
    """For each workload at the usual limit the functions that take the most time themselves."""
    for letter, plan in plans(sizes).items():
        profiler = cProfile.Profile()
        time_engine(plan, LIMIT)
        time_engine(plan, LIMIT, profiler=profiler)
        out = io.StringIO()
        statistics = pstats.Stats(profiler, stream=out)
        statistics.strip_dirs().sort_stats("tottime").print_stats(SHOWN)
        yield f"== {letter}, {len(plan.tasks):,} tasks, limit {LIMIT}\n{out.getvalue()}"
