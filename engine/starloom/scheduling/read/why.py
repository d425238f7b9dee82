"""Explains why a task is not running: the facts that dispatch reads, as reasons a person can act on."""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING, Final

import msgspec

from starloom.model.quantities import format_duration
from starloom.model.status import Breaker, DeviceStatus, GateDefault, Join, RunState
from starloom.model.task import BypassValue
from starloom.scheduling.read.left_behind import gate_message
from starloom.scheduling.read.simulated import was_simulated
from starloom.scheduling.state import fence, stops
from starloom.scheduling.state.awaiting import awaited, numbers_of
from starloom.scheduling.state.codes import PENDING, RUNNING, STATUS_OF, WAITING
from starloom.scheduling.state.device_facts import device_word
from starloom.scheduling.state.queueing import effective_priority
from starloom.scheduling.state.reservations import ReservationTarget
from starloom.scheduling.state.run_facts import UNANSWERED, groups_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from starloom.scheduling.state.device_facts import DeviceFacts
    from starloom.scheduling.state.run_facts import RunFacts
    from starloom.scheduling.state.run_index import RunIndex
    from starloom.scheduling.state.scheduler_state import SchedulerState

_SHOWN = 10


class Reason(msgspec.Struct, frozen=True, omit_defaults=True):
    """One reason why a task does not run, or its outcome.

    Attributes:
        code: for programs, e.g. `waiting_for`, `held`, `no_device`, `group_full`.
        text: for people.
        blocks: whether it keeps the task from running; else it only explains.
        subject: the task, device or group it is about.
        remedy: what would help.
        elsewhere: the tasks of other runs that have what it waits for, each with the name of its run; at most 10.
    """

    code: str
    text: str
    blocks: bool = True
    subject: str | None = None
    remedy: str = ""
    elsewhere: tuple[tuple[str, str], ...] = ()


def why(scheduler: SchedulerState, index: RunIndex, number: int) -> tuple[Reason, ...]:
    """The reasons why a task does not run now, those that block it first; its outcome if it has started.

    Args:
        scheduler: says what else waits, and for which devices.
        index: of the task's run.
        number: of the task.
    """
    run = index.run
    code = run.status[number]
    if code == RUNNING:
        return (_running(scheduler, index, number),)
    if code > RUNNING:
        return (_ended(index, number),)
    of_run = _about_run(index)
    reasons = [*_about_task(scheduler, index, number), *_about_fence(scheduler, index, number)]
    if code == WAITING:  # nothing else helps before its parents have ended
        return _sorted([*_about_parents(index, number), *of_run, *reasons])
    if stops.is_bypassed(run, number):
        return _sorted([*of_run, *reasons])  # it needs no place
    reasons = [*of_run, *_about_limit(index), *reasons]
    if code == PENDING and stops.is_gate(run, number):
        reasons += _about_gate(scheduler, index, number)
    elif code == PENDING and number not in run.backoff:  # of a held task, too: what else a release would not change
        reasons += _about_places(scheduler, index, number)
        if not any(reason.blocks for reason in reasons):
            reasons.append(_in_line(scheduler, index, number))
    return _sorted(reasons)


def _sorted(reasons: list[Reason]) -> tuple[Reason, ...]:
    """The reasons, blocking ones first."""
    return tuple(sorted(reasons, key=lambda reason: not reason.blocks))


def _running(scheduler: SchedulerState, index: RunIndex, number: int) -> Reason:
    run = index.run
    where = run.device_of[number]
    cause = run.stopping.get(number)
    device = scheduler.fleet.devices.get(where or "")
    is_unreachable = device is not None and device.waits_until > scheduler.now
    if cause is not None:
        text = f"It is being stopped ({cause}) on {where}."
        if is_unreachable:
            text = (
                f"It is to be stopped ({cause}) on {where}, which is unreachable: it will be told once {where} is back."
            )
        return Reason("stopping", text, blocks=False, subject=where)
    if device is not None and is_unreachable:
        since = format_duration(round(max(0.0, scheduler.now - device.silent_since), 1))
        left = format_duration(round(device.waits_until - scheduler.now, 1))
        what = f" and refuses us now: {device.refusal.rstrip('.')}" if device.refusal else ""
        text = (
            f"It runs on {where}, which has been unreachable for {since}{what}. It goes on there, and is waited for "
            f"for another {left}; then it counts as lost."
        )
        remedy = "Wait, or cancel it; retries decide whether it is given elsewhere."
        return Reason("unreachable", text, blocks=False, subject=where, remedy=remedy)
    if number in run.fetching:
        since = format_duration(round(max(0.0, scheduler.now - run.ended_at[number]), 1))
        text = f"Its work on {where} has ended; since {since} what it has printed and made is being brought here."
        remedy = "Wait, or cancel it. Its slot is free meanwhile."
        return Reason("fetching", text, blocks=False, subject=where, remedy=remedy)
    if number in run.awaiting:
        return _asking(scheduler, run, number)
    if number in run.overdue:
        worked = scheduler.now - run.started_at[number] - awaited(run, number, scheduler.now)
        took = format_duration(round(max(0.0, worked), 1))
        wanted = format_duration(round(run.overdue[number], 1))
        text = f"It has been running on {where} for {took} and was expected to take {wanted}: it is overdue."
        remedy = "Look at its output; cancel it or give it a timeout if it hangs."
        return Reason("overdue", text, blocks=False, subject=where, remedy=remedy)
    text = f"It is running on {where}, attempt {run.tries[number]}."
    return Reason("running", text, blocks=False, subject=where)


