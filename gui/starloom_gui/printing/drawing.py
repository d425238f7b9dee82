"""The drawing of reports, found by the engine by its entry point: the PDF, timeline and graph as pictures."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QBuffer, QByteArray, QIODevice, Qt
from PySide6.QtGui import QGuiApplication, QImage, QPainter
from PySide6.QtSvg import QSvgRenderer

from starloom.errors import StarloomError
from starloom.reporting.svg import graph_svg, timeline_svg
from starloom_gui.printing.run_report import pages

if TYPE_CHECKING:
    from datetime import tzinfo

    from starloom.reporting.blocks import GraphGeometry
    from starloom.reporting.report import Report

MOST_PIXELS: Final = 64_000_000
"""Of a picture; 4 bytes each while it is drawn."""
_LONGEST: Final = 32_000
"""Pixels of a side, which every viewer can show."""


def draw(kind: str, report: Report, arrangement: GraphGeometry | None, zone: tzinfo, scale: float) -> bytes:
    """Draw a document of a report; creates Qt's application, without a display, if there is none.

    Args:
        kind: `pdf`, `timeline.png` or `graph.png`.
        report: what is told.
        arrangement: where the tasks of the graph stand; the timeline needs none.
        zone: whose clock it shows.
        scale: of a picture: pixels for each unit; less where it would become too large.

    Raises:
        StarloomError: there is no such kind, or it could not be drawn.
    """
    application = QGuiApplication.instance() or QGuiApplication(["starloom", "-platform", "offscreen"])
    if kind == "pdf":
        made = pages(report, arrangement, zone)
    elif kind == "timeline.png":
        made = _picture(timeline_svg(report, zone), scale, report.provenance.text())
    elif kind == "graph.png" and arrangement is not None:
        made = _picture(graph_svg(report, arrangement), scale, report.provenance.text())
    else:
        raise StarloomError(f"The console draws no {kind}. Its version does not fit that of the engine.")
    del application  # Qt needs it until here
    return made


def _picture(svg: str, scale: float, about: str) -> bytes:
    renderer = QSvgRenderer(QByteArray(svg.encode()))
    size = renderer.viewBoxF().size()
    wide, high = max(1.0, size.width()), max(1.0, size.height())
    fits = min(scale, math.sqrt(MOST_PIXELS / (wide * high)), _LONGEST / max(wide, high))
    image = QImage(math.ceil(wide * fits), math.ceil(high * fits), QImage.Format.Format_RGB32)
    image.fill(Qt.GlobalColor.white)
    painter = QPainter(image)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    renderer.render(painter)
    painter.end()
    image.setText("Description", about)
    image.setDotsPerMeterX(round(96 * fits / 0.0254))
    image.setDotsPerMeterY(round(96 * fits / 0.0254))
    buffer = QBuffer()
    buffer.open(QIODevice.OpenModeFlag.WriteOnly)
    if not image.save(buffer, "PNG"):  # type: ignore[call-overload]  # the stubs know bytes only
        raise StarloomError("The picture could not be made. This is a defect.")
    return bytes(buffer.data().data())
