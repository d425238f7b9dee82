"""Safe text for reports: what tasks print and people name must not steer the program that shows the report."""

from __future__ import annotations

import re
from collections import Counter
from datetime import UTC, datetime
from functools import partial
from itertools import pairwise
from os.path import commonprefix
from typing import TYPE_CHECKING, Final

from starloom.model.quantities import truncated

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from datetime import tzinfo

    from starloom.model.result import Result

_ESCAPES: Final = re.compile(
    r"\x1b\[[0-?]*[ -/]*[@-~]|\x1b[\]PX^_][^\x07\x1b]*(?:\x07|\x1b\\)?|\x9b[0-?]*[ -/]*[@-~]|\x1b."
)
_UNSAFE: Final = re.compile(
    r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069\ufeff\ufff9-\ufffb\ufffe\uffff\ufdd0-\ufdef"
    r"\ud800-\udfff]|[\U0001fffe\U0001ffff]"
)
_SURROGATES: Final = re.compile(r"[\ud800-\udfff]")
_DAY: Final = 86_400


def clean(text: str) -> str:
    """The text without characters that documents cannot hold or that turn its direction; line breaks and tabs stay."""
    return _UNSAFE.sub("", _ESCAPES.sub("", text))


def sound(text: str) -> str:
    """The text with lone surrogates replaced, so that it can be encoded."""
    return _SURROGATES.sub("\ufffd", text)


def one_line(text: str, longest: int = 500) -> str:
    """The clean text on one line, cut after so many characters."""
    line = " ".join(clean(text[: 4 * longest]).split())
    return line if len(line) <= longest else f"{line[: longest - 1]}…"


def middle(text: str, longest: int) -> str:
    """The text with its middle left out beyond so many characters, as names differ at both ends."""
    if len(text) <= longest:
        return text
    left = longest // 2
    return f"{text[:left]}…{text[len(text) - (longest - left - 1) :]}"


def told_apart(names: Sequence[str], longest: int) -> list[str]:
    """Names shortened to so many characters, at least 3, that stay distinct where possible.

    Args:
        names: as they are; equal ones stay equal.
        longest: characters.
    """
    different = sorted(set(names))
    shared = [0, *(len(commonprefix(pair)) for pair in pairwise(different)), 0]  # noqa: RUF071 - letters, no paths
    begins = {name: max(shared[place], shared[place + 1]) for place, name in enumerate(different)}
    short: dict[str, str] = {name: name for name in different if len(name) <= longest}
    taken = Counter(short.values())
    around: list[Callable[[str, int, int], str]] = [partial(_around_difference, before) for before in range(1, 7)]
    for way in (_without_middle, _without_begin, *around):
        left = {name: way(name, begins[name], longest) for name in different if name not in short}
        many = Counter(left.values()) + taken
        alone = {name: told for name, told in left.items() if many[told] == 1}
        short |= alone
        taken.update(alone.values())
    return [short.get(name) or middle(name, longest) for name in names]


def _without_middle(name: str, _: int, longest: int) -> str:
    return middle(name, longest)


def _without_begin(name: str, _: int, longest: int) -> str:
    return f"…{name[len(name) - longest + 1 :]}"


def _around_difference(before: int, name: str, differs: int, longest: int) -> str:
    """A part of the name with what it differs by from those it is sorted between, and so many characters before it."""
    begin = max(0, min(differs - before, len(name) - longest + 1))
    shown = name[begin : begin + longest - 2]
    return f"{'…' if begin else ''}{shown}…"


def tail(output: str, lines: int, longest: int = 400) -> str:
    """The last non-blank lines, each as a terminal would finally show it."""
    shown = [clean(line.rstrip("\r").rpartition("\r")[2]).rstrip() for line in output[-64_000:].split("\n")]
    last = [line for line in shown if line][-lines:]
    return "\n".join(line if len(line) <= longest else f"{line[:longest]} …" for line in last)


def last_line(result: Result | None, longest: int) -> str:
    """The last non-blank line of an attempt's output, as a terminal would finally show it; or nothing."""
    lines = tail(result.output, 1) if result is not None and result.output else ""
    return one_line(lines, longest)


def took(seconds: float) -> str:
    """A duration for people, cut off as a clock does: 0.42 s, 8.1 s, 8:04, 1:08:04, 2 d 1:08:04."""
    whole = int(truncated(seconds))
    if whole < 10:
        digits = 1 if whole else 2
        return f"{truncated(seconds, digits):.{digits}f} s"
    days, rest = divmod(whole, _DAY)
    hours, minutes, left = rest // 3600, rest % 3600 // 60, rest % 60
    clock = f"{hours}:{minutes:02}:{left:02}" if hours or days else f"{minutes}:{left:02}"
    return f"{days} d {clock}" if days else clock


def when(wall: float, zone: tzinfo = UTC) -> datetime:
    """The time of that zone for seconds since 1970; the nearest one within the calendar."""
    return datetime.fromtimestamp(min(max(wall, 0.0), 253_000_000_000.0), UTC).astimezone(zone)


def here() -> tzinfo:
    """The present time zone of this computer."""
    return datetime.now(tz=UTC).astimezone().tzinfo or UTC


def cycle_counts(total: int, completed: int, timeout: int) -> str:
    """The statistics of edit cycles in words.

    Args:
        total: how many ended tasks were handed to agents.
        completed: how many of them were answered.
        timeout: how many were given up by timeout.
    """
    return f"{count(total, 'ended task')} handed to agents, {completed:,} answered, {timeout:,} timed out"


def count(number: int, word: str, many: str = "") -> str:
    """A count with its noun: `1 task`, `1,204 tasks`.

    Args:
        number: how many.
        word: what one is called.
        many: what several are called; empty: as one, with an s.
    """
    return f"{number:,} {word if number == 1 else many or f'{word}s'}"
