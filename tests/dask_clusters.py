"""Dask clusters on loopback for tests: the program by which a cluster of this machine is started."""

from __future__ import annotations

import asyncio
import contextlib
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from starloom.devices.dask import DaskDevice, local_cluster
from starloom.devices.dask.link import Link

if TYPE_CHECKING:
    from collections.abc import Iterator

PROGRAM = Path(local_cluster.__file__).with_name("local_cluster_child.py")


class Cluster:
    """A cluster that stands while it is needed, and its address then."""

    def __init__(self, workers: int, threads: int) -> None:
        self.address = ""
        self._arguments = (str(workers), str(threads))

    @contextlib.contextmanager
    def stands(self) -> Iterator[None]:
        command = (sys.executable, str(PROGRAM), *self._arguments)
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
    """Have each worker's guardian there before a test begins, which will not see it as left behind then."""
    link = Link(address)
    await link.open()
    for name in await link.look():
        device = DaskDevice("early", link=link, worker=name)
        await device.connect()
        await device.disconnect()
    await link.close()


ONE_WORKER = Cluster(workers=1, threads=4)
THREE_WORKERS = Cluster(workers=3, threads=2)
