"""When the tasks of a run started and for how long they ran, of all of them at once, as arrays.

Each figure is, to the last digit, the one that `baseline_run.told` gives of a single task without a projection.
"""

from __future__ import annotations

from itertools import repeat
from operator import is_not
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from starloom.scheduling.state.codes import REMOVED, RUNNING

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from starloom.scheduling.state.run_facts import RunFacts

    Seconds = NDArray[np.float64]
    """By the number of a task; NaN: there are none."""
    Truths = NDArray[np.bool_]


class TaskTimes(NamedTuple):
    """When tasks first started, counted from the start of their run, and for how long they ran in all attempts."""

    start: Seconds
    ran: Seconds
    is_simulated: Truths


def times_of(run: RunFacts, at: float) -> TaskTimes:
    """The times of all tasks of a run.

    Args:
        run: its facts.
        at: seconds on the clock of the run's own program, up to which running tasks count.
    """
    count = len(run.status)
    status = np.frombuffer(bytes(run.status), np.uint8)
    start, ran = np.full(count, np.nan), np.full(count, np.nan)
    is_simulated = np.zeros(count, bool)
    if run.run_started_at is None:
        return TaskTimes(start, ran, is_simulated)
    has_last = np.fromiter(map(is_not, run.device_of, repeat(None)), bool, count)
    began = np.fromiter(run.started_at, np.float64, count)
    ended = np.where(status == RUNNING, at, np.fromiter(run.ended_at, np.float64, count))
    start[has_last], ran[has_last] = began[has_last], (ended - began)[has_last]
    for number, past in run.history.items():
        if past:
            start[number] = past[0].started
            ran[number] = sum((at if one.ended is None else one.ended) - one.started for one in run.attempts(number))
    is_gone = status == REMOVED
    start[is_gone] = ran[is_gone] = np.nan
    is_simulated[list(run.simulated)] = True
    return TaskTimes(_gone_on(run, run.run_started_at, start), ran, is_simulated & ~np.isnan(ran))


def _gone_on(run: RunFacts, began: float, moments: Seconds) -> Seconds:
    """For how long the run had gone on at these moments, as `summary.gone_on_at` tells of one."""
    idle = np.zeros(len(moments))
    for ended, again in run.idle:
        idle += np.maximum(0.0, np.minimum(moments, again) - max(began, ended))
    return moments - began - idle
