"""The layout of a plan in files: last in them, held by the native format only, and unknown ids are said and dropped."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from tests.driver import plan

from starloom.cli.checking import validate_plans
from starloom.cli.convert import convert_file
from starloom.cli.screen import Screen
from starloom.formats import dump_plan, load_plan, parse_plan
from starloom.formats.losses import assumptions, losses

if TYPE_CHECKING:
    from pathlib import Path

STRAY = "starloom: 1\ntasks:\n- {id: a, shell: x}\nlayout:\n  a: [1, 2]\n  zz: [3, 4]\n"


@pytest.mark.parametrize("syntax", ["yaml", "json"])
def test_the_layout_is_the_last_of_a_file(syntax: str) -> None:
    text = dump_plan(plan(["a", "b"], ["a>b"]).laid_out({"b": (5, -6)}), syntax)
    assert text.split("layout")[1].split() in (
        [":", "b:", "[5,", "-6]"],
        ['":', "{", '"b":', "[", "5,", "-6", "]", "}", "}"],
    )
    assert parse_plan(text).layout == {"b": (5, -6)}


def test_a_plan_without_a_layout_says_nothing_of_it() -> None:
    assert "layout" not in dump_plan(plan(["a"], []), "yaml")


def test_ids_that_are_no_tasks_are_said_and_not_written() -> None:
    read = parse_plan(STRAY)
    (said,) = assumptions(read, "yaml")
    assert said == "The layout places 'zz', which is no task of the plan; what it says of that is dropped."
    assert parse_plan(dump_plan(read)).layout == {"a": (1, 2)}
    assert assumptions(parse_plan(dump_plan(read)), "yaml") == []


def test_validate_and_convert_say_which_ids_are_dropped(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "plan.yaml"
    path.write_text(STRAY, encoding="utf-8")
    for act in (
        lambda: validate_plans([path], Screen()),
        lambda: convert_file(path, tmp_path / "again.yaml", None, None, Screen()),
    ):
        assert act() == 0
        assert "The layout places 'zz', which is no task of the plan" in capsys.readouterr().err
    assert load_plan(tmp_path / "again.yaml").layout == {"a": (1, 2)}


@pytest.mark.parametrize("format", ["dot", "mermaid", "graphml", "wfformat", "ufo"])
def test_a_format_that_holds_no_layout_says_so(format: str) -> None:  # noqa: A002
    assert "layout of the plan" in losses(plan(["a"], []).laid_out({"a": (1, 2)}), format)[0]
