"""The one door to child processes: start one, hear what it prints, wait for its end, or end it with all its kin.

On Linux a process is watched through its pidfd and two non-blocking pipes on the running loop, with no thread and no
signal handler; elsewhere, and on loops that cannot watch file descriptors, asyncio's own subprocess transport does it.
"""

from __future__ import annotations

import asyncio
import contextlib
import errno
import functools
import os
import subprocess
import sys
import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final

from typing_extensions import override

from starloom.devices.family import TOKEN, Family, is_alive
from starloom.errors import StarloomError

if TYPE_CHECKING:
    import psutil

    from starloom.devices.output import Stream

DRAIN_SECONDS: Final = 1.0
"""How long output is still read after the process has exited: a background grandchild may hold the pipe for ever."""

KILL_SECONDS: Final = 5.0
"""How long a killed process may take to vanish before it is given up as one that the system cannot end."""

_READ_SIZE: Final = 64 * 1024
_FIRST_POLL: Final = 0.005
_LONGEST_POLL: Final = 0.1

OnOutput = Callable[["Stream", bytes], None]


class StartFailed(StarloomError):  # noqa: N818 - named as the outcome's code
    """A process could not be started; the sentence says why."""


async def start_process(
    argv: Sequence[str], *, cwd: str | None, env: Mapping[str, str], on_output: OnOutput
) -> Process:
    """Start a program in a session of its own, with no input.

    Args:
        argv: the program and its arguments; no shell reads them.
        cwd: where it starts; None: where we are.
        env: its whole environment. `STARLOOM_ATTEMPT_TOKEN` in it marks the process's kin for `stop`.
        on_output: called on the loop with each piece of output, until `wait` or `stop` has returned.

    Being cancelled does not break a start off: `wait` raises it then.

    Raises:
        StartFailed: it cannot be started.
    """
    loop = asyncio.get_running_loop()
    try:
        if can_watch(loop):
            return _start_watched(loop, argv, cwd, env, on_output)
        return await _start_portable(loop, argv, cwd, env, on_output)
    except (OSError, ValueError) as error:
        raise StartFailed(_why(error, argv[0], cwd)) from error


class Process(ABC):
    """A started process. Exactly one of `wait` and, after a cancelled `wait`, `stop` is to be awaited to its end.

    Attributes:
        pid: its process id, which is also its process group's and session's where there are such.
        cancels: how often we were cancelled while it started or was stopped; `wait` raises the first.
        survivors: the processes that even `stop` could not end.
    """

    def __init__(self, loop: asyncio.AbstractEventLoop, token: str) -> None:
        self.pid = 0
        self.survivors: tuple[int, ...] = ()
        self._loop = loop
        self._token = token
        self.cancels = 0
        self._exited: asyncio.Future[None] = loop.create_future()
        self._drained: asyncio.Future[None] = loop.create_future()

    async def wait(self) -> int:
        """Its exit code, once it has exited and its output is read; minus the signal's number if one killed it.

        Cancelled, it leaves everything as it is: call `stop`.
        """
        if self.cancels:
            raise asyncio.CancelledError
        await asyncio.wait([self._exited])
        if not self._drained.done():
            await asyncio.wait([self._drained], timeout=DRAIN_SECONDS)
        code = self._close()
        return 0 if code is None else code

    async def stop(self, grace: float) -> int | None:
        """End the process and all its kin, and return when they are gone; its exit code, or None if it is not gone.

        Being cancelled does not break it off but ends the grace period: everything is killed at once.

        Args:
            grace: seconds between asking (TERM) and killing (KILL).
        """
        self.cancels = max(self.cancels, 1)
        family = Family(self.pid, self._token)
        if not await self._ask(family, grace):
            await self._kill(family)
        for end in (self._drained, self._exited):
            if not end.done():
                await self._pause(end, DRAIN_SECONDS)
        return self._close()

    async def _ask(self, family: Family, grace: float) -> bool:
        """Whether everybody has gone; returns at the latest when the grace period is over."""
        asked: set[psutil.Process] = set()
        deadline: float | None = None
        while members := await self._look(family):
            family.terminate(members - asked, group=not asked and self._holds_group())
            asked |= members
            deadline = deadline or self._loop.time() + grace
            poll = _FIRST_POLL
            while any(is_alive(member) for member in members):
                left = deadline - self._loop.time()
                if left <= 0 or self.cancels > 1:
                    return False
                await self._pause(self._exited, min(poll, left))
                poll = min(poll * 2, _LONGEST_POLL)
        return True

    async def _kill(self, family: Family) -> None:
        """Looks again after each blow, as a process may have forked just before its end."""
        deadline = self._loop.time() + KILL_SECONDS
        while members := await self._look(family):
            if self._loop.time() > deadline:
                self.survivors = tuple(sorted(member.pid for member in members))
                return
            family.kill(members, group=self._holds_group())
            await self._pause(self._exited, _FIRST_POLL)

    async def _look(self, family: Family) -> set[psutil.Process]:
        asked = time.monotonic()
        try:
            return await asyncio.to_thread(family.look, asked)
        except asyncio.CancelledError:
            self.cancels += 1
            return family.look(asked)

    async def _pause(self, awaited: asyncio.Future[None], seconds: float) -> None:
        """Wait for the future, or if it is done already for the time."""
        try:
            if awaited.done():
                await asyncio.sleep(seconds)
            else:
                await asyncio.wait([awaited], timeout=seconds)
        except asyncio.CancelledError:
            self.cancels += 1

    @abstractmethod
    def _holds_group(self) -> bool:
        """Whether the process id, and so the group's, certainly still is ours."""

    @abstractmethod
    def _close(self) -> int | None:
        """Let everything go that belongs to the process; its exit code, or None while it has none."""


