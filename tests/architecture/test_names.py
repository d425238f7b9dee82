"""A name means one thing: no two modules define a public class of the same name."""

from __future__ import annotations

import ast
from collections import defaultdict
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

ROOT = Path(__file__).parents[2]
SOURCE_ROOTS = ("engine", "gui", "resources")


def sources() -> dict[str, str]:
    """The text of each of our modules by its path."""
    files = (path for root in SOURCE_ROOTS for path in sorted((ROOT / root).rglob("*.py")))
    return {path.relative_to(ROOT).as_posix(): path.read_text(encoding="utf-8") for path in files}


def public_classes(node: ast.AST) -> Iterator[str]:
    """The names of the public classes of a module, of those too that lie in a class or behind a condition."""
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.ClassDef):
            if child.name.startswith("_"):
                continue
            yield child.name
        if not isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef):
            yield from public_classes(child)


def defined_again(texts: Mapping[str, str]) -> list[str]:
    """The names that several classes have, each with the modules that define them."""
    homes: dict[str, list[str]] = defaultdict(list)
    for module, text in texts.items():
        for name in public_classes(ast.parse(text)):
            homes[name].append(module)
    return [f"{name}: {', '.join(found)}" for name, found in sorted(homes.items()) if len(found) > 1]


def test_a_public_class_has_its_name_alone() -> None:
    assert defined_again(sources()) == []


def test_a_name_that_two_classes_have_is_found() -> None:
    nested = "class B:\n    class A: ...\nif B:\n    class C: ..."
    assert defined_again({"a.py": "class A: ...\nclass C: ...", "b.py": nested}) == ["A: a.py, b.py", "C: a.py, b.py"]
    assert defined_again({"a.py": "class A: ...\nclass A: ..."}) == ["A: a.py, a.py"]


def test_private_classes_and_those_of_a_function_may_be_called_alike() -> None:
    hidden = "class _A:\n    class B: ...\ndef f():\n    class A: ...\nasync def g():\n    class A: ..."
    assert defined_again({"a.py": "class A: ...\nclass _A: ...\nclass B: ...", "b.py": hidden}) == []
