"""Every kind of event in words, with its sort and its glyph: the rows of the event log and the status bar."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from starloom import events as ev
from starloom.constellation.validation import task_ids
from starloom.model.status import Severity
from starloom.scheduling.read.naming import named
from starloom.scheduling.read.run_view import RunView
from starloom.scheduling.state.run_facts import RunFacts
from starloom_gui.specs.edit_words import really_changed
from starloom_gui.specs.event_list import EVENTS
from starloom_gui.specs.event_spec import EventSort
from starloom_gui.specs.run_events import run_ended
from starloom_gui.text.limit_words import limits_text
from starloom_gui.text.words import translate
from starloom_gui.theme.status_form import StatusForm

if TYPE_CHECKING:
    from starloom.scheduling.read.naming import NamedRun

Kind = type[ev.Event]
LOUD: Final = frozenset({StatusForm.FAILED})
"""What failed is said in its colour; everything else is quiet."""


def sort_word(sort: EventSort) -> str:
    """The name of a sort of events."""
    return {
        EventSort.ENDS: translate("Events", "Ends"),
        EventSort.TASKS: translate("Events", "Tasks"),
        EventSort.STEERING: translate("Events", "Steering"),
        EventSort.EDITS: translate("Events", "Edits"),
        EventSort.RUN: translate("Events", "Run"),
        EventSort.FLEET: translate("Events", "Fleet"),
    }[sort]


def kind_word(kind: Kind) -> str:
    """The name of a kind of event, one of `kinds_of`."""
    name = EVENTS[kind].name
    return name() if name is not None else kind.__name__


def kinds_of(sort: EventSort) -> tuple[Kind, ...]:
    """The kinds of a sort, as the filter lists them."""
    return tuple(spec.kind for spec in EVENTS.values() if spec.sort is sort and spec.name is not None)


def form_of_event(event: ev.Event) -> StatusForm | None:
    """The form whose glyph stands before an event; None: it has none."""
    if isinstance(event, ev.TaskFailed) and event.severity is Severity.WARNING:
        return StatusForm.WARNED
    return EVENTS[type(event)].form


def event_text(event: ev.Event, run: NamedRun | None = None, before: ev.LimitsChanged | None = None) -> str:
    """An event as one sentence without its full stop.

    Args:
        event: any.
        run: the facts of its run, or what else knows what its tasks are called.
        before: of a change of limits, the limits that it changed; see `LimitsHistory.before`.
    """
    if isinstance(event, ev.LimitsChanged):
        return limits_text(event, before)
    if isinstance(event, ev.RunEnded):
        known = RunView(run) if isinstance(run, RunFacts) else run
        return run_ended(event, known if isinstance(known, RunView) else None)
    if isinstance(event, ev.ConstellationModified):
        event = really_changed(event)
    return EVENTS[type(event)].text(named(event, run)).removesuffix(".")


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
