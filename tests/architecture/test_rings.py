"""No modules of ours import each other in a ring, imports for types and in functions included."""

from __future__ import annotations

import ast
from pathlib import Path
from typing import TYPE_CHECKING

import networkx

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

ROOT = Path(__file__).parents[2]


def sources() -> dict[str, str]:
    """The text of each module of the engine and the console by its name."""
    found = {}
    for folder in (ROOT / "engine", ROOT / "gui"):
        for path in folder.rglob("*.py"):
            parts = path.relative_to(folder).with_suffix("").parts
            found[".".join(parts).removesuffix(".__init__")] = path.read_text(encoding="utf-8")
    return found


def imported(text: str, modules: Mapping[str, str]) -> Iterator[str]:
    """The modules that a module imports, wherever the import stands."""
    for node in ast.walk(ast.parse(text)):
        names: list[str] = []
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom) and node.module:
            names = [f"{node.module}.{alias.name}" for alias in node.names]
        for name in names:
            yield from [one for one in (name, name.rpartition(".")[0]) if one in modules][:1]


def rings(modules: Mapping[str, str]) -> list[list[str]]:
    """The modules that import each other, directly or by others, in order of their names."""
    graph = networkx.DiGraph((name, other) for name, text in modules.items() for other in imported(text, modules))
    return sorted(sorted(ring) for ring in networkx.strongly_connected_components(graph) if len(ring) > 1)


def test_no_modules_form_a_ring() -> None:
    assert rings(sources()) == []


def test_a_ring_is_found_though_an_import_of_it_is_for_types_only() -> None:
    modules = {
        "p.a": "from p import b",
        "p.b": "def late():\n    from p.c import C",
        "p.c": "from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    import p.a\nclass C: ...",
        "p.d": "from p.a import x\nimport p.c",
    }
    assert rings(modules) == [["p.a", "p.b", "p.c"]]
    assert rings(modules | {"p.c": "class C: ..."}) == []
