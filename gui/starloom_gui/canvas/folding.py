"""Folds and unfolds groups, also those that hide a task which is to be shown."""

from __future__ import annotations

from typing import TYPE_CHECKING

from starloom_gui.canvas.arranging import foldable
from starloom_gui.canvas.folding_choice import MOST_NODES, FoldBy, folded_by
from starloom_gui.text.words import translate

if TYPE_CHECKING:
    from collections.abc import Iterable

    from starloom_gui.canvas.graph_layer import GraphLayer
    from starloom_gui.canvas.layout_controller import LayoutController
    from starloom_gui.canvas.render_model import GraphRenderModel
    from starloom_gui.viewmodel.grouping import Group


def no_groups_words() -> str:
    """Why no group of a graph can be folded, as a sentence."""
    return translate("Canvas", "No two tasks of this graph are in a group.")


class Folding:
    """Folds and unfolds groups, and scrolls to tasks once the render model has them.

    Args:
        graph: what is shown.
        layout: keeps which groups are folded.
    """

    def __init__(self, graph: GraphLayer, layout: LayoutController) -> None:
        self._graph, self._layout = graph, layout
        self._to_reveal: int | None = None
        self._known: tuple[GraphRenderModel | None, tuple[Group, ...], list[Group]] = (None, (), [])

    # ---- which groups there are

    @property
    def group_names(self) -> tuple[str, ...]:
        """The names of the groups that can be folded, by their first tasks."""
        return tuple(dict.fromkeys(each.name for each in self._groups()))

    @property
    def outline_names(self) -> tuple[str, ...]:
        """The groups of the outline that can be folded, also while the graph is folded by sections."""
        picture = self._graph.picture
        if picture is None or not self._layout.arrangement.sections:
            return self.group_names
        return tuple(dict.fromkeys(each.name for each in foldable(picture.facts)))

    def _groups(self) -> list[Group]:
        """The groups of the graph; read once for each render model, as every edit makes another one."""
        picture, wanted = self._graph.picture, self._layout.arrangement
        if picture is not self._known[0] or wanted.sections is not self._known[1]:
            self._known = picture, wanted.sections, foldable(picture.facts, wanted) if picture is not None else []
        return self._known[2]

    def group_at(self, number: int | None) -> str:
        """The name of a task's group, which can be folded or is; empty: it is in none."""
        if number is None:
            return ""
        return next((each.name for each in self._groups() if number in each.numbers), "")

    def is_folded(self, number: int | None) -> bool:
        """Whether a task is in a folded group."""
        picture = self._graph.picture
        return picture is not None and number is not None and picture.is_hidden(number)

    # ---- folding

    @property
    def by(self) -> FoldBy:
        """The kind of groups that are folded."""
        return folded_by(self._layout.arrangement)

    def is_folding(self, names: Iterable[str]) -> bool:
        """Whether all of these groups are folded."""
        return self._layout.arrangement.folded.issuperset(names)

    @property
    def is_large(self) -> bool:
        """Whether the graph is large: it is folded at first, and laid out anew when the kind of groups changes."""
        picture = self._graph.picture
        return picture is not None and len(picture.facts.graph) > MOST_NODES

    def fold(self, names: Iterable[str]) -> None:
        """Show these groups as one node each."""
        self._fold(self._layout.arrangement.folded | frozenset(names))

    def unfold(self, names: Iterable[str]) -> None:
        """Show the tasks of these groups."""
        self._fold(self._layout.arrangement.folded - frozenset(names))

    def _fold(self, names: frozenset[str]) -> None:
        """Fold exactly these groups; the graph is laid out anew if many nodes come or go."""
        now = self._layout.arrangement
        other = now.folded ^ names
        moved = sum(len(group.numbers) for group in self._groups() if group.name in other)
        self._layout.fold(names, now.sections, anew=moved > MOST_NODES)

    def fold_by(self, way: FoldBy) -> None:
        """Fold every group or every section, or unfold everything."""
        {FoldBy.GROUP: self.fold_all, FoldBy.LEVEL: self.fold_by_levels, FoldBy.NOTHING: self.unfold_all}[way]()

    def fold_all(self) -> None:
        """Show every group as one node."""
        self._layout.fold(frozenset(self.outline_names), anew=self.is_large, first=self.is_large)

    def fold_by_levels(self) -> None:
        """Start to fold the graph into sections: tasks of nearby levels whose names begin alike."""
        self._layout.fold_by_levels()

    def unfold_all(self) -> None:
        """Show every task."""
        self._layout.fold(frozenset(), anew=self.is_large, first=self.is_large)

    def fold_group_of(self, number: int | None) -> bool:
        """Fold the group of a task, and scroll to it; False: it is in none, or folded."""
        name = self.group_at(number)
        if not name or self.is_folded(number):
            return False
        self._to_reveal = number
        self.fold([name])
        return True

    def unfold_group_of(self, number: int | None) -> bool:
        """Unfold the group of a task, and scroll to the task; False: it is in no folded group."""
        if not self.is_folded(number):
            return False
        self._to_reveal = number
        self.unfold([self.group_at(number)])
        return True

    # ---- what is to be seen of it

    def reveal_soon(self, number: int) -> None:
        """Scroll to a task, once the render model has it."""
        self._to_reveal = None
        if self._graph.picture is not None and self._graph.picture.row(number) is not None:
            self._graph.reveal_task(number)
        else:
            self._to_reveal = number

    def follow_picture(self, picture: GraphRenderModel) -> None:
        """Scroll to the awaited task, if it is in a render model, which the graph shows now."""
        wanted = self._to_reveal
        name = self.group_at(wanted)
        is_there = wanted is not None and picture.row(wanted) is not None
        is_folded = name in self._layout.arrangement.folded
        if wanted is not None and is_there and picture.is_hidden(wanted) == is_folded:
            self._to_reveal = None
            self._graph.reveal_task(wanted)
