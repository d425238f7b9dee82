"""Offline HEFT with insertion: what a scheduler that knows every duration beforehand makes of a plan.

The rule of Topcuoglu, Hariri and Wu (2002) without costs of communication: tasks by upward rank (mean cost over the
devices), each placed where it finishes first, in a gap between tasks placed before it if one is wide enough.
"""

from __future__ import annotations

from bisect import insort
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from starloom.model.plan import Plan

Interval = tuple[float, float]
"""Start and end in seconds."""


def heft_makespan(plan: Plan, speeds: Sequence[float]) -> float:
    """Seconds from the first start to the last end of HEFT's schedule on devices of one slot each.

    Args:
        plan: a task takes its expected duration over the speed; one without takes no time.
        speeds: the speed of each device.
    """
    cost = [task.expected_duration or 0.0 for task in plan.tasks]
    busy: list[list[Interval]] = [[] for _ in speeds]
    end = [0.0] * len(cost)
    for number in _by_rank(plan, cost, speeds):
        ready = max((end[parent] for parent in plan.index.parents[number]), default=0.0)
        end[number] = _place(busy, speeds, ready, cost[number])
    return max(end, default=0.0)


def _by_rank(plan: Plan, cost: Sequence[float], speeds: Sequence[float]) -> list[int]:
    """All tasks by falling upward rank; parents before children even where a child costs nothing."""
    mean = sum(1 / speed for speed in speeds) / len(speeds)
    rank = [0.0] * len(cost)
    for number in reversed(plan.index.order):
        behind = max((rank[child] for child in plan.index.children[number]), default=0.0)
        rank[number] = cost[number] * mean + behind
    place = {number: position for position, number in enumerate(plan.index.order)}
    return sorted(range(len(cost)), key=lambda number: (-rank[number], place[number]))


def _place(busy: list[list[Interval]], speeds: Sequence[float], ready: float, cost: float) -> float:
    """Put a task where it finishes first; returns when that is."""
    chosen, best = 0, (float("inf"), float("inf"))
    for device, speed in enumerate(speeds):
        start = earliest_gap(busy[device], ready, cost / speed)
        if (start + cost / speed, start) < best:
            chosen, best = device, (start + cost / speed, start)
    if cost > 0:
        insort(busy[chosen], (best[1], best[0]))
    return best[0]


def earliest_gap(intervals: Sequence[Interval], ready: float, seconds: float) -> float:
    """When so many seconds fit between the sorted intervals, not before `ready`."""
    free_from = ready
    for start, end in intervals:
        if end <= ready:
            continue
        if start - free_from >= seconds:
            return free_from
        free_from = max(free_from, end)
    return free_from
