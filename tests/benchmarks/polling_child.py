"""A process of its own that idles as `idle_child.py` does, in one of two modes: `polling_child.py MODE SECONDS`."""

from __future__ import annotations

import asyncio
import json
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2]))

from tests.benchmarks.idle_child import CountingSelector, idle_engine
from tests.benchmarks.peers_polling import turned_by


def main(mode: str, seconds: float) -> None:
    """Idle, and print what it cost."""
    selector = CountingSelector()
    with turned_by(mode), asyncio.Runner(loop_factory=lambda: asyncio.SelectorEventLoop(selector)) as runner:
        sys.stdout.write(json.dumps(runner.run(idle_engine(seconds, selector))))


if __name__ == "__main__":
    main(sys.argv[1], float(sys.argv[2]))
