"""The report on pages: nothing is cut, nothing of data is more than text, everything that is told is there."""

from __future__ import annotations

import re
from datetime import UTC
from typing import TYPE_CHECKING, Any

import pytest
from msgspec.structs import replace
from PySide6.QtGui import QImage, QPainter
from tests.driver import RUN
from tests.unit.reporting.story import proposing, steered
from tests.unit.reporting.test_documents import STEERING, nasty, nasty_provenance

from starloom.errors import StarloomError
from starloom.reporting import headings
from starloom.reporting.asked import ReportedWarning
from starloom.reporting.blocks import arranged
from starloom.reporting.folding import build
from starloom.reporting.report import Intervention
from starloom.reporting.report_presenter import ReportPresenter
from starloom_gui.printing import drawing, run_report
from starloom_gui.printing.paper import Paper
from starloom_gui.printing.tables import Table
from starloom_gui.printing.words import Face, Words

if TYPE_CHECKING:
    from PySide6.QtWidgets import QApplication

    from starloom.reporting.report import Report
    from starloom_gui.printing.tables import PaperColumn

ACTIVE = re.compile(rb"/(JavaScript|JS|OpenAction|AA|Launch|URI|GoToR|SubmitForm|EmbeddedFile|Annot|AcroForm|XFA)\b")
STORIES = {"steered": steered, "nasty": lambda: nasty().events, "empty": list}


@pytest.fixture(autouse=True)
def with_application(app: QApplication) -> None:
    """Fonts need one."""


def told(name: str) -> Report:
    return replace(build(RUN, STORIES[name]()), provenance=nasty_provenance())


def pages_of(data: bytes) -> int:
    return len(re.findall(rb"/Type /Page\b(?!s)", data))


@pytest.fixture
def said(monkeypatch: pytest.MonkeyPatch) -> list[tuple[str, float, Words]]:
    """Every text that is painted while the test runs, and how much width it was given."""
    heard: list[tuple[str, float, Words]] = []
    given_to: dict[Words, tuple[str, float]] = {}
    before, painting = Words.__init__, Words.paint

    def noting(self: Words, text: str, width: float, *given: Any, **more: Any) -> None:
        before(self, text, width, *given, **more)
        given_to[self] = text, width

    def painted(self: Words, painter: QPainter) -> None:
        painting(self, painter)
        heard.append((*given_to[self], self))

    monkeypatch.setattr(Words, "__init__", noting)
    monkeypatch.setattr(Words, "paint", painted)
    return heard


@pytest.mark.parametrize("name", STORIES)
def test_the_pdf_holds_pages_and_nothing_that_acts(name: str) -> None:
    data = run_report.pages(told(name), arranged(told(name)), UTC)
    assert data.startswith(b"%PDF-1.")
    assert data.rstrip().endswith(b"%%EOF")
    assert pages_of(data) >= 1
    assert not ACTIVE.search(data)


def test_drawings_and_text_are_vectors() -> None:
    """Only the hatching of what was cancelled and skipped is a small tile."""
    data = run_report.pages(told("steered"), arranged(told("steered")), UTC)
    assert b"/FontFile2" in data
    assert all(int(width) < 100 for width in re.findall(rb"/Width (\d+)", data))


def wordy() -> Report:
    """The report of a run that was steered often, each time for a long reason."""
    one = Intervention(1.0, "TaskRetried", "agent:with-a-name", "changed something " * 8, "as it is so and so " * 20)
    return replace(told("steered"), interventions=(one,) * 12)


@pytest.mark.parametrize("name", [*STORIES, "wordy"])
def test_no_text_is_wider_than_its_place_and_no_block_leaves_its_page(
    name: str, said: list[tuple[str, float, Words]], monkeypatch: pytest.MonkeyPatch
) -> None:
    papers: list[Paper] = []
    before = Paper.__init__

    def noting(self: Paper) -> None:
        before(self)
        papers.append(self)

    monkeypatch.setattr(Paper, "__init__", noting)
    report = wordy() if name == "wordy" else told(name)
    run_report.pages(report, arranged(report), UTC)
    assert all(words.width <= width + 0.5 for _, width, words in said)
    (paper,) = papers
    for page in paper._pages:
        bottoms = [top + block.height for _, top, block in page.placed]
        tops = [top for _, top, _ in page.placed]
        assert all(bottom <= top + 0.01 for bottom, top in zip(bottoms, tops[1:], strict=False)), "blocks overlap"
        assert all(bottom <= (paper.lying[1] if page.is_lying else paper.height) + 0.01 for bottom in bottoms)


