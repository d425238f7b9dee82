"""Crossings are counted rightly, and few are left: the fewest possible where that can be worked out."""

from __future__ import annotations

import itertools
import math
import random
from typing import TYPE_CHECKING

import networkx as nx
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.benchmarks.bench_makespan import recorded_plans, traces_folder

from starloom.constellation.graph import Graph
from starloom.layout import Layout, LayoutGraph, Routes, layout
from starloom.layout.measures import crossings, edge_length, line_crossings, quality
from starloom.layout.ranked import inversions
from starloom.testing import layered

if TYPE_CHECKING:
    from starloom.model.plan import Plan

TRACES = recorded_plans(traces_folder())


@given(st.lists(st.integers(0, 20), min_size=1, max_size=40))
def test_inversions_are_the_pairs_in_the_wrong_order(values: list[int]) -> None:
    expected = sum(a > b for a, b in itertools.combinations(values, 2))
    assert inversions(np.asarray(values, dtype=np.int64)) == expected


def of(pairs: list[tuple[str, str]]) -> Layout:
    ids = sorted(set(itertools.chain.from_iterable(pairs)))
    return layout(LayoutGraph.of_pairs(ids, pairs))


def bipartite(a: int, b: int) -> list[tuple[str, str]]:
    return [(f"a{i}", f"b{j}") for i in range(a) for j in range(b)]


@pytest.mark.parametrize(("a", "b"), [(1, 5), (2, 2), (2, 3), (3, 3), (4, 4), (5, 3)])
def test_a_complete_bipartite_graph_has_the_crossings_it_must_have(a: int, b: int) -> None:
    assert crossings(of(bipartite(a, b))) == math.comb(a, 2) * math.comb(b, 2)


def test_trees_have_none() -> None:
    out_tree = [(f"t{(i - 1) // 3:03}", f"t{i:03}") for i in range(1, 121)]
    random.Random(3).shuffle(out_tree)
    assert crossings(of(out_tree)) == 0
    assert crossings(of([(b, a) for a, b in out_tree])) == 0


def test_a_grid_has_none() -> None:
    names = [[f"{x}{y}" for y in range(6)] for x in range(6)]
    pairs = [(names[x][y], names[x + 1][y]) for x in range(5) for y in range(6)]
    pairs += [(names[x][y], names[x][y + 1]) for x in range(6) for y in range(5)]
    assert crossings(of(pairs)) == 0


def fewest(layers: list[list[str]], pairs: list[tuple[str, str]]) -> int:
    """The fewest crossings over all orders of all layers."""
    best = 1 << 30
    for orders in itertools.product(*(itertools.permutations(layer) for layer in layers)):
        place = {node: at for order in orders for at, node in enumerate(order)}
        rank = {node: r for r, order in enumerate(orders) for node in order}
        count = sum(
            rank[a] == rank[c] and (place[a] - place[c]) * (place[b] - place[d]) < 0
            for (a, b), (c, d) in itertools.combinations(pairs, 2)
        )
        best = min(best, count)
        if not best:
            break
    return best


@pytest.mark.parametrize("seed", range(6))
def test_little_graphs_have_the_fewest_crossings_there_can_be(seed: int) -> None:
    draw = random.Random(seed)
    layers = [[f"{r}{i}" for i in range(size)] for r, size in enumerate((3, 4, 3))]
    # Every node between two others: so no other ranks are possible than these.
    pairs = {(draw.choice(above), node) for above, layer in itertools.pairwise(layers) for node in layer}
    pairs |= {(node, draw.choice(below)) for layer, below in itertools.pairwise(layers) for node in layer}
    pairs |= {(draw.choice(layers[r]), draw.choice(layers[r + 1])) for r in (0, 1) for _ in range(3)}
    found = of(sorted(pairs))
    straight = line_crossings(found.positions[found.graph.edges].reshape(-1, 4))
    assert straight == fewest(layers, sorted(pairs))


# ---- the naive peer


def peer_lines(graph: nx.DiGraph) -> np.ndarray:
    for rank, nodes in enumerate(nx.topological_generations(graph)):
        for node in nodes:
            graph.nodes[node]["rank"] = rank
    position = nx.multipartite_layout(graph, subset_key="rank")
    return np.asarray([[*position[a], *position[b]] for a, b in graph.edges])


