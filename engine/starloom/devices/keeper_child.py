"""The keeper: a process that starts the commands of kept attempts for its program, waits for them, and outlives it.

It is asked through the socket that is its standard input, and answers there in lines. A request is one datagram, with
NUL between its words:

* the numbers of commands that are of no interest any more, with spaces between: when they have ended, their process ids
  may go to other processes;
* and of a command to start: its number, its marker's path, its attempt's token, its working directory (empty: where the
  program was when this was started), how many arguments it has, these, and what its environment has besides or instead
  of ours. The datagram has its stdout and stderr with it, and its stdin if it has any.

What comes after the number may be too long for a datagram. Then it is in a file, whose descriptor is the first.
Answers: `started NUMBER PID BEGAN START`, `refused NUMBER MARKER|FOLDER|PROGRAM ERRNO` and
`ended NUMBER CODE BEGAN ENDED`.

Before a command is started its marker says who is about to; then who was started, before anybody is told; then how it
has ended, before its process id is given back. `starloom.devices.marker` reads that. Run by its path: it keeps to the
standard library, and imports little, as each device that runs commands has one.
"""

from __future__ import annotations

import contextlib
import errno
import os
import select
import signal
import socket
import struct
import subprocess
import sys
import time

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import Final

FROZEN: Final = "--starloom-child"
"""A packaged program is no interpreter; with this it becomes one for a file of its own: `packaging/frozen_entry.py`."""
TOKEN: Final = "STARLOOM_ATTEMPT_TOKEN"
"""The keeper's own, too: whoever has the keeper's is the keeper, or a child of it that is no command yet."""

LONGEST_DATAGRAM: Final = 32 * 1024
_MOMENT: Final = 0.005
"""Seconds that the start of a command may wait to be told, in which most short ones end."""
_SIGNALS: Final = ("SIGHUP", "SIGINT", "SIGQUIT", "SIGALRM", "SIGTERM", "SIGUSR1", "SIGUSR2")
_MOST_DESCRIPTORS: Final = 4
_MOST_LINES: Final = 64


def command_line() -> tuple[str, ...]:
    """The command line of the keeper."""
    if getattr(sys, "frozen", False):
        return (sys.executable, FROZEN, __file__)
    return (sys.executable, "-I", "-S", __file__)


def boot() -> str:
    """What tells this run of the machine from others, as a word."""
    try:
        with open("/proc/sys/kernel/random/boot_id", encoding="ascii") as file:
            return file.read(8)
    except OSError:
        return "unknown"


class _Refusal(Exception):  # noqa: N818 - never leaves this module
    """Raised if a command cannot be started: what was in the way, and the system's number for why."""

    def __init__(self, what: str, error: Exception) -> None:
        super().__init__(what)
        self.what = what
        self.errno = (isinstance(error, OSError) and error.errno) or errno.EINVAL


class _Command:
    """A command that was started."""

    __slots__ = ("began", "marker", "number", "pid", "process")

    def __init__(self, number: bytes, process: subprocess.Popen[bytes], marker: int, began: str) -> None:
        self.number = number
        self.process = process
        self.pid = process.pid
        self.marker = marker
        self.began = began


