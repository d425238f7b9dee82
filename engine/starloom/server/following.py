"""Following an engine over a connection: the rows of a stream, or of all that live, folded as they come."""

from __future__ import annotations

import asyncio
from contextlib import asynccontextmanager, suppress
from typing import TYPE_CHECKING, Final, NoReturn, TypeAlias, TypeVar

import msgspec

from starloom.decodable import decodable
from starloom.errors import CommandRefused
from starloom.journal.fleet_replica import FLEET, FleetReplica
from starloom.journal.sent_rows import RunReplica
from starloom.model.likeness import ObservedDurations
from starloom.scheduling.state.hints import SchedulerHints
from starloom.server.connection import AGAIN, refused
from starloom.server.engine_replica import EngineReplica
from starloom.server.listings import PeopleListing
from starloom.server.messages import (
    CheckpointHead,
    CheckpointPart,
    FleetCheckpoint,
    FollowEngine,
    FollowRun,
    ReadClock,
    ReadHints,
    ReadTurns,
    RequestAnswer,
    RequestRefusal,
    RowBatch,
    StreamHead,
    WholeTurns,
)
from starloom.server.socket_path import ServerError
from starloom.server.wire import REPLIES

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, AsyncIterator, Callable

    from starloom.events import Event
    from starloom.server.connection import ServerConnection
    from starloom.server.listings import Person
    from starloom.server.messages import WireMessage

MEASURES_EVERY: Final = 60.0
"""Seconds between two looks at the engine's clock."""
_PARTS: Final = {kind: one for kind, one in REPLIES.items() if one in (CheckpointPart, RequestAnswer, RequestRefusal)}
"""What may come while a checkpoint does: its parts, and answers to what was asked meanwhile."""
_Answered: TypeAlias = "Callable[[RequestAnswer | RequestRefusal], object]"
_Replica = TypeVar("_Replica", RunReplica, FleetReplica)


async def checkpoint(
    connection: ServerConnection, head: CheckpointHead, answered: _Answered
) -> tuple[list[bytes], list[list[bytes]]]:
    """The links of a checkpoint that begins, and the rows of each turn that shapes the graph.

    Args:
        connection: where it comes.
        head: of the checkpoint.
        answered: is given answers that come between its parts.
    """
    links = [await _part(connection, answered) for _ in range(head.links)]
    return links, [[await _part(connection, answered) for _ in range(rows)] for rows in head.turns]


async def _part(connection: ServerConnection, answered: _Answered) -> bytes:
    data = bytearray()
    while True:
        message = await connection.next(_PARTS)
        if not isinstance(message, CheckpointPart):
            answered(message)
            continue
        data += message.data
        if not message.more:
            return bytes(data)


def _unexpected(message: WireMessage) -> ServerError:
    return ServerError(f"The server sent {type(message).__name__} among the rows of a stream. This is a defect.")


def _refuse(message: WireMessage) -> NoReturn:
    raise _unexpected(message)


# ---- one stream


async def follow_stream(
    connection: ServerConnection, stream: str, replica: _Replica
) -> AsyncGenerator[tuple[_Replica, list[Event]]]:
    """Follow a run, or the fleet; see `EngineClient.follow`."""
    is_begun = False
    begins_at = await _begin(connection, stream, replica)
    while True:
        try:
            events = await _fold_next(connection, replica)
        except ServerError as lost:
            await _begin_again(connection, stream, replica, lost)
            continue
        if is_begun:
            yield replica, events
        elif replica.row >= begins_at:
            is_begun = True
            yield replica, []


def follow_run(connection: ServerConnection, run_id: str) -> AsyncGenerator[tuple[RunReplica, list[Event]]]:
    """Follow a run; see `EngineClient.follow`."""
    return follow_stream(connection, run_id, RunReplica(run_id))


def follow_fleet(connection: ServerConnection) -> AsyncGenerator[tuple[FleetReplica, list[Event]]]:
    """Follow the fleet; see `EngineClient.follow_fleet`."""
    return follow_stream(connection, FLEET, FleetReplica())


async def _begin(connection: ServerConnection, stream: str, replica: RunReplica | FleetReplica) -> int:
    """Ask for the rows after those that a replica has; returns the last row there is."""
    answer: RequestAnswer = await connection.ask(FollowRun(connection.next_number(), stream, replica.row))
    return int(answer.value)


async def _begin_again(
    connection: ServerConnection, stream: str, replica: RunReplica | FleetReplica, lost: ServerError
) -> None:
    """Begin with a new connection, and with another one if that is lost before the server follows."""
    while True:
        await connection.connect_again(lost)
        try:
            await _begin(connection, stream, replica)
        except CommandRefused:  # another server, which does not have the run
            raise lost from None
        except ServerError as again:
            lost = again
            await asyncio.sleep(AGAIN)
        else:
            return


async def _fold_next(connection: ServerConnection, replica: RunReplica | FleetReplica) -> list[Event]:
    message = await connection.next()
    match message, replica:
        case RowBatch(), _:
            return replica.take(message.rows)
        case CheckpointHead(), RunReplica():
            replica.begin(message.row, *await checkpoint(connection, message, _refuse))
            return []
        case FleetCheckpoint(), FleetReplica():
            replica.begin(message.row, message.facts, message.at)
            return []
    raise _unexpected(message)


# ---- the engine


