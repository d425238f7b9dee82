"""What the console enables is exactly what the engine accepts, in random states of runs that are being edited."""

from __future__ import annotations

from itertools import pairwise, product
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.driver import RUN, Driver, plan, task
from tests.properties.test_scheduler_agents import AgentWalk

from starloom.constellation.edits import EditBatch
from starloom.model.status import DependencyKind
from starloom.scheduling import commands as c
from starloom.scheduling.decide.questions import refusal
from starloom.scheduling.state.codes import REMOVED
from starloom.scheduling.state.reservations import ReservationTarget
from starloom_gui.editing import steps
from starloom_gui.editing.adding import GROUND, Site, add_step
from starloom_gui.editing.legality import (
    Lock,
    Targets,
    lock_of,
    locks,
    why_closed,
    why_fixed,
    why_frozen,
    why_kept,
    why_not_between,
)

if TYPE_CHECKING:
    from starloom.scheduling.scheduler import Scheduler
    from starloom.scheduling.state.run_facts import RunFacts
    from starloom_gui.editing.base import Step


def accepted(scheduler: Scheduler, run: RunFacts, step: Step) -> bool:
    """Whether the engine would take a step now, of whoever has reserved the run if anybody has."""
    reserved = scheduler.fleet.reservations.get(ReservationTarget(run_id=run.run_id))
    who = c.OPERATOR if reserved is None else reserved.holder
    batch = EditBatch(edits=step.edits, origin=who)
    command = c.EditConstellation(run_id=run.run_id, batch=batch, origin=who)
    return refusal(scheduler, command) is None


class LegalWalk(AgentWalk):
    """A walk that compares, wherever it is, what is enabled with what would be accepted."""

    def compare(self) -> None:
        scheduler = self.driver.scheduler
        for index in scheduler.runs.values():
            run = index.run
            present = sorted(run.graph.place.values())
            self.compare_connecting(scheduler, run, present)
            self.compare_dependencies(scheduler, run, present)
            self.compare_tasks(scheduler, run, present)

    def compare_connecting(self, scheduler: Scheduler, run: RunFacts, present: list[int]) -> None:
        for fixed, forward in product(present, (True, False)):
            targets = Targets(run, fixed, forward=forward)
            assert not targets.allows(len(run.status)), "what is not there is no target"
            for other, code in enumerate(run.status):
                assert targets.allows(other) is not bool(targets.why(other)), "each illegal target says why"
                if code == REMOVED:
                    assert not targets.allows(other)
                    continue
                step = steps.connect(run, *((fixed, other) if forward else (other, fixed)))
                assert targets.allows(other) is accepted(scheduler, run, step), (step.label, targets.why(other))

    def compare_dependencies(self, scheduler: Scheduler, run: RunFacts, present: list[int]) -> None:
        for child in present:
            for parent in run.graph.parents[child]:
                for other, forward in product(present, (True, False)):
                    moving, fixed = (child, parent) if forward else (parent, child)
                    targets = Targets(run, fixed, forward=forward, moving=moving)
                    assert targets.allows(other) is not bool(targets.why(other))
                    if other != moving:
                        step = steps.reconnect(run, parent, child, other, forward=forward)
                        assert targets.allows(other) is accepted(scheduler, run, step), step.label
                may = not why_fixed(run, parent, child)
                kind = self.dice.choice([DependencyKind.ALWAYS, DependencyKind.CONDITION])
                assert may is accepted(scheduler, run, steps.disconnect(run, parent, child))
                assert may is accepted(scheduler, run, steps.change(run, parent, child, kind, "status == 'failed'"))
                step = add_step(task("new"), run, Site(parent, child))
                assert accepted(scheduler, run, step) is not bool(why_not_between(run, parent, child))

    def compare_tasks(self, scheduler: Scheduler, run: RunFacts, present: list[int]) -> None:
        locked = locks(run)
        assert accepted(scheduler, run, add_step(task("new"), run, GROUND)) is not bool(why_closed(run))
        for number in present:
            may_change = accepted(scheduler, run, steps.rename(run, number, "another"))
            may_remove = accepted(scheduler, run, steps.remove(run, [number]))
            assert may_change is not bool(why_frozen(run, number))
            assert may_remove is not bool(why_kept(run, [number]))
            lock = Lock.FULL if not may_change else Lock.OPEN if may_remove else Lock.HALF
            assert locked.get(number, Lock.OPEN) is lock is lock_of(run, number)
            may_lead = not why_frozen(run, number) and not why_closed(run)
            assert accepted(scheduler, run, add_step(task("new"), run, Site(before=number))) is may_lead
        some = [number for number in present if self.chance(0.4)]
        assert accepted(scheduler, run, steps.remove(run, some)) is not bool(why_kept(run, some))
        assert accepted(scheduler, run, steps.remove_and_reconnect(run, some)) is not bool(why_kept(run, some))


