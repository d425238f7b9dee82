"""`starloom run`: a run on real devices, ended cleanly by Ctrl-C, at once by a second one."""

from __future__ import annotations

import asyncio
import logging
import os
import signal
import sys
import time
from contextlib import contextmanager
from typing import TYPE_CHECKING, Final

from starloom.cli.agents import AgentPrompts
from starloom.cli.fleet_limits import set_fleet_limits
from starloom.cli.forecast import Lookout
from starloom.cli.job import EngineHaltedError, RunFinish, RunLeftError
from starloom.cli.metrics import offered_metrics
from starloom.cli.narration import Narrator
from starloom.cli.reopening import run_again
from starloom.cli.screen import others_words, plain
from starloom.devices.kinds import make_device
from starloom.errors import CommandRefused
from starloom.events import DeviceConnected, DeviceLost, RunStalled
from starloom.journal.base import JournalError, NullJournal
from starloom.journal.library import Library
from starloom.journal.requests import take_request
from starloom.model.status import RunState
from starloom.orchestration.left_behind import may_still_run
from starloom.orchestration.orchestrator import Orchestrator
from starloom.orchestration.replaying import Replaying
from starloom.scheduling.state.codes import PENDING
from starloom.scheduling.state.device_facts import DeviceRequirements

if TYPE_CHECKING:
    from collections.abc import Coroutine, Iterator

    from starloom.cli.job import Job
    from starloom.cli.screen import Screen
    from starloom.events import Event
    from starloom.journal.base import Journal
    from starloom.orchestration.run import Run
    from starloom.scheduling.read.summary import RunSummary
    from starloom.scheduling.state.device_facts import DeviceFacts

_SHOW_EVERY: Final = 0.1
"""Seconds between two pictures of the progress on a terminal."""
_SAY_EVERY: Final = 30.0
"""Seconds between two lines about the progress elsewhere."""
_LOOK_EVERY: Final = 1.0
"""Seconds between two looks for what is asked for in other terminals."""
_KILL_WITHIN: Final = 6.0
"""Seconds after a second Ctrl-C until the program goes, whatever still runs."""
_INTERRUPTED: Final = 130


class _Interrupted(Exception):  # noqa: N818 - it never leaves this module
    """Raised if the program is interrupted before the run begins."""


_KEPT: Final = "What was committed is kept: `starloom runs` lists it, `starloom resume` goes on with it."


def run_live(job: Job, screen: Screen) -> RunFinish:
    """Run the job's plan to its end.

    Raises:
        EngineHaltedError: the engine halted when the run had begun.
        RunLeftError: nobody answered what the run waits for; it is kept, and can be resumed.
        StarloomError: a device cannot be made or reached for, or the run is refused.
        KeyboardInterrupt: it was interrupted before the run began.
    """
    log = logging.getLogger("starloom.orchestration.pump")
    level = log.level
    log.setLevel(logging.CRITICAL)  # that the engine halted is told by us
    live = _Live(job, screen)
    try:
        return asyncio.run(live.drive())
    except (JournalError, CommandRefused) as error:
        is_halted = isinstance(error, JournalError) or error.code == "halted"
        if not is_halted or not live.has_begun:
            raise
        raise EngineHaltedError(f"{error}\n{_KEPT}" if job.journal is not None else str(error)) from error
    except _Interrupted:
        raise KeyboardInterrupt from None
    finally:
        log.setLevel(level)


def _reasons(run: Run) -> tuple[str, ...]:
    """The reasons why nothing of a run can start, such as devices that refuse us or cannot be reached."""
    told = run.facts.stalled
    away = (one for one in run.facts.fleet.devices.values() if one.enabled and not one.connected)
    troubles = (_trouble(one) for one in away if one.refusal or one.trouble)
    return (*told, *(reason for reason in troubles if not any(reason in other for other in told)))


def _trouble(device: DeviceFacts) -> str:
    if device.refusal:
        return f"{device.id} is refused: {device.refusal.rstrip('.')}"
    return f"{device.id} is not connected: {device.trouble.rstrip('.')}"


async def _set_going(run: Run) -> None:
    """Start it, whatever it is that keeps it from going on; one without tasks has ended at once."""
    if run.state is RunState.READY:
        await run.start()
    elif run.state is RunState.PAUSED:
        await run.resume()


