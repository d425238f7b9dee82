"""The program of an engine: it opens its journals, takes up what an earlier one has left, and serves clients."""

from __future__ import annotations

import asyncio
import time
from typing import TYPE_CHECKING, Any, Protocol

from tests.simulation.links import SimulatedTransport, streams
from tests.simulation.loops import SimulatedExecutor, Timing, new_loop
from tests.simulation.machines import Machine, MachineDevice
from typing_extensions import override

from starloom.errors import CommandRefused, StarloomError
from starloom.journal.alive_file import SECONDS, write_alive
from starloom.journal.base import JournalError
from starloom.journal.library import Library
from starloom.journal.records import records
from starloom.orchestration.handover import Handover, hand_over
from starloom.orchestration.orchestrator import Orchestrator
from starloom.server.feeds import RunFeeds
from starloom.server.sessions import ClientSession
from starloom.settings import SchedulerSettings

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence
    from concurrent.futures import Future
    from pathlib import Path
    from random import Random

    from tests.simulation.laws import Truth
    from tests.simulation.loops import ProgramLoop

    from starloom.events import Event
    from starloom.model.device import DeviceSpec
    from starloom.server.listings import Person


class ObservedLibrary(Library):
    """Journals that tell the truth of each turn, once it is committed.

    Args:
        folder: of the journals.
        told: is given the events of a committed turn.
        rows: is given the last row of each of its streams.
    """

    def __init__(
        self,
        folder: Path,
        told: Callable[[Sequence[Event]], None],
        rows: Callable[[Mapping[str, int]], None],
        **threads: Any,
    ) -> None:
        super().__init__(folder, **threads)
        self._told, self._told_rows = told, rows

    @override
    def commit(self, events: Sequence[Event]) -> Future[None] | None:
        committing = super().commit(events)
        if committing is None:
            self._told(events)
        else:
            committing.add_done_callback(lambda done: done.exception() or self._told(events))
        return committing

    @override
    def follow(self, committed: Callable[[Mapping[str, int]], object]) -> None:
        def both(rows: Mapping[str, int]) -> None:
            self._told_rows(rows)
            committed(rows)

        super().follow(both)


class SimulatedSigns:
    """Signs of life that are written in a program's loop.

    Args:
        loop: of the program.
        folders: as for `SignsOfLife`.
    """

    def __init__(self, loop: ProgramLoop, folders: Callable[[], Iterable[Path]]) -> None:
        self._loop, self._folders = loop, folders
        self._timer = loop.call_later(SECONDS, self._write)

    def _write(self) -> None:
        for folder in self._folders():
            write_alive(folder, time.time())
        self._timer = self._loop.call_later(SECONDS, self._write)

    def end(self) -> None:
        """Stop writing."""
        self._timer.cancel()


class EngineSurroundings(Timing, Protocol):
    """The protocol of what an engine finds around it."""

    def committed(self, engine: EngineProgram, events: Sequence[Event]) -> None:
        """Take note of a turn that is committed."""


