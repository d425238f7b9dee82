"""The report as a value: what the fold of one stream says of a run."""

from __future__ import annotations

import io
from typing import TYPE_CHECKING, Any
from xml.etree import ElementTree

import pytest
from msgspec.structs import replace
from tests.driver import RUN, Driver, plan, task
from tests.unit.reporting.story import WALL, Story, proposing, steered

from starloom import events as ev
from starloom.constellation import edits as ed
from starloom.constellation.edits import RemoveTask
from starloom.errors import Problem
from starloom.events import RunRecovered
from starloom.foresight.virtual import SimulatedSpec, VirtualRun
from starloom.model.agent_terms import OnConflict
from starloom.model.status import Fence, TaskStatus
from starloom.reporting import junit
from starloom.reporting.folding import build
from starloom.reporting.html import page
from starloom.reporting.interventions import Collector
from starloom.reporting.json import read, write
from starloom.reporting.provenance import Provenance
from starloom.reporting.report_presenter import ReportPresenter
from starloom.scheduling import commands as c
from starloom.scheduling.stimuli import DeviceConnectedNoticed, DeviceLostNoticed, LateEndNoticed
from starloom.testing import layered

if TYPE_CHECKING:
    from starloom.reporting.report import Report


@pytest.fixture(scope="module")
def report() -> Report:
    return replace(build(RUN, steered()), provenance=Provenance(starloom="1.2"))


def attempt(report: Report, name: str, number: int = 1) -> Any:
    (found,) = [one for one in report.attempts if report.tasks[one.task].id == name and one.number == number]
    return found


def test_the_verdict_says_what_failed_and_what_followed(report: Report) -> None:
    assert report.verdict == (
        "8 of 11 tasks are done. “compile ble” failed twice with exit 2, so “unit ble” was skipped. "
        "1 task was cancelled. The run took 3:11."
    )
    assert report.state == "partially_failed"
    assert report.has_ended


def test_the_counts_add_up(report: Report) -> None:
    counts = report.counts
    assert (counts.total, counts.completed, counts.failed, counts.cancelled, counts.skipped) == (11, 8, 1, 1, 1)
    assert len(report.tasks) == 11


def test_times_count_from_the_start_of_the_run(report: Report) -> None:
    one = attempt(report, "configure")
    assert (one.started, one.ended, one.device) == (12, 33, "build-1")
    assert report.wall(one.started) == WALL + 12


def test_the_critical_path_leads_from_the_start_to_the_finish(report: Report) -> None:
    names = [report.tasks[step.task].id for step in report.critical_path]
    assert names == ["sources", "configure", "compile hal", "link", "flash lab-a", "soak"]
    assert report.critical_s == pytest.approx(report.seconds)
    assert [one.id for one in report.tasks if one.is_critical] == names


def test_what_agents_propose_and_who_approves_is_told_with_what_it_would_change() -> None:
    report = build(RUN, proposing().events)
    told = [(one.who, one.what, one.why, one.is_steering) for one in report.interventions[1:]]
    assert told == [
        ("helper", "proposed for approval 1: removed e", "why 1", False),
        ("helper", "removed e", "why 1", True),
        ("ada", "accepted approval 1, of helper: removed e", "note 1", True),
        ("helper", "proposed for approval 2: changed d (command)", "why 2", False),
        ("ada", "rejected approval 2, of helper: changed d (command)", "note 2", True),
        ("helper", "could not answer edit cycle 3: no model answers", "", False),
        ("helper", "added f", "one more", True),
    ]


def test_agents_are_counted_with_what_came_of_their_answers() -> None:
    (agent,) = build(RUN, proposing().events).agents
    assert (agent.name, agent.asked, agent.answered, agent.failed, agent.late) == ("helper", 4, 4, 1, 0)
    assert (agent.edits, agent.applied, agent.refused) == (3, 1, 0)
    assert (agent.approved, agent.rejected, agent.waiting) == (1, 1, 0)
    assert (agent.longest_s, agent.total_s) == (2, 4)


def test_an_edit_cycle_that_nobody_waited_for_any_more_is_told() -> None:
    collector = Collector()
    collector.see(ev.EditCycleClosed(1, 1.0, RUN, 7, "timed_out", ("helper",)))
    collector.see(ev.AgentAnswered(2, 2.0, RUN, 7, "helper", 2, is_late=True))
    collector.see(ev.EditCycleClosed(3, 3.0, RUN, 8, "answered"))
    assert [(one.who, one.what, one.why) for one in collector.found] == [
        ("engine", "went on after edit cycle 7 without the answer of helper", "its time was over"),
        ("helper", "answered edit cycle 7 late", ""),
    ]


