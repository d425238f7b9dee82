"""One attempt on another machine, from its files to its outcome, over as many logins as it takes."""

from __future__ import annotations

import asyncio
import contextlib
import os
from pathlib import Path
from typing import TYPE_CHECKING, Final, TypeVar

from starloom.devices.ended import ended, failed, not_stopped, result_of
from starloom.devices.output import Output
from starloom.devices.ssh import scripts
from starloom.devices.ssh.errors import LinkLost
from starloom.devices.ssh.following import Followed, pause_after
from starloom.devices.ssh.link import patiently
from starloom.devices.ssh.transfer import TransferFailed, fetch, transfers_of, upload
from starloom.devices.ssh.work import IF_FULL, UNANSWERED, why_refused
from starloom.errors import DeviceError
from starloom.model.result import MAX_VALUE_BYTES, ErrorCode, ErrorInfo, Outcome, OutcomeStatus
from starloom.private_files import write_private

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from starloom.devices.marker import Marker
    from starloom.devices.ssh.link import Link
    from starloom.devices.ssh.scripts import AttemptPlace
    from starloom.devices.ssh.session import Session
    from starloom.devices.ssh.transfer import Direction, Transfer
    from starloom.devices.ssh.work import Work

PATIENCE: Final = 5.0
"""Seconds for which an attempt that is to stop waits for a link that is down."""
FETCH_FAILED: Final = "fetch_failed"
"""The code of the error that a task's files could not be brought back."""
_FIRST_LOOK: Final = 2.0
_LONGEST_LOOK: Final = 30.0
_T = TypeVar("_T")


class NotStarted(Exception):  # noqa: N818 - becomes the outcome
    """Nothing of the attempt has begun, and nothing will; the sentence says why.

    Attributes:
        by_machine: the other machine could not do its part, whatever the task is.
    """

    def __init__(self, message: str, *, by_machine: bool = False) -> None:
        super().__init__(message)
        self.by_machine = by_machine


