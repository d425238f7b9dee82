"""Results of tasks never become shell text: a plan that wants that is refused, with what to write instead."""

from __future__ import annotations

import json

import pytest

from starloom.errors import PlanError
from starloom.formats import parse_plan


def plan_of(text: str) -> str:
    return f"starloom: 1\nname: p\ntasks:\n- {{id: a, shell: x}}\n- {{id: b, shell: {json.dumps(text)}, needs: a}}\n"


@pytest.mark.parametrize("text", ["rm ${a.value.x}", "echo '${a.output}'", "make\nexit ${a.exit_code}"])
def test_a_result_in_shell_text_is_refused_with_the_line_and_the_remedy(text: str) -> None:
    with pytest.raises(PlanError) as refused:
        parse_plan(plan_of(text))
    said = str(refused.value)
    assert "line 5" in said
    assert "tasks.b.shell: 'b' has the result of 'a' in its shell text" in said
    assert 'env: {RESULT: "${a.value}"}, and write "$RESULT"' in said


@pytest.mark.parametrize("text", ["echo ${HOME} ${a} ${other.value} ${b.size}", "echo $a.value", "${x:-a.value}"])
def test_what_belongs_to_the_shell_is_no_template(text: str) -> None:
    assert parse_plan(plan_of(text)).tasks[1].shell == text


def test_the_remedy_is_a_good_plan() -> None:
    text = plan_of('rm "$RESULT"').replace("needs: a", "env: {RESULT: '${a.value}'}, needs: a")
    assert parse_plan(text).tasks[1].env == {"RESULT": "${a.value}"}