@given(seed=st.integers(0, 2**32), count=st.integers(1, 25))
def test_what_is_enabled_is_what_the_engine_accepts(seed: int, count: int) -> None:
    walk = LegalWalk(seed, checked=False)
    for _ in range(count):
        walk.step()
    walk.compare()


def test_reasons_name_the_cycle_the_status_and_the_dependency_that_is_there() -> None:
    driver = Driver(slots=1)
    run = driver.create(plan(["a", "b", "c", "d"], ["a>b", "b>c"]))
    a, b, c_, d = (run.graph.place[id] for id in "abcd")
    assert Targets(run, c_, forward=True).why(a) == "This would close the cycle c → a → b → c."
    assert Targets(run, a, forward=False).why(c_) == "a is running."
    assert Targets(run, b, forward=False).why(c_) == "This would close the cycle c → b → c."
    assert Targets(run, b, forward=True).why(b) == "A task can't depend on itself."
    assert Targets(run, b, forward=True).why(c_) == "c depends on b already."
    assert Targets(run, d, forward=True).why(a) == "a is running."
    assert Targets(run, b, forward=True, moving=c_).why(c_) == "It leads there already."
    driver.end("a")
    assert Targets(run, d, forward=True).why(a) == "a has ended: Done."
    assert why_kept(run, []) == "No task is selected."
    driver.do(c.CancelRun(run_id=RUN))
    assert why_closed(run) == "The run was cancelled; nothing can be added to it."


def test_a_long_chain_is_walked_without_recursion_and_its_cycle_is_told_in_short() -> None:
    ids = [f"t{number}" for number in range(5_000)]
    run = Driver(checked=False).create(plan(ids, [f"{one}>{other}" for one, other in pairwise(ids)]))
    targets = Targets(run, 4_999, forward=True)
    assert not targets.legal.any()
    assert targets.why(1) == "This would close the cycle t4999 → t1 → t2 → … 4994 more … → t4997 → t4998 → t4999."


@pytest.mark.parametrize(
    ("into", "out", "kind"),
    [
        ("success", "success", "success"),
        ("success", "always", "always"),
        ("success", "failure", "failure"),
        ("failure", "success", "failure"),
        ("always", "failure", "always"),
    ],
)
def test_a_reconnected_dependency_asks_what_was_asked_on_the_way(into: str, out: str, kind: str) -> None:
    driver = Driver(slots=0)
    run = driver.create(plan(["a", "b", "c"], [f"a>b>{into}", f"b>c>{out}"]))
    driver.edit(*steps.remove_and_reconnect(run, [run.graph.place["b"]]).edits)
    assert [(each.parent, each.child, each.kind) for each in run.graph.dependencies()] == [("a", "c", kind)]


def test_what_waits_behind_several_removed_tasks_waits_for_what_was_before_them() -> None:
    driver = Driver(slots=0)
    run = driver.create(plan(["a", "b", "x", "y", "c", "d"], ["a>x", "b>x", "x>y", "y>c", "x>d", "a>c"]))
    step = steps.remove_and_reconnect(run, [run.graph.place[id] for id in "xy"])
    driver.edit(*step.edits)
    assert {(each.parent, each.child) for each in run.graph.dependencies()} == {
        *(("a", "c"), ("b", "c")),
        *(("a", "d"), ("b", "d")),
    }
    assert step.label == "Remove 2 task(s) and reconnect"


def test_steps_are_called_what_they_do() -> None:
    run = Driver(slots=0).create(plan([task("a", name="compile"), "b", "c"], ["a>b"]))
    a, b, c_ = (run.graph.place[id] for id in "abc")
    labels = [
        steps.connect(run, a, c_),
        steps.reconnect(run, a, b, c_, forward=True),
        steps.reconnect(run, a, b, c_, forward=False),
        steps.disconnect(run, a, b),
        steps.change(run, a, b, DependencyKind.FAILURE),
        steps.change(run, a, b, DependencyKind.CONDITION, " exit_code == 0 "),
        steps.remove(run, [a]),
        steps.rename(run, a, " build\n all "),
        steps.rename(run, a, "a"),
        add_step(task("b"), run, Site(before=c_)),
    ]
    assert [step.label for step in labels] == [
        "Add dependency compile → c",
        "Move dependency compile → b to compile → c",
        "Move dependency compile → b to c → b",
        "Remove dependency compile → b",
        "Make compile → b run on failure",
        "Let compile → b depend on exit_code == 0",
        "Remove compile",
        "Rename compile to build all",
        "Rename compile to a",
        "Add b-2 before c",
    ]
    with pytest.raises(ValueError, match="condition"):
        steps.change(run, a, b, DependencyKind.CONDITION, "  ")


def test_a_task_is_kept_for_one_that_was_skipped_in_those_words():
    driver = Driver()
    driver.create(plan(["x", "a", "b"], ["x>a", "a>b"]))
    driver.turn(c.SkipTasks(run_id=RUN, task_ids=("b",)))
    run = driver.run()
    assert why_kept(run, [run.graph.place["a"]]) == "a can't be removed: b depends on it and was skipped."
