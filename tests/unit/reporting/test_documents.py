"""Every format of the report: what stands in it, read back with a reader that is not ours."""

from __future__ import annotations

import csv
import io
import json
import re
import time
from datetime import UTC, datetime
from html.parser import HTMLParser
from typing import TYPE_CHECKING, Any
from xml.etree import ElementTree

import pytest
from msgspec.structs import replace
from tests.driver import RUN, edge, plan, task
from tests.unit.reporting.story import WALL, Story, proposing, steered
from typing_extensions import override

from starloom.constellation.edits import AddTask
from starloom.events import RunRecovered
from starloom.foresight.virtual import SimulatedSpec, VirtualRun
from starloom.reporting import csv as tables
from starloom.reporting import json as json_format
from starloom.reporting import junit, trace
from starloom.reporting.blocks import arranged
from starloom.reporting.folding import build
from starloom.reporting.html import page
from starloom.reporting.provenance import Provenance, provenance_of
from starloom.reporting.svg import graph_svg, timeline_svg
from starloom.reporting.text import one_line
from starloom.scheduling import commands as c
from starloom.testing import layered

if TYPE_CHECKING:
    from starloom.reporting.report import Report

NASTY = (
    "<script>alert(1)</script>",
    "</title></style></svg></pre><script src=//x>",
    "\"><img src=x onerror=alert(1)>' onload='x",
    "javascript:alert(1)",
    "{{ 7 * 7 }}{% raw %}&lt;b&gt;",
    "]]><!--",
    "=HYPERLINK(1)",
    "-1+cmd|' /C calc'!A0",
    "\u202eevil\u2066 \ufeff",
)
STEERING = re.compile("[\x00-\x08\x1b\u202a-\u202e\u2066-\u2069\ud800-\udfff]")
META = ("engine", "python", "system", "user", "host", "created", "format")
PRINTED = ("\x1b[31mred\x1b]0;title\x07", "\x00\x01\ud800 lone", "=1+1\r\n@x\t;=2", *NASTY)


def nasty() -> Story:
    """A run whose every text wants to be more than text."""
    name = "/".join(NASTY)
    tasks = [task(f"{bad} {place}", name=f"{bad}{place}", groups=(bad,)) for place, bad in enumerate(NASTY)]
    ids = [one.id for one in tasks]
    edges = [edge(ids[0], one, "always") for one in ids[1:]]
    story = Story(dict.fromkeys(NASTY, 3), plan(tasks, edges), name)
    story.driver.advance(10)
    for place, bad in enumerate(NASTY):
        story.ask(c.SetPriority, ids[-1], priority=place, origin=bad)
        story.driver.edit(AddTask(task(f"{bad} more", name=bad)), origin=bad, reason=bad)
    for place, one in enumerate(ids[:-2]):
        story.driver.advance(1)
        story.fail(one, "\n".join(PRINTED), place, PRINTED[place])
    story.ask(c.CancelRun, origin=NASTY[0], reason=NASTY[2])
    return story


def nasty_provenance() -> Provenance:
    """A journal that says of who made it what nobody is called."""
    return provenance_of(dict.fromkeys(META, NASTY[1]), plan_sha256=NASTY[0], journal_sha256="")


STORIES = {"steered": steered, "nasty": lambda: nasty().events, "empty": list}
REPORTS: dict[str, Report] = {}


def told(name: str) -> Report:
    if name not in REPORTS:
        REPORTS[name] = replace(build(RUN, STORIES[name]()), provenance=nasty_provenance())
    return REPORTS[name]


class Reader(HTMLParser):
    """Notes everything that could be active."""

    def __init__(self, text: str) -> None:
        super().__init__(convert_charrefs=True)
        self.tags: list[str] = []
        self.attributes: list[tuple[str, str, str]] = []
        self.shown: list[str] = []
        self.feed(text)
        self.close()

    @override
    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.attributes += [(tag, name.lower(), value or "") for name, value in attrs]

    @override
    def handle_data(self, data: str) -> None:
        self.shown.append(data)


DRAWN = {"svg", "title", "desc", "style", "defs", "pattern", "rect", "marker", "path", "g", "text"}
TOLD = {
    "thead",
    "h1",
    "h2",
    "h3",
    "div",
    "p",
    "dl",
    "dt",
    "dd",
    "figure",
    "ul",
    "li",
    "table",
    "tr",
    "td",
    "th",
    "br",
    "pre",
}
ALLOWED = (
    DRAWN | TOLD | {"details", "summary", "html", "head", "meta", "body", "main", "header", "span", "section", "footer"}
)


