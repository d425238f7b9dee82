"""DOT: graphs of other tools are read as simulations, plans are written as graphs, and bad text ends in a sentence."""

from __future__ import annotations

import importlib.util
import re
import shutil
import subprocess
import sys
from typing import TYPE_CHECKING, Any

import pytest

from starloom.errors import PlanError
from starloom.formats import dot_reader, dump_plan, load_plan, parse_plan
from starloom.formats.dot_reader import looks_like_dot, plain_id, plain_label, plan_of
from starloom.formats.losses import assumptions, losses
from starloom.model.dependency import Dependency
from starloom.model.note import Note
from starloom.model.plan import Plan
from starloom.model.status import DependencyKind
from starloom.model.task import Retry, Simulate, Task

if TYPE_CHECKING:
    from pathlib import Path

needs_pydot = pytest.mark.skipif(importlib.util.find_spec("pydot") is None, reason="the extra dot is not installed")

SNAKEMAKE = r"""digraph snakemake_dag {
    graph[bgcolor=white, margin=0];
    node[shape=box, style=rounded, fontname=sans,                 fontsize=10, penwidth=2];
    edge[penwidth=2, color=grey];
	0[label = "all", color = "0.00 0.6 0.85", style="rounded"];
	1[label = "plot\nsample: A", color = "0.33 0.6 0.85", style="rounded,dashed"];
	2[label = "sort", color = "0.16 0.6 0.85", style="rounded"];
	1 -> 0
	2 -> 0
	2 -> 1
}
"""
NINJA = r"""digraph ninja {
rankdir="LR"
node [fontsize=10, shape=box, height=0.25]
edge [fontsize=10]
"0x10" [label="app"]
"0x20" [label="link", shape=ellipse]
"0x20" -> "0x10"
"0x30" -> "0x20" [arrowhead=none]
"0x40" -> "0x20" [arrowhead=none style=dotted]
"0x30" [label="a.o"]
"0x50" -> "0x30" [label=" cc"]
"0x50" [label="src/a.c"]
"0x40" [label="out dir"]
}
"""


def pairs(plan: Plan) -> set[tuple[str, str]]:
    return {(edge.parent, edge.child) for edge in plan.dependencies}


def told(text: str | bytes, **known: Any) -> str:
    with pytest.raises(PlanError) as caught:
        parse_plan(text, **known)
    return str(caught.value)


def graph(**fields: Any) -> dict[str, Any]:
    return {"name": "", "type": "digraph", "nodes": {}, "edges": [], **fields}


# ---- reading


@needs_pydot
def test_what_snakemake_draws_is_a_plan() -> None:
    plan = parse_plan(SNAKEMAKE)
    assert plan.name == "snakemake_dag"
    assert {task.id: task.title for task in plan.tasks} == {"0": "all", "1": "plot\nsample: A", "2": "sort"}
    assert pairs(plan) == {("1", "0"), ("2", "0"), ("2", "1")}


@needs_pydot
def test_what_ninja_draws_is_a_plan() -> None:
    plan = parse_plan(NINJA)
    assert [task.title for task in plan.tasks] == ["app", "link", "a.o", "src/a.c", "out dir"]
    assert pairs(plan) == {("0x20", "0x10"), ("0x30", "0x20"), ("0x40", "0x20"), ("0x50", "0x30")}
    assert [dict(edge.metadata) for edge in plan.dependencies if edge.metadata] == [{"dot": {"label": "cc"}}]


@needs_pydot
@pytest.mark.skipif(shutil.which("ninja") is None, reason="ninja is not installed")
def test_what_the_ninja_of_this_machine_draws_is_a_plan(tmp_path: Path) -> None:
    rules = "rule cc\n  command = cc $in -o $out\nbuild a.o b.o: cc a.c | a.h || dirs\nbuild app: cc a.o\n"
    (tmp_path / "build.ninja").write_text(rules, encoding="utf-8")
    drawn = subprocess.run(["ninja", "-t", "graph"], cwd=tmp_path, capture_output=True, check=True).stdout
    plan = parse_plan(drawn)
    titles = {task.id: task.title for task in plan.tasks}
    named = {(titles[parent], titles[child]) for parent, child in pairs(plan)}
    assert {("a.c", "cc"), ("a.h", "cc"), ("cc", "a.o"), ("a.o", "app")} <= named


