"""Saving what can be read of a damaged journal."""

from __future__ import annotations

import sqlite3
from contextlib import closing, suppress
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Final

from starloom.journal.base import JournalError
from starloom.journal.library import JOURNAL
from starloom.journal.lock import JournalLock
from starloom.journal.reader import (
    INSERT,
    Reading,
    check_meta,
    connect_to_read,
    explain,
    last_number,
    trouble_within,
    turns,
)
from starloom.journal.stream_file import make

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from starloom.journal.reader import Row

_NO_END: Final = 2**62
"""More rows than there can be: where the number of the last one cannot be read."""


@dataclass(frozen=True, slots=True)
class Salvaged:
    """What was copied out of a damaged journal."""

    turns: int
    """How many turns, from the first one on and without a gap."""
    damage: str | None
    """What was found amiss, as a sentence; None: nothing, and all turns were copied."""
    kept_as: Path | None = None
    """Where the damaged journal is now, if it made room for what was copied."""


def salvage_folder(folder: Path) -> Salvaged:
    """Put what can be read of a run's journal in its place; the damaged one stays beside it under another name.

    Raises:
        JournalInUse: a program has it.
        JournalError: nothing of it can be read as a journal, or the folder cannot be written.
    """
    path = folder / JOURNAL
    stamp = datetime.now(tz=UTC).strftime("%Y%m%d-%H%M%S")
    kept, saved = folder / f"damaged-{stamp}.db", folder / f"salvaged-{stamp}.db"
    lock = JournalLock(path)
    try:
        result = salvage(path, saved, stream=folder.name)
        if result.damage is None:
            _remove(saved)
            return result
        for ending in ("", "-wal", "-shm"):
            with suppress(FileNotFoundError):
                path.with_name(path.name + ending).rename(kept.with_name(kept.name + ending))
        saved.rename(path)
    except OSError as error:
        raise JournalError(f"What was saved cannot be put into {folder} ({error.strerror}).") from None
    finally:
        lock.release()
        saved.with_name(saved.name + ".lock").unlink(missing_ok=True)
    return replace(result, kept_as=kept)


def _remove(path: Path) -> None:
    for ending in ("", "-wal", "-shm"):
        path.with_name(path.name + ending).unlink(missing_ok=True)


def salvage(path: Path, to: Path, *, stream: str = "") -> Salvaged:
    """Copy every readable turn up to the damage into a new journal; the old one stays as it is.

    Args:
        path: the damaged journal.
        to: the new one.
        stream: whose journal it is, should that be what cannot be read.

    Raises:
        JournalError: nothing of the old file can be read as a journal, or the new one exists or cannot be written.
    """
    if to.exists():
        raise JournalError(f"{to} exists already. Name a file that does not, so that nothing is overwritten.")
    with closing(connect_to_read(path, damaged=True)) as source:
        _check_is_journal(source, path)
        lock = JournalLock(to)
        try:
            return _copy_to_file(source, path, to, _stream_of(source, path, stream))
        finally:
            lock.release()


def _stream_of(source: sqlite3.Connection, path: Path, otherwise: str) -> str:
    try:
        return check_meta(source, path)["stream"]
    except (JournalError, sqlite3.Error, KeyError, ValueError):
        return otherwise


def _check_is_journal(source: sqlite3.Connection, path: Path) -> None:
    try:
        source.execute("SELECT number, data FROM turns WHERE number = 1").fetchone()
    except sqlite3.OperationalError as error:  # no such table, no such column
        raise JournalError(f"Nothing can be salvaged from {path}: no turns are in it ({error}).") from None
    except sqlite3.Error as error:
        raise explain(path, error) from None


def _copy_to_file(source: sqlite3.Connection, old: Path, new: Path, stream: str) -> Salvaged:
    try:
        with closing(sqlite3.connect(new, isolation_level=None)) as target:
            make(target, new, stream)
            target.execute("BEGIN IMMEDIATE")
            copied, damage = _copy(source, old, target, Reading(old, stream))
            target.execute("COMMIT")
    except sqlite3.Error as error:
        raise explain(new, error) from None
    return Salvaged(copied, damage)


def _copy(
    source: sqlite3.Connection, old: Path, target: sqlite3.Connection, reading: Reading
) -> tuple[int, str | None]:
    copied = 0
    readable = _readable_turns(source, old, reading)
    while True:
        try:
            rows = next(readable)
        except StopIteration:
            return copied, _other_trouble(source, old)
        except JournalError as damage:
            return copied, str(damage)
        target.executemany(INSERT, rows)
        copied += 1


def _readable_turns(source: sqlite3.Connection, path: Path, reading: Reading) -> Iterator[Sequence[Row]]:
    for rows in turns(source, path, _last(source)):
        reading.turn(rows)  # what is sealed is as it was written; this makes sure that it was written by us
        yield rows


def _last(source: sqlite3.Connection) -> int:
    try:
        return last_number(source)
    except sqlite3.Error:
        return _NO_END


def _other_trouble(source: sqlite3.Connection, path: Path) -> str | None:
    """All rows there are could be read; perhaps the last ones are no longer there."""
    try:
        trouble = trouble_within(source)
    except sqlite3.Error as error:
        return str(explain(path, error))
    return None if trouble is None else f"The journal {path} is damaged ({trouble}); turns after these may be lost."
