"""The fakes and builders we ship."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from starloom.testing import FakeClock, chain, diamond, independent, layered

if TYPE_CHECKING:
    from starloom.model.plan import Plan


def parents_of(plan: Plan, task_id: str) -> list[str]:
    return [d.parent for d in plan.dependencies if d.child == task_id]


def test_the_clock_moves_only_when_told_and_never_back() -> None:
    clock = FakeClock(at=10.0)
    assert clock() == clock() == 10.0
    assert clock.advance(2.5) == clock.at == clock() == 12.5
    clock.at = 20
    assert clock() == 20.0
    with pytest.raises(ValueError, match="cannot go back"):
        clock.at = 19.0
    with pytest.raises(ValueError, match="cannot go back"):
        clock.advance(-1)
    assert clock() == 20.0


def test_a_chain_has_each_task_wait_for_the_one_before() -> None:
    plan = chain(4)
    assert [t.id for t in plan.tasks] == ["t0", "t1", "t2", "t3"]
    assert [(d.parent, d.child) for d in plan.dependencies] == [("t0", "t1"), ("t1", "t2"), ("t2", "t3")]


@pytest.mark.parametrize("n", [0, 1, 3])
def test_independent_tasks_have_no_dependencies(n: int) -> None:
    plan = independent(n)
    assert (len(plan.tasks), plan.dependencies) == (n, ())


def test_a_diamond_opens_and_closes() -> None:
    plan = diamond()
    assert parents_of(plan, "d") == ["b", "c"]
    assert parents_of(plan, "a") == []


def test_each_task_of_a_layer_has_distinct_parents_in_the_layer_before() -> None:
    plan = layered(4, 6, parents=3, seed=7)
    assert len(plan.tasks) == 24
    for layer in range(1, 4):
        for place in range(6):
            parents = parents_of(plan, f"l{layer}-{place}")
            assert len(set(parents)) == len(parents) == 3
            assert all(parent.startswith(f"l{layer - 1}-") for parent in parents)


def test_equal_arguments_give_equal_plans_and_another_seed_another_one() -> None:
    assert layered(5, 8, seed=1) == layered(5, 8, seed=1)
    assert layered(5, 8, seed=1) != layered(5, 8, seed=2)


def test_a_narrow_layer_gives_what_it_has() -> None:
    assert len(layered(3, 1, parents=4).dependencies) == 2


def test_tasks_call_noop_or_take_simulated_time_and_carry_further_fields() -> None:
    assert {t.call for t in diamond(priority=80).tasks} == {"noop"}
    assert {t.priority for t in diamond(priority=80).tasks} == {80}
    assert {t.simulate.duration for t in chain(2, simulate=1.5).tasks if t.simulate} == {1.5}
