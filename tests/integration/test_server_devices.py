"""What a server tells of its devices besides their facts, and has done to them: signs of life, loads, new ones."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

import msgspec
import pytest
from tests.driver import plan, task
from tests.integration.served import runtime, served
from tests.waiting import until

from starloom.cli import devices
from starloom.cli.screen import Screen
from starloom.decodable import decodable
from starloom.devices.inprocess import InProcessDevice
from starloom.devices.kinds import make_device
from starloom.devices.simulated import SimulatedDevice
from starloom.errors import StarloomError
from starloom.model.device import DeviceSpec
from starloom.orchestration.channel import Progress

if TYPE_CHECKING:
    from pathlib import Path

    from starloom.devices.base import TaskContext
    from starloom.model.task import Task

__all__ = ["runtime"]


def test_a_device_that_counts_as_connected_and_is_silent_is_said_to_be(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    async def main() -> None:
        async with served(tmp_path, SimulatedDevice("box", heartbeat_interval=3600.0), SimulatedDevice("lab")):
            listed = lambda: asyncio.to_thread(devices.list_devices, tmp_path, Screen(), as_json=False)  # noqa: E731
            await listed()
            assert "last heard" not in capsys.readouterr().out
            monkeypatch.setattr(devices, "_LATE", -3600.0)
            await listed()
            box, lab = sorted(capsys.readouterr().out.splitlines())
            assert box.startswith("box")
            assert "connected" in box
            assert box.endswith(", last heard 0 s ago")
            assert "last heard" not in lab, "it is asked for none"

    asyncio.run(main())


def test_loads_are_measured_only_where_that_is_wanted_and_new_devices_join(tmp_path: Path) -> None:
    async def main() -> None:
        async with served(tmp_path, SimulatedDevice("lab", slots=2)) as engine, engine.client() as client:
            told = await client.report()
            assert [(one.device_id, one.load) for one in told.devices] == [("lab", None)]
            assert not told.halted
            told = await client.report(measures=True)
            assert told.devices[0].load is not None
            assert told.devices[0].load.cpu == 0
            await client.add_devices([DeviceSpec(id="new", kind="simulated", slots=3)])
            await client.add_devices([DeviceSpec(id="new", kind="simulated", slots=3)])
            assert engine.orchestrator.fleet.devices["new"].slots == 3, "an equal one is shared"
            with pytest.raises(StarloomError, match="two different devices"):
                await client.add_devices([DeviceSpec(id="new", kind="simulated", slots=4)])

    asyncio.run(main())


def test_how_far_attempts_have_come_is_told_until_they_end(tmp_path: Path) -> None:
    async def main() -> None:
        go = asyncio.Event()

        async def slowly(_task: Task, context: TaskContext) -> None:
            context.progress(0.25, "a quarter")
            context.progress(1.5)
            await go.wait()

        async with (
            served(tmp_path, InProcessDevice("here", handlers={"slowly": slowly})) as engine,
            engine.client() as client,
        ):
            run = await engine.orchestrator.start(plan([task("a", call="slowly")]))
            await until(lambda: bool(engine.orchestrator.dispatcher.progress))
            assert (await client.report()).progress == (Progress(run.id, "a", 1, 1.0),)
            go.set()
            await run.finished()
            assert (await client.report()).progress == ()

    asyncio.run(main())


def test_what_devices_were_made_from_is_told_but_for_secrets(tmp_path: Path) -> None:
    async def main() -> None:
        async with served(tmp_path) as engine, engine.client() as client:
            plain = DeviceSpec(id="far", kind="ssh", slots=2, options={"host": "127.0.0.1", "port": 1})
            kept = {"url": "ws://127.0.0.1:1/", "target": "b", "token": "keyring:lab"}
            referring = DeviceSpec(id="ufo", kind="aip", options=kept)
            await client.add_devices([plain, referring])
            told = msgspec.json.decode((await client.report()).specs, type=decodable(tuple[DeviceSpec, ...]))
            assert sorted(told, key=lambda spec: spec.id) == [plain, referring]
            made = make_device(DeviceSpec(id="open", kind="simulated"))
            made.spec = DeviceSpec(id="open", kind="simulated", options={"token": "in plain text"})
            await engine.orchestrator.fleet.add(made)
            told = msgspec.json.decode((await client.report()).specs, type=decodable(tuple[DeviceSpec, ...]))
            assert {spec.id for spec in told} == {"far", "ufo"}

    asyncio.run(main())
