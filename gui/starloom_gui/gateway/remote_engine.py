"""An engine in another program, here or on another machine, over its server: what it does is followed by a replica.

Facts are read and questions answered here. What is asked for is answered once the replica has what it has changed.
While the connection is lost what was known stays, nothing can be asked for, and the server is looked for.
"""

from __future__ import annotations

import asyncio
import logging
from collections import OrderedDict
from contextlib import AsyncExitStack, aclosing, asynccontextmanager
from functools import partial
from typing import TYPE_CHECKING, Any, Final, TypeVar

from PySide6.QtCore import QObject, Signal

from starloom.constellation.edits import EditBatch
from starloom.errors import CommandRefused, StarloomError
from starloom.events import ConstellationModified, Snapshot
from starloom.foresight.projection import project
from starloom.foresight.speedups import speedups
from starloom.foresight.what_if import what_if
from starloom.orchestration.bus import EventBus
from starloom.orchestration.channel import Channel
from starloom.orchestration.foresight import beside_the_loop
from starloom.orchestration.limits import limits_command
from starloom.scheduling.commands import OPERATOR, EditConstellation
from starloom.scheduling.decide.editing import EditReceipt
from starloom.scheduling.read.why import why
from starloom.scheduling.state.codes import RUNNING
from starloom.server.client import EngineClient
from starloom.server.socket_path import ServerError
from starloom_gui.gateway.remote_devices import RemoteDevices
from starloom_gui.gateway.remote_output import RemoteOutput
from starloom_gui.text.words import fill, translate

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable, Collection, Iterable, Mapping, Sequence
    from pathlib import Path

    from typing_extensions import Unpack

    from starloom.agents.base import Agent
    from starloom.constellation.edits import Edit
    from starloom.devices.base import Device
    from starloom.events import Event
    from starloom.foresight.projection import Projection
    from starloom.foresight.speedups import Speedups
    from starloom.foresight.what_if import WhatIf
    from starloom.model.agent_terms import AgentTerms
    from starloom.model.plan import Plan
    from starloom.orchestration.handover import HandedRun
    from starloom.orchestration.limits import LimitFields
    from starloom.orchestration.run import Run
    from starloom.orchestration.subscription import Subscription
    from starloom.pauses import Pause
    from starloom.scheduling.commands import Command
    from starloom.scheduling.fork import Fork
    from starloom.scheduling.read.why import Reason
    from starloom.scheduling.scheduler import Scheduler
    from starloom.scheduling.state.fleet_facts import FleetFacts
    from starloom.scheduling.state.run_facts import RunFacts
    from starloom.server.engine_replica import EngineReplica
    from starloom.server.following import EngineFollowing
    from starloom.server.links import ServerLink

_log = logging.getLogger(__name__)
_PATIENCE: Final = 7 * 24 * 3600.0
"""Seconds for which a server that is lost is looked for."""
_REMEMBERED: Final = 1_000
"""Edits whose inverses are kept for whoever has made them."""
_T = TypeVar("_T")


@asynccontextmanager
async def remote_engine(
    link: ServerLink,
    name: str,
    where: str,
    journal: Callable[[str], Path | None] = lambda _: None,
    *,
    watches: bool = False,
) -> AsyncIterator[RemoteEngine]:
    """The engine of a server, once all that lives there is known here.

    Args:
        link: the way to the server.
        name: in whose name is asked.
        where: the machine, for sentences.
        journal: gives the file with the journal of a run, if that is on this machine.
        watches: whether nothing is to be changed.

    Raises:
        ServerError: no server runs there, or it does not answer.
        StarloomError: it cannot be followed.
    """
    async with AsyncExitStack() as stack:
        engine = RemoteEngine(name, where, journal, watches=watches)
        client = await stack.enter_async_context(EngineClient(link, name))
        followed = EngineClient(link, name, _PATIENCE, lambda _: engine.note_lost())
        following = (await stack.enter_async_context(followed)).follow_engine()
        stack.push_async_callback(engine.close)
        await engine.begin(client, following)
        yield engine


