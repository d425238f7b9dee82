"""Tests of the table of all tasks in the HTML report: what it says of each, and how large it is."""

from __future__ import annotations

import csv as reader
import io
import re

import pytest
from tests.driver import RUN, plan, task
from tests.unit.reporting.story import Story

from starloom.events import Event, TaskCompleted
from starloom.foresight.virtual import SimulatedSpec, VirtualRun
from starloom.model.plan import Plan
from starloom.model.result import Result
from starloom.reporting import csv, junit
from starloom.reporting.blocks import arranged
from starloom.reporting.folding import build
from starloom.reporting.html import page
from starloom.reporting.report_presenter import ReportPresenter
from starloom.reporting.svg import graph_svg, timeline_svg
from starloom.reporting.task_table import MOST_TASKS, rows
from starloom.scheduling import commands as c
from starloom.scheduling.stimuli import AttemptWarned


def _told() -> Story:
    tasks = [
        task("one", name="compile", command=("cc", "-c", "a file.c"), retry=1),
        task("two", name="compile", shell="make test | tee log"),
        task("ask", gate="Ship it?"),
        task("idle", simulate="3s"),
    ]
    story = Story({"d": 4}, plan(tasks))
    story.after(2)
    story.fail("one", "first try\n")
    story.fail("one", "cc: 1 %\rcc: 100 %\n\x1b[31merror: no such file\x1b[0m\n\n")
    return story


def test_each_task_has_a_row_with_its_command_end_attempts_and_last_line() -> None:
    told = ReportPresenter(build(RUN, _told().events))
    assert [tuple(row) for row in rows(told, 60)] == [
        ("compile (one)", "failed", "cc -c 'a file.c'", told.clock(2), "2", "error: no such file"),
        ("compile (two)", "running", "make test | tee log", "", "1", ""),
        ("ask", "ready", "Ship it?", "", "0", ""),
        ("idle", "running", "", "", "1", ""),
    ]


def test_a_bypassed_task_is_said_to_be_one() -> None:
    story = Story(
        {"d": 1}, plan([task("get", shell="get"), task("skip", shell="rm -r out", bypass=True)], ["get>skip"])
    )
    before = {row[0]: row[1] for row in rows(ReportPresenter(build(RUN, story.events)), 60)}
    story.after(5, "get")
    report = build(RUN, story.events)
    states = {row[0]: row[1] for row in rows(ReportPresenter(report), 60)}
    file = io.StringIO(newline="")
    csv.write_tasks(report, file)
    told = {row["task"]: row["bypassed"] for row in reader.DictReader(io.StringIO(file.getvalue(), newline=""))}
    assert "1 task was bypassed and has not run." in report.verdict
    assert before["skip"] == "waiting", "it may still be wired in again"
    assert states == {"get": "done", "skip": "done, bypassed"}
    assert told == {"get": "no", "skip": "yes"}


def test_it_folds_without_a_script_and_its_texts_are_no_markup() -> None:
    story = Story({"d": 1}, plan([task("a", command=("echo", "<script>alert(1)</script>"))]))
    story.fail("a", "</table><img src=x>\n")
    html = page(build(RUN, story.events))
    assert "<details>\n<summary><h2>All tasks</h2></summary>" in html
    assert "<script" not in html
    assert "<img" not in html
    assert "&lt;/table&gt;&lt;img src=x&gt;" in html


def test_tables_for_programs_have_both_too() -> None:
    text = io.StringIO(newline="")
    csv.write_tasks(build(RUN, _told().events), text)
    table = list(reader.DictReader(io.StringIO(text.getvalue(), newline="")))
    assert [(row["command"], row["last_line"]) for row in table[:2]] == [
        ("cc -c 'a file.c'", "error: no such file"),
        ("make test | tee log", ""),
    ]