@pytest.mark.parametrize("name", STORIES)
def test_nothing_from_data_is_active_in_the_page(name: str) -> None:
    report = told(name)
    read = Reader(page(report, arranged(report)))
    assert set(read.tags) <= ALLOWED
    for tag, attribute, value in read.attributes:
        assert not attribute.startswith("on"), (tag, attribute)
        assert attribute not in {"href", "src", "xlink:href", "style", "srcdoc", "action"}, (tag, attribute)
        assert "javascript:" not in value.lower()
        assert "url(" not in value or value == "url(#arrow)"


def test_the_page_allows_no_script_and_only_its_own_style() -> None:
    report = told("nasty")
    read = Reader(page(report, arranged(report)))
    ((_, _, policy),) = [one for one in read.attributes if one[0] == "meta" and "default-src" in one[2]]
    assert re.fullmatch(r"default-src 'none'; style-src 'sha256-[\w+/=]+'; base-uri 'none'; form-action 'none'", policy)
    assert read.tags.count("style") == 1


def test_the_page_shows_hostile_text_as_text() -> None:
    shown = "".join(Reader(page(told("nasty"))).shown)
    assert "<script>alert(1)</script>" in shown
    assert "{{ 7 * 7 }}" in shown
    assert not STEERING.search(shown)


def test_the_first_page_has_verdict_numbers_failures_path_people_and_devices() -> None:
    shown = " ".join(" ".join(Reader(page(told("steered"))).shown).split())
    parts = ("Partially failed", "8 of 11 tasks are done", "Critical path", "What failed", "BLE_TX_MAX", "What decided")
    places = [shown.index(part) for part in (*parts, "Who steered", "half the soak", "Devices", "lab-a, drained")]
    assert places == sorted(places)


@pytest.mark.parametrize("name", STORIES)
def test_drawings_are_well_formed_and_hold_nothing_active(name: str) -> None:
    report = told(name)
    for text in (timeline_svg(report), graph_svg(report, arranged(report))):
        assert not STEERING.search(text)
        root = ElementTree.fromstring(text.encode())
        tags = {element.tag.removeprefix("{http://www.w3.org/2000/svg}") for element in root.iter()}
        assert tags <= DRAWN
        for element in root.iter():
            assert not [key for key in element.attrib if key.lower().startswith("on") or "href" in key]


def test_the_timeline_has_a_bar_for_each_attempt_and_a_flag_for_each_intervention() -> None:
    report = told("steered")
    root = ElementTree.fromstring(timeline_svg(report).encode())
    titles = [element.text or "" for element in root.iter("{http://www.w3.org/2000/svg}title")][1:]
    bars = [one for one in titles if ", 0:" in one or ", 1:" in one]
    assert len(bars) == len(report.attempts)
    assert any(one.startswith("compile ble, attempt 2: failed") for one in bars)
    assert any(one.startswith("agent:rules: cancelled hotfix") for one in titles)


@pytest.mark.parametrize("name", STORIES)
def test_json_reads_back_as_the_same_report(name: str) -> None:
    report = told(name)
    data = io.BytesIO()
    json_format.write(report, data)
    assert json_format.read(data.getvalue()) == report
    assert json.loads(data.getvalue())["verdict"] == report.verdict


def test_the_schema_names_and_describes_every_field_of_the_report() -> None:
    data = io.BytesIO()
    json_format.write(told("steered"), data)
    made = json_format.schema()
    fields = made["$defs"]["Report"]["properties"]
    assert set(fields) == set(json.loads(data.getvalue()))
    assert all(one.get("description") for one in made["$defs"].values())


def rows(write: Any, source: Any) -> list[list[str]]:
    text = io.StringIO(newline="")
    write(source, text)
    return list(csv.reader(io.StringIO(text.getvalue(), newline="")))


def test_tables_have_a_row_for_each_task_attempt_and_event() -> None:
    report, events = told("steered"), steered()
    written: tuple[tuple[Any, Any, Any, int], ...] = (
        (tables.write_tasks, report, tables.TASKS, len(report.tasks)),
        (tables.write_attempts, report, tables.ATTEMPTS, len(report.attempts)),
        (tables.write_events, events, tables.EVENTS, len(events)),
    )
    for write, source, names, many in written:
        head, *body = rows(write, source)
        assert head == list(names)
        assert len(body) == many
        assert {len(row) for row in body} == {len(names)}


