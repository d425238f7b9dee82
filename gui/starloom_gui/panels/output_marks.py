"""The caret and the selection in printed text, as positions with the numbers of lines."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable

    from starloom_gui.models.output_lines import OutputLines

_WORD: Final = re.compile(r"[\w./:@~+-]+")
"""Paths, addresses and names are what people copy out of output."""


class OutputPosition(NamedTuple):
    """A position before a character of a line; lines are known by their numbers, see `OutputLines.dropped`."""

    line: int
    at: int


class Marks:
    """The caret and the anchor of an output view's selection.

    Args:
        lines: what they stand in.
        hides: whether the line of a number is out of sight: keys go past it.
    """

    def __init__(self, lines: OutputLines, hides: Callable[[int], bool] = lambda _: False) -> None:
        self._lines, self._hides = lines, hides
        self.caret = self._other = OutputPosition(0, 0)

    @property
    def selected(self) -> tuple[OutputPosition, OutputPosition]:
        """The beginning and end of the selection, equal if it is empty."""
        low, high = sorted((self._bounded(self.caret), self._bounded(self._other)))
        return low, high

    @property
    def is_empty(self) -> bool:
        """Whether the selection is empty."""
        low, high = self.selected
        return low == high

    def move(self, place: OutputPosition, *, extends: bool = False) -> None:
        """Move the caret; extending, select what lies between."""
        self.caret = self._bounded(place)
        if not extends:
            self._other = self.caret

    def select(self, begin: OutputPosition, end: OutputPosition) -> None:
        """Select this; the caret is at its end."""
        self._other, self.caret = self._bounded(begin), self._bounded(end)

    def select_all(self) -> None:
        """Select all lines that are kept."""
        self.select(OutputPosition(self._lines.dropped, 0), self.last())

    def select_word(self, place: OutputPosition) -> None:
        """Select the word around a position, or nothing where there is none."""
        text = self._text(place.line)
        word = next((one for one in _WORD.finditer(text) if one.start() <= place.at <= one.end()), None)
        if word is not None:
            self.select(OutputPosition(place.line, word.start()), OutputPosition(place.line, word.end()))

    def select_line(self, number: int) -> None:
        """Select one line."""
        self.select(OutputPosition(number, 0), OutputPosition(number, len(self._text(number))))

    def text(self) -> str:
        """The selected text, without colours."""
        low, high = self.selected
        if low == high:
            return ""
        first = self._lines.dropped
        texts = [line.text for line in self._lines.lines(low.line - first, high.line - first)]
        texts[-1] = texts[-1][: high.at]
        texts[0] = texts[0][low.at :]
        return "\n".join(texts)

    # ---- where keys go

    def beside(self, by: int) -> OutputPosition:
        """The place one character further, over the ends of lines."""
        line, at = self._bounded(self.caret)
        if 0 <= at + by <= len(self._text(line)):
            return OutputPosition(line, at + by)
        other = self._in_sight(line + by, by)
        return self._bounded(OutputPosition(other, 0 if by > 0 else len(self._text(other))))

    def above(self, lines: int) -> OutputPosition:
        """The place so many lines above; below, for a number under 0."""
        line, at = self._bounded(self.caret)
        return self._bounded(OutputPosition(self._in_sight(line - lines, -lines), at))

    def _in_sight(self, number: int, by: int) -> int:
        """This line, or the next one in that direction that is in sight; where there is none, the one before it."""
        step = 1 if by > 0 else -1
        beyond = number
        while self._hides(beyond):
            beyond += step
        if step > 0 and beyond >= self._lines.dropped + len(self._lines):
            while self._hides(number):
                number -= 1
            return number
        return beyond

    def home(self) -> OutputPosition:
        """The beginning of the caret's line."""
        return OutputPosition(self.caret.line, 0)

    def end(self) -> OutputPosition:
        """The end of the caret's line."""
        return self._bounded(OutputPosition(self.caret.line, len(self._text(self.caret.line))))

    def first(self) -> OutputPosition:
        """The beginning of the first line."""
        return OutputPosition(self._lines.dropped, 0)

    def last(self) -> OutputPosition:
        """The end of the last line."""
        line = self._in_sight(self._lines.dropped + len(self._lines) - 1, -1)
        return self._bounded(OutputPosition(line, len(self._text(line))))

    def _text(self, number: int) -> str:
        row = number - self._lines.dropped
        return self._lines.line(row).text if 0 <= row < len(self._lines) else ""

    def _bounded(self, place: OutputPosition) -> OutputPosition:
        """The nearest place that is there: lines go, and one that is not ended may become shorter."""
        first = self._lines.dropped
        if place.line < first:
            return OutputPosition(first, 0)
        line = min(place.line, max(first, first + len(self._lines) - 1))
        return OutputPosition(line, max(0, min(place.at, len(self._text(line)))))
