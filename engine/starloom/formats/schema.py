"""The JSON Schema of Starloom's own format, for editors that complete and check while one types.

It is made from the model: types from pydantic, descriptions from the docstrings; the shorthands are added here.
A schema cannot say everything: cycles, unknown ids and the syntax of conditions are found when a plan is loaded.
"""

from __future__ import annotations

import ast
import inspect
import itertools
import textwrap
from typing import Any, ClassVar, Final

from pydantic import TypeAdapter
from pydantic.json_schema import GenerateJsonSchema

from starloom.formats.native import DEFAULT_FIELDS, VERSION
from starloom.model.agent_terms import NAMING, OnConflict, ScopeKind
from starloom.model.dependency import Dependency
from starloom.model.device import DeviceSpec
from starloom.model.files import LONGEST_PATH, MOST_FILES, Files
from starloom.model.note import MOST_NOTES, Note
from starloom.model.plan import Limits, Plan
from starloom.model.positions import FARTHEST
from starloom.model.quantities import PRIORITY_NAMES
from starloom.model.severity import ELSE
from starloom.model.status import Expects, Fence, Placement, Severity
from starloom.model.task import ACTIONS, BypassValue, Gate, Prefer, Retry, Simulate, Task

DIALECT: Final = "https://json-schema.org/draft/2020-12/schema"
_MODELS: Final = {
    "task": Task,
    "device": DeviceSpec,
    "limits": Limits,
    "dependency": Dependency,
    "retry": Retry,
    "simulate": Simulate,
    "gate": Gate,
    "files": Files,
    "prefer": Prefer,
    "bypass_value": BypassValue,
    "note": Note,
}
_NUMBER: Final = r"[0-9]+(\.[0-9]+)?"
_DURATION_TEXT: Final = rf"^\s*({_NUMBER}|({_NUMBER}\s*(ms|min|s|m|h|d)\s*)+)\s*$"
"""A number, or numbers each with a unit: there is one way to read a text, so a wrong one is refused at once."""
_DURATION: Final = {"$ref": "#/$defs/duration"}
_OPTIONAL_DURATION: Final = {"anyOf": [_DURATION, {"type": "null"}]}
_TEXTS: Final = {"anyOf": [{"type": "string"}, {"type": "array", "items": {"type": "string"}}]}
_NULL: Final = {"type": "null"}
_SEVERITY: Final = {"enum": list(map(str, Severity))}
_SHORTHANDS: Final[dict[str, dict[str, dict[str, Any]]]] = {
    "task": {
        "tips": _TEXTS,
        "requires": _TEXTS,
        "groups": _TEXTS,
        "priority": {"$ref": "#/$defs/priority"},
        "timeout": _OPTIONAL_DURATION,
        "estimate": _OPTIONAL_DURATION,
        "severity": {"anyOf": [_SEVERITY, {"$ref": "#/$defs/exit_severity"}]},
        "expects": {"anyOf": [{"enum": list(map(str, Expects))}, {"type": "object"}, _NULL]},
        "retry": {"anyOf": [{"type": "integer", "minimum": 0}, {"$ref": "#/$defs/retry"}]},
        "simulate": {"anyOf": [_DURATION, {"$ref": "#/$defs/simulate"}, _NULL]},
        "files": {"$ref": "#/$defs/files"},
        "gate": {"anyOf": [{"type": "string"}, {"$ref": "#/$defs/gate"}, _NULL]},
        "device": {"anyOf": [{"type": "string", "minLength": 1}, {"$ref": "#/$defs/prefer"}, _NULL]},
        "bypass": {"anyOf": [{"type": "boolean"}, {"$ref": "#/$defs/bypass_value"}]},
    },
    "device": {"capabilities": _TEXTS, "cool_down": _DURATION},
    "retry": {"delay": _DURATION, "cap": _OPTIONAL_DURATION},
    "simulate": {"duration": _DURATION},
    "gate": {"after": _OPTIONAL_DURATION},
    "files": {"send": {"$ref": "#/$defs/file_copies"}, "fetch": {"$ref": "#/$defs/file_copies"}},
}


class _Schema(GenerateJsonSchema):
    """Leaves defaults out in silence where JSON cannot hold them: no default is written anyway."""

    ignored_warning_kinds: ClassVar = {"non-serializable-default"}  # type: ignore[misc]  # pydantic's own attribute


