"""Timeline and graph as SVG files that need nothing else: no script, no link, no font."""

from __future__ import annotations

from datetime import UTC
from typing import TYPE_CHECKING, Final

from starloom.reporting.graph import graph
from starloom.reporting.marks import document
from starloom.reporting.timeline import timeline

if TYPE_CHECKING:
    from datetime import tzinfo

    from starloom.reporting.blocks import Arrangement
    from starloom.reporting.report import Report

TIMELINE_WIDTH: Final = 1_600.0
MOST_NAMED: Final = 3_000
_MANY_WIDE: Final = 4_000.0


def timeline_svg(report: Report, zone: tzinfo = UTC) -> str:
    """The timeline as an SVG document; the axis shows the clock of that zone."""
    return document(timeline(report, zone, TIMELINE_WIDTH), f"{report.title}: when and where")


def graph_svg(report: Report, arrangement: Arrangement) -> str:
    """The graph as an SVG document, by a layout made elsewhere; beyond `MOST_NAMED` tasks as blocks without names."""
    most = None if len(report.tasks) <= MOST_NAMED else _MANY_WIDE
    return document(graph(report, arrangement, most, most), f"{report.title}: the graph")
