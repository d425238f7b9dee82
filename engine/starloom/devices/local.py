"""The device that is this machine: runs commands, shell text and Python functions as child processes."""

from __future__ import annotations

import asyncio
import itertools
import os
import secrets
import sys
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, Final, TypeVar

import psutil
from msgspec.structs import replace as structs_replace
from typing_extensions import override

from starloom.devices import python_child
from starloom.devices.acting import simulate
from starloom.devices.adopted import adopt, is_running
from starloom.devices.attempt_files import AttemptFiles
from starloom.devices.base import OUTPUT_TAIL_BYTES, Device, GoOn, Metrics, TaskContext, with_files
from starloom.devices.ended import ended, failed, not_stopped, result_of, with_times
from starloom.devices.environment import environment_of, readable
from starloom.devices.family import TOKEN
from starloom.devices.filed import Filing
from starloom.devices.following import Follower
from starloom.devices.keeper import Keeper
from starloom.devices.kept import kept_outcome, start_kept
from starloom.devices.local_side import LocalSide
from starloom.devices.marker import measured_end
from starloom.devices.output import Output
from starloom.devices.process import StartedProcess, StartFailed, start_process
from starloom.devices.processor_load import ProcessorLoad
from starloom.devices.program import is_shortage
from starloom.devices.recovery import exit_code_of, read_output, settled
from starloom.devices.scratch_folder import ScratchFolder
from starloom.errors import DeviceError
from starloom.model.quantities import parse_duration
from starloom.model.result import ErrorCode, Outcome, OutcomeStatus

if TYPE_CHECKING:
    from collections.abc import Mapping
    from concurrent.futures import Executor

    from starloom.devices.copying import Side
    from starloom.model.task import Task

OWN_VARIABLES: Final = frozenset(
    {
        "STARLOOM_TASK_ID",
        "STARLOOM_RUN_ID",
        "STARLOOM_ATTEMPT",
        "STARLOOM_RESULT",
        "STARLOOM_UPSTREAM",
        TOKEN,
    }
)
"""What each attempt gets in its environment, whatever the task or our own environment says."""

_T = TypeVar("_T")
_KEPT_WITHOUT_INHERITING: Final = frozenset({"PATH", "SYSTEMROOT", "COMSPEC"})
_MAX_TAIL_BYTES: Final = 1024 * 1024
_RUNS: Final = "command, shell, python and simulate"
_INSTEAD: Final[Mapping[str, str]] = {
    "call": "an in-process device of the host program that registered the handler",
    "prompt": "an agent device",
}


