"""The long-lived Python processes of a worker: each runs one call of a function at a time.

To whoever makes an attempt, a call looks like a process: it is awaited, or stopped with all that it has started. One
that crashes or is stopped takes its Python with it, and the next call gets another one.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import secrets
import socket
import sys
from typing import TYPE_CHECKING, Final, NamedTuple

from starloom.devices import python_child
from starloom.devices.dask import function_child
from starloom.devices.family import TOKEN
from starloom.devices.process import DRAIN_SECONDS, Descriptors, can_watch, start_process

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from concurrent.futures import Executor

    from starloom.devices.output import Stream
    from starloom.devices.process import OnOutput, Process

_IDLE_SECONDS: Final = 60.0
"""After which a Python ends that nobody has borrowed."""
_END_SECONDS: Final = 2.0
"""How long one that nobody needs may take to end by itself."""
_READ_SIZE: Final = 64 * 1024
_ANSWER_SIZE: Final = 16
_STREAMS: Final[tuple[Stream, ...]] = ("stdout", "stderr")


class Birth(NamedTuple):
    """The environment a Python process is started with. Calls with an equal one may share the process.

    Attributes:
        folder: its working directory.
        env: its whole environment, without what is another one for each attempt.
    """

    folder: str
    env: Mapping[str, str]


def are_possible() -> bool:
    """Whether this system supports them; where not, each function needs a process of its own."""
    return can_watch(asyncio.get_running_loop()) and not getattr(sys, "frozen", False)


class Pythons:
    """The Python processes of one worker.

    Attributes:
        most: how many wait for their next call at most.
    """

    def __init__(self, threads: Executor) -> None:
        """None at first.

        Args:
            threads: in which they are started, while the loop goes on.
        """
        self.most = 1
        self._threads = threads
        self._idle: dict[_Python, asyncio.TimerHandle] = {}
        self._ending: set[asyncio.Task[None]] = set()

    async def call(self, birth: Birth, arguments: Sequence[str], env: Mapping[str, str], on_output: OnOutput) -> Call:
        """Start a call of a function.

        Args:
            birth: of the Python it needs.
            arguments: of `python_child`.
            env: the variables of this attempt alone.
            on_output: called on the loop with each piece of output, until `wait` or `stop` has returned.

        Raises:
            StartFailed: there is no Python for it.
        """
        order = json.dumps({"arguments": arguments, "env": dict(env)}).encode()
        call = Call(self, birth, order, on_output)
        await call.begin()
        return call

    async def borrow(self, birth: Birth) -> _Python:
        """Take a process that no other call uses.

        Raises:
            StartFailed: it cannot be started.
        """
        for python in reversed(self._idle):
            if python.birth == birth and python.is_alive:
                self._idle.pop(python).cancel()
                return python
        if len(self._idle) >= self.most:
            self.let_go(next(iter(self._idle)))
        return await _Python.start(birth, self._threads)

    def give_back(self, python: _Python) -> None:
        """Return a process to the pool."""
        self._idle[python] = asyncio.get_running_loop().call_later(_IDLE_SECONDS, self.let_go, python)
        if len(self._idle) > self.most:
            self.let_go(next(iter(self._idle)))

    def let_go(self, python: _Python) -> None:
        """End a process instead of returning it."""
        if python in self._idle:
            self._idle.pop(python).cancel()
        ending = asyncio.ensure_future(python.end())
        self._ending.add(ending)
        ending.add_done_callback(self._ending.discard)

    async def end(self) -> None:
        """End all processes in the pool."""
        for python in tuple(self._idle):
            self.let_go(python)
        await asyncio.gather(*self._ending)


class Call:
    """One call. Exactly one of `wait` and, after a cancelled `wait`, `stop` is awaited to its end.

    Attributes:
        survivors: the processes that even `stop` could not end.
    """

    def __init__(self, pythons: Pythons, birth: Birth, order: bytes, on_output: OnOutput) -> None:
        self.survivors: tuple[int, ...] = ()
        self._pythons = pythons
        self._birth = birth
        self._order = order
        self._on_output = on_output

    async def begin(self) -> None:
        """Start the call in a Python process.

        Raises:
            StartFailed: there is none.
        """
        self._python = await self._pythons.borrow(self._birth)
        self._heard = _Heard(self._on_output)
        self._python.order(self._order, self._heard.take())

    async def wait(self) -> int:
        """The exit code, as of a process for this call alone, once its output is read.

        Cancelled, it leaves everything as it is: call `stop`.

        Raises:
            StartFailed: what was to make the call could not, and there is no other Python.
        """
        python, answer = self._python, await self._python.answer()
        if answer == function_child.STALE:
            self._heard.close()
            self._pythons.let_go(python)
            await self.begin()
            return await self.wait()
        if not answer:
            code = await python.wait()
        else:  # what the function has left may keep its Python from ending, or change how that ends
            code = answer[0] if answer[1] else await python.wait() or answer[0]
        is_all = await self._heard.all()
        self._heard.close()
        if python.is_alive:
            (self._pythons.give_back if is_all else self._pythons.let_go)(python)
        return code

    async def stop(self, grace: float) -> int | None:
        """Stop the call, as `StartedProcess.stop` does for a process of this call alone."""
        code = await self._python.stop(grace)
        self.survivors = self._python.survivors
        self._heard.close()
        return code


class _Python:
    """One process of the pool.

    Attributes:
        birth: what it was started with.
        survivors: the processes that `stop` could not end.
    """

    def __init__(self, birth: Birth, process: Process, control: socket.socket) -> None:
        self.birth = birth
        self._process = process
        self._control = control
        self._is_new = True
        self._end = b""
        self._loop = asyncio.get_running_loop()
        self._answer: asyncio.Future[bytes] = self._loop.create_future()
        self._exited = asyncio.ensure_future(process.wait())
        self._exited.add_done_callback(lambda _: self._close())
        self._loop.add_reader(control, self._hear)

    @classmethod
    async def start(cls, birth: Birth, threads: Executor) -> _Python:
        """A new one.

        Raises:
            StartFailed: it cannot be started.
        """
        ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        ours.setblocking(False)
        program = (sys.executable, "-u", "-c", python_child.BOOT, function_child.__file__)
        with contextlib.ExitStack() as on_failure, theirs, open(os.devnull, "wb") as nothing:  # noqa: ASYNC230 - at once
            on_failure.callback(ours.close)
            process = await start_process(
                (*program, python_child.__file__, birth.folder),
                cwd=birth.folder,
                env={**birth.env, TOKEN: secrets.token_hex(12)},
                on_output=lambda _stream, _data: None,
                given=Descriptors(theirs.fileno(), nothing.fileno(), nothing.fileno()),
                threads=threads,
            )
            on_failure.pop_all()
        return cls(birth, process, ours)

    @property
    def is_alive(self) -> bool:
        """Whether it can be given an order."""
        return not self._exited.done()

    @property
    def survivors(self) -> tuple[int, ...]:
        return self._process.survivors

    def order(self, order: bytes, streams: tuple[int, int]) -> None:
        """Order a call that prints to these descriptors, which are closed here."""
        self._answer, self._end = self._loop.create_future(), b"" if self._is_new else function_child.STALE
        self._is_new = False
        try:
            socket.send_fds(self._control, (order,), streams)
        except OSError:
            self._answer.set_result(self._end)
        finally:
            for descriptor in streams:
                os.close(descriptor)

    async def answer(self) -> bytes:
        """The answer at the end of the call; empty: the process has ended. `STALE`: the call has not begun."""
        if self._process.cancels:
            raise asyncio.CancelledError
        return await self._answer

    async def wait(self) -> int:
        """Its exit code."""
        return await self._exited

    async def stop(self, grace: float) -> int | None:
        """End it and all that it has started; its exit code, or None if it has not gone."""
        if self._exited.done() and not self._exited.cancelled():
            return self._exited.result()
        self._exited.cancel()
        return await self._process.stop(grace)

    async def end(self) -> None:
        """Ask the process to end by itself."""
        if not self._exited.done():
            self._control.shutdown(socket.SHUT_RDWR)
            await asyncio.wait((self._exited,), timeout=_END_SECONDS)
        await self.stop(0.0)

    def _hear(self) -> None:
        """Read its messages, if there are any."""
        try:
            answer = self._control.recv(_ANSWER_SIZE)
        except BlockingIOError:
            return
        except OSError:
            answer = b""
        if answer == function_child.BEGUN:
            self._end = b""
            self._hear()
            return
        if not answer:
            self._loop.remove_reader(self._control)
        if not self._answer.done():
            self._answer.set_result(answer or self._end)

    def _close(self) -> None:
        """Read the last messages of a process that has ended or is being ended."""
        if self._loop.remove_reader(self._control):
            self._hear()
        self._control.close()
        if not self._answer.done():
            self._answer.set_result(self._end)


class _Heard:
    """Reads what is printed during one call, through its own pipes."""

    def __init__(self, on_output: OnOutput) -> None:
        self._loop = asyncio.get_running_loop()
        self._on_output = on_output
        self._ended = self._loop.create_future()
        self._reading: dict[int, Stream] = {}
        self._writing: list[int] = []
        for stream in _STREAMS:
            reading, writing = os.pipe()
            os.set_blocking(reading, False)
            self._reading[reading] = stream
            self._writing.append(writing)
            self._loop.add_reader(reading, self._read, reading)

    def take(self) -> tuple[int, int]:
        """The descriptors for stdout and stderr, which the caller closes."""
        stdout, stderr = self._writing
        return stdout, stderr

    async def all(self) -> bool:
        """Whether there is no more to come; returns at the latest after a moment."""
        if self._reading:
            await asyncio.wait((self._ended,), timeout=DRAIN_SECONDS)
        return not self._reading

    def close(self) -> None:
        """Read what has been printed, and close."""
        for reading in tuple(self._reading):
            while self._read(reading):
                pass
        for reading in tuple(self._reading):
            self._let_go(reading)

    def _read(self, reading: int) -> bool:
        try:
            data = os.read(reading, _READ_SIZE)
        except BlockingIOError:
            return False
        if data:
            self._on_output(self._reading[reading], data)
        else:
            self._let_go(reading)
        return bool(data)

    def _let_go(self, reading: int) -> None:
        del self._reading[reading]
        self._loop.remove_reader(reading)
        os.close(reading)
        if not self._reading and not self._ended.done():
            self._ended.set_result(None)
