"""How long an endpoint that is asked too often is left alone, by all slots of its device."""

from __future__ import annotations

import asyncio
import contextlib
from typing import TYPE_CHECKING, Final

from starloom.devices.llm.failures import until

if TYPE_CHECKING:
    from collections.abc import Callable

_FIRST: Final = 5.0
_LONGEST: Final = 60.0
"""Seconds an endpoint is left alone that does not say for how long; they double, up to this."""


class RateLimit:
    """When an endpoint may be asked again.

    Args:
        tell: is told for how many seconds it is left alone, and why, each time that this grows.
    """

    def __init__(self, tell: Callable[[float, str], None]) -> None:
        self._tell = tell
        self._over = 0.0
        self._pause = _FIRST
        self._waiting: list[asyncio.Future[bool]] = []
        self._is_in_hurry = False

    async def passed(self) -> bool:
        """Return when the endpoint may be asked: whether that is a trial, as its time is not over."""
        loop = asyncio.get_running_loop()
        while (left := self._over - loop.time()) > 0:
            if self._is_in_hurry:
                self._is_in_hurry = False
                return True
            waiting = loop.create_future()
            self._waiting.append(waiting)
            try:
                async with asyncio.timeout(left):
                    if await waiting:
                        return True
            except TimeoutError:
                pass
            finally:
                with contextlib.suppress(ValueError):
                    self._waiting.remove(waiting)
        self._is_in_hurry = False
        return False

    def hurry(self) -> None:
        """Have one request made at once, to see whether the endpoint takes it; the others wait for what comes of it."""
        if not self._wake(is_trial=True):
            self._is_in_hurry = self._over > asyncio.get_running_loop().time()

    def _wake(self, *, is_trial: bool) -> bool:
        """Wake whoever waits longest, for a trial or to look at the time again; returns whether there was anybody."""
        waiting = next((one for one in self._waiting if not one.done()), None)
        if waiting is not None:
            waiting.set_result(is_trial)
        return waiting is not None

    def hold(self, seconds: float | None, *, is_trial: bool = False) -> str:
        """Leave the endpoint alone; returns that as a sentence without its end.

        Args:
            seconds: for how long; None: it did not say.
            is_trial: whether it was asked before its time was over: then what it says now counts, also if it is less.
        """
        if seconds is None:
            seconds, self._pause = self._pause, min(2 * self._pause, _LONGEST)
        over = asyncio.get_running_loop().time() + seconds
        said = f"rate limited until {until(seconds)}"
        if is_trial or over > self._over:
            is_news = is_trial or over - self._over > 1.0  # all slots are told at about the same time
            self._set(over)
            if is_news:
                self._tell(seconds, said)
        return said

    def works(self, *, is_trial: bool) -> None:
        """Note that the endpoint has answered; if that was a trial, it may be asked by all."""
        self._pause = _FIRST
        if is_trial:
            self._set(0.0)

    def _set(self, over: float) -> None:
        is_earlier = over < self._over
        self._over = over
        while is_earlier and self._wake(is_trial=False):
            pass
