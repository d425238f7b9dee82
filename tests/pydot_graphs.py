"""DOT as pydot parses it: the reference for the reader of `starloom.formats` on small graphs."""

from __future__ import annotations

import re
import warnings
from collections.abc import Iterator, Mapping
from typing import Any, Final

_ID: Final = re.compile(r'"(?:[^"\\]|\\.)*+"|<.*>|[^:]*', re.DOTALL)
_DEFAULTS: Final = frozenset({"node", "edge", "graph"})


def parsed(text: str) -> list[dict[str, Any]] | None:
    """The graphs of a DOT text: names with quotes and ports, labels, and edges; None: pydot takes it for no DOT."""
    import pyparsing

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # pydot uses old names of pyparsing
        from pydot.dot_parser import GraphParser

        try:
            found = GraphParser.parser.parse_string(text, parse_all=True)
        except pyparsing.ParseBaseException:
            return None
    return [_graph(graph.obj_dict) for graph in found]


def without_port(raw: str) -> str:
    """The name of a node, quotes and all, without its port."""
    found = _ID.match(raw)
    return found[0] if found else raw


def _graph(value: Mapping[str, Any]) -> dict[str, Any]:
    nodes: dict[str, dict[str, Any]] = {}
    edges: list[tuple[str, str, dict[str, Any]]] = []
    for part in _parts(value):
        for name, found in part["nodes"].items():
            if name not in _DEFAULTS:
                attributes = nodes.setdefault(name, {})
                for node in found:
                    attributes.update(node["attributes"])
        for edge in _edges(part):
            ends = [_names(point) for point in edge["points"]]
            edges += [(parent, child, dict(edge["attributes"])) for parent in ends[0] for child in ends[1]]
    return {"name": value["name"], "type": value["type"], "nodes": nodes, "edges": edges}


def _parts(value: Mapping[str, Any]) -> Iterator[Mapping[str, Any]]:
    """A graph and every group in it, also those that stand at the end of an arrow."""
    yield value
    for found in value["subgraphs"].values():
        for inner in found:
            yield from _parts(inner)
    for edge in _edges(value):
        for point in edge["points"]:
            if isinstance(point, Mapping):
                yield from _parts(point)


def _edges(value: Mapping[str, Any]) -> Iterator[Mapping[str, Any]]:
    for found in value["edges"].values():
        yield from found


def _names(point: Any) -> list[str]:
    """The nodes at one end of an arrow: one, or all of a group."""
    if not isinstance(point, Mapping):
        return [str(point)]
    names: dict[str, None] = {}
    for part in _parts(point):
        names |= dict.fromkeys(name for name in part["nodes"] if name not in _DEFAULTS)
        for edge in _edges(part):
            names |= dict.fromkeys(end for end in edge["points"] if isinstance(end, str))
    return list(names)
