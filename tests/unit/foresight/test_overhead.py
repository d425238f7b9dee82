"""Overheads: for what attempts hold a slot besides their work is learnt per device and foreseen."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import msgspec
import pytest
from tests.driver import RUN, Driver, plan, task

from starloom.foresight.estimates import Estimates
from starloom.foresight.overhead import NO_OVERHEAD, overhead_of
from starloom.foresight.projection import Certainty, Projection, estimates_of, project
from starloom.foresight.speedups import speedups
from starloom.foresight.virtual import SimulatedSpec, VirtualRun
from starloom.foresight.what_if import what_if
from starloom.journal.facts import HEADER, Facts, Known, decode_facts, encode, length_of_link, link_of
from starloom.model.likeness import ObservedDurations
from starloom.model.result import Outcome
from starloom.scheduling import commands as c
from starloom.scheduling.fold.apply import fold
from starloom.scheduling.fork import Fork
from starloom.scheduling.state.folded_run import FoldedRun
from starloom.scheduling.state.late_facts import overhead
from starloom.scheduling.stimuli import AttemptEnded, AttemptWorkEndNoticed, AttemptWorkNoticed

if TYPE_CHECKING:
    from starloom.model.plan import Plan

WORK = 2.0
WAY, BACK = 1.0, 0.5
HELD = WAY + BACK


def many(count: int = 10, **fields: object) -> Plan:
    return plan([task(f"t{n}", estimate=WORK, **fields) for n in range(count)])


def driver_of(made: Plan) -> Driver:
    driver = Driver(slots=1, devices=("box",))
    driver.create(made)
    return driver


def begin(driver: Driver, name: str, way: float = WAY, run_id: str = RUN) -> None:
    """The work of an attempt begins after its way there, and that is heard at once."""
    attempt = driver.ordered[run_id, name].attempt
    driver.turn(AttemptWorkNoticed(run_id, name, attempt, has_begun=False))
    driver.advance(way)
    driver.turn(AttemptWorkNoticed(run_id, name, attempt, has_begun=True))


def end(driver: Driver, name: str, back: float = BACK, run_id: str = RUN) -> None:
    """The work is done, which is heard later."""
    driver.advance(WORK + back)
    attempt = driver.ordered.pop((run_id, name)).attempt
    driver.turn(AttemptEnded(run_id, name, attempt, Outcome(took=WORK)))


def through(driver: Driver, name: str, way: float = WAY, back: float = BACK, run_id: str = RUN) -> None:
    begin(driver, name, way, run_id)
    end(driver, name, back, run_id)


def after(count: int, made: Plan | None = None) -> Driver:
    """A driver whose first tasks have ended."""
    driver = driver_of(made or many())
    for n in range(count):
        through(driver, f"t{n}")
    return driver


def fork_of(driver: Driver) -> Fork:
    return Fork.of(driver.scheduler, driver.now, also=tuple(driver.scheduler.runs))


def forecast(driver: Driver) -> Projection:
    return project(fork_of(driver), RUN)


# ---- what is kept


def test_what_an_attempt_held_its_slot_for_besides_its_work_is_a_fact() -> None:
    driver = after(1)
    assert overhead(driver.run(), 0) == pytest.approx(HELD)
    (attempt,) = driver.attempts("t0")
    assert attempt.ended is not None
    assert attempt.ended - attempt.started == pytest.approx(WORK)


def test_while_what_it_left_is_fetched_it_holds_no_slot() -> None:
    driver = driver_of(many())
    begin(driver, "t0")
    driver.advance(WORK + BACK)
    driver.turn(AttemptWorkEndNoticed(RUN, "t0", 1, took=WORK))
    driver.advance(100.0)
    attempt = driver.ordered.pop((RUN, "t0")).attempt
    driver.turn(AttemptEnded(RUN, "t0", attempt, Outcome(ended_ago=100.0 + BACK, took=WORK)))
    assert overhead(driver.run(), 0) == pytest.approx(HELD)


def test_the_next_attempt_has_an_overhead_of_its_own() -> None:
    driver = after(10)
    driver.do(c.RerunFrom(run_id=RUN, task_id="t0"))
    assert overhead(driver.run(), 0) == 0.0


def test_a_checkpoint_has_it_and_one_from_before_has_none() -> None:
    run = after(2).run()
    link = link_of(run, Known(archived={}), row=1, at=run.sessions[0][0], wall=0.0, graph=[], shifts=[])
    data = bytes(encode(link, run))
    header, rest = data[: HEADER.size], data[HEADER.size :]
    facts = decode_facts(header, rest[length_of_link(header) :])
    assert facts.overhead == run.overhead != {}
    assert [field.required for field in msgspec.structs.fields(Facts) if field.name == "overhead"] == [False]


def test_what_outlived_its_program_was_waited_for_by_nobody() -> None:
    driver = Driver(slots=2, devices=("box",))
    driver.create(many(2))
    begin(driver, "t0")
    begin(driver, "t1")
    stream = [event for event in driver.journal() if event.run_id == RUN]
    run = fold(FoldedRun(RUN), stream).run
    assert overhead(run, 0) == pytest.approx(WAY)
    heir = Driver(slots=2, devices=("box",))
    heir.inherit(stream)
    outcomes = {"t0": Outcome(ended_ago=3000.0, took=WORK), "t1": Outcome(ended_ago=100.0)}
    heir.do(
        c.RecoverRun(run_id=RUN, facts=run, last_at=driver.now, wall_time=run.wall_time + 3600.0, outcomes=outcomes)
    )
    assert heir.statuses() == {"t0": "completed", "t1": "completed"}
    assert overhead(heir.run(), 0) == 0.0


# ---- what is foreseen


def test_a_slot_is_foreseen_to_be_held_for_longer_than_the_work_takes() -> None:
    driver = after(5)
    assert forecast(driver).end == pytest.approx(driver.now + 5 * (WORK + HELD))


def test_before_anything_has_ended_there_nothing_is_known() -> None:
    driver = after(2)
    assert forecast(driver).end == pytest.approx(driver.now + 8 * WORK)


def test_a_wait_that_is_over_is_not_foreseen_again() -> None:
    driver = after(5)
    begin(driver, "t5")
    found = forecast(driver)
    assert found.tasks["t5"].finish == pytest.approx(driver.now + WORK + BACK)
    assert found.end == pytest.approx(driver.now + WORK + BACK + 4 * (WORK + HELD))


def test_what_still_waits_has_not_outrun_its_estimate() -> None:
    driver = driver_of(many())
    for n in range(5):
        through(driver, f"t{n}", way=60.0)
    driver.turn(AttemptWorkNoticed(RUN, "t5", 1, has_begun=False))
    driver.advance(50.0)
    found = forecast(driver)
    assert found.certainty is Certainty.EXPECTED
    assert found.tasks["t5"].finish == pytest.approx(driver.now + 10.0 + BACK + WORK)


def test_its_scatter_is_in_the_samples() -> None:
    even, uneven = driver_of(many(40)), driver_of(many(40))
    for n in range(20):
        through(even, f"t{n}")
        through(uneven, f"t{n}", way=WAY * (0.2 if n % 2 else 1.8))
    narrow, wide = forecast(even), forecast(uneven)
    assert narrow.end == pytest.approx(wide.end)
    for found in (narrow, wide):
        assert found.p50 is not None
        assert found.p90 is not None
    assert wide.p90 - wide.p50 > narrow.p90 - narrow.p50 > 0  # type: ignore[operator]  # just asserted


def test_a_timeout_leaves_it_out() -> None:
    driver = after(5, many(timeout=WORK + BACK + 0.1))
    found = forecast(driver)
    assert found.failing == ()
    assert found.end == pytest.approx(driver.now + 5 * (WORK + HELD))
    assert not any("timeout" in remark for remark in found.remarks)


def test_what_is_simulated_goes_nowhere() -> None:
    made = plan([*many(5).tasks, task("last", simulate=7.0)])
    driver = after(5, made)
    assert forecast(driver).end == pytest.approx(driver.now + 7.0)


def test_edits_and_speedups_are_tried_with_it() -> None:
    driver = after(4)
    fork = fork_of(driver)
    more = what_if(fork, RUN, commands=[c.SetSlots(device_id="box", slots=2)])
    assert more.delay_s == pytest.approx(-3 * (WORK + HELD))
    (found,) = (one for one in speedups(fork, RUN).found if isinstance(one.command, c.SetSlots))
    assert found.earlier_s == pytest.approx(3 * (WORK + HELD))


# ---- who tells


def test_a_run_goes_by_its_own_attempts_and_before_that_by_those_of_others() -> None:
    driver = after(10)
    driver.create(many(), run_id="second")
    fork = fork_of(driver)
    assert estimates_of(fork).overhead("box", fork.run("second")).seconds == pytest.approx(HELD)
    for n in range(5):
        through(driver, f"t{n}", way=4.0, run_id="second")
    fork = fork_of(driver)
    assert estimates_of(fork).overhead("box", fork.run("second")).seconds == pytest.approx(4.0 + BACK)
    assert estimates_of(fork).overhead("other", fork.run("second")) == NO_OVERHEAD


def test_a_program_without_their_facts_is_told() -> None:
    driver = after(10)
    told = Estimates([driver.run()]).durations([RUN])
    sent = msgspec.msgpack.decode(msgspec.msgpack.encode(told), type=ObservedDurations)
    other = driver_of(many())
    there = replace(fork_of(other), durations=sent)
    assert project(there, RUN).end == pytest.approx(other.now + 10 * (WORK + HELD))


def test_a_plan_that_is_not_run_is_foreseen_by_its_earlier_runs() -> None:
    driver = after(10)
    virtual = VirtualRun(many(), [SimulatedSpec("box")])
    fork = replace(virtual.fork(), past=(driver.run(),))
    assert project(fork, virtual.run.run_id).end == pytest.approx(10 * (WORK + HELD))


def test_a_link_that_broke_says_nothing_of_the_next_attempt() -> None:
    assert overhead_of([1.0] * 9 + [600.0]).seconds == pytest.approx(1.9)
    assert overhead_of([0.0] * 5) == NO_OVERHEAD


def test_an_outage_that_held_up_most_attempts_says_little_of_the_next_one() -> None:
    quick = overhead_of([0.3] * 4).seconds
    assert overhead_of([0.3, 0.3, 28.0, 29.0, 29.5, 30.0]).seconds < 10 * quick
    assert overhead_of([2.0, 4.0, 6.0, 8.0, 9.0, 9.0, 9.0, 9.0]).seconds == 7.0, "of a busy device all take long"
