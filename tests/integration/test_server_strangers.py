"""Whoever is no client of a served engine, or stops being one, is turned away with a log line and changes nothing."""

from __future__ import annotations

import asyncio
import os
import socket
import struct
from typing import TYPE_CHECKING

import pytest
from tests.integration.served import (
    HELLO,
    ended,
    runtime,
    served,
)
from tests.integration.test_resume import Gated
from tests.waiting import until

from starloom.server import listening, peers, sessions
from starloom.server.listings import ListRuns
from starloom.server.messages import Hello, RequestAnswer
from starloom.server.socket_path import ServerError
from starloom.server.wire import frame

if TYPE_CHECKING:
    from pathlib import Path


pytestmark = pytest.mark.skipif(not hasattr(socket, "SO_PEERCRED"), reason="no Unix sockets that tell who connects")


__all__ = ["runtime"]


# ---- who may not, and what is no message


@pytest.mark.expects_log
def test_another_user_is_turned_away_with_a_log_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    stranger = peers.PeerCredentials(os.getpid(), os.getuid() + 1)

    async def main() -> None:
        async with served(tmp_path, Gated()) as engine:
            monkeypatch.setattr(listening, "credentials", lambda _connection: stranger)
            async with engine.raw() as (reader, writer):
                writer.write(frame(Hello(1, 1, "", "mallory")))
                assert not await ended(reader)

    asyncio.run(main())
    assert f"user {os.getuid() + 1}" in caplog.text


def test_a_server_of_another_user_is_not_spoken_to(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    stranger = peers.PeerCredentials(os.getpid(), os.getuid() + 1)
    monkeypatch.setattr("starloom.server.links.credentials", lambda _connection: stranger)

    async def main() -> None:
        async with served(tmp_path, Gated()) as engine:
            with pytest.raises(ServerError, match="belongs to another user"):
                async with engine.client():
                    pass

    asyncio.run(main())


BAD = {
    "http": b"GET / HTTP/1.1\r\nHost: x\r\n\r\n",
    "a huge hello": struct.pack("<IB", 5_000, 1),
    "a request before hello": frame(ListRuns(1)),
    "a name nobody can read": frame(Hello(1, 1, "", "a\nb")),
    "no name": frame(Hello(1, 1, "", "")),
    "hello twice": HELLO + HELLO,
    "a huge frame": HELLO + struct.pack("<IB", 2**32 - 1, 2),
    "garbage": HELLO + os.urandom(1) + b"\xff" * 200,
    "a reply": HELLO + frame(RequestAnswer(1)),
}


@pytest.mark.expects_log
@pytest.mark.parametrize("data", BAD.values(), ids=BAD)
def test_what_is_no_message_ends_the_connection_with_a_log_line(
    data: bytes, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    async def main() -> None:
        async with served(tmp_path, Gated()) as engine:
            async with engine.raw() as (reader, writer):
                writer.write(data)
                await ended(reader)
            async with engine.client() as client:  # the server is as well as before
                assert await client.runs() == ()

    asyncio.run(main())
    assert caplog.text.count("The connection of process") == 1


@pytest.mark.expects_log
def test_a_client_that_goes_within_a_frame_leaves_a_log_line_and_one_that_goes_after_one_none(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    async def main() -> None:
        async with served(tmp_path, Gated()) as engine:
            for data in (HELLO, b"", HELLO[:7]):
                async with engine.raw() as (_, writer):
                    writer.write(data)
                    await writer.drain()
                    await until(lambda: engine.server._sessions)
                    writer.write_eof()
                    await until(lambda: not engine.server._sessions)

    asyncio.run(main())
    assert caplog.text.count("The connection of process") == 1
    assert "ended within a frame" in caplog.text


@pytest.mark.expects_log
def test_a_client_that_says_nothing_is_not_waited_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(sessions, "_GREETING", 0.01)

    async def main() -> None:
        async with served(tmp_path, Gated()) as engine, engine.raw() as (reader, _):
            assert not await ended(reader)

    asyncio.run(main())
    assert "it has not said what it is" in caplog.text


@pytest.mark.expects_log
def test_there_is_a_bound_on_clients(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(listening, "MOST_CLIENTS", 1)

    async def main() -> None:
        async with served(tmp_path, Gated()) as engine, engine.client():
            with pytest.raises(ServerError):
                async with engine.client():
                    pass

    asyncio.run(main())
    assert "there are 1 already" in caplog.text
