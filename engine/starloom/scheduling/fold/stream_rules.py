"""Validity rules for each kind of event, given the facts before it.

A scheduler never breaks these rules; a stream that was forged or damaged may. A rule returns what is wrong as a half
sentence, or nothing. The hot three are asked here only after `stream_check` has found them odd.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import UnionType
from typing import TYPE_CHECKING, Any, Final, get_args

import msgspec

from starloom import events as ev
from starloom.constellation.edits import EditBatch
from starloom.constellation.transaction import rehearse
from starloom.model.plan import PlanIndex
from starloom.model.status import RunState
from starloom.scheduling.fold import cycle_rules, late_rules, question_rules
from starloom.scheduling.fold import fleet_rules as fleet
from starloom.scheduling.fold.number_rules import LONGEST, MOST, is_span, is_wall, within
from starloom.scheduling.state.codes import PENDING, REMOVED, RUNNING, STATUS_OF, WAITING, is_terminal
from starloom.scheduling.state.device_facts import MOST_SLOTS
from starloom.scheduling.state.edit_rules import rules_for
from starloom.scheduling.state.run_facts import READY

if TYPE_CHECKING:
    from starloom.scheduling.state.folded_run import FoldedRun

Rule = Callable[["FoldedRun", Any], str]
"""What is wrong with an event that is about to be applied to a FoldedRun; empty: nothing."""


def _anything(_folded: FoldedRun, _event: Any) -> str:
    return ""


# ---- tasks


def _named(folded: FoldedRun, task_id: str) -> int:
    """The number of a task.

    Raises:
        KeyError: there is none of this id.
    """
    return folded.run.graph.place[task_id]


def _in(*codes: int) -> Rule:
    """The task has one of these statuses."""

    def rule(folded: FoldedRun, event: Any) -> str:
        code = folded.run.status[_named(folded, event.task_id)]
        return "" if code in codes else f"the task is {_word(code)}"

    return rule


def _word(code: int) -> str:
    return "removed" if code == REMOVED else STATUS_OF[code].value.replace("_", " ")


def _ready(folded: FoldedRun, event: ev.TaskReady) -> str:
    run, number = folded.run, _named(folded, event.task_id)
    code = run.status[number]
    if code == PENDING and number in run.backoff:
        return ""
    if code != WAITING:
        return f"the task is {_word(code)}"
    return "" if run.standing(number) == READY else "its dependencies have not said yes"


def _started(folded: FoldedRun, event: ev.TaskStarted) -> str:
    run, number = folded.run, _named(folded, event.task_id)
    device = folded.fleet.devices[event.device_id]
    most = MOST_SLOTS if device.slots is None else device.slots
    if run.status[number] != PENDING:
        return f"the task is {_word(run.status[number])}"
    if event.attempt != run.tries[number] + 1:
        return f"attempt {event.attempt} follows attempt {run.tries[number]}"
    if not 0 <= event.slot < most:
        return f"the device has {most} slots and no slot {event.slot}"
    if run.state not in {RunState.EXECUTING, RunState.PAUSED}:  # of a paused one a single task may be stepped
        return f"the run is {run.state}"
    return "the task is held" if number in run.held else ""


def _ended(folded: FoldedRun, event: Any) -> str:
    run, number = folded.run, _named(folded, event.task_id)
    if run.status[number] != RUNNING:
        return f"the task is {_word(run.status[number])}"
    return "" if event.attempt == run.tries[number] else f"attempt {run.tries[number]} is the one that runs"


def _reattached(folded: FoldedRun, event: ev.AttemptReattached) -> str:
    run, number = folded.run, _named(folded, event.task_id)
    if (why := _ended(folded, event)) or event.device_id != run.device_of[number]:
        return why or f"the attempt runs on {run.device_of[number]!r}"
    device = folded.fleet.devices[event.device_id]
    is_own = event.slot == run.slot_of[number] and number not in run.fetching
    is_free = is_own or device.is_free(event.slot)
    if not is_free or not 0 <= event.slot < MOST_SLOTS:
        return f"the slot {event.slot} is not free"
    return is_span(event.at - event.started_at, "the time for which it has run")


def _retry(folded: FoldedRun, event: ev.TaskRetryScheduled) -> str:
    return _ended(folded, event) or is_span(event.retry_at - event.at, "the pause before the next attempt")


def _cancelled(folded: FoldedRun, event: ev.TaskCancelled) -> str:
    return _in(WAITING, PENDING, RUNNING)(folded, event)


def _skipped(folded: FoldedRun, event: ev.TaskSkipped) -> str:
    number = _named(folded, event.task_id)
    if event.because is not None and _named(folded, event.because) not in folded.run.graph.parents[number]:
        return f"it does not depend on {event.because!r}"
    return _in(WAITING, PENDING, RUNNING)(folded, event)


def _marked(folded: FoldedRun, event: ev.TaskMarked) -> str:
    if not event.status.is_terminal:
        return f"no end of a task is called {event.status}"
    code = folded.run.status[_named(folded, event.task_id)]
    return "the task is running" if code == RUNNING else ""


def _reset(folded: FoldedRun, event: ev.TaskReset) -> str:
    if event.cause not in {"retry", "rerun", "replaced", "revived"}:
        return f"nothing resets a task by {event.cause!r}"
    _named(folded, event.task_id)
    return ""


def _evaluated(folded: FoldedRun, event: ev.ConditionEvaluated) -> str:
    run = folded.run
    parent, child = _named(folded, event.parent), _named(folded, event.child)
    special = run.graph.special.get((parent, child))
    if special is None or special.condition is None:
        return "there is no condition between them"
    return "" if is_terminal(run.status[parent]) else f"{event.parent!r} has not ended"


def _several(folded: FoldedRun, event: Any) -> str:
    for task_id in event.task_ids:
        _named(folded, task_id)
    return ""


def _prioritised(folded: FoldedRun, event: ev.TasksPrioritised) -> str:
    return _several(folded, event) or within(event.priority, 0, 100, "the priority")


def _gate_opened(folded: FoldedRun, event: ev.GateOpened) -> str:
    run, number = folded.run, _named(folded, event.task_id)
    task, known = run.graph.tasks[number], run.gates.get(number)
    if task is None or task.gate is None:
        return "the task is no gate"
    if event.attempt != (0 if known is None else known.attempt) + 1:
        return f"time {event.attempt} is not the next one that it asks"
    return _in(PENDING)(folded, event)


def _gate_answered(folded: FoldedRun, event: ev.GateAnswered) -> str:
    gate = folded.run.gates[_named(folded, event.task_id)]
    return "" if gate.is_open and gate.attempt == event.attempt else "the gate asks nobody"


# ---- runs


def _state(*states: RunState) -> Rule:
    """The run has one of these states."""

    def rule(folded: FoldedRun, _event: Any) -> str:
        return "" if folded.run.state in states else f"the run is {folded.run.state}"

    return rule


def _not_ended(folded: FoldedRun, _event: Any) -> str:
    return f"the run is {folded.run.state}" if folded.run.state.has_ended else ""


def _overdue(folded: FoldedRun, event: ev.TaskOverdue) -> str:
    """The attempt that runs, which was not said to be overdue before."""
    why = _ended(folded, event) or is_span(event.expected, "what was expected of it")
    return why or ("it is said twice" if _named(folded, event.task_id) in folded.run.overdue else "")


def _work_ended(folded: FoldedRun, event: ev.AttemptWorkEnded) -> str:
    return _ended(folded, event) or ("it is said twice" if _named(folded, event.task_id) in folded.run.fetching else "")


def _created(folded: FoldedRun, event: ev.RunCreated) -> str:
    if folded.run.sessions or not folded.run.run_id:
        return "there is a run already"
    return is_wall(event.wall_time)


def _declared(folded: FoldedRun, event: ev.TasksDeclared) -> str:
    run = folded.run
    if not run.sessions or run.state is not RunState.CREATED:
        return "the plan of the run is declared already"
    if event.index is not None and not run.graph.tasks:
        return ""
    known = [task for task in run.graph.tasks if task is not None]
    PlanIndex([*known, *event.tasks], [*run.graph.dependencies(), *event.dependencies])  # refuses what is no plan
    return ""


def _readied(folded: FoldedRun, event: Any) -> str:
    return _state(RunState.CREATED)(folded, event) if folded.run.sessions else "there is no run yet"


def _run_ended(folded: FoldedRun, event: ev.RunEnded) -> str:
    run = folded.run
    if run.state.has_ended or run.open or run.running:
        return f"the run is {run.state}, and {run.open} of its tasks have not ended"
    return "" if event.state == run.final_state() else f"the run has come to {run.final_state()}, not to {event.state}"


def _reopened(folded: FoldedRun, _event: Any) -> str:
    return "" if folded.run.state.has_ended else f"the run is {folded.run.state}"


def _recovered(_folded: FoldedRun, event: ev.RunRecovered) -> str:
    return is_wall(event.wall_time) or is_span(abs(event.shift), "the shift of its times")


def _limit_set(_folded: FoldedRun, event: ev.RunLimitSet) -> str:
    return within(event.max_concurrency, 0, MOST, "the limit")


def _modified(folded: FoldedRun, event: ev.ConstellationModified) -> str:
    run = folded.run
    if event.revision != run.revision + 1:
        return f"revision {event.revision} follows revision {run.revision}"
    made = rehearse(run.graph, EditBatch(edits=event.changes), rules_for(run))
    if made.problems:
        return made.problems[0].message.rstrip(".")
    return "" if made.changes == event.changes else "the edits say another place or value than they have"


# ---- the table


RULES: Final[Mapping[type[ev.Event], Rule]] = {
    ev.RunCreated: _created,
    ev.TasksDeclared: _declared,
    ev.RunReadied: _readied,
    ev.RunStarted: _state(RunState.READY),
    ev.RunPaused: _not_ended,
    ev.RunResumed: _state(RunState.PAUSED),
    ev.RunCancelRequested: _not_ended,
    ev.RunHeldOpen: _anything,
    ev.RunLimitSet: _limit_set,
    ev.RunStalled: _not_ended,
    ev.RunEnded: _run_ended,
    ev.RunReopened: _reopened,
    ev.RunRecovered: _recovered,
    ev.TaskReady: _ready,
    ev.TaskStarted: _started,
    ev.TaskStopping: _in(RUNNING),
    ev.TaskStuck: _in(RUNNING),
    ev.TaskWarned: _ended,
    ev.TaskOverdue: _overdue,
    ev.TaskInterrupted: _ended,
    ev.AttemptReattached: _reattached,
    ev.AttemptBegan: lambda folded, event: _ended(folded, event) or late_rules.began(folded, event),
    ev.AttemptWorkEnded: _work_ended,
    ev.AttemptTimed: late_rules.timed,
    ev.AttemptEndedLate: late_rules.ended_late,
    ev.TaskCompleted: _ended,
    ev.TaskRetryScheduled: _retry,
    ev.TaskFailed: _ended,
    ev.TaskCancelled: _cancelled,
    ev.TaskSkipped: _skipped,
    ev.TaskMarked: _marked,
    ev.TaskReset: _reset,
    ev.ConditionEvaluated: _evaluated,
    ev.TasksHeld: _several,
    ev.TasksReleased: _several,
    ev.TasksPrioritised: _prioritised,
    ev.TasksPinned: _several,
    ev.GateOpened: _gate_opened,
    ev.GateAnswered: _gate_answered,
    **question_rules.QUESTION_RULES,
    ev.BreakpointsSet: _several,
    ev.BreakpointReached: _in(PENDING),
    ev.RunUntilSet: _several,
    ev.RunStepped: _in(PENDING),
    ev.ConstellationModified: _modified,
    ev.EditRejected: _anything,
    **cycle_rules.CYCLE_RULES,
    ev.FleetOpened: fleet.fleet_opened,
    ev.FleetSnapshot: fleet.snapshot,
    ev.FleetLoad: fleet.load,
    ev.DeviceAdded: fleet.added,
    ev.DeviceRemoved: fleet.removed,
    ev.DeviceConnecting: fleet.device,
    ev.DeviceConnected: fleet.device,
    ev.DeviceActionsChanged: fleet.device,
    ev.DeviceLost: fleet.device,
    ev.DeviceFaulted: fleet.device,
    ev.BreakerOpened: fleet.breaker_opened,
    ev.BreakerHalfOpened: fleet.device,
    ev.BreakerClosed: fleet.device,
    ev.DeviceDrained: fleet.device,
    ev.DeviceResumed: fleet.device,
    ev.DeviceDisabled: fleet.device,
    ev.DeviceEnabled: fleet.device,
    ev.DeviceSlotsSet: fleet.slots_set,
    ev.DeviceUnattended: fleet.unattended,
    ev.LimitsChanged: fleet.limits_changed,
    ev.ReservationMade: fleet.reserved,
    ev.ReservationEnded: lambda _folded, _event: "",
    ev.CommandAnswered: lambda _folded, event: "a run has no answers to commands" if event.run_id else "",
}
"""The rule of every kind of event that is journalled; a new kind has to say its own."""


# ---- numbers of every kind


def _numbers_of(kind: type[ev.Event]) -> tuple[tuple[str, bool], ...]:
    """The fields of a kind that may hold a number, and whether it is a float."""
    found = []
    for field in msgspec.structs.fields(kind)[3:]:
        named = {field.type, *(get_args(field.type) if isinstance(field.type, UnionType) else ())}
        if float in named or int in named:
            found.append((field.name, float in named))
    return tuple(found)


_SIGNED: Final = "exit_code"
"""A whole number that may be negative: of a command that a signal has ended."""
_NUMBERS: Final = {kind: _numbers_of(kind) for kind in RULES}


def odd_number(event: ev.Event) -> str:
    """The first number of an event that no scheduler writes: not finite, a negative count, or too large."""
    for name, is_float in _NUMBERS[type(event)]:
        number = getattr(event, name)
        if not isinstance(number, int | float):  # none, or what else may stand there, such as the id of a stepped task
            continue
        most = 4 * LONGEST if is_float else MOST
        if not (-most if is_float or name == _SIGNED else 0) <= number <= most:
            return f"{name} is {number}"
    return ""
