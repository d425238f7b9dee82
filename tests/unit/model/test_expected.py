"""What a prompt task expects of its agent's last message: JSON, or such as fits a schema."""

from __future__ import annotations

import copy
import json
import pickle
import time
from typing import TYPE_CHECKING, Any

import pytest
from tests.driver import Driver

from starloom import PlanError, Task
from starloom.formats.files import dump_plan, parse_plan
from starloom.formats.schema import plan_schema
from starloom.journal.plans import tasks_to_columns
from starloom.journal.values import part_to_plain, tasks_from_plain
from starloom.model.expected import LONGEST_SCHEMA, JsonSchema
from starloom.model.plan import Plan
from starloom.model.status import Expects
from starloom.model.task_columns import tasks_from_columns

if TYPE_CHECKING:
    from pathlib import Path

SCHEMA: dict[str, Any] = {
    "type": "object",
    "required": ["name"],
    "properties": {"name": {"type": "string", "maxLength": 3}, "sizes": {"items": {"$ref": "#/$defs/size"}}},
    "additionalProperties": False,
    "$defs": {"size": {"type": "integer", "minimum": 1}},
}


def schema_of(plain: dict[str, Any]) -> JsonSchema:
    expects = Task(id="a", prompt="x", expects=plain).expects  # type: ignore[arg-type]  # read as a plan's
    assert isinstance(expects, JsonSchema)
    return expects


# ---- in a plan


@pytest.mark.parametrize(
    ("written", "meant"),
    [("json", Expects.JSON), ("{}", Expects.JSON), (json.dumps(SCHEMA), schema_of(SCHEMA)), ("null", None)],
)
def test_a_plan_says_a_word_or_the_schema_and_a_file_keeps_that(written: str, meant: Any) -> None:
    plan = parse_plan(f"starloom: 1\ntasks:\n  - {{id: a, prompt: x, expects: {written}}}\n")
    assert plan.tasks[0].expects == meant
    for syntax in ("yaml", "json"):
        assert parse_plan(dump_plan(plan, syntax)).tasks == plan.tasks


@pytest.mark.parametrize(
    ("written", "told"),
    [
        ("yaml", "must be json, or a JSON Schema such as {type: object, required: [name]}, not 'yaml'."),
        ("[json]", "not ['json']."),
        ("{properties: {a: {type: objekt}}}", 'is no JSON Schema at properties.a.type: "objekt" is not valid'),
        ("{pattern: '('}", 'is no JSON Schema at pattern: "(" is not a "regex".'),
        ("{$ref: '#/$defs/nowhere'}", "is no JSON Schema: Pointer '/$defs/nowhere' does not exist."),
        ("{$schema: 'https://example.org/mine'}", "is no JSON Schema: Unknown meta-schema"),
        (f"{{title: {'x' * LONGEST_SCHEMA}}}", "more than the 65536 it may have."),
    ],
)
def test_a_wrong_one_is_told_with_its_place(written: str, told: str) -> None:
    with pytest.raises(PlanError) as caught:
        parse_plan(f"starloom: 1\ntasks:\n  - id: a\n    prompt: x\n    expects: {written}\n")
    (problem,) = caught.value.problems
    assert (problem.where, problem.line) == ("tasks.a.expects", 5)
    assert told in problem.message
    assert problem.message.endswith(".")


def test_a_schema_from_elsewhere_makes_nobody_read_files_or_fetch_addresses(tmp_path: Path) -> None:
    (tmp_path / "there.json").write_text('{"type": "string"}')
    for where in ((tmp_path / "there.json").as_uri(), "http://127.0.0.1:9/schema", "there.json"):
        with pytest.raises(ValueError, match="a schema may refer only to its own parts"):
            Task(id="a", prompt="x", expects={"$ref": where})  # type: ignore[arg-type]


def test_a_schema_that_goes_round_in_itself_or_has_a_slow_pattern_is_done_at_once() -> None:
    begun = time.process_time()
    assert schema_of({"allOf": [{"$ref": "#"}]}).misfit({}) == ""
    assert schema_of({"pattern": "^(a+)+$"}).misfit("a" * 40 + "!") != ""
    assert schema_of({"pattern": r"^(?=a)(\w*\w*)*\1$"}).misfit("a" * 40 + "!") != ""
    assert time.process_time() - begun < 5


def test_a_default_may_be_a_schema() -> None:
    plan = parse_plan("starloom: 1\ndefaults: {expects: {type: object}}\ntasks: {a: {prompt: x}}\n")
    assert plan.tasks[0].expects == schema_of({"type": "object"})


def test_the_schema_of_plan_files_takes_both() -> None:
    from jsonschema_rs import validator_for

    takes = validator_for(plan_schema())
    for expects, is_right in (("json", True), (SCHEMA, True), (None, True), ("yaml", False), (7, False)):
        plan = {"starloom": 1, "tasks": [{"id": "a", "prompt": "x", "expects": expects}]}
        assert takes.is_valid(plan) is is_right, expects


# ---- as a value


def test_it_comes_back_from_a_journal_as_it_was() -> None:
    tasks = [Task(id="a", prompt="x", expects=schema_of(SCHEMA)), Task(id="b", prompt="x"), Task(id="c", shell="x")]
    assert tasks_from_columns(tasks_to_columns(tasks)) == tasks
    assert tasks_from_plain([part_to_plain(task) for task in tasks]) == tuple(tasks)
    driver = Driver()
    driver.create(Plan(tasks=tuple(tasks)))
    assert json.loads(driver.graph_bytes())[0][0][1]["expects"] == SCHEMA


def test_it_is_copied_pickled_and_hashed_and_one_is_not_true() -> None:
    one = schema_of({"const": 1})
    assert pickle.loads(pickle.dumps(one)) == copy.deepcopy(one) == one
    assert hash(copy.copy(one)) == hash(one)
    assert one != schema_of({"const": True})


# ---- what fits


@pytest.mark.parametrize(
    ("value", "told"),
    [
        ({"name": "abc", "sizes": [1, 2]}, ""),
        ({}, ': "name" is a required property'),
        ({"name": "abcd"}, ' at name: "abcd" is longer than 3 characters'),
        ({"name": "a", "sizes": [1, 0]}, " at sizes[1]: 0 is less than the minimum of 1"),
        ([], ': [] is not of type "object"'),
    ],
)
def test_what_does_not_fit_is_told_with_its_place(value: Any, told: str) -> None:
    assert schema_of(SCHEMA).misfit(value) == told


def test_of_several_misfits_the_first_is_told_and_how_many_there_are_and_none_at_length() -> None:
    told = schema_of({"items": {"type": "object"}}).misfit(["x" * 1000] * 3)
    assert told.endswith("… (and 2 more)")
    assert len(told) < 300
