"""Opening a stream's file for writing or for reading."""

from __future__ import annotations

import contextlib
import sqlite3
from typing import TYPE_CHECKING, Final

from starloom.journal.base import JournalError
from starloom.journal.facts_chain import drop_after
from starloom.journal.joint_turns import drop_rows_after, last_whole
from starloom.journal.new_file import make
from starloom.journal.reader import CHECKPOINTS, JOINT, connect_to_read, is_new
from starloom.private_files import make_file

if TYPE_CHECKING:
    from pathlib import Path

_PATIENCE_MS: Final = 5_000
"""How long a commit waits for one that has the file locked though it should not, or for a long log to begin anew."""


def connect(path: Path, full: bool) -> sqlite3.Connection:
    """A connection that commits as a journal does; creates an empty file if there is none.

    Raises:
        sqlite3.Error: it cannot be opened; see `reader.explain`.
    """
    with contextlib.suppress(OSError):  # SQLite says better why
        make_file(path)
    connection = sqlite3.connect(path, isolation_level=None, check_same_thread=False)
    try:
        connection.execute(f"PRAGMA busy_timeout = {_PATIENCE_MS}")
        connection.execute(f"PRAGMA synchronous = {'FULL' if full else 'NORMAL'}")
        connection.execute("PRAGMA wal_autocheckpoint = 0")
        if full:
            connection.execute("PRAGMA fullfsync = ON")  # on macOS fsync alone does not reach the disk
    except sqlite3.Error:
        connection.close()
        raise
    return connection


def open_to_write(path: Path, stream: str | None, full: bool) -> sqlite3.Connection:
    """A connection to a stream's file, which is created if there is none.

    Args:
        path: of the file.
        stream: whose events a new one will hold; None: the fleet's.
        full: wait for the disk with each commit.

    Raises:
        JournalError: it is something else, damaged, of a newer version, or the file system cannot keep one.
        sqlite3.Error: see `reader.explain`.
    """
    connection = connect(path, full)
    try:
        if is_new(connection, path):
            make(connection, path, stream or "")
        else:
            connection.execute("DELETE FROM turns WHERE number < 0")  # a read-only file is told now, not at a commit
            connection.execute(CHECKPOINTS)  # somebody may have deleted all of them
            connection.execute(JOINT)  # an earlier version made none
            last = last_whole(connection, path)
            drop_rows_after(connection, last)
            drop_after(connection, last)
    except BaseException:
        connection.close()
        raise
    return connection


def open_to_read(path: Path) -> sqlite3.Connection:
    """A connection that changes nothing.

    Raises:
        JournalError: there is no journal, nothing in it, or it cannot be read.
        sqlite3.Error: see `reader.explain`.
    """
    connection = connect_to_read(path)
    try:
        is_empty = is_new(connection, path)
    except BaseException:
        connection.close()
        raise
    if is_empty:
        connection.close()
        raise JournalError(f"The journal {path} is empty. There is nothing to read in it.")
    return connection
