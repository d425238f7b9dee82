"""The order under edits: how little is looked at and changed, and that it stays an order whatever is undone."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest
from tests.driver import edge, task
from typing_extensions import override

from starloom.constellation.graph import Graph
from starloom.constellation.topological_order import CycleError, TopologicalOrder
from starloom.testing import chain, independent


class Counted(list[Any]):
    """A list that counts how often one of its items is read."""

    read = 0

    @override
    def __getitem__(self, key: Any) -> Any:
        self.read += 1
        return super().__getitem__(key)


def counted_graph(plan: Any) -> Graph:
    """A graph that has its order already and counts whose neighbours are looked at from now on."""
    graph = Graph()
    graph.adopt(plan.tasks, plan.index)
    graph.positions()
    graph.children, graph.parents = Counted(graph.children), Counted(graph.parents)
    return graph


def looked_at(graph: Graph) -> int:
    assert isinstance(graph.children, Counted)
    assert isinstance(graph.parents, Counted)
    return graph.children.read + graph.parents.read


def is_topological(graph: Graph) -> bool:
    label = graph.positions()
    return all(label[parent] < label[child] for child in graph.place.values() for parent in graph.parents[child])


def test_a_new_task_before_another_moves_alone_however_much_is_behind_that():
    graph = counted_graph(chain(10_000))
    graph.add_task(task("new"))
    graph.add_edge(10_000, 100, edge("new", "t100"))
    assert looked_at(graph) < 10
    assert is_topological(graph)


@pytest.mark.parametrize("is_upper_first", [True, False])
def test_a_new_task_between_two_others_moves_alone(is_upper_first):
    graph = counted_graph(chain(10_000))
    graph.add_task(task("new"))
    edges = [(100, 10_000), (10_000, 101)]
    for parent, child in edges if is_upper_first else reversed(edges):
        graph.add_edge(parent, child, edge(graph.ids[parent], graph.ids[child]))
    assert looked_at(graph) < 20
    assert is_topological(graph)


def test_a_cycle_is_found_from_the_side_on_which_less_stands():
    graph = counted_graph(chain(10_000))
    graph.remove_edge(0, 1)
    for number, parent in ((10_000, 0), (10_001, 10_000)):
        graph.add_task(task(f"t{number}"))
        graph.add_edge(parent, number, edge(f"t{parent}", f"t{number}"))
    graph.add_edge(0, 1, edge("t0", "t1"))
    begun = looked_at(graph)
    with pytest.raises(CycleError) as error:
        graph.add_edge(10_001, 0, edge("t10001", "t0"))
    assert error.value.path == [10_001, 0, 10_000, 10_001]
    assert looked_at(graph) - begun < 10


@pytest.mark.parametrize("before", ["the same one", "the one before", "either"])
def test_labels_that_run_out_are_renewed_for_few(before):
    size, dice = 3_000, Random(1)
    children: list[list[int]] = [[] for _ in range(size)]
    parents: list[list[int]] = [[] for _ in range(size)]
    order = TopologicalOrder(children, parents)
    written = 0

    def write(items: list[int], key: int, value: int) -> None:
        nonlocal written
        written += items is order.labels
        items[key] = value

    child = 50
    for parent in range(100, size):
        order.make_room(children, parents, parent, child, write)
        children[parent].append(child)
        parents[child].append(parent)
        if before == "the one before" or (before == "either" and dice.random() < 0.5):
            child = parent
    assert len(set(order.labels)) == size
    assert all(order.labels[parent] < order.labels[child] for parent in range(size) for child in children[parent])
    assert written < 8 * size


@pytest.mark.parametrize("seed", range(20))
def test_tasks_that_come_and_are_taken_back_leave_an_order_of_all_that_stays(seed):
    dice = Random(seed)
    graph = Graph()
    graph.extend(independent(8).tasks)
    for step in range(150):
        before = list(graph.positions())
        is_rehearsal = dice.random() < 0.5
        if is_rehearsal:
            graph.begin()
        for number in range(dice.randrange(1, 5)):
            new = graph.add_task(task(f"{step}-{number}"), len(graph.tasks) + dice.choice([0, 0, 2]))
            present = list(graph.place.values())
            for other in dice.sample(present, 3):
                for parent, child in ((new, other), (other, new)):
                    if other != new and not graph.has_edge(parent, child) and parent not in graph.descendants(child):
                        graph.add_edge(parent, child, edge(graph.ids[parent], graph.ids[child]))
            if dice.random() < 0.2:
                graph.remove_task(dice.choice(present))
        if is_rehearsal:
            graph.roll_back()
            assert list(graph.positions()) == before
        assert len(set(graph.positions())) == len(graph.tasks)
        assert is_topological(graph)
        assert graph.copy().topological_order() == graph.topological_order()


def test_numbers_on_a_cycle_which_a_damaged_journal_tells_of_have_places_too():
    order = TopologicalOrder([[1], [2], [1], []], [[], [0, 2], [1], []])
    assert sorted(order.labels) == sorted(set(order.labels))
    assert order.labels[0] < order.labels[1]
