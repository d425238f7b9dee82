"""The connection to a Dask scheduler: its end, and who is let in."""

from __future__ import annotations

import asyncio

import pytest
from distributed import Security
from tests.dask_clusters import ONE_WORKER

from starloom import DeviceError
from starloom.devices.dask import DaskCluster, DaskDevice
from starloom.devices.dask.link import DaskLink


def test_nothing_of_a_connection_waits_for_a_deadline_once_it_is_closed() -> None:
    """It would come due in a loop's last iteration now and then, and asyncio would log that nobody had heard of it."""

    async def scenario() -> None:
        link = DaskLink(ONE_WORKER.address)
        await link.open()
        sending = link.client.scheduler_comm
        assert sending is not None
        assert not sending.stopped.is_set()
        await link.close()
        assert sending.stopped.is_set()

    with ONE_WORKER.stands():
        asyncio.run(scenario())


def test_the_cluster_we_start_lets_nobody_in_who_has_not_its_key() -> None:
    async def scenario() -> None:
        cluster = DaskCluster("c", workers=1)
        await cluster.connect()
        try:
            (member,) = (await cluster.changed()).joined
            assert isinstance(member, DaskDevice)
            assert member.link.address.startswith("tls://")
            with pytest.raises(DeviceError, match=r"cannot be reached: it speaks TLS, .* no keys.*`ca-file`"):
                await DaskLink(member.link.address).open()
            with pytest.raises(DeviceError, match=r"cannot be reached: it closed .* speaks TLS begins with tls://"):
                await DaskLink(member.link.address.replace("tls://", "tcp://")).open()
            with pytest.raises(DeviceError, match=r"cannot be reached: its certificate is not .*`ca-file`"):
                await DaskLink(member.link.address, Security.temporary()).open()
        finally:
            await cluster.disconnect()

    asyncio.run(scenario())


@pytest.mark.parametrize(
    ("scheme", "told"), [("tcp", "does not talk as Dask does"), ("tls", "was closed as TLS began")]
)
def test_who_is_no_scheduler_is_told_from_one(scheme: str, told: str) -> None:
    async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.read(10)
        writer.write(b"HTTP/1.1 400 Bad Request\r\n\r\n")
        writer.close()

    async def scenario() -> None:
        async with await asyncio.start_server(answer, "127.0.0.1", 0) as server:
            port = server.sockets[0].getsockname()[1]
            security = Security.temporary() if scheme == "tls" else None
            with pytest.raises(DeviceError, match=f"at {scheme}://127.0.0.1:{port} cannot be reached: .*{told}"):
                await DaskLink(f"{scheme}://127.0.0.1:{port}", security).open()

    asyncio.run(scenario())


def test_nobody_is_asked_every_two_seconds_who_is_there() -> None:
    """Where that fails for TLS, tornado logs a traceback that nobody can do anything about."""

    async def scenario() -> None:
        link = DaskLink(ONE_WORKER.address)
        await link.open()
        try:
            assert not link.client._periodic_callbacks["scheduler-info"].is_running()
        finally:
            await link.close()

    with ONE_WORKER.stands():
        asyncio.run(scenario())
