"""Starting an attempt on another machine: its files are sent, then its command is started once."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from starloom.devices.marker import seconds_between
from starloom.devices.pace import FIRST_PIECE
from starloom.devices.ssh import scripts
from starloom.devices.ssh.transfer import Transfers
from starloom.devices.ssh.work import IF_FULL, UNANSWERED, NotStarted, why_refused

if TYPE_CHECKING:
    from starloom.devices.ssh.bulk import Bulk
    from starloom.devices.ssh.remote_steps import RemoteSteps
    from starloom.devices.ssh.session import SshSession
    from starloom.devices.ssh.work import Work


class AttemptStart:
    """Starts one attempt, over as many logins as it takes.

    Args:
        work: what it does.
        steps: take it there.
        bulk: the login over which files are sent.

    Attributes:
        is_answered: whether the machine said to the only order to start that the command was started.
        began_ago: seconds since it had begun, when the machine said so; None: it did not.
    """

    def __init__(self, work: Work, steps: RemoteSteps, bulk: Bulk) -> None:
        self.is_answered = True
        self.began_ago: float | None = None
        self._work = work
        self._steps = steps
        self._bulk = bulk
        self._orders = 0

    async def begin(self) -> bool:
        """Start the command; returns whether it runs now, or the attempt was stopped before.

        Raises:
            NotStarted, TransferFailed: it cannot be started.
            LinkGone, DeviceError: the machine is lost.
        """
        transfers = Transfers(self._work, self._bulk)
        if transfers.sends and not await self._steps.copy(transfers, transfers.send):
            return False
        take = self._steps.take if self._work.weight() <= FIRST_PIECE else self._steps.take_beside
        if not await self._steps.unless_stopped(take(self._make_files)):
            return False
        self._work.files.remove()  # they are there now; nobody would remove them here if this program were killed
        refusal = await self._steps.take(self._start)
        self.is_answered = refusal != UNANSWERED and self._orders == 1
        if not refusal or (not self.is_answered and await self._may_have_begun()):
            return True
        raise NotStarted(why_refused(refusal, self._work), by_machine=refusal not in {"cwd", "missing", "denied"})

    async def _make_files(self, session: SshSession) -> None:
        folder = self._work.place.folder
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
        """The reason why the command was not started; empty: it was. Of two orders only one creates the marker."""
        work = self._work
        self._orders += 1
        try:
            text = scripts.start(work.place, work.command, work.cwd, work.env, work.python)
        except ValueError as error:
            raise NotStarted(
                f"The program {work.command[0]!r} cannot be started: its arguments hold {error}."
            ) from error
        kind, *words = (await session.ask(text) or [["refused", UNANSWERED]])[-1]
        self.began_ago = seconds_between(words[0], words[-1]) if kind == "started" and words else None
        return "" if kind == "started" else words[-1]

    async def _may_have_begun(self) -> bool:
        """Whether the command may have begun although the start was not answered; if not, it never will."""
        try:
            return not await self._steps.take(lambda session: session.take_back(self._work.place.folder))
        except OSError:
            return True
