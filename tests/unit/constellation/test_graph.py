"""The graph: an order that stays topological, changes that roll back, bytes that say whether two are equal."""

from __future__ import annotations

from itertools import pairwise
from random import Random
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from tests.driver import edge, plan, task
from typing_extensions import override

from starloom.constellation.graph import Graph
from starloom.constellation.metrics import statistics
from starloom.constellation.topological_order import CycleError
from starloom.errors import PlanError
from starloom.model.plan import Plan, PlanIndex
from starloom.testing import diamond, independent

if TYPE_CHECKING:
    from collections.abc import Iterable


def graph_of(plan: Plan) -> Graph:
    graph = Graph()
    graph.adopt(plan.tasks, plan.index)
    return graph


def neighbours(graph: Graph) -> tuple[list[list[int]], list[list[int]]]:
    return [list(one) for one in graph.children], [list(one) for one in graph.parents]


def is_topological(graph: Graph) -> bool:
    place = {number: at for at, number in enumerate(graph.topological_order())}
    return all(place[parent] < place[child] for child in place for parent in graph.parents[child])


def test_a_plan_names_every_wrong_thing_of_its_structure():
    tasks = (task("a"), task("a"), task("b"))
    edges = (edge("a", "b"), edge("a", "b"), edge("a", "bb"))
    with pytest.raises(PlanError) as error:
        Plan(tasks=tasks, dependencies=edges)
    assert sorted(problem.code for problem in error.value.problems) == [
        "duplicate_dependency",
        "duplicate_task",
        "unknown_task",
    ]
    with pytest.raises(PlanError, match=r"(a → b → a|b → a → b)"):
        plan("ab", ["a>b", "b>a"])


def test_declared_piece_by_piece_it_equals_the_plans_own_index():
    whole = plan("abcdef", ["a>c", "b>c", "c>d>always", "a>f", "b>f"])
    adopted, pieces = graph_of(whole), Graph()
    pieces.extend(whole.tasks[:3])
    pieces.connect(whole.dependencies[:2])
    pieces.extend(whole.tasks[3:])
    pieces.connect(whole.dependencies[2:])
    assert neighbours(pieces) == neighbours(adopted)
    assert pieces.canonical_bytes() == adopted.canonical_bytes()


def test_a_fan_of_100000_is_declared_in_linear_time():
    index = independent(100_001)
    graph = Graph()
    graph.extend(index.tasks)
    graph.connect([edge("t0", f"t{number}") for number in range(1, 100_001)])
    assert len(graph.children[0]) == 100_000


def test_equal_bytes_do_not_depend_on_the_way_there():
    one, other = graph_of(diamond()), graph_of(diamond())
    for parent, child in ((0, 1), (0, 2)):
        dependency = other.remove_edge(parent, child)
        other.add_edge(parent, child, dependency)
    removed = other.remove_task(3)
    assert one.canonical_bytes() != other.canonical_bytes()
    other.add_task(one.task("d"), 3)
    for dependency in reversed(removed):
        other.add_edge(other.place[dependency.parent], other.place[dependency.child], dependency)
    assert one.canonical_bytes() == other.canonical_bytes()


def test_a_copy_does_not_change_with_its_original():
    graph = graph_of(diamond())
    twin = graph.copy()
    before = twin.canonical_bytes()
    graph.remove_task(1)
    graph.add_task(task("e"))
    graph.set_task(0, task("a", timeout=1))
    assert twin.canonical_bytes() == before


def test_a_rolled_back_rehearsal_leaves_neighbours_places_and_order_as_they_were():
    graph = graph_of(plan("abcd", ["a>b", "b>c", "a>d"]))
    before = graph.canonical_bytes(), neighbours(graph), graph.topological_order(), dict(graph.place), list(graph.ids)
    graph.begin()
    graph.remove_edge(0, 1)
    graph.add_edge(2, 0, edge("c", "a"))
    graph.add_task(task("e"))
    graph.add_edge(4, 2, edge("e", "c", "always"))
    graph.set_edge(1, 2, edge("b", "c", "failure"))
    graph.remove_task(3)
    graph.add_task(task("d", timeout=1), 3)
    graph.roll_back()
    after = graph.canonical_bytes(), neighbours(graph), graph.topological_order(), dict(graph.place), list(graph.ids)
    assert after == before


class Noting(list[Any]):
    """A list that notes which of its items were replaced."""

    def __init__(self, items: Iterable[Any]) -> None:
        super().__init__(items)
        self.replaced: list[Any] = []

    @override
    def __setitem__(self, key: Any, value: Any) -> None:
        self.replaced.append(key)
        super().__setitem__(key, value)


