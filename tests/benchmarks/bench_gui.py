"""Measures the console against its budgets: `python tests/benchmarks/bench_gui.py [--only GROUP …]`.

Prints a table and writes it with each round's figures to bench-results/gui.json. Where there is no PySide6 it says so
and measures nothing.
"""

from __future__ import annotations

import argparse
import importlib.util
import os
import sys
import time
from dataclasses import asdict
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Final

sys.path.insert(0, str(Path(__file__).parents[2]))  # a script finds only what lies beside it

from tests.benchmarks.measuring import Row, cells, circumstances, say, table, write_json
from tests.benchmarks.workloads import FULL, TINY, Sizes

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

ROOT: Final = Path(__file__).parents[2]
GROUPS: Final = {
    "bridge": "gui_bridge_rows:bridge",
    "event_loop": "gui_loop_rows:event_loop",
    "canvas": "gui_canvas_rows:canvas",
    "gestures": "gui_gesture_rows:gestures",
    "edits": "gui_edit_rows:edits",
    "timeline": "gui_timeline_rows:timeline",
    "panels": "gui_panels_rows:panels",
    "plots": "gui_plots_rows:plots",
    "compare": "gui_compare_rows:compare",
    "past": "gui_past_rows:past",
    "history": "gui_history_rows:history",
    "shell": "gui_shell_rows:shell",
    "output": "gui_output:output",
    "console": "gui_console_rows:console",
}
"""Where the rows of each group are made; looked up when they are wanted, as all of them need Qt."""


def rows_of(group: str) -> Callable[[Sizes], Iterator[Row]]:
    """What makes the rows of a group."""
    module, _, name = GROUPS[group].partition(":")
    make: Callable[[Sizes], Iterator[Row]] = getattr(import_module(f"tests.benchmarks.{module}"), name)
    return make


def measure(names: list[str], sizes: Sizes, path: Path) -> list[Row]:
    """Measure groups one after the other; what was measured is written even if a later group fails."""
    rows: list[Row] = []
    seconds: dict[str, float] = {}
    try:
        for name in names:
            begun = time.perf_counter()
            say(f"{name} …")
            for entry in rows_of(name)(sizes):
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
    parser = argparse.ArgumentParser(description="Measure the console against its budgets.")
    parser.add_argument("--only", nargs="+", choices=GROUPS, metavar="GROUP", help=f"of {', '.join(GROUPS)}")
    parser.add_argument("--tiny", action="store_true", help="tiny workloads: shows that it works, measures nothing")
    parser.add_argument("--output", type=Path, default=ROOT / "bench-results" / "gui.json", help="the JSON file")
    options = parser.parse_args(arguments)
    if importlib.util.find_spec("PySide6") is None:
        say("The console is not measured: PySide6 is not installed.")
        return
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    rows = measure(options.only or list(GROUPS), TINY if options.tiny else FULL, options.output)
    missed = [entry.name for entry in rows if entry.holds is False]
    kept = sum(entry.holds is True for entry in rows)
    say(f"{kept} budgets hold, {len(missed)} do not. All figures: {options.output}")


if __name__ == "__main__":
    main()
