"""DOT: graphs of other tools are read as simulations, plans are written as graphs, and bad text ends in a sentence."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from contextlib import suppress
from typing import TYPE_CHECKING, Any

import pytest

from starloom.errors import PlanError
from starloom.formats import dot_reader, dump_plan, load_plan, parse_plan
from starloom.formats.dot import quoted_label
from starloom.formats.dot_reader import looks_like_dot, plain_id, plain_label
from starloom.formats.dot_text import NoDot, TooMuchDot, read_graphs
from starloom.formats.losses import assumptions, losses
from starloom.model.dependency import Dependency
from starloom.model.note import Note
from starloom.model.plan import Plan
from starloom.model.status import DependencyKind
from starloom.model.task import Retry, Simulate, Task

if TYPE_CHECKING:
    from pathlib import Path

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


# ---- reading


def test_what_snakemake_draws_is_a_plan() -> None:
    plan = parse_plan(SNAKEMAKE)
    assert plan.name == "snakemake_dag"
    assert {task.id: task.title for task in plan.tasks} == {"0": "all", "1": "plot\nsample: A", "2": "sort"}
    assert pairs(plan) == {("1", "0"), ("2", "0"), ("2", "1")}


def test_what_ninja_draws_is_a_plan() -> None:
    plan = parse_plan(NINJA)
    assert [task.title for task in plan.tasks] == ["app", "link", "a.o", "src/a.c", "out dir"]
    assert pairs(plan) == {("0x20", "0x10"), ("0x30", "0x20"), ("0x40", "0x20"), ("0x50", "0x30")}
    assert [dict(edge.metadata) for edge in plan.dependencies if edge.metadata] == [{"dot": {"label": "cc"}}]


@pytest.mark.skipif(shutil.which("ninja") is None, reason="ninja is not installed")
def test_what_the_ninja_of_this_machine_draws_is_a_plan(tmp_path: Path) -> None:
    rules = "rule cc\n  command = cc $in -o $out\nbuild a.o b.o: cc a.c | a.h || dirs\nbuild app: cc a.o\n"
    (tmp_path / "build.ninja").write_text(rules, encoding="utf-8")
    drawn = subprocess.run(["ninja", "-t", "graph"], cwd=tmp_path, capture_output=True, check=True).stdout
    plan = parse_plan(drawn)
    titles = {task.id: task.title for task in plan.tasks}
    named = {(titles[parent], titles[child]) for parent, child in pairs(plan)}
    assert {("a.c", "cc"), ("a.h", "cc"), ("cc", "a.o"), ("a.o", "app")} <= named


def test_nodes_are_simulated_and_that_is_said() -> None:
    plan = parse_plan("digraph { a -> b }")
    assert [task.simulate for task in plan.tasks] == [Simulate(1.0), Simulate(1.0)]
    assert "every task is simulated" in assumptions(plan, "dot")[0]


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


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("digraph { a -> }", "line 1: this is not valid DOT (column 16)."),
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


def test_a_large_graph_is_refused_before_it_is_parsed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(dot_reader, "MAX_DOT_BYTES", 1_000_000)
    assert "the graph has 1.0 MB; at most 1 MB of DOT are read" in told("digraph {" + " " * 1_000_000 + "}")


@pytest.mark.parametrize(
    ("text", "line", "column"),
    [
        ("", 1, 1),
        ("digraph", 1, 8),
        ("digraph {", 1, 10),
        ('digraph {\n a -> "b }', 2, 7),
        ("digraph { /* a }", 1, 11),
        ("digraph { a -> <b }", 1, 16),
        ("digraph { a -- b }", 1, 13),
        ("digraph { a [label= ] }", 1, 21),
        ("digraph { a [label=b }", 1, 22),
        ("digraph { a:=b }", 1, 13),
        ('digraph { "a" + b }', 1, 17),
        ("digraph { a ; ; } }", 1, 19),
        ("digraph { ! }", 1, 11),
        ("digraph x y { }", 1, 11),
        ("plan { a }", 1, 1),
        ("digraph { subgraph s -> b }", 1, 22),
    ],
)
def test_the_place_where_a_text_is_no_dot_is_said(text: str, line: int, column: int) -> None:
    with pytest.raises(NoDot) as caught:
        read_graphs(text)
    assert (caught.value.line, caught.value.column) == (line, column)


def test_all_that_the_language_has_is_read() -> None:
    text = r"""
        # preprocessed
        STRICT DiGraph "two " + "parts" {
          rankdir=LR, size="7,5"; node [shape=box; style="a,b"] [label=none] edge []
          -3.5; .5 -> 1.; _x9.y [label=<<b>x</b>>]
          über -> "with \"quotes\"":port:ne -> subgraph cluster_a { label = inside c d -> e [label="yes"] } [label=no]
          subgraph { f, g } -> { h; { i } } a [label="first"]; a [color=red]; a [label="last"]
        }"""
    (graph,) = read_graphs(text)
    assert (graph.name, graph.is_directed) == ('"two parts"', True)
    assert graph.nodes == {
        "-3.5": None,
        "_x9.y": "<<b>x</b>>",
        "c": None,
        "f": None,
        "g": None,
        "h": None,
        "i": None,
        "a": '"last"',
    }
    quoted = r'"with \"quotes\""'
    assert graph.edges == [
        (".5", "1.", None),
        ("d", "e", '"yes"'),
        ("über", quoted, "no"),
        *((quoted, child, "no") for child in "cde"),
        *((parent, child, None) for parent in "fg" for child in "hi"),
    ]


def _chain(edges: int) -> str:
    return "digraph g {" + "".join(f't{number} -> "t {number + 1}" [label="x"];\n' for number in range(edges)) + "}"


def test_reading_takes_as_many_steps_as_the_text_is_long() -> None:
    """Calls, not seconds: four times the edges are four times the calls."""
    assert _calls(_chain(2_000)) <= 4 * _calls(_chain(500))


def _calls(text: str) -> int:
    count = 0

    def note(_frame: object, event: str, _argument: object) -> None:
        nonlocal count
        count += event in {"call", "c_call"}

    sys.setprofile(note)
    try:
        read_graphs(text)
    finally:
        sys.setprofile(None)
    return count


@pytest.mark.parametrize(
    "text",
    [
        "digraph {" + '"' + "a" * 300_000,
        "digraph {" + "<" * 300_000,
        "digraph {" + "/*" * 150_000,
        "digraph {" + "{" * 99 + "a;" * 50_000 + "}" * 99 + "}",
        "digraph {" + "{" * 99 + "a;" * 50_000 + "} -> b" * 99 + "}",
        "digraph {" + "a:" * 100_000,
        "digraph {" + "a->" * 100_000,
        "digraph {" + '"a"+' * 100_000,
        "digraph { a [" + "x=1 " * 80_000 + "] }",
        "-" * 300_000,
        "digraph {" + "-1 " * 100_000 + "}",
    ],
    ids=range(11),
)
@pytest.mark.timeout(120)
def test_a_text_made_to_be_slow_is_read_or_refused_at_once(text: str) -> None:
    with suppress(NoDot, TooMuchDot):
        read_graphs(text)


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


def test_the_ending_says_dot() -> None:
    assert "x.gv: line 1: this is not valid DOT" in told("this is not a graph", source="x.gv")


@pytest.mark.parametrize(
    ("raw", "expected"),
    [
        ("a", "a"),
        ('"a:b"', "a:b"),
        (r'"say \"x\""', 'say "x"'),
        (r'"c:\\x\y"', r"c:\x\y"),
        ("<b>", "b"),
        ('"', '"'),
    ],
)
def test_the_name_of_a_node_is_freed_of_quotes(raw: str, expected: str) -> None:
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
    plan = parse_plan('digraph { a -> b; a:x -> "b" }')
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


@pytest.mark.parametrize("letter", ["x", '"', "\\", "&", "é", "\x01", "😀"])
def test_a_label_is_no_longer_than_graphviz_takes(letter: str) -> None:
    label = quoted_label(letter * 40_000)[1:-1]
    assert 16_300 < len(label.encode()) <= 16_384
    assert label.endswith("…")
    whole = quoted_label(letter * 1_000)[1:-1]
    assert plain_label(whole, "", "") == letter * 1_000
    cut = plain_label(label, "", "")
    assert cut == letter * (len(cut) - 1) + "…"


def test_a_graph_of_twenty_thousand_arrows_is_a_plan() -> None:
    plan = parse_plan(_chain(20_000).replace('"t ', '"t'), format="dot")
    assert (len(plan.tasks), len(plan.dependencies)) == (20_001, 20_000)
