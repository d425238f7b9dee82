"""Figures of the attempts that came to an end, in a run or in some of its tasks: throughput, and groups by duration."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np

from starloom.scheduling.read.summary import elapsed
from starloom.scheduling.state.codes import COMPLETED, FAILED
from starloom.scheduling.state.late_facts import is_timed
from starloom_gui.models.throughput import LATELY
from starloom_gui.viewmodel.grouping import group_of

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence
    from typing import Any

    from numpy.typing import NDArray

    from starloom.scheduling.read.run_view import RunView

SAMPLES: Final = 32
"""Points of a curve of throughput."""
_PART: Final = 12
"""The throughput is that of the last twelfth of the elapsed time, from a minute to an hour."""
_MOST_LATELY: Final = 3600.0


class Throughput(NamedTuple):
    """The throughput of a run.

    Attributes:
        rate: attempts that end in a minute: lately, or of an ended run all the time.
        most: the highest of the samples, likewise.
        samples: over the time of the run, oldest first, as shares of the highest.
        ended: how many attempts there are in all.
    """

    rate: float
    most: float
    samples: tuple[float, ...]
    ended: int


class GroupTimes(NamedTuple):
    """The durations of a group's last attempts that have ended.

    Attributes:
        name: of the group.
        ended: how many there are.
        mean: their mean duration, in seconds.
        longest: the number of the task that took longest.
        longest_s: how long that took, in seconds.
    """

    name: str
    ended: int
    mean: float
    longest: int
    longest_s: float


class EndedAttempts:
    """The last attempts that came to an end, of a run or of some of its tasks; 10,000 take about 2 ms.

    One that was stopped did not, and says nothing of how fast the run is, nor how long its task takes.

    Args:
        run: the run.
        numbers: of the tasks; None: all.
    """

    def __init__(self, run: RunView, numbers: Collection[int] | None = None) -> None:
        self._run, facts = run, run.facts
        status = np.frombuffer(bytes(facts.status), np.uint8)
        has_ended = (status == COMPLETED) | (status == FAILED)
        if numbers is not None:
            among = np.zeros(len(has_ended), np.bool_)
            among[[number for number in numbers if number < len(among)]] = True
            has_ended &= among
        has_run = facts.device_of.__getitem__
        chosen = [number for number in np.flatnonzero(has_ended).tolist() if has_run(number)]
        self._numbers: NDArray[np.intp] = np.array(chosen, np.intp)
        self._ended = np.fromiter(map(facts.ended_at.__getitem__, chosen), np.float64, len(chosen))
        self._took = self._ended - np.fromiter(map(facts.started_at.__getitem__, chosen), np.float64, len(chosen))

    def __len__(self) -> int:
        return len(self._numbers)

    def throughput(self, now: float) -> Throughput | None:
        """The throughput up to `now`, in seconds on the run's clock; None: nothing has ended, or it has not begun."""
        begun, over = self._run.started_at, self._run.ended_at
        until = now if over is None else over
        if begun is None or until <= begun or not len(self):
            return None
        counts, _ = np.histogram(self._ended, SAMPLES, (begun, until))
        most = counts.max()
        seconds = elapsed(self._run.facts, now) or until - begun
        if over is None:
            lately = min(until - begun, min(max(LATELY, (until - begun) / _PART), _MOST_LATELY))
            rate = int(np.count_nonzero(self._ended > until - lately)) * 60.0 / lately
        else:
            rate = len(self) * 60.0 / seconds
        shares = (counts / most).tolist() if most else [0.0] * SAMPLES
        return Throughput(rate, float(most) * 60 * SAMPLES / (until - begun), tuple(shares), len(self))

    def slowest_groups(self, groups: TaskGroups, most: int) -> list[GroupTimes]:
        """The groups whose attempts take longest on average, slowest first; attempts of unknown duration do not count.

        Args:
            groups: which task is in which.
            most: groups.
        """
        facts = self._run.facts
        numbers, took = self._numbers, self._took
        if facts.untimed:
            timed = np.array([is_timed(facts, one, facts.tries[one]) for one in numbers.tolist()], np.bool_)
            numbers, took = numbers[timed], took[timed]
        if not len(numbers):
            return []
        places = groups.places[numbers]
        counts = np.bincount(places, minlength=len(groups.names))
        sums = np.bincount(places, took, minlength=len(groups.names))
        means = sums / np.maximum(counts, 1)
        found = []
        for place in np.argsort(-means, kind="stable")[:most].tolist():
            own = np.flatnonzero(places == place)
            if not len(own):
                continue
            longest = own[took[own].argmax()]
            seconds = float(took[longest])
            found.append(
                GroupTimes(groups.names[place], int(counts[place]), float(means[place]), int(numbers[longest]), seconds)
            )
        return found


class TaskGroups(NamedTuple):
    """The group of each task of a graph, as the outline has them.

    Attributes:
        names: of the groups.
        places: the place in `names` of each task's group, by the task's number.
    """

    names: Sequence[str]
    places: NDArray[np.intp]


class KnownGroups:
    """Keeps the groups of the tasks of one graph until it is edited: 10,000 names take some milliseconds."""

    def __init__(self) -> None:
        self._key: tuple[Any, int] | None = None
        self._known = TaskGroups((), np.zeros(0, np.intp))

    def of(self, run: RunView) -> TaskGroups:
        """The groups of a run's tasks; a removed task is a group by its id."""
        if self._key is None or self._key[0] is not run.graph or self._key[1] != run.revision:
            graph, places = run.graph, dict[str, int]()
            found = [
                places.setdefault(graph.ids[number] if task is None else group_of(task)[0], len(places))
                for number, task in enumerate(graph.tasks)
            ]
            self._known = TaskGroups(tuple(places), np.array(found, np.intp))
            self._key = (graph, run.revision)
        return self._known
