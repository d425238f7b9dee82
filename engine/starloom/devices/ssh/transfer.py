"""The files of an attempt on another machine, sent before it starts, and fetched once it has completed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from starloom.devices.copying import Copying, files_of
from starloom.devices.local_side import LocalSide
from starloom.devices.ssh.remote_side import RemoteSide

if TYPE_CHECKING:
    from starloom.devices.ssh.bulk import Bulk
    from starloom.devices.ssh.session import SshSession
    from starloom.devices.ssh.work import Work


class Transfers:
    """The files of one attempt, over as many logins as it takes.

    Attributes:
        sends, fetches: whether there are any to copy that way.

    Raises:
        TransferFailed: what its task says of them cannot be used.
    """

    def __init__(self, work: Work, bulk: Bulk) -> None:
        self._work = work
        self._here = LocalSide(work.folder, stays=True)
        files = files_of(work.task)
        for path in (*(copy.source for copy in files.send), *(copy.target for copy in files.fetch)):
            self._here.full(path)
        self.sends, self.fetches = bool(files.send), bool(files.fetch)
        progress = work.context.progress
        self._sending = Copying(files.send, "send", progress, bulk.turns, bulk.copying)
        self._fetching = Copying(files.fetch, "fetch", progress, bulk.turns, bulk.copying)

    async def send(self, session: SshSession) -> None:
        """Send the files that the task needs.

        Raises:
            TransferFailed: one cannot be read here or written there.
            LinkLost: the link broke; called with the next login, it goes on where it was.
        """
        await self._sending.go_on(self._here, self._there(session))

    async def fetch(self, session: SshSession) -> None:
        """Fetch the files that the task has made; raises as `send` does."""
        await self._fetching.go_on(self._there(session), self._here)

    async def clear(self, session: SshSession) -> None:
        """Remove the parts of files that are no longer needed.

        Raises:
            LinkLost: the link broke.
        """
        await self._fetching.clear(self._here)
        await self._sending.clear(self._there(session))

    def _there(self, session: SshSession) -> RemoteSide:
        return RemoteSide(session, self._work.cwd, self._work.python)
