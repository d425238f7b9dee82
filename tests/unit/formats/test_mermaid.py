"""Mermaid: a flowchart whose text cannot be taken for anything else."""

from __future__ import annotations

import re

import pytest
import yaml

from starloom.errors import PlanError
from starloom.formats import dump_plan, parse_plan
from starloom.formats.losses import losses
from starloom.formats.mermaid import MOST_EDGES
from starloom.model.dependency import Dependency
from starloom.model.plan import Plan
from starloom.model.status import DependencyKind
from starloom.model.task import Retry, Simulate, Task


def named(*names: str) -> tuple[Task, ...]:
    return tuple(Task(id=f"task {number}", name=name, simulate=Simulate()) for number, name in enumerate(names))


def shown(label: str) -> str:
    """What a viewer shows for a label between quotes."""
    return re.sub(r"#(\d+);", lambda match: chr(int(match[1])), label.replace("<br/>", "\n"))


def test_a_plan_is_a_flowchart_with_a_title() -> None:
    tasks = named("first", "end", "third")
    edges = (
        Dependency(parent="task 0", child="task 1"),
        Dependency(parent="task 1", child="task 2", kind=DependencyKind.CONDITION, condition='value == "x"'),
        Dependency(parent="task 0", child="task 2", kind=DependencyKind.FAILURE),
    )
    text = dump_plan(Plan(name="my plan: 1", tasks=tasks, dependencies=edges), "mermaid")
    assert text.split("\n") == [
        "---",
        'title: "my plan: 1"',
        "---",
        "flowchart TD",
        '  t0["first"]',
        '  t1["end"]',
        '  t2["third"]',
        "  t0 --> t1",
        '  t1 -.->|"if value == #34;x#34;"| t2',
        '  t0 -.->|"on failure"| t2',
        "",
    ]


@pytest.mark.parametrize(
    "name",
    ['say "hi"', "#quot; #35;", "&lt;", "<b>x</b>", "a;b", "`md` **x**", "%% no", "two\nlines", "]]>", "x[y](z){w}|v|"],
)
def test_a_name_is_shown_as_it_is_and_stays_in_its_quotes(name: str) -> None:
    text = dump_plan(Plan(tasks=named(name)), "mermaid")
    assert len(text.split("\n")) == 6
    label = re.fullmatch(r'  t0\["([^"]*)"\]', text.split("\n")[4])
    assert label is not None
    assert not set("<>&`%|") & set(label[1].replace("<br/>", ""))
    assert shown(label[1]) == name


def test_control_characters_are_replaced() -> None:
    text = dump_plan(Plan(tasks=named("a\x1b\u2028\x00b")), "mermaid")
    assert 't0["a#65533;#65533;#65533;b"]' in text


def test_the_title_is_one_text_whatever_is_in_it() -> None:
    name = '--- "x" \\ \x85\u2028 é😀 {{ }}'
    title = dump_plan(Plan(name=name), "mermaid").split("\n")[1]
    assert yaml.safe_load(title) == {"title": '--- "x" \\ \ufffd\ufffd é😀 {{ }}'}


def test_what_a_flowchart_leaves_out_is_said() -> None:
    plan = Plan(tasks=(Task(id="a", shell="x", retry=Retry(attempts=2)), Task(id="b", name="B", shell="y")))
    assert losses(plan, "mermaid") == [
        "Mermaid does not hold everything; left out: shell (2 tasks), retry (1 task), id (1 task)."
    ]


def test_a_flowchart_too_large_for_viewers_is_said_to_be() -> None:
    count = MOST_EDGES + 2
    tasks = tuple(Task(id=f"t{number}", simulate=Simulate()) for number in range(count))
    chain = tuple(Dependency(parent=f"t{number}", child=f"t{number + 1}") for number in range(count - 1))
    assert "at most 500 arrows" in losses(Plan(tasks=tasks, dependencies=chain), "mermaid")[-1]


def test_a_flowchart_is_not_read() -> None:
    with pytest.raises(PlanError, match="mermaid is written by Starloom, but not read"):
        parse_plan("flowchart TD", "x.mmd")
    with pytest.raises(PlanError, match="mermaid is written by Starloom, but not read"):
        parse_plan("flowchart TD", format="mermaid")
