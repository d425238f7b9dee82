"""One client's connection: its `Hello`, its requests one after the other, and the run it follows beside them."""

from __future__ import annotations

import asyncio
import logging
import os
from importlib.metadata import PackageNotFoundError, version
from typing import TYPE_CHECKING, Any, Final, Protocol

import msgspec

from starloom.errors import CommandRefused, StarloomError
from starloom.events import FORMAT_VERSION
from starloom.server.requests import carry_out, check_run, listed, output, refusal, submit
from starloom.server.row_sender import RowSender
from starloom.server.wire import (
    HELLO,
    LONGEST_HELLO,
    REQUESTS,
    WIRE_VERSION,
    FollowRun,
    GiveCommand,
    Hello,
    ListRuns,
    Message,
    ReadOutput,
    RequestAnswer,
    RunListing,
    StopServer,
    SubmitPlan,
    TakeRunsOver,
    Welcome,
    WireError,
    frame,
    read_message,
)

if TYPE_CHECKING:
    from asyncio import StreamReader, StreamWriter

    from starloom.orchestration.handover import Handover
    from starloom.orchestration.orchestrator import Orchestrator
    from starloom.server.feeds import RunFeeds

_log = logging.getLogger(__name__)
_PATIENCE: Final = 2.0
"""Seconds in which a client that the server says goodbye to may take what it has not got yet."""
_GREETING: Final = 60.0
"""Seconds in which a client has to say what it is."""
LONGEST_NAME: Final = 100
"""Characters that the name of a client may have."""


def starloom_version() -> str:
    """The version of Starloom that is installed, for people; empty: none is."""
    try:
        return version("starloom")
    except PackageNotFoundError:  # a source tree on the path
        return ""


class ServerEnding(Protocol):
    """The protocol that ends the server."""

    @property
    def gives_way(self) -> bool:
        """Whether it hands its runs over to whoever asks."""

    def stop(self, cancel: bool) -> None:
        """Have the server end; returns at once.

        Args:
            cancel: whether its runs are cancelled.
        """

    async def hand_over(self) -> Handover:
        """Decide nothing more, and have the server end without what runs.

        Raises:
            CommandRefused: it does not give way, or something would be interrupted.
        """


