"""Measures other engines beside ours: `python tests/benchmarks/peers.py [--only PART …]`, or `make bench-peers`.

Parts: `engines` runs A, B and C on dask, ray, parsl and prefect and on ours, each in a process of its own with a time
limit; `commands` runs graphs of shell commands on GNU make and parallel, snakemake, hyperqueue and ours; `polling` sets
our engine against itself turned by a 100 ms clock; `overlap` sets edits during the execution against edits between
phases of it. The engines are installed into `.venv-peers`. One that cannot be installed, fails or takes too long is
reported as such. Prints tables and writes bench-results/peers.json.
"""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

sys.path.insert(0, str(Path(__file__).parents[2]))  # a script finds only what lies beside it

from tests.benchmarks import peers_commands, peers_engines, peers_overlap, peers_polling
from tests.benchmarks.measuring import circumstances, say

if TYPE_CHECKING:
    from collections.abc import Callable

ROOT: Final = Path(__file__).parents[2]
PARTS: Final[dict[str, Callable[[bool], tuple[str, list[dict[str, Any]]]]]] = {
    "engines": lambda tiny: peers_engines.report(ROOT / ".venv-peers", tiny=tiny),
    "commands": lambda tiny: peers_commands.report(ROOT / ".venv-peers" / "of-commands", tiny=tiny),
    "polling": lambda tiny: peers_polling.report(tiny=tiny),
    "overlap": lambda tiny: peers_overlap.report(tiny=tiny),
}
"""Each gives a table, and its figures as plain values."""


def main(arguments: list[str] | None = None) -> None:
    """Measure what the arguments ask for; what was measured is written even if a later part fails."""
    parser = argparse.ArgumentParser(description="Measure other engines, and other ways, beside ours.")
    parser.add_argument("--only", nargs="+", choices=PARTS, metavar="PART", help=f"of {', '.join(PARTS)}")
    parser.add_argument("--tiny", action="store_true", help="tiny workloads: shows that it works, measures nothing")
    parser.add_argument("--output", type=Path, default=ROOT / "bench-results" / "peers.json", help="the JSON file")
    options = parser.parse_args(arguments)
    found: dict[str, Any] = circumstances()
    try:
        for name in options.only or PARTS:
            text, found[name] = PARTS[name](options.tiny)
            say("\n" + text)
    finally:
        options.output.parent.mkdir(parents=True, exist_ok=True)
        options.output.write_text(json.dumps(found, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
