"""An engine in another program, here or on another machine, over its server.

Facts are read and questions answered here. What is asked for is answered once the facts have what it has changed. While
the connection is lost nothing can be asked for.
"""

from __future__ import annotations

import logging
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import replace as with_fields
from functools import partial
from typing import TYPE_CHECKING, Any, Final, NamedTuple, TypeVar

from starloom.constellation.edits import EditBatch
from starloom.errors import CommandRefused
from starloom.foresight.projection import project
from starloom.foresight.speedups import speedups
from starloom.foresight.what_if import what_if
from starloom.journal.base import JournalError
from starloom.journal.library import run_folder
from starloom.journal.names import JOURNAL
from starloom.model.likeness import NO_DURATIONS
from starloom.orchestration.channel import Channel
from starloom.orchestration.foresight import beside_the_loop
from starloom.orchestration.limits import limits_command
from starloom.scheduling.commands import OPERATOR, EditConstellation
from starloom.scheduling.decide.editing import EditReceipt
from starloom.scheduling.read.run_view import RunView, TaskView
from starloom.server.client import EngineClient
from starloom.server.kept_client import KeptRunsClient
from starloom.server.reopening import reopen
from starloom.server.socket_path import ServerError
from starloom_gui.gateway.engine import halt_obstacle
from starloom_gui.gateway.engine_follower import EngineFollower
from starloom_gui.gateway.remote_archive import RemoteArchive
from starloom_gui.gateway.remote_devices import RemoteDevices
from starloom_gui.gateway.remote_output import RemoteOutput
from starloom_gui.gateway.run_archive import LocalArchive
from starloom_gui.text.words import fill, translate

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable, Collection, Iterable, Sequence
    from pathlib import Path

    from typing_extensions import Unpack

    from starloom.agents.base import Agent
    from starloom.constellation.edits import Edit
    from starloom.devices.base import Device
    from starloom.events import Event
    from starloom.foresight.projection import Projection
    from starloom.foresight.speedups import Speedups
    from starloom.foresight.what_if import WhatIf
    from starloom.journal.records import RunRecord
    from starloom.model.agent_terms import AgentTerms
    from starloom.model.plan import Plan
    from starloom.orchestration.handover import HandedRun
    from starloom.orchestration.limits import LimitFields
    from starloom.orchestration.resuming import Ready
    from starloom.orchestration.run import Run
    from starloom.orchestration.subscription import Subscription
    from starloom.pauses import Pause
    from starloom.scheduling.commands import Command
    from starloom.scheduling.fork import Fork
    from starloom.scheduling.scheduler import Scheduler
    from starloom.scheduling.state.fleet_facts import FleetFacts
    from starloom.server.links import ServerLink

_PATIENCE: Final = 7 * 24 * 3600.0
"""Seconds for which a server that is lost is looked for."""
_ENDED: Final = 50
"""Ended runs that stay in memory though no tab shows them."""
_T = TypeVar("_T")
_log = logging.getLogger(__name__)


class EngineAccess(NamedTuple):
    """How an engine elsewhere is reached.

    Attributes:
        link: the way to its server.
        where: the machine, for sentences.
        name: in whose name is asked.
        journals: the directory of the journals of its runs; None: that is on another machine.
        watches: whether nothing is to be changed.
    """

    link: ServerLink
    where: str
    name: str
    journals: Path | None = None
    watches: bool = False


@asynccontextmanager
async def remote_engine(access: EngineAccess) -> AsyncIterator[RemoteEngine]:
    """The engine of a server, once all that lives there is known here.

    Raises:
        ServerError: no server runs there, or it does not answer.
        StarloomError: it cannot be followed.
    """
    async with AsyncExitStack() as stack:
        client = await stack.enter_async_context(EngineClient(access.link, access.name))
        follower = EngineFollower(access.where, access.link.has_left)
        followed = EngineClient(access.link, access.name, _PATIENCE, lambda _: follower.note_lost())
        following = (await stack.enter_async_context(followed)).follow_engine()
        stack.push_async_callback(follower.close)
        await follower.begin(following)
        engine = RemoteEngine(access, client, follower)
        stack.push_async_callback(engine.close)
        await engine.devices.begin()
        yield engine


