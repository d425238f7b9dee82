"""An earlier run from its journal, with times from its start; and the figures of a task that can be compared.

Nothing is counted beside the facts: what is said here is read from the fold of a journal, or from the run's own. No Qt.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from starloom.foresight.estimates import EstimateSource
from starloom.model.status import TaskStatus
from starloom.scheduling.read.run_view import RunView, TaskView
from starloom.scheduling.read.summary import elapsed, gone_on_at
from starloom_gui.diff.task_times import TaskTimes, times_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from starloom.foresight.projection import Projection, TaskForecast
    from starloom.model.task import Task
    from starloom.scheduling.state.run_facts import RunFacts


def _answered(task: TaskView) -> float | None:
    """When somebody let a gate pass, or nobody until its time was over; None: it is none, or that was not so."""
    gate = task.gate
    return gate.ended if gate is not None and gate.how in {"approved", "proceeded"} else None


def _done_spans(run: RunView, at: float) -> Iterator[tuple[float, float | None]]:
    """From when and until when tasks were done, on the clock of the run; None: they still are.

    A task that is to run again is not done from the moment at which it, or the one before it that was asked for, was
    ready again.

    Args:
        run: which was started.
        at: its last moment.
    """
    resets: dict[int, frozenset[float]] = {}
    for number in run.graph.topological_order():
        task = run.task(number)
        moments = frozenset().union(*(resets.get(parent, ()) for parent in task.parents))
        earlier: list[tuple[float, float]] = []
        for ended, ready in _run_again(task, at):
            if not any(ended <= moment <= ready for moment in moments):
                moments |= {ready}
            earlier.append((ended, min(moment for moment in moments if moment >= ended)))
        if moments:
            resets[number] = moments
        if task.status is TaskStatus.COMPLETED:
            passed = None if task.has_last_attempt else _answered(task)
            if not task.has_last_attempt and passed is None:  # it was marked
                yield (earlier.pop(0)[0] if earlier else task.ended_at), None
                continue
            yield (task.ended_at if passed is None else passed), None
        yield from earlier


def _run_again(task: TaskView, at: float) -> Iterator[tuple[float, float]]:
    """When each attempt ended that was done and left for another one, and when that was ready; `at`: it never was."""
    attempts = task.attempts
    left = attempts[:-1] if task.has_last_attempt else attempts
    for one, ready in zip(left, [*(later.ready for later in attempts[1:]), at], strict=False):
        if one.status == TaskStatus.COMPLETED and one.ended is not None:
            yield one.ended, ready


class BaselineRun:
    """A run to compare with; only read.

    Args:
        run: its facts, as the fold of its journal makes them. It was started.
        at: its last moment, in seconds on its own clock.
        title: what it is called, so that it can be told from the run it is compared with.
        output: gives the file with the whole output of an attempt, by task and number; None: there is none.

    Attributes:
        began: when it started, on its own clock.
        took: for how many seconds it went on, or is known to have gone on, without those it lay idle.
        has_ended: whether it is over.
    """

    def __init__(
        self, run: RunFacts, at: float, title: str, output: Callable[[str, int], Path | None] = lambda *_: None
    ) -> None:
        assert run.run_started_at is not None, "what never started cannot be laid beside another run"
        self.run, self.at, self.title, self.output = run, at, title, output
        self.began = run.run_started_at
        self.has_ended = run.state.has_ended and run.run_ended_at is not None
        self.took = elapsed(run, at) or 0.0
        spans = list(_done_spans(RunView(run), at))
        self._done, self._again = (
            np.sort(np.array([gone_on_at(run, moment) for moment in moments], np.float64))
            for moments in ([span[0] for span in spans], [again for _, again in spans if again is not None])
        )

    @cached_property
    def times(self) -> TaskTimes:
        """When its tasks started and for how long they ran."""
        return times_of(self.run, self.at)

    def done_by(self, seconds: float) -> int:
        """The number of tasks that were done so many seconds after its start."""
        return int(self._done.searchsorted(seconds, "right") - self._again.searchsorted(seconds, "right"))

    def numbers_in(self, run: RunFacts) -> list[int]:
        """For each of its tasks the number that the task of the same id has in another run; -1: it has none."""
        place = run.graph.place
        return [place.get(task_id, -1) for task_id in self.run.graph.ids]

    def task(self, task_id: str) -> Task | None:
        """One of its tasks as it was defined at last; None: it had none of this id."""
        number = self.run.number(task_id)
        return self.run.graph.tasks[number] if number is not None else None

    def told(self, task_id: str) -> Told | None:
        """The figures of one of its tasks; None: it had none of this id."""
        number = self.run.number(task_id)
        return told(self.run, number, self.at) if number is not None else None


@dataclass(frozen=True, slots=True)
class Told:
    """The figures of a task. Times are seconds from the start of its run; None: there is none yet.

    Attributes:
        status: where it stands; None: it was removed.
        device: where its last attempt ran, or is foreseen to; empty: nowhere yet.
        attempts: how many there were.
        start: when the first one began.
        wait: for how long it stood in the queue, all attempts together.
        ran: for how long they ran; of one that runs, with what is foreseen of it or, else, so far.
        end: when the last one ended.
        is_foreseen: whether `ran` and `end` are, and, unless it runs already, all of it.
        is_simulated: whether its last attempt went to a device that only simulates what it says to run.
    """

    status: TaskStatus | None
    device: str = ""
    attempts: int = 0
    start: float | None = None
    wait: float | None = None
    ran: float | None = None
    end: float | None = None
    is_foreseen: bool = False
    is_simulated: bool = False


def told(run: RunFacts, number: int, at: float, projection: Projection | None = None) -> Told:
    """The figures of a task, from what has happened up to a moment and from the projection.

    Args:
        run: its facts.
        number: of the task.
        at: seconds on the clock of the run's own program.
        projection: what is foreseen; None: nothing.
    """
    task = TaskView(run, number)
    status = task.status
    if run.run_started_at is None or status is None:
        return Told(status)
    forecast = projection.tasks.get(task.id) if projection is not None and not status.is_terminal else None
    attempts = task.attempts
    if not attempts:
        return _coming(task, at, forecast) if task.is_to_start else Told(status)
    last = attempts[-1]
    ran = sum((at if one.ended is None else one.ended) - one.started for one in attempts)
    end, is_foreseen = None if task.is_to_start else last.ended, False
    if task.is_running and forecast is not None and forecast.finish is not None and _is_estimated(forecast):
        end, is_foreseen = max(at, forecast.finish), True
        ran += end - at
    return Told(
        status,
        last.device_id,
        len(attempts),
        gone_on_at(run, attempts[0].started),
        sum(one.started - one.ready for one in attempts),
        ran,
        None if end is None else gone_on_at(run, end),
        is_foreseen,
        number in run.simulated,
    )


def _coming(task: TaskView, at: float, forecast: TaskForecast | None) -> Told:
    """A task that has not started yet."""
    run, status = task.run.facts, task.status
    since = task.ready_at if status is TaskStatus.PENDING else None
    if forecast is None or forecast.start is None:
        return Told(status, wait=None if since is None else max(0.0, at - since))
    start = max(at, forecast.start)
    finish = None if forecast.finish is None or not _is_estimated(forecast) else max(start, forecast.finish)
    return Told(
        status,
        forecast.device_id or "",
        0,
        gone_on_at(run, start),
        None if since is None else max(0.0, start - since),
        None if finish is None else finish - start,
        None if finish is None else gone_on_at(run, finish),
        is_foreseen=True,
    )


def _is_estimated(forecast: TaskForecast) -> bool:
    return forecast.estimate.source is not EstimateSource.NONE
