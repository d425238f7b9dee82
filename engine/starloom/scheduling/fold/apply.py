"""The fold: the only code that changes the facts of a run, used for live running, resuming and replay.

A handler returns the tasks whose standing may have changed, so that the scheduler need not look for them; a fold
ignores that. Nothing is decided here: a handler does what its event says.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from starloom import events as ev
from starloom.scheduling.fold.cycles import CYCLE_HANDLERS
from starloom.scheduling.fold.fleet import FLEET_EVENTS, apply_fleet
from starloom.scheduling.fold.questions import QUESTION_HANDLERS
from starloom.scheduling.fold.runs import RUN_HANDLERS
from starloom.scheduling.fold.stops import STOP_HANDLERS
from starloom.scheduling.fold.tasks import (
    NOTHING,
    TASK_HANDLERS,
    Handler,
    Touched,
    apply_completed,
    apply_ready,
    apply_started,
)

if TYPE_CHECKING:
    from collections.abc import Iterable

    from starloom.scheduling.state.folded_run import FoldedRun
    from starloom.scheduling.state.run_facts import RunFacts

_HANDLERS: Final[dict[type[ev.Event], Handler]] = {
    **TASK_HANDLERS,
    **RUN_HANDLERS,
    **CYCLE_HANDLERS,
    **STOP_HANDLERS,
    **QUESTION_HANDLERS,
}


def apply(run: RunFacts, event: ev.Event) -> Touched:
    """Change the facts by one event; returns the tasks whose standing may have changed.

    A fleet event only counts in the run's numbering here: the fleet it changes is applied once, by `fold` or by the
    scheduler.
    """
    handler = _HANDLERS.get(type(event))
    if handler is None:
        run.seq = event.seq
        return NOTHING
    return handler(run, event)


def fold(folded: FoldedRun, events: Iterable[ev.Event]) -> FoldedRun:
    """Apply a run's stream, or a part of it, to a `FoldedRun`."""
    run, fleet = folded.run, folded.fleet
    place, devices = run.graph.place, run.fleet.devices
    ready, started, completed = ev.TaskReady, ev.TaskStarted, ev.TaskCompleted
    event: Any
    for event in events:
        kind = type(event)
        if kind is ready:  # a long journal is little else than these three
            apply_ready(run, event, place[event.task_id])
        elif kind is started:
            apply_started(run, event, place[event.task_id], devices[event.device_id])
        elif kind is completed:
            apply_completed(run, event, place[event.task_id])
        else:
            if kind in FLEET_EVENTS:
                apply_fleet(fleet, event)
            apply(run, event)
            place, devices = run.graph.place, run.fleet.devices  # it may have put others in their stead
    return folded