def only_watches() -> tuple[str, str]:
    """Why a window that only watches changes nothing, and what to do."""
    why = translate("RemoteEngine", "This window only watches.")
    return why, translate("RemoteEngine", "Connect anew to steer.")


class RemoteEngine:
    """An engine in another program: see `Engine`.

    Args:
        access: how it is reached.
        client: asks.
        follower: follows it, over a connection of its own.

    Attributes:
        follower: likewise.
        archive: the runs that it has kept.
        started: the ids of the runs that this program has started.
        watches: whether nothing is to be changed.
    """

    def __init__(self, access: EngineAccess, client: EngineClient, follower: EngineFollower) -> None:
        self.origin, self.where, self.journals = access.name, access.where, access.journals
        self.follower, self._client, self.watches = follower, client, access.watches
        self.facts, self.why, self.now, self.caught_up = follower.facts, follower.why, follower.now, follower.caught_up
        self.channel = Channel()
        self.devices = RemoteDevices(
            client,
            lambda: follower.fleet_facts,
            self._check_link,
            follower.caught_up,
            self.channel.send,
            follower.note_answered,
            follower.note_silent,
        )
        self._output = RemoteOutput(client, self.channel)
        self._kept = KeptRunsClient(client)
        self.archive: LocalArchive | RemoteArchive = (
            RemoteArchive(client, access.where)
            if access.journals is None
            else LocalArchive(access.journals, " ".join(only_watches()) if access.watches else "")
        )
        self.started: set[str] = set()
        self._in_use: Callable[[], Collection[str]] = tuple

    async def close(self) -> None:
        """Ask no more."""
        await self.devices.close()
        await self._output.close()
        if isinstance(self.archive, RemoteArchive):
            await self.archive.close()

    # ---- facts

    def subscribe(self, callback: Callable[[Event], None], *, max_pending: int) -> Subscription:
        """Have a function called with each event; see `EventBus.subscribe`."""
        return self.follower.bus.subscribe(callback, max_pending=max_pending)

    @property
    def scheduler(self) -> Scheduler:
        """The state of its scheduler."""
        return self.follower.scheduler

    @property
    def run_ids(self) -> Sequence[str]:
        """The ids of its runs that live, or have ended while they were followed; the oldest first."""
        return self.follower.run_ids

    @property
    def live(self) -> Iterable[str]:
        """The ids of those that have not ended."""
        return self.follower.live

    @property
    def fleet_facts(self) -> FleetFacts:
        """The facts of its fleet."""
        return self.follower.fleet_facts

    def agent(self, _run_id: str, _name: str) -> Agent | None:
        """None: agents are part of the program that has attached them."""
        return None

    def journal(self, run_id: str) -> Path | None:
        """The file with the journal of a run; None: it is on another machine."""
        return None if self.journals is None else run_folder(self.journals, run_id) / JOURNAL

    def output_file(self, run_id: str, task_id: str, attempt: int) -> Path | None:
        """The file to which the output of an attempt is copied from now on."""
        run = self.facts(run_id)
        number = None if run is None else RunView(run).number(task_id)
        if run is None or number is None:
            return None
        known = next((one for one in TaskView(run, number).attempts if one.number == attempt), None)
        if known is None:
            return None
        return self._output.file((run_id, task_id, attempt), is_running=known.ended is None)

    # ---- commands

    def obstacle(self, command: Command) -> tuple[str, str] | None:
        """Why no command of this kind can be given now, and what to do; None: it can."""
        return self._loss() or halt_obstacle(self.devices.halted, command)

    def _loss(self) -> tuple[str, str] | None:
        """Why nothing can be asked, and what to do; None: it can."""
        if self.watches:
            return only_watches()
        if self.follower.trouble:
            return self.follower.trouble, ""
        if self.follower.lost_since is None:
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
        return self._receipt(run_id, int(answer or 0)) if isinstance(command, EditConstellation) else answer

    def _receipt(self, run_id: str, revision: int) -> EditReceipt:
        made = self.follower.made_edit(run_id, revision)
        changes, inverse, reason = (made.changes, made.inverse, made.reason) if made is not None else ((), (), "")
        back = EditBatch(edits=inverse, base_revision=revision, origin=self.origin, reason=reason)
        return EditReceipt(revision, changes, back)

    async def add_device(self, device: Device, origin: str) -> None:
        """Add a device to the fleet, made there of its spec."""
        await self.devices.add_all((device,), origin=origin)

    async def attach(self, _run_id: str, _agent: Agent, _asks: Collection[str], _terms: AgentTerms) -> None:
        """Refused: an agent of this program would end with it.

        Raises:
            CommandRefused: always.
        """
        reason = translate("RemoteEngine", "An agent is attached where the run is, and this one is on %1.")
        raise CommandRefused("elsewhere", fill(reason, self.where), "")

    async def start(self, plan: Plan, run_id: str, rules: Collection[str] | None, *, paused: bool = False) -> None:
        """Run a plan there; see `Engine.start`."""
        self._check_link()
        self.started.add(run_id)
        await self._client.submit(plan, run_id, rules, paused=paused)
        await self.follower.known(run_id)

    async def resume(self, _folder: Path, _without: Collection[str], _handed: HandedRun | None, _ready: Ready) -> Run:
        """Refused: the run is in a folder of this machine.

        Raises:
            CommandRefused: always.
        """
        reason = translate("RemoteEngine", "This window shows the engine of a server, which resumes its own runs.")
        hint = translate("RemoteEngine", "Open a console without a connection for that.")
        raise CommandRefused("elsewhere", reason, hint)

    async def reopen(self, run: RunRecord, _without: Collection[str]) -> None:
        """Have the server take up a run that has ended; see `Engine.reopen`."""
        self._check_link()
        await reopen(self._client, run.run_id)
        await self.follower.known(run.run_id)

    async def set_limits(self, *, origin: str = OPERATOR, **limits: Unpack[LimitFields]) -> None:
        """Change limits of the fleet; see `Engine.set_limits`."""
        await self.command(limits_command(limits, origin))

    # ---- foresight

    async def durations_for(self, plan: str) -> Callable[[Fork, str], Fork]:
        """What adds durations of earlier runs of a plan there; nothing, where the server does not tell them."""
        told = NO_DURATIONS
        try:
            if not self._kept.missing and self.follower.lost_since is None:
                told = await self._kept.durations(plan)
        except (ServerError, JournalError) as error:
            _log.debug("a plan is foreseen without its earlier runs: %s", error)
        return lambda fork, _run_id: with_fields(fork, durations=told)

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
        return await beside_the_loop(partial(_at_work, work, await self.follower.fork(run_id)))

    # ---- memory

    def keep_in_memory(self, in_use: Callable[[], Collection[str]]) -> None:
        """Have ended runs stay that are in use, by their ids."""
        self._in_use = in_use

    def tidy(self) -> None:
        """Forget the oldest of the ended runs that are not in use."""
        in_use, live = self._in_use(), set(self.live)
        idle = [run_id for run_id in self.run_ids if run_id not in live and run_id not in in_use]
        for run_id in idle[:-_ENDED]:
            self.follower.forget(run_id)

    async def dismiss(self, run_id: str) -> None:
        """Nothing: the run and its journal are not this program's."""


def _at_work(work: Callable[..., _T], fork: Fork, pause: Pause) -> _T:
    return work(fork, pause=pause)
