"""The ready queue: buckets of tasks with the same constraints, and the lots where blocked buckets are parked.

A bucket whose head cannot be placed is parked under the first thing that blocks it and comes back when that frees, so
that a dispatch never looks at blocked tasks. All of this is an index: it can be rebuilt from the facts at any time.
"""

from __future__ import annotations

from collections import deque
from heapq import heappop, heappush
from typing import TYPE_CHECKING, Final

from starloom.scheduling.device_facts import Wanted

if TYPE_CHECKING:
    from starloom.scheduling.device_facts import DeviceFacts
    from starloom.scheduling.run_index import RunIndex

NUMBER_BITS: Final = 24
RUN_BITS: Final = 32
BUCKET_BITS: Final = 24
"""A key ends with its bucket, so that one left behind in another bucket is stale there."""
SHIFT: Final = NUMBER_BITS + RUN_BITS + BUCKET_BITS
NUMBER_MASK: Final = (1 << NUMBER_BITS) - 1
POINT: Final = 1_000_000
"""Parts of a priority point that a key tells apart: half a microsecond of waiting at the default rate."""

Constraints = tuple[tuple[str, ...], str | None, Wanted]
"""Groups, preference, and what the device must be and be able to do."""

FREE: Final[Constraints] = ((), None, Wanted(None, frozenset(), None))
"""Of the tasks that ask for nothing but the action most of their run ask for; that one is in `RunIndex.action`."""


class Lot:
    """Buckets that wait for the same thing."""

    __slots__ = ("buckets", "name")

    def __init__(self, name: str) -> None:
        self.name = name
        self.buckets: list[Bucket] = []


class Bucket:
    """The ready tasks of one run that have the same constraints, in the order in which they should start.

    Keys mostly come in ascending order, as what becomes ready later starts later: those stand in `line`, which costs
    nothing to keep in order; the others in `heap`. A key is stale when its task has another one by now.

    Attributes:
        entry: the key under which the bucket stands in the active heap; None: it does not.
        lot: where it is parked.
        candidates: the devices that could take its tasks, as of fleet version `version`.
    """

    __slots__ = (
        "candidates",
        "entry",
        "groups",
        "heap",
        "index",
        "line",
        "lot",
        "order",
        "ordinal",
        "prefer",
        "version",
        "wanted",
    )

    def __init__(self, index: RunIndex, ordinal: int, constraints: Constraints) -> None:
        self.index = index
        self.ordinal = ordinal
        self.order = index.number << BUCKET_BITS | ordinal
        self.groups, self.prefer, self.wanted = constraints
        self.line: deque[int] = deque()
        self.heap: list[int] = []
        self.entry: int | None = None
        self.lot: Lot | None = None
        self.candidates: list[DeviceFacts] = []
        self.version = -1

    def add(self, key: int) -> None:
        """Put a key where it belongs."""
        if not self.line or key > self.line[-1]:
            self.line.append(key)
        else:
            heappush(self.heap, key)

    def head(self) -> int | None:
        """The least key; None when there is none."""
        if self.heap:
            return min(self.heap[0], self.line[0]) if self.line else self.heap[0]
        return self.line[0] if self.line else None

    def may_go_before(self, rival: int | None) -> bool:
        """Whether there is a key, and none before it among those of others, the least of which is the rival."""
        key = (self.head() if self.heap else self.line[0]) if self.line or self.heap else None
        return key is not None and (rival is None or key <= rival)

    def pop(self) -> int:
        """Take the least key away."""
        if self.heap and (not self.line or self.heap[0] < self.line[0]):
            return heappop(self.heap)
        return self.line.popleft()

    def all_keys(self) -> list[int]:
        """Every key, stale ones included, in no order."""
        return [*self.line, *self.heap]

    def clear(self) -> None:
        """Forget all keys."""
        self.line.clear()
        self.heap.clear()
        self.entry = None


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
        if bucket.lot is None and (bucket.entry is None or key < bucket.entry):
            bucket.entry = key
            heappush(self.ranked if bucket.index.by_rank else self.active, (key, bucket.order, bucket))

    def park(self, bucket: Bucket, lot: Lot) -> None:
        """Its head cannot start until whatever the lot stands for frees."""
        bucket.entry = None
        bucket.lot = lot
        lot.buckets.append(bucket)
        self.parked = True

    def wake(self, lot: Lot) -> None:
        """What these buckets waited for has freed."""
        buckets, lot.buckets = lot.buckets, []
        for bucket in buckets:
            bucket.lot = None
            self.activate(bucket)

    def activate(self, bucket: Bucket) -> None:
        """Let a bucket that is not parked stand in line with its head."""
        bucket.entry = bucket.head()
        if bucket.entry is not None:
            heap = self.ranked if bucket.index.by_rank else self.active
            heappush(heap, (bucket.entry, bucket.order, bucket))
