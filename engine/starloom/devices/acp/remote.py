"""An agent on another machine, reached over SSH. Needs the extra `ssh` (asyncssh).

Its session lives as long as the login that it has of its own, as it speaks through that: a broken link ends it. So that
it never works on unnoticed, a wrapper of ours there writes down who it is, and it is ended over another login.
"""

from __future__ import annotations

import asyncio
import contextlib
import posixpath
import secrets
import shlex
from typing import TYPE_CHECKING, Any, Final, TypeVar

import asyncssh
from typing_extensions import override

from starloom.devices.acp.places import Seat, not_ended
from starloom.devices.acp.remote_channel import AgentSession, talk
from starloom.devices.environment import environment_of, export_lines, quoted
from starloom.devices.family import TOKEN
from starloom.devices.marker import MAX_MARKER_BYTES, parse_marker
from starloom.devices.process import StartFailed
from starloom.devices.ssh import SshDevice
from starloom.devices.ssh.connecting import all_closed, cut, log_in
from starloom.devices.ssh.ending import end_all
from starloom.devices.ssh.errors import LinkGone
from starloom.devices.ssh.record import SshRecord, record_of, write_record
from starloom.devices.ssh.remote_steps import RemoteSteps
from starloom.devices.ssh.scripts import FIND, AttemptPlace, script_of
from starloom.devices.ssh.session import NOT_THERE
from starloom.errors import DeviceError
from starloom.private_files import FILE_MODE

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Mapping, Sequence

    from starloom.devices.acp.attempt import AgentProcess
    from starloom.devices.base import TaskContext
    from starloom.devices.materials import Material
    from starloom.devices.process import OnOutput
    from starloom.devices.ssh.connecting import Connections
    from starloom.devices.ssh.link import SshLink
    from starloom.devices.ssh.session import SshSession
    from starloom.model.task import Task

_FOUND: Final = 'echo "ANSWERfound $path"\n'
_WHY: Final = {
    "cwd": "The working directory {cwd!r} does not exist on the other machine, or cannot be entered.",
    "missing": "The program {program!r} was not found on the other machine; check its name and the PATH there.",
    "denied": "The program {program!r} cannot be executed on the other machine; `chmod +x` may be what it needs.",
}
_STRANGE: Final = "The shell of the other machine did not do as it was told; its user needs a POSIX /bin/sh."


_T = TypeVar("_T")


class RemoteAgent:
    """An agent that runs on another machine.

    Args:
        connections: the login that it speaks through, owned from now on.
        channel: to its standard streams.
        session: told what comes through it, and of its end.
        end_there: ends it there with all that it has started, over another login; raises a `DeviceError` if nobody
            can say that it has ended.
    """

    def __init__(
        self,
        connections: Connections,
        channel: asyncssh.SSHClientChannel[bytes],
        session: AgentSession,
        end_there: Callable[[float], Awaitable[tuple[int, ...]]],
    ) -> None:
        self._connections = connections
        self._channel = channel
        self._session = session
        self._end_there = end_there

    def write(self, data: bytes) -> None:
        """See `AgentProcess.write`."""
        with contextlib.suppress(OSError):
            self._channel.write(data)

    def close_input(self) -> None:
        """See `AgentProcess.close_input`."""
        with contextlib.suppress(OSError):
            self._channel.write_eof()

    async def exited(self) -> int | None:
        """See `AgentProcess.exited`."""
        await asyncio.shield(self._session.over)
        if not self._session.has_exited:
            raise LinkGone("The link to the agent broke while it worked.")
        return self._session.code

    async def end(self, grace: float) -> tuple[int, ...]:
        """See `AgentProcess.end`."""
        try:
            return await _to_its_end(self._end_there(grace))
        finally:
            cut(self._connections)
            await _to_its_end(all_closed(self._connections))


