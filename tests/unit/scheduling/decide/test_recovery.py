"""Taking up a run whose program died: what had ended, what was interrupted, and that all goes on as it was left."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from tests.driver import RUN, Driver, edge, plan, task

from starloom.constellation.edits import AddDependency, AddTask
from starloom.errors import CommandRefused
from starloom.model.plan import Limits
from starloom.model.result import ErrorInfo, Outcome, OutcomeStatus, Result
from starloom.model.status import RunState
from starloom.scheduling import commands
from starloom.scheduling.fold.apply import fold
from starloom.scheduling.read.run_view import RunView
from starloom.scheduling.state.folded_run import FoldedRun

if TYPE_CHECKING:
    from starloom import events as ev

FAILED = Outcome(OutcomeStatus.FAILED, Result(error=ErrorInfo(code="exit_code", message="exit code 1")))


def died(driver: Driver, *, now: float = 0.0, devices: tuple[str, ...] = ("d",), **outcomes: Outcome) -> Driver:
    """Another engine, at another time, that has taken up the run of this one."""
    heir = Driver(devices=devices)
    heir.now = now
    take_up(heir, driver, **outcomes)
    return heir


def take_up(heir: Driver, driver: Driver, **outcomes: Outcome) -> None:
    stream = [event for event in driver.journal() if event.run_id == RUN]
    heir.inherit(stream)
    heir.do(recovery_of(stream, outcomes))


def recovery_of(stream: list[ev.Event], outcomes: dict[str, Outcome]) -> commands.RecoverRun:
    view = fold(FoldedRun(RUN), stream)
    return commands.RecoverRun(
        run_id=RUN, facts=view.run, outcomes=outcomes, last_at=stream[-1].at, wall_time=2000.0, origin="test"
    )


def test_what_ran_is_interrupted_and_runs_again_without_using_an_attempt():
    driver = Driver()
    driver.create(plan([task("a", retry=1), "b"], ["a>b"]))
    heir = died(driver)
    assert heir.status("a") == "running"
    assert heir.ordered[RUN, "a"].attempt == 2
    assert [attempt.status for attempt in heir.run().attempts(0)] == ["interrupted", "running"]
    heir.fail("a")  # the first failure of two that it may have
    assert heir.ordered[RUN, "a"].attempt == 3
    heir.end("a")
    heir.end("b")
    assert heir.run().state == "completed"


def test_an_end_that_is_certain_is_adopted_and_nothing_of_it_runs_again():
    driver = Driver()
    driver.create(plan(["a", "b", "c"], ["a>c"]))
    heir = died(driver, a=Outcome(result=Result(value=7)))
    assert heir.status("a") == "completed"
    assert heir.run().results[0].value == 7
    assert set(heir.ordered) == {(RUN, "b"), (RUN, "c")}


def test_an_adopted_failure_is_retried_or_spreads_as_any_failure():
    driver = Driver()
    driver.create(plan([task("a", retry=1), task("b"), "c"], ["b>c"]))
    heir = died(driver, a=FAILED, b=FAILED)
    assert heir.status("a") == "running"
    assert heir.ordered[RUN, "a"].attempt == 2
    assert heir.status("b") == "failed"
    assert heir.status("c") == "skipped"


def test_a_pause_before_a_retry_goes_on_where_it_was():
    driver = Driver()
    driver.create(plan([task("a", retry={"attempts": 2, "delay": 10})]))
    driver.now = 100.0
    driver.fail("a")
    driver.now = 104.0
    driver.do(commands.HoldRunOpen(run_id=RUN, hold_open=True))
    heir = died(driver, now=5.0)
    assert heir.status("a") == "pending"
    heir.now = 10.9
    heir.turn()
    assert heir.status("a") == "pending"
    heir.now = 11.1
    heir.turn()
    assert heir.status("a") == "running"


@pytest.mark.parametrize("now", [0.0, 3.0, 500.0])
def test_times_are_moved_so_that_the_run_goes_on_where_it_was_left(now):
    driver = Driver()
    driver.now = 50.0
    driver.create(plan(["a", "b"], ["a>b"]))
    driver.now = 60.0
    driver.end("a")
    heir = died(driver, now=now)
    run = heir.run()
    assert run.created_at == pytest.approx(now - 10)
    assert run.ended_at[0] - run.started_at[0] == pytest.approx(10)
    assert run.attempts(1)[0].ended == pytest.approx(now)
    assert run.sessions == [(pytest.approx(now - 10), 0.0), (now, 2000.0)]


def test_what_the_program_before_told_last_was_by_its_clock():
    driver = Driver()
    driver.create(plan(["a", task("ship", gate="Ship it?")], ["a>ship"]))
    driver.now = 60.0
    driver.end("a")  # by which the gate opens: the last that is told
    heir = died(driver, now=5000.0)
    (gate,) = heir.run().gates.values()
    assert RunView(heir.run()).wall(gate.at) == pytest.approx(60.0), "it waits since then, not since it was taken up"
    assert RunView(heir.run()).wall(5000.0) == 2000.0


def test_on_interrupt_fail_counts_as_a_failed_attempt():
    driver = Driver()
    driver.create(plan([task("a", on_interrupt="fail"), task("b", on_interrupt="fail", retry=1), "c"], ["a>c"]))
    heir = died(driver)
    assert heir.status("a") == "failed"
    assert heir.run().results[0].error.code == "interrupted"
    assert heir.status("c") == "skipped"
    assert heir.ordered[RUN, "b"].attempt == 2


def test_on_interrupt_ask_waits_for_an_answer():
    driver = Driver()
    driver.create(plan([task("a", on_interrupt="ask")]))
    heir = died(driver)
    assert heir.status("a") == "pending"
    assert heir.run().held == {0}
    assert any("held" in str(reason) for reason in heir.run().stalled)
    heir.do(commands.ReleaseTasks(run_id=RUN, task_ids=("a",)))
    heir.end("a")
    assert heir.run().state == "completed"


@pytest.mark.parametrize(
    ("stop", "status"),
    [
        (commands.CancelTasks(run_id=RUN, task_ids=("a",)), "cancelled"),
        (commands.RerunFrom(run_id=RUN, task_id="a", cancel_running=True), "running"),
    ],
    ids=["cancelled", "rerun"],
)
def test_what_was_being_stopped_gets_what_was_asked_for(stop, status):
    driver = Driver()
    driver.create(plan(["a"]))
    driver.do(stop)
    assert driver.status("a") == "running"
    assert died(driver).status("a") == status


def test_a_paused_run_stays_paused_and_holds_pins_and_limits_stay():
    driver = Driver(devices=("d", "e"))
    driver.create(plan(["a", "b", "c"], limits=Limits(max_concurrency=2)))
    driver.do(commands.HoldTasks(run_id=RUN, task_ids=("c",)))
    driver.do(commands.PinTasks(run_id=RUN, task_ids=("c",), device_id="e"))
    driver.do(commands.PauseRun(run_id=RUN))
    heir = died(driver, devices=("d", "e"))
    assert heir.run().state == "paused"
    assert not heir.ordered
    assert (heir.run().held, heir.run().pins, heir.run().limit) == ({2}, {2: "e"}, 2)
    heir.do(commands.ResumeRun(run_id=RUN))
    assert set(heir.ordered) == {(RUN, "a"), (RUN, "b")}


def test_a_cancelled_run_ends_cancelled():
    driver = Driver()
    driver.create(plan(["a", "b"], ["a>b"]))
    driver.do(commands.CancelRun(run_id=RUN))
    assert driver.run().state == "executing"
    assert died(driver).run().state == "cancelled"


def test_a_critical_failure_that_is_adopted_aborts_the_run():
    driver = Driver()
    driver.create(plan([task("a", severity="critical"), "b", "c"]))
    heir = died(driver, a=FAILED)
    assert heir.run().state == "failed"
    assert heir.status("b") == "cancelled"


def test_a_run_all_of_whose_tasks_have_ended_meanwhile_ends():
    driver = Driver()
    driver.create(plan(["a"]))
    assert died(driver, a=Outcome()).run().state == "completed"


def test_the_device_it_ran_on_need_not_be_there_any_more():
    driver = Driver(devices=("gone",))
    driver.create(plan(["a"]))
    heir = died(driver, devices=("new",))
    assert heir.ordered[RUN, "a"].device_id == "new"


def test_conditions_and_groups_and_edits_survive():
    driver = Driver()
    driver.create(plan([task("a", groups=("g",)), task("b", groups=("g",))], limits=Limits(groups={"g": 1})))
    driver.edit(AddTask(task("c")), AddDependency(edge("a", "c", condition="value.ok")))
    heir = died(driver, a=Outcome(result=Result(value={"ok": True})))
    assert heir.run().revision == 1
    assert heir.scheduler.fleet.groups == {"g": 1}
    assert set(heir.ordered) == {(RUN, "b"), (RUN, "c")}


def test_it_can_die_again_and_again():
    driver = Driver()
    driver.create(plan(["a", "b"], ["a>b"]))
    for now in (100.0, 3.0, 50.0):
        driver = died(driver, now=now)
        driver.now += 1.0
        driver.turn()
    assert len(driver.run().attempts(0)) == 4
    driver.end("a")
    driver.end("b")
    assert driver.run().state == "completed"
    assert len(driver.run().sessions) == 4


def test_it_joins_runs_that_are_alive():
    driver = Driver()
    driver.create(plan(["a"]))
    heir = Driver(slots=1)
    heir.create(plan(["x"]), run_id="other")
    take_up(heir, driver)
    assert heir.status("a") == "pending"
    heir.end("x", run_id="other")
    assert heir.status("a") == "running"


def test_one_that_has_ended_stays_so_beside_others_until_it_is_reopened():
    driver = Driver()
    driver.create(plan(["a", "b"], ["a>b"], limits=Limits(groups={"rigs": 1})))
    driver.end("a", ok=False)
    heir = Driver(slots=1)
    heir.create(plan(["x"]), run_id="other")
    take_up(heir, driver)
    assert heir.scheduler.run(RUN).state is RunState.FAILED
    assert list(heir.scheduler.live) == ["other"]
    assert heir.scheduler.fleet.groups == {"rigs": 1}
    heir.do(commands.RetryTasks(run_id=RUN, task_ids=("a",)))
    assert list(heir.scheduler.live) == ["other", RUN]
    assert heir.status("a") == "pending"
    heir.end("x", run_id="other")
    assert heir.status("a") == "running"


@pytest.mark.parametrize(
    ("prepare", "code"),
    [
        (lambda heir, _driver: heir.do(commands.CloseAdmission()), "shutting_down"),
        (lambda heir, _driver: heir.create(plan(["x"])), "duplicate_run"),
    ],
    ids=["shutting down", "already here"],
)
def test_what_cannot_be_taken_up_is_refused_and_changes_nothing(prepare, code):
    driver, heir = Driver(), Driver()
    driver.create(plan(["a"]))
    prepare(heir, driver)
    stream = [event for event in driver.journal() if event.run_id == RUN]
    count = len(heir.events)
    with pytest.raises(CommandRefused) as refusal:
        heir.do(recovery_of(stream, {}))
    assert refusal.value.code == code
    assert heir.events[count:] == []


# ---- the fleet of an earlier program


def reopened(driver: Driver, *, settings: dict[str, Any] | None = None) -> Driver:
    heir = Driver(devices=())
    heir.take_fleet(driver)
    heir.do(commands.OpenFleet(wall_time=2000.0))
    if settings:
        heir.do(commands.SetLimits(**settings, origin="settings"))
    return heir


def test_drains_switches_and_slots_survive_and_are_given_to_the_device_when_it_joins():
    driver = Driver(devices=("a", "b", "c", "d"))
    driver.do(commands.DrainDevice(device_id="a"))
    driver.do(commands.DisableDevice(device_id="b"))
    driver.do(commands.SetSlots(device_id="c", slots=3))
    heir = reopened(driver)
    assert heir.scheduler.fleet.devices == {}
    for device in ("a", "b", "c", "d"):
        heir.add_device(device)
    facts = heir.scheduler.fleet.devices
    assert [facts[id].draining for id in "abcd"] == [True, False, False, False]
    assert [facts[id].enabled for id in "abcd"] == [True, False, True, True]
    assert [facts[id].slots for id in "abcd"] == [None, None, 3, None]


def test_a_device_that_stayed_away_for_a_while_is_still_remembered():
    driver = Driver(devices=("a",))
    driver.do(commands.DrainDevice(device_id="a"))
    heir = reopened(reopened(driver))
    heir.add_device("a")
    assert heir.scheduler.fleet.devices["a"].draining


def test_what_was_taken_back_is_not_remembered():
    driver = Driver(devices=("a",))
    driver.do(commands.DrainDevice(device_id="a"))
    driver.do(commands.ResumeDevice(device_id="a"))
    heir = reopened(driver)
    heir.add_device("a")
    assert not heir.scheduler.fleet.devices["a"].draining


def test_slots_of_a_device_that_comes_with_other_ones_are_its_own():
    driver = Driver(devices=("a",))
    driver.do(commands.SetSlots(device_id="a", slots=3))
    heir = reopened(driver)
    heir.add_device("a", slots=8)
    assert heir.scheduler.fleet.devices["a"].slots == 8


def test_limits_an_operator_chose_survive_and_those_of_settings_and_plans_do_not():
    driver = Driver()
    driver.do(commands.SetLimits(max_queue=9, starvation_timeout=5.0, origin="settings"))
    driver.do(commands.SetLimits(max_concurrency=4, groups={"gpu": 2}))
    driver.create(plan([task("a", groups=("disk",))], limits=Limits(groups={"disk": 1})))
    heir = reopened(driver)
    fleet = heir.scheduler.fleet
    assert (fleet.max_concurrency, fleet.groups) == (4, {"gpu": 2})
    assert (fleet.max_queue, fleet.starvation_timeout) == (0, 30.0)


def test_what_was_interrupted_on_a_device_that_says_so_waits_for_a_person():
    driver = Driver(devices=())
    driver.add_device("d", asks_when_interrupted=True)
    driver.create(plan([task("a"), task("b", on_interrupt="rerun"), task("c", on_interrupt="fail")]))
    heir = died(driver)
    assert heir.statuses() == {"a": "pending", "b": "running", "c": "failed"}
    assert heir.run().held == {0}
    heir.ask(commands.ReleaseTasks, "a")
    assert heir.ordered[RUN, "a"].attempt == 2
