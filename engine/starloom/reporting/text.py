"""Text as a reader may see it: what tasks print and people name things must not steer whatever shows the report."""

from __future__ import annotations

import re
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from datetime import tzinfo

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
    """The text without what no document may hold or what turns its direction; line breaks and tabs stay."""
    return _UNSAFE.sub("", _ESCAPES.sub("", text))


def sound(text: str) -> str:
    """The text as it is, but such that it can be encoded."""
    return _SURROGATES.sub("\ufffd", text)


def one_line(text: str, longest: int = 500) -> str:
    """The clean text on one line, its end cut off beyond so many characters."""
    line = " ".join(clean(text[: 4 * longest]).split())
    return line if len(line) <= longest else f"{line[: longest - 1]}…"


def middle(text: str, longest: int) -> str:
    """The text with its middle left out beyond so many characters, as names are told apart by both ends."""
    if len(text) <= longest:
        return text
    left = longest // 2
    return f"{text[:left]}…{text[len(text) - (longest - left - 1) :]}"


def tail(output: str, lines: int, longest: int = 400) -> str:
    """The last lines that hold anything, each as a terminal would finally show it."""
    shown = [clean(line.rstrip("\r").rpartition("\r")[2]).rstrip() for line in output[-64_000:].split("\n")]
    last = [line for line in shown if line][-lines:]
    return "\n".join(line if len(line) <= longest else f"{line[:longest]} …" for line in last)


def took(seconds: float) -> str:
    """A duration as people read it: 0.42 s, 8.1 s, 8:04, 1:08:04, 2 d 1:08:04."""
    if seconds < 9.95:
        return f"{seconds:.2f} s" if seconds < 0.995 else f"{seconds:.1f} s"
    whole = round(seconds)
    days, rest = divmod(whole, _DAY)
    hours, minutes, left = rest // 3600, rest % 3600 // 60, rest % 60
    clock = f"{hours}:{minutes:02}:{left:02}" if hours or days else f"{minutes}:{left:02}"
    return f"{days} d {clock}" if days else clock


def when(wall: float, zone: tzinfo = UTC) -> datetime:
    """Seconds since 1970 as a time of that zone; the nearest one there is, should it be beyond the calendar."""
    return datetime.fromtimestamp(min(max(wall, 0.0), 253_000_000_000.0), UTC).astimezone(zone)


def here() -> tzinfo:
    """The time zone of this computer, as it is now."""
    return datetime.now(tz=UTC).astimezone().tzinfo or UTC


def count(number: int, word: str) -> str:
    """How many of something: `1 task`, `1,204 tasks`."""
    return f"{number:,} {word}{'' if number == 1 else 's'}"
