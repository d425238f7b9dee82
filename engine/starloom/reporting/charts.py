"""Charts of the report's figures: running attempts, queued attempts, and the bar of outcomes."""

from __future__ import annotations

from datetime import UTC
from typing import TYPE_CHECKING, Final

from starloom.reporting import clock_axis
from starloom.reporting.marks import SvgDrawing, el, joined, number, words
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
    top = float(max(report.slots, report.peak, 1))
    limit = [(float(report.slots), f"{report.slots:,} slots")] if report.slots else []
    return _plot(report, zone, [part.running for part in report.load], top, limit)


def in_line(report: Report, zone: tzinfo = UTC) -> SvgDrawing:
    """The chart of queued attempts over the run's time."""
    values = [part.waiting for part in report.load]
    return _plot(report, zone, values, max([1.0, *values]), [])


def _plot(
    report: Report, zone: tzinfo, values: Sequence[float], top: float, levels: Sequence[tuple[float, str]]
) -> SvgDrawing:
    wide = WIDTH - _LEFT - 12
    y = [8 + _HIGH * (1 - min(1.0, value / top)) for value in values]
    x = [_LEFT + 4 + wide * place / max(1, len(values)) for place in range(len(values) + 1)]
    base = 8 + _HIGH
    parts = [words(_LEFT - 4, base, "0", "muted end")]
    if all(abs(value - top) > 0.2 * top for value, _ in levels):  # else the two would cover each other
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
    for value, name in levels:
        height = 8 + _HIGH * (1 - value / top)
        parts.append(el("path", d=f"M{number(_LEFT + 4)},{number(height)} H{number(WIDTH - 8)}", class_="level"))
        parts.append(words(_LEFT - 4, height + 4, name, "muted end"))
    return SvgDrawing(joined(parts), WIDTH, base + 20)


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
