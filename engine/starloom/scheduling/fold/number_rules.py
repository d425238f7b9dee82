"""Range checks for numbers in a stream: each returns the problem as a half sentence, or nothing."""

from __future__ import annotations

from typing import Final

LAST_WALL: Final = 253_000_000_000.0
"""Seconds since 1970 that a calendar still has a date for, with room for a run of some years."""
LONGEST: Final = 1e11
"""Seconds that no clock of an engine and no waiting time exceeds."""
MOST: Final = 2**53
"""Of anything that is counted: every program reads such a number exactly."""


def within(number: int | None, least: int, most: int, what: str) -> str:
    """Check that a count, if there is one, lies between two bounds."""
    return "" if number is None or least <= number <= most else f"{what} is {number}"


def is_wall(wall: float) -> str:
    """Whether a number is seconds since 1970 within the calendar."""
    return "" if 0 <= wall <= LAST_WALL else f"the time of day is {wall} seconds after 1970"


def is_span(seconds: float, what: str) -> str:
    """Whether a number is a plausible span in seconds."""
    return "" if 0 <= seconds <= LONGEST else f"{what} is {seconds} seconds"
