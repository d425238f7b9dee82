"""Clients of a served engine, in a process of their own: `server_child.py WHAT JOURNALS RUN COUNT`.

`follow` follows a run over so many connections, `engine` the whole engine until the run ends, `indexes` has the
scheduler's indexes of it made so many times, `not_reading` asks for its rows and reads none of them, `count` counts
the bytes that come, `attach` connects so many times anew. A line `ready` is printed once they are connected, JSON with
the figures at the end.
"""

from __future__ import annotations

import asyncio
import json
import sys
import time
from contextlib import AsyncExitStack, aclosing
from pathlib import Path
from typing import TYPE_CHECKING, Any

sys.path.insert(0, str(Path(__file__).parents[2]))

from tests.benchmarks.measuring import say

from starloom.events import FORMAT_VERSION, TasksPrioritised
from starloom.server.client import EngineClient
from starloom.server.messages import FollowRun, Hello
from starloom.server.socket_path import noted_socket
from starloom.server.wire import WELCOME, WIRE_VERSION, frame, read_message

if TYPE_CHECKING:
    from asyncio import StreamReader, StreamWriter


async def _raw(journals: Path, run_id: str) -> tuple[StreamReader, StreamWriter]:
    """A connection on which a run is followed, for counting what comes."""
    path = noted_socket(journals)
    assert path is not None
    reader, writer = await asyncio.open_unix_connection(path)
    writer.write(frame(Hello(WIRE_VERSION, FORMAT_VERSION, "", "bench")))
    await read_message(reader, WELCOME)
    writer.write(frame(FollowRun(1, run_id)))
    return reader, writer


async def follow(journals: Path, run_id: str, count: int) -> dict[str, float]:
    """Follow the run to its end over so many connections."""

    async def one(engine: EngineClient, begun: asyncio.Barrier) -> None:
        is_first = True
        async with engine, aclosing(engine.follow(run_id)) as following:
            async for replica, _ in following:
                if is_first:
                    await begun.wait()
                    is_first = False
                if replica.view.run.state.has_ended:
                    return

    begun = asyncio.Barrier(count + 1)
    clients = [asyncio.create_task(one(EngineClient(journals, "bench"), begun)) for _ in range(count)]
    await begun.wait()
    _ready()
    await asyncio.gather(*clients)
    return {}


async def engine(journals: Path, run_id: str, _count: int) -> dict[str, float]:
    """Follow the engine until the run ends."""
    async with EngineClient(journals, "bench") as client:
        following = client.follow_engine()
        async with aclosing(following.turns()) as turns:
            await anext(turns)
            _ready()
            while not following.replica.runs[run_id].state.has_ended:
                await anext(turns)
    return {}


async def indexes(journals: Path, run_id: str, count: int) -> dict[str, Any]:
    """Milliseconds until a scheduler is put together from what is followed."""
    taken: list[float] = []
    async with EngineClient(journals, "bench") as client:
        following = client.follow_engine()
        async with aclosing(following.turns()) as turns:
            await anext(turns)
            replica = following.replica
            for _ in range(count):
                replica.hint(replica.hints)  # after which it is put together anew
                begun = time.perf_counter()
                assert run_id in replica.scheduler.live
                taken.append(1e3 * (time.perf_counter() - begun))
            _ready()
    return {"taken": taken}


async def not_reading(journals: Path, run_id: str, _count: int) -> dict[str, float]:
    """Follow the run and read nothing, until this process is told to end."""
    _reader, writer = await _raw(journals, run_id)
    _reader._transport.pause_reading()  # type: ignore[attr-defined]  # asyncio reads ahead otherwise
    _ready()
    await asyncio.to_thread(sys.stdin.read)
    writer.transport.abort()
    return {}


async def count_bytes(journals: Path, run_id: str, _count: int) -> dict[str, float]:
    """Follow the run until the server ends, and count the bytes that come."""
    reader, writer = await _raw(journals, run_id)
    _ready()
    size = 0
    while data := await reader.read(2**20):
        size += len(data)
    writer.transport.abort()
    return {"bytes": size}


async def command(journals: Path, run_id: str, count: int) -> list[float]:
    """Seconds from a command until its sender sees its effect, for so many commands one after the other.

    For a process that may give commands: what a server has started may not.
    """
    taken: list[float] = []
    async with AsyncExitStack() as stack:
        asking = await stack.enter_async_context(EngineClient(journals, "bench"))
        engine = await stack.enter_async_context(EngineClient(journals, "bench"))
        following = await stack.enter_async_context(aclosing(engine.follow(run_id)))
        replica, _ = await anext(following)
        first = replica.view.run.graph.ids[0]
        for number in range(count):
            begun = time.perf_counter()
            giving = asyncio.create_task(
                asking.command(run_id, {"set_priority": {"tasks": first, "priority": 10 + number % 50}})
            )
            async for _, events in following:
                if any(isinstance(event, TasksPrioritised) for event in events):
                    break
            taken.append(time.perf_counter() - begun)
            await giving
    return taken


async def attach(journals: Path, run_id: str, count: int) -> dict[str, Any]:
    """Seconds from connecting until the run is there, and how many events that was."""
    taken: list[float] = []
    events = 0
    for _ in range(count):
        begun = time.perf_counter()
        async with EngineClient(journals, "bench") as engine, aclosing(engine.follow(run_id)) as following:
            replica, _ = await anext(following)
            taken.append(time.perf_counter() - begun)
            events = replica.view.run.seq
    _ready()
    return {"taken": taken, "events": events}


def _ready() -> None:
    say("ready")


if __name__ == "__main__":
    _, what, journals, run_id, count = sys.argv
    known = (follow, engine, indexes, not_reading, attach)
    kinds = {one.__name__: one for one in known} | {"count": count_bytes}
    say(json.dumps(asyncio.run(kinds[what](Path(journals), run_id, int(count)))))