def test_events_say_who_changed_what_and_why_and_give_away_no_command() -> None:
    events = proposing().events
    head, *body = rows(tables.write_events, events)
    told = [dict(zip(head, row, strict=True)) for row in body]
    assert ("ConstellationModified", "helper", "why 1", "removed e") in {
        (row["event"], row["who"], row["why"], row["what"]) for row in told
    }
    assert any(row["what"] == "proposed for approval 2: changed d (command)" for row in told)
    assert "s3cret" not in "".join(cell for row in body for cell in row)


@pytest.mark.parametrize("breaks_at", [4, 8])
def test_events_have_the_times_of_the_table_of_attempts_also_where_the_run_had_a_break(breaks_at: int) -> None:
    """Before its start or while a task ran; another program has another clock, and the run's time stood still."""
    story = Story({"d": 1}, plan(["a", "b"], ["a>b"]))
    story.after(3)
    story.ask(c.SetPriority, "b", priority=80)
    story.after(7, "a")
    story.after(5, "b")
    before, after = story.events[:breaks_at], story.events[breaks_at:]
    shift, wall, at = 1_000.0, WALL + 86_400, before[-1].at
    taken = RunRecovered(before[-1].seq + 1, at + shift, RUN, wall_time=wall, shift=shift, origin="operator")
    events = [*before, taken, *(replace(one, seq=one.seq + 1, at=one.at + shift) for one in after)]

    def told(write: Any, source: Any) -> list[dict[str, str]]:
        head, *body = rows(write, source)
        return [dict(zip(head, row, strict=True)) for row in body]

    of_events, attempts = told(tables.write_events, events), told(tables.write_attempts, build(RUN, events))
    times = sorted((one["task"], one["started_at"], float(one["started_s"])) for one in attempts)
    started = sorted((one["task"], one["at"], float(one["at_s"])) for one in of_events if one["event"] == "TaskStarted")
    assert [one[:2] for one in started] == [one[:2] for one in times]
    assert [one[2] for one in started] == pytest.approx([one[2] for one in times])
    seconds = [float(one["at_s"]) for one in of_events]
    assert seconds == sorted(seconds)
    assert of_events[breaks_at]["at"] == datetime.fromtimestamp(wall, UTC).isoformat(timespec="milliseconds")


def test_agents_have_a_table_of_their_own_where_there_are_any() -> None:
    report = build(RUN, proposing().events)
    shown = " ".join(" ".join(Reader(page(report, None)).shown).split())
    assert " 2 0 1 accepted, 1 not accepted" in shown, "applied: one at once, and the accepted one"
    assert "Longest answer" not in " ".join(Reader(page(told("steered"))).shown)


def test_no_cell_is_a_formula() -> None:
    story = nasty()
    report = build(RUN, story.events)
    writers: tuple[tuple[Any, Any], ...] = (
        (tables.write_tasks, report),
        (tables.write_attempts, report),
        (tables.write_events, story.events),
    )
    for write, source in writers:
        text = io.StringIO(newline="")
        write(source, text)
        for row in csv.reader(io.StringIO(text.getvalue(), newline="")):
            for cell in row:
                is_number = re.fullmatch(r"-?\d+(\.\d+)?(e-?\d+)?", cell)
                assert is_number or not cell.lstrip().startswith(("=", "+", "-", "@", "\t", "\r", "|", "%")), cell
        assert all(line.count('"') > 2 for line in text.getvalue().splitlines()), "text is quoted"
    assert "'=HYPERLINK(1) 6" in {row[0] for row in rows(tables.write_tasks, report)}


@pytest.mark.parametrize("name", STORIES)
def test_junit_has_a_case_for_each_task_and_counts_them(name: str) -> None:
    report = told(name)
    data = junit.write(report)
    assert not STEERING.search(data.decode())
    (suite,) = ElementTree.fromstring(data)
    assert [one.get("name") for one in suite.findall("testcase")] == [one_line(task.id) for task in report.tasks]
    assert int(suite.get("failures", "")) == report.counts.failed
    passed = [one for one in suite.findall("testcase") if not len(one)]
    others = sum(int(suite.get(name, "")) for name in ("failures", "errors", "skipped"))
    assert len(passed) == report.counts.completed == int(suite.get("tests", "")) - others


