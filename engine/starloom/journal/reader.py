"""Reading a stream's file: its metadata, and its rows in order and verified.

Each row is sealed with a checksum by the codec, and events are numbered without gaps. So a turn is read as it was
written, or the sentence about it says where the damage is.
"""

from __future__ import annotations

import sqlite3
import zlib
from hashlib import sha256
from typing import TYPE_CHECKING, Final

from starloom.events import FORMAT_VERSION
from starloom.journal.base import JournalDamaged, JournalError
from starloom.journal.codec import RecordedTurn, decode_parts, has_more
from starloom.scheduling.fold.number_rules import LAST_WALL, LONGEST

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from pathlib import Path

APPLICATION_ID: Final = 0x53744C6D
"""What the header of the file names as the program it belongs to."""
CHECKPOINTS: Final = "CREATE TABLE IF NOT EXISTS checkpoints (row INTEGER PRIMARY KEY, data BLOB NOT NULL)"
JOINT: Final = (
    "CREATE TABLE IF NOT EXISTS joint (id INTEGER PRIMARY KEY, row INTEGER NOT NULL, after INTEGER NOT NULL, "
    "path TEXT NOT NULL, deciding INTEGER NOT NULL, before BLOB NOT NULL, digest BLOB NOT NULL)"
)
"""Of the last turn that several streams had part in; see `joint_turns`."""
SCHEMA: Final = (
    "CREATE TABLE meta (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID",
    "CREATE TABLE turns (number INTEGER PRIMARY KEY, data BLOB NOT NULL)",
    CHECKPOINTS,
    JOINT,
)
"""A row of `turns` is a turn, or a part of one whose plan is large; a checkpoint holds the facts as of such a row."""
INSERT: Final = "INSERT INTO turns VALUES (?, ?)"
_SELECT: Final = "SELECT number, CAST(data AS BLOB) FROM turns WHERE number > ? AND number <= ? ORDER BY number LIMIT ?"
_ALL_DATA: Final = "SELECT CAST(data AS BLOB) FROM turns WHERE number <= ? ORDER BY number"
_BATCH: Final = 1024
"""Rows that are fetched at once: no read transaction is open, and keeps the log from beginning anew, in between."""
_PRIMARY: Final = 0xFF
"""The part of an SQLite error code that the extended codes share."""

Row = tuple[int, bytes]


def seal_of_meta(meta: Mapping[str, str]) -> str:
    """The checksum of the file's metadata."""
    return str(zlib.crc32("\n".join(f"{name}={meta[name]}" for name in sorted(meta) if name != "seal").encode()))


# ---- sentences


def explain(path: Path, error: sqlite3.Error) -> JournalError:
    """The meaning of an SQLite error for the journal's owner, and what to do."""
    code = getattr(error, "sqlite_errorcode", 0) & _PRIMARY
    text = _SENTENCES.get(code, "The journal {path} cannot be used: {error}. Mend that and try again.")
    kind = JournalDamaged if code in {sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB} else JournalError
    return kind(text.format(path=path, error=error))


_DAMAGED: Final = "The journal {path} is damaged ({error}). Salvage what can be read into a new one."
_SENTENCES: Final = {
    sqlite3.SQLITE_FULL: "The disk is full: the journal {path} cannot grow. Free some space and retry the commit.",
    sqlite3.SQLITE_IOERR: (
        "The journal {path} cannot be written or read ({error}). "
        "See whether the disk is full, a file-size limit is reached or the device is gone, and try again."
    ),
    sqlite3.SQLITE_READONLY: (
        "The journal {path} is read-only ({error}). Make file and folder writable, or open it with read_only=True."
    ),
    sqlite3.SQLITE_BUSY: "The journal {path} is locked by another program. Let go of it there and try again.",
    sqlite3.SQLITE_LOCKED: "The journal {path} is locked by another program. Let go of it there and try again.",
    sqlite3.SQLITE_CORRUPT: _DAMAGED,
    sqlite3.SQLITE_NOTADB: "{path} is not a journal: {error}. Name another file, or salvage it if it once was one.",
    sqlite3.SQLITE_CANTOPEN: (
        "The journal {path} cannot be opened. See whether its folder exists and you may read and write there."
    ),
}


# ---- opening