class RemoteEngine(QObject):
    """An engine in another program: see `Engine`.

    Args:
        name: in whose name is asked.
        where: the machine, for sentences.
        journal: gives the file with the journal of a run, if that is on this machine.
        watches: whether nothing is to be changed.

    Attributes:
        origin, where, journal: likewise.
        lost_since: when the connection was lost, in seconds on the engine's clock; None: it is there.
        trouble: why it is not followed any more, for good; empty: it is.

    Signals:
        link_changed(): the connection is lost, or there again.
    """

    link_changed = Signal()

    def __init__(self, name: str, where: str, journal: Callable[[str], Path | None], *, watches: bool) -> None:
        super().__init__()
        self.origin, self.where, self.journal = name, where, journal
        self._watches = watches
        self.lost_since: float | None = None
        self.trouble = ""
        self.channel = Channel()
        self._client: EngineClient
        self._following: EngineFollowing
        self._replica: EngineReplica
        self._bus = EventBus(self._snapshots)
        self._runs: Mapping[str, RunFacts] | None = None
        self._edits: OrderedDict[tuple[str, int], ConstellationModified] = OrderedDict()
        self._news = asyncio.Condition()
        self._task: asyncio.Task[None] | None = None
        self._in_use: Callable[[], Collection[str]] = tuple

    # ---- life

    async def begin(self, client: EngineClient, following: EngineFollowing) -> None:
        """Follow, and return once all that lives is known.

        Args:
            client: asks.
            following: follows, over a connection of its own.

        Raises:
            StarloomError: it cannot be followed.
        """
        self._client, self._following, self._replica = client, following, following.replica
        self.devices = RemoteDevices(client, lambda: self.fleet_facts)
        self._output = RemoteOutput(client, self.channel)
        begun: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._task = asyncio.get_running_loop().create_task(self._follow(begun), name="console: follow an engine")
        await begun
        await self.devices.begin()

    async def close(self) -> None:
        """Follow no more; closing twice is allowed."""
        if self._task is not None:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)
            await self.devices.close()
            await self._output.close()
        await self._bus.close()

    async def _follow(self, begun: asyncio.Future[None]) -> None:
        try:
            async with aclosing(self._following.turns()) as turns:
                async for events in turns:
                    self._take(events)
                    if not begun.done():
                        begun.set_result(None)
                    async with self._news:
                        self._news.notify_all()
        except StarloomError as error:
            if not begun.done():
                begun.set_exception(error)
                return
            _log.warning("The engine at %s is followed no more: %s", self.where, error)
            self.trouble = str(error)
            self.note_lost()

    def note_lost(self) -> None:
        """Note that the connection is lost."""
        if self.lost_since is None:
            self.lost_since = self.now()
            self.link_changed.emit()

    def _take(self, events: list[Event]) -> None:
        self._runs = None
        for event in events:
            if type(event) is ConstellationModified:
                self._edits[event.run_id, event.revision] = event
                if len(self._edits) > _REMEMBERED:
                    self._edits.popitem(last=False)
        self._bus.publish(events)
        if self.lost_since is not None:
            self.lost_since = None
            self._bus.publish(self._snapshots(missed=1))  # what was sent may be a state rather than its events
            self.link_changed.emit()
        elif jumped := self._replica.take_jumped():
            self._bus.publish(self._snapshots(jumped, missed=1))

    def _snapshots(self, among: Collection[str] = (), missed: int = 0) -> list[Snapshot]:
        runs = [run for run_id, run in self._facts.items() if not among or run_id in among]
        return [Snapshot(run.seq, self.now(), run.run_id, missed, None) for run in runs]

    # ---- facts

    def subscribe(self, callback: Callable[[Event], None], *, max_pending: int) -> Subscription:
        """Have a function called with each event; see `EventBus.subscribe`."""
        return self._bus.subscribe(callback, max_pending=max_pending)

    @property
    def _facts(self) -> Mapping[str, RunFacts]:
        if self._runs is None:
            self._runs = self._replica.runs
        return self._runs

    @property
    def scheduler(self) -> Scheduler:
        """The state of its scheduler, put together of what was sent."""
        return self._replica.scheduler

    @property
    def run_ids(self) -> Sequence[str]:
        """The ids of its runs that live, or have ended while they were followed; the oldest first."""
        return tuple(self._facts)

    @property
    def live(self) -> Iterable[str]:
        """The ids of those that have not ended."""
        return [run_id for run_id, run in self._facts.items() if not run.state.has_ended]

    def facts(self, run_id: str) -> RunFacts | None:
        """The facts of a run; None: there is none of this id."""
        return self._facts.get(run_id)

    @property
    def fleet_facts(self) -> FleetFacts:
        """The facts of its fleet."""
        return self._replica.fleet

    def now(self) -> float:
        """Seconds on its clock."""
        return self._following.now()

    def why(self, run_id: str, task_id: str) -> tuple[Reason, ...]:
        """The reasons why a task does not run, the blocking ones first; none of an unknown task or run."""
        scheduler = self.scheduler
        index = scheduler.runs.get(run_id)
        number = None if index is None else index.run.graph.place.get(task_id)
        if index is None or number is None:
            return ()
        scheduler.now = max(scheduler.now, self.now())
        return why(scheduler, index, number)

    def agent(self, _run_id: str, _name: str) -> Agent | None:
        """None: agents are part of the program that has attached them."""
        return None

    def output_file(self, run_id: str, task_id: str, attempt: int) -> Path | None:
        """The file to which the output of an attempt is copied from now on."""
        run = self.facts(run_id)
        number = None if run is None else run.graph.place.get(task_id)
        if run is None or number is None or not 0 < attempt <= run.tries[number]:
            return None
        is_running = attempt == run.tries[number] and run.status[number] == RUNNING
        return self._output.file((run_id, task_id, attempt), is_running=is_running)

    # ---- commands

    def obstacle(self, _command: Command) -> tuple[str, str] | None:
        """Why no command can be given now, and what to do; None: it can."""
        if (lost := self._loss()) is not None:
            return lost
        if self.devices.halted:
            return f"The engine is halted: {self.devices.halted}", "Mend that and retry the commit."
        return None

    def _loss(self) -> tuple[str, str] | None:
        """Why nothing can be asked, and what to do; None: the connection is there."""
        if self._watches:
            return translate("RemoteEngine", "This window only watches."), translate(
                "RemoteEngine", "Connect anew to steer."
            )
        if self.trouble:
            return self.trouble, ""
        if self.lost_since is None:
            return None
        lost = translate("RemoteEngine", "The connection to %1 is lost.")
        return fill(lost, self.where), translate("RemoteEngine", "Do it again once it is there.")

    def _check_link(self) -> None:
        if (lost := self._loss()) is not None:
            raise CommandRefused("link_lost", *lost)

    async def command(self, command: Command) -> Any:
        """Give a command; see `Engine.command`."""
        self._check_link()
        run_id = getattr(command, "run_id", "")
        answer = await self._client.command(run_id, command)
        await self.caught_up()
        if isinstance(command, EditConstellation):
            made = self._edits.get((run_id, int(answer or 0)))
            changes, inverse = (made.changes, made.inverse) if made is not None else ((), ())
            reason = "" if made is None else made.reason
            back = EditBatch(edits=inverse, base_revision=int(answer or 0), origin=self.origin, reason=reason)
            return EditReceipt(int(answer or 0), changes, back)
        return answer

    async def caught_up(self) -> None:
        """Return once the replica has all turns until now, or cannot have them, as the connection is lost."""
        try:
            await self._following.caught_up()
        except ServerError as error:
            _log.debug("what was done is not here yet: %s", error)

    async def add_device(self, device: Device, origin: str) -> None:
        """Add a device to the fleet, made there of its spec."""
        self._check_link()
        await self.devices.add_all((device,), origin=origin)
        await self.caught_up()

    async def attach(self, _run_id: str, _agent: Agent, _asks: Collection[str], _terms: AgentTerms) -> None:
        """Refused: an agent of this program would end with it.

        Raises:
            CommandRefused: always.
        """
        reason = translate("RemoteEngine", "An agent is attached where the run is, and this one is on %1.")
        raise CommandRefused("elsewhere", fill(reason, self.where), "")

    async def start(self, plan: Plan, run_id: str, rules: Collection[str] | None) -> None:
        """Run a plan there; see `Engine.start`."""
        self._check_link()
        await self._client.submit(plan, run_id, rules)
        await self.caught_up()
        async with self._news:
            await self._news.wait_for(lambda: run_id in self._facts)

    async def resume(self, _folder: Path, _without: Collection[str], _handed: HandedRun | None) -> Run:
        """Refused: the run is in a folder of this machine.

        Raises:
            CommandRefused: always.
        """
        reason = translate("RemoteEngine", "Runs of this computer do not go on on %1.")
        hint = translate("RemoteEngine", "Open a console without a connection for that.")
        raise CommandRefused("elsewhere", fill(reason, self.where), hint)

    async def set_limits(self, *, origin: str = OPERATOR, **limits: Unpack[LimitFields]) -> None:
        """Change limits of the fleet; see `Engine.set_limits`."""
        await self.command(limits_command(limits, origin))

    # ---- foresight

    def durations_for(self, _plan: str) -> Callable[[Fork, str], Fork]:
        """Adds nothing: what earlier runs of a plan took is known to the server alone until the plan is run."""
        return lambda fork, _run_id: fork

    async def project(self, run_id: str, samples: int) -> Projection:
        """Foresee a run; see `Engine.project`."""
        return await self._foresee(run_id, partial(project, run_id=run_id, samples=samples))

    async def what_if(self, run_id: str, edits: Sequence[Edit]) -> WhatIf:
        """Project the effect of edits, without samples; see `Engine.what_if`."""
        return await self._foresee(run_id, partial(what_if, run_id=run_id, edits=tuple(edits), samples=0))

    async def speedups(self, run_id: str) -> Speedups:
        """Try what would let a run end earlier; see `Engine.speedups`."""
        return await self._foresee(run_id, partial(speedups, run_id=run_id))

    async def _foresee(self, run_id: str, work: Callable[..., _T]) -> _T:
        if run_id not in self._facts:
            raise KeyError(run_id)
        try:
            await self._following.ask_hints(run_id)
            async with self._news:
                await self._news.wait_for(lambda: self._following.knows_durations(run_id))
        except ServerError as error:
            _log.debug("foreseen without hints: %s", error)
        if run_id not in self._facts:
            raise KeyError(run_id)
        fork = self._replica.fork(run_id, self.now())
        return await beside_the_loop(partial(_at_work, work, fork))

    # ---- memory

    def keep_in_memory(self, in_use: Callable[[], Collection[str]]) -> None:
        """Have ended runs stay that are in use, by their ids."""
        self._in_use = in_use

    def tidy(self) -> None:
        """Forget ended runs that are not in use."""
        in_use = self._in_use()
        for run_id in [one for one, run in self._facts.items() if run.state.has_ended and one not in in_use]:
            self._replica.forget(run_id)
            self._runs = None

    async def dismiss(self, run_id: str) -> None:
        """Nothing: the run and its journal are not this program's."""


def _at_work(work: Callable[..., _T], fork: Fork, pause: Pause) -> _T:
    return work(fork, pause=pause)
