"""Reading DOT, as `snakemake --dag` and `ninja -t graph` write it: each node a task that is simulated.

A graph has no commands, so nothing of it is ever run: every task takes one second. Labels become names; an arrow
points from the parent to the child. `dot_text` reads the language.
"""

from __future__ import annotations

import html.entities
import re
from typing import TYPE_CHECKING, Any, Final

from pydantic import ValidationError

from starloom.errors import PlanError, Problem
from starloom.formats.dot import KEY
from starloom.formats.dot_text import DotGraph, NoDot, TooMuchDot, read_graphs
from starloom.formats.fields import findings
from starloom.model.dependency import Dependency
from starloom.model.plan import Plan
from starloom.model.task import Simulate, Task

if TYPE_CHECKING:
    from collections.abc import Mapping

MAX_DOT_BYTES: Final = 20_000_000
SIMULATED: Final = Simulate(duration=1.0)
"""What a node does: nothing is known but that it takes its place, so all take the same time."""

_HEAD: Final = re.compile(
    r"(?:\s|//[^\n]*\n|\#[^\n]*\n|/\*.*?\*/)*+(?:strict\s+)?+(?:di)?graph(?:\s+(?:\w+|\"(?:[^\"\\]|\\.)*+\"))?+\s*+\{",
    re.IGNORECASE | re.DOTALL,
)
_QUOTED: Final = re.compile(r'\\(["\\])')
_ESCAPE: Final = re.compile(r"\\(.)|&(#[0-9]{1,7}|#[xX][0-9a-fA-F]{1,6}|\w{1,40});", re.DOTALL)
_TAG: Final = re.compile(r"<(?:[^<>\"]|\"[^\"]*\")*+>")
_BREAK: Final = re.compile(r"<br\b[^<>]*+>", re.IGNORECASE)


def looks_like_dot(text: str | bytes) -> bool:
    """Whether a text starts like a DOT graph; comments may stand before it."""
    start = text[:4000]
    shown = start if isinstance(start, str) else start.decode("utf-8", "replace")
    return _HEAD.match(shown.removeprefix("\ufeff")) is not None


def read_plan(text: str, source: str) -> Plan:
    """The plan that stands for the one directed graph in a text.

    Args:
        text: DOT of at most 20 MB.
        source: the name of the file, for messages.

    Raises:
        PlanError: it is not one directed graph without cycles, or a name in it cannot be used.
    """
    size = len(text.encode(errors="replace"))
    if size > MAX_DOT_BYTES:
        message = f"the graph has {size / 1e6:.1f} MB; at most {MAX_DOT_BYTES / 1e6:.0f} MB of DOT are read."
        raise _refused(source, message, "Draw a smaller part of it.", code="too_large")
    try:
        graphs = read_graphs(text.removeprefix("\ufeff"))
    except NoDot as error:
        message, hint = f"this is not valid DOT (column {error.column}).", "Look at this line and the one before it."
        raise PlanError([Problem(code="syntax", line=error.line, message=message, hint=hint)], source) from None
    except TooMuchDot as error:
        raise _refused(source, f"the graph cannot be read: {error}.", "Draw a smaller part of it.") from None
    if len(graphs) != 1:
        raise _refused(source, f"the file holds {len(graphs)} graphs; a plan is one.", "Keep one of them.")
    if not graphs[0].is_directed:
        message = "the graph is undirected, so it does not say which task waits for which."
        raise _refused(source, message, "Write 'digraph' and '->'.")
    try:
        return _plan(graphs[0])
    except PlanError as error:
        raise PlanError(error.problems, source) from None


def _refused(source: str, message: str, hint: str, code: str = "dot") -> PlanError:
    return PlanError([Problem(code=code, message=message, hint=hint)], source)


