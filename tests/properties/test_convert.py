"""Conversions: what is written in another format is read back as it was, and garbage ends in a sentence."""

from __future__ import annotations

import importlib.util
import io
import json
import re
import warnings
from typing import Any

import networkx as nx
import pytest
import yaml
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from tests.properties.test_formats import ID, ITEM, LIKE_A_PLAN, WORD, is_plan_or_plan_error, plans
from tests.pydot_graphs import parsed, without_port

from starloom.formats import FORMATS, dump_plan, parse_plan
from starloom.formats.dot_reader import plain_id, plain_label
from starloom.formats.dot_text import NoDot, read_graphs
from starloom.formats.losses import losses
from starloom.model.dependency import Dependency
from starloom.model.plan import Plan
from starloom.model.status import DependencyKind
from starloom.model.task import Simulate, Task

FAST = settings(max_examples=60, deadline=None)
FEW = settings(max_examples=25, deadline=None)
NAME = st.one_of(
    WORD,
    st.text("\"\\&;#<>{}[]|`%\n\r\t\x00\x1b\x85\u2028]nlrNG'é😀\ufffe", max_size=12),
    st.sampled_from(["]]>", "<![CDATA[x", "&amp;#35;", "\\", '\\"', "\\N", "</data>", "-->", "end"]),
)
TRICKY_ID = st.one_of(ID, NAME.map(lambda text: re.sub(r"[\x00-\x1f\x7f]", "_", text)).filter(bool))


@st.composite
def drawings(draw: st.DrawFn) -> Plan:
    """Plans of nothing but what DOT holds."""
    ids = draw(st.lists(TRICKY_ID, unique=True, max_size=4))
    names = [draw(NAME) for _ in ids]
    tasks = tuple(
        Task(id=task_id, name="" if name == task_id else name, simulate=Simulate(1.0))
        for task_id, name in zip(ids, names, strict=True)
    )
    pairs = [(parent, child) for number, child in enumerate(ids) for parent in ids[:number]]
    chosen = draw(st.lists(st.sampled_from(pairs), unique=True)) if pairs else []
    edges = tuple(Dependency(parent=parent, child=child) for parent, child in chosen)
    return Plan(name=draw(TRICKY_ID), tasks=tasks, dependencies=edges)


@FAST
@given(drawings())
def test_a_drawing_survives_dot(plan: Plan) -> None:
    again = parse_plan(dump_plan(plan, "dot"), format="dot")
    assert (again.name, again.tasks) == (plan.name, plan.tasks)
    assert set(map(str, again.dependencies)) == set(map(str, plan.dependencies))


@FEW
@given(plans())
def test_any_plan_can_be_drawn_and_its_drawing_is_stable(plan: Plan) -> None:
    once = parse_plan(dump_plan(plan, "dot"), format="dot")
    assert [(task.id, task.title) for task in once.tasks] == [(task.id, task.title) for task in plan.tasks]
    assert parse_plan(dump_plan(once, "dot"), format="dot") == once


@FAST
@given(plans())
def test_any_plan_is_a_graph_for_networkx(plan: Plan) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        graph = nx.read_graphml(io.BytesIO(dump_plan(plan, "graphml").encode()))
    names = dict(zip((task.id for task in plan.tasks), graph.nodes, strict=True))
    assert all(name == task_id for task_id, name in names.items() if not set("\ufffe\uffff") & set(task_id))
    edges = {(names[edge.parent], names[edge.child]): str(edge.kind) for edge in plan.dependencies}
    assert {(parent, child): data["kind"] for parent, child, data in graph.edges(data=True)} == edges
    for task in plan.tasks:
        data = graph.nodes[names[task.id]]
        assert data["name"] == re.sub(r"[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]", "\ufffd", task.title)
        assert data["priority"] == task.priority


