"""The causes of events: the last column of the event log."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from starloom import events as ev
from starloom.constellation.edits import AddDependency, RemoveDependency, RemoveTask
from starloom.model.result import ErrorCode
from starloom.scheduling.read.naming import named, title_of
from starloom.scheduling.state.late_facts import heard_at
from starloom_gui.specs.event_list import EVENTS
from starloom_gui.text.engine_words import by_words, said
from starloom_gui.text.words import fill, plain, translate

if TYPE_CHECKING:
    from collections.abc import Sequence

    from starloom.scheduling.state.run_facts import RunFacts


def event_cause(event: Any, run: RunFacts | None = None, since: Sequence[ev.ConstellationModified] = ()) -> str:
    """The cause or the author of an event in a few words; empty: the event itself says it.

    Args:
        event: any.
        run: the facts of its run, for causes that the event does not carry.
        since: the edits of the run after the event, oldest first: its cause is that of the graph as it was then.
    """
    told, event = event, named(event, run)
    because = getattr(event, "because", None)
    if because:
        return fill(translate("Events", "because of %1"), because)
    if isinstance(event, ev.TaskStopping):
        return _stop_cause(event)
    origin = getattr(event, "origin", "") or getattr(event, "agent", "")
    if origin and EVENTS[type(event)].has_reason_apart and event.reason:
        return fill(translate("Events", "%1: %2"), by_words(origin), plain(said(event.reason)))
    if origin:
        return by_words(origin)
    if isinstance(event, ev.TaskCancelled) and event.attempt:  # by whom is told by the event before
        return translate("Events", "it was told to stop")
    if isinstance(event, ev.TaskStarted) and event.promoted:
        return translate("Events", "by its age")
    if isinstance(event, ev.ConditionEvaluated):
        return fill(translate("Events", "%1 has ended"), event.parent)
    if isinstance(event, ev.TaskInterrupted):
        by_engine = translate("Events", "by the engine")
        return by_engine if event.reason else translate("Events", "the program that ran it had ended")
    if isinstance(event, ev.TaskFailed | ev.TaskRetryScheduled):
        return _failure_cause(event)
    return _ready_cause(told, run, since) if isinstance(told, ev.TaskReady) and run is not None else ""


def _failure_cause(event: ev.TaskFailed | ev.TaskRetryScheduled) -> str:
    """What ended an attempt from outside; empty: it failed by itself."""
    code = event.result.error.code if event.result.error is not None else ""
    causes: dict[str, str] = {
        ErrorCode.DEVICE_LOST: translate("Events", "its device was lost"),
        ErrorCode.TIMEOUT: translate("Events", "its timeout"),
        ErrorCode.REJECTED: translate("Events", "it was rejected"),
        ErrorCode.MARKED: translate("Events", "it was marked"),
    }
    return causes.get(code, "")


def _ready_cause(event: ev.TaskReady, run: RunFacts, since: Sequence[ev.ConstellationModified]) -> str:
    """The end that made it ready, of an attempt of its own or of a parent; a task without either needs no cause."""
    number = run.graph.place.get(event.task_id)
    if number is None:
        return ""
    parents = map(run.graph.place.get, _parents_before(event.task_id, run, since))
    heard = {parent: end[0] for parent in parents if parent is not None and (end := _last_end(run, parent, event.at))}
    tried = _last_end(run, number, event.at, of_earlier=True)
    if tried and tried[0] >= max(heard.values(), default=0.0):
        return fill(translate("Events", "retry after attempt %1"), tried[1])
    if not heard:
        return ""
    last = max(heard, key=heard.__getitem__)
    return fill(translate("Events", "%1 has ended"), title_of(run, run.graph.ids[last]))


def _parents_before(task_id: str, run: RunFacts, edits: Sequence[ev.ConstellationModified]) -> set[str]:
    """The ids of a task's parents before the last edits."""
    parents = {run.graph.ids[parent] for parent in run.graph.parents[run.graph.place[task_id]]}
    for edit in (one for event in reversed(edits) for one in event.inverse):
        if isinstance(edit, AddDependency) and edit.dependency.child == task_id:
            parents.add(edit.dependency.parent)
        elif isinstance(edit, RemoveDependency) and edit.child == task_id:
            parents.discard(edit.parent)
        elif isinstance(edit, RemoveTask):
            parents.discard(edit.task_id)
    return parents


def _last_end(run: RunFacts, number: int, at: float, *, of_earlier: bool = False) -> tuple[float, int] | None:
    """When the last attempt of a task that had ended by then was heard to have, and its number; None: there is none.

    Args:
        run: its facts.
        number: of the task.
        at: seconds on the engine's clock.
        of_earlier: only an attempt that was ready before that time.
    """
    ended = [one for one in run.attempts(number) if one.ended is not None and (one.ready < at or not of_earlier)]
    ends = [(heard_at(run, number, one.number, one.ended or 0.0), one.number) for one in ended]
    return next((end for end in reversed(ends) if end[0] <= at), None)


def _stop_cause(event: ev.TaskStopping) -> str:
    if event.cause == "timeout":
        return translate("Events", "its time was up")
    if event.cause == "shutdown":
        return translate("Events", "the engine shuts down")
    return by_words(event.origin)
