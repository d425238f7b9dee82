"""The schema agrees with the model, and accepts and refuses what the reader does."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest

from starloom.errors import PlanError
from starloom.formats import dump_plan, parse_plan
from starloom.formats.native import PLAN_KEYS
from starloom.formats.schema import plan_schema
from starloom.model.task import TASK_FIELDS

SCHEMA = plan_schema()
KINDS = {
    "string": lambda v: isinstance(v, str),
    "integer": lambda v: isinstance(v, int) and not isinstance(v, bool),
    "number": lambda v: isinstance(v, int | float) and not isinstance(v, bool),
    "boolean": lambda v: isinstance(v, bool),
    "object": lambda v: isinstance(v, dict),
    "array": lambda v: isinstance(v, list),
    "null": lambda v: v is None,
}


def fits(value: Any, schema: dict[str, Any]) -> bool:
    """Whether a value fits; knows the words our schema uses for structure, types, choices, patterns, and bounds."""
    if "$ref" in schema:
        return fits(value, SCHEMA["$defs"][schema["$ref"].removeprefix("#/$defs/")])
    kinds = schema.get("type", [])
    if kinds and not any(KINDS[kind](value) for kind in ([kinds] if isinstance(kinds, str) else kinds)):
        return False
    if "const" in schema and value != schema["const"]:
        return False
    if "enum" in schema and value not in schema["enum"]:
        return False
    if "anyOf" in schema and not any(fits(value, option) for option in schema["anyOf"]):
        return False
    if isinstance(value, str) and "pattern" in schema and not re.search(schema["pattern"], value):
        return False
    if KINDS["number"](value) and not schema.get("minimum", value) <= value <= schema.get("maximum", value):
        return False
    if isinstance(value, list):
        count = len(value)
        if not schema.get("minItems", count) <= count <= schema.get("maxItems", count):
            return False
        return all(fits(item, schema.get("items", {})) for item in value)
    return fits_mapping(value, schema) if isinstance(value, dict) else True


def fits_mapping(value: dict[str, Any], schema: dict[str, Any]) -> bool:
    known, other = schema.get("properties", {}), schema.get("additionalProperties", True)
    if any(name not in value for name in schema.get("required", [])):
        return False
    for name, item in value.items():
        rule = known.get(name, other)
        if rule is False or (isinstance(rule, dict) and not fits(item, rule)):
            return False
    return True


GOOD = [
    {"starloom": 1},
    {"starloom": 1, "tasks": [{"id": "a", "command": ["x"], "timeout": "1h30m", "priority": "high", "retry": 2}]},
    {"starloom": 1, "tasks": {"a": {"shell": "x"}, "b": {"simulate": "3s", "needs": "a"}}},
    {"starloom": 1, "tasks": [{"id": "a", "shell": "x"}, {"id": "b", "shell": "x", "needs": [{"task": "a"}]}]},
    {"starloom": 1, "devices": {"box": None, "b": {"slots": 2, "host": "h"}}, "limits": {"groups": {"a": 1}}},
    {"starloom": 1, "defaults": {"timeout": 5, "breakpoint": True, "requires": "gpu", "device": {"prefer": "x"}}},
    {
        "starloom": 1,
        "fence": "none",
        "tasks": [{"id": "a", "gate": "Go?"}, {"id": "b", "gate": {}}],
    },
    {"starloom": 1, "tasks": [{"id": "a", "gate": {"message": "Go?", "after": "30m", "then": "abort"}}]},
    {"starloom": 1, "tasks": [{"id": "a", "shell": "x", "files": {"send": ["a", {"from": "b", "to": "/c"}]}}]},
    {"starloom": 1, "defaults": {"files": {"fetch": "a"}}},
    {"starloom": 1, "notes": [{"text": "a\nb", "x": -3, "y": 2.5, "width": 300, "task": "gone"}]},
    {"starloom": 1, "tasks": [{"id": "a", "shell": "x"}], "layout": {"a": [-3, 1000000], "gone": [0, 0]}},
]
BAD = [
    {},
    {"starloom": 2},
    {"starloom": 1, "taks": []},
    {"starloom": 1, "tasks": [{"id": "a", "comand": ["x"]}]},
    {"starloom": 1, "tasks": [{"shell": "x"}]},
    {"starloom": 1, "tasks": [{"id": "a", "shell": "x", "severity": "fatal"}]},
    {"starloom": 1, "tasks": [{"id": "a", "shell": "x", "timeout": "soon"}]},
    {"starloom": 1, "tasks": [{"id": "a", "shell": "x", "needs": [5]}]},
    {"starloom": 1, "tasks": [{"id": "a", "shell": "x", "files": {"sent": ["a"]}}]},
    {"starloom": 1, "tasks": [{"id": "a", "shell": "x", "files": {"send": [{"from": "a"}]}}]},
    {"starloom": 1, "tasks": [{"id": "a", "shell": "x", "files": None}]},
    {"starloom": 1, "defaults": {"shell": "x"}},
    {"starloom": 1, "fence": "all"},
    {"starloom": 1, "tasks": [{"id": "a", "gate": {"after": "30m", "then": "maybe"}}]},
    {"starloom": 1, "devices": [{"id": "a", "slots": "many"}]},
    {"starloom": 1, "notes": [{"text": 5}]},
    {"starloom": 1, "notes": [{"words": "a"}]},
    {"starloom": 1, "layout": []},
    {"starloom": 1, "layout": {"a": [1]}},
    {"starloom": 1, "layout": {"a": [1, 2.5]}},
    {"starloom": 1, "layout": {"a": [1, 1000001]}},
]


@pytest.mark.parametrize("value", GOOD, ids=str)
def test_reader_and_schema_accept_the_same(value: dict[str, Any]) -> None:
    assert fits(value, SCHEMA)
    plan = parse_plan(json.dumps(value))
    assert fits(json.loads(dump_plan(plan, "json")), SCHEMA)


@pytest.mark.parametrize("value", BAD, ids=str)
def test_reader_and_schema_refuse_the_same(value: dict[str, Any]) -> None:
    assert not fits(value, SCHEMA)
    with pytest.raises(PlanError):
        parse_plan(json.dumps(value))


def test_the_schema_knows_exactly_the_fields_there_are() -> None:
    assert set(SCHEMA["$defs"]["task"]["properties"]) == {*TASK_FIELDS, "needs"}
    assert set(SCHEMA["properties"]) == set(PLAN_KEYS)
    assert SCHEMA["$schema"].endswith("2020-12/schema")


def test_fields_are_described_by_the_docstrings_of_the_model() -> None:
    assert SCHEMA["$defs"]["task"]["properties"]["command"]["description"].startswith("A program and its arguments")


def test_every_reference_leads_somewhere() -> None:
    named = set(re.findall(r'"#/\$defs/(\w+)"', json.dumps(SCHEMA)))
    assert named <= set(SCHEMA["$defs"])


KEYWORDS = {
    *("$schema", "$ref", "$defs", "title", "description", "type", "const", "enum", "anyOf", "pattern", "items"),
    *("properties", "patternProperties", "additionalProperties", "propertyNames", "required", "minProperties"),
    *("minimum", "maximum", "exclusiveMinimum", "minLength", "maxLength", "minItems", "maxItems"),
}


def words(value: Any, names: bool = False) -> set[str]:
    """The keywords of a schema; `names`: the keys here are names that somebody chose."""
    if isinstance(value, list):
        return set().union(*map(words, value))
    if not isinstance(value, dict):
        return set()
    below = [
        words(item, key in {"properties", "patternProperties", "$defs"} and not names) for key, item in value.items()
    ]
    return set().union(set() if names else set(value), *below)


def test_the_schema_has_only_words_of_json_schema() -> None:
    assert words(SCHEMA) <= KEYWORDS


def test_what_the_readme_says_of_a_device_fits() -> None:
    text = json.dumps({"starloom": 1, "devices": [{"id": "d", "kind": "local", "trip_after": 3, "cool_down": "5m"}]})
    assert parse_plan(text).devices[0].cool_down == 300
    assert fits(json.loads(text), SCHEMA)


DURATION = SCHEMA["$defs"]["duration"]


@pytest.mark.parametrize("text", ["90", "90s", "1h30m", " 1 h 30 min ", "250ms", "1.5d", "0.25"])
def test_durations_that_are_read_fit(text: str) -> None:
    assert parse_plan(f"starloom: 1\ntasks: {{a: {{call: x, timeout: {text!r}}}}}").tasks[0].timeout
    assert fits(text, DURATION)


@pytest.mark.parametrize("text", ["", "x", "1x", "h", "1h 30", "-1s", "9" * 2_000 + "x", "1s" * 1_000 + "x"])
def test_durations_that_are_none_are_refused_at_once(text: str) -> None:
    with pytest.raises(PlanError):
        parse_plan(json.dumps({"starloom": 1, "tasks": {"a": {"call": "x", "timeout": text}}}))
    assert not fits(text, DURATION)
