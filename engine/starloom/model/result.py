"""What an attempt left behind: a JSON value, an exit code, the end of its output, an error."""

from __future__ import annotations

from enum import StrEnum
from typing import Any, Final

import msgspec

MAX_VALUE_BYTES: Final = 1024 * 1024


class ErrorCode(StrEnum):
    """Why an attempt failed, for programs; the sentence beside it is for people."""

    EXIT_CODE = "exit_code"
    EXCEPTION = "exception"
    TIMEOUT = "timeout"
    DEVICE_LOST = "device_lost"
    START_FAILED = "start_failed"
    RESULT_NOT_JSON = "result_not_json"
    RESULT_TOO_LARGE = "result_too_large"
    UNRESOLVED_INPUT = "unresolved_input"
    UNSUPPORTED = "unsupported"
    SIMULATED = "simulated"
    INTERRUPTED = "interrupted"
    MARKED = "marked"
    REJECTED = "rejected"


class TaskError(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True, forbid_unknown_fields=True):
    """Why an attempt failed: a code for programs and a sentence for people."""

    code: str
    message: str
    detail: str = ""
    """More for those who look, e.g. a traceback; bounded."""


class Result(msgspec.Struct, frozen=True, omit_defaults=True, gc=False, forbid_unknown_fields=True):
    """What a finished attempt left behind."""

    value: Any = None
    """A JSON value, at most 1 MiB when encoded."""
    exit_code: int | None = None
    output: str = ""
    """The end of what it printed, bounded and never cut inside a character."""
    output_length: int = 0
    """Bytes it printed in all."""
    output_file: str | None = None
    """Where the whole output is, relative to the run's directory when there is one."""
    error: TaskError | None = None


EMPTY_RESULT: Final = Result()


class OutcomeStatus(StrEnum):
    """How an attempt ended, as its device tells it."""

    COMPLETED = "completed"
    FAILED = "failed"
    STOPPED = "stopped"
    """It was told to stop and did."""
    LOST = "lost"
    """The device went away while it ran."""


class Outcome(msgspec.Struct, frozen=True, gc=False):
    """How one attempt ended."""

    status: OutcomeStatus = OutcomeStatus.COMPLETED
    result: Result = EMPTY_RESULT
    device_failed: bool = False
    """Whether it failed because the device could not do its part, whatever the task is."""


DONE: Final = Outcome()
"""Completed, nothing to say: shared, as most no-op attempts end so."""
