"""What parents say to their children: counted by what has changed, not anew for each parent."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from tests.driver import Driver, edge, plan, task

from starloom.scheduling import commands as c
from starloom.scheduling.state.run_facts import RunFacts

if TYPE_CHECKING:
    from collections.abc import Callable

PARENTS = 200


@pytest.mark.parametrize("kind", ["success", "always"])
def test_parents_that_run_again_are_asked_what_they_say_and_not_all_others_too(kind, monkeypatch):
    driver = Driver(checked=False)
    parents = [f"p{number}" for number in range(PARENTS)]
    driver.create(plan([*parents, "c", "d"], [*(f"{parent}>c" for parent in parents), edge("c", "d", kind)]))
    for parent in parents:
        driver.fail(parent)
    answered = 0
    answer: Callable[[RunFacts, int, int], int] = RunFacts.answer

    def counted(run: RunFacts, parent: int, child: int) -> int:
        nonlocal answered
        answered += 1
        return answer(run, parent, child)

    monkeypatch.setattr(RunFacts, "answer", counted)
    if kind == "always":
        driver.end("d")
    driver.ask(c.RetryTasks, *parents)
    assert answered < 10 * PARENTS
    answered = 0
    driver.end_all()
    driver.do(c.RerunFrom(run_id="r", task_id="p0"))
    assert answered < 10 * PARENTS
    monkeypatch.undo()
    driver.check()
    driver.end_all()
    assert set(driver.statuses().values()) == {"completed"}


def test_every_change_of_an_end_is_counted_by_children_of_all_kinds():
    driver = Driver()
    children = [task(kind, join=join) for kind, join in (("plain", "all"), ("after", "any"), ("else", "all"))]
    edges = [edge("a", "plain"), edge("a", "after", "always"), edge("a", "else", "failure"), edge("b", "after")]
    driver.create(plan(["a", "b", *children, task("when")], [*edges, edge("a", "when", condition="value == 1")]))
    driver.ask(c.HoldRunOpen)
    driver.fail("a")
    assert driver.statuses() == {
        "a": "failed",
        "b": "running",
        "plain": "skipped",
        "after": "running",
        "else": "running",
        "when": "skipped",
    }
    driver.ask(c.MarkTasks, "a", status="completed", value=1)
    assert (driver.status("plain"), driver.status("when")) == ("running", "running")
    driver.end_all()
    driver.do(c.RerunFrom(run_id="r", task_id="a"))
    assert {driver.status(name) for name in ("plain", "when", "else")} == {"waiting_dependency"}
    driver.end("a", value=0)
    assert driver.statuses() == {
        "a": "completed",
        "b": "completed",
        "plain": "running",
        "after": "running",
        "else": "skipped",
        "when": "skipped",
    }
