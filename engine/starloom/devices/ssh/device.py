"""The device that is another machine, reached over SSH: runs commands, shell text and Python functions there."""

from __future__ import annotations

import asyncio
import contextlib
import os
import posixpath
import secrets
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, Final

from typing_extensions import override

from starloom.devices.acting import simulate
from starloom.devices.attempt_files import AttemptFiles
from starloom.devices.base import OUTPUT_TAIL_BYTES, Device, GoOn, Metrics, TaskContext, with_files
from starloom.devices.ended import failed
from starloom.devices.scratch_folder import ScratchFolder
from starloom.devices.ssh import scripts
from starloom.devices.ssh.address import DEFAULT_PORT, KNOWN_HOSTS
from starloom.devices.ssh.attempt import SshAttempt
from starloom.devices.ssh.errors import LinkLost
from starloom.devices.ssh.leftovers import SshLeftovers
from starloom.devices.ssh.link import SshLink
from starloom.devices.ssh.options import (
    Route,
    expanded,
    read_address,
    read_duration,
    read_flag,
    read_jumps,
    read_number,
    read_path,
    read_strings,
    read_text,
)
from starloom.devices.ssh.probing import Gauge, capabilities_of
from starloom.devices.ssh.record import record_of
from starloom.devices.ssh.scripts import AttemptPlace
from starloom.devices.ssh.sweeping import FOLDER
from starloom.devices.ssh.work import RemoteFolders, Work, command_of, environment_there
from starloom.errors import DeviceError
from starloom.model.result import ErrorCode, ErrorInfo, Outcome, OutcomeStatus, Result

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from starloom.devices.ssh.session import SshSession
    from starloom.model.task import Task

_MAX_TAIL_BYTES: Final = 1024 * 1024
_DAY: Final = 86_400.0


