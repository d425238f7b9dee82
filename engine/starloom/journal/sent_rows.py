"""A stream's rows and checkpoints as the bytes that stand in its file, for programs that follow a run from elsewhere.

Nothing is encoded anew: a row is sent as it was committed, and a checkpoint as it was kept.
"""

from __future__ import annotations

import sqlite3
from typing import TYPE_CHECKING, Final, NamedTuple

from starloom.journal import facts as room
from starloom.journal.base import JournalError
from starloom.journal.codec import decode_parts, has_more
from starloom.journal.facts_chain import CheckpointChain, nearest
from starloom.journal.moments import laid, shaping_events
from starloom.journal.reader import connect_to_read, damage, explain, has_all
from starloom.scheduling.fold.apply import fold
from starloom.scheduling.state.folded_run import FoldedRun

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from starloom.events import Event

BATCH_BYTES: Final = 256 * 1024
"""Bytes after which a batch of rows ends; a single row may be larger."""
_ROWS: Final = "SELECT number, CAST(data AS BLOB) FROM turns WHERE number > ? AND number <= ? ORDER BY number"
_ROW: Final = "SELECT CAST(data AS BLOB) FROM turns WHERE number = ?"


class KeptCheckpoint(NamedTuple):
    """A checkpoint in a file, by what has to be read to make its facts.

    Attributes:
        row: the last row it stands for.
        links: the rows of the checkpoints it builds on, the oldest first, its own last.
        graph: first and last row of each turn that shapes the graph.
    """

    row: int
    links: tuple[int, ...]
    graph: tuple[tuple[int, int], ...]


class RowReader:
    """Reads the rows of one stream as bytes, also while a program writes them; may be used in any one thread at a time.

    Args:
        path: the stream's file.
        stream: whose it is.

    Raises:
        JournalError: it cannot be read.
    """

    def __init__(self, path: Path, stream: str) -> None:
        self._path = path
        self._stream = stream
        self._connection = connect_to_read(path)

    def rows_after(self, row: int, last: int) -> list[bytes]:
        """The next rows in order, as many as make about `BATCH_BYTES`; empty: there are none.

        Args:
            row: the row before the first one.
            last: no later row is read.

        Raises:
            JournalError: a row is missing or cannot be read.
        """
        found: list[bytes] = []
        size = 0
        try:
            for number, data in self._connection.execute(_ROWS, (row, last)):
                if number != row + len(found) + 1:
                    raise damage(self._path, row + len(found) + 1, "it is missing")
                found.append(data)
                size += len(data)
                if size >= BATCH_BYTES:
                    break
        except sqlite3.Error as error:
            raise explain(self._path, error) from None
        if not found and row < last:
            raise damage(self._path, row + 1, "it is missing")
        return found

    def latest_checkpoint(self, last: int) -> KeptCheckpoint | None:
        """The latest checkpoint that can be used; None: there is none. Decodes it, so not for the event loop.

        Args:
            last: it stands for no later row.
        """
        found = nearest(self._connection, self._stream, last)
        if found is None or not has_all(self._connection, found.link.row):
            return None
        rows = tuple(link.row for link in found.links)
        return KeptCheckpoint(found.link.row, rows, tuple((first, end) for first, end in found.link.graph))

    def link(self, row: int, *, whole: bool) -> bytes:
        """The bytes of a checkpoint: its header, its link and, if `whole`, its facts.

        Raises:
            JournalError: it is not there any more.
        """
        try:
            with self._connection.blobopen("checkpoints", "data", row, readonly=True) as blob:
                if whole:
                    return blob.read()
                header = blob.read(room.HEADER.size)
                return header + blob.read(room.length_of_link(header))
        except sqlite3.Error as error:
            raise explain(self._path, error) from None

    def turn(self, first: int, end: int) -> list[bytes]:
        """The rows of one turn.

        Raises:
            JournalError: one of them cannot be read.
        """
        return [self._row(number) for number in range(first, end + 1)]

    def _row(self, number: int) -> bytes:
        try:
            found = self._connection.execute(_ROW, (number,)).fetchone()
        except sqlite3.Error as error:
            raise explain(self._path, error) from None
        if found is None:
            raise damage(self._path, number, "it is missing")
        data: bytes = found[0]
        return data

    def close(self) -> None:
        """Close the file."""
        self._connection.close()


class RunReplica:
    """A run folded from the bytes that another program sends, with the code that folds a journal.

    Args:
        run_id: whose rows they are.

    Attributes:
        run_id: likewise.
        view: the run after the last whole turn.
        row: the last row taken.
    """

    def __init__(self, run_id: str) -> None:
        self.run_id = run_id
        self.view = FoldedRun(run_id)
        self.row = 0
        self._parts: list[bytes] = []

    def begin(self, row: int, links: Sequence[bytes], graph: Sequence[Sequence[bytes]]) -> None:
        """Start from a checkpoint.

        Args:
            row: the last row it stands for.
            links: as `RowReader.link` gives them, the oldest first, the last one whole.
            graph: the rows of each turn that shapes the graph.

        Raises:
            JournalError: they are no checkpoint of this run.
        """
        try:
            chain = _chain_of(links)
            spans = dict(zip(map(tuple, chain.link.graph), graph, strict=True))
            self.view = laid(self.run_id, chain, lambda span: shaping_events(spans[tuple(span)], self.run_id))
        except room.UNREADABLE as error:
            raise JournalError(f"A checkpoint of the run {self.run_id!r} cannot be read: {error}.") from None
        self.row = row
        self._parts = []

    def take(self, rows: Sequence[bytes]) -> list[Event]:
        """Fold the next rows; returns the events of the turns that they complete.

        Raises:
            JournalError: they cannot be read, or do not go on where the rows before ended.
        """
        events: list[Event] = []
        for data in rows:
            self._parts.append(data)
            self.row += 1
            if not has_more(data):
                turn = decode_parts(self._parts, self.run_id)
                self._parts = []
                if turn.events[0].seq != self.view.run.seq + 1:
                    raise JournalError(f"Event {self.view.run.seq + 1} of the run {self.run_id!r} is missing.")
                fold(self.view, turn.events)
                events += turn.events
        return events


def _chain_of(links: Sequence[bytes]) -> CheckpointChain:
    opened = [_opened(data) for data in links]
    header, _, rest = opened[-1]
    decoded = [room.decode_link(header, link) for header, link, _ in opened]
    return CheckpointChain(decoded, room.decode_facts(header, rest), room.sum_of(header))


def _opened(data: bytes) -> tuple[bytes, bytes, bytes]:
    """Header, link and facts of a checkpoint."""
    header = data[: room.HEADER.size]
    end = room.HEADER.size + room.length_of_link(header)
    return header, data[room.HEADER.size : end], data[end:]
