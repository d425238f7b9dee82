"""The state of a task in a few words: the second line of its node, and the last column of its row.

A reader of one task at a time; the whole story is told by `starloom.scheduling.read.why`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from starloom.model.result import ErrorCode, signal_name
from starloom.model.status import DependencyKind, RunState, TaskStatus
from starloom.reporting.text import middle
from starloom.scheduling.read.simulated import was_simulated
from starloom.scheduling.state.device_facts import DeviceRequirements
from starloom.scheduling.state.stops import is_bypassed
from starloom_gui.text.engine_words import by_words, said
from starloom_gui.text.words import (
    Plurals,
    bypassed_word,
    clock,
    error_word,
    fill,
    hour,
    remaining,
    share,
    took,
    translate,
)
from starloom_gui.viewmodel.fence_words import fence_line
from starloom_gui.viewmodel.outage_words import (
    middle_outage_text,
    outage_text,
    seconds_left,
    short_outage_text,
    stopped_later_text,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

    from starloom.scheduling.read.run_view import RunView, TaskView
    from starloom.scheduling.state.device_facts import DeviceFacts

_BY = "cancelled by "
_SKIPPED_BY = "skipped by "
_STOPPED = "stopped while it ran"
_SHORT_NAME = 12
"""Characters of a device's name beyond which a node that has little room leaves out its middle."""


def second_line(task: TaskView, now: float) -> str:
    """The second line of a task's node: `build-1 · 0:42`, `2 of 5 parents`, `retry in 12 s`, `exit 2`; may be empty.

    Args:
        task: present or removed.
        now: seconds on the engine's clock.
    """
    where = _where(task)
    text = _line(task, now, short=False)
    return fill("%1 · %2", where, text) if where and text else text or where


def middle_line(task: TaskView, now: float) -> str:
    """The same where the short one has more room than it needs: `unreachable, lost in 9:32`, `dk-tcp…4973 · 2.0 s`.

    Args:
        task: of a run.
        now: seconds on the engine's clock.
    """
    left = _lost_in(task, now)
    if left is not None:
        return middle_outage_text(left)
    where, line = _where(task), short_line(task, now)
    if len(where) <= _SHORT_NAME or not line:
        return line
    return fill("%1 · %2", middle(where, _SHORT_NAME), line)


def short_line(task: TaskView, now: float) -> str:
    """The same where there is little room: `0:42`, `2 of 5`, `in 12 s`.

    Args:
        task: of a run.
        now: seconds on the engine's clock.
    """
    return _line(task, now, short=True)


def _where(task: TaskView) -> str:
    is_about_place = task.status in {TaskStatus.RUNNING, TaskStatus.COMPLETED}
    return (task.device or "") if is_about_place else ""


def _line(task: TaskView, now: float, *, short: bool) -> str:
    match task.status:
        case TaskStatus.RUNNING:
            return _running(task, now, short=short)
        case TaskStatus.WAITING_DEPENDENCY:
            return _waiting(task, now, short=short)
        case TaskStatus.PENDING:
            return _ready(task, now, short=short)
        case TaskStatus.COMPLETED:
            return _completed(task, now)
        case TaskStatus.FAILED:
            return _failed(task)
        case TaskStatus.CANCELLED | TaskStatus.SKIPPED:
            return _left_out(task, short=short)
        case None:
            return translate("Task", "removed")


def _completed(task: TaskView, now: float) -> str:
    if task.run.facts.has_bypassed(task.number):
        return bypassed_word().lower()
    if not task.has_last_attempt:
        return _answered(task) or translate("Task", "marked")
    return took(task.ran_for(now)) if task.is_timed(task.attempt) else translate("Task", "duration unknown")


def _answered(task: TaskView) -> str:
    """The answer to a gate; empty: it is none, or has no answer."""
    gate = task.gate
    return {
        "approved": translate("Task", "approved"),
        "rejected": translate("Task", "rejected"),
        "proceeded": translate("Task", "time over"),
        "aborted": translate("Task", "time over"),
    }.get(gate.how if gate is not None else "", "")


