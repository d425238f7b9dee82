"""Which device a task goes to: the four strategies, pins, wishes, capabilities, and waiting for a faster device."""

from __future__ import annotations

from typing import Any

import pytest
from tests.driver import RUN, Driver, plan, task

from starloom import events as ev
from starloom.constellation.edits import AddTask
from starloom.errors import CommandRefused
from starloom.model.task import Prefer
from starloom.scheduling import commands as c


def fleet(placement: Any, **devices: dict[str, Any]) -> Driver:
    driver = Driver(devices=())
    driver.do(c.SetLimits(placement=placement))
    for name, fields in devices.items():
        driver.add_device(name, **({"slots": 1} | fields))
    return driver


def where(driver: Driver) -> dict[str, str]:
    """The device of each running attempt."""
    return {name: start.device_id for (_, name), start in driver.ordered.items()}


def numbered(count: int, **fields: Any) -> list[Any]:
    return [task(f"t{number}", **fields) for number in range(count)]


# ---- round robin


def test_round_robin_goes_around_the_fleet_whatever_the_load() -> None:
    driver = fleet("round_robin", a={"slots": 9}, b={"slots": 9}, c={"slots": 9})
    driver.create(plan(numbered(7)))
    assert list(where(driver).values()) == ["a", "b", "c", "a", "b", "c", "a"]


def test_round_robin_passes_over_who_has_no_room_and_comes_back_to_it() -> None:
    driver = fleet("round_robin", a={"slots": 9}, b={"slots": 1}, c={"slots": 9})
    driver.create(plan(numbered(6)))
    assert list(where(driver).values()) == ["a", "b", "c", "a", "c", "a"]
    driver.end("t1")
    driver.edit(AddTask(task("t6")), AddTask(task("t7")))
    assert [where(driver)[name] for name in ("t6", "t7")] == ["b", "c"]


def test_round_robin_goes_on_after_a_device_has_left() -> None:
    driver = fleet("round_robin", a={"slots": 9}, b={"slots": 9}, c={"slots": 9})
    driver.do(c.RemoveDevice(device_id="c"))
    driver.create(plan(numbered(4)))
    assert list(where(driver).values()) == ["a", "b", "a", "b"]


# ---- load balance


def test_load_balance_takes_the_device_with_the_smallest_share_of_its_slots_taken() -> None:
    driver = fleet("load_balance", small={"slots": 2}, large={"slots": 4})
    driver.create(plan(numbered(6)))
    assert list(where(driver).values()).count("large") == 4
    assert list(where(driver).values())[:3] == ["small", "large", "large"]


def test_load_balance_prefers_the_faster_of_two_equally_loaded_devices() -> None:
    driver = fleet("load_balance", slow={}, fast={"speed": 2.0})
    driver.create(plan(numbered(2)))
    assert list(where(driver).values()) == ["fast", "slow"]


def test_load_balance_is_what_happens_when_nothing_is_said() -> None:
    assert Driver().scheduler.fleet.placement == "load_balance"


# ---- capability match


def test_capability_match_keeps_rare_capabilities_free() -> None:
    driver = fleet("capability_match", both={"capabilities": {"gpu", "big"}}, gpu={"capabilities": {"gpu"}}, bare={})
    driver.create(plan([task("any"), task("needs_gpu", requires=("gpu",)), task("needs_big", requires=("big",))]))
    assert where(driver) == {"any": "bare", "needs_gpu": "gpu", "needs_big": "both"}


def test_capability_match_takes_what_fits_when_the_closest_is_full() -> None:
    driver = fleet("capability_match", both={"capabilities": {"gpu", "big"}}, bare={})
    driver.create(plan(numbered(2)))
    assert list(where(driver).values()) == ["bare", "both"]


# ---- what binds a task, under every strategy


@pytest.fixture(params=["round_robin", "load_balance", "capability_match", "critical_path"])
def placement(request: pytest.FixtureRequest) -> str:
    name: str = request.param
    return name


def test_a_task_only_goes_where_everything_it_requires_is(placement: str) -> None:
    driver = fleet(placement, bare={"slots": 9}, gpu={"capabilities": {"gpu"}}, both={"capabilities": {"gpu", "big"}})
    driver.create(plan([task("t", requires=("gpu", "big")), task("u", requires=("gpu", "big"))]))
    assert where(driver) == {"t": "both"}
    driver.end("t")
    assert where(driver) == {"u": "both"}


