"""Following an engine: answers come in whatever order the server gives them, also within a checkpoint."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from tests.waiting import BOUND
from typing_extensions import override

from starloom.errors import CommandRefused
from starloom.journal.sent_rows import RunReplica
from starloom.server.engine_clock import EngineClock
from starloom.server.following import EngineFollowing, checkpoint, follow_stream
from starloom.server.links import SocketLink
from starloom.server.messages import (
    CheckpointHead,
    CheckpointPart,
    FollowEngine,
    FollowRun,
    ReadHints,
    RequestAnswer,
    RequestRefusal,
    RowBatch,
    WholeTurns,
)
from starloom.server.socket_path import ServerError
from starloom.server.wire import REPLIES

if TYPE_CHECKING:
    from collections.abc import Mapping

_GONE = RequestRefusal(7, "unknown_run", "There is no run x.")


class Connection:
    """A connection whose server says what a test has written down."""

    def __init__(self, *messages: Any) -> None:
        self.messages = list(messages)
        self.clock = EngineClock()
        self.number = 0

    def next_number(self) -> int:
        self.number += 1
        return self.number

    async def ask(self, request: FollowEngine) -> RequestAnswer:
        return RequestAnswer(request.number, [])

    async def send(self, request: ReadHints) -> None:
        self.messages = [one.__class__(request.number, *_rest(one)) for one in self.messages]

    async def next(self, known: Mapping[int, type[Any]] = REPLIES) -> Any:
        if not self.messages:
            await asyncio.Event().wait()
        message = self.messages.pop(0)
        assert type(message) in known.values()
        return message


def _rest(message: Any) -> tuple[Any, ...]:
    return tuple(getattr(message, field) for field in message.__struct_fields__[1:])


def test_an_answer_may_come_between_the_parts_of_a_checkpoint() -> None:
    answer = RequestAnswer(7, None)
    answered: list[object] = []
    connection: Any = Connection(
        CheckpointPart(b"a", more=True), answer, CheckpointPart(b"b"), _GONE, CheckpointPart(b"row")
    )
    parts = asyncio.run(checkpoint(connection, CheckpointHead(3, 1, (1,)), answered.append))
    assert parts == ([b"ab"], [[b"row"]])
    assert answered == [answer, _GONE]


def test_it_goes_on_although_the_run_whose_durations_were_asked_for_is_gone() -> None:
    async def follow() -> None:
        connection: Any = Connection(WholeTurns())
        following = EngineFollowing(connection)
        turns = following.turns()
        assert await anext(turns) == []
        connection.messages = [_GONE]
        await following.ask_hints("x")
        assert not following.knows_durations("x")
        assert await anext(turns) == []
        assert following.knows_durations("x")
        await turns.aclose()

    asyncio.run(follow())


def test_a_refusal_to_tell_the_time_is_raised() -> None:
    async def follow() -> None:
        following = EngineFollowing(Connection(_GONE))  # type: ignore[arg-type]
        with pytest.raises(CommandRefused):
            await anext(following.turns())

    asyncio.run(follow())


class LostConnection(Connection):
    """A connection that is lost at once, made anew when a test lets it, and lost again before the server follows.

    Attributes:
        is_there: set once it is to be made anew.
        sent: what was sent beside the requests to follow.
        losses: how often it is lost still.
    """

    def __init__(self, losses: int, *messages: Any) -> None:
        super().__init__(*messages)
        self.is_there = asyncio.Event()
        self.link = SocketLink(Path("journal"))
        self.sent: list[object] = []
        self.losses = losses
        self._is_lost = True
        self._has_asked = False

    async def connect_again(self, lost: ServerError) -> None:
        await self.is_there.wait()

    @override
    async def ask(self, request: FollowEngine | FollowRun) -> RequestAnswer:
        if self._has_asked and self.losses:
            self.losses -= 1
            raise ServerError("it is gone")
        self._has_asked = True
        return RequestAnswer(request.number, [] if isinstance(request, FollowEngine) else 0)

    @override
    async def send(self, request: Any) -> None:
        self.sent.append(request)

    @override
    async def next(self, known: Mapping[int, type[Any]] = REPLIES) -> Any:
        if self._is_lost:
            self._is_lost = False
            raise ServerError("it is gone")
        return await super().next(known)


def test_nothing_is_asked_before_the_server_follows_for_a_connection_that_is_made_anew() -> None:
    async def follow() -> None:
        connection: Any = LostConnection(0, WholeTurns())
        following = EngineFollowing(connection)
        turns = following.turns()
        first = asyncio.ensure_future(anext(turns))
        await asyncio.sleep(0)
        for question in (following.caught_up, following.ask_hints):
            with pytest.raises(ServerError, match="made anew"):
                await asyncio.wait_for(question(), BOUND)
        assert not connection.sent, "the server would refuse it, and its refusal would be taken for another's"
        connection.is_there.set()
        assert await first == []
        await following.ask_hints()
        assert connection.sent
        await turns.aclose()

    asyncio.run(follow())


def test_a_connection_that_is_lost_before_the_server_follows_is_made_anew_once_more() -> None:
    async def follow() -> None:
        connection: Any = LostConnection(2, WholeTurns())
        connection.is_there.set()
        turns = EngineFollowing(connection).turns()
        assert await anext(turns) == []
        assert not connection.losses
        await turns.aclose()

    asyncio.run(follow())


def test_so_is_that_of_who_follows_one_run() -> None:
    async def follow() -> None:
        connection: Any = LostConnection(2, RowBatch(1, ()))
        connection.is_there.set()
        found = follow_stream(connection, "r", RunReplica("r"))
        assert (await anext(found))[1] == []
        assert not connection.losses
        await found.aclose()

    asyncio.run(follow())
