"""The device that is another machine, reached over SSH: runs commands, shell text and Python functions there."""

from __future__ import annotations

import asyncio
import contextlib
import os
import posixpath
import secrets
import shutil
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, Final

from typing_extensions import override

from starloom.devices.attempt_files import AttemptFiles
from starloom.devices.base import OUTPUT_TAIL_BYTES, Device, Metrics, TaskContext
from starloom.devices.ended import failed
from starloom.devices.family import TOKEN
from starloom.devices.ssh import scripts
from starloom.devices.ssh.address import DEFAULT_PORT
from starloom.devices.ssh.attempt import Attempt, end_all
from starloom.devices.ssh.errors import LinkLost
from starloom.devices.ssh.link import Link
from starloom.devices.ssh.options import (
    KNOWN_HOSTS,
    Route,
    read_address,
    read_flag,
    read_jumps,
    read_number,
    read_strings,
    read_text,
)
from starloom.devices.ssh.probing import Gauge, capabilities_of
from starloom.devices.ssh.record import Record, read_record, remove_record, write_record
from starloom.devices.ssh.scripts import AttemptPlace
from starloom.devices.ssh.work import Work, command_of
from starloom.errors import DeviceError
from starloom.model.quantities import parse_duration
from starloom.model.result import ErrorCode, Outcome, OutcomeStatus, Result, TaskError
from starloom.model.simulation import simulated_outcome

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from starloom.devices.ssh.session import Session
    from starloom.model.task import Task

_MAX_TAIL_BYTES: Final = 1024 * 1024
_DAY: Final = 86_400.0
_LONGEST_SWEEP: Final = 2.0
_INSTEAD: Final[Mapping[str, str]] = {
    "call": "an in-process device of the host program that registered the handler",
    "prompt": "an agent device",
}


