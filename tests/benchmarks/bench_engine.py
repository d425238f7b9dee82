"""Measures the engine against the budgets: `python tests/benchmarks/bench_engine.py [--only GROUP …] [--profile]`.

Prints a table and writes it with each round's figures to bench-results/engine.json. Budgets are reported, never
asserted: a machine that is busy with something else must not fail a build.
"""

from __future__ import annotations

import argparse
import sys
import time
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Final

sys.path.insert(0, str(Path(__file__).parents[2]))  # a script finds only what lies beside it

from tests.benchmarks import (
    child_rows,
    core_rows,
    cycle_rows,
    edit_rows,
    fleet_rows,
    foresight_rows,
    journal_rows,
    layout_rows,
    load_rows,
    local_rows,
    loop_rows,
    observer_rows,
    report_rows,
    turn_rows,
)
from tests.benchmarks.hot_functions import hot_functions
from tests.benchmarks.measuring import Row, cells, circumstances, say, table, write_json
from tests.benchmarks.workloads import FULL, TINY, Sizes

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

ROOT: Final = Path(__file__).parents[2]
GROUPS: Final[dict[str, Callable[[Sizes], Iterator[Row]]]] = {
    "core": core_rows.core,
    "latency": core_rows.latency,
    "growth": core_rows.growth,
    "journal": journal_rows.journal,
    "edits": edit_rows.edits,
    "turns": turn_rows.turns,
    "cycles": cycle_rows.cycles,
    "fold": edit_rows.fold,
    "memory": child_rows.memory,
    "idle": child_rows.idle,
    "fleet": fleet_rows.fleet,
    "local": local_rows.local,
    "observers": observer_rows.observers,
    "layout": layout_rows.layouts,
    "foresight": foresight_rows.foresight,
    "loop": loop_rows.loop,
    "reports": report_rows.reports,
    "loading": load_rows.loading,
}


def measure(names: list[str], sizes: Sizes, path: Path) -> list[Row]:
    """Measure groups one after the other; what was measured is written even if a later group fails."""
    rows: list[Row] = []
    seconds: dict[str, float] = {}
    try:
        for name in names:
            begun = time.perf_counter()
            say(f"{name} …")
            for entry in GROUPS[name](sizes):
                rows.append(entry)
                say("  " + "  ".join(cell for cell in cells(entry) if cell))
            seconds[name] = round(time.perf_counter() - begun, 1)
            say(f"{name}: {seconds[name]} s")
    finally:
        write_json(path, rows, {**circumstances(), "groups": seconds, "sizes": asdict(sizes)})
        say("\n" + table(rows))
    return rows


def main(arguments: list[str] | None = None) -> None:
    """Measure what the arguments ask for."""
    parser = argparse.ArgumentParser(description="Measure the engine against its budgets.")
    parser.add_argument("--only", nargs="+", choices=GROUPS, metavar="GROUP", help=f"of {', '.join(GROUPS)}")
    parser.add_argument("--profile", action="store_true", help="print the hottest functions of A, B and C instead")
    parser.add_argument("--tiny", action="store_true", help="tiny workloads: shows that it works, measures nothing")
    parser.add_argument("--output", type=Path, default=ROOT / "bench-results" / "engine.json", help="the JSON file")
    options = parser.parse_args(arguments)
    sizes = TINY if options.tiny else FULL
    if options.profile:
        for text in hot_functions(sizes):
            say(text)
        return
    rows = measure(options.only or list(GROUPS), sizes, options.output)
    missed = [entry.name for entry in rows if entry.holds is False]
    kept = sum(entry.holds is True for entry in rows)
    say(f"{kept} budgets hold, {len(missed)} do not. All figures: {options.output}")


if __name__ == "__main__":
    main()
