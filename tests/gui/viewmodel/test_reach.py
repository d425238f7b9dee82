"""What is before and behind tasks: the same as by the definition, and no chain is too long."""

from __future__ import annotations

import networkx as nx
from hypothesis import given
from hypothesis import strategies as st
from tests.driver import edge, task

from starloom.constellation.graph import Graph
from starloom_gui.viewmodel.reach import TaskScope, downstream, upstream, within

PAIRS = st.lists(st.tuples(st.integers(0, 11), st.integers(0, 11)), max_size=40)


def graph_of(count: int, pairs: set[tuple[int, int]]) -> Graph:
    made = Graph()
    for number in range(count):
        made.add_task(task(str(number)))
    made.connect([edge(str(parent), str(child)) for parent, child in sorted(pairs)])
    return made


@given(PAIRS, st.sets(st.integers(0, 11)))
def test_it_is_what_networkx_says_of_each_task(drawn: list[tuple[int, int]], numbers: set[int]) -> None:
    pairs = {(min(pair), max(pair)) for pair in drawn if pair[0] != pair[1]}
    graph, other = graph_of(12, pairs), nx.DiGraph(sorted(pairs))
    other.add_nodes_from(range(12))
    before = {one for number in numbers for one in nx.ancestors(other, number)}
    behind = {one for number in numbers for one in nx.descendants(other, number)}
    assert upstream(graph, numbers) == before
    assert downstream(graph, numbers) == behind
    assert within(graph, numbers, TaskScope.UPSTREAM) == before | numbers
    assert within(graph, numbers, TaskScope.DOWNSTREAM) == behind | numbers
    assert within(graph, numbers, TaskScope.THESE) == numbers


def test_a_chain_of_many_tasks_is_walked_to_its_end() -> None:
    count = 20_000
    graph = graph_of(count, {(number, number + 1) for number in range(count - 1)})
    assert upstream(graph, [count - 1]) == frozenset(range(count - 1))
    assert downstream(graph, [0]) == frozenset(range(1, count))