class SshDevice(Device):
    """A machine reached over SSH, as a user who has a POSIX shell and SFTP there.

    An attempt outlives the link, and this program: it prints into files in a folder of its own there, and a wrapper
    writes down how it ended. While the link is down it goes on, and is heard again when the link is up: after three
    heartbeats the device gets no more tasks, after `lost_after` what ran there is lost; that is ended as soon as the
    device is back. A machine that comes to refuse us, for its host key or a login, is waited for and tried likewise.

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
    leaves_behind: ClassVar[bool] = True
    actions: frozenset[str] | None = with_files(("command", "shell", "python")) | {"simulate"}

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
        lost_after: float | str = 600.0,
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
        self.grace = read_duration(id, "grace", grace)
        self.tail_bytes = int(read_number(id, "tail_bytes", tail_bytes, 0, _MAX_TAIL_BYTES))
        self.working_directory = read_path(id, "working_directory", working_directory)
        self.files_directory = read_path(id, "files_directory", files_directory)
        self.state_directory = read_text(id, "state_directory", state_directory, "a path")
        self.lost_after = read_duration(id, "lost_after", lost_after)
        self.python = read_text(id, "python", python, "the name or path of a Python on that machine")
        self._declared = self.capabilities
        self._link: SshLink | None = None
        self._seen = self.route.evidence()
        self._folders: RemoteFolders | None = None
        self._scratch, self._gauge = ScratchFolder(id), Gauge()
        self._left = SshLeftovers(id, self.route.address, self.grace, lambda *said: self.on_late_end(*said))

    @override
    async def connect(self) -> None:
        """Log in, end the leftovers of lost attempts, and probe the machine.

        While it is connected only what is left is ended.

        Raises:
            HostKeyUnknown: it is met for the first time; `trust` the key if somebody says so, and connect again.
            HostKeyChanged: it is not the machine that was known.
            LoginRefused: it does not let us in.
            DeviceError: it cannot be reached or used.
        """
        if self._link is not None:
            await self._left.end(await self._link.session())
            self._left.begin(self._link)
            return
        self._seen = self.route.evidence()
        link = SshLink(self.route)
        link.on_trouble = partial(setattr, self, "trouble")
        session = await link.open()
        try:
            await self._settle(session)
        except BaseException:
            await link.close()
            raise
        self._link = link
        self._left.begin(link)

    @override
    def has_news(self) -> bool:
        """Whether a host key was trusted or a key of ours was changed since the last try."""
        return self.route.evidence() != self._seen

    async def _settle(self, session: SshSession) -> None:
        state = posixpath.join(session.home, expanded(self.state_directory), FOLDER)
        try:
            await session.make_folder(state)
        except OSError as error:
            raise DeviceError(
                f"Device {self.id!r}: the folder {state!r} cannot be made there: {error.strerror or error}. "
                "Name another one in `state_directory`."
            ) from error
        self.capabilities = self._declared | capabilities_of(await session.ask(scripts.probe()))
        await self._left.end(session)
        self._folders = RemoteFolders(session.home, state)

    @override
    async def disconnect(self) -> None:
        """Log out. Attempts that wait for a link end as lost."""
        link, self._link = self._link, None
        await self._left.let_go()
        if link is not None:
            await link.close()
        self._folders = None
        self._scratch.remove()

    @override
    async def ping(self) -> None:
        """Return when the machine has answered; while the link is down, wait for it, so that heartbeats are missed.

        Raises:
            DeviceError: it is not connected, or refuses us now and is tried again, a `DeviceRefused`.
        """
        while True:
            session = await self._linked().unless_refused()
            try:
                return await session.ping()
            except LinkLost:
                continue

    @override
    def hurry(self) -> None:
        if self._link is not None:
            self._link.hurry()

    @override
    async def run(self, task: Task, context: TaskContext) -> Outcome:
        """Run one attempt; cancelled, end its processes and return the status `stopped`."""
        if task.simulate is not None:
            return await simulate(self, task, context)
        if task.call is not None or task.prompt is not None:
            return failed(ErrorCode.UNSUPPORTED, f"Device {self.id!r}, reached over SSH, does not run {task.action}.")
        link, folders = self._link, self._folders
        if link is None or folders is None:
            message = f"Device {self.id!r} is not connected; connect it first."
            return failed(ErrorCode.START_FAILED, message, by_device=True)
        token = secrets.token_hex(12)
        try:
            files = AttemptFiles(os.path.join(self._scratch.path(), token))
            work = self._work(task, context, folders, folders.place(token), files)
            work.write_down(self.route.address)
        except DeviceError as error:
            return failed(ErrorCode.START_FAILED, str(error), by_device=True)
        except (OSError, TypeError, ValueError, RecursionError) as error:
            return failed(ErrorCode.START_FAILED, f"The files of the attempt cannot be written here: {error}.")
        try:
            return await self._see_through(SshAttempt(link, work), work)
        finally:
            files.remove()
            if context.kept is None:
                self._left.leave(work.place.folder)

    async def _see_through(self, attempt: SshAttempt, work: Work, *, is_new: bool = True) -> Outcome:
        """The attempt's end, whatever happens meanwhile: being cancelled only says that it has to stop."""
        living = asyncio.ensure_future(attempt.live() if is_new else attempt.go_on())
        while not living.done():
            try:
                await asyncio.wait((living,))
            except asyncio.CancelledError:
                attempt.stop()
        try:
            return living.result()
        except DeviceError as error:
            self._left.abandon(attempt.place, work.context, str(error), attempt.read_rest)
            return Outcome(OutcomeStatus.LOST, Result(error=ErrorInfo(code=ErrorCode.DEVICE_LOST, message=str(error))))

    @override
    def outlives_program(self, task: Task) -> bool:
        """Whether it runs there, not here."""
        return task.simulate is None

    @override
    async def reattach(self, task: Task, context: TaskContext) -> GoOn | None:
        """Take over a living kept attempt. Its output is emitted, and its output file written, from the beginning."""
        if (work := self._kept_work(task, context)) is None or not await SshAttempt(self._linked(), work).runs():
            return None
        return partial(self._go_on, work)

    async def _go_on(self, work: Work) -> Outcome:
        try:
            return await self._see_through(SshAttempt(self._linked(), work), work, is_new=False)
        finally:
            work.files.remove()

    @override
    async def recover(self, task: Task, context: TaskContext) -> Outcome | None:
        """The outcome of a kept attempt, from its marker; one that still runs is ended, and counts as interrupted.

        Its output file is written anew, stdout before stderr. What it started in the background goes on if it ended.
        """
        work = self._kept_work(task, context)
        if work is None:
            return None
        try:
            return await SshAttempt(self._linked(), work).recovered()
        finally:
            work.files.remove()

    def _kept_work(self, task: Task, context: TaskContext) -> Work | None:
        """The work of a kept attempt of an earlier program; None: it never began.

        Raises:
            DeviceError: it was on another machine.
        """
        folders = self._folders
        record = None if folders is None else record_of(task.id, context.kept, self.id, self.route.address)
        if folders is None or record is None:
            return None
        files = AttemptFiles(os.path.join(self._scratch.path(), record.token))
        return self._work(task, context, folders, AttemptPlace(record.folder, record.token), files)

    @override
    def release(self, kept: Path) -> None:
        """Remove what is left of the attempt there as soon as the link allows it, and then its record here."""
        self._left.release(kept)

    @override
    def abandon(self, kept: Path, why: str) -> None:
        """Record that the attempt may still run; it is ended as soon as the link is up."""
        self._left.give_up(kept, why)

    @override
    async def clear(self, kept: Path) -> None:
        """End what may still run of the attempt; while the link is down, as soon as it is up."""
        await self._left.clear(kept)

    @property
    @override
    def unended(self) -> int:
        """The number of attempts that count as lost and may still run, until the machine is reached."""
        return self._left.unended

    @override
    async def sweep_old(self, spared: Sequence[Path]) -> None:
        """Remove folders of ours that have not changed for days, and in which no process lives."""
        link, folders = self._link, self._folders
        if link is not None and link.is_up and folders is not None:
            with contextlib.suppress(LinkLost):
                await self._left.sweep_old(await link.session(), folders.state, spared)

    @override
    async def metrics(self) -> Metrics | None:
        """The machine's load, and the use of the file system where its tasks run; None while the link is down."""
        link, folders = self._link, self._folders
        if link is None or not link.is_up or folders is None:
            return None
        session = await link.session()
        try:
            return self._gauge.read(await session.ask(scripts.measure(folders.cwd(self.working_directory, None))))
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
            "lost_after": self.lost_after,
            "tail_bytes": self.tail_bytes,
            "working_directory": self.working_directory,
            "files_directory": self.files_directory,
            "state_directory": self.state_directory,
            "python": self.python,
        }

    def _work(
        self, task: Task, context: TaskContext, folders: RemoteFolders, place: AttemptPlace, files: AttemptFiles
    ) -> Work:
        python = folders.python(self.python)
        command, env = command_of(task, place.folder, python), environment_there(task, context, place)
        cwd, here = folders.cwd(self.working_directory, task.cwd), Path(self.files_directory or ".").expanduser()
        return Work(task, command, context, place, files, cwd, env, python, here, self.grace, self.tail_bytes)

    def _linked(self) -> SshLink:
        if self._link is None:
            raise DeviceError(f"Device {self.id!r} is not connected; connect it first.")
        return self._link
