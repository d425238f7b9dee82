"""Creating a journal: its tables, and its metadata about the program and the machine, which never change."""

from __future__ import annotations

import getpass
import platform
import socket
from datetime import UTC, datetime
from functools import lru_cache
from importlib.metadata import version
from typing import TYPE_CHECKING, Final

from starloom.events import FORMAT_VERSION
from starloom.journal.base import JournalError
from starloom.journal.reader import APPLICATION_ID, SCHEMA, seal_of_meta

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Mapping
    from pathlib import Path

LONGEST: Final = 200
"""Characters of a value."""


@lru_cache(maxsize=1)
def machine() -> dict[str, str]:
    """`python`, `system`, `user` and `host` of this process; values that the system does not tell are left out."""
    found = {
        "python": f"{platform.python_implementation()} {platform.python_version()}",
        "system": " ".join(filter(None, (platform.system(), platform.release(), platform.machine()))),
        "user": _user(),
        "host": socket.gethostname(),
    }
    return {name: _kept(value) for name, value in found.items() if value}


def _user() -> str:
    try:
        return getpass.getuser()
    except (OSError, KeyError, ImportError):  # no variable names one, and the system knows none of this number
        return ""


def _kept(value: str) -> str:
    """As a file of UTF-8 can keep it."""
    return value[:LONGEST].encode("utf-8", "replace").decode()


def make(connection: sqlite3.Connection, path: Path, stream: str, about: Mapping[str, str] | None = None) -> None:
    """Turn an empty file into the journal of a stream.

    Args:
        connection: to the file.
        path: the file.
        stream: whose events it will hold.
        about: what the file says of who made it and when, of a copy; None: this program does now.

    Raises:
        JournalError: the file system cannot keep one.
        sqlite3.Error: see `reader.explain`.
    """
    (mode,) = connection.execute("PRAGMA journal_mode = WAL").fetchone()
    if mode != "wal":
        raise JournalError(f"The journal {path} cannot be kept on this file system. Put it onto a local disk.")
    meta = {
        "created": datetime.now(tz=UTC).isoformat(timespec="seconds"),
        "engine": version("starloom"),
        **({} if about is not None or not stream else machine()),
        **(about or {}),
        "format": str(FORMAT_VERSION),
        "stream": stream,
    }
    meta["seal"] = seal_of_meta(meta)
    connection.execute("BEGIN IMMEDIATE")
    for statement in (*SCHEMA, f"PRAGMA application_id = {APPLICATION_ID}"):
        connection.execute(statement)
    connection.executemany("INSERT INTO meta VALUES (?, ?)", meta.items())
    connection.execute("COMMIT")