def test_a_pinned_task_waits_for_its_device_while_others_are_free(placement: str) -> None:
    driver = fleet(placement, a={}, b={"slots": 9})
    driver.create(plan([task("first", device="a"), task("second", device="a"), task("free")]))
    assert where(driver) == {"first": "a", "free": "b"}
    assert driver.why("second")[0].code == "devices_busy"
    driver.end("first")
    assert where(driver)["second"] == "a"


def test_a_wish_is_granted_while_there_is_room_and_else_another_device_serves(placement: str) -> None:
    driver = fleet(placement, a={"slots": 9}, b={})
    wish = Prefer(prefer="b")
    driver.create(plan([task("t0", device=wish), task("t1", device=wish)]))
    assert where(driver) == {"t0": "b", "t1": "a"}


def test_a_wish_for_a_device_that_does_not_exist_is_ignored(placement: str) -> None:
    driver = fleet(placement, a={})
    driver.create(plan([task("t", device=Prefer(prefer="nowhere"))]))
    assert where(driver) == {"t": "a"}


def test_a_pin_moves_a_queued_task_and_taking_it_off_lets_it_run_anywhere(placement: str) -> None:
    driver = fleet(placement, a={}, b={})
    driver.create(plan(["x", "y", "moved"]))
    driver.ask(c.PinTasks, "moved", device_id="b")
    driver.end(next(name for name, device in where(driver).items() if device == "a"))
    assert driver.status("moved") == "pending"
    driver.ask(c.PinTasks, "moved", device_id=None)
    assert where(driver)["moved"] == "a"


def test_a_pin_to_an_unknown_or_unfit_device_is_refused_by_name(placement: str) -> None:
    driver = fleet(placement, worker={})
    driver.do(c.SetSlots(device_id="worker", slots=0))
    driver.create(plan([task("t", requires=()), task("g", requires=("gpu",))]))
    with pytest.raises(CommandRefused, match="Did you mean 'worker'"):
        driver.ask(c.PinTasks, "t", device_id="workr")
    with pytest.raises(CommandRefused, match="'g' needs gpu, which 'worker' does not offer"):
        driver.ask(c.PinTasks, "g", device_id="worker")


def test_no_strategy_loses_a_task_or_exceeds_a_slot(placement: str) -> None:
    driver = fleet(placement, a={"slots": 2}, b={"slots": 1, "capabilities": {"gpu"}}, c={"slots": 3, "speed": 3.0})
    tasks = [task(f"t{n}", priority=n * 7 % 100, requires=("gpu",) if n % 5 == 0 else ()) for n in range(30)]
    driver.create(plan(tasks, [f"t{n}>t{n + 3}" for n in range(0, 27, 2)]))
    while driver.ordered:
        used = {id: device.used for id, device in driver.scheduler.fleet.devices.items()}
        assert used["a"] <= 2
        assert used["b"] <= 1
        assert used["c"] <= 3
        driver.advance(1)
        driver.end(next(iter(driver.ordered))[1])
    assert set(driver.statuses().values()) == {"completed"}
    assert len(driver.started()) == 30


def test_the_strategy_changes_while_a_run_goes_on() -> None:
    driver = fleet("round_robin", slow={"slots": 2}, fast={"slots": 2, "speed": 9.0})
    driver.create(plan(numbered(1)))
    names: tuple[Any, ...] = ("critical_path", "load_balance", "capability_match", "round_robin")
    for name in names:
        driver.do(c.SetLimits(placement=name))
        driver.edit(AddTask(task(f"under_{name}", estimate=1)))
        driver.end(next(iter(driver.ordered))[1])
    driver.end_all()
    assert driver.run().state == "completed"


# ---- critical path


def test_under_critical_path_equal_priorities_go_by_the_longest_way_behind_them() -> None:
    driver = fleet("critical_path", d={})
    driver.create(
        plan(
            [
                task("busy", estimate=1, priority=100),
                task("short", estimate=1),
                task("long", estimate=1),
                task("tail", estimate=50),
                task("medium", estimate=20),
            ],
            ["long>tail"],
        )
    )
    driver.end_all()
    assert driver.started() == ["busy", "long", "tail", "medium", "short"]


def test_under_critical_path_priority_still_goes_before_rank() -> None:
    driver = fleet("critical_path", d={})
    driver.create(plan([task("busy", priority=100), task("long", estimate=99), task("high", estimate=1, priority=80)]))
    driver.end_all()
    assert driver.started() == ["busy", "high", "long"]


