"""A task: one unit of work of a plan, and what it may say about how it is to be run."""

from __future__ import annotations

import shlex
from collections.abc import Mapping
from dataclasses import fields
from operator import attrgetter
from typing import TYPE_CHECKING, Annotated, Any, Final, Literal, Self

from pydantic import (
    AfterValidator,
    BeforeValidator,
    ConfigDict,
    Field,
    PlainSerializer,
    StringConstraints,
    model_validator,
)
from pydantic.dataclasses import dataclass

from starloom.model.expected import JsonSchema, plain_expects, read_expects
from starloom.model.files import LEGACY, NO_FILES, Files, legacy_files
from starloom.model.frozen import EMPTY
from starloom.model.json_values import JsonChecked, JsonValue
from starloom.model.quantities import NORMAL_PRIORITY, Duration, Priority
from starloom.model.result import ErrorCode
from starloom.model.secret import Secret, environment_value
from starloom.model.severity import ExitSeverity, plain_severity, read_severity
from starloom.model.status import Backoff, Expects, GateDefault, Join, OnInterrupt, PermissionPolicy, Severity

if TYPE_CHECKING:
    from starloom.model.result import Result

CONFIG: Final = ConfigDict(extra="forbid", str_max_length=1_000_000)

Identifier = Annotated[str, StringConstraints(min_length=1, max_length=500, pattern=r"^[^\x00-\x1f\x7f]+$")]
"""A name that may hold anything but control characters."""


@dataclass(frozen=True, slots=True, config=CONFIG)
class Retry:
    """The number of retries of a failed attempt, and the pauses before them."""

    attempts: Annotated[int, Field(ge=1, le=10_000)] = 1
    """How many attempts there are in all; 1 means no retry."""
    backoff: Backoff = Backoff.FIXED
    delay: Duration = 0.0
    """Seconds before the second attempt."""
    cap: Duration | None = None
    """The longest pause in seconds."""


@dataclass(frozen=True, slots=True, config=CONFIG)
class Prefer:
    """A device that is taken when it has a place free; any other one serves as well."""

    prefer: Identifier


@dataclass(frozen=True, slots=True, config=CONFIG)
class Simulate:
    """Work that only takes time; in virtual time it takes none."""

    duration: Duration = 0.0
    """Seconds on a device of speed 1."""
    outcome: Literal["completed", "failed"] = "completed"
    fail_attempts: Annotated[int, Field(ge=0)] = 0
    """The first so many attempts fail, whatever `outcome` says."""
    value: JsonValue = None
    """The JSON result of a completed attempt."""


@dataclass(frozen=True, slots=True, config=CONFIG)
class Gate:
    """A question to a person, who approves or rejects. It is asked when the task would start, and runs nowhere."""

    message: str = ""
    """What is asked; the task's name when empty."""
    after: Duration | None = None
    """Seconds until nobody is waited for any more; without it a person is waited for however long it takes."""
    then: GateDefault | None = None
    """What happens then."""

    @model_validator(mode="after")
    def _both_or_none(self) -> Self:
        if self.after is not None and self.then is None:
            raise ValueError("a gate with after needs then, what happens when time is up: proceed, skip or abort")
        if self.then is not None and self.after is None:
            raise ValueError("a gate with then needs after: how long it waits for an answer, for example 30m")
        return self


@dataclass(frozen=True, slots=True, config=CONFIG)
class BypassValue:
    """The result that a bypassed task completes with, in place of its parents' values."""

    value: JsonValue
    """A JSON value."""


def _retry(value: Any) -> Any:
    """`retry: 2` means two more attempts."""
    if isinstance(value, int) and not isinstance(value, bool):
        if value < 0:
            raise ValueError(f"retry cannot be {value}; write how many more attempts there may be, 0 or more")
        return Retry(attempts=value + 1)
    return value


def _simulate(value: Any) -> Any:
    """`simulate: 3s` means it takes three seconds and completes."""
    return {"duration": value} if isinstance(value, str | int | float) and not isinstance(value, bool) else value


