"""The graph from far away: a block for each task or, where even those would overlap, a cell for many of them."""

from __future__ import annotations

from collections import Counter
from itertools import pairwise
from typing import TYPE_CHECKING, Final, NamedTuple

from starloom.reporting.marks import WORDS, SvgDrawing, el, glyph, joined

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from starloom.reporting.report import Report

Box = tuple[float, float, float, float]
_LARGEST: Final = 0.25
"""The scale above which a graph that is long one way is not stretched the other way."""
_FLATTEST: Final = 0.6
"""Height over width that a flat graph is stretched to."""
_LONG: Final = 160.0
"""Pixels beyond which an edge is left out."""
MOST_EDGES: Final = 12_000
"""With more than so many edges only those of the critical path are drawn."""
_CELL: Final = (7.0, 6.0)
_CLOSEST: Final = (3.0, 2.5)
"""Blocks that stand closer become cells."""


class GraphGeometry(NamedTuple):
    """The positions of all tasks and edges, in pixels of any origin.

    Attributes:
        boxes: left, top, width and height of each task, in the order of `Report.tasks`.
        routes: the Bézier control points of each dependency, in the order of `Report.edges`: a start and three points
            for each curve.
        cut: the places of dependencies between parts of the graph that stand as lines of a text do; see `wrapping`.
    """

    boxes: Sequence[Box]
    routes: Sequence[Sequence[tuple[float, float]]]
    cut: frozenset[int] = frozenset()


def arranged(report: Report) -> GraphGeometry:
    """The positions of a report's tasks, by the layout that the console uses too."""
    from starloom.layout import LayoutGraph, layout  # here, as most documents need no places

    ids = [task.id for task in report.tasks]
    made = layout(LayoutGraph.of_pairs(ids, ((ids[edge.parent], ids[edge.child]) for edge in report.edges)))
    corners = (made.positions - made.sizes / 2).tolist()
    boxes = [(x, y, wide, high) for (x, y), (wide, high) in zip(corners, made.sizes.tolist(), strict=True)]
    return GraphGeometry(boxes, [made.routes.of(edge).tolist() for edge in range(len(report.edges))])


def critical_edges(report: Report) -> set[tuple[int, int]]:
    """The ends of the edges on the critical path."""
    return set(pairwise(step.task for step in report.critical_path))


def blocks(report: Report, arrangement: GraphGeometry, bounds: Box, width: float, height: float) -> SvgDrawing:
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
    down = min(_LARGEST, (height - 16) / (bottom - top), max(across, (_FLATTEST * width - 16) / (bottom - top)))
    boxes = [(8 + (x - left) * across, 8 + (y - top) * down, w * across, h * down) for x, y, w, h in arrangement.boxes]
    wide, high = (max(box[0] + box[2] for box in boxes), max(box[1] + box[3] for box in boxes)) if boxes else (0, 0)
    is_close = bool(boxes) and (boxes[0][2] < _CLOSEST[0] or boxes[0][3] < _CLOSEST[1])
    tasks = _cells(report, boxes) if is_close else _each(report, boxes)
    failed = [] if is_close else _failed(report, boxes)
    body = [_edges(report, arrangement, boxes), *tasks, *_path(report, boxes), *failed]
    return SvgDrawing(joined(body), wide + 8, high + 8)


def _edges(report: Report, arrangement: GraphGeometry, boxes: Sequence[Box]) -> str:
    """The short ones; none of so many that they would only be grey."""
    if len(report.edges) > MOST_EDGES:
        return ""
    lines: list[str] = []
    for place, edge in enumerate(report.edges):
        x1, y1, wide, high = boxes[edge.parent]
        x2, y2, _, other_high = boxes[edge.child]
        if abs(x2 - x1) + abs(y2 - y1) <= _LONG and place not in arrangement.cut:
            lines.append(f"M{x1 + wide:.0f},{y1 + high / 2:.0f}L{x2:.0f},{y2 + other_high / 2:.0f}")
    return el("path", d="".join(lines), class_="edge", stroke_width="0.6", opacity="0.35") if lines else ""


def _path(report: Report, boxes: Sequence[Box]) -> Iterator[str]:
    """The critical path from task to task, above everything: thick along dependencies, thin where a slot decided."""
    middles = [(x + wide / 2, y + high / 2) for x, y, wide, high in boxes]
    edges = {(edge.parent, edge.child) for edge in report.edges}
    lines: dict[bool, list[str]] = {True: [], False: []}
    for parent, child in pairwise(step.task for step in report.critical_path):
        if parent != child:
            (x1, y1), (x2, y2) = middles[parent], middles[child]
            lines[(parent, child) in edges].append(f"M{x1:.1f},{y1:.1f}L{x2:.1f},{y2:.1f}")
    if lines[False]:
        yield el("path", d="".join(lines[False]), class_="edge slot")
    if lines[True]:
        yield el("path", d="".join(lines[True]), class_="edge halo")
        yield el("path", d="".join(lines[True]), class_="edge crit")


def _each(report: Report, boxes: Sequence[Box]) -> Iterator[str]:
    for task, (x, y, wide, high) in zip(report.tasks, boxes, strict=True):
        if task.status != "failed":
            yield el("rect", x=x, y=y, width=wide, height=high, class_=f"{task.status} solid", stroke_width="0.8")


def _failed(report: Report, boxes: Sequence[Box]) -> Iterator[str]:
    """Draw failed tasks, enlarged, above everything else."""
    for task, (x, y, wide, high) in zip(report.tasks, boxes, strict=True):
        if task.status == "failed":
            left, top = x + wide / 2 - 7, y + high / 2 - 7
            yield el("rect", x=left, y=top, width=14, height=14, class_="failed") + glyph("failed", left, top, 14)


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
