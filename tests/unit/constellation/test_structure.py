"""Figures of a graph by networkx: parts, longest chain, width, and what a removal cuts off."""

from __future__ import annotations

import pytest
from tests.driver import plan

from starloom import CommandRefused
from starloom.constellation.graph import Graph
from starloom.constellation.structure import cut_off, graph_of, structure


def test_parts_longest_chain_and_width_of_a_graph() -> None:
    found = structure(plan([*"abcdefg"], ["a>b", "b>d", "a>c", "c>d", "d>e", "f>g"]).to_networkx())
    assert (found.tasks, found.dependencies, found.components, found.width) == (7, 6, (5, 2), 3)
    assert len(found.longest_chain) == 4
    assert (found.longest_chain[0], *found.longest_chain[2:]) == ("a", "d", "e")


def test_an_empty_graph_has_figures_too() -> None:
    found = structure(plan([]).to_networkx())
    assert (found.tasks, found.components, found.longest_chain, found.width) == (0, (), (), 0)


def test_a_constellations_graph_is_taken_without_what_was_removed() -> None:
    graph = Graph()
    made = plan([*"abc"], ["a>b", "b>c"])
    graph.adopt(made.tasks, made.index)
    graph.remove_task(1)
    assert set(graph_of(graph).nodes) == {"a", "c"}
    assert not graph_of(graph).edges


def test_a_removal_cuts_off_what_nothing_else_leads_to() -> None:
    graph = plan([*"abcdef"], ["a>b", "b>c", "c>d", "e>d", "d>f"]).to_networkx()
    assert cut_off(graph, ["b"]) == ("c",)
    assert cut_off(graph, ["d"]) == ("f",)
    assert cut_off(graph, ["a", "e"]) == ("b", "c", "d", "f")
    assert cut_off(graph, ["f"]) == ()
    assert cut_off(graph, []) == ()
    assert len(graph) == 6


def test_a_task_that_is_not_there_is_named() -> None:
    with pytest.raises(CommandRefused, match=r"no task 'buidl'.*'build'"):
        cut_off(plan(["build"]).to_networkx(), ["buidl"])
