"""The events of steering: of tasks, gates, breakpoints and single steps; one entry a kind."""

from __future__ import annotations

from typing import Any, Final

from starloom import events as ev
from starloom.model.status import TaskStatus
from starloom_gui.specs import notes
from starloom_gui.specs.event_spec import EventSort, EventSpec, about
from starloom_gui.text.words import fill, plain, status_word, tasks, translate
from starloom_gui.theme.status_form import StatusForm


def _marked(event: ev.TaskMarked) -> str:
    if event.bypassed and event.status is TaskStatus.COMPLETED:
        return fill(translate("Events", "%1 was bypassed"), event.task_id)
    return fill(translate("Events", "%1 was marked %2"), event.task_id, status_word(event.status).lower())


def _reset(event: ev.TaskReset) -> str:
    if event.cause == "revived":
        return fill(translate("Events", "%1 waits again, as what it was skipped for runs again"), event.task_id)
    if event.cause == "replaced":
        return fill(translate("Events", "%1 is to run again as edited"), event.task_id)
    return fill(translate("Events", "%1 is to run again"), event.task_id)


def _who(event: Any) -> str:
    """The name of a task, or the number of several."""
    return event.task_ids[0] if len(event.task_ids) == 1 else tasks(len(event.task_ids))


def _several(one: str, many: str, event: Any) -> str:
    return fill(one if len(event.task_ids) == 1 else many, _who(event))


def _prioritised(event: ev.TasksPrioritised) -> str:
    return fill(translate("Events", "Priority %2 for %1"), _who(event), event.priority)


def _pinned(event: ev.TasksPinned) -> str:
    if event.device_id is None:
        return fill(translate("Events", "No pin for %1"), _who(event))
    return fill(translate("Events", "%1 pinned to %2"), _who(event), event.device_id)


def _answered(event: ev.GateAnswered) -> str:
    texts = {
        "rejected": translate("Events", "%1 was rejected"),
        "proceeded": translate("Events", "%1 went on, as nobody answered in time"),
        "skipped": translate("Events", "%1 is skipped, as nobody answered in time"),
        "aborted": translate("Events", "%1 ends the run, as nobody answered in time"),
    }
    text = fill(texts.get(event.how, translate("Events", "%1 was approved")), event.task_id)
    return fill("%1 (%2)", text, plain(event.note)) if event.note and event.origin != "engine" else text


def _told(event: ev.QuestionAnswered) -> str:
    texts = translate("Events", "%1 was answered"), translate("Events", "%1 was told no")
    text = fill(texts[not event.allowed], event.task_id)
    return fill("%1 (%2)", text, plain(event.note)) if event.note else text


def _set(event: ev.BreakpointsSet) -> str:
    if event.is_set:
        return _several(translate("Events", "%1 has a breakpoint"), translate("Events", "Breakpoints on %1"), event)
    one = translate("Events", "%1 has no breakpoint any more")
    return _several(one, translate("Events", "No breakpoints on %1 any more"), event)


def _until(event: ev.RunUntilSet) -> str:
    if not event.task_ids:
        return translate("Events", "Everything is to run again")
    one = translate("Events", "Only %1 and what it needs is to run")
    return _several(one, one, event)


STEERING_EVENTS: Final = (
    EventSpec(
        ev.TaskMarked,
        EventSort.STEERING,
        lambda: translate("Events", "Task marked"),
        _marked,
        notes.ended,
        is_flagged=True,
    ),
    EventSpec(
        ev.TaskReset,
        EventSort.STEERING,
        lambda: translate("Events", "Task to run again"),
        _reset,
        notes.ended,
        form=StatusForm.WAITING,
        is_flagged=True,
    ),
    EventSpec(
        ev.GateOpened,
        EventSort.STEERING,
        lambda: translate("Events", "Gate waits for an answer"),
        about(lambda: translate("Events", "%1 waits for a person to answer"), "task_id"),
        notes.asked,
    ),
    EventSpec(
        ev.GateAnswered, EventSort.STEERING, lambda: translate("Events", "Gate answered"), _answered, notes.asked
    ),
    EventSpec(
        ev.QuestionAsked,
        EventSort.STEERING,
        lambda: translate("Events", "Task asks a person"),
        about(lambda: translate("Events", "%1 asks: %2"), "task_id", "text"),
        notes.asked,
    ),
    EventSpec(
        ev.QuestionAnswered,
        EventSort.STEERING,
        lambda: translate("Events", "Question answered"),
        _told,
        notes.asked,
        is_flagged=True,
    ),
    EventSpec(
        ev.QuestionWithdrawn,
        EventSort.STEERING,
        lambda: translate("Events", "Question withdrawn"),
        about(lambda: translate("Events", "%1 waits for no answer any more"), "task_id"),
        notes.asked,
    ),
    EventSpec(
        ev.BreakpointReached,
        EventSort.STEERING,
        lambda: translate("Events", "Stopped at a breakpoint"),
        about(lambda: translate("Events", "%1 has stopped at its breakpoint"), "task_id"),
        notes.asked,
    ),
    EventSpec(
        ev.BreakpointsSet,
        EventSort.STEERING,
        lambda: translate("Events", "Breakpoint set or cleared"),
        _set,
        notes.tasks,
    ),
    EventSpec(ev.RunUntilSet, EventSort.STEERING, lambda: translate("Events", "Goal set"), _until, notes.run),
    EventSpec(
        ev.RunStepped,
        EventSort.STEERING,
        lambda: translate("Events", "Step"),
        about(lambda: translate("Events", "One step: %1"), "task_id"),
        notes.nothing,
    ),
    EventSpec(
        ev.TasksHeld,
        EventSort.STEERING,
        lambda: translate("Events", "Held"),
        lambda event: _several(translate("Events", "%1 is held"), translate("Events", "%1 held"), event),
        notes.tasks,
        is_flagged=True,
        has_reason_apart=True,
    ),
    EventSpec(
        ev.TasksReleased,
        EventSort.STEERING,
        lambda: translate("Events", "Released"),
        lambda event: _several(translate("Events", "%1 is released"), translate("Events", "%1 released"), event),
        notes.tasks,
        is_flagged=True,
        has_reason_apart=True,
    ),
    EventSpec(
        ev.TasksPrioritised,
        EventSort.STEERING,
        lambda: translate("Events", "Priority set"),
        _prioritised,
        notes.tasks,
        is_flagged=True,
        has_reason_apart=True,
    ),
    EventSpec(
        ev.TasksPinned,
        EventSort.STEERING,
        lambda: translate("Events", "Pinned"),
        _pinned,
        notes.tasks,
        is_flagged=True,
        has_reason_apart=True,
    ),
)
