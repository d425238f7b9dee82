"""The words on the screen: one for every status, state, verb and event there is."""

from __future__ import annotations

from pathlib import Path
from unittest.mock import patch

import msgspec
import pytest
from tests.driver import Driver, plan, task
from tests.gui.panels.fleets import ByHand

from starloom import events as ev
from starloom.constellation import edits as ed
from starloom.errors import Problem
from starloom.journal.records import RunRecord
from starloom.model.agent_terms import OnConflict
from starloom.model.dependency import Dependency
from starloom.model.plan import Limits
from starloom.model.result import ErrorCode, ErrorInfo, Result
from starloom.model.status import DeviceStatus, RunState, TaskStatus
from starloom.reporting import text as report_text
from starloom.scheduling import commands as c
from starloom.scheduling.read.run_view import RunView, TaskView
from starloom.scheduling.read.simulated import simulations
from starloom.scheduling.state.codes import CANCELLED, COMPLETED, FAILED
from starloom_gui.canvas import words as canvas_words
from starloom_gui.models import run_table, task_cells
from starloom_gui.models.event_table import EventFilter
from starloom_gui.models.run_table import RunTable
from starloom_gui.panels.why_question import WhyQuestion
from starloom_gui.panels.why_rows import why_rows
from starloom_gui.settings import RecentFile
from starloom_gui.shell import run_header
from starloom_gui.shell.recent_row import ended_words
from starloom_gui.specs.event_list import EVENTS
from starloom_gui.text import words
from starloom_gui.viewmodel.event_causes import event_cause
from starloom_gui.viewmodel.event_words import event_text, sort_word, tasks_in
from starloom_gui.viewmodel.figures import chip_of, figures_of, state_words
from starloom_gui.viewmodel.task_words import second_line, short_line

KINDS = sorted(EVENTS, key=lambda kind: kind.__name__)


def test_statuses_have_their_words():
    assert [words.status_word(status) for status in TaskStatus] == [
        "Waiting",
        "Ready",
        "Running",
        "Done",
        "Failed",
        "Cancelled",
        "Skipped",
    ]
    for state in (*RunState, "interrupted", "empty", "unreadable"):
        assert words.run_word(state)[0].isupper()
    for status in DeviceStatus:
        assert words.device_word(status)
        assert words.device_word(status, enabled=False) == "Disabled"
    for code in ErrorCode:
        assert words.error_word(code)


@pytest.mark.parametrize(
    ("seconds", "text"),
    [(0, "0:00"), (42.9, "0:42"), (725, "12:05"), (3725, "1:02:05"), (90061, "1 d 1:01:01"), (-1, "0:00")],
)
def test_durations_are_shown_as_a_clock_shows_them(seconds, text):
    assert words.clock(seconds) == text


@pytest.mark.parametrize(
    ("seconds", "text"),
    [
        (0.423, "0.42 s"),
        (0.996, "0.99 s"),
        (3.21, "3.2 s"),
        (9.97, "9.9 s"),
        (79.7, "1:19"),
        (0.1 + 0.7, "0.80 s"),
        (60 - 1e-9, "1:00"),  # a sum of seconds that are a minute
        (90061.6, "1 d 1:01:01"),
    ],
)
def test_console_report_and_header_round_a_duration_alike(seconds, text):
    assert words.took(seconds) == text
    assert report_text.took(seconds) == text
    assert seconds < 10 or words.clock(seconds) == text


def test_short_times_ages_and_what_remains_carry_units():
    assert [words.took(seconds) for seconds in (0.423, 3.21, 12)] == ["0.42 s", "3.2 s", "0:12"]
    assert [words.remaining(seconds) for seconds in (11.2, 0, 61)] == ["12 s", "0 s", "1:01"]
    assert [words.ago(seconds) for seconds in (0.4, 14, 200, 7300, 200_000)] == ["now", "14 s", "3 min", "2 h", "2 d"]
    assert words.share(2, 4) == "2 of 4"
    assert words.share(2, None) == "2"
    assert words.percent(0.61) == "61 %"
    assert words.amount(50_000) == "50,000"
    assert words.priority_word(80) == "80 high"
    assert words.priority_word(7) == "7"


