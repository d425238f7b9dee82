"""One stream of events on disk: an SQLite file, one row and one commit a turn.

A commit takes less time than a hop to another thread. What would make it wait for the disk now and then, moving the
write-ahead log into the database, is done by a thread of its own (`log_mover`). Reading is in `reader`.
"""

from __future__ import annotations

import sqlite3
import time
from functools import partial
from typing import TYPE_CHECKING, Self

from starloom.journal.base import JournalDamaged, JournalError
from starloom.journal.codec import encode_parts
from starloom.journal.facts_chain import LARGE, TELLING, FactsChain, drop_after
from starloom.journal.joint_turns import DecidingRow, digest_of, digest_of_row, drop_rows_after, insert_all, last_whole
from starloom.journal.lock import JournalLock
from starloom.journal.log_mover import LogMover
from starloom.journal.moments import JournalMoments, last_moment_without_graph, never
from starloom.journal.opening import connect, open_to_read, open_to_write
from starloom.journal.reader import (
    INSERT,
    TurnReader,
    check_end,
    check_meta,
    explain,
    last_number,
    sha256_of,
    turns,
)
from starloom.journal.vanished import FileIdentity, copy_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from pathlib import Path
    from types import TracebackType

    from starloom.events import Event
    from starloom.journal.base import Moment
    from starloom.journal.codec import RecordedTurn
    from starloom.journal.facts_chain import Checkpoint
    from starloom.scheduling.state.run_facts import RunFacts


EncodedTurn = tuple[float, "tuple[bytes, ...] | Iterator[bytes]"]
"""A turn as it stands in a file: the time of its commit in seconds since 1970, and its rows."""


