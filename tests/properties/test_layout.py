"""Laws of layouts over random graphs and random edits of them."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from starloom.layout import Direction, Layout, LayoutGraph, layout

if TYPE_CHECKING:
    from starloom.layout import Point

SEEDS = st.integers(0, 2**32)
DIRECTIONS = st.sampled_from(Direction)


class Sketch:
    """A random acyclic graph that can be edited; numbers are never given twice."""

    def __init__(self, seed: int, most: int = 40) -> None:
        self.draw = random.Random(seed)
        self.nodes: list[int] = []
        self.edges: set[tuple[int, int]] = set()
        self.height: dict[int, float] = {}  # an order that edges follow; new nodes come anywhere in it
        self.sizes: dict[int, tuple[float, float]] = {}
        self.pinned: dict[int, Point] = {}
        for _ in range(self.draw.randrange(1, most)):
            self.add()
        for _ in range(self.draw.randrange(2 * len(self.nodes))):
            self.connect()

    def add(self) -> int:
        number = max(self.height, default=-1) + self.draw.choice((1, 1, 1, 3))
        self.height[number] = self.draw.random()
        self.nodes.append(number)
        if self.draw.random() < 0.2:
            self.sizes[number] = (self.draw.choice((208.0, 120.0, 301.0)), self.draw.choice((72.0, 33.0)))
        return number

    def connect(self, node: int | None = None) -> None:
        a = self.draw.choice(self.nodes) if node is None else node
        b = self.draw.choice(self.nodes)
        if a != b:
            self.edges.add((a, b) if self.height[a] < self.height[b] else (b, a))

    def remove(self) -> None:
        gone = self.nodes.pop(self.draw.randrange(len(self.nodes)))
        self.edges = {edge for edge in self.edges if gone not in edge}

    def graph(self) -> LayoutGraph:
        numbers = sorted(self.nodes)
        row = {number: place for place, number in enumerate(numbers)}
        edges = [(row[a], row[b]) for a, b in sorted(self.edges)]
        return LayoutGraph(
            np.asarray(numbers, dtype=np.int64),
            tuple(f"t{number}" for number in numbers),
            np.asarray(edges, dtype=np.int64).reshape(-1, 2),
        )

    def laid_out(self, direction: Direction = Direction.RIGHT, previous: Layout | None = None) -> Layout:
        return layout(self.graph(), direction=direction, sizes=self.sizes, previous=previous, pinned=self.pinned)


def overlapping(found: Layout) -> list[tuple[int, int]]:
    """Numbers of boxes that overlap and are not both pinned."""
    apart = np.abs(found.positions[:, None] - found.positions[None])
    reach = (found.sizes[:, None] + found.sizes[None]) / 2
    both = found.pinned[:, None] & found.pinned[None]
    a, b = np.nonzero(np.triu((apart < reach).all(axis=2) & ~both, 1))
    return list(zip(found.graph.numbers[a].tolist(), found.graph.numbers[b].tolist(), strict=True))


def backward(found: Layout, ever_pinned: set[int]) -> list[tuple[int, int]]:
    """Edges whose child is not after its parent, though the user has moved neither."""
    axis = 0 if found.direction is Direction.RIGHT else 1
    numbers = found.graph.numbers
    return [
        (int(numbers[a]), int(numbers[b]))
        for a, b in found.graph.edges.tolist()
        if not {int(numbers[a]), int(numbers[b])} & ever_pinned
        and (found.ranks[a] >= found.ranks[b] or found.positions[a, axis] >= found.positions[b, axis])
    ]


def run_over(found: Layout) -> list[tuple[int, int]]:
    """Owner of a long edge and the box it passes over, where it passes a rank."""
    along, across = (0, 1) if found.direction is Direction.RIGHT else (1, 0)
    line = found.lines[found.bends.rank][:, None]
    hit = np.abs(found.positions[:, along] - line) < found.sizes[:, along] / 2
    hit &= np.abs(found.positions[:, across] - found.bends.across[:, None]) < found.sizes[:, across] / 2
    passage, row = np.nonzero(hit)
    return list(zip(found.bends.owner[passage].tolist(), found.graph.numbers[row].tolist(), strict=True))


def check(found: Layout, ever_pinned: set[int] | None = None) -> None:
    assert overlapping(found) == []
    assert backward(found, ever_pinned or set()) == []
    assert np.isfinite(found.positions).all()
    assert np.isfinite(found.routes.points).all()
    for edge, (parent, child) in enumerate(found.graph.edges.tolist()):
        points = found.routes.of(edge)
        assert len(points) % 3 == 1
        ahead = (0.5, 0.0) if found.direction is Direction.RIGHT else (0.0, 0.5)
        assert points[0].tolist() == (found.positions[parent] + found.sizes[parent] * ahead).tolist()
        assert points[-1].tolist() == (found.positions[child] - found.sizes[child] * ahead).tolist()
    assert run_over(found) == []
    places = sorted(zip(found.ranks.tolist(), found.order.tolist(), strict=True))
    assert len(set(places)) == len(places)


@given(seed=SEEDS, direction=DIRECTIONS)
def test_boxes_never_overlap_and_edges_point_forward(seed: int, direction: Direction) -> None:
    check(Sketch(seed).laid_out(direction))


def equal(a: Layout, b: Layout) -> bool:
    pairs = [(a.positions, b.positions), (a.ranks, b.ranks), (a.routes.points, b.routes.points), (a.lines, b.lines)]
    return all(np.array_equal(one, other) for one, other in pairs)


@given(seed=SEEDS, direction=DIRECTIONS)
def test_the_same_input_gives_the_same_layout(seed: int, direction: Direction) -> None:
    assert equal(Sketch(seed).laid_out(direction), Sketch(seed).laid_out(direction))


@given(seed=SEEDS, direction=DIRECTIONS)
def test_going_on_without_a_change_changes_nothing(seed: int, direction: Direction) -> None:
    sketch = Sketch(seed)
    before = sketch.laid_out(direction)
    assert equal(sketch.laid_out(direction, before), before)


@given(seed=SEEDS, direction=DIRECTIONS)
def test_pinned_nodes_stay_and_the_others_give_way(seed: int, direction: Direction) -> None:
    sketch = Sketch(seed)
    for number in sketch.draw.sample(sketch.nodes, min(3, len(sketch.nodes))):
        sketch.pinned[number] = sketch.draw.uniform(-300, 900), sketch.draw.uniform(-300, 900)
    cold = sketch.laid_out(direction)
    check(cold, set(sketch.pinned))
    warm = sketch.laid_out(direction, cold)
    assert equal(cold, warm)
    assert all(cold.position(number) == point for number, point in sketch.pinned.items())


@given(seed=SEEDS, direction=DIRECTIONS)
def test_removing_moves_nothing(seed: int, direction: Direction) -> None:
    sketch = Sketch(seed)
    before = sketch.laid_out(direction)
    if sketch.edges:
        sketch.edges.discard(sorted(sketch.edges)[0])
    if len(sketch.nodes) > 1:
        sketch.remove()
    after = sketch.laid_out(direction, before)
    check(after)
    assert all(after.position(number) == before.position(number) for number in sketch.nodes)


@given(seed=SEEDS, direction=DIRECTIONS)
def test_a_new_node_moves_nothing_outside_its_ranks(seed: int, direction: Direction) -> None:
    """With a child it may push that one and, where there is no slack, what follows; nothing else."""
    sketch = Sketch(seed)
    before = sketch.laid_out(direction)
    new = sketch.add()
    for _ in range(sketch.draw.randrange(4)):
        sketch.connect(new)
    after = sketch.laid_out(direction, before)
    check(after)
    pushed = {n for n in sketch.nodes if n != new and rank_moved(before, after, n)}
    must = set(needed_pushes(sketch, before, new))
    assert pushed <= must
    concerned = {int(after.ranks[after.row(n)]) for n in {new, *pushed}}
    for number in sketch.nodes:
        if number != new and int(after.ranks[after.row(number)]) not in concerned:
            assert after.position(number) == before.position(number)


def rank_moved(before: Layout, after: Layout, number: int) -> bool:
    axis = 0 if before.direction is Direction.RIGHT else 1
    return before.position(number)[axis] != after.position(number)[axis]


def needed_pushes(sketch: Sketch, before: Layout, new: int) -> list[int]:
    """What has to move for every edge to point forward, worked out node by node."""
    rank = {n: int(before.ranks[before.row(n)]) for n in sketch.nodes if n != new}
    parents = {n: [a for a, b in sketch.edges if b == n] for n in sketch.nodes}
    pushed = []
    for number in sorted(sketch.nodes, key=sketch.height.__getitem__):
        least = max((rank[p] + 1 for p in parents[number] if p in rank), default=None)
        if number == new:
            if least is not None:
                rank[new] = least
        elif least is not None and rank[number] < least:
            rank[number] = least
            pushed.append(number)
    return pushed


@given(seed=SEEDS, direction=DIRECTIONS)
@pytest.mark.timeout(300)
def test_the_laws_hold_over_any_edits(seed: int, direction: Direction) -> None:
    sketch = Sketch(seed, most=15)
    found = sketch.laid_out(direction)
    ever_pinned: set[int] = set()
    for _ in range(12):
        before, kept = found, set(sketch.nodes)
        kind = sketch.draw.random()
        if kind < 0.4:
            new = sketch.add()
            for _ in range(sketch.draw.randrange(3)):
                sketch.connect(new)
        elif kind < 0.6:
            sketch.connect()
        elif kind < 0.75 and len(sketch.nodes) > 1:
            sketch.remove()
        elif kind < 0.9:
            number = sketch.draw.choice(sketch.nodes)
            sketch.pinned[number] = sketch.draw.uniform(-300, 900), sketch.draw.uniform(-300, 900)
            ever_pinned.add(number)
        elif sketch.pinned:
            sketch.pinned.pop(min(sketch.pinned))
        else:
            sketch.sizes[sketch.draw.choice(sketch.nodes)] = (260.0, 110.0)
        found = sketch.laid_out(direction, before)
        check(found, ever_pinned)
        for number, point in sketch.pinned.items():
            if number in sketch.nodes:
                assert found.position(number) == point
        assert kept
