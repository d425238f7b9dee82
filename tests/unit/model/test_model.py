"""The model's values: quantities as people write them, and what a task, a dependency and a plan refuse."""

from __future__ import annotations

import json
from contextlib import nullcontext
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pydantic import ValidationError

from starloom.errors import PlanError
from starloom.model.dependency import Dependency
from starloom.model.device import DeviceSpec
from starloom.model.plan import Plan, show_path
from starloom.model.quantities import format_duration, parse_duration, parse_priority
from starloom.model.task import Prefer, Retry, Task


@pytest.mark.parametrize(
    ("text", "seconds"),
    [(90, 90), ("90", 90), ("90s", 90), ("10m", 600), ("1h30m", 5400), ("250ms", 0.25), ("2 min", 120), ("1d", 86400)],
)
def test_durations_are_read_as_people_write_them(text: object, seconds: float) -> None:
    assert parse_duration(text) == seconds


@pytest.mark.parametrize("value", ["soon", "", "-1s", -1, True, None, float("inf"), float("nan"), "1x", [1]])
def test_what_is_no_duration_is_refused(value: object) -> None:
    with pytest.raises(ValueError, match="duration"):
        parse_duration(value)


@settings(max_examples=100)
@given(st.one_of(st.integers(0, 10**7), st.floats(0.001, 10**6)))
def test_a_formatted_duration_is_read_back_exactly(seconds: float) -> None:
    assert parse_duration(format_duration(seconds)) == seconds


@pytest.mark.parametrize(
    ("value", "priority"), [("critical", 100), ("High", 80), (30, 30), ("30", 30), (-5, 0), (500, 100)]
)
def test_priorities_are_names_or_clamped_numbers(value: object, priority: int) -> None:
    assert parse_priority(value) == priority


@pytest.mark.parametrize("value", ["urgent", 1.5, True, None])
def test_what_is_no_priority_is_refused(value: object) -> None:
    with pytest.raises(ValueError, match="priority"):
        parse_priority(value)


def test_a_task_takes_the_shorthands() -> None:
    task = Task(id="a", shell="x", retry=2, requires="gpu", groups="db", timeout="1m", device={"prefer": "b"})  # type: ignore[arg-type]
    assert task.retry == Retry(attempts=3)
    assert task.requires == frozenset({"gpu"})
    assert task.groups == ("db",)
    assert task.timeout == 60
    assert task.device == Prefer("b")
    assert (task.pin, task.preference) == (None, "b")


@pytest.mark.parametrize("fields", [{}, {"shell": "x", "command": ("y",)}, {"shel": "x"}, {"shell": "x", "retry": -1}])
def test_a_task_needs_exactly_one_action_and_known_fields(fields: dict[str, object]) -> None:
    with pytest.raises(ValidationError):
        Task(id="a", **fields)  # type: ignore[arg-type]


@pytest.mark.parametrize("task_id", ["", "a\nb", "a\x00", "x" * 501])
def test_ids_hold_no_control_characters_and_have_bounds(task_id: str) -> None:
    with pytest.raises(ValidationError):
        Task(id=task_id, shell="x")


def test_a_condition_and_its_kind_belong_together() -> None:
    with pytest.raises(ValidationError):
        Dependency(parent="a", child="b", condition="true")
    with pytest.raises(ValidationError):
        Dependency(parent="a", child="b", kind="condition")  # type: ignore[arg-type]


def plan(ids: str, *edges: str) -> Plan:
    return Plan(
        tasks=tuple(Task(id=task_id, shell="x") for task_id in ids),
        dependencies=tuple(Dependency(parent=edge[0], child=edge[1]) for edge in edges),
    )


def test_a_plan_orders_its_tasks() -> None:
    made = plan("cba", "ab", "bc")
    assert [made.tasks[number].id for number in made.index.order] == ["a", "b", "c"]


@pytest.mark.parametrize(
    ("ids", "edges", "code"),
    [
        ("aa", (), "duplicate_task"),
        ("ab", ("ab", "ab"), "duplicate_dependency"),
        ("ab", ("ax",), "unknown_task"),
        ("ab", ("ab", "ba"), "cycle"),
        ("a", ("aa",), "cycle"),
    ],
)
def test_a_plan_refuses_a_bad_structure(ids: str, edges: tuple[str, ...], code: str) -> None:
    with pytest.raises(PlanError) as caught:
        plan(ids, *edges)
    assert [problem.code for problem in caught.value.problems] == [code]


def test_a_chain_of_100000_tasks_is_fine() -> None:
    tasks = tuple(Task(id=str(n), simulate=0) for n in range(100_000))  # type: ignore[arg-type]
    links = tuple(Dependency(parent=str(n), child=str(n + 1)) for n in range(99_999))
    assert len(Plan(tasks=tasks, dependencies=links).index.order) == 100_000


def test_a_long_path_is_shown_without_its_middle() -> None:
    assert show_path([str(n) for n in range(20)], limit=4) == "0 → 1 → … 16 more … → 18 → 19"


@pytest.mark.parametrize("value", [10**400, "9" * 400 + "s", "1e308", 1e300, float("nan"), float("inf")])
def test_a_duration_beyond_all_measure_is_refused_with_a_sentence(value: Any) -> None:
    with pytest.raises(ValidationError, match="a duration cannot be"):
        Task(id="a", call="x", timeout=value)


@pytest.mark.parametrize("field", ["inputs", "metadata"])
@pytest.mark.parametrize("value", [{"x": object()}, {"x": float("nan")}, {"x": "\ud800"}, {1: {2, 3}}])
def test_what_is_no_json_cannot_be_in_a_task(field: str, value: Any) -> None:
    with pytest.raises(ValidationError):
        Task(id="a", call="x", **{field: value})


@pytest.mark.parametrize(("levels", "is_refused"), [(100, False), (101, True), (900, True)])
def test_a_value_is_nested_so_deep_that_everybody_can_read_it(levels: int, is_refused: bool) -> None:
    value = json.loads('{"x":' * levels + "1" + "}" * levels)
    with pytest.raises(ValidationError, match="100 levels") if is_refused else nullcontext():
        Task(id="a", call="x", inputs=value)


def test_what_is_no_json_cannot_be_in_a_plan() -> None:
    with pytest.raises(ValidationError, match="not JSON"):
        Plan(metadata={"x": float("inf")})


def test_a_plan_made_past_the_checks_equals_the_checked_one_and_builds_its_index_when_asked():
    tasks = (Task(id="a", call="noop"), Task(id="b", call="noop"))
    dependencies = (Dependency(parent="a", child="b"),)
    made = Plan(name="one", tasks=tasks[:1]).edited(tasks, dependencies)
    assert made == Plan(name="one", tasks=tasks, dependencies=dependencies)
    assert made.built is None
    assert made.index is made.index
    assert made.index.parents == [[], [0]]


def test_a_plan_on_other_devices_equals_the_checked_one_and_keeps_its_index():
    plan = Plan(
        tasks=[Task(id="a", call="x"), Task(id="b", call="x")], dependencies=[Dependency(parent="a", child="b")]
    )
    devices = (DeviceSpec(id="here"),)
    assert plan.with_devices(devices) == replace(plan, devices=devices) != plan
    assert plan.with_devices(devices).index is plan.index


def test_what_was_not_legal_after_all_is_found_when_the_index_is_built():
    task = Task(id="a", call="noop")
    made = Plan().edited((task, task), ())
    with pytest.raises(PlanError, match="used by more than one task"):
        _ = made.index
