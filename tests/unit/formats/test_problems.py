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
