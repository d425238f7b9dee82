"""JSON values and environment variables as trees of typed parts, which people edit, and what is wrong with a tree."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, Final, NamedTuple

from starloom.model.secret import SOURCES, Secret
from starloom_gui.text.cell_text import (
    cell_of_json,
    cell_of_name,
    cell_of_secret,
    cell_of_text,
    cell_of_variable,
    json_of_cell,
    lines_of,
    rows_of,
    text_of_cell,
    variable_of_cell,
)
from starloom_gui.text.words import fill, translate, values

_NUMBER: Final = re.compile(r"-?(0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?")
_YES: Final = "true"
_NO: Final = "false"


class ValueKind(StrEnum):
    """The kind of a value."""

    TEXT = "text"
    NUMBER = "number"
    SWITCH = "switch"
    NOTHING = "nothing"
    LIST = "list"
    MAP = "map"
    SECRET = "secret"
    """The value of a variable that is looked up where it is kept."""


CONTAINERS: Final = frozenset({ValueKind.LIST, ValueKind.MAP})


@dataclass(slots=True, eq=False)
class ValueNode:
    """One value in a tree of values.

    Attributes:
        kind: of the value.
        name: in the map that holds it; None: it has none, or not yet.
        text: of a text, a number as it was typed, `true` or `false`, or where a secret is kept; empty for other kinds.
        parts: of a list or a map.
        is_open: whether its parts are in sight.
        is_new: whether its kind still follows from what is typed.
    """

    kind: ValueKind = ValueKind.TEXT
    name: str | None = None
    text: str = ""
    parts: list[ValueNode] = field(default_factory=list)
    is_open: bool = False
    is_new: bool = False

    @property
    def is_blank(self) -> bool:
        """Whether nothing was typed yet: neither a name nor a value."""
        return self.name is None and self.kind is ValueKind.TEXT and not self.text

    def become(self, other: ValueNode) -> None:
        """Take kind and value of another node; the name stays."""
        self.kind, self.text, self.parts = other.kind, other.text, other.parts
        self.is_new = False


class NodeFault(NamedTuple):
    """An error in a tree: the node, whether its name is wrong and not its value, and a sentence."""

    node: ValueNode
    of_name: bool
    words: str


# ---- values and nodes


def node_of(value: Any, name: str | None = None) -> ValueNode:
    """Return the node of a JSON value."""
    if isinstance(value, Mapping):
        return ValueNode(ValueKind.MAP, name, parts=[node_of(one, str(key)) for key, one in value.items()])
    if isinstance(value, list | tuple):
        return ValueNode(ValueKind.LIST, name, parts=[node_of(one) for one in value])
    if isinstance(value, bool):
        return ValueNode(ValueKind.SWITCH, name, _YES if value else _NO)
    if value is None:
        return ValueNode(ValueKind.NOTHING, name)
    return ValueNode(ValueKind.NUMBER if isinstance(value, int | float) else ValueKind.TEXT, name, _shown(value))


def _shown(value: Any) -> str:
    return value if isinstance(value, str) else cell_of_json(value)


def value_of(node: ValueNode) -> Any:
    """Return the JSON value of a node; a number that is none is its text, see `faults_of`."""
    if node.kind is ValueKind.MAP:
        return {one.name or "": value_of(one) for one in node.parts if not one.is_blank}
    if node.kind is ValueKind.LIST:
        return [value_of(one) for one in node.parts]
    if node.kind is ValueKind.SWITCH:
        return node.text == _YES
    if node.kind is ValueKind.NUMBER:
        return json_of_cell(node.text) if _is_number(node.text) else node.text
    return None if node.kind is ValueKind.NOTHING else node.text


def _is_number(text: str) -> bool:
    try:
        return _NUMBER.fullmatch(text) is not None and not isinstance(json_of_cell(text), str)
    except ValueError:  # too large for a number of JSON
        return False


def typed_node(text: str) -> ValueNode:
    """Return the node of a text typed into a new row: JSON is read as such, everything else is a text."""
    try:
        return node_of(json_of_cell(text))
    except ValueError:
        return ValueNode(text=text)


def variable_node(text: str) -> ValueNode:
    """Return the node of the cell of an environment variable: a text, whatever it looks like, or a secret."""
    value = variable_of_cell(text)
    if isinstance(value, str):
        return ValueNode(text=value)
    return ValueNode(ValueKind.SECRET, text=value["secret"])


class ValueNotation(NamedTuple):
    """How the values of a tree stand in cells.

    Attributes:
        kinds: those that a value can have.
        read: returns the node of a cell, or of what is typed into a new row.
        write: returns the cell of a node.
    """

    kinds: tuple[ValueKind, ...]
    read: Callable[[str], ValueNode]
    write: Callable[[ValueNode], str]


def _json_cell(node: ValueNode) -> str:
    return cell_of_json(value_of(node))


def _variable_cell(node: ValueNode) -> str:
    return cell_of_secret(node.text) if node.kind is ValueKind.SECRET else cell_of_variable(node.text)


JSON: Final = ValueNotation(tuple(kind for kind in ValueKind if kind is not ValueKind.SECRET), typed_node, _json_cell)
VARIABLES: Final = ValueNotation((ValueKind.TEXT, ValueKind.SECRET), variable_node, _variable_cell)


def nodes_of_rows(lines: str, notation: ValueNotation = JSON) -> list[ValueNode]:
    """Return the nodes of rows of names and cells, as `cell_text.lines_of` writes them."""
    made = []
    for name, cell in rows_of(lines, 2):
        node = notation.read(cell)
        node.name = text_of_cell(name) if name else None
        made.append(node)
    return made


def rows_of_nodes(nodes: Iterable[ValueNode], notation: ValueNotation = JSON) -> str:
    """Return rows of names and cells; a row in which nothing was typed is left out."""
    rows = ((cell_of_name(one.name) if one.name is not None else "", notation.write(one)) for one in nodes)
    return lines_of(row for row in rows if any(row))


def as_kind(node: ValueNode, kind: ValueKind) -> ValueNode:
    """Return a node of another kind that keeps as much of the value as that kind can hold."""
    if kind is node.kind:
        return node
    if kind in CONTAINERS:
        return ValueNode(kind, node.name, parts=_parts_for(node, kind), is_open=True)
    text = cell_of_json(value_of(node)) if node.kind in CONTAINERS else node.text
    if ValueKind.SECRET in {kind, node.kind}:
        return ValueNode(kind, node.name, f"{SOURCES[0]}:{text}" if kind is ValueKind.SECRET else _kept_name(text))
    if kind is ValueKind.SWITCH:
        text = _YES if text.casefold() in {_YES, "yes", "on", "1"} else _NO
    elif kind is ValueKind.NUMBER and not text:
        text = "0"
    return ValueNode(kind, node.name, "" if kind is ValueKind.NOTHING else text)


def _parts_for(node: ValueNode, kind: ValueKind) -> list[ValueNode]:
    parts = node.parts
    if node.kind not in CONTAINERS:
        read = typed_node(node.text)
        parts = read.parts if read.kind in CONTAINERS else [ValueNode(node.kind, text=node.text)]
        parts = [] if node.kind is ValueKind.NOTHING or not node.text else parts
    for at, one in enumerate(parts, 1):
        one.name = (one.name or str(at)) if kind is ValueKind.MAP else None
    return parts


def kept_in(node: ValueNode) -> str:
    """Return where a secret is kept, one of `SOURCES`; of anything else, and a source that is none, the first one."""
    source = node.text.partition(":")[0] if node.kind is ValueKind.SECRET else ""
    return source if source in SOURCES else SOURCES[0]


def _kept_name(reference: str) -> str:
    """The name in a reference to a secret, or all of it if it names no known source."""
    source, _, name = reference.partition(":")
    return name if source in SOURCES else reference


def as_secret(node: ValueNode, source: str) -> ValueNode:
    """Return the node of a secret that is kept in another source, by the same name."""
    name = _kept_name(node.text) if node.kind is ValueKind.SECRET else node.text
    return ValueNode(ValueKind.SECRET, node.name, f"{source}:{name}")


def typed_reference(node: ValueNode, text: str) -> str:
    """Return the reference that a text typed as a secret stands for: a name alone leaves its source as it is."""
    text = text.strip()
    return text if ":" in text else f"{kept_in(node)}:{text}"


def names_secret(node: ValueNode) -> bool:
    """Whether the text of a secret says where it is kept."""
    try:
        Secret(node.text)
    except ValueError:
        return False
    return True


def turned(node: ValueNode) -> str:
    """Return the text of a switch that is turned over."""
    return _NO if node.text == _YES else _YES


# ---- what is wrong


def faults_of(nodes: Sequence[ValueNode], *, are_named: bool) -> Iterator[NodeFault]:
    """Yield the errors of the parts of a list or a map, and of all parts within them, from top to bottom.

    Args:
        nodes: the parts.
        are_named: whether they are those of a map, each with a name of its own.
    """
    seen = set[str]()
    for node in nodes:
        if are_named and not node.is_blank:
            if node.name is None:
                yield NodeFault(node, True, translate("Forms", "A value has no name. Give it one, or remove its row."))
            elif node.name in seen:
                words = translate("Forms", "The name “%1” stands there twice. Give one of them another name.")
                yield NodeFault(node, True, fill(words, node.name))
            seen.add(node.name or "")
        if node.kind is ValueKind.NUMBER and not _is_number(node.text):
            words = translate("Forms", "“%1” is no number. Write it like 42, 0.5 or 3e6, or make it a text.")
            yield NodeFault(node, False, fill(words, node.text))
        if node.kind is ValueKind.SECRET and not names_secret(node):  # not repeated: it may be the value itself
            words = translate(
                "Forms", "This names no secret. Write keyring:NAME, env:NAME or file:PATH, or make it a text."
            )
            yield NodeFault(node, False, words)
        yield from faults_of(node.parts, are_named=node.kind is ValueKind.MAP)


# ---- words


def kind_word(kind: ValueKind) -> str:
    """Return the name of a kind."""
    return {
        ValueKind.TEXT: translate("Forms", "Text"),
        ValueKind.NUMBER: translate("Forms", "Number"),
        ValueKind.SWITCH: translate("Forms", "Yes/no"),
        ValueKind.NOTHING: translate("Forms", "Nothing"),
        ValueKind.LIST: translate("Forms", "List"),
        ValueKind.MAP: translate("Forms", "Map"),
        ValueKind.SECRET: translate("Forms", "Secret"),
    }[kind]


def source_word(source: str) -> str:
    """Return the name of the kind of a secret that is kept in a source."""
    return {
        "keyring": translate("Forms", "Secret in the keyring"),
        "env": translate("Forms", "Secret in an environment variable"),
        "file": translate("Forms", "Secret in a file"),
    }[source]


def value_words(node: ValueNode) -> str:
    """Return what is read in the value cell of a node."""
    if node.kind in CONTAINERS:
        return values(len(node.parts))
    if node.kind is ValueKind.SWITCH:
        return translate("Forms", "yes") if node.text == _YES else translate("Forms", "no")
    return cell_of_text(node.text) if node.kind is ValueKind.TEXT else node.text
