"""A stream's rows and checkpoints as the bytes that stand in its file, for programs that follow a run from elsewhere.

Nothing is encoded anew: a row is sent as it was committed, and a checkpoint as it was kept.
"""

from __future__ import annotations

import sqlite3
from typing import TYPE_CHECKING, Final, NamedTuple

from starloom.journal import facts as room
from starloom.journal.base import JournalError
from starloom.journal.codec import RecordedTurn, decode_parts, has_more
from starloom.journal.facts_chain import CheckpointChain, nearest
from starloom.journal.moments import laid, shaping_events
from starloom.journal.reader import connect_to_read, damage, explain, has_all
from starloom.scheduling.fold.apply import fold
from starloom.scheduling.state.folded_run import FoldedRun

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
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


class RowsOfTurns:
    """Makes turns of one stream of the rows that another program sends, in order.

    Args:
        stream: whose rows they are.

    Attributes:
        row: the last row taken.
    """

    def __init__(self, stream: str) -> None:
        self.row = 0
        self._stream = stream
        self._parts: list[bytes] = []

    def begin(self, row: int) -> None:
        """Go on after another row, the last one of its turn."""
        self.row, self._parts = row, []

    def take(self, rows: Sequence[bytes], seq: int) -> Iterator[RecordedTurn]:
        """The turns that these rows complete.

        Args:
            rows: the next ones.
            seq: the number of the last event before them.

        Raises:
            JournalError: they cannot be read, or do not go on where the rows before ended.
        """
        for data in rows:
            self._parts.append(data)
            self.row += 1
            if not has_more(data):
                parts, self._parts = self._parts, []
                turn = decode_parts(parts, self._stream)
                if turn.events[0].seq != seq + 1:
                    whose = f"the run {self._stream!r}" if self._stream else "the fleet"
                    raise JournalError(f"Event {seq + 1} of {whose} is missing.")
                seq += len(turn.events)
                yield turn


class RunReplica:
    """A run folded from the bytes that another program sends, with the code that folds a journal.

    Args:
        run_id: whose rows they are.

    Attributes:
        run_id: likewise.
        view: the run after the last whole turn.
        at: when that was, in seconds on the clock of the engine of that time.
        wall: the same in seconds since 1970.
    """

    def __init__(self, run_id: str) -> None:
        self.run_id = run_id
        self.view = FoldedRun(run_id)
        self.at = self.wall = 0.0
        self._rows = RowsOfTurns(run_id)

    @property
    def row(self) -> int:
        """The last row taken."""
        return self._rows.row

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
        self.at, self.wall = chain.link.at, chain.link.wall
        self._rows.begin(row)

    def take(self, rows: Sequence[bytes]) -> list[Event]:
        """Fold the next rows; returns the events of the turns that they complete.

        Raises:
            JournalError: they cannot be read, or do not go on where the rows before ended.
        """
        events: list[Event] = []
        self.view.run.fleet = self.view.fleet  # it may have been put on another one, for reading
        for turn in self._rows.take(rows, self.view.run.seq):
            fold(self.view, turn.events)
            events += turn.events
            self.at, self.wall = events[-1].at, turn.wall
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