class _WatchedProcess(Process):
    """A process on Linux. It stays a zombie until `_close`: its id cannot go to another process before that."""

    def __init__(
        self,
        loop: asyncio.AbstractEventLoop,
        token: str,
        popen: subprocess.Popen[bytes],
        pidfd: int,
        pipes: Mapping[Stream, int],
        on_output: OnOutput,
    ) -> None:
        super().__init__(loop, token)
        self.pid = popen.pid
        self._popen = popen
        self._on_output = on_output
        self._open = {pidfd, *pipes.values()}
        self._pipes = set(pipes.values())
        loop.add_reader(pidfd, self._exit, pidfd)
        for stream, fd in pipes.items():
            os.set_blocking(fd, False)
            loop.add_reader(fd, self._read, stream, fd)

    def _exit(self, pidfd: int) -> None:
        self._let_go(pidfd)
        self._exited.set_result(None)

    def _read(self, stream: Stream, fd: int) -> None:
        try:
            data = os.read(fd, _READ_SIZE)
        except BlockingIOError:
            return
        if data:
            self._on_output(stream, data)
            return
        self._let_go(fd)
        self._pipes.discard(fd)
        if not self._pipes:
            self._drained.set_result(None)

    def _let_go(self, fd: int) -> None:
        self._loop.remove_reader(fd)
        self._open.discard(fd)
        os.close(fd)

    @override
    def _holds_group(self) -> bool:
        return self._popen.returncode is None

    @override
    def _close(self) -> int | None:
        for fd in tuple(self._open):
            self._let_go(fd)
        return self._popen.poll()


