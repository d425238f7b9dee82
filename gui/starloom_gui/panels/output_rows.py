"""The rows on the screen that each line of output takes."""

from __future__ import annotations

from bisect import bisect_right
from itertools import accumulate
from typing import TYPE_CHECKING

from starloom_gui.panels.output_cells import rows

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from starloom_gui.models.output_lines import OutputLine


def _none(_first: int, lines: Iterable[OutputLine]) -> Iterable[bool]:
    return [False for _ in lines]


class Rows:
    """Maps lines to rows, with or without wrapping at the width of the pane.

    A line is known by its place among those that are kept.

    Args:
        hidden: given the place of the first of some lines, and these, says of each whether it is out of sight.
    """

    def __init__(self, hidden: Callable[[int, Iterable[OutputLine]], Iterable[bool]] = _none) -> None:
        self._hidden = hidden
        self._columns: int | None = None
        self._ends: list[int] = []
        self._before = 0

    @property
    def columns(self) -> int | None:
        """After how many cells a line is broken; None: never."""
        return self._columns

    @property
    def total(self) -> int:
        """The number of rows."""
        return self._ends[-1] - self._before if self._ends else 0

    def fill(self, lines: Iterable[OutputLine], columns: int | None) -> None:
        """Recount the rows of all lines."""
        self._columns, self._before = columns, 0
        self._ends = list(accumulate(self._heights(0, lines)))

    def append(self, lines: Iterable[OutputLine]) -> None:
        """Count these lines, which are the last ones now."""
        begin = self._ends[-1] if self._ends else self._before
        for height in self._heights(len(self._ends), lines):
            begin += height
            self._ends.append(begin)

    def drop_last(self) -> None:
        """Leave out the last line."""
        del self._ends[-1:]

    def drop_first(self, count: int) -> None:
        """Leave out so many lines at the beginning."""
        if count:
            self._before = self._ends[count - 1]
            del self._ends[:count]

    def first_of(self, line: int) -> int:
        """The first row of a line."""
        return (self._ends[line - 1] if line > 0 else self._before) - self._before

    def line_of(self, row: int) -> int:
        """The line that stands in a row; the last one for rows below all."""
        return min(bisect_right(self._ends, row + self._before), len(self._ends) - 1)

    def _heights(self, first: int, lines: Iterable[OutputLine]) -> list[int]:
        columns, told = self._columns, list(lines)
        heights = [1] * len(told) if columns is None else [rows(line.text, columns) for line in told]
        hidden = self._hidden(first, told)
        return [0 if is_hidden else height for is_hidden, height in zip(hidden, heights, strict=True)]
