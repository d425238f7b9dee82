"""The orchestrator: the engine as a host program holds it. The one place where its parts are wired together."""

from __future__ import annotations

import asyncio
import time
from contextlib import suppress
from functools import partial
from typing import TYPE_CHECKING, Any, Self, TypeVar, overload

from starloom.errors import CommandRefused
from starloom.journal.base import Journal, JournalError, NullJournal
from starloom.orchestration.ad_hoc_run import AdHocRun
from starloom.orchestration.bus import EventBus
from starloom.orchestration.channel import Channel
from starloom.orchestration.clock import Clock, monotonic_clock
from starloom.orchestration.closing import ShutdownMode, end_runs, unless_halted
from starloom.orchestration.dispatcher import Dispatcher
from starloom.orchestration.fleet import Fleet
from starloom.orchestration.limits import LimitFields, first_limits, limits_command
from starloom.orchestration.pump import Pump
from starloom.orchestration.resuming import at_once, resume
from starloom.orchestration.runs import RunHandles
from starloom.orchestration.snapshots import snapshots_of
from starloom.orchestration.starting import start
from starloom.orchestration.submitting import Submissions
from starloom.orchestration.supervisor import Supervisor
from starloom.orchestration.synchronizer import Synchronizer
from starloom.orchestration.values import results_of_parents, values_of
from starloom.private_files import make_folder
from starloom.scheduling import commands as c
from starloom.scheduling.read.counters import Counters, counters
from starloom.scheduling.restore import restore
from starloom.scheduling.scheduler import Scheduler
from starloom.settings import SchedulerSettings, load_settings

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Coroutine, Iterable, Mapping, Sequence
    from pathlib import Path
    from types import TracebackType

    from typing_extensions import Unpack

    from starloom.agents.base import Agent
    from starloom.devices.base import Device
    from starloom.events import Snapshot
    from starloom.model.plan import Plan
    from starloom.model.result import Result
    from starloom.model.status import Placement
    from starloom.model.task import Task
    from starloom.orchestration.ended_runs import EndedRuns
    from starloom.orchestration.resuming import Ready
    from starloom.orchestration.run import Run
    from starloom.scheduling.state.run_facts import RunFacts

_T = TypeVar("_T")


