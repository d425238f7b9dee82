"""A copy of a journal that another program has, written from the bytes of its rows; then it is read as any journal.

It is a cache: nobody holds it, and a part of it is never seen, as all rows that come are committed at once.
"""

from __future__ import annotations

import os
import sqlite3
from contextlib import closing, suppress
from typing import TYPE_CHECKING, Final

from starloom.journal.base import JournalError
from starloom.journal.new_file import make
from starloom.journal.reader import INSERT, connect_to_read, explain, last_number
from starloom.private_files import make_file, make_folder

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

_LAST: Final = "SELECT number, CAST(data AS BLOB) FROM turns ORDER BY number DESC LIMIT 1"
_OF_THE_FILE: Final = frozenset({"stream", "format", "seal"})
"""What a journal says of itself as a file, rather than of who made it."""


class RowCopy:
    """Adds rows to a copy, once it has begun. For any one thread at a time.

    Args:
        path: of the copy.

    Attributes:
        last: the last row of it that is here.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self._connection: sqlite3.Connection | None = None
        self.last = 0

    def begin(self, about: Mapping[str, str], *, anew: bool) -> None:
        """Open the copy; it is made, with its folder, if there is none.

        Args:
            about: what the other journal says of itself; see `StreamFile.meta`.
            anew: whether what is there is a copy of something else, and is dropped.

        Raises:
            JournalError: it cannot be written, or what the journal says of itself makes no sense.
        """
        if not about.get("stream"):
            raise JournalError("What was sent is no journal of a run: it does not say of which.")
        path = self._path
        try:
            if anew:
                _remove(path)
            make_folder(path.parent)
            make_file(path)
        except OSError as error:
            raise JournalError(f"{path} cannot be written ({error.strerror}). See whether there is room.") from None
        try:
            connection = self._connection = sqlite3.connect(path, isolation_level=None, check_same_thread=False)
            if anew:
                of_its_maker = {name: value for name, value in about.items() if name not in _OF_THE_FILE}
                make(connection, path, about["stream"], of_its_maker)
            connection.execute("PRAGMA synchronous = OFF")  # a power failure takes no more than a cache
            connection.execute("BEGIN IMMEDIATE")
            self.last = last_number(connection)
        except sqlite3.Error as error:
            raise explain(path, error) from None

    def add(self, rows: Sequence[bytes]) -> None:
        """Add the rows that come after the last one.

        Raises:
            JournalError: they cannot be written; nothing of this copying stays.
        """
        assert self._connection is not None, "it has begun"
        try:
            self._connection.executemany(INSERT, enumerate(rows, self.last + 1))
        except sqlite3.Error as error:
            raise explain(self._path, error) from None
        self.last += len(rows)

    def commit(self) -> None:
        """Have the rows stay that were added.

        Raises:
            JournalError: they cannot be written.
        """
        assert self._connection is not None, "it has begun"
        try:
            self._connection.execute("COMMIT")
        except sqlite3.Error as error:
            raise explain(self._path, error) from None

    def close(self) -> None:
        """Close the copy, if it has begun; rows that were not committed are gone."""
        if self._connection is not None:
            with suppress(sqlite3.Error):  # else what is left is in the log beside it
                self._connection.close()


def end_of_copy(path: Path) -> tuple[int, bytes]:
    """The number and bytes of the last row of a copy, which tell of what it is a copy; 0: there is none."""
    with suppress(JournalError, sqlite3.Error), closing(connect_to_read(path)) as connection:
        found = connection.execute(_LAST).fetchone()
        if found is not None:
            return int(found[0]), bytes(found[1])
    return 0, b""


def _remove(path: Path) -> None:
    for ending in ("", "-wal", "-shm"):
        with suppress(FileNotFoundError):
            os.unlink(f"{path}{ending}")
