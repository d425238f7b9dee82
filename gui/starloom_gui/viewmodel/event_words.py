"""Every kind of event as a sentence, with its sort: the rows of the event log and the status bar."""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING, Any, Final

from starloom import events as ev
from starloom.constellation.validation import task_ids
from starloom.model.status import Severity
from starloom.scheduling.codes import CANCELLED, FAILED
from starloom.scheduling.naming import named
from starloom.scheduling.run_facts import RunFacts
from starloom_gui.text.words import Counted, end_words, fill, lowered, plain, remaining, status_word, tasks, translate
from starloom_gui.viewmodel.cycle_words import CYCLE_TEXTS
from starloom_gui.viewmodel.edit_words import edited, really_changed
from starloom_gui.viewmodel.late_words import LATE_TEXTS
from starloom_gui.viewmodel.limit_words import limits_text
from starloom_gui.viewmodel.stop_words import STOP_TEXTS

if TYPE_CHECKING:
    from collections.abc import Callable

    from starloom.model.result import Result
    from starloom.scheduling.naming import Named


class Sort(StrEnum):
    """What the event log can be filtered by."""

    ENDS = "ends"
    TASKS = "tasks"
    STEERING = "steering"
    EDITS = "edits"
    RUN = "run"
    FLEET = "fleet"


def sort_word(sort: Sort) -> str:
    """The name of a sort of events."""
    return {
        Sort.ENDS: translate("Events", "Ends"),
        Sort.TASKS: translate("Events", "Tasks"),
        Sort.STEERING: translate("Events", "Steering"),
        Sort.EDITS: translate("Events", "Edits"),
        Sort.RUN: translate("Events", "Run"),
        Sort.FLEET: translate("Events", "Fleet"),
    }[sort]


def event_text(event: ev.Event, run: Named | None = None, before: ev.LimitsChanged | None = None) -> str:
    """What happened, as one sentence without its full stop.

    Args:
        event: any.
        run: the facts of its run, or what else knows what its tasks are called.
        before: of a change of limits, the limits that it changed; see `LimitsHistory.before`.
    """
    if isinstance(event, ev.LimitsChanged):
        return limits_text(event, before)
    if isinstance(event, ev.RunEnded):
        return _run_ended(event, run if isinstance(run, RunFacts) else None)
    if isinstance(event, ev.ConstellationModified):
        event = really_changed(event)
    event = named(event, run)
    tell = _TEXTS.get(type(event))
    return tell[1](event).removesuffix(".") if tell is not None else type(event).__name__


def event_sort(kind: type[ev.Event]) -> Sort:
    """Which sort of event it is."""
    known = _TEXTS.get(kind)
    return known[0] if known is not None else Sort.RUN


def tasks_in(event: Any) -> tuple[str, ...]:
    """The ids of the tasks an event is about."""
    task_id = getattr(event, "task_id", None)
    if task_id is not None:
        return (task_id,)
    if isinstance(event, ev.ConditionEvaluated):
        return (event.child,)
    if isinstance(event, ev.ConstellationModified):
        return tuple(dict.fromkeys(id for change in event.changes for id in task_ids(change)))
    return tuple(getattr(event, "task_ids", ()))


# ---- one sentence each


def _about(text: Callable[[], str], *names: str) -> Callable[[Any], str]:
    """A sentence with the values of these fields in it."""
    return lambda event: fill(text(), *(plain(getattr(event, name)) for name in names))


def _error(result: Result) -> str:
    if result.error is None:
        return translate("Events", "no reason was given")
    return plain(result.error.message.rstrip("."))


def _created(event: ev.RunCreated) -> str:
    if not event.name:
        return translate("Events", "The run was created")
    return fill(translate("Events", "The run was created from %1"), plain(event.name))


def _failed(event: ev.TaskFailed) -> str:
    text = _FAILED[event.severity or Severity.ERROR]()
    return fill(text, event.task_id, event.attempt, _error(event.result))


_FAILED: Final[dict[Severity, Callable[[], str]]] = {
    Severity.WARNING: lambda: translate("Events", "%1 failed, which is a warning, attempt %2: %3"),
    Severity.ERROR: lambda: translate("Events", "%1 failed, attempt %2: %3"),
    Severity.CRITICAL: lambda: translate("Events", "%1 failed, which is critical, attempt %2: %3"),
}


