"""The invariants of gates, breakpoints, goals and questions after every turn; a part of `invariants`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from starloom import events as ev
from starloom.model.status import RunState
from starloom.scheduling.state import fence, stops
from starloom.scheduling.state.codes import PENDING, RUNNING
from starloom.scheduling.state.run_index import wanted_for

if TYPE_CHECKING:
    from collections.abc import Iterator

    from starloom.scheduling.state.run_facts import RunFacts
    from starloom.scheduling.state.run_index import RunIndex
    from starloom.scheduling.state.scheduler_state import SchedulerState


def check_event(run: RunFacts, event: ev.Event) -> None:
    """Check an event of a run against the facts before it: no task starts where it is to be stopped or bypassed.

    Raises:
        AssertionError: it does.
    """
    if isinstance(event, ev.TaskMarked) and event.bypassed:
        _check_bypassed(run, event)
    if not isinstance(event, ev.TaskStarted | ev.GateOpened):
        return
    number = run.graph.place[event.task_id]
    where = f"run {run.run_id!r}: {event.task_id!r}"
    if stops.is_bypassed(run, number):
        raise AssertionError(f"{where} started although it is bypassed")
    if isinstance(event, ev.TaskStarted) is stops.is_gate(run, number):
        raise AssertionError(f"{where} started as what it is not")
    wanted = wanted_for(run)
    if wanted is not None and number not in wanted:
        raise AssertionError(f"{where} started beyond the goal")
    if run.state is not RunState.PAUSED and stops.stops(run, number):
        raise AssertionError(f"{where} did not stop at its breakpoint")
    if isinstance(event, ev.GateOpened) and (number in run.held or stops.is_open(run, number)):
        raise AssertionError(f"{where} asks although it is held, or asks already")


def _check_bypassed(run: RunFacts, event: ev.TaskMarked) -> None:
    number = run.graph.place[event.task_id]
    may_start = run.status[number] == PENDING and number not in run.held and not fence.holds(run, number)
    if not (may_start and stops.is_bypassed(run, number)):
        raise AssertionError(f"run {run.run_id!r}: {event.task_id!r} was bypassed before its turn")


def broken(scheduler: SchedulerState, index: RunIndex) -> Iterator[str]:
    """The broken invariants, as sentences."""
    run = index.run
    where = f"run {run.run_id!r} ({run.state})"
    if not run.steered and (run.gates or run.breakpoints or run.until is not None):
        yield f"{where}: it is steered and does not know"
    for number in stops.open_gates(run):
        asks = stops.is_gate(run, number) and not stops.is_bypassed(run, number)
        if run.status[number] != PENDING or number in run.held or not asks:
            yield f"{where}: {run.graph.ids[number]!r} asks somebody without reason"
    yield from _asked_in_vain(run, where)
    if run.state.has_ended:
        return
    if index.wanted != wanted_for(run):
        yield f"{where}: it goes on for {index.wanted}, not for what {run.until} need"
    if index.asking and scheduler.asking.get(run.run_id) is not index:
        yield f"{where}: it is forgotten that {index.asking} are to be asked"
    yield from _forgotten(index, where)


def _forgotten(index: RunIndex, where: str) -> Iterator[str]:
    """Tasks that have to be stopped or asked, and are not."""
    run = index.run
    is_going = run.state is RunState.EXECUTING and not fence.is_closed(run)
    for number in run.with_status(PENDING):
        keeps = number in run.held or number in index.behind or stops.pauses(run, number)
        keeps = keeps or stops.is_beyond(index, number)
        if stops.is_due(run, number) and not keeps and (is_going or number not in index.asking):
            yield f"{where}: {run.graph.ids[number]!r} was neither stopped, asked nor bypassed"


def _asked_in_vain(run: RunFacts, where: str) -> Iterator[str]:
    """Questions of attempts that do not wait for an answer, and attempts that wait for none and are said to."""
    asking = {asked.task for asked in run.questions.values()}
    if asking != run.awaiting.keys():
        yield f"{where}: {asking} have asked, and {run.awaiting.keys()} wait for answers"
    for number in asking:
        if run.status[number] != RUNNING or number in run.stopping or number in run.fetching:
            yield f"{where}: {run.graph.ids[number]!r} waits for an answer and does not go on"
    for number in run.awaited:
        if not run.has_last_attempt(number):
            yield f"{where}: {run.graph.ids[number]!r} has waited for an answer in no attempt"
