"""Overdue attempts: one event for an attempt that runs far longer than expected.

What is expected is the task's estimate or, without one, what completed tasks of the run took that are like it. A timer
is set for an attempt of which something is expected when it starts; nothing is done for any other. Work that waits for
the way to its device has not begun: the timer is set when it does.

To look up what tasks took that are like one costs as much as to start it, and most have ended long before they could be
overdue: it is looked up once an attempt has taken `LEAST`, or before more is learnt, as what was known at its start
counts. Until then the attempt is unwatched.
"""

from __future__ import annotations

from math import inf
from typing import TYPE_CHECKING, Final

from starloom import events as ev
from starloom.model.likeness import close_keys_of
from starloom.scheduling.decide.emission import emit
from starloom.scheduling.state.awaiting import due_after, worked
from starloom.scheduling.state.codes import COMPLETED, RUNNING
from starloom.scheduling.state.late_facts import is_timed
from starloom.scheduling.state.timers import TimerPurpose

if TYPE_CHECKING:
    from starloom.scheduling.state.run_facts import RunFacts
    from starloom.scheduling.state.run_index import Learnt, RunIndex
    from starloom.scheduling.state.scheduler_state import SchedulerState

LEAST: Final = 1.0
"""Seconds; nothing is overdue before it has run for so long, however short it was expected to be."""
LONG: Final = 0.05
"""Seconds; nothing is learnt from attempts that took less."""
_LESSONS: Final = 16
"""From so many attempts of one turn something is learnt: many that end together are mostly alike."""
_FEW: Final = 3
"""So many tasks of a kind have to have completed before it tells what to expect of others."""


def factor_of(run: RunFacts) -> float:
    """By which factor an attempt may exceed the expected duration; 0: without bound."""
    return run.fleet.overdue_factor if run.overdue_factor is None else run.overdue_factor


def expected(index: RunIndex, number: int) -> float | None:
    """The expected seconds of a task on a device of speed 1; None: unknown."""
    task = index.run.graph.tasks[number]
    if task is None:
        return None
    if task.estimate is not None:
        return task.estimate
    if task.simulate is not None:
        return task.simulate.duration
    if index.learnt:
        for key in close_keys_of(task, index.run.name, index.run.run_id):
            count, seconds = index.learnt.get(key, (0, 0.0))
            if count >= (1 if key[0] == "name" else _FEW):
                return seconds / count
    return None


def _expected_here(index: RunIndex, number: int) -> float | None:
    """The seconds a task is expected to run on its device; None: unknown."""
    run = index.run
    seconds, device = expected(index, number), run.device_of[number]
    return None if seconds is None or device is None else seconds / run.fleet.devices[device].speed


def _due(index: RunIndex, number: int) -> float | None:
    """When a running attempt is overdue; None: never, as far as is known, or its work has not begun."""
    factor, seconds = factor_of(index.run), _expected_here(index, number)
    if not factor or seconds is None or index.is_unbegun(number):
        return None
    return due_after(index.run, number, max(LEAST, factor * seconds))


def watch(scheduler: SchedulerState, index: RunIndex, number: int) -> None:
    """Set a timer for when a running attempt is overdue."""
    at = _due(index, number)
    if at is not None:
        scheduler.set_timer(at, TimerPurpose.OVERDUE, index.run.run_id, number, index.run.tries[number])


def watch_started(scheduler: SchedulerState, index: RunIndex, number: int) -> None:
    """Watch an attempt that starts now, if anything is expected of it."""
    run = index.run
    task = run.graph.tasks[number]
    if task is None or task.estimate is not None or task.simulate is not None:
        watch(scheduler, index, number)
    elif index.learnt:
        index.unwatched.append((scheduler.now + LEAST, number, run.tries[number]))
        if not index.watch_at:
            _set_watch_timer(scheduler, index)


