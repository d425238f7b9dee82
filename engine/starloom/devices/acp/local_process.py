"""An agent as a child process here, which is talked with over pipes."""

from __future__ import annotations

import asyncio
import contextlib
import os
from collections import deque
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING

from starloom.devices.family import TOKEN
from starloom.devices.process import can_watch, start_process
from starloom.devices.recovery import end_family

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from starloom.devices.process import OnOutput, Process


class PipeWriter:
    """Writes to a pipe in order, without waiting: what does not fit yet is kept until it does.

    Args:
        fd: the end of the pipe, owned from now on.
        closed: called on the loop once nobody reads any more what is written.
    """

    def __init__(self, fd: int, closed: Callable[[], object]) -> None:
        self._fd: int | None = fd
        self._closed = closed
        self._loop = asyncio.get_running_loop()
        self._kept: deque[memoryview] = deque()
        self._is_watched = False
        # Where the loop cannot tell when there is room, a thread waits for it.
        self._thread = None if can_watch(self._loop) else ThreadPoolExecutor(1, "starloom-agent")
        if self._thread is None:
            os.set_blocking(fd, False)

    def write(self, data: bytes) -> None:
        """Send bytes; once nobody reads them any more they are lost."""
        if self._fd is None:
            return
        if self._thread is not None:
            self._thread.submit(self._write_all, self._fd, data)
            return
        self._kept.append(memoryview(data))
        self._go_on()

    def _go_on(self) -> None:
        assert self._fd is not None
        try:
            while self._kept:
                rest = self._kept[0][os.write(self._fd, self._kept[0]) :]
                if rest:
                    self._kept[0] = rest
                else:
                    self._kept.popleft()
        except BlockingIOError:
            if not self._is_watched:
                self._loop.add_writer(self._fd, self._go_on)
                self._is_watched = True
            return
        except OSError:  # the process has gone, or does not read any more
            self._kept.clear()
            self._closed()
        self._unwatch()

    def _unwatch(self) -> None:
        if self._is_watched and self._fd is not None:
            self._loop.remove_writer(self._fd)
            self._is_watched = False

    def _write_all(self, fd: int, data: bytes) -> None:
        try:
            rest = memoryview(data)
            while rest:
                rest = rest[os.write(fd, rest) :]
        except OSError:
            with contextlib.suppress(RuntimeError):  # the loop has ended
                self._loop.call_soon_threadsafe(self._closed)

    def close(self) -> None:
        """Close the pipe; what is still kept is lost."""
        self._unwatch()
        fd, self._fd = self._fd, None
        if fd is None:
            return
        if self._thread is None:
            os.close(fd)
        else:
            self._thread.submit(os.close, fd)
            self._thread.shutdown(wait=False)


class LocalAgent:
    """An agent that runs here.

    Args:
        process: it.
        writer: to its standard input.
        token: what the environment of everything that it starts holds.
    """

    def __init__(self, process: Process, writer: PipeWriter, token: str) -> None:
        self._process = process
        self._writer = writer
        self._token = token
        self._has_exited = False

    @classmethod
    async def start(cls, argv: Sequence[str], cwd: str | None, env: Mapping[str, str], heard: OnOutput) -> LocalAgent:
        """Start it.

        Args:
            argv: its program and arguments.
            cwd: where it starts; None: where we are.
            env: its whole environment, with its token.
            heard: told of what it prints; of an empty output where either end of the connection is closed.

        Raises:
            StartFailed: it cannot be started.
        """
        reading, writing = os.pipe()
        try:
            process = await start_process(argv, cwd=cwd, env=env, on_output=heard, stdin=reading)
        except BaseException:
            os.close(writing)
            raise
        finally:
            os.close(reading)
        return cls(process, PipeWriter(writing, lambda: heard("stdout", b"")), env[TOKEN])

    def write(self, data: bytes) -> None:
        """See `AgentProcess.write`."""
        self._writer.write(data)

    def close_input(self) -> None:
        """See `AgentProcess.close_input`."""
        self._writer.close()

    async def exited(self) -> int | None:
        """See `AgentProcess.exited`."""
        code = await self._process.wait()
        self._has_exited = True
        return code

    async def end(self, grace: float) -> tuple[int, ...]:
        """See `AgentProcess.end`."""
        self._writer.close()
        if self._has_exited:  # its number may be another's now; what it has left behind bears its token
            return await end_family(self._token, grace)
        await self._process.stop(grace)
        return self._process.survivors
