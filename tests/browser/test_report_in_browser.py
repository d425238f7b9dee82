"""The HTML report as a browser takes it: offline, silent, all of it in sight. `make test-browser` opens it."""

from __future__ import annotations

import os
from datetime import UTC
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from msgspec.structs import replace
from pypdf import PdfReader
from tests.browser.chromium import NAMED, NAMES, Browser, browser, installed
from tests.driver import RUN
from tests.gui.printing.forty import forty
from tests.unit.reporting.story import steered
from tests.unit.reporting.test_documents import nasty, nasty_provenance

from starloom.foresight.virtual import SimulatedSpec, VirtualRun
from starloom.reporting.blocks import arranged
from starloom.reporting.folding import build
from starloom.reporting.html import page
from starloom.testing import layered

if TYPE_CHECKING:
    from collections.abc import Iterator

PICTURES = Path(__file__).parents[2] / "build" / "browser"
SECTIONS = ["When and where", "What decided the finish", "Who steered", "Devices", "How busy it was", "The graph"]
QUESTION = """({
  heads: [...document.querySelectorAll("h1, h2")].filter(one => one.checkVisibility()).map(one => one.textContent),
  active: document.querySelectorAll("script, iframe, object, embed, link, form, img, [href], [src], [onerror]").length,
  rules: [...document.styleSheets].filter(one => one.href === null).reduce((sum, one) => sum + one.cssRules.length, 0),
  across: document.documentElement.scrollWidth - document.documentElement.clientWidth,
  bars: [...document.querySelectorAll("svg rect")].filter(one => one.getBoundingClientRect().width > 0).length,
  ran: typeof window.ran,
})"""


def large() -> list[Any]:
    """A run of 10,000 tasks, some of which fail."""
    events: list[Any] = []
    devices = [SimulatedSpec("a", slots=16, failure_rate=0.01), SimulatedSpec("b", slots=64)]
    virtual = VirtualRun(layered(100, 100, simulate=3.0, severity="warning"), devices, on_events=events.extend)
    while virtual.step():
        pass
    return [event for event in events if event.run_id == virtual.run.run_id]


STORIES = {"steered": steered, "nasty": lambda: nasty().events, "large": large}


@pytest.fixture
def chromium(tmp_path: Path) -> Iterator[Browser]:
    program = installed()
    if program is None:
        pytest.skip(f"There is no browser: none of {', '.join(NAMES)} is installed. Name one with {NAMED}.")
    with browser(program, tmp_path) as made:
        yield made


@pytest.mark.parametrize("name", STORIES)
def test_the_report_is_whole_silent_and_offline(chromium: Browser, tmp_path: Path, name: str) -> None:
    events = STORIES[name]()
    report = replace(build(events[0].run_id if events else RUN, events), provenance=nasty_provenance())
    file = tmp_path / "report.html"
    file.write_text(page(report, arranged(report), UTC), encoding="utf-8")
    seen = chromium.open(file.as_uri(), QUESTION)
    PICTURES.mkdir(parents=True, exist_ok=True)
    (PICTURES / f"{name}.png").write_bytes(seen.picture)
    assert (seen.requests, seen.complaints, seen.dialogs) == ([], [], [])
    assert [one for one in seen.told["heads"] if one in SECTIONS] == SECTIONS
    assert seen.told["active"] == 0
    assert seen.told["ran"] == "undefined"
    assert seen.told["rules"] > 50, "its own style sheet is in force"
    assert seen.told["bars"] >= len(report.devices)
    assert seen.told["across"] <= 0, "it is wider than the window"


def test_what_a_report_must_not_do_would_be_noticed(chromium: Browser, tmp_path: Path) -> None:
    file = tmp_path / "bad.html"
    asks = "<img src='http://127.0.0.1:1/x.png'><link rel=stylesheet href='other.css'>"
    file.write_text(f"<h1>x</h1><script>window.ran = 1; alert('hi'); console.log('x'); no.no()</script>{asks}")
    seen = chromium.open(file.as_uri(), QUESTION)
    assert {"http://127.0.0.1:1/x.png", (tmp_path / "other.css").as_uri()} <= set(seen.requests)
    assert len(seen.complaints) >= 2
    assert seen.dialogs == ["hi"]
    assert seen.told["ran"] == "number"
    assert seen.told["active"] == 3


def test_a_browser_can_be_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(os.environ, NAMED, "/somewhere/chromium")
    assert installed() == "/somewhere/chromium"


COLOURS = """({
  page: getComputedStyle(document.body).backgroundColor,
  text: getComputedStyle(document.querySelector("svg text:not([class])")).fill,
})"""


def test_the_report_is_dark_where_the_system_is_and_light_on_paper(chromium: Browser, tmp_path: Path) -> None:
    file = tmp_path / "report.html"
    file.write_text(page(build(RUN, forty()), None, UTC), encoding="utf-8")
    light = chromium.open(file.as_uri(), COLOURS)
    dark = chromium.open(file.as_uri(), COLOURS, is_dark=True)
    assert light.told == {"page": "rgb(255, 255, 255)", "text": "rgb(31, 35, 40)"}
    assert dark.told == {"page": "rgb(20, 23, 28)", "text": "rgb(230, 234, 240)"}
    assert dark.complaints == []
    inks = [PdfReader(BytesIO(seen.printed)).pages[0].get_contents() for seen in (light, dark)]
    first, second = (b"" if one is None else one.get_data() for one in inks)
    assert first == second


def test_the_first_printed_page_has_all_that_a_manager_needs(chromium: Browser, tmp_path: Path) -> None:
    file = tmp_path / "report.html"
    file.write_text(page(build(RUN, forty()), None, UTC), encoding="utf-8")
    first, *others = PdfReader(BytesIO(chromium.open(file.as_uri(), "0").printed)).pages
    text = " ".join(first.extract_text().replace("\ufb01", "fi").split())
    assert [one for one in (*SECTIONS[:4], "BLE_TX_MAX", "lab-c", "37%") if one not in text] == []
    assert len(others) < 4
