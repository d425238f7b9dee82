"""The structure of the PDF, read by a reader that is not ours: what is a heading, a table, a figure, a decoration."""

from __future__ import annotations

import re
from datetime import UTC
from functools import cache
from io import BytesIO
from typing import TYPE_CHECKING, Any

import pytest
from pypdf import PdfReader
from tests.driver import RUN
from tests.gui.printing.forty import forty
from tests.unit.reporting.test_documents import nasty

from starloom.reporting import headings
from starloom.reporting.blocks import arranged
from starloom.reporting.folding import build
from starloom_gui.printing import run_report
from starloom_gui.printing.structure import Element
from starloom_gui.printing.tagged_pdf import tagged

if TYPE_CHECKING:
    from collections.abc import Iterator

    from PySide6.QtWidgets import QApplication

STORIES = {"forty": forty, "nasty": lambda: nasty().events, "empty": list}


@pytest.fixture(autouse=True)
def with_application(app: QApplication) -> None:
    """Fonts need one."""


@cache
def made(name: str) -> PdfReader:
    report = build(RUN, STORIES[name]())
    return PdfReader(BytesIO(run_report.pages(report, arranged(report), UTC)))


def root(reader: PdfReader) -> Any:
    return reader.trailer["/Root"]


def elements(node: Any) -> Iterator[Any]:
    """All elements below one, in the order in which they are read."""
    kids = node["/K"]
    for kid in kids if isinstance(kids, list) else [kids]:
        found = kid.get_object()
        if not isinstance(found, int):
            yield found
            yield from elements(found)


def roles(name: str) -> list[str]:
    return [one["/S"][1:] for one in elements(root(made(name))["/StructTreeRoot"])]


@pytest.mark.parametrize("name", STORIES)
def test_the_document_says_that_it_is_tagged_its_language_and_its_title(name: str) -> None:
    catalog = root(made(name))
    assert catalog["/MarkInfo"]["/Marked"].value is True
    assert catalog["/Lang"] == "en"
    assert catalog["/ViewerPreferences"]["/DisplayDocTitle"].value is True
    assert str(made(name).trailer["/Info"]["/Title"]).endswith(("failed", "Executing", "Created"))  # type: ignore[index]


@pytest.mark.parametrize("name", STORIES)
def test_all_content_of_a_page_belongs_to_one_element_or_is_decoration(name: str) -> None:
    reader = made(name)
    parents = root(reader)["/StructTreeRoot"]["/ParentTree"]["/Nums"]
    by_page = {parents[at]: parents[at + 1].get_object() for at in range(0, len(parents), 2)}
    for page in reader.pages:
        own = by_page[page["/StructParents"]]
        data = page.get_contents().get_data()  # type: ignore[union-attr]  # each page has some
        numbers, depth = [], 0
        for line in data.splitlines():
            if line.endswith((b"BDC", b"BMC")):
                depth += 1
                numbers += [int(number) for number in re.findall(rb"/MCID (\d+)", line)]
            elif line == b"EMC":
                depth -= 1
            elif line.endswith((b"Tj", b" f", b" S")) or line in {b"f", b"S", b"B"}:
                assert depth == 1, line
            assert depth in {0, 1}, line
        assert depth == 0
        assert numbers == list(range(len(own)))
        for number, parent in enumerate(own):
            assert number in parent.get_object()["/K"]
            assert parent.get_object()["/Pg"] == page


def test_no_mark_is_left_in_the_pages() -> None:
    for name in STORIES:
        for page in made(name).pages:
            assert b" -3000 7 7 re" not in page.get_contents().get_data()  # type: ignore[union-attr]  # each has some


def test_headings_tables_and_figures_are_what_they_are() -> None:
    found = list(elements(root(made("forty"))["/StructTreeRoot"]))
    said = [(one["/S"][1:], str(one.get("/ActualText", ""))) for one in found]
    titles = [text for role, text in said if role == "H2"]
    assert ("H1", "firmware") in said
    assert titles[:5] == [headings.WHEN, headings.FAILED, headings.DECIDED, headings.STEERED, headings.DEVICES]
    assert ("H3", "compile ble") in said
    assert ("TH", "Longest wait to start") in said
    assert ("P", "Time 8:39 until 14:26:39") in said
    assert any(role == "P" and "cancelled. The run took" in text for role, text in said), "a line ends in a space"
    figures = [one for one in found if one["/S"] == "/Figure"]
    assert len(figures) >= 4
    assert all(one["/Alt"] for one in figures)


@pytest.mark.parametrize("name", STORIES)
def test_tables_have_rows_of_cells_and_nothing_else(name: str) -> None:
    within = {"/Table": {"/TR"}, "/TR": {"/TD", "/TH"}}
    for one in elements(root(made(name))["/StructTreeRoot"]):
        if one["/S"] in within:
            assert {kid.get_object()["/S"] for kid in one["/K"]} <= within[one["/S"]]
    assert "Table" in roles(name)


def test_the_outline_has_the_sections_and_where_they_stand() -> None:
    reader = made("forty")
    outline: Any = reader.outline
    title, sections = outline
    assert title["/Title"] == "firmware"
    names = [one["/Title"] for one in sections]
    assert names[:2] == [headings.WHEN, headings.FAILED]
    assert names[-1] == headings.GRAPH
    pages = [reader.get_destination_page_number(one) or 0 for one in sections]
    assert pages == sorted(pages)
    assert pages[-1] == len(reader.pages) - 1
    tops = [one["/Top"] for one in sections[:5]]
    assert tops == sorted(tops, reverse=True)
    assert 0 < tops[-1] < tops[0] < 842


def test_text_is_found_as_it_is_spelled() -> None:
    first = made("forty").pages[0].extract_text()
    assert "firmware" in first
    assert "What decided the finish" in first
    assert "\t" not in first


def test_pages_whose_marks_are_not_found_stay_as_they_are() -> None:
    report = build(RUN, [])
    data = run_report.pages(report, None, UTC)
    assert tagged(data, Element("Document"), 12, 1200) is data
