"""Recovery of a kept attempt whose program has died: it has ended, or is ended here."""

from __future__ import annotations

import asyncio
import contextlib
import os
import sys
from typing import TYPE_CHECKING, Final

import psutil

from starloom.devices.ending import FIRST_POLL, KILL_SECONDS, Ending
from starloom.devices.family import Family, bearer, has_bearers, is_alive, token_beside
from starloom.devices.following import FollowedFiles
from starloom.devices.marker import read_marker, revoke, take_back
from starloom.devices.watch import leader_of
from starloom.errors import DeviceError

if TYPE_CHECKING:
    from starloom.devices.attempt_files import AttemptFiles
    from starloom.devices.marker import Marker
    from starloom.devices.output import Output, Stream


_EXEC_SECONDS: Final = 0.1
"""For so long the environment of a process may not be readable that has just begun to run its program."""


async def exit_code_of(files: AttemptFiles, grace: float) -> int | None:
    """The exit code of a kept attempt's command; None: it was interrupted, or never started.

    In the second case nothing of it lives any more, and nothing of it will begin.

    Args:
        files: the attempt's files.
        grace: seconds between asking what is left of it to end and killing it.

    Raises:
        DeviceError: something of it lives and cannot be ended.
        OSError: its files can be neither read nor written.
    """
    marker = read_marker(files.marker)
    if marker is not None and marker.code is not None:
        return marker.code
    if sys.platform == "win32":  # there is no wrapper, so nobody knows how it ended
        return await _interrupt(None, files, grace)
    files.make_folder()
    while not take_back(files.marker):
        marker = await settled(files)
        if marker is None and _has_gone(files.marker):
            continue  # its keeper could not start it, and has removed the marker
        if marker is None or marker.keeper is None:
            return await _interrupt(marker, files, grace)
        return await _interrupt_kept(marker, files, grace)
    return None


def _has_gone(path: str) -> bool:
    return not os.path.exists(path)


async def settled(files: AttemptFiles) -> Marker | None:
    """The marker of an attempt, once a keeper that was about to start its command has done so, or has died.

    Raises:
        DeviceError: the keeper does neither.
    """
    loop = asyncio.get_running_loop()
    deadline = loop.time() + KILL_SECONDS
    while (marker := read_marker(files.marker)) is not None and marker.keeper is not None and marker.pid == 0:
        if not await asyncio.to_thread(has_bearers, marker.keeper.token):
            await asyncio.sleep(_EXEC_SECONDS)
            return read_marker(files.marker)  # which it may have written before it died
        if loop.time() > deadline:
            raise DeviceError(
                f"The process {marker.keeper.pid}, which starts commands for an earlier program, does not say whether "
                "it has started this attempt's. Continue it if it is stopped, or end it."
            )
        await asyncio.sleep(FIRST_POLL)
    return marker


async def end_family(token: str, grace: float) -> tuple[int, ...]:
    """End all processes with an attempt's token; returns those that the system cannot end."""
    return await _ending(None, token).end(grace)


async def read_output(files: AttemptFiles, output: Output) -> None:
    """Emit an attempt's output: its whole stdout, then its whole stderr."""
    paths: dict[Stream, str] = {"stdout": files.stdout, "stderr": files.stderr}
    trouble = ""
    for stream, path in paths.items():
        try:
            fd = os.open(path, os.O_RDONLY)
        except OSError as error:
            trouble = f"The output {path!r} cannot be read: {error.strerror or error}."
        else:
            await FollowedFiles({stream: fd}, output).read_all()
    output.trouble = output.trouble or trouble


async def _interrupt(marker: Marker | None, files: AttemptFiles, grace: float) -> int | None:
    """The exit code if the command ends before the wrapper is gone; else None, when everything of it is gone."""
    token = await _token(marker, files)
    if token is None:
        return None
    wrapper = bearer(marker.pid, token) if marker is not None else None
    ending = _ending(wrapper, token)
    if wrapper is not None:
        await _kill(wrapper, ending)
        marker = read_marker(files.marker)
        if marker is not None and marker.code is not None:
            return marker.code
    survivors = await ending.end(grace)
    if survivors:
        raise _not_ended(survivors)
    if ending.cancels > 1:
        raise asyncio.CancelledError
    return None


async def _interrupt_kept(marker: Marker, files: AttemptFiles, grace: float) -> int | None:
    """As `_interrupt`, but its keeper goes on, for other attempts: of its end and ours what is written first counts."""
    revoke(files.marker)
    marker = read_marker(files.marker) or marker
    if marker.code is not None:
        return marker.code
    ending = _ending(leader_of(marker), marker.token)
    survivors = await ending.end(grace)
    if survivors:
        raise _not_ended(survivors)
    if ending.cancels > 1:
        raise asyncio.CancelledError
    return None


def _ending(leader: psutil.Process | None, token: str) -> Ending:
    nobody = asyncio.get_running_loop().create_future()
    # The leader is not our child: its number may be another's as soon as it has gone, so its group gets no signal.
    return Ending(Family(None if leader is None else leader.pid, token), nobody, lambda: False)


async def _token(marker: Marker | None, files: AttemptFiles) -> str | None:
    if marker is not None:
        return marker.token
    # For a wrapper that has made its marker and not written in it yet, for markers that were spoilt, and for Windows.
    return await asyncio.to_thread(token_beside, "STARLOOM_RESULT", files.result)


async def _kill(wrapper: psutil.Process, ending: Ending) -> None:
    """Kill the wrapper alone, and return when it cannot write any more."""
    loop = asyncio.get_running_loop()
    deadline = loop.time() + KILL_SECONDS
    with contextlib.suppress(psutil.NoSuchProcess):
        wrapper.kill()
    while is_alive(wrapper):
        if loop.time() > deadline:
            raise _not_ended((wrapper.pid,))
        await ending.pause(loop.create_future(), FIRST_POLL)


def _not_ended(survivors: tuple[int, ...]) -> DeviceError:
    names = ", ".join(map(str, survivors))
    return DeviceError(f"An interrupted attempt goes on: the system could not end the processes {names}. End them.")
