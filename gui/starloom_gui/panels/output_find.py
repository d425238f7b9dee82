"""Finds a text or pattern in growing output: old lines are searched once, then only new ones."""

from __future__ import annotations

import re
from bisect import bisect_left
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterable

    from starloom_gui.models.output_lines import OutputLine

MOST_FOUND: Final = 10_000


@dataclass(frozen=True, slots=True, order=True)
class OutputMatch:
    """One match: the line's number, the first character, and the one after the last."""

    line: int
    begin: int
    end: int


class Finder:
    """The matches of a search from top to bottom; of very many only the last ones."""

    def __init__(self) -> None:
        self._pattern: re.Pattern[str] | None = None
        self.found: list[OutputMatch] = []
        self.trouble = ""
        self.current: OutputMatch | None = None
        self._is_full = False

    @property
    def is_seeking(self) -> bool:
        """Whether there is a valid search text."""
        return self._pattern is not None

    @property
    def is_full(self) -> bool:
        """Whether there may be more matches than are kept."""
        return self._is_full

    def seek(self, sought: str, *, is_pattern: bool) -> None:
        """Set the searched text; case counts if it has capitals. `trouble` reports an invalid pattern."""
        self._pattern, self.trouble = None, ""
        self.clear()
        if not sought:
            return
        flags = re.NOFLAG if sought != sought.lower() and not is_pattern else re.IGNORECASE
        try:
            self._pattern = re.compile(sought if is_pattern else re.escape(sought), flags)
        except (re.error, OverflowError, RecursionError) as error:
            self.trouble = str(error)

    def holds(self, text: str) -> bool:
        """Whether a line has a match."""
        return self._pattern is not None and any(m.end() > m.start() for m in self._pattern.finditer(text))

    def clear(self) -> None:
        """Forget all matches."""
        self.found = []
        self.current = None
        self._is_full = False

    def look(self, number: int, lines: Iterable[OutputLine]) -> None:
        """Search lines that come after all others.

        Args:
            number: of the first of them.
            lines: in order.
        """
        if self._pattern is None:
            return
        search = self._pattern.finditer
        for at, line in enumerate(lines, number):
            self.found += [OutputMatch(at, *m.span()) for m in search(line.text) if m.end() > m.start()]
            if len(self.found) > 2 * MOST_FOUND:
                self._bound()
        self._bound()

    def _bound(self) -> None:
        surplus = len(self.found) - MOST_FOUND
        if surplus > 0:
            self._is_full = True
            del self.found[:surplus]
            if self.current is not None and self.current < self.found[0]:
                self.current = None

    def forget(self, first: int, last: int | None = None) -> None:
        """Forget the matches in lines before a number, and in those from another one on."""
        low = bisect_left(self.found, OutputMatch(first, 0, 0))
        high = len(self.found) if last is None else bisect_left(self.found, OutputMatch(last, 0, 0))
        if low or high < len(self.found):
            self.found = self.found[low:high]
            if self.current not in self.found[bisect_left(self.found, self.current or OutputMatch(0, 0, 0)) :][:1]:
                self.current = None

    def within(self, first: int, last: int) -> list[OutputMatch]:
        """The matches in these lines."""
        return self.found[
            bisect_left(self.found, OutputMatch(first, 0, 0)) : bisect_left(self.found, OutputMatch(last + 1, 0, 0))
        ]

    def step(self, line: int, column: int, *, forward: bool) -> OutputMatch | None:
        """Go to the next or previous match from a character, wrapping around; None: there is none."""
        if not self.found:
            return None
        here = self.current or OutputMatch(line, column, column)
        at = bisect_left(self.found, here)
        is_here = at < len(self.found) and self.found[at] == here
        at = at + is_here if forward else at - 1
        self.current = self.found[at % len(self.found)]
        return self.current

    @property
    def place(self) -> int:
        """The position of the current match, from 1; 0: there is none."""
        return 0 if self.current is None else bisect_left(self.found, self.current) + 1