class SshDevice(Device):
    """A machine reached over SSH, as a user who has a POSIX shell and SFTP there.

    An attempt outlives the link, and this program: it prints into files in a folder of its own there, and a wrapper
    writes down how it ended. While the link is down it goes on, and is heard again when the link is up. If it stays
    down for three heartbeats the device is lost, and what ran there; at the next `connect` that is ended first.

    Attributes:
        route: how it is reached.
        grace: seconds between asking a stopped task to end (TERM) and killing it.
        tail_bytes: how much of the end of its output a result keeps.
        working_directory: where tasks run, relative to the user's home there; a task's `cwd` is relative to it.
        files_directory: where the files on this side lie that tasks have moved; None: where this program runs.
        state_directory: where attempts keep their files there, relative to the user's home.
        python: the Python there that calls functions: its name in PATH, or its path; 3.8 or later, and no Starloom.
    """

    kind: ClassVar[str] = "ssh"

    def __init__(
        self,
        id: str,
        *,
        host: str,
        slots: int | None = None,
        capabilities: frozenset[str] = frozenset(),
        speed: float = 1.0,
        user: str | None = None,
        port: int = DEFAULT_PORT,
        keys: str | Sequence[str] = (),
        agent: bool = True,
        jump: str | Sequence[str] = (),
        known_hosts: str = KNOWN_HOSTS,
        heartbeat_interval: float = 5.0,
        timeout: float = 15.0,
        grace: float | str = 5.0,
        tail_bytes: int = OUTPUT_TAIL_BYTES,
        working_directory: str | None = None,
        files_directory: str | None = None,
        state_directory: str = ".starloom",
        python: str = "python3",
    ) -> None:
        super().__init__(id, slots=1 if slots is None else slots, capabilities=capabilities, speed=speed)
        self.heartbeat_interval = read_number(id, "heartbeat_interval", heartbeat_interval, 0.05, _DAY)
        self.route = Route(
            read_address(id, host, port, user),
            read_jumps(id, jump),
            read_strings(id, "keys", keys),
            read_flag(id, "agent", agent),
            read_text(id, "known_hosts", known_hosts, "the path of a file"),
            self.heartbeat_interval,
            read_number(id, "timeout", timeout, 0.05, _DAY),
        )
        self.grace = _grace(id, grace)
        self.tail_bytes = int(read_number(id, "tail_bytes", tail_bytes, 0, _MAX_TAIL_BYTES))
        self.working_directory = _path(id, "working_directory", working_directory)
        self.files_directory = _path(id, "files_directory", files_directory)
        self.state_directory = read_text(id, "state_directory", state_directory, "a path")
        self.python = read_text(id, "python", python, "the name or path of a Python on that machine")
        self._declared = self.capabilities
        self._link: Link | None = None
        self._state = ""
        self._home = ""
        self._directory: str | None = None
        self._gauge = Gauge()
        self._abandoned: list[AttemptPlace] = []
        self._litter: set[str] = set()
        self._sweeper: asyncio.Task[None] | None = None

    @override
    async def connect(self) -> None:
        """Log in, end what is left of attempts that were lost, and see what the machine has. Twice is once.

        Raises:
            HostKeyUnknown: it is met for the first time; `trust` the key if somebody says so, and connect again.
            HostKeyChanged: it is not the machine that was known.
            LoginRefused: it does not let us in.
            DeviceError: it cannot be reached or used.
        """
        if self._link is not None:
            return
        link = Link(self.route)
        session = await link.open()
        try:
            await self._settle(session)
        except BaseException:
            await link.close()
            raise
        self._link = link
        self._sweep_soon()

    async def _settle(self, session: Session) -> None:
        self._home = session.home
        self._state = posixpath.join(session.home, _expanded(self.state_directory), "attempts")
        try:
            await session.make_folder(self._state)
        except OSError as error:
            raise DeviceError(
                f"Device {self.id!r}: the folder {self._state!r} cannot be made there: {error.strerror or error}. "
                "Name another one in `state_directory`."
            ) from error
        self.capabilities = self._declared | capabilities_of(await session.ask(scripts.probe()))
        while self._abandoned:
            if survivors := await end_all(session, self._abandoned[-1], self.grace):
                names = ", ".join(map(str, survivors))
                raise DeviceError(f"Device {self.id!r}: a lost attempt goes on there; end the processes {names}.")
            self._litter.add(self._abandoned.pop().folder)
        if self._directory is None:
            self._directory = tempfile.mkdtemp(prefix="starloom-ssh-")

    @override
    async def disconnect(self) -> None:
        """Log out. Attempts that wait for a link end as lost."""
        link, self._link = self._link, None
        sweeper = self._sweeper
        if sweeper is not None:
            if link is not None and link.is_up:  # over a link that is down nothing is removed, however long it takes
                await asyncio.wait((sweeper,), timeout=_LONGEST_SWEEP)
            sweeper.cancel()
            await asyncio.gather(sweeper, return_exceptions=True)
        if link is not None:
            await link.close()
        directory, self._directory = self._directory, None
        if directory is not None:
            shutil.rmtree(directory, ignore_errors=True)

    @override
    async def ping(self) -> None:
        """Return when the machine has answered; while the link is down, wait for it, so that heartbeats are missed.

        Raises:
            DeviceError: it is not connected, or refuses us now.
        """
        while True:
            session = await self._linked().session()
            try:
                return await session.ping()
            except LinkLost:
                continue

    @override
    async def run(self, task: Task, context: TaskContext) -> Outcome:
        """Run one attempt; cancelled, end its processes and say so with the status `stopped`."""
        if task.simulate is not None:
            return await self._simulate(task, context)
        if task.call is not None or task.prompt is not None:
            return failed(ErrorCode.UNSUPPORTED, self._unsupported(task.action))
        link, directory = self._link, self._directory
        if link is None or directory is None:
            message = f"Device {self.id!r} is not connected; connect it first."
            return failed(ErrorCode.START_FAILED, message, by_device=True)
        token = secrets.token_hex(12)
        files = AttemptFiles(os.path.join(directory, token))
        work = self._work(task, context, AttemptPlace(posixpath.join(self._state, token), token), files)
        try:
            self._write_down(work)
        except (OSError, TypeError, ValueError, RecursionError) as error:
            return failed(ErrorCode.START_FAILED, f"The files of the attempt cannot be written here: {error}.")
        try:
            return await self._see_through(Attempt(link, work))
        finally:
            files.remove()
            if context.kept is None:
                self._remove(work.place.folder)

    async def _see_through(self, attempt: Attempt) -> Outcome:
        """The attempt's end, whatever happens meanwhile: being cancelled only says that it has to stop."""
        living = asyncio.ensure_future(attempt.live())
        while not living.done():
            try:
                await asyncio.wait((living,))
            except asyncio.CancelledError:
                attempt.stop()
        try:
            return living.result()
        except DeviceError as error:
            self._abandoned.append(attempt.place)
            return Outcome(OutcomeStatus.LOST, Result(error=TaskError(code=ErrorCode.DEVICE_LOST, message=str(error))))

    @override
    async def recover(self, task: Task, context: TaskContext) -> Outcome | None:
        """What became of a kept attempt, as its marker says; one that still runs is ended, and counts as interrupted.

        Its output file is written anew, stdout before stderr. What it started in the background goes on if it ended.
        """
        record = read_record(context.kept) if context.kept is not None else None
        if record is None or self._directory is None:
            return None
        address = self.route.address
        if (record.host, record.port, record.user) != (address.host, address.port, address.user):
            raise DeviceError(
                f"An attempt of {task.id!r} ran on {record.host} port {record.port}, but device {self.id!r} is "
                f"{address}, so nobody knows what became of it. Connect that machine, and resume again."
            )
        files = AttemptFiles(os.path.join(self._directory, record.token))
        attempt = Attempt(self._linked(), self._work(task, context, AttemptPlace(record.folder, record.token), files))
        try:
            return await attempt.recovered()
        finally:
            files.remove()

    @override
    def release(self, kept: Path) -> None:
        """Remove what is left of the attempt on both sides; there, as soon as the link allows it."""
        with contextlib.suppress(DeviceError):
            record = read_record(kept)
            if record is not None:
                self._remove(record.folder)
        remove_record(kept)

    @override
    async def metrics(self) -> Metrics | None:
        """The machine's load, and how full the file system is where its tasks run; None while the link is down."""
        if self._link is None or not self._link.is_up:
            return None
        session = await self._link.session()
        try:
            return self._gauge.read(await session.ask(scripts.measure(self._cwd(None))))
        except LinkLost:
            return None

    @override
    def describe(self) -> Mapping[str, Any]:
        """The base's description with the options, and without what was found out about the machine."""
        return {
            **super().describe(),
            "capabilities": sorted(self._declared),
            **self.route.describe(),
            "grace": self.grace,
            "tail_bytes": self.tail_bytes,
            "working_directory": self.working_directory,
            "files_directory": self.files_directory,
            "state_directory": self.state_directory,
            "python": self.python,
        }

    def _work(self, task: Task, context: TaskContext, place: AttemptPlace, files: AttemptFiles) -> Work:
        env = {
            **task.env,
            "STARLOOM_TASK_ID": context.task_id,
            "STARLOOM_RUN_ID": context.run_id,
            "STARLOOM_ATTEMPT": str(context.attempt),
            "STARLOOM_RESULT": f"{place.folder}/result",
            TOKEN: place.token,
        }
        if task.upstream:
            env["STARLOOM_UPSTREAM"] = f"{place.folder}/upstream"
        python = posixpath.join(self._home, _expanded(self.python)) if self.python.startswith("~/") else self.python
        command = command_of(task, place.folder, python)
        folder = Path(self.files_directory or ".").expanduser()
        return Work(task, command, context, place, files, self._cwd(task.cwd), env, folder, self.grace, self.tail_bytes)

    def _write_down(self, work: Work) -> None:
        """On this side, before anything begins on the other."""
        if work.task.python is not None:
            work.files.write_inputs(work.task.inputs)
        if work.task.upstream:
            path = work.context.output_path
            folder = "" if path is None else os.path.dirname(os.path.abspath(path))
            work.files.write_upstream(work.context.upstream, folder)
        if work.context.kept is not None:
            address = self.route.address
            record = Record(address.host, address.port, address.user, work.place.folder, work.place.token)
            write_record(work.context.kept, record)

    def _cwd(self, cwd: str | None) -> str:
        return posixpath.join(self._home, _expanded(self.working_directory or ""), _expanded(cwd or ""))

    def _linked(self) -> Link:
        if self._link is None:
            raise DeviceError(f"Device {self.id!r} is not connected; connect it first.")
        return self._link

    # ---- what is to be removed there

    def _remove(self, folder: str) -> None:
        self._litter.add(folder)
        self._sweep_soon()

    def _sweep_soon(self) -> None:
        if self._link is not None and self._litter and self._sweeper is None:
            self._sweeper = asyncio.ensure_future(self._sweep(self._link))
            self._sweeper.add_done_callback(self._swept)

    def _swept(self, _sweeper: asyncio.Task[None]) -> None:
        self._sweeper = None

    async def _sweep(self, link: Link) -> None:
        with contextlib.suppress(DeviceError):
            while self._litter:
                folder = next(iter(self._litter))
                await (await link.session()).remove(folder)
                self._litter.discard(folder)

    async def _simulate(self, task: Task, context: TaskContext) -> Outcome:
        seconds, outcome = simulated_outcome(task, context.attempt, device_id=self.id, speed=self.speed)
        try:
            await asyncio.sleep(seconds)
        except asyncio.CancelledError:
            return Outcome(OutcomeStatus.STOPPED)
        return outcome

    def _unsupported(self, action: str) -> str:
        return (
            f"Device {self.id!r} is reached over SSH and runs command, shell, python and simulate, not {action}; "
            f"give the task {_INSTEAD[action]} (`device`, or a capability in `requires`)."
        )


def _expanded(path: str) -> str:
    """The path relative to the home directory there, if it says so."""
    return "" if path == "~" else path.removeprefix("~/")


def _grace(id: str, grace: float | str) -> float:
    try:
        return parse_duration(grace)
    except ValueError as error:
        raise DeviceError(f"Device {id!r}: grace: {error}.") from error


def _path(id: str, option: str, value: str | None) -> str | None:
    return None if value is None else read_text(id, option, value, "a path")