def test_who_steered_is_told_below_where_page_one_has_no_room(said: list[tuple[str, float, Words]]) -> None:
    run_report.pages(wordy(), None, UTC)
    (more,) = (int(text.split()[0]) for text, _, _ in said if re.fullmatch(r"\d+ more below\.", text))
    assert ReportPresenter(wordy()).steered_left <= more < len(wordy().interventions)
    assert sum("as it is so and so" in text for text, *_ in said) == len(wordy().interventions)


def test_hostile_text_is_shown_as_text(said: list[tuple[str, float, Words]]) -> None:
    run_report.pages(told("nasty"), None, UTC)
    shown = " ".join(" ".join(words.lines) for _, _, words in said)
    assert "<script>alert(1)</script>" in shown
    assert "{{ 7 * 7 }}" in shown
    assert not STEERING.search(shown)


def test_who_steered_and_why_stands_there_with_what_failed_and_where_it_ran(
    said: list[tuple[str, float, Words]],
) -> None:
    run_report.pages(told("steered"), None, UTC)
    shown = [text for text, _, _ in said]
    order = ["Partially failed", "When and where", "What failed", "What decided the finish"]
    places = [shown.index(text) for text in [*order, "Who steered", "Devices", "Edits and interventions"]]
    assert places == sorted(places)
    assert {"half the soak is enough", "agent:rules", "ada", "lab-a, drained", "Environment"} <= set(shown)
    assert any("BLE_TX_MAX" in text for text in shown)


def test_the_pages_are_counted_on_each_of_them(said: list[tuple[str, float, Words]]) -> None:
    data = run_report.pages(told("nasty"), arranged(told("nasty")), UTC)
    many = pages_of(data)
    assert [text for text, _, _ in said if re.fullmatch(r"\d+ of \d+", text)] == [
        f"{number} of {many}" for number in range(1, many + 1)
    ]


def test_text_beyond_its_lines_ends_in_an_ellipsis() -> None:
    words = Words("one two three four five six seven eight", 60, Face.BODY, most=2)
    assert len(words.lines) == 2
    assert words.lines[1].endswith("…")


@pytest.mark.parametrize("kind", ["timeline.png", "graph.png"])
def test_a_picture_is_as_large_as_its_scale_says_and_on_white(kind: str) -> None:
    report = told("steered")
    sizes = []
    for scale in (1.0, 2.0):
        image = QImage.fromData(drawing.draw(kind, report, arranged(report), UTC, scale))
        assert image.pixelColor(0, 0).name() == "#ffffff"
        assert image.text("Description") == report.provenance.text()
        sizes.append((image.width(), image.height()))
    assert sizes[1] == (2 * sizes[0][0], 2 * sizes[0][1])


def test_a_picture_that_would_be_too_large_is_made_as_large_as_it_may_be(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(drawing, "MOST_PIXELS", 10_000)
    image = QImage.fromData(drawing.draw("timeline.png", told("steered"), None, UTC, 8.0))
    assert 9_000 < image.width() * image.height() <= 10_500


def test_a_kind_that_nobody_draws_is_refused() -> None:
    with pytest.raises(StarloomError, match="draws no gif"):
        drawing.draw("gif", told("empty"), None, UTC, 1.0)


def test_words_are_painted_where_they_stand() -> None:
    image = QImage(100, 40, QImage.Format.Format_RGB32)
    image.fill(0xFFFFFFFF)
    painter = QPainter(image)
    Words("words", 90).paint(painter)
    painter.end()
    assert min(image.pixelColor(x, y).lightness() for x in range(60) for y in range(25)) < 128
    assert all(image.pixelColor(x, y).lightness() == 255 for x in range(100) for y in range(30, 40))


def test_the_statistics_of_edit_cycles_stand_below_the_agents_where_there_were_any(
    said: list[tuple[str, float, Words]],
) -> None:
    run_report.pages(build(RUN, proposing().events), None, UTC)
    assert "Edit cycles: 4 ended tasks handed to agents, 4 answered, 0 timed out." in [text for text, *_ in said]
    said.clear()
    run_report.pages(told("steered"), None, UTC)
    assert not any("Edit cycles" in text for text, *_ in said)


def test_sentences_of_a_table_begin_where_its_head_does(monkeypatch: pytest.MonkeyPatch) -> None:
    given: dict[tuple[str, ...], list[PaperColumn]] = {}

    def noting(columns: list[PaperColumn], *more: Any) -> Table:
        given[tuple(column.title for column in columns)] = columns
        return Table(columns, *more)

    monkeypatch.setattr("starloom_gui.printing.run_report.Table", noting)
    warned = ReportedWarning(task=0, attempt=1, at=1.0, message="It is hot.", kind="warned")
    run_report.pages(replace(told("steered"), warnings=(warned,), warning_count=1), None, UTC)
    assert not any(column.is_right for column in given[tuple(headings.OF_WARNINGS)])