def _asking(scheduler: SchedulerState, run: RunFacts, number: int) -> Reason:
    """The reason of a running task that waits for a person."""
    asked = [run.questions[one].question.text for one in numbers_of(run, number)]
    since = format_duration(round(max(0.0, scheduler.now - run.awaiting[number]), 1))
    more = f" and {len(asked) - 1} more" if len(asked) > 1 else ""
    text = (
        f"It runs on {run.device_of[number]} and has waited for {since} for a person to answer {asked[0]!r}{more}. "
        "It keeps its slot, and its timeout does not run meanwhile."
    )
    return Reason("asks", text, blocks=False, subject=run.device_of[number], remedy="Answer it.")


def _ended(index: RunIndex, number: int) -> Reason:
    run = index.run
    status = STATUS_OF[run.status[number]]
    result = run.results[number]
    text = run.reasons.get(number, "")
    if run.has_bypassed(number):
        text = f"it was bypassed and did not run; it has {_passed_on(run, number)}."
    if was_simulated(run, number):
        text = f"it was only simulated on {run.device_of[number]} and has not run."
    if not text and result is not None and result.error is not None:
        text = result.error.message
    because = run.skipped_because.get(number)
    subject = None if because is None else run.graph.ids[because]
    return Reason(
        status.value, f"It {_past(status.value)}{': ' + text if text else '.'}", blocks=False, subject=subject
    )


def _past(status: str) -> str:
    return {"completed": "completed", "failed": "failed"}.get(status, f"was {status}")


def _about_run(index: RunIndex) -> list[Reason]:
    run = index.run
    if run.state is RunState.PAUSED:
        return [Reason("run_paused", "The run is paused.", remedy="Resume the run.")]
    if run.state is RunState.READY:
        return [Reason("run_not_started", "The run has not been started.", remedy="Start the run.")]
    return []


def _about_limit(index: RunIndex) -> list[Reason]:
    run = index.run
    if run.limit is not None and run.running >= run.limit:
        text = f"The run may have {run.limit} tasks running at once and has {run.running}."
        return [Reason("run_limit", text, remedy="Raise the run's limit or wait.")]
    return []


def _about_task(scheduler: SchedulerState, index: RunIndex, number: int) -> list[Reason]:
    run = index.run
    reasons = []
    if run.is_stopped(number):
        reasons.append(Reason("breakpoint", "It is stopped at its breakpoint.", remedy="Release it."))
    elif number in run.held:
        reasons.append(Reason("held", "It is held.", remedy="Release it."))
    elif stops.stops(run, number):
        reasons.append(Reason("has_breakpoint", "It has a breakpoint and stops where it would start.", blocks=False))
    if stops.is_bypassed(run, number):
        text = f"It is bypassed: where it would start, it completes without running, with {_passed_on(run, number)}."
        remedy = "Take the bypass back before it has ended."
        reasons.append(Reason("bypassed", text, blocks=False, remedy=remedy))
    if stops.is_beyond(index, number):
        text = f"The run goes on only until {goals(run)}, which does not need it."
        reasons.append(Reason("until", text, remedy="Let the run go on for everything."))
    if run.backoff.get(number, 0.0) > scheduler.now and stops.pauses(run, number):
        left = max(0.0, run.backoff[number] - scheduler.now)
        text = f"Attempt {run.tries[number]} failed; the next one is due in {format_duration(round(left, 1))}."
        reasons.append(Reason("backing_off", text))
    return reasons