class _PortableProcess(Process, asyncio.SubprocessProtocol):
    """A process behind asyncio's transport, which reaps it as soon as it exits."""

    def __init__(self, loop: asyncio.AbstractEventLoop, token: str, on_output: OnOutput) -> None:
        super().__init__(loop, token)
        self._on_output = on_output
        self._pipes = {1, 2}
        self._transport: asyncio.SubprocessTransport | None = None

    @override
    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Called by asyncio when the process runs."""
        assert isinstance(transport, asyncio.SubprocessTransport)
        self._transport = transport
        self.pid = transport.get_pid()

    @override
    def pipe_data_received(self, fd: int, data: bytes) -> None:
        """Called by asyncio with output."""
        if not self._transport_is_closing():
            self._on_output("stdout" if fd == 1 else "stderr", data)

    @override
    def pipe_connection_lost(self, fd: int, exc: Exception | None) -> None:
        """Called by asyncio at the end of a stream."""
        self._pipes.discard(fd)
        if not self._pipes and not self._drained.done():
            self._drained.set_result(None)

    @override
    def process_exited(self) -> None:
        """Called by asyncio when the process is reaped."""
        self._exited.set_result(None)

    def _transport_is_closing(self) -> bool:
        return self._transport is None or self._transport.is_closing()

    @override
    def _holds_group(self) -> bool:
        return not self._exited.done()

    @override
    def _close(self) -> int | None:
        assert self._transport is not None
        code = self._transport.get_returncode()
        self._transport.close()
        return code


def can_watch(loop: asyncio.AbstractEventLoop) -> bool:
    """Whether the loop watches file descriptors and the system has pidfds."""
    # asyncio's base class has the method only to raise; Windows' proactor loop does not override it.
    return type(loop).add_reader is not asyncio.AbstractEventLoop.add_reader and _has_pidfds()


@functools.cache
def _has_pidfds() -> bool:
    if sys.platform != "linux":
        return False
    try:
        os.close(os.pidfd_open(os.getpid()))
    except OSError as error:
        # A full table of descriptors says nothing about the system; do not remember it for good.
        if error.errno in (errno.EMFILE, errno.ENFILE):
            raise
        return False
    return True


def _start_watched(
    loop: asyncio.AbstractEventLoop,
    argv: Sequence[str],
    cwd: str | None,
    env: Mapping[str, str],
    on_output: OnOutput,
) -> Process:
    assert sys.platform == "linux"
    with contextlib.ExitStack() as ours, contextlib.ExitStack() as childs:
        pipes: dict[Stream, int] = {}
        ends: list[int] = []
        for stream in ("stdout", "stderr"):
            reading, writing = os.pipe()
            ours.callback(os.close, reading)
            childs.callback(os.close, writing)
            pipes[stream] = reading
            ends.append(writing)
        popen = subprocess.Popen(
            argv, stdin=subprocess.DEVNULL, stdout=ends[0], stderr=ends[1], cwd=cwd, env=env, start_new_session=True
        )
        try:
            pidfd = os.pidfd_open(popen.pid)
        except OSError:
            popen.kill()
            popen.wait()
            raise
        ours.pop_all()
    return _WatchedProcess(loop, env.get(TOKEN, ""), popen, pidfd, pipes, on_output)


async def _start_portable(
    loop: asyncio.AbstractEventLoop,
    argv: Sequence[str],
    cwd: str | None,
    env: Mapping[str, str],
    on_output: OnOutput,
) -> Process:
    options: dict[str, Any] = {"start_new_session": True}
    if sys.platform == "win32":
        options = {"creationflags": subprocess.CREATE_NEW_PROCESS_GROUP}
    starting = asyncio.ensure_future(
        loop.subprocess_exec(
            lambda: _PortableProcess(loop, env.get(TOKEN, ""), on_output),
            *argv,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            cwd=cwd,
            env=env,
            **options,
        )
    )
    cancels = 0
    while not starting.done():
        # asyncio up to 3.11, if cancelled here, waits for ever for a process whose pipes it has not connected yet.
        try:
            await asyncio.wait([starting])
        except asyncio.CancelledError:
            cancels += 1
    process: Process = starting.result()[1]
    process.cancels = cancels
    return process


_REASONS: Final[Mapping[int, str]] = {
    errno.ENOEXEC: "the system does not know how to run it; a script needs a first line like #!/bin/sh",
    errno.E2BIG: "its arguments and environment are longer than the system allows; pass large values in files",
    errno.EMFILE: "this program has too many files open; run fewer tasks at once or raise `ulimit -n`",
    errno.ENFILE: "the system has too many files open",
    errno.EAGAIN: "the system allows no more processes now; run fewer tasks at once or raise `ulimit -u`",
    errno.ENOMEM: "there is not enough memory",
}


def _why(error: OSError | ValueError, program: str, cwd: str | None) -> str:
    """A sentence on why a program could not be started."""
    if not isinstance(error, OSError):
        # A NUL character or half a surrogate pair; Python refuses both before there is a process.
        return f"The program {program!r} cannot be started: its arguments or environment hold {error}."
    if cwd is not None and not os.path.isdir(cwd):
        return f"The working directory {cwd!r} does not exist or is no directory; create it or change `cwd`."
    if cwd is not None and error.filename == cwd:
        return f"The working directory {cwd!r} cannot be entered: {error.strerror}."
    if isinstance(error, FileNotFoundError):
        return _not_found(program)
    if isinstance(error, PermissionError):
        return f"The program {program!r} cannot be executed; check its permissions (`chmod +x`)."
    reason = _REASONS.get(error.errno or 0, error.strerror or str(error))
    return f"The program {program!r} cannot be started: {reason}."


def _not_found(program: str) -> str:
    if os.sep not in program:
        return f"The program {program!r} was not found; check its name, or that its directory is in PATH."
    return f"The program {program!r} was not found; check the path, and the interpreter its first line names."
