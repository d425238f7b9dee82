"""The keeper of a device, from the program's side: a process that starts kept commands, and outlives us if it has to.

A wrapper for each command costs more than most commands do, and so does starting a process from a large program. The
keeper starts commands itself, which are its own children, and tells of them through a socket. It is started with the
first command. If it dies, its commands go on without it, and are watched by their process ids; how they end is unknown.
"""

from __future__ import annotations

import asyncio
import contextlib
import itertools
import os
import secrets
import socket
import subprocess
import sys
import time
from typing import TYPE_CHECKING, Final, NamedTuple

from typing_extensions import override

from starloom.devices import keeper_child, process
from starloom.devices.environment import readable
from starloom.devices.family import TOKEN
from starloom.devices.keeper_child import LONGEST_DATAGRAM
from starloom.devices.marker import Keeping, Marker, MeasuredEnd, read_marker, seconds_between
from starloom.devices.process import UNKNOWN, Process
from starloom.devices.watch import ProcessWatch, leader_of

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from starloom.devices.process import Descriptors

_TRIES: Final = 3
"""So many keepers in a row that never say anything are enough."""
_ANSWER_BYTES: Final = 16 * 1024
_MOST_RELEASED: Final = 500
_PATIENCE: Final = 0.01
"""Seconds between two attempts to ask a keeper that is too busy to be asked."""
_SILENCE_SECONDS: Final = 30.0
"""How long a keeper may say nothing about a command that is cancelled already, before it is killed."""
_LEAST_AGO: Final = 0.001
"""Seconds; what is heard has happened a moment ago."""
_ENDING_SECONDS: Final = 2.0
"""How long a keeper without commands may take to end."""
_RELEASE_SECONDS: Final = 0.1
"""How long a keeper may wait to hear that it may forget commands; mostly it is told with the next command."""


class KeptOrder(NamedTuple):
    """A command that a keeper is to start."""

    marker: str
    """The path of its marker."""
    argv: Sequence[str]
    cwd: str | None
    """Where it runs; None: where we are."""
    env: Mapping[str, str]
    """Its whole environment, with the token of its attempt."""

    @property
    def token(self) -> str:
        """The token of its attempt."""
        return self.env[TOKEN]


class MarkerRefused(Exception):  # noqa: N818 - what has happened, and to what
    """Raised if a keeper could not make the marker of an attempt, and so has run nothing."""


class NoKeeper(Exception):  # noqa: N818 - not an error: a wrapper does it then
    """Raised if no keeper can be had; nothing has begun."""


class Keeper:
    """Starts the kept commands of a device, by one process after another should they be killed.

    Args:
        environment: what all commands have in their environments, if perhaps with other values.
    """

    def __init__(self, environment: Mapping[str, str]) -> None:
        self._environment = environment
        self._link: _Link | None = None
        self._is_usable = True

    def is_usable(self) -> bool:
        """Whether there can be one on this system and this event loop, as far as is known."""
        return self._is_usable and sys.platform == "linux" and process.can_watch(asyncio.get_running_loop())

    async def start(self, order: KeptOrder, given: Descriptors) -> KeeperProcess:
        """Start a command in a session of its own.

        Being cancelled does not break it off: `wait` raises it then.

        Args:
            order: the command.
            given: its descriptors.

        Raises:
            OSError, ValueError: it cannot be started, as `subprocess.Popen` would say it.
            MarkerRefused: nothing was run, as its marker cannot be made.
            NoKeeper: nothing was run, and never will be by a keeper.
        """
        cancels = 0
        for _ in range(_TRIES):
            link = self._link
            if link is None or link.is_lost:
                self._link = link = _Link(asyncio.get_running_loop(), self._environment)
            started = KeeperProcess(link, order)
            started.cancels = cancels
            await link.run(started, given)
            if started.refusal is not None:
                raise started.refusal
            if started.pid or _may_have_begun(order):
                return started
            cancels = started.cancels  # its keeper has died before it had read of it
        self._is_usable = self._link is not None and self._link.has_answered
        raise NoKeeper

    async def close(self) -> None:
        """Have the keeper end as soon as all its commands have ended; wait for that if it has none."""
        link, self._link = self._link, None
        if link is not None:
            await link.close()


