"""How long an endpoint that is asked too often is left alone, by all slots of its device."""

from __future__ import annotations

import asyncio
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

    async def passed(self) -> None:
        """Return when the endpoint may be asked."""
        clock = asyncio.get_running_loop().time
        while (left := self._over - clock()) > 0:  # noqa: ASYNC110 - it may have grown meanwhile
            await asyncio.sleep(left)

    def hold(self, seconds: float | None) -> str:
        """Leave the endpoint alone; returns that as a sentence without its end.

        Args:
            seconds: for how long; None: it did not say.
        """
        if seconds is None:
            seconds, self._pause = self._pause, min(2 * self._pause, _LONGEST)
        over = asyncio.get_running_loop().time() + seconds
        said = f"rate limited until {until(seconds)}"
        if over > self._over:
            grows = over - self._over > 1.0  # all slots are told at about the same time
            self._over = over
            if grows:
                self._tell(seconds, said)
        return said

    def works(self) -> None:
        """Note that the endpoint has answered."""
        self._pause = _FIRST
