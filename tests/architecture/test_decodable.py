"""Every type that is decoded is made ready under one lock: `starloom.decodable` says why."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

import pytest
from tests.sources import CONSOLE, ENGINE, ROOT, parsed

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

DOOR = ENGINE / "decodable.py"
_CALLS = {
    "msgspec.convert",
    *(f"msgspec.{form}.{name}" for form in ("json", "msgpack") for name in ("decode", "Decoder")),
}


def undecodable(nodes: Iterable[ast.AST]) -> Iterator[int]:
    """The lines of calls that give msgspec a type that was not made ready before."""
    for node in nodes:
        if isinstance(node, ast.Call) and ast.unparse(node.func) in _CALLS:
            at = 0 if ast.unparse(node.func).endswith("Decoder") else 1
            kinds = [*node.args[at : at + 1], *(word.value for word in node.keywords if word.arg == "type")]
            if any(not (isinstance(kind, ast.Call) and ast.unparse(kind.func) == "decodable") for kind in kinds):
                yield node.lineno


def test_no_thread_makes_a_type_ready_to_be_decoded_while_another_one_does() -> None:
    modules = {**parsed(ENGINE), **parsed(CONSOLE)}
    found = [
        f"{path.relative_to(ROOT)}:{line}"
        for path, source in modules.items()
        if path != DOOR
        for line in undecodable(source.nodes)
    ]
    assert not found


@pytest.mark.parametrize(
    ("line", "is_found"),
    [
        ("msgspec.convert(told, Metrics)", True),
        ("msgspec.convert(told, decodable(Metrics))", False),
        ("msgspec.json.decode(data, type=Order)", True),
        ("msgspec.json.decode(data, type=decodable(Order))", False),
        ("msgspec.json.decode(data)", False),
        ("msgspec.msgpack.Decoder(list[Kept], ext_hook=unpack)", True),
        ("msgspec.msgpack.Decoder(ext_hook=unpack)", False),
    ],
)
def test_such_a_call_is_found(line: str, is_found: bool) -> None:
    assert bool(list(undecodable(ast.walk(ast.parse(line))))) == is_found
