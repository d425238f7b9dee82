"""Watching a process that is no child of ours: the system says that it has gone, but not how it has ended."""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING, Final

import psutil

from starloom.devices.ending import FIRST_POLL
from starloom.devices.family import bearer, is_alive
from starloom.devices.keeper_child import boot
from starloom.devices.process import can_watch

if TYPE_CHECKING:
    import asyncio
    from collections.abc import Callable

    from starloom.devices.marker import Keeping, Marker

_START_FIELD: Final = 19
"""Where in a process's `stat`, counted from its state, is when it was started: in ticks since the machine was."""
_LOOK_SECONDS: Final = 0.25
"""How often it is looked whether a process has gone, where nobody tells."""


class ProcessWatch:
    """Calls once the process that a marker names has gone, if nobody has let go of it before.

    With a keeper it has only gone when the keeper has given its process id back, and so has written down its end, or
    has gone itself.

    Args:
        loop: the running one, on which it is called.
        marker: of the attempt.
        gone: what is called, at once if it has gone already.
    """

    def __init__(self, loop: asyncio.AbstractEventLoop, marker: Marker, gone: Callable[[], None]) -> None:
        self._loop = loop
        self._marker = marker
        self._call = gone
        self._pidfd: int | None = None
        self._timer: asyncio.TimerHandle | None = None
        try:
            self._begin()
        except ProcessLookupError:
            self._gone()
            return
        # Looked for once its number can be nobody else's.
        if leader_of(marker) is None:
            self._gone()

    def _begin(self) -> None:
        if sys.platform == "linux" and can_watch(self._loop):
            self._pidfd = os.pidfd_open(self._marker.pid)
            self._loop.add_reader(self._pidfd, self._ended)
        else:
            self._timer = self._loop.call_later(_LOOK_SECONDS, self._look)

    def _look(self) -> None:
        process = leader_of(self._marker)
        if process is None or not is_alive(process):
            self._ended()
        else:
            self._timer = self._loop.call_later(_LOOK_SECONDS, self._look)

    def _ended(self) -> None:
        """The process has ended; its keeper may be about to write that down."""
        self.let_go()
        keeper = self._marker.keeper
        if keeper is None or leader_of(self._marker) is None or not lives(keeper):
            self._call()
        else:
            self._timer = self._loop.call_later(FIRST_POLL, self._ended)

    def _gone(self) -> None:
        self.let_go()
        self._call()

    def let_go(self) -> None:
        """Stop watching the process, which continues."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        if self._pidfd is not None:
            self._loop.remove_reader(self._pidfd)
            os.close(self._pidfd)
            self._pidfd = None


def lives(keeper: Keeping) -> bool:
    """Whether a keeper is there and may still write."""
    process = bearer(keeper.pid, keeper.token)
    return process is not None and is_alive(process)


def leader_of(marker: Marker) -> psutil.Process | None:
    """The process that a marker names, if it is there, also as a zombie; None: it has gone, or is not known yet."""
    if not marker.start:
        return bearer(marker.pid, marker.token) if marker.pid else None
    try:
        process = psutil.Process(marker.pid)
    except psutil.Error:
        return None
    return process if _is_of(marker) else None


def _is_of(marker: Marker) -> bool:
    """Whether the process with a marker's number was started between the two times that the marker has."""
    last, _, boot_id = marker.start.partition("-")
    if boot_id != boot():
        return False
    try:
        with open(f"/proc/{marker.pid}/stat", "rb") as file:
            fields = file.read().rpartition(b")")[2].split()  # a name may hold anything, brackets too
        tick = 1 / os.sysconf("SC_CLK_TCK")
        return float(marker.began) - tick <= int(fields[_START_FIELD]) * tick <= float(last)
    except (OSError, ValueError, IndexError):
        return False
