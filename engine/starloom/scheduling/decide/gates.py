"""Gates: tasks that ask a person, answered by the task's id. They take no slot, no device and no place in the queue.

With them goes what else is done with ready tasks that are not to start: they stop at a breakpoint or are bypassed.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from starloom import events as ev
from starloom.errors import CommandRefused
from starloom.model.quantities import format_duration
from starloom.model.result import ErrorCode, ErrorInfo, Result
from starloom.model.status import GateDefault, RunState, TaskStatus
from starloom.scheduling import commands
from starloom.scheduling.decide import bypass, lifecycle, lookup, steering
from starloom.scheduling.decide.emission import emit
from starloom.scheduling.state import fence, stops
from starloom.scheduling.state.codes import PENDING, STATUS_OF

if TYPE_CHECKING:
    from starloom.scheduling.state.gate_facts import GateFacts
    from starloom.scheduling.state.run_index import RunIndex
    from starloom.scheduling.state.scheduler_state import SchedulerState

ANSWERS: Final = {
    "approved": "it was approved",
    "rejected": "it was rejected",
    "proceeded": "it went on when its time was over",
    "skipped": "it was skipped when its time was over",
    "aborted": "it ended the run when its time was over",
    "withdrawn": "it was withdrawn",
}
"""What became of a gate, in words."""


# ---- asking


def attend(scheduler: SchedulerState) -> None:
    """Stop, ask or bypass the ready tasks that would start now, in order of their numbers.

    What becomes ready by that, as behind a bypassed task, has its turn after them.
    """
    for run_id, index in list(scheduler.asking.items()):
        run = index.run
        if run.state.has_ended:
            index.asking.clear()
        while index.asking and _is_going(index):
            numbers, index.asking = sorted(index.asking), set()
            for number in numbers:
                if not _is_going(index):
                    index.asking.add(number)  # the end of one before it has closed the fence
                elif _may_start(index, number):
                    _stop_or_ask(scheduler, index, number)
        if not index.asking:
            del scheduler.asking[run_id]


def _is_going(index: RunIndex) -> bool:
    """Whether tasks of the run may start."""
    return index.run.state is RunState.EXECUTING and not fence.is_closed(index.run)


def _may_start(index: RunIndex, number: int) -> bool:
    """Whether nothing has blocked the task since it was recorded; removing an obstacle records it again."""
    run = index.run
    if run.status[number] != PENDING or number in run.held or stops.pauses(run, number) or number in index.behind:
        return False
    return not stops.is_beyond(index, number) and stops.is_due(run, number)


def _stop_or_ask(scheduler: SchedulerState, index: RunIndex, number: int) -> None:
    run = index.run
    scheduler.dirty[run.run_id] = index
    if stops.stops(run, number):
        emit(scheduler, index, ev.BreakpointReached, run.graph.ids[number])
    elif stops.is_bypassed(run, number):
        bypass.complete(scheduler, index, number)
    else:
        ask(scheduler, index, number)


def ask(scheduler: SchedulerState, index: RunIndex, number: int) -> None:
    """Open a gate."""
    run = index.run
    known = run.gates.get(number)
    attempt = 1 if known is None else known.attempt + 1
    emit(scheduler, index, ev.GateOpened, run.graph.ids[number], attempt)
    scheduler.turn.more().gates.append((run.run_id, run.graph.ids[number], attempt))
    stops.set_timer(scheduler, index, number)


# ---- answers


def check_answer(scheduler: SchedulerState, command: commands.AnswerGate) -> tuple[RunIndex, int, GateFacts]:
    """The gate that would be answered; changes nothing."""
    named = commands.CancelTasks(run_id=command.run_id, task_ids=(command.task_id,), origin=command.origin)
    index, (number,) = lookup.tasks_of(scheduler, named)
    run = index.run
    gate = run.gates.get(number)
    if gate is None and not stops.is_gate(run, number):
        raise CommandRefused("not_a_gate", f"{command.task_id!r} asks nobody: it is no gate.", "Name a gate.")
    if gate is not None and command.attempt is not None and command.attempt < gate.attempt:
        reason = f"That {command.task_id!r} asked was over before it asked again."
        raise CommandRefused("gate_answered", reason, "Answer what it asks now.")
    if gate is not None and gate.is_open and command.attempt in {None, gate.attempt}:
        return index, number, gate
    if gate is None or gate.how == "withdrawn" or (command.attempt is not None and command.attempt > gate.attempt):
        status = STATUS_OF[run.status[number]].value.replace("_", " ")
        reason = f"{command.task_id!r} asks nobody now: it is {status}."
        raise CommandRefused("gate_not_open", reason, "Wait until it asks.")
    reason = f"{command.task_id!r} is answered already: {ANSWERS[gate.how]}{_by(gate.origin)}."
    raise CommandRefused("gate_answered", reason, "Rerun it to be asked again.")


def _by(origin: str) -> str:
    return f" by {origin}" if origin and origin != "engine" else ""


def answer(scheduler: SchedulerState, command: commands.AnswerGate) -> None:
    """Complete or fail the task of a gate; the note is the value of its result."""
    index, number, _ = check_answer(scheduler, command)
    error = None
    if not command.approve:
        said = f": {command.note}" if command.note else "."
        error = ErrorInfo(code=ErrorCode.REJECTED, message=f"It was rejected{_by(command.origin)}{said}")
    how = "approved" if command.approve else "rejected"
    _close(scheduler, index, number, how, Result(value=command.note, error=error), command.note, command.origin)


def expire(scheduler: SchedulerState, index: RunIndex, number: int) -> None:
    """Answer a gate whose countdown is over, as the gate says."""
    task = index.run.graph.tasks[number]
    assert task is not None
    assert task.gate is not None
    note = f"nobody answered within {format_duration(task.gate.after or 0.0)}"
    if task.gate.then is GateDefault.SKIP:
        _tell(scheduler, index, number, "skipped", note, "engine")
        steering.skip_one(scheduler, index, number, note, "engine")
        scheduler.dirty[index.run.run_id] = index
    elif task.gate.then is GateDefault.ABORT:
        error = ErrorInfo(code=ErrorCode.TIMEOUT, message=f"{note.capitalize()}.")
        _close(scheduler, index, number, "aborted", Result(value="", error=error), note, "engine")
        if not index.run.cancel_requested:
            lifecycle.abort(scheduler, index, task.id)
    else:
        _close(scheduler, index, number, "proceeded", Result(value=""), note, "engine")


def _tell(scheduler: SchedulerState, index: RunIndex, number: int, how: str, note: str, origin: str) -> None:
    run = index.run
    emit(scheduler, index, ev.GateAnswered, run.graph.ids[number], run.gates[number].attempt, how, note, origin)


def _close(
    scheduler: SchedulerState, index: RunIndex, number: int, how: str, result: Result, note: str, origin: str
) -> None:
    _tell(scheduler, index, number, how, note, origin)
    status = TaskStatus.COMPLETED if result.error is None else TaskStatus.FAILED
    steering.mark_as(scheduler, index, [number], status, result, origin)
    if status is TaskStatus.FAILED:
        steering.abort_if_critical(scheduler, index, [number])
    scheduler.dirty[index.run.run_id] = index
