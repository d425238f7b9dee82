"""Who is connected to a served engine: asked for, and told to those who follow it as others come and go."""

from __future__ import annotations

import asyncio
import socket
import time
from contextlib import aclosing
from typing import TYPE_CHECKING

import pytest
from tests.integration.served import greeted, runtime, served
from tests.integration.test_resume import Gated, abc
from tests.integration.test_server_engine import following
from tests.waiting import until

from starloom.errors import CommandRefused, SettingsError
from starloom.events import FORMAT_VERSION
from starloom.scheduling.reservation_commands import Reserve
from starloom.server.client import EngineClient
from starloom.server.listings import ReadPeople
from starloom.server.messages import FollowEngine, Hello
from starloom.server.people import Presence
from starloom.server.wire import REPLIES, WIRE_VERSION, frame, read_message

if TYPE_CHECKING:
    from pathlib import Path

    from tests.integration.served import Served

pytestmark = pytest.mark.skipif(not hasattr(socket, "SO_PEERCRED"), reason="no Unix sockets that tell who connects")

__all__ = ["runtime"]


async def names(client: EngineClient) -> list[str]:
    return [one.name for one in await client.people()]


def test_people_are_told_with_their_machine_and_what_they_have_done_and_follow(tmp_path: Path) -> None:
    async def main() -> None:
        before = time.time()
        async with served(tmp_path, Gated()) as engine, engine.client() as ada, engine.client("bob") as bob:
            run_id = await ada.submit(abc())
            (one, other) = await bob.people()
            assert (one.name, one.host, one.act, one.connections) == ("ada", socket.gethostname(), "submit", 1)
            assert before <= one.since <= one.acted <= time.time()
            assert (other.name, other.act, other.acted, other.follows) == ("bob", "", 0.0, ())
            await bob.command(run_id, "pause")
            with pytest.raises(CommandRefused):
                await bob.command(run_id, {"hold": "nobody"})
            async with engine.client("bob") as second, aclosing(second.follow(run_id)) as rows:
                await anext(rows)
                (_, both) = await ada.people()
                assert (both.act, both.connections, both.follows) == ("pause", 2, (run_id,)), "what was done counts"
            await ada.command(run_id, "cancel_run")

    asyncio.run(main())


def test_who_follows_the_engine_is_told_who_comes_and_goes(tmp_path: Path) -> None:
    async def main() -> None:
        async with served(tmp_path, Gated()) as engine, engine.client() as ada, following(ada) as (found, turns):
            assert [one.name for one in found.people] == ["ada"]
            assert found.people[0].follows == ("the engine",)
            async with engine.client("bob"):
                while [one.name for one in found.people] != ["ada", "bob"]:
                    assert await anext(turns) == [], "it is told between turns"
            while len(found.people) > 1:
                await anext(turns)

    asyncio.run(main())


def test_whoever_has_the_engine_is_told_as_well_and_stands_in_the_list(tmp_path: Path) -> None:
    async def main() -> None:
        async with served(tmp_path, Gated()) as engine:
            told: list[list[str]] = []
            engine.server.own = Presence("operator", "", reads_only=False, follows="the engine")
            engine.server.on_people = lambda people: told.append([one.name for one in people])
            async with engine.client() as ada:
                assert await names(ada) == ["operator", "ada"]
            await until(lambda: told == [["operator", "ada"], ["operator"]])

    asyncio.run(main())


def test_a_client_of_an_earlier_version_is_told_nothing_it_does_not_know(tmp_path: Path) -> None:
    async def main(engine: Served) -> None:
        async with engine.raw() as (reader, writer):
            await greeted(reader, writer)  # without the name of its machine
            writer.write(frame(FollowEngine(1)))
            async with engine.client("bob") as bob:
                told = {type(await read_message(reader, REPLIES)).__name__ for _ in range(4)}
                (one, _) = await bob.people()
                assert one.host == ""
            writer.write(frame(ReadPeople(2)))
            while (answer := type(await read_message(reader, REPLIES)).__name__) != "PeopleListing":
                told.add(answer)
            assert told == {"RequestAnswer", "StreamHead", "FleetCheckpoint", "WholeTurns"}

    async def run() -> None:
        async with served(tmp_path, Gated()) as engine:
            await main(engine)

    asyncio.run(run())


