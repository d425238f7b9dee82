"""One client's connection: its `Hello`, its requests one after the other, and the run it follows beside them."""

from __future__ import annotations

import asyncio
import logging
import os
from functools import partial
from typing import TYPE_CHECKING, Any, Final, TypeVar

import msgspec

from starloom.errors import CommandRefused, StarloomError
from starloom.events import FORMAT_VERSION
from starloom.journal.fleet_replica import FLEET, fleet_to_plain
from starloom.orchestration.foresight import durations_of_plan
from starloom.scheduling.decide.reservations import check_cancel_all
from starloom.scheduling.state.hints import SchedulerHints
from starloom.server.kept_messages import (
    ListKeptRuns,
    ReadKeptFiles,
    ReadKeptRecords,
    ReadKeptRows,
    ReadPlanDurations,
)
from starloom.server.kept_runs import check_format, kept
from starloom.server.listings import ListRuns, PeopleListing, Person, ReadPeople, RunListing
from starloom.server.messages import (
    AddDevices,
    FleetCheckpoint,
    FollowEngine,
    FollowRun,
    GiveCommand,
    Hello,
    ReadClock,
    ReadHints,
    ReadOutput,
    ReadReport,
    ReadTurns,
    ReopenRun,
    RequestAnswer,
    StopServer,
    SubmitPlan,
    TakeRunsOver,
    Welcome,
    WholeTurns,
)
from starloom.server.people import LONGEST_NAME, Presence, name_problem
from starloom.server.requests import (
    add_devices,
    carry_out,
    check_run,
    durations,
    listed,
    output,
    refusal,
    reopen,
    report,
    reservations,
    submit,
)
from starloom.server.row_sender import EngineSender, RowSender
from starloom.server.wire import (
    HELLO,
    LONGEST_HELLO,
    REQUESTS,
    WIRE_VERSION,
    WireError,
    frame,
    read_message,
    starloom_version,
)

if TYPE_CHECKING:
    from asyncio import StreamReader, StreamWriter
    from collections.abc import Callable

    from starloom.orchestration.orchestrator import Orchestrator
    from starloom.server.feeds import RunFeeds
    from starloom.server.messages import WireMessage
    from starloom.server.row_sender import TurnSender
    from starloom.server.server_host import ServerHost

_log = logging.getLogger(__name__)
_PATIENCE: Final = 2.0
"""Seconds in which a client that the server says goodbye to may take what it has not got yet."""
_GREETING: Final = 60.0
"""Seconds in which a client has to say what it is."""
_T = TypeVar("_T")
_CHANGES: Final = (GiveCommand, StopServer, TakeRunsOver, SubmitPlan, AddDevices, ReopenRun)


