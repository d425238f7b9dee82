"""Plans and runs as networkx graphs and back: what stands where, and what is refused in which words."""

from __future__ import annotations

import asyncio
import threading
from typing import Any

import networkx as nx
import pytest
from tests.driver import edge
from tests.driver import task as make
from tests.virtual_time import engine, run

from starloom import (
    AddDependency,
    AddTask,
    Dependency,
    DependencyKind,
    Join,
    Limits,
    Orchestrator,
    Placement,
    Plan,
    PlanError,
    SchedulerSettings,
    SimulatedDevice,
    Task,
)
from starloom.model.networkx_graphs import RUN_ATTRIBUTES
from starloom.testing import layered

PLAN = Plan(
    name="nightly",
    limits=Limits(max_concurrency=3),
    tasks=[
        Task(id="build", shell="make", priority=80, groups=("cpu",)),
        Task(id="test", command=("pytest", "${build.value}"), join=Join.ANY),
        Task(id="note", shell="echo"),
    ],
    dependencies=[
        Dependency(parent="test", child="note", kind=DependencyKind.CONDITION, condition="value > 1"),
        Dependency(parent="build", child="test"),
        Dependency(parent="build", child="note", kind=DependencyKind.ALWAYS, metadata={"why": "log"}),
    ],
)


def test_k3_a_plan_is_a_graph_with_the_fields_that_were_given_as_attributes() -> None:
    graph = PLAN.to_networkx()
    assert isinstance(graph, nx.DiGraph)
    assert graph.graph == {"name": "nightly", "limits": Limits(max_concurrency=3)}
    assert list(graph.nodes(data=True)) == [
        ("build", {"shell": "make", "priority": 80, "groups": ("cpu",)}),
        ("test", {"command": ("pytest", "${build.value}"), "join": "any"}),
        ("note", {"shell": "echo"}),
    ]
    assert graph.edges["test", "note"] == {"kind": "condition", "condition": "value > 1", "order": 0}
    assert graph.edges["build", "test"] == {"kind": "success", "order": 1}
    assert graph.edges["build", "note"] == {"kind": "always", "metadata": {"why": "log"}, "order": 2}


def test_its_algorithms_work_on_it_and_changing_it_changes_no_plan() -> None:
    graph = PLAN.to_networkx()
    assert nx.descendants(graph, "build") == {"test", "note"}
    graph.remove_node("build")
    assert len(PLAN.tasks) == len(Plan.from_networkx(PLAN.to_networkx()).tasks) == 3


def test_a_graph_made_by_hand_is_a_plan() -> None:
    graph = nx.path_graph(["a", "b", "c"], create_using=nx.DiGraph)
    nx.set_node_attributes(graph, "true", "shell")
    graph.nodes["b"]["timeout"] = "5m"
    plan = Plan.from_networkx(graph)
    assert (plan.name, [task.id for task in plan.tasks], plan.tasks[1].timeout) == ("plan", ["a", "b", "c"], 300.0)
    assert [(edge.parent, edge.child) for edge in plan.dependencies] == [("a", "b"), ("b", "c")]


def test_a_part_of_a_graph_is_a_plan_in_the_same_order() -> None:
    plan = layered(4, 3, 2)
    part = plan.to_networkx().subgraph(task.id for task in plan.tasks[3:])
    made = Plan.from_networkx(part)
    ids = {task.id for task in made.tasks}
    assert made.tasks == plan.tasks[3:]
    assert list(made.dependencies) == [edge for edge in plan.dependencies if {edge.parent, edge.child} <= ids]


def hand_made(*edges: tuple[Any, Any], **nodes: dict[str, Any]) -> nx.DiGraph:
    graph = nx.DiGraph()
    graph.add_nodes_from((node, {"shell": "true"} | fields) for node, fields in nodes.items())
    graph.add_edges_from(edges)
    return graph


def changed(**attributes: Any) -> nx.DiGraph:
    graph = hand_made(("a", "b"), a={}, b={})
    graph.edges["a", "b"].update(attributes)
    return graph


