"""A served engine and clients over a real socket, for tests of both."""

from __future__ import annotations

import asyncio
import tempfile
from contextlib import aclosing, asynccontextmanager
from typing import TYPE_CHECKING, Any

import pytest
from tests.properties.test_checkpoints import assert_same_run

from starloom.devices.inprocess import InProcessDevice
from starloom.events import FORMAT_VERSION
from starloom.journal.library import Library
from starloom.journal.names import JOURNAL
from starloom.journal.stream_file import StreamFile
from starloom.orchestration.orchestrator import Orchestrator
from starloom.server.client import EngineClient
from starloom.server.feeds import RunFeeds
from starloom.server.listening import EngineServer
from starloom.server.messages import Hello
from starloom.server.server_lock import ServerLock
from starloom.server.wire import WELCOME, WIRE_VERSION, frame, read_message

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Iterator
    from pathlib import Path

    from starloom.devices.base import TaskContext
    from starloom.events import Event
    from starloom.journal.sent_rows import RunReplica
    from starloom.model.task import Task
    from starloom.orchestration.clock import Clock


@pytest.fixture(autouse=True)
def runtime(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """A runtime folder with a short path."""
    with tempfile.TemporaryDirectory(prefix="sl") as short:
        monkeypatch.setenv("XDG_RUNTIME_DIR", short)
        yield


class Served:
    """A served engine, and what tests reach for in it."""

    def __init__(self, orchestrator: Orchestrator, server: EngineServer, journals: Path) -> None:
        self.orchestrator = orchestrator
        self.server = server
        self.journals = journals

    def client(self, name: str = "ada") -> EngineClient:
        return EngineClient(self.journals, name)

    @asynccontextmanager
    async def raw(self, *, limit: int = 2**16) -> AsyncIterator[tuple[asyncio.StreamReader, asyncio.StreamWriter]]:
        """A connection that has said nothing yet."""
        reader, writer = await asyncio.open_unix_connection(self.server.path, limit=limit)
        try:
            yield reader, writer
        finally:
            writer.transport.abort()


@asynccontextmanager
async def served(
    journals: Path, *devices: Any, full: bool = False, clock: Clock | None = None
) -> AsyncIterator[Served]:
    with ServerLock(journals), Library(journals, full=full) as library:
        feeds = RunFeeds(library)
        orchestrator = Orchestrator(devices, journal=library, clock=clock)
        await orchestrator.open()
        try:
            async with EngineServer(orchestrator, journals, feeds) as server:
                yield Served(orchestrator, server, journals)
        finally:
            await orchestrator.shutdown("now")


async def greeted(reader: asyncio.StreamReader, writer: asyncio.StreamWriter, **fields: Any) -> None:
    known: dict[str, Any] = {"wire": WIRE_VERSION, "format": FORMAT_VERSION, "version": "", "name": "raw"} | fields
    writer.write(frame(Hello(**known)))
    assert await read_message(reader, WELCOME) is not None


def talker(size: int) -> InProcessDevice:
    """A device whose tasks return so many letters."""

    async def talk(_task: Task, _context: TaskContext) -> str:
        return "x" * size

    return InProcessDevice("here", slots=4, handlers={"noop": talk})


async def to_its_end(engine: EngineClient, run_id: str) -> AsyncIterator[tuple[RunReplica, list[Event]]]:
    """A run as it is followed, until it has ended."""
    async with aclosing(engine.follow(run_id)) as following:
        async for replica, events in following:
            yield replica, events
            if replica.view.run.state.has_ended:
                return


async def followed(engine: EngineClient, run_id: str) -> tuple[RunReplica, list[Event]]:
    """The replica and all events of a run from the moment of the call to its end."""
    events: list[Event] = []
    seen: list[RunReplica] = []
    async for replica, more in to_its_end(engine, run_id):
        seen = [replica]
        events += more
    return seen[0], events


def journal(journals: Path, run_id: str) -> Path:
    return journals / "runs" / run_id / JOURNAL


def check_replica(replica: RunReplica, path: Path) -> None:
    with StreamFile(path, read_only=True) as file:
        assert_same_run(replica.view, file.view().view, "the replica")


async def ended(reader: asyncio.StreamReader) -> bytes:
    """What still comes until the server closes the connection."""
    try:
        return await asyncio.wait_for(reader.read(), 60)
    except ConnectionResetError:
        return b""


HELLO = frame(Hello(WIRE_VERSION, FORMAT_VERSION, "", "ada"))
