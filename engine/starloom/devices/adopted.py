"""Kept attempts that another program started: the wrapper is no child of ours, and is polled until it has ended."""

from __future__ import annotations

import asyncio
import os
import sys
from typing import TYPE_CHECKING, Final

from typing_extensions import override

from starloom.devices.family import bearer, is_alive
from starloom.devices.following import FollowedFiles
from starloom.devices.kept import KeptAttempt
from starloom.devices.marker import read_marker
from starloom.devices.process import Process, can_watch

if TYPE_CHECKING:
    import psutil

    from starloom.devices.attempt_files import AttemptFiles
    from starloom.devices.marker import Marker
    from starloom.devices.output import Output, Stream

_LOOK_SECONDS: Final = 0.25
"""How often it is looked whether a process has gone, where nobody tells."""


def is_running(files: AttemptFiles) -> bool:
    """Whether the attempt of these files runs: its wrapper lives, and has not written its marker."""
    marker = read_marker(files.marker)
    return marker is not None and marker.code is None and bearer(marker.pid, marker.token) is not None


def adopt(files: AttemptFiles, output: Output) -> KeptAttempt | None:
    """Follow the attempt of these files to its end; its output is emitted from the beginning.

    Returns:
        None: nobody knows whose it is, as there is no marker that can be read.

    Raises:
        OSError: what it prints cannot be read.
    """
    marker = read_marker(files.marker)
    if marker is None:
        return None
    process = _AdoptedProcess(asyncio.get_running_loop(), marker)
    made: dict[Stream, int] = {}
    try:
        made["stdout"] = os.open(files.stdout, os.O_RDONLY)
        made["stderr"] = os.open(files.stderr, os.O_RDONLY)
    except OSError:
        process.let_go()
        FollowedFiles(made, output).close()
        raise
    return KeptAttempt(process, FollowedFiles(made, output), files, marker.token)


class _AdoptedProcess(Process):
    """A wrapper process that is not our child: the system reports that it has gone, but not its exit code."""

    tells_code = False

    def __init__(self, loop: asyncio.AbstractEventLoop, marker: Marker) -> None:
        super().__init__(loop, marker.token)
        self.pid = marker.pid
        self._drained.set_result(None)
        self._pidfd: int | None = None
        self._timer: asyncio.TimerHandle | None = None
        try:
            self._watch(loop)
        except ProcessLookupError:
            self._exited.set_result(None)
            return
        self._process = bearer(marker.pid, marker.token)  # looked for once its number can be nobody else's
        if self._process is None and not self._exited.done():
            self.let_go()
            self._exited.set_result(None)

    def _watch(self, loop: asyncio.AbstractEventLoop) -> None:
        if sys.platform == "linux" and can_watch(loop):
            self._pidfd = os.pidfd_open(self.pid)
            loop.add_reader(self._pidfd, self._gone)
        else:
            self._timer = loop.call_later(_LOOK_SECONDS, self._look)

    def _look(self) -> None:
        process: psutil.Process | None = self._process
        if process is None or not is_alive(process):
            self._gone()
        else:
            self._timer = self._loop.call_later(_LOOK_SECONDS, self._look)

    def _gone(self) -> None:
        self.let_go()
        self._exited.set_result(None)

    def let_go(self) -> None:
        """Stop watching the process, which continues."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        if self._pidfd is not None:
            self._loop.remove_reader(self._pidfd)
            os.close(self._pidfd)
            self._pidfd = None

    @override
    def _holds_group(self) -> bool:
        return False  # another may have its number, and so its group, as soon as it has gone

    @override
    def _close(self) -> int | None:
        self.let_go()
        return UNKNOWN


UNKNOWN: Final = -9
"""Stands for the exit code of such a wrapper: it counts as killed, unless its marker says how the command ended."""
