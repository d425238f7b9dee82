"""The committed rows of an engine's streams, for those that follow them: read from journals, each batch framed once.

A follower keeps nothing here but the number of the row it has come to. Whoever reads slowly reads later what is in the
journal anyway, so nothing piles up for it, and nobody is waited for.
"""

from __future__ import annotations

import asyncio
import threading
from typing import TYPE_CHECKING, Final

from starloom.journal.base import JournalError
from starloom.journal.fleet_replica import FLEET
from starloom.journal.names import FLEET_JOURNAL, JOURNAL
from starloom.journal.sent_rows import RowReader
from starloom.server.messages import RowBatch
from starloom.server.wire import frame

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping
    from pathlib import Path

    from starloom.journal.library import Library
    from starloom.journal.sent_rows import KeptCheckpoint

_GATHER: Final = 0.02
"""Seconds that lie at least between two calls of those who follow, as each wakes them: a turn by itself is told at
once, and those that come soon after it are told together."""
_HURRY: Final = 0.001
"""The same if somebody waits for what was committed."""


class RunFeed:
    """The rows of one stream, shared by all who follow it.

    Attributes:
        run_id: of the run; empty: it is the fleet's.
        last: the last row that is committed, as far as those who follow this stream alone were told.
        followers: how many follow this stream alone.
        readers: how many read it, they included.
    """

    def __init__(self, run_id: str, path: Path, last: int) -> None:
        self.run_id = run_id
        self.path = path
        self.last = last
        self.followers = self.readers = 0
        self._reader = RowReader(path, run_id)
        self._news = asyncio.Event()
        self._framed: tuple[int, int, bytes] | None = None

    def batch_after(self, row: int, last: int) -> tuple[int, bytes] | None:
        """The next rows as a frame, and the number of the last one in it; None: there are none yet.

        Args:
            row: the row before the first one.
            last: no later row is wanted.

        Raises:
            JournalError: they cannot be read.
        """
        framed = self._framed
        if framed is not None and framed[0] == row and framed[1] <= last:
            return framed[1:]
        rows = self._reader.rows_after(row, last)
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


class TurnFeed:
    """The committed turns of all streams, for one who follows them: up to which row each has come.

    Args:
        take_in: adds what was committed until now.
    """

    def __init__(self, take_in: Callable[[], None]) -> None:
        self._take_in = take_in
        self._moved: dict[str, int] = {}
        self._news = asyncio.Event()

    def add(self, rows: Mapping[str, int]) -> None:
        """Note the last row of each stream of some turns."""
        self._moved.update(rows)

    def take(self) -> dict[str, int]:
        """The last rows of the streams that were committed to since the last call; they are those of a whole turn."""
        self._news.clear()
        self._take_in()
        moved, self._moved = self._moved, {}
        return moved

    def wake(self) -> None:
        """Have `news` return."""
        self._news.set()

    async def news(self) -> None:
        """Return once there may be more turns."""
        await self._news.wait()


class RunFeeds:
    """The feeds of the streams that are followed at present.

    Args:
        library: the engine's journals; nothing has been committed to them yet.

    Attributes:
        keeps_fleet: whether these journals have the fleet's stream, and the whole of it.
    """

    def __init__(self, library: Library) -> None:
        self._library = library
        self.keeps_fleet = not library.notice
        self._loop = asyncio.get_running_loop()
        self._loop_thread = threading.get_ident()
        self._lock = threading.Lock()
        self._fresh: dict[str, int] = {}
        self._rows: dict[str, int] = {}
        self._feeds: dict[str, RunFeed] = {}
        self._turn_feeds: list[TurnFeed] = []
        self._told_at = 0.0
        self._is_due = False
        library.follow(self._committed)

    def _committed(self, rows: Mapping[str, int]) -> None:
        """Note the last rows of the streams of a turn; called in the thread that commits."""
        with self._lock:
            self._fresh.update(rows)
        if not self._is_due and (self._feeds or self._turn_feeds):
            self._is_due = True  # one call for all turns until then
            if threading.get_ident() == self._loop_thread:
                self._tell_soon()
            else:
                self._loop.call_soon_threadsafe(self._tell_soon)

    def _take_in(self) -> None:
        """Take in what was committed since the last call, which is whole turns."""
        with self._lock:
            fresh, self._fresh = self._fresh, {}
        self._rows.update(fresh)
        for one in self._turn_feeds:
            one.add(fresh)

    def hurry(self) -> None:
        """Tell those who follow within a millisecond what is committed now, as somebody waits for that."""
        if self._is_due:
            self._tell_soon(_HURRY)

    def _tell_soon(self, gap: float = _GATHER) -> None:
        self._loop.call_at(max(self._told_at + gap, self._loop.time()), self._tell)

    def _tell(self) -> None:
        if not self._is_due:  # somebody was in a hurry
            return
        self._is_due = False
        self._told_at = self._loop.time()
        self._take_in()
        for feed in self._feeds.values():
            if feed.followers and feed.last != (last := self._rows[feed.run_id]):
                feed.wake(last)
        for one in self._turn_feeds:
            one.wake()

    def last_row(self, run_id: str) -> int:
        """The last row of a stream that is committed; 0: there is none.

        Args:
            run_id: of a run of this engine; empty: the fleet's.
        """
        self._take_in()
        return self._rows.get(run_id, 0)

    @property
    def has_fleet(self) -> bool:
        """Whether these journals have the fleet's stream, to which an engine commits as it opens."""
        return self.last_row(FLEET) > 0

    # ---- one stream

    def open(self, run_id: str, *, follows: bool = True) -> RunFeed:
        """The feed of a stream; to be given to `leave` later.

        Args:
            run_id: of a run of this engine; empty: the fleet's.
            follows: whether it is followed alone, and `news` of it are waited for.

        Raises:
            JournalError: its journal cannot be read.
        """
        feed = self._feeds.get(run_id)
        if feed is None:
            feed = self._feeds[run_id] = RunFeed(run_id, self._path(run_id), self.last_row(run_id))
        feed.readers += 1
        feed.followers += follows
        last = self.last_row(run_id)  # again: a turn may have been committed before its thread saw the feed
        if follows:
            feed.wake(last)  # whoever begins is told facts of now, which others were not told of yet
        return feed

    def _path(self, run_id: str) -> Path:
        if run_id == FLEET and self.has_fleet:
            return self._library.directory / FLEET_JOURNAL
        folder = self._library.folder(run_id)
        if folder is None or not self.last_row(run_id):
            raise JournalError(f"Nothing of {f'the run {run_id!r}' if run_id else 'the fleet'} is kept yet.")
        return folder / JOURNAL

    def leave(self, feed: RunFeed, *, follows: bool = True) -> None:
        """Read a feed no more; nobody else doing so, its journal is closed."""
        feed.readers -= 1
        feed.followers -= follows
        if not feed.readers:
            del self._feeds[feed.run_id]
            feed.close()

    # ---- all of them

    def open_turns(self) -> TurnFeed:
        """A feed of the turns of all streams, which begins with all that is committed; to be given to `leave_turns`."""
        feed = TurnFeed(self._take_in)
        self._turn_feeds.append(feed)
        self._take_in()  # after that: a turn may have been committed before its thread saw the feed
        feed.add(self._rows)
        return feed

    def leave_turns(self, feed: TurnFeed) -> None:
        """Follow the turns no more."""
        self._turn_feeds.remove(feed)