class RemoteHost(SshDevice):
    """Another machine, as an SSH device that can also hold a conversation with a program."""

    async def check(self, command: Sequence[str]) -> None:
        """See `AgentHost.check`."""
        link, folders = self.there()
        cwd = folders.cwd(self.working_directory, None)
        why = await refusal(await link.session(), command, cwd, {})
        if why:
            raise DeviceError(why)

    def there(self) -> tuple[SshLink, Any]:
        """The link to the machine and its folders.

        Raises:
            DeviceError: it is not connected.
        """
        link, folders = self._link, self._folders
        if link is None or folders is None:
            raise DeviceError(f"Device {self.id!r} is not connected; connect it first.")
        return link, folders

    def seat(self, task: Task, context: TaskContext) -> Seat:
        """See `AgentHost.seat`."""
        return RemoteSeat(self, task, context)

    async def end_interrupted(self, task: Task, context: TaskContext) -> None:
        """See `AgentHost.end_interrupted`."""
        link, _ = self.there()
        record = record_of(task.id, context.kept, self.id, self.route.address)
        if record is None:
            return
        place = AttemptPlace(record.folder, record.token)
        try:
            survivors = await _steps(link).take(lambda session: _interrupt(session, place, self.grace))
        except OSError as error:
            raise DeviceError(f"What became of {place.folder!r} cannot be found out: {error}.") from error
        if survivors:
            raise DeviceError(not_ended(survivors))

    async def end_agent(self, place: AttemptPlace, context: TaskContext, grace: float) -> tuple[int, ...]:
        """End an agent there; if the machine cannot be reached, as soon as it is.

        Raises:
            DeviceError: it cannot be reached now, so the agent may still work.
        """
        try:
            link, _ = self.there()
            return await _steps(link).take(lambda session: _end(session, place, grace))
        except DeviceError as error:
            self._left.abandon(place, context, str(error))
            raise

    def leave(self, place: AttemptPlace) -> None:
        """Remove the folder of an attempt without a record, once it has ended."""
        self._left.leave(place.folder)


class RemoteSeat(Seat):
    """An attempt's place on another machine.

    Args:
        host: the machine.
        task: what is done.
        context: of the attempt.
    """

    def __init__(self, host: RemoteHost, task: Task, context: TaskContext) -> None:
        self._host = host
        self._context = context
        self._link, folders = host.there()
        self.cwd = folders.cwd(host.working_directory, task.cwd).rstrip("/") or "/"
        token = secrets.token_hex(12)
        self._place: AttemptPlace = folders.place(token)
        self._env = {
            **environment_of(task),
            "STARLOOM_TASK_ID": context.task_id,
            "STARLOOM_RUN_ID": context.run_id,
            "STARLOOM_ATTEMPT": str(context.attempt),
            TOKEN: token,
        }

    @override
    async def start(self, command: Sequence[str], heard: OnOutput) -> AgentProcess:
        address, place = self._host.route.address, self._place
        self._context.waits()
        try:
            text = talk(place, command, self.cwd, self._env)
            if self._context.kept is not None:
                record = SshRecord(address.host, address.port, address.user, place.folder, place.token)
                write_record(self._context.kept, record)
            session = await self._link.session()
            if why := await refusal(session, command, self.cwd, self._env):
                raise StartFailed(why)
            await session.make_folder(place.folder)
            await self._write(session, f"{place.folder}/start", text)
            connections = await log_in(self._host.route)
        except (DeviceError, OSError, ValueError) as error:
            raise StartFailed(f"The agent cannot be started on the other machine: {error}") from error
        return await self._speak(connections, heard)

    async def _speak(self, connections: Connections, heard: OnOutput) -> AgentProcess:
        session = AgentSession(heard)
        order = f"/bin/sh {shlex.quote(f'{self._place.folder}/start')}"
        try:
            channel, _ = await connections[-1].create_session(lambda: session, order, encoding=None)
        except BaseException as error:  # it may have begun: so it is ended
            cut(connections)
            with contextlib.suppress(DeviceError):
                await _to_its_end(self._end(self._host.grace))
            if isinstance(error, asyncssh.Error | OSError):
                raise StartFailed(f"The agent cannot be started on the other machine: {error}.") from error
            raise
        self._context.begins()
        return RemoteAgent(connections, channel, session, self._end)

    async def _end(self, grace: float) -> tuple[int, ...]:
        return await self._host.end_agent(self._place, self._context, grace)

    @staticmethod
    async def _write(session: SshSession, path: str, data: bytes) -> None:
        with session.links():
            flags = asyncssh.FXF_WRITE | asyncssh.FXF_CREAT | asyncssh.FXF_TRUNC
            async with session.sftp.open(path, flags, asyncssh.SFTPAttrs(permissions=FILE_MODE), encoding=None) as file:
                await file.write(data, 0)

    @override
    async def put(self, found: Sequence[Material]) -> Mapping[Material, str]:
        session = await self._link.session()
        paths = {one: f"{self._place.folder}/{number}-{one.what}" for number, one in enumerate(found, 1)}
        for one, path in paths.items():
            await self._write(session, path, one.content)
        return paths

    @override
    async def resolve(self, paths: Sequence[str]) -> Mapping[str, str | None]:
        try:
            session = await self._link.session()
            return {path: await _resolved(session, posixpath.join(self.cwd, path)) for path in paths}
        except DeviceError:  # nobody can be asked there, so a person is asked here
            return {}

    @override
    def leave(self) -> None:
        if self._context.kept is None:
            self._host.leave(self._place)


