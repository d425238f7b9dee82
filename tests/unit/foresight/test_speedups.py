"""Speedups: only what really lets a run end earlier is named, and nothing where its end is not certain."""

from __future__ import annotations

from dataclasses import replace

from tests.driver import Driver, plan, task

from starloom.foresight.projection import Certainty
from starloom.foresight.speedups import Speedups, speedups
from starloom.foresight.what_if import what_if
from starloom.model.plan import Limits
from starloom.model.task import Gate
from starloom.scheduling import commands as c
from starloom.scheduling.fork import Fork
from starloom.scheduling.reservation_commands import ReleaseReservation, Reserve
from starloom.testing import chain, independent


def asked(driver: Driver, run_id: str = "r") -> Speedups:
    return speedups(Fork.of(driver.scheduler, driver.now), run_id)


def test_what_decides_the_finish_is_found_and_is_what_a_what_if_says():
    driver = Driver(slots=2)
    driver.create(independent(12, simulate=60.0))
    found = asked(driver)
    assert [(one.command, one.before, one.after) for one in found.found] == [(c.SetSlots(device_id="d", slots=3), 2, 3)]
    assert found.found[0].earlier_s == 120.0
    checked = what_if(Fork.of(driver.scheduler, driver.now), "r", commands=[found.found[0].command], samples=0)
    assert checked.delay_s == -120.0


def test_the_limit_that_binds_is_named_and_not_the_slots_behind_it():
    driver = Driver(slots=8)
    driver.create(independent(40, simulate=60.0))
    driver.do(c.SetRunLimit(run_id="r", max_concurrency=2))
    driver.do(c.SetLimits(max_concurrency=4))
    assert [one.command for one in asked(driver).found] == [c.SetRunLimit(run_id="r", max_concurrency=3)]
    driver.do(c.SetRunLimit(run_id="r", max_concurrency=None))
    assert [one.command for one in asked(driver).found] == [c.SetLimits(max_concurrency=5)]


def test_a_full_group_and_a_draining_device_are_speedups():
    driver = Driver(slots=8)
    tasks = [task(f"t{n}", simulate=60.0, groups="licences") for n in range(6)]
    driver.create(plan(tasks, limits=Limits(groups={"licences": 1})))
    assert [(one.command, one.earlier_s) for one in asked(driver).found] == [
        (c.SetLimits(groups={"licences": 2}), 180.0)
    ]
    driver = Driver(slots=1, devices=("d", "e"))
    driver.do(c.DrainDevice(device_id="e"))
    driver.create(independent(4, simulate=60.0))
    assert {one.command for one in asked(driver).found} == {
        c.SetSlots(device_id="d", slots=2),
        c.ResumeDevice(device_id="e"),
    }


def test_a_chain_has_no_speedup():
    driver = Driver(slots=1)
    driver.create(chain(5, simulate=60.0))
    found = asked(driver)
    assert found.is_certain
    assert found.found == ()
    assert [step.task_id for step in found.projection.path] == [f"t{n}" for n in range(5)]


def test_without_estimates_nothing_is_guessed():
    driver = Driver(slots=1)
    driver.create(plan([task("known", simulate=60.0), task("unknown")]))
    assert not asked(driver).is_certain
    assert asked(driver).found == ()


def test_what_another_run_takes_for_an_unknown_time_makes_the_end_uncertain():
    driver = Driver(slots=1)
    driver.create(plan([task("unknown")]), run_id="other")
    driver.create(independent(4, simulate=60.0))
    assert not asked(driver).is_certain
    assert asked(driver).projection.certainty is Certainty.LOWER_BOUND, "so is the end that is told of the run"


def test_another_run_that_waits_for_a_person_does_not():
    driver = Driver(slots=2)
    driver.create(plan([task("gate", gate=Gate("Really?")), task("after")], ["gate>after"]), run_id="other")
    driver.create(independent(12, simulate=60.0))
    assert asked(driver).is_certain
    assert [one.command for one in asked(driver).found] == [c.SetSlots(device_id="d", slots=3)]


def test_a_gain_too_small_to_matter_is_none():
    driver = Driver(slots=1)
    driver.create(independent(2, simulate=0.4))
    assert asked(driver).found == ()


def test_the_end_of_a_reservation_is_a_speedup():
    driver = Driver(slots=1, devices=("d", "e"))
    driver.do(Reserve(device_id="e", seconds=3600.0, reason="we look at it", origin="ada"))
    driver.create(independent(4, simulate=60.0))
    found = {one.command: one.earlier_s for one in asked(driver).found}
    assert found[ReleaseReservation(device_id="e", origin="ada")] == 120.0
    driver.do(c.DrainDevice(device_id="e", origin="ada"))
    assert not any(isinstance(one.command, ReleaseReservation) for one in asked(driver).found), "it would not do alone"


def test_a_limit_that_has_to_be_raised_by_several_at_once_is_named_with_the_least_that_helps():
    driver = Driver(slots=8)
    tasks = [task(f"t{n}", simulate=60.0, groups="boards") for n in range(4)]
    driver.create(plan(tasks, limits=Limits(groups={"boards": 2})))
    found = asked(driver).found
    assert [(one.command, one.before, one.after, one.earlier_s) for one in found] == [
        (c.SetLimits(groups={"boards": 4}), 2, 4, 60.0)
    ]


def test_no_more_is_wanted_than_all_tasks_that_are_left_can_use():
    driver = Driver(slots=100)
    driver.create(replace(independent(7, simulate=60.0), limits=Limits(max_concurrency=4)))
    assert [(one.before, one.after) for one in asked(driver).found] == [(4, 8)]
