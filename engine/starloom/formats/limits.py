"""The size limits of files, and the error that the text readers share."""

from __future__ import annotations

from typing import Final

from starloom.errors import Problem

MAX_BYTES: Final = 50_000_000
MAX_DEPTH: Final = 100
MAX_PROBLEMS: Final = 100
"""So many problems of the text itself are listed; a text with more is hardly the intended file."""

Path = tuple[str | int, ...]
"""Keys and positions from the whole value down to a part of it."""


class SourceError(Exception):
    """Text cannot be turned into a value; never leaves this package."""

    def __init__(self, *problems: Problem) -> None:
        super().__init__(*problems)
        self.problems = problems


def too_deep(line: int | None) -> Problem:
    """The problem of text that nests deeper than allowed."""
    return Problem(
        code="too_deep",
        line=line,
        message=f"the file nests deeper than {MAX_DEPTH} levels.",
        hint="Flatten it; plans need only a few levels.",
    )


def duplicate_key(key: str, line: int, first: int) -> Problem:
    """The problem of a key that a mapping holds twice."""
    return Problem(
        code="duplicate_key",
        line=line,
        message=f"the key {key!r} appears twice in the same mapping; it is on line {first} already.",
        hint="Keep one of the two.",
    )


def unusable_number(text: str, line: int | None) -> Problem:
    """The problem of a number that is infinite, NaN, or too long."""
    shown = text if len(text) <= 30 else f"{text[:27]}…"
    return Problem(
        code="number",
        line=line,
        message=f"{shown} is not a number that can be used.",
        hint="Write a finite number, or put it in quotes if it is text.",
    )
