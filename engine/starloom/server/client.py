"""A client of an engine's server: connects to the one of a journal folder, asks, commands, and follows a run."""

from __future__ import annotations

import asyncio
import os
import time
from contextlib import aclosing, suppress
from typing import TYPE_CHECKING, Any, Final, Self, TypeVar
from uuid import uuid4

import msgspec
from msgspec import structs

from starloom.decodable import decodable
from starloom.errors import CommandRefused, EditRefused, StarloomError
from starloom.events import FORMAT_VERSION
from starloom.journal.fleet_replica import FLEET, FleetReplica
from starloom.journal.sent_rows import RunReplica
from starloom.orchestration.handover import Handover
from starloom.server.listening import is_served
from starloom.server.peers import credentials
from starloom.server.sessions import starloom_version
from starloom.server.socket_path import ServerError, noted_socket
from starloom.server.wire import (
    REPLIES,
    WELCOME,
    WIRE_VERSION,
    CheckpointHead,
    CheckpointPart,
    FleetCheckpoint,
    FollowRun,
    GiveCommand,
    Hello,
    ListedRun,
    ListRuns,
    Message,
    OutputPiece,
    ReadOutput,
    RequestAnswer,
    RequestRefusal,
    RowBatch,
    RunListing,
    StopServer,
    SubmitPlan,
    TakeRunsOver,
    Welcome,
    WireError,
    frame,
    read_message,
)

if TYPE_CHECKING:
    from asyncio import StreamWriter
    from collections.abc import AsyncGenerator, Callable
    from pathlib import Path
    from types import TracebackType

    from starloom.events import Event


_AGAIN: Final = 0.1
"""Seconds between two looks for a server."""
_Replica = TypeVar("_Replica", RunReplica, FleetReplica)


class NoServerError(ServerError):
    """No server runs for a folder of journals."""


