"""Files of the other machine, as one side of a copy."""

from __future__ import annotations

import contextlib
import posixpath
import stat
from typing import TYPE_CHECKING, Final

import asyncssh

from starloom.devices.copying import LARGEST_PIECE, FileKind
from starloom.devices.ssh import scripts
from starloom.devices.ssh.session import NOT_THERE
from starloom.private_files import FILE_MODE

if TYPE_CHECKING:
    from collections.abc import Iterator

    from starloom.devices.ssh.session import SshSession

_FLAGS: Final = asyncssh.FXF_WRITE | asyncssh.FXF_CREAT
_IF_FULL: Final = "; perhaps the disk there is full or read-only, or a quota is used up"


class RemoteSide:
    """Files of the other machine over one login; each method raises LinkLost if that breaks.

    Args:
        session: the login.
        cwd: what paths are relative to.
        python: the Python there.
    """

    where = " on the other machine"
    doubtful = LARGEST_PIECE

    def __init__(self, session: SshSession, cwd: str, python: str) -> None:
        self._session = session
        self._cwd = cwd
        self._python = python

    def full(self, path: str) -> str:
        """The path as an absolute one."""
        if path.startswith("~/"):
            return posixpath.join(self._session.home, path.removeprefix("~/"))
        return posixpath.join(self._cwd, path)

    async def kind(self, path: str) -> FileKind | None:
        """The kind of a file; None: it does not exist."""
        with self._session.links():
            try:
                found = await self._session.sftp.stat(self.full(path))
            except NOT_THERE:
                return None
        if not stat.S_ISREG(found.permissions or 0):
            raise IsADirectoryError(0, "it is not a regular file")
        return FileKind(found.size or 0, stat.S_IMODE(found.permissions or 0))

    async def digest(self, path: str) -> str:
        """The SHA-256 of a file's content."""
        answers = await self._session.ask(scripts.digest(self.full(path), self._python))
        found = next((words[1] for words in answers if words[:1] == ["digest"] and len(words) > 1), None)
        if found is None:
            raise OSError(0, "it cannot be read, or there is neither sha256sum, shasum, openssl nor a Python there")
        return found

    async def read(self, path: str, place: int, size: int) -> bytes:
        """Read a number of bytes of a file from an offset on."""
        return await self._session.read_at(self.full(path), size, place)

    async def write(self, path: str, place: int, data: bytes) -> None:
        """Write bytes into a file, which is created if it does not exist."""
        full, mode = self.full(path), asyncssh.SFTPAttrs(permissions=FILE_MODE)
        with self._writing():
            try:
                file = await self._session.sftp.open(full, _FLAGS, mode, encoding=None)
            except NOT_THERE:
                await self._session.sftp.makedirs(posixpath.dirname(full), exist_ok=True)
                file = await self._session.sftp.open(full, _FLAGS, mode, encoding=None)
            async with file:
                await file.write(data, place)

    async def allow(self, path: str, mode: int) -> None:
        """Set the permissions of a file."""
        with self._writing():
            await self._session.sftp.chmod(self.full(path), mode)

    async def rename(self, path: str, target: str) -> None:
        """Move a file over another path."""
        with self._writing():
            await self._session.sftp.posix_rename(self.full(path), self.full(target))

    async def remove(self, path: str) -> None:
        """Remove a file if it exists."""
        with self._writing(), contextlib.suppress(*NOT_THERE):
            await self._session.sftp.remove(self.full(path))

    @contextlib.contextmanager
    def _writing(self) -> Iterator[None]:
        """Of most that is wrong with a disk OpenSSH says no more than Failure."""
        with self._session.links():
            try:
                yield
            except asyncssh.SFTPFailure as error:
                raise OSError(0, f"{error.reason.rstrip('.')}{_IF_FULL}") from error
