"""The JSON with which a text ends, whatever is said before it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from starloom.devices.attempt_files import decode

if TYPE_CHECKING:
    from collections.abc import Iterator

_MOST_TRIES: Final = 1000
_FENCE: Final = "```"


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