def test_what_is_filled_in_is_never_taken_for_a_place():
    assert words.fill("%1 and %2", "%2", "x") == "%2 and x"


def lines(driver, *ids):
    run = driver.run()
    numbers = [run.graph.place[name] for name in ids]
    return [(second_line(TaskView(run, n), driver.now), short_line(TaskView(run, n), driver.now)) for n in numbers]


def test_the_second_line_of_a_node_says_what_matters_now():
    driver = Driver(slots=4, devices=("build-1",))
    tasks = [
        task("ble", retry={"attempts": 2, "delay": 20}),
        task("ui"),
        *(task(name) for name in ("w", "child", "lonely", "held")),
        task("pinned", device="nowhere"),
        task("g1", groups=("g",)),
        task("g2", groups=("g",)),
    ]
    driver.create(plan(tasks, ["ui>w", "held>w", "lonely>w", "ble>child"], Limits(groups={"g": 1})), start=False)
    driver.ask(c.HoldTasks, "held")
    assert lines(driver, "ui", "held") == [("not started", "not started"), ("held", "held")]
    driver.ask(c.StartRun)
    driver.advance(42)
    assert lines(driver, "ui", "w", "g2", "pinned", "held") == [
        ("build-1 · 0:42", "0:42"),
        (f"0 of {words.Plurals().parents(3)}", "0 of 3"),
        ("limit group full", "group full"),
        ("no such device", "no such device"),
        ("held", "held"),
    ]
    driver.fail("ble")
    driver.end("ui")
    driver.advance(8)
    assert lines(driver, "ble", "ui", "w") == [
        ("retry in 12 s", "in 12 s"),
        ("build-1 · 0:42", "0:42"),
        (f"1 of {words.Plurals().parents(3)}", "1 of 3"),
    ]
    driver.advance(20)
    driver.fail("ble")
    assert lines(driver, "ble", "child") == [("exit 1", "exit 1"), ("ble failed", "skipped")]
    driver.ask(c.CancelTasks, "lonely")
    driver.end("lonely", stopped=True)
    driver.ask(c.SkipTasks, "pinned", origin="agent")
    assert lines(driver, "pinned") == [("by agent", "by agent")]
    driver.ask(c.PauseRun)
    assert lines(driver, "g2") == [("paused", "paused")]
    driver.ask(c.MarkTasks, "g2")
    assert lines(driver, "g2") == [("marked", "marked")]


def test_a_skipped_task_says_which_condition_was_not_true_and_which_failure_there_was_not():
    driver = Driver()
    condition = Dependency(parent="a", child="b", kind="condition", condition="value.rows > 100")
    driver.create(plan(["a", "b", "c"], [condition, "a>c>failure"]))
    driver.end("a", value={"rows": 60})
    assert lines(driver, "b", "c") == [("value.rows > 100 was not true", "skipped"), ("a did not fail", "skipped")]
    asked = (WhyQuestion(TaskView(driver.run(), number), driver.now, ByHand(driver)) for number in (1, 2))
    told = [why_rows(one, ())[0] for one in asked]
    assert [(row.text, row.detail) for row in told] == [
        ("value.rows > 100 was not true", "a: Done"),
        ("a did not fail", "a: Done"),
    ]


def test_a_skipped_task_says_that_its_condition_could_not_be_evaluated_and_why():
    driver = Driver()
    condition = Dependency(parent="a", child="b", kind="condition", condition="value.rows > 100")
    driver.create(plan(["a", "b"], [condition]))
    driver.end("a", value={"columns": 60})
    wording = "value.rows > 100 cannot be evaluated: the value has no 'rows'."
    with patch(
        "starloom.constellation.conditions.evaluate", side_effect=AssertionError("evaluated where it is painted")
    ):
        assert lines(driver, "b") == [(wording, "skipped")]


