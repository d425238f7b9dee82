"""What is foreseen while a proposal waits for a person, who may give the run more to do."""

from __future__ import annotations

from tests.driver import Driver, plan, task
from tests.unit.foresight.test_projection import forecast

from starloom.constellation.edits import AddTask, EditBatch
from starloom.foresight.projection import Certainty
from starloom.model.status import GateDefault
from starloom.model.task import Gate, Task
from starloom.scheduling import commands as c


def proposed(*others: Task) -> Driver:
    """An agent has proposed something at the end of `a`, which waits for a person."""
    driver = Driver(slots=None)
    driver.create(plan([task("a"), *others]))
    driver.ask(c.AttachAgent, agent="helper", asks=("add_task",), origin="operator")
    driver.end("a")
    batch = EditBatch(edits=(AddTask(task("more", estimate=5.0)),), reason="more")
    driver.ask(c.AnswerEditCycle, agent="helper", cycle=1, proposal=batch)
    return driver


def test_of_a_run_that_waits_for_a_person_alone_no_end_is_foreseen() -> None:
    driver = proposed()
    found = forecast(driver)
    assert (found.certainty, found.end) == (Certainty.UNKNOWN, None)
    driver.ask(c.AnswerApproval, approval=1, accept=True)
    found = forecast(driver)
    assert (found.certainty, found.end) == (Certainty.EXPECTED, 5.0)


def test_a_run_with_more_to_do_ends_then_at_the_earliest() -> None:
    found = forecast(proposed(task("b", estimate=3.0)))
    assert (found.certainty, found.end) == (Certainty.LOWER_BOUND, 3.0)


def test_what_waits_for_the_answer_is_foreseen_at_once_and_not_when_something_else_is_due() -> None:
    driver = Driver(slots=None)
    driver.create(plan([task("other", gate=Gate("Really?", after=600.0, then=GateDefault.SKIP))]), run_id="beside")
    driver.create(plan([task("a"), task("b", estimate=3.0)], ["a>b"]))
    driver.ask(c.AttachAgent, agent="helper", asks=("add_task",), origin="operator")
    driver.end("a")
    batch = EditBatch(edits=(AddTask(task("more", estimate=5.0)),), reason="more")
    driver.ask(c.AnswerEditCycle, agent="helper", cycle=1, proposal=batch)
    found = forecast(driver)
    assert (found.certainty, found.end) == (Certainty.LOWER_BOUND, 3.0)