class EngineProgram:
    """One program of an engine, from its start to its death.

    Args:
        world: whose time passes.
        truth: of what it commits.
        machines: what its devices reach.
        dice: whether it commits in a thread, and what is done when it halts.
        over: is told that it ends by itself.

    Attributes:
        loop: its event loop.
        serves: whether it accepts clients.
        is_to_give_way: whether it hands its runs over as soon as it serves.
        orchestrator: its engine, once there is one.
    """

    def __init__(
        self,
        world: EngineSurroundings,
        truth: Truth,
        machines: Iterable[Machine],
        dice: Random,
        over: Callable[[], object],
    ) -> None:
        self.loop = new_loop(world, "engine")
        self.serves = False
        self.gives_way = True
        self.is_to_give_way = False
        self.orchestrator: Orchestrator
        self.library: Library | None = None
        self._world, self._truth, self._dice, self._over = world, truth, dice, over
        self._machines = tuple(machines)
        self._sessions: set[asyncio.Task[None]] = set()
        self._known_since = 0.0
        self._is_checked = False

    def start(self) -> None:
        """Begin its life."""
        self.loop.call_soon(lambda: self._keep(self.loop.create_task(self._main(), name="engine")))

    def _keep(self, task: asyncio.Task[None]) -> None:
        self._sessions.add(task)
        task.add_done_callback(self._ended)

    def _ended(self, task: asyncio.Task[None]) -> None:
        self._sessions.discard(task)
        if not task.cancelled() and (error := task.exception()) is not None:
            self.loop.call_exception_handler({"message": "a task of the engine failed", "exception": error})

    async def _main(self) -> None:
        try:
            await self._open()
        except StarloomError:
            if self.library is not None and self.orchestrator.halted is None:
                raise
            self._over()  # a commit failed as it began
            return
        while True:
            await self.orchestrator.until_halted()
            if self._dice.random() < 0.3:
                self._over()
                return
            await asyncio.sleep(self._dice.uniform(0.0, 3.0))
            try:
                self.orchestrator.retry_commit()
            except JournalError:
                continue

    async def _open(self) -> None:
        is_threaded = self._dice.random() < 0.3
        self.library = library = ObservedLibrary(
            self._truth.folder,
            self._committed,
            self._truth.rows.update,
            full=is_threaded,
            executor=lambda: SimulatedExecutor(self.loop, self._world),
            signs_of_life=lambda folders: SimulatedSigns(self.loop, folders),
        )
        feeds = RunFeeds(library)
        devices = [MachineDevice(machine, self.loop) for machine in self._machines]
        settings = SchedulerSettings(runs_in_memory=2, max_concurrency=6)
        self.orchestrator = Orchestrator(devices, settings=settings, journal=library)
        self._feeds = feeds
        await self.orchestrator.open()
        self._known_since = 0.0 if feeds.keeps_fleet else time.time()
        self._is_checked = True
        while not await self._resumed_all():  # noqa: ASYNC110 - devices tell nobody when they are back
            await asyncio.sleep(1.0)
        self.serves = True
        if self.is_to_give_way:
            self.begin_to_give_way()

    async def _resumed_all(self) -> bool:
        """Take up the runs whose program died, and some of those that have ended; whether none of the first is left."""
        for one in reversed(await asyncio.to_thread(records, self._truth.folder)):
            if one.can_resume or (one.can_reopen and self._dice.random() < 0.3):
                try:
                    await self.orchestrator.resume(one.folder)
                except StarloomError:
                    if self.orchestrator.halted is not None:
                        raise
                    return False
        return True

    # ---- what it commits

    def _committed(self, events: Sequence[Event]) -> None:
        self._world.committed(self, events)

    def check(self, events: Sequence[Event]) -> None:
        """Check the scheduler after a turn, now and then."""
        if self._is_checked and self._dice.random() < 0.05:
            self._truth.check_scheduler(self.orchestrator.pump.scheduler, events)

    # ---- clients

    def accept(self, end: SimulatedTransport) -> None:
        """Serve a client that has connected."""
        session = ClientSession(
            self.orchestrator,
            self._feeds,
            streams(end),
            0,
            may_command=True,
            known_since=self._known_since,
            host=self,
        )
        task = self.loop.create_task(session.serve(), name="session")
        self._keep(task)
        task.add_done_callback(lambda _: session.abort())

    def note_submitted(self, run_id: str, name: str) -> None:
        """Nothing: nobody asks."""

    async def note_devices(self, added: tuple[DeviceSpec, ...] = ()) -> None:
        """Nothing: they are kept elsewhere."""

    def people(self) -> tuple[Person, ...]:
        """None: nobody asks."""
        return ()

    def tell_run(self, run_id: str) -> None:
        """Nothing: nobody asks."""

    def note_present(self) -> None:
        """Nothing: nobody asks."""

    def stop(self, cancel: bool) -> None:
        """Refuse: it stays."""
        raise CommandRefused("stays", "It stays.", "")

    async def hand_over(self) -> Handover:
        """Hand its runs over, and end."""
        handover = await hand_over(self.orchestrator)
        self.serves = False
        self.loop.call_later(0.01, self._over)
        return handover

    def begin_to_give_way(self) -> None:
        """Hand its runs over soon, if nothing would be interrupted."""
        self._keep(self.loop.create_task(self._give_way(), name="giving way"))

    async def _give_way(self) -> None:
        """Hand its runs over, if nothing would be interrupted."""
        try:
            await self.hand_over()
        except CommandRefused:
            return
