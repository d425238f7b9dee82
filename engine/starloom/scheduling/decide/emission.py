"""Emitting events: each joins the turn and is folded at once, before the next decision."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from starloom.events.command import CommandAnswered
from starloom.scheduling.fold.apply import apply
from starloom.scheduling.fold.fleet import apply_fleet

if TYPE_CHECKING:
    from collections.abc import Callable

    from starloom import events as ev
    from starloom.scheduling.fold.tasks import Touched
    from starloom.scheduling.state.run_index import RunIndex
    from starloom.scheduling.state.scheduler_state import SchedulerState


def emit(
    scheduler: SchedulerState, index: RunIndex, kind: Callable[..., ev.Event], /, *args: Any, **fields: Any
) -> Touched:
    """Emit an event of a run and fold it; returns the tasks whose standing may have changed.

    Args:
        scheduler: of the run.
        index: the run.
        kind: the class of the event.
        args: its fields after number, time and run.
        fields: the same by name.
    """
    run = index.run
    event = kind(run.seq + 1, scheduler.now, run.run_id, *args, **fields)
    scheduler.turn.events.append(event)
    return apply(run, event)


def emit_answer(scheduler: SchedulerState, **fields: Any) -> None:
    """Emit a `CommandAnswered` with these fields, in the fleet's own stream alone, and keep the answer."""
    scheduler.fleet.seq += 1
    event = CommandAnswered(scheduler.fleet.seq, scheduler.now, "", **fields)
    scheduler.turn.events.append(event)
    scheduler.answers.keep(event)


def emit_fleet(scheduler: SchedulerState, kind: Callable[..., ev.Event], /, *args: Any, **fields: Any) -> None:
    """Emit an event of the fleet, fold it, and repeat it in the stream of each live run.

    Args:
        scheduler: of the fleet.
        kind: the class of the event.
        args: its fields after number, time and run.
        fields: the same by name.
    """
    fleet = scheduler.fleet
    fleet.seq += 1
    event = kind(fleet.seq, scheduler.now, "", *args, **fields)
    scheduler.turn.events.append(event)
    apply_fleet(fleet, event)
    for index in scheduler.live.values():
        emit(scheduler, index, kind, *args, **fields)
        scheduler.dirty[index.run.run_id] = index
