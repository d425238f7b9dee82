"""Folds and unfolds groups, and unfolds those that hide a task which is to be shown."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from starloom_gui.canvas.arranging import foldable

if TYPE_CHECKING:
    from collections.abc import Iterable

    from starloom_gui.canvas.graph_layer import GraphLayer
    from starloom_gui.canvas.layout_controller import LayoutController
    from starloom_gui.canvas.render_model import GraphRenderModel
    from starloom_gui.viewmodel.grouping import Group


class Folding:
    """Folds and unfolds groups, and scrolls to tasks once the picture has them.

    Args:
        graph: what is shown.
        layout: keeps which groups are folded.
    """

    def __init__(self, graph: GraphLayer, layout: LayoutController) -> None:
        self._graph, self._layout = graph, layout
        self._to_reveal: int | None = None
        self._known: tuple[GraphRenderModel | None, list[Group]] = (None, [])

    # ---- which groups there are

    @property
    def group_names(self) -> tuple[str, ...]:
        """The groups that can be folded, by their first tasks."""
        return tuple(dict.fromkeys(each.name for each in self._groups()))

    def _groups(self) -> list[Group]:
        """The groups of the graph that is shown; read once for each picture, as an edit makes another one."""
        picture = self._graph.picture
        if picture is not self._known[0]:
            self._known = picture, foldable(picture.facts) if picture is not None else []
        return self._known[1]

    def group_at(self, number: int | None) -> str:
        """The name of the group that a task is in and could be folded with, or is; empty: it is in none."""
        if number is None:
            return ""
        return next((each.name for each in self._groups() if number in each.numbers), "")

    def is_folded(self, number: int | None) -> bool:
        """Whether a task is shown as part of a folded group."""
        picture = self._graph.picture
        return picture is not None and number is not None and picture.is_hidden(number)

    # ---- folding

    def fold(self, names: Iterable[str]) -> None:
        """Show these groups as one node each."""
        self._set_folded(self._layout.arrangement.folded | frozenset(names))

    def unfold(self, names: Iterable[str]) -> None:
        """Show the tasks of these groups."""
        self._set_folded(self._layout.arrangement.folded - frozenset(names))

    def fold_all(self) -> None:
        """Show every group as one node."""
        self.fold(self.group_names)

    def unfold_all(self) -> None:
        """Show every task."""
        self._set_folded(frozenset())

    def _set_folded(self, names: frozenset[str]) -> None:
        self._layout.arrange(replace(self._layout.arrangement, folded=names))

    def fold_group_of(self, number: int | None) -> bool:
        """Fold the group of a task, and bring it into sight; False: it is in none, or folded."""
        name = self.group_at(number)
        if not name or self.is_folded(number):
            return False
        self._to_reveal = number
        self.fold([name])
        return True

    def unfold_group_of(self, number: int | None) -> bool:
        """Unfold the group of a task, and bring the task into sight; False: it is in no folded group."""
        if not self.is_folded(number):
            return False
        self._to_reveal = number
        self.unfold([self.group_at(number)])
        return True

    # ---- what is to be seen of it

    def reveal_soon(self, number: int) -> None:
        """Bring a task into sight, once the picture has it."""
        self._to_reveal = None
        if self._graph.picture is not None and self._graph.picture.row(number) is not None:
            self._graph.reveal_task(number)
        else:
            self._to_reveal = number

    def follow_picture(self, picture: GraphRenderModel) -> None:
        """Bring the task into sight that was waited for, if it is in a picture, which the graph shows now."""
        wanted = self._to_reveal
        name = self.group_at(wanted)
        is_there = wanted is not None and picture.row(wanted) is not None
        is_folded = name in self._layout.arrangement.folded
        if wanted is not None and is_there and picture.is_hidden(wanted) == is_folded:
            self._to_reveal = None
            self._graph.reveal_task(wanted)
