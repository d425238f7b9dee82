"""Wrapping of a graph that is far longer than wide: parts stand on a page as lines of a text or columns do."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Final, NamedTuple

from starloom.reporting.blocks import Box, GraphGeometry

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

Point = tuple[float, float]
_BESIDE: Final = (40.0, 16.0)
"""Pixels between tasks, to the right and down, as a layout leaves them."""
_GAP: Final = 56.0
"""Pixels between two parts."""
_SPARE: Final = 1.15
"""How much wider a page is than what stands on it would need without gaps."""


class _Part(NamedTuple):
    """Tasks that stay together, and the rectangle they stood in."""

    tasks: list[int]
    box: Box


def bounds_of(boxes: Sequence[Box]) -> Box:
    """The bounding box of all boxes: left, top, right and bottom."""
    return (
        min(box[0] for box in boxes),
        min(box[1] for box in boxes),
        max(box[0] + box[2] for box in boxes),
        max(box[1] + box[3] for box in boxes),
    )


def pressed(arrangement: GraphGeometry, by: float) -> GraphGeometry:
    """The boxes with all heights multiplied by a factor, for tasks that need one line of text only."""
    boxes = [(x, y * by, wide, high * by) for x, y, wide, high in arrangement.boxes]
    return GraphGeometry(boxes, [[(x, y * by) for x, y in route] for route in arrangement.routes], arrangement.cut)


def wrapped(arrangement: GraphGeometry, edges: Sequence[tuple[int, int]], aspect: float) -> GraphGeometry:
    """The tasks in parts that fill a page; a part is a component of the graph, or a piece of a large one.

    Args:
        arrangement: where they stand; at least one.
        edges: the places of parent and child of each dependency.
        aspect: width over height of the page.
    """
    boxes = arrangement.boxes
    room = sum((wide + _BESIDE[0]) * (high + _BESIDE[1]) for _, _, wide, high in boxes)
    width = max(_SPARE * math.sqrt(room * aspect), max(box[2] for box in boxes))
    whole = [_part(tasks, boxes) for tasks in _components(len(boxes), edges)]
    whole.sort(key=lambda part: part.box[1] - part.box[3])  # the highest first
    parts = [piece for part in whole for piece in _cut(part, boxes, width, width / aspect)]
    moves = _packed(parts, width)
    of = {task: number for number, part in enumerate(parts) for task in part.tasks}
    moved: list[Box] = []
    for task, (x, y, wide, high) in enumerate(boxes):
        across, down = moves[of[task]]
        moved.append((x + across, y + down, wide, high))
    routes: list[Sequence[Point]] = []
    cut: set[int] = set()
    for place, ((parent, child), route) in enumerate(zip(edges, arrangement.routes, strict=True)):
        if of[parent] == of[child]:
            across, down = moves[of[parent]]
            routes.append([(x + across, y + down) for x, y in route])
        else:
            cut.add(place)
            routes.append(link(moved[parent], moved[child]))
    return GraphGeometry(moved, routes, frozenset(cut))


def link(parent: Box, child: Box) -> list[Point]:
    """A right-angled line from one task to another, as the control points of Bézier curves."""
    x1, y1 = parent[0] + parent[2], parent[1] + parent[3] / 2
    x2, y2 = child[0], child[1] + child[3] / 2
    out, into = x1 + _BESIDE[0] / 2, x2 - _BESIDE[0] / 2
    if x2 >= x1 + _BESIDE[0] / 2:
        corners = [(into, y1), (into, y2)]
    else:
        between = (y1 + y2) / 2 if abs(y2 - y1) < 2 * _GAP else y2 - child[3] / 2 - _BESIDE[1] / 2
        corners = [(out, y1), (out, between), (into, between), (into, y2)]
    points = [(x1, y1)]
    for corner in [*corners, (x2, y2)]:
        points += [points[-1], corner, corner]
    return points


def _components(many: int, edges: Sequence[tuple[int, int]]) -> Iterator[list[int]]:
    """The tasks that hang together by dependencies, in the order of the first of each."""
    beside: list[list[int]] = [[] for _ in range(many)]
    for parent, child in edges:
        beside[parent].append(child)
        beside[child].append(parent)
    seen = [False] * many
    for first in range(many):
        if seen[first]:
            continue
        seen[first] = True
        found = [first]
        for one in found:  # it grows meanwhile
            for other in beside[one]:
                if not seen[other]:
                    seen[other] = True
                    found.append(other)
        yield found


def _part(tasks: list[int], boxes: Sequence[Box]) -> _Part:
    return _Part(tasks, bounds_of([boxes[task] for task in tasks]))


def _cut(part: _Part, boxes: Sequence[Box], width: float, height: float) -> Iterator[_Part]:
    """A part in pieces that are no wider and no higher than a page, in the order in which they are read."""
    for column in _pieces(part, boxes, 0, width):
        yield from _pieces(column, boxes, 1, height)


def _pieces(part: _Part, boxes: Sequence[Box], way: int, most: float) -> Iterator[_Part]:
    """Pieces of a part along one way: 0 for across, 1 for down."""
    begin, length = part.box[way], part.box[way + 2] - part.box[way]
    many = math.ceil(length / (1.1 * most))
    if many < 2:
        yield part
        return
    pieces: list[list[int]] = [[] for _ in range(many)]
    for task in part.tasks:
        middle = boxes[task][way] + boxes[task][way + 2] / 2
        pieces[min(many - 1, int((middle - begin) / length * many))].append(task)
    yield from (_part(tasks, boxes) for tasks in pieces if tasks)


def _packed(parts: Sequence[_Part], width: float) -> list[Point]:
    """The distance each part moves, so that they form rows on a page of that width."""
    moves: list[Point] = []
    across, down, lowest = 0.0, 0.0, 0.0
    for part in parts:
        left, top, right, bottom = part.box
        if across and across + right - left > 1.1 * width:
            across, down = 0.0, lowest + _GAP
        moves.append((across - left, down - top))
        across += right - left + _GAP
        lowest = max(lowest, down + bottom - top)
    return moves