class Attempt:
    """One attempt. Nothing in it is cancelled: `stop` says that it has to end, and it does so in order."""

    def __init__(self, link: Link, work: Work) -> None:
        self._link = link
        self._work = work
        self._place = work.place
        self._output = Output.of(work.context, work.tail_bytes)
        self._followed = Followed(work.place.folder, self._output)
        self._hurry = asyncio.Event()
        self._kill = asyncio.Event()

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
        try:
            if not await self._begun():
                self._output.close()
                return Outcome(OutcomeStatus.STOPPED)
        except (NotStarted, TransferFailed) as error:
            self._output.close()
            by_device = isinstance(error, NotStarted) and error.by_machine
            return failed(ErrorCode.START_FAILED, str(error), by_device=by_device)
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
        transfers = self._transfers("upload")
        self._transfers("fetch")  # what is wrong with them is to be known now
        progress = self._work.context.progress
        if not await self._unless_stopped(lambda session: upload(session, transfers, progress)):
            return False
        if not await self._unless_stopped(self._make_files):
            return False
        try:
            refusal = await self._start(await self._session())
        except LinkLost:
            refusal = UNANSWERED
        if not refusal or (refusal == UNANSWERED and await self._may_have_begun()):
            return True
        raise NotStarted(why_refused(refusal, self._work), by_machine=refusal not in {"cwd", "missing", "denied"})

    async def _unless_stopped(self, step: Callable[[Session], Awaitable[None]]) -> bool:
        """Whether the step was done; being stopped breaks it off."""
        doing = asyncio.ensure_future(self._linked(step))
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

    async def _make_files(self, session: Session) -> None:
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

    async def _start(self, session: Session) -> str:
        """Why the command was not started; empty: it was."""
        command = self._work.command
        try:
            text = scripts.start(self._place, command, self._work.cwd, self._work.env, self._work.python)
        except ValueError as error:
            raise NotStarted(f"The program {command[0]!r} cannot be started: its arguments hold {error}.") from error
        answers = await session.ask(text) or [["refused", UNANSWERED]]
        return "" if answers[-1] == ["started"] else answers[-1][-1]

    async def _may_have_begun(self) -> bool:
        """Nobody said whether it began; the marker does, or will never be made."""
        try:
            return not await self._linked(lambda session: session.take_back(self._place.folder))
        except OSError:
            return True

    # ---- following

    async def _follow(self) -> Outcome:
        """Listen until the command has ended, was stopped or was interrupted."""
        loop = asyncio.get_running_loop()
        heard = looked = loop.time()
        while not self._hurry.is_set():
            is_news = await self._linked(self._followed.look)
            marker = self._followed.marker
            if marker is not None and marker.code is not None:
                return await self._collected(marker.code)
            if is_news:
                heard = loop.time()
                continue
            quiet = loop.time() - heard
            if loop.time() - looked > min(_LONGEST_LOOK, max(_FIRST_LOOK, quiet / 2)):
                looked = loop.time()
                if not await self._linked(self._is_alive):
                    return await self._interrupted()
            await self._pause(pause_after(quiet))
        return await self._stopped()

    async def _pause(self, seconds: float) -> None:
        try:
            await asyncio.wait_for(self._hurry.wait(), seconds)
        except TimeoutError:
            return

    async def _is_alive(self, session: Session) -> bool:
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

    async def _stopped(self) -> Outcome:
        survivors = await self._end()
        await self._linked(self._followed.read_marker)
        await self._linked(self._followed.read_all)
        code = self._followed.marker.code if self._followed.marker is not None else None
        return self._outcome(OutcomeStatus.STOPPED, code, not_stopped(survivors))

    async def _interrupted(self) -> Outcome:
        """The wrapper was killed, or the machine was started anew: the command may live on without it, but must not."""
        survivors = await self._end()
        await self._linked(self._followed.read_all)
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

    def _ask_to_end(self, grace: float) -> Callable[[Session], Awaitable[tuple[int, ...]]]:
        return lambda session: end_all(session, self._place, grace)

    # ---- its end

    async def recovered(self) -> Outcome | None:
        """Its outcome, if it has ended; else nothing of it lives any more, and nothing of it will begin.

        Raises:
            DeviceError: the machine is lost, or something of it cannot be ended.
        """
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

    async def _interrupt(self, session: Session) -> Marker | None:
        if await session.take_back(self._place.folder):
            return None
        await self._followed.read_marker(session)
        self._note_leader()
        await end_wrapper(session, self._place)
        marker = await self._followed.read_marker(session)
        if marker is None or marker.code is None:
            survivors = await end_all(session, self._place, self._work.grace)
            if survivors:
                raise DeviceError(_not_ended(survivors))
        return marker

    async def _collected(self, code: int) -> Outcome:
        """The outcome of a command that ended by itself, after all it has left was brought over."""
        await self._linked(self._followed.read_all)
        await self._linked(self._bring_result)
        if code != 0 and self._work.task.python is not None:
            await self._linked(self._bring_error)
        outcome = ended(self._work.task, code, self._closed(), self._work.files, self._work.context)
        if outcome.status is not OutcomeStatus.COMPLETED:
            return outcome
        try:
            transfers = self._transfers("fetch")
            progress = self._work.context.progress
            if not await self._unless_stopped(lambda session: fetch(session, transfers, progress)):
                return self._outcome(OutcomeStatus.STOPPED, code, None)
        except TransferFailed as error:
            return self._outcome(OutcomeStatus.FAILED, code, ErrorInfo(code=FETCH_FAILED, message=str(error)))
        return outcome

    async def _bring_result(self, session: Session) -> None:
        path = self._work.files.result
        try:
            data = await session.read(f"{self._place.folder}/result", MAX_VALUE_BYTES)
        except OSError:
            os.makedirs(path, exist_ok=True)  # what is no file there is to be none here, and is told so
            return
        if data is not None:
            _write(path, data)

    async def _bring_error(self, session: Session) -> None:
        """What the child of a `python` task says; nothing that can be used counts as nothing."""
        with contextlib.suppress(OSError):
            data = await session.read(f"{self._place.folder}/error", MAX_VALUE_BYTES)
            if data is not None:
                self._work.files.write_error(data)

    def _transfers(self, direction: Direction) -> tuple[Transfer, ...]:
        return transfers_of(self._work.task, direction, self._work.folder, self._work.cwd)

    def _outcome(self, status: OutcomeStatus, code: int | None, error: ErrorInfo | None) -> Outcome:
        return Outcome(status, result_of(None, code, self._closed(), error, self._work.context))

    def _closed(self) -> Output:
        self._output.close()
        return self._output

    # ---- the link

    async def _session(self) -> Session:
        return await patiently(self._link, self._hurry, PATIENCE)

    async def _linked(self, step: Callable[[Session], Awaitable[_T]]) -> _T:
        """Take a step that may be taken anew, on as many logins as it needs."""
        while True:
            session = await self._session()
            try:
                return await step(session)
            except LinkLost:
                continue


async def end_all(session: Session, place: AttemptPlace, grace: float) -> tuple[int, ...]:
    """End everything that lives because of an attempt; the numbers of the processes that the machine cannot end.

    Raises:
        LinkLost: the link broke; the machine goes on with it.
        DeviceError: the machine cannot do it.
    """
    return _left(await session.ask(scripts.end(place, grace)))


async def end_wrapper(session: Session, place: AttemptPlace) -> None:
    """Kill the wrapper of an attempt alone, and return when it cannot write any more.

    Raises:
        LinkLost: the link broke.
        DeviceError: it cannot be killed.
    """
    if left := _left(await session.ask(scripts.kill_wrapper(place))):
        raise DeviceError(_not_ended(left))


def _write(path: str, data: bytes) -> None:
    write_private(Path(path), data)


def _left(answers: list[list[str]]) -> tuple[int, ...]:
    for words in answers:
        if words[:1] == ["left"]:
            return tuple(int(word) for word in words[1:])
    raise DeviceError("The shell of the other machine did not do as it was told; its user needs a POSIX /bin/sh.")


def _not_ended(survivors: tuple[int, ...]) -> str:
    names = ", ".join(map(str, survivors))
    return f"An interrupted attempt goes on: the machine could not end the processes {names}. End them."
