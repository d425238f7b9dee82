"""A topological order of a graph of numbers that is kept under new edges.

It is a linked list whose members bear labels: a parent's is below its child's. Where a new edge goes against it, what
stands before the edge's parent and what stands behind its child is searched in turns, between the two; whichever search
ends first has found a set that moves to the other end of the edge (two-way search: Bender, Fineman, Gilbert, Tarjan
2016). Labels leave gaps; where one is used up, a few neighbours get others (Dietz and Sleator 1987).
"""

from __future__ import annotations

from itertools import cycle
from typing import TYPE_CHECKING, Any, Final

from starloom.pauses import Pause, no_pause, with_pauses

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    Neighbours = Sequence[Sequence[int]]
    Write = Callable[[list[int], int, int], None]
    """Sets an item of a list, in a way that its owner can undo."""

GAP: Final = 1 << 32
"""Between two labels at first: of a million numbers they are still exact as floats."""
_ENDS: Final = 0
_OVER: Final[Any] = object()


class CycleError(Exception):
    """Adding the edge would close a cycle; `path` names it as numbers, closed on itself."""

    def __init__(self, path: list[int]) -> None:
        self.path = path
        super().__init__(path)


class TopologicalOrder:
    """The order of all numbers of a graph.

    Links are kept by number + 1, as 0 stands for both ends of the list.

    Args:
        children: the numbers behind each number.
        parents: those before each number.
        pause: called while it is made; they must not change meanwhile.

    Attributes:
        labels: by number; a parent's is below its child's, and no two are equal.
    """

    __slots__ = ("_next", "_previous", "labels")

    def __init__(self, children: Neighbours, parents: Neighbours, pause: Pause = no_pause) -> None:
        line = _sorted(children, parents, pause)
        self.labels = [0] * len(line)
        self._next, self._previous = [_ENDS] * (len(line) + 1), [_ENDS] * (len(line) + 1)
        last = _ENDS
        for place, number in enumerate(with_pauses(line, pause)):
            self.labels[number] = place * GAP
            self._next[last], self._previous[number + 1] = number + 1, last
            last = number + 1
        self._next[last], self._previous[_ENDS] = _ENDS, last

    def copy(self) -> TopologicalOrder:
        """An equal order; changing one does not change the other."""
        twin = TopologicalOrder.__new__(TopologicalOrder)
        twin.labels, twin._next, twin._previous = list(self.labels), list(self._next), list(self._previous)
        return twin

    def append(self, write: Write) -> None:
        """Put the next number, which has no edges yet, in the last place."""
        last = self._previous[_ENDS]
        self.labels.append(self.labels[last - 1] + GAP if last else 0)
        self._next.append(_ENDS)
        self._previous.append(last)
        write(self._next, last, len(self.labels))
        write(self._previous, _ENDS, len(self.labels))

    def truncate(self, count: int) -> None:
        """Forget the numbers from `count` on, after all that was written since there were so many was undone."""
        del self.labels[count:], self._next[count + 1 :], self._previous[count + 1 :]

    def make_room(self, children: Neighbours, parents: Neighbours, parent: int, child: int, write: Write) -> None:
        """Reorder the ends of a new edge.

        Args:
            children: of each number, without the new edge.
            parents: of each number, likewise.
            parent: where the new edge begins.
            child: where it ends.
            write: changes the order.

        Raises:
            CycleError: the edge would close a cycle; nothing changed.
        """
        labels = self.labels
        if parent == child:
            raise CycleError([parent, parent])
        if labels[parent] < labels[child]:
            return
        before, behind = {parent: parent}, {child: child}
        searches = (
            (before, child, self._search(parents, parent, child, before)),
            (behind, parent, self._search(children, parent, child, behind)),
        )
        for found, target, search in cycle(searches):
            if next(search, _OVER) is _OVER:
                place = child + 1 if found is before else self._next[parent + 1]
                self._move(sorted(found, key=labels.__getitem__), place, write)
                return
            if target in found:
                path = _path(found, target)
                raise CycleError([parent, *(path if found is before else reversed(path))])

    def _search(self, neighbours: Neighbours, parent: int, child: int, found: dict[int, int]) -> Iterator[None]:
        """Find what lies between the two and can be reached from what was found, an edge a step.

        Args:
            neighbours: in one direction.
            parent: the end of the new edge that has the higher label.
            child: the other one.
            found: what was found, with the number it was reached from; grows.
        """
        labels = self.labels
        low, high = labels[child], labels[parent]
        stack = list(found)
        while stack:
            number = stack.pop()
            for other in neighbours[number]:
                if other not in found and low <= labels[other] <= high:
                    found[other] = number
                    stack.append(other)
                yield

    def _move(self, numbers: list[int], end: int, write: Write) -> None:
        """Move these numbers, in this order, directly before a link."""
        after, before = self._next, self._previous
        for number in numbers:
            write(after, before[number + 1], after[number + 1])
            write(before, after[number + 1], before[number + 1])
        first = last = before[end]
        for number in numbers:
            write(after, last, number + 1)
            write(before, number + 1, last)
            last = number + 1
        write(after, last, end)
        write(before, end, last)
        self._label(numbers, first, end, write)

    def _label(self, numbers: list[int], first: int, end: int, write: Write) -> None:
        """Label these numbers between two links.

        Where there are none left, so many that follow get others, too, that each has as much room as there are of them,
        squared: then a number is given another label a few times at most, on average.
        """
        labels = self.labels
        before_all = (labels[end - 1] if end else 0) - GAP * (len(numbers) + 1)
        low = labels[first - 1] if first else before_all
        least = 1
        while end and (step := (labels[end - 1] - low) // (len(numbers) + 1)) < least:
            numbers.append(end - 1)
            least = len(numbers) ** 2
            end = self._next[end]
        if not end:
            step = GAP
        for place, number in enumerate(numbers, 1):
            write(labels, number, low + place * step)


def _sorted(children: Neighbours, parents: Neighbours, pause: Pause) -> list[int]:
    """All numbers, each after its parents; those on a cycle, which only a damaged journal can tell of, come last."""
    unmet = [len(of) for of in parents]
    order = [number for number, count in enumerate(unmet) if not count]
    for number in with_pauses(order, pause):
        for child in children[number]:
            unmet[child] -= 1
            if not unmet[child]:
                order.append(child)
    return order if len(order) == len(unmet) else [*order, *sorted(set(range(len(unmet))).difference(order))]


def _path(came_from: dict[int, int], target: int) -> list[int]:
    """The way back from the target to where the search began."""
    path = [target]
    while came_from[path[-1]] != path[-1]:
        path.append(came_from[path[-1]])
    return path
