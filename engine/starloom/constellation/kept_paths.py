"""The longest paths of a graph as they are kept with it: made when they are first asked for, then under edits."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from starloom.constellation.longest_paths import LongestPaths

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from starloom.model.task import Task


class NumberedGraph(Protocol):
    """The protocol of a graph by numbers."""

    children: list[Sequence[int]]
    parents: list[Sequence[int]]
    tasks: list[Task | None]


class KeptPaths:
    """Keeps the `LongestPaths` of one graph, and which of its tasks were edited since they were brought up to date."""

    __slots__ = ("_edited", "_paths")

    def __init__(self) -> None:
        self._paths: LongestPaths | None = None
        self._edited: set[int] = set()

    def of(self, graph: NumberedGraph) -> LongestPaths:
        """The longest paths of the graph as it is now; this takes long if `follow` says no."""
        paths = self._paths if self.follow(graph) else None
        if paths is None:
            paths = LongestPaths(graph.children, graph.parents, graph.tasks)
            self.keep(paths)
        return paths

    def follow(self, graph: NumberedGraph) -> bool:
        """Bring them up to date, if they are kept; False: they are not, or edits have changed too much for that."""
        if self._paths is None:
            return False
        edited, self._edited = self._edited, set()
        if edited and not self._paths.follow(graph.children, graph.parents, graph.tasks, edited):
            self._paths = None
        return self._paths is not None

    def keep(self, paths: LongestPaths) -> None:
        """Keep what was made of the graph as it is now, or of a copy of it."""
        self._paths, self._edited = paths, set()

    def note(self, number: int) -> None:
        """Note that a task was added or removed, or has other fields or parents."""
        if self._paths is not None:
            self._edited.add(number)

    def note_all(self, numbers: Iterable[int]) -> None:
        """Note many tasks likewise."""
        if self._paths is not None:
            self._edited.update(numbers)

    def forget(self) -> None:
        """Keep nothing, as the graph is another one."""
        self._paths, self._edited = None, set()
