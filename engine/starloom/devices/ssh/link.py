"""The link to a machine: it logs in again when a login breaks; its users wait until it is up again."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import random
from typing import TYPE_CHECKING, Final

from starloom.devices.ssh.bulk import Bulk
from starloom.devices.ssh.errors import HostKeyChanged, HostKeyUnknown, LinkGone, LoginRefused
from starloom.devices.ssh.session import SshSession
from starloom.errors import DeviceError

if TYPE_CHECKING:
    from starloom.devices.ssh.options import Route

_log = logging.getLogger(__name__)
_FIRST_PAUSE: Final = 0.25
_LONGEST_PAUSE: Final = 15.0
_PROVEN: Final = 10.0
"""Seconds a login must have lasted for the next one to be tried without a pause."""


class SshLink:
    """The connection to a machine over SSH. `open` is called once; `close` ends it for good.

    Attributes:
        bulk: the login beside it for what is large.
    """

    def __init__(self, route: Route) -> None:
        self.bulk = Bulk(route)
        self._route = route
        self._session: SshSession | None = None
        self._is_up = asyncio.Event()
        self._keeper: asyncio.Task[None] | None = None
        self._gone: DeviceError | None = None

    async def open(self) -> SshSession:
        """Log in, and stay logged in from then on.

        Raises:
            DeviceError: the machine cannot be reached or used.
        """
        session = self._use(await SshSession.open(self._route))
        self._keeper = asyncio.create_task(self._keep(session), name=f"starloom ssh {self._route.address}")
        return session

    def _use(self, session: SshSession) -> SshSession:
        self._session = session
        session.on_lost = lambda: self._note_lost(session)
        self._is_up.set()
        return session

    def _note_lost(self, session: SshSession) -> None:
        # At once, so that who asks again waits; somebody may also notice late, when there is another login already.
        if session is self._session and self._gone is None:
            self._is_up.clear()
            self.bulk.cut()  # it went the same way, and is not to be waited for until it is noticed there too

    async def close(self) -> None:
        """Log out; users that wait for the link get an error."""
        self._end(LinkGone(f"The link to {self._route.address} was let go."))
        keeper, self._keeper = self._keeper, None
        if keeper is not None:
            keeper.cancel()
            await asyncio.gather(keeper, return_exceptions=True)
        await self.bulk.close()
        session, self._session = self._session, None
        if session is not None:
            await session.close()

    async def session(self) -> SshSession:
        """The login, as soon as there is one.

        Raises:
            LinkGone: there will be none.
            DeviceError: there will be none, as the machine has come to refuse us.
        """
        await self._is_up.wait()
        if self._gone is not None:
            raise self._gone
        assert self._session is not None
        return self._session

    @property
    def is_up(self) -> bool:
        """Whether there is a login now."""
        return self._gone is None and self._is_up.is_set()

    async def _keep(self, session: SshSession) -> None:
        """Log in again whenever the link is down, until the machine refuses us."""
        loop = asyncio.get_running_loop()
        while True:
            began = loop.time()
            await session.ended()
            self._note_lost(session)
            try:
                session = self._use(await self._again(0.0 if loop.time() - began > _PROVEN else _FIRST_PAUSE))
            except DeviceError as error:
                self._end(error)
                return
            except Exception as error:  # noqa: BLE001 - the border to asyncssh: it is reported, and who waits is told
                _log.exception("the link to %s failed", self._route.address)
                self._end(DeviceError(f"The link to {self._route.address} failed: {type(error).__name__}: {error}."))
                return

    async def _again(self, pause: float) -> SshSession:
        while True:
            await asyncio.sleep(pause * random.uniform(0.5, 1.0))
            pause = min(_LONGEST_PAUSE, max(_FIRST_PAUSE, pause * 2))
            try:
                return await SshSession.open(self._route)
            except (HostKeyChanged, HostKeyUnknown, LoginRefused):
                raise
            except DeviceError:
                continue  # it is told by whoever misses the heartbeats

    def _end(self, reason: DeviceError) -> None:
        self._gone = self._gone or reason
        self._is_up.set()


async def patiently(link: SshLink, hurry: asyncio.Event, patience: float) -> SshSession:
    """The login as soon as there is one, but at most so many seconds after it is hurried.

    Raises:
        LinkGone: there is none by then.
        DeviceError: as of `SshLink.session`.
    """
    if link.is_up:
        return await link.session()
    waiting = asyncio.ensure_future(link.session())
    hurried = asyncio.ensure_future(hurry.wait())
    try:
        await asyncio.wait((waiting, hurried), return_when=asyncio.FIRST_COMPLETED)
        if not waiting.done():
            await asyncio.wait((waiting,), timeout=patience)
        if not waiting.done():
            raise LinkGone("The link is down, and what runs at its other end cannot be told to stop.")
        return waiting.result()
    finally:
        for future in (waiting, hurried):
            future.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await asyncio.gather(waiting, hurried, return_exceptions=True)
