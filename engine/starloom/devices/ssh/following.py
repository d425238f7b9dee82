"""Following an attempt's output files on the other side: each is read from its offset on."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Final

import asyncssh

from starloom.devices.marker import MAX_MARKER_BYTES, parse_marker
from starloom.devices.ssh.bulk import read_piece

if TYPE_CHECKING:
    from starloom.devices.marker import Marker
    from starloom.devices.output import Output, Stream
    from starloom.devices.pace import Pace
    from starloom.devices.ssh.session import SshSession

FIRST_POLL: Final = 0.05
LONGEST_POLL: Final = 1.0
HURRY: Final = 2.0
"""Seconds for which the output of an attempt that has to stop is still read."""
_SHARE: Final = 0.1
_STREAMS: Final[tuple[Stream, ...]] = ("stdout", "stderr")
_ABSENT: Final = (asyncssh.SFTPNoSuchFile, asyncssh.SFTPNoSuchPath, asyncssh.SFTPPermissionDenied)


def pause_after(quiet: float) -> float:
    """Seconds to the next poll of an attempt that has been silent for so long.

    A tenth of that, within bounds: a short task is not kept waiting, and a long one costs little.
    """
    return min(LONGEST_POLL, max(FIRST_POLL, quiet * _SHARE))


class FollowedRemoteFiles:
    """The output files of one attempt, each with its read offset. Outlives a link: nothing is emitted twice.

    Attributes:
        marker: what the wrapper has written so far; None: nothing.
        is_whole: whether nothing of what was printed was left out.
    """

    def __init__(self, folder: str, output: Output) -> None:
        self.marker: Marker | None = None
        self.is_whole = True
        self._marker_size = 0
        self._folder = folder
        self._output = output
        self._places: dict[Stream, int] = dict.fromkeys(_STREAMS, 0)

    @property
    def took(self) -> float | None:
        """Seconds that the command took, by the clock there; None: it has not ended, or they were not measured."""
        return None if self.marker is None else self.marker.took

    async def look(self, session: SshSession) -> bool:
        """Read the wrapper's marker; returns whether it was new.

        Raises:
            LinkLost: the link broke; go on with the next session.
            OSError: it cannot be read.
        """
        size = await self._size(session, "marker")
        if size == self._marker_size:
            return False
        await self.read_marker(session)
        self._marker_size = size or 0
        return True

    async def listen(self, session: SshSession, pace: Pace) -> bool:
        """Emit some of the output; returns whether there was any.

        Raises:
            LinkLost: the link broke; go on with the next session.
            OSError: it cannot be read.
        """
        sizes = await asyncio.gather(*(self._size(session, stream) for stream in _STREAMS))
        return sum([await self._read(session, *of, pace) for of in zip(_STREAMS, sizes, strict=True)]) > 0

    async def read_marker(self, session: SshSession) -> Marker | None:
        """The wrapper's marker by now.

        Raises:
            LinkLost: the link broke.
            OSError: it cannot be read.
        """
        data = await session.read(f"{self._folder}/marker", MAX_MARKER_BYTES)
        self.marker = parse_marker(data or b"")
        return self.marker

    async def read_all(self, session: SshSession, pace: Pace, hurry: asyncio.Event) -> None:
        """Emit all output written by now, the rest of stdout before that of stderr.

        Args:
            session: over which it is read.
            pace: how much at once.
            hurry: once that is set, only the end is told of what has not come two seconds later.

        Raises:
            LinkLost: the link broke; call it again with the next session.
            OSError: it cannot be read.
        """
        clock, ends = asyncio.get_running_loop().time, float("inf")
        for stream in _STREAMS:  # up to here only: somebody in the background may go on printing for ever
            size = await self._size(session, stream)
            while await self._read(session, stream, size, pace) and self._places[stream] < (size or 0):
                ends = min(ends, clock() + HURRY) if hurry.is_set() else ends
                if clock() >= ends:
                    self._skip_to(stream, (size or 0) - pace.size)

    def _skip_to(self, stream: Stream, place: int) -> None:
        missing = place - self._places[stream]
        if missing > 0:
            self._output.skip(stream, missing)
            self._places[stream] = place
            self.is_whole = False

    async def _read(self, session: SshSession, stream: Stream, size: int | None, pace: Pace) -> bool:
        place = self._places[stream]
        if size is None:
            self._output.trouble = f"The output {self._folder}/{stream} on the other machine is gone."
            return False
        if size == place:
            return False
        if size < place:  # its own process cut it off: it is read anew
            place = 0
        data = await read_piece(session, pace, f"{self._folder}/{stream}", place, size - place)
        if data:
            self._output.feed(stream, data)
        self._places[stream] = place + len(data)
        return bool(data)

    async def _size(self, session: SshSession, name: str) -> int | None:
        with session.links():
            try:
                return (await session.sftp.stat(f"{self._folder}/{name}")).size
            except _ABSENT:
                return None
