"""What is said of a plan with many mistakes, and of text that is none before it is wrong."""

from __future__ import annotations

import difflib
import json
from typing import Any

import pytest

from starloom.errors import PlanError
from starloom.formats import parse_plan


@pytest.mark.parametrize("rest", ["}}", "x", "]", '{"b": 1}, ', ""])
def test_a_repeated_key_before_what_is_no_json_is_a_sentence(rest: str) -> None:
    with pytest.raises(PlanError, match="not valid JSON"):
        parse_plan('{"starloom": 1, "a": {"x": 1, "x": 2}, ' + rest, "json")


def test_of_very_many_problems_the_first_of_each_kind_are_listed_and_the_others_counted() -> None:
    tasks = [{"id": f"t{number}", "call": "x", "needs": [f"gone{number}"]} for number in range(5_000)]
    wrong = [{"id": f"w{number}", "call": "x", "colour": "red"} for number in range(3)]
    with pytest.raises(PlanError) as refused:
        parse_plan(json.dumps({"starloom": 1, "tasks": [*tasks, *wrong]}), source="plan.json")
    text = str(refused.value)
    assert len(text) < 20_000
    kinds = {problem.code for problem in refused.value.problems}
    assert len(refused.value.problems) >= 3
    for code in kinds:
        many = sum(problem.code == code for problem in refused.value.problems)
        assert (f"and {many - 20:,} more problem" in text) is (many > 20)


def test_the_same_mistake_in_many_tasks_is_looked_up_once(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[str] = []
    before = difflib.get_close_matches

    def noting(word: str, *rest: Any, **how: Any) -> list[str]:
        asked.append(word)
        return before(word, *rest, **how)

    monkeypatch.setattr(difflib, "get_close_matches", noting)
    text = "starloom: 1\ntasks:\n" + "".join(f"  t{number}: {{sheell: x}}\n" for number in range(300))
    with pytest.raises(PlanError, match="and 280 more problems"):
        parse_plan(text)
    assert asked == ["sheell"]


def test_a_priority_beyond_all_is_a_mistake_with_its_line() -> None:
    tasks = "  a: {shell: x, priority: 1000000}\n  b: {shell: x, priority: 100}\n"
    text = f"starloom: 1\ndefaults: {{priority: -3}}\ntasks:\n{tasks}"
    with pytest.raises(PlanError) as refused:
        parse_plan(text)
    found = [(one.line, one.where, one.message) for one in refused.value.problems]
    assert [(line, where) for line, where, _ in found] == [(2, "defaults.priority"), (4, "tasks.a.priority")]
    assert "1000000 is not a priority; use 0 to 100 or one of critical" in found[1][2]


@pytest.mark.parametrize("value", ["0", "100", '"+7"', '"007"', "-0", "high"])
def test_a_priority_within_0_to_100_is_none(value: str) -> None:
    assert parse_plan(f"starloom: 1\ntasks:\n  a: {{shell: x, priority: {value}}}\n").tasks