def test_what_was_done_to_a_task_calls_it_by_the_name_it_had() -> None:
    driver = Driver()
    driver.create(plan([task("shell-2", name="Restore packages"), task("shell-3", name="Test")]), start=False)
    driver.do(c.HoldTasks(run_id=RUN, task_ids=("shell-2",)))
    driver.edit(RemoveTask("shell-3"))
    held, removed = build(RUN, driver.events).interventions
    assert [(one.what, one.tasks) for one in (held, removed)] == [
        ("held Restore packages", ("shell-2",)),
        ("removed Test", ("shell-3",)),
    ]


def test_a_slot_that_was_waited_for_is_part_of_the_critical_path() -> None:
    story = Story({"d": 1}, plan(["a", "b"]))
    story.after(5, "a")
    story.after(7, "b")
    report = build(RUN, story.events)
    assert [step.waited_for for step in report.critical_path] == ["nothing", "slot"]
    assert report.waits.longest == 5
    assert report.attempts[1].waited == 5


def test_a_retry_is_part_of_the_critical_path() -> None:
    story = Story({"d": 1}, plan([task("a", retry=1)]))
    story.driver.advance(2)
    story.fail("a")
    story.after(3, "a")
    report = build(RUN, story.events)
    assert [(step.waited_for, step.attempt) for step in report.critical_path] == [("nothing", 0), ("retry", 1)]
    assert [one.number for one in report.attempts] == [1, 2]
    assert report.attempts[0].exit_code == 2
    assert report.verdict == "The only task is done. 1 attempt failed and was made again. The run took 5.0 s."


def test_interventions_say_who_what_and_why(report: Report) -> None:
    told = [(one.at, one.who, one.what, one.why) for one in report.interventions]
    assert told == [
        (33, "operator", "priority of flash lab-a: 80", ""),
        (75, "agent:rules", "cancelled hotfix", "not needed any more"),
        (81, "operator", "drained lab-a", ""),
        (
            81,
            "ada",
            "3 edits: added soak; soak after flash lab-a; changed flash lab-a (timeout 5:00)",
            "half the soak is enough",
        ),
    ]
    assert report.interventions[-1].revision == 1


def test_one_command_about_many_tasks_is_one_intervention() -> None:
    names = [f"t{number}" for number in range(30)]
    story = Story({"d": 1}, plan(names))
    story.ask(c.CancelTasks, *names[1:], origin="ada")
    (one,) = build(RUN, story.events).interventions
    assert one.what == "cancelled 29 tasks"
    assert len(one.tasks) == 20


def test_cancelling_the_run_is_one_intervention() -> None:
    story = Story({"d": 1}, plan(["a", "b", "c"]))
    story.ask(c.CancelRun, origin="ada", reason="enough")
    assert [(one.what, one.why) for one in build(RUN, story.events).interventions] == [("cancelled the run", "enough")]


def test_what_the_engine_does_by_itself_is_no_steering() -> None:
    story = Story({"d": 2}, plan(["a", task("b", severity="critical")]))
    story.fail("b")
    report = build(RUN, story.events)
    assert [one.is_steering for one in report.interventions] == [False]
    assert report.interventions[0].why == "critical task 'b' failed"


def test_a_field_that_could_hold_a_secret_is_named_without_its_value() -> None:
    from starloom.constellation.edits import UpdateTask

    story = Story({"d": 1}, plan(["a", "b"], ["a>b"]))
    story.driver.edit(UpdateTask("b", env={"TOKEN": "hunter2"}, inputs={"key": "hunter2"}), origin="ada")
    told = str(build(RUN, story.events))
    assert "env, inputs" in told
    assert "hunter2" not in told


def test_what_was_done_to_a_device_is_said_beside_it_without_its_name() -> None:
    story = Story({"local": 1}, plan(["a"]))
    story.driver.do(c.SetSlots(device_id="local", slots=3, origin="ada"))
    story.driver.do(c.DrainDevice(device_id="local", origin="ada"))
    assert build(RUN, story.events).devices[0].notes == ("3 slots", "drained")


def test_devices_say_how_they_were_used(report: Report) -> None:
    build_1, lab = report.devices
    assert (build_1.lanes, build_1.attempts, build_1.failed) == (2, 7, 0)
    assert build_1.busy_s == pytest.approx(sum(one.seconds for one in report.attempts if one.device == "build-1"))
    assert lab.notes == ("drained",)
    (drained,) = [one.at for one in report.interventions if one.what.startswith("drained")]
    used = max(one.ended for one in report.attempts if one.device == "lab-a")
    assert report.usable * report.seconds == pytest.approx(2 * report.seconds + max(drained, used))
    assert report.utilisation == pytest.approx(report.busy_s / (report.usable * report.seconds))


