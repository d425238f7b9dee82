"""Conditions: what is refused when written, and that evaluating one always ends with a verdict and a sentence."""

from __future__ import annotations

import subprocess
import sys
import time
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from starloom.constellation import conditions
from starloom.constellation.conditions import check, evaluate


def verdict(text: str, value: Any = None, **known: Any) -> tuple[bool, str]:
    facts: dict[str, Any] = {
        "status": "completed",
        "exit_code": 0,
        "output": "",
        "attempts": 1,
        "duration": 1.5,
    } | known
    return evaluate(text, value=value, **facts)


@pytest.mark.parametrize(
    "text",
    [
        "value.score > 0.8",
        "status == 'failed' && attempts < 3",
        "value.all(x, x > 0)",
        "duration < 5.0 || output.contains('(((((((((((((((((((((((')",
        "type(value) == int",
        "value.filter(x, x > 1).size() > 0",
        'output.contains("done") && !output.endsWith("!")',
        "exit_code > 0",
        "duration == null || duration > 2.5",
        '"x" in value',
        'value.score > "a"',
        'status in ["completed", "failed"]',
        "int(output) > 3",
        'timestamp(output) > timestamp("2026-01-01T00:00:00Z")',
        "severity == 'error' || output.size() > 3",
        "value",
    ],
)
def test_a_good_condition_has_no_fault(text: str) -> None:
    assert check(text) is None


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("value > ", "column 9: it ends too early"),
        ("a b", "column 3: 'b' is not expected here"),
        ("", "is empty"),
        ("statu == 'x'", "did you mean 'status'?"),
        ("foo > 1", "names 'foo', which is not known; a condition knows status, value"),
        ("value.all(x, y > 1)", "names 'y'"),
        ("value.all(x, x.all(y, y))", "use one level"),
        ("value.map(a, a).map(b, b).map(c, c).map(d, d)", "more than 3"),
        ("(" * 21 + "1" + ")" * 21, "deeper than 20"),
        ("1" * 501, "501 characters"),
        ("true // always", "no comments"),
        ("\ud800", "not a CEL expression"),
        ('"done" in output', 'write output.contains("…")'),
        ('!("done" in output)', 'write output.contains("…")'),
        ('contains(output, "done")', 'write output.contains("…")'),
        ('output.startswith("x")', "calls 'startswith', which is not known; did you mean 'startsWith'?"),
        ("len(output) > 2", "did you mean 'size'?"),
        ("not (exit_code == 0)", "did you mean '!'?"),
        ("foo(output)", "calls 'foo', which is not known; a condition knows contains, startsWith"),
        ('value.name.startswith("x")', "did you mean 'startsWith'?"),
        ("output > 3", "types that do not fit"),
        ("output + 1 == 2", "types that do not fit"),
        ('output.matches("[")', "no regular expression"),
        ("attempts", "gives a number, not true or false"),
    ],
)
def test_a_bad_condition_is_refused_with_a_sentence(text: str, told: str) -> None:
    assert told in (check(text) or "")


@pytest.mark.parametrize(
    ("text", "value", "expected"),
    [
        ("value.score > 0.8", {"score": 0.9}, True),
        ("value.score > 0.8", {"score": 1}, True),
        ("value.score > 0.8", {"score": 0.1}, False),
        ("value.exists(x, x == 3)", [1, 2, 3], True),
        ("status == 'completed' && exit_code == 0 && attempts == 1", None, True),
        ("value == null", None, True),
    ],
)
def test_a_condition_gives_its_verdict(text: str, value: Any, expected: bool) -> None:
    assert verdict(text, value) == (expected, "")


@pytest.mark.parametrize(
    ("text", "value", "told"),
    [
        ("value.score > 0.8", {}, "no 'score'"),
        ("value.score > 0.8", None, "types that do not fit"),
        ("value[5] > 1", [1], "too short"),
        ("1 / 0 > 1", None, "divides by zero"),
        ("attempts", None, "gives a number, not true or false"),
        ("value >", None, "ends too early"),
        ("value == 1", {1, 2}, "the condition failed"),
        ("value == 1", list(range(10_001)), "at most 10000"),
        ("value == ''", "\ud800", "the condition failed"),
    ],
)
def test_an_error_is_a_no_with_a_sentence(text: str, value: Any, told: str) -> None:
    answer, error = verdict(text, value)
    assert answer is False
    assert told in error


def test_a_value_that_contains_itself_is_too_deep() -> None:
    value: list[Any] = []
    value.append(value)
    assert "nests deeper" in verdict("value == 1", value)[1]


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("value.map(x, value).size() > 1", list(range(1000))),
        ("[value].map(x, x + x).map(x, x + x)[0].map(x, x + x + x + x).size() > 1", list(range(5000))),
        ("value.rows.all(r, r.n < size(value.rows))", {"rows": [{"n": n} for n in range(9000)]}),
    ],
)
def test_what_would_run_for_minutes_is_refused_at_once(text: str, value: Any) -> None:
    start = time.monotonic()
    assert "too long" in verdict(text, value)[1]
    assert time.monotonic() - start < 20


def test_a_condition_that_would_run_for_long_is_not_tried_when_it_is_written(monkeypatch: pytest.MonkeyPatch) -> None:
    numbers, copies = ",".join("1" * 40), ",".join("x" * 60)
    text = f"[{numbers}]" + f".map(x,[{copies}])" * 3 + ".size()==40"
    program, fault = conditions._compiled(text)
    assert fault is None

    class Untried:
        variables, functions = program.variables, program.functions

        def execute(self, _context: object) -> None:
            pytest.fail("it was tried, which takes seconds and gigabytes")

    monkeypatch.setattr(conditions, "_compiled", lambda _text: (Untried(), None))
    assert conditions.check(text) is None
    assert "too long" in verdict(text, None)[1]


def test_a_macro_may_compare_many_rows_with_one_number() -> None:
    rows = [{"n": n} for n in range(5000)]
    assert verdict("value.rows.all(r, r.n < value.limit)", {"rows": rows, "limit": 10**6}) == (True, "")


def test_importing_conditions_does_not_import_the_evaluator() -> None:
    code = "import sys, starloom.constellation.conditions; sys.exit('cel' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


@settings(max_examples=100, deadline=None)
@given(st.one_of(st.text(max_size=60), st.text(alphabet="value.()[]{}&|!<>=+-0123456789'x,? ", max_size=60)))
def test_any_text_is_checked_and_evaluated_without_an_exception(text: str) -> None:
    fault = check(text)
    assert fault is None or fault.endswith((".", "?"))
    assert isinstance(verdict(text, [1, {"a": "b"}])[0], bool)
