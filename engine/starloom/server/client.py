"""A client of an engine's server: connects to the one of a journal folder, asks, commands, and follows.

What only some requests need is imported with them: a command such as `starloom ps` waits for nothing else.
"""

from __future__ import annotations

import asyncio
import time
from contextlib import aclosing, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self
from uuid import uuid4

import msgspec
from msgspec import structs

from starloom.decodable import decodable
from starloom.errors import CommandRefused, SettingsError
from starloom.model.run_ids import new_run_id
from starloom.scheduling.commands import Command, EditConstellation
from starloom.scheduling.read.summary import RunSummary
from starloom.server.connection import AGAIN, ServerConnection
from starloom.server.links import SocketLink
from starloom.server.listings import ListedRun, ListRuns, PeopleListing, Person, ReadPeople, RunListing
from starloom.server.messages import (
    AddDevices,
    EngineReport,
    GiveCommand,
    OutputPiece,
    ReadOutput,
    ReadReport,
    StopServer,
    SubmitPlan,
    TakeRunsOver,
)
from starloom.server.people import name_problem
from starloom.server.socket_path import ServerError

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, Callable, Collection, Coroutine, Iterable
    from types import TracebackType

    from starloom.events import Event
    from starloom.journal.fleet_replica import FleetReplica
    from starloom.journal.sent_rows import RunReplica
    from starloom.model.device import DeviceSpec
    from starloom.model.plan import Plan
    from starloom.orchestration.handover import Handover
    from starloom.server.following import EngineFollowing
    from starloom.server.links import ServerLink
    from starloom.server.messages import Welcome, WireMessage


