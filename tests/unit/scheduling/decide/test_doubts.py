"""A device on which task after task fails at once does not draw the whole queue, unless it is alone or not to blame."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.driver import Driver, plan, task

from starloom import events as ev
from starloom.model.status import Breaker
from starloom.scheduling.decide.doubts import AT_ONCE
from starloom.scheduling.stimuli import TimePassed

if TYPE_CHECKING:
    from random import Random


def fleet(*devices: str, tasks: int = 40, slots: int = 2, checked: bool = True, **fields: object) -> Driver:
    driver = Driver(devices=(), checked=checked)
    for name in devices:
        driver.add_device(name, slots=slots, cool_down=60.0)
    driver.create(plan([task(f"t{n}", **fields) for n in range(tasks)]))
    return driver


def on(driver: Driver, device: str) -> list[str]:
    return [name for (_, name), order in driver.ordered.items() if order.device_id == device]


def fail_all(driver: Driver, device: str, after: float = 0.05) -> None:
    """Whatever is on a device fails, again and again, until it gets nothing more."""
    while names := on(driver, device):
        driver.now += after
        driver.fail(names[0])


def breaker(driver: Driver, device: str) -> Breaker:
    return driver.scheduler.fleet.devices[device].breaker


def failed(driver: Driver) -> int:
    return driver.run().counts()["failed"]


def test_a_broken_device_is_suspended_before_it_has_drawn_the_queue() -> None:
    driver = fleet("good", "bad")
    fail_all(driver, "bad")
    assert breaker(driver, "bad") is Breaker.OPEN
    assert failed(driver) == 6, "five in a row, and the one that ran beside the fifth"
    (opened,) = [event for event in driver.of(ev.BreakerOpened) if not event.run_id]
    assert opened.failures == 5
    assert "5 tasks in a row failed there within 1s" in opened.reason


def test_its_trial_is_one_task_and_a_failure_as_before_suspends_it_for_twice_as_long() -> None:
    driver = fleet("good", "bad")
    fail_all(driver, "bad")
    driver.now += 60.0
    driver.turn(TimePassed())
    assert len(on(driver, "bad")) == 1
    before = failed(driver)
    fail_all(driver, "bad")
    assert failed(driver) == before + 1
    assert driver.scheduler.fleet.devices["bad"].until == pytest.approx(driver.now + 120.0)


def test_one_that_works_again_is_trusted() -> None:
    driver = fleet("good", "bad")
    fail_all(driver, "bad")
    driver.now += 60.0
    driver.turn(TimePassed())
    driver.end(on(driver, "bad")[0])
    assert breaker(driver, "bad") is Breaker.CLOSED
    assert len(on(driver, "bad")) == 2


def test_a_device_alone_does_all_its_tasks_without_a_pause() -> None:
    driver = fleet("only")
    fail_all(driver, "only")
    assert failed(driver) == 40
    assert driver.run().state == "failed"


def test_tasks_that_only_one_device_can_take_are_not_kept_waiting() -> None:
    driver = fleet("good", "bad", device="bad")
    fail_all(driver, "bad")
    assert failed(driver) == 40


def test_tasks_that_fail_wherever_they_run_all_run_at_once() -> None:
    driver = fleet("one", "two")
    while driver.ordered:
        driver.now += 0.05
        for _, name in list(driver.ordered):
            driver.fail(name)
    assert failed(driver) == 40
    assert not driver.of(ev.BreakerOpened)


def test_what_fails_after_a_while_or_works_in_between_is_no_ground_for_doubt() -> None:
    driver = fleet("good", "bad")
    fail_all(driver, "bad", after=AT_ONCE + 0.5)
    assert failed(driver) == 40 - len(on(driver, "good"))
    driver = fleet("good", "bad")
    for turn, _ in enumerate(iter(lambda: on(driver, "bad"), [])):
        driver.now += 0.05
        driver.end(on(driver, "bad")[0], ok=turn % 4 == 3)
    assert not driver.of(ev.BreakerOpened)


@given(
    seed=st.randoms(use_true_random=False), devices=st.integers(1, 3), bad=st.integers(1, 3), slots=st.integers(1, 4)
)
def test_every_task_is_run_and_a_broken_device_begins_few_of_them(
    seed: Random, devices: int, bad: int, slots: int
) -> None:
    names = [f"d{n}" for n in range(devices)]
    broken = set(names[:bad])
    driver = fleet(*names, tasks=30, slots=slots, checked=False)
    begun = dict.fromkeys(names, 0)
    for _ in range(500):
        if not driver.ordered:
            if driver.run().state.has_ended:
                break
            driver.now += 60.0
            driver.turn(TimePassed())
            continue
        driver.now += 0.01
        (_, name), order = seed.choice(list(driver.ordered.items()))
        begun[order.device_id] += 1
        driver.end(name, ok=order.device_id not in broken)
    assert driver.run().state.has_ended, "nothing waits for ever"
    assert sum(begun.values()) == 30
    if broken != set(names):
        assert max(begun[name] for name in broken) <= 4 + slots
