"""Devices that fail, flap and recover: whatever happens, a suspended one starts nothing and a tried one starts one."""

from __future__ import annotations

from random import Random
from typing import Any

from hypothesis import given
from hypothesis import strategies as st
from tests.driver import Driver, plan, task

from starloom import events as ev
from starloom.model.status import Breaker
from starloom.model.task import Retry
from starloom.scheduling import commands as c
from starloom.scheduling.stimuli import DeviceConnectedNoticed, DeviceLostNoticed, TimePassed

DEVICES = ("d", "e")
ENDS: tuple[dict[str, Any], ...] = ({}, {"ok": False}, {"stopped": True}, {"lost": True}, {"faulted": True})


def flapping(seed: int, trip_after: int) -> Driver:
    driver, dice = Driver(devices=()), Random(seed)
    for id in DEVICES:
        driver.add_device(id, slots=dice.randint(1, 3), trip_after=trip_after, cool_down=20.0)
    driver.create(plan([task(f"t{n}", retry=Retry(attempts=50)) for n in range(12)]), hold_open=True)
    for _ in range(40):
        id = dice.choice(DEVICES)
        driver.now += dice.choice([0.0, 1.0, 15.0, 25.0])
        kind = dice.randrange(5)
        news: list[Any] = [TimePassed()]
        if kind <= 1 and driver.ordered:
            news = [driver.ended(dice.choice(list(driver.ordered))[1], **dice.choice(ENDS))]
        elif kind == 2:
            news = [DeviceLostNoticed(id, "gone")]
        elif kind == 3:
            news = [DeviceConnectedNoticed(id)]
        elif kind == 4 and dice.random() < 0.3:
            news = [c.TryDeviceAgain(device_id=id)]
        driver.turn(*news)
    return driver


_ENDS = ev.TaskCompleted | ev.TaskFailed | ev.TaskRetryScheduled | ev.TaskCancelled | ev.TaskInterrupted


@given(seed=st.integers(0, 2**32), trip_after=st.integers(0, 4))
def test_a_suspended_device_starts_nothing_and_one_on_trial_starts_one_task_at_a_time(seed: int, trip_after: int):
    driver = flapping(seed, trip_after)
    running = dict.fromkeys(DEVICES, 0)
    state = dict.fromkeys(DEVICES, Breaker.CLOSED)
    at: dict[str, str] = {}
    for event in driver.events:
        if isinstance(event, ev.TaskStarted):
            assert state[event.device_id] is not Breaker.OPEN
            assert state[event.device_id] is Breaker.CLOSED or not running[event.device_id]
            at[event.task_id] = event.device_id
            running[event.device_id] += 1
        elif isinstance(event, _ENDS):
            running[at.pop(event.task_id)] -= 1
        elif isinstance(event, ev.BreakerOpened):
            assert event.failures >= trip_after > 0
            state[event.device_id] = Breaker.OPEN
        elif isinstance(event, ev.BreakerHalfOpened):
            state[event.device_id] = Breaker.HALF_OPEN
        elif isinstance(event, ev.BreakerClosed):
            state[event.device_id] = Breaker.CLOSED


def test_the_law_is_asked_about_breakers_in_every_state():
    """A property over states that never come up would prove nothing."""
    kinds = {type(event) for seed in range(5) for event in flapping(seed, 1).events}
    assert kinds >= {ev.DeviceFaulted, ev.BreakerOpened, ev.BreakerHalfOpened, ev.BreakerClosed}
