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
    from collections.abc import Iterator, Mapping
    from pathlib import Path

    from starloom.journal.library import Library
    from starloom.journal.sent_rows import KeptCheckpoint

_GATHER: Final = 0.001, 0.02
"""Seconds that lie at least between two calls of those who follow a stream: while little happens, a turn is told at
once, and while much does, many of them together."""
_SPAN: Final = 0.01
"""Seconds over which rows are counted."""
_MUCH: Final = 32
"""Rows, or turns of all streams, in that time that are much."""


class FollowerPace:
    """How often followers are told: less often while much happens, as each call wakes them.

    A sender who waits for the effect of each command cannot make so much happen.
    """

    def __init__(self) -> None:
        self._told_at = self._begun = 0.0
        self._count = 0
        self._is_busy = False

    @property
    def due(self) -> float:
        """The moment before which they are not told again, in seconds on the loop's clock."""
        return self._told_at + _GATHER[self._is_busy]

    def note(self, count: int, now: float) -> None:
        """Note that they are told of so many rows or turns now."""
        self._told_at = now
        self._count += count
        if (taken := now - self._begun) >= _SPAN:
            self._is_busy = self._count * _SPAN >= _MUCH * taken
            self._count, self._begun = 0, now


class RunFeed:
    """The rows of one stream, shared by all who follow it.

    Attributes:
        run_id: of the run; empty: it is the fleet's.
        last: the last row that is committed, as far as those who follow this stream alone were told.
        pace: how often they are.
        followers: how many follow this stream alone.
        readers: how many read it, they included.
    """

    def __init__(self, run_id: str, path: Path, last: int) -> None:
        self.run_id = run_id
        self.path = path
        self.last = last
        self.pace = FollowerPace()
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
        rows: the last row of each stream at present.
    """

    def __init__(self, rows: Mapping[str, int]) -> None:
        self._lock = threading.Lock()
        self._moved = dict(rows)
        self._news = asyncio.Event()

    def add(self, rows: Mapping[str, int]) -> None:
        """Note the last row of each stream of a turn; called in the thread that commits."""
        with self._lock:
            self._moved.update(rows)

    def take(self) -> dict[str, int]:
        """The last rows of the streams that were committed to since the last call; they are those of a whole turn."""
        self._news.clear()
        with self._lock:
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
        self._rows: dict[str, int] = {}
        self._feeds: dict[str, RunFeed] = {}
        self._due: set[str] = set()
        self._turn_feeds: tuple[TurnFeed, ...] = ()
        self._turns = 0
        self._turns_told = 0
        self._pace = FollowerPace()
        self._are_turns_due = False
        library.follow(self._committed)

    def _committed(self, rows: Mapping[str, int]) -> None:
        """Note the last rows of the streams of a turn; called in the thread that commits."""
        self._rows.update(rows)
        for stream in rows:
            feed = self._feeds.get(stream)
            if feed is not None and feed.followers and stream not in self._due:
                self._due.add(stream)  # one call of the loop for all turns until then
                self._loop.call_soon_threadsafe(self._tell_soon, stream)
        if self._turn_feeds:
            self._turns += 1
            for one in self._turn_feeds:
                one.add(rows)
            if not self._are_turns_due:
                self._are_turns_due = True
                self._loop.call_soon_threadsafe(self._tell_turns_soon)

    @property
    def has_fleet(self) -> bool:
        """Whether these journals have the fleet's stream, to which an engine commits as it opens."""
        return FLEET in self._rows

    # ---- one stream

    def _tell_soon(self, stream: str) -> None:
        feed = self._feeds.get(stream)
        due = 0.0 if feed is None else feed.pace.due
        self._loop.call_at(max(due, self._loop.time()), self.tell, stream)

    def tell(self, run_id: str) -> None:
        """Tell those who follow a run alone, if anybody does, up to which row it is committed."""
        self._due.discard(run_id)
        feed = self._feeds.get(run_id)
        if feed is not None:
            feed.pace.note(self._rows[run_id] - feed.last, self._loop.time())
            feed.wake(self._rows[run_id])

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
            feed = self._feeds[run_id] = RunFeed(run_id, self._path(run_id), self._rows[run_id])
        feed.readers += 1
        feed.followers += follows
        if feed.followers == follows:
            feed.last = self._rows[run_id]  # a turn may have been committed before the thread that does so saw the feed
        return feed

    def _path(self, run_id: str) -> Path:
        if run_id == FLEET and self.has_fleet:
            return self._library.directory / FLEET_JOURNAL
        folder = self._library.folder(run_id)
        if folder is None or run_id not in self._rows:
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
        feed = TurnFeed({})
        self._turn_feeds = (*self._turn_feeds, feed)
        feed.add(self._rows)
        return feed

    def leave_turns(self, feed: TurnFeed) -> None:
        """Follow the turns no more."""
        self._turn_feeds = tuple(one for one in self._turn_feeds if one is not feed)

    def _tell_turns_soon(self) -> None:
        self._loop.call_at(max(self._pace.due, self._loop.time()), self._tell_turns)

    def _tell_turns(self) -> None:
        self._are_turns_due = False
        turns = self._turns
        self._pace.note(turns - self._turns_told, self._loop.time())
        self._turns_told = turns
        for one in self._turn_feeds:
            one.wake()
