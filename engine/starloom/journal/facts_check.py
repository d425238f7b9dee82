"""Validation of a checkpoint's facts, as anybody can forge its checksum."""

from __future__ import annotations

from itertools import chain
from math import isfinite
from typing import TYPE_CHECKING

from starloom.scheduling.fold.number_rules import LAST_WALL
from starloom.scheduling.state.codes import PENDING, REMOVED, RUNNING, WAITING

if TYPE_CHECKING:
    from starloom.scheduling.state.run_facts import RunFacts


def check_numbers(run: RunFacts) -> None:
    """Refuse impossible times, unknown statuses, and counts that do not match the tasks.

    Raises:
        ValueError: something of that kind is there.
    """
    late = [end.ended for ends in run.late_ends.values() for end in ends if end.ended is not None]
    heard, ordered = (
        chain.from_iterable(times.values() for times in known.values()) for known in (run.heard_at, run.ordered_at)
    )
    times = (
        *(run.ready_at, run.started_at, run.ended_at, run.backoff.values(), chain.from_iterable(run.sessions)),
        run.first_ready.values(),
        *(
            late,
            heard,
            ordered,
            (run.idle_s,),
            chain.from_iterable(run.idle),
            run.awaiting.values(),
            run.awaited.values(),
        ),
        run.overhead.values(),
        (asked.at for asked in run.questions.values()),
    )
    if not all(isfinite(sum(column)) for column in times) or not 0 <= run.wall_time <= LAST_WALL:
        raise ValueError("one of its times is none that a clock shows")
    status = run.status
    if status and max(status) > REMOVED:
        raise ValueError("a task has a status that there is not")
    if any(not 0 <= number < len(status) or status[number] != RUNNING for number in run.fetching):
        raise ValueError("a task that does not run is said to have ended its work")
    _check_questions(run)
    still_open = sum(map(status.count, (WAITING, PENDING, RUNNING)))
    if run.open != still_open or run.running != status.count(RUNNING) or (run.state.has_ended and still_open):
        raise ValueError("its counts are not those of its tasks")


def _check_questions(run: RunFacts) -> None:
    """Refuse questions of tasks that do not run, and tasks that wait for no answer and are said to.

    Raises:
        ValueError: there are some.
    """
    status = run.status
    asking = {asked.task for asked in run.questions.values()}
    if asking != run.awaiting.keys() or any(not 0 <= task < len(status) or status[task] != RUNNING for task in asking):
        raise ValueError("a task that does not run is said to wait for an answer")
    if {*run.questions, *run.answered_by} != {*range(1, 1 + len(run.questions) + len(run.answered_by))}:
        raise ValueError("its questions have other numbers than they were given")
