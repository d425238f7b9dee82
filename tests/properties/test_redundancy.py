"""Removing redundant dependencies changes nothing of what runs: two schedulers, one with and one without them."""

from __future__ import annotations

import random
from typing import Any, Final

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.driver import Driver, edge, plan, task

from starloom import Dependency, Plan, RemoveDependency, Task
from starloom.constellation.redundancy import redundant_dependencies
from starloom.errors import CommandRefused
from starloom.scheduling import commands as c
from starloom.scheduling.state.edit_rules import why_frozen

KINDS: Final = ("success",) * 9 + ("always", "failure", "condition")


class Pair:
    """The same run twice; whatever is done is done to both, and both must stand alike after it."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)
        count = self.random.randint(5, 11)
        tasks = [self.some_task(number) for number in range(count)]
        edges = [
            self.some_edge(parent, child)
            for child in range(count)
            for parent in range(child)
            if self.random.random() < 0.55
        ]
        self.plan = Plan(tasks=tasks, dependencies=edges)
        self.drivers = (Driver(), Driver())
        for driver in self.drivers:
            driver.create(self.plan)
        self.removed = 0

    def some_task(self, number: int) -> Task:
        fields: dict[str, Any] = {"simulate": 1}
        if self.random.random() < 0.1:
            fields["join"] = "any"
        if self.random.random() < 0.15:
            fields["severity"] = "warning"
        if self.random.random() < 0.15:
            fields["retry"] = 1
        return task(f"t{number}", **fields)

    def some_edge(self, parent: int, child: int) -> Dependency:
        kind = self.random.choice(KINDS)
        return edge(f"t{parent}", f"t{child}", kind, "status == 'completed'" if kind == "condition" else None)

    def remove(self) -> None:
        """Take out of the second run what is redundant there now."""
        run = self.drivers[1].run()
        found = redundant_dependencies(run.graph, lambda number: why_frozen(run.status[number]) is not None)
        if found:
            self.removed += len(found)
            self.drivers[1].edit(*(RemoveDependency(parent, child) for parent, child in found))

    def step(self) -> None:
        """End a running task somehow, or steer one that has not ended."""
        running = sorted(name for _, name in self.drivers[0].ordered)
        open_ones = sorted(id for id, status in self.drivers[0].statuses().items() if status in _OPEN)
        what = self.random.random()
        if running and what < 0.75:
            name, ok = self.random.choice(running), self.random.random() < 0.7
            for driver in self.drivers:
                driver.end(name, ok=ok)
        elif open_ones:
            name = self.random.choice(open_ones)
            kind = self.random.choice((c.SkipTasks, c.HoldTasks, c.ReleaseTasks, c.CancelTasks))
            answers = []
            for driver in self.drivers:
                try:
                    driver.ask(kind, name)
                    answers.append("")
                except CommandRefused as refused:
                    answers.append(refused.code)
            assert answers[0] == answers[1]

    def check(self) -> None:
        one, other = self.drivers
        assert one.statuses() == other.statuses()
        assert set(one.ordered) == set(other.ordered)
        assert sorted(one.started()) == sorted(other.started())
        assert one.run().state == other.run().state


_OPEN: Final = ("waiting_dependency", "pending", "running")


def history(seed: int, removals: tuple[int, ...]) -> int:
    """Play a random history, removing what is redundant before these steps; returns how many that were."""
    pair = Pair(seed)
    pair.check()
    for number in range(40):
        if number in removals:
            pair.remove()
            pair.check()
        pair.step()
        pair.check()
    return pair.removed


@settings(max_examples=150, deadline=None)
@given(st.integers(0, 2**32), st.tuples(st.sampled_from([0, 1, 3]), st.integers(2, 12)))
def test_without_its_redundant_dependencies_the_same_tasks_run_under_the_same_conditions(seed, removals) -> None:
    history(seed, removals)


def test_these_histories_remove_many_dependencies() -> None:
    assert sum(history(seed, (0, 4)) for seed in range(40)) > 80


def told(*edges: str, **fields: dict[str, Any]) -> list[tuple[str, str]]:
    """What is redundant in a graph of tasks a to d."""
    tasks = [task(id, **({"shell": "true"} | fields.get(id, {}))) for id in "abcd"]
    driver = Driver()
    driver.create(plan(tasks, edges), start=False)
    return redundant_dependencies(driver.run().graph, lambda _number: False)


CHAIN: Final = ("a>b", "b>c", "a>c")
KEPT: Final[dict[str, tuple[tuple[str, ...], dict[str, dict[str, Any]]]]] = {
    "a dependency of another kind": (("a>b", "b>c", "a>c>always"), {}),
    "a path with another kind": (("a>b>failure", "b>c", "a>c"), {}),
    "a path that goes on after failures": (("a>b", "b>c>always", "a>c"), {}),
    "a child that needs one parent only": (CHAIN, {"c": {"join": "any"}}),
    "a task on the path that needs one parent only": (CHAIN, {"b": {"join": "any"}}),
    "a template that names the parent": (CHAIN, {"c": {"command": ["x", "${a.value}"], "shell": None}}),
    "a template in the environment": (CHAIN, {"c": {"env": {"X": "${a.output}"}}}),
    "the results of all parents": (CHAIN, {"c": {"upstream": True}}),
    "a handler that is given the parents' results": (CHAIN, {"c": {"call": "x", "shell": None}}),
    "no path": (("a>c", "b>c"), {}),
}


@pytest.mark.parametrize("why", KEPT)
def test_a_dependency_is_kept_for(why: str) -> None:
    edges, fields = KEPT[why]
    assert told(*edges, **fields) == []


def test_a_dependency_that_a_path_replaces_is_told() -> None:
    assert told(*CHAIN) == [("a", "c")]
    assert told("a>b", "b>c", "c>d", "a>c", "a>d", "b>d") == [("a", "c"), ("a", "d"), ("b", "d")]
    assert told(*CHAIN, c={"command": ["x", "${b.value}"], "shell": None}) == [("a", "c")]


def test_a_path_over_a_task_that_has_started_replaces_nothing() -> None:
    """It may have run before its parent was run again."""
    driver = Driver()
    driver.create(plan([task(id, simulate=1) for id in "abc"], CHAIN))
    graph = driver.run().graph
    assert redundant_dependencies(graph, lambda number: number == graph.place["b"]) == []
    assert redundant_dependencies(graph, lambda number: number == graph.place["a"]) == [("a", "c")]
