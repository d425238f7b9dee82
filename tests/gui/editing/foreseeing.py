"""Foreseeing what edits would change in a run that is driven by hand; for tests."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from tests.driver import RUN, Driver, edge, task

from starloom.foresight.what_if import what_if
from starloom.model.plan import Plan
from starloom.scheduling.fork import Fork

if TYPE_CHECKING:
    from starloom.constellation.edits import Edit
    from starloom.foresight.what_if import WhatIf


def lab() -> Driver:
    """A run whose finish can be foreseen: `flash` runs, `soak` takes 100 s after it on lab-a, `report` 10 s."""
    driver = Driver(slots=1, devices=("lab-a", "lab-b"))
    tasks = (
        task("flash", name="flash it", simulate={"duration": 60}, device="lab-a"),
        task("soak", name="soak it", simulate={"duration": 100}, device="lab-a"),
        task("report", simulate={"duration": 10}),
        task("power", simulate={"duration": 5}, timeout=600),
    )
    driver.create(
        Plan(
            tasks=tasks, dependencies=(edge("flash", "soak"), edge("soak", "report", "always"), edge("flash", "power"))
        )
    )
    return driver


class Foresight:
    """Answers as `Run.what_if` does.

    Attributes:
        asked: what was asked about, in order.
        cancelled: how many answers were not waited for.
        gate: an answer comes once this is set.
    """

    def __init__(self, driver: Driver) -> None:
        self.driver = driver
        self.asked: list[tuple[Edit, ...]] = []
        self.cancelled = 0
        self.gate = asyncio.Event()
        self.gate.set()

    async def __call__(self, *edits: Edit) -> WhatIf:
        self.asked.append(edits)
        try:
            await self.gate.wait()
        except asyncio.CancelledError:
            self.cancelled += 1
            raise
        return what_if(Fork.of(self.driver.scheduler, self.driver.now, also=[RUN]), RUN, edits, samples=0)