def test_a_gate_says_how_it_was_answered():
    driver = Driver()
    gates = [task(name, gate={"message": "Go?"}) for name in ("yes", "no")]
    driver.create(plan([*gates, task("other", gate={"message": "Go?"})]))
    driver.do(c.AnswerGate(run_id="r", task_id="yes", approve=True))
    driver.do(c.AnswerGate(run_id="r", task_id="no", approve=False))
    assert lines(driver, "yes", "no") == [("approved", "approved"), ("rejected", "rejected")]


def test_a_task_whose_program_is_not_there_has_failed_and_is_not_one_that_nobody_has_started():
    assert words.error_word("start_failed") == "could not start"
    assert words.error_word("simulated") == "simulated failure", "and not that it was only simulated"


def test_reasons_why_nothing_can_start_are_told_apart():
    stalled = ev.RunStalled(1, 0.0, "r", reasons=("'a' needs a device that offers gpu", "'b' is held"))
    assert event_text(stalled) == "Nothing can start: 'a' needs a device that offers gpu; 'b' is held"


def sample(kind):
    """An event of a kind, with something in every field there is."""
    values = {
        **dict.fromkeys(("command_id", "task_id"), "a"),
        "task_ids": ("a", "b"),
        "device_id": "d",
        "slot": 0,
        "attempt": 2,
        "name": "plan",
        "agent": "x",
        "cycle": 3,
        "approval": 2,
        "deferral": 4,
        "on_conflict": OnConflict.REPLACE,
        "parent": "p",
        "child": "k",
        "cause": "cancelled",
        "origin": "agent",
        "result": Result(error=ErrorInfo(code="exit_code", message="It exited with 2.")),
        "problems": (Problem(message="there is no task 'x'."),),
        "retry_at": 13.0,
        "reasons": ("Nothing fits.",),
    }
    return kind(1, 1.0, "r", **{name: value for name, value in values.items() if name in kind.__struct_fields__})


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.__name__)
def test_every_kind_of_event_is_a_sentence_of_a_sort(kind):
    text = event_text(sample(kind))
    assert text
    assert text != kind.__name__
    assert "%" not in text.replace("%n", "")
    assert not text.endswith(".")
    assert sort_word(EVENTS[kind].sort)


def test_sentences_name_what_they_are_about_and_its_cause():
    failed = sample(ev.TaskFailed)
    assert event_text(failed) == "a failed, attempt 2: It exited with 2"
    assert event_text(sample(ev.TaskRetryScheduled)) == "a failed, attempt 2: It exited with 2; retry in 12 s"
    held = msgspec.structs.replace(sample(ev.TasksHeld), reason="")
    assert event_cause(held) == "by agent"
    assert (
        event_cause(msgspec.structs.replace(held, reason="half a soak\nis enough")) == "by agent: half a soak is enough"
    )
    assert event_cause(ev.TaskSkipped(1, 1.0, "r", "a", "b failed", because="b")) == "because of b"
    assert event_cause(ev.TaskStopping(1, 1.0, "r", "a", "timeout")) == "its time was up"
    assert event_cause(ev.TaskStarted(1, 1.0, "r", "a", 1, "d", 0, True)) == "by its age"
    assert event_cause(msgspec.structs.replace(sample(ev.ConditionEvaluated))) == "p has ended"
    driver = Driver(slots=2)
    driver.create(plan("abc", ["a>c", "b>c"]))
    driver.end("b")
    driver.advance(1)
    driver.end("a")
    ready = driver.of(ev.TaskReady)
    assert [event_cause(event, driver.run()) for event in ready] == ["", "", "a has ended"]
    assert tasks_in(sample(ev.TasksHeld)) == ("a", "b")
    assert tasks_in(sample(ev.ConditionEvaluated)) == ("k",)


def test_what_is_tried_again_is_ready_because_of_that_and_not_of_its_parent():
    driver = Driver()
    driver.create(plan(["a", task("b", retry={"attempts": 2, "delay": 5})], ["a>b"]))
    driver.advance(1)
    driver.end("a")
    driver.advance(1)
    driver.fail("b")
    driver.advance(5)
    ready = [event for event in driver.of(ev.TaskReady) if event.task_id == "b"]
    assert [event_cause(event, driver.run()) for event in ready] == ["a has ended", "retry after attempt 1"]