def connect_to_read(path: Path, *, damaged: bool = False) -> sqlite3.Connection:
    """A connection that changes nothing, also on a disk that cannot be written.

    Args:
        path: the journal.
        damaged: open it even if its end is missing.

    Raises:
        JournalError: there is no such file, or it cannot be opened.
    """
    try:
        if not path.is_file():
            raise JournalError(f"There is no journal {path}. Look for its name, or start a run that keeps one there.")
        try:
            return _connect(path, "mode=ro", damaged)
        except sqlite3.OperationalError:
            log = path.with_name(path.name + "-wal")
            if log.exists() and log.stat().st_size:  # its turns would be left out
                raise
            return _connect(path, "immutable=1", damaged)
    except sqlite3.Error as error:
        raise explain(path, error) from None
    except OSError as error:
        raise JournalError(f"The journal {path} cannot be read ({error.strerror}). Make it readable.") from None
    except UnicodeDecodeError:  # SQLite quotes what it finds in the schema, which may be no text
        raise JournalDamaged(_DAMAGED.format(path=path, error="its schema is no text")) from None


def _connect(path: Path, how: str, damaged: bool) -> sqlite3.Connection:
    uri = f"{path.absolute().as_uri()}?{how}"
    connection = sqlite3.connect(uri, uri=True, isolation_level=None, check_same_thread=False)
    try:
        connection.execute("PRAGMA busy_timeout = 5000")
        if damaged:
            connection.execute("PRAGMA writable_schema = ON")  # else a file that is too short is refused as a whole
        connection.execute("SELECT count(*) FROM sqlite_master").fetchone()
    except BaseException:
        connection.close()
        raise
    return connection


def is_new(connection: sqlite3.Connection, path: Path) -> bool:
    """Whether the file is still empty; otherwise it is verified to be a readable journal.

    Raises:
        JournalError: it is something else, damaged, or of a newer version.
        sqlite3.Error: it cannot be read; see `explain`.
    """
    (owner,) = connection.execute("PRAGMA application_id").fetchone()
    (tables,) = connection.execute("SELECT count(*) FROM sqlite_master").fetchone()
    if not owner and not tables:
        return True
    if owner != APPLICATION_ID:
        raise JournalDamaged(f"{path} is a database of another program, not a journal. Name another file.")
    check_meta(connection, path)
    if trouble := trouble_within(connection):
        raise JournalDamaged(_DAMAGED.format(path=path, error=trouble))
    return False


def trouble_within(connection: sqlite3.Connection) -> str | None:
    """The findings of SQLite's integrity check, if any: only it notices a lost last row.

    Raises:
        sqlite3.Error: they cannot be read; see `explain`.
    """
    (verdict, *_) = connection.execute("PRAGMA quick_check(1)").fetchone()
    return None if verdict == "ok" else " ".join(str(verdict).split())


def check_meta(connection: sqlite3.Connection, path: Path) -> dict[str, str]:
    """The metadata of the file, if this version reads it; see `StreamFile.meta`.

    Raises:
        JournalError: a newer one wrote it, or what it says about itself is damaged.
        sqlite3.Error: it cannot be read; see `explain`.
    """
    meta: dict[str, str] = dict(connection.execute("SELECT name, value FROM meta").fetchall())
    if not all(isinstance(value, str) for value in meta.values()) or meta.get("seal") != seal_of_meta(meta):
        raise JournalDamaged(_DAMAGED.format(path=path, error="what it says about itself has a wrong checksum"))
    if int(meta["format"]) > FORMAT_VERSION:
        raise JournalError(
            f"The journal {path} was written by Starloom {meta['engine']} in format {meta['format']}; this version "
            f"reads up to {FORMAT_VERSION}. Use that version or a newer one."
        )
    return meta


def last_number(connection: sqlite3.Connection) -> int:
    """The number of the last row; 0 when there is none."""
    (number,) = connection.execute("SELECT coalesce(max(number), 0) FROM turns").fetchone()
    return int(number)


def has_all(connection: sqlite3.Connection, row: int, after: int = 0) -> bool:
    """Whether all rows up to one are there, so that a checkpoint of it may be used.

    Raises:
        sqlite3.Error: they cannot be read; see `explain`.
    """
    (count,) = connection.execute(
        "SELECT count(*) FROM turns WHERE number > ? AND number <= ?", (after, row)
    ).fetchone()
    return int(count) == row - after


