"""The layout of a graph, cold or warm: the public entry point of this package."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

from starloom.layout.board import LayoutState
from starloom.layout.cold import Placed, place_all
from starloom.layout.frame import box_sizes, proportion, rank_lines, turned
from starloom.layout.layers import layers
from starloom.layout.passages import led_through, thicknesses
from starloom.layout.routes import routes
from starloom.layout.values import Bends, Direction, Layout, LayoutStopped, Routes, Spacing
from starloom.layout.warm import give_way, go_on, nearest_lines, reaching

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from starloom.layout.layers import Layers
    from starloom.layout.values import BoolArray, FloatArray, IntArray, LayoutGraph, Point

WANTED_PROPORTION: Final = 1.6
"""Width over height of a picture that is easily looked at."""
DEFAULT_SPACING: Final = Spacing()


def never() -> bool:
    """False: the default of `should_stop`."""
    return False


def layout(
    graph: LayoutGraph,
    *,
    direction: Direction = Direction.RIGHT,
    sizes: Mapping[int, tuple[float, float]] | None = None,
    spacing: Spacing = DEFAULT_SPACING,
    previous: Layout | None = None,
    pinned: Mapping[int, Point] | None = None,
    should_stop: Callable[[], bool] = never,
) -> Layout:
    """The positions of a graph's nodes and the routes of its edges; deterministic.

    No boxes overlap but those of pinned nodes with each other, and every edge points forward unless one of its ends is
    or was pinned. With a layout before, every node of that one stays where it is, unless the rank it stands in has to
    make room for a new node, or it has to come after a parent, or a pinned or grown node covers it. Removing nodes or
    edges moves nothing. Edges pass between the boxes of the ranks on their way, but for those there is no room for in a
    very tangled graph, and those of pinned nodes that lead back.

    Args:
        graph: what is laid out.
        direction: where dependencies point; with another one than before everything is laid out anew, as it is
            when nothing of what was there is left.
        sizes: width and height of nodes, by number; the others have the usual one.
        spacing: the distances to keep.
        previous: the layout to go on from; None: from nothing.
        pinned: where the user has put nodes, by number; numbers that are not in the graph are ignored.
        should_stop: asked between steps, many times a second, e.g. `threading.Event().is_set`; once it has said yes it
            should say so again.

    Raises:
        LayoutStopped: `should_stop` said yes.
        ValueError: the graph has a cycle.
    """
    size = np.array(turned(box_sizes(graph, sizes, spacing), direction))
    pins = _pins(graph, pinned or {}, direction)
    if not len(graph):
        return _drawn(graph, direction, _empty_board(spacing), (np.empty(0, dtype=np.int64), np.empty(0)))
    ratio = proportion(spacing.size, spacing, direction, WANTED_PROPORTION)
    if previous is not None and _goes_on(graph, previous, direction):
        board, front = go_on(graph, size, spacing, ratio, previous, pins, should_stop)
        known = previous.bends.keys(front), previous.bends.across
    else:
        board, placed = _from_nothing(graph, size, spacing, ratio, pins, should_stop)
        bends = _bends(graph, placed.layers, placed.across[len(graph) :])
        known = bends.keys(), bends.across
    if should_stop():
        raise LayoutStopped
    board.lines = board.lines[: int(board.rank.max()) + 1]
    return _drawn(graph, direction, board, known)


def _goes_on(graph: LayoutGraph, previous: Layout, direction: Direction) -> bool:
    return previous.direction is direction and bool(np.isin(graph.numbers, previous.graph.numbers).any())


def _empty_board(spacing: Spacing) -> LayoutState:
    pairs, flags = np.empty((0, 2)), np.empty(0, dtype=np.bool_)
    return LayoutState(pairs, pairs, np.empty(0, dtype=np.int64), flags, flags, flags, np.empty(0), spacing)


def _pins(graph: LayoutGraph, pinned: Mapping[int, Point], direction: Direction) -> tuple[IntArray, FloatArray]:
    """The rows that are pinned, and where they are along and across."""
    row = {number: row for row, number in enumerate(graph.numbers.tolist()) if number in pinned}
    points = np.asarray([pinned[number] for number in row], dtype=np.float64).reshape(-1, 2)
    return np.asarray(list(row.values()), dtype=np.int64), np.array(turned(points, direction))


def _from_nothing(
    graph: LayoutGraph,
    size: FloatArray,
    spacing: Spacing,
    ratio: float,
    pins: tuple[IntArray, FloatArray],
    should_stop: Callable[[], bool],
) -> tuple[LayoutState, Placed]:
    placed = place_all(graph, size, spacing, ratio, should_stop)
    lines = rank_lines(size[:, 0], placed.ranks, spacing.rank_gap)
    middle = np.column_stack([lines[placed.ranks], placed.across[: len(graph)]])
    rows, points = pins
    pinned = np.zeros(len(graph), dtype=np.bool_)
    pinned[rows] = True
    stands, touched = np.ones(len(graph), dtype=np.bool_), pinned.copy()
    board = LayoutState(middle, size, placed.ranks.copy(), pinned, stands, touched, lines, spacing)
    if len(rows):
        shift = np.floor(np.median(points - middle[rows], axis=0))  # the rest comes to where the user has put some
        board.middle, board.lines = middle + shift, lines + shift[0]
        placed = Placed(placed.layers, placed.ranks, placed.across + shift[1])
        board.middle[rows] = points
        board.lines = reaching(board.lines, points[:, 0], size, spacing)
        board.rank[rows] = nearest_lines(board.lines, points[:, 0])
        give_way(board, rows, should_stop)
    return board, placed


def _bends(graph: LayoutGraph, layered: Layers, across: FloatArray) -> Bends:
    passages = slice(layered.nodes, None)
    return Bends(graph.numbers[layered.owner[passages]], layered.outgoing[passages], layered.rank[passages], across)


def _drawn(graph: LayoutGraph, direction: Direction, board: LayoutState, known: tuple[IntArray, FloatArray]) -> Layout:
    """The layout of boxes that all stand: edges are led between them."""
    layered = layers(graph.edges, board.rank)
    unknown = _bends(graph, layered, np.full(len(layered) - layered.nodes, np.nan))
    across = led_through(board, layered, _where_known(unknown, known, layered, board.touched))
    bends = _bends(graph, layered, across)
    thickness = thicknesses(board)
    via = layered.via - np.where(layered.via[:, 1:] > 0, (layered.nodes, 0), 0)
    passage = np.column_stack([board.lines[bends.rank], across])
    found = routes(graph.edges, board.middle, board.size, via, passage, thickness[bends.rank])
    return Layout(
        graph=graph,
        direction=direction,
        spacing=board.spacing,
        positions=np.array(turned(board.middle, direction)),
        sizes=np.array(turned(board.size, direction)),
        ranks=board.rank,
        order=_orders(board),
        pinned=board.pinned,
        routes=Routes(np.array(turned(found.points, direction)), found.starts),
        lines=board.lines,
        bends=bends,
    )


def _where_known(bends: Bends, known: tuple[IntArray, FloatArray], layered: Layers, touched: BoolArray) -> FloatArray:
    """The earlier position of each passage; NaN where there is none, or its owner has moved since."""
    keys, known_across = known
    order = np.argsort(keys)
    at = np.searchsorted(keys[order], bends.keys())
    at = order[np.minimum(at, len(keys) - 1)] if len(keys) else np.zeros(len(bends.owner), dtype=np.int64)
    is_known = keys[at] == bends.keys() if len(keys) else np.zeros(len(at), dtype=np.bool_)
    across = np.full(len(at), np.nan)
    across[is_known] = known_across[at[is_known]]
    return np.where(touched[layered.owner[layered.nodes :]], np.nan, across)


def _orders(board: LayoutState) -> IntArray:
    """The place of each row in its rank, by position."""
    by_place = np.lexsort((board.middle[:, 1], board.rank))
    first = np.searchsorted(board.rank[by_place], np.arange(len(board.lines)))
    order = np.empty(len(by_place), dtype=np.int64)
    order[by_place] = np.arange(len(by_place)) - first[board.rank[by_place]]
    return order