class EngineClient:
    """A connection to the server of a journal folder; an async context manager. Requests are answered one by one.

    A connection that is lost is made anew, also to a server that takes the place of one that was killed. A plan or a
    command is given again then: it is carried out once.

    Args:
        journals: the folder.
        name: in whose name commands are given.
        patience: seconds for which a server is looked for after the connection was lost.
        lost: is told, as a sentence, that it was lost and for how long a server is looked for.

    Attributes:
        welcome: what the server says of itself.

    Raises:
        NoServerError: on entering: none runs.
        ServerError: on entering: it does not answer, or is not ours.
    """

    def __init__(
        self, journals: Path, name: str, patience: float = 10.0, lost: Callable[[str], object] = lambda _: None
    ) -> None:
        self.welcome: Welcome
        self._journals = journals
        self._name = name
        self._patience, self._tell_lost = patience, lost
        self._number = 0
        self._met = 0.0

    async def __aenter__(self) -> Self:
        await self._connect()
        return self

    async def _connect(self) -> None:
        path = noted_socket(self._journals)
        if path is None:
            raise self._no_server()
        try:
            self._reader, self._writer = await asyncio.open_unix_connection(path)
        except (FileNotFoundError, ConnectionRefusedError):  # it was killed
            raise self._no_server() from None
        except OSError as error:
            raise ServerError(f"The server of {self._journals} does not answer ({error.strerror}).") from None
        try:
            _check_is_ours(self._writer, path)
            await self._send(Hello(WIRE_VERSION, FORMAT_VERSION, starloom_version(), self._name))
            welcome = await self._next(WELCOME)
        except BaseException:
            self._writer.transport.abort()
            raise
        self.welcome, self._met = welcome, time.monotonic()

    async def _connect_again(self, lost: ServerError) -> None:
        """Make a lost connection anew.

        Raises:
            ServerError: that it is lost, as there is no server within the patience.
        """
        self._writer.transport.abort()
        self._tell_lost(f"The connection to the server is lost; for {self._patience:g} s it is looked for.")
        try:
            async with asyncio.timeout(self._patience):
                while True:
                    try:
                        return await self._connect()
                    except ServerError:
                        await asyncio.sleep(_AGAIN)
        except TimeoutError:
            raise lost from None

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._writer.transport.abort()

    def _no_server(self) -> NoServerError:
        return NoServerError(f"No server runs for the journals in {self._journals}. Start one: `starloom serve`.")

    def now(self) -> float:
        """Seconds on the engine's clock."""
        return self.welcome.now + time.monotonic() - self._met

    # ---- asking

    async def runs(self) -> tuple[ListedRun, ...]:
        """All runs of the engine, the oldest first.

        Raises:
            ServerError: the connection is lost.
        """
        listing: RunListing = await self._read(ListRuns(self._next_number()))
        return listing.runs

    async def submit(self, plan: str, run_id: str) -> str:
        """Have a plan run; returns the id of its run.

        Args:
            plan: the text of a plan file in JSON.
            run_id: the id of the run, which nobody else has used.

        Raises:
            ServerError: the connection is lost; whether the plan was taken is not known.
            CommandRefused: it was refused.
        """
        answer: RequestAnswer = await self._give(SubmitPlan(self._next_number(), plan, run_id))
        return str(answer.value)

    async def command(self, run_id: str, form: Any) -> int | str | None:
        """Give a command; returns the revision of an edit, the task of a step, else None.

        Args:
            run_id: of the run; empty: the command is about the fleet.
            form: the command as plain JSON, see `formats.command_forms`.

        Raises:
            ServerError: the connection is lost; whether the command was carried out is not known.
            CommandRefused: it was refused, and changed nothing.
        """
        command_id = uuid4().hex
        answer: RequestAnswer = await self._give(
            GiveCommand(self._next_number(), run_id, form, command_id, given=time.time())
        )
        value: int | str | None = answer.value
        return value

    async def stop(self, *, cancel: bool = False) -> None:
        """Have the server end, and return once it has.

        Args:
            cancel: cancel its runs, rather than wait for their ends.

        Raises:
            ServerError: the connection is lost before it was told.
            CommandRefused: it was refused.
        """
        await self._ask(StopServer(self._next_number(), cancel))
        await self._ended()

    async def take_over(self) -> Handover:
        """Take all runs over; returns what is taken up once the server has ended, which it has then.

        Raises:
            ServerError: the connection is lost before it was told.
            CommandRefused: it keeps its runs, or something would be interrupted; nothing has changed.
        """
        answer = await self._ask(TakeRunsOver(self._next_number()))
        await self._ended()
        return msgspec.json.decode(answer.value, type=decodable(Handover))

    async def _ended(self) -> None:
        """Return once the server has gone, which is about to."""
        with suppress(OSError):
            await self._reader.read()  # until it says goodbye, as its last but one act
        while is_served(self._journals):  # noqa: ASYNC110 - the other program tells nobody
            await asyncio.sleep(_AGAIN)

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
        piece: OutputPiece = await self._read(ReadOutput(self._next_number(), run_id, task_id, attempt, offset))
        return piece

    async def follow(self, run_id: str) -> AsyncGenerator[tuple[RunReplica, list[Event]]]:
        """Follow a run; nothing else can be asked of this connection meanwhile.

        Yields the run as it is after what has come, with the events that led there; first, once it is there as it was
        when this was called, without any. The same replica is folded further each time, without a gap also where the
        connection was lost and made anew.

        Raises:
            ServerError: the connection is lost.
            CommandRefused: there is no such run.
            JournalError: what came cannot be read.
        """
        async with aclosing(self._follow(run_id, RunReplica(run_id))) as following:
            async for found in following:
                yield found

    async def follow_fleet(self) -> AsyncGenerator[tuple[FleetReplica, list[Event]]]:
        """Follow the fleet, as `follow` does a run.

        Raises:
            ServerError: the connection is lost.
            CommandRefused: another program keeps the journal of the fleet.
            JournalError: what came cannot be read.
        """
        async with aclosing(self._follow(FLEET, FleetReplica())) as following:
            async for found in following:
                yield found

    async def _follow(self, stream: str, replica: _Replica) -> AsyncGenerator[tuple[_Replica, list[Event]]]:
        is_begun = False
        begins_at = await self._begin_following(stream, replica)
        while True:
            try:
                events = await self._fold_next(replica)
            except ServerError as lost:
                await self._connect_again(lost)
                try:
                    await self._begin_following(stream, replica)
                except CommandRefused:  # another server, which does not have the run
                    raise lost from None
                continue
            if is_begun:
                yield replica, events
            elif replica.row >= begins_at:
                is_begun = True
                yield replica, []

    async def _begin_following(self, stream: str, replica: RunReplica | FleetReplica) -> int:
        """Ask for the rows after those that a replica has; returns the last row there is."""
        answer: RequestAnswer = await self._ask(FollowRun(self._next_number(), stream, replica.row))
        return int(answer.value)

    async def _fold_next(self, replica: RunReplica | FleetReplica) -> list[Event]:
        message = await self._next(REPLIES)
        match message, replica:
            case RowBatch(), _:
                return replica.take(message.rows)
            case CheckpointHead(), RunReplica():
                replica.begin(message.row, *await self._checkpoint(message))
                return []
            case FleetCheckpoint(), FleetReplica():
                replica.begin(message.row, message.facts, message.at)
                return []
        raise ServerError(f"The server sent {type(message).__name__} among the rows of a stream. This is a defect.")

    async def _checkpoint(self, head: CheckpointHead) -> tuple[list[bytes], list[list[bytes]]]:
        """The links of a checkpoint, and the rows of each turn that shapes the graph."""
        links = [await self._part() for _ in range(head.links)]
        return links, [[await self._part() for _ in range(rows)] for rows in head.turns]

    async def _part(self) -> bytes:
        data = bytearray()
        while True:
            message = await self._next({kind: one for kind, one in REPLIES.items() if one is CheckpointPart})
            data += message.data
            if not message.more:
                return bytes(data)

    # ---- the connection

    def _next_number(self) -> int:
        self._number += 1
        return self._number

    async def _give(self, request: GiveCommand | SubmitPlan) -> Any:
        """Ask for something that is done once; again, where the connection is lost before the answer."""
        while True:
            try:
                return await self._ask(request)
            except ServerError as lost:
                unknown = ServerError(f"{lost} Whether it has done what was asked is not known.")
                await self._connect_again(unknown)
            request = structs.replace(request, number=self._next_number(), again=True)

    async def _read(self, request: ListRuns | ReadOutput) -> Any:
        """Ask for something that changes nothing; again, where the connection is lost before the answer."""
        while True:
            try:
                return await self._ask(request)
            except ServerError as lost:
                await self._connect_again(lost)
            request = structs.replace(request, number=self._next_number())

    async def _ask(self, request: Message) -> Any:
        await self._send(request)
        reply = await self._next(REPLIES)
        if isinstance(reply, RequestRefusal):
            raise _refused(reply)
        return reply

    async def _send(self, message: Message) -> None:
        try:
            self._writer.write(frame(message))
            await self._writer.drain()
        except OSError as error:
            raise self._lost(str(error)) from None

    async def _next(self, known: Any) -> Any:
        try:
            message = await read_message(self._reader, known)
        except (WireError, OSError) as error:
            raise self._lost(str(error)) from None
        if message is None:
            raise self._lost("it has closed the connection")
        return message

    def _lost(self, why: str) -> ServerError:
        return ServerError(
            f"The server of {self._journals} is gone: {why}. `starloom runs` lists what is kept of its runs."
        )


def _check_is_ours(writer: StreamWriter, path: Path) -> None:
    """Refuse a server of another user, who may have put a socket where ours was."""
    if credentials(writer.get_extra_info("socket")).uid != os.getuid():
        raise ServerError(f"The server at {path} belongs to another user.")


def _refused(reply: RequestRefusal) -> StarloomError:
    if reply.problems:
        return EditRefused(reply.problems)
    return CommandRefused(reply.code, reply.reason, reply.hint)
