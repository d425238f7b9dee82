"""Groups of devices in a fleet, with a group that does as it is told: no cluster is needed for what the fleet does."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

import pytest
from typing_extensions import override

from starloom import CommandRefused, DeviceError, Orchestrator, Plan, Simulate, Task
from starloom.devices.group import Change, DeviceGroup
from starloom.devices.simulated import SimulatedDevice

if TYPE_CHECKING:
    from collections.abc import Callable

    from starloom.devices.base import Device

WITHIN = 30.0


class Told(DeviceGroup):
    """A group whose members join and leave when a test says so."""

    def __init__(self, *members: Device) -> None:
        super().__init__("g")
        self._news: asyncio.Queue[Change] = asyncio.Queue()
        self.join(*members)

    def join(self, *members: Device) -> None:
        self._news.put_nowait(Change(joined=members))

    @override
    async def connect(self) -> None:
        """It is always there."""

    @override
    async def disconnect(self) -> None:
        """It stays."""

    @override
    async def changed(self) -> Change:
        return await self._news.get()


async def until(condition: Callable[[], object]) -> None:
    async with asyncio.timeout(WITHIN):
        while not condition():  # noqa: ASYNC110 - the fleet tells nobody
            await asyncio.sleep(0.001)


def test_a_group_goes_although_a_member_of_it_was_removed_before():
    async def main() -> None:
        async with Orchestrator() as orchestrator:
            fleet = orchestrator.fleet
            await fleet.add(Told(SimulatedDevice("one"), SimulatedDevice("two")))
            await fleet.remove("one")
            await fleet.remove("g")
            assert not fleet.devices

    asyncio.run(main())


def test_a_group_that_could_not_be_removed_still_finds_members():
    async def main() -> None:
        async with Orchestrator() as orchestrator:
            group = Told(SimulatedDevice("busy"))
            await orchestrator.fleet.add(group)
            run = await orchestrator.start(Plan(name="p", tasks=(Task(id="a", simulate=Simulate(3600)),)))
            await until(lambda: run.facts.running)
            with pytest.raises(CommandRefused):
                await orchestrator.fleet.remove("g")
            group.join(SimulatedDevice("late"))
            await until(lambda: "late" in orchestrator.fleet.devices)
            await run.cancel()

    asyncio.run(main())


def test_a_group_that_cannot_join_leaves_none_of_its_members_behind():
    async def main() -> None:
        async with Orchestrator([SimulatedDevice("taken", slots=7)]) as orchestrator:
            with pytest.raises(DeviceError, match="taken"):
                await orchestrator.fleet.add(Told(SimulatedDevice("free"), SimulatedDevice("taken")))
            assert list(orchestrator.fleet.devices) == ["taken"]

    asyncio.run(main())


def test_a_group_of_which_one_member_is_busy_goes_as_a_whole_or_not_at_all():
    async def main() -> None:
        async with Orchestrator() as orchestrator:
            fleet = orchestrator.fleet
            members = [SimulatedDevice(name) for name in ("one", "three", "two")]
            group = Told(*members)
            await fleet.add(group)
            for name in ("one", "two"):
                await fleet.drain(name)
            plan = Plan(tasks=[Task(id="t", simulate=Simulate(duration=3600))])
            run = await orchestrator.start(plan)
            await until(lambda: fleet.devices["three"].used)
            with pytest.raises(CommandRefused, match="'three' still runs 1 task"):
                await fleet.remove("g")
            assert list(fleet.devices) == ["one", "three", "two"], "none has gone"
            group.join(SimulatedDevice("four"))
            await until(lambda: "four" in fleet.devices)
            await run.cancel()
            await run.finished()
            await fleet.remove("g")
            assert not fleet.devices
            assert not fleet.has("g")

    asyncio.run(main())
