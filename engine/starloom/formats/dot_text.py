"""The language of DOT, in one pass over its text: the graphs in it, their nodes and arrows, and the labels of both.

Whatever else drawings say is passed over. Names and labels are given as they stand in the text, quotes and all; pieces
that `+` joins are one. Reading takes time and memory as the text is long, whatever is in it.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from itertools import pairwise
from typing import TYPE_CHECKING, Final, NoReturn

if TYPE_CHECKING:
    from collections.abc import Iterable

MOST_EDGES: Final = 500_000
"""Groups at both ends of an arrow make more edges than the text has letters."""
MOST_DEPTH: Final = 100

_TOKEN: Final = re.compile(
    r"""(?P<space>(?:[ \t\r\n\f\v]|//[^\n]*|\#[^\n]*|/\*(?:[^*]|\*(?!/))*+\*/)++)
    |(?P<mark>->|--|[{}\[\]=;,:+])
    |(?P<word>-?(?:\.[0-9]+|[0-9]++(?:\.[0-9]*)?)(?![A-Za-z0-9_.\x80-\U0010ffff])|[A-Za-z0-9_.\x80-\U0010ffff]++)
    |(?P<quoted>"(?:[^"\\]|\\.)*+")""",
    re.VERBOSE | re.DOTALL,
)
_ANGLE: Final = re.compile(r"[<>]")
_END: Final = ""
"""The token after the last one."""
_OPENING: Final = frozenset({"graph", "digraph"})
_DEFAULTS: Final = frozenset({"graph", "node", "edge"})
_MARKS: Final = frozenset({"->", "--", "{", "}", "[", "]", "=", ";", ",", ":", "+", _END})


class NoDot(Exception):  # noqa: N818 - it never leaves this package
    """The text is not valid DOT.

    Attributes:
        line: of that place, from 1.
        column: of it, from 1.
    """

    def __init__(self, line: int, column: int) -> None:
        super().__init__(line, column)
        self.line, self.column = line, column


class TooMuchDot(Exception):  # noqa: N818 - likewise
    """The graph is too large; the message says in what."""


@dataclass(slots=True)
class DotGraph:
    """One graph of a text.

    Attributes:
        name: as it stands there; empty: it has none.
        is_directed: whether it is a `digraph`.
        nodes: those that a statement is about, in the order of the first one, each with the last label it was given.
        edges: parent, child and label of each arrow.
    """

    name: str
    is_directed: bool
    nodes: dict[str, str | None] = field(default_factory=dict)
    edges: list[tuple[str, str, str | None]] = field(default_factory=list)


def read_graphs(text: str) -> list[DotGraph]:
    """All graphs in a text; at least one.

    Raises:
        NoDot: there is something else.
        TooMuchDot: groups nest too deeply, or arrows between them make too many edges.
    """
    return _Parser(text).graphs()


def _tokens(text: str) -> tuple[list[str], list[int]]:
    """The tokens of a text, with an end, and where each begins."""
    tokens: list[str] = []
    places: list[int] = []
    match, at, length = _TOKEN.match, 0, len(text)
    while at < length:
        found = match(text, at)
        if found is not None:
            if found.lastgroup != "space":
                tokens.append(found[0])
                places.append(at)
            at = found.end()
        elif text[at] == "<":
            end = _end_of_html(text, at)
            tokens.append(text[at:end])
            places.append(at)
            at = end
        else:
            raise _no_dot(text, at)
    return [*tokens, _END], [*places, length]


def _end_of_html(text: str, start: int) -> int:
    depth = 0
    for found in _ANGLE.finditer(text, start):
        depth += 1 if found[0] == "<" else -1
        if not depth:
            return found.end()
    raise _no_dot(text, start)


def _no_dot(text: str, at: int) -> NoDot:
    return NoDot(text.count("\n", 0, at) + 1, at - text.rfind("\n", 0, at))