async def refusal(session: SshSession, command: Sequence[str], cwd: str, env: Mapping[str, str]) -> str:
    """The sentence why an agent cannot be started there; empty: it can.

    Raises:
        LinkLost: the link broke.
        ValueError: something of it cannot be said to a shell.
    """
    exported = export_lines({"PATH": env["PATH"]} if "PATH" in env else {})
    text = script_of(FIND + _FOUND, {"cwd": cwd, "program": command[0]}, [*exported, f"set -- {quoted(command[0])}"])
    kind, *words = (await session.ask(text) or [["nothing"]])[-1]
    if kind == "found":
        return ""
    return _WHY.get(words[-1] if words else "", _STRANGE).format(cwd=cwd, program=command[0])


async def _to_its_end(work: Awaitable[_T]) -> _T:
    """The result of this, however often we are cancelled meanwhile."""
    working = asyncio.ensure_future(work)
    while not working.done():
        with contextlib.suppress(asyncio.CancelledError):
            await asyncio.wait((working,))
    return working.result()


def _steps(link: SshLink) -> RemoteSteps:
    """Steps that wait for a link that is down, but not for long."""
    hurry = asyncio.Event()
    hurry.set()
    return RemoteSteps(link, hurry)


async def _interrupt(session: SshSession, place: AttemptPlace, grace: float) -> tuple[int, ...]:
    if await session.take_back(place.folder):
        return ()
    return await _end(session, place, grace)


async def _end(session: SshSession, place: AttemptPlace, grace: float) -> tuple[int, ...]:
    try:
        marker = parse_marker(await session.read(f"{place.folder}/marker", MAX_MARKER_BYTES) or b"")
    except OSError:
        marker = None
    place = place if marker is None else place._replace(leader=marker.pid)
    return await end_all(session, place, grace)


async def _resolved(session: SshSession, path: str) -> str | None:
    """The path without symbolic links; None: nobody knows where it leads.

    SFTP resolves what exists. What does not yet lies in the nearest folder that does; a link to nothing does not.

    Raises:
        LinkLost: the link broke.
    """
    missing: list[str] = []
    with session.links():
        while True:
            try:
                await session.sftp.stat(path)
                return posixpath.join(str(await session.sftp.realpath(path)), *reversed(missing))
            except NOT_THERE:
                pass
            except asyncssh.SFTPError:
                return None
            with contextlib.suppress(*NOT_THERE):
                await session.sftp.lstat(path)
                return None
            path, name = posixpath.split(path.rstrip("/"))
            if name in {"", ".", ".."}:
                return None
            missing.append(name)
