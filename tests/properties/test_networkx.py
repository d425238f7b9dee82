"""Any plan survives networkx; what is called redundant is what networkx's transitive reduction leaves out."""

from __future__ import annotations

import networkx as nx
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.driver import plan
from tests.properties.test_formats import plans

from starloom import Plan
from starloom.constellation import redundancy
from starloom.constellation.graph import Graph
from starloom.constellation.redundancy import redundant_dependencies


@settings(max_examples=100, deadline=None)
@given(plans())
def test_any_plan_survives_networkx(some: Plan) -> None:
    assert Plan.from_networkx(some.to_networkx()) == some


@settings(max_examples=150, deadline=None)
@given(st.sets(st.tuples(st.integers(0, 13), st.integers(0, 13))), st.sampled_from([2, 3, 8192]), st.randoms())
def test_of_plain_dependencies_those_are_redundant_that_the_transitive_reduction_leaves_out(
    pairs, block, random
) -> None:
    ids = [f"t{n}" for n in range(14)]
    edges = [(f"t{parent}", f"t{child}") for parent, child in pairs if parent < child]
    random.shuffle(ids)
    made = plan(ids, [f"{parent}>{child}" for parent, child in edges])
    graph = Graph()
    graph.adopt(made.tasks, made.index)
    whole = redundancy._BLOCK
    redundancy._BLOCK = block  # type: ignore[misc]  # that the borders of blocks are none
    try:
        found = redundant_dependencies(graph, lambda _number: False)
    finally:
        redundancy._BLOCK = whole  # type: ignore[misc]
    kept = nx.transitive_reduction(made.to_networkx()).edges
    assert sorted(found) == sorted(set(edges) - set(kept))
