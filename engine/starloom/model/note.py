"""A note: a text beside the tasks of a plan for its readers. It has no effect on a run."""

from __future__ import annotations

from typing import Annotated, Final

from pydantic import AfterValidator, Field
from pydantic.dataclasses import dataclass

from starloom.model.task import CONFIG, Identifier

MOST_NOTES: Final = 200
LONGEST_NOTE: Final = 2_000
NARROWEST: Final = 96.0
WIDEST: Final = 960.0
_FARTHEST: Final = 1e6


_TURNING: Final = frozenset("\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")


def cleaned(text: str) -> str:
    """The text without what a note may not hold."""
    return "".join(one for one in text if (one >= " " or one in "\n\t") and one != "\x7f" and one not in _TURNING)


def _plain(text: str) -> str:
    """Text that is only what it looks like: what turns the direction of writing round could show something else."""
    if not text.strip():
        raise ValueError("a note must not be empty; remove it instead.")
    if cleaned(text) != text:
        raise ValueError("a note must not hold control characters other than line breaks and tabs; remove them.")
    return text


_Distance = Annotated[float, Field(ge=-_FARTHEST, le=_FARTHEST, allow_inf_nan=False)]


@dataclass(frozen=True, slots=True, kw_only=True, config=CONFIG)
class Note:
    """Text beside tasks. It stays with its task wherever that stands."""

    text: Annotated[str, Field(min_length=1, max_length=LONGEST_NOTE), AfterValidator(_plain)]
    """Plain text; lines break where it says so and where they are too long."""
    x: _Distance = 0.0
    """From the middle of its task to its left side; of a note without a task, or whose task is gone, its place."""
    y: _Distance = 0.0
    """Likewise down to its upper side."""
    width: Annotated[float, Field(ge=NARROWEST, le=WIDEST, allow_inf_nan=False)] = 192.0
    """How wide it is; it is as high as its text."""
    task: Identifier | None = None
    """The task it stays with."""
