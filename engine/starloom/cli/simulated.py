"""`starloom run --simulate`: a run in virtual time, as fast as the scheduler decides."""

from __future__ import annotations

import signal
import time
from contextlib import contextmanager
from typing import TYPE_CHECKING, Final

from starloom.cli.job import RunFinish
from starloom.cli.narration import Narrator
from starloom.foresight.virtual import VirtualRun
from starloom.scheduling.commands import SetLimits

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from types import FrameType

    from starloom.cli.job import Job
    from starloom.cli.screen import Screen
    from starloom.events import Event
    from starloom.foresight.virtual import SimulatedSpec

_LOOK_EVERY: Final = 256
"""Turns between two looks at the clock."""
_SHOW_EVERY: Final = 0.1
"""Seconds between two pictures of the progress."""


def run_simulated(job: Job, devices: Sequence[SimulatedSpec], screen: Screen) -> RunFinish:
    """Simulate the job's plan to its end.

    Raises:
        StarloomError: a device or a limit cannot be used.
    """
    narrator = Narrator(screen)
    early: list[Event] = []
    tell: list[Callable[[Sequence[Event]], None]] = [early.extend]
    virtual = VirtualRun(job.plan, devices, limits=limits_of(job), on_events=lambda events: tell[0](events))
    narrator.run = virtual.run
    tell[0] = narrator.tell_all
    narrator.tell_all(early)
    with _noticed_interrupts() as interrupts:
        shown_at = 0.0
        while virtual.step():
            if interrupts and not virtual.run.cancel_requested:
                virtual.cancel("interrupted")
            if virtual.turns % _LOOK_EVERY == 0 and time.monotonic() - shown_at > _SHOW_EVERY:
                shown_at = time.monotonic()
                narrator.show(virtual.run.counts(), virtual.now)
    if virtual.stalled:
        screen.error(f"Nothing can start any more: {'; '.join(virtual.stalled)}. The run was cancelled.")
        virtual.cancel("it stalled")
    return RunFinish(run=virtual.run, summary=virtual.summary(), interrupted=bool(interrupts))


def limits_of(job: Job) -> SetLimits:
    """The limits a job gives the fleet it is simulated on."""
    given = job.limits.max_concurrency
    return SetLimits(
        max_concurrency=job.settings.concurrency if given is None else given,
        groups=dict(job.limits.groups),
        starvation_timeout=job.settings.starvation_timeout,
        placement=job.settings.placement,
    )


@contextmanager
def _noticed_interrupts() -> Iterator[list[int]]:
    """The list of the signals to stop that came meanwhile; the second Ctrl-C raises KeyboardInterrupt."""
    noticed: list[int] = []

    def notice(number: int, _frame: FrameType | None) -> None:
        if noticed:
            raise KeyboardInterrupt
        noticed.append(number)

    wanted = [number for number in (signal.SIGINT, signal.SIGTERM) if signal.getsignal(number) is not signal.SIG_IGN]
    before = {number: signal.signal(number, notice) for number in wanted}
    try:
        yield noticed
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