class _Parser:
    """Goes through the tokens once, from the first to the last."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._tokens, self._places = _tokens(text)
        self._at = 0
        self._graph = DotGraph("", is_directed=True)
        self._mentions: list[str] = []
        """The nodes of the graph, each time one is named."""
        self._taken = 0
        """How many mentions the groups at the ends of arrows came to."""

    def graphs(self) -> list[DotGraph]:
        found = [self._next_graph()]
        while self._tokens[self._at] != _END:
            found.append(self._next_graph())
        return found

    # ---- tokens

    def _fail(self) -> NoReturn:
        raise _no_dot(self._text, self._places[self._at])

    def _take(self, mark: str) -> bool:
        """Skip the next token if it is this one; returns whether it was."""
        if self._tokens[self._at] != mark:
            return False
        self._at += 1
        return True

    def _expect(self, mark: str) -> None:
        if not self._take(mark):
            self._fail()

    def _word(self) -> str:
        """The next token in lower case, for those that are words of the language."""
        return self._tokens[self._at].lower()

    def _name(self) -> str:
        """A name, its pieces joined."""
        token = self._tokens[self._at]
        if token in _MARKS:
            self._fail()
        self._at += 1
        if token[0] != '"' or self._tokens[self._at] != "+":
            return token
        pieces = [token[1:-1]]
        while self._take("+"):
            token = self._tokens[self._at]
            if token[:1] != '"':
                self._fail()
            pieces.append(token[1:-1])
            self._at += 1
        return f'"{"".join(pieces)}"'

    # ---- the grammar

    def _next_graph(self) -> DotGraph:
        if self._word() == "strict":
            self._at += 1
        kind = self._word()
        if kind not in _OPENING:
            self._fail()
        self._at += 1
        name = "" if self._tokens[self._at] == "{" else self._name()
        self._graph = DotGraph(name, is_directed=kind == "digraph")
        self._mentions = []
        self._expect("{")
        self._statements(1)
        self._expect("}")
        return self._graph

    def _statements(self, depth: int) -> None:
        if depth > MOST_DEPTH:
            raise TooMuchDot("it nests too deeply")
        tokens = self._tokens
        while tokens[self._at] not in {"}", _END}:
            self._statement(depth)
            while tokens[self._at] in {";", ","}:
                self._at += 1

    def _statement(self, depth: int) -> None:
        after = self._tokens[self._at + 1] if self._tokens[self._at] != _END else _END
        if after == "=":
            self._name()
            self._expect("=")
            self._name()
        elif after == "[" and self._word() in _DEFAULTS:
            self._at += 1
            self._attributes()
        else:
            self._nodes_or_edges(depth)

    def _nodes_or_edges(self, depth: int) -> None:
        is_group = self._tokens[self._at] == "{" or self._word() == "subgraph"
        ends = [self._end(depth)]
        arrow = "->" if self._graph.is_directed else "--"
        while self._take(arrow):
            ends.append(self._end(depth))
        label = self._attributes()
        if len(ends) > 1:
            for parents, children in pairwise(ends):
                self._connect(self._members(parents), self._members(children), label)
        elif not is_group:
            node = self._mentions[ends[0][0]]
            nodes = self._graph.nodes
            nodes[node] = label or nodes.get(node)

    def _end(self, depth: int) -> tuple[int, int]:
        """One node or a group, as a part of all mentions: from one place to another."""
        start = len(self._mentions)
        if self._tokens[self._at] == "{" or self._word() == "subgraph":
            if self._word() == "subgraph":
                self._at += 1
                if self._tokens[self._at] != "{":
                    self._name()
            self._expect("{")
            self._statements(depth + 1)
            self._expect("}")
        else:
            self._mentions.append(self._name())
            while self._take(":"):  # a port, and where at its edge
                self._name()
        return start, len(self._mentions)

    def _members(self, part: tuple[int, int]) -> Iterable[str]:
        start, end = part
        if end - start == 1:
            return (self._mentions[start],)
        self._taken += end - start
        if self._taken > 10 * MOST_EDGES:
            raise TooMuchDot(f"it has more than {MOST_EDGES:,} edges")
        return dict.fromkeys(self._mentions[start:end])

    def _connect(self, parents: Iterable[str], children: Iterable[str], label: str | None) -> None:
        edges = self._graph.edges
        children = tuple(children)
        for parent in parents:
            if len(edges) + len(children) > MOST_EDGES:
                raise TooMuchDot(f"it has more than {MOST_EDGES:,} edges")
            edges += [(parent, child, label) for child in children]

    def _attributes(self) -> str | None:
        """Any lists of attributes; the label that they give."""
        label: str | None = None
        while self._take("["):
            while not self._take("]"):
                name = self._name()
                value = self._name() if self._take("=") else None
                if name.strip('"') == "label":
                    label = value
                while self._tokens[self._at] in {";", ","}:
                    self._at += 1
        return label
