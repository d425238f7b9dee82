"""Files of this machine, as one side of a copy."""

from __future__ import annotations

import asyncio
import contextlib
import hashlib
import os
import stat
from pathlib import Path

from starloom.devices.copying import Kind, TransferFailed
from starloom.private_files import FILE_MODE, make_folder


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

    async def kind(self, path: str) -> Kind | None:
        """What a file is; None: there is none."""
        try:
            found = os.stat(self.full(path))
        except (FileNotFoundError, NotADirectoryError):
            return None
        if not stat.S_ISREG(found.st_mode):
            raise IsADirectoryError(0, "it is not a regular file")
        return Kind(found.st_size, stat.S_IMODE(found.st_mode))

    async def digest(self, path: str) -> str:
        """The SHA-256 of a file's content."""
        return await asyncio.to_thread(_digest, self.full(path))

    async def read(self, path: str, place: int, size: int) -> bytes:
        """So many bytes of a file from some place on."""
        return await asyncio.to_thread(_read, self.full(path), place, size)

    async def write(self, path: str, place: int, data: bytes) -> None:
        """Put bytes into a file, which is made if it is not there."""
        await asyncio.to_thread(_write, self.full(path), place, data)

    async def allow(self, path: str, mode: int) -> None:
        """Give a file these permissions."""
        os.chmod(self.full(path), mode)

    async def rename(self, path: str, target: str) -> None:
        """Put a file in the place of another one, or of none."""
        os.replace(self.full(path), self.full(target))

    async def remove(self, path: str) -> None:
        """Remove a file if it is there."""
        with contextlib.suppress(FileNotFoundError):
            os.remove(self.full(path))


def _digest(path: str) -> str:
    with open(path, "rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def _read(path: str, place: int, size: int) -> bytes:
    with open(path, "rb") as file:
        file.seek(place)
        return file.read(size)


def _write(path: str, place: int, data: bytes) -> None:
    make_folder(Path(path).parent)
    with open(os.open(path, os.O_WRONLY | os.O_CREAT, FILE_MODE), "wb") as file:
        file.seek(place)
        file.write(data)
