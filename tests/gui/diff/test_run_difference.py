"""In what a run differs from an earlier one: figures of a task, of the whole, and the words for both."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from msgspec.structs import replace
from tests.driver import Driver, plan, task
from tests.gui.diff.runs import BEGAN, lain_idle, now, then
from tests.gui.timeline.scenes import Stream, projection

from starloom import events as ev
from starloom.foresight.estimates import Estimate, EstimateSource
from starloom.foresight.projection import Certainty, TaskForecast
from starloom.model.status import RunState, TaskStatus
from starloom.scheduling import commands as c
from starloom.scheduling.state.codes import COMPLETED
from starloom_gui.diff.baseline_run import BaselineRun
from starloom_gui.diff.run_difference import TaskPair, pair_of, whole
from starloom_gui.diff.run_difference_words import MINUS, alone_lines, lines_of, rows_of, signed, summary, whole_rows

if TYPE_CHECKING:
    from starloom.foresight.projection import Projection
    from starloom.scheduling.state.run_facts import RunFacts

pytestmark = pytest.mark.usefixtures("app")

AT = BEGAN + 20.0


def pair(name: str, run: RunFacts, ahead: Projection | None = None, at: float = AT) -> TaskPair:
    return pair_of(then(), run, run.graph.place[name], at, ahead)


def foreseen(run: RunFacts, end: float | None = None, source: EstimateSource = EstimateSource.DECLARED) -> Projection:
    tasks = {
        "b": TaskForecast("b", BEGAN + 3.0, BEGAN + 33.0, "d", Estimate(30.0, source), 0.0),
        "late": TaskForecast("late", BEGAN + 33.0, BEGAN + 43.0, "e", Estimate(10.0, source), 0.0),
    }
    return projection(run, tasks, end=end)


def test_a_task_is_told_from_the_start_of_its_run_whatever_its_clock():
    one = pair("a", now().run)
    assert one.then is not None
    assert one.now is not None
    assert (one.then.start, one.then.wait, one.then.ran, one.then.end) == (2.0, 2.0, 10.0, 12.0)
    assert (one.now.start, one.now.wait, one.now.ran, one.now.end) == (1.0, 1.0, 15.0, 16.0)
    assert (one.then.device, one.now.device) == ("d", "e")
    assert (one.later, one.longer) == (-1.0, 5.0)


def test_all_attempts_of_a_task_count_and_its_first_start():
    told = pair("b", now().run).then
    assert told is not None
    assert (told.attempts, told.start, told.ran, told.wait, told.end) == (2, 0.0, 34.0, 1.0, 40.0)


def test_a_task_that_runs_is_longer_only_once_it_is():
    run = now().run
    early, late = pair("b", run), pair("b", run, at=BEGAN + 40.0)
    assert early.now is not None
    assert (early.now.status, early.now.ran, early.now.end) == (TaskStatus.RUNNING, 17.0, None)
    assert (early.later, early.longer) == (3.0, None)
    assert late.longer == 3.0


def test_what_is_foreseen_counts_where_it_is_known():
    run = now().run
    running, coming = pair("b", run, foreseen(run)), pair("late", run, foreseen(run))
    assert running.now is not None
    assert (running.now.ran, running.now.end, running.now.is_foreseen) == (30.0, 33.0, True)
    assert running.longer == -4.0
    assert coming.now is not None
    assert (coming.now.start, coming.now.ran, coming.now.end, coming.now.device) == (33.0, 10.0, 43.0, "e")
    blind = pair("late", run, foreseen(run, source=EstimateSource.NONE)).now
    assert blind is not None
    assert (blind.start, blind.ran, blind.end) == (33.0, None, None), "nobody can tell how long it takes"


def test_tasks_that_only_one_run_has_have_no_other_side():
    run = now().run
    assert pair("new", run).then is None
    assert lines_of(pair("new", run), "then") == ["Not in “then”"]
    earlier = then()
    told = earlier.told("gone")
    assert told is not None
    assert alone_lines(told, "then") == ["Only in “then”", "Done", "Started at 0 s, ran for 5.0 s", "e"]
    waiting = pair("late", run).now
    assert waiting is not None
    assert (waiting.status, waiting.start) == (TaskStatus.WAITING_DEPENDENCY, None)


def test_before_its_start_and_after_its_end_a_run_is_told_too():
    fresh = now().run
    fresh.run_started_at = None
    assert pair("a", fresh).now is not None
    assert pair("a", fresh).later is None
    ended = now()
    ended.say(ev.TaskCompleted, BEGAN + 30.0, task_id="b", attempt=1)
    assert pair("b", ended.run, at=BEGAN + 99.0).longer == -7.0


@pytest.mark.parametrize(
    ("seconds", "words"), [(42.0, "+0:42"), (-42.0, f"{MINUS}0:42"), (0.3, "+0.30 s"), (0.001, "0 s"), (-0.0099, "0 s")]
)
def test_differences_bear_a_sign(seconds: float, words: str) -> None:
    assert signed(seconds) == words


def test_the_rows_say_then_now_and_the_difference():
    rows = {row.label: row[1:] for row in rows_of(pair("a", now().run))}
    assert rows == {
        "Status": ("Done", "Done", ""),
        "Started": ("2.0 s", "1.0 s", f"{MINUS}1.0 s"),
        "Queued": ("2.0 s", "1.0 s", f"{MINUS}1.0 s"),
        "Ran for": ("0:10", "0:15", "+5.0 s"),
        "Ended": ("0:12", "0:16", "+4.0 s"),
        "Device": ("d", "e", ""),
        "Attempts": ("1", "1", "0"),
    }
    run = now().run
    assert "≈ 0:30" in [row.now for row in rows_of(pair("b", run, foreseen(run)))]


def test_what_is_another_in_the_definition_of_a_task_is_a_row():
    def made(**fields):
        driver = Driver()
        driver.create(plan([task("a", **fields)]))
        return driver.run()

    earlier = BaselineRun(made(shell="fetch 5", timeout=60), 0.0, "before")
    one = pair_of(earlier, made(shell="fetch 4", timeout=60), 0, 0.0)
    assert [(row.label, row.then, row.now) for row in rows_of(one)][-1] == ("Shell", "fetch 5", "fetch 4")
    assert "Shell: fetch 5 → fetch 4" in lines_of(one, "before")


def test_the_lines_leave_out_what_is_as_it_was():
    lines = lines_of(pair("a", now().run), "then")
    assert lines[0] == "Compared with “then”, counted from the start"
    assert "Ran for: 0:10 → 0:15 (+5.0 s)" in lines
    assert "Device: d → e" in lines
    assert not any(line.startswith(("Status", "Attempts")) for line in lines)
    assert f"Attempts: 2 → 1 ({MINUS}1)" in lines_of(pair("b", now().run), "then")


# ---- the whole


def test_what_either_run_lay_idle_counts_for_neither():
    through = Stream("r4", ["a"], {"d": 1}, name="Nightly")
    through.attempt("a", ("d", 0), (0.0, 0.0, 20.0))
    through.say(ev.RunEnded, 20.0, state=RunState.COMPLETED)
    slower = whole(BaselineRun(lain_idle(0.0).run, 99.0, "then"), through.run, 99.0)
    assert (slower.took, slower.takes) == (15.0, 20.0)
    assert summary(slower, "then") == "5.0 s slower than “then” · finish after 0:15 → 0:20"
    faster = whole(BaselineRun(through.run, 99.0, "then"), lain_idle(BEGAN).run, BEGAN + 99.0)
    assert summary(faster, "then") == "5.0 s faster than “then” · finish after 0:20 → 0:15"


def test_what_a_task_is_told_from_the_start_of_its_run_leaves_out_what_the_run_lay_idle():
    earlier = BaselineRun(lain_idle(0.0).run, 99.0, "then")
    both = pair_of(earlier, lain_idle(BEGAN).run, 0, BEGAN + 99.0)
    assert both.then == both.now
    assert both.then is not None
    assert (both.then.start, both.then.end) == (0.0, 15.0)
    assert [earlier.done_by(seconds) for seconds in (14.9, 15.0)] == [0, 1]


def test_the_line_about_the_whole_says_who_is_ahead_and_when_both_end():
    run = now().run
    both = whole(then(), run, AT, foreseen(run, end=BEGAN + 43.0))
    assert (both.behind, both.done, both.added, both.removed) == (-17.0, (1, 2), 1, 1)
    line = summary(both, "then")
    assert line.startswith("0:17 ahead of “then” · finish after 1:00 → ≈ 0:43 · done by now 2 → 1 · 1 ")
    slow = whole(then(), run, AT, foreseen(run, end=BEGAN + 90.0))
    assert summary(slow, "then").startswith("0:30 behind “then”")


def test_the_earliest_end_of_this_run_is_not_compared():
    run = now().run
    least = replace(foreseen(run, end=BEGAN + 43.0), certainty=Certainty.LOWER_BOUND)
    both = whole(then(), run, AT, least)
    assert both.behind is None
    assert summary(both, "then").startswith("Compared with “then” · finish after 1:00 → ≈ 0:43 or longer · ")
    assert whole_rows(both)[1] == ("Took", "1:00", "≈ 0:43 or longer", "")


def test_without_an_estimate_it_says_what_is_done_by_now():
    both = whole(then(), now().run, AT)
    assert both.behind is None
    assert summary(both, "then").startswith("Compared with “then” · it took 1:00 · done by now 2 → 1")


def test_a_run_that_has_ended_is_faster_or_slower():
    ended = now()
    ended.say(ev.TaskFailed, BEGAN + 40.0, task_id="b", attempt=1, result=None)
    ended.say(ev.RunEnded, BEGAN + 45.0, state=RunState.PARTIALLY_FAILED)
    both = whole(then(), ended.run, BEGAN + 999.0)
    assert both.done is None
    assert summary(both, "then").startswith(
        "0:15 faster than “then” · finish after 1:00 → 0:45 · Done → Partially failed"
    )
    assert [row.difference for row in whole_rows(both)] == ["", f"{MINUS}0:15"]


def test_a_run_that_was_cancelled_is_not_faster_for_that():
    ended = now()
    ended.say(ev.RunEnded, BEGAN + 45.0, state=RunState.CANCELLED)
    both = whole(then(), ended.run, BEGAN + 999.0)
    assert both.behind is None
    assert summary(both, "then").startswith("Compared with “then” · it took 1:00 · Done → Cancelled")


@pytest.mark.parametrize("which", ["then", "now", "both"])
def test_a_run_that_was_only_simulated_is_not_faster_than_one_that_ran(which: str):
    earlier, ended = then(), now()
    ended.say(ev.TaskFailed, BEGAN + 40.0, task_id="b", attempt=1, result=None)
    ended.say(ev.RunEnded, BEGAN + 45.0, state=RunState.PARTIALLY_FAILED)
    for run, name in ((earlier.run, "then"), (ended.run, "now")):
        if which in {name, "both"}:
            run.simulated.add(run.graph.place["a"])
    both = whole(earlier, ended.run, BEGAN + 999.0)
    said = summary(both, "then")
    row = pair_of(earlier, ended.run, ended.run.graph.place["a"], BEGAN + 999.0)
    if which == "both":
        assert said.startswith("0:15 faster than “then” · finish after")
        assert row.longer == 5.0
        return
    assert both.behind is None
    there = "here" if which == "now" else "there"
    assert said.startswith(f"Compared with “then” · 1 task(s) {there} only simulated · finish after 1:00 → 0:45")
    assert row.longer is None
    assert "Status: Done → Only simulated" in lines_of(row, "then") or which == "then"
    assert "Status: Only simulated → Done" in lines_of(row, "then") or which == "now"
    assert not any("Ran for" in line and "(" in line for line in lines_of(row, "then"))


def test_an_earlier_run_that_did_not_end_says_how_far_it_is_known():
    both = whole(then(ended=False), now().run, AT, foreseen(now().run, end=BEGAN + 43.0))
    assert both.behind is None
    assert "it did not end; known for 1:00" in summary(both, "then")


def test_what_was_marked_as_done_counts_as_done_from_then_on():
    made = Stream("r1", ["a", "b"], {"d": 2})
    made.say(ev.TaskMarked, 30.0, task_id="a", status=TaskStatus.COMPLETED)
    made.attempt("b", ("d", 0), (0.0, 0.0, 7.0))
    earlier = BaselineRun(made.run, 40.0, "x")
    assert made.run.status.count(COMPLETED) == 2
    assert [earlier.done_by(seconds) for seconds in (6.9, 7.0, 29.9, 30.0)] == [0, 1, 1, 2]


def test_a_gate_counts_as_done_once_it_was_answered():
    driver = Driver(slots=2)
    driver.create(plan([task("a", gate="Ship it?"), task("b")], []))
    driver.advance(50)
    driver.ask(c.AnswerGate, task_id="a", approve=True)
    earlier = BaselineRun(driver.run(), driver.now, "x")
    assert driver.status("a") == "completed"
    assert [earlier.done_by(seconds) for seconds in (0.0, 49.0, 50.0)] == [0, 0, 1]


def test_what_was_run_again_later_counts_as_done_until_then():
    driver = Driver(slots=3)
    driver.create(plan([task("a"), task("b"), task("c"), task("stays")], ["a>b"]))
    for name in ("a", "c", "b"):
        driver.advance(2)
        driver.end(name)
    driver.advance(44)
    driver.ask(c.RerunFrom, task_id="a")
    driver.advance(5)
    driver.end("a")
    early = BaselineRun(driver.run(), driver.now, "x")
    assert [early.done_by(seconds) for seconds in (4.0, 6.0, 49.9, 50.0, 54.9, 55.0)] == [2, 3, 3, 1, 1, 2]
    driver.advance(5)
    driver.end("b")
    assert [BaselineRun(driver.run(), driver.now, "x").done_by(seconds) for seconds in (15.0, 59.9, 60.0)] == [3, 2, 3]


def test_what_was_marked_after_it_had_run_counts_once():
    made = Stream("r1", ["a"], {"d": 1})
    made.attempt("a", ("d", 0), (0.0, 0.0, 7.0))
    made.say(ev.TaskReset, 20.0, task_id="a", cause="rerun")
    made.say(ev.TaskMarked, 30.0, task_id="a", status=TaskStatus.COMPLETED)
    earlier = BaselineRun(made.run, 40.0, "x")
    assert [earlier.done_by(seconds) for seconds in (6.9, 7.0, 40.0)] == [0, 1, 1]
