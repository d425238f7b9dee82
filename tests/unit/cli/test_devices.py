"""`starloom devices`: what the fleet's journal says, and no more."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

import pytest

from starloom import Orchestrator, Plan, Task
from starloom.cli.devices import _since, device_states
from starloom.devices.inprocess import InProcessDevice
from starloom.journal.library import Library

if TYPE_CHECKING:
    from pathlib import Path


def test_a_device_on_which_a_task_runs_is_not_called_idle(tmp_path: Path) -> None:
    async def main() -> list[str]:
        begun = asyncio.Event()

        async def work(_task: Task, _context: object) -> None:
            begun.set()
            await asyncio.Event().wait()

        with Library(tmp_path) as library:
            async with Orchestrator([InProcessDevice("box", handlers={"noop": work})], journal=library) as engine:
                await engine.start(Plan(name="p", tasks=(Task(id="t", call="noop"),)))
                await begun.wait()
                await engine.fleet.drain("box")
                drained = [one.state for one in device_states(tmp_path)[0]]
                await engine.fleet.resume("box")
                states = [one.state for one in device_states(tmp_path)[0]]
                await engine.shutdown("now")
        return [*drained, *states]

    assert asyncio.run(main()) == ["draining", "connected"]


@pytest.mark.parametrize(
    ("before", "state", "found"),
    [
        (None, "refused", ("refused", 9.0)),
        (("refused", 1.0), "connecting", ("refused", 1.0)),
        (("refused", 1.0), "refused", ("refused", 1.0)),
        (("refused", 1.0), "connected", ("connected", 9.0)),
    ],
)
def test_a_device_that_is_tried_again_and_again_is_as_it_is_since_that_was_found_out(
    before: tuple[str, float] | None, state: str, found: tuple[str, float]
) -> None:
    assert _since(before, state, 9.0) == found
