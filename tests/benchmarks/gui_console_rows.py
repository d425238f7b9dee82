"""The console as a whole, in processes of its own: its start, what it costs while nothing happens, and a large run."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Final

from tests.benchmarks.child_rows import figures, start
from tests.benchmarks.measuring import Budget, Row, quantile, row
from tests.montage import FEWEST

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tests.benchmarks.workloads import Sizes

CHILD: Final = "console_child.py"
MILLI: Final = 1e3
SLOTS: Final = 64
SECONDS: Final = 0.2
"""How long each task of the large run takes."""
SHOWN: Final = Budget(1.0, absolute=True)
IDLE: Final = Budget(1.0, absolute=True)
OPENED: Final = Budget(1.5, absolute=True)
OPENED_LARGE: Final = Budget(5.0, absolute=True)
STOP: Final = Budget(100, absolute=True)
FRAME: Final = Budget(33, absolute=True)
KEEPS_UP: Final = Budget(0.98, at_least=True)


def console(sizes: Sizes) -> Iterator[Row]:
    """All rows of the console as a whole."""
    starts = [figures(start(CHILD, "start", time.time())) for _ in range(sizes.rounds)]
    note = "a process of its own, Python's start included"
    yield row("console", "window shown after start", "s", [one["shown"] for one in starts], budget=SHOWN, note=note)
    ready = [one["ready"] for one in starts]
    yield row("console", "everything behind it loaded after start", "s", ready, note=note)
    idle = figures(start(CHILD, "idle", sizes.idle), sizes.idle + 120)
    share = [idle["cpu"] / idle["seconds"] * 100]
    yield row("console", "open with an ended run, nothing running: CPU", "%", share, budget=IDLE)
    yield row("console", "the same: pictures painted", "", [idle["painted"]], note=f"in {sizes.idle:g} s")
    yield from _opened(sizes)
    yield from _large(sizes)


def _opened(sizes: Sizes) -> Iterator[Row]:
    """The files of large plans opened, until their folded graphs are painted."""
    count = max(FEWEST, sizes.layers * sizes.width)
    for tasks, budget in ((count, OPENED), (5 * count, OPENED_LARGE)):
        taken = [figures(start(CHILD, "open", tasks), 300) for _ in range(min(2, sizes.rounds))]
        title = f"first open of {tasks:,} tasks"
        note = f"{taken[0]['nodes']} nodes"
        yield row("console", title, "s", [one["took"] for one in taken], budget=budget, note=note)
        stops = [one["stop"] * MILLI for one in taken]
        yield row("console", f"{title}: longest stop of the window", "ms", stops, budget=STOP)


def _large(sizes: Sizes) -> Iterator[Row]:
    """A run of many tasks in the console as it opens, beside the engine alone."""
    tasks = sizes.layers * sizes.width
    taken = [figures(start(CHILD, "run", tasks, SECONDS, SLOTS), 600) for _ in range(min(2, sizes.rounds))]
    alone = [figures(start(CHILD, "headless", tasks, SECONDS, SLOTS), 600) for _ in taken]
    title = f"{tasks:,} tasks of {SECONDS * MILLI:g} ms, {SLOTS} at once"
    rates = [tasks / one["took"] for one in taken]
    floor = [tasks / one["took"] for one in alone]
    peer = "the engine alone, with the same journal"
    yield row("console", title, "tasks/s", rates, floor, peer=peer, budget=KEEPS_UP, more_is_better=True)
    late = [quantile(one["frames"], 0.99) * MILLI for one in taken]
    note = "while events wait to be shown: in between nothing is painted"
    yield row("console", f"{title}: interval between frames, p99", "ms", late, budget=FRAME, note=note)
    busy = [quantile(one["busy"], 0.99) * MILLI for one in taken]
    yield row("console", f"{title}: processor time of Qt's thread from frame to frame, p99", "ms", busy)
