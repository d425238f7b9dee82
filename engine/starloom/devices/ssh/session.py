"""One login on a machine: its shell and its files. Failures of the link raise `LinkLost`."""

from __future__ import annotations

import asyncio
import contextlib
import stat
from typing import TYPE_CHECKING, Final

import asyncssh

from starloom.devices.ssh.connecting import all_closed, cut, log_in
from starloom.devices.ssh.errors import LinkLost
from starloom.devices.ssh.scripts import ANSWER, clock
from starloom.errors import DeviceError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from starloom.devices.ssh.connecting import Connections
    from starloom.devices.ssh.options import Route

_SHELL: Final = "/bin/sh"
_LONGEST_GOODBYE: Final = 2.0
_AT_ONCE: Final = 8
"""How many shells a login has at most; OpenSSH allows ten channels unless told otherwise, and one is for files."""
_PAUSE: Final = 0.2
_TRIES: Final = 25
"""How often, with such pauses, a shell is asked for that a stricter server refuses at first."""
_LEAST_AGO: Final = 0.5
"""Seconds; the clock there tells whole ones."""
NOT_THERE: Final = (asyncssh.SFTPNoSuchFile, asyncssh.SFTPNoSuchPath)
_LINK_ERRORS: Final = (
    asyncssh.DisconnectError,
    asyncssh.ChannelOpenError,
    asyncssh.SFTPConnectionLost,
    asyncssh.SFTPNoConnection,
    ConnectionError,
)


