"""What is said of a task in a few words: the second line of its node, and the last column of its row.

A reader of facts, for one task at a time; the whole story is told by `starloom.scheduling.read.why`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from starloom.model.result import ErrorCode
from starloom.model.status import DependencyKind, RunState
from starloom.scheduling.state.codes import (
    CANCELLED,
    COMPLETED,
    FAILED,
    PENDING,
    REMOVED,
    RUNNING,
    SKIPPED,
    STATUS_OF,
    WAITING,
)
from starloom.scheduling.state.device_facts import DeviceRequirements
from starloom.scheduling.state.late_facts import is_timed
from starloom.scheduling.state.run_facts import groups_of
from starloom_gui.text.engine_words import said
from starloom_gui.text.words import (
    Plurals,
    clock,
    error_word,
    fill,
    hour,
    remaining,
    share,
    status_word,
    took,
    translate,
)
from starloom_gui.theme.forms import WARNED
from starloom_gui.viewmodel.fence_words import fence_line
from starloom_gui.viewmodel.outage_words import outage_text, seconds_left, short_outage_text

if TYPE_CHECKING:
    from collections.abc import Iterable

    from starloom.scheduling.state.device_facts import DeviceFacts
    from starloom.scheduling.state.run_facts import RunFacts

_BY = "cancelled by "
_SKIPPED_BY = "skipped by "


def form_of(run: RunFacts, number: int) -> int:
    """How a task is painted: as the code of its status, but a failure that is a warning as `WARNED`."""
    code = run.status[number]
    return WARNED if code == FAILED and run.is_warning(number) else code


def form_counts(run: RunFacts, numbers: Iterable[int] | None = None) -> tuple[int, ...]:
    """How many tasks have each form, by its code, up to `WARNED`: a failure that is a warning is not among the failed.

    Args:
        run: the facts.
        numbers: of the tasks that are counted; None: all of the run that are present.
    """
    if numbers is None:
        codes: bytes | bytearray = run.status
        warned = run.warnings() if FAILED in codes else 0
    else:
        some = tuple(numbers)
        codes = bytes(map(run.status.__getitem__, some))  # with each picture, and three times as fast so
        failed = (number for number in some if run.status[number] == FAILED) if FAILED in codes else ()
        warned = sum(map(run.is_warning, failed))
    counts = [codes.count(code) for code in range(REMOVED)]
    counts[FAILED] -= warned
    return (*counts, 0, warned)


def failed_tasks(run: RunFacts | None) -> tuple[str, ...]:
    """The ids of the tasks that have failed; of no run: none."""
    return tuple(run.graph.ids[number] for number in run.with_status(FAILED)) if run is not None else ()


def form_word(form: int) -> str:
    """The word for a form, e.g. `Done`; not for removed tasks."""
    return translate("Words", "Failed, a warning") if form == WARNED else status_word(STATUS_OF[form])


def second_line(run: RunFacts, number: int, now: float) -> str:
    """What there is to say of a task: `build-1 · 0:42`, `2 of 5 parents`, `retry in 12 s`, `exit 2`; may be empty.

    Args:
        run: the facts.
        number: of a task, present or removed.
        now: seconds on the engine's clock.
    """
    where = _where(run, number)
    text = _line(run, number, now, short=False)
    return fill("%1 · %2", where, text) if where and text else text or where


def short_line(run: RunFacts, number: int, now: float) -> str:
    """The same where there is little room: `0:42`, `2 of 5`, `in 12 s`."""
    return _line(run, number, now, short=True)


def _where(run: RunFacts, number: int) -> str:
    is_about_place = run.status[number] in {RUNNING, COMPLETED}
    return (run.device_of[number] or "") if is_about_place else ""


def _line(run: RunFacts, number: int, now: float, *, short: bool) -> str:
    code = run.status[number]
    if code == RUNNING:
        return _running(run, number, now, short=short)
    if code == WAITING:
        return _waiting(run, number, now, short=short)
    if code == PENDING:
        return _ready(run, number, now, short=short)
    if code == COMPLETED:
        return _completed(run, number, now)
    if code == FAILED:
        return _failed(run, number)
    if code in {CANCELLED, SKIPPED}:
        return _left_out(run, number, short=short)
    return translate("Task", "removed") if code == REMOVED else ""


def _completed(run: RunFacts, number: int, now: float) -> str:
    if not run.has_last_attempt(number):
        return _answered(run, number) or translate("Task", "marked")
    is_known = is_timed(run, number, run.tries[number])
    return took(duration(run, number, now)) if is_known else translate("Task", "duration unknown")


def _answered(run: RunFacts, number: int) -> str:
    """How a gate was answered; empty: it is none, or nobody has."""
    gate = run.gates.get(number)
    return {
        "approved": translate("Task", "approved"),
        "rejected": translate("Task", "rejected"),
        "proceeded": translate("Task", "time over"),
        "aborted": translate("Task", "time over"),
    }.get(gate.how if gate is not None else "", "")


def _running(run: RunFacts, number: int, now: float, *, short: bool) -> str:
    elapsed = clock(now - run.started_at[number])
    if number in run.stopping:
        return fill(translate("Task", "stopping · %1"), elapsed)
    device = run.fleet.devices.get(run.device_of[number] or "")
    if device is not None and (left := seconds_left(device, now)) is not None:
        return short_outage_text(left) if short else outage_text(silent_since(run, device, now), left)
    return fill(translate("Task", "overdue · %1"), elapsed) if number in run.overdue else elapsed


def silent_since(run: RunFacts, device: DeviceFacts, now: float) -> str:
    """Since when a device of a run's fleet has been silent, as a time of day."""
    return hour(wall_seconds(run, device.silent_since), wall_seconds(run, now))


