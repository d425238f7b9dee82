"""Limits: global, per device, per group, per run. All must allow; each may change at any time."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest
from tests.driver import Driver, plan, task

from starloom import events as ev
from starloom.errors import CommandRefused
from starloom.model.plan import Limits
from starloom.scheduling import commands as c
from starloom.scheduling.decide import dispatch
from starloom.scheduling.stimuli import TimePassed

if TYPE_CHECKING:
    from starloom.scheduling.state.run_index import Bucket, WaitQueue
    from starloom.scheduling.state.scheduler_state import SchedulerState

IDS = [f"t{number}" for number in range(50)]


def limits(driver: Driver, **changes: Any) -> None:
    driver.do(c.SetLimits(**changes))


def running(driver: Driver, run_id: str = "r") -> list[str]:
    return [name for name, status in driver.statuses(run_id).items() if status == "running"]


# ---- the global limit


def test_without_a_limit_everything_that_is_ready_starts_at_once() -> None:
    driver = Driver()
    driver.create(plan(IDS))
    assert driver.started() == IDS


@pytest.mark.parametrize("limit", [1, 2, 4])
def test_a_global_limit_is_reached_and_never_exceeded_and_everything_runs(limit: int) -> None:
    driver = Driver()
    limits(driver, max_concurrency=limit)
    driver.create(plan(task(name, priority=number * 2) for number, name in enumerate(IDS)))
    peak = 0
    while driver.ordered:
        peak = max(peak, len(running(driver)))
        driver.end(next(iter(driver.ordered))[1])
    assert peak == limit
    assert set(driver.statuses().values()) == {"completed"}
    assert sorted(driver.started()) == sorted(IDS)


def test_the_global_limit_counts_all_runs_together() -> None:
    driver = Driver()
    limits(driver, max_concurrency=3)
    driver.create(plan(IDS[:2]), run_id="one")
    driver.create(plan(IDS[:4]), run_id="two")
    assert (running(driver, "one"), running(driver, "two")) == (["t0", "t1"], ["t0"])


def test_lowering_the_global_limit_stops_nothing_and_holds_from_then_on() -> None:
    driver = Driver()
    limits(driver, max_concurrency=4)
    driver.create(plan(IDS[:8]))
    limits(driver, max_concurrency=2)
    assert running(driver) == ["t0", "t1", "t2", "t3"]
    assert driver.stops == []
    driver.end("t0")
    driver.end("t1")
    assert running(driver) == ["t2", "t3"]
    driver.end("t2")
    assert running(driver) == ["t3", "t4"]


def test_raising_or_lifting_the_global_limit_starts_more_in_the_same_turn() -> None:
    driver = Driver()
    limits(driver, max_concurrency=1)
    driver.create(plan(IDS[:8]))
    limits(driver, max_concurrency=3)
    assert running(driver) == IDS[:3]
    limits(driver, max_concurrency=None)
    assert running(driver) == IDS[:8]


def test_a_limit_of_zero_starts_nothing_says_so_and_lets_go_when_it_is_raised() -> None:
    driver = Driver()
    limits(driver, max_concurrency=0)
    driver.create(plan(["a"]))
    assert driver.started() == []
    (stalled,) = driver.of(ev.RunStalled)
    assert stalled.reasons == ("the global limit is 0",)
    assert driver.why("a")[0].code == "global_limit"
    limits(driver, max_concurrency=1)
    assert driver.started() == ["a"]
    assert driver.run().stalled == ()


def test_a_change_of_one_limit_leaves_the_others_alone() -> None:
    driver = Driver()
    limits(driver, max_concurrency=3, groups={"db": 2}, max_queue=9, starvation_timeout=5.0)
    limits(driver, groups={"net": 1})
    fleet = driver.scheduler.fleet
    assert (fleet.max_concurrency, fleet.groups, fleet.max_queue, fleet.starvation_timeout) == (
        3,
        {"db": 2, "net": 1},
        9,
        5.0,
    )


@pytest.mark.parametrize(
    "bad",
    [
        {"max_concurrency": -1},
        {"max_concurrency": "4"},
        {"max_concurrency": 2.5},
        {"max_concurrency": True},
        {"max_queue": -1},
        {"max_queue": None},
        {"starvation_timeout": -0.1},
        {"starvation_timeout": None},
        {"starvation_timeout": float("nan")},
        {"starvation_timeout": float("inf")},
        {"groups": {"db": -1}},
        {"groups": {"db": "2"}},
        {"groups": ["db"]},
        {"groups": {"": 2}},
        {"placement": "wherever"},
        {"max_concurrency": 4, "max_queue": -1},
    ],
)
def test_a_limit_that_cannot_be_is_refused_with_a_sentence_and_changes_nothing(bad: dict[str, object]) -> None:
    driver = Driver()
    before = driver.scheduler.fleet.snapshot()
    with pytest.raises(CommandRefused) as refusal:
        limits(driver, **bad)
    assert refusal.value.code.startswith("bad_")
    assert refusal.value.reason.endswith(".")
    assert driver.scheduler.fleet.snapshot() == before
    assert driver.of(ev.LimitsChanged) == []


# ---- slots


def test_a_device_never_runs_more_than_its_slots_and_each_attempt_has_a_slot_of_its_own() -> None:
    driver = Driver(slots=3)
    driver.create(plan(IDS[:7]))
    assert sorted(start.slot for start in driver.ordered.values()) == [0, 1, 2]
    driver.end("t1")
    assert running(driver) == ["t0", "t2", "t3"]
    assert driver.ordered["r", "t3"].slot == 1


def test_a_new_number_of_slots_starts_more_at_once_and_a_smaller_one_kills_nothing() -> None:
    driver = Driver(slots=1)
    driver.create(plan(IDS[:6]))
    driver.do(c.SetSlots(device_id="d", slots=3))
    assert running(driver) == ["t0", "t1", "t2"]
    driver.do(c.SetSlots(device_id="d", slots=1))
    assert driver.stops == []
    driver.end("t0")
    driver.end("t1")
    assert running(driver) == ["t2"]
    driver.end("t2")
    assert running(driver) == ["t3"]


def test_a_device_without_slots_takes_nothing_and_the_run_says_that_it_cannot_go_on() -> None:
    driver = Driver(slots=1)
    driver.do(c.SetSlots(device_id="d", slots=0))
    driver.create(plan(["a"]))
    assert driver.started() == []
    (stalled,) = driver.of(ev.RunStalled)
    assert "'a'" in stalled.reasons[0]
    assert "0 slots" in stalled.reasons[0]
    driver.do(c.SetSlots(device_id="d", slots=1))
    assert driver.started() == ["a"]


# ---- groups


def test_a_group_bounds_its_tasks_across_runs_and_nobody_else() -> None:
    driver = Driver()
    limits(driver, groups={"db": 2})
    driver.create(plan([*(task(name, groups=("db",)) for name in IDS[:3]), "free"]), run_id="one")
    driver.create(plan([task("x", groups=("db",)), "y"]), run_id="two")
    assert running(driver, "one") == ["t0", "t1", "free"]
    assert running(driver, "two") == ["y"]
    driver.end("t0", "one")
    assert running(driver, "one") == ["t1", "t2", "free"]
    driver.end("t1", "one")
    assert running(driver, "two") == ["x", "y"]


def test_a_task_of_several_groups_takes_a_place_in_all_of_them_or_in_none() -> None:
    driver = Driver()
    limits(driver, groups={"a": 1, "b": 1})
    driver.create(
        plan([task("holds_b", groups=("b",)), task("both", groups=("a", "b")), task("wants_a", groups=("a",))])
    )
    assert running(driver) == ["holds_b", "wants_a"], "while b is full, `both` must not keep a from others"
    assert driver.scheduler.fleet.group_used == {"a": 1, "b": 1}
    driver.end("holds_b")
    assert driver.status("both") == "pending"
    driver.end("wants_a")
    assert running(driver) == ["both"]
    assert driver.scheduler.fleet.group_used == {"a": 1, "b": 1}
    driver.end("both")
    assert driver.scheduler.fleet.group_used == {"a": 0, "b": 0}


def test_a_group_named_twice_takes_one_place() -> None:
    driver = Driver()
    limits(driver, groups={"db": 2})
    driver.create(plan([task("a", groups=("db", "db")), task("b", groups=("db",))]))
    assert running(driver) == ["a", "b"]


def test_raising_a_group_wakes_what_waits_for_it_and_lowering_it_kills_nothing() -> None:
    driver = Driver()
    limits(driver, groups={"db": 1})
    driver.create(plan(task(name, groups=("db",)) for name in IDS[:5]))
    limits(driver, groups={"db": 3})
    assert running(driver) == IDS[:3]
    limits(driver, groups={"db": 1})
    driver.end("t0")
    driver.end("t1")
    assert running(driver) == ["t2"]
    assert driver.stops == []
    limits(driver, groups={"db": None})
    assert running(driver) == ["t2", "t3", "t4"]


def test_a_plan_limits_a_group_nobody_limits_yet_and_leaves_a_limit_of_the_fleet_alone() -> None:
    driver = Driver()
    limits(driver, groups={"known": 3})
    driver.create(plan([], limits=Limits(groups={"known": 1, "new": 2})))
    assert driver.scheduler.fleet.groups == {"known": 3, "new": 2}


def test_a_full_group_is_why_a_task_waits() -> None:
    driver = Driver()
    limits(driver, groups={"db": 1})
    driver.create(plan(task(name, groups=("db",)) for name in ("a", "b")))
    reason = driver.why("b")[0]
    assert (reason.code, reason.subject) == ("group_full", "db")
    assert reason.text == "Limit group 'db' allows 1 at once and has 1."
    assert not reason.elsewhere


def test_of_a_group_that_is_full_of_other_runs_their_tasks_are_named() -> None:
    driver = Driver()
    limits(driver, groups={"db": 2})
    for run_id, name in (("x", "night"), ("y", "day")):
        driver.create(replace(plan([task(name, name="load", groups=("db",))]), name=name), run_id)
    driver.create(plan([task("a", groups=("db",))]))
    reason = driver.why("a")[0]
    assert reason.elsewhere == (("load", "night"), ("load", "day"))


def test_a_task_that_leaves_its_group_while_it_is_parked_starts_at_once() -> None:
    driver = Driver()
    limits(driver, groups={"db": 1})
    driver.create(plan(task(name, groups=("db",)) for name in ("a", "b", "c")))
    from starloom.constellation.edits import UpdateTask

    driver.edit(UpdateTask("c", groups=()))
    assert running(driver) == ["a", "c"]


# ---- the run's own limit


def test_a_runs_limit_holds_for_that_run_only() -> None:
    driver = Driver()
    driver.create(plan(IDS[:4], limits=Limits(max_concurrency=2)), run_id="one")
    driver.create(plan(IDS[:4]), run_id="two")
    assert running(driver, "one") == ["t0", "t1"]
    assert running(driver, "two") == IDS[:4]
    assert driver.why("t2", "one")[0].code == "run_limit"


def test_a_runs_limit_changes_while_it_runs_and_kills_nothing() -> None:
    driver = Driver()
    driver.create(plan(IDS[:6]))
    driver.do(c.SetRunLimit(run_id="r", max_concurrency=1))
    assert len(running(driver)) == 6
    driver.create(plan(IDS[:6], limits=Limits(max_concurrency=1)), run_id="q")
    driver.do(c.SetRunLimit(run_id="q", max_concurrency=3))
    assert running(driver, "q") == IDS[:3]
    driver.do(c.SetRunLimit(run_id="q", max_concurrency=None))
    assert running(driver, "q") == IDS[:6]
    assert driver.stops == []


def test_a_runs_limit_of_zero_stalls_it_with_the_reason() -> None:
    driver = Driver()
    driver.create(plan(["a"], limits=Limits(max_concurrency=0)))
    assert driver.of(ev.RunStalled)[0].reasons == ("the run's limit is 0",)
    driver.do(c.SetRunLimit(run_id="r", max_concurrency=1))
    assert driver.started() == ["a"]


# ---- all of them


def test_all_limits_must_allow_a_start() -> None:
    """Each limit in turn is the only one that forbids."""
    for narrow in ("global", "device", "group", "run"):
        driver = Driver(slots=1 if narrow == "device" else 5)
        limits(driver, max_concurrency=1 if narrow == "global" else 5, groups={"g": 1 if narrow == "group" else 5})
        run_limit = Limits(max_concurrency=1 if narrow == "run" else 5)
        driver.create(plan([task(name, groups=("g",)) for name in ("a", "b")], limits=run_limit))
        assert running(driver) == ["a"], narrow
        driver.end("a")
        assert running(driver) == ["b"], narrow


def test_what_waits_for_different_things_is_woken_by_the_one_it_waits_for() -> None:
    """Buckets parked under a group, a device and the run: each freed alone, no wake-up lost, nobody else started."""
    driver = Driver(slots=9, devices=["d", "gpu"])
    driver.do(c.SetSlots(device_id="gpu", slots=1))
    limits(driver, groups={"db": 1})
    driver.create(
        plan(
            [
                task("db1", groups=("db",), device="d"),
                task("gpu1", device="gpu"),
                task("db2", groups=("db",), device="d"),
                task("gpu2", device="gpu"),
                task("both", groups=("db",), device="gpu"),
            ]
        )
    )
    assert running(driver) == ["db1", "gpu1"]
    driver.end("gpu1")
    assert running(driver) == ["db1", "gpu2"]
    driver.end("db1")
    assert running(driver) == ["db2", "gpu2"]
    driver.end("db2")
    assert running(driver) == ["gpu2"]
    driver.end("gpu2")
    assert running(driver) == ["both"]


def test_blocked_tasks_are_not_looked_at_again_while_their_place_is_taken() -> None:
    """A thousand tasks of a full group are in one wait queue; turns that do not free it leave the queue empty."""
    driver = Driver(checked=False)
    limits(driver, groups={"db": 1})
    driver.create(plan([*(task(f"g{n}", groups=("db",)) for n in range(1000)), *IDS]))
    assert driver.scheduler.queue.active == []
    for name in IDS:
        driver.end(name)
        assert driver.scheduler.queue.active == []
    driver.turn(TimePassed())
    assert len(driver.started()) == 51


@pytest.mark.parametrize("place", ["slots", "run limit", "one of several devices"])
def test_a_place_that_frees_is_offered_to_one_group_after_the_other_until_it_is_taken(place, monkeypatch) -> None:
    """Three hundred groups wait for the same slots: those behind the first one that starts are not looked at."""
    looked: list[object] = []
    start_from = dispatch._start_from

    def noted(scheduler: SchedulerState, bucket: Bucket, limit: int, rival: int | None) -> WaitQueue | None:
        looked.append(bucket)
        return start_from(scheduler, bucket, limit, rival)

    devices = ("d", "e") if place == "one of several devices" else ("d",)
    driver = Driver(slots=None if place == "run limit" else 4 // len(devices), devices=devices, checked=False)
    groups = {f"g{number}": 1 for number in range(300)}
    tasks = [task(f"t{number}", groups=(f"g{number % 300}",)) for number in range(900)]
    driver.create(plan(tasks, limits=Limits(max_concurrency=4 if place == "run limit" else None, groups=groups)))
    monkeypatch.setattr(dispatch, "_start_from", noted)
    driver.end_all()
    assert driver.run().state == "completed"
    assert driver.started() == [one.id for one in tasks]
    assert len(looked) < 4 * len(tasks)


def test_what_waits_alone_for_a_place_that_is_free_stands_in_line_under_what_becomes_ready_there_meanwhile() -> None:
    driver = Driver()
    limits(driver, max_concurrency=2)
    first = [task("a", priority=90), task("b", groups=("g",)), task("c", groups=("h",))]
    later = [task("d", groups=("h",), priority=80), task("e", groups=("i",), priority=60)]
    driver.create(plan([*first, *later], ["b>d", "b>e"], limits=Limits(max_concurrency=1)))
    limits(driver, max_concurrency=1)
    driver.end_all()
    assert driver.started() == ["a", "b", "d", "e", "c"]