@FAST
@given(ID, st.lists(NAME, max_size=3))
def test_any_plan_is_a_flowchart_of_one_line_a_part(name: str, names: list[str]) -> None:
    tasks = tuple(Task(id=f"{number} \u2028", name=name, simulate=Simulate()) for number, name in enumerate(names))
    plan = Plan(name=name, tasks=tasks)
    text = dump_plan(plan, "mermaid")
    head, _, rest = text.partition("\n---\n")
    assert isinstance(yaml.safe_load(head)["title"], str)
    lines = rest.rstrip("\n").split("\n")[1:]
    assert len(lines) == len(plan.tasks)
    for line, task in zip(lines, plan.tasks, strict=True):
        label = re.fullmatch(r'  t\d+\["([^"<>&]*(?:<br/>[^"<>&]*)*)"\]', line)
        assert label is not None
        shown = re.sub(r"#(\d+);", lambda match: chr(int(match[1])), label[1].replace("<br/>", "\n"))
        kept = re.sub(r"[\x00-\x09\x0b-\x1f\x7f-\x9f\u2028\u2029\ufffe\uffff]", "\ufffd", task.title)
        assert shown == kept


@FAST
@given(plans())
def test_any_plan_can_be_written_as_ufo_and_read_again(plan: Plan) -> None:
    once = parse_plan(dump_plan(plan, "ufo"), format="ufo")
    assert [task.id for task in once.tasks] == [task.id for task in plan.tasks]
    assert [(edge.parent, edge.child) for edge in once.dependencies] == [
        (edge.parent, edge.child) for edge in plan.dependencies
    ]
    assert parse_plan(dump_plan(once, "ufo"), format="ufo") == once
    assert losses(once, "ufo") == []


@FEW
@given(plans())
def test_every_loss_is_a_sentence(plan: Plan) -> None:
    for name in FORMATS:
        assert all(sentence.endswith(".") for sentence in losses(plan, name))


# ---- constellations of UFO as they are found

CASES = st.sampled_from([str.upper, str.lower, str.title])


@st.composite
def constellations(draw: st.DrawFn) -> dict[str, Any]:
    ids = draw(st.lists(ID, unique=True, min_size=1, max_size=4))
    words = {
        "priority": ["low", "medium", "high", "critical"],
        "status": ["pending", "running", "completed", "waiting_dependency"],
        "device_type": ["windows", "linux", "api"],
    }
    tasks = []
    for task_id in ids:
        task: dict[str, Any] = {"task_id": task_id, "name": draw(NAME), "description": draw(NAME)}
        task |= {key: draw(CASES)(draw(st.sampled_from(known))) for key, known in words.items() if draw(st.booleans())}
        task |= draw(
            st.fixed_dictionaries(
                {},
                optional={
                    "tips": st.none() | st.lists(WORD, max_size=2),
                    "target_device_id": st.none() | ID,
                    "timeout": st.none() | st.integers(1, 999),
                    "retry_count": st.integers(0, 9),
                    "task_data": st.dictionaries(WORD, WORD | st.sampled_from(["${a.value}", "$${", "$$${x"])),
                    "result": st.none() | WORD,
                    "created_at": st.none() | WORD,
                    "odd": WORD,
                },
            )
        )
        tasks.append(task)
    pairs = [(parent, child) for number, child in enumerate(ids) for parent in ids[:number]]
    chosen = draw(st.lists(st.sampled_from(pairs), unique=True)) if pairs else []
    kinds = st.sampled_from(["unconditional", "success_only", "completion_only", "conditional"])
    lines = [
        {
            "line_id": f"line {number}",
            "from_task_id": parent,
            "to_task_id": child,
            "dependency_type": draw(CASES)(draw(kinds)),
            "condition_description": draw(NAME),
            "metadata": draw(st.dictionaries(WORD, WORD, max_size=1)),
        }
        for number, (parent, child) in enumerate(chosen)
    ]
    value = {"constellation_id": draw(ID), "name": draw(ID), "state": draw(CASES)("partially_failed")}
    keyed = draw(st.booleans())
    return {
        **value,
        "tasks": {task["task_id"]: task for task in tasks} if keyed else tasks,
        "dependencies": {line["line_id"]: line for line in lines} if keyed else lines,
    }


