"""Distributions of the durations of attempts, by group or by device, and their estimates. No Qt here."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from starloom_gui.panels.plots.attempts import DONE, attempts_of
from starloom_gui.viewmodel.grouping import group_of

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from numpy.typing import NDArray

    from starloom.scheduling.state.run_facts import RunFacts
    from starloom_gui.panels.plots.attempts import Attempts

_SHARES = (5, 25, 50, 75, 95)


class Distribution(NamedTuple):
    """The durations of the completed attempts of a group or a device.

    Attributes:
        name: of the group or device.
        attempts: how many they are.
        shares: the durations below which 5, 25, 50, 75 and 95 % of them lie, in seconds.
        estimate: the median of what was estimated for these attempts, in seconds; None: nothing was.
        estimated: for how many of them something was.
    """

    name: str
    attempts: int
    shares: tuple[float, float, float, float, float]
    estimate: float | None
    estimated: int


def by_group(run: RunFacts, speeds: Mapping[str, float]) -> list[Distribution]:
    """The durations of each group as the outline has them, those with most attempts first.

    Args:
        run: the facts.
        speeds: how fast devices are; an estimate is of a device of speed 1.
    """
    tasks = run.graph.tasks

    def name(number: int, _device: str) -> str:
        task = tasks[number]
        return group_of(task)[0] if task is not None else run.graph.ids[number]

    return _by(run, speeds, name)


def by_device(run: RunFacts, speeds: Mapping[str, float]) -> list[Distribution]:
    """The durations on each device, those with most attempts first; `speeds` as for `by_group`.

    Args:
        run: the facts.
        speeds: how fast devices are, by id; an estimate is of a device of speed 1.
    """
    return _by(run, speeds, lambda _, device: device)


def _by(run: RunFacts, speeds: Mapping[str, float], name: Callable[[int, str], str]) -> list[Distribution]:
    found = attempts_of(run)
    done = np.flatnonzero(found.kind == DONE)
    took = (found.ended - found.started)[done]
    expected = _expected(run, found, done, speeds)
    numbers, devices = found.number[done].tolist(), [found.devices[at] for at in found.device[done].tolist()]
    places: dict[str, list[int]] = {}
    for at, (number, device) in enumerate(zip(numbers, devices, strict=True)):
        places.setdefault(name(number, device), []).append(at)
    made = [_distribution(key, took[chosen], expected[chosen]) for key, chosen in places.items()]
    return sorted(made, key=lambda one: (-one.attempts, one.name))


def _expected(
    run: RunFacts, found: Attempts, done: NDArray[np.intp], speeds: Mapping[str, float]
) -> NDArray[np.float64]:
    """The estimated durations of these attempts, in seconds; NaN: there was no estimate."""
    tasks, devices = run.graph.tasks, found.devices
    values = []
    for number, device in zip(found.number[done].tolist(), found.device[done].tolist(), strict=True):
        task = tasks[number]
        seconds = task.expected_duration if task is not None else None
        values.append(np.nan if seconds is None else seconds / (speeds.get(devices[device]) or 1.0))
    return np.array(values, np.float64)


def _distribution(name: str, took: NDArray[np.float64], expected: NDArray[np.float64]) -> Distribution:
    known = expected[np.isfinite(expected)]
    low, quarter, half, most, high = np.percentile(took, _SHARES).tolist()
    estimate = float(np.median(known)) if len(known) else None
    return Distribution(name, len(took), (low, quarter, half, most, high), estimate, len(known))
