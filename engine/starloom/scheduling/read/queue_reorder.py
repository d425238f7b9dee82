"""Queue reordering: the priority that moves a ready task before or behind another one.

A reader: it changes nothing, and holds while the line stays as it is.
"""

from __future__ import annotations

from bisect import bisect_left
from typing import TYPE_CHECKING, Final

import msgspec

from starloom.scheduling.state.codes import PENDING
from starloom.scheduling.state.queue_keys import BUCKET_BITS, NUMBER_BITS
from starloom.scheduling.state.queueing import key_with

if TYPE_CHECKING:
    from starloom.scheduling.state.run_index import RunIndex
    from starloom.scheduling.state.scheduler_state import SchedulerState

HIGHEST: Final = 100
_Order = tuple[int, int, int]
"""What decides who is before whom: key, run, number."""


class ReorderResult(msgspec.Struct, frozen=True):
    """The result of moving a task before or behind another one.

    Attributes:
        priority: the one to give it, as near as can be to the one it has; None: no priority does it.
        base: the priority of the other one that counts, its own or what it inherits.
        place: where it would stand in line then, counted from 1.
        also: the run and number of those between the other one and that place, whom it passes as well.
        needed_by: the number and the priority of an unstarted task of its run from which it inherits that, which keeps
            it before the other one; None: that is not what keeps it.
    """

    priority: int | None
    base: int
    place: int = 0
    also: tuple[tuple[str, int], ...] = ()
    needed_by: tuple[int, int] | None = None


class QueueReorder:
    """The queue without one task, to find the priority that moves it to a place.

    Args:
        scheduler: whose line.
        run_id: of the task that is moved.
        number: of that task.

    Raises:
        KeyError: it does not stand in line.
    """

    def __init__(self, scheduler: SchedulerState, run_id: str, number: int) -> None:
        index = scheduler.live[run_id]
        if number >= len(index.keys) or index.keys[number] is None or index.run.status[number] != PENDING:
            raise KeyError(number)
        line = sorted(
            (_order(one, other), one.run.run_id, one.base[other])
            for one in scheduler.live.values()
            if one.by_rank is index.by_rank  # else no priority tells who is before whom
            for other in one.run.with_status(PENDING)
            if one.keys[other] is not None and (one is not index or other != number)
        )
        self._orders = [order for order, _, _ in line]
        self._names = [(name, order[2]) for order, name, _ in line]
        self._bases = [base for _, _, base in line]
        self._now = index.run.priority[number]
        self._floor, self._needed_by = _inherited(index, number)
        ready_at = index.run.ready_at[number]
        keys = [key_with(scheduler, index, number, ready_at, base) for base in range(HIGHEST + 1)]
        self._plain = [(key >> (NUMBER_BITS + BUCKET_BITS), index.number, number) for key in keys]
        self._own = [self._plain[max(priority, self._floor)] for priority in range(HIGHEST + 1)]

    def beside(self, run_id: str, number: int, *, ahead: bool) -> ReorderResult:
        """The priority by which it starts before another one (`ahead`), or after it.

        Args:
            run_id: of the other task.
            number: of the other task.
            ahead: whether it shall start before the other one; else behind it.

        Raises:
            KeyError: the other one does not stand in line.
        """
        try:
            at = self._names.index((run_id, number))
        except ValueError:
            raise KeyError(number) from None
        fits = [one for one, own in enumerate(self._own) if (own < self._orders[at]) == ahead]
        if not fits:
            would = not ahead and self._plain[0] > self._orders[at]
            by = (self._needed_by, self._floor) if would and self._needed_by is not None else None
            return ReorderResult(None, self._bases[at], needed_by=by)
        place = self._place(min(fits) if ahead else max(fits))
        chosen = min((one for one in fits if self._place(one) == place), key=lambda one: abs(one - self._now))
        between = self._names[place:at] if ahead else self._names[at + 1 : place]
        return ReorderResult(chosen, self._bases[at], place + 1, tuple(between))

    def _place(self, priority: int) -> int:
        """The number of tasks before it."""
        return bisect_left(self._orders, self._own[priority])


def still_ahead(scheduler: SchedulerState, run_id: str, number: int, priority: int) -> int:
    """How many tasks would still start before a ready one with another priority, as they have waited for longer.

    Args:
        scheduler: whose line.
        run_id: of the task.
        number: of that task; one that does not stand in line has nobody before it.
        priority: that it would have, 0 to 100.
    """
    index = scheduler.live.get(run_id)
    if index is None or number >= len(index.keys) or index.keys[number] is None:
        return 0
    key = key_with(scheduler, index, number, index.run.ready_at[number], priority) >> (NUMBER_BITS + BUCKET_BITS)
    own = key, index.number, number
    return sum(
        _order(one, other) < own
        for one in scheduler.live.values()
        if one.by_rank is index.by_rank  # else no priority tells who is before whom
        for other in one.run.with_status(PENDING)
        if one.keys[other] is not None
    )


def _order(index: RunIndex, number: int) -> _Order:
    key = index.keys[number]
    assert key is not None, "asked for those in line only"
    return key >> (NUMBER_BITS + BUCKET_BITS), index.number, number


def _inherited(index: RunIndex, number: int) -> tuple[int, int | None]:
    """The inherited priority, which is a lower bound, and its source; 0 and None: no waiting task needs it."""
    run, base = index.run, index.base
    unstarted = [child for child in run.graph.children[number] if run.status[child] <= PENDING]
    highest = max(unstarted, key=lambda child: base[child], default=None)
    return (0, None) if highest is None else (base[highest], highest)
