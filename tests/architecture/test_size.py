"""Functions, classes and modules stay small, packages only export, and nothing is imported relatively."""

from __future__ import annotations

import ast
from collections import defaultdict
from typing import TYPE_CHECKING

import pytest
from tests.sources import CONSOLE, ENGINE, ROOT, Source, parsed, read

if TYPE_CHECKING:
    from collections.abc import Iterator

LONGEST_FUNCTION = 60
LONGEST_CLASS = 300
"""Lines below that of `class`, of a class that is not a test's."""
LONGEST_MODULE = 400
LONGEST_MODULE_EVER = 750

EXPORTING = ("__all__", "__version__", "_ROOMS", "_ROOM_OF")

LONG_MODULES: dict[str, str] = {}
"""Modules that may be longer than LONGEST_MODULE, each with the reason; none may pass LONGEST_MODULE_EVER."""


def sources() -> Iterator[tuple[str, Source]]:
    """Each of our modules by its path; those of the tests, which nobody else looks into, are not kept."""
    kept = parsed(ENGINE) | parsed(CONSOLE)
    for path, source in (*kept.items(), *read(ROOT / "resources", ROOT / "tests")):
        yield path.relative_to(ROOT).as_posix(), source


def problems_of_statements(name: str, source: Source) -> dict[str, list[str]]:
    """What is wrong with a module's functions, classes and imports."""
    found: dict[str, list[str]] = {"long function": [], "long class": [], "relative import": []}
    for node in source.nodes:
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            length = (node.end_lineno or node.lineno) - node.lineno + 1
            if length > LONGEST_FUNCTION:
                found["long function"].append(f"{name}:{node.lineno} {node.name} has {length} lines")
        elif isinstance(node, ast.ClassDef) and not name.startswith("tests/"):
            length = (node.end_lineno or node.lineno) - node.lineno
            if length > LONGEST_CLASS:
                found["long class"].append(f"{name}:{node.lineno} {node.name} has {length} lines")
        elif isinstance(node, ast.ImportFrom) and node.level > 0:
            found["relative import"].append(f"{name}:{node.lineno}")
    return found


def module_problem(name: str, text: str) -> str | None:
    length = len(text.splitlines())
    if length > LONGEST_MODULE_EVER:
        return f"{name} has {length} lines; {LONGEST_MODULE_EVER} are the most there may ever be"
    if length > LONGEST_MODULE and name not in LONG_MODULES:
        return f"{name} has {length} lines; split it, or give a reason in LONG_MODULES"
    return None


def more_than_exports(name: str, source: Source) -> list[str]:
    """The lines of a package's `__init__.py` that are neither docstring, import nor one of the names of exporting.

    The root exports lazily, by `__getattr__` and the table `_ROOMS`, so that importing one name does not load all.
    """
    return [f"{name}:{node.lineno}" for node in source.tree.body if not _is_export(node)]


def _is_export(node: ast.stmt) -> bool:
    if isinstance(node, ast.Import | ast.ImportFrom):
        return True
    if isinstance(node, ast.Expr):
        return isinstance(node.value, ast.Constant) and isinstance(node.value.value, str)
    if isinstance(node, ast.FunctionDef):
        return node.name in ("__getattr__", "__dir__")
    if isinstance(node, ast.If):
        return isinstance(node.test, ast.Name) and node.test.id == "TYPE_CHECKING" and all(map(_is_export, node.body))
    targets = node.targets if isinstance(node, ast.Assign) else [node.target] if isinstance(node, ast.AnnAssign) else []
    return bool(targets) and all(isinstance(t, ast.Name) and t.id in EXPORTING for t in targets)


@pytest.fixture(scope="module", name="problems")
def _problems() -> dict[str, list[str]]:
    """What is wrong in any of our modules."""
    found: dict[str, list[str]] = defaultdict(list)
    for name, source in sources():
        for kind, places in problems_of_statements(name, source).items():
            found[kind] += places
    return found


def test_functions_are_short(problems: dict[str, list[str]]) -> None:
    assert problems["long function"] == []


def test_classes_are_short(problems: dict[str, list[str]]) -> None:
    assert problems["long class"] == []


def test_modules_are_short() -> None:
    assert [problem for name, source in sources() if (problem := module_problem(name, source.text))] == []


def test_an_exception_goes_when_it_is_not_needed_any_more() -> None:
    texts = {name: source.text for name, source in sources() if name in LONG_MODULES}
    assert [name for name in LONG_MODULES if len(texts.get(name, "").splitlines()) <= LONGEST_MODULE] == []


def test_nothing_is_imported_relatively(problems: dict[str, list[str]]) -> None:
    assert problems["relative import"] == []


def test_packages_only_export() -> None:
    packages = {name: source for name, source in sources() if name.endswith("/__init__.py")}
    assert packages
    assert [place for name, source in packages.items() for place in more_than_exports(name, source)] == []


def test_every_room_of_the_engine_is_a_package() -> None:
    """Without an `__init__.py` the import contracts would not see what is in it."""
    folders = {path.parent for path in parsed(ENGINE)}
    assert [str(folder.relative_to(ROOT)) for folder in folders if not (folder / "__init__.py").exists()] == []


# ---- each rule can be broken


def test_a_long_function_is_found() -> None:
    body = "    pass\n" * LONGEST_FUNCTION

    def found(text: str) -> list[str]:
        return problems_of_statements("x.py", Source(text))["long function"]

    assert found(f"def f():\n{body}") == ["x.py:1 f has 61 lines"]
    assert found(f"class C:\n  async def f(self):\n{body}") == ["x.py:2 f has 61 lines"]
    assert found("def f():\n" + "    pass\n" * (LONGEST_FUNCTION - 1)) == []


def test_a_long_class_is_found_unless_it_is_a_tests() -> None:
    text = "class C:\n" + "    a = 1\n" * (LONGEST_CLASS + 1)
    assert problems_of_statements("x.py", Source(text))["long class"] == ["x.py:1 C has 301 lines"]
    assert problems_of_statements("tests/x.py", Source(text))["long class"] == []
    assert problems_of_statements("x.py", Source("class C:\n" + "    a = 1\n" * LONGEST_CLASS))["long class"] == []


def test_a_long_module_is_found_and_no_reason_allows_any_length(monkeypatch: pytest.MonkeyPatch) -> None:
    assert module_problem("x.py", "pass\n" * LONGEST_MODULE) is None
    assert "has 401 lines" in (module_problem("x.py", "pass\n" * 401) or "")
    monkeypatch.setitem(LONG_MODULES, "x.py", "a reason")
    assert module_problem("x.py", "pass\n" * 401) is None
    assert f"has {LONGEST_MODULE_EVER + 1} lines" in (
        module_problem("x.py", "pass\n" * (LONGEST_MODULE_EVER + 1)) or ""
    )


def test_a_relative_import_is_found() -> None:
    text = "import a\nfrom b import c\nfrom . import d\nfrom ..e import f\n"
    assert problems_of_statements("x.py", Source(text))["relative import"] == ["x.py:3", "x.py:4"]


def test_code_in_a_package_is_found() -> None:
    exports = '"""Doc."""\nfrom a import b\n__all__ = ["b"]\n__version__: str = "1"\n'
    assert more_than_exports("p/__init__.py", Source(exports)) == []
    assert more_than_exports("p/__init__.py", Source(exports + "limit = 3\ndef f(): ...\n")) == [
        "p/__init__.py:5",
        "p/__init__.py:6",
    ]