def test_random_layers_have_less_than_half_the_crossings_of_a_layout_without_order() -> None:
    plan = layered(30, 30)
    graph = Graph()
    graph.adopt(plan.tasks, plan.index)
    found = layout(LayoutGraph.of(graph))
    peer = nx.DiGraph([(d.parent, d.child) for d in plan.dependencies])
    ours = line_crossings(found.positions[found.graph.edges].reshape(-1, 4))
    assert ours < 0.5 * line_crossings(peer_lines(peer))


@pytest.mark.skipif(not TRACES, reason="the WfFormat traces are not on this machine")
@pytest.mark.parametrize("plan", [plan for _, plan, _ in TRACES], ids=[name for name, _, _ in TRACES])
def test_real_workflows_have_no_more_crossings_than_without_order(plan: Plan) -> None:
    graph = Graph()
    graph.adopt(plan.tasks, plan.index)
    found = layout(LayoutGraph.of(graph))
    peer = nx.DiGraph([(d.parent, d.child) for d in plan.dependencies])
    assert crossings(found) <= line_crossings(peer_lines(peer))


# ---- measures


def test_lines_that_touch_or_run_together_do_not_cross() -> None:
    cross, touching, same = [0, 0, 2, 2], [0, 2, 1, 1], [0, 0, 1, 1]
    assert line_crossings(np.asarray([cross, [0, 2, 2, 0]], dtype=np.float64)) == 1
    assert line_crossings(np.asarray([cross, touching], dtype=np.float64)) == 0
    assert line_crossings(np.asarray([cross, same], dtype=np.float64)) == 0
    assert line_crossings(np.empty((0, 4))) == 0


@given(st.lists(st.tuples(*[st.integers(0, 9)] * 4), max_size=12))
def test_line_crossings_are_those_of_all_pairs(lines: list[tuple[int, int, int, int]]) -> None:
    def side(line: tuple[int, ...], x: int, y: int) -> int:
        return (line[2] - line[0]) * (y - line[1]) - (line[3] - line[1]) * (x - line[0])

    def cross(a: tuple[int, ...], b: tuple[int, ...]) -> bool:
        return side(a, b[0], b[1]) * side(a, b[2], b[3]) < 0 and side(b, a[0], a[1]) * side(b, a[2], a[3]) < 0

    expected = sum(cross(a, b) for a, b in itertools.combinations(lines, 2))
    assert line_crossings(np.asarray(lines, dtype=np.float64).reshape(-1, 4)) == expected


def test_the_measures_of_two_tasks() -> None:
    found = of([("a", "b")])
    figures = quality(found)
    assert (figures.crossings, figures.edge_length, figures.area) == (0, 40.0, 424.0 * 64.0)
    assert figures.aspect == pytest.approx(424 / 64)
    assert figures.boxes == pytest.approx(2 * 192 / 424)
    assert quality(layout(LayoutGraph.of_pairs([], []))).area == 0
    assert edge_length(found) == 40.0


# ---- routes for painters


def test_curves_can_be_had_as_lines() -> None:
    curve = [(0.0, 0.0), (10.0, 0.0), (10.0, 20.0), (20.0, 20.0)]
    straight = [(0.0, 5.0), (1.0, 5.0), (2.0, 5.0), (3.0, 5.0)]
    routes = Routes(np.asarray([*curve, *straight]), np.asarray([0, 4, 8]))
    lines, edge = routes.flattened(pieces=4)
    assert edge.tolist() == [1, 0, 0, 0, 0]
    assert lines[0].tolist() == [0.0, 5.0, 3.0, 5.0]
    assert lines[1, :2].tolist() == [0.0, 0.0]
    assert lines[-1, 2:].tolist() == [20.0, 20.0]
    assert lines[3, :2].tolist() == [10.0, 10.0]
    assert (lines[1:-1, 2:] == lines[2:, :2]).all()


def test_knots_are_where_curves_meet() -> None:
    points = np.arange(22.0).reshape(11, 2)
    knots, starts = Routes(points, np.asarray([0, 4, 11])).knots()
    assert starts.tolist() == [0, 2, 5]
    assert knots[:, 0].tolist() == [0.0, 6.0, 8.0, 14.0, 20.0]
