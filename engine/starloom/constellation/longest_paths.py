"""The longest paths of a graph, by tasks and by seconds: what follows from its edges alone is kept under edits.

A task's level is the number of tasks on the longest path that ends above it. After an edit only the levels of what is
behind it are computed again; so whoever asks for figures of a large graph again and again waits for what has changed.
"""

from __future__ import annotations

import math
from array import array
from collections import Counter
from heapq import heappop, heappush
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from starloom.constellation.level_arrays import LevelArrays
    from starloom.model.task import Task

    Neighbours = Sequence[Sequence[int]]
    Tasks = Sequence[Task | None]

LARGE: Final = 5_000
"""Tasks from which on seconds are added up by arrays, which are no faster for less."""
NOWHERE: Final = -1
"""The level of a task that was removed, or stands on a cycle, which only a damaged journal can tell of."""


class LongestPaths:
    """The levels of a graph's tasks, and its longest paths. Of equal paths it is the one whose tasks stand first.

    Args:
        children: the numbers behind each number.
        parents: those before each number.
        tasks: by number; None where one was removed.

    Attributes:
        levels: by number, the tasks on the longest path that ends above it.
        expected: by number, the seconds a task is expected to take by its fields; 0 if these do not say.
    """

    __slots__ = ("_arrays", "_longest", "_order", "_width", "expected", "levels")

    def __init__(self, children: Neighbours, parents: Neighbours, tasks: Tasks) -> None:
        self.levels: list[int] = _levels(children, parents, tasks)
        self.expected: array[float] = array("d", map(_expected, tasks))
        self._arrays: LevelArrays | None = None
        self._forget()

    @property
    def is_large(self) -> bool:
        """Whether seconds are to be given as an array."""
        return len(self.levels) >= LARGE

    def _forget(self) -> None:
        self._order: list[int] | None = None
        self._longest: list[int] | None = None
        self._width: int | None = None

    # ---- edits

    def follow(self, children: Neighbours, parents: Neighbours, tasks: Tasks, changed: Iterable[int]) -> bool:
        """Bring it up to date after edits; False: so much has changed that making another one is faster.

        Args:
            children: the numbers behind each number, as they are now.
            parents: those before each number.
            tasks: by number.
            changed: the numbers that were added, removed or given other fields or other parents.
        """
        numbers = sorted(number for number in changed if number < len(tasks))
        missing = len(tasks) - len(self.levels)
        if missing < 0:
            return False
        self.expected.extend(0.0 for _ in range(missing))
        self.levels.extend(NOWHERE for _ in range(missing))
        for number in numbers:
            self.expected[number] = _expected(tasks[number])
        if not self._spread(children, parents, tasks, numbers):
            return False
        self._forget()
        if self._arrays is not None:
            self._arrays.follow(self.levels, parents, numbers)
        return True

    def _spread(self, children: Neighbours, parents: Neighbours, tasks: Tasks, numbers: Sequence[int]) -> bool:
        """Compute the levels of these and of what is behind them; False: these are too many."""
        levels = self.levels
        most = max(1_000, len(tasks) // 8)
        line = sorted((levels[number], number) for number in numbers)
        for _ in range(most):
            if not line:
                return True
            _, number = heappop(line)
            above = parents[number]
            level = NOWHERE if tasks[number] is None else 1 + max([levels[one] for one in above], default=-1)
            if level != levels[number]:
                levels[number] = level
                for child in children[number]:
                    heappush(line, (level, child))
        return not line

    # ---- by tasks

    def _line(self) -> list[int]:
        """All tasks, level by level, each level by place in line."""
        if self._order is None:
            levels = self.levels
            self._order = sorted((n for n, level in enumerate(levels) if level != NOWHERE), key=levels.__getitem__)
        return self._order

    def width(self, parents: Neighbours) -> int:
        """The most tasks of one level."""
        if self._width is None and self.is_large:
            self._width = self._by_arrays(parents).width
        elif self._width is None:
            count = Counter(level for level in self.levels if level != NOWHERE)
            self._width = max(count.values(), default=0)
        return self._width

    def longest(self, parents: Neighbours) -> list[int]:
        """The longest path by tasks, first to last."""
        if self._longest is None:
            levels = self.levels
            top = max(levels, default=NOWHERE)
            self._longest = [] if top == NOWHERE else _way(parents, levels, levels.index(top))
        return self._longest

    # ---- by seconds

    def heaviest(self, parents: Neighbours, seconds: Any) -> tuple[float, list[int]]:
        """The seconds of the longest path by these, and the path.

        Args:
            parents: the numbers before each number.
            seconds: by number, at least 0; a list, or an array of a large graph.
        """
        totals: Any
        if self.is_large:
            totals = self._by_arrays(parents).totals(seconds)
            last = int(totals.argmax())
            totals = memoryview(totals)
        else:
            totals = [-1.0] * len(self.levels)
            for number in self._line():
                totals[number] = max([totals[parent] for parent in parents[number]], default=0.0) + seconds[number]
            last = totals.index(max(totals)) if totals else NOWHERE
        if last == NOWHERE or totals[last] < 0:
            return 0.0, []
        return totals[last], _way(parents, totals, last)

    def work(self, parents: Neighbours, seconds: Any) -> float:
        """The seconds of all tasks together; see `heaviest`."""
        if self.is_large:
            return self._by_arrays(parents).work(seconds)
        return math.fsum(seconds[number] for number, level in enumerate(self.levels) if level != NOWHERE)

    def _by_arrays(self, parents: Neighbours) -> LevelArrays:
        if self._arrays is None:
            from starloom.constellation.level_arrays import LevelArrays  # with numpy, which small runs do without

            self._arrays = LevelArrays(self.levels, parents)
        return self._arrays


def _levels(children: Neighbours, parents: Neighbours, tasks: Tasks) -> list[int]:
    """By number, the tasks on the longest path that ends above it."""
    unmet = list(map(len, parents))
    levels = [NOWHERE] * len(tasks)
    order = [number for number, count in enumerate(unmet) if not count and tasks[number] is not None]
    for number in order:
        levels[number] = 0
    for number in order:  # level by level, as each follows the last of its parents
        below = levels[number] + 1
        for child in children[number]:
            left = unmet[child] = unmet[child] - 1
            if not left:
                levels[child] = below
                order.append(child)
    return levels


def _expected(task: Task | None) -> float:
    return 0.0 if task is None else task.expected_duration or 0.0


def _way(parents: Neighbours, totals: Sequence[float], last: int) -> list[int]:
    """The path with the highest totals that ends with a task, first to last; of equal parents the first in line."""
    path = [last]
    while above := parents[path[-1]]:
        if len(above) == 1:
            path.append(above[0])
            continue
        most = max([totals[parent] for parent in above])
        path.append(min(parent for parent in above if totals[parent] == most))
    return path[::-1]