def test_without_estimates_the_rank_is_hops_to_the_exit() -> None:
    driver = fleet("critical_path", d={})
    tasks: list[Any] = [task("busy", priority=100), "short", "s1", "long", "l1", "l2"]
    driver.create(plan(tasks, ["short>s1", "long>l1", "l1>l2"]))
    driver.end("busy")
    assert driver.started()[1] == "long"
    driver.end_all()
    assert driver.started()[1:4] == ["long", "short", "l1"] or driver.started()[1:4] == ["long", "l1", "short"]


def test_an_edit_that_lengthens_a_path_moves_its_head_forward() -> None:
    driver = fleet("critical_path", d={})
    driver.create(plan([task("busy", priority=100), task("a", estimate=5), task("b", estimate=1)]))
    from tests.driver import edge

    from starloom.constellation.edits import AddDependency

    driver.edit(AddTask(task("tail", estimate=60)), AddDependency(edge("b", "tail")))
    driver.end("busy")
    assert driver.started()[1] == "b"


def test_a_task_waits_for_a_busy_faster_device_on_which_it_ends_sooner() -> None:
    driver = fleet("critical_path", slow={}, fast={"speed": 10.0})
    driver.create(plan([task("first", estimate=10), task("second", estimate=10)]))
    assert where(driver) == {"first": "fast"}, "1 s until fast is free and 1 s there beat 10 s on slow"
    assert "will end sooner" in driver.why("second")[0].text
    driver.advance(1)
    driver.end("first")
    assert where(driver) == {"second": "fast"}


def test_a_task_does_not_wait_where_waiting_takes_longer() -> None:
    driver = fleet("critical_path", slow={}, fast={"speed": 1.5})
    driver.create(plan([task("first", estimate=10), task("second", estimate=10)]))
    assert where(driver) == {"first": "fast", "second": "slow"}


def test_those_that_wait_for_the_fast_device_are_counted_so_that_not_everybody_waits() -> None:
    driver = fleet("critical_path", slow={}, fast={"speed": 4.0})
    driver.create(plan(numbered(6, estimate=8)))
    assert sorted(where(driver).values()) == ["fast", "slow"], "two wait for fast; the fourth is better off on slow"


def test_without_an_estimate_nobody_waits_and_the_fastest_free_device_is_taken() -> None:
    driver = fleet("critical_path", slow={}, fast={"speed": 10.0})
    driver.create(plan(numbered(2)))
    assert where(driver) == {"t0": "fast", "t1": "slow"}


def test_what_has_waited_starvation_timeout_goes_first() -> None:
    driver = fleet("critical_path", d={})
    driver.do(c.SetLimits(starvation_timeout=30.0))
    driver.create(plan([task("busy", estimate=1), task("starved", estimate=1, priority=0)]))
    driver.advance(31)
    driver.create(plan([task("important", estimate=9, priority=100)]), run_id="later")
    driver.end("busy")
    assert driver.started() == ["busy", "starved"]
    assert driver.started("later") == []


def test_a_task_does_not_wait_for_ever_for_a_fast_device_whose_task_takes_longer_than_expected() -> None:
    """Nothing else happens meanwhile, so only the clock can bring the scheduler back."""
    driver = fleet("critical_path", slow={}, fast={"speed": 10.0})
    driver.do(c.SetLimits(starvation_timeout=30.0))
    driver.create(plan([task("endless", estimate=10), task("waits", estimate=10)]))
    assert where(driver) == {"endless": "fast"}
    wakes = [turn.rest.wake for turn in driver.turns if turn.rest is not None and turn.rest.wake is not None]
    assert wakes, "the scheduler wants to come back"
    driver.advance(30)
    assert where(driver) == {"endless": "fast", "waits": "slow"}


def test_a_new_device_serves_what_waited_for_one(placement: str) -> None:
    driver = fleet(placement, bare={})
    driver.create(plan([task("t", requires=("gpu",))]))
    assert driver.of(ev.RunStalled)[0].reasons == ("'t' needs a device that offers gpu, and there is none",)
    driver.add_device("gpu", slots=1, capabilities={"gpu"})
    assert where(driver) == {"t": "gpu"}


def test_a_device_that_learns_a_capability_while_it_reconnects_serves_what_waited_for_it(placement: str) -> None:
    from starloom.scheduling.stimuli import DeviceConnectedNoticed

    driver = fleet(placement, d={})
    driver.create(plan([task("t", requires=("gpu",))]))
    driver.turn(DeviceConnectedNoticed("d", frozenset({"gpu"})))
    assert where(driver) == {"t": "d"}
    assert driver.scheduler.runs[RUN].run.running == 1