class KeeperProcess(Process):
    """A command that a keeper has started. The keeper gives its process id back once `_close` has asked for it.

    Attributes:
        order: what it is.
        refusal: why it was not started; None: it was, or the keeper has died.
        answered: done when the keeper has answered, or has died.
    """

    def __init__(self, link: _Link, order: KeptOrder) -> None:
        super().__init__(link.loop, order.token)
        self.order = order
        self.refusal: Exception | None = None
        self.answered = link.loop.create_future()
        self._ended: tuple[str, str] | None = None
        self.number = 0
        self._link: _Link | None = link
        self._begun = ("", "")
        self._code: int | None = None
        self._watch: ProcessWatch | None = None
        self._drained.set_result(None)

    def hear(self, what: str, words: Sequence[str]) -> None:
        """Heed an answer of the keeper."""
        if what == "ended":
            self._code = int(words[0])
            self._ended = words[1], words[2]
            self._exited.set_result(None)
            return
        if what == "started":
            self.pid, self._begun = int(words[0]), (words[1], words[2])
        else:
            self.refusal = _refusal(self.order, words[0], int(words[1]))
            self._link = None
        self.answered.set_result(None)

    @property
    def measured(self) -> MeasuredEnd | None:
        """The times of its end; None: its keeper has not told them."""
        if self._ended is None:
            return None
        assert sys.platform == "linux"
        ago = time.clock_gettime(time.CLOCK_BOOTTIME) - float(self._ended[1])
        return MeasuredEnd(max(_LEAST_AGO, ago), seconds_between(*self._ended))

    def lose(self, keeper: Keeping) -> None:
        """Go on without the keeper, who has died or is asked nothing any more: its markers are all that is known."""
        self._link = None
        if self._exited.done() or self.refusal is not None:
            return
        self.tells_code = False
        found = read_marker(self.order.marker)
        if self.pid == 0 and found is not None:
            self.pid, self._begun = found.pid, (found.began, found.start)
        if self.pid:
            self._watch = ProcessWatch(self._loop, self._marker(keeper), lambda: self._exited.set_result(None))
        else:
            self._exited.set_result(None)
        if not self.answered.done():
            self.answered.set_result(None)

    def _marker(self, keeper: Keeping | None = None) -> Marker:
        return Marker(self.pid, self._token, None, keeper=keeper, began=self._begun[0], start=self._begun[1])

    @override
    def _leader(self) -> int | None:
        return self.pid if self._holds_group() or (self.pid and leader_of(self._marker()) is not None) else None

    @override
    def _holds_group(self) -> bool:
        return self._link is not None and not self._link.is_lost and self.pid != 0

    @override
    def _close(self) -> int | None:
        if self._watch is not None:
            self._watch.let_go()
        if self._link is not None:
            self._link.release(self)
            self._link = None
        if self._code is None and self._exited.done():
            return UNKNOWN
        return self._code


