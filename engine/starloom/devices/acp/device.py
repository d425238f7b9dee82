"""The device that is an agent: any program that speaks the Agent Client Protocol, here or on another machine.

It advertises neither files nor terminals: what an agent asked for would happen in this program, and perhaps on another
machine than its own. It has tools of its own.
"""

from __future__ import annotations

import asyncio
import posixpath
import shlex
from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING, Any, ClassVar, Final

from typing_extensions import override

from starloom.devices.acp.attempt import AcpAttempt
from starloom.devices.acp.conversation import Terms
from starloom.devices.acp.places import LocalHost
from starloom.devices.acp.probe import AgentProbe
from starloom.devices.acp.transcript import Transcript
from starloom.devices.acting import simulate
from starloom.devices.base import OUTPUT_TAIL_BYTES, Device, Metrics, TaskContext
from starloom.devices.ended import failed
from starloom.devices.materials import MaterialMissing, materials
from starloom.devices.output import Output
from starloom.devices.process import StartFailed
from starloom.devices.prompting import not_a_prompt
from starloom.errors import DeviceError, nearest
from starloom.model.quantities import parse_duration
from starloom.model.result import ErrorCode, Outcome
from starloom.model.status import PermissionPolicy
from starloom.model.task import Task

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from starloom.devices.acp.remote import RemoteHost

_PATIENCE: Final = 60.0
_PROBED: Final = 15.0
"""Seconds after which an agent that has not answered is said not to be one, to whoever waits for a test."""


class AcpDevice(Device):
    """An agent: each attempt is a process and a session of its own.

    Attributes:
        command: the agent's program and arguments.
        cwd: where it works; a task's `cwd` is relative to it. None: where this program runs.
        permissions: what is answered to its requests for permission without a person.
        start_timeout: seconds in which it has to open a session.
        grace: seconds between asking a stopped agent to end (TERM) and killing it.
        tail_bytes: how much of the end of its output a result keeps.
    """

    kind: ClassVar[str] = "acp"
    leaves_behind: ClassVar[bool] = True
    asks_when_interrupted: ClassVar[bool] = True
    actions: frozenset[str] | None = frozenset({"prompt", "simulate"})

    def __init__(
        self,
        id: str,
        *,
        command: str | Sequence[str],
        slots: int | None = None,
        capabilities: frozenset[str] = frozenset(),
        speed: float = 1.0,
        cwd: str | None = None,
        permissions: str = PermissionPolicy.ASK.value,
        start_timeout: float | str = _PATIENCE,
        grace: float | str = 5.0,
        tail_bytes: int = OUTPUT_TAIL_BYTES,
        host: str | None = None,
        user: str | None = None,
        port: int | None = None,
        keys: str | Sequence[str] | None = None,
        key_agent: bool | None = None,
        jump: str | Sequence[str] | None = None,
        known_hosts: str | None = None,
        timeout: float | None = None,
        heartbeat_interval: float | None = None,
        state_directory: str | None = None,
    ) -> None:
        super().__init__(id, slots=1 if slots is None else slots, capabilities=capabilities, speed=speed)
        self.command = _command(id, command)
        self.permissions = _policy(id, permissions)
        self.start_timeout = _seconds(id, "start_timeout", start_timeout)
        common: dict[str, Any] = {"grace": grace, "tail_bytes": tail_bytes, "working_directory": cwd}
        said: dict[str, Any] = {"user": user, "port": port, "keys": keys, "agent": key_agent, "jump": jump}
        said |= {
            "known_hosts": known_hosts,
            "timeout": timeout,
            "heartbeat_interval": heartbeat_interval,
            "state_directory": state_directory,
        }
        there = {name: value for name, value in said.items() if value is not None}
        if host is None and there:
            raise DeviceError(f"Device {id!r}: {', '.join(there)} mean another machine; name it in `host`.")
        self._host: LocalHost | RemoteHost
        self._host = LocalHost(id, **common) if host is None else _remote(id, host=host, **there, **common)
        self.grace, self.tail_bytes, self.cwd = self._host.grace, tail_bytes, cwd
        self.heartbeat_interval = self._host.heartbeat_interval
        self._host.on_late_end = lambda *said: self.on_late_end(*said)
        self._declared = self.capabilities
        self._is_connected = False
        self._about = ""

    @override
    async def connect(self) -> None:
        """Reach the machine, and check that the agent can be started there. It is not: each attempt starts its own.

        Raises:
            DeviceError: it cannot; the sentence says why.
        """
        await self._host.connect()
        try:
            await self._host.check(self.command)
        except DeviceError as error:
            await self._host.disconnect()
            raise DeviceError(f"Device {self.id!r}: {error}") from error
        except BaseException:
            await self._host.disconnect()
            raise
        self.capabilities = self._declared | self._host.capabilities
        self._is_connected = True

    async def probe(self) -> None:
        """See `ProbedDevice.probe`: start the agent, greet it and end it.

        Raises:
            DeviceError: it cannot be started, or does not speak the protocol; the sentence says why.
        """
        context = TaskContext("", "connection-test", 1, self.id, 0)
        seat = self._host.seat(Task(id=context.task_id, prompt="-"), context)
        try:
            about = await AgentProbe(min(self.start_timeout, _PROBED), self.grace).run(
                partial(seat.start, self.command)
            )
        except StartFailed as error:
            raise DeviceError(f"Device {self.id!r}: {error}") from error
        finally:
            seat.leave()
        self._about = about or self._about

    @override
    async def disconnect(self) -> None:
        self._is_connected = False
        await self._host.disconnect()

    @override
    async def ping(self) -> None:
        await self._host.ping()

    @override
    def has_news(self) -> bool:
        return self._host.has_news()

    @override
    async def run(self, task: Task, context: TaskContext) -> Outcome:
        """Run one attempt; cancelled, ask the agent to stop, end it and return the status `stopped`."""
        if task.simulate is not None:
            return await simulate(self, task, context)
        if task.prompt is None:
            return not_a_prompt(self, task)
        if not self._is_connected:
            message = f"Device {self.id!r} is not connected; connect it first."
            return failed(ErrorCode.START_FAILED, message, by_device=True)
        try:
            found = await asyncio.to_thread(materials, context)
        except MaterialMissing as error:
            return failed(ErrorCode.UNRESOLVED_INPUT, str(error))
        seat = self._host.seat(task, context)
        terms = Terms(
            run_id=context.run_id,
            prompt=task.prompt,
            materials=found,
            cwd=seat.cwd,
            policy=self.permissions if task.permissions is None else task.permissions,
            patience=self.start_timeout,
            expects=task.expects,
            ask=context.ask,
            put=seat.put,
            resolve=seat.resolve,
            introduce=self._introduced,
        )
        output = Output.of(context, self.tail_bytes)
        attempt = AcpAttempt(terms, Transcript(output, context, seat.cwd), output, context, self.grace)
        try:
            return await attempt.run(partial(seat.start, self.command))
        except (StartFailed, DeviceError) as error:
            return failed(ErrorCode.START_FAILED, str(error), by_device=True)
        finally:
            seat.leave()

    def _introduced(self, about: str) -> None:
        self._about = about

    @property
    @override
    def about(self) -> str:
        """The agent and its model as its last session has told them; before that, its program."""
        return self._about or posixpath.basename(self.command[0])

    @override
    async def recover(self, task: Task, context: TaskContext) -> Outcome | None:
        """End what is left of the attempt. Its session ended with its program: nobody knows how it went."""
        await self._host.end_interrupted(task, context)
        return None

    @override
    def release(self, kept: Path) -> None:
        self._host.release(kept)

    @property
    @override
    def unended(self) -> int:
        return self._host.unended

    @override
    def abandon(self, kept: Path, why: str) -> None:
        self._host.abandon(kept, why)

    @override
    async def clear(self, kept: Path) -> None:
        await self._host.clear(kept)

    @override
    async def sweep_old(self, spared: Sequence[Path]) -> None:
        await self._host.sweep_old(spared)

    @override
    async def metrics(self) -> Metrics | None:
        """The load of the agent's machine."""
        return await self._host.metrics()

    @override
    def describe(self) -> Mapping[str, Any]:
        """The base's description with the options."""
        return {
            **super().describe(),
            "capabilities": sorted(self._declared),
            "command": list(self.command),
            "cwd": self.cwd,
            "permissions": self.permissions.value,
            "start_timeout": self.start_timeout,
            "grace": self.grace,
            "tail_bytes": self.tail_bytes,
            "machine": self._host.describe(),
        }


