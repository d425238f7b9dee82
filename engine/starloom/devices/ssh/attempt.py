"""One attempt on another machine, from its files to its outcome, over as many logins as it takes."""

from __future__ import annotations

import asyncio
import contextlib
from typing import TYPE_CHECKING, Final, TypeVar

from starloom.devices.copying import FETCH_FAILED, TransferFailed
from starloom.devices.ended import ended, failed, freeing, not_stopped, result_of, told_late
from starloom.devices.marker import seconds_between
from starloom.devices.output import Output
from starloom.devices.pace import FIRST_PIECE
from starloom.devices.ssh import scripts
from starloom.devices.ssh.bringing import bring_error, bring_result
from starloom.devices.ssh.ending import end_all, end_wrapper, not_ended
from starloom.devices.ssh.errors import LinkLost
from starloom.devices.ssh.following import FollowedRemoteFiles, pause_after
from starloom.devices.ssh.link import patiently
from starloom.devices.ssh.transfer import Transfers
from starloom.devices.ssh.work import IF_FULL, UNANSWERED, NotStarted, why_refused
from starloom.errors import DeviceError
from starloom.model.result import ErrorCode, ErrorInfo, Outcome, OutcomeStatus

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Coroutine

    from starloom.devices.marker import Marker
    from starloom.devices.ssh.link import SshLink
    from starloom.devices.ssh.scripts import AttemptPlace
    from starloom.devices.ssh.session import SshSession
    from starloom.devices.ssh.work import Work

PATIENCE: Final = 5.0
"""Seconds for which an attempt that is to stop waits for a link that is down."""
_FIRST_LOOK: Final = 2.0
_LONGEST_LOOK: Final = 30.0
_T = TypeVar("_T")


