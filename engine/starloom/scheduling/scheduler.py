"""The scheduler: stimuli in, events and instructions out. All changes of runs pass through it.

`handle` decides about each stimulus in turn, applies every event before it decides the next, dispatches once at the end
and looks which runs have ended or cannot go on. What it decides stands in `decide`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from starloom.errors import CommandRefused
from starloom.scheduling import stimuli
from starloom.scheduling.decide import (
    asking,
    conflicts,
    cycles,
    device_reports,
    dispatch,
    due_timers,
    endings,
    gates,
    late_ends,
    outcomes,
)
from starloom.scheduling.decide.checking import check
from starloom.scheduling.decide.kept_answers import keep_answer
from starloom.scheduling.decide.reservations import check_reserved
from starloom.scheduling.decide.specs import SPECS
from starloom.scheduling.instructions import WakeAt
from starloom.scheduling.state.queueing import line_up
from starloom.scheduling.state.scheduler_state import SchedulerState
from starloom.scheduling.turn import Turn

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence


class Scheduler(SchedulerState):
    """The scheduler with its entry point `handle`; code that reads or decides one thing is given a `SchedulerState`."""

    def handle(self, arrived: Sequence[Any], now: float, turn: Turn | None = None) -> Turn:
        """Decide about all stimuli that have arrived; the events are folded when this returns.

        Args:
            arrived: stimuli and commands, in order.
            now: seconds on a clock that never goes back.
            turn: an empty one to decide; None: a new one.
        """
        self.turn = turn = Turn() if turn is None else turn
        if now > self.now:
            self.now = now
        timers, handlers = self.timers, _HANDLERS
        for stimulus in arrived:
            handlers[type(stimulus)](self, stimulus)
        if timers and timers[0][0] <= now:  # afterwards: what has arrived happened before it was too late
            due_timers.ring(self)
        if self.watched:
            conflicts.process_deferrals(self)
        if self.asking:
            gates.attend(self)
        if self.watched:  # also about what has just been bypassed
            cycles.hand_over(self)
        if self.fresh is not None or self.queue.active or self.queue.ranked:
            dispatch.dispatch(self)
        if self.dirty or self.load_changed or self.fleet.running == 0:
            endings.close(self)
        if timers or self.announced is not None:
            self._set_alarm()
        return turn

    def _set_alarm(self) -> None:
        due = due_timers.next_due(self)
        if due != self.announced:
            self.announced = due
            self.turn.more().wake = WakeAt(due)


def _command(answer: Callable[[SchedulerState, Any], Any]) -> Callable[[SchedulerState, Any], None]:
    """A handler that gives the command's sender its answer, which may be a refusal or the one given before."""

    def handler(scheduler: SchedulerState, command: Any) -> None:
        line_up(scheduler)
        if command.id in scheduler.answers:
            value = scheduler.answers.of(command.id)
        else:
            try:
                check(command)
                check_reserved(scheduler, command)
                value = answer(scheduler, command)
            except CommandRefused as refusal:
                value = refusal
            if command.id:
                keep_answer(scheduler, command, value)
        scheduler.turn.more().replies.append((command, value))

    return handler


def _nothing(_scheduler: SchedulerState, _stimulus: stimuli.TimePassed) -> None:
    """The turn itself does what is due."""


_HANDLERS: Final[dict[type[Any], Callable[[SchedulerState, Any], None]]] = {
    stimuli.AttemptEnded: outcomes.attempt_ended,
    stimuli.AttemptStuckNoticed: outcomes.attempt_stuck,
    stimuli.AttemptWarned: outcomes.attempt_warned,
    stimuli.AttemptWorkNoticed: outcomes.attempt_works,
    stimuli.AttemptWorkEndNoticed: outcomes.attempt_worked,
    stimuli.QuestionRaised: asking.ask,
    stimuli.QuestionDropped: asking.withdraw,
    stimuli.LateEndNoticed: late_ends.ended_late,
    stimuli.TimePassed: _nothing,
    stimuli.DeviceConnectingNoticed: device_reports.device_connecting,
    stimuli.DeviceConnectedNoticed: device_reports.device_connected,
    stimuli.DeviceActionsNoticed: device_reports.device_actions,
    stimuli.TasksUnattended: device_reports.tasks_unattended,
    stimuli.DeviceLostNoticed: device_reports.device_lost,
    stimuli.DeviceHeldNoticed: device_reports.device_held,
    **{spec.kind: _command(spec.carry_out) for spec in SPECS.values()},
}
