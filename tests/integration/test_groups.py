"""Groups of devices in a fleet, with a group that does as it is told: no cluster is needed for what the fleet does."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

import pytest
from tests.devices import Watched
from tests.virtual_time import engine, loop, run
from tests.waiting import until
from typing_extensions import override

from starloom import CommandRefused, DeviceError, Orchestrator, Plan, Simulate, Task
from starloom.devices.group import DeviceGroup, GroupChange
from starloom.devices.simulated import SimulatedDevice
from starloom.model.status import Breaker

if TYPE_CHECKING:
    from starloom.devices.base import Device

WITHIN = 30.0


class Told(DeviceGroup):
    """A group whose members join and leave when a test says so."""

    def __init__(self, *members: Device) -> None:
        super().__init__("g")
        self._news: asyncio.Queue[GroupChange] = asyncio.Queue()
        self.join(*members)

    def join(self, *members: Device) -> None:
        self._news.put_nowait(GroupChange(joined=members))

    def leave(self, *device_ids: str) -> None:
        self._news.put_nowait(GroupChange(left=device_ids))

    def have_back(self, *device_ids: str) -> None:
        self._news.put_nowait(GroupChange(returned=device_ids))

    @override
    def forget(self, device_id: str) -> None:
        self.join(SimulatedDevice(device_id))

    @override
    async def connect(self) -> None:
        """It is always there."""

    @override
    async def disconnect(self) -> None:
        """It stays."""

    @override
    async def changed(self) -> GroupChange:
        return await self._news.get()


async def _settle() -> None:
    """Return when everything that was going to happen at once has happened."""
    for _ in range(100):
        await asyncio.sleep(0)


def test_a_group_goes_although_a_member_of_it_was_removed_before():
    async def main() -> None:
        async with Orchestrator() as orchestrator:
            fleet = orchestrator.fleet
            await fleet.add(Told(SimulatedDevice("one"), SimulatedDevice("two")))
            await fleet.remove("one")
            await fleet.remove("g")
            assert not fleet.devices

    asyncio.run(main())


def test_a_member_that_was_removed_by_itself_joins_again_as_somebody_adds_the_group_again():
    async def main() -> None:
        async with Orchestrator() as orchestrator:
            fleet, group = orchestrator.fleet, Told(SimulatedDevice("one"), SimulatedDevice("two"))
            await fleet.add(group)
            two = fleet.device("two")
            await fleet.remove("one")
            await fleet.add(group)
            await _settle()
            assert set(fleet.devices) == {"two"}, "a plan that brings the group undoes nothing that somebody did"
            await fleet.add(group, origin="operator")
            await until(lambda: set(fleet.devices) == {"one", "two"}, within=WITHIN)
            assert fleet.device("two") is two, "what was there stays"
            await until(lambda: fleet.devices["one"].connected, within=WITHIN)
            group.leave("one")
            await until(lambda: set(fleet.devices) == {"two"}, within=WITHIN)  # it is followed as before
            await fleet.add(group, origin="operator")
            await _settle()
            assert set(fleet.devices) == {"two"}
            await fleet.remove("g")
            assert not fleet.devices

    asyncio.run(main())


def test_a_group_goes_with_its_last_member_that_somebody_removes_but_not_with_one_that_leaves():
    async def main() -> None:
        async with Orchestrator() as orchestrator:
            fleet, group = orchestrator.fleet, Told(SimulatedDevice("one"), SimulatedDevice("two"))
            await fleet.add(group)
            assert await fleet.remove("one") is None
            assert fleet.has("g")
            group.leave("two")
            await until(lambda: set(fleet.devices) == {"g"}, within=WITHIN)  # others may come
            await until(lambda: fleet.devices["g"].trouble, within=WITHIN)
            assert not fleet.devices["g"].accepts
            assert "nothing now on which tasks could run" in fleet.devices["g"].trouble
            group.join(SimulatedDevice("three"))
            await until(lambda: set(fleet.devices) == {"three"}, within=WITHIN)
            await _settle()
            await fleet.remove("three")
            assert not fleet.has("g")
            await fleet.add(Told(SimulatedDevice("one")))
            assert set(fleet.devices) == {"one"}, "it can be added anew"

    asyncio.run(main())


class Late(Told):
    """A group elsewhere that cannot be reached at first."""

    is_elsewhere = True
    is_there = False

    @override
    async def connect(self) -> None:
        if not self.is_there:
            raise DeviceError("It is not there yet.")


def test_a_group_that_is_reached_at_last_stays_as_what_stood_for_it_goes():
    async def main() -> None:
        async with Orchestrator() as orchestrator:
            fleet, group = orchestrator.fleet, Late(SimulatedDevice("one"))
            await fleet.add(group, waits=True)
            assert set(fleet.devices) == {"g"}
            group.is_there = True
            await fleet.try_again("g")
            await until(lambda: set(fleet.devices) == {"one"}, within=WITHIN)
            group.join(SimulatedDevice("two"))
            await until(lambda: set(fleet.devices) == {"one", "two"}, within=WITHIN)
            assert fleet.has("g")
            assert await fleet.remove("g") is None
            assert not fleet.devices

    asyncio.run(main())


def test_a_member_that_is_back_is_on_trial_and_reached_at_once_however_long_it_was_to_be_left_alone():
    async def main() -> None:
        device = Watched("d", connect_failures=3, trip_after=3)
        device.cool_down = 3600.0
        group = Told(device)
        async with engine() as orchestrator:
            await orchestrator.fleet.add(group)
            facts = orchestrator.fleet.devices["d"]
            await until(lambda: facts.breaker is Breaker.OPEN)
            since = loop().time()
            group.have_back("d")
            await until(lambda: facts.connected)
            assert loop().time() - since < 1.0  # of a clock that nothing but waiting moves
            assert (facts.breaker, facts.failures) == (Breaker.HALF_OPEN, 3)
            group.have_back("d")
            await until(lambda: len(device.pings) > 0)
            assert facts.connected
            assert len(device.connects) == 4

    run(main())


def test_a_member_that_is_back_before_anybody_missed_it_is_reached_at_once():
    class Restarting(Watched):
        process = 1
        used = 0

        @override
        async def connect(self) -> None:
            await super().connect()
            self.used = self.process

        @override
        async def ping(self) -> None:
            await super().ping()
            if self.used != self.process:
                raise DeviceError("the process that was used is gone")

    async def main() -> None:
        device = Restarting("d", heartbeat_interval=3600.0)
        group = Told(device)
        async with engine() as orchestrator:
            await orchestrator.fleet.add(group)
            facts = orchestrator.fleet.devices["d"]
            await until(lambda: facts.connected)
            device.process = 2
            group.have_back("d")
            await until(lambda: len(device.connects) == 2)
            assert loop().time() < 1.0

    run(main())


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


class Slow(SimulatedDevice):
    """A device that takes as long to be reached as a test says."""

    def __init__(self, id: str) -> None:
        super().__init__(id)
        self.reached_for = asyncio.Event()
        self.answers = asyncio.Event()
        self.links = 0

    @override
    async def connect(self) -> None:
        self.reached_for.set()
        await self.answers.wait()
        self.links += 1

    @override
    async def disconnect(self) -> None:
        self.links -= 1


@pytest.mark.parametrize("steps", range(8))
def test_who_joins_just_as_the_group_goes_stays_out_of_the_fleet_or_goes_with_it(steps: int):
    async def main() -> None:
        async with Orchestrator() as orchestrator:
            group = Told(SimulatedDevice("one"))
            await orchestrator.fleet.add(group)
            group.join(SimulatedDevice("two"), Slow("three"))
            for _ in range(steps):
                await asyncio.sleep(0)
            await orchestrator.fleet.remove("g")
            await _settle()
            assert not orchestrator.fleet.devices
            assert not orchestrator.fleet.has("three")

    asyncio.run(main())


def test_a_member_that_is_being_reached_as_the_group_goes_is_let_go():
    async def main() -> None:
        async with Orchestrator() as orchestrator:
            group, slow = Told(SimulatedDevice("one")), Slow("slow")
            await orchestrator.fleet.add(group)
            group.join(slow)
            await slow.reached_for.wait()
            await orchestrator.fleet.remove("g")
            assert not orchestrator.fleet.devices
            slow.answers.set()
            await _settle()
            assert slow.links == 0

    asyncio.run(main())


def test_a_member_that_was_being_reached_as_the_group_had_to_stay_is_a_member_and_reached():
    async def main() -> None:
        async with Orchestrator() as orchestrator:
            fleet, slow = orchestrator.fleet, Slow("slow")
            group = Told(SimulatedDevice("busy"))
            await fleet.add(group)
            run = await orchestrator.start(Plan(name="p", tasks=(Task(id="a", simulate=Simulate(3600)),)))
            await until(lambda: run.facts.running)
            group.join(slow)
            await slow.reached_for.wait()
            with pytest.raises(CommandRefused):
                await fleet.remove("g")
            slow.answers.set()
            await until(lambda: fleet.devices["slow"].connected)
            await run.cancel()
            await run.finished()
            await fleet.remove("g")
            assert not fleet.devices
            assert slow.links == 0

    asyncio.run(main())


def test_a_member_that_leaves_as_the_group_goes_is_gone():
    async def main() -> None:
        async with Orchestrator() as orchestrator:
            fleet = orchestrator.fleet
            group = Told(SimulatedDevice("one"), SimulatedDevice("two"))
            await fleet.add(group)
            for steps in range(6):
                group.join(SimulatedDevice("late"))
                await until(lambda: "late" in fleet.devices)
                group.leave("late")
                for _ in range(steps):
                    await asyncio.sleep(0)
                await fleet.remove("g")
                await until(lambda: not fleet.devices)
                group.join(SimulatedDevice("one"))
                await fleet.add(group)

    asyncio.run(main())


def test_an_engine_closes_though_a_member_is_being_reached():
    async def main() -> None:
        slow = Slow("slow")
        async with Orchestrator() as orchestrator:
            group = Told(SimulatedDevice("one"))
            await orchestrator.fleet.add(group)
            group.join(slow)
            await slow.reached_for.wait()
        assert slow.links == 0

    asyncio.run(asyncio.wait_for(main(), WITHIN))


def test_a_group_that_two_remove_at_once_is_gone_for_both():
    async def main() -> None:
        async with Orchestrator() as orchestrator:
            fleet = orchestrator.fleet
            await fleet.add(Told(SimulatedDevice("one"), SimulatedDevice("two")))
            await asyncio.gather(fleet.remove("g"), fleet.remove("g"))
            assert not fleet.devices

    asyncio.run(main())


def test_adding_a_group_can_be_given_up_while_a_member_is_being_reached():
    async def main() -> None:
        async with Orchestrator() as orchestrator:
            slow = Slow("slow")
            adding = asyncio.ensure_future(orchestrator.fleet.add(Told(SimulatedDevice("one"), slow)))
            await slow.reached_for.wait()
            adding.cancel()
            await asyncio.wait((adding,))
            await _settle()
            assert not orchestrator.fleet.devices
            assert not orchestrator.fleet.has("g")
            assert slow.links == 0

    asyncio.run(main())
