"""Quantities as people write them in plans, and read them: durations (`1h30m`) and priorities (`high`)."""

from __future__ import annotations

import math
import re
from functools import lru_cache
from typing import TYPE_CHECKING, Annotated, Any, Final, NoReturn

from pydantic import BeforeValidator

if TYPE_CHECKING:
    from collections.abc import Mapping

_UNITS: Final[Mapping[str, float]] = {"ms": 0.001, "s": 1.0, "m": 60.0, "min": 60.0, "h": 3600.0, "d": 86400.0}
_NOISE: Final = 1e-6
"""What sums of floats may lack: 0.1 + 0.7 seconds are 0.8."""
_PART = re.compile(r"(\d+(?:\.\d+)?)\s*(ms|min|s|m|h|d)")
_WHOLE = re.compile(r"\s*(?:\d+(?:\.\d+)?\s*(?:ms|min|s|m|h|d)\s*)+")

LONGEST_DURATION: Final = 1e10
"""Seconds, some 300 years: sums of many durations stay finite numbers."""

PRIORITY_NAMES: Final[Mapping[str, int]] = {"critical": 100, "high": 80, "normal": 50, "low": 20, "background": 0}
NORMAL_PRIORITY: Final = PRIORITY_NAMES["normal"]


def parse_duration(value: Any) -> float:
    """Seconds from `90`, `90s`, `10m`, `1h30m`, `250ms`.

    Raises:
        ValueError: it is none of these, negative or not finite.
    """
    if isinstance(value, str):
        try:
            value = _seconds(value.strip())
        except ValueError:
            _not_a_duration(value)
    if isinstance(value, bool) or not isinstance(value, int | float):
        _not_a_duration(value)
    if not 0 <= value <= LONGEST_DURATION:  # false for NaN too
        shown = value if isinstance(value, float) or abs(value) < 10**20 else "a number that long"
        raise ValueError(
            f"a duration cannot be {shown}; it is 0 to {LONGEST_DURATION:.0f} seconds, e.g. 90s, 10m, 1h30m"
        )
    return float(value)


@lru_cache(maxsize=1_000)  # a large plan says the same few durations over and over
def _seconds(text: str) -> float:
    is_with_units = _WHOLE.fullmatch(text) is not None
    return sum(float(n) * _UNITS[unit] for n, unit in _PART.findall(text)) if is_with_units else float(text)


def _not_a_duration(value: object) -> NoReturn:
    raise ValueError(f"{str(value)[:100]!r} is not a duration; write seconds (90) or 90s, 10m, 1h30m")


def format_duration(seconds: float) -> str:
    """The shortest text that `parse_duration` reads back as the same number of seconds.

    >>> format_duration(5400)
    '1h30m'
    >>> format_duration(0.25)
    '0.25s'
    """
    if seconds != int(seconds) or seconds < 60:
        return f"{seconds:g}s" if float(f"{seconds:g}") == seconds and "e" not in f"{seconds:g}" else f"{seconds!r}s"
    minutes, rest = divmod(int(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return "".join(f"{n}{u}" for n, u in ((hours, "h"), (minutes, "m"), (rest, "s")) if n)


def truncated(seconds: float, digits: int = 0) -> float:
    """A duration as people are shown it everywhere: with so many digits, the others cut off as by a clock.

    >>> truncated(79.7)
    79.0
    """
    scale = 10.0**digits
    return math.floor(seconds * scale + _NOISE) / scale


def parse_priority(value: Any) -> int:
    """A priority of 0 to 100 from a number or a name; numbers beyond are clamped, as the seeds do.

    Raises:
        ValueError: it is neither a whole number nor one of the five names.
    """
    if isinstance(value, str):
        name = value.strip().lower()
        if name in PRIORITY_NAMES:
            return PRIORITY_NAMES[name]
        if not re.fullmatch(r"[+-]?\d+", name):
            raise ValueError(_no_priority(value))
        value = int(name)
    if isinstance(value, bool) or not isinstance(value, int):
        raise ValueError(f"{value!r} is not a priority; use a whole number from 0 to 100 or a name")  # noqa: TRY004 - pydantic reads ValueError
    return min(100, max(0, value))


def beyond_priorities(value: Any) -> str:
    """The error of a number that a person wrote as a priority; empty: it is within 0 to 100, or no number."""
    text = "" if isinstance(value, bool) else str(value).strip()
    is_within = re.fullmatch(r"[+-]?\d+", text) is None or re.fullmatch(r"\+?0*(\d\d?|100)|-0+", text) is not None
    return "" if is_within else _no_priority(value)


def _no_priority(value: Any) -> str:
    return f"{value!r:.40} is not a priority; use 0 to 100 or one of {', '.join(PRIORITY_NAMES)}"


def parse_patience(value: Any) -> float:
    """Seconds somebody is waited for, as `parse_duration` reads them.

    Raises:
        ValueError: it is no duration, or 0.
    """
    seconds = parse_duration(value)
    if not seconds:
        raise ValueError(f"nobody can be waited for {value!r}; write more than 0, for example 90s or 10m")
    return seconds


def parse_overdue_factor(value: Any) -> float:
    """The multiple of its estimate at which a task is overdue: 1 or more; 0 or `none`: never.

    Raises:
        ValueError: it is none of these.
    """
    try:
        text = value.strip().lower() if isinstance(value, str) else value
        factor = 0.0 if text == "none" else float(text) if not isinstance(text, bool) else -1.0
    except (TypeError, ValueError):
        factor = -1.0
    if not (factor == 0 or 1 <= factor <= LONGEST_DURATION):
        allowed = "write how many times its estimate a task may run, 1 or more, or none"
        raise ValueError(f"{str(value)[:100]!r} is no factor; {allowed}")
    return factor


Patience = Annotated[float, BeforeValidator(parse_patience)]
"""Seconds above 0; written as a `Duration`."""
OverdueFactor = Annotated[float, BeforeValidator(parse_overdue_factor)]
"""A number from 1 on, or 0; written as a number or `none`."""
Duration = Annotated[float, BeforeValidator(parse_duration)]
"""Seconds; written as a number or as `1h30m`."""

Priority = Annotated[int, BeforeValidator(parse_priority)]
"""0 (background) to 100 (critical); written as a number or a name."""