def check_end(connection: sqlite3.Connection, path: Path, last: int) -> None:
    """Check that no checkpoint belongs to a row after the last one, which would mean lost rows.

    Raises:
        JournalError: one does.
        sqlite3.Error: they cannot be read; see `explain`.
    """
    there = connection.execute("SELECT 1 FROM sqlite_master WHERE name = 'checkpoints'").fetchone()
    if there and connection.execute("SELECT 1 FROM checkpoints WHERE row > ?", (last,)).fetchone():
        raise damage(path, last + 1, "it is missing, and there was one")


# ---- reading


def turns(connection: sqlite3.Connection, path: Path, last: int, *, after: int = 0) -> Iterator[list[Row]]:
    """The rows of each turn up to a row, fetched lazily; each row is verified to be at its place.

    Args:
        connection: to the file.
        path: of the file, for sentences.
        last: the last row.
        after: the last row of the turn before the first one that is wanted.

    Raises:
        JournalError: a row is damaged or missing; all turns before it have been given.
    """
    rows: list[Row] = []
    for row in _rows(connection, path, last, after):
        rows.append(row)
        if not _has_more(row, path):
            yield rows
            rows = []
    if rows:
        raise damage(path, last + 1, "its turn is not complete")


def _has_more(row: Row, path: Path) -> bool:
    if type(row[1]) is not bytes:
        raise damage(path, row[0], "it holds something else than a turn")
    try:
        return has_more(row[1])
    except JournalError as error:
        raise JournalError(f"Row {row[0]} of the journal {path}: {error}") from None


def _rows(connection: sqlite3.Connection, path: Path, last: int, done: int) -> Iterator[Row]:
    while done < last:
        batch, error = _fetch(connection, done, last)
        for row in batch:
            done += 1
            if row[0] != done:
                raise damage(path, done, "it is missing")
            yield row
        if error is not None:
            raise explain(path, error) from None
        if not batch:
            raise damage(path, done + 1, "it is missing")


def _fetch(connection: sqlite3.Connection, done: int, last: int) -> tuple[list[Row], sqlite3.Error | None]:
    """The next rows and, if not all of them could be read, the reason."""
    batch: list[Row] = []
    try:
        for row in connection.execute(_SELECT, (done, last, _BATCH)):
            batch.append(row)  # noqa: PERF402 - those before a damaged page are wanted
    except sqlite3.Error as error:
        return batch, error
    return batch, None


def damage(path: Path, number: int, what: str) -> JournalDamaged:
    """The sentence that a row is damaged."""
    return JournalDamaged(
        f"Row {number} of the journal {path} is damaged: {what}. What comes before it can be salvaged into a new one."
    )


def sha256_of(connection: sqlite3.Connection, path: Path, last: int) -> str:
    """The hash of the data of all rows up to one, in order.

    Raises:
        JournalError: they cannot be read.
    """
    digest = sha256()
    try:
        for (data,) in connection.execute(_ALL_DATA, (last,)):
            digest.update(data)
    except sqlite3.Error as error:
        raise explain(path, error) from None
    return digest.hexdigest()


class TurnReader:
    """Decodes turns from rows, in order, and checks that no event is missing between them.

    Args:
        path: the file, for sentences.
        stream: whose events they are.
        seq: the number of the last event before the first turn.

    Attributes:
        stream: likewise.
    """

    def __init__(self, path: Path, stream: str, seq: int = 0) -> None:
        self._path = path
        self.stream = stream
        self._seq = seq

    def turn(self, rows: Sequence[Row]) -> RecordedTurn:
        """The turn in these rows.

        Raises:
            JournalError: they cannot be read or do not go on from the turn before; says where they stand.
        """
        try:
            turn = decode_parts([row[1] for row in rows], self.stream)
        except JournalError as error:
            raise JournalError(f"Row {rows[0][0]} of the journal {self._path}: {error}") from None
        if not (0 <= turn.wall <= LAST_WALL and -LONGEST <= turn.events[0].at <= LONGEST):
            raise damage(self._path, rows[0][0], f"no clock shows {turn.wall} and {turn.events[0].at}")
        if turn.events[0].seq != self._seq + 1:
            raise damage(self._path, rows[0][0], f"event {self._seq + 1} should stand there")
        self._seq += len(turn.events)
        return turn