def test_sentences_and_causes_call_tasks_by_their_names_and_unknown_ones_by_their_ids():
    driver = Driver(checked=False)
    run = driver.create(plan([task("shell-2", name="flash it"), task("b", name="drive")], ["shell-2>b"]))
    started = ev.TaskStarted(seq=0, run_id=run.run_id, at=0.0, task_id="shell-2", device_id="d", attempt=1, slot=0)
    assert "flash it" in event_text(started, run)
    assert "shell-2" not in event_text(started, run)
    assert "shell-2" in event_text(started), "nobody knows the run"
    held = ev.TasksHeld(seq=0, run_id=run.run_id, at=0.0, task_ids=("b", "gone"))
    assert event_text(held, run) == event_text(
        ev.TasksHeld(seq=0, run_id=run.run_id, at=0.0, task_ids=("drive", "gone"))
    )
    skipped = ev.TaskSkipped(seq=0, run_id=run.run_id, at=0.0, task_id="b", because="shell-2")
    assert event_cause(skipped, run) == "because of flash it"
    assert EventFilter(text="flash").wants(started, run)
    assert not EventFilter(text="flash").wants(started)


def test_an_edit_calls_tasks_by_their_names_those_it_removed_too():
    driver = Driver()
    driver.create(plan([task("shell-2", name="Restore"), task("shell-3", name="Test")]), start=False)
    driver.edit(
        ed.UpdateTask("shell-2", timeout=3.0), ed.RemoveTask("shell-3"), ed.AddTask(task("x", name="A new one"))
    )
    edited = next(event for event in driver.events if isinstance(event, ev.ConstellationModified))
    told = event_text(edited, driver.run())
    assert told == "Edited, revision 1: Δ Restore (Timeout), \N{MINUS SIGN} Test, + A new one"


def test_an_edit_names_only_the_fields_that_are_not_what_they_were():
    driver = Driver()
    driver.create(plan([task("late", command=("true",), timeout=3.0)]), start=False)
    driver.edit(ed.UpdateTask("late", command=("false",), timeout=3.0))
    (edited,) = driver.of(ev.ConstellationModified)
    assert event_text(edited, driver.run()) == "Edited, revision 1: Δ late (Command)"


def test_what_the_engine_does_is_said_in_one_way():
    assert event_cause(ev.TaskSkipped(1, 1.0, "r", "a", "b failed", origin="engine")) == "by the engine"


def test_a_run_of_which_a_task_was_cancelled_is_not_plainly_done_and_who_did_it_was_not_the_task():
    driver = Driver(slots=2)
    driver.create(plan("ab"))
    driver.ask(c.CancelTasks, "b", origin="operator")
    driver.end("b", stopped=True)
    driver.end("a")
    facts = driver.run()
    figures = figures_of(RunView(facts), 0.0, 0.0)
    (ended,), (cancelled,), (stopping,) = (driver.of(kind) for kind in (ev.RunEnded, ev.TaskCancelled, ev.TaskStopping))
    record = RunRecord(run_id="r", folder=Path("r"), state=str(facts.state), counts=facts.counts())
    assert (state_words(figures), chip_of(figures)) == ("Done, 1 cancelled", CANCELLED)
    assert RunTable([record]).index(0, run_table.RunColumn.STATE).data() == "Done, 1 cancelled"
    assert event_text(ended, facts) == "The run has ended: done, 1 cancelled"
    assert (event_cause(stopping, facts), event_cause(cancelled, facts)) == ("by hand", "it was told to stop")


