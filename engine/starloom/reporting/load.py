"""The load of a run over its time: running attempts, queued attempts, and their waiting times."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, TypeAlias

import numpy as np
import numpy.typing as npt

from starloom.reporting.report import LoadSlice, Waits

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from starloom.reporting.report import ReportedAttempt

_Floats: TypeAlias = npt.NDArray[np.float64]
SLICES: Final = 120
MOST_WAITS: Final = 10


def load_over_time(
    attempts: Sequence[ReportedAttempt], seconds: float, slots_between: Callable[[Sequence[float]], Sequence[float]]
) -> tuple[LoadSlice, ...]:
    """The load in `SLICES` slices of the run's time; none if it took no time.

    Args:
        attempts: all of the run.
        seconds: how long the run took.
        slots_between: gives the usable slots of all devices together, on average between each two moments.
    """
    if seconds <= 0 or not attempts:
        return ()
    edges = np.linspace(0.0, seconds, SLICES + 1)
    started = _column(attempts, "started")
    running = _average(started, _column(attempts, "ended"), edges)
    waiting = _average(np.minimum(_column(attempts, "ready"), started), started, edges)
    width = seconds / SLICES
    return tuple(
        LoadSlice(float(at), width, float(ran), float(waited), min(1.0, float(ran) / slots) if slots else 0.0, slots)
        for at, ran, waited, slots in zip(edges[:-1], running, waiting, slots_between(edges.tolist()), strict=True)
    )


def average_between(attempts: Sequence[ReportedAttempt], seconds: float, parts: int) -> list[float]:
    """The average number of running attempts in each of so many equal parts of the run's time."""
    edges = np.linspace(0.0, seconds, parts + 1)
    averages: list[float] = _average(_column(attempts, "started"), _column(attempts, "ended"), edges).tolist()
    return averages


def _column(attempts: Sequence[ReportedAttempt], name: str) -> _Floats:
    return np.array([getattr(attempt, name) for attempt in attempts], dtype=np.float64)


def _average(begin: _Floats, end: _Floats, edges: _Floats) -> _Floats:
    """The average number of spans that hold between each two edges."""
    spent = _spent(begin, edges) - _spent(end, edges)
    averages: _Floats = np.maximum(0.0, np.diff(spent) / np.diff(edges))
    return averages


def _spent(moments: _Floats, edges: _Floats) -> Any:
    """For each edge the seconds since all moments before it, together."""
    line = np.sort(moments)
    sums = np.concatenate(([0.0], np.cumsum(line)))
    before = np.searchsorted(line, edges, side="left")
    return before * edges - sums[before]


def peak_of(attempts: Sequence[ReportedAttempt]) -> int:
    """The most attempts at once; one that ends as another starts does not count with it."""
    if not attempts:
        return 0
    started, ended = np.sort(_column(attempts, "started")), np.sort(_column(attempts, "ended"))
    at_once = np.arange(1, len(started) + 1) - np.searchsorted(ended, started, side="right")
    return max(1, int(at_once.max()))


def waits_of(attempts: Sequence[ReportedAttempt]) -> Waits:
    """The waiting times of attempts before their start."""
    if not attempts:
        return Waits(0.0, 0.0, 0.0, 0.0, ())
    waited = np.array([attempt.waited for attempt in attempts])
    order = np.argsort(-waited, kind="stable")[:MOST_WAITS].tolist()
    return Waits(
        float(waited.sum()),
        float(np.quantile(waited, 0.5, method="inverted_cdf")),  # so many waited no longer, as it is told
        float(np.quantile(waited, 0.95, method="inverted_cdf")),
        float(waited.max()),
        tuple(place for place in order if waited[place] > 0),
    )
