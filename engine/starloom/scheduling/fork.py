"""Forks: independent schedulers that continue from a copy of this one's state.

The copy is made where the live scheduler turns and is short: lists and dicts, nothing computed. What is computed, the
queue, is made from it by `Fork.scheduler`, wherever and as often as that is wanted.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, Self

from starloom.model.likeness import NO_DURATIONS, ObservedDurations
from starloom.scheduling.decide.lifecycle import enter
from starloom.scheduling.scheduler import Scheduler
from starloom.scheduling.state.queueing import requeue_run
from starloom.scheduling.state.timers import TimerPurpose

if TYPE_CHECKING:
    from collections import deque
    from collections.abc import Iterable

    from starloom.scheduling.state.fleet_facts import FleetFacts
    from starloom.scheduling.state.run_facts import RunFacts
    from starloom.scheduling.state.run_index import Learnt, RunIndex
    from starloom.scheduling.state.timers import Timer


_OF_THE_FLEET: Final = frozenset({TimerPurpose.BREAKER, TimerPurpose.RESERVATION})


@dataclass(frozen=True, slots=True)
class _Copy:
    """A run, and those parts of its index that depend on its past and not on its facts alone."""

    run: RunFacts
    base: bytearray
    mixed: bool
    constrained: bool
    action: str | None
    ranks: list[float]
    horizon: float
    patience_ends: float
    estimated: bool
    learnt: Learnt
    unwatched: deque[tuple[float, int, int]]
    watch_at: float
    waiting: deque[tuple[float, int]]

    @classmethod
    def of(cls, index: RunIndex, fleet: FleetFacts) -> Self:
        return cls(
            index.run.copy(fleet),
            index.base.copy(),
            index.mixed,
            index.constrained,
            index.action,
            list(index.ranks),
            index.horizon,
            index.patience_ends,
            index.estimated,
            index.learnt.copy(),
            index.unwatched.copy(),
            index.watch_at,
            index.waiting.copy(),
        )

    def fill(self, index: RunIndex) -> None:
        """Copy the index without its queues."""
        index.run.cycles = None  # nobody answers there; what an agent may come to want is not foreseen
        index.keys = [None] * len(index.run.status)
        index.base, index.mixed, index.constrained = self.base.copy(), self.mixed, self.constrained
        index.name_action(self.action)
        index.ranks, index.horizon, index.patience_ends = list(self.ranks), self.horizon, self.patience_ends
        index.estimated, index.learnt = self.estimated, self.learnt.copy()
        index.unwatched, index.watch_at = self.unwatched.copy(), self.watch_at


@dataclass(frozen=True, slots=True)
class Fork:
    """A scheduler's state at one moment, for reading and for continuing from it.

    Attributes:
        now: seconds on the engine's clock.
        fleet: the facts of the fleet.
        copies: what there is of each run that is in it, by id.
        live: the ids of those that had not ended, in the scheduler's order.
        timers, announced: when it wanted to be woken.
        turn: whose turn it is under `round_robin`.
        past: ended runs that only tell how long tasks take.
        durations: the same of runs whose facts are not here.
    """

    now: float
    fleet: FleetFacts
    copies: dict[str, _Copy]
    live: tuple[str, ...]
    timers: tuple[Timer, ...]
    announced: float | None
    turn: int
    rejected: int
    admitting: bool
    past: tuple[RunFacts, ...] = ()
    durations: ObservedDurations = NO_DURATIONS

    @classmethod
    def of(cls, scheduler: Scheduler, now: float | None = None, also: Iterable[str] = ()) -> Self:
        """A copy of the fleet and of all runs that have not ended; the original is only read.

        Args:
            scheduler: between two turns.
            now: seconds on the engine's clock; None: the time of the last turn.
            also: ended runs that are wanted too; ids of runs that don't exist are passed over.
        """
        wanted = {*scheduler.live, *also}
        fleet = scheduler.fleet.copy()
        return cls(
            now=scheduler.now if now is None else max(now, scheduler.now),
            fleet=fleet,
            copies={id: _Copy.of(index, fleet) for id, index in scheduler.runs.items() if id in wanted},
            live=tuple(scheduler.live),
            timers=tuple(timer for timer in scheduler.timers if timer[1] in _OF_THE_FLEET or timer[2] in wanted),
            announced=scheduler.announced,
            turn=scheduler.placer.turn,
            rejected=scheduler.rejected,
            admitting=scheduler.admitting,
        )

    def run(self, run_id: str) -> RunFacts:
        """The facts of a run at that moment; for reading only.

        Raises:
            KeyError: it is not in this fork.
        """
        return self.copies[run_id].run

    def scheduler(self) -> Scheduler:
        """A new scheduler from this state, which decides as the original does, given the same stimuli."""
        twin = Scheduler()
        twin.fleet = self.fleet.copy()
        twin.placer.fleet = twin.fleet
        twin.now, twin.rejected, twin.admitting = self.now, self.rejected, self.admitting
        twin.timers, twin.announced, twin.placer.turn = list(self.timers), self.announced, self.turn
        twin.placer.limits_changed()
        twin.placer.fleet_changed()
        for copy in self.copies.values():
            copy.fill(twin.add_run(copy.run.copy(twin.fleet)))
        for run_id in self.live:
            index = twin.runs[run_id]
            enter(twin, index)
            requeue_run(twin, index)
            # In the order in which they became ready, which a new queue does not know.
            index.waiting = self.copies[run_id].waiting.copy()
        twin.load_changed = False
        return twin
