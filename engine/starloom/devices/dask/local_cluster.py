"""Starting and ending a Dask cluster of this machine."""

from __future__ import annotations

import asyncio
import contextlib
import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Final

import psutil
from distributed import Security

from starloom.devices.dask.link import DaskLink
from starloom.errors import DeviceError

if TYPE_CHECKING:
    from starloom.devices.base import TaskContext

_PROGRAM: Final = Path(__file__).with_name("local_cluster_child.py")
_START_SECONDS: Final = 120.0
_END_SECONDS: Final = 10.0
_GONE_SECONDS: Final = 60.0
"""How long a cluster that has lost its program, and what runs there, may take to end."""
_LOOK_SECONDS: Final = 0.2


class LocalCluster:
    """A cluster in processes of its own, which end when it is stopped, or with us."""

    def __init__(self, workers: int, threads: int) -> None:
        self._arguments = (str(workers), str(threads))
        self._process: asyncio.subprocess.Process | None = None

    async def start(self) -> DaskLink:
        """A link to its scheduler, once all workers are present; only this program has the key to it.

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
        return DaskLink(address, Security(require_encryption=True, **told))

    async def stop(self) -> None:
        """Stop the cluster, and return when it has ended."""
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


async def until_gone(context: TaskContext) -> None:
    """Return when no process of an attempt runs on this machine: they end with a cluster that ended with its program.

    Raises:
        DeviceError: something goes on.
    """
    loop = asyncio.get_running_loop()
    deadline = loop.time() + _GONE_SECONDS
    while left := await asyncio.to_thread(_processes_of, context):
        if loop.time() > deadline:
            names = ", ".join(map(str, left))
            raise DeviceError(f"An interrupted attempt of {context.task_id!r} goes on: end the processes {names}.")
        await asyncio.sleep(_LOOK_SECONDS)


def _processes_of(context: TaskContext) -> list[int]:
    wanted = {
        "STARLOOM_RUN_ID": context.run_id,
        "STARLOOM_TASK_ID": context.task_id,
        "STARLOOM_ATTEMPT": str(context.attempt),
    }.items()
    found = []
    for process in psutil.process_iter():
        with contextlib.suppress(psutil.Error, OSError):
            if wanted <= process.environ().items() and process.status() != psutil.STATUS_ZOMBIE:
                found.append(process.pid)
    return found
