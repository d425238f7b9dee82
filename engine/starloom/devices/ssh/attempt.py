"""One attempt on another machine, from its files to its outcome, over as many logins as it takes."""

from __future__ import annotations

import asyncio
import contextlib
from typing import TYPE_CHECKING, Final

from starloom.devices.copying import FETCH_FAILED, TransferFailed
from starloom.devices.ended import ended, failed, freeing, not_stopped, result_of, told_late
from starloom.devices.output import Output
from starloom.devices.ssh import scripts
from starloom.devices.ssh.bringing import bring_error, bring_result
from starloom.devices.ssh.ending import end_all, end_wrapper, not_ended
from starloom.devices.ssh.following import FollowedRemoteFiles, pause_after
from starloom.devices.ssh.remote_steps import RemoteSteps
from starloom.devices.ssh.starting import AttemptStart
from starloom.devices.ssh.transfer import Transfers
from starloom.devices.ssh.work import NotStarted
from starloom.errors import DeviceError
from starloom.model.result import ErrorCode, ErrorInfo, Outcome, OutcomeStatus

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from starloom.devices.marker import Marker
    from starloom.devices.ssh.link import SshLink
    from starloom.devices.ssh.scripts import AttemptPlace
    from starloom.devices.ssh.session import SshSession
    from starloom.devices.ssh.work import Work

_FIRST_LOOK: Final = 2.0
_LONGEST_LOOK: Final = 30.0