class _Keeper:
    """The commands of one program.

    Args:
        channel: where the program asks.
    """

    def __init__(self, channel: socket.socket) -> None:
        channel.setblocking(False)
        self._channel = channel
        self._is_open = True
        self._unsaid: list[str] = []
        self._is_urgent = False
        self._is_waiting = False
        self._running: dict[int, _Command] = {}
        self._ended: dict[bytes, subprocess.Popen[bytes]] = {}
        self._given_up: set[bytes] = set()
        # `socket.recv_fds` leaves flags out, and commands would have the files of others.
        self._flags = socket.MSG_DONTWAIT | socket.MSG_CMSG_CLOEXEC
        self._extra_bytes = socket.CMSG_SPACE(_MOST_DESCRIPTORS * struct.calcsize("i"))
        self._poll = select.epoll()
        self._poll.register(channel, select.EPOLLIN)
        self._environment = _environment()
        self._mine = f"{os.getpid()} {self._environment.pop(TOKEN.encode(), b'-').decode()}"
        self._boot = boot()

    def serve(self) -> None:
        """Return when the program has gone and all commands have ended."""
        while self._is_open or self._running:
            found = self._poll.poll(_MOMENT if self._unsaid and not self._is_waiting else None)
            for descriptor, _ in found:
                if descriptor in self._running:
                    self._end(descriptor)
                elif self._is_open:
                    self._hear()
            if self._unsaid and (self._is_urgent or not found or self._is_waiting):
                self._tell()

    def _hear(self) -> None:
        try:
            said, extra, flags, _ = self._channel.recvmsg(LONGEST_DATAGRAM, self._extra_bytes, self._flags)
        except BlockingIOError:
            return
        except OSError:
            said, extra, flags = b"", [], 0
        given = [descriptor for _, _, data in extra for descriptor in memoryview(data).cast("i")]
        try:
            if said:
                self._heed(said.split(b"\0"), given, is_whole=not flags & socket.MSG_CTRUNC)
            else:
                self._close()
        finally:
            for descriptor in given:
                os.close(descriptor)

    def _heed(self, words: Sequence[bytes], given: Sequence[int], *, is_whole: bool) -> None:
        for number in words[0].split():
            self._release(number)
        if len(words) > 1 and not is_whole:
            self._say(f"refused {words[1].decode()} PROGRAM {errno.EMFILE}")
        elif len(words) == 2:
            self._run(words[1], _read(given[0]).split(b"\0"), given[1:])
        elif len(words) > 1:
            self._run(words[1], words[2:], given)

    def _release(self, number: bytes) -> None:
        ended = self._ended.pop(number, None)
        if ended is None:
            self._given_up.add(number)
        else:
            ended.wait()

    def _close(self) -> None:
        self._is_open = False
        self._poll.unregister(self._channel)
        self._channel.close()
        while self._ended:
            self._ended.popitem()[1].wait()

    def _say(self, text: str, *, is_urgent: bool = True) -> None:
        if self._is_open:
            self._unsaid.append(text)
            self._is_urgent |= is_urgent

    def _tell(self) -> None:
        """Answer; later if the program is too busy or stopped to hear it, as the other commands must not wait."""
        try:
            self._channel.send("\n".join(self._unsaid[:_MOST_LINES]).encode())
        except BlockingIOError:
            self._is_waiting = True
        except OSError:  # it has gone, which is heard as well
            self._unsaid.clear()
        else:
            del self._unsaid[:_MOST_LINES]
            self._is_waiting = self._is_urgent = bool(self._unsaid)
        if self._is_open:
            self._poll.modify(self._channel, select.EPOLLIN | (select.EPOLLOUT if self._is_waiting else 0))

    def _run(self, number: bytes, words: Sequence[bytes], given: Sequence[int]) -> None:
        path, token, folder, count, *rest = words
        arguments, variables = rest[: int(count)], rest[int(count) :]
        env = {**self._environment, **dict(variable.split(b"=", 1) for variable in variables)}
        try:
            marker = self._mark(path, token)
            try:
                command = self._start(number, marker, (folder, arguments, env), given)
            except BaseException:
                os.close(marker)
                with contextlib.suppress(OSError):  # its folder may have gone
                    os.unlink(path)  # nothing has begun, and nobody need wait for that
                raise
        except _Refusal as refusal:
            self._say(f"refused {number.decode()} {refusal.what} {refusal.errno}")
            return
        start = f"{_now()}-{self._boot}"
        _write(marker, f"begin {command.pid} {token.decode()} {command.began} {start} .\n")
        self._say(f"started {number.decode()} {command.pid} {command.began} {start}", is_urgent=False)

    def _mark(self, path: bytes, token: bytes) -> int:
        """Make the marker of an attempt, which must not exist, and write down that it is about to begin."""
        try:
            marker = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_APPEND | os.O_CLOEXEC, 0o600)
        except OSError as error:
            raise _Refusal("MARKER", error) from error
        failure = _write(marker, f"kept {self._mine} {token.decode()} .\n")
        if failure is not None:
            os.close(marker)
            raise _Refusal("MARKER", failure)
        return marker

    def _start(
        self,
        number: bytes,
        marker: int,
        what: tuple[bytes, Sequence[bytes], Mapping[bytes, bytes]],
        given: Sequence[int],
    ) -> _Command:
        folder, arguments, env = what
        stdout, stderr, *stdin = given
        began = _now()
        try:
            process = subprocess.Popen(
                arguments,
                stdin=stdin[0] if stdin else 0,
                stdout=stdout,
                stderr=stderr,
                cwd=folder or None,
                env=env,
                start_new_session=True,
                # Ours are closed by exec itself: as long as it holds the channel, the program knows that it may begin.
                close_fds=False,
            )
        except (OSError, ValueError) as error:
            is_folder = bool(folder) and getattr(error, "filename", None) == folder
            raise _Refusal("FOLDER" if is_folder else "PROGRAM", error) from error
        try:
            watched = self._watch(process.pid)
        except OSError as error:  # nobody would hear of its end
            os.killpg(process.pid, signal.SIGKILL)
            process.wait()
            raise _Refusal("PROGRAM", error) from error
        self._running[watched] = command = _Command(number, process, marker, began)
        return command

    def _watch(self, pid: int) -> int:
        watched = os.pidfd_open(pid)
        try:
            self._poll.register(watched, select.EPOLLIN)
        except OSError:
            os.close(watched)
            raise
        return watched

    def _end(self, watched: int) -> None:
        command = self._running.pop(watched)
        os.close(watched)  # which is no more waited for then
        ended = _now()
        found = os.waitid(os.P_PID, command.pid, os.WEXITED | os.WNOWAIT)
        assert found is not None
        code = found.si_status if found.si_code == os.CLD_EXITED else -found.si_status
        _write(command.marker, _end_text(code, ended))
        os.close(command.marker)
        if self._is_open and command.number not in self._given_up:
            self._ended[command.number] = command.process
            self._say(f"ended {command.number.decode()} {code} {command.began} {ended}")
        else:
            self._given_up.discard(command.number)
            command.process.wait()


