"""Overdue: an attempt that runs far longer than expected is said to, once, and everybody can see it."""

from __future__ import annotations

from dataclasses import replace

import pytest
from tests.driver import RUN, Driver, plan, task

from starloom import events as ev
from starloom.errors import CommandRefused
from starloom.journal.facts import HEADER, Known, decode_facts, decode_link, encode, lay, length_of_link, link_of
from starloom.model.task import Task
from starloom.scheduling import commands as c
from starloom.scheduling.decide.overdue import expected
from starloom.scheduling.fold.apply import fold
from starloom.scheduling.fork import Fork
from starloom.scheduling.restore import restore
from starloom.scheduling.state.folded_run import FoldedRun


def overdue(driver: Driver) -> list[tuple[float, str, int]]:
    return [(event.at, event.task_id, event.attempt) for event in driver.of(ev.TaskOverdue)]


def wake(driver: Driver) -> float | None:
    return driver.scheduler.announced


def alone(**fields: object) -> Driver:
    driver = Driver()
    driver.create(plan([task("a", **fields)]))
    return driver


# ---- when


def test_it_is_said_at_three_times_the_estimate_and_only_once():
    driver = alone(estimate=10.0)
    assert wake(driver) == 30.0
    driver.advance(29.9)
    assert overdue(driver) == []
    driver.advance(0.1)
    assert overdue(driver) == [(30.0, "a", 1)]
    assert wake(driver) is None, "nobody looks again and again"
    driver.advance(10_000)
    assert len(overdue(driver)) == 1
    assert driver.run().overdue == {0: 10.0}
    driver.end("a")
    assert driver.run().overdue == {}
    assert driver.run().state == "completed"


def test_what_ends_in_time_is_not_overdue_and_wakes_nobody():
    driver = alone(estimate=10.0)
    driver.advance(20.0)
    driver.end("a")
    assert wake(driver) is None
    driver.advance(1_000)
    assert overdue(driver) == []


def test_each_attempt_has_its_own_time():
    driver = alone(estimate=10.0, retry={"attempts": 3, "delay": 5})
    driver.advance(30.0)
    driver.fail("a")
    assert driver.run().overdue == {}
    driver.advance(5.0)
    driver.advance(29.0)
    driver.fail("a")
    driver.advance(5.0)
    driver.advance(30.0)
    assert [(at, attempt) for at, _, attempt in overdue(driver)] == [(30.0, 1), (99.0, 3)]


def test_an_attempt_that_is_being_stopped_is_not_called_overdue():
    driver = alone(estimate=10.0)
    driver.advance(1.0)
    driver.ask(c.CancelTasks, "a")
    driver.advance(100.0)
    assert overdue(driver) == []


def test_a_short_task_gets_a_second():
    driver = alone(estimate=0.01)
    driver.advance(0.5)
    assert overdue(driver) == []
    driver.advance(0.5)
    assert len(overdue(driver)) == 1


def test_a_slow_device_has_more_time():
    driver = Driver(devices=())
    driver.add_device("slow", speed=0.5)
    driver.create(plan([task("a", estimate=10.0)]))
    assert wake(driver) == 60.0
    driver.advance(60.0)
    assert driver.run().overdue == {0: 20.0}


def test_without_anything_expected_there_is_no_timer():
    driver = alone()
    assert (wake(driver), driver.scheduler.timers) == (None, [])


# ---- how far


@pytest.mark.parametrize(
    ("fleet", "of_plan", "due"), [(5.0, None, 50.0), (5.0, 2.0, 20.0), (0.0, None, None), (3.0, 0.0, None)]
)
def test_the_plan_goes_before_the_fleet_and_none_is_for_ever(
    fleet: float, of_plan: float | None, due: float | None
) -> None:
    driver = Driver()
    driver.do(c.SetLimits(overdue_factor=fleet))
    driver.create(replace(plan([task("a", estimate=10.0)]), overdue_factor=of_plan))
    assert wake(driver) == due