def plan_schema() -> dict[str, Any]:
    """The schema of a plan file, JSON Schema draft 2020-12, as a fresh value made of plain mappings and lists."""
    definitions = {name: _definition(name, model) for name, model in _MODELS.items()}
    definitions["device"]["additionalProperties"] = True
    definitions["device"]["description"] += " Any other key is an option of its kind."
    task = definitions["task"]
    task["properties"]["needs"] = {"$ref": "#/$defs/needs"}
    definitions |= {
        "keyed_task": _without_id(task),
        "keyed_device": {"anyOf": [_without_id(definitions["device"]), _NULL]},
        "defaults": _defaults(task),
        "needs": _needs(),
        "duration": _duration(),
        "priority": _priority(),
        "exit_severity": _exit_severity(),
        "file_copies": _file_copies(),
    }
    return {
        "$schema": DIALECT,
        "title": "Starloom plan",
        "description": _first_line(Plan),
        "type": "object",
        "required": ["starloom"],
        "additionalProperties": False,
        "properties": _plan_properties(),
        "$defs": definitions,
    }


def _plan_properties() -> dict[str, Any]:
    return {
        "starloom": {"const": VERSION, "description": "The version of the format."},
        "name": {"type": "string", "minLength": 1, "maxLength": 500},
        "description": {"type": "string"},
        "devices": _list_or_mapping("device"),
        "tasks": _list_or_mapping("task"),
        "dependencies": {"type": ["array", "null"], "items": {"$ref": "#/$defs/dependency"}},
        "limits": {"anyOf": [{"$ref": "#/$defs/limits"}, _NULL]},
        "fence": {"enum": [*map(str, Fence), None], "description": "What waits while agents are asked."},
        "placement": {
            "enum": [*map(str, Placement), None],
            "description": "How devices are chosen for its tasks; null: as the fleet says.",
        },
        "modification_timeout": {**_OPTIONAL_DURATION, "description": "For how long agents are waited for."},
        "overdue_factor": _overdue_factor(),
        "defaults": {"anyOf": [{"$ref": "#/$defs/defaults"}, _NULL]},
        "metadata": {"type": "object"},
        "rules": {
            "type": "array",
            "items": _rule(),
            "description": "What to change as tasks end: starloom run PLAN --agent rules.",
        },
        "agents": {
            "type": "array",
            "items": _agent(),
            "description": "On which terms agents of these names are attached; starts none.",
        },
        "notes": {"type": "array", "maxItems": MOST_NOTES, "items": {"$ref": "#/$defs/note"}},
        "layout": _layout(),
    }


def _layout() -> dict[str, Any]:
    number = {"type": "integer", "minimum": -FARTHEST, "maximum": FARTHEST}
    return {
        "type": "object",
        "additionalProperties": {"type": "array", "items": number, "minItems": 2, "maxItems": 2},
        "description": "Where the nodes of tasks stand in a drawing, by task id: [x, y] of the middle, in pixels.",
    }


def _on() -> dict[str, Any]:
    """Which ends are meant."""
    properties = {
        "task": {**_TEXTS, "description": "A task id or several; * stands for any characters."},
        "status": {"description": "completed or failed, or both.", **_TEXTS},
        "when": {"type": "string", "description": "A condition about how the task has ended."},
    }
    return {"type": "object", "additionalProperties": False, "properties": properties}


def _agent() -> dict[str, Any]:
    named = [
        {"type": "object", "required": [str(kind)], "additionalProperties": False, "properties": {str(kind): _TEXTS}}
        for kind in NAMING
    ]
    scope = [{"enum": [*(str(kind) for kind in ScopeKind if kind not in NAMING), None]}, *named]
    properties = {
        "name": {"type": "string", "minLength": 1, "description": "The name under which it is attached."},
        "on": {**_on(), "description": "The ends it is asked about; all unless it is given."},
        "scope": {"anyOf": scope, "description": "The tasks it may change, besides those it adds; all by default."},
        "on_conflict": {
            "enum": [*map(str, OnConflict), None],
            "description": "What becomes of its edits of tasks that have started, where the fence is optimistic.",
        },
    }
    return {"type": "object", "required": ["name"], "additionalProperties": False, "properties": properties}


def _rule() -> dict[str, Any]:
    """Only what an editor completes; the edits are judged when an agent reads them."""
    properties = {
        "name": {"type": "string"},
        "on": _on(),
        "for_each": {"type": "string", "description": "A list of the result, e.g. ${task.value.files}."},
        "most": {"type": "integer", "minimum": 1, "description": "How many items the list may have."},
        "times": {"type": "integer", "minimum": 1, "description": "How often the rule applies in a run."},
        "do": {"type": "array", "minItems": 1, "items": {"type": "object"}, "description": "The edits."},
    }
    return {"type": "object", "required": ["on", "do"], "additionalProperties": False, "properties": properties}


def _list_or_mapping(name: str) -> dict[str, Any]:
    return {
        "anyOf": [
            {"type": "array", "items": {"$ref": f"#/$defs/{name}"}},
            {"type": "object", "additionalProperties": {"$ref": f"#/$defs/keyed_{name}"}},
            _NULL,
        ]
    }