def _end_text(code: int, ended: str) -> str:
    """The last line of a marker; as of a shell, a signal is 128 and its number, and something is said before."""
    return f"end {code} {ended} .\n" if code >= 0 else f"killed by signal {-code}\nend {128 - code} {ended} .\n"


def _now() -> str:
    """The seconds since the machine was started: a clock that nobody sets."""
    return f"{time.clock_gettime(time.CLOCK_BOOTTIME):.6f}"


def _write(descriptor: int, text: str) -> OSError | None:
    """Write a whole text; returns why that cannot be."""
    data = text.encode()
    try:
        written = os.write(descriptor, data)
    except OSError as error:
        return error
    return None if written == len(data) else OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))


def _environment() -> dict[bytes, bytes]:
    """The environment that this process was given: Python may have changed it for itself."""
    with open("/proc/self/environ", "rb") as file:
        return dict(variable.split(b"=", 1) for variable in file.read().split(b"\0") if b"=" in variable)


def _read(descriptor: int) -> bytes:
    data = b""
    while piece := os.pread(descriptor, 1 << 20, len(data)):
        data += piece
    return data


def main() -> None:
    """Serve the program at the other end of the standard input."""
    for name in _SIGNALS:
        # Unlike what is ignored, what is handled is not handed down to commands.
        if signal.getsignal(signal.Signals[name]) is not signal.SIG_IGN:
            signal.signal(signal.Signals[name], lambda *_: None)
    for descriptor in map(int, os.listdir("/proc/self/fd")):
        if descriptor > 2:
            with contextlib.suppress(OSError):
                os.set_inheritable(descriptor, False)
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)  # where it is ignored, nobody is told how a child has ended
    channel = socket.socket(fileno=os.dup(0))
    nothing = os.open(os.devnull, os.O_RDWR)
    os.dup2(nothing, 0)
    os.close(nothing)
    _Keeper(channel).serve()


if __name__ == "__main__":
    main()
