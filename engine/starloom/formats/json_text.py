"""JSON text to values: strict, bounded, and able to say on which line a part stands."""

from __future__ import annotations

import json
import math
import re
from dataclasses import dataclass, field
from typing import Any, Final, NoReturn

from starloom.errors import Problem
from starloom.formats.limits import MAX_DEPTH, MAX_PROBLEMS, Path, SourceError, duplicate_key, too_deep, unusable_number

_TOKEN = re.compile(r'"(?:[^"\\]++|\\.)*+"|[\[\]{},:\n]|[^\s\[\]{},:"]+', re.DOTALL)
_STEP: Final = {"[": 1, "{": 1, "]": -1, "}": -1}
_CONTAINERS: Final = frozenset({dict, list})


class JsonSyntaxError(SourceError):
    """The text is not JSON."""


class _DuplicateKeyError(Exception):
    """Two equal keys; the scanner finds out where."""


class _NumberError(Exception):
    """A number that cannot be used; carries its text."""


def parse(text: str) -> Any:
    """The value of JSON text.

    Raises:
        JsonSyntaxError: it is not JSON.
        SourceError: it nests too deeply, repeats a key or holds a number that is none.
    """
    try:
        value = _decoded(text)
    except RecursionError:  # the decoder's own bound is deeper than ours
        raise SourceError(too_deep(_line_of_depth(text))) from None
    if _is_too_deep(value):
        raise SourceError(too_deep(_line_of_depth(text)))
    return value


def _decoded(text: str) -> Any:
    try:
        return _DECODER.decode(text.strip())
    except json.JSONDecodeError as error:
        raise JsonSyntaxError(_not_json(error, text)) from None
    except _DuplicateKeyError:
        try:  # what stands behind the first repeated key was not looked at yet
            json.loads(text.strip())
        except json.JSONDecodeError as error:
            raise JsonSyntaxError(_not_json(error, text)) from None
        except ValueError:  # a number of thousands of digits, which is told when the key is mended
            pass
        raise SourceError(*scan(text).duplicates) from None
    except _NumberError as error:
        number = str(error)
        raise SourceError(unusable_number(number, text.count("\n", 0, _find_number(text, number)) + 1)) from None


def _find_number(text: str, number: str) -> int:
    """The position of a number outside strings."""
    return next((match.start() for match in _TOKEN.finditer(text) if match.group() == number), 0)


def _not_json(error: json.JSONDecodeError, text: str) -> Problem:
    skipped = len(text) - len(text.lstrip())  # the decoder saw the text without the white space before it
    line = text.count("\n", 0, skipped) + error.lineno
    what = "it ends too early" if error.pos >= len(text.strip()) else error.msg[0].lower() + error.msg[1:]
    return Problem(
        code="syntax",
        line=line,
        message=f"this is not valid JSON: {what} (column {error.colno}).",
        hint="Look at this line and the one before it.",
    )


def _is_too_deep(value: Any) -> bool:
    """Whether a value nests deeper than `MAX_DEPTH`: looked at level by level, so that other threads may run."""
    level: list[Any] = [[value]]
    for _ in range(MAX_DEPTH + 1):
        level = [
            part
            for whole in level
            for part in (whole.values() if type(whole) is dict else whole)
            if type(part) in _CONTAINERS
        ]
        if not level:
            return False
    return True


def _line_of_depth(text: str) -> int:
    depth, line = 0, 1
    for match in _TOKEN.finditer(text):
        token = match.group()
        depth += _STEP.get(token, 0)
        if depth > MAX_DEPTH:
            break
        line += token.count("\n")
    return line


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    mapping = dict(pairs)
    if len(mapping) < len(pairs):
        raise _DuplicateKeyError
    return mapping


def _float(text: str) -> float:
    number = float(text)
    if not math.isfinite(number):
        raise _NumberError(text)
    return number


def _int(text: str) -> int:
    try:
        return int(text)
    except ValueError:  # Python refuses thousands of digits
        raise _NumberError(text) from None


def _constant(text: str) -> NoReturn:
    raise _NumberError(text)


_DECODER: Final = json.JSONDecoder(
    object_pairs_hook=_unique, parse_float=_float, parse_int=_int, parse_constant=_constant
)


@dataclass(slots=True)
class Scan:
    """The lines of valid JSON text: of each part by its path (of its key, inside a mapping), and repeated keys."""

    lines: dict[Path, int] = field(default_factory=dict)
    duplicates: list[Problem] = field(default_factory=list)


def scan(text: str) -> Scan:
    """The lines of the parts of text that is known to be JSON."""
    found = Scan()
    path: list[str | int] = []
    keys: list[dict[str, int]] = []  # of each open mapping, so that equal keys of different mappings are told apart
    line, is_key = 1, False
    for match in _TOKEN.finditer(text):
        token = match.group()
        if token == "\n":
            line += 1
        elif token in ("{", "["):
            found.lines.setdefault(tuple(path), line)
            is_key = token == "{"
            path.append("" if is_key else 0)
            keys.append({})
        elif token in ("}", "]"):
            path.pop()
            keys.pop()
        elif token == ",":
            last = path[-1]
            is_key = isinstance(last, str)
            path[-1] = last + 1 if isinstance(last, int) else ""
        elif token == ":":
            is_key = False
        elif is_key:
            path[-1] = key = json.loads(token)
            found.lines.setdefault(tuple(path), line)
            if key in keys[-1] and len(found.duplicates) < MAX_PROBLEMS:
                found.duplicates.append(duplicate_key(key, line, keys[-1][key]))
            keys[-1].setdefault(key, line)
        else:
            found.lines.setdefault(tuple(path), line)
    return found