def test_of_a_gate_tables_have_when_it_was_asked_and_the_answer() -> None:
    story = Story({"d": 1}, plan(["a", task("ask", gate="Ship it?"), task("b", gate="Really?")], ["a>ask", "ask>b"]))
    story.after(5, "a")
    story.driver.advance(87)
    story.ask(c.AnswerGate, task_id="ask", approve=True, note="Tests are green.", origin="ben")
    report = build(RUN, story.events)
    text = io.StringIO(newline="")
    csv.write_tasks(report, text)
    _, ask, b = reader.DictReader(io.StringIO(text.getvalue(), newline=""))
    assert (ask["started_s"], ask["ended_s"], ask["ran_s"], ask["waited_s"]) == ("5.0", "92.0", "0.0", "87.0")
    assert (ask["started_at"][11:19], ask["ended_at"][11:19]) == ("14:18:05", "14:19:32")
    assert (ask["answer"], ask["answered_by"], ask["note"]) == ("approved", "ben", "Tests are green.")
    assert (b["started_s"], b["ended_s"], b["waited_s"], b["answer"]) == ("92.0", "", "0.0", "")
    assert rows(ReportPresenter(report), 60)[1][3] == ReportPresenter(report).clock(92)


@pytest.mark.parametrize("text", ["cc -O2 -c src/file.c -o build/file.o", '<&">' * 100, "\U0001f9f5" * 300])
def test_ten_thousand_tasks_are_at_most_three_megabytes(text: str) -> None:
    tasks = tuple(task(f"t{number}", name=f"{text[:60]}{number}", simulate=2.0) for number in range(10_001))
    events: list[Event] = []
    run = VirtualRun(Plan(name="p", tasks=tasks), [SimulatedSpec("d", slots=200)], on_events=events.extend)
    while run.step():
        pass
    printed = Result(output=f"{text}\n", output_length=len(text))
    made = [
        TaskCompleted(one.seq, one.at, one.run_id, one.task_id, one.attempt, printed)
        if isinstance(one, TaskCompleted)
        else one
        for one in events
        if one.run_id == run.run.run_id
    ]
    report = build(run.run.run_id, made)
    html = page(report, arranged(report))
    table = html[html.index("<details>") : html.index("</details>")]
    assert len(html.encode()) <= 3_000_000
    assert len(re.findall(r"<tr><td>", table)) == MOST_TASKS
    assert "1 more are in the JSON report." in table


def test_names_that_several_tasks_have_carry_the_id_in_drawings_and_lists() -> None:
    story = _told()
    story.driver.turn(AttemptWarned(RUN, "two", 1, "the disk is full"))
    report = build(RUN, story.events)
    html = page(report, arranged(report))
    drawings = timeline_svg(report), graph_svg(report, arranged(report))
    assert all("compile (one)" in one and "compile (two)" in one for one in drawings)
    assert '<td>compile (two)</td><td class="why">the disk is full' in html
    assert ">compile<" not in html


def test_what_was_skipped_when_it_was_begun_anew_did_not_end_with_its_attempt_of_before() -> None:
    story = Story({"d": 1}, plan(["build", "deploy"], ["build>deploy"]))
    story.after(5, "build")
    story.after(5, "deploy")
    story.ask(c.RerunFrom, task_id="build")
    story.after(5)
    story.fail("build")
    build_task, deploy = build(RUN, story.events).tasks
    assert (build_task.status, build_task.ended) == ("failed", 15.0)
    assert (deploy.status, deploy.ended, len(deploy.attempts)) == ("skipped", None, 1)


def test_what_somebody_has_marked_done_is_not_told_as_if_it_had_run() -> None:
    story = Story({"d": 1}, plan(["build", "deploy"], ["build>deploy"]))
    story.after(5)
    story.fail("build")
    story.after(25)  # meanwhile it is over
    story.ask(c.MarkTasks, "build")
    story.after(5, "deploy")
    report = build(RUN, story.events)
    states = {row[0]: row[1] for row in rows(ReportPresenter(report), 60)}
    assert states == {"build": "done, marked by hand", "deploy": "done"}
    assert report.verdict == (
        "All 2 tasks are done. 1 task was marked done by hand. "
        "The run took 0:10, without 0:25 in which nothing of it ran."
    )
    file = io.StringIO(newline="")
    csv.write_tasks(report, file)
    told = {row["task"]: row["marked"] for row in reader.DictReader(io.StringIO(file.getvalue(), newline=""))}
    assert told == {"build": "yes", "deploy": "no"}
    assert b"marked done by hand" in junit.write(report)