def _passed_on(run: RunFacts, number: int) -> str:
    """The result of a bypassed task, in words."""
    task, parents = run.graph.tasks[number], run.graph.parents[number]
    if task is not None and isinstance(task.bypass, BypassValue):
        return "the value it was given"
    return {0: "no value", 1: "the result of its parent"}.get(len(parents), "the values of its parents by id")


def goals(run: RunFacts) -> str:
    """The tasks of a run's goal, as text."""
    names = [
        repr(run.graph.names.label(number)) for number in sorted(run.until or ()) if run.graph.tasks[number] is not None
    ]
    if not names:
        return "tasks that are gone"
    return ", ".join(names[:_SHOWN]) + (f" and {len(names) - _SHOWN} more" if len(names) > _SHOWN else "")


def _about_gate(scheduler: SchedulerState, index: RunIndex, number: int) -> list[Reason]:
    """The reason of an open gate: the person it waits for, and for how long."""
    run = index.run
    task = run.graph.tasks[number]
    if task is None or task.gate is None or not stops.is_open(run, number):
        return []
    due, then = run.gate_due(number), ""
    if due is not None and task.gate.then is not None:
        left = format_duration(round(max(0.0, due - scheduler.now), 1))
        then = f" In {left} {_THEN[task.gate.then]}."
    text = f"It waits for a person to answer {gate_message(run, number)!r}.{then}"
    return [Reason("gate", text, remedy="Approve or reject it.")]


_THEN: Final = {
    GateDefault.PROCEED: "it goes on without",
    GateDefault.SKIP: "it is skipped",
    GateDefault.ABORT: "it ends the run",
}


def _about_fence(scheduler: SchedulerState, index: RunIndex, number: int) -> list[Reason]:
    """The reasons of the fence: the agents and people it waits for."""
    cycles = index.run.cycles
    if cycles is None or not fence.keeps(index, number):
        return []
    reasons = _deferrals(index, number)
    cycle = cycles.cycle
    if reasons:
        return reasons
    if cycle is not None:
        age = format_duration(round(max(0.0, scheduler.now - cycle.at), 1))
        batch = f"a batch of {len(cycle.tasks)} task{'s' * (len(cycle.tasks) != 1)}"
        reasons += [
            Reason(
                "fence",
                f"It waits for agent {name!r} to answer to {batch}, since {age}.",
                subject=name,
                remedy="Wait, pause or detach the agent, or open the run's fence.",
            )
            for name in cycle.waiting
        ]
    for approval in cycles.approvals.values():
        if approval.tasks:
            text = (
                f"It waits for a person to answer approval {approval.number}, of edits by {approval.proposed.agent!r}."
            )
            reasons.append(Reason("approval", text, subject=str(approval.number), remedy="Accept or reject them."))
    return reasons


def _deferrals(index: RunIndex, number: int) -> list[Reason]:
    """The reasons of edits that replace this task and others, of which some have not been stopped yet."""
    run = index.run
    reasons = []
    for one in run.cycles.deferrals.values() if run.cycles is not None else ():
        if number in one.tasks:
            rest = [run.graph.names.label(other) for other in one.tasks if run.status[other] == RUNNING]
            names = ", ".join(map(repr, rest[:_SHOWN])) + " …" * (len(rest) > _SHOWN)
            text = f"It waits until {names} has been stopped, as edits by {one.proposed.agent!r} replace both."
            reasons.append(
                Reason("deferral", text, subject=one.proposed.agent, remedy="Wait, or cancel what is being stopped.")
            )
    return reasons


def _about_parents(index: RunIndex, number: int) -> list[Reason]:
    run = index.run
    open_ones = [parent for parent in sorted(run.graph.parents[number]) if run.answer(parent, number) == UNANSWERED]
    task = run.graph.tasks[number]
    joint = "one of them" if task is not None and task.join is Join.ANY else "all of them"
    reasons = []
    for parent in open_ones[:_SHOWN]:
        status = STATUS_OF[run.status[parent]].value
        name = run.graph.names.label(parent)
        ready = "is held" if parent in run.held else "is ready"
        words = {"waiting_dependency": "is waiting itself", "pending": ready, "running": "is running"}
        reasons.append(
            Reason(
                "waiting_for",
                f"It waits for {name!r}, which {words.get(status, status)}.",
                subject=run.graph.ids[parent],
            )
        )
    if len(open_ones) > _SHOWN:
        text = f"It waits for {len(open_ones) - _SHOWN} more tasks; {joint} must say yes."
        reasons.append(Reason("waiting_for_more", text))
    return reasons


