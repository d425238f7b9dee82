"""The JSON with which a text ends, whatever is said before it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from starloom.devices.attempt_files import decode
from starloom.model.expected import JsonSchema
from starloom.model.result import ErrorCode, ErrorInfo

if TYPE_CHECKING:
    from collections.abc import Iterator

    from starloom.model.status import Expects

_MOST_TRIES: Final = 1000
_FENCE: Final = "```"


def expected_value(message: str, expects: Expects | JsonSchema | None) -> tuple[Any, ErrorInfo | None]:
    """The value of a task whose agent ended with this message, and why it is not what the task expects.

    Args:
        message: the agent's last one.
        expects: what it has to end with; None: any text.
    """
    if expects is None:
        return message.strip() or None, None
    found, value = json_at_end(message)
    if not found:
        said = "The agent's last message does not end with JSON, which the task expects; ask for it in the prompt."
        return None, ErrorInfo(code=ErrorCode.RESULT_NOT_JSON, message=said)
    return fitting(value, expects)


def fitting(value: Any, expects: Expects | JsonSchema | None) -> tuple[Any, ErrorInfo | None]:
    """A JSON value, and why it is not what the task expects."""
    misfit = expects.misfit(value) if isinstance(expects, JsonSchema) else ""
    if not misfit:
        return value, None
    said = f"The JSON at the end of the agent's last message does not fit the task's schema{misfit}."
    return None, ErrorInfo(code=ErrorCode.RESULT_MISFIT, message=said)


def json_at_end(text: str) -> tuple[bool, Any]:
    """Whether a text is JSON, or ends with a JSON object or array, also in a fenced block of code; and that value.

    Args:
        text: a message of an agent. The object has to begin a line, or to stand on the last one.
    """
    text = text.strip()
    if text.endswith(_FENCE):
        text = text.removesuffix(_FENCE).rstrip()
    found, value = decode(text)
    if found:
        return True, value
    for tries, place in enumerate(_beginnings(text)):
        found, value = decode(text[place:])
        if found or tries == _MOST_TRIES:
            return found, value
    return False, None


def _beginnings(text: str) -> Iterator[int]:
    """Where an object or array may begin: the outermost first, so from left to right."""
    place = 0
    for line in text.split("\n"):
        body = line.lstrip()
        if body[:1] in {"{", "["}:
            yield place + len(line) - len(body)
        place += len(line) + 1
    last = text.rfind("\n") + 1
    yield from (at for at in range(last, len(text)) if text[at] in "{[")
