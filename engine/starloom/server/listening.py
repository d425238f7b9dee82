"""The server of one engine: it listens on a Unix socket, one server for a folder of journals, and on nothing else."""

from __future__ import annotations

import asyncio
import logging
import os
import socket
import time
from typing import TYPE_CHECKING, Final, Self

from starloom.errors import CommandRefused
from starloom.events import RunCreated, RunEnded, RunReopened
from starloom.orchestration.handover import hand_over
from starloom.private_files import FILE_MODE
from starloom.server.peers import credentials, may_command
from starloom.server.people import people_of
from starloom.server.sessions import ClientSession
from starloom.server.socket_path import ServerError, remove_note, socket_path, write_note

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable
    from pathlib import Path
    from types import TracebackType

    from starloom.events import Event
    from starloom.model.device import DeviceSpec
    from starloom.orchestration.handover import Handover
    from starloom.orchestration.orchestrator import Orchestrator
    from starloom.server.feeds import RunFeeds
    from starloom.server.listings import Person
    from starloom.server.people import Presence

_log = logging.getLogger(__name__)
MOST_CLIENTS: Final = 200
"""Connections at once."""
_LATE: Final = 5
"""Iterations of the loop in which a connection that was accepted at the last moment is made known."""


class EngineServer:
    """Serves an open engine to other programs of the same user; an async context manager.

    Args:
        orchestrator: the engine.
        journals: the folder of its journals, whose `ServerLock` is held.
        feeds: of its runs.

    Attributes:
        path: of the socket, while it listens.
        on_stop: has it end, or raises `CommandRefused`; is given whether its runs are cancelled.
        on_submitted: is told the run and the name of whoever has submitted its plan.
        on_devices: is told of the devices that clients add, and after commands to the fleet, which may have removed
            some; its answer is awaited before theirs.
        on_handed_over: has it end at once, as its runs are another program's; None: it does not give way.
        on_people: is told who is connected whenever somebody comes, goes or begins to follow something.
        own: whoever sits at the engine's own window, for the list of people; None: it has none.
    """

    def __init__(self, orchestrator: Orchestrator, journals: Path, feeds: RunFeeds) -> None:
        self.path: Path
        self.on_stop: Callable[[bool], object] = lambda _cancel: None
        self.on_submitted: Callable[[str, str], object] = lambda _run_id, _name: None
        self.on_devices: Callable[[tuple[DeviceSpec, ...]], Awaitable[None]] = _ignored
        self.on_handed_over: Callable[[], object] | None = None
        self.on_people: Callable[[tuple[Person, ...]], object] = lambda _people: None
        self.own: Presence | None = None
        self._orchestrator = orchestrator
        self._journals = journals
        self._feeds = feeds
        self._server: asyncio.Server | None = None
        self._sessions: dict[asyncio.Task[None], ClientSession] = {}
        self._changed: Callable[[], object] = lambda: None
        self._known_since = 0.0 if feeds.keeps_fleet else time.time()  # another program may keep the fleet's stream

    async def __aenter__(self) -> Self:
        self.path = socket_path(self._journals)
        self.path.unlink(missing_ok=True)  # of a server that was killed, as the lock is ours
        listening = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        try:
            listening.bind(str(self.path))
            self.path.chmod(FILE_MODE)  # before anybody can connect: nothing listens yet
            write_note(self._journals, self.path)
            self._server = await asyncio.start_unix_server(self._connected, sock=listening, backlog=MOST_CLIENTS)
        except OSError as error:
            listening.close()
            raise ServerError(f"The server cannot listen at {self.path} ({error.strerror}).") from None
        except BaseException:
            listening.close()
            raise
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        server, self._server = self._server, None
        assert server is not None
        remove_note(self._journals)
        await _stop_accepting(server)
        server.close()
        self.path.unlink(missing_ok=True)
        await asyncio.gather(*(session.close() for session in self._sessions.values()))
        tasks = list(self._sessions)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        await server.wait_closed()

    def _connected(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        # Not a coroutine itself: one that asyncio starts is complained about when it is cancelled.
        if self._server is None:  # it was accepted at the last moment
            writer.transport.abort()
            return
        try:
            peer = credentials(writer.get_extra_info("socket"))
        except OSError:  # it has gone already
            writer.transport.abort()
            return
        if peer.uid != os.getuid():
            _log.warning(
                "A connection of user %d, process %d, was refused: the engine is another's.", peer.uid, peer.pid
            )
            writer.transport.abort()
            return
        if len(self._sessions) >= MOST_CLIENTS:
            _log.warning("A connection of process %d was refused: there are %d already.", peer.pid, MOST_CLIENTS)
            writer.transport.abort()
            return
        session = ClientSession(
            self._orchestrator,
            self._feeds,
            (reader, writer),
            peer.pid,
            may_command=may_command(peer.pid),
            known_since=self._known_since,
            host=self,
        )
        task = asyncio.get_running_loop().create_task(session.serve(), name="starloom client session")
        self._sessions[task] = session
        task.add_done_callback(self._left)
        self._changed()

    def _left(self, task: asyncio.Task[None]) -> None:
        session = self._sessions.pop(task)
        session.abort()  # here, as a task that is cancelled at once does nothing
        if session.presence is not None:
            self._tell_people()
        self._changed()

    # ---- what clients ask of whoever has it

    def note_submitted(self, run_id: str, name: str) -> None:
        """Tell of a run of a client's plan."""
        self.on_submitted(run_id, name)

    async def note_devices(self, added: tuple[DeviceSpec, ...] = ()) -> None:
        """Tell of devices that a client has added, or that a command may have removed some."""
        await self.on_devices(added)

    @property
    def gives_way(self) -> bool:
        """Whether it hands its runs over to whoever asks."""
        return self.on_handed_over is not None

    def stop(self, cancel: bool) -> None:
        """Have it end; see `on_stop`.

        Raises:
            CommandRefused: it does not end for anybody.
        """
        self.on_stop(cancel)

    def people(self) -> tuple[Person, ...]:
        """Those who are connected and have said who they are; first those who came first."""
        presences = (self.own, *(session.presence for session in self._sessions.values()))
        return people_of(presence for presence in presences if presence is not None)

    def tell_run(self, run_id: str) -> None:
        """Tell all who follow the engine of a run, even if that has ended."""
        for session in self._sessions.values():
            session.tell_run(run_id)

    def note_present(self) -> None:
        """Tell those who want to know that somebody has come, or follows something from now on."""
        self._tell_people()

    def _tell_people(self) -> None:
        people = self.people()
        for session in self._sessions.values():
            session.tell_people(people)
        self.on_people(people)

    async def hand_over(self) -> Handover:
        """Decide nothing more, and have it end without what runs.

        Raises:
            CommandRefused: it does not give way, or something would be interrupted.
        """
        tell = self.on_handed_over
        if tell is None:
            raise CommandRefused(
                "stays", "This server was started to stay, and keeps its runs.", "`starloom stop` ends it."
            )
        handover = await hand_over(self._orchestrator)
        tell()
        return handover

    # ---- idling

    async def idle(self, seconds: float) -> None:
        """Return once nobody has been connected, and no run has gone on, for so many seconds."""
        loop = asyncio.get_running_loop()
        over = asyncio.Event()
        timer: asyncio.TimerHandle | None = None

        def look(_event: Event | None = None) -> None:
            nonlocal timer
            if self._sessions or self._orchestrator.pump.scheduler.live:
                if timer is not None:
                    timer.cancel()
                    timer = None
            elif timer is None:
                timer = loop.call_later(seconds, over.set)

        self._changed = look
        try:
            with self._orchestrator.events.subscribe(look, RunCreated, RunEnded, RunReopened):
                look()
                await over.wait()
        finally:
            self._changed = lambda: None
            if timer is not None:
                timer.cancel()


async def _ignored(_added: tuple[DeviceSpec, ...]) -> None:
    """Keep no devices."""


async def _stop_accepting(server: asyncio.Server) -> None:
    """Accept no more connections; those that were accepted are known when this returns.

    Python 3.11 forgets to close one of them that is still being made when its server is closed.
    """
    loop = asyncio.get_running_loop()
    for one in server.sockets:
        loop.remove_reader(one)
    for _ in range(_LATE):
        await asyncio.sleep(0)
