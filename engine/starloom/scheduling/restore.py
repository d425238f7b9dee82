"""Restoring a scheduler from committed events, for resuming, after a failed commit, and for time travel."""

from __future__ import annotations

from typing import TYPE_CHECKING

from starloom.events.command import CommandAnswered
from starloom.scheduling.decide.device_reports import set_alarm
from starloom.scheduling.decide.due_timers import set_timers
from starloom.scheduling.decide.expiry import set_timers as set_reservation_timers
from starloom.scheduling.decide.lifecycle import enter
from starloom.scheduling.fold.apply import apply
from starloom.scheduling.fold.fleet import FLEET_EVENTS, apply_fleet
from starloom.scheduling.scheduler import Scheduler
from starloom.scheduling.state import fence
from starloom.scheduling.state.codes import RUNNING
from starloom.scheduling.state.folded_run import FoldedRun
from starloom.scheduling.state.hints import NO_HINTS, SchedulerHints
from starloom.scheduling.state.placer import Placer
from starloom.scheduling.state.queueing import requeue_run
from starloom.scheduling.state.run_facts import RunFacts, groups_of

if TYPE_CHECKING:
    from collections.abc import Iterable

    from starloom import events as ev
    from starloom.scheduling.state.fleet_facts import FleetFacts


def restore(events: Iterable[ev.Event]) -> Scheduler:
    """The scheduler after these events: facts folded, indexes rebuilt from them.

    Each run is folded from its own stream alone, so only the order within a stream matters.

    Args:
        events: all committed events of the fleet's and the runs' streams, each stream oldest first.
    """
    scheduler = Scheduler()
    fleet = scheduler.fleet
    folded_runs: dict[str, FoldedRun] = {}
    last: dict[str, float] = {}
    for event in events:
        run_id = event.run_id
        last[run_id] = event.at
        if not run_id:
            fleet.seq = event.seq
            apply_fleet(fleet, event)
            if isinstance(event, CommandAnswered):
                scheduler.answers.keep(event)
            continue
        folded = folded_runs.get(run_id)
        if folded is None:
            folded = folded_runs[run_id] = FoldedRun(run_id)
        if type(event) in FLEET_EVENTS:
            apply_fleet(folded.fleet, event)
        apply(folded.run, event)
    scheduler.now = max(last.values(), default=0.0)
    for folded in folded_runs.values():
        occupy(fleet, folded.run)
        scheduler.add_run(folded.run)
    rebuild(scheduler)
    return scheduler


def beside(folded: FoldedRun, now: float) -> Scheduler:
    """A scheduler of one run and its fleet alone, for queries about queue and reasons; see `questions`.

    Args:
        folded: as it was; its facts are not changed.
        now: seconds on the run's clock.
    """
    scheduler = Scheduler()
    scheduler.fleet, scheduler.placer, scheduler.now = folded.fleet, Placer(folded.fleet), now
    scheduler.add_run(folded.run)
    rebuild(scheduler)
    return scheduler


def occupy(fleet: FleetFacts, run: RunFacts) -> None:
    """Add the slots and places of a run, folded on its own fleet, to this one."""
    run.fleet = fleet
    fleet.running += run.running
    for number in run.with_status(RUNNING):
        if number not in run.fetching:
            fleet.devices[run.device_of[number]].take(run.slot_of[number])  # type: ignore[index]  # a busy device is there
        for group in groups_of(run, number):
            fleet.group_used[group] = fleet.group_used.get(group, 0) + 1


def rebuild(scheduler: Scheduler, hints: SchedulerHints = NO_HINTS) -> None:
    """Rebuild all indexes from the facts.

    Args:
        scheduler: with its facts, and nothing else.
        hints: what the facts lack, as far as it is known.
    """
    scheduler.placer.limits_changed()
    scheduler.placer.fleet_changed()
    for device in scheduler.fleet.devices.values():
        set_alarm(scheduler, device)
    set_reservation_timers(scheduler)
    for index in scheduler.by_number.values():
        index.grow()
        index.rebuild_priorities()
        if not index.run.state.has_ended:
            enter(scheduler, index)
            fence.refresh(scheduler, index)
            known = hints.runs.get(index.run.run_id)
            if known is not None:
                known.load_ranks(index)
            requeue_run(scheduler, index)
            set_timers(scheduler, index)
            if known is not None:
                known.load_rest(index)
    scheduler.load_changed = False
    hints.load(scheduler)
