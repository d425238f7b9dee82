"""Writing DOT, the language of Graphviz: ids, names and who waits for whom; the rest of a plan is no drawing."""

from __future__ import annotations

import re
from collections.abc import Mapping
from itertools import accumulate
from typing import TYPE_CHECKING, Any, Final

from starloom.formats.edge_text import edge_text

if TYPE_CHECKING:
    from starloom.model.dependency import Dependency
    from starloom.model.plan import Plan

KEY: Final = "dot"
"""The metadata key of a dependency under which the label it had in a DOT file is kept."""

MOST_LABEL: Final = 16_384
"""Bytes of a label between its quotes; Graphviz refuses a file with a longer one."""
_CUT: Final = "…"
_CONTROLS: Final = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029]")


def write_plan(plan: Plan) -> str:
    """The plan as a directed graph, parents pointing at children; `dot_reader` finds the same ids, names and arrows."""
    lines = [f"digraph {quoted_id(plan.name)} {{", "  node [shape=box];"]
    lines += [f"  {quoted_id(task.id)} [label={quoted_label(task.title)}];" for task in plan.tasks]
    lines += [_edge(dependency) for dependency in plan.dependencies]
    return "\n".join([*lines, "}"]) + "\n"


def quoted_id(text: str) -> str:
    """The name of a node or graph in quotes; backslashes are doubled, as one before the closing quote would eat it."""
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'


def quoted_label(text: str) -> str:
    """Text that is shown as it stands: Graphviz looks for backslash sequences and for HTML entities in labels.

    What is longer than Graphviz takes ends in an ellipsis.
    """
    escaped = _escaped(text[: MOST_LABEL + 1])
    if len(text) > MOST_LABEL or _size(escaped) > MOST_LABEL:
        parts = [_escaped(letter) for letter in text[:MOST_LABEL]]
        sizes = accumulate(map(_size, parts), initial=_size(_CUT))
        escaped = "".join(part for part, size in zip(parts, [*sizes][1:], strict=True) if size <= MOST_LABEL) + _CUT
    return f'"{escaped}"'


def _escaped(text: str) -> str:
    escaped = text.replace("\\", "\\\\").replace('"', '\\"').replace("&", "&amp;").replace("\n", "\\n")
    return _CONTROLS.sub(lambda match: f"&#{ord(match[0])};", escaped)


def _size(text: str) -> int:
    return len(text.encode(errors="replace"))


def _edge(dependency: Dependency) -> str:
    label = edge_text(dependency) or _kept_label(dependency)
    attributes = f" [label={quoted_label(label)}]" if label else ""
    return f"  {quoted_id(dependency.parent)} -> {quoted_id(dependency.child)}{attributes};"


def _kept_label(dependency: Dependency) -> str:
    kept: Any = dependency.metadata.get(KEY)
    label = kept.get("label") if isinstance(kept, Mapping) else None
    return label if isinstance(label, str) else ""
