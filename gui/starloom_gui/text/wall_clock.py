"""By which clock times are shown: that on the wall here, or UTC. One choice for the whole program, as its language."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from datetime import tzinfo

_LAST: Final = 32_503_680_000.0
"""The year 3000; not every calendar goes on for much longer."""


class _Choice:
    """What was chosen last."""

    is_utc = False


def show_utc(utc: bool) -> None:
    """Show times of UTC from now on, or those here; whatever is shown has to be drawn anew."""
    _Choice.is_utc = utc


def zone() -> tzinfo | None:
    """Where the clock hangs; None: here."""
    return UTC if _Choice.is_utc else None


def shown(wall: float) -> datetime:
    """Seconds since 1970 as the clock shows them; the nearest moment it can show where there is no such one."""
    return datetime.fromtimestamp(min(max(wall, 0.0), _LAST), UTC).astimezone(zone())


def marked(text: str) -> str:
    """A time with its clock, where that is not the one on the wall: `14:02 UTC`; nothing stays nothing."""
    return f"{text} UTC" if text and _Choice.is_utc else text
