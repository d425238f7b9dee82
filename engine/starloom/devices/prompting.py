"""What devices that run prompts share: what they refuse, and the value of a last message."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from starloom.devices.ended import failed
from starloom.devices.json_at_end import json_at_end
from starloom.devices.schema_check import NotChecked, misfit
from starloom.model.expected import JsonSchema
from starloom.model.result import MAX_VALUE_BYTES, ErrorCode, ErrorInfo

if TYPE_CHECKING:
    from starloom.devices.base import Device
    from starloom.model.result import Outcome
    from starloom.model.status import Expects
    from starloom.model.task import Task


def not_a_prompt(device: Device, task: Task) -> Outcome:
    """The outcome of a task that an agent does not run."""
    return failed(
        ErrorCode.UNSUPPORTED,
        f"Device {device.id!r} is an agent and runs prompts, not {task.action}; give the task another device.",
    )


def too_large() -> ErrorInfo:
    """The error of a last message that is larger than a value may be."""
    said = f"The agent's last message has more than {MAX_VALUE_BYTES // 2**20} MiB; have it write files instead."
    return ErrorInfo(code=ErrorCode.RESULT_TOO_LARGE, message=said)


async def value_of(message: str | None, expects: Expects | JsonSchema | None) -> tuple[Any, ErrorInfo | None]:
    """The value of a last message, and why it is a failure.

    Args:
        message: None: it is too large.
        expects: what it has to end with; None: any text.
    """
    if message is None:
        return None, too_large()
    if expects is None:
        return message.strip() or None, None
    found, value = json_at_end(message)
    if not found:
        said = "The agent's last message does not end with JSON, which the task expects; ask for it in the prompt."
        return None, ErrorInfo(code=ErrorCode.RESULT_NOT_JSON, message=said)
    if not isinstance(expects, JsonSchema):
        return value, None
    try:
        why = await misfit(expects, value, len(message))
    except NotChecked as error:
        return None, ErrorInfo(code=ErrorCode.AGENT, message=str(error))
    if why:
        said = f"The JSON at the end of the agent's last message does not fit the task's schema{why}."
        return None, ErrorInfo(code=ErrorCode.RESULT_MISFIT, message=said)
    return value, None
