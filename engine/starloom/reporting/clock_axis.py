"""The time axis of a run: round times of day, and the breaks in which no program ran the run.

The run's own time stands still between two programs, and the time of day does not: it jumps there, and the round times
begin anew.
"""

from __future__ import annotations

from datetime import timedelta
from itertools import pairwise
from typing import TYPE_CHECKING, Final, NamedTuple

from starloom.reporting.marks import LETTER, el, number, words
from starloom.reporting.text import took, when

if TYPE_CHECKING:
    from collections.abc import Iterator
    from datetime import tzinfo

    from starloom.reporting.report import Report

_SECONDS: Final = (0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 15, 30)
_MINUTES: Final = (1, 2, 5, 10, 15, 30, 60, 120, 180, 360, 720, 1_440, 2_880, 10_080, 43_200, 525_600)
_STEPS: Final = (*_SECONDS, *(60.0 * minutes for minutes in _MINUTES))
_APART: Final = 80.0
"""Pixels between two round times, at least."""
_AWAY: Final = 0.5
"""Seconds away that are a break."""


class AxisTick(NamedTuple):
    """A tick of the axis.

    Attributes:
        at: seconds of the run.
        text: the time of day, or for how long no program ran the run; empty: there is no room for it.
        is_break: whether no program ran the run there.
    """

    at: float
    text: str
    is_break: bool = False


def axis(report: Report, zone: tzinfo, wide: float) -> list[AxisTick]:
    """The ticks of the axis, by time. Breaks come before round times that would cover them.

    Args:
        report: whose time it is.
        zone: whose clock it is.
        wide: pixels of the run's whole time.
    """
    scale = wide / max(report.seconds, 1e-9)
    found: list[AxisTick] = []
    for mark in (*_breaks(report), *_round_times(report, zone, wide / _APART)):
        is_free = all(abs(mark.at - one.at) * scale >= _room(mark.text, one.text) for one in found if one.text)
        if is_free:
            found.append(mark)
        elif mark.is_break:
            found.append(mark._replace(text=""))
    return sorted(found)


def drawn(mark: AxisTick, x: float, top: float, bottom: float, text_y: float, width: float) -> Iterator[str]:
    """A tick as a line from top to bottom and its text, in pixels, within a drawing of that width."""
    kind = "level" if mark.is_break else "rule"
    told = el("title", f"No program ran the run for {mark.text[3:]}") if mark.is_break and mark.text else None
    yield el("path", told, d=f"M{number(x)},{number(top)} V{number(bottom)}", class_=kind)
    if mark.text:
        yield words(x, text_y, mark.text, "muted mid" if x < width - 24 else "muted end")


def _room(one: str, other: str) -> float:
    """Pixels from the middle of one text to that of another, at least."""
    return LETTER * ((len(one) + len(other)) / 2 + 1)


def _breaks(report: Report) -> Iterator[AxisTick]:
    for before, session in pairwise(report.sessions):
        away = round(session.wall - (before.wall + session.at - before.at), 3)
        if away >= _AWAY and 0 < session.at < report.seconds:
            yield AxisTick(session.at, f"// {took(away)}", is_break=True)


def _round_times(report: Report, zone: tzinfo, most: float) -> Iterator[AxisTick]:
    """Up to so many round moments of the run with their names: times of day, or else seconds since its start."""
    step = next((one for one in _STEPS if report.seconds / one <= most), _STEPS[-1])
    if step < 1:
        digits = 3 if step < 0.01 else 2 if step < 0.1 else 1
        yield from (AxisTick(step * n, f"{step * n:.{digits}f} s") for n in range(int(report.seconds / step) + 1))
        return
    later = (session.at for session in report.sessions[1:] if 0 < session.at < report.seconds)
    for begin, end in pairwise((0.0, *later, report.seconds)):
        yield from _within(report, zone, step, begin, end)


def _within(report: Report, zone: tzinfo, step: float, begin: float, end: float) -> Iterator[AxisTick]:
    """The round times while one program ran the run."""
    since = when(report.wall(begin), zone)
    midnight = since.replace(hour=0, minute=0, second=0, microsecond=0)
    passed = (since - midnight).total_seconds()
    first = -(-passed // step) * step - passed
    form = "%H:%M:%S" if step < 60 else "%H:%M" if step < 86_400 else "%d %b"
    for n in range(int(max(0.0, end - begin - first) / step) + 1):
        by = first + step * n
        if begin + by <= end:
            yield AxisTick(begin + by, f"{since + timedelta(seconds=by):{form}}")
