"""Which priority has a ready task start before or behind another one; and where no priority does."""

from __future__ import annotations

import pytest
from tests.driver import RUN, Driver, plan, task

from starloom.model.status import Placement
from starloom.scheduling import commands as c
from starloom.scheduling.read.line import in_line
from starloom.scheduling.read.queue_reorder import HIGHEST, QueueReorder, ReorderResult, still_ahead


def line_of(driver: Driver) -> list[str]:
    line, _ = in_line(driver.scheduler, driver.now, 1_000)
    return [driver.run(one.run_id).graph.ids[one.number] for one in line]


def waiting(*tasks: object, dependencies: tuple[str, ...] = (), **limits: object) -> Driver:
    """One slot that `blocker` holds."""
    driver = Driver(slots=1)
    if limits:
        driver.do(c.SetLimits(**limits))  # type: ignore[arg-type]
    driver.create(plan([task("blocker", priority=100), *tasks], list(dependencies)))  # type: ignore[list-item]
    return driver


def asked(driver: Driver, name: str, other: str, *, ahead: bool) -> ReorderResult:
    place = driver.run().graph.place
    return QueueReorder(driver.scheduler, RUN, place[name]).beside(RUN, place[other], ahead=ahead)


def moved(driver: Driver, name: str, other: str, *, ahead: bool) -> list[str]:
    """The line once the task has the priority that was found."""
    found = asked(driver, name, other, ahead=ahead)
    assert found.priority is not None
    driver.do(c.SetPriority(run_id=RUN, task_ids=(name,), priority=found.priority))
    line = line_of(driver)
    assert line.index(name) == found.place - 1
    return line


def names(driver: Driver, found: ReorderResult) -> list[str]:
    return [driver.run(run_id).graph.ids[number] for run_id, number in found.also]


def test_a_task_comes_right_before_another_one_where_there_is_room() -> None:
    driver = waiting(task("a", priority=80), task("b", priority=60), task("c", priority=40), task("d", priority=20))
    found = asked(driver, "d", "b", ahead=True)
    assert (found.priority, found.place, found.also) == (61, 2, ()), "as near to what it had as can be"
    assert moved(driver, "d", "b", ahead=True) == ["a", "d", "b", "c"]


def test_a_task_comes_right_behind_another_one() -> None:
    driver = waiting(task("a", priority=80), task("b", priority=60), task("c", priority=40))
    assert asked(driver, "a", "b", ahead=False).priority == 59
    assert moved(driver, "a", "b", ahead=False) == ["b", "a", "c"]


def test_among_equals_the_order_they_came_in_counts_and_who_is_passed_too_is_told() -> None:
    driver = waiting("a", "b", "c", "d")
    found = asked(driver, "d", "b", ahead=True)
    assert (found.priority, found.place, names(driver, found)) == (51, 1, ["a"])
    back = asked(driver, "a", "b", ahead=False)
    assert (back.priority, back.place, names(driver, back)) == (49, 4, ["c", "d"])
    assert moved(driver, "d", "b", ahead=True) == ["d", "a", "b", "c"]


def test_where_it_stands_already_nothing_has_to_change() -> None:
    driver = waiting("a", "b", "c")
    assert asked(driver, "a", "b", ahead=True) == ReorderResult(50, 50, 1)
    assert asked(driver, "c", "b", ahead=False) == ReorderResult(50, 50, 3)


def test_nothing_goes_before_the_highest_of_equals_nor_behind_the_lowest() -> None:
    driver = waiting(task("a", priority=100), "b", task("c", priority=0), "d")
    assert asked(driver, "d", "a", ahead=True).priority is None
    driver.do(c.SetPriority(run_id=RUN, task_ids=("b", "d"), priority=0))
    assert line_of(driver) == ["a", "b", "c", "d"]
    assert asked(driver, "b", "d", ahead=False) == ReorderResult(None, 0)


def test_what_needs_it_keeps_it_where_its_priority_is() -> None:
    driver = waiting("a", "b", task("after", priority=70), dependencies=("a>after",))
    found = asked(driver, "a", "b", ahead=False)
    assert found.priority is None
    assert found.needed_by == (driver.run().graph.place["after"], 70)
    assert asked(driver, "b", "a", ahead=True).priority == 71, "the other one can pass it"


def test_waiting_counts_for_a_priority() -> None:
    driver = waiting("old", starvation_timeout=30.0)
    driver.advance(20)  # 2 points a second: `old` has aged by 40
    driver.create(plan(["young"]), run_id="r2")
    reorder = QueueReorder(driver.scheduler, "r2", 0)
    assert reorder.beside(RUN, driver.run().graph.place["old"], ahead=True).priority == 91
    driver.advance(40)
    driver.create(plan(["younger"]), run_id="r3")
    assert QueueReorder(driver.scheduler, "r3", 0).beside(RUN, 1, ahead=True).priority is None, "not even 100 passes it"
    assert QueueReorder(driver.scheduler, RUN, 1).beside("r3", 0, ahead=False).priority is None, "nor does 0 let it by"


def test_by_critical_path_only_priority_moves_a_task() -> None:
    driver = Driver(slots=1)
    driver.do(c.SetLimits(placement=Placement.CRITICAL_PATH))
    driver.create(plan([task("blocker", priority=100), task("short", simulate=1.0), task("long", simulate=9.0)]))
    assert line_of(driver) == ["long", "short"]
    assert moved(driver, "short", "long", ahead=True) == ["short", "long"]


def test_only_who_stands_in_line_can_be_moved_or_passed() -> None:
    driver = waiting("a", "b", "c", dependencies=("b>c",))
    place = driver.run().graph.place
    for name in ("blocker", "c"):
        with pytest.raises(KeyError):
            QueueReorder(driver.scheduler, RUN, place[name])
        with pytest.raises(KeyError):
            asked(driver, "a", name, ahead=True)
    driver.do(c.HoldTasks(run_id=RUN, task_ids=("b",)))
    with pytest.raises(KeyError):
        QueueReorder(driver.scheduler, RUN, place["b"])


@pytest.mark.parametrize("placement", [Placement.ROUND_ROBIN, Placement.CRITICAL_PATH])
def test_who_has_waited_for_longer_still_starts_before_the_highest_priority(placement: Placement) -> None:
    driver = waiting("a", "b", task("c", priority=20), placement=placement)
    driver.advance(120)
    driver.create(plan(["late"]), run_id="other")
    late = still_ahead(driver.scheduler, "other", 0, HIGHEST)
    driver.do(c.SetPriority(run_id="other", task_ids=("late",), priority=HIGHEST))
    assert late == line_of(driver).index("late")
    assert late == (0 if placement is Placement.CRITICAL_PATH else 3)
    assert still_ahead(driver.scheduler, RUN, driver.run().graph.place["b"], HIGHEST) == 0
    assert still_ahead(driver.scheduler, RUN, 0, HIGHEST) == 0, "it runs"
