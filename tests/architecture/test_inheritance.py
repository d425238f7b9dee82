"""Views are composed of parts: no long chains of classes, and no class that lies in several modules, one base each."""

from __future__ import annotations

import ast
from collections import defaultdict

import pytest
from tests.sources import CONSOLE, ENGINE, Source, parsed

LONGEST_CHAIN = 2
"""So many classes of our own may stand upon each other, the lowest of them upon Qt's."""


def modules() -> dict[str, Source]:
    """Each of our modules by its dotted name."""
    return {
        ".".join(path.relative_to(folder.parent).with_suffix("").parts): source
        for folder in (CONSOLE, ENGINE)
        for path, source in parsed(folder).items()
    }


def imported(source: Source) -> dict[str, str]:
    """What the names that a module imports from others are called there: `module:name`."""
    return {
        alias.asname or alias.name: f"{node.module}:{alias.name}"
        for node in source.nodes
        if isinstance(node, ast.ImportFrom) and node.module
        for alias in node.names
    }


def bases(sources: dict[str, Source]) -> dict[str, list[str]]:
    """Each of our classes with those of its bases that are ours, as `module:class`."""
    found: dict[str, list[str]] = {}
    for module, source in sources.items():
        known = imported(source)
        for node in source.nodes:
            if isinstance(node, ast.ClassDef):
                names = [_name(base) for base in node.bases]
                found[f"{module}:{node.name}"] = [known.get(name, f"{module}:{name}") for name in names if name]
    return {name: [base for base in of if base in found and base != name] for name, of in found.items()}


def _name(node: ast.expr) -> str:
    """The name of a base class, without what it is generic in; empty: it is none of ours."""
    node = node.value if isinstance(node, ast.Subscript) else node
    return node.id if isinstance(node, ast.Name) else ""


def chain(name: str, of: dict[str, list[str]]) -> list[str]:
    """A class and the longest line of our classes it stands upon."""
    return [name, *max((chain(base, of) for base in of[name]), key=len, default=[])]


def long_chains(sources: dict[str, Source], package: str) -> list[str]:
    """The chains of classes of a package that are too long; what it takes from another one does not count."""
    of = bases({module: source for module, source in sources.items() if module.startswith(package)})
    chains = [chain(name, of) for name in of]
    return [" > ".join(found) for found in chains if len(found) > LONGEST_CHAIN]


def continued(sources: dict[str, Source], package: str) -> list[str]:
    """The classes of a package that one other module only continues: it has the subclass, and nobody else uses them."""
    subclasses: dict[str, list[str]] = defaultdict(list)
    for name, of in bases(sources).items():
        for base in of:
            subclasses[base].append(name)
    users: dict[str, set[str]] = defaultdict(set)
    for module, source in sources.items():
        for name in imported(source).values():
            users[name].add(module)
    found = []
    for base, (one, *others) in subclasses.items():
        (home, class_name), module = base.split(":"), one.split(":")[0]
        if others or module == home or users[base] != {module} or not base.startswith(package):
            continue
        if _mentions(sources[module], class_name) == 1 and not _mentions(sources[home], class_name):
            found.append(f"{one} continues {base}")
    return found


def _mentions(source: Source, name: str) -> int:
    """How often a module speaks of a class, beside defining or importing it."""
    return sum(isinstance(node, ast.Name) and node.id == name for node in source.nodes)


def test_no_chain_of_the_consoles_classes_is_long() -> None:
    assert long_chains(modules(), "starloom_gui") == []


@pytest.mark.parametrize("package", ["starloom_gui", "starloom."], ids=["console", "engine"])
def test_no_module_only_continues_the_class_of_another_one(package: str) -> None:
    assert continued(modules(), package) == []


def planted(**texts: str) -> dict[str, Source]:
    return {name: Source(text) for name, text in texts.items()}


def test_a_long_chain_is_found_whatever_its_bases_are_called_where() -> None:
    found = long_chains(
        planted(
            a="class A(QWidget): ...",
            b="from a import A as Base\nclass B(Base): ...",
            c="from b import B\nclass C(Mixin, B[int]): ...\nclass D(B): ...\nclass E(QWidget): ...",
        ),
        "",
    )
    assert found == ["c:C > b:B > a:A", "c:D > b:B > a:A"]
    below = planted(engine="class A: ...\nclass B(A): ...", gui="from engine import B\nclass C(B): ...")
    assert not long_chains(below, "gui"), "two of them are another package's"


def test_a_module_that_only_continues_a_class_is_found() -> None:
    base = "class A: ..."
    assert continued(planted(a=base, b="from a import A\nclass B(A): ..."), "") == ["b:B continues a:A"]
    assert not continued(planted(a="class A: ...\nclass B(A): ..."), ""), "they are one module"
    assert not continued(planted(a=base, b="from a import A\nclass B(A): ...\nclass C(A): ..."), ""), "there are two"
    assert not continued(planted(a=base, b="from a import A\nclass B(A): ...", c="from a import A\nmade = A()"), "")
    assert not continued(planted(a=base, b="from a import A\nclass B(A): ...\ndef f(one: A) -> None: ..."), "")
    assert not continued(planted(a="class A: ...\nknown = A()", b="from a import A\nclass B(A): ..."), "")
