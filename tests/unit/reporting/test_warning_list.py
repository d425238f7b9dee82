"""What tasks warned of, what was overdue, and how bad failures were, in every form of a report."""

from __future__ import annotations

import io
from typing import TYPE_CHECKING
from xml.etree import ElementTree

from tests.driver import RUN, plan, task
from tests.unit.reporting.story import Story

from starloom.reporting import csv, html, json, junit
from starloom.reporting.asked import ReportedWarning
from starloom.reporting.folding import build
from starloom.reporting.warning_list import MOST
from starloom.scheduling.stimuli import AttemptWarned

if TYPE_CHECKING:
    from starloom.reporting.report import Report


def told() -> Report:
    story = Story({"d": 3}, plan([task("slow", estimate=10.0), task("soft", severity={2: "warning"}), task("hard")]))
    story.driver.advance(1.0)
    story.driver.turn(AttemptWarned(RUN, "slow", 1, "the disk is <nearly> full"))
    story.fail("soft")
    story.fail("hard")
    story.after(31.0, "slow")
    return build(RUN, story.events)


def test_the_report_lists_them_with_their_times() -> None:
    report = told()
    assert report.warnings == (
        ReportedWarning(0, 1, 1.0, "warned", "the disk is <nearly> full"),
        ReportedWarning(0, 1, 32.0, "overdue", "It was expected to take 0:10 on d and took far longer."),
    )
    assert report.warning_count == 2
    assert [one.severity for one in report.attempts] == ["", "warning", "error"]
    assert [one.severity for one in report.tasks][1:] == ["warning", "error"]


def test_only_the_first_ones_are_kept_and_all_are_counted() -> None:
    story = Story({"d": 1}, plan(["a"]))
    for number in range(MOST + 5):
        story.driver.turn(AttemptWarned(RUN, "a", 1, f"warning {number}"))
    report = build(RUN, story.events)
    assert (len(report.warnings), report.warning_count) == (MOST, MOST + 5)


def test_every_form_has_them() -> None:
    report = told()
    data, table = io.BytesIO(), io.StringIO()
    text = html.page(report)
    assert "<h2>Warnings</h2>" in text
    assert "the disk is &lt;nearly&gt; full" in text
    json.write(report, data)
    assert json.read(data.getvalue()) == report
    csv.write_attempts(report, table)
    assert '"severity"' in table.getvalue().splitlines()[0]
    suite = ElementTree.fromstring(junit.write(report))[0]
    cases = {one.get("name"): one for one in suite}
    assert cases["slow"].findtext("system-err", "").startswith("the disk is <nearly> full\nIt was expected")
    assert cases["soft"].findtext("system-out") == "severity: warning"