def test_a_batch_copies_the_neighbours_of_a_task_once_however_many_edges_it_gets_and_loses():
    whole = plan(["hub", *(f"t{number}" for number in range(50))], ["hub>t0"])
    graph = graph_of(whole)
    before = neighbours(graph)
    graph.children = made_anew = Noting(graph.children)

    def change() -> None:
        for number in range(2, 51):
            graph.add_edge(0, number, edge("hub", graph.ids[number]))
        graph.remove_edge(0, 1)

    graph.begin()
    change()
    assert made_anew.replaced == [0]
    graph.roll_back()
    assert neighbours(graph) == before
    made_anew.replaced.clear()
    twin = graph.copy()
    with graph.batch():
        change()
    assert made_anew.replaced == [0]
    assert graph.children[0] == list(range(2, 51))
    assert neighbours(twin) == before
    later = graph.copy()
    graph.remove_edge(0, 2)
    assert later.children[0] == list(range(2, 51))


def test_a_cycle_is_found_after_a_rehearsal_that_turned_an_edge_round():
    graph = graph_of(plan("ab", ["a>b"]))
    graph.begin()
    graph.remove_edge(0, 1)
    graph.add_edge(1, 0, edge("b", "a"))
    graph.roll_back()
    with pytest.raises(CycleError):
        graph.add_edge(1, 0, edge("b", "a"))


@pytest.mark.parametrize("seed", range(20))
def test_the_order_stays_topological_and_every_cycle_is_found_under_random_changes(seed):
    dice = Random(seed)
    graph = graph_of(independent(12))
    for _ in range(200):
        a, b = dice.randrange(12), dice.randrange(12)
        rehearsed = dice.random() < 0.3
        if rehearsed:
            graph.begin()
        if graph.has_edge(a, b):
            graph.remove_edge(a, b)
        else:
            closes = a == b or a in graph.descendants(b)
            try:
                graph.add_edge(a, b, edge(f"t{a}", f"t{b}"))
                assert not closes
            except CycleError as error:
                assert closes
                path = error.path
                assert path[0] == path[-1] == a
                assert all(graph.has_edge(x, y) for x, y in pairwise(path[1:]))
        if rehearsed:
            graph.roll_back()
        assert is_topological(graph)


def test_the_path_of_a_cycle_runs_from_task_to_task_along_its_edges():
    graph = graph_of(plan("abc", ["a>b", "b>c"]))
    with pytest.raises(CycleError) as error:
        graph.add_edge(2, 0, edge("c", "a"))
    assert [graph.ids[number] for number in error.value.path] == ["c", "a", "b", "c"]


def test_a_long_chain_needs_no_recursion():
    size = 100_000
    graph = graph_of(independent(size))
    graph.connect([edge(f"t{number}", f"t{number + 1}") for number in range(size - 1)])
    with pytest.raises(CycleError) as error:
        graph.add_edge(size - 1, 0, edge(f"t{size - 1}", "t0"))
    assert len(error.value.path) == size + 1
    assert len(graph.descendants(0)) == size - 1
    assert PlanIndex(graph_tasks := tuple(task for task in graph.tasks if task), ()).order == list(
        range(len(graph_tasks))
    )


def test_descendants_come_in_topological_order():
    graph = graph_of(plan("dcba", ["a>b", "b>d", "a>c", "c>d"]))
    names = [graph.ids[number] for number in graph.descendants(graph.place["a"])]
    assert sorted(names[:2]) == ["b", "c"]
    assert names[2] == "d"


def test_statistics_tell_the_longest_chain_the_width_and_the_parallelism():
    graph = graph_of(diamond())
    figures = statistics(graph, [1.0, 5.0, 2.0, 1.0])
    assert (figures.longest_path_length, figures.max_width) == (3, 2)
    assert (figures.longest_chain_length, figures.longest_chain_tasks) == (7.0, ("a", "b", "d"))
    assert figures.parallelism_ratio == pytest.approx(9 / 7)


def test_an_edit_that_changes_few_levels_is_followed_and_one_that_changes_very_many_is_not():
    size = 6_000
    graph = graph_of(independent(size))
    graph.connect([edge(f"t{number}", f"t{number + 1}") for number in range(size - 2)])
    assert not graph.kept_paths.follow(graph)
    kept = graph.kept_paths.of(graph)
    assert statistics(graph, durations_of_one(size)).longest_path_length == size - 1
    graph.add_edge(size - 2, size - 1, edge(f"t{size - 2}", f"t{size - 1}"))
    assert graph.kept_paths.follow(graph)
    assert graph.kept_paths.of(graph) is kept
    assert statistics(graph, durations_of_one(size)).longest_path_length == size
    graph.remove_edge(0, 1)
    assert not graph.kept_paths.follow(graph)
    figures = statistics(graph, durations_of_one(size))
    assert (figures.longest_path_length, figures.longest_chain_length, figures.max_width) == (size - 1, size - 1, 2)


def durations_of_one(size: int) -> Any:
    return np.ones(size)
