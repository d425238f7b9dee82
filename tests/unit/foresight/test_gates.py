"""What is foreseen of gates: the countdown, else what is estimated or was learnt, else nothing."""

from __future__ import annotations

from typing import Any

import pytest
from tests.driver import Driver, plan, task

from starloom.constellation.edits import AddDependency, AddTask, UpdateTask
from starloom.foresight.estimates import EstimateSource
from starloom.foresight.projection import Certainty, Projection, project
from starloom.foresight.virtual import SimulatedSpec, simulate
from starloom.model.dependency import Dependency
from starloom.scheduling import commands as c
from starloom.scheduling.fork import Fork

PROCEED = {"after": 20, "then": "proceed"}


def driven(gate: Any, **fields: Any) -> Driver:
    """`ask` waits for `a` of 3 s, `b` of 4 s waits for `ask`."""
    driver = Driver(slots=1)
    tasks = [task("a", simulate=3), task("ask", gate=gate, **fields), task("b", simulate=4)]
    driver.create(plan(tasks, ["a>ask", "ask>b"]))
    return driver


def forecast(driver: Driver, samples: int = 0) -> Projection:
    return project(Fork.of(driver.scheduler, driver.now), "r", samples=samples)


@pytest.mark.parametrize(
    ("gate", "fields", "end", "certainty"),
    [
        (PROCEED, {}, 27.0, Certainty.EXPECTED),
        ("?", {"estimate": 10}, 17.0, Certainty.EXPECTED),
        (PROCEED, {"estimate": 10}, 17.0, Certainty.EXPECTED),
        (PROCEED, {"estimate": 100}, 27.0, Certainty.EXPECTED),
        ("?", {}, 7.0, Certainty.LOWER_BOUND),
    ],
)
def test_a_gate_takes_its_countdown_or_what_is_estimated(gate: Any, fields: Any, end: float, certainty: Certainty):
    found = forecast(driven(gate, **fields))
    assert (found.end, found.certainty) == (end, certainty)
    assert [step.task_id for step in found.path] == ["a", "ask", "b"]
    assert (found.tasks["ask"].start, found.tasks["ask"].finish) == (3.0, end - 4.0)
    assert found.tasks["ask"].device_id is None
    assert list(found.devices) == ["d"]
    assert found.devices["d"].busy_s == 7.0


def test_of_an_open_gate_what_is_left_is_foreseen():
    driver = driven(PROCEED)
    driver.now = 3.0
    driver.end("a")
    driver.advance(15)
    found = forecast(driver)
    assert (found.tasks["ask"].start, found.tasks["ask"].finish, found.end) == (3.0, 23.0, 27.0)
    assert driver.run().gates[1].is_open, "looking ahead answers nothing"


def test_a_gate_that_skips_or_aborts_takes_what_depends_on_it_along():
    assert forecast(driven({"after": 20, "then": "skip"})).skipped == ("ask", "b")
    assert forecast(driven({"after": 20, "then": "abort"})).failing == ("ask",)


def test_how_long_a_person_took_before_is_no_estimate_as_the_next_may_answer_at_once():
    driver = Driver(slots=1)
    gates = [task(f"ask {number}", gate="?", name="Release?") for number in (1, 2)]
    driver.create(plan([*gates, task("a", simulate=1)], ["ask 1>a", "a>ask 2"]))
    driver.advance(30)
    driver.ask(c.AnswerGate, task_id="ask 1", approve=True)
    found = forecast(driver)
    assert found.tasks["ask 2"].estimate.source is EstimateSource.NONE
    assert (found.certainty, found.end) == (Certainty.LOWER_BOUND, 31.0)


def test_in_virtual_time_countdowns_run_and_everything_else_is_approved():
    tasks = [
        task("now", gate="?"),
        task("later", gate="?", estimate=60),
        task("skip", gate={"after": 5, "then": "skip"}),
    ]
    run = simulate(plan([*tasks, task("b", simulate=2)], ["later>b"]), [SimulatedSpec("d")]).run
    words = {task_id: run.status_of(number).value for task_id, number in run.graph.place.items()}
    assert words == {"now": "completed", "later": "completed", "skip": "skipped", "b": "completed"}
    assert run.run_ended_at == 62.0


