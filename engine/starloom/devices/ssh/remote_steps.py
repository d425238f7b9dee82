"""Steps of an attempt on another machine, each retried on as many logins as it needs."""

from __future__ import annotations

import asyncio
import contextlib
from typing import TYPE_CHECKING, Final, TypeVar

from starloom.devices.ssh.errors import LinkLost
from starloom.devices.ssh.link import patiently
from starloom.errors import DeviceError

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Coroutine

    from starloom.devices.ssh.link import SshLink
    from starloom.devices.ssh.session import SshSession
    from starloom.devices.ssh.transfer import Transfers

PATIENCE: Final = 5.0
"""Seconds for which an attempt that is to stop waits for a link that is down."""
_T = TypeVar("_T")


class RemoteSteps:
    """Performs the steps of one attempt over the link to its machine.

    Args:
        link: to the machine.
        hurry: set once the attempt has to stop.

    Attributes:
        was_away: whether the link was down when a step was to be taken.
    """

    def __init__(self, link: SshLink, hurry: asyncio.Event) -> None:
        self.was_away = False
        self._link = link
        self._hurry = hurry

    async def take(self, step: Callable[[SshSession], Awaitable[_T]]) -> _T:
        """Perform a repeatable step; its errors are raised, except `LinkLost`.

        Raises:
            LinkGone, DeviceError: the machine is lost.
        """
        return await _on(self._session, step)

    async def take_beside(self, step: Callable[[SshSession], Awaitable[_T]]) -> _T:
        """Perform such a step over the login for bulk data; raises as `take` does."""
        return await _on(self._session_beside, step)

    async def unless_stopped(self, step: Coroutine[None, None, None]) -> bool:
        """Perform a step unless the attempt is stopped; returns whether it was done."""
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

    async def copy(self, transfers: Transfers, step: Callable[[SshSession], Awaitable[None]]) -> bool:
        """Copy files by `step` unless the attempt is stopped; returns whether they were copied."""
        if await self.unless_stopped(self.take_beside(step)):
            return True
        with contextlib.suppress(DeviceError):
            await self.take_beside(transfers.clear)
        return False

    async def _session(self) -> SshSession:
        self.was_away = self.was_away or not self._link.is_up
        return await patiently(self._link, self._hurry, PATIENCE)

    async def _session_beside(self) -> SshSession:
        return await self._link.bulk.beside(await self._session())


async def _on(login: Callable[[], Awaitable[SshSession]], step: Callable[[SshSession], Awaitable[_T]]) -> _T:
    while True:
        session = await login()
        try:
            return await step(session)
        except LinkLost:
            continue
