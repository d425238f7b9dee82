"""Turns of several streams, which are committed file by file: whoever opens a file later has all of one, or none.

The file that is committed to last decides. Each other one notes, as it commits its own rows, which row that will be, by
which content that is known, and by which the row before it. A program that dies in between leaves rows whose deciding
row is not there, though the one before it is: they never counted, and are passed over and taken back. Where the other
file is gone, is another one or was salvaged, nobody knows, and the rows stay.
"""

from __future__ import annotations

import os
import sqlite3
from contextlib import closing
from hashlib import blake2b
from pathlib import PurePath
from typing import TYPE_CHECKING, Final, NamedTuple

from starloom.journal.base import JournalError
from starloom.journal.names import FLEET_JOURNAL, JOURNAL
from starloom.journal.reader import INSERT, connect_to_read, last_number

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path


_NOTE: Final = "INSERT OR REPLACE INTO joint VALUES (1, ?, ?, ?, ?, ?, ?)"
_NOTED: Final = "SELECT row, after, path, deciding, before, digest FROM joint"
_ROW: Final = "SELECT CAST(data AS BLOB) FROM turns WHERE number = ?"


class DecidingRow(NamedTuple):
    """The row that decides whether a turn of several streams counts.

    Attributes:
        path: of its file.
        number: of the row there, the first one of the turn.
        before, digest: of the content of the row before it (empty: it is the first), and of its own.
    """

    path: Path
    number: int
    before: bytes
    digest: bytes


def digest_of(data: bytes) -> bytes:
    """By what the content of a row is known."""
    return blake2b(data, digest_size=16).digest()


def digest_of_row(connection: sqlite3.Connection, number: int) -> bytes:
    """The same of a row of a file; empty: there is none.

    Raises:
        sqlite3.Error: it cannot be read; see `reader.explain`.
    """
    found = connection.execute(_ROW, (number,)).fetchone()
    return b"" if found is None else digest_of(found[0])


def insert_all(
    connection: sqlite3.Connection, path: Path, last: int, parts: Iterable[bytes], decided: DecidingRow | None
) -> tuple[int, int]:
    """Commit the rows of a turn, and what decides about it, at once; returns the last one's number, and their bytes.

    Args:
        connection: to the file.
        path: of the file.
        last: the row before its first one.
        parts: the rows.
        decided: the row of another file, committed later, without which they do not count; None: they do.

    Raises:
        JournalError: an event cannot be kept.
        sqlite3.Error: see `reader.explain`.
    """
    number, size = last, 0
    connection.execute("BEGIN IMMEDIATE")
    try:
        for part in parts:
            number += 1
            connection.execute(INSERT, (number, part))
            size += len(part)
        if decided is not None:
            there = os.path.relpath(decided.path, path.parent)  # the folder of the journals may move
            connection.execute(_NOTE, (number, last, there, *decided[1:]))
        connection.execute("COMMIT")
    except JournalError:  # an event that cannot be kept: found out only now
        connection.execute("ROLLBACK")
        raise
    return number, size


def last_whole(connection: sqlite3.Connection, path: Path) -> int:
    """The last row of a file that counts.

    Raises:
        sqlite3.Error: the file cannot be read; see `reader.explain`.
    """
    last = last_number(connection)
    try:
        found = connection.execute(_NOTED).fetchone()
    except sqlite3.OperationalError:  # an earlier version has made the file
        return last
    if found is None or found[0] != last or not _is_plausible(last, *found[1:]):
        return last
    _, after, there, *decided = found
    return int(after) if _is_missing(DecidingRow(path.parent / there, *decided)) else last


def _is_plausible(last: int, after: object, there: object, number: object, *digests: object) -> bool:
    """Whether a note may be ours: anybody may have written the file."""
    is_ours = isinstance(there, str) and PurePath(there).name in {JOURNAL, FLEET_JOURNAL} and "\0" not in there
    counts = isinstance(after, int) and 0 <= after < last and isinstance(number, int)
    return is_ours and counts and all(isinstance(one, bytes) for one in digests)


def drop_rows_after(connection: sqlite3.Connection, row: int) -> None:
    """Delete the rows after one, which never counted, and what is noted about them.

    Raises:
        sqlite3.Error: they cannot be deleted.
    """
    connection.execute("BEGIN IMMEDIATE")  # a note without its rows would be taken for one about later rows
    connection.execute("DELETE FROM turns WHERE number > ?", (row,))
    connection.execute("DELETE FROM joint WHERE row > ?", (row,))
    connection.execute("COMMIT")


def _is_missing(decided: DecidingRow) -> bool:
    """Whether a deciding row was not committed, for certain."""
    try:
        with closing(connect_to_read(decided.path)) as connection:
            if digest_of_row(connection, decided.number - 1) != decided.before:
                return False
            return digest_of_row(connection, decided.number) != decided.digest
    except (JournalError, sqlite3.Error, OverflowError, TypeError):
        return False
