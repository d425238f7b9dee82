"""The fold's handlers for gates, breakpoints, goals and steps. Called through `apply`; they make no decisions."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from msgspec.structs import replace

from starloom import events as ev
from starloom.scheduling.state.gate_facts import UNREACHED, WITHDRAWN, GateFacts

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from starloom.model.task import Task
    from starloom.scheduling.state.run_facts import RunFacts


# ---- called by the handlers of what happens to tasks and to the graph


def note_tasks(run: RunFacts, tasks: Iterable[Task | None], first: int) -> None:
    """Record gates, breakpoints and bypasses of new tasks."""
    for number, task in enumerate(tasks, first):
        if task is not None and is_stopped(task):
            run.steered = True
            if task.breakpoint:
                run.breakpoints[number] = UNREACHED


def is_stopped(task: Task) -> bool:
    """Whether a task does not simply start when it is ready."""
    return task.gate is not None or task.breakpoint or task.is_bypassed


def note_update(run: RunFacts, number: int, fields: Iterable[str]) -> None:
    """Record that a task has become a gate, is none any more, has got a breakpoint or is bypassed."""
    task = run.graph.tasks[number]
    assert task is not None
    if task.gate is None or task.is_bypassed:
        withdraw(run, number)
    if "breakpoint" in fields and not task.breakpoint:
        run.breakpoints.pop(number, None)
    elif "breakpoint" in fields:
        run.breakpoints.setdefault(number, UNREACHED)
    run.steered = run.steered or is_stopped(task)


def withdraw(run: RunFacts, number: int) -> None:
    """Close the gate of a task if it is open, without an answer."""
    gate = run.gates.get(number)
    if gate is not None and gate.is_open:
        run.gates[number] = replace(gate, how=WITHDRAWN)


def shift(run: RunFacts, by: float) -> None:
    """Shift all times."""
    for number, gate in run.gates.items():
        ended = None if gate.ended is None else gate.ended + by
        run.gates[number] = replace(gate, at=gate.at + by, ended=ended)


# ---- gates


def _opened(run: RunFacts, event: ev.GateOpened) -> Sequence[int]:
    run.seq = event.seq
    run.stalled = ()
    run.gates[run.graph.place[event.task_id]] = GateFacts(event.attempt, event.at)
    return ()


def _answered(run: RunFacts, event: ev.GateAnswered) -> Sequence[int]:
    run.seq = event.seq
    run.stalled = ()
    number = run.graph.place[event.task_id]
    gate = run.gates[number]
    run.gates[number] = replace(gate, how=event.how, ended=event.at, note=event.note, origin=event.origin)
    return ()


# ---- stopping, and going on for some tasks only


def _breakpoints_set(run: RunFacts, event: ev.BreakpointsSet) -> Sequence[int]:
    run.seq = event.seq
    run.steered = True
    for number in map(run.graph.place.__getitem__, event.task_ids):
        if event.is_set:
            run.breakpoints[number] = UNREACHED
        else:
            run.breakpoints.pop(number, None)
    return ()


def _reached(run: RunFacts, event: ev.BreakpointReached) -> Sequence[int]:
    run.seq = event.seq
    run.stalled = ()
    number = run.graph.place[event.task_id]
    run.breakpoints[number] = run.starts(number)
    run.held.add(number)
    return (number,)


def _until_set(run: RunFacts, event: ev.RunUntilSet) -> Sequence[int]:
    run.seq = event.seq
    run.stalled = ()
    run.steered = True
    place = run.graph.place
    run.until = frozenset(place[task_id] for task_id in event.task_ids) if event.task_ids else None
    return ()


STOP_HANDLERS: Final[dict[type[ev.Event], Callable[[RunFacts, Any], Sequence[int]]]] = {
    ev.GateOpened: _opened,
    ev.GateAnswered: _answered,
    ev.BreakpointsSet: _breakpoints_set,
    ev.BreakpointReached: _reached,
    ev.RunUntilSet: _until_set,
}
