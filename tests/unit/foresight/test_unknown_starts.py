"""Whoever may have to wait for an attempt of which nobody can tell when it ends is not said to start at a time."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from tests.driver import Driver, plan, task

from starloom.foresight.projection import project
from starloom.model.plan import Limits
from starloom.scheduling import commands as c
from starloom.scheduling.fork import Fork

if TYPE_CHECKING:
    from collections.abc import Iterable

    from starloom.model.task import Task


def unsure(driver: Driver) -> set[str]:
    """The tasks of which nobody can tell when they start."""
    found = project(Fork.of(driver.scheduler, driver.now), "r", samples=0)
    return {one.task_id for one in found.tasks.values() if one.is_lower_bound}


def begun(tasks: Iterable[str | Task], *, slots: int = 1, limits: Limits | None = None) -> Driver:
    driver = Driver(slots=slots)
    driver.create(plan(tasks, limits=limits))
    driver.advance(5.0)
    return driver


def test_who_waits_for_the_only_slot_does_not_start_now_while_nobody_knows_how_long_it_is_held() -> None:
    assert unsure(begun(["runs", "next", "then"])) == {"next", "then"}


def test_an_estimate_of_its_own_does_not_tell_when_it_starts() -> None:
    assert unsure(begun(["runs", task("next", estimate=3.0)])) == {"next"}


def test_behind_what_ends_at_a_known_time_a_start_is_known() -> None:
    assert unsure(begun([task("runs", estimate=20.0), "next"])) == set()


def test_whoever_comes_after_one_without_an_estimate_on_the_same_slot_waits_for_it_too() -> None:
    assert unsure(begun([task("runs", estimate=20.0), "next", task("then", estimate=3.0)])) == {"then"}


def test_one_slot_that_becomes_free_at_a_known_time_is_not_enough_for_two() -> None:
    """Whoever is first gets the slot that is freed first, whichever that is."""
    tasks: list[str | Task] = [
        "unknown",
        task("known", estimate=20.0),
        task("first", estimate=60.0),
        task("second", estimate=1.0),
    ]
    assert unsure(begun(tasks, slots=2)) == {"first", "second"}


def test_where_there_is_room_for_all_nobody_waits_for_what_is_unknown() -> None:
    driver = Driver(slots=3)
    driver.create(plan(["unknown", task("a", estimate=20.0), task("b", estimate=20.0)], ["a>b"]))
    assert unsure(driver) == set()


def test_the_slots_of_other_devices_count_if_they_may_take_it() -> None:
    driver = Driver(slots=1, devices=("d", "e"))
    tasks: list[str | Task] = [
        task("unknown", device="d"),
        task("known", device="e", estimate=20.0),
        "either",
        task("d2", device="d"),
    ]
    driver.create(plan([*tasks, task("e2", device="e", estimate=1.0)]))
    assert unsure(driver) == {"either", "d2", "e2"}
    driver = Driver(slots=1, devices=("d", "e"))
    driver.create(plan([*tasks[:2], task("d2", device="d"), task("e2", device="e", estimate=1.0)]))
    assert unsure(driver) == {"d2"}


@pytest.mark.parametrize("limits", [Limits(max_concurrency=1), Limits(groups={"g": 1})])
def test_places_that_limits_allow_count_like_slots(limits: Limits) -> None:
    tasks = [task("runs", groups=frozenset({"g"})), task("next", groups=frozenset({"g"}), estimate=3.0)]
    assert unsure(begun(tasks, slots=4, limits=limits)) == {"next"}


def test_what_has_outrun_its_estimate_may_end_at_any_time() -> None:
    driver = begun([task("runs", estimate=10.0), task("next", estimate=3.0)])
    assert unsure(driver) == set()
    driver.advance(15.0)
    assert unsure(driver) == {"next"}


def test_what_is_being_stopped_gives_its_slot_back_soon() -> None:
    driver = begun(["runs", "next"])
    driver.ask(c.CancelTasks, "runs")
    assert unsure(driver) == set()


def test_only_as_many_wait_for_what_is_unknown_as_there_are_places_too_few() -> None:
    driver = Driver(slots=1, devices=tuple(f"d{n}" for n in range(10)))
    known = [task(f"known{n}", estimate=20.0) for n in range(9)]
    driver.create(plan(["unknown", *known, *(task(f"next{n}", estimate=60.0) for n in range(10))]))
    assert unsure(driver) == {"next0", "next9"}
