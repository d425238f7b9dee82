"""A gate asks with the results of other tasks in its message."""

from __future__ import annotations

from typing import Any

import pytest
from tests.driver import plan, task

from starloom.foresight.virtual import SimulatedSpec, simulate
from starloom.formats.checks import check_plan
from starloom.scheduling.read.left_behind import gate_message


def asked(gate: Any, value: Any = None) -> str:
    """The message of a gate behind a task that has given a value."""
    build = task("build", simulate={"duration": 1, "value": value})
    run = simulate(plan([build, task("ask", gate=gate)], ["build>ask"]), [SimulatedSpec("d")]).run
    return gate_message(run, run.graph.place["ask"])


@pytest.mark.parametrize(
    ("gate", "value", "message"),
    [
        ("Publish ${build.value.version}?", {"version": "2.1"}, "Publish 2.1?"),
        ("It is ${build.status}: ${build.value}", [1, "a"], 'It is completed: [1,"a"]'),
        ("${HOME} and $${build.value}?", 1, "${HOME} and ${build.value}?"),
        ("Publish ${build.value.version}?", {}, "Publish ${build.value.version}?"),
        ({"after": 5, "then": "proceed"}, 1, "ask"),
    ],
)
def test_results_stand_in_the_place_of_templates_where_they_are_there(gate: Any, value: Any, message: str):
    assert asked(gate, value) == message


def test_of_a_long_result_the_rest_is_left_out():
    assert asked("Is ${build.value} right?", "x" * 50_000) == "Is " + "x" * 1997 + "…"


def test_what_is_no_gate_asks_nothing():
    run = simulate(plan([task("a", simulate=1)]), [SimulatedSpec("d")]).run
    assert gate_message(run, 0) == ""


def test_a_message_names_only_what_its_gate_waits_for():
    tasks = [task("build", simulate=1), task("ask", gate="${build.value}?")]
    assert check_plan(plan(tasks, ["build>ask"])) == []
    (problem,) = check_plan(plan(tasks))
    assert (problem.task_id, problem.where) == ("ask", "tasks.ask.gate")