def _lost_in(task: TaskView, now: float) -> float | None:
    """Seconds until a task counts as lost, if that is what its line says; None: it says something else."""
    is_asking = task.waits_since is not None and not task.is_stopping
    if task.status is not TaskStatus.RUNNING or is_asking:
        return None
    return seconds_left(task.run.fleet.devices.get(task.device or ""), now)


def _running(task: TaskView, now: float, *, short: bool) -> str:
    elapsed = clock(now - task.started_at)
    device = task.run.fleet.devices.get(task.device or "")
    left = _lost_in(task, now)
    if task.is_stopping and (device is None or left is None):
        return fill(translate("Task", "stopping · %1"), elapsed)
    if task.waits_since is not None and not task.is_stopping:
        waits = translate("Task", "asks you · %1") if short else translate("Task", "waits for you · %1")
        return fill(waits, clock(now - task.waits_since))
    if device is not None and left is not None:
        if short:
            return short_outage_text(left)
        since = silent_since(task.run, device, now)
        return stopped_later_text(since) if task.is_stopping else outage_text(since, left)
    if device is not None and not device.connected:  # as after a restart: whether it still runs there is not known
        return fill(translate("Task", "out of reach · %1"), elapsed)
    return fill(translate("Task", "overdue · %1"), elapsed) if task.overdue is not None else elapsed


def simulated_words(task: TaskView) -> str:
    """That a task counts as done though it was only simulated, as a sentence; empty: it was not, or is meant to be."""
    if not was_simulated(task.run.facts, task.number):
        return ""
    return fill(translate("Inspector", "Simulated on %1: it has not run"), task.device or "")


def silent_since(run: RunView, device: DeviceFacts, now: float) -> str:
    """The time of day since which a device of a run's fleet has been silent.

    Args:
        run: its sessions say which time of day a moment was.
        device: one that is silent.
        now: seconds on the engine's clock.
    """
    return hour(run.wall(device.silent_since), run.wall(now))


def overdue_words(task: TaskView, now: float) -> str:
    """By how much a task is overdue, as a sentence: `Overdue by 2:20: it was expected …`; empty: it is not.

    Args:
        task: any.
        now: seconds on the engine's clock.
    """
    expected = task.overdue
    if expected is None:
        return ""
    over = took(now - task.started_at - expected)
    return fill(translate("Task", "Overdue by %1: it was expected to take %2"), over, took(expected))


def quiet_words(run: RunView, since: float | None, now: float) -> str:
    """For how long a task has printed nothing: `No output for 12:03`; empty: it is not quiet.

    Args:
        run: its sessions say which time of day a moment was.
        since: when it fell silent, in seconds since 1970; None: it has not.
        now: seconds on the engine's clock.
    """
    return "" if since is None else fill(translate("Task", "No output for %1"), clock(run.wall(now) - since))


def _pause(task: TaskView, now: float, *, short: bool) -> str:
    """The reason why a task would not start even if nothing blocked it; empty: there is none."""
    if task.is_held:
        return translate("Task", "at breakpoint") if task.is_stopped else translate("Task", "held")
    if is_bypassed(task.run.facts, task.number):
        return bypassed_word().lower()
    if task.backs_off and task.retry_at is not None:
        left = remaining(task.retry_at - now)
        if task.run.state is RunState.PAUSED:  # it is due then, and starts once the run goes on
            return translate("Task", "paused") if short else fill(translate("Task", "paused · retry due in %1"), left)
        return fill(translate("Task", "in %1") if short else translate("Task", "retry in %1"), left)
    return ""


def _not_started(*, short: bool) -> str:
    return translate("ShortTask", "not started") if short else translate("Task", "not started")


def _waiting(task: TaskView, now: float, *, short: bool) -> str:
    pause = _pause(task, now, short=short)
    if pause:
        return pause
    if task.run.state in {RunState.CREATED, RunState.READY}:
        return _not_started(short=short)
    total = len(task.parents)
    if not total:
        return ""
    return (
        share(task.answered, total)
        if short
        else fill(translate("Task", "%1 of %2"), task.answered, Plurals().parents(total))
    )


