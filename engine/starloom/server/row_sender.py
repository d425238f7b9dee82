"""Sending one client the rows of streams: from the beginning or a checkpoint, then as they are committed."""

from __future__ import annotations

import asyncio
from contextlib import closing
from typing import TYPE_CHECKING, Final, Protocol

from starloom.journal.fleet_replica import FLEET
from starloom.journal.sent_rows import BATCH_BYTES, RowReader
from starloom.server.listings import PeopleListing, Person
from starloom.server.messages import CheckpointHead, CheckpointPart, FleetCheckpoint, StreamHead, WholeTurns
from starloom.server.wire import frame

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from starloom.journal.sent_rows import KeptCheckpoint
    from starloom.server.feeds import RunFeed, RunFeeds

FAR: Final = 2_000
"""Rows a client may be behind before a checkpoint is looked for that spares it the reading."""


class TurnSender(Protocol):
    """The protocol of what sends a client rows while its requests are answered.

    Attributes:
        name: of what it sends, for sentences.
    """

    name: str

    async def follow(self) -> None:
        """Send rows until `end` is called and all have been sent.

        Raises:
            JournalError: a journal cannot be read.
            WireError: a row is too long for the wire.
            OSError: the connection is gone.
        """

    def end(self) -> None:
        """Have `follow` return once all rows have been sent."""

    def close(self) -> None:
        """Give back the feeds."""


class StreamSender:
    """One client on its way along a stream's rows.

    Args:
        feed: of the stream.
        writer: of the client's connection.
        after: the last row that the client has.

    Attributes:
        feed: likewise.
        row: the last row that was sent.
    """

    def __init__(self, feed: RunFeed, writer: asyncio.StreamWriter, after: int = 0) -> None:
        self.row = after
        self.feed = feed
        self._writer = writer
        self._looked_at = 0

    async def send(self, last: int) -> None:
        """Send the rows up to one; see `TurnSender.follow` for what is raised."""
        if last - max(self.row, self._looked_at) >= FAR and self.feed.run_id != FLEET:
            await self._skip(last)
        while self.row < last:
            found = self.feed.batch_after(self.row, last)
            assert found is not None, "there are rows up to that one"
            self.row, data = found
            self._writer.write(data)
            await self._writer.drain()

    async def begin_fleet(self, fleet: FleetCheckpoint) -> None:
        """Send the facts of the fleet, from which the client goes on, if it is far from there."""
        if _begins_anew(self.row, fleet):
            self.row = fleet.row
            self._writer.write(frame(fleet))
            await self._writer.drain()

    async def _skip(self, last: int) -> None:
        """Send the latest checkpoint, if it is ahead of the client; looked for once in so many rows."""
        self._looked_at = last
        found = await asyncio.to_thread(_latest_checkpoint, self.feed, last)
        if found is None or found.row - self.row < FAR:
            return
        turns = tuple(end - first + 1 for first, end in found.graph)
        self._writer.write(frame(CheckpointHead(found.row, len(found.links), turns)))
        for part in self.feed.parts_of(found):
            for begin in range(0, len(part), BATCH_BYTES):
                end = begin + BATCH_BYTES
                self._writer.write(frame(CheckpointPart(part[begin:end], more=end < len(part))))
                await self._writer.drain()  # so that there is one part at a time in memory
        self.row = found.row


def _begins_anew(row: int, fleet: FleetCheckpoint) -> bool:
    """Whether a client that has the fleet up to a row is sent its facts instead of the rows after that."""
    return not row or fleet.row - row >= FAR


def _latest_checkpoint(feed: RunFeed, last: int) -> KeptCheckpoint | None:
    with closing(RowReader(feed.path, feed.run_id)) as reader:
        return reader.latest_checkpoint(last)


class RowSender:
    """Sends one client the rows of one stream.

    Args:
        feeds: of the engine.
        run_id: of the run; empty: the fleet's stream is wanted.
        writer: of the client's connection.
        after: the last row that the client has.

    Attributes:
        name: of the stream, for sentences.
        fleet: of the fleet's stream, facts to begin with.

    Raises:
        JournalError: the journal cannot be read.
    """

    def __init__(self, feeds: RunFeeds, run_id: str, writer: asyncio.StreamWriter, after: int = 0) -> None:
        self.name = run_id or "the fleet"
        self.fleet: FleetCheckpoint | None = None
        self._feeds = feeds
        self._feed = feeds.open(run_id)
        self._stream = StreamSender(self._feed, writer, after)
        self._is_ending = False

    @property
    def row(self) -> int:
        """The last row that was sent."""
        return self._stream.row

    @property
    def last(self) -> int:
        """The last row that is committed, as far as was told."""
        return self._feed.last

    async def follow(self) -> None:
        """Send rows; see `TurnSender.follow`."""
        if self.fleet is not None:
            await self._stream.begin_fleet(self.fleet)
        while True:
            if self.row < self._feed.last:
                await self._stream.send(self._feed.last)
            elif self._is_ending:
                return
            else:
                await self._feed.news()

    def end(self) -> None:
        """Have `follow` return; see `TurnSender.end`."""
        self._is_ending = True
        self._feed.wake(self._feeds.last_row(self._feed.run_id))

    def close(self) -> None:
        """Give back the feed."""
        self._feeds.leave(self._feed)


