"""Writing GraphML for tools that analyse graphs: structure, and the fields of tasks that are numbers or words."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final
from xml.sax.saxutils import escape

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from starloom.model.dependency import Dependency
    from starloom.model.plan import Plan
    from starloom.model.task import Task

_NO_XML: Final = re.compile(r"[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
"""Characters that XML has no way to write."""
# A parser turns line breaks of every kind into \n, and in attributes into blanks, unless they are written as numbers.
_IN_TEXT: Final = {"\r": "&#13;"}
_IN_ATTRIBUTE: Final = {
    '"': "&quot;",
    "\t": "&#9;",
    "\n": "&#10;",
    "\r": "&#13;",
    "\x85": "&#133;",
    "\u2028": "&#8232;",
}
_TASK_KEYS: Final = {
    "name": "string",
    "description": "string",
    "action": "string",
    "priority": "int",
    "estimate": "double",
    "timeout": "double",
    "attempts": "int",
    "device": "string",
    "requires": "string",
    "groups": "string",
    "severity": "string",
    "join": "string",
}
_EDGE_KEYS: Final = {"kind": "string", "condition": "string"}
_HEAD: Final = (
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<graphml xmlns="http://graphml.graphdrawing.org/xmlns" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" '
    'xsi:schemaLocation="http://graphml.graphdrawing.org/xmlns '
    'http://graphml.graphdrawing.org/xmlns/1.0/graphml.xsd">',
)


def write_plan(plan: Plan) -> str:
    """The plan as one directed graph, parents pointing at children.

    A node is called like its task, but for ids with a character that XML cannot hold; in other texts such a
    character becomes U+FFFD.
    """
    names = _node_names([task.id for task in plan.tasks])
    lines = [*_HEAD]
    lines += [_key(name, "node", kind) for name, kind in _TASK_KEYS.items()]
    lines += [_key(name, "edge", kind) for name, kind in _EDGE_KEYS.items()]
    lines.append(f'  <graph id={_attribute(_replaced(plan.name))} edgedefault="directed">')
    for task in plan.tasks:
        lines += [f"    <node id={_attribute(names[task.id])}>", *_data(_task_values(task)), "    </node>"]
    for dependency in plan.dependencies:
        ends = f"source={_attribute(names[dependency.parent])} target={_attribute(names[dependency.child])}"
        lines += [f"    <edge {ends}>", *_data(_edge_values(dependency)), "    </edge>"]
    return "\n".join([*lines, "  </graph>", "</graphml>"]) + "\n"


def _node_names(ids: Iterable[str]) -> dict[str, str]:
    """The id itself where XML can hold it, else a numbered name that no task has."""
    names = {task_id: task_id for task_id in ids}
    for number, task_id in enumerate(names):
        if _NO_XML.search(task_id):
            name = f"task-{number}"
            while name in names:
                name += "_"
            names[task_id] = name
    return names


def _task_values(task: Task) -> dict[str, object]:
    return {
        "name": task.title,
        "description": task.description,
        "action": task.action,
        "priority": task.priority,
        "estimate": task.expected_duration,
        "timeout": task.timeout,
        "attempts": task.retry.attempts,
        "device": task.pin or task.preference,
        "requires": ", ".join(sorted(task.requires)),
        "groups": ", ".join(task.groups),
        "severity": task.severity,
        "join": task.join,
    }


def _edge_values(dependency: Dependency) -> dict[str, object]:
    return {"kind": dependency.kind, "condition": dependency.condition}


def _data(values: Mapping[str, object]) -> list[str]:
    return [
        f'      <data key="{name}">{escape(_replaced(str(value)), _IN_TEXT)}</data>'
        for name, value in values.items()
        if value is not None and value != ""
    ]


def _key(name: str, owner: str, kind: str) -> str:
    return f'  <key id="{name}" for="{owner}" attr.name="{name}" attr.type="{kind}"/>'


def _attribute(text: str) -> str:
    return '"' + escape(text, _IN_ATTRIBUTE) + '"'


def _replaced(text: str) -> str:
    return _NO_XML.sub("\ufffd", text)
