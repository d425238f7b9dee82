"""Salvaging the readable part of a damaged journal."""

from __future__ import annotations

import sqlite3
from contextlib import closing, suppress
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Final

import msgspec

from starloom.journal.base import JournalError
from starloom.journal.lock import JournalLock
from starloom.journal.moments import impossible
from starloom.journal.names import JOURNAL, SALVAGED
from starloom.journal.new_file import make
from starloom.journal.reader import (
    INSERT,
    TurnReader,
    check_end,
    check_meta,
    connect_to_read,
    explain,
    last_number,
    trouble_within,
    turns,
)
from starloom.private_files import make_file, write_private
from starloom.scheduling.fold.stream_check import ImpossibleEvent, StreamCheck
from starloom.scheduling.state.folded_run import FoldedRun

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from starloom.journal.reader import Row

_NO_END: Final = 2**62
"""More rows than there can be: where the number of the last one cannot be read."""


@dataclass(frozen=True, slots=True)
class Salvaged:
    """The result of salvaging a damaged journal."""

    turns: int
    """How many turns, from the first one on and without a gap."""
    damage: str | None
    """What was found amiss, as a sentence; None: nothing, and all turns were copied."""
    kept_as: Path | None = None
    """Where the damaged journal is now, if it made room for what was copied."""


def salvage_folder(folder: Path) -> Salvaged:
    """Replace a run's journal by its readable part; the damaged one stays beside it under another name.

    What is lost is not known: `SALVAGED` in the folder says so to whoever would go on with the run.

    Raises:
        JournalInUse: a program has it.
        JournalError: nothing of it can be read as a journal, or the folder cannot be written.
    """
    result = replace_damaged(folder / JOURNAL, folder.name)
    if result.damage is not None:
        told = {"turns": result.turns, "damage": result.damage}
        try:
            write_private(folder / SALVAGED, msgspec.json.encode(told))
        except OSError as error:
            raise JournalError(f"{folder / SALVAGED} cannot be written ({error.strerror}).") from None
    return result


def replace_damaged(path: Path, stream: str) -> Salvaged:
    """Replace a journal by its readable part, if it is damaged; the old one stays beside it as `damaged-…`.

    Args:
        path: the journal, which nobody has open.
        stream: whose it is, should that be what cannot be read.

    Raises:
        JournalInUse: a program has it.
        JournalError: nothing of it can be read as a journal, or the folder cannot be written.
    """
    folder = path.parent
    stamp = datetime.now(tz=UTC).strftime("%Y%m%d-%H%M%S")
    saved = folder / f"salvaged-{stamp}.db"
    lock = JournalLock(path)
    try:
        result = salvage(path, saved, stream=stream, checked=True)
        if result.damage is None:
            _remove(saved)
            return result
        kept = set_aside(path, stamp)
        saved.rename(path)
    except OSError as error:
        raise JournalError(f"What was saved cannot be put into {folder} ({error.strerror}).") from None
    finally:
        lock.release()
        saved.with_name(saved.name + ".lock").unlink(missing_ok=True)
    return replace(result, kept_as=kept)


def set_aside(path: Path, stamp: str) -> Path:
    """Rename a damaged journal, with the files that belong to it; returns the new path.

    Raises:
        OSError: it cannot be renamed.
    """
    kept = path.with_name(f"damaged-{stamp}.db")
    for ending in ("", "-wal", "-shm"):
        with suppress(FileNotFoundError):
            path.with_name(path.name + ending).rename(kept.with_name(kept.name + ending))
    return kept


def _remove(path: Path) -> None:
    for ending in ("", "-wal", "-shm"):
        path.with_name(path.name + ending).unlink(missing_ok=True)


def salvage(path: Path, to: Path, *, stream: str = "", checked: bool = False) -> Salvaged:
    """Copy all readable turns up to the damage into a new journal; the old one stays as it is.

    Args:
        path: the damaged journal.
        to: the new one.
        stream: whose journal it is, should that be what cannot be read.
        checked: take turns only up to one that tells of what cannot have happened, too.

    Raises:
        JournalError: nothing of the old file can be read as a journal, or the new one exists or cannot be written.
    """
    if to.exists():
        raise JournalError(f"{to} exists already. Name a file that does not, so that nothing is overwritten.")
    with closing(connect_to_read(path, damaged=True)) as source:
        _check_is_journal(source, path)
        lock = JournalLock(to)
        try:
            return _copy_to_file(source, path, to, _meta_of(source, path) or {"stream": stream}, checked=checked)
        finally:
            lock.release()


def _meta_of(source: sqlite3.Connection, path: Path) -> dict[str, str]:
    """The metadata of the file; empty if it is not credible."""
    try:
        meta = check_meta(source, path)
    except (JournalError, sqlite3.Error, KeyError, ValueError):
        return {}
    return meta if "stream" in meta else {}


def _check_is_journal(source: sqlite3.Connection, path: Path) -> None:
    try:
        source.execute("SELECT number, data FROM turns WHERE number = 1").fetchone()
    except sqlite3.OperationalError as error:  # no such table, no such column
        raise JournalError(f"Nothing can be salvaged from {path}: no turns are in it ({error}).") from None
    except sqlite3.Error as error:
        raise explain(path, error) from None


def _copy_to_file(source: sqlite3.Connection, old: Path, new: Path, meta: dict[str, str], *, checked: bool) -> Salvaged:
    stream = meta["stream"]
    about = {name: value for name, value in meta.items() if name not in {"stream", "format", "seal"}}
    try:
        make_file(new)
        with closing(sqlite3.connect(new, isolation_level=None)) as target:
            make(target, new, stream, about)
            target.execute("BEGIN IMMEDIATE")
            copied, damage = _copy(source, old, target, _readable_turns(source, old, TurnReader(old, stream), checked))
            target.execute("COMMIT")
    except sqlite3.Error as error:
        raise explain(new, error) from None
    return Salvaged(copied, damage)


def _copy(
    source: sqlite3.Connection, old: Path, target: sqlite3.Connection, readable: Iterator[Sequence[Row]]
) -> tuple[int, str | None]:
    copied = 0
    while True:
        try:
            rows = next(readable)
        except StopIteration:
            return copied, _other_trouble(source, old)
        except JournalError as damage:
            return copied, str(damage)
        target.executemany(INSERT, rows)
        copied += 1


def _readable_turns(
    source: sqlite3.Connection, path: Path, reading: TurnReader, checked: bool
) -> Iterator[Sequence[Row]]:
    check = StreamCheck(FoldedRun(reading.stream))
    for rows in turns(source, path, _last(source)):
        turn = reading.turn(rows)  # what is sealed is as it was written; this makes sure that it was written by us
        try:
            if checked:
                check.fold(turn.events)
        except ImpossibleEvent as error:
            raise impossible(path, error) from None
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
        check_end(source, path, last_number(source))
    except sqlite3.Error as error:
        return str(explain(path, error))
    except JournalError as error:
        return str(error)
    return None if trouble is None else f"The journal {path} is damaged ({trouble}); turns after these may be lost."
