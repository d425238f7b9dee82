"""The function by which async tests wait: on asyncio's loop, on the console's, and in virtual time."""

from __future__ import annotations

import asyncio
import inspect
from typing import TYPE_CHECKING, Any, Final

from tests.virtual_time import VirtualLoop

if TYPE_CHECKING:
    from collections.abc import Callable

BOUND: Final = 60.0
"""Seconds in which anything must have come about, on a slow machine too."""
POLL: Final = 0.01
"""Seconds between two looks at what happens in other processes."""
_EAGER: Final = 0.1
"""Seconds in which each iteration of the loop is looked at: what happens in this process comes about by then."""
_CALM: Final = 0.002
"""Seconds between two looks after that: a loop that spins takes a processor from what is waited for."""


async def until(condition: Callable[[], Any], *, within: float | None = None, every: float | None = None) -> Any:
    """Return what a condition gives, once that is true.

    Args:
        condition: is asked; what it gives may have to be awaited.
        within: seconds on the loop's clock in which it has to come about; None: a minute, or ten virtual ones.
        every: seconds between two looks; None: one in each iteration of the loop at first, and later five hundred a
            second, or a hundred in a virtual one.

    Raises:
        AssertionError: it did not come about in time.
    """
    loop = asyncio.get_running_loop()
    is_virtual = isinstance(loop, VirtualLoop)  # its time stands still while anything is to be done at once
    within = (10 * BOUND if is_virtual else BOUND) if within is None else within
    every = POLL if is_virtual and every is None else every
    begun = loop.time()
    while True:
        found = condition()
        if inspect.isawaitable(found):
            found = await found
        if found:
            return found
        waited = loop.time() - begun
        if waited > within:
            raise AssertionError(f"it did not come about within {within} s")
        await asyncio.sleep((0.0 if waited < _EAGER else _CALM) if every is None else every)