class LocalDevice(Device):
    """This machine.

    A task ends when its process exits, whatever it leaves running in the background; a stopped task ends with all of
    that. Exit codes are the process's own, or minus the number of the signal that killed it.

    Attributes:
        grace: seconds between asking a stopped task to end (TERM) and killing it.
        tail_bytes: how much of the end of its output a result keeps.
        inherit_env: whether tasks see the environment this program had at `connect`, or of it only PATH.
        working_directory: where tasks run; a task's `cwd` is relative to it. None: where this program runs.
        files_directory: in what the files lie that tasks have copied; None: where this program runs.
    """

    kind: ClassVar[str] = "local"
    has_keeper: ClassVar[bool] = True
    """Whether kept commands are started by a process that lives as long as the device is connected."""
    actions: frozenset[str] | None = with_files(("command", "shell", "python")) | {"simulate"}

    def __init__(
        self,
        id: str,
        *,
        slots: int | None = None,
        capabilities: frozenset[str] = frozenset(),
        speed: float = 1.0,
        grace: float | str = 5.0,
        tail_bytes: int = OUTPUT_TAIL_BYTES,
        inherit_env: bool = True,
        working_directory: str | None = None,
        files_directory: str | None = None,
    ) -> None:
        super().__init__(id, slots=_cpu_count() if slots is None else slots, capabilities=capabilities, speed=speed)
        self.grace = _grace(id, grace)
        self.tail_bytes = _tail_bytes(id, tail_bytes)
        self.inherit_env = _of_type(id, "inherit_env", inherit_env, bool, "true or false")
        self.working_directory = _directory(id, "working_directory", working_directory)
        self.files_directory = _directory(id, "files_directory", files_directory)
        self._environment: dict[str, str] = {}
        self._scratch = ScratchFolder(id)
        self._is_connected = False
        self._name = ""
        self._attempts = itertools.count(1)
        self._follower = Follower()
        self._threads: Executor | None = None
        self._load = ProcessorLoad()
        self._keeper: Keeper | None = None
        self._filing = Filing(self.files_directory)

    @override
    async def connect(self) -> None:
        """Compute the environment of attempts. A second call changes nothing."""
        if self._is_connected:
            return
        self._is_connected = True
        self._name = secrets.token_hex(8)
        kept = None if self.inherit_env else _KEPT_WITHOUT_INHERITING
        self._environment = {
            name: text
            for name, text in os.environ.items()
            if name not in OWN_VARIABLES and (kept is None or name.upper() in kept)
        }
        self._keeper = Keeper(self._environment) if self.has_keeper else None

    @override
    async def disconnect(self) -> None:
        """Remove the private folder with everything that attempts have left there, and end the keeper."""
        self._is_connected = False
        if self._keeper is not None:
            await self._keeper.close()
        self._scratch.remove()

    @override
    async def run(self, task: Task, context: TaskContext) -> Outcome:
        """Run one attempt; cancelled, end its processes and return the status `stopped`."""
        if task.simulate is not None:
            return await simulate(self, task, context)
        attempt = partial(self._run, task, context, b"")
        return await self._filing.around(task, context, self._there(task), attempt)

    def _there(self, task: Task) -> Side:
        """The local side of a task's file copies."""
        return LocalSide(Path(self._cwd(task) or "."), stays=False)

    async def _run(self, task: Task, context: TaskContext, stdin: bytes) -> Outcome:
        """Run one attempt whose process reads this."""
        if task.call is not None or task.prompt is not None:
            return failed(ErrorCode.UNSUPPORTED, self._unsupported(task.action))
        if not self._is_connected:
            why = f"Device {self.id!r} is not connected; connect it first."
            return failed(ErrorCode.START_FAILED, why, by_device=True)
        number = next(self._attempts)
        token = f"{self._name}-{number}"
        if context.kept is not None:
            return await self._run_kept(task, context, context.kept, token, stdin)
        try:
            files = AttemptFiles(os.path.join(self._scratch.path(), f"{number}"))
        except DeviceError as error:
            return failed(ErrorCode.START_FAILED, str(error), by_device=True)
        try:
            return await self._run_process(task, context, files, token, stdin)
        finally:
            files.remove()

    @override
    def outlives_program(self, task: Task) -> bool:
        return _is_process(task) and sys.platform != "win32"  # where no wrapper waits for it

    @override
    async def reattach(self, task: Task, context: TaskContext) -> GoOn | None:
        """Take over a living kept attempt. Its output is emitted, and its output file written, from the beginning."""
        if context.kept is None or not self.outlives_program(task):
            return None
        files = AttemptFiles.at(context.kept)
        await settled(files)
        is_alive = await asyncio.to_thread(is_running, files)
        return partial(self._go_on, task, context, context.kept) if is_alive else None

    async def _go_on(self, task: Task, context: TaskContext, kept: Path) -> Outcome:
        files = AttemptFiles.at(kept)
        output = Output.of(context, self.tail_bytes)
        try:
            attempt = adopt(files, output)
        except OSError as error:
            return failed(ErrorCode.INTERRUPTED, f"The output of the attempt can be read no more: {error}.")
        if attempt is None:
            return failed(ErrorCode.INTERRUPTED, f"The marker {files.marker!r} of the attempt has gone.")
        end = await attempt.run_out(self._follower, self.grace)
        output.close()
        outcome = kept_outcome(end, task, context, files, output)
        return await self._filing.after(task, context, self._there(task), outcome)

    @override
    async def recover(self, task: Task, context: TaskContext) -> Outcome | None:
        """The outcome of a kept attempt; on Windows, where no wrapper waits for commands, it is always interrupted.

        Its output file is written anew, stdout before stderr. What it started in the background goes on if it ended.
        """
        if context.kept is None or not _is_process(task):
            return None
        files = AttemptFiles.at(context.kept)
        try:
            code = await exit_code_of(files, self.grace)
        except OSError as error:
            raise DeviceError(f"Device {self.id!r} cannot take up the attempt {files.marker!r}: {error}.") from error
        if code is None:
            return None
        output = Output.of(context, self.tail_bytes)
        measured = measured_end(files.marker)
        await read_output(files, output)
        output.close()
        outcome = structs_replace(ended(task, code, output, files, context), ended_ago=None)
        outcome = with_times(outcome, measured)
        return await self._filing.after(task, context, self._there(task), outcome)

    @override
    def release(self, kept: Path) -> None:
        """Remove the attempt's kept files, except the one that keeps a revoked attempt from starting."""
        AttemptFiles.at(kept).remove_kept()

    @override
    async def metrics(self) -> Metrics | None:
        """The load of the whole machine; the processor's share is that since the last call."""
        memory = psutil.virtual_memory()
        # psutil emulates the load average on Windows with a thread that wakes up every five seconds.
        load = None if sys.platform == "win32" else psutil.getloadavg()[0]
        return Metrics(
            cpu=self._load.read(),
            memory=min(1.0, max(0.0, memory.percent / 100)),
            memory_used=memory.total - memory.available,
            memory_total=memory.total,
            load=load,
        )

    @override
    def describe(self) -> Mapping[str, Any]:
        """The base's description with the options."""
        return {
            **super().describe(),
            "grace": self.grace,
            "tail_bytes": self.tail_bytes,
            "inherit_env": self.inherit_env,
            "working_directory": self.working_directory,
            "files_directory": self.files_directory,
        }

    def _unsupported(self, action: str) -> str:
        return (
            f"Device {self.id!r} is local and runs {_RUNS}, not {action}; "
            f"give the task {_INSTEAD[action]} (`device`, or a capability in `requires`)."
        )

    async def _run_process(
        self, task: Task, context: TaskContext, files: AttemptFiles, token: str, stdin: bytes
    ) -> Outcome:
        output = Output.of(context, self.tail_bytes)
        try:
            _write_files(task, context, files)
            with readable(stdin) as descriptor:
                process = await self._start(task, context, files, token, output, descriptor)
        except (StartFailed, _BadInput) as error:
            return failed(ErrorCode.START_FAILED, str(error), by_device=is_shortage(error))
        try:
            code = await process.wait()
        except asyncio.CancelledError:
            return await self._stopped(process, output, context)
        output.close()
        return ended(task, code, output, files, context)

    async def _start(
        self, task: Task, context: TaskContext, files: AttemptFiles, token: str, output: Output, stdin: int
    ) -> StartedProcess:
        return await start_process(
            _argv(task, files),
            cwd=self._cwd(task),
            env=self._env(task, context, files, token),
            on_output=output.feed,
            stdin=stdin,
            threads=self._threads,
        )

    async def _stopped(self, process: StartedProcess, output: Output, context: TaskContext) -> Outcome:
        code = await process.stop(self.grace)
        output.close()
        return Outcome(OutcomeStatus.STOPPED, result_of(None, code, output, not_stopped(process.survivors), context))

    async def _run_kept(self, task: Task, context: TaskContext, kept: Path, token: str, stdin: bytes) -> Outcome:
        files = AttemptFiles.at(kept)
        try:
            files.make_folder()
        except OSError as error:
            return failed(ErrorCode.START_FAILED, f"The attempt's files cannot be made: {error}.", by_device=True)
        if sys.platform == "win32":  # there is no shell that could wait for the command, and write down its end
            return await self._run_process(task, context, files, token, stdin)
        output = Output.of(context, self.tail_bytes)
        try:
            _write_files(task, context, files)
            env = self._env(task, context, files, token)
            with readable(stdin) as descriptor:
                attempt = await start_kept(
                    _argv(task, files), self._cwd(task), env, files, output, descriptor, self._keeper
                )
        except (StartFailed, _BadInput) as error:
            return failed(ErrorCode.START_FAILED, str(error), by_device=is_shortage(error))
        end = await attempt.run_out(self._follower, self.grace)
        output.close()
        return kept_outcome(end, task, context, files, output)

    def _cwd(self, task: Task) -> str | None:
        if self.working_directory is None or task.cwd is None:
            return task.cwd if task.cwd is not None else self.working_directory
        return os.path.join(self.working_directory, task.cwd)

    def _env(self, task: Task, context: TaskContext, files: AttemptFiles, token: str) -> dict[str, str]:
        env = {
            **self._environment,
            **environment_of(task),
            "STARLOOM_TASK_ID": context.task_id,
            "STARLOOM_RUN_ID": context.run_id,
            "STARLOOM_ATTEMPT": str(context.attempt),
            "STARLOOM_RESULT": files.result,
            TOKEN: token,
        }
        if task.upstream:
            env["STARLOOM_UPSTREAM"] = files.upstream
        return env