def _plan(graph: DotGraph) -> Plan:
    title = plain_id(graph.name)
    problems: list[Problem] = []
    labels: dict[str, str | None] = {}
    plain: dict[str, str] = {}
    for raw, label in graph.nodes.items():
        plain[raw] = name = plain_id(raw)
        labels[name] = label or labels.get(name)
    edges: dict[tuple[str, str], Dependency] = {}
    for raw_parent, raw_child, label in graph.edges:
        pair = _known(raw_parent, plain), _known(raw_child, plain)
        for end in pair:
            labels.setdefault(end, None)
        if pair not in edges and (edge := _dependency(*pair, label, problems)):
            edges[pair] = edge  # arrows drawn twice say no more than one
    tasks = [made for task_id, label in labels.items() if (made := _task(task_id, label, title, problems))]
    head = _checked(Plan, {"name": title or "graph"}, "graph", problems)
    if problems:
        raise PlanError(list(dict.fromkeys(problems)))
    return Plan(name=head.name, tasks=tasks, dependencies=tuple(edges.values()))


def _known(raw: str, plain: dict[str, str]) -> str:
    name = plain.get(raw)
    if name is None:
        name = plain[raw] = plain_id(raw)
    return name


def _task(task_id: str, label: str | None, title: str, problems: list[Problem]) -> Task | None:
    name = "" if label is None else plain_label(label, task_id, title)
    fields = {"id": task_id, "name": "" if name == task_id else name, "simulate": SIMULATED}
    made: Task | None = _checked(Task, fields, f"node {task_id[:60]!r}", problems)
    return made


def _dependency(parent: str, child: str, label: str | None, problems: list[Problem]) -> Dependency | None:
    text = "" if label is None else plain_label(label, "", "").strip()
    fields = {"parent": parent, "child": child, "metadata": {KEY: {"label": text}} if text else {}}
    made: Dependency | None = _checked(Dependency, fields, f"edge {parent[:60]!r} -> {child[:60]!r}", problems)
    return made


def _checked(kind: type[Any], fields: Mapping[str, Any], where: str, problems: list[Problem]) -> Any:
    try:
        return kind(**fields)
    except ValidationError as error:
        told = findings(error, fields, tuple(fields))
        problems += [Problem(code="dot", where=where, message=f"its name {what}", hint=hint) for _, what, hint in told]
        return None


def plain_id(raw: str) -> str:
    """The name that stands for a node or graph, without quotes: `"a b"` is `a b`."""
    if raw.startswith('"') and raw.endswith('"') and len(raw) > 1:
        return _QUOTED.sub(r"\1", raw[1:-1]) if "\\" in raw else raw[1:-1]
    return _text_of_html(raw) if raw.startswith("<") and raw.endswith(">") else raw


def plain_label(raw: str, node: str, graph: str) -> str:
    """The text that a label shows: escapes, entities and tags resolved."""
    if raw.startswith("<") and raw.endswith(">"):
        return _text_of_html(raw)
    text = raw[1:-1] if raw.startswith('"') and raw.endswith('"') and len(raw) > 1 else raw
    for ending in ("\\l", "\\r"):  # they end a line, as a newline at the end of a file does
        if text.endswith(ending) and not text.endswith("\\" + ending):
            text = text[:-2]
    return _ESCAPE.sub(lambda match: _unescaped(match, node, graph), text)


def _unescaped(match: re.Match[str], node: str, graph: str) -> str:
    letter = match[1]
    if letter is None:
        return _character(match)
    return {"n": "\n", "l": "\n", "r": "\n", "N": node, "G": graph}.get(letter, letter)


def _character(match: re.Match[str]) -> str:
    name = match[2]
    if not name.startswith("#"):
        return html.entities.html5.get(f"{name};", match[0])
    number = int(name[2:], 16) if name[1] in "xX" else int(name[1:])
    is_character = number < 0x110000 and not 0xD800 <= number < 0xE000
    return chr(number) if is_character else match[0]


def _text_of_html(raw: str) -> str:
    text = _TAG.sub("", _BREAK.sub("\n", raw[1:-1]))
    return _ESCAPE.sub(lambda match: match[0] if match[1] else _character(match), text).strip()
