"""GraphML: what other tools find in it when they read it."""

from __future__ import annotations

import io
import xml.etree.ElementTree as ET
from typing import TYPE_CHECKING

import networkx as nx
import pytest

from starloom.errors import PlanError
from starloom.formats import dump_plan, parse_plan, save_plan
from starloom.formats.losses import losses
from starloom.model.dependency import Dependency
from starloom.model.plan import Plan
from starloom.model.status import DependencyKind, Join, Severity
from starloom.model.task import Prefer, Retry, Simulate, Task

if TYPE_CHECKING:
    from pathlib import Path

TRICKY = "\"quotes\" & <tags> ]]> 'more' two\nlines tab\there return\r\n \x85 \u2028 é😀"


def read(plan: Plan) -> nx.DiGraph:
    return nx.read_graphml(io.BytesIO(dump_plan(plan, "graphml").encode()))


def rich() -> Plan:
    first = Task(
        id="a",
        name="A",
        description=TRICKY,
        command=("make",),
        priority=80,
        device=Prefer("box"),
        requires=frozenset({"gpu", "arm"}),
        groups=("net", "disk"),
        timeout=60,
        estimate=1.5,
        retry=Retry(attempts=3),
        severity=Severity.WARNING,
        join=Join.ANY,
    )
    edge = Dependency(parent="a", child="b", kind=DependencyKind.CONDITION, condition='value < 3 && "x" != output')
    return Plan(name="p", tasks=(first, Task(id="b", simulate=Simulate(2))), dependencies=(edge,))


def test_networkx_finds_tasks_and_dependencies_with_their_fields() -> None:
    graph = read(rich())
    assert graph.is_directed()
    assert graph.nodes["a"] == {
        "name": "A",
        "description": TRICKY,
        "action": "command",
        "priority": 80,
        "device": "box",
        "requires": "arm, gpu",
        "groups": "net, disk",
        "timeout": 60.0,
        "estimate": 1.5,
        "attempts": 3,
        "severity": "warning",
        "join": "any",
    }
    assert graph.nodes["b"]["estimate"] == 2.0
    assert graph.edges["a", "b"] == {"kind": "condition", "condition": 'value < 3 && "x" != output'}


def test_ids_of_any_characters_are_the_names_of_nodes() -> None:
    ids = ["<a>", '"b"', "c & d", "]]>", " e ", "f\x85g", "😀", "h\u2028i"]
    plan = Plan(tasks=tuple(Task(id=task_id, simulate=Simulate()) for task_id in ids))
    assert list(read(plan).nodes) == ids


def test_an_id_that_xml_cannot_hold_gets_another_that_is_free() -> None:
    ids = ["x\uffff", "task-0", "x\ufffe"]
    tasks = tuple(Task(id=task_id, simulate=Simulate()) for task_id in ids)
    plan = Plan(tasks=tasks, dependencies=(Dependency(parent="x\uffff", child="x\ufffe"),))
    graph = read(plan)
    assert list(graph.nodes) == ["task-0_", "task-0", "task-2"]
    assert list(graph.edges) == [("task-0_", "task-2")]
    assert graph.nodes["task-2"]["name"] == "x\ufffd"


def test_characters_that_xml_cannot_hold_are_replaced() -> None:
    plan = Plan(name="n\ufffe", tasks=(Task(id="a", name="x\x00\x1b[31my", simulate=Simulate()),))
    tree = ET.fromstring(dump_plan(plan, "graphml"))
    found = tree.find(".//{*}data[@key='name']")
    assert found is not None
    assert found.text == "x\ufffd\ufffd[31my"


def test_what_is_left_out_is_said() -> None:
    assert losses(rich(), "graphml") == ["GraphML does not hold everything; left out: command (1 task)."]
    plan = Plan(tasks=(Task(id="a", simulate=Simulate(1, fail_attempts=1), retry=Retry(attempts=2, delay=5)),))
    assert "simulate (1 task), retry (1 task)" in losses(plan, "graphml")[0]


def test_it_is_written_by_its_ending_and_not_read(tmp_path: Path) -> None:
    path = tmp_path / "x.graphml"
    save_plan(rich(), path)
    text = path.read_text(encoding="utf-8")
    assert text.startswith("<?xml")
    with pytest.raises(PlanError, match="graphml is written by Starloom, but not read"):
        parse_plan(text, str(path))