def _elsewhere(scheduler: SchedulerState, own: RunIndex, group: str) -> Iterator[tuple[str, str]]:
    """The running tasks of other runs that count against a group, each with the name of its run."""
    for index in scheduler.live.values():
        run = index.run
        if index is not own:
            members = (number for number in run.with_status(RUNNING) if group in groups_of(run, number))
            yield from ((run.graph.names.label(number), run.name) for number in members)


def _about_places(scheduler: SchedulerState, index: RunIndex, number: int) -> list[Reason]:
    fleet = scheduler.fleet
    reasons = []
    if fleet.max_concurrency is not None and fleet.running >= fleet.max_concurrency:
        text = f"{fleet.running} tasks are running and the global limit is {fleet.max_concurrency}."
        reasons.append(Reason("global_limit", text, remedy="Raise the limit or wait."))
    for group in sorted(set(groups_of(index.run, number))):
        allowed, used = fleet.groups.get(group), fleet.group_used.get(group, 0)
        if allowed is not None and used >= allowed:
            text = f"Limit group {group!r} allows {allowed} at once and has {used}."
            elsewhere = tuple(islice(_elsewhere(scheduler, index, group), _SHOWN))
            remedy = "Raise its limit or wait."
            reasons.append(Reason("group_full", text, subject=group, remedy=remedy, elsewhere=elsewhere))
    wanted = index.wanted_by(number)
    fitting = [device for device in fleet.devices.values() if wanted.fits(device)]
    if not fitting:
        text = f"It needs {wanted.words(fleet.devices.values())}, and the fleet has no such device."
        remedy = "Add a device or change what the task requires."
        reasons.append(Reason("no_device", text, subject=wanted.pin, remedy=remedy))
    elif not any(device.accepts for device in fitting):
        states = ", ".join(_standing(scheduler, device) for device in fitting[:_SHOWN])
        text = f"No device takes it now: {states}."
        is_left_alone = any(device.status is DeviceStatus.SUSPENDED for device in fitting)
        remedy = "Resume, enable or reconnect one." if not is_left_alone else "Wait, or have one tried again now."
        subject: str | None = next((d.id for d in fitting if d.status is DeviceStatus.SUSPENDED), fitting[0].id)
        if any(device.is_kept_away for device in fitting):
            remedy = "Wait until the reservation ends; its holder can end it, others can break it."
            subject = None  # the text says all there is
        reasons.append(Reason("device_unavailable", text, subject=subject, remedy=remedy))
    elif not any(device.accepts and device.has_room() for device in fitting):
        full = [device.id for device in fitting if device.accepts]
        names = ", ".join(full[:_SHOWN])
        text = f"All slots of {names} are taken."
        if kept := sum(device.unattended for device in fitting if device.accepts):
            text += f" {kept} {'is' if kept == 1 else 'are'} kept for tasks of an earlier program that may still run."
        on_trial = [device.id for device in fitting if device.breaker is Breaker.HALF_OPEN and device.accepts]
        if on_trial:
            text += f" {', '.join(on_trial[:_SHOWN])} was suspended, and gets one task until one shows that it works."
        only = full[0] if len(full) == 1 else None  # of several, any will do
        reasons.append(Reason("devices_busy", text, subject=only, remedy="Wait, or give a device more slots."))
    return reasons


def _standing(scheduler: SchedulerState, device: DeviceFacts) -> str:
    if device.is_kept_away:
        made = scheduler.fleet.reservations[ReservationTarget(device_id=device.id)]
        return f"{device.id} is {made.words(scheduler.now)}"
    if not device.enabled or device.status is not DeviceStatus.SUSPENDED:
        return f"{device.id} is {device_word(device)}"
    left = format_duration(round(max(0.0, device.until - scheduler.now), 1))
    if not device.failures:
        return f"{device.id} is suspended for another {left} ({device.trouble.rstrip('.')})"
    trouble = f" ({device.trouble.rstrip('.')})" if device.trouble else ""
    return f"{device.id} is suspended for another {left} after {device.failures} failures in a row{trouble}"


def _in_line(scheduler: SchedulerState, index: RunIndex, number: int) -> Reason:
    own = effective_priority(scheduler, index, number)
    if index.by_rank:
        return Reason("in_line", "It is in line, or waits for a busy device on which it will end sooner.", blocks=False)
    return Reason("in_line", f"It is in line with an effective priority of {own:.0f}.", blocks=False)
