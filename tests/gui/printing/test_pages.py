"""What stands on which page: page one holds every part, no page only a row, and nothing is told nowhere."""

from __future__ import annotations

from datetime import UTC
from functools import cache
from io import BytesIO
from typing import TYPE_CHECKING

import pytest
from msgspec.structs import replace
from pypdf import PdfReader
from tests.driver import RUN
from tests.gui.printing.forty import forty
from tests.unit.reporting.story import proposing, steered
from tests.unit.reporting.test_documents import nasty

from starloom.foresight.virtual import SimulatedSpec, VirtualRun
from starloom.reporting import headings
from starloom.reporting.blocks import arranged
from starloom.reporting.folding import build
from starloom.reporting.report import Intervention
from starloom.reporting.report_presenter import ReportPresenter
from starloom.reporting.standing import as_it_stands
from starloom.testing import layered
from starloom_gui.printing import run_report
from starloom_gui.printing.paper import Paper
from starloom_gui.printing.tables import LEAST_ROWS, PaperColumn, Table, TableRow

if TYPE_CHECKING:
    from PySide6.QtWidgets import QApplication

    from starloom.events import Event
    from starloom.reporting.report import Report

PARTS = (headings.WHEN, headings.FAILED, headings.DECIDED, headings.STEERED, headings.DEVICES)


@pytest.fixture(autouse=True)
def with_application(app: QApplication) -> None:
    """Fonts need one."""


def simulated(slots: int, devices: int, layers: int = 10, width: int = 20) -> Report:
    """A run of many tasks, some of which fail."""
    events: list[Event] = []
    specs = [SimulatedSpec(f"node-{number}", slots=slots, failure_rate=0.05) for number in range(devices)]
    virtual = VirtualRun(layered(layers, width, simulate=3.0), specs, on_events=events.extend)
    while virtual.step():
        pass
    run_id = virtual.run.run_id
    return build(run_id, [event for event in events if event.run_id == run_id])


@cache
def told(name: str) -> Report:
    if name == "forty":
        return build(RUN, forty())
    if name == "hostile":
        return build(RUN, nasty().events)
    if name == "steered":
        return build(RUN, steered())
    if name == "five tasks":
        return build(RUN, proposing().events)
    if name == "a chain":
        return simulated(1, 1, 112, 1)
    if name == "two layers":
        return simulated(8, 4, 2, 150)
    return simulated(*{"28 slots": (14, 2), "48 slots": (16, 3), "300 slots": (10, 30)}[name])


def texts(data: bytes) -> list[str]:
    """The text of each page on one line, with spaces as spaces and no letters in one glyph."""
    read = [page.extract_text() for page in PdfReader(BytesIO(data)).pages]
    return [" ".join(text.replace("ﬁ", "fi").split()) for text in read]


RUNS = ("forty", "steered", "hostile", "28 slots", "48 slots", "300 slots")


@pytest.mark.parametrize("name", RUNS)
def test_page_one_holds_every_part(name: str) -> None:
    first, *_ = texts(run_report.pages(told(name), None, UTC))
    places = [first.index(part) for part in (*PARTS, headings.OF_DEVICES[-1])]
    assert places == sorted(places)


def test_a_run_that_was_interrupted_is_so_in_the_bar_and_its_legend() -> None:
    report = as_it_stands(told("hostile"), is_held=False)
    first, *_ = texts(run_report.pages(report, None, UTC))
    assert "11 interrupted" in first
    assert "interrupted" in ReportPresenter(report).ended_bar().body
    assert "running" not in ReportPresenter(report).ended_bar().body


def test_page_one_of_forty_tasks_names_all_that_a_manager_asks_for() -> None:
    first, *_ = texts(run_report.pages(told("forty"), None, UTC))
    shown = ("firmware", "37 of 41", "BLE_TX_MAX", "soak lab-a", "half the soak is enough", "build-1, drained", "lab-c")
    assert [one for one in shown if one not in first] == []


def test_what_page_one_leaves_out_of_a_failure_stands_on_a_page_after_it() -> None:
    first, *others = texts(run_report.pages(told("forty"), None, UTC))
    assert "cc -c ble/phy.c" not in first
    assert headings.FAILED_IN_FULL in " ".join(others)
    assert "cc -c ble/phy.c" in " ".join(others)


def test_a_run_of_forty_slots_has_them_one_by_one_behind_page_one() -> None:
    first, *others = texts(run_report.pages(told("48 slots"), None, UTC))
    assert "one row per device" in first
    assert "one row per slot" in " ".join(others)


def papers(monkeypatch: pytest.MonkeyPatch) -> list[Paper]:
    """All papers that are made from now on."""
    made: list[Paper] = []
    before = Paper.__init__

    def noting(self: Paper) -> None:
        before(self)
        made.append(self)

    monkeypatch.setattr(Paper, "__init__", noting)
    return made


def test_no_page_has_only_a_row(monkeypatch: pytest.MonkeyPatch) -> None:
    """With so many interventions that each number of rows is tried at the foot of a page and at the top of the next."""
    made = papers(monkeypatch)
    monkeypatch.setattr(Paper, "to_pdf", lambda *_: b"")  # only where things stand is looked at
    report = told("forty")
    one = Intervention(1.0, "TaskRetried", "ada", "changed something")
    for many in range(20, 56):
        run_report.pages(replace(report, interventions=(one,) * many), None, UTC)
    assert len(made) == 36
    thin = [(many, page.used) for many, paper in enumerate(made, 20) for page in paper._pages if page.used < 90]
    assert thin == []


@pytest.mark.parametrize("many", [1, 2, 3, 4, 7, 50, 51, 52, 53, 54, 100, 200])
@pytest.mark.parametrize("remark", ["", "and so on"])
def test_a_table_over_pages_has_its_head_and_some_rows_on_each(many: int, remark: str) -> None:
    paper = Paper()
    Table([PaperColumn("A", 100), PaperColumn("B", 100)], [[str(row), "x"] for row in range(many)], remark).put_on(
        paper
    )
    for number, page in enumerate(paper._pages):
        blocks = [block for _, _, block in page.placed if block.height]
        assert len(blocks) >= 1 + min(LEAST_ROWS, many)
        assert page.used <= paper.height
        assert isinstance(blocks[0], TableRow) is (number == 0), "the head is said once, and repeated as decoration"
    rows = sum(sum(bool(block.height) for _, _, block in page.placed) - 1 for page in paper._pages)
    assert rows == many


def test_a_table_is_not_begun_at_the_foot_of_a_page() -> None:
    paper = Paper()
    while paper.room > 80:
        paper.put(TableRow([PaperColumn("", 100)], ["x"], is_ruled=False, is_head=False))
    Table([PaperColumn("A", 100)], [[str(row)] for row in range(9)]).put_on(paper)
    assert paper.count == 2
    assert sum(bool(block.height) for _, _, block in paper._pages[1].placed) == 10


@pytest.mark.parametrize("name", [*RUNS, "two layers", "a chain", "five tasks"])
def test_no_page_has_only_a_title(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    made = papers(monkeypatch)
    report = told(name)
    run_report.pages(report, arranged(report), UTC)
    (paper,) = made
    assert [page.used for page in paper._pages if page.used < 150] == []
