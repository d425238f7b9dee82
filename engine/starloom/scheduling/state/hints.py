"""What decisions go by besides the facts, as it depends on the past and on those alone: for a state in another program.

Hints are no truth: without them, or with older ones, a state has all facts, and may only tell otherwise whose turn it
would be.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, Self

import msgspec

from starloom.model.likeness import key_from_plain

if TYPE_CHECKING:
    from collections.abc import Iterable

    from starloom.scheduling.state.run_index import RunIndex
    from starloom.scheduling.state.scheduler_state import SchedulerState


class RunHints(msgspec.Struct, array_like=True):
    """Those of a run; see `RunIndex` for the attributes.

    Attributes:
        ranks: empty, as `waiting` is, unless its tasks go by rank.
        learnt: key, number and seconds of each.
    """

    horizon: float
    patience_ends: float
    ranks: list[float]
    waiting: list[tuple[float, int]]
    learnt: list[tuple[Any, int, float]]

    @classmethod
    def of(cls, index: RunIndex) -> Self:
        """The hints about a run."""
        learnt = [(key, count, seconds) for key, (count, seconds) in index.learnt.items()]
        ranks, waiting = (list(index.ranks), list(index.waiting)) if index.by_rank else ([], [])
        return cls(index.horizon, index.patience_ends, ranks, waiting, learnt)

    def load_ranks(self, index: RunIndex) -> None:
        """Load what the queue of a run is made by; ranks of other tasks than it has now are not used."""
        if index.by_rank and len(self.ranks) == len(index.run.status):
            index.ranks, index.horizon = list(self.ranks), self.horizon

    def load_rest(self, index: RunIndex) -> None:
        """Load what does not depend on the queue, after that was made."""
        index.patience_ends = self.patience_ends
        index.learnt = {key_from_plain(key): (count, seconds) for key, count, seconds in self.learnt}
        if index.by_rank:
            known = set(self.waiting)
            later = [one for one in index.waiting if one not in known]
            index.waiting.clear()
            index.waiting.extend([*self.waiting, *later])


class SchedulerHints(msgspec.Struct, array_like=True):
    """Those of all runs; see `SchedulerState` for the attributes.

    Attributes:
        now: the time of the last turn.
        runs: of each run in memory, in the scheduler's order.
        live: the ids of those that go on, in its order.
        turn: whose turn it is under `round_robin`.
    """

    now: float = 0.0
    turn: int = 0
    rejected: int = 0
    admitting: bool = True
    runs: dict[str, RunHints] = {}
    live: list[str] = []
    doubts: dict[str, int] = {}

    @classmethod
    def of(cls, scheduler: SchedulerState) -> Self:
        """The hints about a state, to be taken between two turns."""
        return cls(
            scheduler.now,
            scheduler.placer.turn,
            scheduler.rejected,
            scheduler.admitting,
            {run_id: RunHints.of(index) for run_id, index in scheduler.runs.items()},
            list(scheduler.live),
            dict(scheduler.doubts),
        )

    def load(self, scheduler: SchedulerState) -> None:
        """Load what is not about single runs."""
        scheduler.now = max(scheduler.now, self.now)
        scheduler.placer.turn, scheduler.rejected, scheduler.admitting = self.turn, self.rejected, self.admitting
        scheduler.doubts = dict(self.doubts)
        live = scheduler.live
        for run_id in in_order(live, self.live):
            live[run_id] = live.pop(run_id)


def in_order(ids: Iterable[str], known: Iterable[str]) -> list[str]:
    """Ids in a known order, those that it lacks at the end."""
    there = list(ids)
    first = [one for one in known if one in there]
    return [*first, *(one for one in there if one not in first)]


NO_HINTS: Final = SchedulerHints()
