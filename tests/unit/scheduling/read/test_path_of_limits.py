"""The critical path under limits of a run and of all runs: not slots, of which there were more, but these decided."""

from __future__ import annotations

import pytest
from tests.driver import Driver, plan

from starloom.model.plan import Limits
from starloom.scheduling import commands as c
from starloom.scheduling.read.critical_path import critical_path
from starloom.scheduling.read.waiting_causes import WaitedFor


@pytest.mark.parametrize("of_all", [False, True])
@pytest.mark.parametrize(("slots", "reason"), [(2, WaitedFor.LIMIT), (1, WaitedFor.SLOT)])
def test_a_full_limit_decided_where_a_slot_was_free(of_all: bool, slots: int, reason: WaitedFor) -> None:
    driver = Driver(slots=slots)
    if of_all:
        driver.do(c.SetLimits(max_concurrency=1))
    run = driver.create(plan(["a", "b", "c"], limits=Limits() if of_all else Limits(max_concurrency=1)))
    for name in ("a", "b", "c"):
        driver.advance(3.0)
        driver.end(name)
    steps = critical_path(run, driver.now).steps
    assert [step.waited_for for step in steps] == [WaitedFor.NOTHING, reason, reason]
