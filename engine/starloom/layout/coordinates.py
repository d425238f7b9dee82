"""The coordinate of each vertex across its rank, given the order: near its neighbours, straight, with distances.

Blocks are pulled towards the mean of what they are connected with, and then pushed apart again where they came too
close. The push is the middle of two solutions that are both right: the one in which everything gives way upwards and
the one in which everything gives way downwards.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

from starloom.layout.fences import GRID

if TYPE_CHECKING:
    from collections.abc import Callable

    from starloom.layout.fences import Fences
    from starloom.layout.ranked import Ranked
    from starloom.layout.values import FloatArray, IntArray

_PULL: Final = 0.7
"""How far a block goes to where it is pulled; all the way, two that pull each other would change sides for ever."""


def coordinates(
    ranked: Ranked,
    block: IntArray,
    fences: Fences,
    weight: FloatArray,
    rounds: int,
    should_stop: Callable[[], bool],
) -> FloatArray:
    """The coordinate of each vertex across its rank, on the grid, from 0; components lie over each other.

    The whole is hardly higher than it has to be.

    Args:
        ranked: the vertices.
        block: the block of each.
        fences: what keeps blocks apart.
        weight: (S,) how hard each downward segment pulls.
        rounds: how often all are pulled.
        should_stop: asked before each round; after a yes the last state is returned.
    """
    count = int(block.max(initial=-1)) + 1
    a, b = block[ranked.downward[:, 0]], block[ranked.downward[:, 1]]
    apart = a != b
    a, b, weight = a[apart], b[apart], weight[apart]
    pull = np.bincount(a, weight, count) + np.bincount(b, weight, count)
    top, bottom = fences.limits()
    y = (top + bottom) / 2
    for _ in range(rounds):
        if should_stop():
            break
        total = np.bincount(a, weight * y[b], count) + np.bincount(b, weight * y[a], count)
        wanted = np.where(pull > 0, total / np.maximum(pull, 1e-9), y)
        y = fences.kept(np.clip(y + _PULL * (wanted - y), top, bottom))
    return (GRID * np.floor(y / GRID + 0.5))[block]
