"""The scheduler: stimuli in, events and instructions out. The one door through which a run changes.

`handle` decides about each stimulus in turn, applies every event before it decides the next, dispatches once at the end
and looks which runs have ended or cannot go on. What it decides stands in the rooms around it: `outcomes`, `lifecycle`,
`steering`, `editing`, `fleet_commands` and `dispatch`.
"""

from __future__ import annotations

from heapq import heappop, heappush
from typing import TYPE_CHECKING, Any, Final

from starloom.errors import CommandRefused
from starloom.scheduling import (
    cycles,
    dispatch,
    endings,
    fleet_commands,
    gates,
    late_ends,
    outcomes,
    stimuli,
)
from starloom.scheduling.apply import apply
from starloom.scheduling.checking import check
from starloom.scheduling.fleet_facts import FleetFacts
from starloom.scheduling.instructions import WakeAt
from starloom.scheduling.placement import Placer
from starloom.scheduling.queueing import line_up
from starloom.scheduling.queues import Lot, ReadyQueue
from starloom.scheduling.run_index import RunIndex
from starloom.scheduling.specs import SPECS
from starloom.scheduling.turn import Turn

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from starloom import events as ev
    from starloom.scheduling.fold_tasks import Touched
    from starloom.scheduling.run_facts import RunFacts

Timer = tuple[float, int, str, int, int]
"""When, what for (see `outcomes`), run, task number, attempt; those of breakers carry a device instead of a run."""


class Scheduler:
    """All runs on one fleet.

    Attributes:
        fleet: the facts of the fleet.
        runs: the facts of each run in memory, by id, with the index the scheduler keeps for it.
        by_number: the same by the number that stands in their keys; oldest first.
        released: what the runs that are in memory no more add to the counters; see `retention`.
        live: the indexes of the runs that have not ended.
        watched: those of them that agents are, or were, attached to.
        asking: those of them that have gates to ask, or tasks to stop at breakpoints, once they may.
        doubts: how many tasks in a row failed at once on each device; see the module.
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
        self.group_lots: dict[str, Lot] = {}
        self.timers: list[Timer] = []
        self.announced: float | None = None
        self.dirty: dict[str, RunIndex] = {}
        self.fresh: RunIndex | None = None
        self.load_changed = False
        self.doubts: dict[str, int] = {}
        self.turn = Turn()

    # ---- the door

    def handle(self, arrived: Sequence[Any], now: float) -> Turn:
        """Decide about everything that has arrived; the events are applied when this returns.

        Args:
            arrived: stimuli and commands, in order.
            now: seconds on a clock that never goes back.
        """
        turn = self.turn = Turn()
        if now > self.now:
            self.now = now
        timers = self.timers
        if timers and timers[0][0] <= now:
            outcomes.ring(self)
        handlers = _HANDLERS
        for stimulus in arrived:
            handlers[type(stimulus)](self, stimulus)
        if self.watched:
            cycles.hand_over(self)
        if self.asking:
            gates.attend(self)
        if self.fresh is not None or self.queue.active or self.queue.ranked:
            dispatch.dispatch(self)
        if self.dirty or self.load_changed or self.fleet.running == 0:
            endings.close(self)
        if timers or self.announced is not None:
            self._set_alarm()
        return turn

    def _set_alarm(self) -> None:
        timers = self.timers
        while timers and outcomes.is_stale(self, timers[0]):
            heappop(timers)
        due = timers[0][0] if timers else None
        if due != self.announced:
            self.announced = due
            self.turn.more().wake = WakeAt(due)

    # ---- telling, used by the rooms

    def emit(self, index: RunIndex, kind: Callable[..., ev.Event], /, *args: Any, **fields: Any) -> Touched:
        """Note an event of a run and apply it; returns the tasks whose standing may have changed."""
        run = index.run
        event = kind(run.seq + 1, self.now, run.run_id, *args, **fields)
        self.turn.events.append(event)
        return apply(run, event)

    def emit_fleet(self, kind: Callable[..., ev.Event], /, *args: Any, **fields: Any) -> None:
        """Note an event of the fleet, apply it, and repeat it in the stream of every live run."""
        fleet = self.fleet
        fleet.seq += 1
        event = kind(fleet.seq, self.now, "", *args, **fields)
        self.turn.events.append(event)
        fleet.apply(event)
        for index in self.live.values():
            self.emit(index, kind, *args, **fields)
            self.dirty[index.run.run_id] = index

    def add_run(self, run: RunFacts) -> RunIndex:
        """Know a run from now on; returns its index, which is empty yet."""
        index = self.runs[run.run_id] = self.by_number[self._next_number] = RunIndex(run, self._next_number)
        self._next_number += 1
        return index

    def set_timer(self, at: float, purpose: int, run_id: str, number: int, attempt: int) -> None:
        """Have `outcomes.ring` look at a task at a time."""
        heappush(self.timers, (at, purpose, run_id, number, attempt))

    def run(self, run_id: str) -> RunFacts:
        """The facts of a run.

        Raises:
            KeyError: there is no such run.
        """
        return self.runs[run_id].run


def _command(answer: Callable[[Scheduler, Any], Any]) -> Callable[[Scheduler, Any], None]:
    """A handler that gives the command's sender its answer, which may be a refusal."""

    def handler(scheduler: Scheduler, command: Any) -> None:
        line_up(scheduler)
        try:
            check(command)
            value = answer(scheduler, command)
        except CommandRefused as refusal:
            value = refusal
        scheduler.turn.more().replies.append((command, value))

    return handler


def _nothing(_scheduler: Scheduler, _stimulus: stimuli.TimePassed) -> None:
    """The turn itself does what is due."""


_HANDLERS: Final[dict[type[Any], Callable[[Scheduler, Any], None]]] = {
    stimuli.AttemptEnded: outcomes.attempt_ended,
    stimuli.AttemptStuckNoticed: outcomes.attempt_stuck,
    stimuli.AttemptWarned: outcomes.attempt_warned,
    stimuli.AttemptWorkNoticed: outcomes.attempt_works,
    stimuli.AttemptWorkEndNoticed: outcomes.attempt_worked,
    stimuli.LateEndNoticed: late_ends.ended_late,
    stimuli.TimePassed: _nothing,
    stimuli.DeviceConnectingNoticed: fleet_commands.device_connecting,
    stimuli.DeviceConnectedNoticed: fleet_commands.device_connected,
    stimuli.DeviceActionsNoticed: fleet_commands.device_actions,
    stimuli.DeviceLostNoticed: fleet_commands.device_lost,
    **{spec.kind: _command(spec.carry_out) for spec in SPECS.values()},
}
