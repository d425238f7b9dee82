"""The timeline as a drawing: one row for each slot while there are few, else one for each device with its load."""

from __future__ import annotations

from datetime import UTC
from itertools import groupby
from typing import TYPE_CHECKING, Final

from starloom.reporting import clock_axis
from starloom.reporting.load import average_between
from starloom.reporting.marks import LETTER, SvgDrawing, el, glyph, inline, joined, number, said, words
from starloom.reporting.text import middle, one_line, took
from starloom.reporting.verdict import labels

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from datetime import tzinfo

    from starloom.reporting.report import Report, ReportedAttempt, ReportedDevice

WIDTH: Final = 860.0
SLOTS: Final = "one row per slot; thick outline: critical path; flags: steering"
DEVICES: Final = "one row per device: the share of its slots that was busy; red: failures; flags: steering"
MOST_LANES: Final = 48
MOST_DEVICES: Final = 24
_COLUMN: Final = 124.0
_AXIS: Final = 28.0
_ROOMY: Final = 16
"""With more lanes than that they are lower and hold no names."""
_NARROW: Final = 3.0
"""Bars narrower than so many pixels that touch each other become one."""


def timeline(report: Report, zone: tzinfo = UTC, width: float = WIDTH, most_lanes: int = MOST_LANES) -> SvgDrawing:
    """The timeline of attempts, so many pixels wide.

    Args:
        report: what is drawn.
        zone: whose clock the axis shows.
        width: of the whole.
        most_lanes: with more slots it has a row a device.
    """
    has_slots = sum(device.lanes for device in report.devices) <= most_lanes
    scale = _Scale(report, width, has_slots=has_slots)
    parts = list(_slot_rows(report, scale) if has_slots else _device_rows(report, scale))
    height = _AXIS + scale.lane * sum(row.lanes for row in parts)
    marks = clock_axis.axis(report, zone, scale.wide)
    body = [
        *_lines((mark for mark in marks if not mark.is_break), scale, height),
        *(part for row, top in _stacked(parts, scale) for part in row.parts(top, scale)),
        *_lines((mark for mark in marks if mark.is_break), scale, height),  # over the bars, which would hide them
        *_flags(report, scale),
    ]
    return SvgDrawing(joined(body), width, height + 4)


class _Scale:
    """From seconds to pixels, and how high a lane and a bar are."""

    def __init__(self, report: Report, width: float, *, has_slots: bool) -> None:
        self.seconds = max(report.seconds, 1e-9)
        self.width = width
        self.wide = width - _COLUMN - 12
        lanes = [device.lanes for device in report.devices if device.lanes]
        rows = sum(lanes) if has_slots else min(len(lanes), MOST_DEVICES + 1)
        self.is_roomy = rows <= _ROOMY
        self.lane, self.bar = (20.0, 14.0) if self.is_roomy else (12.0, 9.0)

    def x(self, at: float) -> float:
        return _COLUMN + 4 + self.wide * min(1.0, max(0.0, at / self.seconds))


class _Row:
    """A device: its name, how many lanes it takes, and what is drawn in them."""

    def __init__(self, title: str, lanes: int, numbers: bool, marks: list[str], waits: list[str]) -> None:
        self.title, self.lanes, self.numbers, self.marks, self.waits = title, lanes, numbers, marks, waits

    def parts(self, top: float, scale: _Scale) -> Iterator[str]:
        yield el("path", d=f"M0,{number(top)} H{number(scale.width)}", class_="rule")
        yield words(0, top + max(10.0, scale.bar), middle(one_line(self.title), 15))
        if self.numbers and scale.is_roomy:
            yield from (
                words(_COLUMN - 6, top + 14 + scale.lane * lane, str(lane + 1), "muted end")
                for lane in range(self.lanes)
            )
        yield el("g", joined([*self.waits, *self.marks]), transform=f"translate(0 {number(top)})")


def _stacked(rows: Sequence[_Row], scale: _Scale) -> Iterator[tuple[_Row, float]]:
    top = _AXIS
    for row in rows:
        yield row, top
        top += scale.lane * row.lanes


# ---- a row a slot


def _slot_rows(report: Report, scale: _Scale) -> Iterator[_Row]:
    own: dict[str, dict[int, list[ReportedAttempt]]] = {}
    for attempt in sorted(report.attempts, key=lambda one: one.started):
        own.setdefault(attempt.device, {}).setdefault(attempt.slot, []).append(attempt)
    critical = {id(report.attempts[step.attempt]) for step in report.critical_path if step.attempt is not None}
    names = labels(report.tasks)
    for device in report.devices:
        if not device.lanes:
            continue
        marks: list[str] = []
        waits: list[str] = []
        for slot, attempts in sorted(own.get(device.id, {}).items()):
            lane = _Lane(names, scale, scale.lane * slot, critical)
            lane.draw(attempts)
            marks += [*lane.bars, *lane.loud]
            waits += lane.waits
        yield _Row(device.id, device.lanes, device.lanes > 1, marks, waits)


