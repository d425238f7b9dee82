"""Finds tasks of a graph by their names."""

from __future__ import annotations

from typing import TYPE_CHECKING

from starloom_gui.canvas.matching import found_in

if TYPE_CHECKING:
    from starloom_gui.canvas.folding import Folding
    from starloom_gui.canvas.graph_layer import GraphLayer
    from starloom_gui.viewmodel.selection import Selection


class TaskSearch:
    """Selects tasks by their names.

    Args:
        graph: what is shown.
        folding: unfolds what is found in a group.
        selection: of the run.
    """

    def __init__(self, graph: GraphLayer, folding: Folding, selection: Selection) -> None:
        self._graph, self._folding, self._selection = graph, folding, selection

    def find_task(self, text: str, *, forward: bool = True) -> int | None:
        """Select the next task with a text in its name, by rank, after the current one, and scroll to it.

        If it is in a folded group, that unfolds.

        Returns:
            Its number; None: there is none.
        """
        found = found_in(self._graph.picture, text) if self._graph.picture is not None else []
        if not found:
            return None
        current = self._selection.now.current
        place = found.index(current) + (1 if forward else -1) if current in found else 0 if forward else -1
        number = found[place % len(found)]
        self._selection.select(number)
        self._graph.reveal_task(number)
        self._folding.unfold_group_of(number)
        return number

    def find_typed(self, text: str, step: int) -> bool:
        """Select a task by the typed part of its name; see `typed_find.TypedFind`.

        Args:
            text: what was typed so far.
            step: 1: the next one; -1: the one before; 0: the current one, if it fits.
        """
        picture, current = self._graph.picture, self._selection.now.current
        if step == 0 and current is not None and picture is not None and current in found_in(picture, text):
            self._selection.select(current)
            self._graph.reveal_task(current)
            return True
        return self.find_task(text, forward=step >= 0) is not None
