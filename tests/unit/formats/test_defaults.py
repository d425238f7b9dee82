"""What a plan file gives once for all tasks: it is read into each of them, kept, and written where it was."""

from __future__ import annotations

from dataclasses import replace

import pytest

from starloom.errors import PlanError
from starloom.formats import dump_plan, parse_plan
from starloom.model.task import Retry


def test_what_a_plan_gives_once_for_all_tasks_stays_where_it_was_written() -> None:
    plan = parse_plan("starloom: 1\ndefaults: {retry: 2, timeout: 10m}\ntasks: [{id: a, shell: x}, {id: b, shell: y}]")
    other = replace(plan, tasks=(plan.tasks[0], replace(plan.tasks[1], retry=Retry(), timeout=None)))
    text = dump_plan(other)
    assert parse_plan(text) == other
    assert "defaults:\n  retry: 2\n  timeout: 10m\n" in text
    assert "- id: a\n  shell: x\n- id: b\n  shell: y\n  timeout: null\n  retry: 0\n" in text


@pytest.mark.parametrize(
    ("field", "where", "told"),
    [
        ("device: %s", "device", "at most 500 characters"),
        ("groups: [%s]", "groups[0]", "at most 500 characters"),
        ("env: {A: {secret: env:%s}}", "env.A", "at most 4,096 are allowed"),
    ],
)
def test_a_default_whose_name_is_too_long_is_refused_with_how_long_it_may_be(field: str, where: str, told: str) -> None:
    text = "starloom: 1\ndefaults: {" + field % ("n" * 5_000) + "}\ntasks: [{id: a, shell: x}]"
    with pytest.raises(PlanError, match=told) as found:
        parse_plan(text)
    (problem,) = found.value.problems
    assert (problem.line, problem.where) == (2, f"defaults.{where}")
