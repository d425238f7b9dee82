"""Routing of long edges through the ranks between their ends once all boxes are placed: stable where possible."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

from starloom.layout.board import nearest_free

if TYPE_CHECKING:
    from starloom.layout.board import LayoutState
    from starloom.layout.layers import Layers
    from starloom.layout.values import FloatArray, IntArray

_FAR: Final = 3.0
"""A passage goes at most so many rows out of its way in order not to run over another one."""


def led_through(board: LayoutState, layered: Layers, across: FloatArray) -> FloatArray:
    """The place of each passage across its rank, so that none runs over a box.

    Args:
        board: the boxes, all standing.
        layered: the passages, and their ranks as those of the board.
        across: (D,) where they were, or are wanted; NaN: straight on from where they come from.
    """
    across = across.copy()
    rank, owner = layered.rank[layered.nodes :], layered.owner[layered.nodes :]
    outgoing = layered.outgoing[layered.nodes :]
    thick = thicknesses(board)
    across[_run_over(board, rank, thick[rank], across)] = np.nan
    missing = np.flatnonzero(np.isnan(across))
    # From the owner outwards: the edges of a child are followed backwards.
    forwards, backwards = missing[outgoing[missing]], missing[~outgoing[missing]][::-1]
    for passage, step in [(p, -1) for p in forwards.tolist()] + [(p, 1) for p in backwards.tolist()]:
        before = passage + step
        same = 0 <= before < len(across) and owner[before] == owner[passage] and outgoing[before] == outgoing[passage]
        wanted = across[before] if same else board.middle[owner[passage], 1]
        others = across[(rank == rank[passage]) & ~np.isnan(across)]
        across[passage] = _way(board, int(rank[passage]), float(thick[rank[passage]]), float(wanted), others)
    return across


def thicknesses(board: LayoutState) -> FloatArray:
    """(R,) the thickness of each rank along, by its boxes; those placed by the user do not count."""
    thick = np.zeros(len(board.lines))
    mine = ~board.pinned
    np.maximum.at(thick, board.rank[mine], board.size[mine, 0])
    return np.where(thick > 0, thick, board.spacing.rank_gap)


def _run_over(board: LayoutState, rank: IntArray, thick: FloatArray, across: FloatArray) -> IntArray:
    """The passages that touch a box at its new place."""
    hit = np.zeros(len(rank), dtype=np.bool_)
    for row in np.flatnonzero(board.touched).tolist():
        near = np.abs(board.lines[rank] - board.middle[row, 0]) < (thick + board.size[row, 0]) / 2
        hit |= near & (np.abs(across - board.middle[row, 1]) < board.size[row, 1] / 2 + 1)
    return np.flatnonzero(hit)


def _way(board: LayoutState, rank: int, thick: float, wanted: float, others: FloatArray) -> float:
    """The nearest way through between the boxes of a rank, beside other edges if there is room."""
    near = board.beside(float(board.lines[rank]), thick)
    gap = min(board.spacing.edge_gap, board.spacing.row_gap / 2)
    reach = board.size[near, 1] / 2 + gap
    low, high = board.middle[near, 1] - reach, board.middle[near, 1] + reach
    free = nearest_free(low, high, wanted)
    alone = nearest_free(np.append(low, others - gap), np.append(high, others + gap), wanted)
    row = float(board.size[:, 1].mean()) + board.spacing.row_gap
    return alone if abs(alone - wanted) <= abs(free - wanted) + _FAR * row else free
