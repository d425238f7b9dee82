"""What a server tells of the runs that its folder has kept: which there are, and the rows and files of one of them.

All of it is read in threads, from the journals as they stand; nothing is locked, changed or copied for it.
"""

from __future__ import annotations

import asyncio
import sqlite3
import time
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import msgspec
from msgspec.structs import replace

from starloom.errors import CommandRefused, StarloomError
from starloom.events import FORMAT_VERSION
from starloom.journal.bundle import parts_beside
from starloom.journal.joint_turns import last_whole
from starloom.journal.names import JOURNAL
from starloom.journal.reader import connect_to_read, explain
from starloom.journal.records import record, run_folders, size_of
from starloom.journal.sent_rows import BATCH_BYTES, RowReader
from starloom.journal.stream_file import StreamFile
from starloom.server.kept_messages import (
    MOST_RECORDS,
    FilePiece,
    KeptFiles,
    KeptRecords,
    KeptRows,
    KeptRunNames,
    ListKeptRuns,
    ReadKeptFiles,
    ReadKeptRecords,
    ReadKeptRows,
    names_folder,
)

if TYPE_CHECKING:
    from starloom.server.messages import WireMessage

KeptRequest = ListKeptRuns | ReadKeptRecords | ReadKeptRows | ReadKeptFiles
_MOST_NAMES: Final = 100_000
_MOST_PIECES: Final = 1_000
"""Files in a message."""
_NAP: Final = 0.0005
"""Seconds between two journals in which the loop goes on."""


async def kept(directory: Path, request: KeptRequest, client_format: int) -> WireMessage:
    """The answer to a request; read in a thread.

    Args:
        directory: of the journals.
        request: what is wanted.
        client_format: up to which format of events the client reads.

    Raises:
        CommandRefused: there is no such run, more is asked for than there may be, or the client is too old for it.
        StarloomError: it cannot be read.
    """
    try:
        return await asyncio.to_thread(_kept, directory, request, client_format)
    except OSError as error:
        raise StarloomError(f"The runs in {directory} cannot be looked at ({error.strerror or error}).") from None


def _kept(directory: Path, request: KeptRequest, client_format: int) -> WireMessage:
    match request:
        case ListKeptRuns():
            return _names(directory, request)
        case ReadKeptRecords():
            return _records(directory, request)
        case ReadKeptRows():
            check_format(client_format)
            return _rows(directory, request)
        case ReadKeptFiles():
            return _files(directory, request)


def check_format(client_format: int) -> None:
    """Refuse rows to a client that could not read them.

    Raises:
        CommandRefused: it reads only earlier formats than this engine writes.
    """
    if client_format < FORMAT_VERSION:
        raise CommandRefused(
            "older_format",
            f"This engine writes events in format {FORMAT_VERSION}, and the client reads up to {client_format}.",
            "Use a newer version of Starloom to follow runs; lists and commands work with this one.",
        )


def _names(directory: Path, request: ListKeptRuns) -> KeptRunNames:
    names = tuple(folder.name for folder in run_folders(directory))
    if len(names) > _MOST_NAMES:
        reason = f"There are {len(names):,} runs in {directory}, and {_MOST_NAMES:,} can be listed."
        raise CommandRefused("too_many_runs", reason, "Put some of them elsewhere.")
    return KeptRunNames(request.number, str(directory), names)


def _records(directory: Path, request: ReadKeptRecords) -> KeptRecords:
    if len(request.names) > MOST_RECORDS:
        reason = f"{len(request.names):,} runs are asked for at once, and {MOST_RECORDS} may be."
        raise CommandRefused("too_many_runs", reason, "Ask for some of them at a time.")
    found: list[Any] = []
    for name in request.names:
        folder = _place(directory, name)
        one = replace(record(folder), size=size_of(folder))
        found.append(msgspec.to_builtins(one, enc_hook=_plain))
        time.sleep(_NAP)
    return KeptRecords(request.number, tuple(found))


def _plain(value: object) -> str:
    if isinstance(value, Path):
        return str(value)
    raise NotImplementedError(type(value))


def _place(directory: Path, name: str) -> Path:
    """The folder of a run by its name, whether it is there or not.

    Raises:
        CommandRefused: no folder is named so.
    """
    if not names_folder(name):
        raise CommandRefused("unknown_run", f"{name[:80]!r} names no folder of a run.", "")
    return directory / "runs" / name


def folder_kept(directory: Path, name: str) -> Path:
    """The folder of a run that is kept.

    Raises:
        CommandRefused: there is none of this name.
    """
    folder = _place(directory, name)
    try:
        is_there = (folder / JOURNAL).is_file()
    except (OSError, ValueError):  # a name that no folder can have
        is_there = False
    if not is_there:
        raise CommandRefused("unknown_run", f"There is no run {name[:80]!r} in {directory} any more.", "")
    return folder


# ---- rows


def _rows(directory: Path, request: ReadKeptRows) -> KeptRows:
    path = folder_kept(directory, request.name) / JOURNAL
    about: dict[str, str] = {}
    if request.last <= 0:
        with StreamFile(path, read_only=True) as file:  # which looks whether the file is whole
            last, about = file.last, file.meta
    else:
        last = min(request.last, _last_of(path))
    if not 0 <= request.after <= last:
        reason = f"The journal of {request.name!r} has {last:,} rows, and none {request.after:,}."
        raise CommandRefused("unknown_row", reason, "Read it from its beginning.")
    with closing(RowReader(path, "")) as reader:
        return KeptRows(request.number, last, tuple(reader.rows_after(request.after, last)), about)


def _last_of(path: Path) -> int:
    try:
        with closing(connect_to_read(path)) as connection:
            return last_whole(connection, path)
    except sqlite3.Error as error:
        raise explain(path, error) from None


# ---- files beside the journal


def _files(directory: Path, request: ReadKeptFiles) -> KeptFiles:
    folder = folder_kept(directory, request.name)
    parts = sorted(parts_beside(folder, outputs=request.outputs))
    whole = 0 if request.file else sum(_size(path) for _, path in parts)
    pieces: list[FilePiece] = []
    room = BATCH_BYTES
    for name, path in parts:
        if name < request.file or (request.only and name != request.file):
            continue
        offset = request.offset if name == request.file else 0
        data = _read(path, offset, room)
        pieces.append(FilePiece(name, offset, data))
        room -= len(data)
        if room <= 0 or len(pieces) == _MOST_PIECES:
            return KeptFiles(request.number, tuple(pieces), name, offset + len(data), whole)
    return KeptFiles(request.number, tuple(pieces), whole=whole)


def _size(path: Path) -> int:
    try:
        return path.stat().st_size
    except OSError:  # reading it will say so
        return 0


def _read(path: Path, offset: int, most: int) -> bytes:
    try:
        with path.open("rb") as file:
            file.seek(offset)
            return file.read(most)
    except FileNotFoundError:  # it has been tidied away meanwhile
        return b""
    except (OSError, ValueError, OverflowError) as error:
        raise StarloomError(f"{path} cannot be read: {error}.") from None
