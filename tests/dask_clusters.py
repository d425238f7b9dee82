"""Dask clusters on loopback for tests, started as a program."""

from __future__ import annotations

import asyncio
import contextlib
import subprocess
import sys
from typing import TYPE_CHECKING, Final

from starloom.devices.dask import DaskDevice
from starloom.devices.dask.link import DaskLink

if TYPE_CHECKING:
    from collections.abc import Iterator

PROGRAM: Final = """\
import asyncio, sys
from distributed import LocalCluster

async def main(workers, threads, protocol="tcp"):
    async with LocalCluster(
        n_workers=workers, threads_per_worker=threads, processes=True, asynchronous=True, host="127.0.0.1",
        protocol=protocol + "://",
        scheduler_port=0, dashboard_address="127.0.0.1:0", worker_dashboard_address="127.0.0.1:0",
    ) as cluster:
        print(cluster.scheduler_address, flush=True)
        await asyncio.to_thread(sys.stdin.buffer.read)

if __name__ == "__main__":
    asyncio.run(main(int(sys.argv[1]), int(sys.argv[2]), *sys.argv[3:]))
"""
"""A cluster that somebody else has started; its address, in the clear by default, is the first line it prints."""


class Cluster:
    """A cluster for the duration of a context, with its address."""

    def __init__(self, workers: int, threads: int) -> None:
        self.address = ""
        self._arguments = (str(workers), str(threads))

    @contextlib.contextmanager
    def stands(self) -> Iterator[None]:
        command = (sys.executable, "-c", PROGRAM, *self._arguments)
        with subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
        ) as process:
            assert process.stdin is not None
            assert process.stdout is not None
            self.address = process.stdout.readline().strip()
            assert self.address, "the cluster has not started"
            try:
                asyncio.run(_prepare(self.address))
                yield
            finally:
                process.stdin.close()
                process.wait()


async def _prepare(address: str) -> None:
    """Start each worker's guardian before a test, so that it does not count as left behind."""
    link = DaskLink(address)
    await link.open()
    for name in await link.look():
        device = DaskDevice("early", link=link, worker=name)
        await device.connect()
        await device.disconnect()
    await link.close()


ONE_WORKER = Cluster(workers=1, threads=4)
THREE_WORKERS = Cluster(workers=3, threads=2)
