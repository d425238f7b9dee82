"""Shows the selection and the current task on a canvas, and describes it for screen readers."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from starloom_gui.canvas.words import description, group_description

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from PySide6.QtWidgets import QWidget

    from starloom_gui.canvas.announcing import Announcer
    from starloom_gui.canvas.graph_layer import GraphLayer
    from starloom_gui.viewmodel.selection import Selected, Selection


class SelectionMarks(QObject):
    """Highlights the selected tasks and the current one, whose description becomes that of the widget.

    Args:
        widget: the canvas, as screen readers see it.
        graph: what is shown.
        selection: shared with the other views of the run.
        announcer: tells screen readers.
        clock: gives seconds on the run's clock.

    Signals:
        changed(): others are marked.
    """

    changed = Signal()

    def __init__(
        self,
        widget: QWidget,
        graph: GraphLayer,
        selection: Selection,
        announcer: Announcer,
        clock: Callable[[], float],
    ) -> None:
        super().__init__(widget)
        self._widget, self._graph, self._selection = widget, graph, selection
        self._announcer, self._clock = announcer, clock
        self._told: int | None = None
        selection.changed.connect(self._show)
        graph.changed.connect(self._follow)

    def refresh(self) -> None:
        """Mark the same tasks in another render model."""
        self._show(self._selection.now)

    def _show(self, selected: Selected) -> None:
        picture, shown = self._graph.picture, self._graph.item.shown
        if picture is None:
            return
        before = {*shown.selected, shown.current}
        shown.selected = frozenset(row for each in selected.numbers if (row := picture.row(each)) is not None)
        shown.current = picture.row(selected.current)
        self._describe()
        if selected.current != self._told:
            self._told = selected.current
            self._announcer.went()
        self._graph.repaint([row for row in before | {*shown.selected, shown.current} if row is not None])
        self.changed.emit()

    def _follow(self, rows: Sequence[int]) -> None:
        """Announce the current task, if it has changed."""
        if self._graph.item.shown.current in rows:
            self._describe()
            self._announcer.changed()

    def _describe(self) -> None:
        current = self._graph.item.shown.current
        self._widget.setAccessibleDescription(self.description_of(current) if current is not None else "")

    def description_of(self, row: int) -> str:
        """The description of a node in one sentence, for screen readers."""
        picture = self._graph.picture
        assert picture is not None
        tally = picture.tallies.get(row)
        if tally is not None:
            return group_description(tally.name, tally.counts)
        return description(picture, int(picture.numbers[row]), self._clock())

    def set_focused(self, focused: bool) -> None:
        """Set whether the current task has the mark of the focus."""
        shown = self._graph.item.shown
        shown.focused = focused
        if shown.current is not None:
            self._graph.repaint([shown.current])
