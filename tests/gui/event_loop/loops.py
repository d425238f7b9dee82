"""The loops that tests compare, and how a scenario is run on one."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from typing import Any, Final, TypeVar

from starloom_gui.event_loop import QtEventLoop

_T = TypeVar("_T")
Scenario = Callable[[], Coroutine[Any, Any, list[Any]]]
"""Returns what was observed; asyncio's own loop says what is right."""


class PushedEventLoop(QtEventLoop):
    """The console's loop with input as on Windows, where qasync pushes it: here from its notifiers.

    asyncio's pipe to itself is one of the descriptors that qasync watches here, so a turn follows whatever is read.
    """

    polls_selector = False

    def _process_event(self, key: Any, mask: int) -> None:
        super()._process_event(key, mask)
        self._turn()


OURS: Final[dict[str, Callable[[], Any]]] = {"polled": QtEventLoop, "pushed": PushedEventLoop}
"""The console's loop with either way of input."""
BOUND: Final = 240.0
"""Seconds in which anything here must have ended, on a slow machine too."""


def run_on(factory: Callable[[], Any], main: Callable[[], Coroutine[Any, Any, _T]], *, debug: bool = False) -> _T:
    """Run a coroutine function on a loop of its own."""

    async def within_bound() -> _T:
        async with asyncio.timeout(BOUND):
            return await main()

    with asyncio.Runner(loop_factory=factory, debug=debug) as runner:
        runner.get_loop().slow_callback_duration = BOUND  # a busy machine is no fault of the loop's
        return runner.run(within_bound())
