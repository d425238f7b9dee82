"""A process of its own that says how much memory a run with a journal takes: `journal_child.py LAYERS WIDTH`.

Prints JSON in bytes: `imported` is what the interpreter held after the imports, `peak` the most it ever held.
"""

from __future__ import annotations

import gc
import json
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2]))

from tests.benchmarks.journal_rows import time_journalled
from tests.benchmarks.memory_child import peak, resident
from tests.benchmarks.workloads import LIMIT

from starloom.testing import layered


def main(layers: int, width: int) -> None:
    """Build, run, and say what it took."""
    gc.collect()
    imported = resident()
    time_journalled(layered(layers, width), LIMIT)
    sys.stdout.write(json.dumps({"imported": imported, "peak": peak()}))


if __name__ == "__main__":
    main(int(sys.argv[1]), int(sys.argv[2]))