class SshAttempt:
    """One attempt. Nothing in it is cancelled: `stop` says that it has to end, and it does so in order."""

    def __init__(self, link: SshLink, work: Work) -> None:
        self._link = link
        self._work = work
        self._place = work.place
        self._output = Output.of(work.context, work.tail_bytes)
        self._followed = FollowedRemoteFiles(work.place.folder, self._output)
        self._pace = link.bulk.pace
        self._heard = 0.0
        self._listening: asyncio.Future[None] | None = None
        self._over = asyncio.Event()
        self._hurry = asyncio.Event()
        self._is_answered = True
        self._began_ago: float | None = None
        self._orders = 0
        self._kill = asyncio.Event()
        self._was_away = False

    @property
    def place(self) -> AttemptPlace:
        """Where it is, with what has been found out of it."""
        return self._place

    def stop(self) -> None:
        """End it; told again, without asking its processes first."""
        if self._hurry.is_set():
            self._kill.set()
        self._hurry.set()

    async def live(self) -> Outcome:
        """Begin it and see it through.

        Raises:
            LinkGone, DeviceError: the machine is lost, and what became of the attempt is not known.
        """
        self._work.context.waits()
        try:
            if not await self._begun():
                self._output.close()
                return Outcome(OutcomeStatus.STOPPED)
        except (NotStarted, TransferFailed) as error:
            self._output.close()
            by_device = isinstance(error, NotStarted) and error.by_machine
            return failed(ErrorCode.START_FAILED, str(error), by_device=by_device)
        self._work.context.begins(is_seen=self._is_answered or self._began_ago is not None, ago=self._began_ago or 0.0)
        return await self.go_on()

    async def go_on(self) -> Outcome:
        """See it through once it has begun, whoever began it; what it has printed is told from the beginning.

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
        """Whether it has begun, and its wrapper lives and has not written down an end.

        Raises:
            DeviceError: the machine is lost, or its files cannot be read.
        """
        try:
            marker = await self._linked(self._followed.read_marker)
            if marker is None or marker.code is not None or not await self._linked(self._is_alive):
                return False
        except OSError as error:
            raise DeviceError(f"Whether {self._place.folder!r} still runs cannot be found out: {error}.") from error
        return self._followed.marker is not None and self._followed.marker.code is None

    # ---- beginning

    async def _begun(self) -> bool:
        """Whether it runs now; if not, it was stopped before."""
        transfers = Transfers(self._work, self._link.bulk)
        if transfers.sends and not await self._copied(transfers, transfers.send):
            return False
        way = self._linked if self._work.weight() <= FIRST_PIECE else self._beside
        if not await self._unless_stopped(way(self._make_files)):
            return False
        self._work.files.remove()  # they are there now; nobody would remove them here if this program were killed
        refusal = await self._linked(self._start)
        self._is_answered = refusal != UNANSWERED and self._orders == 1
        if not refusal or (not self._is_answered and await self._may_have_begun()):
            return True
        raise NotStarted(why_refused(refusal, self._work), by_machine=refusal not in {"cwd", "missing", "denied"})

    async def _copied(self, transfers: Transfers, step: Callable[[SshSession], Awaitable[None]]) -> bool:
        """Whether the files were copied; being stopped breaks it off."""
        if await self._unless_stopped(self._beside(step)):
            return True
        with contextlib.suppress(DeviceError):
            await self._beside(transfers.clear)
        return False

    async def _unless_stopped(self, step: Coroutine[None, None, None]) -> bool:
        """Whether the step was done; being stopped breaks it off."""
        doing = asyncio.ensure_future(step)
        hurried = asyncio.ensure_future(self._hurry.wait())
        try:
            await asyncio.wait((doing, hurried), return_when=asyncio.FIRST_COMPLETED)
            if self._hurry.is_set():
                return False
            await doing
        finally:
            doing.cancel()
            hurried.cancel()
            await asyncio.gather(doing, hurried, return_exceptions=True)
        return True

    async def _make_files(self, session: SshSession) -> None:
        folder = self._place.folder
        try:
            await session.make_folder(folder)
            with session.links():
                put = session.sftp.put
                await asyncio.gather(*(put(here, f"{folder}/{name}") for name, here in self._work.needed().items()))
        except OSError as error:
            why = error.strerror or str(error)  # of most that is wrong with a disk OpenSSH says no more than Failure
            told = f"The attempt's files cannot be written in {folder!r} on the other machine: {why}; {IF_FULL}"
            raise NotStarted(told, by_machine=True) from error

    async def _start(self, session: SshSession) -> str:
        """Why the command was not started; empty: it was. Of two orders only one makes the marker and runs it."""
        command = self._work.command
        self._orders += 1
        try:
            text = scripts.start(self._place, command, self._work.cwd, self._work.env, self._work.python)
        except ValueError as error:
            raise NotStarted(f"The program {command[0]!r} cannot be started: its arguments hold {error}.") from error
        kind, *words = (await session.ask(text) or [["refused", UNANSWERED]])[-1]
        self._began_ago = seconds_between(words[0], words[-1]) if kind == "started" and words else None
        return "" if kind == "started" else words[-1]

    async def _may_have_begun(self) -> bool:
        """Nobody said whether it began; the marker does, or will never be made."""
        try:
            return not await self._linked(lambda session: session.take_back(self._place.folder))
        except OSError:
            return True

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
            is_news = await self._linked(self._followed.look)
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
                if not await self._linked(self._is_alive):
                    return None
            await _set_within(self._hurry, pause_after(quiet))
        return None

    async def _listen(self) -> None:
        """Tell what the command prints, until it is over."""
        loop = asyncio.get_running_loop()
        while not self._over.is_set():
            if await self._beside(lambda session: self._followed.listen(session, self._pace)):
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
        await self._linked(self._followed.read_marker)
        await self._read_all()
        code = self._followed.marker.code if self._followed.marker is not None else None
        return self._outcome(OutcomeStatus.STOPPED, code, not_stopped(survivors))

    async def _interrupted(self, survivors: tuple[int, ...]) -> Outcome:
        """The wrapper was killed, or the machine was started anew: the command might have lived on without it."""
        await self._read_all()
        message = (
            "The command was interrupted from outside, or its machine was started anew; how it ended is not known."
        )
        error = not_stopped(survivors) or ErrorInfo(code=ErrorCode.INTERRUPTED, message=message)
        return self._outcome(OutcomeStatus.FAILED, None, error)

    async def _given_up(self, error: OSError) -> Outcome:
        """Nobody can find out how the command ends: so it has to, before anything else of the task begins."""
        survivors = await self._linked(self._ask_to_end(self._work.grace))
        message = f"The files of the attempt can be read no more: {error.strerror or error}."
        return self._outcome(
            OutcomeStatus.FAILED, None, not_stopped(survivors) or ErrorInfo(code=ErrorCode.EXCEPTION, message=message)
        )

    async def _end(self) -> tuple[int, ...]:
        """End everything of it; the numbers of the processes that the machine cannot end."""
        if self._followed.marker is None:  # on a slow link each file that is read first keeps the command running
            await self._linked(self._followed.read_marker)
        self._note_leader()
        ending = asyncio.ensure_future(self._linked(self._ask_to_end(self._work.grace)))
        killed = asyncio.ensure_future(self._kill.wait())
        try:
            await asyncio.wait((ending, killed), return_when=asyncio.FIRST_COMPLETED)
            if not ending.done():
                await self._linked(self._ask_to_end(0.0))
            return await ending
        finally:
            killed.cancel()
            await asyncio.gather(ending, killed, return_exceptions=True)

    def _ask_to_end(self, grace: float) -> Callable[[SshSession], Awaitable[tuple[int, ...]]]:
        return lambda session: end_all(session, self._place, grace)

    # ---- its end

    async def recovered(self) -> Outcome | None:
        """Its outcome, if it has ended; else nothing of it lives any more, and nothing of it will begin.

        Raises:
            DeviceError: the machine is lost, or something of it cannot be ended.
        """
        self._was_away = True  # nobody listened until now
        try:
            marker = await self._linked(self._followed.read_marker)
            if marker is None or marker.code is None:
                marker = await self._linked(self._interrupt)
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
        ago = await self._linked(lambda session: session.seconds_since_written(marker)) if self._was_away else 0.0
        heard = loop.time()
        outcome = await self._brought(code)
        return told_late(outcome, ago, loop.time() - heard, self._followed.took)

    async def _brought(self, code: int) -> Outcome:
        await self._heard_out()
        await self._read_all()
        if not self._followed.is_whole:
            return self._outcome(OutcomeStatus.STOPPED, code, None)
        await self._beside(lambda session: bring_result(session, self._work))
        if code != 0 and self._work.task.python is not None:
            await self._beside(lambda session: bring_error(session, self._work))
        outcome = ended(self._work.task, code, self._closed(), self._work.files, self._work.context)
        if outcome.status is not OutcomeStatus.COMPLETED:
            return outcome
        try:
            transfers = Transfers(self._work, self._link.bulk)
            if transfers.fetches and not await self._copied(transfers, transfers.fetch):
                return self._outcome(OutcomeStatus.STOPPED, code, None)
        except TransferFailed as error:
            return self._outcome(OutcomeStatus.FAILED, code, ErrorInfo(code=FETCH_FAILED, message=str(error)))
        return outcome

    async def _read_all(self) -> None:
        await self._beside(lambda session: self._followed.read_all(session, self._pace, self._hurry))

    def _outcome(self, status: OutcomeStatus, code: int | None, error: ErrorInfo | None) -> Outcome:
        return Outcome(status, result_of(None, code, self._closed(), error, self._work.context))

    def _closed(self) -> Output:
        self._output.close()
        return self._output

    # ---- the link

    async def _session(self) -> SshSession:
        self._was_away = self._was_away or not self._link.is_up
        return await patiently(self._link, self._hurry, PATIENCE)

    async def _linked(self, step: Callable[[SshSession], Awaitable[_T]]) -> _T:
        """Take a step that may be taken anew, on as many logins as it needs."""
        return await self._on(self._session, step)

    async def _beside(self, step: Callable[[SshSession], Awaitable[_T]]) -> _T:
        """Take such a step where what is large keeps nothing else waiting."""
        return await self._on(self._session_beside, step)

    async def _session_beside(self) -> SshSession:
        return await self._link.bulk.beside(await self._session())

    @staticmethod
    async def _on(login: Callable[[], Awaitable[SshSession]], step: Callable[[SshSession], Awaitable[_T]]) -> _T:
        while True:
            session = await login()
            try:
                return await step(session)
            except LinkLost:
                continue


async def _set_within(event: asyncio.Event, seconds: float) -> None:
    """Return when it is set, or so many seconds later."""
    with contextlib.suppress(TimeoutError):
        await asyncio.wait_for(event.wait(), seconds)
