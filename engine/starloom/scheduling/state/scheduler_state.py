"""The state shared by the scheduler's decisions: facts of the fleet and of all runs, the queue, the timers, the turn.

Decisions read it and say what happens as events, by `emission`; the indexes are brought up to date by whoever decides.
"""

from __future__ import annotations

from heapq import heappush
from typing import TYPE_CHECKING

from starloom.scheduling.state.fleet_facts import FleetFacts
from starloom.scheduling.state.kept_answers import KeptAnswers
from starloom.scheduling.state.placer import Placer
from starloom.scheduling.state.queues import ReadyQueue
from starloom.scheduling.state.run_index import RunIndex, WaitQueue
from starloom.scheduling.turn import Turn

if TYPE_CHECKING:
    from starloom.scheduling.state.run_facts import RunFacts
    from starloom.scheduling.state.timers import Timer, TimerPurpose


class SchedulerState:
    """The state of all runs on one fleet: their facts, and the indexes that are computed from them.

    Attributes:
        fleet: the facts of the fleet.
        runs: the facts of each run in memory, by id, with the index the scheduler keeps for it.
        by_number: the same by the number that stands in their keys; oldest first.
        released: what the runs that are in memory no more add to the counters; see `retention`.
        live: the indexes of the runs that have not ended.
        watched: those of them that agents are, or were, attached to.
        asking: those of them that have gates to ask, or tasks to stop at breakpoints, once they may.
        doubts: how many tasks in a row failed at once on each device; see the module.
        answers: to the last commands that may be given again.
        turn: what the turn being handled has decided so far.
        now: the time of the turn being handled, in seconds.
        rejected: how many runs and submissions were refused for want of room in the queue.
        admitting: whether new runs and submissions are taken.
    """

    def __init__(self) -> None:
        self.fleet = FleetFacts()
        self.runs: dict[str, RunIndex] = {}
        self.by_number: dict[int, RunIndex] = {}
        self.released: dict[str, int] = {}
        self.live: dict[str, RunIndex] = {}
        self.watched: dict[str, RunIndex] = {}
        self.asking: dict[str, RunIndex] = {}
        self.now = 0.0
        self.rejected = 0
        self._next_number = 0
        self.admitting = True
        self.queue = ReadyQueue()
        self.placer = Placer(self.fleet)
        self.group_wait_queues: dict[str, WaitQueue] = {}
        self.timers: list[Timer] = []
        self.announced: float | None = None
        self.dirty: dict[str, RunIndex] = {}
        self.fresh: RunIndex | None = None
        self.load_changed = False
        self.doubts: dict[str, int] = {}
        self.answers = KeptAnswers()
        self.turn = Turn()

    def add_run(self, run: RunFacts) -> RunIndex:
        """Add a run; returns its index, which is empty yet."""
        index = self.runs[run.run_id] = self.by_number[self._next_number] = RunIndex(run, self._next_number)
        self._next_number += 1
        return index

    def set_timer(self, at: float, purpose: TimerPurpose, run_id: str, number: int, attempt: int) -> None:
        """Set a timer that `due_timers.ring` fires.

        Args:
            at: seconds on the engine's clock.
            purpose: what is looked at then.
            run_id: of the task's run.
            number: of the task.
            attempt: the attempt it is about, from 1; by another one the timer is stale.
        """
        heappush(self.timers, (at, purpose, run_id, number, attempt))

    def run(self, run_id: str) -> RunFacts:
        """The facts of a run.

        Raises:
            KeyError: there is no such run.
        """
        return self.runs[run_id].run