def test_a_factor_that_is_changed_holds_for_what_runs():
    driver = alone(estimate=10.0)
    driver.do(c.SetLimits(overdue_factor=10.0))
    driver.advance(50.0)
    assert overdue(driver) == []
    driver.do(c.SetLimits(overdue_factor=6.0))
    driver.advance(10.0)
    assert [at for at, _, _ in overdue(driver)] == [60.0]
    driver.do(c.SetLimits(overdue_factor=2.0))
    driver.advance(100.0)
    assert len(overdue(driver)) == 1, "once an attempt"


@pytest.mark.parametrize("value", [-1, 0.5, True, "many", float("nan"), float("inf"), None])
def test_a_wrong_factor_is_refused_and_says_what_is_allowed(value: object) -> None:
    driver = Driver()
    with pytest.raises(CommandRefused, match=r"overdue_factor cannot be .* 1 or more, or 0 for no limit"):
        driver.do(c.SetLimits(overdue_factor=value))  # type: ignore[arg-type]  # that is what is tried


# ---- learnt


def test_what_tasks_of_a_kind_took_is_expected_of_the_next_one():
    driver = Driver(slots=1)
    driver.create(plan([task(f"tile {number}") for number in range(5)]))
    for number, seconds in enumerate((10.0, 12.0, 14.0)):
        driver.advance(seconds)
        assert wake(driver) is None, "nobody knows yet"
        driver.end(f"tile {number}")
    driver.advance(35.9)
    assert overdue(driver) == []
    driver.advance(0.1)
    assert overdue(driver) == [(72.0, "tile 3", 1)]
    assert driver.run().overdue == {3: 12.0}


def test_what_texts_for_the_shell_took_is_expected_of_one_that_differs_in_numbers_only():
    driver = Driver(slots=1)
    names = ["first", "second", "third", "fourth"]
    driver.create(plan([task(name, shell=f"sleep {number}; echo {number}") for number, name in enumerate(names)]))
    for name in names[:3]:
        driver.advance(12.0)
        driver.end(name)
    driver.advance(36.0)
    assert overdue(driver) == [(72.0, "fourth", 1)]


def test_what_a_task_took_before_is_expected_of_it_when_it_runs_again():
    driver = alone()
    driver.advance(10.0)
    driver.end("a")
    driver.do(c.RerunFrom(run_id=RUN, task_id="a"))
    driver.advance(30.0)
    assert overdue(driver) == [(40.0, "a", 2)]


def learnt_from_three(seconds: float, slots: int, count: int) -> Driver:
    """A run that has learnt from the first three of so many tasks of a kind, and goes on with the rest."""
    driver = Driver(slots=slots)
    driver.create(plan([task(f"tile {number}") for number in range(count)]))
    driver.advance(seconds)
    for number in range(3):
        driver.end(f"tile {number}")
    return driver


@pytest.mark.parametrize(("seconds", "due"), [(0.1, 1.1), (10.0, 40.0)])
def test_those_that_others_ended_before_are_overdue_in_time(seconds: float, due: float) -> None:
    driver = learnt_from_three(seconds, slots=3, count=8)
    driver.fail("tile 3")  # which teaches nothing
    driver.advance(0.5)
    driver.fail("tile 4")
    driver.fail("tile 5")
    driver.advance(due - driver.now)
    assert [(at, task_id) for at, task_id, _ in overdue(driver)] == [(due, "tile 6")]
    driver.advance(0.5)
    assert [(at, task_id) for at, task_id, _ in overdue(driver)][1:] == [(due + 0.5, "tile 7")]


def test_what_is_learnt_after_an_attempt_has_started_is_not_expected_of_it():
    driver = Driver(slots=3)
    driver.create(plan([task(f"tile {number}") for number in range(5)]))
    driver.advance(10.0)
    driver.end("tile 0")
    driver.end("tile 1")  # so that two are known, and three are needed, as the last ones start
    driver.advance(0.5)
    driver.end("tile 2")
    index = driver.scheduler.runs[RUN]
    assert expected(index, 3) == pytest.approx(30.5 / 3)
    driver.advance(1_000.0)
    assert overdue(driver) == []


