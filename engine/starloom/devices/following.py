"""Following the output files of kept attempts: one timer for each device polls all of them, only while there are any.

What a process prints into a pipe is lost with the program at the other end, and the process with it. Into a file it
prints whoever lives; but nobody is told when a file grows, so somebody has to look.
"""

from __future__ import annotations

import asyncio
import os
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from starloom.devices.output import Output, Stream

POLL_SECONDS: Final = 0.1
"""How long what was printed may wait to be told."""

READ_SIZE: Final = 256 * 1024
"""How much is read of a file before others get their turn."""

_TURNS_BEHIND: Final = 64
"""For so many turns on end stderr waits while there is more of stdout: nobody knows what was printed first."""


class FollowedFiles:
    """The output files of one attempt, each with its read offset; it owns their descriptors."""

    __slots__ = ("_files", "_output", "_places", "_turns_behind")

    def __init__(self, files: dict[Stream, int], output: Output) -> None:
        self._files = files
        self._places: dict[Stream, int] = {}
        self._output = output
        self._turns_behind = 0

    def read(self) -> bool:
        """Emit some of the new output; returns whether there is more.

        What was printed on stderr is told when stdout has caught up, as it mostly says how what came before has gone.
        A file that has become shorter was cut off by its own process (`> /dev/stdout` does that): it is read anew.
        """
        try:
            is_more = False
            for stream, fd in self._files.items():
                if is_more and self._turns_behind < _TURNS_BEHIND:
                    self._turns_behind += 1
                    return True
                is_more |= self._read(stream, fd)
        except OSError as error:
            self._output.trouble = f"The output cannot be read: {error.strerror or error}."
            return False
        self._turns_behind = 0
        return is_more

    def _read(self, stream: Stream, fd: int) -> bool:
        size, place = os.fstat(fd).st_size, self._places.get(stream, 0)
        if size == place:
            return False
        place = place if place < size else 0
        data = os.pread(fd, READ_SIZE, place)
        if data:
            self._output.feed(stream, data)
        self._places[stream] = place + len(data)
        return place + len(data) < size

    async def read_all(self) -> None:
        """Emit all output written by now, yielding to the loop in between, and close the files.

        Being cancelled does not break it off.
        """
        try:
            left = sum(os.fstat(fd).st_size for fd in self._files.values()) // READ_SIZE + 2
            while self.read() and left:
                left -= 1  # somebody in the background may go on printing for ever
                await _turn_for_others()
        finally:
            self.close()

    def close(self) -> None:
        """Close the files."""
        while self._files:
            os.close(self._files.popitem()[1])


class Follower:
    """Polls the files of all attempts that were added, each tenth of a second, until they are removed."""

    def __init__(self) -> None:
        self._followed: set[FollowedFiles] = set()
        self._timer: asyncio.TimerHandle | None = None

    def add(self, followed: FollowedFiles) -> None:
        """Poll these files too."""
        self._followed.add(followed)
        if self._timer is None:
            self._timer = asyncio.get_running_loop().call_later(POLL_SECONDS, self._look)

    def remove(self, followed: FollowedFiles) -> None:
        """Stop polling these files. Without any, there is no timer."""
        self._followed.discard(followed)
        if not self._followed and self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _look(self) -> None:
        is_more = sum(followed.read() for followed in self._followed) > 0
        self._timer = asyncio.get_running_loop().call_later(0 if is_more else POLL_SECONDS, self._look)


async def _turn_for_others() -> None:
    try:
        await asyncio.sleep(0)
    except asyncio.CancelledError:
        return
