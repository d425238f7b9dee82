"""A topological order of a graph of numbers, kept under new edges by the algorithm of Pearce and Kelly (2006).

The order is a list of positions, by number: a parent's is below its child's. Neighbours are given as a list of
numbers for each number.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    Neighbours = Sequence[Sequence[int]]


class CycleError(Exception):
    """Adding the edge would close a cycle; `path` names it as numbers, closed on itself."""

    def __init__(self, path: list[int]) -> None:
        self.path = path
        super().__init__(path)


def sorted_positions(children: Neighbours, parents: Neighbours) -> list[int]:
    """The positions of all numbers; that of a number on a cycle is 0."""
    unmet = [len(of) for of in parents]
    order = [number for number, count in enumerate(unmet) if not count]
    for number in order:
        for child in children[number]:
            unmet[child] -= 1
            if not unmet[child]:
                order.append(child)
    position = [0] * len(unmet)
    for place, number in enumerate(order):
        position[number] = place
    return position


def moves(
    position: Sequence[int], children: Neighbours, parents: Neighbours, parent: int, child: int
) -> Iterable[tuple[int, int]]:
    """Which numbers have to move where so that the parent stands before the child; none but those between them do.

    Args:
        position: of each number at present.
        children: of each number, without the new edge.
        parents: of each number, likewise.
        parent: where the new edge begins.
        child: where it ends.

    Returns:
        Pairs of a number and its new position.

    Raises:
        CycleError: the edge would close a cycle.
    """
    low, high = position[child], position[parent]
    if parent == child:
        raise CycleError([parent, parent])
    if high < low:
        return ()
    after = _after(position, children, child, parent, high)
    before = _before(position, parents, parent, low)
    moved = sorted(before, key=position.__getitem__) + sorted(after, key=position.__getitem__)
    return zip(moved, sorted(position[number] for number in moved), strict=True)


def _after(position: Sequence[int], children: Neighbours, start: int, target: int, high: int) -> list[int]:
    """What follows `start` up to a position; finding the target there is the cycle."""
    came_from = {start: start}
    stack = [start]
    while stack:
        number = stack.pop()
        for child in children[number]:
            if child == target:
                came_from.setdefault(child, number)
                raise CycleError(_walk_back(came_from, start, target))
            if child not in came_from and position[child] < high:
                came_from[child] = number
                stack.append(child)
    return list(came_from)


def _before(position: Sequence[int], parents: Neighbours, start: int, low: int) -> list[int]:
    seen = {start}
    stack = [start]
    while stack:
        for parent in parents[stack.pop()]:
            if parent not in seen and position[parent] > low:
                seen.add(parent)
                stack.append(parent)
    return list(seen)


def _walk_back(came_from: dict[int, int], start: int, target: int) -> list[int]:
    """The closed path target → start → … → target that the new edge would complete."""
    path = [target]
    while path[-1] != start:
        path.append(came_from[path[-1]])
    return [target, *reversed(path)]
