"""The machines where a device's agents run, and the one that is here."""

from __future__ import annotations

import asyncio
import os
import secrets
import shutil
from abc import ABC, abstractmethod
from pathlib import Path
from typing import TYPE_CHECKING, Final, Protocol

import msgspec
from typing_extensions import override

from starloom.devices import kept_record
from starloom.devices.acp.local_process import LocalAgent
from starloom.devices.environment import environment_of
from starloom.devices.family import TOKEN
from starloom.devices.local import LocalDevice
from starloom.devices.process import StartFailed
from starloom.devices.program import check_program, why_not_started
from starloom.devices.recovery import end_family
from starloom.errors import DeviceError
from starloom.private_files import FOLDER_MODE, write_private

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from starloom.devices.acp.attempt import AgentProcess
    from starloom.devices.base import TaskContext
    from starloom.devices.materials import Material
    from starloom.devices.process import OnOutput
    from starloom.devices.scratch_folder import ScratchFolder
    from starloom.model.task import Task

_SUFFIX: Final = ".acp"


class AgentHost(Protocol):
    """A machine where agents run. It is a device, too: it is connected, asked for its load, and so on."""

    def seat(self, task: Task, context: TaskContext) -> Seat:
        """The place of an attempt there, once the machine is connected."""

    async def check(self, command: Sequence[str]) -> None:
        """Check that an agent can be started there, once the machine is connected.

        Raises:
            DeviceError: it cannot; the sentence says why.
        """

    async def end_interrupted(self, task: Task, context: TaskContext) -> None:
        """End what is left there of an earlier program's attempt, and keep it from beginning.

        Raises:
            DeviceError: something of it cannot be ended, or nobody knows.
        """


class Seat(ABC):
    """One attempt's place on a machine: where its agent starts, and where its files lie.

    Attributes:
        cwd: the absolute path of the session's working directory there.
    """

    cwd: str

    @abstractmethod
    async def start(self, command: Sequence[str], heard: OnOutput) -> AgentProcess:
        """Start the agent, and write down before that how it is found if this program dies.

        Raises:
            StartFailed: it cannot be started, whatever the task is.
            DeviceError: nobody knows whether it was.
        """

    @abstractmethod
    async def put(self, found: Sequence[Material]) -> Mapping[Material, str]:
        """Write materials into files there; returns their absolute paths.

        Raises:
            OSError: one cannot be written.
        """

    @abstractmethod
    async def resolve(self, paths: Sequence[str]) -> Mapping[str, str | None]:
        """The absolute paths without symbolic links there; None: nobody knows where one leads."""

    @abstractmethod
    def leave(self) -> None:
        """Remove the attempt's files, as its agent has ended."""


class _Record(msgspec.Struct, frozen=True):
    """How the processes of an attempt are found."""

    token: str


class LocalSeat(Seat):
    """An attempt's place here.

    Args:
        task: what is done.
        context: of the attempt.
        cwd: the device's working directory; None: where this program runs.
        environment: the variables of every agent.
        scratch: where files lie that need not outlive this program.
    """

    def __init__(
        self,
        task: Task,
        context: TaskContext,
        cwd: str | None,
        environment: Mapping[str, str],
        scratch: ScratchFolder,
    ) -> None:
        self.cwd = os.path.abspath(os.path.join(cwd or ".", task.cwd or ""))
        self._token = secrets.token_hex(12)
        self._context = context
        self._scratch = scratch
        self._folder: Path | None = None
        self._env = {
            **environment,
            **environment_of(task),
            "STARLOOM_TASK_ID": context.task_id,
            "STARLOOM_RUN_ID": context.run_id,
            "STARLOOM_ATTEMPT": str(context.attempt),
            TOKEN: self._token,
        }

    @override
    async def start(self, command: Sequence[str], heard: OnOutput) -> AgentProcess:
        if self._context.kept is not None:
            try:
                kept_record.write(_record_path(self._context.kept), _Record(self._token))
            except OSError as error:
                raise StartFailed(f"The record of the attempt cannot be written: {error.strerror or error}.") from error
        return await LocalAgent.start(command, self.cwd, self._env, heard)

    @override
    async def put(self, found: Sequence[Material]) -> Mapping[Material, str]:
        try:
            self._folder = self._folder or Path(self._scratch.path(), self._token)
        except DeviceError as error:
            raise OSError(0, str(error)) from error
        self._folder.mkdir(mode=FOLDER_MODE, exist_ok=True)
        paths = {one: self._folder / f"{number}-{one.what}" for number, one in enumerate(found, 1)}
        for one, path in paths.items():
            await asyncio.to_thread(write_private, path, one.content)
        return {one: str(path) for one, path in paths.items()}

    @override
    async def resolve(self, paths: Sequence[str]) -> Mapping[str, str | None]:
        return await asyncio.to_thread(lambda: {path: _resolved(path, self.cwd) for path in paths})

    @override
    def leave(self) -> None:
        if self._folder is not None:
            shutil.rmtree(self._folder, ignore_errors=True)


def _resolved(path: str, cwd: str) -> str | None:
    try:
        return os.path.realpath(os.path.join(cwd, path))
    except (OSError, ValueError):  # a NUL character, or links that lead in a circle
        return None


class LocalHost(LocalDevice):
    """This machine."""

    async def check(self, command: Sequence[str]) -> None:
        """See `AgentHost.check`."""
        try:
            check_program(command[0], self.working_directory, self._environment)
        except (OSError, ValueError) as error:
            raise DeviceError(why_not_started(error, command[0], self.working_directory)) from error

    def seat(self, task: Task, context: TaskContext) -> Seat:
        """See `AgentHost.seat`."""
        return LocalSeat(task, context, self.working_directory, self._environment, self._scratch)

    async def end_interrupted(self, task: Task, context: TaskContext) -> None:  # noqa: ARG002 - others name it
        """See `AgentHost.end_interrupted`."""
        record = None if context.kept is None else kept_record.read(_record_path(context.kept), _Record)
        if record is not None and (left := await end_family(record.token, self.grace)):
            raise DeviceError(not_ended(left))

    @override
    def release(self, kept: Path) -> None:
        kept_record.remove(_record_path(kept))


def not_ended(survivors: Sequence[int]) -> str:
    """The sentence that an interrupted agent goes on."""
    names = ", ".join(map(str, survivors))
    return f"An interrupted agent goes on: its machine could not end the processes {names}. End them."


def _record_path(kept: Path) -> str:
    return os.path.abspath(kept) + _SUFFIX
