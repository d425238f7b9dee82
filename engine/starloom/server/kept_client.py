"""What a client asks of the runs that a server has kept: their records, and copies of their journals and files here.

Bounded pieces are asked for one after the other, so that commands of the same connection come in between, little of a
run is in memory at a time, and whoever has lost the connection asks on from where it was.
"""

from __future__ import annotations

import asyncio
import os
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, Self, TypeVar

import msgspec
from msgspec import structs

from starloom.decodable import decodable
from starloom.errors import CommandRefused
from starloom.journal.base import JournalError
from starloom.journal.bundle import OUTPUT, is_part
from starloom.journal.names import JOURNAL
from starloom.journal.records import RunRecord
from starloom.journal.row_copy import RowCopy, end_of_copy
from starloom.model.likeness import ObservedDurations
from starloom.private_files import make_folder, open_private
from starloom.server.kept_messages import (
    FilePiece,
    KeptFiles,
    KeptRecords,
    KeptRows,
    KeptRunNames,
    ListKeptRuns,
    ReadKeptFiles,
    ReadKeptRecords,
    ReadKeptRows,
    ReadPlanDurations,
    names_folder,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from starloom.server.client import EngineClient
    from starloom.server.messages import RequestAnswer

_T = TypeVar("_T")
_PART: Final = ".part"
"""Behind the name of a file of which not all is here yet."""


class KeptRunsClient:
    """Asks for the runs that a server has kept. Copies of different runs may be made at the same time.

    Args:
        client: of the server.
    """

    def __init__(self, client: EngineClient) -> None:
        self._client = client

    @property
    def missing(self) -> str:
        """Why the server tells nothing of them, as a sentence; empty: it does."""
        welcome = self._client.welcome
        if welcome.sends_kept:
            return ""
        return f"The server is of version {welcome.version or 'unknown'}, which does not send what it has kept of runs."

    async def names(self) -> KeptRunNames:
        """The names of the folders of all runs, those written last first.

        Raises:
            ServerError: the connection is lost.
            CommandRefused: the server is of an earlier version.
            StarloomError: the server cannot look at them.
        """
        found: KeptRunNames = await self._read(partial(ListKeptRuns))
        return structs.replace(found, names=tuple(filter(names_folder, found.names)))

    async def records(self, names: Sequence[str]) -> list[RunRecord]:
        """What lists tell of these runs, with the folders that they have on the machine of the server.

        Args:
            names: of folders, at most `MOST_RECORDS`.

        Raises:
            ServerError: the connection is lost.
            JournalError: what came are no records.
            StarloomError: see `names`.
        """
        told: KeptRecords = await self._read(partial(ReadKeptRecords, names=tuple(names)))
        try:
            return [msgspec.convert(one, decodable(RunRecord), dec_hook=_made) for one in told.records]
        except (msgspec.ValidationError, ValueError, TypeError) as error:
            raise JournalError(f"What the server tells of its runs makes no sense: {error}.") from None

    async def durations(self, plan: str) -> ObservedDurations:
        """What earlier runs of the plan of a name tell about its durations.

        Raises:
            ServerError: the connection is lost.
            CommandRefused: the server is of an earlier version.
            JournalError: what came are no durations.
        """
        told: RequestAnswer = await self._read(partial(ReadPlanDurations, plan=plan))
        try:
            return msgspec.convert(told.value, decodable(ObservedDurations))
        except msgspec.ValidationError as error:
            raise JournalError(f"What the server tells of durations makes no sense: {error}.") from None

    async def copy_journal(self, name: str, folder: Path, tell: Callable[[float], object]) -> None:
        """Have the journal of a run in a folder here, as it stands there now; what is there already is not sent again.

        Args:
            name: of the run's folder.
            folder: where to; made if it is not there.
            tell: is told what share of the rows is here, 0 to 1.

        Raises:
            ServerError: the connection is lost; what was there before still is.
            JournalError: it cannot be written here.
            StarloomError: the server does not give it; see `names`.
        """
        path = folder / JOURNAL
        with _Thread() as thread:
            row, data = await thread.run(end_of_copy, path)
            told = await self._rows_from(name, row)
            is_same = row > 0 and told.rows[:1] == (data,)
            if row and not is_same:
                told = await self._rows(name, 0)
            copy = RowCopy(path)
            try:
                await thread.run(partial(copy.begin, told.about, anew=not is_same))
                await self._add(name, told, told.rows[1:] if is_same else told.rows, copy, thread, tell)
                await thread.run(copy.commit)
            finally:
                await asyncio.shield(thread.run(copy.close))

    async def _rows_from(self, name: str, row: int) -> KeptRows:
        """The rows from one on that is here; none where the journal has become shorter there."""
        try:
            return await self._rows(name, max(0, row - 1))
        except CommandRefused as refused:
            if refused.code != "unknown_row":
                raise
            return KeptRows(0, 0, ())

    async def _rows(self, name: str, after: int, last: int = 0) -> KeptRows:
        found: KeptRows = await self._read(partial(ReadKeptRows, name=name, after=after, last=last))
        return found

    async def _add(
        self,
        name: str,
        told: KeptRows,
        rows: tuple[bytes, ...],
        copy: RowCopy,
        thread: _Thread,
        tell: Callable[[float], object],
    ) -> None:
        """Add these rows, and all that come after them."""
        last = told.last
        while True:
            await thread.run(copy.add, rows)
            if copy.last >= last:
                return
            if not told.rows:
                raise JournalError(f"The server has sent {copy.last:,} of {last:,} rows of {name!r}, and no more.")
            tell(copy.last / last)
            told = await self._rows(name, copy.last, last)
            rows = told.rows

    async def copy_files(self, name: str, folder: Path, tell: Callable[[float], object], *, outputs: bool) -> None:
        """Have the files beside the journal of a run in a folder here.

        Args:
            name: of the run's folder.
            folder: where to; it is there.
            tell: is told what share of the bytes is here, 0 to 1.
            outputs: whether what attempts have printed is wanted, or only the positions of nodes.

        Raises:
            ServerError: the connection is lost; no file is there in part.
            JournalError: they cannot be written here.
            StarloomError: the server does not give them; see `names`.
        """
        done = whole = 0
        request = partial(ReadKeptFiles, name=name, outputs=outputs)
        told: KeptFiles = await self._read(request)
        whole = told.whole
        while True:
            await asyncio.to_thread(_write, folder, told)
            if not told.file:
                return
            done += sum(len(piece.data) for piece in told.pieces)
            tell(min(1.0, done / whole) if whole else 0.0)
            told = await self._read(partial(request, file=told.file, offset=told.offset))

    async def copy_output(self, name: str, path: Path) -> None:
        """Have the output of one attempt in a file here; none comes to be where it has printed nothing.

        Args:
            name: of the run's folder.
            path: of the file, in the folder of the run here.

        Raises:
            StarloomError: see `copy_files`.
        """
        file = f"{OUTPUT}/{path.name}"
        request = partial(ReadKeptFiles, name=name, outputs=True, file=file, only=True)
        told: KeptFiles = await self._read(request)
        while told.pieces:
            await asyncio.to_thread(_write, path.parents[1], told)
            if not told.file:
                return
            told = await self._read(partial(request, offset=told.offset))

    async def _read(self, request: Callable[..., Any]) -> Any:
        if self.missing:
            raise CommandRefused("older_server", self.missing, "Start it again with this version.")
        return await self._client.read(request)


def _made(kind: type, value: Any) -> Any:
    if kind is Path:
        return Path(value)
    raise NotImplementedError(kind)


def _write(folder: Path, told: KeptFiles) -> None:
    """Write pieces of files; a file has its name once it is whole.

    Raises:
        JournalError: they cannot be written, or are none of a run.
    """
    for piece in told.pieces:
        if not is_part(piece.name) or piece.name == JOURNAL:
            raise JournalError(f"What was sent has a part that no run has: {piece.name[:80]!r}.")
        path = folder / piece.name
        try:
            _append(path.with_name(path.name + _PART), piece)
            if piece.name != told.file:
                os.replace(path.with_name(path.name + _PART), path)
        except OSError as error:
            raise JournalError(f"{path} cannot be written ({error.strerror}). See whether there is room.") from None


def _append(path: Path, piece: FilePiece) -> None:
    make_folder(path.parent)
    if not piece.offset:
        path.unlink(missing_ok=True)
        open_private(path).close()
    with path.open("r+b") as file:
        file.seek(piece.offset)
        file.write(piece.data)
        file.truncate()


class _Thread:
    """One thread for calls that are made one after the other, also where whoever waits for one is cancelled."""

    def __init__(self) -> None:
        self._executor = ThreadPoolExecutor(1, thread_name_prefix="starloom copy of a run")

    async def run(self, call: Callable[..., _T], *given: Any) -> _T:
        return await asyncio.get_running_loop().run_in_executor(self._executor, partial(call, *given))

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._executor.shutdown(wait=False)
