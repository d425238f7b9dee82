"""The engine's clock as wall time: each program that ran the run has noted when it took it up. No Qt here."""

from __future__ import annotations

import math
from bisect import bisect_right
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Final

from starloom.model.quantities import truncated
from starloom_gui.text import wall_clock

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import tzinfo

_COARSE: Final = 600.0
"""Seconds between ticks from which on seconds are not told: "+0:01 h" of a minute would be read as hours."""


class WallTime:
    """Wall time of any moment on the engine's clock.

    The engine's clock stands still between two programs, wall time does not: it jumps where a session begins.

    Args:
        sessions: when each program took the run up, on the engine's clock and in seconds since 1970, in order; empty:
            the engine's clock is taken for wall time.
        zone: where the clock hangs; None: where the user wants it.
        is_relative: no wall time is known, as nobody has started the run: times are told from its start.
    """

    def __init__(
        self, sessions: Sequence[tuple[float, float]], zone: tzinfo | None = None, *, is_relative: bool = False
    ) -> None:
        self.is_relative = is_relative
        self._sessions = tuple(sessions) or ((0.0, 0.0),)
        self._begins = [at for at, _ in self._sessions]
        self._zone = UTC if is_relative else zone

    @property
    def jumps(self) -> tuple[float, ...]:
        """The moments at which wall time jumps: the beginnings of later sessions, on the engine's clock."""
        return tuple(self._begins[1:])

    def at(self, moment: float) -> datetime:
        """The local time of a moment, clamped to the range of the calendar."""
        return self.local(moment + self.ahead(moment))

    def text(self, moment: float) -> str:
        """The time of a moment, to the second: `14:02:07`, or from the start `+0:10:00`."""
        return elapsed_text(moment, 1.0) if self.is_relative else f"{self.at(moment):%H:%M:%S}"

    def ahead(self, moment: float) -> float:
        """The seconds by which wall time is ahead of the engine's clock at a moment."""
        session = max(0, bisect_right(self._begins, moment) - 1)
        at, wall = self._sessions[session]
        return wall - at

    def local(self, wall: float) -> datetime:
        """Seconds since 1970 as local time."""
        bounded = min(max(wall, 0.0), 32_503_680_000.0)
        return datetime.fromtimestamp(bounded, UTC).astimezone(self._zone or wall_clock.zone())


def elapsed_text(seconds: float, step: float) -> str:
    """Time since the start as precisely as ticks that far apart need it: `+1:20 h`, `+0:01:00` or `+1:20:05.25`.

    Args:
        seconds: since the run's start; negative: before it.
        step: seconds between two ticks.
    """
    digits = fraction_digits(step)
    units = round(truncated(abs(seconds), digits) * 10**digits)
    whole, fraction = divmod(units, 10**digits)
    text = f"{'-' if seconds < 0 and units else '+'}{whole // 3600}:{whole // 60 % 60:02}"
    if step >= _COARSE:
        return f"{text} h"  # "+0:12" beside "Takes 12:31" would be read as seconds
    return f"{text}:{whole % 60:02}" + (f".{fraction:0{digits}}" if digits else "")


def fraction_digits(step: float) -> int:
    """The digits of a second that tell times so many seconds apart from each other, four at most."""
    return max(0, min(4, math.ceil(-math.log10(step) - 1e-9)))
