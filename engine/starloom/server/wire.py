"""The wire between an engine's server and its clients: frames, the messages in them, and their bounds.

A frame is the length of its content (4 bytes, little-endian), the kind of the message (1 byte) and the content, the
message as a msgpack array. A client says `Hello`, the server `Welcome`; then each request has a number, which its
answer repeats. `HELLO` and `WELCOME` keep their kinds and first fields in all later versions; fields are added at the
end.
"""

from __future__ import annotations

import asyncio
import struct
from typing import TYPE_CHECKING, Any, Final

import msgspec

from starloom.decodable import decodable
from starloom.errors import Problem, StarloomError

if TYPE_CHECKING:
    from asyncio import StreamReader
    from collections.abc import Mapping

WIRE_VERSION: Final = 1
"""The version of the frames and messages. That of the rows in them is `starloom.events.FORMAT_VERSION`."""
LONGEST: Final = 64 * 1024 * 1024
"""Bytes a message may have: more than any plan file may."""
LONGEST_HELLO: Final = 4 * 1024
"""Bytes a message may have whose sender is not known yet."""
_HEAD: Final = struct.Struct("<IB")
_PATIENCE: Final = 60.0
"""Seconds in which a frame that has begun must be here as a whole."""


class WireError(StarloomError):
    """What came over a connection is no message, or nothing comes any more; the sentence says what."""


class _Message(msgspec.Struct, frozen=True, array_like=True):
    """A message; unknown fields at its end are those of a later version."""


# ---- from clients


class Hello(_Message, frozen=True):
    """The first message of a client.

    Attributes:
        wire, format: its `WIRE_VERSION` and `FORMAT_VERSION`.
        version: of Starloom, for people.
        name: in whose name it gives commands.
    """

    wire: int
    format: int
    version: str
    name: str


class ListRuns(_Message, frozen=True):
    """A request for all runs of the engine; the answer is a `RunListing`."""

    number: int


class GiveCommand(_Message, frozen=True):
    """A command; the answer is a `RequestAnswer` with the revision of an edit, the task of a step, or None.

    Attributes:
        run_id: which run; empty: it is about the fleet.
        form: the command as plain JSON, see `formats.command_forms`.
        command_id: chosen by the client, no other command has it; empty: the command is not given again.
        given: when it was given first, in seconds since 1970.
        again: whether it was given before, and the connection was lost before the answer: it has the same answer then.
    """

    number: int
    run_id: str
    form: Any
    command_id: str = ""
    given: float = 0.0
    again: bool = False


class SubmitPlan(_Message, frozen=True):
    """A plan to be run; the answer is a `RequestAnswer` with the id of the run.

    Attributes:
        plan: the text of a plan file in JSON.
        run_id: the id of the run; empty: the engine makes one.
        again: whether it was given before with this id, and the connection was lost before the answer.
    """

    number: int
    plan: str
    run_id: str = ""
    again: bool = False


class StopServer(_Message, frozen=True):
    """A request to end the server once its runs have ended; the answer is a `RequestAnswer`, and comes before that.

    Attributes:
        cancel: whether the runs are cancelled, rather than waited for.
    """

    number: int
    cancel: bool = False


class TakeRunsOver(_Message, frozen=True):
    """A request to take all runs over from a server that gives way; it ends then, and leaves alone what runs.

    The answer is a `RequestAnswer` with an `orchestration.handover.Handover` as JSON; refused, all stays as it is.
    """

    number: int


class FollowRun(_Message, frozen=True):
    """A request for the rows of a run, or of the fleet, from the beginning and as they are committed.

    The answer is a `RequestAnswer` with the last row there is; then come `RowBatch`es and, where a checkpoint saves
    time, a `CheckpointHead` with its `CheckpointPart`s, after which the run is as the checkpoint has it. Of the fleet
    there is a `FleetCheckpoint` instead.

    Attributes:
        run_id: of the run; empty: the fleet.
        after: the last row that the client has.
    """

    number: int
    run_id: str
    after: int = 0


class FollowEngine(_Message, frozen=True):
    """A request for the rows of the fleet and of all runs that live or begin, by the last row of each that is known.

    The answer is a `RequestAnswer` with the ids of the runs that live, in order. Then comes what `FollowRun` has come,
    a `StreamHead` before the rows of each stream. What has come until a `WholeTurns` fits together.
    """

    number: int
    after: dict[str, int] = {}


class ReadClock(_Message, frozen=True):
    """A request for the time; the answer is a `RequestAnswer` with the seconds on the engine's clock."""

    number: int


class ReadHints(_Message, frozen=True):
    """A request for what facts lack, on a connection that follows the engine: `SchedulerHints` come with `WholeTurns`.

    The answer is a `RequestAnswer` with the `ObservedDurations` that tell about a run; None: no run is named.
    """

    number: int
    run_id: str = ""


class ReadOutput(_Message, frozen=True):
    """A request for what an attempt has printed; the answer is an `OutputPiece`.

    Attributes:
        attempt: which one, from 1; 0: the last one.
        offset: bytes of it that are known already.
    """

    number: int
    run_id: str
    task_id: str
    attempt: int
    offset: int


# ---- from the server


class Welcome(_Message, frozen=True):
    """The first message of the server.

    Attributes:
        wire, format: its `WIRE_VERSION` and `FORMAT_VERSION`.
        version: of Starloom, for people.
        pid: of its process.
        folder: where it runs, which relative paths of plans begin at.
        now: seconds on the engine's clock.
        gives_way: whether it hands its runs over to a console that is opened; see `TakeRunsOver`.
    """

    wire: int
    format: int
    version: str
    pid: int
    folder: str
    now: float
    gives_way: bool = False


