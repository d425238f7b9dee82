"""Files of this machine, as one side of a copy."""

from __future__ import annotations

import asyncio
import contextlib
import hashlib
import os
import stat
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, TypeVar

from starloom.devices.copying import FileKind, TransferFailed
from starloom.private_files import FILE_MODE, make_folder

if TYPE_CHECKING:
    from collections.abc import Callable

_PIECE: Final = 16 * 1024 * 1024
"""Bytes of a file that are summed up at once."""
_T = TypeVar("_T")


class LocalSide:
    """Files of this machine.

    Args:
        folder: what paths are relative to.
        stays: whether no path may lead out of the folder, wherever links lead.
    """

    where = ""
    doubtful = 0

    def __init__(self, folder: Path, *, stays: bool) -> None:
        self._folder = folder
        self._stays = stays

    def full(self, path: str) -> str:
        """The path as an absolute one.

        Raises:
            TransferFailed: it leads out of the folder.
        """
        if not self._stays:
            return os.path.abspath(self._folder / Path(path).expanduser())
        root = self._folder.resolve()
        found = (root / path).resolve()
        if root not in found.parents:
            raise TransferFailed(f"The file {path!r} lies outside {str(root)!r}; give a path in that folder.")
        return str(found)

    async def kind(self, path: str) -> FileKind | None:
        """The kind of a file; None: it does not exist."""
        try:
            found = os.stat(self.full(path))
        except (FileNotFoundError, NotADirectoryError):
            return None
        if not stat.S_ISREG(found.st_mode):
            raise IsADirectoryError(0, "it is not a regular file")
        return FileKind(found.st_size, stat.S_IMODE(found.st_mode))

    async def digest(self, path: str) -> str:
        """The SHA-256 of a file's content."""
        full, found, place = self.full(path), hashlib.sha256(), 0
        while data := await _in_thread(_read, full, place, _PIECE):  # in pieces, as somebody may want it to stop
            await _in_thread(found.update, data)
            place += len(data)
        return found.hexdigest()

    async def read(self, path: str, place: int, size: int) -> bytes:
        """Read a number of bytes of a file from an offset on."""
        return await _in_thread(_read, self.full(path), place, size)

    async def write(self, path: str, place: int, data: bytes) -> None:
        """Write bytes into a file, which is created if it does not exist."""
        await _in_thread(_write, self.full(path), place, data)

    async def allow(self, path: str, mode: int) -> None:
        """Set the permissions of a file."""
        os.chmod(self.full(path), mode)

    async def rename(self, path: str, target: str) -> None:
        """Move a file over another path."""
        os.replace(self.full(path), self.full(target))

    async def remove(self, path: str) -> None:
        """Remove a file if it exists."""
        with contextlib.suppress(FileNotFoundError):
            os.remove(self.full(path))


async def _in_thread(call: Callable[..., _T], *given: Any) -> _T:
    """Run a call in a thread and return its result; even a cancelled caller waits for its end."""
    doing = asyncio.ensure_future(asyncio.to_thread(call, *given))
    try:
        return await asyncio.shield(doing)
    except asyncio.CancelledError:
        await asyncio.wait((doing,))
        raise


def _read(path: str, place: int, size: int) -> bytes:
    with open(path, "rb") as file:
        file.seek(place)
        return file.read(size)


def _write(path: str, place: int, data: bytes) -> None:
    make_folder(Path(path).parent)
    with open(os.open(path, os.O_WRONLY | os.O_CREAT, FILE_MODE), "wb") as file:
        file.seek(place)
        file.write(data)
