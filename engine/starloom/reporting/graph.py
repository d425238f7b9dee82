"""The graph as a drawing, by a layout somebody else has made; names while there is room for them, then blocks."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from starloom.reporting.blocks import Arrangement, Box, blocks, critical_edges
from starloom.reporting.marks import LETTER, Drawing, el, glyph, joined, number, said, words
from starloom.reporting.text import middle, one_line, took

if TYPE_CHECKING:
    from collections.abc import Iterator

    from starloom.reporting.report import Report

_EDGE: Final = 16.0
_SMALLEST_NAMED: Final = 0.45
"""The least scale at which names are written."""


def graph(report: Report, arrangement: Arrangement, width: float | None = None, height: float | None = None) -> Drawing:
    """The graph as it stood in the end.

    Args:
        report: what is drawn.
        arrangement: where.
        width: the most the whole may take; None: as much as it comes to at its natural size.
        height: likewise.
    """
    left, top, right, bottom = _bounds(arrangement)
    wide, high = right - left + 2 * _EDGE, bottom - top + 2 * _EDGE
    scale = min(1.0, (width or wide) / wide, (height or high) / high)
    if scale < _SMALLEST_NAMED:
        return blocks(report, arrangement, (left, top, right, bottom), width or wide, height or high)
    move = f"scale({scale:.5f}) translate({number(_EDGE - left)} {number(_EDGE - top)})"
    brush = _Brush(report, arrangement, scale)
    return Drawing(el("g", joined([*brush.routes(), *brush.tasks()]), transform=move), wide * scale, high * scale)


def _bounds(arrangement: Arrangement) -> Box:
    boxes = arrangement.boxes
    if not boxes:
        return 0.0, 0.0, 1.0, 1.0
    points = [point for route in arrangement.routes for point in route]
    xs = [box[0] for box in boxes] + [box[0] + box[2] for box in boxes] + [x for x, _ in points]
    ys = [box[1] for box in boxes] + [box[1] + box[3] for box in boxes] + [y for _, y in points]
    return min(xs), min(ys), max(xs), max(ys)


class _Brush:
    """Draws tasks and edges with everything there is to say, at a scale."""

    def __init__(self, report: Report, arrangement: Arrangement, scale: float) -> None:
        self.report, self.arrangement, self.scale = report, arrangement, scale

    def routes(self) -> Iterator[str]:
        """The edges, those of the critical path above the others."""
        critical: list[str] = []
        on_path = critical_edges(self.report)
        for edge, route in zip(self.report.edges, self.arrangement.routes, strict=True):
            start, *rest = (f"{number(x)},{number(y)}" for x, y in route)
            is_critical = (edge.parent, edge.child) in on_path
            kind = f"edge {edge.kind} crit" if is_critical else f"edge {edge.kind}"
            path = el("path", d=f"M{start} C{' '.join(rest)}", class_=kind, marker_end="url(#arrow)")
            if is_critical:
                critical.append(path)
            else:
                yield path
        yield from critical

    def tasks(self) -> Iterator[str]:
        """The tasks, in any order as none covers another."""
        return (self._task(place) for place in range(len(self.report.tasks)))

    def _task(self, place: int) -> str:
        x, y, wide, high = self.arrangement.boxes[place]
        task = self.report.tasks[place]
        letters = max(12.0, 11 / self.scale)
        fits = int((wide - 44) / (LETTER * letters / 11))
        parts = [
            el("title", said(f"{one_line(task.name, 120)}: {task.status}")),
            el("rect", x=x, y=y, width=wide, height=high, rx=6, fill="#FFFFFF", stroke="#848D97"),
            el("rect", x=x, y=y, width=28, height=high, rx=6, class_=task.status),
            glyph(task.status, x + 6, y + high / 2 - 8),
        ]
        if task.is_critical:
            parts.append(el("rect", x=x, y=y, width=wide, height=high, rx=6, fill="none", class_="crit"))
        if fits >= 3:
            parts += self._words(x + 36, y, high, letters, middle(one_line(task.name), fits), self._second(place))
        return el("g", "".join(parts))

    def _words(self, x: float, y: float, high: float, letters: float, name: str, second: str) -> Iterator[str]:
        if letters > 14:  # room for one line only
            yield words(x, y + high / 2 + letters / 3, name, font_size=letters)
            return
        yield words(x, y + 26, name)
        yield words(x, y + 45, second, "muted")

    def _second(self, place: int) -> str:
        task = self.report.tasks[place]
        if not task.attempts:
            return task.status.replace("_dependency", "")
        last = self.report.attempts[task.attempts[-1]]
        again = f" · attempt {last.number}" if last.number > 1 else ""
        return f"{middle(one_line(last.device), 12)} · {took(last.seconds)}{again}"