def overdue_words(run: RunFacts, number: int, now: float) -> str:
    """By how much a task is overdue, as a sentence: `Overdue by 2:20: it was expected …`; empty: it is not.

    Args:
        run: the facts.
        number: of the task.
        now: seconds on the engine's clock.
    """
    expected = run.overdue.get(number)
    if expected is None:
        return ""
    over = took(now - run.started_at[number] - expected)
    return fill(translate("Task", "Overdue by %1: it was expected to take %2"), over, took(expected))


def _pause(run: RunFacts, number: int, now: float, *, short: bool) -> str:
    """Why it would not start even if everything else were fine; empty: nothing keeps it."""
    if number in run.held:
        return translate("Task", "at breakpoint") if run.is_stopped(number) else translate("Task", "held")
    if run.pauses(number):
        left = remaining(run.backoff[number] - now)
        return fill(translate("Task", "in %1") if short else translate("Task", "retry in %1"), left)
    return ""


def _waiting(run: RunFacts, number: int, now: float, *, short: bool) -> str:
    pause = _pause(run, number, now, short=short)
    if pause:
        return pause
    if run.state in {RunState.CREATED, RunState.READY}:
        return translate("Task", "not started")
    total = len(run.graph.parents[number])
    if not total:
        return ""
    yes = total - run.unmet[number]
    return share(yes, total) if short else fill(translate("Task", "%1 of %2"), yes, Plurals().parents(total))


def _ready(run: RunFacts, number: int, now: float, *, short: bool) -> str:
    pause = _pause(run, number, now, short=short)
    if pause:
        return pause
    if run.state is RunState.PAUSED:
        return translate("Task", "paused")
    if run.state is RunState.READY:
        return translate("Task", "not started")
    blocked = fence_line(run, number, short=short) or _blocked(run, number, short=short)
    if blocked:
        return blocked
    waited = clock(now - run.ready_at[number])
    if short:
        return waited
    # only the engine knows quickly what a goal needs, so all that is certain is that these are ready
    is_certain = run.until is None or number in run.until
    return fill(translate("Task", "in line · %1") if is_certain else translate("Task", "ready · %1"), waited)


