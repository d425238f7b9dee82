"""Child processes: starting one, reading its output, awaiting its end, or ending it with its family.

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
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final, NamedTuple, Protocol, TypeVar

from typing_extensions import override

from starloom.devices.ending import Ending
from starloom.devices.family import TOKEN, Family
from starloom.devices.program import why_not_started
from starloom.errors import StarloomError

if TYPE_CHECKING:
    from concurrent.futures import Executor

    from starloom.devices.output import Stream

DRAIN_SECONDS: Final = 1.0
"""How long output is still read after the process has exited: a background grandchild may hold the pipe for ever."""

UNKNOWN: Final = -9
"""Stands for an exit code that the system does not tell us: the process counts as killed if nobody knows better."""

_READ_SIZE: Final = 64 * 1024
_T = TypeVar("_T")

OnOutput = Callable[["Stream", bytes], None]


class Descriptors(NamedTuple):
    """The descriptors 0, 1 and 2 of a process, instead of no input and two pipes to us."""

    stdin: int
    stdout: int
    stderr: int


class StartFailed(StarloomError):  # noqa: N818 - named as the outcome's code
    """A process could not be started; the sentence says why."""


async def start_process(
    argv: Sequence[str],
    *,
    cwd: str | None,
    env: Mapping[str, str],
    on_output: OnOutput,
    given: Descriptors | None = None,
    program: str = "",
    stdin: int = subprocess.DEVNULL,
    threads: Executor | None = None,
) -> Process:
    """Start a program in a session of its own.

    Args:
        argv: the program and its arguments; no shell reads them.
        cwd: where it starts; None: where we are.
        env: its whole environment. `STARLOOM_ATTEMPT_TOKEN` in it marks the process's kin for `stop`.
        on_output: called on the loop with each piece of output, until `wait` or `stop` has returned; with an empty one
            where a stream has ended.
        given: the process's descriptors; `on_output` is not called then, and the process's end is all we hear of.
        program: what a sentence on why it cannot be started names, if not `argv[0]`.
        stdin: the descriptor its input comes from, unless `given` says; without it there is none.
        threads: in which a start may wait for the system, which can take milliseconds on a busy machine, while the loop
            goes on; None: the loop waits, which is the shortest way where nothing else is as urgent.

    Being cancelled does not break a start off: `wait` raises it then.

    Raises:
        StartFailed: it cannot be started.
    """
    loop = asyncio.get_running_loop()
    try:
        if can_watch(loop):
            start = functools.partial(_spawn, argv, cwd, env, stdin, given)
            return await _start_watched(loop, start, env.get(TOKEN, ""), on_output, threads)
        return await _start_portable(loop, argv, cwd, env, on_output, given, stdin)
    except (OSError, ValueError) as error:
        raise StartFailed(why_not_started(error, program or argv[0], cwd)) from error


class StartedProcess(Protocol):
    """The protocol of an attempt's process. Exactly one of `wait` and, after a cancelled `wait`, `stop` is awaited.

    Attributes:
        survivors: the processes that even `stop` could not end.
    """

    survivors: tuple[int, ...]

    async def wait(self) -> int:
        """See `Process.wait`."""

    async def stop(self, grace: float) -> int | None:
        """See `Process.stop`."""


class Process(ABC):
    """A started process. Exactly one of `wait` and, after a cancelled `wait`, `stop` is awaited to its end.

    Attributes:
        pid: its process id, which is also its process group's and session's where there are such.
        cancels: how often we were cancelled while it started or was stopped; `wait` raises the first.
        survivors: the processes that even `stop` could not end.
        tells_code: whether the system tells us its exit code.
    """

    tells_code = True

    def __init__(self, loop: asyncio.AbstractEventLoop, token: str) -> None:
        self.pid = 0
        self.survivors: tuple[int, ...] = ()
        self._loop = loop
        self._token = token
        self.cancels = 0
        self._exited: asyncio.Future[None] = loop.create_future()
        self._drained: asyncio.Future[None] = loop.create_future()

    async def wait(self) -> int:
        """The exit code, once it has exited and its output is read; minus the signal's number if one killed it.

        Cancelled, it leaves everything as it is: call `stop`.
        """
        if self.cancels:
            raise asyncio.CancelledError
        if not self._exited.done():
            await asyncio.wait([self._exited])
        if not self._drained.done():
            await asyncio.wait([self._drained], timeout=DRAIN_SECONDS)
        code = self._close()
        return 0 if code is None else code

    async def stop(self, grace: float) -> int | None:
        """End the process and its family, and return when they have ended; its exit code, or None if it has not.

        Being cancelled does not break it off but ends the grace period: everything is killed at once.

        Args:
            grace: seconds between asking (TERM) and killing (KILL).
        """
        ending = Ending(Family(self._leader(), self._token), self._exited, self._holds_group, max(self.cancels, 1))
        self.survivors = await ending.end(grace)
        for end in (self._drained, self._exited):
            if not end.done():
                await ending.pause(end, DRAIN_SECONDS)
        return self._close()

    def _leader(self) -> int | None:
        """The process id if it certainly still is ours, so that its family can be known by it; else None."""
        return self.pid

    @abstractmethod
    def _holds_group(self) -> bool:
        """Whether the process id, and so the group's, certainly still is ours."""

    @abstractmethod
    def _close(self) -> int | None:
        """Release everything of the process; returns its exit code, or None while it has none."""


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
        if not pipes:
            self._drained.set_result(None)
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
        self._on_output(stream, data)
        if data:
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

    def __init__(
        self, loop: asyncio.AbstractEventLoop, token: str, on_output: OnOutput, given: Descriptors | None
    ) -> None:
        super().__init__(loop, token)
        self._on_output = on_output
        self._pipes = {1, 2}
        if given is not None:
            self._drained.set_result(None)
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
        if not self._transport_is_closing():
            self._on_output("stdout" if fd == 1 else "stderr", b"")
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


