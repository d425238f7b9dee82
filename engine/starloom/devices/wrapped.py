"""The wrapped device: a container, phone, pod or the like, reached by a program that runs commands there."""

from __future__ import annotations

import asyncio
import hashlib
import os
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any, ClassVar, Final

import msgspec
from typing_extensions import override

from starloom.devices.base import OUTPUT_TAIL_BYTES, GoOn, TaskContext, with_files
from starloom.devices.ended import failed
from starloom.devices.environment import environment_of, readable
from starloom.devices.local import LocalDevice
from starloom.devices.process import StartFailed, start_process
from starloom.devices.wrapped_side import WrappedSide
from starloom.devices.wrappers import MARK, TARGET, WRAPPERS, Wrapper, ending, environment_text, receiving
from starloom.errors import DeviceError, nearest
from starloom.model.files import NO_FILES
from starloom.model.frozen import EMPTY
from starloom.model.result import ErrorCode, ErrorInfo, Outcome, OutcomeStatus

if TYPE_CHECKING:
    from starloom.devices.base import Metrics
    from starloom.model.task import Task

_ANSWER_SECONDS: Final = 20.0
_END_SECONDS: Final = 30.0
_MOST_SAID: Final = 300
_HELLO: Final = "starloom-hello"
_CODES_OF_WRAPPERS: Final = frozenset({1, 125, 126, 127, 255})
"""With which wrappers end when it is they that fail, and not the command; commands may end with them as well."""