def test_a_server_of_an_earlier_version_is_not_asked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async def main() -> None:
        async with served(tmp_path, Gated()) as engine, engine.client() as ada:
            monkeypatch.setattr(type(ada.welcome), "lists_people", False)
            with pytest.raises(CommandRefused, match="which does not tell who is there"):
                await ada.people()

    asyncio.run(main())


def test_a_server_of_an_earlier_version_gets_no_plan_that_is_not_to_start(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def main() -> None:
        async with served(tmp_path, Gated()) as engine, engine.client() as ada:
            monkeypatch.setattr(type(ada.welcome), "submits_paused", False)
            with pytest.raises(CommandRefused, match="which starts a plan as soon as it has it"):
                await ada.submit(abc(), paused=True)
            assert not await ada.runs()

    asyncio.run(main())


def test_a_machine_of_an_odd_name_is_none(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(socket, "gethostname", lambda: "a\x1b[31mb")

    async def main() -> None:
        async with served(tmp_path, Gated()) as engine, engine.client() as ada:
            assert [one.host for one in await ada.people()] == [""]

    asyncio.run(main())


@pytest.mark.parametrize("name", ["", "a" * 101, "a\x1bb", "engine", "plan"])
def test_nobody_can_be_called_so(tmp_path: Path, name: str) -> None:
    with pytest.raises(SettingsError, match="The name"):
        EngineClient(tmp_path, name)


@pytest.mark.expects_log
def test_a_client_in_the_name_of_the_engine_is_not_served(tmp_path: Path) -> None:
    async def main() -> None:
        async with served(tmp_path, Gated()) as engine, engine.raw() as (reader, writer):
            writer.write(frame(Hello(WIRE_VERSION, FORMAT_VERSION, "", "engine")))
            assert await reader.read() == b""

    asyncio.run(main())


def test_the_name_of_a_client_is_the_origin_of_what_it_does_and_reserves(tmp_path: Path) -> None:
    async def main() -> None:
        async with served(tmp_path, Gated()) as engine, engine.client() as ada, engine.client("bob") as bob:
            run_id = await ada.submit(abc())
            await ada.command(run_id, Reserve(seconds=3600.0, reason="we look at it", origin="somebody else"))
            await ada.command("", Reserve(device_id="here", seconds=3600.0, reason="its door is open"))
            with pytest.raises(CommandRefused, match=r"is reserved by ada for another .*: we look at it") as refused:
                await bob.command(run_id, "pause")
            assert refused.value.code == "reserved"
            with pytest.raises(CommandRefused, match="reserved by ada"):
                await bob.stop(cancel=True)
            first, second = (await bob.listing()).reservations
            assert (first.run_id, first.device_id, first.holder) == (run_id, "", "ada")
            assert (second.run_id, second.device_id, second.reason) == ("", "here", "its door is open")
            assert first.wall_until is not None
            assert abs(first.wall_until - first.left - time.time()) < 60
            async with engine.client("cleo") as cleo, following(cleo) as (found, _):
                assert found.replica.fleet.devices["here"].is_reserved
                assert len(found.replica.fleet.reservations) == 2
            await ada.command(run_id, "cancel_run")
            await until(lambda: not engine.orchestrator.pump.scheduler.live)
            with pytest.raises(CommandRefused, match="reserved by ada"):
                await bob.command(run_id, {"retry": "a"})

    asyncio.run(main())


def test_for_how_long_a_run_is_still_reserved_is_told_by_the_present_time_also_where_nothing_has_happened(
    tmp_path: Path,
) -> None:
    begun = time.monotonic()
    later = [0.0]

    async def main() -> None:
        clock = lambda: time.monotonic() - begun + later[0]  # noqa: E731
        async with (
            served(tmp_path, Gated(), clock=clock) as engine,
            engine.client() as ada,
            engine.client("bob") as bob,
        ):
            run = await engine.orchestrator.start(abc())
            await ada.command(run.id, Reserve(seconds=3600.0, reason="we look at it"))
            later[0] = 1_800.0
            with pytest.raises(CommandRefused, match=r"for another (30m|29m59)"):
                await bob.stop(cancel=True)

    asyncio.run(main())
