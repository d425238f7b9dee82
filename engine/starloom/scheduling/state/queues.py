"""The ready queue: the buckets of all runs, and where blocked ones are parked.

A bucket whose head cannot be placed is parked under the first thing that blocks it and comes back when that frees, so
that a dispatch never looks at blocked tasks. All of this is an index: it can be rebuilt from the facts at any time.
"""

from __future__ import annotations

from heapq import heappush
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from starloom.scheduling.state.run_index import Bucket, WaitQueue


class ReadyQueue:
    """All buckets that may have something to start, by their least key.

    Attributes:
        active: an entry per bucket, with stale ones among them.
        ranked: the same of the runs whose tasks go by rank: their keys cannot be compared with those of others.
        parked: whether a bucket was ever parked; before that nobody needs to be woken.
    """

    __slots__ = ("active", "parked", "ranked")

    def __init__(self) -> None:
        self.parked = False
        self.active: list[tuple[int, int, Bucket]] = []
        self.ranked: list[tuple[int, int, Bucket]] = []

    def push(self, bucket: Bucket, key: int) -> None:
        """Queue a task under its key."""
        bucket.add(key)
        if bucket.wait_queue is None and (bucket.entry is None or key < bucket.entry):
            bucket.entry = key
            heappush(self.ranked if bucket.index.by_rank else self.active, (key, bucket.order, bucket))

    def park(self, bucket: Bucket, wait_queue: WaitQueue) -> None:
        """Its head cannot start until what the wait queue is about frees."""
        bucket.entry = None
        bucket.wait_queue = wait_queue
        wait_queue.buckets.append(bucket)
        self.parked = True

    def wake(self, wait_queue: WaitQueue) -> None:
        """What these buckets waited for has freed."""
        buckets, wait_queue.buckets = wait_queue.buckets, []
        for bucket in buckets:
            bucket.wait_queue = None
            self.activate(bucket)

    def activate(self, bucket: Bucket) -> None:
        """Let a bucket that is not parked stand in line with its head."""
        bucket.entry = bucket.head()
        if bucket.entry is not None:
            heap = self.ranked if bucket.index.by_rank else self.active
            heappush(heap, (bucket.entry, bucket.order, bucket))