class ClientSession:
    """Serves one client until it goes, breaks the rules of the wire, or `close` is called.

    Args:
        orchestrator: the engine.
        feeds: of its runs.
        streams: of the connection.
        pid: of the client's process, for the log.
        may_command: whether it may do more than read.
        known_since: from when on the engine knows the answers to commands, in seconds since 1970.
        host: whose server it is: is told of plans, and ends it.

    Attributes:
        presence: what is known of the client; None: it has not said who it is.
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
        host: ServerHost,
    ) -> None:
        self._orchestrator = orchestrator
        self._feeds = feeds
        self._reader, self._writer = streams
        self._pid = pid
        self._may_command = may_command
        self._known_since = known_since
        self._host = host
        self._hello: Hello
        self.presence: Presence | None = None
        self._sender: TurnSender | None = None
        self._following: asyncio.Task[None] | None = None

    async def serve(self) -> None:
        """Answer its requests until the connection ends; never raises but on cancellation."""
        try:
            if await self._greeted():
                while (request := await read_message(self._reader, REQUESTS)) is not None:
                    if (answer := await self._answered(request)) is not None:
                        await self._send(answer)
                    if isinstance(request, FollowRun | FollowEngine):
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
        if problem := name_problem(hello.name):
            raise WireError(f"the client's name {problem}")
        self._hello = hello
        machine = hello.host if hello.host.isprintable() else ""
        self.presence = Presence(hello.name, machine[:LONGEST_NAME], reads_only=not self._may_command)
        now = self._orchestrator.pump.clock()
        folder = os.getcwd()
        own = WIRE_VERSION, FORMAT_VERSION, starloom_version(), os.getpid()
        gives_way = self._host.gives_way
        knows: Any = {"lists_people": True, "sends_kept": True, "submits_paused": True, "reopens": True}
        await self._send(Welcome(*own, folder, now, gives_way=gives_way, **knows))
        self._host.note_present()
        return True

    def tell_people(self, people: tuple[Person, ...]) -> None:
        """Tell the client who is connected now, if it wants to know."""
        if isinstance(self._sender, EngineSender):
            self._sender.tell_people(people)

    def tell_run(self, run_id: str) -> None:
        """Tell the client of a run, even if that has ended; called when the facts are those of the last commit."""
        if isinstance(self._sender, EngineSender):
            self._sender.tell_run(run_id)

    def _note(self, act: str) -> None:
        assert self.presence is not None, "it has said who it is"
        self.presence.note(act)

    async def _send(self, message: WireMessage) -> None:
        self._writer.write(frame(message))
        await self._writer.drain()

    async def _answered(self, request: Any) -> WireMessage | None:
        """The answer to a request; None: what is sent to whoever follows answers it."""
        try:
            if isinstance(request, _CHANGES):
                self._check_may_command()
                answer = RequestAnswer(request.number, await self._changed(request))
                self._feeds.hurry()  # whoever commands waits for the effect
                return answer
            return await self._read(request)
        except StarloomError as error:
            return refusal(request.number, error)

    async def _changed(self, request: Any) -> Any:
        """Carry out a request that changes something; returns what it is answered with."""
        name = self._hello.name
        match request:
            case GiveCommand():
                answer = await carry_out(self._orchestrator, request, name, self._known_since)
                if not request.run_id:  # a command to the fleet, which may have removed devices
                    await self._host.note_devices()
                self._note(request.form if isinstance(request.form, str) else next(iter(request.form)))
                return answer
            case StopServer():
                if request.cancel:
                    pump = self._orchestrator.pump
                    pump.scheduler.now = max(pump.scheduler.now, pump.clock())  # no turn may have been for long
                    check_cancel_all(pump.scheduler, name)
                self._note("stop")
                return self._host.stop(request.cancel)
            case TakeRunsOver():
                return msgspec.json.encode(await self._host.hand_over()).decode()
            case AddDevices():
                await self._host.note_devices(await add_devices(self._orchestrator, request, name))
                return self._note("add_devices")
            case ReopenRun():
                await reopen(self._orchestrator, request.run_id, name)
                await self._at_commit(lambda: self._host.tell_run(request.run_id))
                return self._note("reopen")
            case SubmitPlan():
                run_id = await submit(self._orchestrator, request, name)
                self._note("submit")
                self._host.note_submitted(run_id, name)
                return run_id
        raise AssertionError(f"{type(request).__name__} is no request")

    async def _read(self, request: Any) -> WireMessage | None:
        """The answer to a request that changes nothing."""
        match request:
            case ListRuns():
                return RunListing(request.number, listed(self._orchestrator), reservations(self._orchestrator))
            case ReadPeople():
                return PeopleListing(request.number, self._host.people())
            case FollowRun() | FollowEngine() | ReadHints():
                return RequestAnswer(request.number, await self._followed(request))
            case ReadTurns():
                await self._at_commit(lambda: self._engine_sender().send_now(WholeTurns(mark=request.number)))
                return None
            case ReadClock():
                return RequestAnswer(request.number, self._orchestrator.pump.clock())
            case ReadReport():
                return await report(self._orchestrator, request)
            case ReadOutput():
                return output(self._orchestrator, request)
            case ReadPlanDurations():
                return RequestAnswer(request.number, await durations_of_plan(self._orchestrator.pump, request.plan))
            case ListKeptRuns() | ReadKeptRecords() | ReadKeptRows() | ReadKeptFiles():
                directory = self._orchestrator.pump.journal.directory
                assert directory is not None, "a server keeps its runs"
                return await kept(directory, request, self._hello.format)
        raise AssertionError(f"{type(request).__name__} is no request")

    def _check_may_command(self) -> None:
        if not self._may_command:
            raise CommandRefused(
                "from_own_attempt",
                "A task of this engine may look at runs here, and give no commands.",
                "Give the command from outside, or have an agent change the run.",
            )

    # ---- following a run

    def _check_may_follow(self) -> None:
        if self._sender is not None:
            raise CommandRefused("follows", "This connection follows a run already.", "Open another one.")
        check_format(self._hello.format)

    def _check_has_fleet(self) -> None:
        if not self._feeds.has_fleet:
            reason = "Another program keeps the journal of the fleet, so this engine's cannot be followed."
            raise CommandRefused("no_fleet", reason, "Follow single runs, or have this one serve another folder.")

    async def _at_commit(self, prepare: Callable[[], _T]) -> _T:
        """Prepare something when the facts are those of the last commit."""
        done: asyncio.Future[_T] = asyncio.get_running_loop().create_future()

        def call() -> None:
            if done.cancelled():
                return
            try:
                done.set_result(prepare())
            except Exception as error:  # noqa: BLE001 - whoever waits is told
                done.set_exception(error)

        self._orchestrator.pump.at_commit(call)
        return await done

    async def _followed(self, request: FollowRun | FollowEngine | ReadHints) -> Any:
        if isinstance(request, ReadHints):
            await self._at_commit(self._hint)
            return await durations(self._orchestrator, request.run_id)
        self._check_may_follow()
        if isinstance(request, FollowRun):
            return await self._at_commit(partial(self._follow_one, request))
        return await self._at_commit(partial(self._follow_all, request))

    def _follow_one(self, request: FollowRun) -> int:
        """Prepare to follow a run, or the fleet; returns its last row."""
        if request.run_id == FLEET:
            self._check_has_fleet()
        else:
            check_run(self._orchestrator, request.run_id)
        sender = RowSender(self._feeds, request.run_id, self._writer, request.after)
        if not 0 <= request.after <= sender.last:
            sender.close()
            reason = f"The stream has {sender.last} rows, and none {request.after}."
            raise CommandRefused("unknown_row", reason, "Follow it from its beginning.")
        if request.run_id == FLEET:
            sender.fleet = self._fleet(sender.last)
        self._sender = sender
        return sender.last

    def _follow_all(self, request: FollowEngine) -> list[str]:
        """Prepare to follow the fleet and all runs that live; returns the ids of these."""
        self._check_has_fleet()
        runs = self._orchestrator.pump.scheduler.runs
        self._sender = EngineSender(self._feeds, self._writer, request.after, self._fleet, self._is_live)
        if request.people:
            self._sender.begin_people(self._host.people())
        return list(filter(self._is_live, runs))

    def _engine_sender(self) -> EngineSender:
        if not isinstance(self._sender, EngineSender):
            raise CommandRefused("does_not_follow", "This connection follows no engine.", "Have it do so first.")
        return self._sender

    def _hint(self) -> None:
        sender = self._engine_sender()
        sender.send_now(WholeTurns(SchedulerHints.of(self._orchestrator.pump.scheduler)))

    def _fleet(self, row: int) -> FleetCheckpoint:
        scheduler = self._orchestrator.pump.scheduler
        return FleetCheckpoint(row, fleet_to_plain(scheduler.fleet), scheduler.now)

    def _is_live(self, run_id: str) -> bool:
        return run_id in self._orchestrator.pump.scheduler.live

    def _begin_following(self) -> None:
        if self._sender is not None and self._following is None:
            assert self.presence is not None, "it has said who it is"
            self.presence.follows = self._sender.name
            self._host.note_present()
            self._following = asyncio.get_running_loop().create_task(
                self._run_sender(self._sender), name="starloom row sender"
            )

    async def _stop_following(self) -> None:
        if self._following is not None:
            self._following.cancel()
            await asyncio.gather(self._following, return_exceptions=True)
        if self._sender is not None:
            self._sender.close()

    async def _run_sender(self, sender: TurnSender) -> None:
        try:
            await sender.follow()
        except StarloomError as error:
            _log.warning("Process %d can follow %s no more: %s", self._pid, sender.name, error)
            self.abort()
        except OSError:
            pass  # it has gone