class _BadInput(Exception):  # noqa: N818 - never leaves this module
    """Raised if the input of an attempt cannot be written; the sentence says why."""


def _is_process(task: Task) -> bool:
    return task.command is not None or task.shell is not None or task.python is not None


def _write_files(task: Task, context: TaskContext, files: AttemptFiles) -> None:
    try:
        if task.python is not None:
            files.write_inputs(task.inputs)
        if task.upstream:
            folder = "" if context.output_path is None else os.path.dirname(os.path.abspath(context.output_path))
            files.write_upstream(context.upstream, folder)
    except OSError as error:
        where = os.path.dirname(files.inputs)
        raise _BadInput(f"The task's inputs cannot be written in {where!r}: {error.strerror or error}.") from error
    except (TypeError, ValueError, RecursionError) as error:
        raise _BadInput(f"The task's inputs are not JSON: {error}.") from error


def _argv(task: Task, files: AttemptFiles) -> tuple[str, ...]:
    """The command line, by itself or under the wrapper."""
    if task.command is not None:
        return task.command
    if task.shell is not None:
        if sys.platform == "win32":
            return (os.environ.get("COMSPEC", "cmd.exe"), "/d", "/c", task.shell)
        return ("/bin/sh", "-c", task.shell)
    assert task.python is not None
    return python_child.command_line(task.python, files.inputs, files.error)


def _cpu_count() -> int:
    # What this process may use, which in a container or under taskset is less than what the machine has.
    affinity = getattr(os, "sched_getaffinity", None)
    return len(affinity(0)) if affinity is not None else os.cpu_count() or 1


def _grace(id: str, grace: float | str) -> float:
    try:
        return parse_duration(grace)
    except ValueError as error:
        raise DeviceError(f"Device {id!r}: grace: {error}.") from error


def _tail_bytes(id: str, tail_bytes: int) -> int:
    number = _of_type(id, "tail_bytes", tail_bytes, int, f"0 to {_MAX_TAIL_BYTES}")
    if isinstance(number, bool) or not 0 <= number <= _MAX_TAIL_BYTES:
        raise DeviceError(f"Device {id!r}: tail_bytes cannot be {tail_bytes!r}; give it 0 to {_MAX_TAIL_BYTES}.")
    return number


def _directory(id: str, option: str, directory: str | None) -> str | None:
    return None if directory is None else _of_type(id, option, directory, str, "a path")


def _of_type(id: str, option: str, value: object, kind: type[_T], wanted: str) -> _T:
    if not isinstance(value, kind):
        raise DeviceError(f"Device {id!r}: {option} cannot be {value!r}; give it {wanted}.")
    return value
