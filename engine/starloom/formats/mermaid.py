"""Writing Mermaid flowcharts, which Markdown viewers draw: names and who waits for whom.

Tasks are called t0, t1, … in the text: Mermaid has words that no node may be called, and characters none may hold.
"""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Final

from starloom.formats.edge_text import edge_text

if TYPE_CHECKING:
    from starloom.model.plan import Plan

MOST_EDGES: Final = 500
"""So many arrows a viewer draws unless it is told otherwise."""

_UNSAFE: Final = re.compile(r"[^\w .,+/=?!-]")
_UNPRINTABLE: Final = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029\ufffe\uffff]")


def write_plan(plan: Plan) -> str:
    """The plan as a flowchart that runs downwards."""
    title = json.dumps(_UNPRINTABLE.sub("\ufffd", plan.name), ensure_ascii=False)
    lines = ["---", f"title: {title}", "---", "flowchart TD"]
    lines += [f'  t{number}["{escaped(task.title)}"]' for number, task in enumerate(plan.tasks)]
    for dependency in plan.dependencies:
        text = edge_text(dependency)
        arrow = f'-.->|"{escaped(text)}"|' if text else "-->"
        place = plan.index.place
        lines.append(f"  t{place[dependency.parent]} {arrow} t{place[dependency.child]}")
    return "\n".join(lines) + "\n"


def escaped(text: str) -> str:
    """Text for between quotes: whatever Mermaid or HTML could take for something else becomes a numbered entity."""
    return _UNSAFE.sub(_entity, text)


def _entity(match: re.Match[str]) -> str:
    character = match[0]
    if character == "\n":
        return "<br/>"
    return f"#{0xFFFD if _UNPRINTABLE.match(character) else ord(character)};"
