"""The measure of fences: its agent, its baselines and its figures, on plans small enough to reckon by hand."""

from __future__ import annotations

from typing import Any

import pytest
from tests.benchmarks import bench_cycles
from tests.benchmarks.bench_cycles import BOUND, FENCES, Figure, asked_about, budgets, figure, kept, report, thought_of

from starloom import Dependency, Plan, Task
from starloom.model.status import Fence
from starloom.model.task import Simulate


def branches(name: str = "branches") -> Plan:
    """Tasks of 10 s and of 30 s, each with a child of 10 s: 15 s on average."""
    seconds: dict[str, Any] = {"a": 10, "b": 30, "a-child": 10, "b-child": 10}
    return Plan(
        name=name,
        tasks=tuple(Task(id=task_id, simulate=duration) for task_id, duration in seconds.items()),
        dependencies=(Dependency(parent="a", child="a-child"), Dependency(parent="b", child="b-child")),
    )


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> pytest.MonkeyPatch:
    """The agent is asked about each end, and wants nothing unless told otherwise."""
    monkeypatch.setattr(bench_cycles, "asked_about", lambda _plan: {"a": "a-child", "b": "b-child"})
    monkeypatch.setattr(bench_cycles, "wants", lambda _plan, _task_id: False)
    monkeypatch.setattr(bench_cycles, "_ORACLES", {})
    return monkeypatch


def test_what_waits_is_what_the_fence_says_and_phases_wait_for_everything(asked: pytest.MonkeyPatch) -> None:
    """Thoughts of 1.5 s: 10 + 1.5 + 10 and 30 + 1.5 + 10, of which the second one lasts longest."""
    found = figure(branches(), "constant", 0.1)
    assert found.phases == pytest.approx(30 + 1.5 + 10, abs=0.01)
    assert found.oracle == pytest.approx(40, abs=0.01)
    for fence in (Fence.GLOBAL, Fence.DESCENDANTS, Fence.SCOPE):
        assert found.behind[fence] == pytest.approx(41.5, abs=0.01)
    assert found.behind[Fence.OPTIMISTIC] == pytest.approx(40, abs=0.01)
    assert found.repeated == 0


def test_what_is_wanted_of_a_running_task_is_paid_for_by_its_repetition(asked: pytest.MonkeyPatch) -> None:
    asked.setattr(bench_cycles, "wants", lambda _plan, task_id: task_id == "b")
    found = figure(branches(), "constant", 0.1)
    assert found.behind[Fence.OPTIMISTIC] == pytest.approx(30 + 1.5 + 10, abs=0.01)
    assert found.repeated == 1
    assert found.oracle == pytest.approx(40, abs=0.01)


def test_the_bound_thinks_about_every_end_at_once(asked: pytest.MonkeyPatch) -> None:
    """Thoughts of 22.5 s. An agent begins its second one at 32.5 s and not at 30 s, when that end came."""
    found = figure(branches(), "constant", 1.5)
    assert found.behind[Fence.SCOPE] == pytest.approx(10 + 22.5 + 22.5 + 10, abs=0.01)
    assert found.bound == pytest.approx(30 + 22.5 + 10, abs=0.01)


def test_a_phase_in_which_nobody_is_asked_begins_at_once(asked: pytest.MonkeyPatch) -> None:
    asked.setattr(bench_cycles, "asked_about", lambda _plan: {})
    assert figure(branches(), "constant", 1.0).phases == pytest.approx(40, abs=0.01)


def test_thoughts_last_as_long_as_a_part_of_a_task_on_average() -> None:
    plan = branches()
    assert thought_of(plan, "constant", 0.3)(["a", "b"]) == pytest.approx(4.5)
    assert thought_of(plan, "correlated", 0.3)(["a", "b"]) == pytest.approx(9.0)
    think = thought_of(plan, "log-normal", 0.3)
    draws = [think([f"t{number}"]) for number in range(2000)]
    assert sum(draws) / len(draws) == pytest.approx(4.5, rel=0.05)
    assert think(["t1", "t2"]) == think(["t2", "t1"])


def test_a_quarter_of_the_tasks_with_children_is_asked_about_and_always_the_same() -> None:
    many = Plan(
        name="many",
        tasks=tuple(Task(id=f"{row}{n}", simulate=Simulate(duration=1.0)) for row in "ab" for n in range(400)),
        dependencies=tuple(Dependency(parent=f"a{n}", child=f"b{n}") for n in range(400)),
    )
    found = asked_about(many)
    assert 70 < len(found) < 130
    assert all(child == f"b{task_id[1:]}" for task_id, child in found.items())
    assert asked_about(many) == found


def test_what_is_kept_is_a_part_of_what_the_oracle_gains() -> None:
    behind = dict(zip(FENCES, (110.0, 100.0, 95.0, 92.0), strict=True))
    figures = [Figure("p", "constant", 0.1, 100.0, 90.0, 91.0, behind, 3)]
    assert [round(kept(figures, fence)) for fence in FENCES] == [-100, 0, 50, 80]
    assert round(kept(figures, BOUND)) == 90
    text = report(figures)
    assert "+10.0 %" in text
    assert "slower than phases, of 1" in text
    assert [(round(one.ours), one.holds) for one in budgets(figures)] == [
        (50, False),
        (95, True),
        (80, False),
        (92, True),
    ]


def test_the_command_measures_what_is_made_here(capsys: pytest.CaptureFixture[str]) -> None:
    bench_cycles.main(["--tiny"])
    shown = capsys.readouterr().out
    assert "kept of the gain of the oracle" in shown
    assert "wide" in shown
