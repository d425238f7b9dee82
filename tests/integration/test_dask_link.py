"""The connection to a Dask scheduler: its end, and who is let in."""

from __future__ import annotations

import asyncio

import pytest
from tests.dask_clusters import ONE_WORKER

from starloom import DeviceError
from starloom.devices.dask import DaskCluster, DaskDevice
from starloom.devices.dask.link import Link


def test_nothing_of_a_connection_waits_for_a_deadline_once_it_is_closed() -> None:
    """It would come due in a loop's last iteration now and then, and asyncio would log that nobody had heard of it."""

    async def scenario() -> None:
        link = Link(ONE_WORKER.address)
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
            with pytest.raises(DeviceError, match="cannot be reached"):
                await Link(member.link.address).open()
            with pytest.raises(DeviceError, match="cannot be reached"):
                await Link(member.link.address.replace("tls://", "tcp://")).open()
        finally:
            await cluster.disconnect()

    asyncio.run(scenario())
