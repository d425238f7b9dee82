"""The child process that parses DOT text with pydot, which may take any time and memory for text made to that end.

It reads the text from its input and writes one JSON object: `graphs` with names as they stand in the text, quotes and
all; or `line`, `column` where it is no DOT; or `failed` with a reason. Imports the standard library and pydot only and
is run by its path, not as a module of the package, which would take longer to import than most graphs take to parse.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator, Mapping
from typing import Any, Final

MOST_MEMORY: Final = 2 * 1024**3
MOST_EDGES: Final = 500_000
_FROZEN: Final = "--starloom-child"
"""How a packaged program, which is no interpreter, runs this file: `packaging/frozen_entry.py`."""
_DEFAULTS: Final = frozenset({"node", "edge", "graph"})


class TooManyEdgesError(Exception):
    """Groups at both ends of an arrow make more edges than the text has letters."""


def command_line() -> tuple[str, ...]:
    """What starts the child; -P keeps the folder of this file out of the places where modules are looked for."""
    if getattr(sys, "frozen", False):
        return (sys.executable, _FROZEN, __file__)
    return (sys.executable, "-P", "-X", "utf8", "-W", "ignore", __file__)


def main() -> int:
    """Answer one text; the exit code is 0 whenever there is an answer."""
    _limit_memory()
    text = sys.stdin.buffer.read().decode("utf-8")
    try:
        answer = parsed(text)
    except RecursionError:
        answer = {"failed": "it nests too deeply"}
    except MemoryError:
        answer = {"failed": f"it needs more than {MOST_MEMORY // 1024**3} GB of memory"}
    except TooManyEdgesError:
        answer = {"failed": f"it has more than {MOST_EDGES:,} edges"}
    sys.stdout.buffer.write(json.dumps(answer).encode())
    return 0


def parsed(text: str) -> dict[str, Any]:
    """The graphs of a DOT text, or where it stops being one."""
    import pyparsing

    # Without a cache the grammar takes twice the time for each level of braces.
    pyparsing.ParserElement.enable_packrat(128)
    from pydot.dot_parser import GraphParser

    try:
        found = GraphParser.parser.parse_string(text, parse_all=True)
    except pyparsing.ParseBaseException as error:
        return {"line": error.lineno, "column": error.column}
    return {"graphs": [_graph(graph.obj_dict) for graph in found]}


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
            if len(edges) + len(ends[0]) * len(ends[1]) > MOST_EDGES:
                raise TooManyEdgesError
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


def _limit_memory() -> None:
    if sys.platform != "win32":  # Windows has no such limit for a process about itself; the time limit is all there is
        import resource

        _soft, hard = resource.getrlimit(resource.RLIMIT_AS)
        limit = MOST_MEMORY if hard == resource.RLIM_INFINITY else min(MOST_MEMORY, hard)
        try:
            resource.setrlimit(resource.RLIMIT_AS, (limit, hard))
        except (OSError, ValueError):  # macOS may refuse
            return


if __name__ == "__main__":
    raise SystemExit(main())
