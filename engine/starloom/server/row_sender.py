"""Sending one client the rows of a run: from the beginning or a checkpoint, then as they are committed."""

from __future__ import annotations

import asyncio
from contextlib import closing
from typing import TYPE_CHECKING, Final

from starloom.journal.sent_rows import BATCH_BYTES, RowReader
from starloom.server.wire import CheckpointHead, CheckpointPart, frame

if TYPE_CHECKING:
    from starloom.journal.sent_rows import KeptCheckpoint
    from starloom.server.feeds import RunFeed

FAR: Final = 2_000
"""Rows a client may be behind before a checkpoint is looked for that spares it the reading."""


class RowSender:
    """One client on its way along a run's rows.

    Args:
        feed: of the run.
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
        self._is_ending = False

    async def follow(self) -> None:
        """Send rows until `end` is called and all have been sent.

        Raises:
            JournalError: the journal cannot be read.
            WireError: a row is too long for the wire.
            OSError: the connection is gone.
        """
        while True:
            if self.feed.last - max(self.row, self._looked_at) >= FAR:
                await self._skip()
            found = self.feed.batch_after(self.row)
            if found is not None:
                self.row, data = found
                self._writer.write(data)
                await self._writer.drain()
            elif self._is_ending:
                return
            else:
                await self.feed.news()

    def end(self) -> None:
        """Have `follow` return once all rows have been sent; it looks when the feed is told of them."""
        self._is_ending = True

    async def _skip(self) -> None:
        """Send the latest checkpoint, if it is ahead of the client; looked for once in so many rows."""
        self._looked_at = self.feed.last
        found = await asyncio.to_thread(_latest_checkpoint, self.feed, self._looked_at)
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


def _latest_checkpoint(feed: RunFeed, last: int) -> KeptCheckpoint | None:
    with closing(RowReader(feed.path, feed.run_id)) as reader:
        return reader.latest_checkpoint(last)
