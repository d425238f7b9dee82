"""Following an engine: answers come in whatever order the server gives them, also within a checkpoint."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

import pytest

from starloom.errors import CommandRefused
from starloom.server.engine_clock import EngineClock
from starloom.server.following import EngineFollowing, checkpoint
from starloom.server.messages import (
    CheckpointHead,
    CheckpointPart,
    FollowEngine,
    ReadHints,
    RequestAnswer,
    RequestRefusal,
    WholeTurns,
)
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