def _blocked(run: RunFacts, number: int, *, short: bool) -> str:
    """The first thing in the fleet that keeps a ready task from starting, besides slots that are taken."""
    fleet, task = run.fleet, run.graph.tasks[number]
    for group in groups_of(run, number):
        allowed = fleet.groups.get(group)
        if allowed is not None and fleet.group_used.get(group, 0) >= allowed:
            return translate("Task", "group full") if short else translate("Task", "limit group full")
    if run.limit is not None and run.running >= run.limit:
        return translate("Task", "run limit")
    pin = run.pin_of(number)
    if not fleet.devices and (task is None or (pin is None and not task.requires)):
        return translate("Task", "no device")
    if task is None:
        return ""
    fitting = [device for device in fleet.devices.values() if DeviceRequirements.of(task, pin).fits(device)]
    if not fitting:
        return translate("Task", "no such device")
    return "" if any(device.accepts for device in fitting) else translate("Task", "device away")


def _failed(run: RunFacts, number: int) -> str:
    result = run.results[number]
    if result is None or result.error is None:
        return translate("Task", "failed")
    if (answered := _answered(run, number)) and not run.has_last_attempt(number):
        return answered
    if result.error.code == ErrorCode.EXIT_CODE and result.exit_code is not None:
        return fill(translate("Task", "exit %1"), result.exit_code)
    return error_word(result.error.code)


def _left_out(run: RunFacts, number: int, *, short: bool) -> str:
    parent = run.skipped_because.get(number)
    if parent is not None and short:
        return translate("Task", "skipped")
    if unmet := unmet_words(run, number):
        return unmet
    if parent is not None:
        task = run.graph.tasks[parent]
        return fill(_said_no(run.status[parent]), task.title if task is not None else run.graph.ids[parent])
    reason = run.reasons.get(number, "")
    for beginning in (_BY, _SKIPPED_BY):
        if reason.startswith(beginning):
            return fill(translate("Task", "by %1"), reason.removeprefix(beginning))
    return said(reason)


def unmet_words(run: RunFacts, number: int) -> str:
    """Which condition was not true, or what did not fail, so that a task was skipped; empty: it was for neither."""
    parent = run.skipped_because.get(number)
    if parent is None:
        return ""
    dependency = run.graph.dependency(parent, number)
    if dependency.condition is not None and run.verdicts.get((parent, number)) is False:
        return fill(translate("Task", "%1 was not true"), dependency.condition)
    if dependency.kind is DependencyKind.FAILURE and run.status[parent] == COMPLETED:
        task = run.graph.tasks[parent]
        return fill(translate("Task", "%1 did not fail"), task.title if task is not None else run.graph.ids[parent])
    return ""


def _said_no(code: int) -> str:
    return {
        FAILED: translate("Task", "%1 failed"),
        CANCELLED: translate("Task", "%1 cancelled"),
        SKIPPED: translate("Task", "%1 skipped"),
        COMPLETED: translate("Task", "%1 is done"),
    }.get(code, translate("Task", "because of %1"))


# ---- times of a task


def duration(run: RunFacts, number: int, now: float) -> float:
    """Seconds of its last attempt, to now while that runs; 0 if there was none."""
    if not run.has_last_attempt(number):
        return 0.0
    end = now if run.status[number] == RUNNING else run.ended_at[number]
    return max(0.0, end - run.started_at[number])


def wall_seconds(run: RunFacts, at: float, *, is_end: bool = False) -> float:
    """Seconds since 1970 at a moment on the engine's clock, by the program that ran the run then.

    Args:
        run: whose sessions.
        at: that moment.
        is_end: whether something ended then, which at the very begin of a session was in that before.
    """
    since, wall = run.created_at, run.wall_time
    for begun, wall_then in run.sessions:
        if begun < at or (begun == at and not is_end):
            since, wall = begun, wall_then
    return wall + at - since
