"""Where the tasks of a report's graph stand."""

from __future__ import annotations

from typing import TYPE_CHECKING

from starloom.layout import LayoutGraph, layout
from starloom.reporting.blocks import Arrangement

if TYPE_CHECKING:
    from starloom.reporting.report import Report


def arranged(report: Report) -> Arrangement:
    """Where the tasks of a report's graph stand, by the layout that the console uses too."""
    ids = [task.id for task in report.tasks]
    made = layout(LayoutGraph.of_pairs(ids, ((ids[edge.parent], ids[edge.child]) for edge in report.edges)))
    corners = (made.positions - made.sizes / 2).tolist()
    boxes = [(x, y, wide, high) for (x, y), (wide, high) in zip(corners, made.sizes.tolist(), strict=True)]
    return Arrangement(boxes, [made.routes.of(edge).tolist() for edge in range(len(report.edges))])
