"""What a plan file gives once for all tasks: it is read into each of them, kept, and written where it was."""

from __future__ import annotations

from dataclasses import replace

from starloom.formats import dump_plan, parse_plan
from starloom.model.task import Retry


def test_what_a_plan_gives_once_for_all_tasks_stays_where_it_was_written() -> None:
    plan = parse_plan("starloom: 1\ndefaults: {retry: 2, timeout: 10m}\ntasks: [{id: a, shell: x}, {id: b, shell: y}]")
    other = replace(plan, tasks=(plan.tasks[0], replace(plan.tasks[1], retry=Retry(), timeout=None)))
    text = dump_plan(other)
    assert parse_plan(text) == other
    assert "defaults:\n  retry: 2\n  timeout: 10m\n" in text
    assert "- id: a\n  shell: x\n- id: b\n  shell: y\n  timeout: null\n  retry: 0\n" in text
