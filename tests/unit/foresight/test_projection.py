"""A projection says when and where everything will run, when the run ends, and what it cannot foresee."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest
from tests.driver import Driver, edge, plan, task

from starloom.foresight.estimates import EstimateSource
from starloom.foresight.projection import Certainty, Projection, project
from starloom.foresight.virtual import SimulatedSpec, VirtualRun, simulate
from starloom.model.plan import Limits, Plan
from starloom.model.status import Placement
from starloom.model.task import Simulate
from starloom.scheduling import commands as c
from starloom.scheduling.fork import Fork
from starloom.scheduling.read.waiting_causes import WaitedFor
from starloom.testing import chain, diamond, independent, layered

if TYPE_CHECKING:
    from starloom.model.task import Task


def forecast(driver: Driver, **options: Any) -> Projection:
    return project(Fork.of(driver.scheduler, driver.now), "r", **{"samples": 0} | options)


def of(tasks: Plan, *, slots: int | None = 1, **options: Any) -> Projection:
    """What is foreseen of a plan that has just begun."""
    driver = Driver(slots=slots)
    driver.create(tasks)
    return forecast(driver, **options)


def ids(projection: Projection) -> list[str]:
    return [step.task_id for step in projection.path]


def reasons(projection: Projection) -> list[WaitedFor]:
    return [step.waited_for for step in projection.path]


def varied(shape: Plan) -> Plan:
    tasks = tuple(replace(t, call=None, simulate=Simulate(1.0 + n * 7 % 11)) for n, t in enumerate(shape.tasks))
    return Plan(tasks=tasks, dependencies=shape.dependencies)


# ---- times


def test_a_chain_is_foreseen_task_by_task() -> None:
    found = of(chain(3, simulate=2.0))
    assert [(task.start, task.finish, task.device_id) for task in found.tasks.values()] == [
        (0.0, 2.0, "d"),
        (2.0, 4.0, "d"),
        (4.0, 6.0, "d"),
    ]
    assert (found.end, found.p50, found.p90, found.certainty) == (6.0, 6.0, 6.0, Certainty.EXPECTED)
    assert (found.remaining_s, found.remarks) == (6.0, ())


def test_what_comes_after_something_without_an_estimate_is_foreseen_at_the_earliest() -> None:
    tasks = [task("start", simulate=3.0), task("unknown"), task("behind", simulate=2.0), task("beside", simulate=5.0)]
    found = of(plan(tasks, edges=["start>unknown", "unknown>behind", "start>beside"]), slots=None)
    bounds = {one.task_id: one.is_lower_bound for one in found.tasks.values()}
    assert bounds == {"start": False, "unknown": False, "behind": True, "beside": False}
    assert {one.slack for one in found.tasks.values()} == {None}, (
        "how much there is to spare depends on what is unknown"
    )


def test_without_any_estimate_no_task_is_said_to_decide_the_finish() -> None:
    found = of(chain(3))
    assert (found.certainty, found.path) == (Certainty.UNKNOWN, ())


@pytest.mark.parametrize("placement", list(Placement))
def test_what_is_foreseen_at_the_start_is_what_a_simulation_does(placement: Placement) -> None:
    fleet = [SimulatedSpec("a", 2), SimulatedSpec("b", 1, 2.0), SimulatedSpec("c", 3)]
    whole = varied(layered(6, 7))
    virtual = VirtualRun(whole, fleet, placement=placement)
    for _ in range(10):
        virtual.step()
    found = project(virtual.fork(), virtual.run.run_id)
    while virtual.step():
        pass
    run = virtual.run
    assert found.end == found.p90 == virtual.now
    for one in found.tasks.values():
        number = run.graph.place[one.task_id]
        assert one.start == run.started_at[number]
        assert one.finish == pytest.approx(run.ended_at[number])
        assert one.device_id == run.device_of[number]


def test_a_device_is_foreseen_from_its_first_to_its_last_attempt() -> None:
    found = of(independent(4, simulate=3.0), slots=2)
    device = found.devices["d"]
    assert (device.start, device.finish, device.busy_s, device.attempts) == (0.0, 6.0, 12.0, 4)


def test_a_running_task_has_left_what_has_not_passed() -> None:
    driver = Driver(slots=1)
    driver.create(chain(2, simulate=10.0))
    driver.advance(4)
    found = forecast(driver)
    assert (found.tasks["t0"].start, found.tasks["t0"].finish, found.end) == (0.0, 10.0, 20.0)


def test_a_task_beyond_its_estimate_is_given_more_time_and_it_is_said() -> None:
    driver = Driver(slots=1)
    driver.create(plan([task("a", estimate=10.0)]))
    driver.advance(12)
    found = forecast(driver)
    assert found.end is not None
    assert found.end > 12.5
    assert "1 task has run longer than estimated" in found.remarks[0]


def test_what_is_declared_to_fail_fails_in_what_is_foreseen_and_is_tried_again() -> None:
    bad = task("bad", simulate={"duration": 1.0, "fail_attempts": 1}, retry={"attempts": 2, "delay": 5.0})
    found = of(plan([bad]))
    assert found.end == 7.0
    assert reasons(found) == [WaitedFor.NOTHING, WaitedFor.RETRY]
    lost = of(plan([task("bad", simulate={"duration": 1.0, "outcome": "failed"}), "next"], ["bad>next"]))
    assert (lost.failing, lost.skipped) == (("bad",), ("next",))


def test_an_estimate_beyond_the_timeout_is_said_and_not_counted_as_a_failure() -> None:
    found = of(plan([task("a", estimate=10.0, timeout=4.0), task("b", estimate=1.0)], ["a>b"]))
    assert found.failing == ()
    assert found.end == pytest.approx(5.0, abs=0.01)
    assert "hit a timeout" in " ".join(found.remarks)


def test_an_ended_run_has_ended_when_it_did() -> None:
    driver = Driver()
    driver.create(plan(["a"]))
    driver.advance(3)
    driver.end("a")
    driver.advance(50)
    found = project(Fork.of(driver.scheduler, driver.now, also=["r"]), "r")
    assert (found.end, found.certainty, dict(found.tasks)) == (3.0, Certainty.EXPECTED, {})


def test_a_run_that_is_not_in_the_fork_is_an_error() -> None:
    with pytest.raises(KeyError):
        project(Fork.of(Driver().scheduler), "nobody")


# ---- the path and slack


def test_the_path_of_a_diamond_goes_by_the_longer_arm_and_the_other_has_slack() -> None:
    shape = diamond(simulate=1.0)
    tasks = tuple(replace(t, simulate=Simulate(5.0)) if t.id == "b" else t for t in shape.tasks)
    found = of(Plan(tasks=tasks, dependencies=shape.dependencies), slots=None)
    assert ids(found) == ["a", "b", "d"]
    assert reasons(found) == [WaitedFor.NOTHING, WaitedFor.DEPENDENCY, WaitedFor.DEPENDENCY]
    assert {id: task.slack for id, task in found.tasks.items()} == {"a": 0.0, "b": 0.0, "c": 4.0, "d": 0.0}


def test_waiting_for_a_slot_is_part_of_the_path() -> None:
    found = of(independent(3, simulate=2.0), slots=1)
    assert ids(found) == ["t0", "t1", "t2"]
    assert reasons(found) == [WaitedFor.NOTHING, WaitedFor.SLOT, WaitedFor.SLOT]
    assert {task.slack for task in found.tasks.values()} == {0.0}


def test_waiting_for_a_limit_is_part_of_the_path() -> None:
    tasks: list[str | Task] = [task(id, simulate=2.0, groups="g") for id in "ab"]
    found = of(plan(tasks, limits=Limits(groups={"g": 1})), slots=None)
    assert ids(found) == ["a", "b"]
    assert reasons(found)[-1] is WaitedFor.LIMIT


def test_the_path_may_lead_through_another_run() -> None:
    driver = Driver(slots=1)
    driver.create(plan([task("theirs", simulate=7.0)]), "other")
    driver.create(plan([task("mine", simulate=1.0)]))
    found = forecast(driver)
    assert [(step.run_id, step.task_id) for step in found.path] == [("other", "theirs"), ("r", "mine")]
    assert found.end == 8.0


def test_the_path_has_no_gaps_and_ends_with_the_end() -> None:
    found = of(varied(layered(8, 9)), slots=3)
    assert found.path[-1].finish == found.end
    assert found.path[0].start == 0.0
    for before, step in zip(found.path, found.path[1:], strict=False):
        assert step.start == before.finish


def test_ending_later_by_its_slack_delays_nothing_and_by_more_does() -> None:
    shape = varied(layered(4, 4))
    wide = [SimulatedSpec("wide", 100)]
    found = project(VirtualRun(shape, wide).fork(), "simulated")
    assert found.end is not None
    for number, one in enumerate(shape.tasks):
        slack = found.tasks[one.id].slack
        assert slack is not None
        assert one.simulate is not None
        for more, is_later in ((slack, False), (slack + 1.0, True)):
            tasks = list(shape.tasks)
            tasks[number] = replace(one, simulate=Simulate(one.simulate.duration + more))
            end = simulate(Plan(tasks=tuple(tasks), dependencies=shape.dependencies), wide).now
            assert (end > found.end + 1e-9) is is_later


# ---- what cannot be foreseen


def test_tasks_without_an_estimate_make_the_end_a_lower_bound() -> None:
    found = of(plan([task("a", simulate=3.0), task("b", shell="true")], ["a>b"]))
    assert (found.certainty, found.end, found.unestimated) == (Certainty.LOWER_BOUND, 3.0, 1)
    assert found.tasks["b"].estimate.source is EstimateSource.NONE
    assert "1 of 2 tasks has no estimate" in found.remarks[0]


@pytest.mark.parametrize(("done", "certainty"), [(2, Certainty.LOWER_BOUND), (5, Certainty.EXPECTED)])
def test_an_end_that_rests_on_a_few_of_its_kind_may_be_later(done: int, certainty: Certainty) -> None:
    driver = Driver(slots=None)
    names = [*"abcde"[:done]]
    driver.create(plan([task(name, command=["tool", name]) for name in [*names, "slow"]]))
    driver.advance(3)
    for name in names:
        driver.end(name)
    driver.advance(1)
    found = forecast(driver)
    assert (found.tasks["slow"].estimate.source, found.certainty) == (EstimateSource.KIND, certainty)
    assert any("as long as a few others" in remark for remark in found.remarks) == (done < 5)


def test_without_any_estimate_the_end_is_unknown() -> None:
    found = of(plan(["a", "b"]))
    assert (found.certainty, found.end, found.p50, found.p90) == (Certainty.UNKNOWN, None, None, None)
    assert found.remaining_s is None


def test_held_tasks_and_what_waits_for_them_are_not_foreseen() -> None:
    driver = Driver(slots=1)
    driver.create(chain(4, simulate=1.0))
    driver.ask(c.HoldTasks, "t2")
    found = forecast(driver)
    assert (found.certainty, found.end, found.unforeseen) == (Certainty.LOWER_BOUND, 2.0, 2)
    assert found.tasks["t3"].finish is found.tasks["t3"].slack is None
    assert "2 tasks are not foreseen to end" in found.remarks[-1]
    assert "held" in found.remarks[-1]


def test_a_paused_run_is_foreseen_as_if_it_were_resumed_now() -> None:
    driver = Driver(slots=1)
    driver.create(chain(2, simulate=1.0))
    driver.ask(c.PauseRun)
    driver.advance(10)
    found = forecast(driver)
    assert found.end == pytest.approx(11.0)
    assert "paused" in found.remarks[0]
    assert driver.run().state == "paused"


def test_a_run_that_was_not_started_is_foreseen_as_if_it_were_started_now() -> None:
    driver = Driver(slots=1)
    driver.create(chain(2, simulate=1.0), start=False)
    found = forecast(driver)
    assert found.end == 2.0
    assert "not been started" in found.remarks[0]


def test_conditions_on_what_nobody_knows_are_taken_to_say_yes_and_it_is_said() -> None:
    tasks: list[str | Task] = [task("a", estimate=1.0), task("b", estimate=1.0)]
    found = of(plan(tasks, [edge("a", "b", condition="value > 5")]))
    assert (found.end, found.skipped) == (2.0, ())
    assert "1 condition depends on results that nobody knows yet" in found.remarks[0]


def test_conditions_on_what_a_simulation_declares_are_answered() -> None:
    tasks: list[str | Task] = [task("a", simulate={"duration": 1.0, "value": 3}), task("b", simulate=1.0)]
    found = of(plan(tasks, [edge("a", "b", condition="value > 5")]))
    assert (found.end, found.skipped, found.remarks) == (1.0, ("b",), ())


def test_a_task_that_no_device_takes_is_not_foreseen_and_it_is_said_why() -> None:
    found = of(plan([task("a", simulate=1.0, requires="gpu"), task("b", simulate=2.0)]))
    assert (found.certainty, found.unforeseen, found.end) == (Certainty.LOWER_BOUND, 1, 2.0)
    assert "gpu" in found.remarks[-1]


def test_a_run_that_is_held_open_is_foreseen_until_its_tasks_have_ended() -> None:
    found = of(chain(2, simulate=1.0))
    driver = Driver(slots=1)
    driver.create(chain(2, simulate=1.0), hold_open=True)
    assert forecast(driver).end == found.end
    assert "held open" in forecast(driver).remarks[0]


def test_a_task_that_is_being_stopped_gives_its_slot_back_at_once() -> None:
    driver = Driver(slots=1)
    driver.create(independent(2, simulate=5.0))
    driver.ask(c.CancelTasks, "t0")
    assert forecast(driver).end == 5.0


def test_what_an_earlier_run_took_tells_how_long_this_one_takes() -> None:
    driver = Driver(slots=1)
    driver.create(plan(["a", "b"], ["a>b"]), "before")
    driver.advance(4)
    driver.end("a", "before")
    driver.advance(6)
    driver.end("b", "before")
    driver.create(plan(["a", "b"], ["a>b"]))
    found = project(Fork.of(driver.scheduler, driver.now, also=["before"]), "r")
    assert (found.end, found.certainty) == (20.0, Certainty.EXPECTED)
    assert found.tasks["a"].estimate.source is EstimateSource.NAME


# ---- samples


def uncertain(count: int) -> Plan:
    tasks = independent(count, estimate=5.0).tasks
    return Plan(tasks=tasks)


def test_samples_are_repeatable_and_another_seed_gives_others() -> None:
    first, again = (of(uncertain(20), slots=3, samples=50, seed=1) for _ in range(2))
    assert first == again
    assert of(uncertain(20), slots=3, samples=50, seed=2).p90 != first.p90


def test_p90_is_later_than_p50_and_there_are_as_many_samples_as_asked_for() -> None:
    found = of(uncertain(20), slots=3, samples=80)
    assert found.samples == 80
    assert found.p50 is not None
    assert found.p90 is not None
    assert found.at < found.p50 < found.p90


def test_where_nothing_scatters_one_sample_is_enough() -> None:
    found = of(varied(layered(4, 4)), slots=2, samples=None)
    assert (found.samples, found.p50) == (1, found.end)


@pytest.mark.parametrize(
    "limits", [Limits(), Limits(max_concurrency=2), Limits(groups={"g": 2})], ids=["slots", "run", "group"]
)
def test_a_sample_without_scatter_is_the_schedule_itself(limits: Limits) -> None:
    from starloom.foresight.projection import estimates_of
    from starloom.foresight.sampling import _Replay, foreseen_end
    from starloom.foresight.schedule import Schedule

    shape = varied(layered(5, 6, groups="g", retry=1))
    driver = Driver(slots=2, devices=("a", "b"), checked=False)
    driver.create(Plan(tasks=shape.tasks, dependencies=shape.dependencies, limits=limits))
    fork = Fork.of(driver.scheduler, driver.now)
    schedule = Schedule(fork, "r", estimates_of(fork))
    replayed = _Replay(schedule, lambda: None).end([node.seconds for node in schedule.nodes])
    assert replayed == pytest.approx(foreseen_end(schedule), rel=0.15)


def test_whatever_a_pause_raises_ends_the_work() -> None:
    class EnoughError(Exception):
        pass

    def pause() -> None:
        raise EnoughError

    with pytest.raises(EnoughError):
        of(chain(100, simulate=1.0), pause=pause)
