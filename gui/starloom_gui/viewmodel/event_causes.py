"""The causes of events: the last column of the event log."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from starloom import events as ev
from starloom.scheduling.read.naming import named, title_of
from starloom.scheduling.read.run_view import RunView
from starloom.scheduling.state.late_facts import heard_at
from starloom_gui.specs.event_list import EVENTS
from starloom_gui.text.engine_words import by_words, said
from starloom_gui.text.words import fill, plain, translate

if TYPE_CHECKING:
    from starloom.scheduling.state.run_facts import RunFacts


def event_cause(event: Any, run: RunFacts | None = None) -> str:
    """The cause or the author of an event in a few words; empty: the event itself says it.

    Args:
        event: any.
        run: the facts of its run, for causes that the event does not carry.
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
    return _ready_cause(told, run) if isinstance(told, ev.TaskReady) and run is not None else ""


def _ready_cause(event: ev.TaskReady, run: RunFacts) -> str:
    """The end that made it ready, of an attempt of its own or of a parent; a task without either needs no cause."""
    number = run.graph.place.get(event.task_id)
    if number is None:
        return ""
    parents = run.graph.parents[number]
    ran = [task for task in RunView(run).tasks(parents) if task.has_last_attempt]
    heard = {task.number: heard_at(run, task.number, task.attempt, task.ended_at) for task in ran}
    ended = [parent for parent, at in heard.items() if at <= event.at]
    earlier = [one for one in run.attempts(number) if one.ready < event.at and one.ended is not None]
    ends = [(heard_at(run, number, one.number, one.ended or 0.0), one.number) for one in earlier]
    tried = [end for end in ends if end[0] <= event.at]
    if tried and tried[-1][0] >= max((heard[parent] for parent in ended), default=0.0):
        return fill(translate("Events", "retry after attempt %1"), tried[-1][1])
    if not ended:
        return ""
    last = max(ended, key=heard.__getitem__)
    return fill(translate("Events", "%1 has ended"), title_of(run, run.graph.ids[last]))


def _stop_cause(event: ev.TaskStopping) -> str:
    if event.cause == "timeout":
        return translate("Events", "its time was up")
    if event.cause == "shutdown":
        return translate("Events", "the engine shuts down")
    return by_words(event.origin)