def test_beside_what_has_no_estimate_a_countdown_counts_as_nothing():
    tasks = [task("a", simulate=3), task("may", gate="?"), task("tell", gate=PROCEED), task("b", simulate=1)]
    driver = Driver(slots=1)
    driver.create(plan(tasks, ["a>may", "may>tell", "tell>b"]))
    found = forecast(driver)
    assert (found.certainty, found.end, found.path) == (Certainty.LOWER_BOUND, 4.0, ()), "as without a countdown"
    behind = {id for id, one in found.tasks.items() if one.is_lower_bound and one.is_after_countdown}
    assert behind == {"b"}
    driver.edit(UpdateTask("may", estimate=10))
    found = forecast(driver)
    assert (found.certainty, found.end) == (Certainty.EXPECTED, 34.0)


@pytest.mark.parametrize("gate", ["Go?", PROCEED])
def test_what_comes_behind_a_gate_without_an_estimate_leaves_what_is_beside_it_foreseen(gate: Any) -> None:
    driver = Driver(slots=2)
    driver.create(
        plan(
            [task("q1", estimate=5), task("q4", gate=gate), task("q5", shell="true"), task("q6", estimate=2)],
            ["q4>q5", "q4>q6"],
        )
    )
    found = forecast(driver)
    assert (found.certainty, found.end, found.p50, found.p90) == (Certainty.LOWER_BOUND, 5.0, 5.0, 5.0)
    driver.advance(1)
    found = forecast(driver)
    assert (found.certainty, found.end) == (Certainty.LOWER_BOUND, 5.0), "the gate is open"
    driver.advance(4)
    driver.end("q1")
    found = forecast(driver)
    assert (found.certainty, found.end) == (Certainty.LOWER_BOUND, 7.0), "what comes behind it still takes its time"
    assert found.remarks


def test_a_countdown_beside_what_has_no_estimate_is_no_end():
    driver = Driver(slots=1)
    driver.create(plan([task("ask", gate=PROCEED), "b"], ["ask>b"]))
    found = forecast(driver)
    assert (found.certainty, found.end, found.path) == (Certainty.UNKNOWN, None, ())


def with_an_open_gate(gate: Any, **fields: Any) -> Driver:
    """`ask 1` was answered after 5 s; `ask 2` of the same name, with which the plan ends, is open from then on."""
    driver = Driver(slots=1)
    driver.create(
        plan([task(f"ask {number}", gate=gate, name="Release?", **fields) for number in (1, 2)], ["ask 1>ask 2"])
    )
    driver.advance(5)
    driver.ask(c.AnswerGate, task_id="ask 1", approve=True)
    assert driver.run().gates[1].is_open
    return driver


def test_how_long_people_took_says_nothing_of_when_somebody_answers_who_is_asked_now():
    driver = with_an_open_gate("?")
    for _ in range(2):
        found = forecast(driver)
        assert (found.certainty, found.end, found.p90) == (Certainty.UNKNOWN, None, None)
        assert found.tasks["ask 2"].estimate.source is EstimateSource.NONE
        driver.advance(2)
    driver.edit(AddTask(task("b", simulate=4)), AddDependency(Dependency(parent="ask 2", child="b")))
    found = forecast(driver)
    assert (found.certainty, found.end) == (Certainty.LOWER_BOUND, driver.now + 4)
    assert found.tasks["b"].is_lower_bound


def test_an_open_gate_counts_as_long_as_its_countdown_whatever_people_took():
    found = forecast(with_an_open_gate(PROCEED))
    assert (found.certainty, found.end) == (Certainty.EXPECTED, 25.0)


def test_what_an_open_gate_declares_counts_until_it_is_over():
    driver = with_an_open_gate("?", estimate=10)
    driver.advance(9)
    found = forecast(driver)
    assert (found.certainty, found.end) == (Certainty.EXPECTED, 15.0)
    driver.advance(1)
    found = forecast(driver)
    assert (found.certainty, found.end) == (Certainty.UNKNOWN, None)