def _definition(name: str, model: type[Any]) -> dict[str, Any]:
    made = TypeAdapter(model).json_schema(schema_generator=_Schema)
    inner = made.get("$defs", {})
    docs = _attribute_docs(model)
    properties = {}
    for field, found in made["properties"].items():
        schema = _inline(_SHORTHANDS.get(name, {}).get(field, found), inner)
        schema = {key: value for key, value in schema.items() if key not in {"title", "default"}}
        properties[field] = {**schema, "description": docs[field]} if field in docs else schema
    required = {"required": made["required"]} if "required" in made else {}
    return {
        "type": "object",
        "description": _first_line(model),
        **required,
        "additionalProperties": False,
        "properties": properties,
    }


def _inline(schema: Any, inner: dict[str, Any]) -> Any:
    """Pydantic's own definitions (the enums) put where they are used, so that only ours have names."""
    if isinstance(schema, list):
        return [_inline(item, inner) for item in schema]
    if not isinstance(schema, dict):
        return schema
    target = schema.get("$ref", "").rpartition("/")[2]
    if target in inner:
        return {key: value for key, value in inner[target].items() if key != "title"}
    return {key: _inline(value, inner) for key, value in schema.items()}


def _without_id(schema: dict[str, Any]) -> dict[str, Any]:
    """The same as the value of a mapping, where the key is the id and may be repeated inside."""
    return {key: value for key, value in schema.items() if key != "required"}


def _defaults(task: dict[str, Any]) -> dict[str, Any]:
    return {
        "type": "object",
        "description": f"Fields for every task that does not set them; not {', '.join(ACTIONS)}, id or needs.",
        "additionalProperties": False,
        "properties": {name: task["properties"][name] for name in DEFAULT_FIELDS},
    }


def _needs() -> dict[str, Any]:
    dependency = _definition("dependency", Dependency)["properties"]
    need = {
        "anyOf": [
            {"type": "string", "minLength": 1},
            {
                "type": "object",
                "required": ["task"],
                "additionalProperties": False,
                "properties": {
                    "task": dependency["parent"],
                    **{name: dependency[name] for name in ("kind", "condition", "metadata")},
                },
            },
        ]
    }
    return {
        "description": "The tasks it waits for. Giving a condition implies kind: condition.",
        "anyOf": [*need["anyOf"], {"type": "array", "items": need}, _NULL],
    }


def _duration() -> dict[str, Any]:
    return {
        "description": "Seconds, or text such as 90s, 10m, 1h30m, 250ms.",
        "anyOf": [
            {"type": "number", "minimum": 0},
            {"type": "string", "pattern": _DURATION_TEXT},
        ],
    }


def _priority() -> dict[str, Any]:
    return {
        "description": "0 (background) to 100 (critical), or a name.",
        "anyOf": [{"type": "integer", "minimum": 0, "maximum": 100}, {"enum": list(PRIORITY_NAMES)}],
    }


def _exit_severity() -> dict[str, Any]:
    return {
        "description": f"Exit codes, and what each means for the run; {ELSE} stands for all others.",
        "type": "object",
        "minProperties": 1,
        "additionalProperties": False,
        "patternProperties": {r"^-?[1-9]\d*$": _SEVERITY},
        "properties": {ELSE: _SEVERITY},
    }


def _file_copies() -> dict[str, Any]:
    path = {"type": "string", "minLength": 1, "maxLength": LONGEST_PATH}
    ends = {"from": path, "to": path}
    pair = {"type": "object", "required": [*ends], "additionalProperties": False, "properties": ends}
    copy = {"anyOf": [path, pair]}
    return {
        "description": "Files, each a path that is the same on both sides, or from and to.",
        "anyOf": [*copy["anyOf"], {"type": "array", "maxItems": MOST_FILES, "items": copy}],
    }


def _overdue_factor() -> dict[str, Any]:
    return {
        "description": "How many times its estimate a task may run before it is overdue; 3 by default, none: for ever.",
        "anyOf": [{"type": "number", "minimum": 1}, {"enum": [0, "none", None]}],
    }


def _first_line(model: type[Any]) -> str:
    return (inspect.getdoc(model) or "").partition("\n")[0]


def _attribute_docs(model: type[Any]) -> dict[str, str]:
    """The texts below the fields of a class; empty where the source is not there, as in a frozen program."""
    try:
        tree = ast.parse(textwrap.dedent(inspect.getsource(model)))
    except (OSError, TypeError):
        return {}
    body = tree.body[0].body if isinstance(tree.body[0], ast.ClassDef) else []
    return {
        field.target.id: " ".join(text.value.value.split())
        for field, text in itertools.pairwise(body)
        if isinstance(field, ast.AnnAssign)
        and isinstance(field.target, ast.Name)
        and isinstance(text, ast.Expr)
        and isinstance(text.value, ast.Constant)
        and isinstance(text.value.value, str)
    }
