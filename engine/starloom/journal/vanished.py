"""Detects journals whose file was moved or removed while open, and rewrites the file.

The system lets us go on writing into such a file, and nobody would ever find what is in it.
"""

from __future__ import annotations

import os
import sqlite3
from contextlib import closing
from typing import TYPE_CHECKING

from starloom.journal.base import JournalError
from starloom.private_files import make_file, make_folder

if TYPE_CHECKING:
    from pathlib import Path

_OF_SQLITE = ("", "-wal", "-shm")


class FileIdentity:
    """The identity of a file by its device and inode; may be used in any thread.

    Args:
        path: of a journal that was just opened.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self._place = str(path.absolute())
        self._opened = _device_and_number(self._place)

    @property
    def is_there(self) -> bool:
        """Whether the same file is at the path."""
        return _device_and_number(self._place) == self._opened

    def check(self) -> None:
        """Check that the same file is at the path, so that committed events can be found.

        Raises:
            JournalError: it is not.
        """
        if not self.is_there:
            raise gone(self._path)


def _device_and_number(path: str) -> tuple[int, int] | None:
    """The device and inode number of the file at a path; None: they are unknown."""
    try:
        status = os.stat(path)
    except OSError:
        return None
    return status.st_dev, status.st_ino


def gone(path: Path) -> JournalError:
    """The sentence that a journal has vanished, and what to do."""
    if in_its_place := _in_its_place(path):
        return JournalError(
            f"The journal {path} has gone, and {in_its_place.name} there is another file. Put back what was there, or "
            "move this file away, and try again: then the journal is written anew."
        )
    what = path if path.parent.is_dir() else path.parent
    return JournalError(
        f"{what} was moved away or removed, so nothing can be kept there. Put it back and try again. If you cannot, "
        "try again all the same: the journal is then written anew, without the other files that have gone."
    )


def copy_of(connection: sqlite3.Connection, path: Path) -> Path:
    """Create the folder of a vanished journal, and in it a copy of the open file.

    Args:
        connection: to the file that has gone; no transaction is open.
        path: where it was.

    Returns:
        The copy, which is to be moved to `path`.

    Raises:
        JournalError: other files are there.
        OSError, sqlite3.Error: it cannot be written.
    """
    if _in_its_place(path):
        raise gone(path)
    make_folder(path.parent)
    copy = path.with_name(f"{path.name}.new")
    copy.unlink(missing_ok=True)
    make_file(copy)
    with closing(sqlite3.connect(copy, isolation_level=None)) as target:
        connection.backup(target)
        target.execute("PRAGMA journal_mode = WAL")
    return copy


def _in_its_place(path: Path) -> Path | None:
    """A file where one of the journal's was; SQLite would take each for its own."""
    places = (path.with_name(path.name + suffix) for suffix in _OF_SQLITE)
    return next((place for place in places if place.exists()), None)
