"""The time zone of displayed times: local, or UTC. One choice for the whole program, as its language."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from datetime import tzinfo

_LAST: Final = 32_503_680_000.0
"""The year 3000; not every calendar goes on for much longer."""


class _Choice:
    """The present choice."""

    is_utc = False


def show_utc(utc: bool) -> None:
    """Choose UTC or local time; what is already shown has to be updated."""
    _Choice.is_utc = utc


def zone() -> tzinfo | None:
    """The time zone; None: the local one."""
    return UTC if _Choice.is_utc else None


def shown(wall: float) -> datetime:
    """The date and time of seconds since 1970 in the chosen zone; the nearest that can be represented."""
    return datetime.fromtimestamp(min(max(wall, 0.0), _LAST), UTC).astimezone(zone())


def marked(text: str) -> str:
    """A time with its zone, where that is not the local one: `14:02 UTC`; an empty text stays empty."""
    return f"{text} UTC" if text and _Choice.is_utc else text