def drop_ended(index: RunIndex) -> bool:
    """Drop the oldest unwatched attempts until one has not ended; returns whether there is such a one."""
    run, unwatched = index.run, index.unwatched
    status, tries = run.status, run.tries
    while unwatched:
        _, number, attempt = unwatched[0]
        if status[number] == RUNNING and tries[number] == attempt:
            return True
        unwatched.popleft()
    return False


def is_timer_needless(index: RunIndex) -> bool:
    """Whether all unwatched attempts have ended; whoever starts another one sets another timer then."""
    if drop_ended(index):
        return False
    index.watch_at = 0.0
    return True


def watch_long(scheduler: SchedulerState, index: RunIndex) -> None:
    """Watch the unwatched attempts that have taken `LEAST` by now, if anything is expected of them."""
    index.watch_at = 0.0
    _watch_until(scheduler, index, scheduler.now)
    if index.unwatched:
        _set_watch_timer(scheduler, index)


def _watch_until(scheduler: SchedulerState, index: RunIndex, at: float) -> None:
    """Watch the unwatched attempts that are to be watched by then."""
    while drop_ended(index) and index.unwatched[0][0] <= at:
        watch(scheduler, index, index.unwatched.popleft()[1])


def _set_watch_timer(scheduler: SchedulerState, index: RunIndex) -> None:
    """Set the timer for the first unwatched attempt."""
    index.watch_at = index.unwatched[0][0]
    scheduler.set_timer(index.watch_at, TimerPurpose.WATCH, index.run.run_id, 0, 0)


def watch_all(scheduler: SchedulerState, index: RunIndex) -> None:
    """Set a timer for each running attempt that is not known to be overdue, as after a change of the factor."""
    run = index.run
    index.learnt = _learnt_from(run)
    index.unwatched.clear()
    for number in run.with_status(RUNNING):
        if number not in run.overdue:
            watch(scheduler, index, number)


def is_over(index: RunIndex, number: int) -> bool:
    """Whether the attempt of a timer can no longer become overdue, or only by a timer that is set later."""
    run = index.run
    is_told = number in run.stopping or number in run.overdue or number in run.fetching
    waits = number in run.awaiting or index.is_unbegun(number)
    return run.status[number] != RUNNING or is_told or waits or not factor_of(run)


def ring(scheduler: SchedulerState, index: RunIndex, number: int) -> None:
    """Emit that an attempt is overdue, unless its expected duration has grown since it started."""
    run = index.run
    at, seconds = _due(index, number), _expected_here(index, number)
    if at is None or seconds is None:
        return
    if at > scheduler.now:
        watch(scheduler, index, number)
        return
    device = run.device_of[number] or ""
    emit(scheduler, index, ev.TaskOverdue, run.graph.ids[number], run.tries[number], device, seconds)


# ---- learning


def learn(scheduler: SchedulerState, index: RunIndex, number: int) -> None:
    """Add the duration of a completed attempt to the estimates; only the first few of a turn are added."""
    at, count = index.lessons
    count = count + 1 if at == scheduler.now else 1
    index.lessons = scheduler.now, count
    if count >= _LESSONS:
        index.taught_at = scheduler.now
    _watch_until(scheduler, index, inf)
    _note(index.run, number, index.learnt)


def _learnt_from(run: RunFacts) -> Learnt:
    learnt: Learnt = {}
    for number in run.with_status(COMPLETED):
        if run.device_of[number] is not None and run.ended_at[number] - run.started_at[number] >= LONG:
            _note(run, number, learnt)
    return learnt


def _note(run: RunFacts, number: int, learnt: Learnt) -> None:
    task, device_id = run.graph.tasks[number], run.device_of[number]
    device = run.fleet.devices.get(device_id) if device_id is not None else None
    if task is None or device is None or task.estimate is not None or task.simulate is not None:
        return
    if not is_timed(run, number, run.tries[number]):
        return
    seconds = worked(run, number) * device.speed
    for key in close_keys_of(task, run.name, run.run_id):
        count, total = learnt.get(key, (0, 0.0))
        learnt[key] = count + 1, total + seconds
