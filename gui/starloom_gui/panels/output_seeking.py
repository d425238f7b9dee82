"""Searching output: going from one place that was found to the next."""

from __future__ import annotations

from typing import TYPE_CHECKING

from starloom_gui.panels.output_marks import Place

if TYPE_CHECKING:
    from starloom_gui.panels.output_find import Found
    from starloom_gui.panels.output_view import OutputView


class OutputSearch:
    """Seeks in the lines of a view, and shows what is found.

    Args:
        view: the lines on the screen.
    """

    def __init__(self, view: OutputView) -> None:
        self._view = view

    def seek(self, sought: str, *, is_pattern: bool) -> None:
        """Seek this; the last place above the lower edge is the current one at once, and is shown."""
        view = self._view
        view.finder.seek(sought, is_pattern=is_pattern)
        view.finder.look(view.lines.dropped, view.lines.lines())
        if view.finder.found:
            bottom = view.line_at(view.verticalScrollBar().value() + view.page()) + 1
            self._show(view.finder.step(bottom, 0, forward=False))
        self._found_other()

    def step(self, *, forward: bool) -> None:
        """Go to the next place that was found, or to the one before."""
        caret = self._view.marks.caret
        self._show(self._view.finder.step(caret.line, caret.at, forward=forward))
        self._found_other()

    def _show(self, found: Found | None) -> None:
        if found is not None:
            self._view.marks.move(Place(found.line, found.begin))
            self._view.show_place(Place(found.line, found.end))
            self._view.show_place(Place(found.line, found.begin))

    def _found_other(self) -> None:
        self._view.viewport().update()
        self._view.found_changed.emit()
