"""The ready queue: the buckets of all runs, and the wait queues of blocked ones.

A bucket whose head cannot be placed is parked under the first thing that blocks it, so that a dispatch never looks at
blocked tasks. When a place frees, the wait queue stands in line for what is parked there, under the least key of all:
they come back one after the other, until one cannot start. All of this is an index: it can be rebuilt from the facts at
any time.
"""

from __future__ import annotations

from heapq import heappop, heappush
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from starloom.scheduling.state.run_index import Bucket, WaitQueue

_BEFORE_BUCKETS: Final = -1
"""The second part of a wait queue's entry in the active heap; no bucket's order is below 0."""


class ReadyQueue:
    """All buckets that may have something to start, by their least key.

    Attributes:
        active: an entry per bucket, and per wait queue that may be free, with stale ones among them.
        ranked: the same of the runs whose tasks go by rank: their keys cannot be compared with those of others.
        parked: whether a bucket was ever parked; before that nobody needs to be woken.
    """

    __slots__ = ("active", "parked", "ranked")

    def __init__(self) -> None:
        self.parked = False
        self.active: list[tuple[int, int, Bucket | WaitQueue]] = []
        self.ranked: list[tuple[int, int, Bucket]] = []

    def push(self, bucket: Bucket, key: int) -> None:
        """Queue a task under its key."""
        bucket.add(key)
        if bucket.wait_queue is not None:
            self.note_head(bucket)
        elif bucket.entry is None or key < bucket.entry:
            bucket.entry = key
            heap: list[Any] = self.ranked if bucket.index.by_rank else self.active
            heappush(heap, (key, bucket.order, bucket))

    def park(self, bucket: Bucket, wait_queue: WaitQueue) -> None:
        """Park a bucket whose head cannot start until the resource of the wait queue frees."""
        bucket.entry = None
        bucket.wait_queue = wait_queue
        wait_queue.entry = None
        self.parked = True
        buckets = wait_queue.buckets
        is_second = len(buckets) == 1
        buckets[bucket] = None
        if bucket.index.by_rank:
            wait_queue.has_ranked = True
        for one in tuple(buckets) if is_second else (bucket,):  # the first was alone there, and in no line
            self.note_head(one)

    def note_head(self, bucket: Bucket) -> None:
        """Note that a parked bucket may have another head."""
        wait_queue = bucket.wait_queue
        if wait_queue is None or bucket.index.by_rank:
            return
        if wait_queue.entry is None and len(wait_queue.buckets) == 1:
            return  # nobody asks which one is the first
        key = bucket.head()
        if key is not None and (bucket.parked is None or key < bucket.parked):
            bucket.parked = key
            heappush(wait_queue.line, (key, bucket.order, bucket))
            if wait_queue.entry is not None and key < wait_queue.entry:
                self._stand_in_line(wait_queue)

    def leave(self, bucket: Bucket) -> None:
        """Unpark a bucket without activating it."""
        wait_queue = bucket.wait_queue
        if wait_queue is not None:
            bucket.wait_queue = bucket.parked = None
            del wait_queue.buckets[bucket]
            if wait_queue.entry is not None:
                self._stand_in_line(wait_queue)

    def wake(self, wait_queue: WaitQueue) -> None:
        """Activate all buckets of a wait queue, as what they wait for has changed."""
        buckets, wait_queue.buckets = wait_queue.buckets, {}
        wait_queue.line.clear()
        wait_queue.entry, wait_queue.has_ranked = None, False
        for bucket in buckets:
            bucket.wait_queue = bucket.parked = None
            self.activate(bucket)

    def offer(self, wait_queue: WaitQueue) -> None:
        """Activate the first bucket of a wait queue that can use a freed place."""
        if len(wait_queue.buckets) == 1 and wait_queue.entry is None:
            bucket, _ = wait_queue.buckets.popitem()
            bucket.wait_queue = bucket.parked = None
            wait_queue.line.clear()
            self.activate(bucket)
        elif wait_queue.has_ranked:
            self.wake(wait_queue)
        elif wait_queue.entry is None:
            self._stand_in_line(wait_queue)

    def take(self, wait_queue: WaitQueue) -> Bucket:
        """Unpark the first bucket of a wait queue, which waited for all of them."""
        _, _, bucket = heappop(wait_queue.line)
        bucket.wait_queue = bucket.parked = None
        del wait_queue.buckets[bucket]
        self._stand_in_line(wait_queue)
        return bucket

    def _stand_in_line(self, wait_queue: WaitQueue) -> None:
        line = wait_queue.line
        while line and (line[0][2].wait_queue is not wait_queue or line[0][2].parked != line[0][0]):
            heappop(line)
        wait_queue.entry = line[0][0] if line else None
        if line:
            heappush(self.active, (line[0][0], _BEFORE_BUCKETS, wait_queue))

    def activate(self, bucket: Bucket) -> None:
        """Queue an unparked bucket by its head."""
        bucket.entry = key = bucket.head()
        if key is not None:
            heap: list[Any] = self.ranked if bucket.index.by_rank else self.active
            heappush(heap, (key, bucket.order, bucket))
