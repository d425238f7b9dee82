"""The scheduler's index of a run: keys, buckets, inherited priorities.

All of it is rebuilt from the facts; nothing of it is journalled.
"""

from __future__ import annotations

from collections import deque
from heapq import heapify, heappop, heappush
from itertools import chain
from typing import TYPE_CHECKING, Final

from starloom.model.status import Placement
from starloom.pauses import Pause, no_pause, popped
from starloom.scheduling.state.codes import PENDING, REMOVED
from starloom.scheduling.state.device_facts import DeviceRequirements
from starloom.scheduling.state.queue_keys import BUCKET_BITS, NUMBER_MASK

if TYPE_CHECKING:
    from collections.abc import Iterable

    from starloom.model.agent_terms import EditScope
    from starloom.model.likeness import Key
    from starloom.model.plan import PlanIndex
    from starloom.model.task import Task
    from starloom.scheduling.state.device_facts import DeviceFacts
    from starloom.scheduling.state.run_facts import RunFacts


Learnt = dict["Key", tuple[int, float]]
"""How many attempts of a name or kind completed, and the seconds they took together on a device of speed 1."""

Constraints = tuple[tuple[str, ...], str | None, DeviceRequirements]
"""Groups, preference, and what the device must be and be able to do."""

FREE: Final[Constraints] = ((), None, DeviceRequirements(None, frozenset(), None))
"""Of the tasks that ask for nothing but the action most of their run ask for; that one is in `RunIndex.action`."""


class WaitQueue:
    """The queue of buckets that wait for the same thing; while one of them cannot start, no other can.

    Attributes:
        buckets: those that are parked here.
        line: where there are several, an entry for each under its head, as a heap, with stale ones among them; not for
            those whose tasks go by rank.
        entry: the key under which it stands in the active heap itself, as what they wait for may be free; None: it does
            not.
        has_ranked: whether there may be such among them.
    """

    __slots__ = ("buckets", "entry", "has_ranked", "line", "name")

    def __init__(self, name: str) -> None:
        self.name = name
        self.buckets: dict[Bucket, None] = {}
        self.line: list[tuple[int, int, Bucket]] = []
        self.entry: int | None = None
        self.has_ranked = False

    def __lt__(self, other: object) -> bool:
        """Entries of one heap that are equal but for this are stale, all but one: their order does not matter."""
        return False