class WrappedDevice(LocalDevice):
    """Another system of this machine, where a program such as `docker exec` runs commands; it has a POSIX shell.

    A result is the last line of standard output, as JSON. Ending the program here does not end what it has started
    there, so a stopped attempt is ended there by a second command.

    Attributes:
        wrapper: the name of a wrapper, or the arguments before the command, with `{target}` for the target.
        target: the container, phone, pod or system.
    """

    kind: ClassVar[str] = "wrapped"
    has_keeper: ClassVar[bool] = False  # there may be a hundred, whose programs take longer to start than any wrapper
    actions: frozenset[str] | None = with_files(("command", "shell")) | {"simulate"}
    heartbeat_interval: float | None = 10.0

    def __init__(
        self,
        id: str,
        *,
        wrapper: str | Sequence[str],
        target: str = "",
        slots: int | None = None,
        capabilities: frozenset[str] = frozenset(),
        speed: float = 1.0,
        grace: float = 5.0,
        tail_bytes: int = OUTPUT_TAIL_BYTES,
        inherit_env: bool = True,
        files_directory: str | None = None,
    ) -> None:
        super().__init__(
            id,
            slots=slots,
            capabilities=capabilities,
            speed=speed,
            grace=grace,
            tail_bytes=tail_bytes,
            inherit_env=inherit_env,
            files_directory=files_directory,
        )
        self.wrapper = wrapper if isinstance(wrapper, str) else tuple(wrapper)
        self.target = target
        self._declared = self.capabilities
        self._way = _way(id, wrapper, target)

    @override
    async def connect(self) -> None:
        """Check that commands can be run there, and probe the system.

        Raises:
            DeviceError: they cannot; the sentence has what the wrapper said.
        """
        await super().connect()
        try:
            command, text = receiving(("uname", "-sm"), _HELLO, None), environment_text({}, _HELLO)
            words = await self._ask(command, _ANSWER_SECONDS, text)  # as tasks will, so that they can
        except BaseException:
            await self.disconnect()
            raise
        self.capabilities = self._declared | self._way.capabilities | frozenset(words.lower().split())

    @override
    async def ping(self) -> None:
        """Return when a command has run there.

        Raises:
            DeviceError: it could not.
        """
        await self._ask(("true",), _ANSWER_SECONDS)

    @override
    async def run(self, task: Task, context: TaskContext) -> Outcome:
        """Run one attempt there; cancelled, end its processes on both sides."""
        if task.python is not None:
            return failed(
                ErrorCode.UNSUPPORTED,
                f"Device {self.id!r} runs command, shell and simulate, not python; give the task a local device, or a "
                "command like `python3 -m module` with the module in that system.",
            )
        if task.command is None and task.shell is None:
            return await super().run(task, context)
        try:
            text = environment_text(self._environment_there(task, context), _mark(context))
        except ValueError as error:
            return failed(
                ErrorCode.START_FAILED, f"The environment of the task cannot be given to it: it holds {error}."
            )
        attempt = partial(self._run_there, task, context, text)
        return await self._filing.around(task, context, self._there(task), attempt)

    async def _run_there(self, task: Task, context: TaskContext, text: bytes) -> Outcome:
        return await self._ended_on_both_sides(await self._run(self._wrapped(task, context), context, text), context)

    @override
    def _there(self, task: Task) -> WrappedSide:
        return WrappedSide(self._copy_there, task.cwd, self.target)

    async def _copy_there(self, command: tuple[str, ...], data: bytes) -> bytes:
        """The output of a command that copies files there, which may take any time.

        Raises:
            OSError: it failed.
        """
        try:
            code, said, complaint = await self._said(command, None, data)
        except DeviceError as error:
            raise OSError(0, str(error)) from error
        if code != 0:
            raise OSError(0, _in_words(complaint or said))
        return said

    async def _ended_on_both_sides(self, outcome: Outcome, context: TaskContext) -> Outcome:
        """The outcome, once its cause is known, and nothing of a stopped or killed attempt runs there."""
        if outcome.status is OutcomeStatus.STOPPED or (outcome.result.exit_code or 0) < 0:
            return await self._ended_there(outcome, context)
        if outcome.status is OutcomeStatus.FAILED and outcome.result.exit_code in _CODES_OF_WRAPPERS:
            return await self._whose_failure(outcome)
        return outcome

    async def _whose_failure(self, outcome: Outcome) -> Outcome:
        """The outcome; one for which the device is to blame if commands do not run there any more."""
        try:
            await self.ping()
        except DeviceError as error:
            lost = ErrorInfo(code=ErrorCode.DEVICE_LOST, message=str(error))
            result = msgspec.structs.replace(outcome.result, error=lost)
            return msgspec.structs.replace(outcome, result=result, device_failed=True)
        return outcome

    @override
    def outlives_program(self, task: Task) -> bool:
        """Whether it is a command, as the program here that runs it there is a process."""
        return (task.command is not None or task.shell is not None) and super().outlives_program(task)

    @override
    async def reattach(self, task: Task, context: TaskContext) -> GoOn | None:
        """Take over a living kept attempt: the program here that runs its command there."""
        if task.command is None and task.shell is None:
            return None
        go_on = await super().reattach(self._wrapped(task, context), context)
        return None if go_on is None else partial(self._go_on_there, go_on, task, context)

    async def _go_on_there(self, go_on: GoOn, task: Task, context: TaskContext) -> Outcome:
        outcome = await self._ended_on_both_sides(await go_on(), context)
        return await self._filing.after(task, context, self._there(task), outcome)

    @override
    async def recover(self, task: Task, context: TaskContext) -> Outcome | None:
        """The outcome of a kept attempt; one that was interrupted is ended there, too."""
        if task.command is None and task.shell is None:
            return None
        outcome = await super().recover(self._wrapped(task, context), context)
        if outcome is None and context.kept is not None and (left := await self._end_there(context)):
            raise DeviceError(f"Device {self.id!r}: an interrupted attempt goes on there: {left}. End it.")
        return outcome and await self._filing.after(task, context, self._there(task), outcome)

    @override
    async def metrics(self) -> Metrics | None:
        """None: what can be measured is the load of this computer, and nothing tells that of the other side."""
        return None

    @override
    def describe(self) -> Mapping[str, Any]:
        """The base's description with the wrapper and the target, and without what was found out."""
        return {
            **super().describe(),
            "capabilities": sorted(self._declared),
            "wrapper": self.wrapper if isinstance(self.wrapper, str) else list(self.wrapper),
            "target": self.target,
        }

    def _wrapped(self, task: Task, context: TaskContext) -> Task:
        """The task that does here what has to be done to do the other there."""
        inner = task.command if task.command is not None else ("sh", "-c", task.shell or "")
        command = self._way.around(receiving(inner, _mark(context), task.cwd))
        task = replace(task, files=NO_FILES, metadata=EMPTY)  # of the program here nothing is copied
        return replace(task, command=command, shell=None, env=EMPTY, cwd=None, upstream=False)

    def _environment_there(self, task: Task, context: TaskContext) -> dict[str, str]:
        return {
            **environment_of(task),
            "STARLOOM_TASK_ID": context.task_id,
            "STARLOOM_RUN_ID": context.run_id,
            "STARLOOM_ATTEMPT": str(context.attempt),
        }

    async def _ended_there(self, outcome: Outcome, context: TaskContext) -> Outcome:
        """The outcome, once nothing of the attempt runs there any more, even if the caller is cancelled."""
        ending = asyncio.ensure_future(self._end_there(context))
        while not ending.done():
            try:
                await asyncio.wait((ending,))
            except asyncio.CancelledError:
                continue
        left = ending.result()
        if not left:
            return outcome
        error = ErrorInfo(
            code=ErrorCode.NOT_STOPPED, message=f"Not everything could be ended in {self.target!r}: {left}."
        )
        return msgspec.structs.replace(outcome, result=msgspec.structs.replace(outcome.result, error=error))

    async def _end_there(self, context: TaskContext) -> str:
        """End what the attempt has started there; what is left of it, in words."""
        try:
            said = await self._ask(ending(f"{MARK}={_mark(context)}", self.grace), _END_SECONDS + self.grace)
        except DeviceError as error:
            return str(error).rstrip(".")
        return f"processes {', '.join(said.split())}" if said.strip() else ""

    async def _ask(self, command: Sequence[str], patience: float, stdin: bytes = b"") -> str:
        """Run a command there and return its output.

        Raises:
            DeviceError: it cannot be run, fails, or does not end in time.
        """
        code, said, complaint = await self._said(command, patience, stdin)
        if code != 0:
            program = os.path.basename(self._way.before[0])
            words = _in_words(complaint or said)
            raise DeviceError(f"Device {self.id!r} cannot be reached: {program} ended with {code}: {words}.")
        return said.decode(errors="replace")

    async def _said(self, command: Sequence[str], patience: float | None, stdin: bytes) -> tuple[int, bytes, bytes]:
        """Run a command there and return its exit code, output and error output.

        Raises:
            DeviceError: it cannot be started, or does not end in time; None: it may take any time.
        """
        said = {"stdout": bytearray(), "stderr": bytearray()}

        def note(stream: str, data: bytes) -> None:
            said[stream] += data

        try:
            with readable(stdin) as descriptor:
                process = await start_process(
                    self._way.around(command), cwd=None, env=self._environment, on_output=note, stdin=descriptor
                )
        except StartFailed as error:
            raise DeviceError(f"Device {self.id!r} cannot be reached: {error}") from error
        try:
            async with asyncio.timeout(patience):
                code = await process.wait()
        except TimeoutError:
            await process.stop(0.0)
            raise DeviceError(f"Device {self.id!r} does not answer within {patience:g} s.") from None
        except BaseException:
            await process.stop(0.0)
            raise
        return code, bytes(said["stdout"]), bytes(said["stderr"])


