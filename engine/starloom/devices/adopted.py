"""Kept attempts that another program started: their processes are no children of ours, and are watched to their end."""

from __future__ import annotations

import asyncio
import os
from typing import TYPE_CHECKING

from typing_extensions import override

from starloom.devices.following import FollowedFiles
from starloom.devices.kept import KeptAttempt
from starloom.devices.marker import read_marker
from starloom.devices.process import UNKNOWN, Process
from starloom.devices.watch import ProcessWatch, leader_of, lives

if TYPE_CHECKING:
    from starloom.devices.attempt_files import AttemptFiles
    from starloom.devices.marker import Marker
    from starloom.devices.output import Output, Stream


def is_running(files: AttemptFiles) -> bool:
    """Whether the attempt of these files runs: its marker names a process that is there, and no end."""
    marker = read_marker(files.marker)
    if marker is None or marker.code is not None or marker.is_revoked:
        return False
    is_about_to = marker.pid == 0 and marker.keeper is not None and lives(marker.keeper)
    return is_about_to or leader_of(marker) is not None


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
    """The process of a marker, which is not our child: the system reports that it has gone, but not its exit code."""

    tells_code = False

    def __init__(self, loop: asyncio.AbstractEventLoop, marker: Marker) -> None:
        super().__init__(loop, marker.token)
        self.pid = marker.pid
        self._marker = marker
        self._drained.set_result(None)
        self._watch = ProcessWatch(loop, marker, lambda: self._exited.set_result(None))

    @override
    def _leader(self) -> int | None:
        return self.pid if leader_of(self._marker) is not None else None

    @override
    def _holds_group(self) -> bool:
        return False  # another may have its number, and so its group, as soon as it has gone

    def let_go(self) -> None:
        """Stop watching the process, which continues."""
        self._watch.let_go()

    @override
    def _close(self) -> int | None:
        self.let_go()
        return UNKNOWN
