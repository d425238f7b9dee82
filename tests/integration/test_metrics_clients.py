"""What the metrics' little server makes of requests that are none and of clients that do not behave."""

from __future__ import annotations

import asyncio
import socket
import time
from typing import Any

import pytest
from tests.integration.metrics_client import WITHIN, connected, engine, get, here, raw
from tests.waiting import until

from starloom import MemoryJournal
from starloom.errors import CommandRefused, SettingsError
from starloom.telemetry import MetricsEndpoint, loopback

# ---- what it refuses


@pytest.mark.parametrize(
    ("request_bytes", "status"),
    [
        (b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n", 404),
        (b"GET /metrics/ HTTP/1.1\r\n\r\n", 404),
        (b"POST /metrics HTTP/1.1\r\nContent-Length: 3\r\n\r\nabc", 405),
        (b"HEAD /metrics HTTP/1.1\r\n\r\n", 405),
        (b"GET /metrics HTTP/2\r\n\r\n", 400),
        (b"GET metrics HTTP/1.1\r\n\r\n", 400),
        (b"GET /metrics\r\n\r\n", 400),
        (b"\r\n\r\n", 400),
        (b"\x16\x03\x01\x02\x00\xff\xfe\x00\r\n\r\n", 400),
        (b"GET /metrics HTTP/1.1\r\nno colon\r\n\r\n", 400),
        (b"GET /metrics HTTP/1.1\r\n: no name\r\n\r\n", 400),
        (b"GET /metrics HTTP/1.1\r\nHost: elsewhere.example\r\n\r\n", 403),
        (b"GET /metrics HTTP/1.1\r\nHost: elsewhere.example:80\r\n\r\n", 403),
        (b"GET /metrics HTTP/1.1\r\nX: " + b"x" * 9_000 + b"\r\n\r\n", 431),
        (b"GET /metrics HTTP/1.1\r\nHost: 127.0.0.1:9\r\n\r\n", 200),
        (b"GET /metrics HTTP/1.0\r\n\r\n", 200),
    ],
)
def test_what_is_no_request_for_metrics_is_refused_with_a_sentence(request_bytes: bytes, status: int) -> None:
    async def main() -> None:
        async with engine(here()) as orchestrator, MetricsEndpoint(orchestrator) as endpoint:
            head, _, body = (await raw(endpoint, request_bytes)).partition(b"\r\n\r\n")
            assert head.startswith(b"HTTP/1.1 %d " % status)
            assert (b"Allow: GET" in head) is (status == 405)
            assert body.endswith(b"\n")
            assert (await get(endpoint))[0] == 200, "it still answers others"

    asyncio.run(main())


def test_it_listens_at_loopback_only() -> None:
    async def main() -> None:
        async with engine(here()) as orchestrator, MetricsEndpoint(orchestrator) as endpoint:
            server = endpoint._server._server  # there is no other way to see where it is bound
            assert server is not None
            assert [one.getsockname()[0] for one in server.sockets] == ["127.0.0.1"]

    asyncio.run(main())


def test_a_port_in_use_is_said_in_a_sentence_and_leaves_the_engine_as_it_was() -> None:
    async def main() -> None:
        journal = MemoryJournal()
        with socket.create_server(("127.0.0.1", 0)) as other:
            port = other.getsockname()[1]
            async with engine(here(), journal=journal) as orchestrator:
                with pytest.raises(SettingsError, match=f"port {port} of 127.0.0.1: something else listens there"):
                    await MetricsEndpoint(orchestrator, port).open()
                assert orchestrator.pump.journal is journal
                with pytest.raises(SettingsError, match="65535"):
                    await MetricsEndpoint(orchestrator, 70_000).open()

    asyncio.run(main())


def test_an_engine_that_is_not_open_is_refused() -> None:
    async def main() -> None:
        with pytest.raises(CommandRefused, match="not open"):
            await MetricsEndpoint(engine(here())).open()

    asyncio.run(main())


@pytest.mark.expects_log
def test_a_defect_of_ours_is_answered_reported_and_not_told(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    async def main() -> None:
        async with engine(here()) as orchestrator, MetricsEndpoint(orchestrator) as endpoint:
            with monkeypatch.context() as patch:
                patch.setattr(orchestrator, "counters", lambda: 1 / 0)
                status, _, body = await get(endpoint)
            assert status == 500
            assert "ZeroDivision" not in body
            assert "ZeroDivisionError" in caplog.text
            assert (await get(endpoint))[0] == 200

    asyncio.run(main())


# ---- clients that do not behave


@pytest.mark.parametrize("sent", [b"", b"GET /met", b"GET /metrics HTTP/1.1\r\nHost: x"])
def test_a_client_that_goes_silent_is_cut_off(sent: bytes, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(loopback, "_PATIENCE", 0.05)

    async def main() -> None:
        async with engine(here()) as orchestrator, MetricsEndpoint(orchestrator) as endpoint:
            assert await _answer_or_reset(raw(endpoint, sent)) == b""

    asyncio.run(main())


async def _answer_or_reset(answer: Any) -> bytes:
    try:
        got: bytes = await answer
    except ConnectionError:
        return b""
    return got


def test_a_client_that_goes_away_in_the_middle_disturbs_nobody() -> None:
    async def main() -> None:
        async with engine(here()) as orchestrator, MetricsEndpoint(orchestrator) as endpoint:
            for sent in (b"", b"GET /metr", b"GET /metrics HTTP/1.1\r\n\r\n"):
                _, writer = await connected(endpoint)
                writer.write(sent)
                writer.transport.abort()
            assert (await get(endpoint))[0] == 200

    asyncio.run(main())


def test_a_silent_connection_does_not_outlive_the_endpoint() -> None:
    """The guards of conftest.py would also find a task or a socket that is left."""

    async def main() -> None:
        async with engine(here()) as orchestrator:
            endpoint = MetricsEndpoint(orchestrator)
            await endpoint.open()
            before = asyncio.all_tasks()
            clients = [await connected(endpoint) for _ in range(3)]
            clients[1][1].write(b"GET /metrics HTT")

            async def all_are_served() -> bool:
                await asyncio.sleep(0)
                return len(asyncio.all_tasks() - before) == 3

            await until(all_are_served)
            begun = time.monotonic()
            await asyncio.gather(endpoint.close(), endpoint.close())
            assert time.monotonic() - begun < loopback._PATIENCE
            assert asyncio.all_tasks() - before == set()
            for reader, writer in clients:
                assert await _answer_or_reset(asyncio.wait_for(reader.read(), WITHIN)) == b""
                writer.close()

    asyncio.run(main())


def test_too_many_connections_are_turned_away_and_room_is_made_again() -> None:
    async def main() -> None:
        async with engine(here()) as orchestrator, MetricsEndpoint(orchestrator) as endpoint:
            silent = [await connected(endpoint) for _ in range(loopback._MOST)]

            async def turned_away() -> bool:
                return await _answer_or_reset(raw(endpoint, b"GET /metrics HTTP/1.1\r\n\r\n")) == b""

            await until(turned_away)
            for _, writer in silent:
                writer.close()

            async def has_room() -> bool:
                return not await turned_away()

            await until(has_room)

    asyncio.run(main())
