"""The fleet of a served engine over a real socket: its facts, then each of its events once."""

from __future__ import annotations

import asyncio
import random
import socket
from contextlib import aclosing
from typing import TYPE_CHECKING

import pytest
from tests.integration.served import greeted, runtime, served
from tests.integration.test_resume import Gated, abc
from tests.waiting import until

from starloom.errors import CommandRefused
from starloom.events import FleetOpened
from starloom.journal.fleet_replica import fleet_to_plain
from starloom.journal.library import Library
from starloom.journal.stream_file import StreamFile
from starloom.scheduling.restore import restore
from starloom.server import row_sender
from starloom.server.messages import FleetCheckpoint, FollowRun, RequestAnswer, RowBatch
from starloom.server.wire import REPLIES, frame, read_message

if TYPE_CHECKING:
    from pathlib import Path

    from tests.integration.served import Served

    from starloom.events import Event
    from starloom.journal.fleet_replica import FleetReplica

pytestmark = pytest.mark.skipif(not hasattr(socket, "SO_PEERCRED"), reason="no Unix sockets that tell who connects")

__all__ = ["runtime"]


def events_of(journals: Path) -> list[Event]:
    with StreamFile(journals / "fleet.db", read_only=True) as file:
        return list(file.committed())


def check_fleet(replica: FleetReplica, journals: Path) -> None:
    assert fleet_to_plain(replica.fleet) == fleet_to_plain(restore(events_of(journals)).fleet)


async def changed(engine: Served, times: int) -> None:
    """Changes of the fleet, one a turn."""
    for number in range(times):
        await engine.orchestrator.set_limits(max_concurrency=number + 1)


def cut_all(engine: Served) -> None:
    for session in list(engine.server._sessions.values()):
        session.abort()


@pytest.mark.parametrize("full", [False, True], ids=["default", "full"])
def test_the_fleet_is_followed_from_its_facts_on_and_each_event_comes_once(tmp_path: Path, full: bool) -> None:
    async def main() -> None:
        async with served(tmp_path, Gated(), full=full) as engine, engine.client() as client:
            await engine.orchestrator.start(abc(), paused=True)
            await client.command("", {"drain_device": "here"})
            await changed(engine, 3)
            known = len(events_of(tmp_path))
            async with aclosing(client.follow_fleet()) as following:
                replica, events = await anext(following)
                assert not events
                assert replica.fleet.seq == known
                assert replica.fleet.devices["here"].draining
                check_fleet(replica, tmp_path)
                changing = asyncio.create_task(changed(engine, 5))
                seen: list[Event] = []
                while len(seen) < 5:
                    _, events = await anext(following)
                    seen += events
                await changing
            assert seen == events_of(tmp_path)[known:]
            check_fleet(replica, tmp_path)

    asyncio.run(main())


@pytest.mark.parametrize("seed", range(4))
def test_over_connections_that_break_each_event_of_the_fleet_comes_once(tmp_path: Path, seed: int) -> None:
    chance = random.Random(seed)

    async def main() -> None:
        async with served(tmp_path, Gated()) as engine, engine.client() as client:
            async with aclosing(client.follow_fleet()) as following:
                replica, _ = await anext(following)
                begun = replica.fleet.seq
                seen: list[Event] = []
                for _ in range(30):
                    await changed(engine, chance.randrange(1, 4))
                    if chance.random() < 0.4:
                        cut_all(engine)
                while replica.fleet.seq < len(events_of(tmp_path)):
                    seen += (await anext(following))[1]
            assert seen == events_of(tmp_path)[begun:]
            check_fleet(replica, tmp_path)

    asyncio.run(main())


def test_what_an_earlier_server_has_kept_of_the_fleet_comes_with_its_facts(tmp_path: Path) -> None:
    async def main() -> None:
        async with served(tmp_path, Gated()) as engine, engine.client() as client:
            await client.command("", {"drain_device": "here"})
            await changed(engine, 4)
        async with served(tmp_path) as engine, engine.client() as client:
            async with aclosing(client.follow_fleet()) as following:
                replica, _ = await anext(following)
            assert replica.fleet.remembered["here"].draining
            assert replica.fleet.max_concurrency == 4
            check_fleet(replica, tmp_path)

    asyncio.run(main())


def test_who_follows_goes_on_with_the_server_that_takes_the_place_of_another(tmp_path: Path) -> None:
    async def main() -> None:
        async with served(tmp_path, Gated()) as engine:
            client = engine.client()
            await client.__aenter__()
            following = client.follow_fleet()
            replica, _ = await anext(following)
            begun = replica.fleet.seq
        seen: list[Event] = []
        async with served(tmp_path, Gated()) as engine:
            await changed(engine, 2)
            while replica.fleet.seq < len(events_of(tmp_path)):
                seen += (await anext(following))[1]
            assert seen == events_of(tmp_path)[begun:]
            assert any(isinstance(event, FleetOpened) for event in seen)
            check_fleet(replica, tmp_path)
            await following.aclose()
            await client.__aexit__(None, None, None)

    asyncio.run(main())


def test_who_reads_slowly_or_comes_back_late_begins_with_the_facts_of_then(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(row_sender, "FAR", 10)

    async def main() -> None:
        async with served(tmp_path, Gated()) as engine:
            await changed(engine, 30)
            rows = engine.server._feeds.last_row("")
            for after, is_told in ((0, True), (rows - 20, True), (rows - 5, False)):
                async with engine.raw() as (reader, writer):
                    await greeted(reader, writer)
                    writer.write(frame(FollowRun(1, "", after)))
                    assert (await read_message(reader, REPLIES)) == RequestAnswer(1, rows)
                    first = await read_message(reader, REPLIES)
                    if is_told:
                        assert isinstance(first, FleetCheckpoint)
                        assert first.row == rows
                    else:
                        assert isinstance(first, RowBatch)
                        assert first.first == after + 1

    asyncio.run(main())


def test_nobody_is_waited_for_who_does_not_read(tmp_path: Path) -> None:
    async def main() -> None:
        async with served(tmp_path, Gated()) as engine, engine.raw(limit=100) as (reader, writer):
            await greeted(reader, writer)
            writer.write(frame(FollowRun(1, "")))
            await until(lambda: engine.server._feeds._feeds)
            reader._transport.pause_reading()  # type: ignore[attr-defined]  # asyncio reads ahead otherwise
            await changed(engine, 300)
            (session,) = engine.server._sessions.values()
            assert session._writer.transport.get_write_buffer_size() < 2**20
            async with engine.client() as client, aclosing(client.follow_fleet()) as following:
                check_fleet((await anext(following))[0], tmp_path)

    asyncio.run(main())


def test_the_fleet_that_another_program_keeps_cannot_be_followed(tmp_path: Path) -> None:
    async def main() -> None:
        with Library(tmp_path):
            async with served(tmp_path, Gated()) as engine, engine.client() as client:
                with pytest.raises(CommandRefused, match="Another program keeps the journal of the fleet"):
                    await anext(client.follow_fleet())

    asyncio.run(main())