@FAST
@given(constellations())
def test_a_constellation_is_written_back_as_it_stood(value: dict[str, Any]) -> None:
    plan = parse_plan(json.dumps(value))
    assert json.loads(dump_plan(plan, "ufo")) == value
    assert all(edge.kind is not DependencyKind.CONDITION for edge in plan.dependencies)
    assert parse_plan(dump_plan(plan, "yaml")) == plan
    assert json.loads(dump_plan(parse_plan(dump_plan(plan, "yaml")), "ufo")) == value


# ---- garbage

UFO_KEYS = st.sampled_from(
    [
        *("task_id", "name", "description", "tips", "target_device_id", "device_type", "priority", "status", "timeout"),
        *("retry_count", "task_data", "dependencies", "dependents", "line_id", "from_task_id", "to_task_id"),
        *("dependency_type", "condition_description", "metadata", "state", "x"),
    ]
)
UFO_VALUE = st.one_of(
    LIKE_A_PLAN, st.sampled_from(["a", "b", "HIGH", "linux", "failed", "conditional", "", None, 0, 1, 2, 10**400, True])
)
UFO_ITEM = st.dictionaries(UFO_KEYS, UFO_VALUE, max_size=7) | ITEM


@FAST
@given(
    st.lists(UFO_ITEM, max_size=4) | st.dictionaries(ID, UFO_ITEM, max_size=3) | LIKE_A_PLAN,
    st.lists(UFO_ITEM, max_size=4) | st.dictionaries(ID, UFO_ITEM, max_size=3) | LIKE_A_PLAN,
    st.dictionaries(UFO_KEYS, UFO_VALUE, max_size=3),
)
def test_any_value_of_the_shape_of_a_constellation_is_a_plan_or_a_plan_error(tasks: Any, lines: Any, head: Any) -> None:
    text = json.dumps({**head, "constellation_id": "c", "tasks": tasks, "dependencies": lines})
    is_plan_or_plan_error(text)
    is_plan_or_plan_error(text, format="ufo")


@FAST
@given(st.text(max_size=60))
def test_any_text_said_to_be_ufo_is_a_plan_error_or_a_plan(text: str) -> None:
    is_plan_or_plan_error(text, format="ufo")
    is_plan_or_plan_error('{"constellation_id": ' + text)


DOT_LIKE = st.lists(
    st.one_of(
        st.sampled_from(
            [
                "digraph",
                "graph",
                "subgraph",
                "node",
                "{",
                "}",
                "[",
                "]",
                "->",
                "--",
                "=",
                ";",
                ",",
                ":",
                "a",
                "b",
                '"a\n"',
            ]
        ),
        NAME,
    ),
    max_size=14,
).map(" ".join)


@FAST
@given(DOT_LIKE)
def test_any_text_is_a_graph_or_a_place_where_it_is_none(text: str) -> None:
    for whole in (text, f"digraph {{ {text} }}"):
        place = _place_of_trouble(whole)
        if place is not None:
            line, column = place
            assert 1 <= line <= whole.count("\n") + 1
            assert 1 <= column <= len(whole.split("\n")[line - 1]) + 1
        is_plan_or_plan_error(whole, format="dot")


def _place_of_trouble(text: str) -> tuple[int, int] | None:
    """Line and column from which on a text is no DOT; None: it is."""
    try:
        read_graphs(text)
    except NoDot as error:
        return error.line, error.column
    return None


DOT_ID = st.sampled_from(
    ["a", "b", "c", "d1", "_e", "7", "-2.5", '"x y"', '"say \\"x\\""', '"a"', "<<b>h</b>>", "über"]
)
DOT_VALUE = st.sampled_from(['"one"', "two", "3", "<x<br/>y>", '""'])
DOT_ATTRIBUTES = st.lists(
    st.one_of(DOT_VALUE.map("label={}".format), st.sampled_from(["shape=box", 'color="0.1 0.2 0.3"', "weight=2"])),
    max_size=2,
).map(lambda found: f" [{', '.join(found)}]" if found else "")