def _overdue(event: ev.TaskOverdue) -> str:
    text = translate("Events", "%1 is overdue on %2, attempt %3: it was expected to take %4")
    return fill(text, event.task_id, event.device_id, event.attempt, remaining(event.expected))


def _retry(event: ev.TaskRetryScheduled) -> str:
    text = translate("Events", "%1 failed, attempt %2: %3; retry in %4")
    return fill(text, event.task_id, event.attempt, _error(event.result), remaining(event.retry_at - event.at))


def _started(event: ev.TaskStarted) -> str:
    text = translate("Events", "%1 started on %2, attempt %3")
    return fill(text, event.task_id, event.device_id, event.attempt)


def _cancelled(event: ev.TaskCancelled) -> str:
    if event.reason:
        return fill(translate("Events", "%1 was cancelled: %2"), event.task_id, plain(event.reason))
    return fill(translate("Events", "%1 was cancelled"), event.task_id)


def _skipped(event: ev.TaskSkipped) -> str:
    return fill(translate("Events", "%1 was skipped: %2"), event.task_id, plain(event.reason))


def _marked(event: ev.TaskMarked) -> str:
    return fill(translate("Events", "%1 was marked %2"), event.task_id, status_word(event.status).lower())


def _reset(event: ev.TaskReset) -> str:
    if event.cause == "revived":
        return fill(translate("Events", "%1 waits again, as what it was skipped for runs again"), event.task_id)
    return fill(translate("Events", "%1 is to run again"), event.task_id)


def _condition(event: ev.ConditionEvaluated) -> str:
    if event.error:
        text = translate("Events", "The condition from %1 to %2 could not be evaluated: %3")
        return fill(text, event.parent, event.child, plain(event.error))
    if event.verdict:
        return fill(translate("Events", "The condition from %1 to %2 holds"), event.parent, event.child)
    return fill(translate("Events", "The condition from %1 to %2 does not hold"), event.parent, event.child)


def _several(one: Callable[[], str], many: Callable[[], str]) -> Callable[[Any], str]:
    """A sentence about one task by its name, about more by their number."""

    def tell(event: Any) -> str:
        ids = event.task_ids
        return fill(one(), ids[0]) if len(ids) == 1 else fill(many(), tasks(len(ids)))

    return tell


def _prioritised(event: ev.TasksPrioritised) -> str:
    who = event.task_ids[0] if len(event.task_ids) == 1 else tasks(len(event.task_ids))
    return fill(translate("Events", "Priority %2 for %1"), who, event.priority)


def _pinned(event: ev.TasksPinned) -> str:
    who = event.task_ids[0] if len(event.task_ids) == 1 else tasks(len(event.task_ids))
    if event.device_id is None:
        return fill(translate("Events", "No pin for %1"), who)
    return fill(translate("Events", "%1 pinned to %2"), who, event.device_id)


def _rejected(event: ev.EditRejected) -> str:
    first = plain(event.problems[0].message) if event.problems else ""
    return fill(translate("Events", "An edit was refused: %1"), first)


def _held_open(event: ev.RunHeldOpen) -> str:
    if event.hold_open:
        return translate("Events", "The run stays open when no task is left")
    return translate("Events", "The run ends when no task is left")


def _run_limit(event: ev.RunLimitSet) -> str:
    if event.max_concurrency is None:
        return translate("Events", "The run has no limit of its own")
    return fill(translate("Events", "At most %1 of the run at once"), tasks(event.max_concurrency))


def _stalled(event: ev.RunStalled) -> str:
    return fill(translate("Events", "Nothing can start: %1"), plain("; ".join(event.reasons)))


def _run_ended(event: ev.RunEnded, run: RunFacts | None = None) -> str:
    is_last = run is not None and run.run_id == event.run_id and run.run_ended_at == event.at
    counts = (run.status.count(FAILED), run.status.count(CANCELLED)) if run is not None and is_last else (0, 0)
    return fill(translate("Events", "The run has ended: %1"), lowered(end_words(event.state, *counts)))


def _slots(event: ev.DeviceSlotsSet) -> str:
    if event.slots is None:
        return fill(translate("Events", "%1 has no limit of slots"), event.device_id)
    slots = Counted().slots(event.slots)
    return fill(translate("Events", "%1 has %2 now"), event.device_id, slots)