def test_those_that_end_at_once_leave_no_timers():
    driver = learnt_from_three(10.0, slots=3, count=50)
    for number in range(3, 49):
        driver.advance(0.01)
        driver.end(f"tile {number}")
    assert len(driver.scheduler.timers) == 1
    assert len(driver.scheduler.runs[RUN].unwatched) <= 3
    driver.end("tile 49")
    assert (wake(driver), driver.scheduler.timers) == (None, [])


def test_failed_attempts_and_other_kinds_teach_nothing():
    driver = Driver()
    tasks = [task("a", retry=5), *(Task(id=f"make {n}", command=("make",)) for n in range(3)), task("make")]
    driver.create(plan(tasks))
    for _ in range(6):
        driver.advance(10.0)
        driver.fail("a")
    for number in range(3):
        driver.end(f"make {number}")
    index = driver.scheduler.runs[RUN]
    assert expected(index, driver.run().graph.place["make"]) is None
    assert expected(index, driver.run().graph.place["a"]) is None
    assert expected(index, driver.run().graph.place["make 1"]) == 60.0


def test_many_that_end_together_teach_a_few():
    driver = Driver()
    driver.create(plan([task(f"t{number}") for number in range(1_000)]))
    driver.advance(10.0)
    driver.turn(*(driver.ended(f"t{number}") for number in range(1_000)))
    index = driver.scheduler.runs[RUN]
    assert index.lessons == (10.0, 16)
    assert sum(count for key, (count, _) in index.learnt.items() if key[0] == "kind") == 16


# ---- seen


def test_why_says_it():
    driver = alone(estimate=600.0)
    driver.advance(2_000.0)
    (reason,) = driver.why("a")
    assert reason.code == "overdue"
    assert reason.text == "It has been running on d for 33m20s and was expected to take 10m: it is overdue."
    assert not reason.blocks


# ---- elsewhere


def test_a_scheduler_made_from_the_journal_says_it_at_the_same_time_and_not_again():
    driver = Driver()
    driver.create(plan([task("a", estimate=10.0), task("b", estimate=20.0)]))
    driver.advance(30.0)
    twin = restore(driver.journal())
    assert twin.run(RUN).overdue == {0: 10.0}
    turn = twin.handle([], 59.0)
    assert turn.events == []
    turn = twin.handle([], 60.0)
    assert [(type(event), event.task_id) for event in turn.events] == [(ev.TaskOverdue, "b")]


def test_a_fork_goes_on_as_the_original_does():
    driver = Driver(slots=1)
    driver.create(plan([task(f"tile {number}") for number in range(5)]))
    for number in range(3):
        driver.advance(10.0)
        driver.end(f"tile {number}")
    twin = Fork.of(driver.scheduler).scheduler()
    later = driver.now + 30.0
    told = [(type(event), event.at) for event in twin.handle([], later).events]
    driver.advance(30.0)
    assert told == [(ev.TaskOverdue, later)] == [(type(event), event.at) for event in driver.of(ev.TaskOverdue)]


def test_a_checkpoint_keeps_it():
    driver = Driver()
    driver.create(plan([task("a", estimate=10.0)]))
    driver.advance(30.0)
    run = driver.run()
    link = link_of(run, Known(archived={}), row=1, at=30.0, wall=0.0, graph=[], shifts=[])
    data = bytes(encode(link, run))
    header, rest = data[: HEADER.size], data[HEADER.size :]
    end = length_of_link(header)
    view = FoldedRun(RUN)
    view.run.graph = run.graph
    lay(view.run, decode_facts(header, rest[end:]), [decode_link(header, rest[:end])])
    assert view.run.overdue == {0: 10.0}


def test_a_run_that_another_program_takes_up_says_it_of_the_new_attempt():
    driver = Driver()
    driver.create(plan([task("a", estimate=10.0)]))
    driver.advance(30.0)
    heir = Driver()
    heir.now = 1_000.0
    stream = [event for event in driver.journal() if event.run_id == RUN]
    heir.inherit(stream)
    heir.do(c.RecoverRun(run_id=RUN, facts=fold(FoldedRun(RUN), stream).run, last_at=stream[-1].at))
    assert heir.run().overdue == {}
    heir.advance(30.0)
    assert [attempt for _, _, attempt in overdue(heir)][-1] == 2