@needs_pydot
def test_nodes_are_simulated_and_that_is_said() -> None:
    plan = parse_plan("digraph { a -> b }")
    assert [task.simulate for task in plan.tasks] == [Simulate(1.0), Simulate(1.0)]
    assert "every task is simulated" in assumptions(plan, "dot")[0]


@needs_pydot
def test_groups_ports_chains_and_comments_are_understood() -> None:
    plan = parse_plan(
        """
        // a comment
        /* another
           one */
        strict digraph "my \\"graph\\"" {
          a:out:n -> {b c} -> d -> "e" + "f"; # the rest
          a -> b;
          subgraph cluster_x { label=inner; node [shape=box]; "node" -> a }
          "a" [label=<<b>bold</b> &amp; <i>slanted</i><br/>two>];
        }
        """
    )
    assert plan.name == 'my "graph"'
    assert pairs(plan) == {("a", "b"), ("a", "c"), ("b", "d"), ("c", "d"), ("d", "ef"), ("node", "a")}
    assert {task.id: task.title for task in plan.tasks}["a"] == "bold & slanted\ntwo"


@needs_pydot
@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("digraph { a -> }", "line 1: this is not valid DOT (column 13)."),
        ("digraph {\n a\n ]\n}", "line 3: this is not valid DOT"),
        ("digraph { a } and more", "this is not valid DOT"),
        ("digraph { a -> b -> a }", "the dependencies form a cycle"),
        ("digraph { a -> a }", "the dependencies form a cycle"),
        ("graph { a -- b }", "undirected"),
        ("digraph { a } digraph { b }", "holds 2 graphs"),
        ('digraph { "" -> b }', "its name must not be empty"),
        ('digraph { "a\nb" }', "its name must not hold control characters"),
        (f"digraph {{ {'x' * 501} }}", "its name must have at most 500 characters"),
        ("digraph {" + "{" * 300 + "a" + "}" * 300 + "}", "nests too deeply"),
        ("digraph {{" + " ".join(f"a{i}" for i in range(800)) + "}->{" + " ".join(f"b{i}" for i in range(800)) + "}}",
         "more than 500,000 edges"),
    ],
)  # fmt: skip
def test_a_graph_that_is_no_plan_is_refused_with_a_sentence(text: str, expected: str) -> None:
    assert expected in told(text)


def test_a_large_graph_is_refused_before_it_is_parsed() -> None:
    assert "at most 1 MB of DOT are read" in told("digraph {" + " " * 1_000_000 + "}")


