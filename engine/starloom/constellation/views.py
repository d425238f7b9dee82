"""Pictures of a graph for others: a networkx view, so that its algorithms can be used outside the hot paths."""

from __future__ import annotations

from typing import TYPE_CHECKING

import networkx as nx

if TYPE_CHECKING:
    from starloom.constellation.graph import Graph


def to_networkx(graph: Graph) -> nx.DiGraph:
    """A copy as a networkx graph: nodes are task ids with `task`, edges have `dependency`."""
    picture = nx.DiGraph()
    picture.add_nodes_from((task.id, {"task": task}) for _, task in graph.present())
    picture.add_edges_from((d.parent, d.child, {"dependency": d}) for d in graph.dependencies())
    return picture
