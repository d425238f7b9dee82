"""The graph from far away: a block a task, and where even those would cover each other, a cell for many of them."""

from __future__ import annotations

from collections import Counter
from itertools import pairwise
from typing import TYPE_CHECKING, Final, NamedTuple

from starloom.reporting.marks import WORDS, Drawing, el, glyph, joined

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from starloom.reporting.report import Report

Box = tuple[float, float, float, float]
_LARGEST: Final = 0.25
"""The scale above which a graph that is long one way is not stretched the other way."""
_HEIGHT: Final = 360.0
"""Pixels a flat graph is stretched to."""
_LONG: Final = 160.0
"""Pixels beyond which an edge is left out."""
MOST_EDGES: Final = 12_000
"""With more than so many edges only those of the critical path are drawn."""
_CELL: Final = (7.0, 6.0)
_CLOSEST: Final = (3.0, 2.5)
"""Blocks that stand closer become cells."""


class Arrangement(NamedTuple):
    """Where everything stands, in pixels of any origin.

    Attributes:
        boxes: left, top, width and height of each task, in the order of `Report.tasks`.
        routes: the Bézier control points of each dependency, in the order of `Report.edges`: a start and three points
            for each curve.
    """

    boxes: Sequence[Box]
    routes: Sequence[Sequence[tuple[float, float]]]


def critical_edges(report: Report) -> set[tuple[int, int]]:
    """The ends of the edges that lie on the critical path."""
    return set(pairwise(report.attempts[step.attempt].task for step in report.critical_path))


def blocks(report: Report, arrangement: Arrangement, bounds: Box, width: float, height: float) -> Drawing:
    """The graph without names; it may be stretched, as only its shape counts.

    Args:
        report: what is drawn.
        arrangement: where.
        bounds: left, top, right and bottom of all there is.
        width: the most the whole may take.
        height: likewise.
    """
    left, top, right, bottom = bounds
    across = min(_LARGEST, (width - 16) / (right - left))
    down = min(_LARGEST, (height - 16) / (bottom - top), max(across, (_HEIGHT - 16) / (bottom - top)))
    boxes = [(8 + (x - left) * across, 8 + (y - top) * down, w * across, h * down) for x, y, w, h in arrangement.boxes]
    wide, high = (max(box[0] + box[2] for box in boxes), max(box[1] + box[3] for box in boxes)) if boxes else (0, 0)
    is_close = bool(boxes) and (boxes[0][2] < _CLOSEST[0] or boxes[0][3] < _CLOSEST[1])
    tasks = _cells(report, boxes) if is_close else _each(report, boxes)
    return Drawing(joined([*_edges(report, boxes), *tasks]), max(width, wide + 8), high + 8)


def _edges(report: Report, boxes: Sequence[Box]) -> Iterator[str]:
    plain: list[str] = []
    critical: list[str] = []
    on_path = critical_edges(report)
    is_much = len(report.edges) > MOST_EDGES
    for edge in report.edges:
        x1, y1, wide, high = boxes[edge.parent]
        x2, y2, _, other_high = boxes[edge.child]
        line = f"M{x1 + wide:.0f},{y1 + high / 2:.0f}L{x2:.0f},{y2 + other_high / 2:.0f}"
        if (edge.parent, edge.child) in on_path:
            critical.append(line)
        elif not is_much and abs(x2 - x1) + abs(y2 - y1) <= _LONG:
            plain.append(line)
    yield el("path", d="".join(plain), class_="edge", stroke_width="0.6", opacity="0.35")
    yield el("path", d="".join(critical), class_="edge crit")


def _each(report: Report, boxes: Sequence[Box]) -> Iterator[str]:
    failed: list[str] = []
    for task, (x, y, wide, high) in zip(report.tasks, boxes, strict=True):
        if task.status == "failed":
            left, top = x + wide / 2 - 7, y + high / 2 - 7
            failed.append(
                el("rect", x=left, y=top, width=14, height=14, class_="failed") + glyph("failed", left, top, 14)
            )
        else:
            yield el("rect", x=x, y=y, width=wide, height=high, class_=f"{task.status} solid", stroke_width="0.8")
    yield from failed  # above everything else


def _cells(report: Report, boxes: Sequence[Box]) -> Iterator[str]:
    """A cell shows what most of its tasks came to, but a failed one among them is always seen."""
    cells: dict[tuple[int, int], Counter[str]] = {}
    for task, (x, y, wide, high) in zip(report.tasks, boxes, strict=True):
        place = int((x + wide / 2) // _CELL[0]), int((y + high / 2) // _CELL[1])
        cells.setdefault(place, Counter())[task.status] += 1
    for (column, row), counts in sorted(cells.items()):
        shown = "failed" if counts["failed"] else counts.most_common(1)[0][0]
        told = ", ".join(f"{many} {WORDS[status]}" for status, many in counts.items() if many)
        box = {"x": column * _CELL[0], "y": row * _CELL[1], "width": _CELL[0] - 1, "height": _CELL[1] - 1}
        yield el("rect", el("title", told), **box, class_=f"{shown} solid", stroke_width="0.8")
