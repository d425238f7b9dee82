"""The result of an attempt: a JSON value, an exit code, the end of its output, an error."""

from __future__ import annotations

import signal
from enum import StrEnum
from typing import Any, Final

import msgspec
from typing_extensions import override

from starloom.errors import StarloomError
from starloom.model.status import Severity

MAX_VALUE_BYTES: Final = 1024 * 1024


class ErrorCode(StrEnum):
    """The reason why an attempt failed, for programs; the sentence beside it is for people."""

    EXIT_CODE = "exit_code"
    EXCEPTION = "exception"
    TIMEOUT = "timeout"
    DEVICE_LOST = "device_lost"
    START_FAILED = "start_failed"
    RESULT_NOT_JSON = "result_not_json"
    RESULT_MISFIT = "result_misfit"
    """JSON that does not fit the schema which the task expects."""
    RESULT_TOO_LARGE = "result_too_large"
    UNRESOLVED_INPUT = "unresolved_input"
    SECRET_UNAVAILABLE = "secret_unavailable"
    UNSUPPORTED = "unsupported"
    SIMULATED = "simulated"
    INTERRUPTED = "interrupted"
    MARKED = "marked"
    NOT_STOPPED = "not_stopped"
    REJECTED = "rejected"
    AGENT = "agent"
    """An agent gave up, refused, or broke its protocol."""
    AGENT_ENDED = "agent_ended"
    """The process of an agent ended before it had answered."""


def signal_name(exit_code: int) -> str:
    """The name of the signal that ended a process, by its negative exit code: `SIGKILL` of -9."""
    try:
        return signal.Signals(-exit_code).name
    except ValueError:  # another system's
        return f"signal {-exit_code}"


OUTPUT_LOST: Final = "output_lost"
"""The code of an error that fails no attempt: not all that it left behind is here."""


class ErrorInfo(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True, forbid_unknown_fields=True):
    """The reason why an attempt failed: a code for programs and a sentence for people."""

    code: str
    message: str
    detail: str = ""
    """More for those who look, e.g. a traceback; bounded."""
    severity: Severity | None = None
    """What the failure means for the run; None: what the task says, as of errors in journals of earlier versions."""


class TaskError(StarloomError):
    """Raised by a handler or by the function of a `python` task: the task fails, with the severity that is given.

    Args:
        message: why it failed, as a sentence.
        severity: what that means for the run: warning, error or critical; None: what the task says.

    Raises:
        ValueError: there is no such severity.
    """

    def __init__(self, message: str, *, severity: Severity | str | None = None) -> None:
        self.message = message
        self.severity = None if severity is None else _severity(severity)
        super().__init__(message)

    @override
    def __reduce__(self) -> tuple[Any, ...]:
        """Copies and pickles with the severity."""
        return _task_error, (self.message, self.severity)


def _task_error(message: str, severity: Severity | None) -> TaskError:
    return TaskError(message, severity=severity)


def _severity(word: str) -> Severity:
    try:
        return Severity(word)
    except ValueError:
        raise ValueError(f"severity must be {SEVERITY_WORDS}, not {word!r}") from None


SEVERITY_WORDS: Final = "warning, error or critical"


def raised_severity(error: BaseException) -> Severity | None:
    """The severity that an exception asks for by its attribute `severity`, as `TaskError` does; None: none.

    Any other exception may have one too, so that functions need not import Starloom to say it.
    """
    try:
        word = getattr(error, "severity", None)
        return Severity(word) if isinstance(word, str) else None
    except Exception:  # noqa: BLE001 - an attribute of foreign code: it may be anything, or raise
        return None


class AgentUsage(msgspec.Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """What an agent says that an attempt has used, and how often a policy spoke for a person.

    Attributes:
        tokens: of all kinds together; 0 also where it does not say.
        cost: in units of `currency`; 0 also where it does not say.
        currency: e.g. USD; empty: no cost was told.
        by_policy: how many of its requests for permission were answered by a policy.
    """

    tokens: int = 0
    cost: float = 0.0
    currency: str = ""
    by_policy: int = 0


class Result(msgspec.Struct, frozen=True, omit_defaults=True, gc=False, forbid_unknown_fields=True):
    """The result of a finished attempt."""

    value: Any = None
    """A JSON value, at most 1 MiB when encoded."""
    exit_code: int | None = None
    output: str = ""
    """The end of what it printed, bounded and never cut inside a character."""
    output_length: int = 0
    """Bytes it printed in all."""
    output_file: str | None = None
    """Where the whole output is, relative to the run's directory when there is one."""
    error: ErrorInfo | None = None
    usage: AgentUsage | None = None
    """What an agent has used; None: none worked on it, or it says nothing."""

    @property
    def has_failed(self) -> bool:
        """Whether its error is one that fails an attempt."""
        return self.error is not None and self.error.code != OUTPUT_LOST


EMPTY_RESULT: Final = Result()


class OutcomeStatus(StrEnum):
    """The ways an attempt can end, as its device tells it."""

    COMPLETED = "completed"
    FAILED = "failed"
    STOPPED = "stopped"
    """It was told to stop and did."""
    LOST = "lost"
    """The device went away while it ran."""


class Outcome(msgspec.Struct, frozen=True, gc=False):
    """The outcome of one attempt."""

    status: OutcomeStatus = OutcomeStatus.COMPLETED
    result: Result = EMPTY_RESULT
    device_failed: bool = False
    """Whether it failed because the device could not do its part, whatever the task is."""
    ended_ago: float | None = 0.0
    """Seconds since its work ended, if the device found that out late; None: nobody knows how long ago that was."""
    took: float | None = None
    """Seconds that its work took, by the clock of the machine where it ran; None: nobody measured them."""


DONE: Final = Outcome()
"""Completed, nothing to say: shared, as most no-op attempts end so."""
