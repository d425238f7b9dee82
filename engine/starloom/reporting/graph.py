"""The graph as a drawing, from a given layout; with names while there is room for them, then as blocks."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from starloom.reporting.blocks import Box, GraphGeometry, blocks, critical_edges
from starloom.reporting.marks import LETTER, SvgDrawing, el, glyph, joined, number, said, words
from starloom.reporting.text import count, middle, one_line, told_apart, took
from starloom.reporting.verdict import labels
from starloom.reporting.wrapping import bounds_of, link, pressed, wrapped

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from starloom.reporting.report import Report

_EDGE: Final = 16.0
LEGIBLE: Final = 0.45
"""The least scale at which names have room."""
_SMALLEST: Final = 0.3
"""The least scale at which a few letters of a name have room, as a graph that is not cut is better to follow."""
_ROOMY: Final = 0.78
"""The least scale at which there is room for a second line."""
_PRESSED: Final = 0.42
"""How high a task with one line of text is, of the height of one with two."""
_ASPECT: Final = 1.5
"""Width over height of a picture that nobody has given bounds."""
_LARGE: Final = 4_000.0
"""Pixels beyond which a picture is cut rather than that most of it is white."""
_LONG: Final = 4.0
"""How many times as long as wide a picture may be."""
_FILLED: Final = 0.12
"""How much of a picture has to be tasks."""
_FEW: Final = 60
"""So many dependencies between the parts of a graph that is cut are drawn all the same."""


def graph(
    report: Report, arrangement: GraphGeometry, width: float | None = None, height: float | None = None
) -> SvgDrawing:
    """The graph at the end of the run, wrapped where it is too long for its names or for the picture.

    Args:
        report: what is drawn.
        arrangement: where.
        width: the most the whole may take; None: as much as it comes to at its natural size.
        height: likewise.
    """
    if not arrangement.boxes:
        return SvgDrawing("", 2 * _EDGE, 2 * _EDGE)
    aspect = width / height if width and height else _ASPECT
    pairs = [(edge.parent, edge.child) for edge in report.edges]
    is_filled = _is_filled(arrangement)
    for made, least in _ways(arrangement, pairs, aspect, is_filled=is_filled):
        left, top, right, bottom = _bounds(made)
        wide, high = right - left + 2 * _EDGE, bottom - top + 2 * _EDGE
        scale = min(1.0, (width or wide) / wide, (height or high) / high)
        if scale >= least:
            move = f"scale({scale:.5f}) translate({number(_EDGE - left)} {number(_EDGE - top)})"
            brush = _Brush(report, made, scale)
            body = el("g", joined([*brush.routes(), *brush.tasks()]), transform=move)
            return _with_left_out(SvgDrawing(body, wide * scale, high * scale), brush.left_out)
    shown = arrangement if is_filled else wrapped(arrangement, pairs, aspect)
    return blocks(report, shown, bounds_of(shown.boxes), width or _LARGE, height or _LARGE)


def _ways(
    arrangement: GraphGeometry, pairs: Sequence[tuple[int, int]], aspect: float, *, is_filled: bool
) -> Iterator[tuple[GraphGeometry, float]]:
    """The possible drawings with names, the best first, each with its least scale."""
    if is_filled:
        yield arrangement, _SMALLEST
    yield wrapped(arrangement, pairs, aspect), _ROOMY
    yield wrapped(pressed(arrangement, _PRESSED), pairs, aspect), LEGIBLE


def _is_filled(arrangement: GraphGeometry) -> bool:
    """Whether it is good to look at as it stands: small, or neither very long nor mostly white."""
    left, top, right, bottom = bounds_of(arrangement.boxes)
    wide, high = right - left, bottom - top
    tasks = sum(box[2] * box[3] for box in arrangement.boxes)
    is_long = max(wide, high) > _LONG * min(wide, high)
    return max(wide, high) <= _LARGE or (not is_long and tasks >= _FILLED * wide * high)


def _with_left_out(drawing: SvgDrawing, left_out: int) -> SvgDrawing:
    """The drawing, and below it how many dependencies are not in it."""
    if not left_out:
        return drawing
    told = f"{count(left_out, 'dependency', 'dependencies')} between parts of the graph that stand apart are not drawn."
    body = joined([drawing.body, words(_EDGE, drawing.height + 12, told, "muted")])
    return SvgDrawing(body, max(drawing.width, LETTER * len(told) + 2 * _EDGE), drawing.height + 20)


def _bounds(arrangement: GraphGeometry) -> Box:
    left, top, right, bottom = bounds_of(arrangement.boxes)
    points = [point for route in arrangement.routes for point in route]
    xs, ys = [x for x, _ in points], [y for _, y in points]
    return min([left, *xs]), min([top, *ys]), max([right, *xs]), max([bottom, *ys])


class _Brush:
    """Draws tasks and edges in full detail, at a scale."""

    def __init__(self, report: Report, arrangement: GraphGeometry, scale: float) -> None:
        self.report, self.arrangement, self.scale = report, arrangement, scale
        self._whole_names = labels(report.tasks)
        self._letters = max(12.0, 11 / scale)
        fits = int((max(box[2] for box in arrangement.boxes) - 50) / (LETTER * self._letters / 11))
        self._names = told_apart([one_line(name, 200) for name in self._whole_names], fits) if fits >= 3 else []
        self._on_path = critical_edges(report)
        has_all = len(arrangement.cut) <= _FEW
        pairs = ((edge.parent, edge.child) for edge in report.edges)
        self._unseen = {
            place
            for place, pair in enumerate(pairs)
            if place in arrangement.cut and not has_all and pair not in self._on_path
        }

    @property
    def left_out(self) -> int:
        """The number of dependencies that are not drawn, as they would cross the nodes between."""
        return len(self._unseen)

    def routes(self) -> Iterator[str]:
        """The edges, the critical path above the others: all of it, also where a task waited for a slot."""
        critical: list[str] = []
        seen: set[tuple[int, int]] = set()
        for place, (edge, route) in enumerate(zip(self.report.edges, self.arrangement.routes, strict=True)):
            pair = edge.parent, edge.child
            if place in self._unseen:
                continue
            if pair in self._on_path:
                seen.add(pair)
                critical.append(self._route(route, f"edge {edge.kind} crit"))
            else:
                yield self._route(route, f"edge {edge.kind}")
        boxes = self.arrangement.boxes
        for parent, child in sorted(self._on_path - seen):
            if parent != child:
                critical.append(self._route(link(boxes[parent], boxes[child]), "edge crit slot"))
        yield from critical

    @staticmethod
    def _route(points: Sequence[tuple[float, float]], kind: str) -> str:
        start, *rest = (f"{number(x)},{number(y)}" for x, y in points)
        return el("path", d=f"M{start} C{' '.join(rest)}", class_=kind, marker_end="url(#arrow)")

    def tasks(self) -> Iterator[str]:
        """The tasks, in any order as none covers another."""
        return (self._task(place) for place in range(len(self.report.tasks)))

    def _task(self, place: int) -> str:
        x, y, wide, high = self.arrangement.boxes[place]
        task = self.report.tasks[place]
        parts = [
            el("title", said(f"{one_line(self._whole_names[place], 120)}: {task.status}")),
            el("rect", x=x, y=y, width=wide, height=high, rx=6, fill="#FFFFFF", stroke="#848D97", class_="node"),
            el("rect", x=x, y=y, width=28, height=high, rx=6, class_=task.status),
            glyph(task.status, x + 6, y + high / 2 - 8),
        ]
        if task.is_critical:
            parts.append(el("rect", x=x, y=y, width=wide, height=high, rx=6, fill="none", class_="crit"))
        if self._names:
            parts += self._words(x + 36, y, high, self._names[place], self._second(place))
        return el("g", "".join(parts))

    def _words(self, x: float, y: float, high: float, name: str, second: str) -> Iterator[str]:
        if self._letters > 14 or high < 48:  # room for one line only
            yield words(x, y + high / 2 + self._letters / 3, name, font_size=self._letters)
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


def shape_words(report: Report) -> str:
    """Length, width and parallelism of a run's graph, in a sentence."""
    longest, width = count(report.chain_tasks, "task"), count(report.width, "task")
    return f"Longest chain: {longest}; width: {width}; parallelism: {report.parallelism:.1f}."
