"""Warm layout: nodes of the previous layout stay, new ones are placed, and only those that must move."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np

from starloom.layout.board import LayoutState
from starloom.layout.cold import place_all
from starloom.layout.frame import turned
from starloom.layout.neighbours import Neighbours
from starloom.layout.packing import components
from starloom.layout.values import LayoutGraph

if TYPE_CHECKING:
    from collections.abc import Callable

    from starloom.layout.values import BoolArray, FloatArray, IntArray, Layout, Spacing

_FAR: Final = 4.0
"""A new node goes at most so many rows out of its way before others of its rank make room for it."""
_RANKS_ON: Final = 8
"""How many ranks further on a new node may stand when there is more room."""
_MOST_ADDED: Final = 64
"""So many ranks are added at most for what the user has put far behind: edges to it pass each of them."""
_NOWHERE: Final = 1 << 40
"""A rank beyond all others."""


@dataclass(frozen=True, slots=True, eq=False)
class LayoutChange:
    """The difference to the previous layout.

    Attributes:
        new: (N,) the rows that were not in it.
        fresh: (N,) those of them in components without any node that was: they make a layout of their own.
    """

    new: BoolArray
    fresh: BoolArray

    @classmethod
    def of(cls, graph: LayoutGraph, new: BoolArray, pinned: BoolArray) -> LayoutChange:
        """The difference by which rows are new; nodes placed by the user attract their component."""
        part = components(len(graph), graph.edges)
        is_known = np.zeros(int(part.max(initial=-1)) + 1, dtype=np.bool_)
        is_known[part[~new | pinned]] = True
        return cls(new, ~is_known[part])


def ranks_after(
    near: Neighbours, rank: IntArray, change: LayoutChange, pinned: BoolArray
) -> tuple[IntArray, list[int]]:
    """The rank of each row after an edit, and the last rank in which each new one may be placed.

    An old row's rank is only raised, and only when a parent would else not be before it; what the user has placed keeps
    its rank and obliges nobody but what is new. Ranks may be below 0: what is new in front of everything.

    Args:
        near: the neighbours in the graph as it is now.
        rank: (N,) the ranks of old rows; those of new ones don't matter, unless pinned.
        change: what is new.
        pinned: (N,) what the user has placed.
    """
    settled = (~change.new | pinned).tolist()
    is_pinned, now = pinned.tolist(), rank.tolist()
    latest = _latest(near, now, settled)
    for row in near.order:
        parents = near.parents(row)
        if not settled[row]:
            after = max((now[parent] + 1 for parent in parents), default=None)
            now[row] = after if after is not None else latest[row] if latest[row] < _NOWHERE else 0
        elif not is_pinned[row]:
            for parent in parents:
                if now[parent] >= now[row] and not is_pinned[parent]:
                    now[row] = now[parent] + 1
    return np.asarray(now, dtype=np.int64), latest


def _latest(near: Neighbours, rank: list[int], settled: list[bool]) -> list[int]:
    """The last rank in which each row is before all its children."""
    latest = [_NOWHERE] * len(rank)
    for row in reversed(near.order):
        for child in near.children(row):
            before = (rank[child] if settled[child] else latest[child]) - 1
            if before < latest[row]:
                latest[row] = before
    return [min(one, _NOWHERE) for one in latest]


def give_way(board: LayoutState, rows: IntArray, should_stop: Callable[[], bool]) -> None:
    """Move unpinned boxes under these boxes to the nearest free place of their rank."""
    for row in rows.tolist():
        for covered in board.covered_by(row).tolist():
            if should_stop():
                return
            gives_way = row if board.pinned[covered] else covered
            if not board.pinned[gives_way]:
                along, across = board.middle[gives_way].tolist()
                board.put(gives_way, along, board.room(gives_way, along, across))


def go_on(
    graph: LayoutGraph,
    size: FloatArray,
    spacing: Spacing,
    proportion: float,
    previous: Layout,
    pins: tuple[IntArray, FloatArray],
    should_stop: Callable[[], bool],
) -> tuple[LayoutState, int]:
    """The boxes of a graph that was laid out before, and how many ranks were added in front.

    Args:
        graph: the graph as it is now.
        size: (N, 2) the sizes of its boxes along and across.
        spacing: the distances to keep.
        proportion: ranks over rows that are wanted of what is laid out on its own.
        previous: the layout before; it has a node.
        pins: the rows that the user has placed, and where: along and across.
        should_stop: asked often; after a yes the board is good for nothing.

    Raises:
        LayoutStopped: it said yes while a new component was laid out.
        ValueError: the graph has a cycle.
    """
    board, new = _as_before(graph, size, spacing, previous, pins)
    change = LayoutChange.of(graph, new, board.pinned)
    near = Neighbours(graph)
    before = board.rank
    after, latest = ranks_after(near, before, change, board.pinned)
    after = np.where(change.fresh, 0, after)
    front = max(0, -int(after.min(initial=0)))
    board.rank = after + front
    _make_lines(board, front, int(board.rank.max(initial=0)) + _RANKS_ON)
    board.stands &= after == before
    give_way(board, np.flatnonzero(board.touched & board.stands), should_stop)
    turn = np.empty(len(graph), dtype=np.int64)
    turn[near.order] = np.arange(len(graph))
    rows = np.flatnonzero(~board.stands & ~change.fresh)
    rows = rows[np.lexsort((turn[rows], board.rank[rows]))]
    settle(board, near, rows.tolist(), [last + front for last in latest], new, should_stop)
    if change.fresh.any():
        _lay_out_apart(board, graph, np.flatnonzero(change.fresh), front, proportion, should_stop)
    return board, front


def _as_before(
    graph: LayoutGraph, size: FloatArray, spacing: Spacing, previous: Layout, pins: tuple[IntArray, FloatArray]
) -> tuple[LayoutState, BoolArray]:
    """The state with the old and the pinned positions, and whether each row is new."""
    at = np.minimum(np.searchsorted(previous.graph.numbers, graph.numbers), len(previous) - 1)
    new = previous.graph.numbers[at] != graph.numbers
    middle = np.where(new[:, None], 0.0, turned(previous.positions, previous.direction)[at])
    pinned = np.zeros(len(graph), dtype=np.bool_)
    rows, points = pins
    pinned[rows] = True
    moved = np.zeros(len(graph), dtype=np.bool_)
    moved[rows] = (middle[rows] != points).any(axis=1)
    middle[rows] = points
    resized = (turned(previous.sizes, previous.direction)[at] != size).any(axis=1)
    touched = moved | (resized & ~new) | (previous.pinned[at] & ~new & ~pinned)
    rank = np.where(new, 0, previous.ranks[at])
    lines = reaching(previous.lines, points[:, 0], size, spacing)
    anew = moved[rows] | new[rows]
    rank[rows[anew]] = nearest_lines(lines, points[anew, 0])
    return LayoutState(middle, size, rank, pinned, ~new | pinned, touched, lines, spacing), new


def nearest_lines(lines: FloatArray, along: FloatArray) -> IntArray:
    """The rank whose middle is nearest to each place."""
    if len(lines) < 2:
        return np.zeros(len(along), dtype=np.int64)
    return np.searchsorted((lines[1:] + lines[:-1]) / 2, along)


def _step(size: FloatArray, spacing: Spacing) -> float:
    """The distance between the middles of two ranks that are added."""
    return float(np.ceil((size[:, 0].max() if len(size) else spacing.size[0]) + spacing.rank_gap))


def reaching(lines: FloatArray, along: FloatArray, size: FloatArray, spacing: Spacing) -> FloatArray:
    """The middles of the ranks, and of more behind for what the user has put there, within reason."""
    step = _step(size, spacing)
    beyond = (float(along.max(initial=lines[-1])) - lines[-1]) / step - 0.5
    more = np.arange(1, min(_MOST_ADDED, int(np.ceil(beyond))) + 1)
    return np.concatenate([lines, lines[-1] + step * more])


def _make_lines(board: LayoutState, front: int, last: int) -> None:
    """Add ranks in front, and behind as far as needed; none that is there moves."""
    step = _step(board.size, board.spacing)
    before = board.lines[0] - step * np.arange(front, 0, -1)
    behind = board.lines[-1] + step * np.arange(1, max(0, last + 1 - len(board.lines) - front) + 1)
    board.lines = np.concatenate([before, board.lines, behind])


def _lay_out_apart(
    board: LayoutState,
    graph: LayoutGraph,
    rows: IntArray,
    front: int,
    proportion: float,
    should_stop: Callable[[], bool],
) -> None:
    """Lay out components that are all new below everything that stands."""
    local = np.full(len(graph), -1)
    local[rows] = np.arange(len(rows))
    inside = local[graph.edges[:, 0]] >= 0
    part = LayoutGraph(graph.numbers[rows], tuple(graph.ids[row] for row in rows.tolist()), local[graph.edges[inside]])
    placed = place_all(part, board.size[rows], board.spacing, proportion, should_stop)
    standing = np.flatnonzero(board.stands)
    below = float(np.ceil((board.middle[standing, 1] + board.size[standing, 1] / 2).max())) + board.spacing.part_gap
    board.rank[rows] = placed.ranks + front
    _make_lines(board, 0, int(board.rank[rows].max()))
    thin = float(board.size[rows, 0].max()) <= float(np.diff(board.lines).min(initial=np.inf))
    for row, across in zip(rows.tolist(), (below + placed.across[: len(rows)]).tolist(), strict=True):
        along = float(board.lines[board.rank[row]])
        board.put(row, along, across if thin else board.room(row, along, across))


def settle(
    board: LayoutState,
    near: Neighbours,
    rows: list[int],
    latest: list[int],
    may_choose: BoolArray,
    should_stop: Callable[[], bool],
) -> None:
    """Place each of these rows, in this order, near its neighbours.

    Args:
        board: what stands; these rows don't yet. A row that has its place across already is wanted near it.
        near: the neighbours of each row.
        rows: which.
        latest: the last rank in which each may stand.
        may_choose: (N,) whether a row is new: it may stand in a later rank than it has to.
        should_stop: asked before each.
    """
    for row in rows:
        if should_stop():
            return
        wanted = _wanted(board, near, row) if may_choose[row] else float(board.middle[row, 1])
        halfway = _halfway(board, near, row) if may_choose[row] else None
        if halfway is not None:
            board.put(row, halfway, board.room(row, halfway, wanted))
            continue
        pitch = float(board.size[row, 1]) + board.spacing.row_gap
        rank, across = _nearest(board, near, row, wanted, latest[row] if may_choose[row] else -1)
        board.rank[row] = rank
        along = float(board.lines[rank])
        is_far = abs(across - wanted) > _FAR * pitch
        if not (is_far and may_choose[row] and board.squeeze_in(row, along, wanted)):
            board.put(row, along, across)


def _halfway(board: LayoutState, near: Neighbours, row: int) -> float | None:
    """The place along between parents and children that leave no rank between them; None: there is a rank for the row.

    In the rank of a child it would stand behind its own arrow. Such a child was placed by the user; others are moved.
    One that was placed in front of the parents is led back to.
    """
    children = [one for one in near.children(row) if board.stands[one]]
    parents = [one for one in near.parents(row) if board.stands[one]]
    if not children or not parents or min(int(board.rank[one]) for one in children) > board.rank[row]:
        return None
    begin = max(float(board.middle[one, 0]) for one in parents)
    end = min(float(board.middle[one, 0]) for one in children)
    return float(np.floor((begin + end) / 2)) if begin < end else None


def _nearest(board: LayoutState, near: Neighbours, row: int, wanted: float, latest: int) -> tuple[int, float]:
    """The rank and the place in it that are the least way from where the row would best be."""
    first = _first_rank(board, near, row, latest) if latest >= 0 else int(board.rank[row])
    last = max(first, min(latest, first + _RANKS_ON, len(board.lines) - 1))
    if any(not board.stands[child] for child in near.children(row)):
        last = first  # where its children will stand was worked out from here
    best: tuple[float, int, float] | None = None
    for rank in range(first, last + 1):
        along = float(board.lines[rank])
        across = board.room(row, along, wanted)
        way = abs(across - wanted) + along - float(board.lines[first])
        if best is None or way < best[0]:
            best = way, rank, across
        if best[0] <= along - float(board.lines[first]):
            break
    assert best is not None
    return best[1], best[2]


def _first_rank(board: LayoutState, near: Neighbours, row: int, latest: int) -> int:
    """The first rank from a new row's own on that is clear of its parents; without parents, back clear of its children.

    Those count that stand beside the middle of their rank, where the user has put them.
    """
    first, lines, middle = int(board.rank[row]), board.lines, board.middle[:, 0]
    room = (float(board.size[row, 0]) + board.spacing.rank_gap / 2) / 2
    parents = [one for one in near.parents(row) if board.stands[one]]
    if parents:
        first = max(first, int(board.rank[parents].max()) + 1)
        beside = [one for one in parents if middle[one] != lines[board.rank[one]]]
        behind = max((float(middle[one] + board.size[one, 0] / 2) for one in beside), default=-np.inf)
        while first < min(latest, len(lines) - 1) and lines[first] - room < behind:
            first += 1
        return first
    beside = [one for one in near.children(row) if board.stands[one] and middle[one] != lines[board.rank[one]]]
    ahead = min((float(middle[one] - board.size[one, 0] / 2) for one in beside), default=np.inf)
    while first > 0 and lines[first] + room > ahead:
        first -= 1
    return first


def _wanted(board: LayoutState, near: Neighbours, row: int) -> float:
    """Midway between the middle of its parents and that of its children, as far as these stand."""
    sides = []
    for neighbours in (near.parents(row), near.children(row)):
        standing = [one for one in neighbours if board.stands[one]]
        if standing:
            sides.append(float(np.median(board.middle[standing, 1])))
    return sum(sides) / len(sides) if sides else 0.0
