"""A name means one thing: no two modules define a public class of the same name."""

from __future__ import annotations

import ast
from collections import defaultdict
from typing import TYPE_CHECKING

from tests.sources import CONSOLE, ENGINE, ROOT, Source, parsed, read

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping


def sources() -> dict[str, Source]:
    """Each of our modules by its path."""
    found = parsed(ENGINE) | parsed(CONSOLE) | dict(read(ROOT / "resources"))
    return {path.relative_to(ROOT).as_posix(): source for path, source in found.items()}


def public_classes(node: ast.AST) -> Iterator[str]:
    """The names of the public classes of a module, of those too that lie in a class or behind a condition."""
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.ClassDef):
            if child.name.startswith("_"):
                continue
            yield child.name
        if not isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef):
            yield from public_classes(child)


def defined_again(modules: Mapping[str, Source]) -> list[str]:
    """The names that several classes have, each with the modules that define them."""
    homes: dict[str, list[str]] = defaultdict(list)
    for module, source in modules.items():
        for name in public_classes(source.tree):
            homes[name].append(module)
    return [f"{name}: {', '.join(found)}" for name, found in sorted(homes.items()) if len(found) > 1]


def test_a_public_class_has_its_name_alone() -> None:
    assert defined_again(sources()) == []


def test_a_name_that_two_classes_have_is_found() -> None:
    nested = Source("class B:\n    class A: ...\nif B:\n    class C: ...")
    flat = Source("class A: ...\nclass C: ...")
    assert defined_again({"a.py": flat, "b.py": nested}) == ["A: a.py, b.py", "C: a.py, b.py"]
    assert defined_again({"a.py": Source("class A: ...\nclass A: ...")}) == ["A: a.py, a.py"]


def test_private_classes_and_those_of_a_function_may_be_called_alike() -> None:
    hidden = Source("class _A:\n    class B: ...\ndef f():\n    class A: ...\nasync def g():\n    class A: ...")
    seen = Source("class A: ...\nclass _A: ...\nclass B: ...")
    assert defined_again({"a.py": seen, "b.py": hidden}) == []