class _Live:
    """One run from its start to its summary.

    Attributes:
        has_begun: whether a run was made, so that there is something to go on with.
    """

    def __init__(self, job: Job, screen: Screen) -> None:
        self._job = job
        self._screen = screen
        self._narrator = Narrator(screen, tells_all=job.tells_all)
        self._run: Run | None = None
        self._interrupts = 0
        self._stalled = False
        self._leaving = asyncio.Event()
        self._reached: set[str] = set()
        self._waited_for: tuple[str, ...] = ()
        self._replaying: Replaying | None = None
        self._begun = 0.0
        self._errands: set[asyncio.Task[None]] = set()
        self.has_begun = False

    async def drive(self) -> RunFinish:
        """Start the run, report its events, and return when it has ended and everything is closed."""
        main = asyncio.current_task()
        assert main is not None
        with self._noticed_interrupts(main):
            try:
                return await self._drive()
            except asyncio.CancelledError:
                if self._interrupts:
                    raise _Interrupted from None
                raise

    async def _drive(self) -> RunFinish:
        with self._journal() as journal:
            return await self._drive_on(journal)

    @contextmanager
    def _journal(self) -> Iterator[Journal]:
        if self._job.journal is None:
            yield NullJournal()
            return
        with Library(self._job.journal, full=self._job.full) as library:
            if library.notice:
                self._screen.note(library.notice, "yellow")
            yield library

    async def _drive_on(self, journal: Journal) -> RunFinish:
        job = self._job
        async with (
            Orchestrator(settings=job.settings, journal=journal, output_directory=job.output) as orchestrator,
            offered_metrics(orchestrator, job.settings.metrics_port, self._screen),
        ):
            self._orchestrator = orchestrator
            await set_fleet_limits(orchestrator, job.limits)
            run = await self._make(orchestrator)
            self.has_begun = True
            self._narrator.run = run.facts
            self._reached |= {device.id for device in run.facts.fleet.devices.values() if device.connected}
            orchestrator.events.subscribe(self._narrator.tell, *self._narrator.kinds)
            orchestrator.events.subscribe(self._look_for_stall, RunStalled, DeviceConnected, DeviceLost)
            look = self._look_for_stall
            prompts = self._prompts = AgentPrompts(run, self._screen, gates=job.gates, left=look)
            await prompts.begin(orchestrator, job.agents, asks=job.asks, fence=job.fence, patience=job.patience)
            await self._begin_script(run)
            self._begun = time.monotonic()
            self._run = run
            self._narrator.begin()
            await run_again(run, retry=job.retry, rerun_from=job.rerun_from)
            await _set_going(run)
            progress = asyncio.create_task(self._show_progress(run), name="starloom progress")
            asking = asyncio.create_task(prompts.keep_asking(), name="starloom asking")
            requests = asyncio.create_task(self._keep_looking_for_requests(), name="starloom requests")
            try:
                summary = await self._finished(run)
                while summary is not None and self._replaying is not None and await self._replaying.goes_on():
                    summary = await self._finished(run)
            finally:
                self._end_script()
                for task in (progress, asking, requests):
                    task.cancel()
                await asyncio.gather(progress, asking, requests, *self._errands, return_exceptions=True)
        if summary is None:
            raise RunLeftError(
                f"Nothing of the run can start but what was interrupted: {', '.join(prompts.left)}. It is kept as it "
                f"is: `starloom resume {run.id}` asks where somebody can answer, as the console does."
            )
        outputs = orchestrator.dispatcher.folder_of_outputs(run.id)
        return RunFinish(
            run=run.facts,
            summary=summary,
            interrupted=self._interrupts > 0,
            stalled=self._stalled and job.fail_when_stalled,
            outputs=outputs,
            may_still_run=may_still_run(journal.folder(run.id), orchestrator.dispatcher.devices.values()),
        )

    async def _finished(self, run: Run) -> RunSummary | None:
        """The summary of the run once it has ended; None: it is left as it is."""
        finished = asyncio.ensure_future(run.finished())
        leaving = asyncio.ensure_future(self._leaving.wait())
        try:
            await asyncio.wait((finished, leaving), return_when=asyncio.FIRST_COMPLETED)
            return finished.result() if finished.done() else None
        finally:
            finished.cancel()
            leaving.cancel()

    async def _make(self, orchestrator: Orchestrator) -> Run:
        """The run, new or gone on with."""
        job = self._job
        if job.folder is None:
            # Created first and started then, so that nobody tells of a run that is not known here yet.
            return await orchestrator.start(job.plan, paused=True)
        await orchestrator.fleet.add_all([make_device(spec) for spec in job.plan.devices])
        run = await orchestrator.resume(job.folder, done=job.done)
        counts = run.facts.counts()
        total = counts["submitted"] - counts["removed"]
        others = others_words({one: counts[one] for one in ("failed", "cancelled", "skipped")})
        what = "Reopening" if run.state.has_ended else "Going on with"
        self._screen.note(f"{what} {run.id}: {counts['completed']} of {total} tasks done{others}.")
        return run

    # ---- a script

    async def _begin_script(self, run: Run) -> None:
        if self._job.script is None:
            return
        script, name = self._job.script
        tell = self._screen.error
        replaying = self._replaying = Replaying(self._orchestrator, run, script, name, lambda said: tell(said))
        self._prompts.leave_to(replaying.answers)
        for sentence in script.left_out:
            self._screen.note(plain(f"{name}: {sentence}"), "yellow")
        await replaying.begin()
        self._do(self._look_after_script(replaying))

    async def _look_after_script(self, replaying: Replaying) -> None:
        """Show pending prompts and check for a stall once the script is over."""
        await replaying.finished()
        self._prompts.look()
        self._look_for_stall()

    def _end_script(self) -> None:
        replaying = self._replaying
        if replaying is not None:
            replaying.stop()
            self._screen.note(f"The script: {replaying.done} entries done, {replaying.refused} refused.")

    # ---- progress

    async def _show_progress(self, run: Run) -> None:
        async with asyncio.TaskGroup() as group:
            lookout = Lookout(run)
            group.create_task(lookout.keep_looking(), name="starloom lookout")
            if self._screen.shows_progress:
                while True:
                    elapsed = time.monotonic() - self._begun
                    self._narrator.show(run.facts.counts(), elapsed, lookout.words())
                    await asyncio.sleep(_SHOW_EVERY)
            while True:
                await asyncio.sleep(_SAY_EVERY)
                elapsed = time.monotonic() - self._begun
                self._screen.note(self._narrator.progress(run.facts.counts(), elapsed, lookout.words()))

    async def _keep_looking_for_requests(self) -> None:
        """Carry out the requests of `starloom devices try-again` in another terminal."""
        if self._job.journal is None:
            return
        while True:
            await asyncio.sleep(_LOOK_EVERY)
            for device_id in list(self._orchestrator.fleet.devices):
                if take_request(self._job.journal, device_id):
                    await self._orchestrator.fleet.try_again(device_id)

    # ---- a run that cannot go on

    def _look_for_stall(self, event: Event | None = None) -> None:
        """Nobody will come and release it: cancel it, unless a lost device that is being reached for may take it on."""
        if isinstance(event, DeviceConnected):
            self._reached.add(event.device_id)
        run = self._run
        if run is None or self._stalled or run.state.has_ended or not run.facts.stalled:
            return
        if self._prompts.asks or (self._replaying is not None and not self._replaying.is_over):
            return
        if self._is_waited_for(run):
            self._say_waiting(run)
            return
        if self._prompts.left and self._job.journal is not None:
            self._leaving.set()
            return
        self._stalled = True
        self._screen.error(f"Nothing can start any more: {'; '.join(_reasons(run))}. The run is cancelled.")
        self._do(run.cancel("it stalled"))

    def _is_waited_for(self, run: Run) -> bool:
        """Whether a device that could take a task may come back: by itself, or by an action of a person.

        Who wants the program to fail when it stalls waits neither for the latter, nor for what was never reached.
        """
        facts, fails = run.facts, self._job.fail_when_stalled
        if self._orchestrator.fleet.awaits_group and not fails:
            return True
        for number in facts.with_status(PENDING):
            task = facts.graph.tasks[number]
            assert task is not None
            wanted = DeviceRequirements.of(task, facts.pins.get(number))
            for device in facts.fleet.devices.values():
                is_away = device.enabled and not device.connected and not device.failed
                is_hopeless = fails and (device.refusal or device.id not in self._reached)
                if is_away and wanted.fits(device) and not is_hopeless:
                    return True
        return False

    def _say_waiting(self, run: Run) -> None:
        """Report once what the run waits for."""
        reasons = _reasons(run)
        if reasons != self._waited_for:
            self._waited_for = reasons
            told = "; ".join(reasons)
            self._screen.note(f"Waiting, as nothing can start: {told}. Ctrl-C ends the run.", "yellow")

    # ---- interrupts

    def _interrupt(self, main: asyncio.Task[RunFinish]) -> None:
        self._interrupts += 1
        if self._run is None:
            main.cancel()
        elif self._interrupts == 1:
            self._screen.note(
                "Cancelling the run; what runs is being stopped. Press Ctrl-C again to kill it.", "yellow"
            )
            if self._replaying is not None:
                self._replaying.stop()
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
    def _noticed_interrupts(self, main: asyncio.Task[RunFinish]) -> Iterator[None]:
        """Send signals to stop to `_interrupt` meanwhile; one that our parent ignores stays ignored."""
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
