"""What the scheduler knows about a run besides its facts: keys, buckets, inherited priorities and ranks.

All of it is rebuilt from the facts; nothing of it is journalled.
"""

from __future__ import annotations

from collections import deque
from heapq import heapify, heappop, heappush
from typing import TYPE_CHECKING

from starloom.model.status import Placement
from starloom.scheduling.codes import COMPLETED, PENDING, REMOVED
from starloom.scheduling.device_facts import Wanted
from starloom.scheduling.queues import BUCKET_BITS, FREE, NUMBER_BITS, NUMBER_MASK, Bucket, Constraints, Lot
from starloom.scheduling.stops import wanted_for

if TYPE_CHECKING:
    from collections.abc import Iterable

    from starloom.model.plan import PlanIndex
    from starloom.model.task import Task
    from starloom.scheduling.overdue import Learnt
    from starloom.scheduling.run_facts import RunFacts


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
        lot: where its buckets wait while the run may not start anything.
        fence: where its buckets wait while the fence keeps all of them back; see `fence`.
        behind: the tasks that a fence of descendants keeps out of the line, and those they depend on so.
        unbegun: the attempts of running tasks whose work waits for the way to its device, and so has no timeout yet.
        tops: queued tasks by base priority, highest first, with stale entries; only while `mixed`.
        asking: ready tasks that are to be stopped or asked once the run may start them; see `stops`.
        wanted: the tasks the run goes on for and all that they depend on; None: it goes on for all.
        waiting: queued tasks in the order they became ready; only while `by_rank`.
        placement: how devices are chosen for its tasks: as it says itself, else as the fleet does.
        by_rank: whether its tasks go by rank and may wait for a faster device: `critical_path`.
        by_turn: whether devices take turns: `round_robin`.
        by_match: whether the device that can do the least besides goes first: `capability_match`.
        fresh: what became ready in this turn and is not queued yet, as it may start at once.
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
        "lot",
        "low",
        "mixed",
        "number",
        "patience_ends",
        "placement",
        "ranks",
        "run",
        "taught_at",
        "tops",
        "unbegun",
        "waiting",
        "wanted",
    )

    def __init__(self, run: RunFacts, number: int) -> None:
        self.run = run
        self.number = number
        self.low = number << (NUMBER_BITS + BUCKET_BITS)
        self.keys: list[int | None] = []
        self.base = bytearray()
        self.mixed = False
        self.constrained = False
        self.action: str | None = None
        self.estimated = False
        self.learnt: Learnt = {}
        self.taught_at, self.lessons = -1.0, (-1.0, 0)
        self.ranks: list[float] = []
        self.horizon = 0.0
        self.fresh: list[int] = []
        self.free_bucket = Bucket(self, 0, FREE)
        self.buckets: dict[Constraints, Bucket] = {FREE: self.free_bucket}
        self.load: dict[str, int] | None = None
        self.patience_ends = 0.0
        self.lot = Lot(f"run {run.run_id}")
        self.fence = Lot(f"fence {run.run_id}")
        self.behind: set[int] = set()
        self.asking: set[int] = set()
        self.unbegun: dict[int, int] = {}
        self.wanted: set[int] | None = wanted_for(run)
        self.waiting: deque[tuple[float, int]] = deque()
        self.tops: list[tuple[int, int]] = []
        self.follow_placement()

    def follow_placement(self) -> None:
        """Take over the placement from the facts of the run or the fleet."""
        self.placement = self.run.placement or self.run.fleet.placement
        self.by_rank = self.placement == Placement.CRITICAL_PATH
        self.by_turn = self.placement == Placement.ROUND_ROBIN
        self.by_match = self.placement == Placement.CAPABILITY_MATCH

    @property
    def special_ends(self) -> bool:
        """Whether the end of an attempt frees more than a slot: places in groups, or the load others are told of."""
        return self.constrained or self.load is not None

    def grow(self, plan: PlanIndex | None = None) -> None:
        """Make room for tasks that the facts have and the index does not; a plan's index knows what they ask for."""
        known = len(self.keys)
        missing = len(self.run.status) - known
        self.keys.extend([None] * missing)
        if not self.estimated:
            self.estimated = any(map(_is_estimated, self.run.graph.tasks[known:]))
        tasks = self.run.graph.tasks[known:]
        if self.action is None:
            running = (task for task in tasks if task is not None and task.gate is None)
            self.name_action(next((task.needs_action for task in running), None))
        if plan is not None:
            self.constrained = plan.constrained
        elif not self.constrained:
            self.constrained = self.run.steered or bool(self.run.pins) or any(map(self._is_special, tasks))

    def name_action(self, action: str | None) -> None:
        """Say what the tasks of the free bucket need a device to do."""
        self.action = action
        self.free_bucket.wanted = Wanted(None, frozenset(), action)
        self.free_bucket.version = -1

    def _is_special(self, task: Task | None) -> bool:
        if task is None:
            return False
        return bool(task.groups or task.requires or task.device) or task.needs_action != self.action

    def constraints(self, number: int) -> Constraints:
        """What decides where and whether a task may start, besides its dependencies."""
        run = self.run
        task: Task = run.graph.tasks[number]  # type: ignore[assignment]  # asked for present tasks only
        pin = run.pins.get(number) if run.pins else None
        action = task.needs_action
        if task.device is None and pin is None and not task.groups and not task.requires and action == self.action:
            return FREE
        return tuple(sorted(set(task.groups))), task.preference, Wanted.of(task, pin)

    def wanted_by(self, number: int) -> Wanted:
        """What a task asks of a device."""
        return self.free_bucket.wanted if (found := self.constraints(number)) is FREE else found[2]

    def highest_queued(self) -> int:
        """The highest base priority of a task in line; -1 when there is none."""
        keys, base, tops = self.keys, self.base, self.tops
        if self.mixed:
            while tops and (keys[tops[0][1]] is None or base[tops[0][1]] != -tops[0][0]):
                heappop(tops)
            return -tops[0][0] if tops else -1
        for bucket in self.buckets.values():
            for key in bucket.all_keys():
                number = (key >> BUCKET_BITS) & NUMBER_MASK
                if keys[number] == key:
                    return base[number]
        return -1

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

    def _inherited(self, number: int) -> int:
        status, base = self.run.status, self.base
        highest = self.run.priority[number]
        for child in self.run.graph.children[number]:
            if status[child] <= PENDING and base[child] > highest:
                highest = base[child]
        return highest

    def spread_priorities(self, numbers: Iterable[int]) -> list[int]:
        """Recompute the base priority of these tasks and, where it changes, of what stands before them.

        Returns the tasks whose base priority changed.
        """
        priority, known = self.run.priority, len(self.base)
        self.base.extend(priority[known:])
        stack = list(numbers)
        if not self.mixed:
            if all(priority[n] == self.base[0] for n in (*stack, *range(known, len(priority)))):
                return []
            self.mixed = True
        changed: dict[int, None] = {}
        status = self.run.status
        while stack:
            number = stack.pop()
            highest = self._inherited(number) if status[number] != REMOVED else 0
            if highest != self.base[number]:
                self.base[number] = highest
                changed[number] = None
                stack.extend(self._unstarted_parents(number))
            elif number >= known:
                stack.extend(p for p in self._unstarted_parents(number) if self.base[p] < highest)
        return list(changed)

    def _unstarted_parents(self, number: int) -> list[int]:
        status = self.run.status
        return [parent for parent in self.run.graph.parents[number] if status[parent] <= PENDING]

    # ---- upward rank, for placement by critical path

    def rebuild_ranks(self, total_speed: float, top_speed: float) -> None:
        """Compute every rank; without any estimate a rank counts hops to the exit."""
        run = self.run
        tasks = run.graph.tasks
        known = [t.expected_duration for t in tasks if t is not None and t.expected_duration is not None]
        unknown = sum(known) / len(known) if known else 1.0
        self.ranks = [0.0] * len(tasks)
        work = 0.0
        for number in reversed(run.graph.topological_order()):
            if run.status[number] >= COMPLETED:
                continue
            work += self._rank(number, unknown)
        longest = max(self.ranks, default=0.0)
        self.horizon = max(longest / top_speed, work / total_speed) if known else 0.0

    def _rank(self, number: int, unknown: float) -> float:
        task: Task = self.run.graph.tasks[number]  # type: ignore[assignment]  # from the topological order
        cost = task.expected_duration
        if cost is None:
            cost = unknown
        ranks = self.ranks
        self.ranks[number] = cost + max((ranks[child] for child in self.run.graph.children[number]), default=0.0)
        return cost

    def spread_ranks(self, numbers: Iterable[int]) -> list[int]:
        """Recompute the rank of these tasks and, where it changes, of what stands before them; returns those.

        The last in topological order goes first: every rank behind a task is final when it is its turn, so that it
        comes once, however many paths lead to it.
        """
        self.ranks.extend([-1.0] * (len(self.run.status) - len(self.ranks)))
        graph = self.run.graph
        position = graph.positions()
        known = {number for number in numbers if graph.tasks[number] is not None}
        heap = [(-position[number], number) for number in known]
        heapify(heap)
        changed: list[int] = []
        while heap:
            number = heappop(heap)[1]
            old = self.ranks[number]
            self._rank(number, 1.0)
            if self.ranks[number] != old:
                changed.append(number)
                for parent in self._unstarted_parents(number):
                    if parent not in known:
                        known.add(parent)
                        heappush(heap, (-position[parent], parent))
        return changed


def _is_estimated(task: Task | None) -> bool:
    return task is not None and (task.estimate is not None or task.simulate is not None)