class EngineSender:
    """Sends one client the rows of the fleet and of all runs that live, whole turns only.

    To be made when the facts are those of the last commit.

    Args:
        feeds: of the engine, which keeps the fleet's stream.
        writer: of the client's connection.
        after: the last row that the client has of each stream it knows.
        fleet: gives the facts of the fleet, which are of this row.
        is_live: whether a run goes on, by its id.

    Attributes:
        name: of what it sends, for sentences.
    """

    def __init__(
        self,
        feeds: RunFeeds,
        writer: asyncio.StreamWriter,
        after: Mapping[str, int],
        fleet: Callable[[int], FleetCheckpoint],
        is_live: Callable[[str], bool],
    ) -> None:
        self.name = "the engine"
        self._feeds = feeds
        self._writer = writer
        self._is_live = is_live
        self._open: dict[str, StreamSender] = {}
        self._current: str | None = None
        self._is_ending = False
        self._asked: list[tuple[Mapping[str, int], WholeTurns]] = []
        self._tells_people = False
        self._people: tuple[Person, ...] | None = None
        """Who is connected, as far as that is news."""
        self._turns = feeds.open_turns()
        self._moved = self._turns.take()
        self._fleet = fleet(self._moved[FLEET])
        lost = {stream for stream, row in after.items() if row > self._moved.get(stream, row)}
        self._rows = {stream: row for stream, row in after.items() if stream not in lost}
        """The last row of each stream that the client has."""
        if _begins_anew(self._rows.get(FLEET, 0), self._fleet):  # at which the client lets go of runs that have ended
            self._rows = {stream: row for stream, row in self._rows.items() if stream == FLEET or is_live(stream)}
        self._ended = {one for one in self._moved if one not in self._rows and one != FLEET and not is_live(one)}
        """The runs of which the client is told nothing until they are asked for or go on, and then all."""

    async def follow(self) -> None:
        """Send rows; see `TurnSender.follow`."""
        moved: Mapping[str, int] = self._moved
        whole = WholeTurns()
        await self._begin(FLEET).begin_fleet(self._fleet)
        while True:
            for stream, last in moved.items():
                await self._send(stream, last)
            if self._people is not None:
                self._writer.write(frame(PeopleListing(0, self._people)))
                self._people = None
            self._writer.write(frame(whole))
            await self._writer.drain()
            self._leave([stream for stream in self._open if stream != FLEET and not self._is_live(stream)])
            while True:
                is_asked = bool(self._asked)
                moved, whole = self._asked.pop(0) if is_asked else (self._turns.take(), WholeTurns())
                if moved or is_asked or self._people is not None:
                    break
                if self._is_ending:
                    return
                await self._turns.news()

    def send_now(self, whole: WholeTurns) -> None:
        """Send the turns until now, which end with this; to be called when the facts are those of the last commit."""
        self._asked.append((self._turns.take(), whole))
        self._turns.wake()

    def tell_run(self, run_id: str) -> None:
        """Send a run, even if it has ended; to be called when the facts are those of the last commit.

        From its beginning, if it does not go on: the client may have let go of it since it ended.
        """
        self._ended.discard(run_id)
        if run_id not in self._open:
            self._rows.pop(run_id, None)
        self._asked.append(({**self._turns.take(), run_id: self._feeds.last_row(run_id)}, WholeTurns()))
        self._turns.wake()

    def begin_people(self, people: tuple[Person, ...]) -> None:
        """Send who is connected, now and whenever `tell_people` says so."""
        self._tells_people, self._people = True, people

    def tell_people(self, people: tuple[Person, ...]) -> None:
        """Send who is connected now, if the client wants to know; only the last of several that wait is sent."""
        if self._tells_people:
            self._people = people
            self._turns.wake()

    async def _send(self, stream: str, last: int) -> None:
        if stream in self._ended:
            if not self._is_live(stream):
                return
            self._ended.discard(stream)
        if last > self._rows.get(stream, 0) or stream in self._open:
            sender = self._begin(stream)
            await sender.send(last)
            self._rows[stream] = sender.row

    def _begin(self, stream: str) -> StreamSender:
        """The sender of a stream, after the client was told that its rows come."""
        sender = self._open.get(stream)
        if sender is None:
            row = self._rows.get(stream, 0)
            sender = StreamSender(self._feeds.open(stream, follows=False), self._writer, row)
            self._open[stream] = sender
            self._current = None  # it may begin anew
        if self._current != stream:
            self._current = stream
            self._writer.write(frame(StreamHead(stream, sender.row)))
        return sender

    def _leave(self, streams: list[str]) -> None:
        for stream in streams:
            self._feeds.leave(self._open.pop(stream).feed, follows=False)

    def end(self) -> None:
        """Have `follow` return; see `TurnSender.end`."""
        self._is_ending = True
        self._turns.wake()

    def close(self) -> None:
        """Give back the feeds."""
        self._feeds.leave_turns(self._turns)
        self._leave(list(self._open))