class _Lane:
    """The bars of one slot; what is too narrow to be told apart becomes one bar, but for failures and the path."""

    def __init__(self, names: Sequence[str], scale: _Scale, top: float, critical: set[int]) -> None:
        self.names, self.scale, self.critical = names, scale, critical
        self.y, self.high = top + (scale.lane - scale.bar) / 2, scale.bar
        self.bars: list[str] = []
        self.loud: list[str] = []
        self.waits: list[str] = []
        self._block: tuple[float, float, int] | None = None

    def draw(self, attempts: Sequence[ReportedAttempt]) -> None:
        """Draw them, oldest first."""
        before = 0.0
        for attempt in attempts:
            left, right = self.scale.x(attempt.started), self.scale.x(attempt.ended)
            self._wait(max(before, self.scale.x(attempt.ready)), left)
            before = right
            is_plain = attempt.status == "completed" and id(attempt) not in self.critical
            if is_plain and right - left < _NARROW:
                self._gather(left, max(right, left + 1))
            else:
                self._close()
                (self.bars if is_plain else self.loud).append(self._bar(attempt, left, max(2.0, right - left - 1)))
        self._close()

    def _wait(self, left: float, right: float) -> None:
        if right - left >= 1.5:
            path = f"M{number(left)},{number(self.y + self.high / 2)} H{number(right)}"
            self.waits.append(el("path", d=path, class_="wait"))

    def _gather(self, left: float, right: float) -> None:
        if self._block is not None and left <= self._block[1] + 0.5:
            self._block = self._block[0], max(right, self._block[1]), self._block[2] + 1
        else:
            self._close()
            self._block = left, right, 1

    def _close(self) -> None:
        if self._block is None:
            return
        left, right, many = self._block
        self._block = None
        title = el("title", f"{many} attempts") if many > 1 else None
        self.bars.append(el("rect", title, x=left, y=self.y, width=right - left, height=self.high, class_="many"))

    def _bar(self, one: ReportedAttempt, left: float, wide: float) -> str:
        kind = f"{one.status} crit" if id(one) in self.critical else one.status
        box = {"x": left, "y": self.y, "width": wide, "height": self.high, "rx": 2, "class_": kind}
        return el("rect", el("title", said(self._told(one))), **box) + self._inside(one, left, wide)

    def _told(self, one: ReportedAttempt) -> str:
        name = one_line(self.names[one.task], 120)
        waited = f", waited {took(one.waited)}" if one.waited > 0.005 else ""
        again = f", attempt {one.number}" if one.number > 1 else ""
        return f"{name}{again}: {one.status}, {took(one.seconds)}{waited}"

    def _inside(self, one: ReportedAttempt, left: float, wide: float) -> str:
        if one.status in {"failed", "cancelled", "interrupted"}:
            return glyph(one.status, left + (wide - self.high) / 2, self.y, self.high) if wide >= self.high else ""
        if not self.scale.is_roomy:
            return ""
        name = one_line(self.names[one.task], 120)
        text = f"{one.number} {name}" if one.number > 1 else name
        fits = int((wide - 8) / LETTER)
        if len(text) > fits and wide < 62:
            return ""
        return words(left + 4, self.y + 11, middle(text, fits), "light" if one.status == "running" else None)


# ---- a row a device


def _device_rows(report: Report, scale: _Scale) -> Iterator[_Row]:
    busy = sorted((one for one in report.devices if one.attempts), key=lambda one: -one.busy_s)
    shown = {one.id for one in busy[:MOST_DEVICES]}
    for device in report.devices:
        if device.id in shown:
            yield _Row(device.id, 1, False, _share(report, scale, [device]), [])
    rest = [one for one in report.devices if one.id not in shown and one.lanes]
    if rest:
        yield _Row(f"{len(rest)} more", 1, False, _share(report, scale, rest), [])


def _share(report: Report, scale: _Scale, devices: Sequence[ReportedDevice]) -> list[str]:
    """Draw the share of busy slots as an area, with ticks where attempts failed."""
    names = {device.id for device in devices}
    own = [attempt for attempt in report.attempts if attempt.device in names]
    steps = max(1, int(scale.wide / 2))
    shares = average_between(own, report.seconds, steps) if own and report.seconds > 0 else []
    lanes = max(1, sum(device.lanes for device in devices))
    floor = scale.lane - (scale.lane - scale.bar) / 2
    outlines = []
    for is_busy, span in groupby(enumerate(shares), key=lambda item: item[1] > 0):
        if not is_busy:  # an area without height is painted as a line on paper, as if there had been work
            continue
        points = [
            (scale.x(report.seconds * (place + end) / steps), floor - scale.bar * min(1.0, value / lanes))
            for place, value in span
            for end in (0, 1)
        ]
        line = " ".join(f"{number(x)},{number(y)}" for x, y in points)
        outlines.append(f"M{number(points[0][0])},{floor} L{line} L{number(points[-1][0])},{floor} Z")
    if not outlines:
        return []
    area = el("path", d=" ".join(outlines), class_="many")
    failed = dict.fromkeys(round(scale.x(one.ended)) for one in own if one.status == "failed")
    return [
        area,
        *(el("rect", x=x - 1, y=floor - scale.bar - 1, width=3, height=scale.bar + 2, class_="failed") for x in failed),
    ]


# ---- axis and flags


def _lines(marks: Iterable[clock_axis.AxisTick], scale: _Scale, height: float) -> Iterator[str]:
    for mark in marks:
        yield from clock_axis.drawn(mark, scale.x(mark.at), _AXIS - 6, height, 12, scale.width)


def _flags(report: Report, scale: _Scale) -> Iterator[str]:
    """A flag for each intervention, one where several would cover each other."""
    last = -10.0
    for one in report.interventions:
        x = scale.x(one.at)
        if not one.is_steering or x < last + 4:
            continue
        last = x
        told = said(f"{one.who}: {one_line(one.what, 200)}")
        yield el("path", el("title", told), d=f"M{number(x)},{number(_AXIS)} v-11 l7,3.5 l-7,3.5", class_="flag")


def share_bar(share: float, width: float = 96.0) -> str:
    """A share of 0 to 1 as a small bar."""
    track = el("rect", x=0, y=3, width=width, height=7, rx=1, class_="track")
    busy = width * min(1.0, max(0.0, share))
    filled = el("rect", x=0, y=3, width=busy, height=7, rx=1, class_="share") if busy else ""
    return inline(SvgDrawing(track + filled, width, 13))
