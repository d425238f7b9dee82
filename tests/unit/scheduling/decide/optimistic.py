"""Runs in which everything starts while agents think, for tests of what becomes of edits that come too late."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tests.driver import Driver, plan

from starloom import events as ev
from starloom.constellation import edits as ed
from starloom.model.agent_terms import OnConflict
from starloom.model.status import Fence
from starloom.scheduling import commands as c

if TYPE_CHECKING:
    from starloom.constellation.edits import Edit
    from starloom.model.plan import Plan
    from starloom.scheduling.state.cycle_facts import CycleFacts

DROP = {"on_conflict": OnConflict.DROP}
REPLACE = {"on_conflict": OnConflict.REPLACE}
NEXT = {"on_conflict": OnConflict.NEXT_ATTEMPT}
CHAIN = plan(["a", "b", "c"], ["a>b", "b>c"])
"""Once a has ended, b runs and c waits."""
SLOW = ed.UpdateTask("b", timeout=60)


def driving(plan_of: Plan, fence: Fence | None = Fence.OPTIMISTIC, **agents: dict[str, Any]) -> Driver:
    """A run with agents on these terms, one of whose tasks `a` has ended."""
    driver = Driver()
    driver.create(plan_of, start=False)
    for name, terms in agents.items():
        driver.ask(c.AttachAgent, agent=name, **terms)
    driver.ask(c.SetFence, fence=fence)
    driver.ask(c.StartRun)
    driver.end("a")
    return driver


def answer(driver: Driver, agent: str, *edits: Edit, base: int | None = None) -> None:
    driver.ask(c.AnswerEditCycle, agent=agent, cycle=cycles(driver).cycles, proposal=proposal(*edits, base=base))


def proposal(*edits: Edit, base: int | None = None) -> ed.EditBatch:
    return ed.EditBatch(edits=edits, reason="better so", base_revision=base)


def cycles(driver: Driver) -> CycleFacts:
    known = driver.run().cycles
    assert known is not None
    return known


def timeout_of(driver: Driver, task_id: str) -> float | None:
    return driver.run().graph.task(task_id).timeout


def told(driver: Driver) -> list[str]:
    """What became of proposals, in order."""
    kinds = (ev.EditsLeftOut, ev.EditsDeferred, ev.DeferredEditsSettled, ev.EditRejected, ev.ConstellationModified)
    return [type(event).__name__ for event in driver.of(*kinds)]
