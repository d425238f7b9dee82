"""Whatever is read, the answer is a plan or a PlanError; whatever is written is read back equal."""

from __future__ import annotations

import json
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from starloom.errors import PlanError
from starloom.formats import dump_plan, parse_plan
from starloom.formats.native import DEFAULT_FIELDS
from starloom.formats.native_writer import field_value
from starloom.model.dependency import Dependency
from starloom.model.device import DeviceSpec
from starloom.model.expected import JsonSchema
from starloom.model.files import FileCopy, Files
from starloom.model.plan import Limits, Plan
from starloom.model.positions import FARTHEST
from starloom.model.secret import Secret
from starloom.model.status import DependencyKind, Expects, GateDefault, Join, OnInterrupt, PermissionPolicy, Severity
from starloom.model.task import BypassValue, Gate, Prefer, Retry, Simulate, Task

FAST = settings(max_examples=100, deadline=None)
TEXT = st.text(st.characters(exclude_categories=["Cs"]), max_size=12)
TRICKY = st.sampled_from(
    ["no", "on", "~", "null", "1e5", "0o17", "0x1F", "1_000", "2026-01-01", "1:30", "=", "<<", "- a"]
)
WORD = st.one_of(TEXT, TRICKY, st.text("a\n\t :#'\"\\|>%@`-", max_size=10))
SCHEMA = JsonSchema('{"type":"object","required":["é"]}')
SECRET = st.builds(Secret, st.sampled_from(["env:TOKEN", "keyring:my key", "file:~/é: x#y"]))
ID = st.one_of(TRICKY, st.text(st.characters(exclude_categories=["Cs", "Cc"]), min_size=1, max_size=8))
NUMBER = st.floats(allow_nan=False, allow_infinity=False)
JSON = st.recursive(
    st.one_of(st.none(), st.booleans(), st.integers(), NUMBER, WORD),
    lambda inner: st.one_of(st.lists(inner, max_size=3), st.dictionaries(WORD, inner, max_size=3)),
    max_leaves=6,
)
MAPPING = st.dictionaries(WORD, JSON, max_size=3)
SECONDS = st.floats(0, 1e9)
GATE = st.builds(Gate, WORD) | st.builds(Gate, WORD, SECONDS, st.sampled_from(GateDefault))
PATH = st.sampled_from(["a", "a b/c.txt", "./ä", "..b", "-x", "~/y"])
COPIES = st.lists(PATH.flatmap(lambda here: st.builds(FileCopy, st.just(here), PATH)), max_size=1).map(tuple)
ACTION = st.one_of(
    st.fixed_dictionaries({"command": st.lists(WORD, min_size=1, max_size=3).map(tuple)}),
    st.fixed_dictionaries({"shell": WORD}),
    st.fixed_dictionaries({"python": st.just("a.b:c")}),
    st.fixed_dictionaries({"call": ID}),
    st.fixed_dictionaries({"prompt": WORD}),
    st.fixed_dictionaries({"gate": GATE}),
    st.fixed_dictionaries({"simulate": st.builds(Simulate, SECONDS, value=JSON, fail_attempts=st.integers(0, 9))}),
)
FIELDS = st.fixed_dictionaries(
    {},
    optional={
        "name": WORD,
        "description": WORD,
        "tips": st.lists(WORD, max_size=2).map(tuple),
        "inputs": MAPPING,
        "env": st.dictionaries(WORD, WORD | SECRET, max_size=2),
        "cwd": WORD,
        "upstream": st.booleans(),
        "files": st.builds(Files, COPIES, COPIES),
        "breakpoint": st.booleans(),
        "bypass": st.booleans() | st.builds(BypassValue, JSON),
        "priority": st.integers(0, 100),
        "requires": st.frozensets(WORD, max_size=2),
        "device": st.one_of(ID, ID.map(Prefer)),
        "groups": st.lists(ID, max_size=2).map(tuple),
        "timeout": SECONDS,
        "estimate": SECONDS,
        "retry": st.builds(Retry, st.integers(1, 9), delay=SECONDS, cap=st.none() | SECONDS),
        "severity": st.sampled_from(Severity),
        "join": st.sampled_from(Join),
        "on_interrupt": st.sampled_from(OnInterrupt),
        "expects": st.sampled_from([Expects.JSON, SCHEMA]),
        "permissions": st.sampled_from(PermissionPolicy),
        "metadata": MAPPING,
    },
)
DEVICE = st.builds(
    DeviceSpec,
    id=ID,
    slots=st.none() | st.integers(1, 99),
    capabilities=st.frozensets(WORD, max_size=2),
    speed=st.floats(0.01, 100),
    options=st.one_of(MAPPING, st.just({"slots": 1, "options": 2})),
)
POSITION = st.tuples(*[st.integers(-FARTHEST, FARTHEST)] * 2)
LIMITS = st.builds(
    Limits, max_concurrency=st.none() | st.integers(0, 9), groups=st.dictionaries(ID, st.integers(0, 9), max_size=2)
)


def _written(given: dict[str, Any]) -> dict[str, Any]:
    """Task fields as a file writes them."""
    return {name: field_value(name, value, name) for name, value in given.items() if name in DEFAULT_FIELDS}