class SshAttempt:
    """One attempt. It is not cancelled but stopped by `stop`, and then ends in order."""

    def __init__(self, link: SshLink, work: Work) -> None:
        self._bulk = link.bulk
        self._work = work
        self._place = work.place
        self._output = Output.of(work.context, work.tail_bytes)
        self._followed = FollowedRemoteFiles(work.place.folder, self._output)
        self._heard = 0.0
        self._listening: asyncio.Future[None] | None = None
        self._over = asyncio.Event()
        self._hurry = asyncio.Event()
        self._steps = RemoteSteps(link, self._hurry)
        self._kill = asyncio.Event()

    @property
    def place(self) -> AttemptPlace:
        """Its place on the machine, with what was found out about it."""
        return self._place

    def stop(self) -> None:
        """Stop it; called again, kill its processes."""
        if self._hurry.is_set():
            self._kill.set()
        self._hurry.set()

    async def live(self) -> Outcome:
        """Start it and follow it to its end.

        Raises:
            LinkGone, DeviceError: the machine is lost, and what became of the attempt is not known.
        """
        self._work.context.waits()
        start = AttemptStart(self._work, self._steps, self._bulk)
        try:
            if not await start.begin():
                self._output.close()
                return Outcome(OutcomeStatus.STOPPED)
        except (NotStarted, TransferFailed) as error:
            self._output.close()
            by_device = isinstance(error, NotStarted) and error.by_machine
            return failed(ErrorCode.START_FAILED, str(error), by_device=by_device)
        self._work.context.begins(is_seen=start.is_answered or start.began_ago is not None, ago=start.began_ago or 0.0)
        return await self.go_on()

    async def go_on(self) -> Outcome:
        """Follow a started attempt to its end; its output is emitted from the beginning.

        Raises:
            LinkGone, DeviceError: the machine is lost, and what became of the attempt is not known.
        """
        try:
            return await self._follow()
        except OSError as error:
            return await self._given_up(error)
        finally:
            self._output.close()

    async def runs(self) -> bool:
        """Whether it has started, and its wrapper lives and has not written the end.

        Raises:
            DeviceError: the machine is lost, or its files cannot be read.
        """
        try:
            marker = await self._steps.take(self._followed.read_marker)
            if marker is None or marker.code is not None or not await self._steps.take(self._is_alive):
                return False
        except OSError as error:
            raise DeviceError(f"Whether {self._place.folder!r} still runs cannot be found out: {error}.") from error
        return self._followed.marker is not None and self._followed.marker.code is None

    async def read_rest(self, session: SshSession) -> None:
        """Emit what it has printed since it was given up: for two seconds, and then only the end of it.

        Raises:
            LinkLost: the link broke; call it again with the next session.
            OSError: it cannot be read.
        """
        in_haste = asyncio.Event()
        in_haste.set()
        await self._followed.read_all(session, self._bulk.pace, in_haste)
        self._output.close()

    # ---- following

    async def _follow(self) -> Outcome:
        """Listen until the command has ended, was stopped or was interrupted; how it ends waits for no output."""
        listening = self._listening = asyncio.ensure_future(self._listen())
        try:
            code = await self._watched(listening)
            if code is not None:
                return await freeing(self._collected(code), self._work.context, self._followed.took)
            was_stopped = self._hurry.is_set()
            survivors = await self._end()
        finally:
            await self._heard_out()
        return await (self._stopped(survivors) if was_stopped else self._interrupted(survivors))

    async def _heard_out(self) -> None:
        """Stop listening; a piece that is under way is waited for: asyncssh does not take back what it asked for."""
        self._over.set()
        if self._listening is not None:
            await asyncio.gather(self._listening, return_exceptions=True)

    async def _watched(self, listening: asyncio.Future[None]) -> int | None:
        """The command's exit code, once it has ended; None: it was stopped, or its wrapper lives no more."""
        loop = asyncio.get_running_loop()
        self._heard = looked = loop.time()
        while not self._hurry.is_set():
            is_news = await self._steps.take(self._followed.look)
            marker = self._followed.marker
            if marker is not None and marker.code is not None:
                return marker.code
            if listening.done():
                listening.result()
            if is_news:
                self._heard = loop.time()
                continue
            quiet = loop.time() - self._heard
            if loop.time() - looked > min(_LONGEST_LOOK, max(_FIRST_LOOK, quiet / 2)):
                looked = loop.time()
                if not await self._steps.take(self._is_alive):
                    return None
            await _set_within(self._hurry, pause_after(quiet))
        return None

    async def _listen(self) -> None:
        """Emit what the command prints, until it ends."""
        loop = asyncio.get_running_loop()
        while not self._over.is_set():
            if await self._steps.take_beside(lambda session: self._followed.listen(session, self._bulk.pace)):
                self._heard = loop.time()
            else:
                await _set_within(self._over, pause_after(loop.time() - self._heard))

    async def _is_alive(self, session: SshSession) -> bool:
        """Whether the wrapper lives, or has written down how the command ended."""
        self._note_leader()
        if self._place.leader is not None and ["lives"] in await session.ask(scripts.lives(self._place)):
            return True
        marker = await self._followed.read_marker(session)
        return marker is not None and marker.code is not None

    def _note_leader(self) -> None:
        marker = self._followed.marker
        if marker is not None:
            self._place = self._place._replace(leader=marker.pid)

    async def _stopped(self, survivors: tuple[int, ...]) -> Outcome:
        await self._steps.take(self._followed.read_marker)
        await self._read_all()
        code = self._followed.marker.code if self._followed.marker is not None else None
        return self._outcome(OutcomeStatus.STOPPED, code, not_stopped(survivors))

    async def _interrupted(self, survivors: tuple[int, ...]) -> Outcome:
        """The outcome of a command whose wrapper was killed, or whose machine was restarted."""
        await self._read_all()
        message = (
            "The command was interrupted from outside, or its machine was started anew; how it ended is not known."
        )
        error = not_stopped(survivors) or ErrorInfo(code=ErrorCode.INTERRUPTED, message=message)
        return self._outcome(OutcomeStatus.FAILED, None, error)

    async def _given_up(self, error: OSError) -> Outcome:
        """End the command, as its outcome cannot be determined, before another attempt of the task begins."""
        survivors = await self._steps.take(self._ask_to_end(self._work.grace))
        message = f"The files of the attempt can be read no more: {error.strerror or error}."
        return self._outcome(
            OutcomeStatus.FAILED, None, not_stopped(survivors) or ErrorInfo(code=ErrorCode.EXCEPTION, message=message)
        )

    async def _end(self) -> tuple[int, ...]:
        """End all its processes; returns the numbers of those that the machine cannot end."""
        if self._followed.marker is None:  # on a slow link each file that is read first keeps the command running
            await self._steps.take(self._followed.read_marker)
        self._note_leader()
        ending = asyncio.ensure_future(self._steps.take(self._ask_to_end(self._work.grace)))
        killed = asyncio.ensure_future(self._kill.wait())
        try:
            await asyncio.wait((ending, killed), return_when=asyncio.FIRST_COMPLETED)
            if not ending.done():
                await self._steps.take(self._ask_to_end(0.0))
            return await ending
        finally:
            killed.cancel()
            await asyncio.gather(ending, killed, return_exceptions=True)

    def _ask_to_end(self, grace: float) -> Callable[[SshSession], Awaitable[tuple[int, ...]]]:
        return lambda session: end_all(session, self._place, grace)

    # ---- its end

    async def recovered(self) -> Outcome | None:
        """Its outcome, if it has ended; else it is ended, and kept from starting.

        Raises:
            DeviceError: the machine is lost, or something of it cannot be ended.
        """
        self._steps.was_away = True  # nobody listened until now
        try:
            marker = await self._steps.take(self._followed.read_marker)
            if marker is None or marker.code is None:
                marker = await self._steps.take(self._interrupt)
            if marker is None or marker.code is None:
                return None
            return await self._collected(marker.code)
        except OSError as error:
            raise DeviceError(f"What became of {self._place.folder!r} cannot be found out: {error}.") from error
        finally:
            self._output.close()

    async def _interrupt(self, session: SshSession) -> Marker | None:
        if await session.take_back(self._place.folder):
            return None
        await self._followed.read_marker(session)
        self._note_leader()
        await end_wrapper(session, self._place)
        marker = await self._followed.read_marker(session)
        if marker is None or marker.code is None:
            survivors = await end_all(session, self._place, self._work.grace)
            if survivors:
                raise DeviceError(not_ended(survivors))
        return marker

    async def _collected(self, code: int) -> Outcome:
        """The outcome of a command that ended by itself, after all it has left was brought over.

        All it has printed, as tasks that depend on it may read the whole; told to stop meanwhile, it counts as stopped.
        """
        marker, loop = f"{self._place.folder}/marker", asyncio.get_running_loop()
        ago: float | None = 0.0
        if self._steps.was_away:
            ago = await self._steps.take(lambda session: session.seconds_since_written(marker))
        heard = loop.time()
        outcome = await self._brought(code)
        return told_late(outcome, ago, loop.time() - heard, self._followed.took)

    async def _brought(self, code: int) -> Outcome:
        await self._heard_out()
        await self._read_all()
        if not self._followed.is_whole:
            return self._outcome(OutcomeStatus.STOPPED, code, None)
        await self._steps.take_beside(lambda session: bring_result(session, self._work))
        if code != 0 and self._work.task.python is not None:
            await self._steps.take_beside(lambda session: bring_error(session, self._work))
        outcome = ended(self._work.task, code, self._closed(), self._work.files, self._work.context)
        if outcome.status is not OutcomeStatus.COMPLETED:
            return outcome
        try:
            transfers = Transfers(self._work, self._bulk)
            if transfers.fetches and not await self._steps.copy(transfers, transfers.fetch):
                return self._outcome(OutcomeStatus.STOPPED, code, None)
        except TransferFailed as error:
            return self._outcome(OutcomeStatus.FAILED, code, ErrorInfo(code=FETCH_FAILED, message=str(error)))
        return outcome

    async def _read_all(self) -> None:
        await self._steps.take_beside(lambda session: self._followed.read_all(session, self._bulk.pace, self._hurry))

    def _outcome(self, status: OutcomeStatus, code: int | None, error: ErrorInfo | None) -> Outcome:
        return Outcome(status, result_of(None, code, self._closed(), error, self._work.context))

    def _closed(self) -> Output:
        self._output.close()
        return self._output


async def _set_within(event: asyncio.Event, seconds: float) -> None:
    """Return when it is set, or so many seconds later."""
    with contextlib.suppress(TimeoutError):
        await asyncio.wait_for(event.wait(), seconds)
