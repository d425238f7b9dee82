"""Python's cyclic garbage collector, tuned so that it does not cost frames, and kept to the thread of Qt.

Left to itself it runs in whichever thread makes the next object. What it finds there may be Qt's: a window, a model or
a timer that Python frees in a thread that only reads a journal ends the program.
"""

from __future__ import annotations

import gc
from typing import Final

THRESHOLDS: Final = (10_000, 5, 1_000)
"""Objects made since a collection of the youngest, and how many of those before one of the next two generations.

Runs of tens of thousands of tasks then spend a fifth of the time on collecting that Python's own thresholds take:
instead of full collections of 0.1 s many of the youngest, of about 1 ms. More than 10,000 makes each of those cost a
frame. Every fifth goes over what the last five have left, which takes up to 11 ms; with every tenth it was 32.
"""
BULK: Final = 3 * THRESHOLDS[0]
"""More new objects than this between two turns are what a thread has loaded, such as the tasks of a large plan."""
MOST: Final = 2 * THRESHOLDS[0] * THRESHOLDS[1]
"""How many objects a collection that is not a full one goes over, about 15 ms."""


class _Collector:
    """Collects by the thresholds, but takes what was loaded in bulk for old, unseen.

    Nearly all of that is used, and to go over the 300,000 objects of a plan of 50,000 tasks would stop the window for
    0.1 s. It is frozen as what the program has begun with is; a full collection goes over all of it.

    Objects are counted by the collector's own counters: `gc.get_objects` would hold those that another
    thread is making, of which CPython then says "bad argument to internal function".
    """

    def __init__(self) -> None:
        self.made = self.recent = 0  # since the last full collection; since the last of the second generation

    def collect(self, young: int, middle: int) -> None:
        """Collect the generation that is due.

        Args:
            young: how many more objects there are than at the last collection.
            middle: how many of the youngest generation there were since the last of the second one.
        """
        self.made, self.recent = self.made + young, self.recent + young
        if self.made > THRESHOLDS[0] * THRESHOLDS[1] * THRESHOLDS[2]:
            gc.unfreeze()
            gc.collect()
            gc.freeze()
            self.made = self.recent = 0
        elif young > BULK or self.recent > MOST:
            self.take_for_old()
        elif middle > THRESHOLDS[1]:
            gc.collect(1)
            self.recent = 0
        else:
            gc.collect(0)

    def take_for_old(self) -> None:
        """Freeze all objects there are."""
        gc.freeze()
        self.recent = 0


_collector: Final = _Collector()


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
    young, middle, _ = gc.get_count()
    if young > THRESHOLDS[0] and not gc.isenabled():
        _collector.collect(young, middle)


def note_loaded(count: int) -> None:
    """Take what was just loaded for old, if it is much: the collector's counters lack what took the place of others.

    Args:
        count: how many things were loaded, each of several objects.
    """
    if count > BULK // 10 and not gc.isenabled():
        _collector.take_for_old()
