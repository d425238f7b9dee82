"""The name of a file that is exported: the ending that was typed decides, the filter where that leaves a choice."""

from __future__ import annotations

import pytest

from starloom.journal.bundle import ENDING
from starloom.reporting.export import FORMATS
from starloom_gui.shell.exporting import SHORT, format_of
from starloom_gui.widgets.choosing import with_ending

KINDS = ("html", "pdf", "json", "csv", "trace.json", "timeline.png", "graph.png", "timeline.svg", "graph.svg")


@pytest.mark.parametrize(
    ("typed", "suffix", "meant"),
    [
        ("x.png", "html", "x.png"),
        ("x.pdf", "html", "x.pdf"),
        ("X.PDF", "html", "X.PDF"),
        ("x.graph.svg", "pdf", "x.graph.svg"),
        ("x.htm", "pdf", "x.htm"),
        ("x.png", "graph.png", "x.graph.png"),
        ("x.json", "trace.json", "x.trace.json"),
        ("x.trace.json", "json", "x.trace.json"),
        ("x.graph.png", "timeline.png", "x.graph.png"),
        ("x", "pdf", "x.pdf"),
        ("v1.2", "html", "v1.2.html"),
        ("pdf", "html", "pdf.html"),
        ("/a.pdf/x", "html", "/a.pdf/x.html"),
    ],
)
def test_the_typed_ending_decides_and_the_filter_where_it_leaves_a_choice(typed: str, suffix: str, meant: str) -> None:
    assert with_ending(typed, suffix, (*KINDS, *SHORT)) == meant


def test_every_ending_that_the_command_line_knows_can_be_typed() -> None:
    known = {ending.removeprefix(".") for ending in (*FORMATS, ENDING)}
    for ending in known:
        assert (
            with_ending(
                f"x.{ending}", "html", (*KINDS, *SHORT, "starloom", "script.yaml", "xml", "attempts.csv", "events.csv")
            )
            == f"x.{ending}"
        )


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("x.pdf", "pdf"),
        ("x.png", "timeline.png"),
        ("x.graph.png", "graph.png"),
        ("x.trace.json", "trace.json"),
        ("x.htm", ""),
    ],
)
def test_what_was_exported_last_is_one_of_the_filters(name: str, kind: str) -> None:
    assert format_of(name, KINDS) == kind
