"""Tests of what a report says of the finish: what was foreseen of it, what edits did to that, what came of failures."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import pytest
from msgspec.structs import replace
from tests.driver import RUN, plan, task
from tests.unit.reporting.story import Story

from starloom import events as ev
from starloom.constellation.edits import AddDependency, AddTask, RemoveTask, UpdateTask
from starloom.events import RunRecovered
from starloom.model.dependency import Dependency
from starloom.model.task import Gate
from starloom.reporting import hindsight
from starloom.reporting.folding import build
from starloom.reporting.hindsight import Hindsight
from starloom.reporting.html import page
from starloom.reporting.report_presenter import ReportPresenter
from starloom.scheduling import commands as c
from starloom.scheduling.read.summary import RunSummary


def _chain(*names: str) -> list[str]:
    return [f"{one}>{two}" for one, two in pairwise(names)]


def _edited() -> Story:
    """Three tasks of 60 s, one after the other; after 20 s the last one is taken out, after 40 s another put in."""
    story = Story({"d": 1}, plan([task(name, estimate=60.0) for name in "abc"], _chain(*"abc")))
    story.driver.advance(20)
    story.driver.edit(RemoveTask("c"), reason="not needed")
    story.driver.advance(20)
    story.driver.edit(AddTask(task("e", estimate=10.0)), AddDependency(Dependency(parent="b", child="e")))
    story.after(20, "a")
    story.after(60, "b")
    story.after(10, "e")
    return story


def test_the_finish_is_told_against_what_was_foreseen_at_the_start() -> None:
    report = build(RUN, _edited().events, foresee=Hindsight())
    assert report.foreseen is not None
    assert (report.foreseen.end, report.seconds) == (180, 130)
    assert report.verdict.endswith("The run took 2:10, 0:50 less than foreseen at its start (3:00).")


def test_each_edit_says_what_it_did_to_the_finish() -> None:
    report = build(RUN, _edited().events, foresee=Hindsight())
    effects = [(one.finish.before, one.finish.end) for one in report.interventions if one.finish is not None]
    assert effects == [(180, 120), (120, 130)]
    told = ReportPresenter(report)
    assert [line.finish for line in told.steered] == [
        f"It brought the foreseen finish from {told.clock(180)} to {told.clock(120)}.",
        f"It brought the foreseen finish from {told.clock(120)} to {told.clock(130)}.",
    ]
    assert told.steered[0].finish in page(report)


def test_an_edit_that_changes_nothing_about_the_finish_says_so() -> None:
    story = Story({"d": 1}, plan([task("a", estimate=60.0), task("b", estimate=60.0)]))
    story.driver.advance(1)
    story.driver.edit(UpdateTask("b", name="B"))
    (line,) = ReportPresenter(build(RUN, story.events, foresee=Hindsight())).steered
    assert line.finish.startswith("The foreseen finish stayed at ")


@pytest.mark.parametrize("tasks", [["a", "b"], ["a", task("b", estimate=60.0)]], ids=["none", "not all"])
def test_where_earlier_runs_may_have_told_more_nothing_is_said(tasks: list[Any]) -> None:
    story = Story({"d": 1}, plan(tasks, ["a>b"]))
    story.driver.advance(1)
    story.driver.edit(UpdateTask("b", name="B"))
    story.after(5, "a")
    story.after(60, "b")
    report = build(RUN, story.events, foresee=Hindsight())
    assert (report.foreseen, report.interventions[0].finish) == (None, None)
    assert report.verdict.endswith("The run took 1:06.")


def test_what_comes_behind_a_gate_may_be_longer() -> None:
    wanted = plan([task("a", estimate=60.0), task("go", gate=Gate()), task("b", estimate=10.0)], ["go>b"])
    story = Story({"d": 2}, wanted)
    story.after(60, "a")
    story.driver.do(c.AnswerGate(run_id=RUN, task_id="go", approve=True))
    story.after(10, "b")
    report = build(RUN, story.events, foresee=Hindsight())
    assert report.verdict.endswith("The run took 1:10, 0:10 more than foreseen at its start (1:00 or longer).")


def test_an_edit_before_the_start_or_after_the_end_has_no_effect_to_tell() -> None:
    story = Story({"d": 1}, plan([task("a", estimate=60.0)]))
    story.after(60, "a")
    story.driver.advance(1)
    story.driver.edit(AddTask(task("b", estimate=30.0)))
    story.after(30, "b")
    (edit,) = (one for one in build(RUN, story.events, foresee=Hindsight()).interventions if one.revision)
    assert edit.finish is None


def test_what_another_program_took_up_keeps_what_was_foreseen() -> None:
    before = _edited().events[:-1]
    last = before[-1]
    taken = RunRecovered(seq=last.seq + 1, at=last.at + 1e3, run_id=RUN, wall_time=2e9, shift=1e3, origin="operator")
    old, new = (build(RUN, events, foresee=Hindsight()) for events in (before, [*before, taken]))
    assert new.foreseen == old.foreseen
    assert [one.finish for one in new.interventions[:-1]] == [one.finish for one in old.interventions]


def test_a_report_looks_ahead_only_as_often_as_that_costs_little(monkeypatch) -> None:
    monkeypatch.setattr(hindsight, "MOST_TASKS", 8)
    report = build(RUN, _edited().events, foresee=Hindsight())
    assert report.foreseen is not None
    assert [one.finish is None for one in report.interventions] == [False, True]


def test_a_run_that_would_be_tried_again_for_ever_is_not_looked_ahead_of_for_ever(monkeypatch) -> None:
    monkeypatch.setattr(hindsight, "MOST_PAUSES", 20)
    bad = task("a", simulate={"duration": 0.1, "outcome": "failed"}, retry={"attempts": 10_000, "delay": 0.1})
    story = Story({"d": 1}, plan([bad]))
    assert build(RUN, story.events, foresee=Hindsight()).foreseen is None


def test_what_ran_because_of_a_failure_stands_at_it() -> None:
    wanted = plan(
        ["a", "triage", "bisect", "report", "next", "other"],
        ["a>triage>failure", "triage>bisect", "a>report>always", "a>next", "other>report>always"],
    )
    story = Story({"d": 2}, wanted)
    story.fail("a", "boom\n")
    story.after(1, "triage")
    story.after(1, "bisect")
    (failure,) = (report := build(RUN, story.events)).failures
    assert [report.tasks[place].id for place in failure.ran] == ["triage", "bisect"]
    (card,) = ReportPresenter(report).first_failures
    assert card.consequences == "Skipped because of it: next. Ran because of it: triage, bisect."
    assert card.consequences in page(report)


def test_a_gate_that_was_asked_is_part_of_the_critical_path() -> None:
    story = Story({"d": 1}, plan(["a", task("ask", gate="Ship it?"), "b"], ["a>ask", "ask>b"]))
    story.after(5, "a")
    story.driver.advance(30)
    story.ask(c.AnswerGate, task_id="ask", approve=True)
    story.after(7, "b")
    report = build(RUN, story.events)
    steps = [(report.tasks[step.task].id, step.attempt, step.seconds) for step in report.critical_path]
    assert steps == [("a", 0, 5), ("ask", None, 30), ("b", 1, 7)]
    assert report.critical_s == report.seconds == 42
    assert [step.name for step in ReportPresenter(report).steps] == ["a", "ask", "b"]


def test_a_task_that_was_held_waited_for_a_person_and_not_for_a_slot() -> None:
    story = Story({"d": 2}, plan(["a", "z", "b"], ["a>b"]))
    story.ask(c.HoldTasks, "b")
    story.after(5, "a")
    story.after(3, "z")
    story.driver.advance(4)
    story.ask(c.ReleaseTasks, "b")
    story.after(7, "b")
    report = build(RUN, story.events)
    steps = [(report.tasks[step.task].id, step.waited_for, step.gap) for step in report.critical_path]
    assert steps == [("a", "nothing", 0), ("b", "pause", 7)]
    assert (report.critical_s, report.seconds) == (12, 19)
    assert ReportPresenter(report).steps[1].waited == "7.0 s idle"


def test_the_time_in_which_the_run_had_ended_is_no_part_of_what_decided_the_finish() -> None:
    story = Story({"d": 1}, plan(["a", "b"], ["a>b"]))
    story.driver.advance(5)
    story.driver.fail("a")
    story.driver.advance(16)
    story.ask(c.RetryTasks, "a")
    story.after(3, "a")
    story.after(4, "b")
    report = build(RUN, story.events)
    assert (report.gone_on_s, report.seconds) == (12, 28)
    path = RunSummary(story.driver.run(), story.driver.now).critical_path
    assert (path.seconds, path.waited) == (12, 0)
    assert [step.gap for step in report.critical_path] == [0, 0, 0]
    assert [step.waited for step in ReportPresenter(report).steps] == ["", "retry", ""]
    (device,) = report.devices
    assert device.utilisation == report.utilisation == 1.0


def test_of_a_run_that_goes_on_the_report_says_up_to_when_it_tells() -> None:
    """The journal ends at the last event, which may be long ago where a person is waited for."""
    story = Story({"d": 1}, plan(["a", "b"]))
    story.after(20, "a")
    report = build(RUN, story.events)
    told = "The run has not ended; its last event, up to which is told here, came 0:20 after its start."
    assert report.verdict.endswith(told)
    now = build(RUN, story.events, now=report.wall(0.0) + 95)
    assert now.verdict.endswith("The run has not ended; so far it took 1:35.")
    assert now.seconds == 95
    assert next(one for one in now.attempts if one.status == "running").ended == 95
    assert now.utilisation == 1.0


def test_the_time_in_which_no_program_ran_a_run_is_told_beside_the_time_it_took() -> None:
    story = Story({"d": 1}, plan(["a"]))
    story.after(20, "a")
    until = next(place for place, event in enumerate(story.events) if isinstance(event, ev.TaskCompleted))
    before, after = story.events[:until], story.events[until:]
    report, last, shift = build(RUN, story.events), before[-1], 1_000.0
    assert report.verdict.endswith("The run took 0:20.")
    wall = report.wall(0.0) + 13.0
    taken = RunRecovered(last.seq + 1, last.at + shift, RUN, wall_time=wall, shift=shift, origin="operator")
    later = [replace(event, seq=event.seq + 1, at=event.at + shift) for event in after]
    told = build(RUN, [*before, taken, *later])
    assert told.verdict.endswith("The run took 0:20, without 0:13 in which nothing of it ran.")


def test_a_program_that_only_took_it_up_after_its_end_changes_nothing_of_what_is_told() -> None:
    story = Story({"d": 1}, plan(["a"]))
    story.after(20, "a")
    last, shift = story.events[-1], 1_000.0
    report = build(RUN, story.events)
    wall = report.wall(report.seconds) + 1_400.0
    taken = RunRecovered(last.seq + 1, last.at + shift, RUN, wall_time=wall, shift=shift, origin="operator")
    told = build(RUN, [*story.events, taken])
    assert told.verdict == report.verdict
    assert told.sessions == report.sessions
    assert told.wall(told.seconds) == report.wall(report.seconds)