def _gate(value: Any) -> Any:
    """`gate: Ship it?` is a question that waits for however long it takes."""
    return {"message": value} if isinstance(value, str) else value


def _strings(value: Any) -> Any:
    """One string where a list of them is meant."""
    return (value,) if isinstance(value, str) else value


Strings = Annotated[tuple[str, ...], BeforeValidator(_strings)]
Names = Annotated[
    tuple[Identifier, ...], BeforeValidator(_strings), AfterValidator(lambda names: tuple(dict.fromkeys(names)))
]
"""Each name once: a group named twice still takes one place."""
EnvironmentValue = Annotated[str | Secret, BeforeValidator(environment_value)]
AnySeverity = Annotated[Severity | ExitSeverity, BeforeValidator(read_severity), PlainSerializer(plain_severity)]
AnyExpects = Annotated[Expects | JsonSchema | None, BeforeValidator(read_expects), PlainSerializer(plain_expects)]
ACTIONS: Final = ("command", "shell", "python", "call", "prompt", "simulate", "gate")
WORK_FIELDS: Final = frozenset((*ACTIONS, "inputs", "env", "cwd", "upstream", "files"))
"""What a task does, and with what; the others say what it is called, and where, when and how often it may run."""
_ACTIONS_OF: Final = attrgetter(*ACTIONS)
FILES: Final = "files:"
"""How the name of an action begins that needs files copied."""
NO_RETRY: Final = Retry()


