"""The dependencies of a large graph as arrays, level by level: the longest path of 100,000 tasks is a few sums."""

from __future__ import annotations

from itertools import chain
from typing import TYPE_CHECKING, Any, Final

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from numpy.typing import NDArray

    Neighbours = Sequence[Sequence[int]]
    Piece = tuple[int, int, Any, Any]
    """The places from one up to another, the places of all their parents, and where those of each one begin."""

NARROW: Final = 24
"""Tasks of a level up to which they are added up one by one, as arrays of so few are slower."""


class LevelArrays:
    """The tasks of a graph in order of their levels, and by places in that order the parents of each.

    Args:
        levels: by number; below 0 for what is no task.
        parents: the numbers before each number.

    Attributes:
        width: the most tasks of one level.
    """

    __slots__ = ("_above", "_counts", "_line", "_pieces", "width")

    def __init__(self, levels: Sequence[int], parents: Neighbours) -> None:
        self._read(parents)
        self._arrange(levels)

    def _read(self, parents: Neighbours) -> None:
        self._counts = np.fromiter(map(len, parents), np.intp, len(parents))
        self._above = np.fromiter(chain.from_iterable(parents), np.intp, int(self._counts.sum()))

    def follow(self, levels: Sequence[int], parents: Neighbours, changed: Sequence[int]) -> None:
        """Bring it up to date after edits.

        Args:
            levels: by number, as they are now.
            parents: the numbers before each number.
            changed: ascending, the numbers whose parents may have changed, new ones among them.
        """
        if len(changed) > len(levels) // 20:
            self._read(parents)
        elif changed:
            counts = np.zeros(len(levels), np.intp)
            counts[: len(self._counts)] = self._counts
            ends = np.cumsum(counts)
            parts, at = [], 0
            for number in changed:
                parts += [self._above[at : ends[number] - counts[number]], np.array(parents[number], np.intp)]
                at = int(ends[number])
            self._above = np.concatenate([*parts, self._above[at:]])
            counts[changed] = [len(parents[number]) for number in changed]
            self._counts = counts
        self._arrange(levels)

    def _arrange(self, levels: Sequence[int]) -> None:
        level = np.array(levels)
        tasks = np.flatnonzero(level >= 0)
        self._line = line = tasks[np.argsort(level[tasks], kind="stable")]
        place = np.zeros(len(level), np.intp)
        place[line] = np.arange(len(line))
        counts = self._counts[line]
        starts = np.concatenate([[0], np.cumsum(counts)])
        before = np.cumsum(self._counts)[line] - counts
        above = place[self._above[np.arange(starts[-1]) + np.repeat(before - starts[:-1], counts)]]
        sorted_levels = level[line]
        top = int(sorted_levels[-1]) if len(line) else 0
        bounds = np.searchsorted(sorted_levels, np.arange(top + 2))
        self.width = int(np.diff(bounds).max())
        self._pieces = list(_pieces(bounds[1:].tolist(), above, starts))

    def totals(self, seconds: NDArray[np.float64]) -> NDArray[np.float64]:
        """By number, the seconds of the longest path that ends with a task; -1 for what is no task.

        Args:
            seconds: of each task, by number.
        """
        totals = seconds[self._line]
        for first, end, above, starts in self._pieces:
            if isinstance(starts, list):
                _add_one_by_one(totals.data, first, above, starts)
            else:
                totals[first:end] += np.maximum.reduceat(totals.take(above), starts)
        by_number = np.full(len(seconds), -1.0)
        by_number[self._line] = totals
        return by_number

    def work(self, seconds: NDArray[np.float64]) -> float:
        """The seconds of all tasks together."""
        is_task = np.zeros(len(seconds), bool)
        is_task[self._line] = True
        return float(np.where(is_task, seconds, 0.0).sum())


def _pieces(bounds: Sequence[int], above: NDArray[np.intp], starts: NDArray[np.intp]) -> Iterator[Piece]:
    """The levels but for the first; consecutive narrow ones as one piece of lists.

    Args:
        bounds: where each of them begins, and where the last one ends.
        above: the places of the parents of each place, one after the other.
        starts: where those of each place begin.
    """
    at = 0
    while at + 1 < len(bounds):
        first, end = bounds[at], bounds[at + 1]
        at += 1
        is_narrow = end - first < NARROW
        while is_narrow and at + 1 < len(bounds) and bounds[at + 1] - bounds[at] < NARROW:
            end = bounds[at + 1]
            at += 1
        parts, begin = above[starts[first] : starts[end]], starts[first : end + 1] - starts[first]
        yield (first, end, parts.tolist(), begin.tolist()) if is_narrow else (first, end, parts, begin[:-1])


def _add_one_by_one(totals: memoryview, first: int, above: list[int], starts: list[int]) -> None:
    """Add the highest total of its parents to each place from the first on."""
    for place in range(len(starts) - 1):
        begin, end = starts[place], starts[place + 1]
        if end - begin == 1:
            totals[first + place] += totals[above[begin]]
        else:
            totals[first + place] += max([totals[parent] for parent in above[begin:end]])