class Orchestrator:
    """Runs plans on a fleet; an async context manager.

    Leaving it, or `shutdown`, ends all runs and lets the devices go. Afterwards a new one can be started at once.

    Args:
        devices: the fleet to begin with; more may come with plans or by `fleet.add`.
        settings: limits and placement; None: what the environment and the settings file say.
        journal: what turns are committed to; None: nothing is kept.
        clock: seconds that never go back; None: the system's monotonic clock.
        output_directory: where whole outputs of tasks go; None: to the run's folder, if the journal gives it one.

    Whoever made the journal closes it, after the orchestrator.
    """

    def __init__(
        self,
        devices: Iterable[Device] = (),
        *,
        settings: SchedulerSettings | None = None,
        journal: Journal | None = None,
        clock: Clock | None = None,
        output_directory: Path | None = None,
    ) -> None:
        self._first_devices = tuple(devices)
        self._settings = settings if settings is not None else load_settings()
        self._journal: Journal = journal if journal is not None else NullJournal()
        self._clock = clock
        self._output_directory = output_directory
        self._started = False
        self._closed = False
        self._halting = asyncio.Event()
        self.events = EventBus(self._snapshots, lambda: self._started and self.pump.is_committing)
        """Subscribe here to what happens."""
        self.channel = Channel()
        """Listen here to output and progress of running attempts."""

    # ---- life

    async def __aenter__(self) -> Self:
        await self.open()
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.shutdown("now" if error is not None else "drain")

    async def open(self) -> None:
        """Connect the devices; returns when each has answered or failed to."""
        if self._started:
            raise CommandRefused("already_open", "This orchestrator was opened before.", "Make a new one.")
        earlier = self._journal.fleet()
        before = Scheduler() if earlier is None else restore(earlier)
        self._started = True
        clock = self._clock or monotonic_clock(None if earlier is None else before.now)
        self.pump = Pump(self._journal, clock, self.events.publish, self._run_ended, self._halted, before)
        upstream, lookup = partial(results_of_parents, self.pump), partial(values_of, self.pump)
        if self._output_directory is not None:
            with suppress(OSError):  # told of each output that cannot be written
                make_folder(self._output_directory)
        self.dispatcher = Dispatcher(self.pump, self.channel, upstream, lookup, self._output_directory)
        self.pump.executor = self.dispatcher
        self.pump.ended_runs.most = self._settings.runs_in_memory
        self.synchronizer = Synchronizer(self.pump, self.events)
        self.pump.ask_agents = self.synchronizer.carry_out
        self._runs = RunHandles(self.pump, self.events, self.synchronizer)
        self.pump.ended_runs.on_release = self._released
        self.pump.ended_runs.on_recall = self._runs.hold
        self.supervisor = Supervisor(self.pump, self.dispatcher)
        self.fleet = Fleet(self.pump, self.dispatcher, self.supervisor)
        ad_hoc = AdHocRun(self.start, self.pump, self.events)
        self._submissions = Submissions(ad_hoc, self.fleet, self.dispatcher.devices)
        try:
            await unless_halted(self._begin(knows_fleet=earlier is not None), self.pump, self._halting)
        except BaseException:
            await self.shutdown("now")  # leave nothing behind
            raise

    async def _begin(self, *, knows_fleet: bool) -> None:
        if knows_fleet:
            await self.pump.ask(c.OpenFleet(wall_time=time.time(), origin="engine"))
        await self.pump.ask(first_limits(self._settings, self.pump.scheduler.fleet.chosen))
        await self.fleet.add_all(self._first_devices)

    async def shutdown(self, mode: ShutdownMode = "drain") -> None:
        """End everything and disconnect the devices; a second call changes nothing.

        Args:
            mode: `drain` runs what is queued to its end, `cancel_pending` cancels what has not started, `now` stops
                what runs too, `leave` decides nothing more and leaves alone what runs, see `handover.hand_over`.
        """
        if self._closed or not self._started:
            return
        self._closed = True
        if mode == "leave":
            self.pump.close()
            return
        await end_runs(mode, self.pump, self._runs, self.dispatcher, self.events, self._halting)
        await self.fleet.hold()
        await self.synchronizer.close()
        await self.dispatcher.close()
        await self.pump.at_rest()
        await self.events.drained()
        await asyncio.gather(*(self.supervisor.release(device) for device in list(self.dispatcher.devices.values())))
        await self.fleet.close()
        self.pump.close()
        await self.events.close()
        await self._submissions.close()
        self._runs.close()

    # ---- runs

    async def start(
        self,
        plan: Plan,
        *,
        run_id: str | None = None,
        paused: bool = False,
        hold_open: bool = False,
        placement: Placement | str | None = None,
        origin: str = c.OPERATOR,
    ) -> Run:
        """Run a plan: its devices join the fleet, and its tasks start as they become ready.

        Args:
            plan: what to run.
            run_id: the run's id; None: one is made from the time and the plan's name.
            paused: create the run and start nothing until `run.start()`.
            hold_open: do not end the run when no task is left, as more will be added.
            placement: how devices are chosen for its tasks; None: as the plan says, else as the fleet does.
            origin: in whose name the run is made.

        Raises:
            CommandRefused: the engine is not open or shuts down, the queue is full, or this is no plan or placement.
            JournalError: there is no room for the run's journal, or there was a run of this id, or the engine halted.
            DeviceError: a device of the plan cannot be made, or differs from one of the same id.
        """
        self.check_open()
        how: dict[str, Any] = {"placement": placement, "start": not paused, "hold_open": hold_open}
        return await start(plan, run_id, self._journal, self.pump, self.fleet, self._runs, origin, **how)

    async def resume(
        self,
        folder: Path,
        *,
        origin: str = c.OPERATOR,
        done: Iterable[str] | None = None,
        without: Iterable[str] = (),
        agents: Callable[[RunFacts], Iterable[Agent]] = lambda _run: (),
        ready: Ready = at_once,
    ) -> Run:
        """Resume the run in a folder of the journal, whose program has died.

        Attempts that ran then go on or are adopted; what is left of others is treated as their `on_interrupt` says. A
        run that has ended stays as it ended: it goes on once tasks of it are retried, rerun or added.

        Args:
            folder: of the run.
            origin: in whose name.
            done: of a run whose journal lacks a part: its tasks taken as completed; None: such a run does not go on.
            without: ids of devices it brings back only where something of it may still run there.
            agents: gives those that take the places of the ones of their names, by what the journal tells of the run:
                they stay attached, and are asked once more what has not been answered. All others were part of the
                program that died, and are detached.
            ready: is awaited before anything of it begins; see `resume_together`.

        Raises:
            CommandRefused: the engine is not open or shuts down, the run is here already, has not begun, or a part of
                its journal is lost and `done` is None.
            JournalError: another program has it, it cannot be read or written, or this engine keeps none.
            DeviceError: a device cannot be made or reached, or what is left of an attempt cannot be ended.
        """
        self.check_open()
        released = next((one for one in self.ended_runs.released if self._journal.folder(one) == folder), None)
        if released is not None:
            await self.ended_runs.recall(released)
            return self.run(released)
        parts, bring = (self._journal, self.pump, self.fleet, self.dispatcher), self.synchronizer.bring
        run_id = await resume(folder, *parts, origin, done, without, lambda run: bring(run.run_id, agents(run)), ready)
        await self.supervisor.unattended.look_again()
        run = self._runs.add(run_id, origin)
        if run.state.has_ended:
            self.ended_runs.note((run_id,))
        return run

    @overload
    def submit(self, what: Task, /, *, origin: str = c.OPERATOR) -> asyncio.Task[Result]: ...
    @overload
    def submit(
        self, what: Callable[..., Coroutine[Any, Any, _T]], /, *, origin: str = c.OPERATOR, **fields: Any
    ) -> asyncio.Task[_T]: ...
    @overload
    def submit(self, what: str, /, *, origin: str = c.OPERATOR, **fields: Any) -> asyncio.Task[Any]: ...
    def submit(self, what: Any, /, *, origin: str = c.OPERATOR, **fields: Any) -> asyncio.Task[Any]:
        """Start one task in the ad-hoc run; returns at once.

        Args:
            what: a `Task`; an async function, called with `inputs` as keywords in this event loop; or the name of a
                handler that a device of the fleet has.
            origin: in whose name.
            **fields: of the task that is made of a function or a name: `inputs`, `priority`, `timeout`, `retry`, …

        Returns:
            A handle, named by the task's id. Awaited, it gives the `Result` of a `Task`, or what the function or
            handler returned; cancelled, it cancels the task. It raises what the function raised, `QueueFull` if as
            many tasks wait as `max_queue` allows, else `SubmissionFailed` if the task did not complete.

        Raises:
            CommandRefused: the engine is not open or shuts down, or this cannot be run.
        """
        self.check_open()
        return self._submissions.submit(what, origin, fields)

    @property
    def runs(self) -> Mapping[str, Run]:
        """All runs of this engine by id, including released ones, which are read from their journals."""
        return self._runs.by_id() if self._started else {}

    @property
    def ended_runs(self) -> EndedRuns:
        """The runs that have ended, and which of them stay in memory."""
        return self.pump.ended_runs

    def run(self, run_id: str) -> Run:
        """The run of this id.

        Raises:
            KeyError: there is none.
        """
        if not self._started:
            raise KeyError(run_id)
        return self._runs[run_id]

    def check_open(self) -> None:
        """Raise `CommandRefused` if it is not open, or shuts down."""
        if not self._started:
            raise CommandRefused("not_open", "The orchestrator is not open.", "Use it as `async with`, or open() it.")
        if self._closed:
            raise CommandRefused("shutting_down", "The engine is shutting down.", "Start it again to run more.")

    # ---- limits

    async def set_limits(self, *, origin: str = c.OPERATOR, **limits: Unpack[LimitFields]) -> None:
        """Change limits of the fleet, see `LimitFields`; what is not named stays.

        Args:
            origin: in whose name.
            **limits: those that change.

        Raises:
            CommandRefused: the engine is not open, or a value cannot be used; nothing changed.
        """
        self.check_open()
        await self.pump.ask(limits_command(limits, origin))

    def counters(self) -> Counters:
        """The numbers of tasks of each kind, over all runs."""
        return counters(self.pump.scheduler)

    # ---- after a failed commit

    @property
    def halted(self) -> JournalError | None:
        """The reason why the engine has halted; None: it has not."""
        return self.pump.halted

    async def until_halted(self) -> None:
        """Return once the engine has halted; at once if it is halted now."""
        await self._halting.wait()

    def retry_commit(self) -> None:
        """Continue from the last commit with everything that has arrived since.

        Raises:
            JournalError: the journal still fails, or keeps nothing to go on from.
        """
        self._halting.clear()
        self.pump.retry()

    # ---- what the parts ask for

    def _snapshots(self, also: Collection[str] = ()) -> Sequence[Snapshot]:
        return snapshots_of(self.pump, also) if self._started else ()

    def _run_ended(self, run_ids: Sequence[str]) -> None:
        self.events.note_ended(run_ids)  # observers hear of it before whoever waits for it
        self._runs.wake_waiters(run_ids)

    def _released(self, run_id: str) -> None:
        """Drop the handle of a released run, which its other holders keep."""
        self._runs.release(run_id)
        self.synchronizer.forget(run_id)

    def _halted(self, _error: JournalError) -> None:
        self._halting.set()
        self._runs.wake_all_waiters()
