"""Ending a family of processes: terminate, wait, kill; returns those that the system cannot end."""

from __future__ import annotations

import asyncio
import time
from typing import TYPE_CHECKING, Final

from starloom.devices.family import is_alive

if TYPE_CHECKING:
    from collections.abc import Callable

    import psutil

    from starloom.devices.family import Family

KILL_SECONDS: Final = 5.0
"""How long a killed process may take to vanish before it is given up as one that the system cannot end."""

FIRST_POLL: Final = 0.005
LONGEST_POLL: Final = 0.1
_FIRST_LOOK: Final = 0.05
_LONGEST_LOOK: Final = 1.0


class Ending:
    """Ends the processes of one family. `end` is awaited once.

    Attributes:
        cancels: how often we were cancelled, before or meanwhile: the second time ends the grace period.
    """

    def __init__(
        self,
        family: Family,
        exited: asyncio.Future[None],
        holds_group: Callable[[], bool],
        cancels: int = 1,
    ) -> None:
        """The family's end.

        Args:
            family: who is to end.
            exited: done when its leader has exited, to be told of that without delay; None is told of nobody else.
            holds_group: whether the leader's number, and so its group's, certainly still is the leader's.
            cancels: how often we were cancelled before.
        """
        self.cancels = cancels
        self._family = family
        self._exited = exited
        self._holds_group = holds_group
        self._loop = exited.get_loop()

    async def end(self, grace: float) -> tuple[int, ...]:
        """End all members and return when they have ended; the ids of those that even SIGKILL has not ended.

        Being cancelled does not break it off but ends the grace period: everything is killed at once.

        Args:
            grace: seconds between asking (TERM) and killing (KILL).
        """
        return () if await self._ask(grace) else await self._kill()

    async def _look(self) -> set[psutil.Process]:
        """The members alive now."""
        asked = time.monotonic()
        try:
            return await asyncio.to_thread(self._family.look, asked)
        except asyncio.CancelledError:
            self.cancels += 1
            return self._family.look(asked)

    async def pause(self, awaited: asyncio.Future[None], seconds: float) -> None:
        """Wait for the future or, if it is done already, for the time."""
        try:
            if awaited.done():
                await asyncio.sleep(seconds)
            else:
                await asyncio.wait([awaited], timeout=seconds)
        except asyncio.CancelledError:
            self.cancels += 1

    async def _ask(self, grace: float) -> bool:
        """Whether everybody has gone; returns at the latest when the grace period is over."""
        asked: set[psutil.Process] = set()
        deadline: float | None = None
        patience = _FIRST_LOOK
        while members := await self._look():
            self._family.terminate(members - asked, group=not asked and self._holds_group())
            asked |= members
            deadline = deadline or self._loop.time() + grace
            # One that forked while it was asked has a child that does not know: so look again while we wait.
            if not await self._gone(members, min(deadline, self._loop.time() + patience)):
                if self.cancels > 1 or self._loop.time() >= deadline:
                    return False
                patience = min(patience * 2, _LONGEST_LOOK)
        return True

    async def _gone(self, members: set[psutil.Process], deadline: float) -> bool:
        """Whether these have gone by the deadline; we are not cancelled again without noticing."""
        poll = FIRST_POLL
        while any(is_alive(member) for member in members):
            left = deadline - self._loop.time()
            if left <= 0 or self.cancels > 1:
                return False
            await self.pause(self._exited, min(poll, left))
            poll = min(poll * 2, LONGEST_POLL)
        return True

    async def _kill(self) -> tuple[int, ...]:
        """Looks again after each blow, as a process may have forked just before its end."""
        deadline = self._loop.time() + KILL_SECONDS
        while members := await self._look():
            if self._loop.time() > deadline:
                return tuple(sorted(member.pid for member in members))
            self._family.kill(members, group=self._holds_group())
            await self.pause(self._exited, FIRST_POLL)
        return ()
