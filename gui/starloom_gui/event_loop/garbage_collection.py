"""Python's cyclic garbage collector, tuned so that it does not cost frames, and kept to the thread of Qt.

Left to itself it runs in whichever thread makes the next object. What it finds there may be Qt's: a window, a model or
a timer that Python frees in a thread that only reads a journal ends the program.
"""

from __future__ import annotations

import gc
from typing import Final

THRESHOLDS: Final = (10_000, 10, 500)
"""Objects made since a collection of the youngest, and how many of those before one of the next two generations.

Runs of tens of thousands of tasks then spend a fifth of the time on collecting that Python's own thresholds take:
instead of full collections of 0.1 s many of the youngest, of about 1 ms. More than 10,000 makes each of those cost a
frame. Every tenth goes over what the last ten have left, which takes up to 20 ms; with every fiftieth it was 90.
"""


def calm_collector() -> None:
    """Freeze all objects that are alive now, and let the collector run only when `collect_if_due` is called.

    To be called once, when the program has loaded what it stays alive with. What is garbage by then is collected first.
    """
    gc.collect()
    gc.freeze()
    gc.set_threshold(*THRESHOLDS)
    gc.disable()


def collect_if_due() -> None:
    """Collect garbage in this thread by the usual thresholds, if the collector does not run by itself.

    The event loop calls it between two turns, when nothing of Qt's is being painted.
    """
    young, middle, old = gc.get_count()
    if young > THRESHOLDS[0] and not gc.isenabled():
        gc.collect(2 if old > THRESHOLDS[2] else 1 if middle > THRESHOLDS[1] else 0)