@st.composite
def plans(draw: st.DrawFn) -> Plan:
    ids = draw(st.lists(ID, unique=True, max_size=5))
    tasks = tuple(Task(id=task_id, **draw(ACTION), **draw(FIELDS)) for task_id in ids)
    pairs = [(parent, child) for number, child in enumerate(ids) for parent in ids[:number]]
    chosen = draw(st.lists(st.sampled_from(pairs), unique=True)) if pairs else []
    kinds = st.sampled_from([kind for kind in DependencyKind if kind is not DependencyKind.CONDITION])
    dependencies = tuple(
        Dependency(parent=parent, child=child, kind=draw(kinds), metadata=draw(MAPPING)) for parent, child in chosen
    )
    devices = tuple(draw(st.lists(DEVICE, unique_by=lambda device: device.id, max_size=2)))
    return Plan(
        name=draw(ID),
        description=draw(WORD),
        tasks=tasks,
        dependencies=dependencies,
        devices=devices,
        limits=draw(LIMITS),
        metadata=draw(MAPPING),
        layout=draw(st.dictionaries(st.sampled_from(ids), POSITION)) if ids else {},
        defaults=_written(draw(FIELDS)),
    )


def is_plan_or_plan_error(text: str | bytes, **known: Any) -> None:
    try:
        answer: object = parse_plan(text, **known)
    except PlanError as error:
        answer = error
    assert isinstance(answer, Plan | PlanError)
    if isinstance(answer, PlanError):
        assert answer.problems
        assert all(problem.message for problem in answer.problems)
        assert "pydantic" not in str(answer)


@FAST
@given(plans())
def test_a_plan_survives_yaml_and_json_with_the_order_of_its_dependencies(plan: Plan) -> None:
    assert parse_plan(dump_plan(plan, "yaml")) == plan
    assert parse_plan(dump_plan(plan, "json")) == plan
    for keyed in (("tasks",), ("tasks", "devices")):
        assert parse_plan(dump_plan(plan, "yaml", keyed)) == plan
        assert parse_plan(dump_plan(plan, "json", keyed)) == plan


@FAST
@given(plans())
def test_any_plan_can_be_written_as_wfformat_and_read_again(plan: Plan) -> None:
    once = parse_plan(dump_plan(plan, "wfformat"))
    assert [task.id for task in once.tasks] == [task.id for task in plan.tasks]
    assert parse_plan(dump_plan(once, "wfformat")) == once


@FAST
@given(st.one_of(st.text(max_size=80), st.text("{}[],:\"'-&*!#|> \n\tastrloom1", max_size=80)))
def test_any_text_is_a_plan_or_a_plan_error(text: str) -> None:
    is_plan_or_plan_error(text)
    is_plan_or_plan_error("starloom: 1\nname: " + text)
    is_plan_or_plan_error('{"starloom": 1, "name": ' + text, format="json")


@FAST
@given(st.binary(max_size=80))
def test_any_bytes_are_a_plan_or_a_plan_error(data: bytes) -> None:
    is_plan_or_plan_error(data)
    is_plan_or_plan_error(b"starloom: 1\n" + data)


KEYS = st.sampled_from(
    [
        "id",
        "tasks",
        "needs",
        "task",
        "kind",
        "condition",
        "parent",
        "child",
        "command",
        "shell",
        "simulate",
        "device",
        "prefer",
        "retry",
        "attempts",
        "delay",
        "env",
        "inputs",
        "timeout",
        "priority",
        "requires",
        "groups",
        "metadata",
        "workflow",
        "specification",
        "execution",
        "parents",
        "children",
        "runtimeInSeconds",
        "options",
        "x",
    ]
)
LIKE_A_PLAN = st.recursive(
    st.one_of(JSON, st.sampled_from(["a", "b", "x", "soon", "condition", "${a.value}", 1, -1, True])),
    lambda inner: st.one_of(st.lists(inner, max_size=4), st.dictionaries(KEYS, inner, max_size=5)),
    max_leaves=20,
)
ITEM = st.dictionaries(KEYS, LIKE_A_PLAN, max_size=5) | LIKE_A_PLAN


@FAST
@given(
    st.fixed_dictionaries(
        {"starloom": st.just(1) | JSON},
        optional={
            "tasks": st.lists(ITEM, max_size=4) | st.dictionaries(ID, ITEM, max_size=3) | LIKE_A_PLAN,
            "dependencies": st.lists(ITEM, max_size=3) | LIKE_A_PLAN,
            "devices": st.lists(ITEM, max_size=3) | LIKE_A_PLAN,
            "limits": LIKE_A_PLAN,
            "defaults": ITEM,
            "name": JSON,
            "metadata": JSON,
        },
    )
)
def test_any_value_of_the_shape_of_a_plan_is_a_plan_or_a_plan_error(value: Any) -> None:
    is_plan_or_plan_error(json.dumps(value))


@FAST
@given(st.lists(ITEM, max_size=4), st.lists(ITEM, max_size=4), LIKE_A_PLAN)
def test_any_value_of_the_shape_of_wfformat_is_a_plan_or_a_plan_error(spec: Any, run: Any, head: Any) -> None:
    workflow = {"specification": {"tasks": spec}, "execution": {"tasks": run}}
    is_plan_or_plan_error(json.dumps({"name": head, "workflow": workflow}))
    is_plan_or_plan_error(json.dumps({"workflow": head}))