def _ready(task: TaskView, now: float, *, short: bool) -> str:
    pause = _pause(task, now, short=short)
    if pause:
        return pause
    run = task.run
    if run.state is RunState.PAUSED:
        return translate("Task", "paused")
    if run.state is RunState.READY:
        return _not_started(short=short)
    blocked = fence_line(task, short=short) or _blocked(task, short=short)
    if blocked:
        return blocked
    waited = clock(now - task.ready_at)
    # only the engine knows quickly what a goal needs, so all that is certain is that these are ready
    is_certain = run.until is None or task.number in run.until
    if not is_certain and run.stalled:
        return translate("Task", "beyond the goal")
    if short:
        return waited
    return fill(translate("Task", "in line · %1") if is_certain else translate("Task", "ready · %1"), waited)


def _blocked(task: TaskView, *, short: bool) -> str:
    """The first reason in the fleet why a ready task does not start, apart from busy slots."""
    run, fields = task.run, task.fields
    fleet = run.fleet
    if fields is not None and fields.gate is not None:  # which takes no slot: it is asked as soon as it is wanted
        return translate("Task", "beyond the goal") if run.until is not None else ""
    for group in task.groups:
        allowed = fleet.groups.get(group)
        if allowed is not None and fleet.group_used.get(group, 0) >= allowed:
            return translate("Task", "group full") if short else translate("Task", "limit group full")
    if run.limit is not None and run.running >= run.limit:
        return translate("Task", "run limit")
    pin = task.pin
    if not fleet.devices and (fields is None or (pin is None and not fields.requires)):
        return translate("Task", "no device")
    if fields is None:
        return ""
    fitting = [device for device in fleet.devices.values() if DeviceRequirements.of(fields, pin).fits(device)]
    if not fitting:
        return translate("Task", "no such device")
    return "" if any(device.accepts for device in fitting) else _kept_off(fitting)


def _kept_off(devices: Sequence[DeviceFacts]) -> str:
    """The reason why none of some devices takes a task: the one that may end soonest."""
    if any(device.is_kept_away for device in devices):
        return translate("Task", "device reserved")
    if any(device.connected and device.draining for device in devices):
        return translate("Task", "device drained")
    return translate("Task", "device away")


def _failed(task: TaskView) -> str:
    result = task.result
    if result is None or result.error is None:
        return translate("Task", "failed")
    if (answered := _answered(task)) and not task.has_last_attempt:
        return answered
    if result.error.code == ErrorCode.EXIT_CODE and result.exit_code is not None:
        if result.exit_code < 0:
            return fill(translate("Task", "killed by %1"), signal_name(result.exit_code))
        return fill(translate("Task", "exit %1"), result.exit_code)
    return error_word(result.error.code)


def _left_out(task: TaskView, *, short: bool) -> str:
    parent = task.skipped_because
    if parent is not None and short:
        return translate("Task", "skipped")
    if unmet := unmet_words(task):
        return unmet
    if parent is not None:
        return fill(_said_no(parent.status), parent.title)
    reason = task.reason
    if reason == _STOPPED and short:
        return translate("Task", "stopped")
    for beginning in (_BY, _SKIPPED_BY):
        if reason.startswith(beginning):
            return by_words(reason.removeprefix(beginning))
    return said(reason)


def unmet_words(task: TaskView) -> str:
    """The condition that was not true, or the parent that did not fail, so that a task was skipped; empty: neither."""
    parent = task.skipped_because
    if parent is None:
        return ""
    dependency = task.run.graph.dependency(parent.number, task.number)
    if dependency.condition is not None and task.verdict(parent) is False:
        if error := task.run.facts.unevaluated.get((parent.number, task.number)):
            return fill(translate("Task", "%1 cannot be evaluated: %2"), dependency.condition, said(error))
        return fill(translate("Task", "%1 was not true"), dependency.condition)
    if dependency.kind is DependencyKind.FAILURE and parent.status is TaskStatus.COMPLETED:
        return fill(translate("Task", "%1 did not fail"), parent.title)
    return ""


def _said_no(status: TaskStatus | None) -> str:
    match status:
        case TaskStatus.FAILED:
            return translate("Task", "%1 failed")
        case TaskStatus.CANCELLED:
            return translate("Task", "%1 cancelled")
        case TaskStatus.SKIPPED:
            return translate("Task", "%1 skipped")
        case TaskStatus.COMPLETED:
            return translate("Task", "%1 is done")
        case _:
            return translate("Task", "because of %1")
