"""What a report says is so: its sentences, who steered, what is red."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any
from xml.etree import ElementTree

import msgspec
import pytest
from tests.driver import RUN, plan, task
from tests.unit.reporting.story import Story

from starloom import events as ev
from starloom.constellation.edits import RemoveTask, UpdateTask
from starloom.errors import EditRefused
from starloom.model.result import ErrorInfo, Outcome, OutcomeStatus, Result
from starloom.model.status import TaskStatus
from starloom.reporting import junit
from starloom.reporting.folding import build
from starloom.reporting.headings import WAITED_NOTE
from starloom.reporting.html import page
from starloom.reporting.report_presenter import ReportPresenter
from starloom.reporting.scripting import scripted
from starloom.reporting.standing import as_it_stands
from starloom.reporting.timeline import MOST_LANES, share_bar
from starloom.scheduling import commands as c
from starloom.scheduling import stimuli

if TYPE_CHECKING:
    from starloom.model.task import Task
    from starloom.reporting.report import Report


def test_a_run_that_waits_for_a_person_says_so_until_it_is_answered() -> None:
    story = Story({"d": 1}, plan([task("gate", gate="Ship it?"), "ship"], ["gate>ship"]))
    report = report_of(story)
    told = "The run waits for a person to give 1 answer. The run has not ended"
    assert told in report.verdict
    assert report.open_answers == 1
    assert told in page(report)
    assert "waits for" not in as_it_stands(report, is_held=False).verdict, "no program runs it that would hear one"
    story.driver.ask(c.AnswerGate, task_id="gate", approve=True, origin="operator")
    assert "waits for" not in report_of(story).verdict


def report_of(story: Story) -> Report:
    return build(RUN, story.events)


def one(*tasks: str | Task, slots: int = 200) -> Story:
    return Story({"d": slots}, plan(tasks))


def ends(story: Story, name: str, code: str, exit_code: int) -> None:
    start = story.driver.ordered.pop((RUN, name))
    result = Result(exit_code=exit_code, error=ErrorInfo(code=code, message="It was stopped."))
    story.driver.turn(stimuli.AttemptEnded(RUN, name, start.attempt, Outcome(OutcomeStatus.FAILED, result)))


def test_a_task_that_was_marked_failed_did_not_fail_0_times() -> None:
    story = one("g", "h", slots=1)
    story.ask(c.MarkTasks, "h", status=TaskStatus.FAILED)
    assert "“h” was marked failed." in report_of(story).verdict
    assert "0 times" not in report_of(story).verdict


def test_a_gate_that_was_rejected_was_not_marked() -> None:
    story = one(task("ship", gate="Ship it?"), "h")
    story.driver.ask(c.AnswerGate, task_id="ship", approve=False, origin="ana")
    assert "“ship” failed." in report_of(story).verdict


def test_a_time_out_is_no_exit_code_and_a_signal_is_named() -> None:
    for code, told in (("timeout", "“g” failed by its timeout."), ("exit_code", "“g” failed by signal 15.")):
        story = one("g")
        story.driver.advance(1)
        ends(story, "g", code, -15)
        assert told in report_of(story).verdict
        (card,) = ReportPresenter(report_of(story)).first_failures
        assert "-15" not in card.about


def test_one_task_is_not_are() -> None:
    story = one("g")
    assert report_of(story).verdict.startswith("The only task is not done.")


def test_a_failure_that_is_a_warning_is_not_red() -> None:
    for severity, is_bad in (("warning", False), ("error", True)):
        story = one(task("g", severity=severity))
        story.driver.advance(1)
        story.fail("g")
        told = ReportPresenter(report_of(story))
        assert {number.name: number.is_bad for number in told.numbers}["Failed"] is is_bad
        assert told.is_bad is is_bad


def test_names_that_several_tasks_have_carry_ids() -> None:
    story = one(task("a1", name="build"), task("a2", name="build"), "b")
    story.driver.advance(1)
    story.fail("a2")
    told = report_of(story)
    assert "“build (a2)” failed" in told.verdict
    assert ReportPresenter(told).first_failures[0].name == "build (a2)"


def test_equal_failures_are_one_card_with_their_count() -> None:
    story = one("a", "b", "c", "d")
    story.driver.advance(1)
    for name in "abc":
        story.fail(name, "the same\n")
    story.fail("d", "another\n")
    told = ReportPresenter(report_of(story))
    assert [card.name for card in told.first_failures] == ["a", "d"]
    assert "and 2 other tasks that failed alike" in told.first_failures[0].about
    assert (told.more_failures, told.failures_below, told.failures_left) == ([], 0, 0)


def test_of_very_many_equal_failures_none_is_left_over() -> None:
    names = [f"t{number}" for number in range(120)]
    story = one(*names)
    story.driver.advance(1)
    for name in names:
        story.fail(name, "the same\n")
    report = report_of(story)
    (failure,) = report.failures
    assert (failure.task, failure.count) == (0, 120)
    told = ReportPresenter(report)
    assert "and 119 other tasks that failed alike" in told.first_failures[0].about
    assert "more failed" not in page(report)
    cases = ElementTree.fromstring(junit.write(report)).iter("failure")
    assert [case.text for case in cases] == ["the same"] * 120


def test_who_cancelled_a_running_task_is_told_once() -> None:
    story = one("a", "b", "c")
    story.driver.advance(1)
    story.ask(c.CancelTasks, "a", "b", origin="ada", reason="too slow")
    for name in "ab":
        story.driver.end(name, stopped=True)
    steered = [(made.who, made.what, made.why) for made in report_of(story).interventions if made.is_steering]
    assert steered == [("ada", "stopped 2 tasks", "too slow")]


def test_what_a_cancelled_run_stops_is_told_by_its_own_line_alone() -> None:
    story = one("a", "b")
    story.driver.advance(1)
    story.ask(c.CancelRun, origin="ada", reason="wrong branch")
    for name in "ab":
        story.driver.end(name, stopped=True)
    steered = [(made.who, made.what, made.why) for made in report_of(story).interventions if made.is_steering]
    assert steered == [("ada", "cancelled the run", "wrong branch")]


def test_of_many_devices_only_those_that_worked_have_an_area_and_only_while_they_did() -> None:
    devices = {f"d{number}": MOST_LANES for number in range(25)}
    story = Story(devices, plan([task("a"), task("b", device="d1")], ["a>b"]))
    for name in "ab":
        story.after(50, name)
    areas = re.findall(r'<path[^>]*class="many"[^>]*/>', ReportPresenter(report_of(story)).timeline().body)
    worked = {attempt.device for attempt in report_of(story).attempts}
    assert len(areas) == len(worked) < 25
    for area in areas:
        for outline in re.findall(r"M[^M]*Z", area):
            floor, *heights, end = [float(y) for _, y in re.findall(r"([\d.]+),([\d.]+)", outline)]
            assert floor == end
            assert max(heights) < floor - 0.1, "an area without height is a line on paper"


def test_a_share_of_nothing_is_an_empty_bar() -> None:
    assert 'class="share"' not in share_bar(0.0)
    assert 'class="share"' in share_bar(0.5)


STEERED: tuple[tuple[Any, tuple[str, ...], dict[str, Any], str], ...] = (
    (c.HoldTasks, ("b",), {}, "held b"),
    (c.ReleaseTasks, ("b",), {}, "released b"),
    (c.SetPriority, ("b",), {"priority": 90}, "priority of b: 90"),
    (c.PinTasks, ("b",), {"device_id": "d"}, "pinned to d: b"),
    (c.DrainDevice, (), {"device_id": "d"}, "drained d"),
    (c.ResumeDevice, (), {"device_id": "d"}, "resumed d"),
    (c.DisableDevice, (), {"device_id": "d"}, "disabled d"),
    (c.EnableDevice, (), {"device_id": "d"}, "enabled d"),
    (c.PauseRun, (), {}, "paused the run"),
    (c.ResumeRun, (), {}, "let the run go on"),
)


def test_every_reason_that_is_given_is_told_and_stands_in_the_script() -> None:
    story = one("a", "b", slots=1)
    for number, (kind, names, fields, _) in enumerate(STEERED):
        story.after(1)
        given = {"run_id": RUN, "task_ids": names} if names else {} if fields else {"run_id": RUN}
        story.driver.do(kind(origin="ada", reason=f"reason {number}", **given, **fields))
    steered = [(made.what, made.why) for made in report_of(story).interventions if made.is_steering]
    assert steered == [(what, f"reason {number}") for number, (*_, what) in enumerate(STEERED)]
    script = scripted(RUN, story.events)
    assert [entry.why for entry in script.entries] == [f"reason {number}" for number in range(len(STEERED))]
    again = [entry.as_given(RUN, "bob") for entry in script.entries]
    assert [getattr(command, "reason", "") for command in again] == [entry.why for entry in script.entries]


def test_a_journal_of_before_has_no_reasons() -> None:
    old = b'{"type":"TasksHeld","seq":1,"at":1.0,"run_id":"r","task_ids":["a"],"origin":"ada"}'
    assert msgspec.json.decode(old, type=ev.TasksHeld) == ev.TasksHeld(1, 1.0, "r", ("a",), "ada", "")


def test_refused_edits_are_a_list_of_their_own() -> None:
    story = one("a", "b", slots=1)
    story.ask(c.HoldTasks, "b", origin="ada")
    with pytest.raises(EditRefused):
        story.driver.edit(RemoveTask("nobody"), origin="bob", reason="it is not needed")
    told = ReportPresenter(report_of(story))
    assert [line.what for line in told.interventions] == ["held b"]
    (refused,) = told.refusals
    assert (refused.who, refused.why) == ("bob", "it is not needed")
    assert (told.interventions_left, told.refusals_left) == (0, 0)
    html = page(report_of(story))
    assert html.index("Refused edits") < html.index("was refused an edit")
    assert "Refused edits" not in page(report_of(one("a")))


def test_a_refused_edit_says_its_reason_once() -> None:
    story = one("a", "b", slots=1)
    with pytest.raises(EditRefused):
        story.driver.edit(UpdateTask("a", name="late"), origin="bob")
    (refused,) = ReportPresenter(report_of(story)).refusals
    assert refused.what.startswith("was refused an edit: ")
    assert refused.why == ""


def test_where_nearly_nobody_waited_no_wait_of_nothing_is_told() -> None:
    report = report_of(one("a"))
    waits = msgspec.structs.replace(report.waits, median=0.0, most_of_all=0.0, longest=3.5)
    told = ReportPresenter(msgspec.structs.replace(report, waits=waits)).wait_words
    assert told == "95 % of all attempts started as soon as they were ready; the longest wait was 3.5 s."


def test_the_wait_of_a_task_that_was_held_is_not_put_down_to_slots() -> None:
    story = one("a", "b", slots=1)
    story.ask(c.HoldTasks, "b")
    story.after(5, "a")
    story.driver.advance(20)
    story.ask(c.ReleaseTasks, "b")
    story.after(5, "b")
    report = report_of(story)
    assert report.waits.longest == 25
    shown = page(report)
    assert "held" in WAITED_NOTE
    assert WAITED_NOTE in shown
    assert "for a slot" not in shown


def test_attempts_that_were_made_again_are_told_beside_what_was_skipped() -> None:
    story = Story({"d": 1}, plan([task("a", retry=1), "b"], ["a>b"]))
    story.ask(c.SkipTasks, "b")
    story.fail("a")
    story.after(5.0, "a")
    assert "1 of 2 tasks is done. 1 task was skipped. 1 attempt failed and was made again." in report_of(story).verdict