class ClientSession:
    """Serves one client until it goes, breaks the rules of the wire, or `close` is called.

    Args:
        orchestrator: the engine.
        feeds: of its runs.
        streams: of the connection.
        pid: of the client's process, for the log.
        may_command: whether it may do more than read.
        known_since: from when on the engine knows the answers to commands, in seconds since 1970.
        ending: ends the server.
    """

    def __init__(
        self,
        orchestrator: Orchestrator,
        feeds: RunFeeds,
        streams: tuple[StreamReader, StreamWriter],
        pid: int,
        *,
        may_command: bool,
        known_since: float,
        ending: ServerEnding,
    ) -> None:
        self._orchestrator = orchestrator
        self._feeds = feeds
        self._reader, self._writer = streams
        self._pid = pid
        self._may_command = may_command
        self._known_since = known_since
        self._ending = ending
        self._hello: Hello
        self._sender: RowSender | None = None
        self._following: asyncio.Task[None] | None = None

    async def serve(self) -> None:
        """Answer its requests until the connection ends; never raises but on cancellation."""
        try:
            if await self._greeted():
                while (request := await read_message(self._reader, REQUESTS)) is not None:
                    await self._send(await self._answered(request))
                    if isinstance(request, FollowRun):
                        self._begin_following()
        except WireError as error:
            _log.warning("The connection of process %d was closed: %s.", self._pid, error)
        except OSError:
            pass  # it has gone
        finally:
            await self._stop_following()

    def abort(self) -> None:
        """Close the connection, whatever has not been sent, unless it is being closed."""
        if (
            not self._writer.is_closing()
        ):  # in Python 3.11 it may have been closed to its end, and cannot be aborted then
            self._writer.transport.abort()

    async def close(self) -> None:
        """Send what the followed run still has to tell, and close; a client that takes long to read loses the rest."""
        try:
            async with asyncio.timeout(_PATIENCE):
                if self._sender is not None and self._following is not None:
                    self._sender.end()
                    self._feeds.tell(self._sender.feed.run_id)
                    await asyncio.wait([self._following])
                self._writer.close()
                await self._writer.wait_closed()  # what was written may not have been sent yet
        except TimeoutError:
            self._writer.transport.abort()
        except OSError:
            pass  # it has gone

    async def _greeted(self) -> bool:
        """Whether the client has said what it is, rather than gone at once.

        Raises:
            WireError: it says nothing, or something else.
        """
        try:
            async with asyncio.timeout(_GREETING):
                hello = await read_message(self._reader, HELLO, LONGEST_HELLO)
        except TimeoutError:
            raise WireError(f"it has not said what it is within {_GREETING:.0f} s") from None
        if hello is None:
            return False
        if not (0 < len(hello.name) <= LONGEST_NAME and hello.name.isprintable()):
            raise WireError(f"the client's name {hello.name[:LONGEST_NAME]!r} is none that can be shown")
        self._hello = hello
        now = self._orchestrator.pump.clock()
        folder = os.getcwd()
        own = WIRE_VERSION, FORMAT_VERSION, starloom_version(), os.getpid()
        await self._send(Welcome(*own, folder, now, gives_way=self._ending.gives_way))
        return True

    async def _send(self, message: Message) -> None:
        self._writer.write(frame(message))
        await self._writer.drain()

    async def _answered(self, request: Any) -> Message:
        try:
            match request:
                case ListRuns():
                    return RunListing(request.number, listed(self._orchestrator))
                case FollowRun():
                    return RequestAnswer(request.number, self._follow(request))
                case ReadOutput():
                    return output(self._orchestrator, request)
                case GiveCommand():
                    self._check_may_command()
                    name, since = self._hello.name, self._known_since
                    return RequestAnswer(request.number, await carry_out(self._orchestrator, request, name, since))
                case StopServer():
                    self._check_may_command()
                    self._ending.stop(request.cancel)
                    return RequestAnswer(request.number)
                case TakeRunsOver():
                    self._check_may_command()
                    handover = await self._ending.hand_over()
                    return RequestAnswer(request.number, msgspec.json.encode(handover).decode())
                case SubmitPlan():
                    self._check_may_command()
                    return RequestAnswer(request.number, await submit(self._orchestrator, request, self._hello.name))
        except StarloomError as error:
            return refusal(request.number, error)
        raise AssertionError(f"{type(request).__name__} is no request")

    def _check_may_command(self) -> None:
        if not self._may_command:
            raise CommandRefused(
                "from_own_attempt",
                "A task of this engine may look at runs here, and give no commands.",
                "Give the command from outside, or have an agent change the run.",
            )

    # ---- following a run

    def _follow(self, request: FollowRun) -> int:
        """Prepare to follow a run; returns its last row."""
        if self._sender is not None:
            raise CommandRefused("follows", "This connection follows a run already.", "Open another one.")
        if self._hello.format < FORMAT_VERSION:
            raise CommandRefused(
                "older_format",
                f"This engine writes events in format {FORMAT_VERSION}, and the client reads up to "
                f"{self._hello.format}.",
                "Use a newer version of Starloom to follow runs; lists and commands work with this one.",
            )
        check_run(self._orchestrator, request.run_id)
        feed = self._feeds.open(request.run_id)
        if not 0 <= request.after <= feed.last:
            self._feeds.leave(feed)
            reason = f"The run has {feed.last} rows, and none {request.after}."
            raise CommandRefused("unknown_row", reason, "Follow it from its beginning.")
        self._sender = RowSender(feed, self._writer, request.after)
        return feed.last

    def _begin_following(self) -> None:
        if self._sender is not None and self._following is None:
            self._following = asyncio.get_running_loop().create_task(
                self._run_sender(self._sender), name="starloom row sender"
            )

    async def _stop_following(self) -> None:
        if self._following is not None:
            self._following.cancel()
            await asyncio.gather(self._following, return_exceptions=True)
        if self._sender is not None:
            self._feeds.leave(self._sender.feed)

    async def _run_sender(self, sender: RowSender) -> None:
        try:
            await sender.follow()
        except StarloomError as error:
            _log.warning("Process %d can follow %s no more: %s", self._pid, sender.feed.run_id, error)
            self.abort()
        except OSError:
            pass  # it has gone
