"""A plan is foreseen on the devices that could take its tasks now, as a run of it would be."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from typing import TYPE_CHECKING

from tests.driver import Driver, plan, task

from starloom.model.device import DeviceSpec
from starloom.scheduling import commands as c
from starloom.scheduling.reservation_commands import BreakReservation, Reserve
from starloom.scheduling.stimuli import DeviceConnectedNoticed, DeviceLostNoticed
from starloom_gui.gateway.forecast import foresee_plan

if TYPE_CHECKING:
    from starloom.model.plan import Plan


def six(*devices: str) -> Plan:
    """Six tasks of ten seconds that bring these devices of one slot."""
    made = plan([task(f"s{number}", shell="true", estimate=10.0) for number in range(6)])
    return replace(made, devices=tuple(DeviceSpec(id=id, slots=1) for id in devices))


def fleet_of(*ids: str, lost: tuple[str, ...] = ()) -> Driver:
    driver = Driver(slots=1, devices=ids)
    for id in lost:
        driver.turn(DeviceLostNoticed(id, "no answer"))
    return driver


def takes(wanted: Plan, driver: Driver) -> float | None:
    return asyncio.run(foresee_plan(wanted, "p", driver.scheduler.fleet, now=driver.now)).end


def test_a_device_that_is_out_of_reach_takes_nothing() -> None:
    driver = fleet_of("good", "dead")
    assert takes(six(), driver) == 30.0
    driver.turn(DeviceLostNoticed("dead", "no answer"))
    assert takes(six(), driver) == 60.0
    driver.turn(DeviceConnectedNoticed("dead"))
    assert takes(six(), driver) == 30.0


def test_nor_does_it_if_the_plan_brings_it_and_an_earlier_run_has_left_it_there() -> None:
    assert takes(six("good", "dead"), fleet_of("good", "dead", lost=("dead",))) == 60.0
    assert takes(six("good", "new"), fleet_of("good", "dead", lost=("dead",))) == 30.0


def test_where_all_are_out_of_reach_it_is_foreseen_as_if_they_were_there() -> None:
    assert takes(six(), fleet_of("good", "dead", lost=("good", "dead"))) == 30.0
    assert takes(six("good"), fleet_of("good", lost=("good",))) == 60.0


def test_a_device_that_is_there_already_has_the_slots_and_the_drain_that_it_has_there() -> None:
    driver = fleet_of("good", "spare")
    assert takes(six("good"), driver) == 30.0
    driver.do(c.SetSlots(device_id="good", slots=2))
    assert takes(six("good"), driver) == 20.0
    driver.do(c.DrainDevice(device_id="spare"))
    assert takes(six("spare"), driver) == 30.0
    driver.do(c.DrainDevice(device_id="good"))
    assert takes(six("spare"), driver) == 60.0, "where none takes anything it is foreseen as if they did"


def test_a_device_that_leaves_before_the_start_joins_anew_as_the_plan_says() -> None:
    driver = fleet_of("good")
    driver.do(c.SetSlots(device_id="good", slots=3))
    asked = foresee_plan(six("good"), "p", driver.scheduler.fleet, leaving={"good"}, now=driver.now)
    assert asyncio.run(asked).end == 60.0


def test_a_cluster_whose_workers_have_joined_is_not_counted_beside_them() -> None:
    wanted = replace(six(), devices=(DeviceSpec(id="dk", kind="dask", slots=4),))
    assert takes(wanted, fleet_of("dk-0")) == 60.0


def test_a_reserved_device_takes_tasks_once_it_is_free_again() -> None:
    driver = fleet_of("good", "kept")
    driver.do(Reserve(device_id="kept", seconds=20.0, reason="we look at it", origin="ada"))
    assert takes(six(), driver) == 40.0
    driver.advance(15.0)
    assert takes(six(), driver) == 35.0
    driver.do(BreakReservation(device_id="kept", reason="it is needed", origin="bob"))
    assert takes(six(), driver) == 30.0