def dot_statements(groups: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    """Statements as Graphviz takes them, in which these groups may stand."""
    ports = st.tuples(DOT_ID, st.sampled_from(["", "", ":n", ":p:ne"])).map("".join)
    ends = st.one_of(ports, ports, groups)
    return st.one_of(
        st.tuples(DOT_ID, DOT_ATTRIBUTES).map("".join),
        st.tuples(st.lists(ends, min_size=2, max_size=4).map(" -> ".join), DOT_ATTRIBUTES).map("".join),
        st.sampled_from(["rankdir=LR", "node [shape=box]", "edge [label=none]", 'graph [fontname="x"]']),
        groups,
    )


def dot_groups(statements: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    """Groups of such statements, with a head or without."""
    heads = st.sampled_from(["", "subgraph ", "subgraph s ", "subgraph cluster_1 "])
    inside = st.lists(statements, max_size=3).map("; ".join)
    return st.tuples(heads, inside).map(lambda found: f"{found[0]}{{ {found[1]} }}")


DOT_STATEMENTS = dot_statements(
    st.recursive(DOT_ID.map("{{ {} }}".format), lambda inner: dot_groups(dot_statements(inner)), max_leaves=4)
)
DOT_TEXT = st.tuples(
    st.sampled_from(["digraph", "strict digraph", "DiGraph g", 'digraph "g \\"h\\""']),
    st.lists(DOT_STATEMENTS, max_size=6),
    st.sampled_from(["; ", "\n", ";\n// a comment\n", " /* another */\n"]),
).map(lambda found: f"{found[0]} {{\n{found[2].join(found[1])}\n}}")


@pytest.mark.skipif(importlib.util.find_spec("pydot") is None, reason="pydot is not installed")
@settings(max_examples=150, deadline=None)
@given(DOT_TEXT)
def test_dot_is_read_as_pydot_reads_it(text: str) -> None:
    graphs = parsed(text)
    assume(graphs is not None)
    assert graphs is not None
    (theirs,), (ours,) = graphs, read_graphs(text)
    assert plain_id(ours.name) == plain_id(theirs["name"])
    edges = {(one, two, label) for one, two, label in ours.edges}
    assert edges == {
        (without_port(one), without_port(two), attributes.get("label")) for one, two, attributes in theirs["edges"]
    }
    stated = {without_port(name): found.get("label") for name, found in theirs["nodes"].items()}
    assert {name: label for name, label in ours.nodes.items() if label} == {
        name: label for name, label in stated.items() if label
    }
    assert ours.nodes.keys() <= stated.keys() | {end for one, two, _ in edges for end in (one, two)}


@settings(max_examples=8, deadline=None)
@given(st.text(max_size=60) | DOT_LIKE)
def test_any_text_said_to_be_dot_is_a_plan_or_a_plan_error(text: str) -> None:
    is_plan_or_plan_error(text, format="dot")
    is_plan_or_plan_error("digraph { " + text)


@FAST
@given(st.text(max_size=30) | NAME, st.text(max_size=30))
def test_any_name_and_label_has_a_text(raw: str, node: str) -> None:
    assert isinstance(plain_id(raw), str)
    assert isinstance(plain_label(f'"{raw}"', node, ""), str)
    assert isinstance(plain_label(f"<{raw}>", node, ""), str)


@pytest.mark.timeout(20)
@pytest.mark.parametrize("part", ["<", '"', "<br", "<br ", '<a"', "&#", "x:"])
def test_a_label_made_to_be_slow_is_text_at_once(part: str) -> None:
    inside = part * 300_000
    assert plain_label(f"<{inside}>", "", "") == inside.strip()
    assert plain_label(f'"{inside}"', "", "") == inside
    assert plain_id(f'"{inside}"') == inside
