"""A scheduler made from committed events: what resume, and going on after a failed commit, start from."""

from __future__ import annotations

from typing import TYPE_CHECKING

from starloom.scheduling.apply import apply
from starloom.scheduling.codes import PENDING, RUNNING
from starloom.scheduling.dispatch import RETRY, TIMEOUT
from starloom.scheduling.lifecycle import enter
from starloom.scheduling.queueing import requeue_run
from starloom.scheduling.run_facts import RunFacts
from starloom.scheduling.run_index import RunIndex
from starloom.scheduling.scheduler import Scheduler

if TYPE_CHECKING:
    from collections.abc import Iterable

    from starloom import events as ev


def restore(events: Iterable[ev.Event]) -> Scheduler:
    """The scheduler as it was after these events: facts folded, indexes rebuilt from them.

    Args:
        events: all committed events of the fleet's and the runs' streams, oldest first.
    """
    scheduler = Scheduler()
    for event in events:
        scheduler.now = max(scheduler.now, event.at)
        if not event.run_id:
            scheduler.fleet.seq = event.seq
            scheduler.fleet.apply(event)
            continue
        index = scheduler.runs.get(event.run_id)
        if index is None:
            index = RunIndex(RunFacts(event.run_id, scheduler.fleet), len(scheduler.by_number))
            scheduler.runs[event.run_id] = index
            scheduler.by_number.append(index)
        apply(index.run, event)  # what it repeats of the fleet's stream the fleet has heard already
    _rebuild(scheduler)
    return scheduler


def _rebuild(scheduler: Scheduler) -> None:
    scheduler.placer.limits_changed()
    scheduler.placer.fleet_changed()
    for index in scheduler.by_number:
        index.grow()
        index.rebuild_priorities()
        if not index.run.state.has_ended:
            enter(scheduler, index)
            requeue_run(scheduler, index)
            _set_timers(scheduler, index)
    scheduler.load_changed = False


def _set_timers(scheduler: Scheduler, index: RunIndex) -> None:
    run = index.run
    for number in run.with_status(RUNNING):
        task = run.graph.tasks[number]
        if task is not None and task.timeout is not None:
            due = run.started_at[number] + task.timeout
            scheduler.set_timer(due, TIMEOUT, run.run_id, number, run.tries[number])
    for number in run.with_status(PENDING):
        if number in run.backoff:
            scheduler.set_timer(run.backoff[number], RETRY, run.run_id, number, run.tries[number])