class EngineClient:
    """A client of a server; an async context manager. Requests of several tasks are answered one by one.

    A connection that is lost is made anew, also to a server that takes the place of one that was killed. A plan or a
    command is given again then: it is carried out once.

    Args:
        server: the folder of its journals on this machine, or another way to it.
        name: in whose name commands are given.
        patience: seconds for which a server is looked for after the connection was lost.
        lost: is told, as a sentence, that it was lost and for how long a server is looked for.

    Raises:
        SettingsError: nobody can be called so.
        NoServerError: on entering: none runs.
        ServerError: on entering: it does not answer, or is not ours.
    """

    def __init__(
        self,
        server: Path | ServerLink,
        name: str,
        patience: float = 10.0,
        lost: Callable[[str], object] = lambda _: None,
    ) -> None:
        if problem := name_problem(name):
            raise SettingsError(f"The name {problem}. Give another one.")
        link = SocketLink(server) if isinstance(server, Path) else server
        self._given = link, name, patience, lost
        self._connection = ServerConnection(link, name, patience, lost)
        self._is_asking = asyncio.Lock()
        self._requests: set[asyncio.Task[Any]] = set()

    async def __aenter__(self) -> Self:
        await self._connection.connect()
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        for task in self._requests:
            task.cancel()
        self._connection.abort()

    @property
    def welcome(self) -> Welcome:
        """What the server says of itself."""
        return self._connection.welcome

    def now(self) -> float:
        """Seconds on the engine's clock."""
        return self._connection.clock.now()

    # ---- asking

    async def runs(self) -> tuple[ListedRun, ...]:
        """All runs of the engine, the oldest first; raises what `listing` does."""
        return (await self.listing()).runs

    async def listing(self) -> RunListing:
        """All runs of the engine, the oldest first, and what is reserved.

        Raises:
            ServerError: the connection is lost.
        """
        listing: RunListing = await self.read(ListRuns)
        return listing

    async def people(self) -> tuple[Person, ...]:
        """Those who are connected, this client among them; first those who came first.

        Raises:
            ServerError: the connection is lost.
            CommandRefused: the server is of an earlier version, which does not tell.
        """
        if not self.welcome.lists_people:
            raise older_server(self.welcome, "does not tell who is there")
        listing: PeopleListing = await self.read(ReadPeople)
        return listing.people

    async def submit(
        self, plan: Plan, run_id: str = "", rules: Collection[str] | None = None, *, paused: bool = False
    ) -> str:
        """Have a plan run, where the server runs and with its environment; returns the id of its run.

        Args:
            plan: what to run.
            run_id: the id of the run, which nobody else has used; empty: one is made from the time and the plan's name.
            rules: the kinds of edits by the plan's rules that wait for approval; None: its rules do not apply.
            paused: whether nothing of it starts before `StartRun`.

        Raises:
            ServerError: the connection is lost; whether the plan was taken is not known.
            CommandRefused: it was refused; it is to be paused, and the server is of an earlier version.
        """
        from starloom.formats import dump_plan

        if paused and not self.welcome.submits_paused:
            raise older_server(self.welcome, "starts a plan as soon as it has it")

        text, asks = dump_plan(plan, "json"), None if rules is None else tuple(rules)
        made = run_id or new_run_id(plan.name)
        given = SubmitPlan(self._connection.next_number(), text, made, rules=asks, paused=paused)
        return str(await self._give(given))

    async def add_devices(self, specs: Iterable[DeviceSpec]) -> None:
        """Have devices join the fleet of the server: all of them, or none if one differs from another of its id.

        Raises:
            ServerError: the connection is lost; whether they have joined is not known.
            StarloomError: it was refused.
        """
        text = msgspec.json.encode(tuple(specs)).decode()
        await self.read(lambda number: AddDevices(number, text))  # again: equal devices are shared

    async def report(self, *, measures: bool = False) -> EngineReport:
        """What facts do not tell of the engine.

        Args:
            measures: measure the load of its devices for it.

        Raises:
            ServerError: the connection is lost.
        """
        told: EngineReport = await self.read(lambda number: ReadReport(number, measures))
        return told

    async def finished(self, run_id: str) -> RunSummary:
        """What came of a run, once it has ended; followed over a connection of its own.

        Raises:
            ServerError: the connection is lost.
            CommandRefused: there is no such run.
        """
        async with EngineClient(*self._given) as other, aclosing(other.follow(run_id)) as following:
            async for replica, _ in following:
                if replica.view.run.state.has_ended:
                    return RunSummary(replica.view.run, other.now())
        raise AssertionError("following ends by an error, or not at all")

    async def command(self, run_id: str, command: Command | Any) -> int | str | None:
        """Give a command; returns the revision of an edit, the task of a step, else None.

        Args:
            run_id: of the run; empty: the command is about the fleet.
            command: one of `scheduling.commands`, whose run and origin are not sent, or as scripts have it in plain
                JSON: `"pause"`, `{"retry": ["build"]}`.

        Raises:
            ServerError: the connection is lost; whether the command was carried out is not known.
            CommandRefused: it was refused, and changed nothing.
        """
        from starloom.formats.command_writer import command_form

        form = command_form(command) if isinstance(command, Command) else command
        batch = command.batch if isinstance(command, EditConstellation) else None
        why = getattr(command, "reason", "") if batch is None else batch.reason
        base = None if batch is None else batch.base_revision
        number = self._connection.next_number()
        given = GiveCommand(number, run_id, form, uuid4().hex, time.time(), reason=why, base_revision=base)
        value: int | str | None = await self._give(given)
        return value

    async def stop(self, *, cancel: bool = False) -> None:
        """Have the server end, and return once it has.

        Args:
            cancel: cancel its runs, rather than wait for their ends.

        Raises:
            ServerError: the connection is lost before it was told.
            CommandRefused: it was refused.
        """
        await self._connection.ask(StopServer(self._connection.next_number(), cancel))
        await self._ended()

    async def take_over(self) -> Handover:
        """Take all runs over; returns what is taken up once the server has ended, which it has then.

        Raises:
            ServerError: the connection is lost before it was told.
            CommandRefused: it keeps its runs, or something would be interrupted; nothing has changed.
        """
        from starloom.orchestration.handover import Handover

        answer = await self._connection.ask(TakeRunsOver(self._connection.next_number()))
        await self._ended()
        return msgspec.json.decode(answer.value, type=decodable(Handover))

    async def _ended(self) -> None:
        """Return once the server has gone, which is about to."""
        with suppress(OSError):
            await self._connection.closed()  # until it says goodbye, as its last but one act
        while self._connection.link.leads_anywhere():  # noqa: ASYNC110 - the other program tells nobody
            await asyncio.sleep(AGAIN)

    async def output(self, run_id: str, task_id: str, attempt: int, offset: int) -> OutputPiece:
        """What an attempt has printed, from an offset in bytes on.

        Args:
            run_id: of the run.
            task_id: of the task.
            attempt: which of its attempts, from 1; 0: the last one.
            offset: bytes of it that are known already.

        Raises:
            ServerError: the connection is lost.
            CommandRefused: there is no such run, task or attempt.
        """
        piece: OutputPiece = await self.read(lambda number: ReadOutput(number, run_id, task_id, attempt, offset))
        return piece

    def follow(self, run_id: str) -> AsyncGenerator[tuple[RunReplica, list[Event]]]:
        """Follow a run; nothing else can be asked of this connection meanwhile.

        Yields the run as it is after what has come, with the events that led there; first, once it is there as it was
        when this was called, without any. The same replica is folded further each time, without a gap also where the
        connection was lost and made anew.

        Raises:
            ServerError: the connection is lost.
            CommandRefused: there is no such run.
            JournalError: what came cannot be read.
        """
        from starloom.server.following import follow_run

        return follow_run(self._connection, run_id)

    def follow_fleet(self) -> AsyncGenerator[tuple[FleetReplica, list[Event]]]:
        """Follow the fleet, as `follow` does a run.

        Raises:
            ServerError: the connection is lost.
            CommandRefused: another program keeps the journal of the fleet.
            JournalError: what came cannot be read.
        """
        from starloom.server.following import follow_fleet

        return follow_fleet(self._connection)

    def follow_engine(self) -> EngineFollowing:
        """Follow the fleet and all live runs; nothing else can be asked of this connection from then on."""
        from starloom.server.following import EngineFollowing

        return EngineFollowing(self._connection)

    # ---- again, where the connection is lost

    async def _give(self, request: GiveCommand | SubmitPlan) -> Any:
        """Have something done once and return its value; it is asked again where the connection is lost before."""

        async def given() -> Any:
            again = request
            while True:
                try:
                    return await self._connection.ask(again)
                except ServerError as lost:
                    unknown = ServerError(f"{lost} Whether it has done what was asked is not known.")
                    await self._connection.connect_again(unknown)
                again = structs.replace(again, number=self._connection.next_number(), again=True)

        return (await self._asked(given)).value

    async def read(self, request: Callable[[int], WireMessage]) -> Any:
        """Ask for what may be asked again, as it changes nothing more; so it is, where the connection is lost.

        Args:
            request: makes it, given its number.

        Raises:
            ServerError: the connection is lost.
            CommandRefused: it was refused.
        """

        async def read() -> Any:
            while True:
                try:
                    return await self._connection.ask(request(self._connection.next_number()))
                except ServerError as lost:
                    await self._connection.connect_again(lost)

        return await self._asked(read)

    async def _asked(self, asking: Callable[[], Coroutine[Any, Any, Any]]) -> Any:
        """Ask in turn. Whoever is cancelled meanwhile goes on at once; the answer is read all the same, and dropped.

        Else it, or what is left of it, would be taken for the answer to the next request.
        """
        await self._is_asking.acquire()
        task = asyncio.get_running_loop().create_task(asking(), name="starloom request")
        self._requests.add(task)
        task.add_done_callback(self._answered)
        return await asyncio.shield(task)

    def _answered(self, task: asyncio.Task[Any]) -> None:
        self._requests.discard(task)
        self._is_asking.release()
        if not task.cancelled():
            task.exception()  # told whoever waits, if anybody still does


def older_server(welcome: Welcome, does: str) -> CommandRefused:
    """The refusal of a request that a server does not know yet; `does` says what it does instead."""
    reason = f"The server is of version {welcome.version or 'unknown'}, which {does}."
    return CommandRefused("older_server", reason, "Start it again with this version.")
