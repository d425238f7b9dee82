"""A kept attempt while its program lives: started under the wrapper, its files followed, awaited or stopped."""

from __future__ import annotations

import asyncio
import os
from typing import TYPE_CHECKING, NamedTuple

from starloom.devices.family import TOKEN
from starloom.devices.following import FollowedFiles
from starloom.devices.marker import NOT_BEGUN, read_marker, wrapped
from starloom.devices.process import Descriptors, StartFailed, start_process
from starloom.devices.program import check_program, why_not_started, why_unwritable
from starloom.devices.recovery import end_family

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from starloom.devices.attempt_files import AttemptFiles
    from starloom.devices.following import Follower
    from starloom.devices.marker import Marker
    from starloom.devices.output import Output, Stream
    from starloom.devices.process import Process


class End(NamedTuple):
    """The end of a kept attempt."""

    code: int | None
    """The command's exit code, minus a killing signal's number; None: it could not be ended, or nobody knows."""
    trouble: str = ""
    """The reason why the command never ran, as a sentence; empty: it did."""
    lost: str = ""
    """That the attempt's files were not there any more, as a sentence; empty: they are there."""
    was_stopped: bool = False
    survivors: tuple[int, ...] = ()
    """The processes that could not be ended; the command may be one."""


async def start_kept(
    argv: Sequence[str], cwd: str | None, env: Mapping[str, str], files: AttemptFiles, output: Output, stdin: int
) -> KeptAttempt:
    """Start a command under the wrapper, with its output in the attempt's files.

    Args:
        argv: the program and its arguments.
        cwd: where it runs; None: where we are.
        env: its whole environment.
        files: of the attempt.
        output: where what it prints is told.
        stdin: the descriptor its input comes from, or `subprocess.DEVNULL`.

    Raises:
        StartFailed: it cannot be started.
    """
    made: dict[Stream, int] = {}
    followed = FollowedFiles(made, output)
    try:
        path = check_program(argv[0], cwd, env)
        made["stdout"] = files.make_output("stdout")
        made["stderr"] = files.make_output("stderr")
        name = path if argv[0].startswith("-") else argv[0]  # to a shell that would be an option
        given = Descriptors(made["stderr"], made["stdout"], stdin)
        wrapper, passed = wrapped((name, *argv[1:]), files, env)
        process = await start_process(
            wrapper,
            cwd=cwd,
            env=passed,
            on_output=output.feed,
            given=given,
            program=argv[0],
        )
    except FileExistsError as error:
        followed.close()
        raise StartFailed(f"The file {error.filename!r} of another attempt is in the way.") from error
    except (OSError, ValueError) as error:
        followed.close()
        raise StartFailed(why_not_started(error, argv[0], cwd)) from error
    except StartFailed:
        followed.close()
        raise
    return KeptAttempt(process, followed, files, env[TOKEN])


class KeptAttempt:
    """A command that runs under the wrapper. `run_out` is awaited once."""

    def __init__(self, process: Process, followed: FollowedFiles, files: AttemptFiles, token: str) -> None:
        self._process = process
        self._followed = followed
        self._files = files
        self._token = token

    async def run_out(self, follower: Follower, grace: float) -> End:
        """Return when the command has ended, or when its process family was ended after a cancel.

        Args:
            follower: who looks for output meanwhile.
            grace: seconds between asking a stopped command to end and killing it.
        """
        follower.add(self._followed)
        was_stopped = False
        try:
            status = await self._process.wait()
        except asyncio.CancelledError:
            was_stopped = True
            stopped = await self._process.stop(grace)
        finally:
            follower.remove(self._followed)
        await self._followed.read_all()
        return self._stopped(stopped) if was_stopped else await self._ended(status, grace)

    def _stopped(self, status: int | None) -> End:
        marker = read_marker(self._files.marker)
        code = status if marker is None or marker.code is None else marker.code
        return End(code, was_stopped=True, survivors=self._process.survivors)

    async def _ended(self, status: int, grace: float) -> End:
        marker = read_marker(self._files.marker)
        if marker is not None and marker.code is not None:
            return End(marker.code)
        # Without its wrapper the command may live on, and must not overlap with the next attempt.
        survivors = await end_family(self._token, grace) if status < 0 else ()
        if self._has_lost_its_files():
            is_known = self._process.tells_code and status != NOT_BEGUN
            return End(status if is_known else None, lost=self._what_is_lost(), survivors=survivors)
        # Else only the end could not be written down, say as the disk is full.
        return End(status, "" if status < 0 else self._why_nothing_ran(marker, status), survivors=survivors)

    def _has_lost_its_files(self) -> bool:
        return not os.path.exists(self._files.stdout)  # which was there before the command began

    def _what_is_lost(self) -> str:
        folder = os.path.dirname(self._files.marker)
        return f"When the attempt ended its files were not in {folder!r}; a result that it wrote there is lost."

    def _why_nothing_ran(self, marker: Marker | None, status: int) -> str:
        if marker is None and status == NOT_BEGUN:  # the wrapper could not even write down that it begins
            why = why_unwritable(os.path.dirname(self._files.marker)) or "nobody knows why"
            return f"The marker {self._files.marker!r} cannot be written ({why}), and without it nothing is run."
        if marker is not None and marker.said:
            return f"The command's wrapper could not run it: {marker.said}."
        return ""