def test_the_load_adds_up_to_all_that_was_done(report: Report) -> None:
    assert sum(part.running * part.seconds for part in report.load) == pytest.approx(report.busy_s)
    assert report.peak == 3


def test_failures_carry_the_end_of_their_output(report: Report) -> None:
    (one,) = report.failures
    assert one.output.splitlines()[-1] == "make: *** [ble/phy.o] Error 2"
    assert [report.tasks[place].id for place in one.skipped] == ["unit ble"]


def test_a_run_that_goes_on_is_told_up_to_its_last_event() -> None:
    story = Story({"d": 1}, plan(["a", "b"], ["a>b"]))
    story.after(4, "a")
    report = build(RUN, story.events)
    assert not report.has_ended
    assert report.seconds == 4
    assert "has not ended" in report.verdict


@pytest.mark.parametrize("length", [1, 3, 6, 9])
def test_any_beginning_of_a_stream_can_be_told(length: int) -> None:
    report = build(RUN, steered()[:length])
    assert report.events == length


def test_no_events_are_an_empty_report() -> None:
    report = build(RUN, [])
    assert (report.attempts, report.critical_path, report.load) == ((), (), ())
    assert report.verdict == "The run has no tasks. The run has not started."


def _written(report: Report) -> bytes:
    file = io.BytesIO()
    write(report, file)
    return file.getvalue()


def test_figures_agree_with_the_summary_of_the_run() -> None:
    events: list[Any] = []
    virtual = VirtualRun(
        layered(20, 10, simulate=2.0), [SimulatedSpec("a", slots=3, failure_rate=0.1)], on_events=events.extend
    )
    while virtual.step():
        pass
    summary = virtual.summary()
    report = build(virtual.run.run_id, [event for event in events if event.run_id == virtual.run.run_id])
    assert report.seconds == summary.makespan_s
    assert report.longest_chain_s == summary.statistics.longest_chain_length
    assert report.critical_s == summary.statistics.critical_path_length == report.seconds
    figures = summary.statistics
    assert (report.chain_tasks, report.width) == (figures.longest_path_length, figures.max_width) == (20, 10)
    assert report.parallelism == figures.parallelism_ratio
    told = f"Longest chain: 20 tasks; width: 10 tasks; parallelism: {figures.parallelism_ratio:.1f}."
    assert told in ReportPresenter(report).steps_left, "HTML and PDF show this sentence"
    assert told in page(report)
    assert read(_written(report)).width == 10
    assert report.busy_s == pytest.approx(summary.devices[0].busy_s)
    assert report.counts.failed == summary.tasks.failed


def test_what_happened_before_another_program_took_the_run_up_keeps_its_time() -> None:
    before = steered()[:-1]
    last = before[-1]
    shift = 1_000.0
    taken = RunRecovered(
        seq=last.seq + 1, at=last.at + shift, run_id=RUN, wall_time=WALL + 86_400, shift=shift, origin="operator"
    )
    old, new = build(RUN, before), build(RUN, [*before, taken])
    assert new.attempts == old.attempts
    assert new.interventions[:-1] == old.interventions
    assert new.wall(12) == WALL + 12
    assert new.wall(new.seconds) == WALL + 86_400


def test_what_is_said_of_a_task_that_was_only_marked_as_failed() -> None:
    story = Story({"d": 1}, plan(["a", "b"]))
    story.ask(c.MarkTasks, "b", status=TaskStatus.FAILED, origin="ada")
    report = build(RUN, story.events)
    (one,) = report.failures
    assert (one.attempt, report.interventions[0].what) == (None, "marked b failed")


def test_agents_that_come_and_go_and_answers_to_approvals_are_interventions() -> None:
    collector = Collector()
    for event in (
        ev.AgentAttached(1, 1.0, RUN, "helper", origin="operator"),
        ev.FenceSet(2, 2.0, RUN, Fence.DESCENDANTS, origin="operator"),
        ev.EditCycleOpened(3, 3.0, RUN, 1, ("helper",), ("a",)),
        ev.ApprovalAnswered(4, 4.0, RUN, 1, "rejected", "too many", "operator"),
        ev.AgentDetached(5, 5.0, RUN, "helper", origin="engine", reason="its program has ended"),
    ):
        collector.see(event)
    assert [(one.who, one.what, one.why) for one in collector.found] == [
        ("operator", "attached agent helper", ""),
        ("operator", "set the fence of edit cycles: descendants", ""),
        ("operator", "rejected approval 1", "too many"),
        ("engine", "detached agent helper", "its program has ended"),
    ]


