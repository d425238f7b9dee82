"""Every error Starloom raises on purpose. Each says what, where and what to do; none needs a traceback to be read."""

from __future__ import annotations

import difflib
from collections import Counter
from functools import lru_cache
from itertools import islice
from typing import TYPE_CHECKING, Any, Final

import msgspec
from typing_extensions import override

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

MOST_OF_A_KIND: Final = 20
"""Problems of one kind that a text lists; how many more there are is counted."""


class Problem(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True, forbid_unknown_fields=True):
    """One thing that is wrong with a plan, a file or an edit."""

    message: str
    """What is wrong, as a sentence."""
    hint: str = ""
    """What to do about it."""
    where: str = ""
    """The place in the value, e.g. `tasks.build.timeout`."""
    line: int | None = None
    """The line in the file, counted from 1."""
    code: str = ""
    """For programs."""
    task_id: str | None = None
    follows_from: int | None = None
    """The position of the bad edit that this one only follows from."""

    @override
    def __str__(self) -> str:
        """The problem in one line, without the file's name."""
        place = f"line {self.line}: " if self.line is not None else ""
        where = f"{self.where}: " if self.where else ""
        hint = f" {self.hint}" if self.hint else ""
        return f"{place}{where}{self.message}{hint}"


class StarloomError(Exception):
    """The base class of all errors of Starloom."""


class PlanError(StarloomError):
    """A plan cannot be used; `problems` has all that is wrong with it, the text the first ones of each kind."""

    def __init__(self, problems: Sequence[Problem], source: str = "") -> None:
        self.problems = tuple(problems)
        self.source = source
        prefix = f"{source}: " if source else ""
        super().__init__("\n".join(f"{prefix}{line}" for line in _first_of_each_kind(self.problems)))


def _first_of_each_kind(problems: Iterable[Problem]) -> Iterator[str]:
    """The problems as lines, up to `MOST_OF_A_KIND` with one code, and the number of further ones of each."""
    many = Counter[str]()
    for problem in problems:
        many[problem.code] += 1
        if many[problem.code] <= MOST_OF_A_KIND:
            yield str(problem)
    for code, count in many.items():
        if count > MOST_OF_A_KIND:
            more = count - MOST_OF_A_KIND
            what = code.replace("_", " ") or "other"
            yield f"and {more:,} more problem{'' if more == 1 else 's'} of the kind “{what}”."


class SettingsError(StarloomError):
    """A setting has a value that cannot be used."""


class CommandRefused(StarloomError):  # noqa: N818 - part of the published API
    """A command was not carried out and left no trace."""

    def __init__(self, code: str, reason: str, hint: str = "") -> None:
        self.code = code
        self.reason = reason
        self.hint = hint
        super().__init__(f"{reason} {hint}".strip())


class EditRefused(CommandRefused):
    """A batch of edits was not applied; `problems` lists every bad edit of it."""

    def __init__(self, problems: Sequence[Problem]) -> None:
        self.problems = tuple(problems)
        first = self.problems[0]
        rest = f" (and {len(self.problems) - 1} more)" if len(self.problems) > 1 else ""
        super().__init__(first.code or "edit_refused", f"{first.message}{rest}", first.hint)


class QueueFull(CommandRefused):
    """The queue holds as many waiting tasks as `max_queue` allows."""

    def __init__(self, current: int, maximum: int) -> None:
        self.current = current
        self.maximum = maximum
        super().__init__(
            "queue_full",
            f"The queue is full ({current}/{maximum}).",
            "Try again when tasks have started, or raise max_queue.",
        )

    @override
    def __reduce__(self) -> tuple[Any, ...]:
        """Copies and pickles with its own two arguments."""
        return QueueFull, (self.current, self.maximum)


class AgentError(StarloomError):
    """An agent cannot be made, or could not answer; the sentence says which and why."""


class DeviceError(StarloomError):
    """A device cannot be made, reached or used; the sentence says which and why."""


class DeviceRefused(DeviceError):  # noqa: N818 - says what is wrong, like the other errors people meet
    """A device was reached and cannot be used until a person has done something about it; the sentence says what.

    An unknown or changed host key, a login or key that is not accepted: trying again soon would change nothing.
    """


def nearest(word: str, known: Iterable[str]) -> str | None:
    """The known word that looks most like `word`, if any is close."""
    return _nearest(word, tuple(islice(known, 5000)))


@lru_cache(maxsize=64)
def _nearest(word: str, known: tuple[str, ...]) -> str | None:
    """Remembered, as a file with one mistake in each of its tasks asks the same thousands of times."""
    matches = difflib.get_close_matches(word, known, n=1, cutoff=0.6)
    return matches[0] if matches else None
