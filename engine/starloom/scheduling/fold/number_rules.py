"""Numbers that a stream may hold: each of these returns what is wrong with one as a half sentence, or nothing."""

from __future__ import annotations

from typing import Final

LAST_WALL: Final = 253_000_000_000.0
"""Seconds since 1970 that a calendar still has a date for, with room for a run of some years."""
LONGEST: Final = 1e11
"""Seconds that no clock of an engine and no waiting time exceeds."""
MOST: Final = 2**53
"""Of anything that is counted: every program reads such a number exactly."""


def within(number: int | None, least: int, most: int, what: str) -> str:
    """Whether a count, if there is one, lies between two others."""
    return "" if number is None or least <= number <= most else f"{what} is {number}"


def is_wall(wall: float) -> str:
    """Whether a calendar has a date for so many seconds since 1970."""
    return "" if 0 <= wall <= LAST_WALL else f"the time of day is {wall} seconds after 1970"


def is_span(seconds: float, what: str) -> str:
    """Whether somebody may have waited so many seconds."""
    return "" if 0 <= seconds <= LONGEST else f"{what} is {seconds} seconds"