class StreamFile:
    """Commits each turn of a stream to a file, whole or not at all; a context manager.

    What is committed survives the program's death by `kill -9`. With `full` it survives a power failure too, and each
    commit waits for the disk; without, the last moments before a power failure may be lost, never the file.

    A commit that fails leaves the file as it was before, and the next one may succeed. Nothing here is for two threads
    at once.

    Args:
        path: the file; made if there is none, its folder is not. Beside it lie `-wal` and `-shm` while it is open, and
            `.lock`.
        stream: whose events it holds: a run's id, or empty for the fleet's; None: whatever stands in the file.
        full: wait for the disk with each commit.
        read_only: change nothing, and need no lock: also while another program writes it.

    Attributes:
        meta: what the file says about itself: `stream`, `format`, `engine`, `created`, `seal`, and of a run's file
            `python`, `system`, `user` and `host` of whoever made it.
        stream: whose events it holds.
        last: the number of the last row.
        facts: when checkpoints of the facts are due.

    Raises:
        JournalError: another program has it, it cannot be read or written, is damaged, of a newer version or no
            journal at all; each with what to do.
    """

    def __init__(self, path: Path, stream: str | None = None, *, full: bool = False, read_only: bool = False) -> None:
        self.path = path
        self.read_only = read_only
        self._lock = None if read_only else JournalLock(path)
        self._is_unsure = False
        self._size = 0
        self._newest: tuple[Event, float] | None = None
        self._story: JournalMoments | None = None
        self._connection: sqlite3.Connection | None = None
        self._full = full
        self._log_mover = LogMover(partial(connect, path, full), str(path))
        try:
            self._connection = open_to_read(path) if read_only else open_to_write(path, stream, full)
            self._identity = FileIdentity(path)
            self.meta = check_meta(self._connection, path)
            self.stream = self.meta["stream"]
            self.last = last_whole(self._connection, path)
            self.facts = FactsChain(path, is_new=not self.last and bool(self.stream))
        except sqlite3.Error as error:
            self.close()
            raise explain(path, error) from None
        except UnicodeDecodeError:  # SQLite quotes what it finds in the schema, which may be no text
            self.close()
            raise JournalDamaged(
                f"The journal {path} is damaged (its schema is no text). Salvage what can be read into a new one."
            ) from None
        except BaseException:
            self.close()
            raise
        if stream is not None and self.stream != stream:
            self.close()
            raise JournalError(f"The journal {path} is that of {self.stream!r}, not of {stream!r}. Name another file.")

    # ---- writing

    def commit(
        self, events: Sequence[Event], encoded: EncodedTurn | None = None, decided: DecidingRow | None = None
    ) -> None:
        """Commit one turn's events.

        Args:
            events: of the turn.
            encoded: what `encode` has made of them; None: that is done here.
            decided: the row of another file, committed later, without which they do not count.

        Raises:
            JournalError: they were not kept; the file ends with the turn before, and a later commit may succeed.
        """
        connection = self._writable()
        self.check_place()
        wall, parts = encoded or _encoded(events)
        try:
            if self._is_unsure:
                self._settle(connection)
            if type(parts) is tuple and decided is None:
                number = self.last + 1
                connection.execute(INSERT, (number, parts[0]))  # which commits it: no transaction is open
                size = len(parts[0])
            else:
                number, size = insert_all(connection, self.path, self.last, parts, decided)
        except sqlite3.Error as error:
            self._is_unsure = True
            raise explain(self.path, error) from error
        before, self.last = self.last, number
        newest = events[-1]
        self._newest = newest, wall
        if newest.seq >= self.facts.next or not TELLING.isdisjoint(map(type, events)):
            self.facts.note(events, before + 1, number)
        self._grow(size)

    def encode(self, events: Sequence[Event]) -> tuple[EncodedTurn, DecidingRow]:
        """What a turn's events are in the file, to be given to `commit`, and how that will be known from others.

        Raises:
            JournalError: they cannot be kept, or the file cannot be read.
        """
        wall, parts = _encoded(events)
        parts = tuple(parts)
        try:
            before = digest_of_row(self._open_connection(), self.last)
        except sqlite3.Error as error:
            raise explain(self.path, error) from error
        return (wall, parts), DecidingRow(self.path, self.last + 1, before, digest_of(parts[0]))

    def check_place(self) -> None:
        """Check that the file is where it was opened; may be called in any thread.

        Raises:
            JournalError: it is not.
        """
        self._identity.check()

    def write_anew(self) -> None:
        """Write the journal to its place again if it has vanished; all committed events are still held.

        Raises:
            JournalError: something else is there, or it cannot be written.
        """
        if self._identity.is_there:
            return
        connection = self._writable()
        try:
            if self._is_unsure:
                self._settle(connection)
            copy = copy_of(connection, self.path)
            self.close()  # before there is a log again: SQLite would remove it, as it goes by its name
            self._lock = JournalLock(self.path)
            copy.replace(self.path)
            self._log_mover = LogMover(partial(connect, self.path, self._full), str(self.path))
            self._connection = open_to_write(self.path, self.stream, self._full)
            self._identity = FileIdentity(self.path)
        except sqlite3.Error as error:
            raise explain(self.path, error) from error
        except OSError as error:
            raise JournalError(f"The journal {self.path} cannot be written anew: {error.strerror or error}.") from error

    def _grow(self, size: int) -> None:
        """Record that a number of bytes were written at once."""
        self._size += size
        if self._log_mover.grown(size) and self._size >= LARGE:
            self._size = 0
            self.facts.grown()

    def take_back(self, last: int) -> None:
        """Roll the file back to an earlier row: its turn is part of a larger one that failed elsewhere."""
        self.last = last
        self._is_unsure = True
        self._newest = None
        self.facts.take_back(last)

    def take(self, run: RunFacts) -> Checkpoint | None:
        """A checkpoint of a run's facts after the last commit; None: it is too early for one."""
        if self._newest is None or self._is_unsure:
            return None
        return self.facts.take(run, self.last, *self._newest)

    def keep(self, checkpoint: Checkpoint) -> None:
        """Write a checkpoint of `take`, before the next commit; never fails, as it only saves time."""
        if self._connection is not None:
            self.facts.keep(self._connection, checkpoint)
            self._size = 0
            self._grow(len(checkpoint.data))

    def _writable(self) -> sqlite3.Connection:
        if self.read_only:
            raise JournalError(f"The journal {self.path} is open for reading only; nothing was kept.")
        return self._open_connection()

    def _open_connection(self) -> sqlite3.Connection:
        if self._connection is None:
            raise JournalError(f"The journal {self.path} is closed. Open it again.")
        return self._connection

    def _settle(self, connection: sqlite3.Connection) -> None:
        """After a failed commit, take back what it may have left."""
        if connection.in_transaction:
            connection.execute("ROLLBACK")
        drop_rows_after(connection, self.last)
        drop_after(connection, self.last)
        self._is_unsure = False

    # ---- reading

    def committed(self) -> Iterator[Event]:
        """All events committed until now, oldest first; see `turns`."""
        turns = self.turns()
        return (event for turn in turns for event in turn.events)

    def turns(self) -> Iterator[RecordedTurn]:
        """All turns committed until now, oldest first, read lazily from the file.

        Raises:
            JournalError: the file is closed or, while it is read, damaged; all turns before were given.
        """
        return self._turns(self._connection_to_read(), self.last)

    def _turns(self, connection: sqlite3.Connection, last: int) -> Iterator[RecordedTurn]:
        reading = TurnReader(self.path, self.stream)
        for rows in turns(connection, self.path, last):
            yield reading.turn(rows)
        self._check_end(connection)

    def turns_after(self, row: int, seq: int) -> Iterator[tuple[int, RecordedTurn]]:
        """The turns committed after a row, oldest first, each with its last row, read lazily.

        Args:
            row: the last row of the turn before; 0: all turns are wanted.
            seq: the number of its last event.

        Raises:
            JournalError: the file is closed or, while it is read, damaged; all turns before were given.
        """
        connection = self._connection_to_read()
        reading = TurnReader(self.path, self.stream, seq)
        return ((rows[-1][0], reading.turn(rows)) for rows in turns(connection, self.path, self.last, after=row))

    def view(self, until: int | None = None, should_stop: Callable[[], bool] = never) -> Moment:
        """The run after a row, folded from its stream up to there.

        Turns that the nearest checkpoint of the facts stands for are not read, but for those that shape the graph.

        Args:
            until: the last row of a turn, else the turn before counts; None: the last row there is.
            should_stop: asked before each turn that is read.

        Raises:
            JournalError: the file is closed, or a turn that has to be read is damaged.
            ReadingStopped: `should_stop` said yes.
        """
        connection = self._connection_to_read()
        story = self._story or JournalMoments(connection, self.path, self.stream, keeps_graph=self.read_only)
        if self.read_only:
            self._story = story
        moment = story.moment(self.last if until is None else until, self.last, should_stop)
        if until is None and not self.read_only and self._newest is None:
            self.facts.go_on(moment.view.run.seq, story.known, story.graph, story.shifts)
        return moment

    def view_without_graph(self) -> Moment | None:
        """The run after the last row without its graph; None: no checkpoint stands for all of it.

        Raises:
            JournalError: the file is closed.
        """
        return last_moment_without_graph(self._connection_to_read(), self.stream, self.last)

    def _connection_to_read(self) -> sqlite3.Connection:
        connection = self._open_connection()
        if self.read_only:
            try:
                self.last = last_whole(connection, self.path)
            except sqlite3.Error as error:
                raise explain(self.path, error) from None
        return connection

    def sha256(self) -> str:
        """The hash of the data of all rows, in order: equal for copies of the same journal.

        Raises:
            JournalError: the file is closed, or cannot be read.
        """
        connection = self._connection_to_read()
        return sha256_of(connection, self.path, self.last)

    # ---- the end

    def _check_end(self, connection: sqlite3.Connection) -> None:
        """Check that the last row is the last one that was written."""
        if self.read_only:
            try:
                check_end(connection, self.path, last_number(connection))
            except sqlite3.Error as error:
                raise explain(self.path, error) from None

    def close(self) -> None:
        """Close the file; committed events stay. Leaves no thread; a second call does nothing."""
        if self._connection is not None:
            self._log_mover.close()
            self._connection.close()
            self._connection = None
        if self._lock is not None:
            self._lock.release()
            self._lock = None

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


def _encoded(events: Sequence[Event]) -> EncodedTurn:
    wall = time.time()
    return wall, encode_parts(events, wall)
