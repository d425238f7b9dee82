"""Starting and ending a Dask cluster of this machine."""

from __future__ import annotations

import asyncio
import contextlib
import json
import sys
from pathlib import Path
from typing import Final

from distributed import Security

from starloom.devices.dask.link import Link
from starloom.errors import DeviceError

_PROGRAM: Final = Path(__file__).with_name("local_cluster_child.py")
_START_SECONDS: Final = 120.0
_END_SECONDS: Final = 10.0


class LocalCluster:
    """A cluster in processes of its own; they end when it is stopped, or with us."""

    def __init__(self, workers: int, threads: int) -> None:
        self._arguments = (str(workers), str(threads))
        self._process: asyncio.subprocess.Process | None = None

    async def start(self) -> Link:
        """A link to its scheduler, once all workers are there; nobody else has the key to it.

        Raises:
            DeviceError: it does not start.
        """
        process = self._process = await asyncio.create_subprocess_exec(
            sys.executable,
            "-P",
            str(_PROGRAM),
            *self._arguments,
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.DEVNULL,  # Dask tells there how its workers come and go
            start_new_session=True,
        )
        assert process.stdout is not None
        line = b""
        try:
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(_START_SECONDS):
                    line = await process.stdout.readline()
        finally:
            if not line:
                await self.stop()
        if not line:
            raise DeviceError(
                "A Dask cluster could not be started on this machine. Try it by hand to see why: "
                f"{sys.executable} {_PROGRAM} {' '.join(self._arguments)}."
            )
        told = json.loads(line)
        address = told.pop("address")
        return Link(address, Security(require_encryption=True, **told))

    async def stop(self) -> None:
        """End it, and return when it has ended."""
        process, self._process = self._process, None
        if process is None:
            return
        assert process.stdin is not None
        process.stdin.close()
        try:
            async with asyncio.timeout(_END_SECONDS):
                await process.wait()
        except TimeoutError:
            with contextlib.suppress(ProcessLookupError):
                process.kill()  # its workers notice, and end themselves
            await process.wait()