def _in_words(said: bytes) -> str:
    return " ".join(said.decode(errors="replace").split())[:_MOST_SAID] or "no words"


def _mark(context: TaskContext) -> str:
    """The same for the same attempt, also in another program."""
    words = "\0".join((context.run_id, context.task_id, str(context.attempt)))
    return hashlib.sha256(words.encode("utf-8", "surrogatepass")).hexdigest()[:32]


def _way(id: str, wrapper: object, target: object) -> Wrapper:
    if not isinstance(target, str) or target.startswith("-") or "\0" in target:
        raise DeviceError(f"Device {id!r}: target cannot be {target!r}; give it a name that does not begin with '-'.")
    if isinstance(wrapper, str):
        found = WRAPPERS.get(wrapper)
        if found is None:
            near = nearest(wrapper, WRAPPERS)
            guess = f" Did you mean {near!r}?" if near else ""
            raise DeviceError(
                f"Device {id!r}: there is no wrapper {wrapper!r}.{guess} There are {', '.join(WRAPPERS)}; "
                "or give a list of arguments."
            )
    elif isinstance(wrapper, Sequence) and wrapper and all(isinstance(part, str) and part for part in wrapper):
        found = Wrapper(tuple(wrapper))
    else:
        raise DeviceError(f"Device {id!r}: wrapper cannot be {wrapper!r}; give it a name or a list of arguments.")
    if not target and any(TARGET in part for part in found.before):
        raise DeviceError(
            f"Device {id!r} needs a `target`: the container, phone, pod or system that {wrapper!r} names."
        )
    return found.at(target)
