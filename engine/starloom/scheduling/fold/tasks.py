"""The fold's handlers for events of tasks: ready, started, ended, reset, held, steered. Called through `apply`.

A handler returns the tasks whose standing may have changed. Nothing is decided here: it does what its event says.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from heapq import heappop, heappush
from typing import TYPE_CHECKING, Any, Final

from msgspec.structs import replace as structs_replace

from starloom import events as ev
from starloom.model.status import TaskStatus
from starloom.scheduling.fold import questions
from starloom.scheduling.fold.answers import (
    answer_otherwise,
    answers,
    forget_verdicts,
    go_on_pausing,
    recount,
    tell_children,
)
from starloom.scheduling.fold.cycles import forget_end, note_end
from starloom.scheduling.fold.late import note_overhead
from starloom.scheduling.fold.stops import withdraw
from starloom.scheduling.state.codes import (
    CANCELLED,
    CODE_OF,
    COMPLETED,
    FAILED,
    PENDING,
    RUNNING,
    SKIPPED,
    WAITING,
    is_terminal,
)
from starloom.scheduling.state.run_facts import READY, RunFacts, groups_of

if TYPE_CHECKING:
    from starloom.scheduling.state.device_facts import DeviceFacts

Touched = Sequence[int]
Handler = Callable[[RunFacts, Any], Touched]
NOTHING: Final[Touched] = ()


# ---- the hot three, which the scheduler calls with the number it knows


def apply_ready(run: RunFacts, event: ev.TaskReady, number: int) -> Touched:
    """Make the task pending."""
    run.seq = event.seq
    run.status[number] = PENDING
    run.ready_at[number] = event.at
    if run.first_ready:
        run.first_ready.pop(number, None)
    if run.backoff:
        run.backoff.pop(number, None)
    return NOTHING


def apply_started(run: RunFacts, event: ev.TaskStarted, number: int, device: DeviceFacts) -> Touched:
    """Start an attempt, which takes a slot."""
    run.seq = event.seq
    if run.tries[number]:
        _archive(run, number)
    run.status[number] = RUNNING
    run.tries[number] = event.attempt
    run.started_at[number] = event.at
    run.device_of[number] = device.id  # not the event's own copy of that text, once it comes from a journal
    run.slot_of[number] = slot = event.slot
    run.running += 1
    fleet = run.fleet
    fleet.running += 1
    free = device.free
    if free and free[0] == slot:
        heappop(free)
        device.used += 1
    else:
        device.take(slot)
    if run.grouped:
        for group in groups_of(run, number):
            fleet.group_used[group] = fleet.group_used.get(group, 0) + 1
    if event.promoted:
        run.promoted.add(number)
    if device.kind == "simulated" or run.simulated:
        _note_simulated(run, number, device)
    if run.stalled:
        run.stalled = ()
    return NOTHING


def _note_simulated(run: RunFacts, number: int, device: DeviceFacts) -> None:
    task = run.graph.tasks[number]
    if device.kind == "simulated" and task is not None and task.simulate is None:
        run.simulated.add(number)
    else:  # an earlier attempt may have been
        run.simulated.discard(number)


def apply_completed(run: RunFacts, event: ev.TaskCompleted, number: int) -> Touched:
    """Complete the task, free its slot and tell its children yes."""
    run.seq = event.seq
    run.status[number] = COMPLETED
    run.results[number] = event.result
    run.open -= 1
    _release(run, number, event.at)
    if run.cycles is not None:
        note_end(run, number, TaskStatus.COMPLETED)
    if not run.plain:
        return tell_children(run, number, event.at)
    ready: list[int] = []
    unmet = run.unmet
    for child in run.graph.children[number]:
        left = unmet[child] - 1
        unmet[child] = left
        if not left:
            ready.append(child)
    if run.backoff:
        go_on_pausing(run, ready, event.at)
    return ready


def _numbered(handler: Callable[[RunFacts, Any, int], Touched]) -> Callable[[RunFacts, Any], Touched]:
    return lambda run, event: handler(run, event, run.graph.place[event.task_id])


def _started(run: RunFacts, event: ev.TaskStarted) -> Touched:
    return apply_started(run, event, run.graph.place[event.task_id], run.fleet.devices[event.device_id])


def _release(run: RunFacts, number: int, at: float) -> None:
    """The attempt is over: its slot and its places in groups are free, once."""
    run.running -= 1
    fleet = run.fleet
    fleet.running -= 1
    if run.fetching and number in run.fetching:
        run.fetching.remove(number)
        note_overhead(run, number, run.ended_at[number] - at)  # it held no slot meanwhile
    else:
        release_slot(run, number)
    run.ended_at[number] = at
    if run.grouped:
        for group in groups_of(run, number):
            fleet.group_used[group] -= 1
    if run.stopping:
        run.stopping.pop(number, None)
    if run.overdue:
        run.overdue.pop(number, None)
    if run.awaiting:
        questions.close(run, number, at)


def release_slot(run: RunFacts, number: int) -> None:
    """Free the slot of an attempt."""
    device = run.fleet.devices[run.device_of[number]]  # type: ignore[index]  # a busy device cannot be removed
    device.used -= 1
    heappush(device.free, run.slot_of[number])


def _wait_if_not_ready(run: RunFacts, number: int) -> None:
    """A task that has just become pending waits if its parents do not let it start."""
    if run.standing(number) != READY:
        run.status[number] = WAITING


def _archive(run: RunFacts, number: int) -> None:
    """Move the last attempt into the history, before another one takes its place in the arrays."""
    if run.device_of[number] is not None:
        run.history.setdefault(number, []).append(run.last_attempt(number))
        run.device_of[number] = None
        _forget_attempt(run, number)


def _forget_attempt(run: RunFacts, number: int) -> None:
    """Forget what is kept of a last attempt alone, as it is in the history."""
    run.awaited.pop(number, None)
    run.overhead.pop(number, None)


# ---- other ends of attempts and tasks


def _retry_scheduled(run: RunFacts, event: ev.TaskRetryScheduled) -> Touched:
    number = run.graph.place[event.task_id]
    run.seq = event.seq
    run.results[number] = event.result
    _release(run, number, event.at)
    run.status[number] = FAILED
    _archive(run, number)
    run.status[number] = PENDING
    run.backoff[number] = event.retry_at
    _wait_if_not_ready(run, number)
    return NOTHING


def _interrupted(run: RunFacts, event: ev.TaskInterrupted) -> Touched:
    number = run.graph.place[event.task_id]
    run.seq = event.seq
    _release(run, number, event.at)
    run.status[number] = CANCELLED
    attempt = structs_replace(run.last_attempt(number), status="interrupted", result=None)
    run.history.setdefault(number, []).append(attempt)
    run.device_of[number] = None
    _forget_attempt(run, number)
    run.spent[number] = run.spent.get(number, 0) + 1
    run.status[number] = PENDING
    run.ready_at[number] = event.at
    run.first_ready.pop(number, None)
    _wait_if_not_ready(run, number)
    return NOTHING


def _end(run: RunFacts, number: int, code: int, at: float) -> Touched:
    """The task has ended with this code, whether it ran or not."""
    if run.status[number] == RUNNING:
        _release(run, number, at)
    withdraw(run, number)
    run.status[number] = code
    run.open -= 1
    run.backoff.pop(number, None)
    return tell_children(run, number, at)


def _failed(run: RunFacts, event: ev.TaskFailed) -> Touched:
    number = run.graph.place[event.task_id]
    run.seq = event.seq
    run.results[number] = event.result
    if run.cycles is not None:
        note_end(run, number, TaskStatus.FAILED)
    return _end(run, number, FAILED, event.at)


def _cancelled(run: RunFacts, event: ev.TaskCancelled) -> Touched:
    number = run.graph.place[event.task_id]
    run.seq = event.seq
    if run.status[number] == RUNNING:
        run.results[number] = event.result
    run.reasons[number] = event.reason
    return _end(run, number, CANCELLED, event.at)


def _skipped(run: RunFacts, event: ev.TaskSkipped) -> Touched:
    number = run.graph.place[event.task_id]
    run.seq = event.seq
    run.reasons[number] = event.reason
    if event.because is not None:
        run.skipped_because[number] = run.graph.place[event.because]
    return _end(run, number, SKIPPED, event.at)


def _marked(run: RunFacts, event: ev.TaskMarked) -> Touched:
    number = run.graph.place[event.task_id]
    run.seq = event.seq
    said = answers(run, number)
    _archive(run, number)
    withdraw(run, number)
    if is_terminal(run.status[number]):
        run.open += 1
    run.results[number] = event.result
    run.reasons.pop(number, None)
    run.skipped_because.pop(number, None)
    run.backoff.pop(number, None)
    run.status[number] = CODE_OF[event.status]
    run.ended_at[number] = event.at
    run.open -= 1
    if run.cycles is not None:
        forget_end(run, number)
        if run.status[number] in {COMPLETED, FAILED}:
            note_end(run, number, event.status)
    forget_verdicts(run, number)
    return answer_otherwise(run, number, said, event.at)


def _reset(run: RunFacts, event: ev.TaskReset) -> Touched:
    number = run.graph.place[event.task_id]
    run.seq = event.seq
    said = answers(run, number)
    code = run.status[number]
    if code == RUNNING:
        _release(run, number, event.at)
        run.status[number], run.results[number] = CANCELLED, None  # the result there is of an earlier attempt
    if is_terminal(code):
        run.open += 1
    if run.cycles is not None:
        forget_end(run, number)
    _archive(run, number)
    withdraw(run, number)
    run.status[number] = WAITING
    run.spent[number] = run.tries[number]
    run.results[number] = None
    for gone in (run.reasons, run.skipped_because, run.backoff):
        gone.pop(number, None)
    forget_verdicts(run, number)
    return [number, *answer_otherwise(run, number, said, event.at)]


def _evaluated(run: RunFacts, event: ev.ConditionEvaluated) -> Touched:
    parent, child = run.graph.place[event.parent], run.graph.place[event.child]
    run.seq = event.seq
    run.verdicts[parent, child] = event.verdict
    if event.error:
        run.unevaluated[parent, child] = event.error
    else:
        run.unevaluated.pop((parent, child), None)
    recount(run, child, event.at)
    return [child]


# ---- steering


def _numbers(run: RunFacts, task_ids: Iterable[str]) -> list[int]:
    place = run.graph.place
    return [place[task_id] for task_id in task_ids]


def _held(run: RunFacts, event: ev.TasksHeld) -> Touched:
    run.seq = event.seq
    numbers = _numbers(run, event.task_ids)
    run.held.update(numbers)
    for number in run.gates.keys() & numbers:
        withdraw(run, number)  # released, it is asked anew
    return numbers


def _released(run: RunFacts, event: ev.TasksReleased) -> Touched:
    run.seq = event.seq
    run.stalled = ()
    numbers = _numbers(run, event.task_ids)
    run.held.difference_update(numbers)
    return numbers


def _prioritised(run: RunFacts, event: ev.TasksPrioritised) -> Touched:
    run.seq = event.seq
    numbers = _numbers(run, event.task_ids)
    for number in numbers:
        run.priority[number] = event.priority
    return numbers


def _pinned(run: RunFacts, event: ev.TasksPinned) -> Touched:
    run.seq = event.seq
    run.stalled = ()
    numbers = _numbers(run, event.task_ids)
    for number in numbers:
        if event.device_id is None:
            run.pins.pop(number, None)
        else:
            run.pins[number] = event.device_id
    return numbers


TASK_HANDLERS: Final[dict[type[ev.Event], Handler]] = {
    ev.TaskReady: _numbered(apply_ready),
    ev.TaskStarted: _started,
    ev.TaskCompleted: _numbered(apply_completed),
    ev.TaskRetryScheduled: _retry_scheduled,
    ev.TaskInterrupted: _interrupted,
    ev.TaskFailed: _failed,
    ev.TaskCancelled: _cancelled,
    ev.TaskSkipped: _skipped,
    ev.TaskMarked: _marked,
    ev.TaskReset: _reset,
    ev.ConditionEvaluated: _evaluated,
    ev.TasksHeld: _held,
    ev.TasksReleased: _released,
    ev.TasksPrioritised: _prioritised,
    ev.TasksPinned: _pinned,
}
