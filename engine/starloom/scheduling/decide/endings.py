"""The end of a turn: ends runs, notes stalled ones, and tells each the load of the others."""

from __future__ import annotations

from typing import TYPE_CHECKING

from starloom import events as ev
from starloom.model.status import RunState
from starloom.scheduling.decide import cycle_ends
from starloom.scheduling.decide.emission import emit
from starloom.scheduling.read.why import goals
from starloom.scheduling.state import fence, stops
from starloom.scheduling.state.codes import PENDING
from starloom.scheduling.state.device_facts import device_word
from starloom.scheduling.state.run_facts import groups_of

if TYPE_CHECKING:
    from starloom.scheduling.state.device_facts import DeviceFacts
    from starloom.scheduling.state.run_facts import RunFacts
    from starloom.scheduling.state.run_index import RunIndex
    from starloom.scheduling.state.scheduler_state import SchedulerState


def close(scheduler: SchedulerState) -> None:
    """Check the runs this turn has touched; when no attempt runs any more, all of them."""
    dirty, scheduler.dirty = scheduler.dirty, {}
    if not scheduler.fleet.running:
        dirty.update(scheduler.live)
    for index in dirty.values():
        run = index.run
        if run.state.has_ended or run.state is RunState.CREATED:
            continue
        waits = run.cycles is not None and run.cycles.is_open
        if not run.open and not waits:
            if not run.hold_open:
                _end(scheduler, index)
        elif not run.running and run.state is RunState.EXECUTING:
            _look_for_stall(scheduler, index)
    if scheduler.load_changed:
        _tell_load(scheduler)


def _end(scheduler: SchedulerState, index: RunIndex) -> None:
    run = index.run
    cycle_ends.withdraw_late(scheduler, index)
    emit(scheduler, index, ev.RunEnded, state=run.final_state())
    scheduler.turn.more().ended.append(run.run_id)
    del scheduler.live[run.run_id]
    scheduler.watched.pop(run.run_id, None)
    index.load = None
    if len(scheduler.live) == 1:
        scheduler.load_changed = True


def _tell_load(scheduler: SchedulerState) -> None:
    """Emit the number of slots that the other runs hold to each live run, if it has changed."""
    scheduler.load_changed = False
    devices = scheduler.fleet.devices
    is_alone = len(scheduler.live) == 1
    for index in scheduler.live.values():
        own = index.load or {}
        others = {id: used for id, device in devices.items() if (used := device.used - own.get(id, 0))}
        if is_alone:
            others, index.load = {}, None
        if others != index.run.others:
            emit(scheduler, index, ev.FleetLoad, used=others)


def _look_for_stall(scheduler: SchedulerState, index: RunIndex) -> None:
    """Emit why the run has stalled, if it has, and again as the fleet changes that: other reasons, or none."""
    run, seq = index.run, scheduler.fleet.seq
    if run.stalled and index.stall_seen == seq:
        return
    if any(map(run.pauses, run.backoff)) or _will_be_answered(run):
        return
    index.stall_seen = seq
    reasons: dict[str, None] = dict.fromkeys([*_unapproved(run), *_unanswered(run)])
    for number in run.with_status(PENDING):
        if reasons and (fence.keeps(index, number) or stops.is_open(run, number)):
            continue  # it goes on once that is answered
        reason = _stuck(scheduler, index, number)
        if reason is None:
            if run.stalled and _is_served(scheduler, index, number):
                emit(scheduler, index, ev.RunStalled, reasons=())
            return
        if len(reasons) < 20:
            reasons[reason] = None
    found = tuple(reasons) or ("nothing is ready",)
    if found != run.stalled:
        emit(scheduler, index, ev.RunStalled, reasons=found)


def _will_be_answered(run: RunFacts) -> bool:
    """Whether agents are waited for, or a person only for so long."""
    if any(run.gate_due(number) is not None for number in run.gates):
        return True
    cycles = run.cycles
    return cycles is not None and (cycles.cycle is not None or bool(cycles.approvals and cycles.approval_timeout))


def _unapproved(run: RunFacts) -> list[str]:
    approvals = run.cycles.approvals.values() if run.cycles is not None else ()
    return [f"approval {one.number}, of edits by {one.proposed.agent!r}, is not answered" for one in approvals]


def _unanswered(run: RunFacts) -> list[str]:
    return [f"the gate {run.graph.names.label(number)!r} is not answered" for number in stops.open_gates(run)[:20]]


def _stuck(scheduler: SchedulerState, index: RunIndex, number: int) -> str | None:
    """The reason why a ready task needs a person to start; None: it will start by itself."""
    run, fleet = index.run, scheduler.fleet
    name = run.graph.names.label(number)
    if number in run.held:
        return f"{name!r} is stopped at its breakpoint" if run.is_stopped(number) else f"{name!r} is held"
    if stops.is_beyond(index, number):
        return f"it has gone on until {goals(run)}, as wanted"
    if run.limit == 0:
        return "the run's limit is 0"
    if fleet.max_concurrency == 0:
        return "the global limit is 0"
    for group in groups_of(run, number):
        if fleet.groups.get(group) == 0:
            return f"limit group {group!r} allows 0 at once"
    wanted = index.wanted_by(number)
    fitting = [device for device in fleet.devices.values() if wanted.fits(device)]
    if any(_will_serve(device) for device in fitting):
        return None
    if fitting:
        states = ", ".join(_standing(device) for device in fitting[:3])
        return f"no device takes {name!r}: {states}"
    return f"{name!r} needs {wanted.words(fleet.devices.values())}, and there is none"


def _is_served(scheduler: SchedulerState, index: RunIndex, number: int) -> bool:
    """Whether a connected device takes a task, now or once it has room: one that is reached for may not be reached."""
    wanted = index.wanted_by(number)
    devices = scheduler.fleet.devices.values()
    return any(device.connected and _will_serve(device) and wanted.fits(device) for device in devices)


def _will_serve(device: DeviceFacts) -> bool:
    """Whether it takes tasks by itself: now, when it has been reached, or once what is out of sight there has ended."""
    return device.enabled and not device.draining and device.limit != 0 and (device.connected or device.connecting)


def _standing(device: DeviceFacts) -> str:
    if device.accepts:
        return f"{device.id} has 0 slots"
    return f"{device.id} is {device_word(device)}"
