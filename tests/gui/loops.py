"""The loops that tests compare, and how a scenario is run on one."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from typing import Any, Final, TypeVar

from starloom_gui.event_loop import QtEventLoop
from starloom_gui.windows_loop import WindowsEventLoop

_T = TypeVar("_T")
Scenario = Callable[[], Coroutine[Any, Any, list[Any]]]
"""Returns what was observed; asyncio's own loop says what is right."""

OURS: Final[dict[str, Callable[[], Any]]] = {"qt": QtEventLoop, "qasync": WindowsEventLoop}
"""The console's loops; that for Windows runs here on qasync's notifiers instead of its completion ports."""
BOUND: Final = 60.0
"""Seconds in which anything here must have ended, on a slow machine too."""


async def until(condition: Callable[[], Any]) -> None:
    """Return once the condition holds; looks in each iteration of the loop."""
    deadline = asyncio.get_running_loop().time() + BOUND
    while not condition():
        if asyncio.get_running_loop().time() > deadline:
            raise AssertionError(f"it did not come about within {BOUND} s")
        await asyncio.sleep(0)


def run_on(factory: Callable[[], Any], main: Callable[[], Coroutine[Any, Any, _T]], *, debug: bool = False) -> _T:
    """Run a coroutine function on a loop of its own."""

    async def within_bound() -> _T:
        async with asyncio.timeout(BOUND):
            return await main()

    with asyncio.Runner(loop_factory=factory, debug=debug) as runner:
        runner.get_loop().slow_callback_duration = BOUND  # a busy machine is no fault of the loop's
        return runner.run(within_bound())
