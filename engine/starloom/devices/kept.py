"""A kept attempt while its program lives: started, its files followed, awaited or stopped."""

from __future__ import annotations

import asyncio
import contextlib
import os
from typing import TYPE_CHECKING, Final, NamedTuple

from starloom.devices.ended import ended, failed, not_stopped, result_of, with_times
from starloom.devices.family import TOKEN
from starloom.devices.following import FollowedFiles
from starloom.devices.keeper import KeeperProcess, KeptOrder, MarkerRefused, NoKeeper
from starloom.devices.marker import NOT_BEGUN, measured_end, read_marker, wrapped
from starloom.devices.process import Descriptors, StartFailed, start_process
from starloom.devices.program import check_program, why_not_started, why_unwritable
from starloom.devices.recovery import end_family, settled
from starloom.model.result import ErrorCode, ErrorInfo, Outcome, OutcomeStatus

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from starloom.devices.attempt_files import AttemptFiles
    from starloom.devices.base import TaskContext
    from starloom.devices.following import Follower
    from starloom.devices.keeper import Keeper
    from starloom.devices.marker import Marker, MeasuredEnd
    from starloom.devices.output import Output, Stream
    from starloom.devices.process import Process
    from starloom.model.task import Task


_UNHEARD: Final = (
    "The process that waited for the command was killed before, so how the command has ended is not known."
)


class End(NamedTuple):
    """The end of a kept attempt."""

    code: int | None
    """The command's exit code, minus a killing signal's number; None: it could not be ended, or nobody knows."""
    trouble: str = ""
    """The reason why the command never ran, as a sentence; empty: it did."""
    lost: str = ""
    """That the attempt's files were not there any more, as a sentence; empty: they are there."""
    is_unheard: bool = False
    """Whether nobody knows how it ended, as its keeper had died before."""
    measured: MeasuredEnd | None = None
    """The times of its end; None: its marker has them, or nobody."""
    was_stopped: bool = False
    survivors: tuple[int, ...] = ()
    """The processes that could not be ended; the command may be one."""


async def start_kept(
    argv: Sequence[str],
    cwd: str | None,
    env: Mapping[str, str],
    files: AttemptFiles,
    output: Output,
    stdin: int,
    keeper: Keeper | None = None,
) -> KeptAttempt:
    """Start a command by a keeper or under the wrapper, with its output in the attempt's files.

    Args:
        argv: the program and its arguments.
        cwd: where it runs; None: where we are.
        env: its whole environment.
        files: of the attempt.
        output: where what it prints is told.
        stdin: the descriptor its input comes from, or `subprocess.DEVNULL`.
        keeper: who starts it if that is possible here; None: the wrapper does.

    Raises:
        StartFailed: it cannot be started.
    """
    made: dict[Stream, int] = {}
    followed = FollowedFiles(made, output)
    is_kept = keeper is not None and keeper.is_usable()
    with contextlib.ExitStack() as undoing:
        undoing.callback(followed.close)
        try:
            path = argv[0] if is_kept else check_program(argv[0], cwd, env)
            made["stdout"] = files.make_output("stdout")
            made["stderr"] = files.make_output("stderr")
            process: Process | None = None
            if keeper is not None and is_kept:
                given = Descriptors(stdin, made["stdout"], made["stderr"])
                process = await _by_keeper(keeper, KeptOrder(files.marker, argv, cwd, env), given)
            if process is None:
                name = path if argv[0].startswith("-") else argv[0]  # to a shell that would be an option
                wrapper, passed = wrapped((name, *argv[1:]), files, env)
                given = Descriptors(made["stderr"], made["stdout"], stdin)
                process = await start_process(
                    wrapper, cwd=cwd, env=passed, on_output=output.feed, given=given, program=argv[0]
                )
        except FileExistsError as error:
            raise StartFailed(f"The file {error.filename!r} of another attempt is in the way.") from error
        except (OSError, ValueError) as error:
            raise StartFailed(why_not_started(error, argv[0], cwd)) from error
        undoing.pop_all()
    return KeptAttempt(process, followed, files, env[TOKEN])


async def _by_keeper(keeper: Keeper, order: KeptOrder, given: Descriptors) -> Process | None:
    """The command, started by a keeper; None: a wrapper has to do it, after `check_program`."""
    try:
        return await keeper.start(order, given)
    except MarkerRefused as error:
        raise StartFailed(_unmarked(order.marker, str(error))) from error.__cause__
    except NoKeeper:
        check_program(order.argv[0], order.cwd, order.env)
        return None


def _unmarked(path: str, why: str) -> str:
    return f"The marker {path!r} cannot be written ({why}), and without it nothing is run."


class KeptAttempt:
    """A command that runs under the wrapper or by a keeper. `run_out` is awaited once."""

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
        if self._measured() is not None:
            return End(status, was_stopped=True, survivors=self._process.survivors)
        marker = read_marker(self._files.marker)
        code = status if marker is None or marker.code is None else marker.code
        return End(code, was_stopped=True, survivors=self._process.survivors)

    def _measured(self) -> MeasuredEnd | None:
        """The times of its end that a keeper has told, and with them its exit code; None: none has."""
        return self._process.measured if isinstance(self._process, KeeperProcess) else None

    async def _ended(self, status: int, grace: float) -> End:
        measured = self._measured()
        if measured is not None:
            return End(status, lost=self._what_is_lost() if self._has_lost_its_files() else "", measured=measured)
        marker = await settled(self._files)
        if marker is not None and marker.code is not None:
            return End(marker.code)
        # Without its wrapper the command may live on, and must not overlap with the next attempt.
        survivors = await end_family(self._token, grace) if status < 0 else ()
        if self._has_lost_its_files():
            is_known = self._process.tells_code and status != NOT_BEGUN
            return End(status if is_known else None, lost=self._what_is_lost(), survivors=survivors)
        if not self._process.tells_code and (marker is None or marker.keeper is not None):
            return End(None, is_unheard=True, survivors=survivors)
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
            return _unmarked(self._files.marker, why)
        if marker is not None and marker.said:
            return f"The command's wrapper could not run it: {marker.said}."
        return ""


def kept_outcome(end: End, task: Task, context: TaskContext, files: AttemptFiles, output: Output) -> Outcome:
    """The outcome of a kept attempt from its end; its output is closed before."""
    if end.trouble:
        return failed(ErrorCode.START_FAILED, end.trouble)
    if end.lost and not end.was_stopped:
        return _ended_without_files(end, task, context, files, output)
    if end.was_stopped or end.survivors or end.code is None:
        status = OutcomeStatus.STOPPED if end.was_stopped else OutcomeStatus.FAILED
        unheard = ErrorInfo(code=ErrorCode.INTERRUPTED, message=_UNHEARD) if end.is_unheard else None
        return Outcome(status, result_of(None, end.code, output, not_stopped(end.survivors) or unheard, context))
    return with_times(ended(task, end.code, output, files, context), end.measured or measured_end(files.marker))


def _ended_without_files(end: End, task: Task, context: TaskContext, files: AttemptFiles, output: Output) -> Outcome:
    """The outcome of an attempt whose files are gone, from its process and its output."""
    output.trouble = end.lost
    if end.code is not None and not end.survivors and (end.code != 0 or task.python is None):
        return ended(task, end.code, output, files, context)
    what = "whether and how the command has ended" if end.code is None else "what its function has returned"
    unknown = ErrorInfo(code=ErrorCode.INTERRUPTED, message=f"{end.lost} So {what} is not known.")
    error = not_stopped(end.survivors) or unknown
    return Outcome(OutcomeStatus.FAILED, result_of(None, end.code, output, error, context))