def test_edits_that_come_too_late_are_interventions_and_so_is_the_stop_of_a_task_that_is_replaced() -> None:
    collector = Collector()
    why = (Problem(message="'a' cannot change: it has ended (completed)."),)
    for event in (
        ev.EditsLeftOut(1, 1.0, RUN, 1, "helper", (ed.RemoveTask("a"),), why),
        ev.EditsDeferred(
            2, 1.0, RUN, 1, 1, "helper", OnConflict.REPLACE, ("b",), (ed.UpdateTask("b", timeout=5),), "x"
        ),
        ev.TaskStopping(3, 1.0, RUN, "b", "replaced", "helper", "x"),
        ev.EditsDeferred(4, 1.0, RUN, 2, 1, "helper", OnConflict.NEXT_ATTEMPT, ("c",), (ed.UpdateTask("c", retry=2),)),
    ):
        collector.see(event)
    assert [(one.who, one.what, one.why, one.refused) for one in collector.found] == [
        ("helper", "came too late with removed a: 'a' cannot change: it has ended (completed).", "", True),
        ("helper", "proposed once it is stopped: changed b (timeout 5.0 s)", "x", False),
        ("helper", "replaced b", "x", False),
        ("helper", "proposed for the next attempt: changed c (retry)", "", False),
    ]


def test_gates_and_stops_are_interventions_and_an_answer_is_told_once() -> None:
    gate = {"message": "?", "after": 60, "then": "proceed"}
    story = Story({"d": 1}, plan([task("ask", gate="Ship it?"), task("late", gate=gate), task("b", breakpoint=True)]))
    story.ask(c.AnswerGate, task_id="ask", approve=False, note="not on a Friday", origin="ana")
    story.after(60)
    story.ask(c.ReleaseTasks, "b")
    story.after(1, "b")
    report = build(RUN, story.events)
    told = [(one.who, one.what, one.why) for one in report.interventions]
    assert told == [
        ("engine", "stopped b at its breakpoint", ""),
        ("ana", "gate ask: rejected", "not on a Friday"),
        ("engine", "gate late: went on by itself", "nobody answered within 1m"),
        ("operator", "released b", ""),
    ]
    assert report.failures[0].message == "It was rejected by ana: not on a Friday"


def test_the_time_a_run_took_leaves_out_what_was_between_its_end_and_a_retry() -> None:
    driver = Driver()
    driver.create(plan("a"))
    driver.advance(5.0)
    driver.fail("a")
    driver.advance(1000.0)
    driver.ask(c.RetryTasks, "a")
    driver.advance(2.0)
    driver.end("a")
    told = build(RUN, [event for event in driver.events if event.run_id == RUN])
    assert (told.seconds, told.idle_s, told.gone_on_s) == (1007.0, 1000.0, 7.0)
    assert told.verdict.endswith("The run took 7.0 s, without 16:40 in which nothing of it ran.")
    assert ReportPresenter(told).numbers[0].value == "7.0 s"
    assert [one.get("time") for one in ElementTree.fromstring(junit.write(told)).iter("testsuite")] == ["7.000"]


@pytest.mark.parametrize(("code", "how"), [(0, "ended late with exit 0"), (None, "was ended once its device was back")])
def test_the_late_end_of_an_attempt_that_was_given_up_is_told(code: int | None, how: str) -> None:
    driver = Driver()
    driver.create(plan([task("a", retry=1)]))
    driver.end("a", lost=True)
    driver.advance(5.0)
    driver.turn(LateEndNoticed(RUN, "a", 1, "d", code, 2.0))
    driver.end("a")
    told = build(RUN, [event for event in driver.events if event.run_id == RUN])
    assert [one.status for one in told.attempts] == ["failed", "completed"]
    assert any(how in one.what for one in told.interventions)


def test_a_device_that_has_been_reached_again_is_not_said_to_be_lost() -> None:
    story = Story({"d": 1}, plan(["a"]))
    story.driver.turn(DeviceLostNoticed("d", "It does not answer.", lost_after=600.0))
    assert build(RUN, story.events).devices[0].notes == ("lost",)
    story.driver.turn(DeviceConnectedNoticed("d"))
    assert build(RUN, story.events).devices[0].notes == ("unreachable for a while",)


def test_a_device_that_was_removed_and_added_again_is_told_to_be_there_and_by_whom() -> None:
    story = Story({"d": 1, "sim": 1}, plan(["a"]))
    story.driver.do(c.RemoveDevice(device_id="sim", origin="ada"))
    assert [one.id for one in build(RUN, story.events).devices] == ["d"]
    story.driver.do(c.AddDevice(device_id="sim", kind="simulated", slots=1, origin="ben"))
    story.driver.do(c.AddDevice(device_id="new", kind="simulated", slots=1, origin="ben"))
    told = build(RUN, story.events)
    assert told.devices[1].notes == ("removed for a while", "added again")
    assert [(one.who, one.what) for one in told.interventions] == [("ada", "removed sim"), ("ben", "added again sim")]
