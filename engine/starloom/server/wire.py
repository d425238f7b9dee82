"""The wire between an engine's server and its clients: frames, the kinds of messages in them, and their bounds.

A frame is the length of its content (4 bytes, little-endian), the kind of the message (1 byte) and the content, the
message as a msgpack array. `HELLO` and `WELCOME` keep their kinds in all later versions.
"""

from __future__ import annotations

import asyncio
import struct
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from typing import TYPE_CHECKING, Any, Final

import msgspec

from starloom.decodable import decodable
from starloom.errors import StarloomError
from starloom.server import kept_messages, listings, messages

if TYPE_CHECKING:
    from asyncio import StreamReader
    from collections.abc import Mapping

    from starloom.server.messages import WireMessage

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


REQUESTS: Final[Mapping[int, type[Any]]] = {
    2: listings.ListRuns,
    3: messages.GiveCommand,
    4: messages.SubmitPlan,
    5: messages.FollowRun,
    6: messages.ReadOutput,
    7: messages.StopServer,
    8: messages.TakeRunsOver,
    9: messages.FollowEngine,
    10: messages.ReadClock,
    11: messages.ReadHints,
    12: listings.ReadPeople,
    13: messages.ReadReport,
    14: messages.AddDevices,
    15: messages.ReadTurns,
    16: kept_messages.ListKeptRuns,
    17: kept_messages.ReadKeptRecords,
    18: kept_messages.ReadKeptRows,
    19: kept_messages.ReadKeptFiles,
    20: kept_messages.ReadPlanDurations,
    21: messages.ReopenRun,
}
"""What clients send after their `Hello`, by kind."""
REPLIES: Final[Mapping[int, type[Any]]] = {
    65: listings.RunListing,
    66: messages.RequestAnswer,
    67: messages.RequestRefusal,
    68: messages.CheckpointHead,
    69: messages.CheckpointPart,
    70: messages.RowBatch,
    71: messages.OutputPiece,
    72: messages.FleetCheckpoint,
    73: messages.StreamHead,
    74: messages.WholeTurns,
    75: listings.PeopleListing,
    76: messages.EngineReport,
    77: kept_messages.KeptRunNames,
    78: kept_messages.KeptRecords,
    79: kept_messages.KeptRows,
    80: kept_messages.KeptFiles,
}
"""What the server sends after its `Welcome`, by kind."""
HELLO: Final[Mapping[int, type[Any]]] = {1: messages.Hello}
WELCOME: Final[Mapping[int, type[Any]]] = {64: messages.Welcome}
_KIND_OF: Final = {kind: number for room in (HELLO, REQUESTS, WELCOME, REPLIES) for number, kind in room.items()}
_encode: Final = msgspec.msgpack.Encoder().encode


def frame(message: WireMessage) -> bytes:
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


@cache
def starloom_version() -> str:
    """The version of Starloom that is installed, for people; empty: none is."""
    try:
        return version("starloom")
    except PackageNotFoundError:  # a source tree on the path
        return ""
