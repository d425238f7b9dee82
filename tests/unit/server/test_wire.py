"""The wire: a message comes out as it went in, and what is none is told in a sentence, without being read."""

from __future__ import annotations

import asyncio
import struct
from typing import TYPE_CHECKING

import msgspec
import pytest

from starloom.devices.base import Metrics
from starloom.errors import Problem
from starloom.server import kept_messages, listings, messages, wire

if TYPE_CHECKING:
    from starloom.server.messages import WireMessage

MESSAGES = [
    listings.ListRuns(1),
    messages.GiveCommand(2, "run", {"hold": ["a"]}),
    messages.SubmitPlan(3, "{}", "night", again=True, rules=("add_task",)),
    messages.ReopenRun(7, "night"),
    messages.StopServer(6, cancel=True),
    messages.TakeRunsOver(9),
    messages.FollowRun(4, "run"),
    messages.ReadOutput(5, "run", "task", 0, 17),
    messages.OutputPiece(5, 2, b"printed", is_over=True, last=2),
    listings.RunListing(
        1,
        (listings.ListedRun("run", "name", "executing", 3, 1, 0, 1, 0),),
        (listings.ListedReservation("run", "", "ada", "we look at it", 7200.0, 1e9),),
    ),
    listings.ReadPeople(10),
    listings.PeopleListing(10, (listings.Person("ada", "box", 1e9, 2, "pause", 1e9 + 5, ("the engine", "night")),)),
    messages.RequestAnswer(2, 7),
    messages.RequestRefusal(2, "code", "reason", "hint", (Problem(message="wrong", line=3),)),
    messages.CheckpointHead(9, 2, (1, 1)),
    messages.CheckpointPart(b"part", more=True),
    messages.RowBatch(4, (b"row", b"another")),
    messages.FollowEngine(7, {"": 4, "night": 12}),
    messages.ReadClock(8),
    messages.ReadHints(9, "night"),
    messages.FleetCheckpoint(4, {"seq": 9, "devices": []}, 1.5),
    messages.StreamHead("night", 12),
    messages.WholeTurns(mark=12),
    messages.ReadTurns(12),
    messages.ReadReport(13, measures=True),
    messages.EngineReport(13, "no room", (messages.DeviceReport("lab", 4.5, True, "arm64", 1, Metrics(cpu=0.5)),)),
    messages.AddDevices(14, "[]"),
    kept_messages.ListKeptRuns(15),
    kept_messages.KeptRunNames(15, "/srv/journals", ("r1", "r2")),
    kept_messages.ReadKeptRecords(16, ("r1",)),
    kept_messages.KeptRecords(16, ({"run_id": "r1", "state": "completed"},)),
    kept_messages.ReadKeptRows(17, "r1", 4, 9),
    kept_messages.KeptRows(17, 9, (b"row",), {"stream": "r1"}),
    kept_messages.ReadKeptFiles(18, "r1", outputs=True, file="output/a-1.log", offset=7, only=True),
    kept_messages.ReadPlanDurations(19, "nightly"),
    kept_messages.KeptFiles(18, (kept_messages.FilePiece("output/a-1.log", 7, b"x"),), "output/a-1.log", 8, 99),
]
BOTH = {**wire.REQUESTS, **wire.REPLIES}


def fed(*data: bytes, ends: bool = True) -> asyncio.StreamReader:
    """What a connection gives; must be made where a loop runs."""
    reader = asyncio.StreamReader()
    for one in data:
        reader.feed_data(one)
    if ends:
        reader.feed_eof()
    return reader


def refused(data: bytes, longest: int = wire.LONGEST) -> str:
    async def read() -> str:
        with pytest.raises(wire.WireError) as caught:
            await wire.read_message(fed(data), BOTH, longest)
        return str(caught.value)

    return asyncio.run(read())


def test_every_message_comes_out_as_it_went_in() -> None:
    assert {type(one) for one in MESSAGES} == set(BOTH.values())

    async def read() -> list[WireMessage | None]:
        reader = fed(*map(wire.frame, MESSAGES))
        return [await wire.read_message(reader, BOTH) for _ in (*MESSAGES, None)]

    assert asyncio.run(read()) == [*MESSAGES, None]


def test_a_frame_that_comes_byte_by_byte_is_whole() -> None:
    async def read() -> WireMessage:
        data = wire.frame(MESSAGES[1])
        message: WireMessage = await wire.read_message(fed(*(data[n : n + 1] for n in range(len(data)))), BOTH)
        return message

    assert asyncio.run(read()) == MESSAGES[1]


def test_each_beginning_of_a_frame_is_half_a_frame() -> None:
    data = wire.frame(MESSAGES[1])
    for length in range(1, len(data)):
        assert refused(data[:length]) == "the connection ended within a frame"


def test_a_frame_that_announces_too_much_is_not_waited_for() -> None:
    async def read() -> None:
        reader = fed(struct.pack("<IB", 2**32 - 1, 2), ends=False)  # whoever read on would wait for ever
        with pytest.raises(wire.WireError, match="announces 4,294,967,295 bytes, and 67,108,864 are allowed"):
            await asyncio.wait_for(wire.read_message(reader, BOTH), 60)

    asyncio.run(read())


def test_a_frame_that_stays_half_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(wire, "_PATIENCE", 0.01)

    async def read() -> None:
        with pytest.raises(wire.WireError, match="not here as a whole"):
            await wire.read_message(fed(wire.frame(MESSAGES[1])[:-1], ends=False), BOTH)

    asyncio.run(read())


@pytest.mark.parametrize(
    ("data", "told"),
    [
        (b"GET / HTTP/1.1\r\n\r\n", "unknown kind"),
        (struct.pack("<IB", 0, 2), "something else"),
        (struct.pack("<IB", 3, 2) + b"\x91\xa1x", "something else"),
        (struct.pack("<IB", 2, 2) + b"\xff\xff", "something else"),
        (struct.pack("<IB", 100_000, 3) + b"\x93\x01\xa0" + b"\x91" * 99_997, "something else"),
    ],
    ids=["http", "empty", "of another type", "garbage", "nested without end"],
)
def test_what_is_no_message_is_told(data: bytes, told: str) -> None:
    assert told in refused(data)


def test_fields_of_later_versions_are_passed_over() -> None:
    content = b"\x94\x01\xa1x\x02\xa5later"  # a number, a text, a number and another text
    assert msgspec.msgpack.decode(content, type=messages.FollowRun) == messages.FollowRun(1, "x", 2)


def test_fields_that_an_earlier_version_does_not_send_have_their_defaults() -> None:
    content = b"\x93\x01\xa1x\xa5pause"
    assert msgspec.msgpack.decode(content, type=messages.GiveCommand) == messages.GiveCommand(1, "x", "pause")


def test_a_message_that_nobody_would_take_is_not_sent(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(wire, "LONGEST", 100)
    with pytest.raises(wire.WireError, match="too long; 100 are allowed"):
        wire.frame(messages.SubmitPlan(1, "x" * 101))
