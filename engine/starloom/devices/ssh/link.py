"""The link to a machine: it logs in again when a login breaks; its users wait until it is up again."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import random
from typing import TYPE_CHECKING, Final

from starloom.devices.ssh.bulk import Bulk
from starloom.devices.ssh.errors import LinkGone
from starloom.devices.ssh.session import SshSession
from starloom.errors import DeviceError, DeviceRefused

if TYPE_CHECKING:
    from collections.abc import Callable

    from starloom.devices.ssh.options import Route

_log = logging.getLogger(__name__)
_FIRST_PAUSE: Final = 0.25
_PAUSES: Final = (_FIRST_PAUSE, 15.0)
"""Seconds between two logins that fail: the shortest pause, which doubles, and the longest."""
_REFUSED_PAUSES: Final = (60.0, 120.0)
"""The same while the machine refuses us: more often might lock the user out."""
_LOOK_EVERY: Final = 1.0
"""Seconds between two looks, during such a pause, whether somebody has done something about it."""
_PROVEN: Final = 10.0
"""Seconds a login must have lasted for the next one to be tried without a pause."""


class SshLink:
    """The connection to a machine over SSH. `open` is called once; `close` ends it for good.

    Attributes:
        bulk: the login beside it for what is large.
        on_trouble: called when a login to come back fails, with why, and with None when one succeeds.
    """

    def __init__(self, route: Route) -> None:
        self.bulk = Bulk(route)
        self.on_trouble: Callable[[DeviceError | None], object] = lambda _error: None
        self._route = route
        self._session: SshSession | None = None
        self._is_up = asyncio.Event()
        self._is_told = asyncio.Event()
        self._refusal: DeviceRefused | None = None
        self._hurry = asyncio.Event()
        self._keeper: asyncio.Task[None] | None = None
        self._gone: DeviceError | None = None
        self._seen = route.evidence()

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
        self.on_trouble(None)
        self._note_refusal(None)
        self._is_up.set()
        self._is_told.set()
        return session

    def _note_refusal(self, refusal: DeviceRefused | None) -> None:
        self._refusal = refusal
        if refusal is None:
            self._is_told.clear()
        else:
            self._is_told.set()

    def _note_lost(self, session: SshSession) -> None:
        # At once, so that who asks again waits; somebody may also notice late, when there is another login already.
        if session is self._session and self._gone is None:
            self._is_up.clear()
            self._is_told.clear()
            self._hurry.clear()
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
        """The login, as soon as there is one, also while the machine refuses us.

        Raises:
            LinkGone: there will be none.
            DeviceError: there will be none, as the link failed.
        """
        await self._is_up.wait()
        if self._gone is not None:
            raise self._gone
        assert self._session is not None
        return self._session

    async def unless_refused(self) -> SshSession:
        """The login, as soon as there is one, or the machine says that there is none for us.

        Raises:
            DeviceRefused: it refuses us now; it is tried again.
            DeviceError: as of `session`.
        """
        await self._is_told.wait()
        if self._refusal is not None and self._gone is None:
            raise self._refusal.with_traceback(None)  # each time it is raised would add to it
        return await self.session()

    def hurry(self) -> None:
        """Log in at once if the link is down, not after the next pause."""
        if not self._is_up.is_set():
            self._hurry.set()

    @property
    def is_up(self) -> bool:
        """Whether there is a login now."""
        return self._gone is None and self._is_up.is_set()

    async def _keep(self, session: SshSession) -> None:
        """Log in again whenever the link is down; what runs there is waited for by others."""
        loop = asyncio.get_running_loop()
        while True:
            began = loop.time()
            await session.ended()
            self._note_lost(session)
            try:
                session = self._use(await self._again(0.0 if loop.time() - began > _PROVEN else _FIRST_PAUSE))
            except Exception as error:  # noqa: BLE001 - the border to asyncssh: it is reported, and who waits is told
                _log.exception("the link to %s failed", self._route.address)
                self._end(DeviceError(f"The link to {self._route.address} failed: {type(error).__name__}: {error}."))
                return

    async def _again(self, pause: float) -> SshSession:
        while True:
            await self._rest(pause * random.uniform(0.5, 1.0))
            self._seen = self._route.evidence()
            try:
                return await SshSession.open(self._route)
            except DeviceRefused as error:  # what runs there goes on, and may be mended from outside
                self._note_refusal(error)
            except DeviceError as error:  # it is told by whoever misses the heartbeats
                self.on_trouble(error.with_traceback(None))
                self._note_refusal(None)
            shortest, longest = _PAUSES if self._refusal is None else _REFUSED_PAUSES
            pause = min(longest, max(shortest, pause * 2))

    async def _rest(self, seconds: float) -> None:
        """Wait for so long, until somebody is in a hurry, or may have done something about a refusal."""
        loop = asyncio.get_running_loop()
        deadline = loop.time() + seconds
        while (left := deadline - loop.time()) > 0 and not self._hurry.is_set():
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(left if self._refusal is None else min(left, _LOOK_EVERY)):
                    await self._hurry.wait()
            if self._refusal is not None and self._route.evidence() != self._seen:
                break
        self._hurry.clear()

    def _end(self, reason: DeviceError) -> None:
        self._gone = self._gone or reason
        self._is_up.set()
        self._is_told.set()


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
