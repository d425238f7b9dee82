"""Processes whose start waits in a thread, as in a Dask worker: the loop goes on, and no start is broken off."""

from __future__ import annotations

import asyncio
import os
import threading
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING

import psutil
import pytest
from tests.integration.local_harness import BOUND, linux_only

from starloom.devices.process import StartFailed, start_process

if TYPE_CHECKING:
    from collections.abc import Iterator

    from starloom.devices.process import Process

pytestmark = linux_only


class Gate(ThreadPoolExecutor):
    """A thread that starts nothing before it is told to."""

    def __init__(self) -> None:
        super().__init__(1)
        self.open = threading.Event()
        self.submit(self.open.wait, BOUND)


@pytest.fixture
def gate() -> Iterator[Gate]:
    with Gate() as made:
        yield made
        made.open.set()


async def started(gate: Gate, *argv: str) -> tuple[Process, list[bytes]]:
    heard: list[bytes] = []
    process = await start_process(
        argv, cwd=None, env=dict(os.environ), on_output=lambda _stream, data: heard.append(data), threads=gate
    )
    return process, heard


def test_the_loop_goes_on_while_a_start_waits(gate: Gate) -> None:
    async def main() -> None:
        starting = asyncio.ensure_future(started(gate, "echo", "hello"))
        for _ in range(10):
            await asyncio.sleep(0)
        assert not starting.done()
        gate.open.set()
        process, heard = await starting
        assert (await process.wait(), b"".join(heard)) == (0, b"hello\n")

    asyncio.run(asyncio.wait_for(main(), BOUND))


def test_being_cancelled_while_it_starts_is_told_by_wait_and_leaves_nothing(gate: Gate) -> None:
    async def main() -> None:
        starting = asyncio.ensure_future(started(gate, "sleep", "3600"))
        for _ in range(2):
            await asyncio.sleep(0)
            starting.cancel()
        gate.open.set()
        process, _ = await starting
        assert process.cancels == 2
        with pytest.raises(asyncio.CancelledError):
            await process.wait()
        assert await process.stop(5.0) in {-15, -9}
        assert not psutil.pid_exists(process.pid)

    asyncio.run(asyncio.wait_for(main(), BOUND))


def test_what_cannot_be_started_says_why_and_leaves_no_descriptor(gate: Gate) -> None:
    async def main() -> None:
        gate.open.set()
        await (await started(gate, "true"))[0].wait()
        before = os.listdir("/proc/self/fd")
        for _ in range(3):
            with pytest.raises(StartFailed, match="'no-such-program' was not found"):
                await started(gate, "no-such-program")
        assert len(os.listdir("/proc/self/fd")) == len(before)

    asyncio.run(asyncio.wait_for(main(), BOUND))
