"""Charts of the report's figures: running attempts, queued attempts, and the bar of outcomes."""

from __future__ import annotations

from datetime import UTC
from typing import TYPE_CHECKING, Final

from starloom.reporting import clock_axis
from starloom.reporting.marks import SvgDrawing, el, joined, number, words
from starloom.reporting.text import count
from starloom.reporting.timeline import WIDTH

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from datetime import tzinfo

    from starloom.reporting.report import Report

_LEFT: Final = 124.0
_HIGH: Final = 84.0
STATUSES: Final = (
    ("completed", "completed"),
    ("running", "running"),
    ("ready", "pending"),
    ("waiting", "waiting_dependency"),
    ("failed", "failed"),
    ("cancelled", "cancelled"),
    ("skipped", "skipped"),
)
"""The names in `Counts`, and the statuses they count, in the order of the bar."""


def at_once(report: Report, zone: tzinfo = UTC) -> SvgDrawing:
    """The chart of running attempts over the run's time, below the number of slots."""
    slots = [part.slots for part in report.load]
    most = max(slots, default=0.0)
    top = max(most, float(report.peak), 1.0)
    return _plot(report, zone, [part.running for part in report.load], top, slots if most else [])


def in_line(report: Report, zone: tzinfo = UTC) -> SvgDrawing:
    """The chart of queued attempts over the run's time."""
    values = [part.waiting for part in report.load]
    return _plot(report, zone, values, max([1.0, *values]), [])


def _plot(report: Report, zone: tzinfo, values: Sequence[float], top: float, slots: Sequence[float]) -> SvgDrawing:
    wide = WIDTH - _LEFT - 12
    y = [8 + _HIGH * (1 - min(1.0, value / top)) for value in values]
    x = [_LEFT + 4 + wide * place / max(1, len(values)) for place in range(len(values) + 1)]
    base = 8 + _HIGH
    parts = [words(_LEFT - 4, base, "0", "muted end")]
    most = max(slots, default=0.0)
    if not slots or abs(most - top) > 0.2 * top:  # else the two would cover each other
        parts.append(words(_LEFT - 4, 14, f"{top:,.0f}", "muted end"))
    breaks: list[str] = []
    for mark in clock_axis.axis(report, zone, wide):
        tick = _LEFT + 4 + wide * mark.at / max(report.seconds, 1e-9)
        into = breaks if mark.is_break else parts
        into += clock_axis.drawn(mark, tick, 8, base, base + 14, WIDTH)
    if y:
        line = " ".join(f"{number(x[n + end])},{number(y[n])}" for n in range(len(y)) for end in (0, 1))
        parts.append(
            el("path", d=f"M{number(x[0])},{number(base)} L{line} L{number(x[-1])},{number(base)} Z", class_="plot")
        )
    parts += breaks  # over the area, which would hide them
    if slots:
        heights = [8 + _HIGH * (1 - value / top) for value in slots]
        line = " ".join(f"{number(x[n + end])},{number(heights[n])}" for n in range(len(slots)) for end in (0, 1))
        parts.append(el("path", d=f"M{line}", class_="level"))
        parts.append(words(_LEFT - 4, 8 + _HIGH * (1 - most / top) + 4, _slots(slots), "muted end"))
    return SvgDrawing(joined(parts), WIDTH, base + 20)


def _slots(slots: Sequence[float]) -> str:
    """How many slots there are, or at most, in words."""
    most = count(round(max(slots)), "slot")
    return most if max(slots) - min(slots) < 0.5 else f"up to {most}"


def statuses(report: Report) -> list[tuple[int, str]]:
    """Counts of tasks by status, in the order of the bar; tasks that ran in an interrupted run count as interrupted."""
    there = [(getattr(report.counts, name), status) for name, status in STATUSES]
    has_ended = {"running": "interrupted"} if report.state == "interrupted" else {}
    return [(many, has_ended.get(status, status)) for many, status in there if many]


def ended_bar(report: Report) -> SvgDrawing:
    """The bar of counts by status; each part is at least 3 pixels wide."""
    return SvgDrawing(joined(_segments(statuses(report))), WIDTH, 16)


def _segments(there: Sequence[tuple[int, str]]) -> Iterator[str]:
    total = max(1, sum(many for many, _ in there))
    least = 6.0
    spare = WIDTH - least * len(there)
    left = 0.0
    for many, status in there:
        wide = least + spare * many / total
        yield el("rect", x=left + 0.5, y=1, width=max(1.0, wide - 2), height=13, class_=f"{status} solid")
        left += wide
