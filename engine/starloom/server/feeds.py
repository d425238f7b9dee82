"""The committed rows of an engine's runs, for those that follow them: read from the journals, each batch framed once.

A follower keeps nothing here but the number of the row it has come to. Whoever reads slowly reads later what is in the
journal anyway, so nothing piles up for it, and nobody is waited for.
"""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Final

from starloom.journal.base import JournalError
from starloom.journal.names import JOURNAL
from starloom.journal.sent_rows import RowReader
from starloom.server.wire import RowBatch, frame

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from starloom.journal.library import Library
    from starloom.journal.sent_rows import KeptCheckpoint

_GATHER: Final = 0.001, 0.02
"""Seconds that lie at least between two calls of those who follow a run: while little happens, a turn is told at once,
and while much does, many of them together."""
_MUCH: Final = 32
"""Rows between two calls that are much."""


class RunFeed:
    """The rows of one run, shared by all who follow it.

    Attributes:
        last: the last row that is committed, as far as those who follow were told.
        told_at: when they were, in seconds on the loop's clock.
        is_busy: whether there was much to tell then.
    """

    def __init__(self, run_id: str, path: Path, last: int) -> None:
        self.run_id = run_id
        self.path = path
        self.last = last
        self.told_at = 0.0
        self.is_busy = False
        self.followers = 0
        self._reader = RowReader(path, run_id)
        self._news = asyncio.Event()
        self._framed: tuple[int, int, bytes] | None = None

    def batch_after(self, row: int) -> tuple[int, bytes] | None:
        """The next rows as a frame, and the number of the last one in it; None: there are none yet.

        Raises:
            JournalError: they cannot be read.
        """
        framed = self._framed
        if framed is not None and framed[0] == row:
            return framed[1:]
        rows = self._reader.rows_after(row, self.last)
        if not rows:
            return None
        self._framed = row, row + len(rows), frame(RowBatch(row + 1, tuple(rows)))
        return self._framed[1:]

    def parts_of(self, checkpoint: KeptCheckpoint) -> Iterator[bytes]:
        """The parts of a checkpoint, read as they are asked for: its links, then the rows of the graph's turns.

        Raises:
            JournalError: one of them is not there any more.
        """
        for row in checkpoint.links:
            yield self._reader.link(row, whole=row == checkpoint.row)
        for first, end in checkpoint.graph:
            yield from self._reader.turn(first, end)

    def wake(self, last: int) -> None:
        """Tell all who wait that there are rows up to this one."""
        self.last = last
        self._news.set()
        self._news = asyncio.Event()

    async def news(self) -> None:
        """Return once there are more rows."""
        await self._news.wait()

    def close(self) -> None:
        """Close the journal."""
        self._reader.close()


class RunFeeds:
    """The feeds of the runs that are followed at present.

    Args:
        library: the engine's journals; nothing has been committed to them yet.

    Attributes:
        keeps_fleet: whether these journals have the fleet's stream, and the whole of it.
    """

    def __init__(self, library: Library) -> None:
        self._library = library
        self.keeps_fleet = not library.notice
        self._loop = asyncio.get_running_loop()
        self._rows: dict[str, int] = {}
        self._feeds: dict[str, RunFeed] = {}
        self._due: set[str] = set()
        library.follow(self._committed)

    def _committed(self, stream: str, last: int) -> None:
        """Note the last row of a stream; called in the thread that commits."""
        self._rows[stream] = last
        if stream in self._feeds and stream not in self._due:
            self._due.add(stream)  # one call of the loop for all turns until then
            self._loop.call_soon_threadsafe(self._tell_soon, stream)

    def _tell_soon(self, stream: str) -> None:
        feed = self._feeds.get(stream)
        due = 0.0 if feed is None else feed.told_at + _GATHER[feed.is_busy]
        self._loop.call_at(max(due, self._loop.time()), self.tell, stream)

    def tell(self, run_id: str) -> None:
        """Tell those who follow a run, if anybody does, up to which row it is committed."""
        self._due.discard(run_id)
        feed = self._feeds.get(run_id)
        if feed is not None:
            feed.told_at, feed.is_busy = self._loop.time(), self._rows[run_id] - feed.last >= _MUCH
            feed.wake(self._rows[run_id])

    def open(self, run_id: str) -> RunFeed:
        """The feed of a run; to be given to `leave` later.

        Args:
            run_id: of a run of this engine.

        Raises:
            JournalError: its journal cannot be read.
        """
        feed = self._feeds.get(run_id)
        if feed is None:
            folder = self._library.folder(run_id)
            if folder is None or run_id not in self._rows:
                raise JournalError(f"Nothing of the run {run_id!r} is kept yet.")
            feed = self._feeds[run_id] = RunFeed(run_id, folder / JOURNAL, self._rows[run_id])
            feed.last = self._rows[run_id]  # a turn may have been committed before the thread that does so saw the feed
        feed.followers += 1
        return feed

    def leave(self, feed: RunFeed) -> None:
        """Follow a feed no more; nobody else doing so, its journal is closed."""
        feed.followers -= 1
        if not feed.followers:
            del self._feeds[feed.run_id]
            feed.close()
