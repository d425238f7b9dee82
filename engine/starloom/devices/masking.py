"""Secret values, and their masking in what tasks print, return and report.

A value is masked as it is, as JSON and Python write it, percent-encoded, and line by line where its lines are long
enough. What a task turns it into otherwise (base64, half of it) is not recognised.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import quote

from msgspec.structs import replace

if TYPE_CHECKING:
    from starloom.model.result import ErrorInfo, Outcome

MASK: Final = "***"
"""What stands in the place of a value."""
SHORTEST: Final = 4
"""Characters of the shortest value that is masked; of fewer, half of any text would be masked."""
_SHORTEST_LINE: Final = 8


class SecretValues:
    """The values that are masked. It may grow, which its users follow at once.

    Args:
        values: those known at first.

    Attributes:
        is_empty: whether there is nothing to mask.
    """

    def __init__(self, values: Iterable[str] = ()) -> None:
        self.is_empty = True
        self._values: set[str] = set()
        self._parts: tuple[bytes, ...] = ()
        self._pattern: re.Pattern[bytes] | None = None
        self.add(values)

    def add(self, values: Iterable[str]) -> None:
        """Mask these values too; one shorter than `SHORTEST` is left out."""
        new = {value for value in values if len(value) >= SHORTEST} - self._values
        if not new:
            return
        self.is_empty = False
        self._values |= new
        parts = {part.encode("utf-8", "surrogateescape") for value in self._values for part in _forms(value)}
        self._parts = tuple(sorted(parts, key=len, reverse=True))
        self._pattern = re.compile(b"|".join(map(re.escape, self._parts)))

    def mask(self, text: str) -> str:
        """The text with all values masked."""
        if self._pattern is None:
            return text
        data = text.encode("utf-8", "surrogatepass")
        masked = self._pattern.sub(MASK.encode(), data)
        return text if masked == data else masked.decode("utf-8", "surrogatepass")

    def masked(self, value: Any) -> Any:
        """JSON with all values masked in its texts, keys and numbers."""
        if self._pattern is None or value is None or isinstance(value, bool):
            return value
        if isinstance(value, str):
            return self.mask(value)
        if isinstance(value, int | float):
            return MASK if self.mask(text := repr(value)) != text else value
        if isinstance(value, Mapping):
            return {self.mask(key): self.masked(one) for key, one in value.items()}
        return [self.masked(one) for one in value] if isinstance(value, list | tuple) else value

    def outcome(self, outcome: Outcome) -> Outcome:
        """The outcome of an attempt with all values masked. Its value must be JSON of bounded depth."""
        if self._pattern is None:
            return outcome
        result = outcome.result
        error = None if result.error is None else self._error(result.error)
        changed = replace(result, value=self.masked(result.value), output=self.mask(result.output), error=error)
        return replace(outcome, result=changed)

    def _error(self, error: ErrorInfo) -> ErrorInfo:
        return replace(error, message=self.mask(error.message), detail=self.mask(error.detail))

    # ---- for streams

    def find(self, data: bytes) -> Iterable[re.Match[bytes]]:
        """The places of values in the data, from left to right."""
        return () if self._pattern is None else self._pattern.finditer(data)

    def unfinished(self, data: bytes, start: int) -> int:
        """The offset, not before `start`, from which the data may begin a value; its length: none."""
        first = len(data)
        for part in self._parts:
            place = data.find(part[0], max(start, len(data) - len(part) + 1))
            while 0 <= place < first:
                if part.startswith(data[place:]):
                    first = place
                    break
                place = data.find(part[0], place + 1)
        return first


class StreamMask:
    """Masks one stream that comes in pieces, also where a value is split between two.

    What may be the beginning of a value is held back until more has come, or the stream has ended.
    """

    __slots__ = ("_held", "_values")

    def __init__(self, values: SecretValues) -> None:
        self._values = values
        self._held = b""

    def feed(self, data: bytes) -> bytes:
        """Add a piece; returns the masked data that can be passed on."""
        if self._values.is_empty and not self._held:
            return data
        data = self._held + data
        told: list[bytes] = []
        place, held = 0, self._values.unfinished(data, 0)
        for found in self._values.find(data):
            if found.start() >= held:
                break
            told += (data[place : found.start()], MASK.encode())
            place = found.end()
            if place > held:
                held = self._values.unfinished(data, place)
        told.append(data[place:held])
        self._held = data[held:]
        return b"".join(told)

    def close(self) -> bytes:
        """The rest of the stream."""
        rest, self._held = self._held, b""
        return b"".join(_masked_rest(self._values, rest))


def _masked_rest(values: SecretValues, data: bytes) -> Iterable[bytes]:
    place = 0
    for found in values.find(data):
        yield data[place : found.start()]
        yield MASK.encode()
        place = found.end()
    yield data[place:]


def _forms(value: str) -> set[str]:
    """The ways in which a value is written, none of them too short."""
    forms = {value, json.dumps(value)[1:-1], json.dumps(value, ensure_ascii=False)[1:-1], repr(value)[1:-1]}
    forms.add(quote(value.encode("utf-8", "surrogateescape"), safe=""))
    lines = value.splitlines()
    if len(lines) > 1:
        forms.add("\r\n".join(lines))
        forms.update(line.strip() for line in lines if len(line.strip()) >= _SHORTEST_LINE)
    return {form for form in forms if len(form) >= SHORTEST}