REFUSED: dict[str, tuple[Any, str]] = {
    "no graph": ({"a": ["b"]}, "is no networkx graph. Give a networkx.DiGraph."),
    "undirected": (nx.path_graph(3), "which task waits for which"),
    "multigraph": (nx.MultiDiGraph(), "at most one. Choose among them with networkx.DiGraph(graph)"),
    "numbers as ids": (nx.path_graph(2, create_using=nx.DiGraph), "the node 0 is no text, and ids of tasks are."),
    "no action": (hand_made(("a", "b"), a={}, b={"shell": None}), "tasks.b: the task has no action"),
    "an unknown field": (hand_made(a={"prioirty": 5}), "tasks.a.prioirty: 'prioirty' is no field of a task. Did you"),
    "a bad value": (hand_made(a={"timeout": "soon"}), "tasks.a.timeout: "),
    "a cycle": (hand_made(("a", "b"), ("b", "a"), a={}, b={}), "the dependencies form a cycle: a → b → a"),
    "a task behind itself": (hand_made(("a", "a"), a={}), "cycle: a → a"),
    "a weight": (changed(weight=3), "a → b.weight: 'weight' is no field of a dependency."),
    "an unknown kind": (changed(kind="maybe"), "a → b.kind: "),
    "a condition of another kind": (changed(condition="value"), "takes no condition"),
    "an order that is no number": (changed(order="last"), "the order of a dependency is a number, not 'last'."),
    "an attribute of the graph": (
        nx.DiGraph(limts=3),
        "'limts' is no field of a plan. Did you mean 'limits'",
    ),
    "a bad limit": (nx.DiGraph(limits=3), "graph.limits: "),
}


@pytest.mark.parametrize("what", REFUSED)
def test_a_graph_that_says_no_plan_is_refused_in_a_sentence(what: str) -> None:
    graph, said = REFUSED[what]
    with pytest.raises(PlanError) as refused:
        Plan.from_networkx(graph)
    assert said in str(refused.value)


def test_everything_that_is_wrong_is_said_at_once() -> None:
    graph = hand_made(("a", "b"), a={"timeout": "soon"}, b={"bogus": 1})
    graph.edges["a", "b"]["kind"] = "maybe"
    with pytest.raises(PlanError) as refused:
        Plan.from_networkx(graph)
    assert [problem.where for problem in refused.value.problems] == ["tasks.a.timeout", "tasks.b.bogus", "a → b.kind"]


def test_a_runs_graph_has_its_edits_and_says_where_its_tasks_stand() -> None:
    async def main() -> None:
        async with engine(SimulatedDevice("d")) as orchestrator:
            plan = Plan(
                name="p",
                placement=Placement.ROUND_ROBIN,
                tasks=[make("a", simulate=2), make("b", simulate=1, device="nowhere")],
            )
            handle = await orchestrator.start(plan)
            await handle.edit(AddTask(make("c", simulate=1)), AddDependency(Dependency(parent="b", child="c")))
            await asyncio.sleep(5)
            graph = handle.to_networkx()
            states = {node: {name: data.get(name) for name in RUN_ATTRIBUTES} for node, data in graph.nodes(data=True)}
            assert states == {
                "a": {"status": "completed", "attempts": 1, "ran_on": "d", "duration": pytest.approx(2.0)},
                "b": {"status": "pending", "attempts": 0, "ran_on": None, "duration": None},
                "c": {"status": "waiting_dependency", "attempts": 0, "ran_on": None, "duration": None},
            }
            again = Plan.from_networkx(graph)
            assert [task.id for task in again.tasks] == ["a", "b", "c"]
            assert (again.name, again.placement) == ("p", Placement.ROUND_ROBIN)
            assert again.tasks[:2] == plan.tasks
            await handle.cancel()

    run(main())


def test_the_figures_of_a_runs_graph_come_from_a_thread(monkeypatch: pytest.MonkeyPatch) -> None:
    from starloom.constellation import structure as room

    asked_in: list[threading.Thread] = []
    whole = room.structure

    def noted(graph: nx.DiGraph) -> room.Structure:
        asked_in.append(threading.current_thread())
        return whole(graph)

    monkeypatch.setattr(room, "structure", noted)

    async def main() -> None:
        async with Orchestrator([SimulatedDevice("d")], settings=SchedulerSettings()) as orchestrator:
            plan = Plan(tasks=[make(id, simulate=1) for id in "abc"], dependencies=[edge("b", "c")])
            handle = await orchestrator.start(plan, paused=True)
            found = await handle.structure()
            assert (found.components, found.longest_chain, found.width) == ((2, 1), ("b", "c"), 2)
            await handle.cancel()

    asyncio.run(main())
    assert len(asked_in) == 1
    assert asked_in[0] is not threading.main_thread()