def _remote(id: str, **options: Any) -> RemoteHost:
    """Another machine.

    Raises:
        DeviceError: an option cannot be used, or what reaches other machines is not installed.
    """
    try:
        from starloom.devices.acp.remote import RemoteHost
    except ModuleNotFoundError as error:
        if error.name != "asyncssh":
            raise
        raise DeviceError(
            f"Device {id!r} is on another machine, which needs the package 'asyncssh', and it is not installed here. "
            "Install it with: pip install 'starloom[ssh]'."
        ) from error
    return RemoteHost(id, **options)


def _command(id: str, command: object) -> tuple[str, ...]:
    """The program and its arguments: a list, or a line in which quotation marks hold words together."""
    try:
        parts = shlex.split(command) if isinstance(command, str) else command
    except ValueError:
        raise DeviceError(f"Device {id!r}: a quotation mark in the command {command!r} is not closed.") from None
    if not isinstance(parts, Sequence) or not parts or not all(isinstance(part, str) for part in parts) or not parts[0]:
        raise DeviceError(
            f"Device {id!r}: command cannot be {command!r}; give it the agent's program and arguments, like "
            "[gemini, --acp]."
        )
    return tuple(parts)


def _policy(id: str, permissions: object) -> PermissionPolicy:
    try:
        return PermissionPolicy(str(permissions))
    except ValueError:
        near = nearest(str(permissions), [policy.value for policy in PermissionPolicy])
        guess = f" Did you mean {near!r}?" if near else ""
        raise DeviceError(
            f"Device {id!r}: permissions cannot be {permissions!r}.{guess} There are {', '.join(PermissionPolicy)}."
        ) from None


def _seconds(id: str, option: str, value: float | str) -> float:
    try:
        return parse_duration(value)
    except ValueError as error:
        raise DeviceError(f"Device {id!r}: {option}: {error}.") from error
