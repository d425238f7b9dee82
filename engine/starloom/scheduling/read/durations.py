"""The seconds of each task of a run: of its last attempt, else as they are expected."""

from __future__ import annotations

from itertools import repeat
from operator import is_not
from typing import TYPE_CHECKING, Any, Final

from starloom.scheduling.state.codes import CANCELLED, COMPLETED, FAILED
from starloom.scheduling.state.stops import waited

if TYPE_CHECKING:
    from starloom.scheduling.state.run_facts import RunFacts

_ENDED: Final = frozenset((COMPLETED, FAILED, CANCELLED))


def durations(run: RunFacts) -> Any:
    """The seconds of each task by its number, as `statistics` takes them: a list, or an array of a large run.

    Of the last attempt if that has ended; without one the expected ones, so that a waiting graph has a length too. Once
    the run has ended, nothing is expected any more: without an attempt it is for how long a gate was open.
    """
    paths = run.graph.kept_paths.of(run.graph)
    if paths.is_large:
        return _as_array(run, paths.expected)
    has_ended = run.state.has_ended
    return [
        run.ended_at[number] - run.started_at[number]
        if _was_tried(run, number)
        else waited(run, number)
        if has_ended or task is None
        else paths.expected[number]
        for number, task in enumerate(run.graph.tasks)
    ]


def _was_tried(run: RunFacts, number: int) -> bool:
    return run.status[number] in _ENDED and run.has_last_attempt(number)


def _as_array(run: RunFacts, expected: Any) -> Any:
    import numpy as np  # which small runs do without

    count = len(run.status)
    ended = np.zeros(256, bool)
    ended[list(_ENDED)] = True
    tried = ended[np.frombuffer(bytes(run.status), np.uint8)]
    tried &= np.fromiter(map(is_not, run.device_of, repeat(None)), bool, count)
    if run.state.has_ended:
        other = np.zeros(count)
        for number in run.gates:
            other[number] = waited(run, number)
    else:
        other = np.frombuffer(expected, np.float64)
    if not tried.any():
        return other.copy()
    taken = np.fromiter(run.ended_at, np.float64, count) - np.fromiter(run.started_at, np.float64, count)
    return np.where(tried, taken, other)
