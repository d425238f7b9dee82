"""Searching output: going from match to match."""

from __future__ import annotations

from typing import TYPE_CHECKING

from starloom_gui.panels.output_marks import OutputPosition

if TYPE_CHECKING:
    from collections.abc import Callable

    from starloom_gui.models.output_lines import OutputLines
    from starloom_gui.panels.output_find import Finder, OutputMatch
    from starloom_gui.panels.output_marks import Marks


class OutputSearch:
    """Searches the lines of an output view, and shows the matches.

    Args:
        lines: what is searched.
        finder: finds places in them.
        marks: the caret, which goes to what is found.
        show: scrolls to a place.
        below: gives the number of the first line below what is in sight.
        changed: is called when other places are found, or another one is the current one.
    """

    def __init__(
        self,
        lines: OutputLines,
        finder: Finder,
        marks: Marks,
        show: Callable[[OutputPosition], None],
        below: Callable[[], int],
        changed: Callable[[], None],
    ) -> None:
        self._lines, self._finder, self._marks = lines, finder, marks
        self._scroll_to, self._below, self._changed = show, below, changed

    def seek(self, sought: str, *, is_pattern: bool) -> None:
        """Search a text; the last match above the lower edge becomes current at once, and is shown."""
        self._finder.seek(sought, is_pattern=is_pattern)
        self._finder.look(self._lines.dropped, self._lines.lines())
        if self._finder.found:
            self._show(self._finder.step(self._below(), 0, forward=False))
        self._changed()

    def step(self, *, forward: bool) -> None:
        """Go to the next or previous match."""
        caret = self._marks.caret
        self._show(self._finder.step(caret.line, caret.at, forward=forward))
        self._changed()

    def _show(self, found: OutputMatch | None) -> None:
        if found is not None:
            self._marks.move(OutputPosition(found.line, found.begin))
            self._scroll_to(OutputPosition(found.line, found.end))
            self._scroll_to(OutputPosition(found.line, found.begin))
