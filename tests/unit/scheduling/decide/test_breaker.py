"""The circuit breaker of a device: what counts, when it opens, the trial, and who may end it early."""

from __future__ import annotations

import pytest
from tests.driver import Driver, outcome, plan, task

from starloom import events as ev
from starloom.errors import CommandRefused
from starloom.model.result import ErrorCode, ErrorInfo, Outcome, OutcomeStatus, Result
from starloom.model.status import Breaker
from starloom.model.task import Retry
from starloom.scheduling import commands as c
from starloom.scheduling.decide.breaker import IN_A_ROW, LONGEST, after_failure, suspension, works
from starloom.scheduling.decide.questions import idle
from starloom.scheduling.restore import restore
from starloom.scheduling.state.device_facts import DeviceFacts
from starloom.scheduling.stimuli import DeviceConnectedNoticed, DeviceHeldNoticed, DeviceLostNoticed, TimePassed


def device(driver: Driver, id: str = "d") -> DeviceFacts:
    return driver.scheduler.fleet.devices[id]


def told(driver: Driver) -> list[str]:
    """What the fleet's own stream says of breakers."""
    kinds = (ev.DeviceFaulted, ev.BreakerOpened, ev.BreakerHalfOpened, ev.BreakerClosed)
    return [type(event).__name__ for event in driver.events if isinstance(event, kinds) and not event.run_id]


def lose(driver: Driver, times: int, id: str = "d") -> None:
    """A device that cannot be reached, so many times in a row."""
    for _ in range(times):
        driver.turn(DeviceLostNoticed(id, "no route"))


def suspended(*, slots: int = 3, trip_after: int = 2, cool_down: float = 60.0) -> Driver:
    """A device that is connected, and suspended as it could not begin two attempts; five tasks wait."""
    driver = Driver(devices=())
    driver.add_device("d", slots=slots, trip_after=trip_after, cool_down=cool_down)
    driver.create(plan([task(f"t{n}", retry=Retry(attempts=9)) for n in range(5)]))
    driver.turn(*(driver.ended(f"t{n}", faulted=True) for n in range(trip_after)))
    for _, name in list(driver.ordered):
        driver.end(name, stopped=True)
    assert device(driver).breaker is Breaker.OPEN
    return driver


# ---- deciding


def facts(**fields: object) -> DeviceFacts:
    made = DeviceFacts("d", "simulated", 4, frozenset(), 1.0, True)
    for name, value in fields.items():
        setattr(made, name, value)
    return made


def test_failures_add_up_until_there_are_as_many_as_it_may_have() -> None:
    found = [after_failure(facts(failures=n, failed_at=10.0, trip_after=3), 20.0) for n in range(4)]
    assert [(one.failures, one.until) for one in found] == [(1, None), (2, None), (3, 80.0), (4, 80.0)]


def test_what_lies_long_ago_is_not_in_a_row() -> None:
    made = facts(failures=4, failed_at=0.0)
    assert after_failure(made, IN_A_ROW).until is not None
    assert after_failure(made, IN_A_ROW + 1) == (1, None)


def test_none_is_too_many_for_a_device_that_is_never_suspended() -> None:
    assert after_failure(facts(failures=999, failed_at=0.0, trip_after=0), 1.0) == (1000, None)


def test_on_trial_one_failure_is_enough_and_the_next_suspension_is_twice_as_long() -> None:
    made = facts(failures=5, failed_at=0.0, openings=1)
    made.set_breaker(Breaker.HALF_OPEN)
    assert after_failure(made, 100.0) == (6, 220.0)


def test_suspended_it_fails_no_more() -> None:
    made = facts(failures=5, failed_at=0.0, openings=1)
    made.set_breaker(Breaker.OPEN)
    assert after_failure(made, 1.0) == (5, None)


def test_suspensions_double_up_to_a_cap_that_is_not_below_the_first() -> None:
    assert [suspension(60.0, n) for n in range(6)] == [60, 120, 240, 480, LONGEST, LONGEST]
    assert suspension(3600.0, 4000) == 3600.0


@pytest.mark.parametrize(
    ("how", "shown"),
    [
        (outcome(), True),
        (outcome(ok=False), True),
        (outcome(faulted=True), False),
        (outcome(stopped=True), None),
        (outcome(lost=True), None),
        (Outcome(OutcomeStatus.FAILED, Result(error=ErrorInfo(code=ErrorCode.START_FAILED, message="no such"))), True),
        (Outcome(OutcomeStatus.FAILED, Result(error=ErrorInfo(code=ErrorCode.UNSUPPORTED, message="no"))), None),
    ],
)
def test_only_what_is_no_fault_of_the_task_speaks_against_the_device(how: Outcome, shown: bool | None) -> None:
    assert works(how) is shown