def _lost(event: ev.DeviceLost) -> str:
    reason = plain(event.reason.rstrip("."))
    if event.refused:
        return fill(translate("Events", "%1 is refused: %2"), event.device_id, reason)
    if (left := event.waits_until - event.at) > 0:
        text = translate("Events", "%1 is unreachable, what runs there is waited for %2: %3")
        return fill(text, event.device_id, remaining(left), reason)
    return fill(translate("Events", "%1 does not answer: %2"), event.device_id, reason)


def _faulted(event: ev.DeviceFaulted) -> str:
    reason = plain(event.reason.rstrip("."))
    return fill(translate("Events", "%1 failed itself: %2"), event.device_id, reason)


def _actions(event: ev.DeviceActionsChanged) -> str:
    changed = translate("Events", "%1 can run other tasks than before")
    text = translate("Events", "%1 cannot run %2: %3") if event.reason else changed
    return fill(text, event.device_id, plain(", ".join(event.unsupported)), plain(event.reason.rstrip(".")))


def _suspended(event: ev.BreakerOpened) -> str:
    text = translate("Events", "%1 is suspended for %2 after %3 in a row: %4")
    failures = Counted().failures(event.failures)
    reason = plain(event.reason.rstrip("."))
    return fill(text, event.device_id, remaining(event.until - event.at), failures, reason)


def _trusted(event: ev.BreakerClosed) -> str:
    if event.origin:
        return fill(translate("Events", "%1 is tried again"), event.device_id)
    return fill(translate("Events", "%1 works again"), event.device_id)


def _missed(event: ev.Snapshot) -> str:
    return fill(translate("Events", "Missed %1; everything was read anew"), Counted().events(event.missed))