class ListedRun(_Message, frozen=True):
    """A run in a list.

    Attributes:
        total, done, failed, running: how many of its tasks.
        waits: how many things of it wait for a person.
        stalled: why nothing of it can start, as half sentences; empty: something can, or runs.
    """

    run_id: str
    name: str
    state: str
    total: int
    done: int
    failed: int
    running: int
    waits: int
    stalled: tuple[str, ...] = ()


class RunListing(_Message, frozen=True):
    """The runs of the engine, the oldest first."""

    number: int
    runs: tuple[ListedRun, ...]


class RequestAnswer(_Message, frozen=True):
    """The answer to a request that was carried out."""

    number: int
    value: Any = None


class RequestRefusal(_Message, frozen=True):
    """The answer to a request that was not carried out; the fields are those of `CommandRefused` and `EditRefused`."""

    number: int
    code: str
    reason: str
    hint: str = ""
    problems: tuple[Problem, ...] = ()


class OutputPiece(_Message, frozen=True):
    """A piece of what an attempt has printed.

    Attributes:
        attempt: which one; 0: there is none yet.
        data: what it has printed from the offset on, at most so much as a batch of rows has.
        is_over: whether it prints no more, so that an empty piece is the end.
        last: the last attempt that there is.
    """

    number: int
    attempt: int
    data: bytes
    is_over: bool
    last: int


class CheckpointHead(_Message, frozen=True):
    """The beginning of a checkpoint; its parts follow: those of the links, then those of the graph's turns.

    Attributes:
        row: the last row it stands for.
        links: how many links there are.
        turns: how many rows each turn has that shapes the graph.
    """

    row: int
    links: int
    turns: tuple[int, ...]


class CheckpointPart(_Message, frozen=True):
    """A part of a checkpoint, as it stands in the journal.

    Attributes:
        more: whether the same part goes on in the next message.
    """

    data: bytes
    more: bool = False


class FleetCheckpoint(_Message, frozen=True):
    """The fleet after a row, see `journal.fleet_replica`, and the time of then on the engine's clock."""

    row: int
    facts: Any
    at: float


class StreamHead(_Message, frozen=True):
    """What comes is of this stream, after this row; a client that has come to another one has what was lost here."""

    stream: str
    row: int


class WholeTurns(_Message, frozen=True):
    """All that has come is whole turns: the streams fit together. Hints, if they were asked for, are of this moment."""

    hints: Any = None


class RowBatch(_Message, frozen=True):
    """Rows as they stand in the journal.

    Attributes:
        first: the number of the first one.
    """

    first: int
    rows: tuple[bytes, ...]


Message = _Message
REQUESTS: Final[Mapping[int, type[Any]]] = {
    2: ListRuns,
    3: GiveCommand,
    4: SubmitPlan,
    5: FollowRun,
    6: ReadOutput,
    7: StopServer,
    8: TakeRunsOver,
    9: FollowEngine,
    10: ReadClock,
    11: ReadHints,
}
"""What clients send after their `Hello`, by kind."""
REPLIES: Final[Mapping[int, type[Any]]] = {
    65: RunListing,
    66: RequestAnswer,
    67: RequestRefusal,
    68: CheckpointHead,
    69: CheckpointPart,
    70: RowBatch,
    71: OutputPiece,
    72: FleetCheckpoint,
    73: StreamHead,
    74: WholeTurns,
}
"""What the server sends after its `Welcome`, by kind."""
HELLO: Final[Mapping[int, type[Any]]] = {1: Hello}
WELCOME: Final[Mapping[int, type[Any]]] = {64: Welcome}
_KIND_OF: Final = {kind: number for room in (HELLO, REQUESTS, WELCOME, REPLIES) for number, kind in room.items()}
_encode: Final = msgspec.msgpack.Encoder().encode


def frame(message: Message) -> bytes:
    """The bytes of a message.

    Raises:
        WireError: it is longer than the other side takes.
    """
    content = _encode(message)
    if len(content) > LONGEST:
        raise WireError(f"A message of {len(content):,} bytes is too long; {LONGEST:,} are allowed.")
    return _HEAD.pack(len(content), _KIND_OF[type(message)]) + content


async def read_message(reader: StreamReader, known: Mapping[int, type[Any]], longest: int = LONGEST) -> Any:
    """The next message; None: the other side has closed the connection after a whole one.

    Args:
        reader: of the connection.
        known: the kinds of message that may come.
        longest: bytes its content may have; a frame that announces more is not read.

    Raises:
        WireError: half a frame came and no more, or one that is too long, of another kind, or no message at all.
        OSError: the connection is gone.
    """
    try:
        begun = await reader.read(1)
        if not begun:
            return None
        async with asyncio.timeout(_PATIENCE):
            length, number = _HEAD.unpack(begun + await reader.readexactly(_HEAD.size - 1))
            if number not in known:
                raise WireError(f"a frame of the unknown kind {number} came")
            if length > longest:
                raise WireError(f"a frame announces {length:,} bytes, and {longest:,} are allowed")
            content = await reader.readexactly(length)
    except asyncio.IncompleteReadError:
        raise WireError("the connection ended within a frame") from None
    except TimeoutError:
        raise WireError(f"a frame was not here as a whole after {_PATIENCE:.0f} s") from None
    try:
        return msgspec.msgpack.decode(content, type=decodable(known[number]))
    except (msgspec.MsgspecError, ValueError, RecursionError) as error:
        raise WireError(f"a frame of the kind {number} holds something else: {error}") from None
