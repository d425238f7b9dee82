"""A process of its own that says how much memory a plan and its run take: `memory_child.py engine|floor LAYERS WIDTH`.

Prints JSON, all in bytes: `imported` is what the interpreter held after the imports, `built` what it held once the plan
was made, `peak` the most it ever held.
"""

from __future__ import annotations

import gc
import json
import sys
from pathlib import Path
from typing import Final

import psutil

sys.path.insert(0, str(Path(__file__).parents[2]))

from tests.benchmarks.floor import FloorGraph, time_floor
from tests.benchmarks.workloads import LIMIT, time_engine

from starloom.testing import layered

STATUS: Final = Path("/proc/self/status")


def resident() -> int:
    """The memory the process holds now."""
    return int(psutil.Process().memory_info().rss)


def peak() -> int:
    """The most memory the process has held so far."""
    if STATUS.exists():  # getrusage would count what the parent held when it forked
        return int(STATUS.read_text(encoding="ascii").split("VmHWM:")[1].split()[0]) * 1024
    on_windows: int | None = getattr(psutil.Process().memory_info(), "peak_wset", None)
    if on_windows is not None:
        return on_windows
    import resource  # there is none on Windows

    most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return most if sys.platform == "darwin" else most * 1024


def main(side: str, layers: int, width: int) -> None:
    """Build, run, and say what it took."""
    gc.collect()
    figures = {"imported": resident()}
    if side == "engine":
        plan = layered(layers, width)
        figures |= {"built": resident(), "peak_built": peak()}
        time_engine(plan, LIMIT)
    else:
        graph = FloorGraph.layered(layers, width)
        figures |= {"built": resident(), "peak_built": peak()}
        time_floor(graph, LIMIT)
    figures["peak"] = peak()
    sys.stdout.write(json.dumps(figures))


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]), int(sys.argv[3]))
