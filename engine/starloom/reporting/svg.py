"""Timeline and graph as SVG files without scripts, links and fonts."""

from __future__ import annotations

import textwrap
from datetime import UTC
from typing import TYPE_CHECKING, Final

from starloom.reporting.graph import graph
from starloom.reporting.marks import LETTER, SvgDrawing, document, el, joined, words
from starloom.reporting.timeline import timeline

if TYPE_CHECKING:
    from datetime import tzinfo

    from starloom.reporting.blocks import GraphGeometry
    from starloom.reporting.report import Report

TIMELINE_WIDTH: Final = 1_600.0
MOST_NAMED: Final = 3_000
_MANY_WIDE: Final = 4_000.0
_LEAST_WIDE: Final = 480.0
"""Of a drawing that tells of damage, which needs some words in a line."""
_LINE: Final = 16.0
_MOST_LINES: Final = 6


def timeline_svg(report: Report, zone: tzinfo = UTC) -> str:
    """The timeline as an SVG document; the axis shows the clock of that zone."""
    return _document(timeline(report, zone, TIMELINE_WIDTH), report, "when and where")


def graph_svg(report: Report, arrangement: GraphGeometry) -> str:
    """The graph as an SVG document, from a given layout; beyond `MOST_NAMED` tasks as blocks without names."""
    most = None if len(report.tasks) <= MOST_NAMED else _MANY_WIDE
    return _document(graph(report, arrangement, most, most), report, "the graph")


def _document(drawing: SvgDrawing, report: Report, what: str) -> str:
    return document(
        _with_damage(drawing, report.damage), f"{report.title}: {what}", f"{report.run_id}\n{report.provenance.text()}"
    )


def _with_damage(drawing: SvgDrawing, damage: str) -> SvgDrawing:
    """The drawing below words that a part of the journal is lost, if it is."""
    if not damage:
        return drawing
    width = max(_LEAST_WIDE, drawing.width)
    told = f"A part of this run is lost. {damage} Only what came before that is drawn here."
    lines = textwrap.wrap(told, int((width - 32) / LETTER), max_lines=_MOST_LINES, placeholder=" …")
    high = _LINE * len(lines) + 12
    strip = [
        el("rect", x=0, y=4, width=4, height=high - 8, class_="failed"),
        *(words(12, 4 + _LINE * number - 4, line, "bad") for number, line in enumerate(lines, 1)),
        el("g", drawing.body, transform=f"translate(0 {high:g})"),
    ]
    return SvgDrawing(joined(strip), width, drawing.height + high)