class SshSession:
    """One SSH session: a login to a machine.

    Attributes:
        home: the user's home directory there.
        on_lost: called as soon as anybody notices that the link broke.
    """

    def __init__(self, connections: Connections, sftp: asyncssh.SFTPClient, home: str, where: str) -> None:
        self.home = home
        self.on_lost: Callable[[], None] = lambda: None
        self.sftp = sftp
        self._connections = connections
        self._where = where
        self._shells = asyncio.Semaphore(_AT_ONCE)

    @classmethod
    async def open(cls, route: Route) -> SshSession:
        """Log in.

        Raises:
            DeviceError: that failed, as `log_in` says, or the machine serves no files.
        """
        connections = await log_in(route)
        try:
            sftp = await connections[-1].start_sftp_client()
            home = await sftp.realpath(".")
        except (asyncssh.Error, OSError) as error:
            cut(connections)
            raise DeviceError(
                f"The machine {route.address} serves no files over SFTP, which is needed to follow what runs there: "
                f"{error}. Switch on its SFTP subsystem."
            ) from error
        except BaseException:
            cut(connections)
            raise
        return cls(connections, sftp, str(home), str(route.address))

    async def ended(self) -> None:
        """Return when the link is down."""
        await self._connections[-1].wait_closed()
        cut(self._connections)

    @property
    def is_up(self) -> bool:
        """Whether the link is not known to be down."""
        return not self._connections[-1].is_closed()

    def cut(self) -> None:
        """Abort the session."""
        cut(self._connections)

    async def close(self) -> None:
        """Close the session, and return when it has ended."""
        for connection in reversed(self._connections):
            connection.close()
        try:
            await asyncio.wait_for(all_closed(self._connections), _LONGEST_GOODBYE)
        except TimeoutError:
            self.cut()
            await all_closed(self._connections)

    async def ask(self, text: bytes) -> list[list[str]]:
        """Run a script in the shell there; the words of each line it prints.

        Raises:
            LinkLost: the link broke before it was through.
        """
        async with self._shells:
            with self.links():
                done = await self._run(text)
        if done.exit_status is None:
            raise self._lost("the shell there went away")
        answers = as_bytes(done.stdout or b"").decode("utf-8", "replace").splitlines()
        return [line.removeprefix(ANSWER).split() for line in answers if line.startswith(ANSWER)]

    async def _run(self, text: bytes) -> asyncssh.SSHCompletedProcess:
        connection = self._connections[-1]
        for _ in range(_TRIES):
            try:
                return await connection.run(_SHELL, input=text, encoding=None)
            except asyncssh.ChannelOpenError:
                if connection.is_closed():
                    raise
                await asyncio.sleep(_PAUSE)
        return await connection.run(_SHELL, input=text, encoding=None)

    async def ping(self) -> None:
        """Return when the other side has answered.

        Raises:
            LinkLost: the link broke.
        """
        with self.links():
            await self.sftp.realpath(".")

    async def read(self, path: str, limit: int) -> bytes | None:
        """The beginning of a file, at most one byte more than the limit; None: it does not exist.

        Raises:
            LinkLost: the link broke.
            IsADirectoryError: it is something else than a file.
            OSError: it cannot be read.
        """
        with self.links():
            try:
                kind = await self.sftp.stat(path)
                if not stat.S_ISREG(kind.permissions or 0):  # to open a pipe would keep the server waiting
                    raise IsADirectoryError(0, "it is not a regular file", path)
                return await self.read_at(path, limit + 1, 0)
            except NOT_THERE:
                return None

    async def read_at(self, path: str, size: int, place: int) -> bytes:
        """A part of a file from an offset on; less at its end.

        Raises:
            LinkLost: the link broke.
            OSError: it cannot be read.
        """
        with self.links():
            async with self.sftp.open(path, "rb") as file:
                return as_bytes(await file.read(size, place))

    async def seconds_since_written(self, path: str) -> float | None:
        """Seconds since a file was written last, by the clock there; None: it is not there, or the clock does not tell.

        Raises:
            LinkLost: the link broke.
        """
        told = [words[1] for words in await self.ask(clock()) if len(words) > 1 and words[0] == "clock"]
        with self.links():
            try:
                written = (await self.sftp.stat(path)).mtime
            except (asyncssh.SFTPError, OSError):
                return None
        if written is None or not told or not told[0].isdecimal():
            return None
        return max(_LEAST_AGO, int(told[0]) - float(written))

    async def make_folder(self, path: str) -> None:
        """Create a folder that only the user may read, with those above it.

        Raises:
            LinkLost: the link broke.
            OSError: it cannot be made.
        """
        mode = asyncssh.SFTPAttrs(permissions=0o700)
        with self.links():
            try:  # mostly only the last one is missing; the other way asks twice for each part of the path
                await self.sftp.mkdir(path, mode)
            except (*NOT_THERE, asyncssh.SFTPFailure, asyncssh.SFTPFileAlreadyExists):
                await self.sftp.makedirs(path, mode, exist_ok=True)

    async def take_back(self, folder: str) -> bool:
        """Revoke the attempt with this folder; see `marker.take_back`.

        Raises:
            LinkLost: the link broke.
            OSError: its marker can be neither made nor looked at.
        """
        await self.make_folder(folder)
        marker = f"{folder}/marker"
        with self.links():
            with contextlib.suppress(asyncssh.SFTPFailure, asyncssh.SFTPFileAlreadyExists):
                await self.sftp.mkdir(marker)
                return True
            return await self.sftp.isdir(marker)

    @contextlib.contextmanager
    def links(self) -> Iterator[None]:
        """A context in which failures of the link raise LinkLost and mark the link as down for all users.

        What the other side says of files is an OSError, as it would be here.
        """
        try:
            yield
        except _LINK_ERRORS as error:
            raise self._lost(str(error)) from error
        except asyncssh.SFTPError as error:
            raise OSError(0, error.reason.rstrip(".")) from error

    def _lost(self, reason: str) -> LinkLost:
        # A login whose file channel or shell died alone is of no use: the next one has all it needs.
        self.cut()
        self.on_lost()
        return LinkLost(f"The link to {self._where} broke: {reason.rstrip('.')}.")


def as_bytes(data: bytes | str) -> bytes:
    """Cast to bytes what asyncssh returns for files and processes without an encoding, as its types do not tell."""
    return data if isinstance(data, bytes) else data.encode()
