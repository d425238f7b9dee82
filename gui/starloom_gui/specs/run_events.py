"""The events of runs: one entry a kind."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from starloom import events as ev
from starloom.model.status import TaskStatus
from starloom.scheduling.read.simulated import simulations
from starloom_gui.specs import notes
from starloom_gui.specs.event_spec import EventSort, EventSpec
from starloom_gui.text.engine_words import said
from starloom_gui.text.words import Plurals, end_words, fill, lowered, plain, tasks, translate
from starloom_gui.theme.status_form import StatusForm

if TYPE_CHECKING:
    from starloom.scheduling.read.run_view import RunView


def _created(event: ev.RunCreated) -> str:
    if not event.name:
        return translate("Events", "The run was created")
    return fill(translate("Events", "The run was created from %1"), plain(event.name))


def _held_open(event: ev.RunHeldOpen) -> str:
    if event.hold_open:
        return translate("Events", "The run stays open when no task is left")
    return translate("Events", "The run ends when no task is left")


def _run_limit(event: ev.RunLimitSet) -> str:
    if event.max_concurrency is None:
        return translate("Events", "The run has no limit of its own")
    return fill(translate("Events", "At most %1 of the run at once"), tasks(event.max_concurrency))


def _stalled(event: ev.RunStalled) -> str:
    if not event.reasons:
        return translate("Events", "Tasks can start again, once there is room")
    return fill(translate("Events", "Nothing can start: %1"), plain("; ".join(map(said, event.reasons))))


def run_ended(event: ev.RunEnded, run: RunView | None = None) -> str:
    """The end of a run in words; with its facts, if this is its last end, also the number of tasks that went wrong."""
    is_last = run is not None and run.run_id == event.run_id and run.ended_at == event.at
    if run is None or not is_last:
        words = end_words(event.state, 0)
    else:
        counts, done = (run.count(TaskStatus.FAILED), run.count(TaskStatus.CANCELLED)), run.count(TaskStatus.COMPLETED)
        words = end_words(event.state, *counts, is_any_done=done > 0, simulated=simulations(run.facts))
    return fill(translate("Events", "The run has ended: %1"), lowered(words))


def _missed(event: ev.Snapshot) -> str:
    return fill(translate("Events", "Missed %1; everything was read anew"), Plurals().events(event.missed))


RUN_EVENTS: Final = (
    EventSpec(ev.RunCreated, EventSort.RUN, lambda: translate("Events", "Run created"), _created, notes.everything),
    EventSpec(
        ev.RunStarted,
        EventSort.RUN,
        lambda: translate("Events", "Run started"),
        lambda _: translate("Events", "The run was started"),
        notes.run,
    ),
    EventSpec(
        ev.RunPaused,
        EventSort.RUN,
        lambda: translate("Events", "Run paused"),
        lambda _: translate("Events", "The run was paused"),
        notes.run,
        is_flagged=True,
        has_reason_apart=True,
    ),
    EventSpec(
        ev.RunResumed,
        EventSort.RUN,
        lambda: translate("Events", "Run resumed"),
        lambda _: translate("Events", "The run was resumed"),
        notes.run,
        is_flagged=True,
        has_reason_apart=True,
    ),
    EventSpec(
        ev.RunCancelRequested,
        EventSort.RUN,
        lambda: translate("Events", "Run cancelled"),
        lambda _: translate("Events", "The run is being cancelled"),
        notes.run,
        is_flagged=True,
        has_reason_apart=True,
    ),
    EventSpec(ev.RunHeldOpen, EventSort.RUN, lambda: translate("Events", "Run kept open"), _held_open, notes.run),
    EventSpec(
        ev.RunLimitSet,
        EventSort.RUN,
        lambda: translate("Events", "Run limited"),
        _run_limit,
        notes.run,
        is_flagged=True,
    ),
    EventSpec(
        ev.RunStalled,
        EventSort.RUN,
        lambda: translate("Events", "Run stalled"),
        _stalled,
        notes.run,
        form=StatusForm.FAILED,
    ),
    EventSpec(ev.RunEnded, EventSort.RUN, lambda: translate("Events", "Run ended"), run_ended, notes.run),
    EventSpec(
        ev.RunReopened,
        EventSort.RUN,
        lambda: translate("Events", "Run goes on"),
        lambda _: translate("Events", "The run goes on"),
        notes.run,
        is_flagged=True,
    ),
    EventSpec(
        ev.RunRecovered,
        EventSort.RUN,
        lambda: translate("Events", "Run opened again"),
        lambda _: translate("Events", "The run was opened again"),
        notes.everything,
    ),
    EventSpec(
        ev.TasksDeclared,
        EventSort.RUN,
        None,
        lambda event: fill(translate("Events", "%1 declared"), tasks(len(event.tasks))),
        notes.everything,
    ),
    EventSpec(ev.Snapshot, EventSort.RUN, None, _missed, notes.everything),
    EventSpec(ev.RunReadied, EventSort.RUN, None, lambda _: translate("Events", "The run is ready"), notes.run),
    EventSpec(
        ev.FleetLoad, EventSort.RUN, None, lambda _: translate("Events", "Other runs took or freed slots"), notes.load
    ),
    EventSpec(
        ev.FleetSnapshot, EventSort.RUN, None, lambda _: translate("Events", "The fleet as it is"), notes.nothing
    ),
)