# ---- opening


def test_five_failures_to_reach_it_suspend_a_device_for_a_minute() -> None:
    driver = Driver(slots=1)
    driver.now = 7.0
    lose(driver, 4)
    assert told(driver) == []
    lose(driver, 1)
    assert told(driver) == ["BreakerOpened"]
    opened = driver.of(ev.BreakerOpened)[0]
    assert (opened.until, opened.failures, opened.reason) == (67.0, 5, "no route")
    assert device(driver).status.value == "suspended"


def test_tasks_that_fail_by_themselves_suspend_nothing() -> None:
    driver = Driver(slots=1)
    driver.create(plan([f"t{n}" for n in range(20)]))
    for n in range(20):
        driver.fail(f"t{n}")
    assert told(driver) == []


def test_attempts_that_are_lost_together_are_one_failure() -> None:
    driver = Driver(slots=8)
    driver.create(plan([task(f"t{n}", retry=Retry(attempts=2)) for n in range(8)]))
    driver.turn(DeviceLostNoticed("d", "silent"), *(driver.ended(f"t{n}", lost=True) for n in range(8)))
    assert (device(driver).failures, told(driver)) == (1, [])


def test_a_suspended_device_gets_no_tasks_though_it_is_connected() -> None:
    driver = suspended()
    assert (device(driver).connected, driver.ordered) == (True, {})
    reason = driver.why("t0")[0]
    assert (reason.code, reason.subject) == ("device_unavailable", "d")
    assert reason.text == (
        "No device takes it now: d is suspended for another 1m after 2 failures in a row (There is not enough memory)."
    )
    assert "tried again" in reason.remedy


def test_its_tasks_go_elsewhere_meanwhile() -> None:
    driver = suspended()
    driver.add_device("e", slots=2)
    assert {order.device_id for order in driver.ordered.values()} == {"e"}


def test_a_run_that_waits_for_the_trial_does_not_count_as_stalled() -> None:
    assert suspended().run().stalled == ()


def test_a_success_in_between_begins_the_count_anew() -> None:
    driver = Driver(slots=1)
    driver.create(plan(["a"]))
    lose(driver, 4)
    driver.turn(DeviceConnectedNoticed("d"))
    driver.end("a")
    assert (device(driver).failures, told(driver)) == (0, ["BreakerClosed"])
    lose(driver, 4)
    assert told(driver) == ["BreakerClosed"]


# ---- the trial


def on_trial(**fields: float) -> Driver:
    driver = suspended(**fields)  # type: ignore[arg-type]  # numbers
    driver.now = 60.0
    driver.turn(TimePassed())
    return driver


def test_when_its_time_is_over_it_gets_one_task_whatever_it_offers() -> None:
    driver = suspended(slots=3)
    driver.now = 59.9
    driver.turn(TimePassed())
    assert driver.ordered == {}
    driver.now = 60.0
    driver.turn(TimePassed())
    assert len(driver.ordered) == 1
    assert (device(driver).status.value, device(driver).slots, device(driver).offered) == ("trial", 1, 3)
    waiting = next(name for name, status in driver.statuses().items() if status == "pending")
    assert "gets one task until one shows that it works" in driver.why(waiting)[0].text


def test_it_wakes_by_itself_for_the_trial() -> None:
    driver = suspended()
    wakes = [turn.rest.wake.at for turn in driver.turns if turn.rest is not None and turn.rest.wake is not None]
    assert wakes[-1] == 60.0


def test_what_works_sets_it_free_with_all_its_slots() -> None:
    driver = on_trial()
    driver.end(next(iter(driver.ordered))[1])
    assert told(driver)[-1] == "BreakerClosed"
    assert (device(driver).slots, device(driver).failures, len(driver.ordered)) == (3, 0, 3)


def test_a_task_that_fails_by_itself_shows_as_well_that_it_works() -> None:
    driver = on_trial()
    driver.fail(next(iter(driver.ordered))[1])
    assert device(driver).breaker is Breaker.CLOSED


def test_what_was_stopped_shows_nothing_and_another_one_is_tried() -> None:
    driver = on_trial()
    driver.end(next(iter(driver.ordered))[1], stopped=True)
    assert (device(driver).breaker, len(driver.ordered)) == (Breaker.HALF_OPEN, 1)


def test_a_failed_trial_suspends_it_for_twice_as_long() -> None:
    driver = on_trial()
    driver.end(next(iter(driver.ordered))[1], faulted=True)
    assert (device(driver).until, driver.ordered) == (180.0, {})


