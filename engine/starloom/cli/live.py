"""`starloom run`: a run on real devices, ended cleanly by Ctrl-C, at once by a second one."""

from __future__ import annotations

import asyncio
import os
import signal
import sys
import time
from contextlib import contextmanager
from typing import TYPE_CHECKING, Final

from starloom.cli.job import Finish
from starloom.cli.narration import Narrator
from starloom.events import DeviceConnected, DeviceLost, RunStalled
from starloom.orchestration.orchestrator import Orchestrator
from starloom.scheduling.codes import PENDING

if TYPE_CHECKING:
    from collections.abc import Coroutine, Iterator

    from starloom.cli.job import Job
    from starloom.cli.screen import Screen
    from starloom.events import Event
    from starloom.orchestration.run import Run

_SHOW_EVERY: Final = 0.1
"""Seconds between two pictures of the progress on a terminal."""
_SAY_EVERY: Final = 30.0
"""Seconds between two lines about the progress elsewhere."""
_KILL_WITHIN: Final = 6.0
"""Seconds after a second Ctrl-C until the program goes, whatever still runs."""
_INTERRUPTED: Final = 130


class _Interrupted(Exception):  # noqa: N818 - it never leaves this module
    """It was interrupted before the run began."""


def run_live(job: Job, screen: Screen) -> Finish:
    """Run the job's plan to its end.

    Raises:
        StarloomError: a device cannot be made or reached for, or the run is refused.
        KeyboardInterrupt: it was interrupted before the run began.
    """
    try:
        return asyncio.run(_Live(job, screen).drive())
    except _Interrupted:
        raise KeyboardInterrupt from None


class _Live:
    """One run from its start to its summary."""

    def __init__(self, job: Job, screen: Screen) -> None:
        self._job = job
        self._screen = screen
        self._narrator = Narrator(screen, tells_all=job.tells_all)
        self._run: Run | None = None
        self._interrupts = 0
        self._stalled = False
        self._begun = 0.0
        self._errands: set[asyncio.Task[None]] = set()

    async def drive(self) -> Finish:
        """Start the run, tell what happens, and return when it has ended and everything is let go."""
        main = asyncio.current_task()
        assert main is not None
        with self._noticed_interrupts(main):
            try:
                return await self._drive()
            except asyncio.CancelledError:
                if self._interrupts:
                    raise _Interrupted from None
                raise

    async def _drive(self) -> Finish:
        job = self._job
        async with Orchestrator(settings=job.settings, output_directory=job.output) as orchestrator:
            self._orchestrator = orchestrator
            if job.limits.max_concurrency is not None:
                await orchestrator.set_limits(max_concurrency=job.limits.max_concurrency)
            if job.limits.groups:
                await orchestrator.set_limits(groups=job.limits.groups)
            # Created first and started then, so that nobody tells of a run that is not known here yet.
            run = await orchestrator.start(job.plan, paused=True)
            self._narrator.run = run.facts
            orchestrator.events.subscribe(self._narrator.tell, *self._narrator.kinds)
            orchestrator.events.subscribe(self._look_for_stall, RunStalled, DeviceConnected, DeviceLost)
            self._begun = time.monotonic()
            self._run = run
            if not run.state.has_ended:  # as one without tasks has at once
                await run.start()
            progress = asyncio.create_task(self._show_progress(run), name="starloom progress")
            try:
                summary = await run.finished()
            finally:
                progress.cancel()
                await asyncio.gather(progress, *self._errands, return_exceptions=True)
        return Finish(run=run.facts, summary=summary, interrupted=self._interrupts > 0)

    # ---- progress

    async def _show_progress(self, run: Run) -> None:
        if self._screen.shows_progress:
            while True:
                self._narrator.show(run.facts.counts(), time.monotonic() - self._begun)
                await asyncio.sleep(_SHOW_EVERY)
        while True:
            await asyncio.sleep(_SAY_EVERY)
            self._screen.note(self._narrator.progress(run.facts.counts(), time.monotonic() - self._begun))

    # ---- a run that cannot go on

    def _look_for_stall(self, _event: Event) -> None:
        """Nobody will come and release it: cancel it, unless a lost device that is being reached for may take it on."""
        run = self._run
        if run is None or self._stalled or run.state.has_ended or not run.facts.stalled or self._may_recover(run):
            return
        self._stalled = True
        self._screen.error(f"Nothing can start any more: {'; '.join(run.facts.stalled)}. The run is cancelled.")
        self._do(run.cancel("it stalled"))

    def _may_recover(self, run: Run) -> bool:
        devices = self._orchestrator.fleet.devices.values()
        if not any(device.enabled and not device.connected and not device.failed for device in devices):
            return False
        facts = run.facts
        return any(
            reason.code == "device_unavailable"
            for number in facts.with_status(PENDING)
            for reason in run.why(facts.graph.ids[number])
        )

    # ---- interrupts

    def _interrupt(self, main: asyncio.Task[Finish]) -> None:
        self._interrupts += 1
        if self._run is None:
            main.cancel()
        elif self._interrupts == 1:
            self._screen.note(
                "Cancelling the run; what runs is being stopped. Press Ctrl-C again to kill it.", "yellow"
            )
            self._do(self._run.cancel("interrupted"))
        elif self._interrupts == 2:
            self._do(self._kill())
        else:
            self._go()

    async def _kill(self) -> None:
        """Stopping what is being stopped already ends its grace period."""
        run = self._run
        assert run is not None
        try:
            async with asyncio.timeout(_KILL_WITHIN):
                self._orchestrator.dispatcher.kill()
                await self._orchestrator.dispatcher.close()
                await run.finished()
        except TimeoutError:
            self._go()

    def _go(self) -> None:
        self._screen.error("Something does not stop; leaving it behind.")
        self._screen.close()
        sys.stdout.flush()
        os._exit(_INTERRUPTED)

    def _do(self, errand: Coroutine[None, None, None]) -> None:
        task = asyncio.ensure_future(errand)
        self._errands.add(task)
        task.add_done_callback(self._errands.discard)

    @contextmanager
    def _noticed_interrupts(self, main: asyncio.Task[Finish]) -> Iterator[None]:
        """Meanwhile signals to stop come to `_interrupt`; one that whoever started us has switched off stays so."""
        loop = asyncio.get_running_loop()
        names = ("SIGINT", "SIGTERM", "SIGHUP")
        known = [getattr(signal, name) for name in names if hasattr(signal, name)]
        wanted = [number for number in known if signal.getsignal(number) is not signal.SIG_IGN]
        before = {number: signal.getsignal(number) for number in wanted}
        for number in wanted:
            try:
                loop.add_signal_handler(number, self._interrupt, main)
            except NotImplementedError:  # Windows: the interpreter tells us, and we wake the loop
                signal.signal(number, lambda *_: loop.call_soon_threadsafe(self._interrupt, main))
        try:
            yield
        finally:
            for number, handler in before.items():
                if sys.platform != "win32":
                    loop.remove_signal_handler(number)
                signal.signal(number, handler)
