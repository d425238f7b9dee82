"""The shared code of the tests with real Dask clusters in a fleet."""

from __future__ import annotations

import asyncio
import contextlib
import subprocess
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Any

from starloom.devices.dask import DaskDevice
from starloom.devices.dask.link import DaskLink
from starloom.devices.dask.workers_device import WorkersDevice
from starloom.model.device import DeviceSpec

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Awaitable, Callable

    from tests.dask_clusters import Cluster

BOUND = 180.0
"""Seconds in which anything here must have happened, on a slow machine too: Dask takes seconds to replace a worker."""


def within_bound(scenario: Callable[[], Awaitable[Any]]) -> Any:
    async def bounded() -> Any:
        async with asyncio.timeout(BOUND):
            return await scenario()

    return asyncio.run(bounded())


def started(command: tuple[str, ...]) -> subprocess.Popen[bytes]:
    return subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


def of(cluster: Cluster, **fields: Any) -> DeviceSpec:
    return DeviceSpec(id="c", kind="dask", options={"address": cluster.address}, **fields)


@contextlib.asynccontextmanager
async def one_of(cluster: Cluster) -> AsyncIterator[DaskDevice]:
    """One worker by itself."""
    device = DaskDevice("dev", link=DaskLink(cluster.address), worker="0", slots=2)
    await device.connect()
    try:
        yield device
    finally:
        await device.disconnect()


@contextlib.asynccontextmanager
async def a_workers_device() -> AsyncIterator[WorkersDevice]:
    """The machine of a worker, as the worker sees it, without the worker."""
    device = WorkersDevice()
    await device.connect()
    try:
        yield device
    finally:
        await device.pythons.end()
        await device.disconnect()
        assert device._guardian is not None
        assert device._guardian.stdin is not None
        device._guardian.stdin.close()
        device._guardian.wait()
        assert isinstance(device._threads, ThreadPoolExecutor)
        device._threads.shutdown()