_TEXTS: Final[dict[type[ev.Event], tuple[Sort, Callable[[Any], str]]]] = {
    **{kind: (Sort.STEERING, tell) for kind, tell in STOP_TEXTS.items()},
    **{kind: (Sort.EDITS, tell) for kind, tell in CYCLE_TEXTS.items()},
    **{kind: (Sort.ENDS, tell) for kind, tell in LATE_TEXTS.items()},
    ev.RunCreated: (Sort.RUN, _created),
    ev.TasksDeclared: (Sort.RUN, lambda event: fill(translate("Events", "%1 declared"), tasks(len(event.tasks)))),
    ev.RunReadied: (Sort.RUN, lambda _: translate("Events", "The run is ready")),
    ev.RunStarted: (Sort.RUN, lambda _: translate("Events", "The run was started")),
    ev.RunPaused: (Sort.RUN, lambda _: translate("Events", "The run was paused")),
    ev.RunResumed: (Sort.RUN, lambda _: translate("Events", "The run was resumed")),
    ev.RunCancelRequested: (Sort.RUN, lambda _: translate("Events", "The run is being cancelled")),
    ev.RunHeldOpen: (Sort.RUN, _held_open),
    ev.RunLimitSet: (Sort.RUN, _run_limit),
    ev.RunStalled: (Sort.RUN, _stalled),
    ev.RunEnded: (Sort.RUN, _run_ended),
    ev.RunReopened: (Sort.RUN, lambda _: translate("Events", "The run goes on")),
    ev.RunRecovered: (Sort.RUN, lambda _: translate("Events", "The run was taken up again")),
    ev.TaskReady: (Sort.TASKS, _about(lambda: translate("Events", "%1 is ready"), "task_id")),
    ev.TaskStarted: (Sort.TASKS, _started),
    ev.TaskStopping: (Sort.TASKS, _about(lambda: translate("Events", "%1 was told to stop"), "task_id")),
    ev.TaskStuck: (
        Sort.ENDS,
        _about(lambda: translate("Events", "%1 was told to stop on %2 and has not"), "task_id", "device_id"),
    ),
    ev.TaskOverdue: (Sort.ENDS, _overdue),
    ev.TaskWarned: (Sort.ENDS, _about(lambda: translate("Events", "%1 warns: %2"), "task_id", "message")),
    ev.AttemptBegan: (
        Sort.TASKS,
        _about(lambda: translate("Events", "The work of %1 begins after a wait; it counts as started now"), "task_id"),
    ),
    ev.AttemptReattached: (
        Sort.TASKS,
        _about(lambda: translate("Events", "%1 goes on, attempt %2"), "task_id", "attempt"),
    ),
    ev.TaskCompleted: (Sort.ENDS, _about(lambda: translate("Events", "%1 is done"), "task_id")),
    ev.TaskRetryScheduled: (Sort.ENDS, _retry),
    ev.TaskFailed: (Sort.ENDS, _failed),
    ev.TaskCancelled: (Sort.ENDS, _cancelled),
    ev.TaskSkipped: (Sort.ENDS, _skipped),
    ev.TaskMarked: (Sort.STEERING, _marked),
    ev.TaskReset: (Sort.STEERING, _reset),
    ev.ConditionEvaluated: (Sort.TASKS, _condition),
    ev.TasksHeld: (
        Sort.STEERING,
        _several(lambda: translate("Events", "%1 is held"), lambda: translate("Events", "%1 held")),
    ),
    ev.TasksReleased: (
        Sort.STEERING,
        _several(lambda: translate("Events", "%1 is released"), lambda: translate("Events", "%1 released")),
    ),
    ev.TasksPrioritised: (Sort.STEERING, _prioritised),
    ev.TasksPinned: (Sort.STEERING, _pinned),
    ev.ConstellationModified: (Sort.EDITS, edited),
    ev.EditRejected: (Sort.EDITS, _rejected),
    ev.FleetOpened: (Sort.FLEET, lambda _: translate("Events", "The fleet was opened")),
    ev.FleetSnapshot: (Sort.FLEET, lambda _: translate("Events", "The fleet as it is")),
    ev.FleetLoad: (Sort.FLEET, lambda _: translate("Events", "Other runs took or freed slots")),
    ev.DeviceAdded: (Sort.FLEET, _about(lambda: translate("Events", "%1 joined the fleet"), "device_id")),
    ev.DeviceRemoved: (Sort.FLEET, _about(lambda: translate("Events", "%1 left the fleet"), "device_id")),
    ev.DeviceConnecting: (
        Sort.FLEET,
        _about(lambda: translate("Events", "%1 is being reached, attempt %2"), "device_id", "attempt"),
    ),
    ev.DeviceConnected: (Sort.FLEET, _about(lambda: translate("Events", "%1 is connected"), "device_id")),
    ev.DeviceLost: (Sort.FLEET, _lost),
    ev.DeviceFaulted: (Sort.FLEET, _faulted),
    ev.DeviceActionsChanged: (Sort.FLEET, _actions),
    ev.BreakerOpened: (Sort.FLEET, _suspended),
    ev.BreakerHalfOpened: (
        Sort.FLEET,
        _about(lambda: translate("Events", "%1 is on trial: one task at a time until one works"), "device_id"),
    ),
    ev.BreakerClosed: (Sort.FLEET, _trusted),
    ev.DeviceDrained: (Sort.FLEET, _about(lambda: translate("Events", "%1 takes no new tasks"), "device_id")),
    ev.DeviceResumed: (Sort.FLEET, _about(lambda: translate("Events", "%1 takes tasks again"), "device_id")),
    ev.DeviceDisabled: (Sort.FLEET, _about(lambda: translate("Events", "%1 was disabled"), "device_id")),
    ev.DeviceEnabled: (Sort.FLEET, _about(lambda: translate("Events", "%1 was enabled"), "device_id")),
    ev.DeviceSlotsSet: (Sort.FLEET, _slots),
    ev.LimitsChanged: (Sort.FLEET, lambda event: limits_text(event, None)),
    ev.AgentAttached: (Sort.EDITS, _about(lambda: translate("Events", "Agent %1 was attached"), "agent")),
    ev.AgentPaused: (Sort.EDITS, _about(lambda: translate("Events", "Agent %1 was paused"), "agent")),
    ev.AgentResumed: (Sort.EDITS, _about(lambda: translate("Events", "Agent %1 was resumed"), "agent")),
    ev.AgentDetached: (Sort.EDITS, _about(lambda: translate("Events", "Agent %1 was detached"), "agent")),
    ev.ProposalStaged: (
        Sort.EDITS,
        _about(lambda: translate("Events", "What %1 proposed waits for approval %2"), "agent", "approval"),
    ),
    ev.Snapshot: (Sort.RUN, _missed),
}
