"""Links between clients and the engine, in memory: they break, notice that late, delay, and hand over byte by byte."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

from typing_extensions import override

from starloom.server.links import NoServerError, OpenLink, ServerLink

if TYPE_CHECKING:
    from collections.abc import Callable
    from random import Random

    from tests.simulation.loops import ProgramLoop, Timing

CAPACITY = 65_536
"""Bytes under way in one direction beyond which the writer is told to wait."""


class SimulatedTransport(asyncio.Transport):
    """One end of a connection: what is written here arrives at the other end's protocol, in order."""

    def __init__(self, connection: Connection, loop: ProgramLoop) -> None:
        super().__init__()
        self.loop = loop
        self.peer: SimulatedTransport
        self.protocol: Any = None
        self.incoming = bytearray()
        self.gets_eof = False
        self._connection = connection
        self._is_closing = False
        self._is_lost = False
        self._reads = True
        self._is_due = False
        self._paused_writing = False

    # ---- what asyncio's streams call

    @override
    def write(self, data: bytes | bytearray | memoryview) -> None:
        if self._is_lost or self.loop.is_dead or not data:
            return
        peer = self.peer
        if not self._connection.is_cut:
            peer.incoming += data
            peer.deliver_soon()
        if len(peer.incoming) > CAPACITY and not self._paused_writing:
            self._paused_writing = True
            self.protocol.pause_writing()

    @override
    def is_closing(self) -> bool:
        return self._is_closing or self._is_lost or self.loop.is_dead

    @override
    def close(self) -> None:
        if not self.is_closing():
            self._is_closing = True
            self.peer.gets_eof = True
            self.peer.deliver_soon()
            self.loop.call_soon(self._lose, None)

    @override
    def abort(self) -> None:
        if not self._is_lost:
            self._is_closing = True
            self.incoming.clear()
            self.peer.gets_eof = True
            self.peer.deliver_soon()
            self.loop.call_soon(self._lose, None)

    @override
    def pause_reading(self) -> None:
        self._reads = False

    @override
    def resume_reading(self) -> None:
        self._reads = True
        self.deliver_soon()

    @override
    def is_reading(self) -> bool:
        return self._reads

    @override
    def get_write_buffer_size(self) -> int:
        return len(self.peer.incoming)

    @override
    def get_extra_info(self, name: str, default: Any = None) -> Any:
        return default

    # ---- what the network does

    def deliver_soon(self) -> None:
        """Have what is under way to this end arrive, at a moment that the connection chooses."""
        if not self._is_due and self._reads and (self.incoming or self.gets_eof):
            self._is_due = True
            self._connection.later(self._deliver)

    def _deliver(self) -> None:
        self._is_due = False
        if self._is_lost or self.loop.is_dead or not self._reads:
            return
        count = self._connection.some_bytes(len(self.incoming))
        piece = bytes(self.incoming[:count])
        del self.incoming[:count]
        if piece:
            self.loop.call_soon(self._receive, piece)
        elif self.gets_eof:
            self.loop.call_soon(self._lose, None)
            return
        self.peer.drained()
        self.deliver_soon()

    def _receive(self, piece: bytes) -> None:
        if not self._is_lost:
            self.protocol.data_received(piece)

    def drained(self) -> None:
        """Have the program write on, if it was told to wait and there is room again."""
        if self._paused_writing and len(self.peer.incoming) < CAPACITY // 4 and not self._is_lost:
            self._paused_writing = False
            self.loop.call_soon(self._resume_writing)

    def _resume_writing(self) -> None:
        if not self._is_lost:
            self.protocol.resume_writing()

    def notice(self, error: Exception | None) -> None:
        """Have the program learn that the connection is lost."""
        self.loop.call_soon(self._lose, error)

    def _lose(self, error: Exception | None) -> None:
        if not self._is_lost:
            self._is_lost = True
            self.protocol.connection_lost(error)


class Connection:
    """A connection of a client to an engine.

    Args:
        world: whose time passes.
        dice: of the network.
        client: the program that connects.
        server: the program of the engine.

    Attributes:
        is_cut: whether nothing arrives any more that is written from now on.
        bytewise: how many pieces are handed over byte by byte from now on.
        held_until: before this moment nothing arrives.
    """

    def __init__(self, world: Timing, dice: Random, client: ProgramLoop, server: ProgramLoop) -> None:
        self.is_cut = False
        self.bytewise = 0
        self.held_until = 0.0
        self.ends = SimulatedTransport(self, client), SimulatedTransport(self, server)
        self.ends[0].peer, self.ends[1].peer = self.ends[1], self.ends[0]
        self._world, self._dice = world, dice

    @property
    def is_open(self) -> bool:
        """Whether both ends think so."""
        return not self.is_cut and not any(end.is_closing() for end in self.ends)

    def later(self, call: Callable[[], object]) -> None:
        """Call something when what is under way now arrives."""
        self._world.at(max(self.held_until, self._world.moment) + self._dice.random() * 0.002, None, call)

    def some_bytes(self, there: int) -> int:
        """How many of the bytes that are there arrive at once."""
        if self.bytewise > 0:
            self.bytewise -= 1
            return min(there, self._dice.choice([1, 1, 2, 3]))
        return there

    def cut(self, *, half_open: bool) -> None:
        """Break: each end notices at a moment of its own.

        Args:
            half_open: the client notices at once, and what it has sent still arrives; else what is under way is lost.
        """
        self.is_cut = True
        client, server = self.ends
        client.incoming.clear()
        if not half_open:
            server.incoming.clear()
        for end in self.ends:
            late = self._dice.random() * (30.0 if half_open and end is server else 0.5)
            error = self._dice.choice([None, ConnectionResetError("Connection lost")])
            self._world.at(self._world.moment + late, None, lambda end=end, error=error: end.notice(error))  # type: ignore[misc]

    def program_died(self, loop: ProgramLoop) -> None:
        """Have the other end learn that this end's program was killed."""
        for end in self.ends:
            if end.loop is loop and not end.peer.loop.is_dead:
                end.peer.gets_eof = True
                end.peer.deliver_soon()


def streams(end: SimulatedTransport) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
    """asyncio's streams over one end."""
    reader = asyncio.StreamReader(loop=end.loop)
    protocol = asyncio.StreamReaderProtocol(reader, loop=end.loop)
    end.protocol = protocol
    protocol.connection_made(end)
    return reader, asyncio.StreamWriter(end, protocol, reader, end.loop)


class _OpenConnection(OpenLink):
    def __init__(self, end: SimulatedTransport) -> None:
        self.reader, self.writer = streams(end)

    @override
    def abort(self) -> None:
        self.writer.transport.abort()


class SimulatedLink(ServerLink):
    """The way of a client's program to whichever engine serves at present.

    Args:
        connect: makes a connection to it; None: none serves.
        serves: whether a program has the journals.
    """

    where = "the simulated engine"

    def __init__(self, connect: Callable[[], Connection | None], serves: Callable[[], bool]) -> None:
        self._connect, self._serves = connect, serves

    @override
    async def open(self) -> OpenLink:
        await asyncio.sleep(0)
        connection = self._connect()
        if connection is None:
            raise NoServerError("No server runs.")
        return _OpenConnection(connection.ends[0])

    @override
    def leads_anywhere(self) -> bool:
        return self._serves()

    @override
    def has_left(self) -> bool:
        return not self._serves()