@dataclass(frozen=True, slots=True, kw_only=True, config=CONFIG)
class Task:
    """One unit of work. Exactly one of command, shell, python, call, prompt, simulate and gate says what it does.

    Raises:
        pydantic.ValidationError: a field is wrong, unknown, or there is not exactly one action.
    """

    id: Identifier
    name: str = ""
    """What people read; the id when empty. Need not be unique."""
    description: str = ""
    tips: Strings = ()

    command: Annotated[tuple[str, ...], Field(min_length=1)] | None = None
    """A program and its arguments, run without a shell."""
    shell: str | None = None
    """Text for the system's shell. Upstream results reach it as environment variables only."""
    python: Annotated[str, StringConstraints(pattern=r"^[\w.]+:[\w.]+$")] | None = None
    """`module:function`, called with `inputs` in a child process."""
    call: Identifier | None = None
    """The name of a handler that the host program registered."""
    prompt: str | None = None
    """Text for an agent device."""
    expects: AnyExpects = None
    """What an agent's last message has to end with: `json`, or a JSON Schema; without it any text is the value."""
    permissions: PermissionPolicy | None = None
    """What is answered to an agent's requests for permission; without it what its device says."""
    simulate: Annotated[Simulate | None, BeforeValidator(_simulate)] = None
    gate: Annotated[Gate | None, BeforeValidator(_gate)] = None
    """A question to a person. What says where and how an attempt runs means nothing to it: there is none."""

    inputs: Annotated[Mapping[str, Any], JsonChecked] = EMPTY
    """JSON arguments; `${task.value.path}` stands for an upstream result."""
    env: Mapping[str, EnvironmentValue] = EMPTY
    """Variables besides those of the device: text, or a `Secret`, whose value is looked up when the task starts."""
    cwd: str | None = None
    upstream: bool = False
    """Whether the parents' results are wanted as JSON, in the file that `$STARLOOM_UPSTREAM` names."""
    files: Annotated[Files, PlainSerializer(Files.to_plain)] = NO_FILES
    """Files copied to where it runs before it begins, and back once it has completed; a simulated task copies none."""

    priority: Priority = NORMAL_PRIORITY
    requires: Annotated[frozenset[str], BeforeValidator(lambda v: frozenset({v}) if isinstance(v, str) else v)] = (
        frozenset()
    )
    """Capabilities the device must have."""
    device: Identifier | Prefer | None = None
    """The device it must run on, or `Prefer` for a wish."""
    groups: Names = ()
    """Named limits it counts against while it runs."""
    timeout: Duration | None = None
    """Seconds an attempt may take, from its start to its end."""
    retry: Annotated[Retry, BeforeValidator(_retry)] = NO_RETRY
    severity: AnySeverity = Severity.ERROR
    """What its failure means for the run, or a mapping from exit codes to that, with `else` for all others."""
    join: Join = Join.ALL
    on_interrupt: OnInterrupt = OnInterrupt.REATTACH
    estimate: Duration | None = None
    """Seconds it is expected to take on a device of speed 1; of a gate, until somebody answers."""
    breakpoint: bool = False
    """Whether it stops where it would start, until somebody lets it go on."""
    bypass: bool | BypassValue = False
    """Whether it completes without running where it would start: with its only parent's result, a mapping from parents
    to their values if there are several, or the given value."""
    metadata: Annotated[Mapping[str, Any], JsonChecked] = EMPTY

    @model_validator(mode="after")
    def _one_action(self) -> Self:
        if _ACTIONS_OF(self).count(None) != len(ACTIONS) - 1:
            given = [action for action in ACTIONS if getattr(self, action) is not None]
            what = "has no action" if not given else "has " + " and ".join(given)
            raise ValueError(f"the task {what}; give exactly one of {', '.join(ACTIONS)}")
        return self

    @property
    def copied(self) -> Files:
        """The files to copy: `files`, else what the metadata of earlier versions say.

        Raises:
            ValueError: these metadata cannot be used.
        """
        is_legacy = LEGACY in self.metadata and self.files == NO_FILES
        return legacy_files(self.metadata[LEGACY]) if is_legacy else self.files

    def severity_of(self, result: Result | None) -> Severity:
        """The severity of its failure: what its error says, else what its exit code stands for.

        Args:
            result: of the attempt that failed; None: it never ran.
        """
        error = None if result is None else result.error
        if error is not None and error.severity is not None:
            return error.severity
        if not isinstance(self.severity, ExitSeverity):
            return self.severity
        has_code = result is not None and error is not None and error.code == ErrorCode.EXIT_CODE
        return self.severity.of(result.exit_code if result is not None and has_code else None)

    @property
    def title(self) -> str:
        """The name to show: `name`, else the id."""
        return self.name or self.id

    @property
    def action(self) -> str:
        """The name of its action, e.g. `command`."""
        for name, value in zip(ACTIONS, _ACTIONS_OF(self), strict=True):
            if value is not None:
                return name
        raise AssertionError("a task has an action")

    @property
    def action_text(self) -> str:
        """The text of its action, on one line; of a gate its question; empty: it is simulated."""
        value = getattr(self, self.action)
        if isinstance(value, Simulate):
            return ""
        if isinstance(value, Gate):
            return value.message or self.title
        return shlex.join(value) if isinstance(value, tuple) else str(value)

    @property
    def needs_action(self) -> str:
        """The action that a device must support to run it, with the name of the handler for `call`.

        With files to copy it is `files:` and that; simulated, it copies none.
        """
        if self.call is not None:
            action = f"call:{self.call}"
        else:
            action = "command" if self.command is not None else self.action
        has_files = (self.files is not NO_FILES and self.files != NO_FILES) or LEGACY in self.metadata
        return f"{FILES}{action}" if has_files and self.simulate is None and self.gate is None else action

    @property
    def is_bypassed(self) -> bool:
        """Whether it completes without running."""
        return self.bypass is not False

    @property
    def pin(self) -> str | None:
        """The id of the only device it may run on, if there is one."""
        return self.device if isinstance(self.device, str) else None

    @property
    def preference(self) -> str | None:
        """The device it would rather run on, if there is one."""
        return self.device.prefer if isinstance(self.device, Prefer) else None

    @property
    def expected_duration(self) -> float | None:
        """Seconds at speed 1: the estimate, else what is to be simulated or the countdown of a gate, else None.

        None are needed where it is bypassed.
        """
        if self.is_bypassed:
            return 0.0
        if self.estimate is not None:
            return self.estimate
        if self.simulate is not None:
            return self.simulate.duration
        return self.gate.after if self.gate is not None else None


TASK_FIELDS: Final = tuple(f.name for f in fields(Task))
UPDATABLE_FIELDS: Final = frozenset(TASK_FIELDS) - {"id"}