class _Link:
    """One keeper process, and the socket to it.

    Attributes:
        loop: on which it is heard.
        is_lost: whether it can be asked nothing any more.
        has_answered: whether it has ever said anything.
    """

    def __init__(self, loop: asyncio.AbstractEventLoop, environment: Mapping[str, str]) -> None:
        assert sys.platform == "linux"
        self.loop = loop
        self.is_lost = False
        self.has_answered = False
        self._numbers = itertools.count(1)
        self._processes: dict[int, KeeperProcess] = {}
        token = f"keeper-{secrets.token_hex(8)}"
        self._environment = environment
        self._released: list[int] = []
        self._socket, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        with contextlib.ExitStack() as undoing, theirs:
            undoing.callback(self._socket.close)
            self._popen = subprocess.Popen(
                keeper_child.command_line(),
                stdin=theirs.fileno(),
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                env={**environment, TOKEN: token},
                start_new_session=True,
            )
            undoing.callback(self._popen.wait)
            undoing.callback(self._popen.kill)
            self._pidfd = os.pidfd_open(self._popen.pid)
            undoing.pop_all()
        self._keeper = Keeping(self._popen.pid, token)
        self._has_gone: asyncio.Future[None] = loop.create_future()
        self._socket.setblocking(False)
        loop.add_reader(self._socket, self._hear)
        loop.add_reader(self._pidfd, self._reap)

    async def run(self, started: KeeperProcess, given: Descriptors) -> None:
        """Ask for a command, and return once there is an answer or the keeper has died.

        One that does not answer although the command is cancelled is killed.
        """
        started.number = next(self._numbers)
        request = _packed(started.order, self._environment)
        stdin = () if given.stdin == subprocess.DEVNULL else (given.stdin,)
        descriptors = (given.stdout, given.stderr, *stdin)
        if len(request) <= LONGEST_DATAGRAM // 2:  # what may be forgotten is told with it
            await self._ask(started, b"%d\0%b" % (started.number, request), descriptors)
        else:
            with readable(request) as file:
                await self._ask(started, b"%d" % started.number, (file, *descriptors))
        while not started.answered.done():
            try:
                patience = _SILENCE_SECONDS if started.cancels else None
                await asyncio.wait([started.answered], timeout=patience)
                if patience is not None and not started.answered.done():
                    self._popen.kill()
            except asyncio.CancelledError:
                started.cancels += 1

    async def _ask(self, started: KeeperProcess, request: bytes, descriptors: Sequence[int]) -> None:
        self._processes[started.number] = started
        while not self.is_lost:
            released = self._released[:_MOST_RELEASED]
            said = b"%b\0%b" % (" ".join(map(str, released)).encode(), request)
            try:
                socket.send_fds(self._socket, [said], descriptors)
            except BlockingIOError:
                try:
                    await asyncio.sleep(_PATIENCE)
                except asyncio.CancelledError:
                    started.cancels += 1
            except (BrokenPipeError, ConnectionResetError):
                return  # which is heard as well
            except BaseException:
                del self._processes[started.number]
                raise
            else:
                del self._released[: len(released)]
                return

    def release(self, ended: KeeperProcess) -> None:
        """Give the process id of a command back."""
        self._processes.pop(ended.number, None)
        self._released.append(ended.number)
        if len(self._released) == 1:
            self.loop.call_later(_RELEASE_SECONDS, self._release)

    def _release(self) -> None:
        if self.is_lost or not self._released:
            return
        released = self._released[:_MOST_RELEASED]
        with contextlib.suppress(BrokenPipeError, ConnectionResetError, BlockingIOError):
            self._socket.send(" ".join(map(str, released)).encode())
            del self._released[: len(released)]
        if self._released:
            self.loop.call_later(_RELEASE_SECONDS, self._release)

    def _hear(self) -> None:
        try:
            said = self._socket.recv(_ANSWER_BYTES)
        except BlockingIOError:
            return
        except OSError:
            said = b""
        if not said:
            self._lose()
            return
        self.has_answered = True
        for line in said.decode().split("\n"):
            what, number, *words = line.split()
            told = self._processes.get(int(number))
            if told is not None:
                told.hear(what, words)
                if told.refusal is not None:
                    del self._processes[int(number)]

    def _lose(self) -> None:
        """The socket is closed by all: whatever the keeper has started runs its program, and it starts nothing more."""
        if self.is_lost:
            return
        self.is_lost = True
        self.loop.remove_reader(self._socket)
        self._socket.close()
        while self._processes:
            self._processes.popitem()[1].lose(self._keeper)

    def _reap(self) -> None:
        self.loop.remove_reader(self._pidfd)
        os.close(self._pidfd)
        self._popen.wait()
        self._has_gone.set_result(None)

    async def close(self) -> None:
        """Leave the keeper alone: it ends after its last command."""
        is_busy = bool(self._processes)
        self._lose()
        if not self._has_gone.done():
            await asyncio.wait([self._has_gone], timeout=0 if is_busy else _ENDING_SECONDS)
        if not self._has_gone.done():
            self.loop.remove_reader(self._pidfd)
            os.close(self._pidfd)


def _may_have_begun(order: KeptOrder) -> bool:
    return os.path.lexists(order.marker)


def _packed(order: KeptOrder, environment: Mapping[str, str]) -> bytes:
    """The request for a command, but for its number, to a keeper with this environment.

    Raises:
        ValueError: it holds what no program can be given.
        OSError: nobody knows where the working directory is.
    """
    variables = [f"{name}={text}" for name, text in order.env.items() if environment.get(name) != text]
    if any("=" in name for name in order.env):
        raise ValueError("illegal environment variable name")
    # Relative to where we are now; the keeper is where we were.
    folder = "" if order.cwd is None else os.path.abspath(order.cwd)
    words = (order.marker, order.token, folder, str(len(order.argv)), *order.argv, *variables)
    text = "\0".join(words)
    if text.count("\0") != len(words) - 1:
        raise ValueError("embedded null byte")
    return os.fsencode(text)


def _refusal(order: KeptOrder, what: str, number: int) -> Exception:
    if what == "MARKER":
        refused = MarkerRefused(os.strerror(number))
        refused.__cause__ = OSError(number, os.strerror(number), order.marker)  # which tells a shortage
        return refused
    return OSError(number, os.strerror(number), order.cwd if what == "FOLDER" else order.argv[0])
