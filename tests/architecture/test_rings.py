"""No modules of ours import each other in a ring, imports for types and in functions included."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

import networkx
from tests.sources import CONSOLE, ENGINE, Source, parsed

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping


def sources() -> dict[str, Source]:
    """Each module of the engine and the console by its name."""
    found = {}
    for folder in (ENGINE, CONSOLE):
        for path, source in parsed(folder).items():
            parts = path.relative_to(folder.parent).with_suffix("").parts
            found[".".join(parts).removesuffix(".__init__")] = source
    return found


def imported(source: Source, modules: Mapping[str, Source]) -> Iterator[str]:
    """The modules that a module imports, wherever the import stands."""
    for node in source.nodes:
        names: list[str] = []
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom) and node.module:
            names = [f"{node.module}.{alias.name}" for alias in node.names]
        for name in names:
            yield from [one for one in (name, name.rpartition(".")[0]) if one in modules][:1]


def rings(modules: Mapping[str, Source]) -> list[list[str]]:
    """The modules that import each other, directly or by others, in order of their names."""
    graph = networkx.DiGraph((name, other) for name, source in modules.items() for other in imported(source, modules))
    return sorted(sorted(ring) for ring in networkx.strongly_connected_components(graph) if len(ring) > 1)


def test_no_modules_form_a_ring() -> None:
    assert rings(sources()) == []


def test_a_ring_is_found_though_an_import_of_it_is_for_types_only() -> None:
    modules = {
        "p.a": Source("from p import b"),
        "p.b": Source("def late():\n    from p.c import C"),
        "p.c": Source("from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    import p.a\nclass C: ..."),
        "p.d": Source("from p.a import x\nimport p.c"),
    }
    assert rings(modules) == [["p.a", "p.b", "p.c"]]
    assert rings(modules | {"p.c": Source("class C: ...")}) == []