ATTRIBUTES = {
    "testsuites": {"name", "time", "tests", "failures", "errors"},
    "testsuite": {"name", "tests", "failures", "errors", "time", "skipped", "timestamp"},
    "testcase": {"name", "time", "classname"},
    "failure": {"type", "message"},
    "error": {"type", "message"},
    "skipped": {"type", "message"},
    "system-out": set(),
    "properties": set(),
    "property": {"name", "value"},
}
CHILDREN = {
    "testsuites": {"testsuite"},
    "testsuite": {"properties", "testcase"},
    "properties": {"property"},
    "testcase": {"failure", "error", "skipped", "system-out"},
}


@pytest.mark.parametrize("name", STORIES)
def test_junit_has_only_the_elements_and_attributes_that_the_schema_of_build_servers_knows(name: str) -> None:
    for one in ElementTree.fromstring(junit.write(told(name))).iter():
        assert set(one.keys()) <= ATTRIBUTES[one.tag]
        assert {child.tag for child in one} <= CHILDREN.get(one.tag, set())


def test_junit_says_why_a_task_failed_or_did_not_run() -> None:
    (suite,) = ElementTree.fromstring(junit.write(told("steered")))
    cases = {one.get("name"): one for one in suite}
    failure, said = cases["compile ble"]
    assert (said.tag, said.text) == ("system-out", "severity: error")
    assert (failure.get("message"), failure.get("type")) == ("It exited with 2.", "exit_code")
    assert "BLE_TX_MAX" in (failure.text or "")
    (skipped,) = cases["hotfix"]
    assert (skipped.tag, skipped.get("message")) == ("skipped", "not needed any more")
    assert cases["compile ble"].get("time") == "48.000"


def test_junit_takes_a_failure_that_is_a_warning_for_no_failure() -> None:
    story = Story({"d": 1}, plan([task("a", severity="warning")]))
    story.driver.advance(1)
    story.fail("a")
    (suite,) = ElementTree.fromstring(junit.write(build(RUN, story.events)))
    assert (suite.get("failures"), suite.get("skipped")) == ("0", "1")
    skipped, said = suite[1]
    assert (said.tag, said.text) == ("system-out", "severity: warning")
    assert "counts as a warning: It exited with 2." in (skipped.get("message") or "")


@pytest.mark.parametrize("name", STORIES)
def test_the_trace_has_a_track_a_slot_and_a_slice_an_attempt(name: str) -> None:
    report = told(name)
    text = io.StringIO()
    trace.write(report, text)
    assert text.getvalue().isascii()
    entries = json.loads(text.getvalue())["traceEvents"]
    assert sum(entry["ph"] == "X" for entry in entries) == len(report.attempts)
    tracks = {(entry["pid"], entry["tid"]) for entry in entries if entry["name"] == "thread_name"}
    assert len(tracks) == sum(device.lanes for device in report.devices)
    assert {(entry["pid"], entry["tid"]) for entry in entries if entry["ph"] == "X"} <= tracks


def test_every_arrow_of_the_trace_begins_and_ends_within_a_slice() -> None:
    text = io.StringIO()
    trace.write(told("steered"), text)
    entries = json.loads(text.getvalue())["traceEvents"]
    slices = [entry for entry in entries if entry["ph"] == "X"]
    arrows = [entry for entry in entries if entry["ph"] in "sf"]
    assert len(arrows) == 2 * 8  # those of two dependencies would lead to tasks that never ran
    for end in arrows:
        track = [one for one in slices if (one["pid"], one["tid"]) == (end["pid"], end["tid"])]
        assert any(one["ts"] <= end["ts"] <= one["ts"] + one["dur"] for one in track)
    assert {end["id"] for end in arrows if end["ph"] == "s"} == {end["id"] for end in arrows if end["ph"] == "f"}


def test_ten_thousand_tasks_are_a_page_within_ten_seconds_and_fifteen_megabytes() -> None:
    events: list[Any] = []
    devices = [SimulatedSpec("a", slots=16, failure_rate=0.01), SimulatedSpec("b", slots=64)]
    virtual = VirtualRun(layered(100, 100, simulate=3.0, severity="warning"), devices, on_events=events.extend)
    while virtual.step():
        pass
    own = [event for event in events if event.run_id == virtual.run.run_id]
    began = time.process_time()
    report = build(virtual.run.run_id, own)
    text = page(report, arranged(report))
    assert time.process_time() - began < 10
    assert len(text.encode()) < 15_000_000
    assert report.counts.total == 10_000
    assert "one row per device" in text
