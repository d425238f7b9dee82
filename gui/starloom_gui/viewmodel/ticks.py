"""The ticks of the time axis and their labels; steps are those of a clock. No Qt here."""

from __future__ import annotations

import math
from bisect import bisect_left
from itertools import pairwise
from typing import TYPE_CHECKING, Final, NamedTuple

from starloom_gui.viewmodel.wall_time import elapsed_text, fraction_digits

if TYPE_CHECKING:
    from collections.abc import Iterator
    from datetime import datetime

    from starloom_gui.viewmodel.span import Span
    from starloom_gui.viewmodel.wall_time import WallTime

MINUTE: Final = 60.0
HOUR: Final = 3600.0
DAY: Final = 86_400.0
STEPS: Final = (
    *(digit * 10.0**power for power in range(-4, 0) for digit in (1, 2, 5)),
    *(1.0, 2.0, 5.0, 10.0, 15.0, 30.0),
    *(MINUTE * count for count in (1, 2, 5, 10, 15, 30)),
    *(HOUR * count for count in (1, 2, 3, 6, 12)),
    *(DAY * count for count in (1, 2, 7, 14, 28, 91, 182, 364, 3640, 36_400)),
)
APART: Final = 64.0
"""Pixels between two labels at least; those with seconds or a fraction need more."""
_APART_FINE: Final = 84.0


class Tick(NamedTuple):
    """A tick of the time axis.

    Attributes:
        at: on the engine's clock.
        text: empty where wall time jumps.
    """

    at: float
    text: str


def step_of(per_px: float) -> float:
    """Seconds between two ticks, so that labels do not touch."""
    for index in range(bisect_left(STEPS, per_px * APART), len(STEPS)):
        step = STEPS[index]
        if step / per_px >= (APART if step >= MINUTE else _APART_FINE):
            return step
    return STEPS[-1]


def ticks(span: Span, width: float, wall: WallTime) -> list[Tick]:
    """The visible ticks, in order, at round local times; a jump of wall time starts them over.

    Args:
        span: what is shown.
        width: logical pixels.
        wall: which time of day a moment was.
    """
    step = step_of(span.per_px)
    first, last = span.left, span.time_at(width)
    edges = [first, *(at for at in wall.jumps if first < at < last), last]
    return [tick for begin, end in pairwise(edges) for tick in _within(begin, end, step, wall)]


def _within(begin: float, end: float, step: float, wall: WallTime) -> Iterator[Tick]:
    ahead = wall.ahead(begin)
    offset = wall.local(begin + ahead).utcoffset()
    shift = ahead + (offset.total_seconds() if offset is not None else 0.0)
    for count in range(math.ceil((begin + shift) / step), math.floor((end + shift) / step) + 1):
        at = count * step - shift
        text = elapsed_text(at, step) if wall.is_relative else clock_text(wall.local(at + ahead), step)
        yield Tick(at, text)


def clock_text(moment: datetime, step: float) -> str:
    """A local time as precisely as ticks that far apart need it; midnight is called by its date.

    Args:
        moment: a local time.
        step: seconds between two ticks.
    """
    if step >= DAY or (step >= MINUTE and moment.hour == moment.minute == 0):
        return f"{moment.day} {moment:%b}" if step < 364 * DAY else f"{moment:%Y}"
    if step >= MINUTE:
        return f"{moment:%H:%M}"
    if step >= 1:
        return f"{moment:%H:%M:%S}"
    return f"{moment:%H:%M:%S}.{moment.microsecond:06d}"[: 9 + fraction_digits(step)]
