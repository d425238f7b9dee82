"""An event loop in virtual time: instead of waiting for the next timer it jumps to it.

Hours pass in milliseconds and always in the same way. If there is no timer either, nothing can ever happen again, which
is a mistake of whoever still waits; it is raised as `NothingWillHappen`. The loop counts how often it woke up.
"""

from __future__ import annotations

import asyncio
import selectors
from typing import TYPE_CHECKING, Any, TypeVar

from typing_extensions import override

from starloom.orchestration.orchestrator import Orchestrator
from starloom.settings import SchedulerSettings

if TYPE_CHECKING:
    from collections.abc import Coroutine

    from starloom.devices.base import Device
    from starloom.journal.base import Journal


_T = TypeVar("_T")


class NothingWillHappen(AssertionError):  # noqa: N818 - it says what is so
    """Raised if the loop has neither timers nor callbacks while a task still waits."""


class _Jumping(selectors.DefaultSelector):
    loop: VirtualLoop

    @override
    def select(self, timeout: float | None = None) -> list[Any]:
        ready: list[Any] = super().select(0)
        self.loop.wakeups += 1
        if not ready and timeout is None:
            raise NothingWillHappen("nothing is left to do, no timer is set, and somebody still waits")
        if not ready and timeout:
            self.loop.moment += timeout
        return ready


class VirtualLoop(asyncio.SelectorEventLoop):
    """A loop whose time passes only in jumps.

    Attributes:
        moment: seconds on its clock.
        wakeups: how often it has looked for something to do.
    """

    def __init__(self) -> None:
        self.moment = 0.0
        self.wakeups = 0
        selector = _Jumping()
        selector.loop = self
        super().__init__(selector)

    @override
    def time(self) -> float:
        return self.moment


def run(main: Coroutine[Any, Any, _T]) -> _T:
    """Like `asyncio.run`, in virtual time."""
    with asyncio.Runner(loop_factory=VirtualLoop) as runner:
        return runner.run(main)


def loop() -> VirtualLoop:
    """The running loop."""
    found = asyncio.get_running_loop()
    assert isinstance(found, VirtualLoop)
    return found


def engine(*devices: Device, journal: Journal | None = None, **settings: Any) -> Orchestrator:
    """An orchestrator whose clock is the loop's, so that its timeouts and pauses take no time either."""
    return Orchestrator(devices, settings=SchedulerSettings(**settings), journal=journal, clock=loop().time)


async def pass_time(seconds: float) -> None:
    """Advance virtual time, running everything that is due in it."""
    await asyncio.sleep(seconds)