class _Spawned(NamedTuple):
    """A program that runs, with what it is watched through: our ends of its pipes by stream."""

    popen: subprocess.Popen[bytes]
    pidfd: int
    pipes: Mapping[Stream, int]


async def _start_watched(
    loop: asyncio.AbstractEventLoop,
    start: Callable[[], _Spawned],
    token: str,
    on_output: OnOutput,
    threads: Executor | None,
) -> Process:
    if threads is None:
        return _WatchedProcess(loop, token, *start(), on_output)
    spawned, cancels = await _not_broken_off(loop.run_in_executor(threads, start))
    process = _WatchedProcess(loop, token, *spawned, on_output)
    process.cancels = cancels
    return process


def _spawn(
    argv: Sequence[str], cwd: str | None, env: Mapping[str, str], stdin: int, given: Descriptors | None
) -> _Spawned:
    assert sys.platform == "linux"
    with contextlib.ExitStack() as ours, contextlib.ExitStack() as childs:
        pipes: dict[Stream, int] = {}
        ends: list[int] = []
        for stream in ("stdout", "stderr") if given is None else ():
            reading, writing = os.pipe()
            ours.callback(os.close, reading)
            childs.callback(os.close, writing)
            pipes[stream] = reading
            ends.append(writing)
        stdin, stdout, stderr = given or Descriptors(stdin, *ends)
        popen = subprocess.Popen(
            argv, stdin=stdin, stdout=stdout, stderr=stderr, cwd=cwd, env=env, start_new_session=True
        )
        try:
            pidfd = os.pidfd_open(popen.pid)
        except OSError:
            popen.kill()
            popen.wait()
            raise
        ours.pop_all()
    return _Spawned(popen, pidfd, pipes)


async def _not_broken_off(starting: asyncio.Future[_T]) -> tuple[_T, int]:
    """Wait for a start despite cancellation; returns its result and how often we were cancelled."""
    cancels = 0
    while not starting.done():
        try:
            await asyncio.wait([starting])
        except asyncio.CancelledError:
            cancels += 1
    return starting.result(), cancels


async def _start_portable(
    loop: asyncio.AbstractEventLoop,
    argv: Sequence[str],
    cwd: str | None,
    env: Mapping[str, str],
    on_output: OnOutput,
    given: Descriptors | None,
    stdin: int,
) -> Process:
    options: dict[str, Any] = {"start_new_session": True}
    if sys.platform == "win32":
        options = {"creationflags": subprocess.CREATE_NEW_PROCESS_GROUP}
    stdin, stdout, stderr = given or Descriptors(stdin, subprocess.PIPE, subprocess.PIPE)
    starting = asyncio.ensure_future(
        loop.subprocess_exec(
            lambda: _PortableProcess(loop, env.get(TOKEN, ""), on_output, given),
            *argv,
            stdin=stdin,
            stdout=stdout,
            stderr=stderr,
            cwd=cwd,
            env=env,
            **options,
        )
    )
    # asyncio up to 3.11, if cancelled here, waits for ever for a process whose pipes it has not connected yet.
    (_, started), cancels = await _not_broken_off(starting)
    process: Process = started
    process.cancels = cancels
    return process
