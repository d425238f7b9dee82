"""Verification of an untrusted journal: what is wrong with it, and which parts are dropped."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from typing import TYPE_CHECKING, Final

from starloom.journal.names import JOURNAL
from starloom.journal.reader import APPLICATION_ID, SCHEMA, connect_to_read, trouble_within
from starloom.journal.stream_file import StreamFile
from starloom.scheduling.fold.stream_check import checked_fold
from starloom.scheduling.state.folded_run import FoldedRun

if TYPE_CHECKING:
    from pathlib import Path

_NO_MEMORY_FOR_PAGE: Final = "to get "
"""SQLite's check says that it "failed to get page 7", or was "unable to get the page", where memory for one is refused;
of a page that is damaged or missing it uses other words."""


def trouble_with(journal: Path, run_id: str) -> str:
    """The first problem of an untrusted journal; empty: none.

    It has to be the journal of that run and hold nothing else (a view or a trigger would do something when it is used),
    be whole, and tell only of what a scheduler can have decided; its checkpoints are not looked at.

    Args:
        journal: the file.
        run_id: whose journal it should be.
    """
    try:
        return _trouble_with(journal, run_id)
    except Exception as error:  # noqa: BLE001 - bytes from anywhere may raise anything
        said = str(error).replace(str(journal), JOURNAL)[:300] or type(error).__name__
        if _NO_MEMORY_FOR_PAGE in said:  # whoever opened the file takes that for damage
            said = MemoryError.__name__
        return f"its journal cannot be read ({said})"


def _trouble_with(journal: Path, run_id: str) -> str:
    with closing(connect_to_read(journal)) as connection:
        (owner,) = connection.execute("PRAGMA application_id").fetchone()
        made = {sql for (sql,) in connection.execute("SELECT sql FROM sqlite_master")}
        if owner != APPLICATION_ID or not made <= {_plain(sql) for sql in SCHEMA}:
            return "its journal holds what no journal does"
        if trouble := trouble_within(connection):
            if _NO_MEMORY_FOR_PAGE in trouble:
                raise MemoryError
            return f"its journal is damaged ({trouble})"
    with StreamFile(journal, read_only=True) as file:
        if file.stream != run_id or not file.last:
            return "its journal is that of another run"
        checked_fold(FoldedRun(run_id), file.committed())
    return ""


def _plain(sql: str) -> str:
    """A statement as SQLite keeps it."""
    return sql.replace("IF NOT EXISTS ", "")


def drop_checkpoints(journal: Path) -> str:
    """Remove the checkpoints of a verified journal: a cache of unknown origin.

    Returns:
        Why they could not be removed; empty: they are gone.
    """
    try:
        with closing(sqlite3.connect(journal)) as connection, connection:
            if connection.execute("SELECT 1 FROM sqlite_master WHERE name = 'checkpoints'").fetchone():
                connection.execute("DELETE FROM checkpoints")
    except sqlite3.Error as error:
        return f"its journal cannot be changed ({error})"
    return ""