@needs_pydot
def test_a_parser_that_takes_too_long_is_ended(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(dot_reader, "TIME_LIMIT", 0.001)
    assert "it took longer than 0.001 seconds" in told("digraph { a }")


@needs_pydot
def test_a_parser_that_breaks_off_is_a_sentence(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    script = tmp_path / "broken.py"
    script.write_text("raise SystemExit('it broke')", encoding="utf-8")
    monkeypatch.setattr(dot_reader, "command_line", lambda: (sys.executable, str(script)))
    assert "its parser broke off (it broke)" in told("digraph { a }")
    monkeypatch.setattr(dot_reader, "command_line", lambda: (str(tmp_path / "nothing"),))
    assert "cannot be started" in told("digraph { a }")


def test_without_pydot_one_sentence_says_how_to_get_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("importlib.util.find_spec", lambda _name: None)
    assert told("digraph { a }", source="x.dot") == (
        "x.dot: reading DOT needs pydot, which is not installed. Install it with: pip install 'starloom[dot]'"
    )


@pytest.mark.parametrize(
    "text",
    [
        "digraph{",
        "strict graph x {",
        '// c\n/* d */ # e\n DiGraph "a {" {',
        "digraph é {",
        b"digraph a\n{\xff",
        b"\xef\xbb\xbfdigraph {",
    ],
)
def test_a_graph_is_told_from_its_start(text: str | bytes) -> None:
    assert looks_like_dot(text)


@pytest.mark.parametrize(
    "text", ["starloom: 1", "{}", "graph: {a: 1}", "# graph\nname: x {", "graphs {", "", "/*" * 2000]
)
def test_other_text_is_not_taken_for_a_graph(text: str) -> None:
    assert not looks_like_dot(text)


@needs_pydot
def test_the_ending_says_dot() -> None:
    assert "x.gv: line 1: this is not valid DOT" in told("this is not a graph", source="x.gv")


@pytest.mark.parametrize(
    ("raw", "expected"),
    [
        ("a", "a"),
        ("a:p:n", "a"),
        ('"a:b":p', "a:b"),
        (r'"say \"x\""', 'say "x"'),
        (r'"c:\\x\y"', r"c:\x\y"),
        ("<b>", "b"),
        ('"', '"'),
    ],
)
def test_the_name_of_a_node_is_freed_of_quotes_and_port(raw: str, expected: str) -> None:
    assert plain_id(raw) == expected


@pytest.mark.parametrize(
    ("raw", "expected"),
    [
        (r'"a\nb"', "a\nb"),
        (r'"a\lb\l"', "a\nb"),
        (r'"a\\l"', r"a\l"),
        (r'"\N of \G"', "node of graph"),
        (r'"a &amp; b &#66;&#x43; &nosuch; &#xD800;"', "a & b BC &nosuch; &#xD800;"),
        ("12", "12"),
        ("<a<br/>b &lt;>", "a\nb <"),
        ('<<font color=">">x</font>>', "x"),
    ],
)
def test_a_label_is_the_text_that_is_shown(raw: str, expected: str) -> None:
    assert plain_label(raw, "node", "graph") == expected


def test_arrows_drawn_twice_count_once() -> None:
    plan = plan_of([graph(edges=[["a", "b", {}], ["a:x", '"b"', {}]])])
    assert pairs(plan) == {("a", "b")}
    assert plan.name == "graph"


# ---- writing


def test_kinds_and_conditions_are_labels() -> None:
    tasks = tuple(Task(id=task_id, simulate=Simulate()) for task_id in "abcd")
    plan = Plan(
        tasks=tasks,
        dependencies=(
            Dependency(parent="a", child="b"),
            Dependency(parent="a", child="c", kind=DependencyKind.ALWAYS),
            Dependency(parent="b", child="c", kind=DependencyKind.FAILURE),
            Dependency(parent="c", child="d", kind=DependencyKind.CONDITION, condition='value == "x"'),
        ),
    )
    text = dump_plan(plan, "dot")
    assert re.findall(r'"(\w)" -> "(\w)"(?: \[label=(.*)\])?;', text) == [
        ("a", "b", ""),
        ("a", "c", '"always"'),
        ("b", "c", '"on failure"'),
        ("c", "d", r'"if value == \"x\""'),
    ]
    assert "as labels only" in losses(plan, "dot")[1]


def test_what_a_drawing_leaves_out_is_said() -> None:
    plan = Plan(tasks=(Task(id="a", name="A", shell="x", retry=Retry(attempts=2)), Task(id="b", shell="y")))
    assert losses(plan, "dot") == ["DOT does not hold everything; left out: shell (2 tasks), retry (1 task)."]


@needs_pydot
def test_notes_that_a_format_does_not_hold_are_said_to_be_left_out() -> None:
    plan = Plan(tasks=(Task(id="a", simulate=Simulate(1)),), notes=(Note(text="look"), Note(text="here")))
    for name in ("dot", "graphml", "mermaid", "wfformat", "ufo"):
        assert "notes of the plan" in losses(plan, name)[0], name
    assert losses(plan, "yaml") == losses(plan, "json") == []


def test_tricky_names_survive_the_way_out_and_in(tmp_path: Path) -> None:
    names = [
        'say "hi"',
        "back\\",
        "\\N",
        "a &amp; b",
        "<b>x</b>",
        "two\nlines\n",
        "tab\there",
        "\x07\x85\u2028",
        "]]>",
        "é😀",
    ]
    tasks = tuple(
        Task(id=f"{number} " + re.sub(r"[\x00-\x1f\x7f]", "", name), name=name, simulate=Simulate(1.0))
        for number, name in enumerate(names)
    )
    edges = tuple(Dependency(parent=tasks[0].id, child=task.id) for task in tasks[1:])
    plan = Plan(name='the "plan" \\', tasks=tasks, dependencies=edges)
    path = tmp_path / "x.dot"
    path.write_text(dump_plan(plan, "dot"), encoding="utf-8")
    assert load_plan(path) == plan
