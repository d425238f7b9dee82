"""The events of tasks and their attempts: one entry a kind."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from starloom import events as ev
from starloom.model.status import Severity
from starloom_gui.specs import notes
from starloom_gui.specs.event_spec import EventSort, EventSpec, about
from starloom_gui.text.engine_words import error_sentence, said
from starloom_gui.text.words import fill, plain, remaining, took, translate
from starloom_gui.theme.status_form import StatusForm

if TYPE_CHECKING:
    from collections.abc import Callable

    from starloom.model.result import Result


def _error(result: Result) -> str:
    if result.error is None:
        return translate("Events", "no reason was given")
    return plain(error_sentence(result.error).rstrip("."))


_FAILED: Final[dict[Severity, Callable[[], str]]] = {
    Severity.WARNING: lambda: translate("Events", "%1 failed, which is a warning, attempt %2: %3"),
    Severity.ERROR: lambda: translate("Events", "%1 failed, attempt %2: %3"),
    Severity.CRITICAL: lambda: translate("Events", "%1 failed, which is critical, attempt %2: %3"),
}


def _failed(event: ev.TaskFailed) -> str:
    text = _FAILED[event.severity or Severity.ERROR]()
    return fill(text, event.task_id, event.attempt, _error(event.result))


def _overdue(event: ev.TaskOverdue) -> str:
    text = translate("Events", "%1 is overdue on %2, attempt %3: it was expected to take %4")
    return fill(text, event.task_id, event.device_id, event.attempt, remaining(event.expected))


def _retry(event: ev.TaskRetryScheduled) -> str:
    text = translate("Events", "%1 failed, attempt %2: %3; retry in %4")
    return fill(text, event.task_id, event.attempt, _error(event.result), remaining(event.retry_at - event.at))


def _cancelled(event: ev.TaskCancelled) -> str:
    if event.reason:
        return fill(translate("Events", "%1 was cancelled: %2"), event.task_id, plain(said(event.reason)))
    return fill(translate("Events", "%1 was cancelled"), event.task_id)


def _interrupted(event: ev.TaskInterrupted) -> str:
    values = event.task_id, event.attempt, plain(said(event.reason.rstrip(".")))
    away = translate("Events", "%1 goes to another device, attempt %2 does not count: %3")
    return fill(away if event.reason else translate("Events", "%1 was interrupted, attempt %2"), *values)


def _ended_late(event: ev.AttemptEndedLate) -> str:
    values = event.task_id, event.attempt, event.device_id, event.exit_code
    if event.exit_code is None:
        text = translate("Events", "Attempt %2 of %1, which was given up as lost, was ended when %3 was back")
    else:
        text = translate("Events", "Attempt %2 of %1, which was given up as lost, ended late on %3 with exit code %4")
    return fill(text, *values)


def _timed(event: ev.AttemptTimed) -> str:
    if event.ended_at is None:
        return fill(translate("Events", "How long attempt %2 of %1 took is not known"), event.task_id, event.attempt)
    text = translate("Events", "Attempt %2 of %1 took %3, as measured where it ran")
    return fill(text, event.task_id, event.attempt, took(event.ended_at - event.started_at))


def _condition(event: ev.ConditionEvaluated) -> str:
    if event.error:
        text = translate("Events", "The condition from %1 to %2 could not be evaluated: %3")
        return fill(text, event.parent, event.child, plain(event.error))
    if event.verdict:
        return fill(translate("Events", "The condition from %1 to %2 holds"), event.parent, event.child)
    return fill(translate("Events", "The condition from %1 to %2 does not hold"), event.parent, event.child)


TASK_EVENTS: Final = (
    EventSpec(
        ev.TaskCompleted,
        EventSort.ENDS,
        lambda: translate("Events", "Task done"),
        about(lambda: translate("Events", "%1 is done"), "task_id"),
        notes.ended,
        form=StatusForm.COMPLETED,
    ),
    EventSpec(
        ev.TaskFailed,
        EventSort.ENDS,
        lambda: translate("Events", "Task failed"),
        _failed,
        notes.ended,
        form=StatusForm.FAILED,
    ),
    EventSpec(
        ev.TaskRetryScheduled,
        EventSort.ENDS,
        lambda: translate("Events", "Task failed, will be retried"),
        _retry,
        notes.ended,
        form=StatusForm.FAILED,
    ),
    EventSpec(
        ev.TaskCancelled,
        EventSort.ENDS,
        lambda: translate("Events", "Task cancelled"),
        _cancelled,
        notes.ended,
        form=StatusForm.CANCELLED,
        is_flagged=True,
    ),
    EventSpec(
        ev.TaskSkipped,
        EventSort.ENDS,
        lambda: translate("Events", "Task skipped"),
        lambda event: fill(translate("Events", "%1 was skipped: %2"), event.task_id, plain(said(event.reason))),
        notes.ended,
        form=StatusForm.SKIPPED,
        is_flagged=True,
    ),
    EventSpec(
        ev.TaskInterrupted,
        EventSort.ENDS,
        lambda: translate("Events", "Task interrupted"),
        _interrupted,
        notes.ended,
        form=StatusForm.FAILED,
    ),
    EventSpec(
        ev.TaskStuck,
        EventSort.ENDS,
        lambda: translate("Events", "Task does not stop"),
        about(lambda: translate("Events", "%1 was told to stop on %2 and has not"), "task_id", "device_id"),
        notes.task,
        form=StatusForm.FAILED,
    ),
    EventSpec(
        ev.TaskWarned,
        EventSort.ENDS,
        lambda: translate("Events", "Task warns"),
        about(lambda: translate("Events", "%1 warns: %2"), "task_id", "message"),
        notes.task,
        form=StatusForm.RUNNING,
    ),
    EventSpec(
        ev.AttemptWorkEnded,
        EventSort.ENDS,
        lambda: translate("Events", "Work ended"),
        about(
            lambda: translate("Events", "The work of %1 has ended, attempt %2; what it has left is being brought here"),
            "task_id",
            "attempt",
        ),
        notes.ended,
        form=StatusForm.RUNNING,
    ),
    EventSpec(
        ev.AttemptTimed,
        EventSort.ENDS,
        lambda: translate("Events", "Duration of an attempt found out"),
        _timed,
        notes.ended,
    ),
    EventSpec(
        ev.AttemptEndedLate,
        EventSort.ENDS,
        lambda: translate("Events", "Lost attempt ended"),
        _ended_late,
        notes.task,
        form=StatusForm.CANCELLED,
    ),
    EventSpec(
        ev.TaskOverdue,
        EventSort.ENDS,
        lambda: translate("Events", "Task overdue"),
        _overdue,
        notes.task,
        form=StatusForm.RUNNING,
    ),
    EventSpec(
        ev.AttemptReattached,
        EventSort.TASKS,
        lambda: translate("Events", "Attempt taken over"),
        about(lambda: translate("Events", "%1 was taken over, attempt %2"), "task_id", "attempt"),
        notes.task,
        form=StatusForm.RUNNING,
    ),
    EventSpec(
        ev.AttemptBegan,
        EventSort.TASKS,
        lambda: translate("Events", "Work begins"),
        about(lambda: translate("Events", "The work of %1 had to wait; it counts as started when it began"), "task_id"),
        notes.task,
        form=StatusForm.RUNNING,
    ),
    EventSpec(
        ev.TaskReady,
        EventSort.TASKS,
        lambda: translate("Events", "Task ready"),
        about(lambda: translate("Events", "%1 is ready"), "task_id"),
        notes.task,
        form=StatusForm.PENDING,
    ),
    EventSpec(
        ev.TaskStarted,
        EventSort.TASKS,
        lambda: translate("Events", "Task started"),
        about(lambda: translate("Events", "%1 started on %2, attempt %3"), "task_id", "device_id", "attempt"),
        notes.started,
        form=StatusForm.RUNNING,
    ),
    EventSpec(
        ev.TaskStopping,
        EventSort.TASKS,
        lambda: translate("Events", "Task to be stopped"),
        about(lambda: translate("Events", "%1 is to stop"), "task_id"),
        notes.task,
        is_flagged=True,
    ),
    EventSpec(
        ev.ConditionEvaluated,
        EventSort.TASKS,
        lambda: translate("Events", "Condition evaluated"),
        _condition,
        notes.answered,
    ),
)
