"""Changing the fleet of an engine elsewhere, and what an engine does that has halted."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

import msgspec
import pytest
from tests.virtual_time import run

from starloom.devices.kinds import make_device
from starloom.errors import CommandRefused
from starloom.model.device import DeviceSpec
from starloom.orchestration.channel import Progress
from starloom.scheduling.commands import CancelRun, CancelTasks, HoldTasks, RemoveDevice
from starloom.scheduling.state.fleet_facts import FleetFacts
from starloom.server.engine_replica import EngineReplica
from starloom.server.messages import EngineReport
from starloom_gui.gateway.engine import halt_obstacle
from starloom_gui.gateway.engine_follower import EngineFollower
from starloom_gui.gateway.remote_devices import PATIENCE, RemoteDevices

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator

    from starloom.events import Event

DEVICE = make_device(DeviceSpec(id="d", kind="simulated"))


class Client:
    """Notes what is asked of an engine."""

    def __init__(self) -> None:
        self.asked: list[Any] = []

    async def add_devices(self, specs: list[DeviceSpec]) -> None:
        self.asked.append(specs)

    async def command(self, run_id: str, command: RemoveDevice) -> None:
        self.asked.append((run_id, command))


def refuse() -> None:
    raise CommandRefused("link_lost", "This window only watches.", "")


async def settled() -> None:
    pass


def devices(client: Any, check: Any) -> RemoteDevices:
    return RemoteDevices(client, FleetFacts, check, settled)


def test_whoever_may_change_the_fleet_does() -> None:
    async def main() -> None:
        client = Client()
        fleet = devices(client, lambda: None)
        await fleet.add_all((DEVICE,))
        await fleet.remove("d")
        assert client.asked == [[DEVICE.spec], ("", RemoveDevice(device_id="d"))]

    run(main())


def test_while_nothing_can_be_changed_the_fleet_is_not() -> None:
    async def main() -> None:
        client = Client()
        fleet = devices(client, refuse)
        with pytest.raises(CommandRefused, match="only watches"):
            await fleet.add_all((DEVICE,))
        with pytest.raises(CommandRefused, match="only watches"):
            await fleet.remove("d")
        assert not client.asked

    run(main())


def test_an_engine_that_has_halted_still_cancels() -> None:
    hold = HoldTasks(run_id="r", task_ids=("a",))
    assert halt_obstacle("the disk is full", hold) == (
        "The engine is halted: the disk is full",
        "Mend that and retry the commit.",
    )
    assert halt_obstacle("the disk is full", CancelRun(run_id="r")) is None
    assert halt_obstacle("the disk is full", CancelTasks(run_id="r", task_ids=("a",))) is None
    assert halt_obstacle("", hold) is None
    assert halt_obstacle(None, hold) is None


def test_progress_is_told_when_it_is_another_one() -> None:
    reports = [
        (Progress("r", "a", 1, 0.25), Progress("r", "b", 1, 0.5)),
        (Progress("r", "a", 1, 0.75), Progress("r", "b", 1, 0.5)),
        (),
    ]

    class Reporting(Client):
        async def report(self, *, measures: bool = False) -> EngineReport:
            assert measures
            return EngineReport(1, "", (), reports.pop(0))

    async def main() -> None:
        told: list[Progress] = []
        fleet = RemoteDevices(Reporting(), FleetFacts, lambda: None, settled, told.append)  # type: ignore[arg-type]
        await fleet.loads()
        assert sorted(one.task_id for one in told) == ["a", "b"]
        told.clear()
        await fleet.loads()
        await fleet.loads()
        assert told == [Progress("r", "a", 1, 0.75)]

    run(main())


def test_what_devices_were_made_from_is_known_as_far_as_it_is_told() -> None:
    spec = DeviceSpec(id="far", kind="ssh", options={"host": "127.0.0.1"})

    class Reporting(Client):
        async def report(self, *, measures: bool = False) -> EngineReport:
            assert measures
            return EngineReport(1, "", (), (), msgspec.json.encode([spec]).decode())

    async def main() -> None:
        fleet = RemoteDevices(Reporting(), FleetFacts, lambda: None, settled)  # type: ignore[arg-type]
        assert not fleet.specs
        await fleet.loads()
        assert fleet.specs == (spec,)

    run(main())


def test_what_was_asked_before_the_connection_was_there_again_says_nothing_of_it() -> None:
    class Slow(Client):
        answers = asyncio.Event()

        async def report(self, *, measures: bool = False) -> EngineReport:
            assert not measures
            await self.answers.wait()
            return EngineReport(1, "", (), ())

    class Following:
        """Turns of an engine without runs, when the test says so."""

        replica, people = EngineReplica(), ()
        now = staticmethod(lambda: 0.0)

        def __init__(self) -> None:
            self.come: asyncio.Queue[list[Event]] = asyncio.Queue()

        async def turns(self) -> AsyncGenerator[list[Event]]:
            while True:
                yield await self.come.get()

    async def main() -> None:
        def standing() -> tuple[bool, bool]:
            return follower.lost_since is None, follower.is_silent

        following, follower, client = Following(), EngineFollower("here"), Slow()
        following.come.put_nowait([])
        await follower.begin(following)  # type: ignore[arg-type]
        client.answers.set()
        told = follower.note_answered, follower.note_silent
        fleet = RemoteDevices(client, FleetFacts, lambda: None, settled, lambda _: None, *told)  # type: ignore[arg-type]
        await fleet.begin()
        client.answers.clear()
        await asyncio.sleep(3.0)  # by now it is asked
        follower.note_lost()
        await asyncio.sleep(PATIENCE - 1.5)
        following.come.put_nowait([])
        await asyncio.sleep(1.0)  # which is longer than the patience with what was asked
        assert standing() == (True, False), "else a command is refused as if the connection were lost"
        await asyncio.sleep(PATIENCE)
        assert standing() == (False, True), "since then it has answered nothing"
        client.answers.set()
        await asyncio.sleep(0.1)
        assert standing() == (True, False)
        await fleet.close()
        await follower.close()

    run(main())
