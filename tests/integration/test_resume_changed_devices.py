"""Going on with a run whose devices the fleet has otherwise by now: with other slots, or changed by somebody."""

from __future__ import annotations

import asyncio
import shutil
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest
from tests.driver import task as make
from tests.integration.test_resume import engine, folder
from tests.waiting import until

from starloom import Plan, RunState
from starloom.devices.kinds import make_device
from starloom.errors import DeviceError
from starloom.model.device import DeviceSpec

if TYPE_CHECKING:
    from pathlib import Path

LAB = DeviceSpec(id="lab", kind="simulated", slots=1, options={"seed": 1})


def left_behind(tmp_path: Path, *, is_running: bool) -> Path:
    """A run on the device as its program leaves it behind; something of it runs there, or nothing."""

    async def main() -> None:
        async with engine(tmp_path / "first") as orchestrator:
            plan = Plan(tasks=(make("a", simulate=0.05 if not is_running else 3600.0, device="lab"),), devices=(LAB,))
            handle = await orchestrator.start(plan, paused=not is_running)
            if is_running:
                await until(lambda: handle.facts.running == 1)
            shutil.copytree(tmp_path / "first", tmp_path / "picture")

    asyncio.run(main())
    return tmp_path / "picture"


@pytest.mark.parametrize("changed", [{"slots": 3}, {"options": {"seed": 2}}])
def test_where_nothing_of_it_runs_it_goes_on_with_the_device_that_has_the_name_by_now(
    tmp_path: Path, changed: dict[str, Any]
) -> None:
    picture = left_behind(tmp_path, is_running=False)

    async def main() -> None:
        async with engine(picture, make_device(replace(LAB, **changed))) as orchestrator:
            handle = await orchestrator.resume(folder(picture))
            assert orchestrator.fleet.devices["lab"].slots == changed.get("slots", 1)
            await handle.start()
            assert (await handle.finished()).state is RunState.COMPLETED

    asyncio.run(main())


def test_what_runs_there_goes_on_where_the_same_device_has_other_slots(tmp_path: Path) -> None:
    picture = left_behind(tmp_path, is_running=True)

    async def main() -> None:
        async with engine(picture, make_device(replace(LAB, slots=3))) as orchestrator:
            handle = await orchestrator.resume(folder(picture))
            await until(lambda: handle.facts.running == 1)
            assert orchestrator.fleet.devices["lab"].slots == 3

    asyncio.run(main())


def test_it_does_not_where_only_the_device_as_it_was_could_say_what_became_of_an_attempt(tmp_path: Path) -> None:
    picture = left_behind(tmp_path, is_running=True)

    async def main() -> None:
        async with engine(picture, make_device(replace(LAB, options={"seed": 2}))) as orchestrator:
            with pytest.raises(DeviceError, match="two different devices 'lab'"):
                await orchestrator.resume(folder(picture))

    asyncio.run(main())