@pytest.mark.parametrize(("severity", "said"), [("warning", "Done, 1 warning(s)"), ("error", "Partially failed")])
def test_the_end_of_a_run_is_told_the_same_everywhere(severity, said):
    driver = Driver()
    driver.create(plan(["a", task("b", severity=severity)]))
    driver.end("a")
    driver.fail("b")
    facts = driver.run()
    figures = figures_of(RunView(facts), 0.0, 0.0)
    (ended,) = driver.of(ev.RunEnded)
    counts = {"completed": 1, "failed": 1, "submitted": 2, "removed": 0}
    record = RunRecord(run_id="r", folder=Path("r"), state=str(facts.state), counts=counts)
    assert state_words(figures) == said
    assert chip_of(figures) == (COMPLETED if severity == "warning" else FAILED)
    assert RunTable([record]).index(0, run_table.RunColumn.STATE).data() == said
    assert event_text(ended, facts) == f"The run has ended: {words.lowered(said)}"
    recent = ended_words(RecentFile(path="p", state=str(facts.state), failed=1))
    assert recent == (said if severity == "warning" else "1 failed")


def test_that_tasks_were_only_simulated_is_told_wherever_a_run_is_told_to_be_done():
    driver = Driver(devices=())
    driver.add_device("d1", kind="simulated")
    driver.create(plan([task("a", shell="make"), task("b", simulate="1s")]))
    driver.end_all()
    facts = driver.run()
    figures, said = figures_of(RunView(facts), 0.0, 0.0), "Done, 1 only simulated"
    assert (state_words(figures), run_header.said(figures).split(", 2 done")[0]) == (said, said)
    record = RunRecord(
        run_id="r", folder=Path("r"), state="completed", counts=facts.counts(), simulated=simulations(facts)
    )
    assert RunTable([record]).index(0, run_table.RunColumn.STATE).data() == said
    assert ended_words(RecentFile(path="p", state="completed", simulated=1)) == said
    (ended,) = driver.of(ev.RunEnded)
    assert event_text(ended, facts) == f"The run has ended: {words.lowered(said)}"
    told = [words.end_words(state, 0, simulated=1) for state in ("cancelled", "partially_failed", "executing")]
    assert told == ["Cancelled, 1 only simulated", "Partially failed, 1 only simulated", "Executing, 1 only simulated"]
    asked = (WhyQuestion(TaskView(facts, number), driver.now, ByHand(driver)) for number in range(2))
    assert [[row.text for row in why_rows(one, ())] for one in asked] == [["Simulated on d1: it has not run"], []]


def test_no_name_turns_round_what_stands_beside_it() -> None:
    turning = "rm \u202ekcab\u202c \u2066x"
    assert words.fill("%1 · %2", turning, 3) == "rm kcab x · 3"
    assert words.plain(turning) == "rm kcab x"
    assert words.straight("שלום é") == "שלום é", "letters that are written from the right stay"
    driver = Driver(devices=["d\u202e"])
    driver.create(plan([task("a", name=turning), "b\u202e"]))
    run = driver.run()
    for told in (task_cells.title, canvas_words.title):
        assert [told(run, number) for number in range(2)] == ["rm kcab x", "b"]
    assert task_cells.text(task_cells.TaskSource(run, lambda: 0.0), 0, task_cells.TaskColumn.DEVICE) == "d"
    assert task_cells.device(run, 0) == "d\u202e", "which is what it is known by"


def test_what_is_too_long_is_shortened_at_one_door_which_keeps_it_straight() -> None:
    rooms = Path(words.__file__).parents[1]
    found = {str(path.relative_to(rooms)) for path in rooms.rglob("*.py") if ".elidedText(" in path.read_text("utf-8")}
    assert found == {str(Path("theme", "fonts.py")), str(Path("printing", "words.py"))}, "use theme.fonts.elided"


@pytest.mark.parametrize(("is_paused", "said"), [(True, "Paused"), (False, "Interrupted")])
def test_a_run_that_was_paused_when_its_program_ended_is_paused_wherever_it_is_listed(
    is_paused: bool, said: str
) -> None:
    record = RunRecord(run_id="r", folder=Path("r"), state="interrupted", is_paused=is_paused)
    assert RunTable([record]).index(0, run_table.RunColumn.STATE).data() == said
    assert ended_words(RecentFile(path="r.yaml", state="paused" if is_paused else "executing")) == said


def test_a_number_of_tasks_has_the_separators_that_every_count_has() -> None:
    assert [words.tasks(count).split()[0] for count in (1, 12, 3000)] == ["1", "12", "3,000"]
