"""The report as one HTML page without scripts and other files; its first printed page is a summary for a manager.

The page allows no script at all and only the one style sheet it holds, whose hash stands in its policy. Everything that
comes from data goes through the template's escaping, or through `marks.said` in drawings.
"""

from __future__ import annotations

import base64
import hashlib
from datetime import UTC
from importlib.resources import files
from typing import TYPE_CHECKING, Any, Final

from jinja2 import Environment, StrictUndefined
from markupsafe import Markup

from starloom.reporting import headings, marks
from starloom.reporting.report_presenter import ReportPresenter
from starloom.reporting.task_table import COLUMNS, MOST_TASKS, task_rows
from starloom.reporting.text import clean
from starloom.reporting.timeline import WIDTH, share_bar

if TYPE_CHECKING:
    from datetime import tzinfo

    from starloom.reporting.blocks import GraphGeometry
    from starloom.reporting.marks import SvgDrawing
    from starloom.reporting.report import Report

_IF_DARK: Final = "@media screen and (prefers-color-scheme: dark)"
"""On paper the page is light."""
_GRAPH_HIGH: Final = 1_000.0


def page(report: Report, arrangement: GraphGeometry | None = None, zone: tzinfo = UTC) -> str:
    """The page as text, to be encoded in UTF-8.

    Args:
        report: what it tells.
        arrangement: where the tasks of the graph stand; None: without the graph.
        zone: whose clock it shows.
    """
    here = files("starloom.reporting")
    dark = f"{here.joinpath('dark.css').read_text('utf-8')}{marks.DARK}"
    style = f"{here.joinpath('page.css').read_text('utf-8')}{marks.STYLE}{_IF_DARK} {{{dark}}}"
    environment = Environment(
        autoescape=True, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True, finalize=_finalize
    )
    template = environment.from_string(here.joinpath("page.html").read_text("utf-8"))
    digest = base64.b64encode(hashlib.sha256(style.encode()).digest()).decode()
    told = ReportPresenter(report, zone)
    return template.render(
        v=told,
        w=headings,
        r=report,
        style=Markup(style),
        digest=digest,
        defs=Markup(marks.DEFS),
        task_columns=COLUMNS,
        tasks=task_rows(told),
        tasks_left=max(0, len(report.tasks) - MOST_TASKS),
        graph=told.graph(arrangement, WIDTH, _GRAPH_HIGH),
        draw=_draw,
        badge=_badge,
        bar=_bar,
    )


def _finalize(value: Any) -> Any:
    return clean(value) if type(value) is str else value


def _draw(drawing: SvgDrawing, label: str) -> Markup:
    return Markup(marks.inline(drawing, label))  # whatever comes from data is escaped there


def _badge(status: str) -> Markup:
    return Markup(marks.badge(status))


def _bar(share: float) -> Markup:
    return Markup(share_bar(share))