class EngineFollowing:
    """Follows the fleet of an engine and its live runs; the connection serves nothing else meanwhile.

    Args:
        connection: a new one.

    Attributes:
        replica: what is followed, as it is after the last whole turn.
        people: those who are connected to the server, this client among them; none where it does not tell.
    """

    def __init__(self, connection: ServerConnection) -> None:
        self.replica = EngineReplica()
        self.people: tuple[Person, ...] = ()
        self._connection = connection
        self._asked_clock: dict[int, float] = {}
        self._asked_hints: dict[int, str] = {}
        self._marks: dict[int, asyncio.Future[None]] = {}
        self._has_begun = False
        """Whether the server follows for this connection, which answers no question about that before."""

    def now(self) -> float:
        """Seconds on the engine's clock."""
        return self._connection.clock.now()

    async def turns(self) -> AsyncGenerator[list[Event]]:
        """Follow; yields the events of the turns that have come, and first, once all is there, none.

        Without a gap also where the connection was lost and made anew, though not where another server began meanwhile
        that has not taken all runs up: those are left out of the replica.

        Raises:
            ServerError: the connection is lost.
            CommandRefused: another program keeps the journal of the fleet.
            JournalError: what came cannot be read.
        """
        async with self._measured_now_and_then():
            await self._begin()
            is_first = True
            while True:
                try:
                    events = await self._next_turns()
                except ServerError as lost:
                    await self._begin_again(lost)
                    continue
                yield [] if is_first else events
                is_first = False

    async def ask_hints(self, run_id: str = "") -> None:
        """Ask for what the facts lack at the present event, which comes with the turns until then.

        Args:
            run_id: about whose durations earlier runs shall tell, too; empty: of none. They come when they are known.

        Raises:
            ServerError: the connection is lost.
        """
        self._check_begun()
        number = self._connection.next_number()
        self._asked_hints[number] = run_id
        await self._connection.send(ReadHints(number, run_id))

    async def caught_up(self) -> None:
        """Return once all turns until now are here; to be awaited beside `turns`.

        Raises:
            ServerError: the connection is lost.
        """
        self._check_begun()
        number = self._connection.next_number()
        self._marks[number] = reached = asyncio.get_running_loop().create_future()
        try:
            await self._connection.send(ReadTurns(number))
            await reached
        finally:
            self._marks.pop(number, None)

    def knows_durations(self, run_id: str) -> bool:
        """Whether the answer to the last question about the durations of a run has come."""
        return run_id not in self._asked_hints.values()

    def _check_begun(self) -> None:
        if not self._has_begun:
            raise ServerError(f"The connection to the server of {self._connection.link.where} is being made anew.")

    async def _begin_again(self, lost: ServerError) -> None:
        """Begin with a new connection, and with another one if that is lost before the server follows."""
        self._has_begun = False
        while True:
            await self._connection.connect_again(lost)
            try:
                return await self._begin()
            except ServerError as again:
                lost = again
                await asyncio.sleep(AGAIN)

    async def _begin(self) -> None:
        self._asked_clock.clear()
        self._asked_hints.clear()
        for reached in self._marks.values():
            if not reached.done():
                reached.set_exception(ServerError("The connection to the server was lost, and is there again."))
        number = self._connection.next_number()
        answer: RequestAnswer = await self._connection.ask(
            FollowEngine(number, dict(self.replica.received), people=True)
        )
        self.replica.begin(answer.value)
        self._has_begun = True

    async def _next_turns(self) -> list[Event]:
        """Take what comes until it is whole turns; returns their events."""
        while True:
            message = await self._connection.next()
            match message:
                case WholeTurns():
                    return self._take_whole(message)
                case PeopleListing():
                    self.people = message.people
                case RequestAnswer() | RequestRefusal():
                    if self._take_answer(message):
                        return []
                case _:
                    await self._take_rows(message)

    async def _take_rows(self, message: WireMessage) -> None:
        replica = self.replica
        match message:
            case RowBatch():
                replica.rows(message.rows)
            case StreamHead():
                replica.head(message.stream, message.row)
            case CheckpointHead():
                parts = await checkpoint(self._connection, message, self._take_answer)
                replica.checkpoint(message.row, *parts)
            case FleetCheckpoint():
                replica.fleet_checkpoint(message.row, message.facts, message.at)
            case _:
                raise _unexpected(message)

    def _take_whole(self, whole: WholeTurns) -> list[Event]:
        if whole.hints is not None:
            self.replica.hint(msgspec.convert(whole.hints, decodable(SchedulerHints)))
        events = self.replica.whole()
        reached = self._marks.pop(whole.mark, None)
        if reached is not None and not reached.done():
            reached.set_result(None)
        return events

    def _take_answer(self, message: RequestAnswer | RequestRefusal) -> bool:
        """Take the answer to a question; whether more is known of durations."""
        asked, run_id = self._asked_clock.pop(message.number, None), self._asked_hints.pop(message.number, "")
        if isinstance(message, RequestRefusal):
            if not run_id:
                raise refused(message)
            return True  # the run has gone meanwhile: nothing is known of its durations
        if asked is not None:
            self._connection.clock.measure(asked, message.value)
        elif run_id:
            self.replica.take_durations(run_id, msgspec.convert(message.value, decodable(ObservedDurations)))
        return bool(run_id)

    # ---- the clock

    @asynccontextmanager
    async def _measured_now_and_then(self) -> AsyncIterator[None]:
        measuring = asyncio.get_running_loop().create_task(self._measure(), name="starloom engine clock")
        try:
            yield
        finally:
            measuring.cancel()
            await asyncio.gather(measuring, return_exceptions=True)

    async def _measure(self) -> None:
        while True:
            await asyncio.sleep(MEASURES_EVERY)
            if not self._has_begun:
                continue
            number = self._connection.next_number()
            self._asked_clock[number] = self._connection.clock.here()
            with suppress(ServerError):  # who follows finds that out, and connects anew
                await self._connection.send(ReadClock(number))
