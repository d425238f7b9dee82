"""The order of the vertices within each rank, so that few segments cross.

Several first orders are tried, each improved by barycentre sweeps and then by swapping neighbours; the one with the
fewest crossings is taken. Everything works on vertices numbered by rank, so that each rank is a slice.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

from starloom.layout.neighbours import Followers
from starloom.layout.switching import switch

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from starloom.layout.ranked import Ranked
    from starloom.layout.values import FloatArray, IntArray


_TIE: Final = 1e-9
"""So much counts the old place where means are equal: less than any difference between means that could matter."""
_SMALL: Final = 300
"""Up to so many vertices everything is tried that might help."""
_LARGE: Final = 4_000
"""Beyond so many, only what helps most."""
_TRIES: Final = 5
"""First orders by chance for small graphs; with sixty, none of the graphs that were tried got better by two percent."""
_DIFFUSIONS: Final = 60
_SWEEPING: Final = 4_000.0
"""Microseconds that the sweeps down (or up) of one first order may take, roughly."""
_MOST_PAIRS: Final = 9
_LEAST_PAIRS: Final = 2
_SELDOM: Final = 3
"""In graphs that are not small, crossings are counted after every third pair of sweeps: counting costs more."""
_PATIENCE: Final = 4
"""Counts without any progress, after which sweeping ends."""
_SWITCHES: Final = 16
_FEW_SWITCHES: Final = 4


def places(ranked: Ranked, key: FloatArray) -> IntArray:
    """The places in their ranks of vertices sorted by a key, component by component; ties by number."""
    order = np.lexsort((key, ranked.part, ranked.rank))
    place = np.empty(len(order), dtype=np.int64)
    place[order] = np.arange(len(order)) - ranked.starts[ranked.rank[order]]
    return place


# ---- first orders


def spectral(ranked: Ranked, start: FloatArray, rounds: int) -> FloatArray:
    """A slow mode of diffusion along the segments: connected vertices get near values."""
    a, b = ranked.downward.T
    size = len(ranked)
    degree = np.maximum(1.0, np.bincount(a, minlength=size) + np.bincount(b, minlength=size))
    weight = np.bincount(ranked.part, degree)
    x = start.copy()
    for _ in range(rounds):
        x -= (np.bincount(ranked.part, x * degree) / weight)[ranked.part]
        x = 0.5 * x + 0.5 * (np.bincount(a, x[b], size) + np.bincount(b, x[a], size)) / degree
        x /= max(float(np.abs(x).max()), 1e-30)
    return x


def depth_first(ranked: Ranked, *, backwards: bool) -> FloatArray:
    """The order in which a search from the sources, or the sinks, visits vertices: draws trees without crossings."""
    size = len(ranked)
    pairs = ranked.upward[:, ::-1] if backwards else ranked.upward
    after = Followers(size, pairs[:, 0], pairs[:, 1])
    inner = np.zeros(size, dtype=np.bool_)
    inner[pairs[:, 1]] = True
    time = [0.0] * size
    seen = [False] * size
    clock = 0.0
    for root in np.flatnonzero(~inner).tolist():
        stack = [root]
        while stack:
            vertex = stack.pop()
            if seen[vertex]:
                continue
            seen[vertex] = True
            time[vertex] = clock
            clock += 1.0
            stack += after.of(vertex)[::-1]
    return np.asarray(time)


# ---- improving


def sweep(ranked: Ranked, place: IntArray, *, down: bool) -> IntArray:
    """Sort each rank by the mean place of its neighbours in the rank before, one rank after the other."""
    starts = ranked.starts
    size = np.maximum(1, np.diff(starts))
    share = (place + 0.5) / size[ranked.rank]
    pairs, bounds = (ranked.downward, ranked.downward_starts) if down else (ranked.upward, ranked.upward_starts)
    other, own = (pairs[:, 0], pairs[:, 1]) if down else (pairs[:, 1], pairs[:, 0])
    ranks = range(1, len(size)) if down else range(len(size) - 2, -1, -1)
    bound, begin = bounds.tolist(), starts.tolist()
    degree = np.bincount(own, minlength=len(ranked)).astype(np.float64)
    lonely = degree == 0
    degree[lonely] = 1.0
    local = own - starts[ranked.rank[own]]
    by_part = 2.0 * ranked.part  # no share is above 1: components never mix
    steps = np.arange(int(size.max(initial=0))) + 0.5
    for r in ranks:
        low, high = begin[r], begin[r + 1]
        if high - low < 2:
            continue
        a, b = bound[r], bound[r + 1]
        key = np.bincount(local[a:b], share[other[a:b]], high - low) / degree[low:high]
        key += np.where(lonely[low:high], share[low:high], 0.0) + by_part[low:high] + _TIE * place[low:high]
        sorted_share = steps[: high - low] / (high - low)
        share[low + key.argsort()] = sorted_share
    return places(ranked, share)


def best_order(ranked: Ranked, should_stop: Callable[[], bool]) -> IntArray:
    """The place of each vertex in its rank, with the fewest crossings found with an effort by size.

    Args:
        ranked: the vertices.
        should_stop: asked between sweeps; after a yes the best order so far is returned.
    """
    pairs, is_small = _pairs_of_sweeps(ranked), len(ranked) <= _SMALL
    best, least = np.zeros(len(ranked), dtype=np.int64), -1
    for key in _first_orders(ranked):
        place, count = _swept(ranked, places(ranked, key), pairs, should_stop)
        if is_small and count:
            place = switch(ranked, place, _SWITCHES, should_stop)
            count = ranked.crossings(place)
        if least < 0 or count < least:
            best, least = place, count
        if least == 0 or should_stop():
            return best
    if is_small:
        return best
    return switch(ranked, best, _SWITCHES if len(ranked) <= _LARGE else _FEW_SWITCHES, should_stop)


def _pairs_of_sweeps(ranked: Ranked) -> int:
    """The number of sweeps down and up of a first order: high where that costs next to nothing."""
    cost = 8.0 * (len(ranked.starts) - 1) + 0.1 * len(ranked)  # microseconds of one sweep, roughly
    return int(min(_MOST_PAIRS, max(_LEAST_PAIRS, _SWEEPING / cost)))


def _first_orders(ranked: Ranked) -> Iterator[FloatArray]:
    forwards = depth_first(ranked, backwards=False)
    yield depth_first(ranked, backwards=True)
    yield forwards
    yield spectral(ranked, forwards, _DIFFUSIONS)
    if len(ranked) <= _SMALL:
        chance = np.random.default_rng(0)  # the same every time
        for _ in range(_TRIES):
            yield chance.random(len(ranked))


def _swept(ranked: Ranked, place: IntArray, pairs: int, should_stop: Callable[[], bool]) -> tuple[IntArray, int]:
    """The best of the places met while sweeping, and its crossings."""
    best, least = place, ranked.crossings(place)
    idle = 0
    for pair in range(pairs):
        if least == 0 or idle == _PATIENCE or should_stop():
            break
        place = sweep(ranked, sweep(ranked, place, down=True), down=False)
        if len(ranked) > _SMALL and pair % _SELDOM != _SELDOM - 1 and pair != pairs - 1:
            continue
        count = ranked.crossings(place)
        idle += 1
        if count < least:
            best, least, idle = place, count, 0
    return best, least
