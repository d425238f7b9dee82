"""The life of a server: one a folder, what it sends as it ends, and when it idles."""

from __future__ import annotations

import asyncio
import contextlib
import socket
from typing import TYPE_CHECKING, Any

import pytest
from tests.integration.served import (
    followed,
    greeted,
    journal,
    runtime,
    served,
    talker,
)
from tests.integration.test_resume import Gated, abc
from tests.waiting import until

from starloom.journal.stream_file import StreamFile
from starloom.server import sessions
from starloom.server.messages import FollowRun, RequestAnswer
from starloom.server.row_sender import RowSender
from starloom.server.server_lock import ServerLock
from starloom.server.socket_path import ServerError
from starloom.server.wire import REPLIES, WireError, frame, read_message
from starloom.testing import independent

if TYPE_CHECKING:
    from pathlib import Path


pytestmark = pytest.mark.skipif(not hasattr(socket, "SO_PEERCRED"), reason="no Unix sockets that tell who connects")


__all__ = ["runtime"]


def test_one_folder_has_one_server_and_the_next_one_may_begin_when_it_has_gone(tmp_path: Path) -> None:
    async def main() -> None:
        async with served(tmp_path, Gated()) as engine:
            assert engine.server.path.stat().st_mode & 0o777 == 0o600
            with pytest.raises(ServerError, match="served already, by this program itself"):
                ServerLock(tmp_path)
        assert not engine.server.path.exists()
        with pytest.raises(ServerError, match="No server runs for the journals"):
            async with engine.client():
                pass
        async with served(tmp_path, Gated()) as again, again.client() as client:
            assert await client.runs() == ()

    asyncio.run(main())


def test_a_server_that_ends_sends_what_is_left_to_those_who_read(tmp_path: Path) -> None:
    async def main() -> None:
        device = Gated()
        async with served(tmp_path, device) as engine:
            run = await engine.orchestrator.start(abc())
            client = engine.client()
            await client.__aenter__()
            follow = asyncio.create_task(followed(client, run.id))
            await until(lambda: device.began)
            device.open("a", "b", "c")
            await engine.orchestrator.shutdown("drain")
        replica, _ = await follow
        assert str(replica.view.run.state) == "completed"
        with pytest.raises(ServerError, match="is gone"):
            await client.runs()
        await client.__aexit__(None, None, None)

    asyncio.run(main())


def test_a_server_that_ends_sends_even_what_has_not_left_its_buffers(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sessions, "_PATIENCE", 60.0)

    async def main() -> None:
        async with contextlib.AsyncExitStack() as stack:
            engine = await stack.enter_async_context(served(tmp_path, talker(250_000)))
            run = await engine.orchestrator.start(independent(20), paused=True)
            reader, writer = await asyncio.open_unix_connection(engine.server.path, limit=1_000)
            await greeted(reader, writer)
            writer.write(frame(FollowRun(1, run.id)))
            assert isinstance(await read_message(reader, REPLIES), RequestAnswer)
            session = next(iter(engine.server._sessions.values()))
            session._writer.transport.set_write_buffer_limits(100_000_000)
            await run.start()
            await run.finished()
            await until(
                lambda: (
                    isinstance(session._sender, RowSender)
                    and session._sender.row == engine.server._feeds.last_row(run.id)
                )
            )
            assert session._writer.transport.get_write_buffer_size() > 2_000_000
            read = asyncio.create_task(rows_until_the_end(reader))
            await stack.aclose()
        with StreamFile(journal(tmp_path, run.id), read_only=True) as file:
            assert await read == file.last
        writer.close()
        with contextlib.suppress(OSError):
            await writer.wait_closed()

    asyncio.run(main())


def test_a_server_that_ends_waits_for_no_client_that_does_not_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sessions, "_PATIENCE", 0.01)

    async def main() -> None:
        async with served(tmp_path, talker(250_000)) as engine:
            run = await engine.orchestrator.start(independent(20), paused=True)
            reader, writer = await asyncio.open_unix_connection(engine.server.path, limit=1_000)
            await greeted(reader, writer)
            writer.write(frame(FollowRun(1, run.id)))
            await read_message(reader, REPLIES)
            await run.start()
            await run.finished()
            session = next(iter(engine.server._sessions.values()))
            await until(session._writer.transport.get_write_buffer_size)
        with pytest.raises((WireError, OSError)):
            await rows_until_the_end(reader)
        writer.close()
        with contextlib.suppress(OSError):
            await writer.wait_closed()

    asyncio.run(main())


async def rows_until_the_end(reader: asyncio.StreamReader) -> int:
    """The last row that comes before the server closes the connection."""
    last = 0
    while (message := await read_message(reader, REPLIES)) is not None:
        last = message.first + len(message.rows) - 1
    return last


def test_it_idles_only_without_clients_and_runs(tmp_path: Path) -> None:
    async def main() -> None:
        device = Gated()
        async with served(tmp_path, device) as engine:
            run = await engine.orchestrator.start(abc())
            idle = asyncio.create_task(engine.server.idle(0.0))
            await until(lambda: device.began)
            assert not idle.done()
            async with engine.client() as client:
                device.open("a", "b", "c")
                await run.finished()
                await client.runs()
                assert not idle.done()
            await asyncio.wait_for(idle, 60)

    asyncio.run(main())


def test_who_comes_while_it_idles_has_it_count_anew(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    timers: list[asyncio.TimerHandle] = []

    async def main() -> None:
        loop = asyncio.get_running_loop()
        call_later = loop.call_later

        def noted(delay: float, *args: Any, **context: Any) -> asyncio.TimerHandle:
            timer = call_later(delay, *args, **context)
            if delay == 3600:
                timers.append(timer)
            return timer

        monkeypatch.setattr(loop, "call_later", noted)
        async with served(tmp_path, Gated()) as engine:
            idle = asyncio.create_task(engine.server.idle(3600))
            await until(lambda: timers)
            async with engine.client():
                await until(lambda: timers[0].cancelled())
                assert len(timers) == 1
            await until(lambda: len(timers) == 2)
            idle.cancel()
            await asyncio.gather(idle, return_exceptions=True)
            assert timers[1].cancelled()

    asyncio.run(main())