def test_a_device_of_no_slots_gets_none_on_trial_either() -> None:
    driver = on_trial()
    driver.do(c.SetSlots(device_id="d", slots=0))
    driver.end(next(iter(driver.ordered))[1], stopped=True)
    assert driver.ordered == {}
    driver.do(c.SetSlots(device_id="d", slots=5))
    assert (device(driver).slots, device(driver).offered) == (1, 5)


# ---- ending it early


def test_tried_again_it_is_as_if_it_had_never_failed() -> None:
    driver = suspended()
    driver.do(c.TryDeviceAgain(device_id="d"))
    closed = driver.of(ev.BreakerClosed)[0]
    assert (closed.origin, device(driver).failures, len(driver.ordered)) == ("operator", 0, 3)


def test_tried_again_on_trial_nothing_is_forgotten_and_one_task_has_to_show_that_it_works() -> None:
    driver = suspended()
    again = c.TryDeviceAgain(device_id="d", on_trial=True)
    driver.do(again)
    assert (device(driver).breaker, device(driver).failures, len(driver.ordered)) == (Breaker.HALF_OPEN, 2, 1)
    driver.do(again)
    assert told(driver)[-2:] == ["BreakerOpened", "BreakerHalfOpened"], "there is nothing more to try"


def test_one_that_held_itself_back_is_tried_with_one_task() -> None:
    driver = Driver(devices=())
    driver.add_device("d", slots=3)
    driver.create(plan([task(name) for name in "abcd"]))
    driver.turn(DeviceHeldNoticed("d", 3600.0, "rate limited until 12:04:10"))
    for _, name in list(driver.ordered):
        driver.end(name)
    driver.do(c.TryDeviceAgain(device_id="d"))
    assert (device(driver).breaker, len(driver.ordered)) == (Breaker.HALF_OPEN, 1)
    assert driver.of(ev.BreakerHalfOpened)[0].origin == "operator"


def test_an_old_timer_does_not_end_the_next_suspension() -> None:
    driver = suspended()
    driver.now = 30.0
    driver.do(c.TryDeviceAgain(device_id="d"))
    driver.turn(*(driver.ended(name, faulted=True) for _, name in list(driver.ordered)[:2]))
    assert device(driver).until == 90.0
    driver.now = 60.0
    driver.turn(TimePassed())
    assert device(driver).breaker is Breaker.OPEN


def test_there_is_nothing_to_try_where_nothing_is_wrong() -> None:
    driver = suspended()
    again = c.TryDeviceAgain(device_id="d")
    assert idle(driver.scheduler, again) == ""
    driver.do(again)
    assert idle(driver.scheduler, again) == "The device is not suspended."
    assert told(driver)[-1] == "BreakerClosed"
    before = len(driver.events)
    driver.do(again)
    assert len(driver.events) == before


def test_failures_that_suspend_nothing_yet_are_forgotten_by_trying_again() -> None:
    driver = suspended()
    again = c.TryDeviceAgain(device_id="d")
    driver.do(again)
    driver.turn(driver.ended(next(name for _, name in driver.ordered), faulted=True))
    assert (device(driver).breaker, device(driver).failures) == (Breaker.CLOSED, 1)
    assert idle(driver.scheduler, again) == ""
    driver.do(again)
    assert device(driver).failures == 0
    with pytest.raises(CommandRefused):
        driver.do(c.TryDeviceAgain(device_id="nobody"))


# ---- lasting


def test_a_restored_scheduler_goes_on_suspending_and_trying() -> None:
    driver = suspended()
    twin = restore(driver.journal())
    assert twin.handle([TimePassed()], 59.0).starts == []
    assert len(twin.handle([TimePassed()], 60.0).starts) == 1


def test_another_program_begins_with_trust() -> None:
    """Whoever starts it again has looked after the device, or finds out soon enough."""
    driver = suspended()
    driver.do(c.SetSlots(device_id="d", slots=2))
    heir = Driver(devices=())
    heir.take_fleet(driver)
    heir.do(c.OpenFleet(wall_time=1.0))
    heir.add_device("d", slots=3)
    assert (device(heir).breaker, device(heir).failures, device(heir).slots) == (Breaker.CLOSED, 0, 2)


def test_each_runs_stream_tells_of_it_and_of_a_suspension_it_was_born_into() -> None:
    driver = suspended()
    driver.create(plan(["x"]), "late")
    assert [event.run_id for event in driver.of(ev.BreakerOpened)] == ["", "r"]
    driver.check()  # folded from its own stream alone, which began with a snapshot