class Bucket:
    """The ready tasks of one run that have the same constraints, in the order in which they should start.

    Keys mostly come in ascending order, as what becomes ready later starts later: those stand in `line`, which costs
    nothing to keep in order; the others in `heap`. A key is stale when its task has another one by now.

    Attributes:
        entry: the key under which the bucket stands in the active heap; None: it does not.
        wait_queue: where it is parked.
        parked: the key under which it stands in line there; None: it does not.
        candidates: the devices that could take its tasks, as of fleet version `version`.
    """

    __slots__ = (
        "candidates",
        "entry",
        "groups",
        "heap",
        "index",
        "line",
        "order",
        "ordinal",
        "parked",
        "prefer",
        "version",
        "wait_queue",
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
        self.wait_queue: WaitQueue | None = None
        self.parked: int | None = None
        self.candidates: list[DeviceFacts] = []
        self.version = -1

    def add(self, key: int) -> None:
        """Add a key at its place."""
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
        """Whether there is a key, and it is less than the least key of the others (the rival)."""
        key = (self.head() if self.heap else self.line[0]) if self.line or self.heap else None
        return key is not None and (rival is None or key <= rival)

    def pop(self) -> int:
        """Remove the least key."""
        if self.heap and (not self.line or self.heap[0] < self.line[0]):
            return heappop(self.heap)
        return self.line.popleft()

    def all_keys(self) -> list[int]:
        """All keys, stale ones included, in no order."""
        return [*self.line, *self.heap]

    def clear(self) -> None:
        """Remove all keys."""
        self.line.clear()
        self.heap.clear()
        self.entry = None


class RunIndex:
    """The index of one run.

    Attributes:
        low: the part of every key that says which run it is.
        number: the run's own place in line among the runs.
        keys: the queue key of each task; None while it is not queued.
        base: the base priority of each task or of an unstarted descendant, whichever is higher.
        action: what the tasks of the free bucket need a device to do; None: there is none yet.
        constrained: whether any task ever asked for a device, a capability, a group or another action, or the run is
            steered.
        mixed: whether priorities differ at all; while they don't, nothing is inherited.
        ranks: seconds from a task's start to the end of the longest path behind it; empty until they are needed.
        load: slots held per device; kept only while several runs are alive.
        patience_ends: when the first of `waiting` is starved, as far as a wake-up for that was asked for.
        estimated: whether anybody ever said of a task how long it takes.
        learnt, taught_at, lessons: how long tasks took of which nobody did, and what was learnt when; see `overdue`.
        unwatched, watch_at: when an attempt is to be watched, its task's number and its own, oldest first, and when the
            timer for that is due; 0: there is none.
        wait_queue: where its buckets wait while the run may not start anything.
        fence: where its buckets wait while the fence keeps all of them back; see `fence`.
        behind: the tasks that a fence of descendants or scopes keeps out of the line, and those they depend on so.
        scopes: the tasks in each scope by which the fence has gone, but for those of descendants.
        unbegun: the attempts of running tasks whose work waits for the way to its device; see `is_unbegun`.
        tops: queued tasks by base priority, highest first, with stale entries; only while `mixed`.
        asking: ready tasks that are to be stopped or asked once the run may start them; see `stops`.
        wanted: the tasks the run goes on for and all that they depend on; None: it goes on for all.
        waiting: queued tasks in the order they became ready; only while `by_rank`.
        placement: how devices are chosen for its tasks: as it says itself, else as the fleet does.
        by_rank: whether its tasks go by rank and may wait for a faster device: `critical_path`.
        by_turn: whether devices take turns: `round_robin`.
        by_match: whether the device that can do the least besides goes first: `capability_match`.
        fresh: what became ready in this turn and is not queued yet, as it may start at once.
        stall_seen: the fleet's event by which it was found last why the run has stalled.
        horizon: seconds in which the whole run could have been done; nobody is starved before that.
    """

    __slots__ = (
        "action",
        "asking",
        "base",
        "behind",
        "buckets",
        "by_match",
        "by_rank",
        "by_turn",
        "constrained",
        "estimated",
        "fence",
        "free_bucket",
        "fresh",
        "horizon",
        "keys",
        "learnt",
        "lessons",
        "load",
        "mixed",
        "number",
        "patience_ends",
        "placement",
        "ranks",
        "run",
        "scopes",
        "stall_seen",
        "taught_at",
        "tops",
        "unbegun",
        "unwatched",
        "wait_queue",
        "waiting",
        "wanted",
        "watch_at",
    )

    def __init__(self, run: RunFacts, number: int) -> None:
        self.run = run
        self.number = number
        self.keys: list[int | None] = []
        self.base = bytearray()
        self.mixed = False
        self.constrained = False
        self.action: str | None = None
        self.estimated = False
        self.learnt: Learnt = {}
        self.taught_at, self.lessons = -1.0, (-1.0, 0)
        self.unwatched: deque[tuple[float, int, int]] = deque()
        self.ranks: list[float] = []
        self.horizon = 0.0
        self.stall_seen = -1
        self.fresh: list[int] = []
        self.free_bucket = Bucket(self, 0, FREE)
        self.buckets: dict[Constraints, Bucket] = {FREE: self.free_bucket}
        self.load: dict[str, int] | None = None
        self.patience_ends = self.watch_at = 0.0
        self.wait_queue = WaitQueue(f"run {run.run_id}")
        self.fence = WaitQueue(f"fence {run.run_id}")
        self.behind: set[int] = set()
        self.scopes: dict[EditScope, set[int]] = {}
        self.asking: set[int] = set()
        self.unbegun: dict[int, int] = {}
        self.wanted: set[int] | None = None
        self.waiting: deque[tuple[float, int]] = deque()
        self.tops: list[tuple[int, int]] = []
        self.follow_placement()
        self.follow_goal()

    def follow_goal(self) -> None:
        """Recompute the tasks that the run's goal needs, as after a change of the goal or the graph."""
        self.wanted = wanted_for(self.run)

    def follow_placement(self) -> None:
        """Update the placement from the facts of the run or the fleet."""
        self.placement = self.run.placement or self.run.fleet.placement
        self.by_rank = self.placement == Placement.CRITICAL_PATH
        self.by_turn = self.placement == Placement.ROUND_ROBIN
        self.by_match = self.placement == Placement.CAPABILITY_MATCH

    @property
    def special_ends(self) -> bool:
        """Whether the end of an attempt frees more than a slot: places in groups, or load reported to other runs."""
        return self.constrained or self.load is not None

    def grow(self, plan: PlanIndex | None = None) -> None:
        """Add entries for tasks that the facts have and the index does not, from the plan's index if there is one."""
        known = len(self.keys)
        missing = len(self.run.status) - known
        self.keys.extend([None] * missing)
        tasks = self.run.graph.tasks[known:]
        if not self.estimated:
            found = (True for task in tasks if task and (task.estimate is not None or task.simulate is not None))
            self.estimated = any(found)
        if self.action is None:
            running = (task for task in tasks if task is not None and task.gate is None and not task.is_bypassed)
            self.name_action(next((task.needs_action for task in running), None))
        if plan is not None:
            self.constrained = plan.constrained
        elif not self.constrained:
            self.constrained = self.run.steered or bool(self.run.pins) or any(map(self._is_special, tasks))

    def name_action(self, action: str | None) -> None:
        """Set the action that the tasks of the free bucket need."""
        self.action = action
        self.free_bucket.wanted = DeviceRequirements(None, frozenset(), action)
        self.free_bucket.version = -1

    def _is_special(self, task: Task | None) -> bool:
        if task is None:
            return False
        return bool(task.groups or task.requires or task.device) or task.needs_action != self.action

    def constraints(self, number: int) -> Constraints:
        """The constraints of a task on where and when it may start, besides its dependencies."""
        run = self.run
        task: Task = run.graph.tasks[number]  # type: ignore[assignment]  # asked for present tasks only
        pin = run.pins.get(number) if run.pins else None
        action = task.needs_action
        if task.device is None and pin is None and not task.groups and not task.requires and action == self.action:
            return FREE
        return tuple(sorted(set(task.groups))), task.preference, DeviceRequirements.of(task, pin)

    def is_unbegun(self, number: int) -> bool:
        """Whether the work of a running task waits for the way to its device: no time counts for it yet."""
        return number in self.unbegun and self.unbegun[number] == self.run.tries[number]

    def wanted_by(self, number: int) -> DeviceRequirements:
        """The device requirements of a task."""
        return self.free_bucket.wanted if (found := self.constraints(number)) is FREE else found[2]

    def has_queued_above(self, priority: int) -> bool:
        """Whether a task of a higher base priority is queued."""
        keys, base, tops = self.keys, self.base, self.tops
        if self.mixed:
            while tops and (keys[tops[0][1]] is None or base[tops[0][1]] != -tops[0][0]):
                heappop(tops)
            return bool(tops) and -tops[0][0] > priority
        if not base or base[0] <= priority:  # that of all of them
            return False
        queued = chain.from_iterable(chain(bucket.line, bucket.heap) for bucket in self.buckets.values())
        return any(keys[(key >> BUCKET_BITS) & NUMBER_MASK] == key for key in queued)

    # ---- inherited priority

    def rebuild_priorities(self) -> None:
        """Compute every base priority from the facts."""
        run = self.run
        self.base = bytearray(run.priority)
        present = run.priority
        if len(run.graph.place) < len(present):
            present = bytearray(run.priority[number] for number in run.graph.place.values())
        self.mixed = bool(present) and min(present) != max(present)
        if self.mixed:
            for number in reversed(run.graph.topological_order()):
                self.base[number] = self._inherited(number)
        elif present:  # also of those that are gone: `spread_priorities` takes the first one for that of all
            self.base = bytearray(present[:1]) * len(run.priority)

    def _inherited(self, number: int) -> int:
        status, base = self.run.status, self.base
        highest = self.run.priority[number]
        for child in self.run.graph.children[number]:
            if status[child] <= PENDING and base[child] > highest:
                highest = base[child]
        return highest

    def spread_priorities(self, numbers: Iterable[int], pause: Pause = no_pause) -> list[int]:
        """Recompute the base priorities of these tasks and, where they change, of their ancestors.

        Returns the tasks whose base priority changed.
        """
        priority, known = self.run.priority, len(self.base)
        self.base.extend(priority[known:])
        waiting = set(numbers)
        if not self.mixed:
            if all(priority[n] == self.base[0] for n in (*waiting, *range(known, len(priority)))):
                return []
            self.mixed = True
        changed: dict[int, None] = {}
        status, base, parents = self.run.status, self.base, self.run.graph.parents
        line = [-number for number in waiting]  # mostly children go before their parents, so that those come once
        heapify(line)
        for negative in popped(line, pause):
            number = -negative
            waiting.discard(number)
            highest = self._inherited(number) if status[number] != REMOVED else 0
            old, base[number] = base[number], highest
            if highest != old:
                changed[number] = None
            elif number < known:
                continue
            for parent in parents[number]:
                if status[parent] > PENDING:
                    continue
                has_more = base[parent] >= highest if highest >= old else base[parent] != old or priority[parent] == old
                if not has_more and parent not in waiting:
                    waiting.add(parent)
                    heappush(line, -parent)
        return list(changed)

    def unstarted_parents(self, number: int) -> list[int]:
        """The parents of a task that have not started."""
        status = self.run.status
        return [parent for parent in self.run.graph.parents[number] if status[parent] <= PENDING]


def wanted_for(run: RunFacts) -> set[int] | None:
    """The tasks of a goal and all their ancestors; None: the run has no goal."""
    if run.until is None:
        return None
    parents = run.graph.parents
    found = {number for number in run.until if run.graph.tasks[number] is not None}
    above = list(found)
    while above:
        for parent in parents[above.pop()]:
            if parent not in found:
                found.add(parent)
                above.append(parent)
    return found
